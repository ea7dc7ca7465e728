/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-commands.h"
#include "model/c2g-model.h"
#include "output/c2g-arguments.h"
#include "output/c2g-entries.h"
#include "output/c2g-output.h"
#include "output/c2g-similar.h"
#include "output/c2g-text-utils.h"
#include "output/c2g-values.h"
#include "output/c2g-watch.h"

#include <glib/gi18n.h>

#include <inttypes.h>
#include <string.h>

/* The subcommand cat: prints the values of a blob. */

/* Text is buffered up to this size before it is printed. */
#define BUFFER_SIZE 65536

static const C2gUsage usage = {
  .name = "cat",
  .parameters = N_("FILE [NAME]"),
  .summary = N_("Prints the values of a blob: a line for each row of the last dimension, for\n"
                "each value of a tensor that has no more than one, and for each string. The\n"
                "name may be left out if the file has but one blob."),
  .least_parameters = 1,
  .most_parameters = 2,
};

static gint64
get_row_size (const gint64 *dims,
              gsize         n_dims)
{
  return n_dims < 2 ? 1 : dims[n_dims - 1];
}

typedef gboolean (*AppendFunc) (GString        *text,
                                gconstpointer   content,
                                gint64          index,
                                GError        **error);

static gboolean
print_values (gint64          n_values,
              gint64          row_size,
              AppendFunc      append,
              gconstpointer   content,
              GError        **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (gint64 i = 0; i < n_values && !c2g_output_is_broken (); i++)
    {
      gboolean is_last = i % row_size == row_size - 1 || i == n_values - 1;

      if (!append (text, content, i, error))
        return FALSE;
      g_string_append_c (text, is_last ? '\n' : ' ');
      if (text->len >= BUFFER_SIZE || i == n_values - 1)
        {
          g_print ("%s", text->str);
          g_string_truncate (text, 0);
        }
    }
  return TRUE;
}

typedef struct
{
  C2gDataType    data_type;
  gconstpointer  data;
} Elements;

static gboolean
append_element (GString        *text,
                gconstpointer   content,
                gint64          index,
                GError        **error)
{
  const Elements *elements = content;

  c2g_value_append (text, elements->data_type, elements->data, index);
  return TRUE;
}

static void
print_raw_strings (GBytes *const *strings,
                   gint64         n_strings)
{
  for (gint64 i = 0; i < n_strings; i++)
    {
      gsize n_bytes = 0;
      gconstpointer data = strings[i] != NULL ? g_bytes_get_data (strings[i], &n_bytes) : NULL;

      c2g_output_bytes (data, n_bytes);
    }
}

static gboolean
print_tensor (C2gTensor  *tensor,
              gint64      head,
              gboolean    is_raw,
              GError    **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);
  gint64 n_values = MIN (c2g_tensor_get_n_elements (tensor), head);
  Elements elements = { c2g_tensor_get_data_type (tensor), NULL };

  if (n_values == 0)
    return TRUE;
  elements.data = c2g_tensor_data (tensor, elements.data_type, error);
  if (elements.data == NULL)
    return FALSE;

  if (is_raw && elements.data_type == C2G_DATA_TYPE_STRING)
    print_raw_strings (elements.data, n_values);
  else if (is_raw)
    c2g_output_bytes (elements.data, n_values * c2g_tensor_get_item_size (tensor));
  else
    /* Strings may contain blanks, so each one gets its own line. */
    return print_values (n_values,
                         elements.data_type == C2G_DATA_TYPE_STRING ? 1
                                                                    : get_row_size (dims, n_dims),
                         append_element, &elements, error);
  return TRUE;
}

/* A quantized tensor, whose numbers are read one by one by a function. */
typedef struct
{
  double   (*get_value) (gpointer    object,
                         gint64      index,
                         GError    **error);
  gpointer   object;
} Quantized;

static double
get_q_value (gpointer   object,
             gint64     index,
             GError   **error)
{
  return c2g_q_tensor_get_value (object, index, error);
}

static double
get_int8_value (gpointer   object,
                gint64     index,
                GError   **error)
{
  return c2g_int8_tensor_get_value (object, index, error);
}

