/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-file-summary.h"

#include <json-glib/json-glib.h>

#include <math.h>

static void
add_string (JsonBuilder *builder,
            const char  *name,
            const char  *value)
{
  json_builder_set_member_name (builder, name);
  if (value == NULL)
    json_builder_add_null_value (builder);
  else
    json_builder_add_string_value (builder, value);
}

static void
add_int (JsonBuilder *builder,
         const char  *name,
         gint64       value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

/* JSON has no infinities, and neither NaN. */
static void
add_double (JsonBuilder *builder,
            const char  *name,
            double       value)
{
  json_builder_set_member_name (builder, name);
  if (isnan (value))
    json_builder_add_string_value (builder, "nan");
  else if (isinf (value))
    json_builder_add_string_value (builder, value < 0 ? "-inf" : "inf");
  else
    json_builder_add_double_value (builder, value);
}

static void
add_strings (JsonBuilder *builder,
             const char  *name,
             char       **values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (char **value = values; *value != NULL; value++)
    json_builder_add_string_value (builder, *value);
  json_builder_end_array (builder);
}

/* Integers as integers; those that json-glib has no room for as numbers with a point. */
static void
add_end (JsonBuilder          *builder,
         const char           *name,
         const C2gBlobSummary *blob,
         double                value,
         gint64                integer)
{
  if (blob->is_integer && (!blob->is_unsigned || integer >= 0))
    add_int (builder, name, integer);
  else
    add_double (builder, name, value);
}

static void
add_content (JsonBuilder          *builder,
             const C2gBlobSummary *blob)
{
  if (blob->has_values)
    {
      add_end (builder, "min", blob, blob->minimum, blob->integer_minimum);
      add_double (builder, "mean", blob->mean);
      add_end (builder, "max", blob, blob->maximum, blob->integer_maximum);
    }
  if (blob->has_values || blob->n_nan > 0)
    add_int (builder, "n_nan", blob->n_nan);
  if (blob->has_strings)
    {
      add_int (builder, "n_strings", blob->n_strings);
      add_int (builder, "string_bytes", blob->string_bytes);
    }
  if (blob->is_counter)
    add_int (builder, "value", blob->count);
}

static void
add_blob (JsonBuilder          *builder,
          const C2gBlobSummary *blob)
{
  json_builder_begin_object (builder);
  add_string (builder, "name", blob->name);
  add_string (builder, "type", blob->type);
  if (blob->data_type != NULL)
    add_string (builder, "data_type", blob->data_type);
  if (blob->data_type != NULL || g_str_equal (blob->type, "q-tensor"))
    {
      json_builder_set_member_name (builder, "dims");
      json_builder_begin_array (builder);
      for (gsize i = 0; i < blob->n_dims; i++)
        json_builder_add_int_value (builder, blob->dims[i]);
      json_builder_end_array (builder);
      add_int (builder, "n_elements", blob->n_elements);
    }
  if (blob->is_part)
    {
      json_builder_set_member_name (builder, "segment");
      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, blob->begin);
      json_builder_add_int_value (builder, blob->end);
      json_builder_end_array (builder);
    }
  add_int (builder, "n_bytes", blob->n_bytes);
  add_content (builder, blob);
  json_builder_end_object (builder);
}

static void
add_net (JsonBuilder  *builder,
         C2gModelFile *model_file)
{
  g_auto (GStrv) types = c2g_model_file_list_operator_types (model_file);
  g_auto (GStrv) inputs = c2g_model_file_list_external_inputs (model_file);
  g_auto (GStrv) outputs = c2g_model_file_list_external_outputs (model_file);

  json_builder_set_member_name (builder, "net");
  json_builder_begin_object (builder);
  add_string (builder, "name", c2g_model_file_get_net_name (model_file));
  add_int (builder, "n_operators", c2g_model_file_get_n_operators (model_file, NULL));
  json_builder_set_member_name (builder, "operators");
  json_builder_begin_object (builder);
  for (char **type = types; *type != NULL; type++)
    add_int (builder, *type, c2g_model_file_get_n_operators (model_file, *type));
  json_builder_end_object (builder);
  add_strings (builder, "external_inputs", inputs);
  add_strings (builder, "external_outputs", outputs);
  json_builder_end_object (builder);
}

static void
add_error (JsonBuilder  *builder,
           const GError *error)
{
  json_builder_set_member_name (builder, "error");
  json_builder_begin_object (builder);
  add_string (builder, "domain", g_quark_to_string (error->domain));
  add_int (builder, "code", error->code);
  add_string (builder, "message", error->message);
  json_builder_end_object (builder);
}

static void
add_totals (JsonBuilder          *builder,
            const C2gFileSummary *summary)
{
  json_builder_set_member_name (builder, "totals");
  json_builder_begin_object (builder);
  add_int (builder, "n_blobs", summary->blobs->len);
  add_int (builder, "n_tensors", summary->n_tensors);
  add_int (builder, "n_elements", summary->n_elements);
  add_int (builder, "n_bytes", summary->n_bytes);
  json_builder_end_object (builder);

  json_builder_set_member_name (builder, "memory");
  json_builder_begin_object (builder);
  add_int (builder, "current_bytes", summary->current_bytes);
  add_int (builder, "peak_bytes", summary->peak_bytes);
  add_int (builder, "n_blocks", summary->n_blocks);
  json_builder_end_object (builder);
}

static void
add_file (JsonBuilder    *builder,
          C2gFileSummary *summary)
{
  g_autofree char *file = g_filename_display_name (summary->argument);

  json_builder_begin_object (builder);
  add_string (builder, "file", file);
  if (summary->error != NULL)
    {
      add_error (builder, summary->error);
      json_builder_end_object (builder);
      return;
    }

  add_string (builder, "kind", c2g_file_summary_get_kind (summary));
  if (c2g_model_file_get_kind (summary->model_file) == C2G_MODEL_FILE_KIND_NET ||
      c2g_model_file_get_kind (summary->model_file) == C2G_MODEL_FILE_KIND_NET_TEXT)
    add_net (builder, summary->model_file);
  json_builder_set_member_name (builder, "blobs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < summary->blobs->len; i++)
    add_blob (builder, summary->blobs->pdata[i]);
  json_builder_end_array (builder);
  add_totals (builder, summary);
  json_builder_end_object (builder);
}

char *
c2g_file_summaries_to_json (GPtrArray *summaries)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (guint i = 0; i < summaries->len; i++)
    add_file (builder, summaries->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  json = json_generator_to_data (generator, NULL);
  return g_strconcat (json, "\n", NULL);
}
