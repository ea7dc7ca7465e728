/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Text in columns: cells are added row by row, widths found when it is printed. */
typedef struct _C2gTable C2gTable;

/* An alignment of 'l' or 'r' for each title. */
C2gTable *c2g_table_new  (const char *const *titles,
                          const char        *alignment);
void      c2g_table_free (C2gTable          *self);

/* Takes the text; NULL for nothing. */
void c2g_table_take_cell (C2gTable *self,
                          char     *text);
/* The last cell of a row, which runs on over the columns that are left. */
void c2g_table_take_note (C2gTable *self,
                          char     *text);
/* Fills up what the row still lacks. */
void c2g_table_end_row   (C2gTable *self);

/* In at most as many columns; 0 for as many as it takes.  Where there are too few, names
 * in the first column are shortened, then columns left out in the order of two lists of
 * their indices, each of which ends with 0: the first makes room for notes too.  Notes
 * stay, cut where the line ends. */
void c2g_table_print (C2gTable    *self,
                      gsize        max_width,
                      const guint *narrow,
                      gboolean     has_colour);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gTable, c2g_table_free)

G_END_DECLS
