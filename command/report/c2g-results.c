/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-results.h"
#include "output/c2g-entries.h"
#include "output/c2g-json.h"
#include "output/c2g-output.h"
#include "output/c2g-table.h"
#include "output/c2g-terminal.h"
#include "output/c2g-text-utils.h"

#include <glib/gi18n.h>

#include <inttypes.h>
#include <unistd.h>

/* Collects and prints the outputs of a model, for run. */

/* Most values that are shown of an output without classes. */
#define MAX_VALUES 8

typedef struct
{
  gint64 row;
  gint64 index;
  double value;
} Class;

/* One output of one run. */
typedef struct
{
  char        *input;
  char        *output;
  C2gDataType  data_type;
  gint64      *dims;
  gsize        n_dims;

  /* Elements are of type Class. NULL if the output is not a list of class scores; then there is a
   * text and the first values. */
  GArray      *classes;
  gint64       n_rows;
  char        *text;
  /* Elements are of type GValue. */
  GArray      *values;
} Result;

struct _C2gResults
{
  guint       n_classes;
  char      **labels;
  gsize       n_labels;
  /* The largest number of classes of an output. */
  gint64      n_all_classes;
  /* Elements are of type Result. */
  GPtrArray  *results;
};

static void
result_free (Result *result)
{
  g_free (result->input);
  g_free (result->output);
  g_free (result->dims);
  g_clear_pointer (&result->classes, g_array_unref);
  g_free (result->text);
  g_clear_pointer (&result->values, g_array_unref);
  g_free (result);
}

C2gResults *
c2g_results_new (guint   n_classes,
                 char  **labels)
{
  C2gResults *self = g_new0 (C2gResults, 1);

  self->n_classes = n_classes;
  self->labels = g_strdupv (labels);
  self->n_labels = labels != NULL ? g_strv_length (labels) : 0;
  self->results = g_ptr_array_new_with_free_func ((GDestroyNotify) result_free);
  return self;
}

void
c2g_results_free (C2gResults *self)
{
  g_strfreev (self->labels);
  g_ptr_array_unref (self->results);
  g_free (self);
}

static gboolean
is_real (C2gDataType data_type)
{
  return data_type == C2G_DATA_TYPE_FLOAT || data_type == C2G_DATA_TYPE_DOUBLE ||
         data_type == C2G_DATA_TYPE_FLOAT16 || data_type == C2G_DATA_TYPE_BFLOAT16;
}

/* Returns the number of classes of an output [N, K] or [N, K, 1, 1]; 0 for other shapes. */
static gint64
count_classes (C2gTensor *tensor)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  if (n_dims < 2 || dims[1] < 2 || !is_real (c2g_tensor_get_data_type (tensor)))
    return 0;
  for (gsize i = 2; i < n_dims; i++)
    if (dims[i] != 1)
      return 0;
  return dims[1];
}

static gboolean
add_row (Result        *result,
         C2gPredictor  *predictor,
         C2gTensor     *tensor,
         gint64         row,
         guint          n_wanted,
         GError       **error)
{
  guint n_classes;
  g_autofree C2gClassScore **classes =
    c2g_predictor_list_classes (predictor, tensor, row, n_wanted, &n_classes, error);

  for (guint i = 0; i < n_classes; i++)
    {
      const Class class = { row, c2g_class_score_get_index (classes[i]),
                            c2g_class_score_get_score (classes[i]) };

      g_array_append_val (result->classes, class);
      g_object_unref (classes[i]);
    }
  return classes != NULL;
}

/* Copies the first values, because the next run may change the tensor. */
static void
keep_values (Result    *result,
             C2gTensor *tensor)
{
  gint64 n_values = MIN (c2g_tensor_get_n_elements (tensor), MAX_VALUES);

  result->values = g_array_new (FALSE, TRUE, sizeof (GValue));
  g_array_set_clear_func (result->values, (GDestroyNotify) g_value_unset);
  g_array_set_size (result->values, n_values);
  for (gint64 i = 0; i < n_values; i++)
    c2g_tensor_get_element (tensor, i, &g_array_index (result->values, GValue, i));
}

