/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "output/c2g-arguments.h"
#include "output/c2g-output.h"
#include "output/c2g-similar.h"
#include "output/c2g-terminal.h"
#include "output/c2g-text-utils.h"

#include "c2g-operator-similar-private.h"

#include <c2g/c2g.h>

#include <glib/gi18n.h>

#include <string.h>
#include <unistd.h>

/* The subcommand operators: lists the operators, and shows what the manual's pages say of some. The
 * pages are resources of the program, and a check of the repository compares them with the
 * library. */

#define PAGES "/c2g/operators/"

/* The width of text that does not go to a terminal. */
#define DEFAULT_WIDTH 80

/* Returns whether the first line of an entry, such as "Conv, Conv1D", has the name. */
static gboolean
names_operator (const char *entry,
                const char *name)
{
  g_autofree char *heading = g_strndup (entry, strcspn (entry, "\n"));
  g_auto (GStrv) names = g_strsplit (heading, ", ", -1);

  return g_strv_contains ((const char *const *) names, name);
}

/* Returns the entry of an operator on a page, from its heading on; NULL if it is not there. */
static char *
find_on_page (const char *page,
              const char *name)
{
  const char *entry = page;

  while ((entry = strstr (entry, "\n### ")) != NULL)
    {
      entry += strlen ("\n### ");
      if (names_operator (entry, name))
        {
          const char *end = strstr (entry, "\n##");

          return end != NULL ? g_strndup (entry, end - entry) : g_strdup (entry);
        }
    }
  return NULL;
}

static char *
find_entry (const char *name)
{
  g_auto (GStrv) pages = g_resources_enumerate_children (PAGES, 0, NULL);
  char *entry = NULL;

  for (char **page = pages; page != NULL && *page != NULL && entry == NULL; page++)
    {
      g_autofree char *path = g_strconcat (PAGES, *page, NULL);
      g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);

      /* The data of a resource ends with a NUL. */
      entry = find_on_page (g_bytes_get_data (bytes, NULL), name);
    }
  return entry;
}

/* Prints words with line breaks between them. */
static void
print_wrapped (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gsize width = c2g_terminal_get_width (STDOUT_FILENO);
  gsize column = 0;

  if (width == 0)
    width = DEFAULT_WIDTH;
  for (char **word = words; *word != NULL; word++)
    {
      gsize word_width = c2g_text_width (*word);

      if (column > 0 && column + 1 + word_width > width)
        {
          g_print ("\n");
          column = 0;
        }
      g_print ("%s%s", column > 0 ? " " : "", *word);
      column += (column > 0) + word_width;
    }
  g_print ("\n");
}

/* Returns Markdown as plain text: without the marks of code, and with the words of links only. */
static char *
make_plain (const char *text)
{
  g_autoptr (GRegex) marks = g_regex_new ("`|\\[([^]]+)\\]\\([^)]+\\)", 0, 0, NULL);

  return g_regex_replace (marks, text, -1, 0, "\\1", 0, NULL);
}

/* Prints the arguments that a paragraph lists line by line, and other paragraphs as they are. */
static void
print_paragraph (GString *paragraph)
{
  gboolean is_list = g_str_has_prefix (paragraph->str, "Arguments: ") ||
                     g_str_has_prefix (paragraph->str, "Needs: ");
  g_autofree char *text = NULL;

  if (paragraph->len == 0)
    return;

  if (is_list)
    {
      g_string_truncate (paragraph, paragraph->len - strlen ("."));
      g_string_replace (paragraph, ": `", ":\n  ", 1);
      g_string_replace (paragraph, ", `", "\n  ", 0);
    }
  text = make_plain (paragraph->str);
  g_print ("\n");
  if (is_list)
    g_print ("%s\n", text);
  else
    print_wrapped (text);
  g_string_truncate (paragraph, 0);
}

static void
print_entry (const char *entry)
{
  g_auto (GStrv) lines = g_strsplit (entry, "\n", -1);
  g_autoptr (GString) paragraph = g_string_new (NULL);
  gboolean has_colour = c2g_terminal_has_colour (STDOUT_FILENO);
  gboolean is_block = FALSE;

  g_print ("%s%s%s\n", has_colour ? "\033[1m" : "", lines[0], has_colour ? "\033[0m" : "");
  for (char **line = lines + 1; *line != NULL; line++)
    {
      gboolean is_mark = g_str_has_prefix (*line, "```");

      if (is_block && !is_mark)
        g_print ("%s%s\n", **line != '\0' ? "  " : "", *line);
      else if (is_mark || **line == '\0')
        print_paragraph (paragraph);
      else
        g_string_append_printf (paragraph, "%s%s", paragraph->len > 0 ? " " : "", *line);

      if (is_mark && !is_block)
        g_print ("\n");
      is_block ^= is_mark;
    }
  print_paragraph (paragraph);
}

static void
print_list (const char *const *types)
{
  gsize width = 0;

  for (const char *const *type = types; *type != NULL; type++)
    width = MAX (width, strlen (*type));
  for (; *types != NULL; types++)
    {
      g_autoptr (C2gOperatorSchema) schema = c2g_operator_schema_lookup (*types, NULL);

      g_print ("%-*s  %s\n", (int) width, *types, c2g_operator_schema_get_documentation (schema));
    }
}

/* Suggests the type that an error about a net would, or else types that contain the name. */
static char *
describe_unknown (const char *const *types,
                  const char        *name)
{
  const char *similar = c2g_operator_similar_find (types, name);

  if (similar != NULL)
    return g_strdup_printf (_("There is no operator “%s”, but “%s”"), name, similar);
  return c2g_similar_add (g_strdup_printf (_("There is no operator “%s”"), name), types, name);
}

static int
print_operators (const char *const *types,
                 char             **names)
{
  int status = C2G_STATUS_SUCCESS;
  guint n_printed = 0;

  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *entry = find_entry (*name);
      g_autofree char *message = NULL;

      if (entry != NULL)
        {
          if (n_printed++ > 0)
            g_print ("\n");
          print_entry (entry);
          continue;
        }
      message = describe_unknown (types, *name);
      c2g_output_error (message);
      status = C2G_STATUS_FAILURE;
    }
  return status;
}

static const C2gUsage usage = {
  .name = "operators",
  .parameters = N_("[NAME…]"),
  .summary = N_("Shows the inputs, outputs, formulas, arguments and examples of operators; without "
                "a name, lists all."),
};

int
c2g_command_operators (int    argc,
                       char **argv)
{
  const GOptionEntry entries[] = { { NULL } };
  g_auto (GStrv) names = c2g_arguments_parse (&usage, entries, argc, argv);
  g_auto (GStrv) types = NULL;

  if (names == NULL)
    return C2G_STATUS_USAGE;

  types = c2g_operator_list_types ();
  if (*names != NULL)
    return print_operators ((const char *const *) types, names);
  print_list ((const char *const *) types);
  return C2G_STATUS_SUCCESS;
}
