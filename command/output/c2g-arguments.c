/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-arguments.h"
#include "c2g-memory.h"
#include "c2g-output.h"

#include <glib/gi18n.h>

/* Parses the command line of a subcommand. */

void
c2g_arguments_print_error (const C2gUsage *usage,
                           const char     *message)
{
  g_autofree char *command = g_strdup_printf ("c2g %s --help", usage->name);

  c2g_output_error (message);
  g_printerr (_("Try “%s”."), command);
  g_printerr ("\n");
}

static char *
describe_parameters (const C2gUsage *usage,
                     guint           n_parameters)
{
  if (usage->parameters == NULL)
    return g_strdup_printf (ngettext ("Expected no argument, got %u",
                                      "Expected no arguments, got %u", n_parameters),
                            n_parameters);
  if (n_parameters == 0)
    return g_strdup_printf (_("Expected %s"), _(usage->parameters));
  return g_strdup_printf (ngettext ("Expected %s, got %u argument",
                                    "Expected %s, got %u arguments", n_parameters),
                          _(usage->parameters), n_parameters);
}

static gboolean
parse (const C2gUsage       *usage,
       const GOptionEntry   *entries,
       char               ***parameters,
       int                   argc,
       char                **argv,
       GError              **error)
{
  const GOptionEntry rest[] = {
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, parameters, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (usage->parameters);
  g_autofree char *program = g_strdup_printf ("c2g %s", usage->name);

  g_set_prgname (program);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, rest, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, c2g_memory_options, GETTEXT_PACKAGE);
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, usage->summary);
  return g_option_context_parse (context, &argc, &argv, error);
}

char **
c2g_arguments_parse (const C2gUsage      *usage,
                     const GOptionEntry  *entries,
                     int                  argc,
                     char               **argv)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parameters = NULL;
  g_autofree char *message = NULL;
  guint n;

  if (!parse (usage, entries, &parameters, argc, argv, &error))
    {
      c2g_arguments_print_error (usage, error->message);
      return NULL;
    }

  n = parameters != NULL ? g_strv_length (parameters) : 0;
  if (n < usage->least_parameters || (usage->most_parameters != 0 && n > usage->most_parameters) ||
      (usage->parameters == NULL && n > 0))
    {
      message = describe_parameters (usage, n);
      c2g_arguments_print_error (usage, message);
      return NULL;
    }
  c2g_memory_begin ();
  return parameters != NULL ? g_steal_pointer (&parameters) : g_new0 (char *, 1);
}

gboolean
c2g_arguments_find_device (const char  *option,
                           C2gDevice  **device,
                           GError     **error)
{
  *device = option != NULL ? c2g_device_parse (option, error) : NULL;
  if (option == NULL || *device != NULL)
    return TRUE;

  g_prefix_error (error, "--device: ");
  return FALSE;
}
