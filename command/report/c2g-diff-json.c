/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-diff-report.h"
#include "output/c2g-entries.h"
#include "output/c2g-json.h"

/* Prints the result of diff as JSON. */

/* Adds the entry of one of the files. */
static void
add_entry (JsonBuilder  *builder,
           C2gFileEntry *entry)
{
  json_builder_begin_object (builder);
  c2g_json_add_entry (builder, entry);
  json_builder_end_object (builder);
}

static void
add_comparison (JsonBuilder         *builder,
                const C2gDifference *difference)
{
  const C2gComparison *comparison = &difference->comparison;

  if (difference->first[0] == NULL)
    return;

  c2g_json_add_int (builder, "n_different", comparison->n_different);
  c2g_json_add_int (builder, "first", comparison->first);
  if (comparison->has_numbers)
    {
      c2g_json_add_int (builder, "n_nan", comparison->n_nan);
      c2g_json_add_double (builder, "max_abs", comparison->absolute);
      c2g_json_add_double (builder, "max_rel", comparison->relative);
    }
}

static void
add_difference (JsonBuilder         *builder,
                const C2gDifference *difference)
{
  guint first = difference->entries[0] != NULL ? 0 : 1;

  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "name", c2g_file_entry_get_name (difference->entries[first]));
  json_builder_set_member_name (builder, "in");
  json_builder_begin_array (builder);
  for (guint i = 0; i < 2; i++)
    if (difference->entries[i] == NULL)
      json_builder_add_null_value (builder);
    else
      add_entry (builder, difference->entries[i]);
  json_builder_end_array (builder);
  if (difference->is_compared)
    add_comparison (builder, difference);
  json_builder_end_object (builder);
}

void
c2g_diff_report_print_json (C2gDiffReport *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *name_a = g_filename_display_name (self->names[0]);
  g_autofree char *name_b = g_filename_display_name (self->names[1]);
  char *names[] = { name_a, name_b, NULL };

  json_builder_begin_object (builder);
  c2g_json_add_strings (builder, "files", names);
  c2g_json_add_int (builder, "n_blobs", self->n_blobs);
  json_builder_set_member_name (builder, "differences");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->differences->len; i++)
    add_difference (builder, self->differences->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  c2g_json_print (builder);
}