static gboolean
add_output (C2gResults    *self,
            const char    *input,
            C2gPredictor  *predictor,
            const char    *name,
            C2gTensor     *tensor,
            GError       **error)
{
  Result *result = g_new0 (Result, 1);
  const gint64 *dims = c2g_tensor_get_dims (tensor, &result->n_dims);
  gint64 n_classes = count_classes (tensor);

  g_ptr_array_add (self->results, result);
  result->input = g_strdup (input);
  result->output = g_strdup (name);
  result->data_type = c2g_tensor_get_data_type (tensor);
  result->dims = g_memdup2 (dims, result->n_dims * sizeof *dims);
  if (n_classes == 0)
    {
      result->text = c2g_tensor_to_string (tensor, MAX_VALUES);
      keep_values (result, tensor);
      return TRUE;
    }

  self->n_all_classes = MAX (self->n_all_classes, n_classes);
  result->n_rows = dims[0];
  result->classes = g_array_new (FALSE, FALSE, sizeof (Class));
  for (gint64 row = 0; row < result->n_rows; row++)
    if (!add_row (result, predictor, tensor, row, self->n_classes, error))
      return FALSE;
  return TRUE;
}

gboolean
c2g_results_add (C2gResults    *self,
                 const char    *input,
                 C2gPredictor  *predictor,
                 GError       **error)
{
  C2gWorkspace *workspace = c2g_predictor_get_workspace (predictor);
  const char *const *names = c2g_predictor_get_outputs (predictor);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autoptr (C2gTensor) output = c2g_workspace_get_tensor (workspace, names[i], error);
      g_autoptr (C2gTensor) tensor = NULL;

      /* The output may be on another device. */
      tensor = output != NULL ? c2g_tensor_to_device (output, c2g_device_cpu (), error) : NULL;
      if (tensor == NULL || !add_output (self, input, predictor, names[i], tensor, error))
        return FALSE;
    }
  return TRUE;
}

/* Optional columns of the table, shown if they are needed to tell rows apart. */
typedef struct
{
  gboolean has_inputs;
  gboolean has_outputs;
  gboolean has_labels;
} Columns;

static const Result *
get_result (C2gResults *self,
            guint       index)
{
  return self->results->pdata[index];
}

static Columns
find_columns (C2gResults *self)
{
  Columns columns = { FALSE, FALSE, self->n_labels > 0 };
  const char *output = NULL;

  for (guint i = 0; i < self->results->len; i++)
    {
      const Result *result = get_result (self, i);

      if (result->classes == NULL)
        continue;
      columns.has_inputs |= result->input != NULL || result->n_rows > 1;
      columns.has_outputs |= output != NULL && !g_str_equal (output, result->output);
      output = result->output;
    }
  return columns;
}

/* Formats the input of a row, such as "3.png", "batch.npy[2]" or "[2]". */
static char *
describe_input (const Result *result,
                gint64        row)
{
  g_autofree char *name = result->input != NULL ? c2g_text_escape (result->input) : g_strdup ("");

  if (result->n_rows < 2)
    return g_steal_pointer (&name);
  return g_strdup_printf ("%s[%" PRId64 "]", name, row);
}

static void
add_class (C2gResults    *self,
           C2gTable      *table,
           const Columns *columns,
           const Result  *result,
           guint          index)
{
  const Class *class = &g_array_index (result->classes, Class, index);
  gboolean is_first = index == 0 || class[-1].row != class->row;

  if (columns->has_inputs)
    c2g_table_take_cell (table, is_first ? describe_input (result, class->row) : NULL);
  if (columns->has_outputs)
    c2g_table_take_cell (table, is_first ? c2g_text_escape (result->output) : NULL);
  c2g_table_take_cell (table, g_strdup_printf ("%" PRId64, class->index));
  c2g_table_take_cell (table, g_strdup_printf ("%.6f", class->value));
  if (columns->has_labels && (gsize) class->index < self->n_labels)
    c2g_table_take_cell (table, c2g_text_escape (self->labels[class->index]));
  c2g_table_end_row (table);
}

static void
print_classes (C2gResults *self,
               gboolean    has_colour)
{
  Columns columns = find_columns (self);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  g_autoptr (GString) alignment = g_string_new (NULL);
  g_autoptr (C2gTable) table = NULL;
  const guint narrow[] = { 0, 0 };

  if (columns.has_inputs)
    g_ptr_array_add (titles, _("INPUT"));
  if (columns.has_outputs)
    g_ptr_array_add (titles, _("OUTPUT"));
  /* The alignment has an "l" for each title so far. */
  g_string_append (alignment, "ll" + 2 - titles->len);
  g_ptr_array_add (titles, _("CLASS"));
  g_ptr_array_add (titles, _("SCORE"));
  if (columns.has_labels)
    g_ptr_array_add (titles, _("LABEL"));
  g_ptr_array_add (titles, NULL);
  g_string_append (alignment, "rrl");

  table = c2g_table_new ((const char *const *) titles->pdata, alignment->str);
  for (guint i = 0; i < self->results->len; i++)
    {
      const Result *result = get_result (self, i);

      for (guint j = 0; result->classes != NULL && j < result->classes->len; j++)
        add_class (self, table, &columns, result, j);
    }
  c2g_table_print (table, c2g_terminal_get_width (STDOUT_FILENO), narrow, has_colour);
}

