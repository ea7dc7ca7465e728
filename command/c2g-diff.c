/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "model/c2g-model.h"
#include "output/c2g-arguments.h"
#include "output/c2g-entries.h"
#include "output/c2g-output.h"
#include "output/c2g-values.h"
#include "output/c2g-watch.h"
#include "report/c2g-diff-report.h"

#include <glib/gi18n.h>

#include <math.h>

/* The subcommand diff: compares the blobs of two files. */

static const C2gUsage usage = {
  .name = "diff",
  .parameters = N_("A B"),
  .summary = N_("Compares the blobs of two files, of whatever kinds.\n\n"
                "The status is 0 if they are the same, 1 if they differ, 2 if there was trouble."),
  .least_parameters = 2,
  .most_parameters = 2,
};

/* One of the two files. */
typedef struct
{
  C2gModelFile *model_file;
  GPtrArray    *entries;
  /* Entries by name. */
  GHashTable   *names;
} Side;

static void
side_clear (Side *self)
{
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_object (&self->model_file);
}

static gboolean
side_open (Side          *self,
           const char    *argument,
           GCancellable  *cancellable,
           GError       **error)
{
  self->model_file = c2g_model_open_blobs (argument, NULL, cancellable, error);
  if (self->model_file == NULL)
    return FALSE;

  self->entries = c2g_entries_new (self->model_file);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->entries->len; i++)
    g_hash_table_insert (self->names,
                         (gpointer) c2g_file_entry_get_name (self->entries->pdata[i]),
                         self->entries->pdata[i]);
  return c2g_entries_check (self->model_file, self->entries, error);
}

static C2gFileEntry *
side_find (Side       *self,
           const char *name)
{
  return g_hash_table_lookup (self->names, name);
}

/* Returns TRUE if the file has one blob without a name, which is then called after the file. */
static gboolean
is_unnamed (Side *self)
{
  C2gModelFileKind kind = c2g_model_file_get_kind (self->model_file);

  return kind == C2G_MODEL_FILE_KIND_NPY || kind == C2G_MODEL_FILE_KIND_BINARYPROTO;
}

/* Gives the only blobs of two files the same name if one of the files has none for it. */
static void
match_unnamed (Side *sides)
{
  C2gFileEntry *entry;

  if (sides[0].entries->len != 1 || sides[1].entries->len != 1 || !(is_unnamed (&sides[0]) || is_unnamed (&sides[1])))
    return;
  entry = sides[0].entries->pdata[0];
  g_hash_table_insert (sides[1].names, (gpointer) c2g_file_entry_get_name (entry), sides[1].entries->pdata[0]);
  g_hash_table_insert (sides[0].names, (gpointer) c2g_file_entry_get_name (sides[1].entries->pdata[0]), entry);
}

/* Compares types, data types and shapes: all that the text of an entry shows. */
static gboolean
have_same_shape (C2gFileEntry *a,
                 C2gFileEntry *b)
{
  g_autofree char *text_a = c2g_entry_to_string (a);
  g_autofree char *text_b = c2g_entry_to_string (b);

  return g_str_equal (text_a, text_b);
}

static char *
get_first (C2gBlob             *blob,
           const C2gComparison *comparison)
{
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);
  C2gDataType data_type = tensor == NULL ? C2G_DATA_TYPE_UNDEFINED
                                         : c2g_tensor_get_data_type (tensor);
  GString *text;

  if (data_type == C2G_DATA_TYPE_UNDEFINED)
    return NULL;

  text = g_string_new (NULL);
  c2g_value_append (text, data_type, c2g_tensor_data (tensor, data_type, NULL), comparison->first);
  return g_string_free (text, FALSE);
}

static C2gBlob *
load_constant (Side          *side,
               C2gFileEntry  *entry,
               GError       **error)
{
  g_autoptr (C2gTensor) sample = c2g_entry_load_constant (side->model_file, entry, error);
  C2gBlob *blob;

  if (sample == NULL)
    return NULL;
  blob = c2g_blob_new ();
  c2g_blob_set_object (blob, G_OBJECT (sample));
  return blob;
}

