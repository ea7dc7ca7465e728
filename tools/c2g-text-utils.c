/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-text-utils.h"

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"
#define GAP   2

struct _C2gTable
{
  const char *const *titles;
  const char        *alignment;
  guint              n_columns;

  /* All rows' cells, one after the other. */
  GArray            *cells;
};

typedef struct
{
  char     *text;
  gboolean  is_note;
} Cell;

static void
append_escaped (GString  *string,
                gunichar  c)
{
  switch (c)
    {
    case '\\':
      g_string_append (string, "\\\\");
      break;

    case '\n':
      g_string_append (string, "\\n");
      break;

    case '\r':
      g_string_append (string, "\\r");
      break;

    case '\t':
      g_string_append (string, "\\t");
      break;

    default:
      if (g_unichar_isprint (c))
        g_string_append_unichar (string, c);
      else if (c < 0x80)
        g_string_append_printf (string, "\\x%02x", c);
      else
        g_string_append_printf (string, "\\u{%x}", c);
      break;
    }
}

char *
c2g_text_escape (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *string = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    append_escaped (string, g_utf8_get_char (c));
  return g_string_free (string, FALSE);
}

gsize
c2g_text_width (const char *text)
{
  gsize width = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);

      if (g_unichar_iswide (character))
        width += 2;
      else if (!g_unichar_iszerowidth (character))
        width++;
    }

  return width;
}

static void
cell_clear (gpointer data)
{
  Cell *cell = data;

  g_free (cell->text);
}

C2gTable *
c2g_table_new (const char *const *titles,
               const char        *alignment)
{
  C2gTable *self = g_new0 (C2gTable, 1);

  self->titles = titles;
  self->alignment = alignment;
  self->n_columns = g_strv_length ((char **) titles);
  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_array_set_clear_func (self->cells, cell_clear);
  return self;
}

void
c2g_table_free (C2gTable *self)
{
  g_array_unref (self->cells);
  g_free (self);
}

static void
take_cell (C2gTable *self,
           char     *text,
           gboolean  is_note)
{
  Cell cell = { text != NULL ? text : g_strdup (""), is_note };

  g_array_append_val (self->cells, cell);
}

void
c2g_table_take_cell (C2gTable *self,
                     char     *text)
{
  take_cell (self, text, FALSE);
}

void
c2g_table_take_note (C2gTable *self,
                     char     *text)
{
  take_cell (self, text, TRUE);
}

void
c2g_table_end_row (C2gTable *self)
{
  while (self->cells->len % self->n_columns != 0)
    take_cell (self, NULL, FALSE);
}

static gsize
column_width (C2gTable *self,
              guint     column)
{
  gsize width = c2g_text_width (self->titles[column]);

  for (guint i = column; i < self->cells->len; i += self->n_columns)
    {
      Cell *cell = &g_array_index (self->cells, Cell, i);

      if (!cell->is_note)
        width = MAX (width, c2g_text_width (cell->text));
    }

  return width;
}

static void
append_cell (GString    *line,
             const char *text,
             gsize       width,
             gboolean    is_right)
{
  gsize own_width = c2g_text_width (text);
  int n_blanks = own_width < width ? (int) (width - own_width) : 0;

  g_string_append_printf (line, "%*s%s%*s",
                          is_right ? n_blanks : 0, "", text, (is_right ? 0 : n_blanks) + GAP, "");
}

static void
print_line (GString  *line,
            gboolean  is_bold)
{
  while (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
  g_print ("%s%s%s\n", is_bold ? BOLD : "", line->str, is_bold ? PLAIN : "");
  g_string_truncate (line, 0);
}

static void
print_row (C2gTable    *self,
           guint        row,
           const gsize *widths)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint column = 0; column < self->n_columns; column++)
    {
      Cell *cell = &g_array_index (self->cells, Cell, row * self->n_columns + column);

      append_cell (line, cell->text, cell->is_note ? 0 : widths[column],
                   !cell->is_note && self->alignment[column] == 'r');
    }
  print_line (line, FALSE);
}

void
c2g_table_print (C2gTable *self,
                 gboolean  has_colour)
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree gsize *widths = g_new (gsize, self->n_columns);

  for (guint column = 0; column < self->n_columns; column++)
    {
      widths[column] = column_width (self, column);
      append_cell (line, self->titles[column], widths[column], self->alignment[column] == 'r');
    }

  print_line (line, has_colour);
  for (guint row = 0; row < self->cells->len / self->n_columns; row++)
    print_row (self, row, widths);
}
