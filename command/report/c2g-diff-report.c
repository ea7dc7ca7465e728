/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-diff-report.h"
#include "output/c2g-entries.h"
#include "output/c2g-table.h"
#include "output/c2g-terminal.h"
#include "output/c2g-text-utils.h"

#include <glib/gi18n.h>

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

/* Prints the result of diff as a table. */

static const char *const titles[] = {
  N_("NAME"),
  N_("CONTENT"),
  N_("DIFFERENT"),
  N_("MAX ABS"),
  N_("MAX REL"),
  N_("FIRST"),
  NULL,
};

/* Columns to leave out in a narrow terminal, in this order; see c2g_table_print(). */
static const guint narrow[] = { 0, 1, 4, 3, 2, 0 };

/* Most columns of each of two values side by side. */
#define MAX_VALUE_WIDTH 24

C2gDiffReport *
c2g_diff_report_new (const char   *name_a,
                     const char   *name_b,
                     C2gTolerance  tolerance)
{
  C2gDiffReport *self = g_new0 (C2gDiffReport, 1);

  self->names[0] = name_a;
  self->names[1] = name_b;
  self->tolerance = tolerance;
  self->differences = g_ptr_array_new_with_free_func ((GDestroyNotify) c2g_difference_free);
  return self;
}

void
c2g_diff_report_free (C2gDiffReport *self)
{
  g_ptr_array_unref (self->differences);
  g_free (self);
}

void
c2g_difference_free (C2gDifference *self)
{
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&self->entries[i], c2g_file_entry_unref);
      g_free (self->first[i]);
    }
  g_free (self);
}

static char *
format_double (double value)
{
  return isnan (value) ? g_strdup ("nan") : g_strdup_printf ("%.6g", value);
}

/* Formats the position of the first element that differs, and its values in both files. */
static char *
format_first (const C2gDifference *difference)
{
  gsize n_dims;
  const gint64 *dims = c2g_file_entry_get_dims (difference->entries[0], &n_dims);
  g_autofree gint64 *index = g_new (gint64, n_dims);
  g_autofree char *a = c2g_text_shorten (difference->first[0], MAX_VALUE_WIDTH);
  g_autofree char *b = c2g_text_shorten (difference->first[1], MAX_VALUE_WIDTH);
  g_autofree char *values = g_strdup_printf (_("%s and %s"), a, b);
  g_autofree char *place = NULL;
  gint64 rest = difference->comparison.first;

  if (n_dims == 0)
    return g_steal_pointer (&values);

  for (gsize i = n_dims; i-- > 0; rest /= dims[i])
    index[i] = rest % dims[i];
  place = c2g_dims_to_string (index, n_dims);
  return g_strdup_printf ("%s: %s", place, values);
}

static char *
format_note (const C2gDifference *difference)
{
  g_autofree char *first = format_first (difference);
  gint64 n_nan = difference->comparison.n_nan;

  if (n_nan == 0 || n_nan == difference->comparison.n_different)
    return g_steal_pointer (&first);
  return g_strdup_printf (_("%s; %" PRId64 " NaN"), first, n_nan);
}

/* Describes how the values differ. */
static void
add_comparison (C2gTable            *table,
                const C2gDifference *difference)
{
  const C2gComparison *comparison = &difference->comparison;
  gint64 n_elements = c2g_file_entry_get_n_elements (difference->entries[0]);

  if (difference->first[0] == NULL)
    {
      c2g_table_take_note (table, g_strdup (_("the contents differ")));
      return;
    }

  c2g_table_take_cell (table, g_strdup_printf (_("%" PRId64 " of %" PRId64),
                                               comparison->n_different, n_elements));
  if (comparison->has_numbers)
    {
      c2g_table_take_cell (table, format_double (comparison->absolute));
      c2g_table_take_cell (table, format_double (comparison->relative));
    }
  c2g_table_take_note (table, format_note (difference));
}

static void
add_difference (C2gDiffReport       *self,
                C2gTable            *table,
                const C2gDifference *difference)
{
  guint first = difference->entries[0] != NULL ? 0 : 1;
  C2gFileEntry *entry = difference->entries[first];
  g_autofree char *file = NULL;
  g_autofree char *other = NULL;

  c2g_table_take_cell (table, c2g_text_escape (c2g_file_entry_get_name (entry)));
  c2g_table_take_cell (table, c2g_entry_to_string (entry));
  if (difference->is_compared)
    add_comparison (table, difference);
  else if (difference->entries[1 - first] == NULL)
    {
      file = c2g_text_escape (self->names[first]);
      c2g_table_take_note (table, g_strdup_printf (_("only in %s"), file));
    }
  else
    {
      file = c2g_text_escape (self->names[1]);
      other = c2g_entry_to_string (difference->entries[1]);
      c2g_table_take_note (table, g_strdup_printf (_("but %s in %s"), other, file));
    }
  c2g_table_end_row (table);
}

static void
print_table (C2gDiffReport *self)
{
  const char *translated[G_N_ELEMENTS (titles)] = { NULL };
  g_autoptr (C2gTable) table = NULL;

  if (self->differences->len == 0)
    return;

  for (gsize i = 0; titles[i] != NULL; i++)
    translated[i] = _(titles[i]);
  table = c2g_table_new (translated, "llrrrl");
  for (guint i = 0; i < self->differences->len; i++)
    add_difference (self, table, self->differences->pdata[i]);
  c2g_table_print (table, c2g_terminal_get_width (STDOUT_FILENO), narrow,
                   c2g_terminal_has_colour (STDOUT_FILENO));
  g_print ("\n");
}

void
c2g_diff_report_print (C2gDiffReport *self)
{
  gboolean has_tolerance = self->tolerance.absolute > 0 || self->tolerance.relative > 0;

  print_table (self);
  if (self->differences->len > 0)
    g_print (ngettext ("%u of %u blob differs", "%u of %u blobs differ", self->n_blobs),
             self->differences->len, self->n_blobs);
  else if (has_tolerance)
    g_print (ngettext ("%u blob, no difference beyond the tolerance",
                       "%u blobs, no difference beyond the tolerance", self->n_blobs),
             self->n_blobs);
  else
    g_print (ngettext ("%u blob, no difference", "%u blobs, no difference", self->n_blobs),
             self->n_blobs);
  g_print ("\n");
}