/* Loads the blobs of both entries. For two constants it loads only their values. */
static gboolean
load_blobs (Side             *sides,
            C2gFileEntry    **entries,
            gboolean          as_constants,
            C2gBlob         **blobs,
            GCancellable     *cancellable,
            GError          **error)
{
  for (gsize i = 0; i < 2; i++)
    {
      blobs[i] = as_constants
                   ? load_constant (&sides[i], entries[i], error)
                   : c2g_model_file_load_blob (sides[i].model_file,
                                               c2g_file_entry_get_name (entries[i]), cancellable,
                                               error);
      if (blobs[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Multiplies the result for one value of a constant by the number of elements. */
static void
extend_to_constant (C2gComparison *comparison,
                    C2gFileEntry  *entry)
{
  gint64 n_elements = c2g_file_entry_get_n_elements (entry);

  comparison->n_different *= n_elements;
  comparison->n_nan *= n_elements;
}

/* Compares a blob that both files have. Only these two blobs are in memory. */
static gboolean
compare_values (Side                *sides,
                C2gDifference       *difference,
                const C2gTolerance  *tolerance,
                GCancellable        *cancellable,
                GError             **error)
{
  C2gFileEntry **entries = difference->entries;
  gboolean are_constant = c2g_file_entry_is_constant (entries[0]) &&
                          c2g_file_entry_is_constant (entries[1]);
  C2gBlob *blobs[2] = { NULL, NULL };
  gboolean is_done = load_blobs (sides, entries, are_constant, blobs, cancellable, error);

  if (is_done && !c2g_comparison_of_blobs (&difference->comparison, blobs[0], blobs[1], tolerance,
                                           error))
    {
      c2g_entry_prefix_error (sides[0].model_file, entries[0], error);
      is_done = FALSE;
    }
  if (is_done && are_constant)
    extend_to_constant (&difference->comparison, entries[0]);
  difference->is_compared = is_done;
  if (is_done && difference->comparison.n_different > 0)
    for (gsize i = 0; i < 2; i++)
      difference->first[i] = get_first (blobs[i], &difference->comparison);

  g_clear_object (&blobs[0]);
  g_clear_object (&blobs[1]);
  return is_done;
}

/* Compares two entries; one of them may be NULL. */
static gboolean
compare_entries (C2gDiffReport  *report,
                 Side           *sides,
                 C2gFileEntry   *a,
                 C2gFileEntry   *b,
                 GCancellable   *cancellable,
                 GError        **error)
{
  g_autoptr (C2gDifference) difference = g_new0 (C2gDifference, 1);

  difference->entries[0] = a != NULL ? c2g_file_entry_ref (a) : NULL;
  difference->entries[1] = b != NULL ? c2g_file_entry_ref (b) : NULL;
  report->n_blobs++;
  if (a != NULL && b != NULL && have_same_shape (a, b) &&
      !compare_values (sides, difference, &report->tolerance, cancellable, error))
    return FALSE;

  if (!difference->is_compared || difference->comparison.n_different > 0)
    g_ptr_array_add (report->differences, g_steal_pointer (&difference));
  return TRUE;
}

/* Compares in the order of the first file, then adds blobs of the second file only. If is_quiet is
 * set, stops at the first difference. */
static gboolean
compare_sides (C2gDiffReport  *report,
               Side           *sides,
               C2gWatch       *watch,
               gboolean        is_quiet,
               GError        **error)
{
  GCancellable *cancellable = c2g_watch_get_cancellable (watch);

  c2g_watch_begin (watch, _("Comparing"), c2g_entries_n_bytes (sides[0].entries));
  for (guint i = 0; i < sides[0].entries->len; i++)
    {
      C2gFileEntry *a = sides[0].entries->pdata[i];
      C2gFileEntry *b = side_find (&sides[1], c2g_file_entry_get_name (a));

      if (!compare_entries (report, sides, a, b, cancellable, error))
        return FALSE;
      if (is_quiet && report->differences->len > 0)
        return TRUE;
      c2g_watch_advance (watch, c2g_file_entry_get_n_bytes (a));
    }

  for (guint i = 0; i < sides[1].entries->len; i++)
    {
      C2gFileEntry *b = sides[1].entries->pdata[i];

      if (side_find (&sides[0], c2g_file_entry_get_name (b)) == NULL &&
          !compare_entries (report, sides, NULL, b, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
compare_files (C2gDiffReport  *report,
               C2gWatch       *watch,
               gboolean        is_quiet,
               GError        **error)
{
  GCancellable *cancellable = c2g_watch_get_cancellable (watch);
  Side sides[2] = { { NULL }, { NULL } };
  gboolean is_done = side_open (&sides[0], report->names[0], cancellable, error) &&
                     side_open (&sides[1], report->names[1], cancellable, error);

  if (is_done)
    {
      match_unnamed (sides);
      is_done = compare_sides (report, sides, watch, is_quiet, error);
    }
  side_clear (&sides[0]);
  side_clear (&sides[1]);
  return is_done;
}

int
c2g_command_diff (int    argc,
                  char **argv)
{
  C2gTolerance tolerance = { 0, 0 };
  gboolean as_json = FALSE;
  gboolean is_quiet = FALSE;
  const GOptionEntry entries[] = {
    { "tolerance", 't', 0, G_OPTION_ARG_DOUBLE, &tolerance.absolute,
      N_("Numbers that differ by no more than this are the same"), N_("ABS") },
    { "relative", 'r', 0, G_OPTION_ARG_DOUBLE, &tolerance.relative,
      N_("So are those that differ by no more than this fraction of the greater"), N_("REL") },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &is_quiet, N_("Print nothing"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, N_("Print JSON for programs"), NULL },
    { NULL },
  };
  g_auto (GStrv) files = c2g_arguments_parse (&usage, entries, argc, argv);
  g_autoptr (C2gDiffReport) report = NULL;
  g_autoptr (C2gWatch) watch = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (files == NULL)
    return C2G_STATUS_USAGE;
  if (!(tolerance.absolute >= 0) || !(tolerance.relative >= 0))
    {
      c2g_arguments_print_error (&usage, _("A tolerance cannot be negative"));
      return C2G_STATUS_USAGE;
    }

  report = c2g_diff_report_new (files[0], files[1], tolerance);
  watch = c2g_watch_new ();
  compare_files (report, watch, is_quiet, &error);
  status = c2g_watch_end (watch, error, C2G_STATUS_TROUBLE);
  if (status != C2G_STATUS_SUCCESS)
    return status;

  if (as_json)
    c2g_diff_report_print_json (report);
  else if (!is_quiet)
    c2g_diff_report_print (report);
  return report->differences->len > 0 ? C2G_STATUS_DIFFERENT : C2G_STATUS_SUCCESS;
}
