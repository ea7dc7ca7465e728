/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-file-summary.h"
#include "output/c2g-entries.h"
#include "output/c2g-kinds.h"
#include "output/c2g-table.h"
#include "output/c2g-terminal.h"
#include "output/c2g-text-utils.h"

#include <glib/gi18n.h>

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

/* Prints the summaries of info as text. */

/* Most names of a list that are printed. */
#define MAX_NAMES 12

static const char *const titles[] = {
  N_("NAME"),
  N_("TYPE"),
  N_("DATA TYPE"),
  N_("DIMS"),
  N_("BYTES"),
  N_("MIN"),
  N_("MEAN"),
  N_("MAX"),
  "",
  NULL,
};

/* Columns to leave out in a narrow terminal, in this order; see c2g_table_print(). */
static const guint narrow[] = { 7, 6, 5, 0, 1, 4, 2, 3, 0 };

/* The table without values. */
static const char *const list_titles[] = {
  N_("NAME"),
  N_("TYPE"),
  N_("DATA TYPE"),
  N_("DIMS"),
  N_("BYTES"),
  "",
  NULL,
};
static const guint list_narrow[] = { 0, 1, 4, 2, 3, 0 };

static char *
format_double (double value)
{
  /* The sign of a NaN has no meaning. */
  return isnan (value) ? g_strdup ("nan") : g_strdup_printf ("%.6g", value);
}

static char *
format_bound (const C2gBlobSummary *blob,
              double                value,
              gint64                integer)
{
  if (blob->is_integer && blob->is_unsigned)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) integer);
  if (blob->is_integer)
    return g_strdup_printf ("%" G_GINT64_FORMAT, integer);
  return format_double (value);
}

static char *
format_strings (const C2gBlobSummary *blob)
{
  return g_strdup_printf (ngettext ("%" PRId64 " string of %" PRIu64 " bytes",
                                    "%" PRId64 " strings of %" PRIu64 " bytes",
                                    blob->n_strings),
                          blob->n_strings, blob->string_bytes);
}

/* Returns a note that is printed next to the numbers, or instead of them. */
static char *
format_content (const C2gBlobSummary *blob)
{
  if (blob->has_values && blob->n_nan > 0)
    return g_strdup_printf (_("%" PRIu64 " NaN"), blob->n_nan);
  if (blob->n_nan > 0)
    return g_strdup (_("NaN only"));
  if (blob->is_quantized)
    return g_strdup_printf (_("scale %g, zero point %d"), blob->scale, blob->zero_point);
  if (blob->has_strings)
    return format_strings (blob);
  if (blob->is_constant)
    return g_strdup (_("constant"));
  if (blob->is_unsupported)
    return g_strdup (_("not readable here"));
  if (blob->is_counter)
    return g_strdup_printf ("%" G_GINT64_FORMAT, blob->count);
  return NULL;
}

static char *
format_note (const C2gBlobSummary *blob)
{
  g_autofree char *content = format_content (blob);
  g_autofree char *device = NULL;
  const char *notes[4] = { NULL };
  guint n_notes = 0;

  if (blob->device != NULL)
    device = g_strdup_printf (_("saved from %s"), c2g_device_to_string (blob->device));
  if (content != NULL)
    notes[n_notes++] = content;
  if (blob->part != NULL)
    notes[n_notes++] = blob->part;
  if (device != NULL)
    notes[n_notes++] = device;
  return n_notes > 0 ? g_strjoinv (_(", "), (char **) notes) : NULL;
}

/* Adds the values: three numbers, and a note after them or instead of them. */
static void
add_content (C2gTable             *table,
             const C2gBlobSummary *blob)
{
  char *note = format_note (blob);

  if (blob->has_values)
    {
      c2g_table_take_cell (table, format_bound (blob, blob->minimum, blob->integer_minimum));
      c2g_table_take_cell (table, format_double (blob->mean));
      c2g_table_take_cell (table, format_bound (blob, blob->maximum, blob->integer_maximum));
    }
  if (note != NULL)
    c2g_table_take_note (table, note);
}

static void
add_blob (C2gTable             *table,
          const C2gBlobSummary *blob)
{
  char *dims = blob->has_dims ? c2g_dims_to_string (blob->dims, blob->n_dims) : NULL;

  c2g_table_take_cell (table, c2g_text_escape (blob->name));
  c2g_table_take_cell (table, c2g_text_escape (blob->type));
  c2g_table_take_cell (table, g_strdup (blob->data_type));
  c2g_table_take_cell (table, dims);
  c2g_table_take_cell (table, g_strdup_printf ("%" PRIu64, blob->n_bytes));
  add_content (table, blob);
  c2g_table_end_row (table);
}

static void
print_blobs (C2gFileSummary *self,
             gboolean        has_colour)
{
  const char *const *names = self->is_list ? list_titles : titles;
  const char *translated[G_N_ELEMENTS (titles)] = { NULL };
  g_autoptr (C2gTable) table = NULL;

  if (self->blobs->len == 0)
    return;

  for (gsize i = 0; names[i] != NULL; i++)
    translated[i] = *names[i] == '\0' ? "" : _(names[i]);
  table = c2g_table_new (translated, self->is_list ? "llllrl" : "llllrrrrl");
  for (guint i = 0; i < self->blobs->len; i++)
    add_blob (table, self->blobs->pdata[i]);
  g_print ("\n");
  c2g_table_print (table, c2g_terminal_get_width (STDOUT_FILENO),
                   self->is_list ? list_narrow : narrow, has_colour);
}