/* Warns if there are fewer labels than classes: they may belong to another model. */
static void
tell_of_labels (C2gResults *self)
{
  g_autofree char *message = NULL;

  if (self->n_labels == 0 || self->n_labels >= (guint64) self->n_all_classes)
    return;
  message = g_strdup_printf (_("There are %" PRId64 " classes, and labels for %zu of them alone"),
                             self->n_all_classes, self->n_labels);
  c2g_output_error (message);
}

void
c2g_results_print (C2gResults *self,
                   gboolean    has_colour)
{
  guint n_lines = 0;
  guint n_classes = 0;

  for (guint i = 0; i < self->results->len; i++)
    {
      const Result *result = get_result (self, i);
      g_autofree char *input = result->input != NULL ? c2g_text_escape (result->input) : NULL;
      g_autofree char *output = c2g_text_escape (result->output);

      if (result->classes != NULL)
        {
          n_classes += result->classes->len;
          continue;
        }
      n_lines++;
      if (input != NULL)
        g_print ("%s: %s: %s\n", input, output, result->text);
      else
        g_print ("%s: %s\n", output, result->text);
    }
  if (n_lines > 0 && n_classes > 0)
    g_print ("\n");
  if (n_classes > 0)
    {
      print_classes (self, has_colour);
      tell_of_labels (self);
    }
}

static void
add_classes_json (C2gResults   *self,
                  const Result *result,
                  JsonBuilder  *builder)
{
  json_builder_set_member_name (builder, "classes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < result->classes->len; i++)
    {
      const Class *class = &g_array_index (result->classes, Class, i);

      json_builder_begin_object (builder);
      c2g_json_add_int (builder, "row", class->row);
      c2g_json_add_int (builder, "class", class->index);
      c2g_json_add_double (builder, "score", class->value);
      if ((gsize) class->index < self->n_labels)
        c2g_json_add_string (builder, "label", self->labels[class->index]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_value_json (const GValue *value,
                JsonBuilder  *builder)
{
  g_auto (GValue) number = G_VALUE_INIT;

  if (G_VALUE_HOLDS_STRING (value))
    {
      json_builder_add_string_value (builder, g_value_get_string (value));
      return;
    }
  if (G_VALUE_HOLDS_BOOLEAN (value))
    {
      json_builder_add_boolean_value (builder, g_value_get_boolean (value));
      return;
    }

  g_value_init (&number, G_VALUE_HOLDS_FLOAT (value) || G_VALUE_HOLDS_DOUBLE (value)
                           ? G_TYPE_DOUBLE
                           : G_TYPE_INT64);
  if (!g_value_transform (value, &number))
    json_builder_add_null_value (builder);
  else if (G_VALUE_HOLDS_DOUBLE (&number))
    c2g_json_add_double_value (builder, g_value_get_double (&number));
  else
    json_builder_add_int_value (builder, g_value_get_int64 (&number));
}

static void
add_values_json (const Result *result,
                 JsonBuilder  *builder)
{
  json_builder_set_member_name (builder, "values");
  json_builder_begin_array (builder);
  for (guint i = 0; i < result->values->len; i++)
    add_value_json (&g_array_index (result->values, GValue, i), builder);
  json_builder_end_array (builder);
}

void
c2g_results_add_json (C2gResults  *self,
                      JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "results");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->results->len; i++)
    {
      const Result *result = get_result (self, i);

      json_builder_begin_object (builder);
      if (result->input != NULL)
        c2g_json_add_string (builder, "input", result->input);
      c2g_json_add_string (builder, "output", result->output);
      c2g_json_add_string (builder, "data_type", c2g_data_type_get_name (result->data_type));
      c2g_json_add_ints (builder, "dims", result->dims, result->n_dims);
      if (result->classes != NULL)
        add_classes_json (self, result, builder);
      else
        add_values_json (result, builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
