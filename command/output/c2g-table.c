/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-table.h"
#include "c2g-text-utils.h"

/* Prints tables that fit into the terminal. */

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"
#define GAP   2

struct _C2gTable
{
  const char *const *titles;
  const char        *alignment;
  guint              n_columns;

  /* The cells of all rows, one row after the other. */
  GArray            *cells;
};

typedef struct
{
  char     *text;
  gboolean  is_note;
} Cell;

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

static Cell *
get_cell (C2gTable *self,
          guint     row,
          guint     column)
{
  return &g_array_index (self->cells, Cell, row * self->n_columns + column);
}

static guint
count_rows (C2gTable *self)
{
  return self->cells->len / self->n_columns;
}

static gsize
column_width (C2gTable *self,
              guint     column)
{
  gsize width = c2g_text_width (self->titles[column]);

  for (guint row = 0; row < count_rows (self); row++)
    {
      Cell *cell = get_cell (self, row, column);

      if (!cell->is_note)
        width = MAX (width, c2g_text_width (cell->text));
    }

  return width;
}

/* Returns the width of the widest row with gaps; columns of width 0 are left out. */
static gsize
table_width (C2gTable    *self,
             const gsize *widths,
             gboolean     with_notes)
{
  gsize width = 0;
  gsize begin = 0;

  for (guint column = 0; column < self->n_columns; column++)
    {
      for (guint row = 0; with_notes && row < count_rows (self); row++)
        {
          Cell *cell = get_cell (self, row, column);

          if (cell->is_note)
            width = MAX (width, begin + c2g_text_width (cell->text));
        }
      if (widths[column] > 0)
        {
          width = MAX (width, begin + widths[column]);
          begin += widths[column] + GAP;
        }
    }

  return width;
}

/* Leaves columns out, by a width of 0, until the rest fits: first those of the first list in
 * `narrow`, until notes also fit, then those of the second, until the cells fit. The names in
 * the first column get the remaining width, but at least a third of all. */
static void
fit_widths (C2gTable    *self,
            gsize       *widths,
            gsize        max_width,
            const guint *narrow)
{
  gsize name_width = widths[0];
  gsize width;

  widths[0] = MIN (name_width, MAX (max_width / 3, 1));
  for (gboolean with_notes = TRUE;; with_notes = FALSE, narrow++)
    {
      for (; *narrow != 0; narrow++)
        if (table_width (self, widths, with_notes) > max_width)
          widths[*narrow] = 0;
      if (!with_notes)
        break;
    }

  width = table_width (self, widths, TRUE);
  if (width < max_width)
    widths[0] = MIN (name_width, widths[0] + max_width - width);
}

static void
append_blanks (GString *line,
               gsize    n_blanks)
{
  for (gsize i = 0; i < n_blanks; i++)
    g_string_append_c (line, ' ');
}

static void
append_cell (GString    *line,
             const char *text,
             gsize       width,
             gboolean    is_right)
{
  gsize text_width = c2g_text_width (text);
  g_autofree char *shortened = NULL;

  if (text_width > width)
    {
      text = shortened = c2g_text_shorten (text, width);
      text_width = c2g_text_width (text);
    }

  append_blanks (line, is_right ? width - text_width : 0);
  g_string_append (line, text);
  append_blanks (line, (is_right ? 0 : width - text_width) + GAP);
}

static void
print_line (GString  *line,
            gsize     max_width,
            gboolean  is_bold)
{
  g_autofree char *shortened = NULL;
  const char *text = line->str;

  while (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
  if (max_width > 0)
    text = shortened = c2g_text_shorten (text, max_width);
  g_print ("%s%s%s\n", is_bold ? BOLD : "", text, is_bold ? PLAIN : "");
}

static void
print_row (C2gTable    *self,
           guint        row,
           const gsize *widths,
           gsize        max_width)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint column = 0; column < self->n_columns; column++)
    {
      Cell *cell = get_cell (self, row, column);

      if (cell->is_note)
        g_string_append (line, cell->text);
      else if (widths[column] > 0)
        append_cell (line, cell->text, widths[column], self->alignment[column] == 'r');
    }
  print_line (line, max_width, FALSE);
}

void
c2g_table_print (C2gTable    *self,
                 gsize        max_width,
                 const guint *narrow,
                 gboolean     has_colour)
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree gsize *widths = g_new (gsize, self->n_columns);

  for (guint column = 0; column < self->n_columns; column++)
    widths[column] = column_width (self, column);
  if (max_width > 0 && table_width (self, widths, TRUE) > max_width)
    fit_widths (self, widths, max_width, narrow);

  for (guint column = 0; column < self->n_columns; column++)
    if (widths[column] > 0)
      append_cell (line, self->titles[column], widths[column], self->alignment[column] == 'r');
  print_line (line, max_width, has_colour);
  for (guint row = 0; row < count_rows (self); row++)
    print_row (self, row, widths, max_width);
}
