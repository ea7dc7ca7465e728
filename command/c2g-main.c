/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "output/c2g-memory.h"
#include "output/c2g-output.h"
#include "output/c2g-similar.h"

#include <c2g/c2g.h>

#include <glib/gi18n.h>

#include <locale.h>

/* The program c2g: finds the subcommand and runs it. */

static const struct
{
  const char *name;
  const char *summary;
  int       (*run) (int    argc,
                    char **argv);
} commands[] = {
  { "info", N_("Show what is in files"), c2g_command_info },
  { "cat", N_("Print the values of a blob"), c2g_command_cat },
  { "convert", N_("Write the blobs of a file into one of another kind"), c2g_command_convert },
  { "diff", N_("Compare the blobs of two files"), c2g_command_diff },
  { "verify", N_("Read everything in files, and tell what is wrong"), c2g_command_verify },
  { "run", N_("Run a trained model"), c2g_command_run },
  { "graph", N_("Draw the net of a model"), c2g_command_graph },
  { "operators", N_("Show operators, their arguments and examples"), c2g_command_operators },
  { "devices", N_("Show the devices that tensors can be on"), c2g_command_devices },
};

static void
print_help (void)
{
  g_print ("%s\n  c2g %s\n\n%s\n", _("Usage:"), _("COMMAND [ARGUMENT…]"), _("Commands:"));
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_print ("  %-12s%s\n", commands[i].name, _(commands[i].summary));
  g_print ("\n%s\n  %-12s%s\n  %-12s%s\n\n%s\n",
           _("Options:"),
           "--help", _("Show this help"),
           "--version", _("Show the version"),
           _("“c2g COMMAND --help” tells more about a command."));
}

static int
print_usage_error (const char *message)
{
  c2g_output_error (message);
  g_printerr (_("Try “%s”."), "c2g --help");
  g_printerr ("\n");
  return C2G_STATUS_USAGE;
}

static int
run (int    argc,
     char **argv)
{
  g_autofree char *message = NULL;
  char help[] = "--help";
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };

  if (argc < 2)
    return print_usage_error (_("No command was given"));

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (argv[1], commands[i].name))
      return commands[i].run (argc - 1, argv + 1);

  if (g_str_equal (argv[1], "help") && argc > 2)
    return run (3, (char *[]){ argv[0], argv[2], help, NULL });
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h") ||
      g_str_equal (argv[1], "help"))
    {
      print_help ();
      return C2G_STATUS_SUCCESS;
    }
  if (g_str_equal (argv[1], "--version") || g_str_equal (argv[1], "version"))
    {
      g_print ("c2g %s\n", c2g_get_version_string ());
      return C2G_STATUS_SUCCESS;
    }

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i].name;
  message = g_strdup_printf (_("There is no command or option “%s”"), argv[1]);
  message = c2g_similar_add (message, names, argv[1]);
  return print_usage_error (message);
}

int
main (int    argc,
      char **argv)
{
  int status;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, C2G_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  c2g_output_begin ();
  status = run (argc, argv);
  c2g_memory_end ();
  /* Status 2 means trouble for every command. */
  if (!c2g_output_end () && status < C2G_STATUS_SIGNAL)
    status = C2G_STATUS_TROUBLE;
  return status;
}