static gboolean
append_quantized (GString        *text,
                  gconstpointer   content,
                  gint64          index,
                  GError        **error)
{
  const Quantized *quantized = content;
  g_autoptr (GError) local_error = NULL;
  double value = quantized->get_value (quantized->object, index, &local_error);

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  c2g_value_append_real (text, value, C2G_DATA_TYPE_FLOAT);
  return TRUE;
}

static gboolean
print_q_tensor (C2gQTensor  *tensor,
                gint64       head,
                gboolean     is_raw,
                GError     **error)
{
  const Quantized quantized = { get_q_value, tensor };
  gsize n_dims;
  const gint64 *dims = c2g_q_tensor_get_dims (tensor, &n_dims);
  g_autoptr (GBytes) bytes = NULL;

  if (!is_raw)
    return print_values (MIN (c2g_q_tensor_get_n_elements (tensor), head),
                         get_row_size (dims, n_dims), append_quantized, &quantized, error);

  bytes = c2g_q_tensor_dup_bytes (tensor, error);
  if (bytes == NULL)
    return FALSE;
  c2g_output_bytes (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return TRUE;
}

static gboolean
print_int8_tensor (C2gInt8Tensor  *tensor,
                   gint64          head,
                   gboolean        is_raw,
                   GError        **error)
{
  const Quantized quantized = { get_int8_value, tensor };
  C2gTensor *integers = c2g_int8_tensor_get_tensor (tensor);
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (integers, &n_dims);

  if (is_raw)
    return print_tensor (integers, head, is_raw, error);
  return print_values (MIN (c2g_tensor_get_n_elements (integers), head),
                       get_row_size (dims, n_dims), append_quantized, &quantized, error);
}

static void
print_string (GBytes   *bytes,
              gboolean  is_raw)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);

  if (is_raw)
    c2g_output_bytes (data, n_bytes);
  else
    {
      c2g_text_append_bytes (text, data, n_bytes);
      g_print ("%s\n", text->str);
    }
}

/* Prints content that is not an object: a string or a counter. */
static gboolean
print_value (C2gBlob   *blob,
             gboolean   is_raw,
             GError   **error)
{
  g_auto (GValue) value = G_VALUE_INIT;
  gint64 count;

  c2g_blob_get_value (blob, &value);
  if (G_VALUE_HOLDS (&value, G_TYPE_BYTES) && g_value_get_boxed (&value) != NULL)
    {
      print_string (g_value_get_boxed (&value), is_raw);
      return TRUE;
    }
  if (G_VALUE_HOLDS_INT64 (&value))
    {
      count = g_value_get_int64 (&value);
      if (is_raw)
        c2g_output_bytes (&count, sizeof count);
      else
        g_print ("%" PRId64 "\n", count);
      return TRUE;
    }

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("Values of the type %s have no text"),
               G_VALUE_TYPE_NAME (&value));
  return FALSE;
}

static gboolean
print_blob (C2gBlob   *blob,
            gint64     head,
            gboolean   is_raw,
            GError   **error)
{
  GObject *object = c2g_blob_get_object (blob);

  if (c2g_blob_is_empty (blob))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                           _("It is empty, because the operator that fills it is not evaluated"));
      return FALSE;
    }
  if (C2G_IS_TENSOR (object))
    return print_tensor (C2G_TENSOR (object), head, is_raw, error);
  if (C2G_IS_Q_TENSOR (object))
    return print_q_tensor (C2G_Q_TENSOR (object), head, is_raw, error);
  if (C2G_IS_INT8_TENSOR (object))
    return print_int8_tensor (C2G_INT8_TENSOR (object), head, is_raw, error);
  return print_value (blob, is_raw, error);
}

/* Quotes an argument for a shell, if needed. */
static char *
quote (const char *argument)
{
  g_autofree char *name = g_filename_display_name (argument);

  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("/._-+:@%=,", *c) == NULL)
      return g_shell_quote (name);
  return g_steal_pointer (&name);
}

static gboolean
print_named_blob (const char  *argument,
                  C2gBlob     *blob,
                  gint64       head,
                  gboolean     is_raw,
                  GError     **error)
{
  g_autofree char *file_name = g_filename_display_name (argument);
  g_autofree char *name = c2g_blob_dup_name (blob);

  if (print_blob (blob, head, is_raw, error))
    return TRUE;

  g_prefix_error (error, _("Blob “%s”: "), name);
  g_prefix_error (error, "%s: ", file_name);
  return FALSE;
}

