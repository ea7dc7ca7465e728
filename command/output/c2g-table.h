/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A table of text. Cells are added row by row, and column widths are computed when it is
 * printed. */
typedef struct _C2gTable C2gTable;

/* Creates a table with these titles; alignment has 'l' or 'r' for each column. */
C2gTable *c2g_table_new  (const char *const *titles,
                          const char        *alignment);
void      c2g_table_free (C2gTable          *self);

/* Adds a cell; takes ownership of the text, which may be NULL. */
void c2g_table_take_cell (C2gTable *self,
                          char     *text);
/* Adds the last cell of a row, which extends over the remaining columns. */
void c2g_table_take_note (C2gTable *self,
                          char     *text);
/* Fills the rest of the row with empty cells. */
void c2g_table_end_row   (C2gTable *self);

/* Prints at most max_width columns; 0 means no limit. If that is too narrow, names in the first
 * column are shortened, and then columns are left out. `narrow` has two lists of column indices in
 * the order of leaving them out, each ending with 0: the first list also makes room for notes.
 * Notes stay, and are cut at the end of the line. */
void c2g_table_print (C2gTable    *self,
                      gsize        max_width,
                      const guint *narrow,
                      gboolean     has_colour);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gTable, c2g_table_free)

G_END_DECLS