static void
print_list (const char  *title,
            char       **words)
{
  guint n_words = g_strv_length (words);
  g_autoptr (GString) text = g_string_new (NULL);

  if (n_words == 0)
    return;

  for (guint i = 0; i < MIN (n_words, MAX_NAMES); i++)
    {
      g_autofree char *word = c2g_text_escape (words[i]);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : _(", "), word);
    }
  if (n_words > MAX_NAMES)
    {
      g_string_append (text, _(", "));
      g_string_append_printf (text, ngettext ("and %u more", "and %u more", n_words - MAX_NAMES),
                              n_words - MAX_NAMES);
    }
  g_print ("%s: %s\n", title, text->str);
}

static void
print_net (C2gFileSummary *self)
{
  g_auto (GStrv) types = c2g_model_file_list_operator_types (self->model_file);
  g_auto (GStrv) inputs = c2g_model_file_list_external_inputs (self->model_file);
  g_auto (GStrv) outputs = c2g_model_file_list_external_outputs (self->model_file);

  for (char **type = types; *type != NULL; type++)
    {
      guint n = c2g_model_file_get_n_operators (self->model_file, *type);
      g_autofree char *old = *type;

      *type = n == 1 ? g_strdup (old) : g_strdup_printf ("%u %s", n, old);
    }

  print_list (_("Operators"), types);
  print_list (_("External inputs"), inputs);
  print_list (_("External outputs"), outputs);
}

static void
print_totals (guint   n_blobs,
              guint64 n_tensors,
              guint64 n_elements,
              guint64 n_bytes)
{
  g_autofree char *size = c2g_size_to_string (n_bytes);

  g_print (ngettext ("%u blob", "%u blobs", n_blobs), n_blobs);
  g_print ("%s", _(", "));
  g_print (ngettext ("%" PRIu64 " tensor", "%" PRIu64 " tensors", n_tensors), n_tensors);
  g_print ("%s", _(", "));
  g_print (ngettext ("%" PRIu64 " element", "%" PRIu64 " elements", n_elements), n_elements);
  g_print ("%s%s\n", _(", "), size);
}

/* All blobs are read into CPU memory. */
static void
print_memory (C2gFileSummary *self)
{
  if (self->blobs->len == 0 || self->is_list)
    return;

  g_print ("\n%s\n  ", _("Memory:"));
  g_print (_("%s: %" PRIu64 " bytes at the peak, %" PRIu64 " in total"), "cpu",
           self->peak_bytes, self->total_bytes);
  g_print ("\n");
}

void
c2g_file_summaries_print_totals (GPtrArray *summaries)
{
  C2gFileSummary sum = { 0 };
  guint n_files = 0;
  guint n_blobs = 0;

  for (guint i = 0; i < summaries->len; i++)
    {
      const C2gFileSummary *summary = summaries->pdata[i];

      if (summary->error != NULL)
        continue;
      n_files++;
      n_blobs += summary->blobs->len;
      sum.n_tensors += summary->n_tensors;
      sum.n_elements += summary->n_elements;
      sum.n_bytes += summary->n_bytes;
    }
  if (n_files < 2)
    return;

  g_print ("\n");
  g_print (ngettext ("In %u file: ", "In all %u files: ", n_files), n_files);
  print_totals (n_blobs, sum.n_tensors, sum.n_elements, sum.n_bytes);
}

/* Prints the file name as it was typed. */
static void
print_title (const char *argument,
             const char *kind,
             gboolean    has_colour)
{
  g_autofree char *display_name = g_filename_display_name (argument);
  g_autofree char *name = c2g_text_escape (display_name);

  g_print ("%s%s%s: %s\n", has_colour ? "\033[1m" : "", name, has_colour ? "\033[0m" : "", kind);
}

static void
print_plan (C2gFileSummary *self,
            gboolean        has_colour)
{
  g_autofree char *kind = c2g_kind_describe_plan (self->plan);
  g_auto (GStrv) nets = c2g_plan_list_nets (self->plan);
  g_auto (GStrv) steps = c2g_plan_list_steps (self->plan);

  print_title (self->argument, kind, has_colour);
  print_list (_("Nets"), nets);
  print_list (_("Steps"), steps);
}

void
c2g_file_summary_print (C2gFileSummary *self,
                        gboolean        has_colour)
{
  g_autofree char *kind = NULL;

  if (self->plan != NULL)
    {
      print_plan (self, has_colour);
      return;
    }

  kind = c2g_kind_describe (self->model_file);
  print_title (self->argument, kind, has_colour);
  print_net (self);
  print_blobs (self, has_colour);
  if (self->blobs->len == 0 && c2g_model_file_get_n_operators (self->model_file, NULL) > 0)
    return;
  g_print ("\n");
  print_totals (self->blobs->len, self->n_tensors, self->n_elements, self->n_bytes);
  print_memory (self);
}