/* Appends the advice to list the blobs to an error. */
static void
suggest_list (const char  *argument,
              GError     **error)
{
  g_autofree char *file = quote (argument);
  g_autofree char *command = g_strdup_printf ("c2g info --list %s", file);
  g_autofree char *advice = g_strdup_printf (_("Try “%s”."), command);
  g_autofree char *message = g_strdup_printf ("%s. %s", (*error)->message, advice);

  g_free ((*error)->message);
  (*error)->message = g_steal_pointer (&message);
}

static void
suggest_names (GPtrArray   *entries,
               const char  *name,
               GError     **error)
{
  g_autofree const char **names = g_new0 (const char *, entries->len + 1);

  for (guint i = 0; i < entries->len; i++)
    names[i] = c2g_file_entry_get_name (entries->pdata[i]);
  (*error)->message = c2g_similar_add ((*error)->message, names, name);
}

/* Returns the given name if there is such a blob; without one, the name of the only blob. */
static char *
choose_name (C2gModelFile  *model_file,
             const char    *argument,
             const char    *name,
             GError       **error)
{
  const char *file_name = c2g_model_file_get_file_name (model_file);
  g_autoptr (GPtrArray) entries = c2g_entries_new (model_file);
  g_autoptr (C2gFileEntry) entry = NULL;

  if (name != NULL)
    {
      entry = c2g_model_file_lookup_entry (model_file, name);
      if (entry != NULL)
        return g_strdup (name);
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("%s: There is no blob “%s”"),
                   file_name, name);
      suggest_names (entries, name, error);
      return NULL;
    }
  if (entries->len == 1)
    return g_strdup (c2g_file_entry_get_name (entries->pdata[0]));

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               ngettext ("%s: There is %u blob, and none was named",
                         "%s: There are %u blobs, and none was named", entries->len),
               file_name, entries->len);
  if (entries->len > 0)
    suggest_list (argument, error);
  return NULL;
}

static C2gBlob *
load_blob (const char  *argument,
           const char  *wanted,
           C2gWatch    *watch,
           GError     **error)
{
  GCancellable *cancellable = c2g_watch_get_cancellable (watch);
  g_autoptr (C2gModelFile) model_file = c2g_model_open_blobs (argument, NULL, cancellable, error);
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (GStrv) loaded = NULL;
  g_autofree char *name = NULL;

  if (model_file == NULL)
    return NULL;
  name = choose_name (model_file, argument, wanted, error);
  if (name == NULL)
    return NULL;

  /* Load into a workspace, because that function reports progress. */
  c2g_load_options_set_names (options, (const char *const[]){ name, NULL });
  c2g_load_options_set_progress (options, c2g_watch_begin_progress (watch, _("Reading")));
  loaded = c2g_model_file_load (model_file, workspace, options, cancellable, error);
  return loaded == NULL ? NULL : c2g_workspace_get_blob (workspace, name, error);
}

int
c2g_command_cat (int    argc,
                 char **argv)
{
  gint64 head = G_MAXINT64;
  gboolean is_raw = FALSE;
  const GOptionEntry entries[] = {
    { "head", 'n', 0, G_OPTION_ARG_INT64, &head, N_("Print the first N values only"), N_("N") },
    { "raw", 0, 0, G_OPTION_ARG_NONE, &is_raw, N_("Print the bytes as they are in memory"), NULL },
    { NULL },
  };
  g_auto (GStrv) parameters = c2g_arguments_parse (&usage, entries, argc, argv);
  g_autoptr (C2gWatch) watch = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (parameters == NULL)
    return C2G_STATUS_USAGE;
  if (head < 0)
    {
      c2g_arguments_print_error (&usage, _("The number of values cannot be negative"));
      return C2G_STATUS_USAGE;
    }

  watch = c2g_watch_new ();
  blob = load_blob (parameters[0], parameters[1], watch, &error);
  status = c2g_watch_end (watch, error, C2G_STATUS_FAILURE);
  if (blob != NULL && !print_named_blob (parameters[0], blob, head, is_raw, &error))
    {
      c2g_output_error (error->message);
      return C2G_STATUS_FAILURE;
    }
  return status;
}
