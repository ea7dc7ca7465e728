/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-file-summary.h"
#include "output/c2g-json.h"
#include "output/c2g-kinds.h"

/* Prints the summaries of info as JSON. */

/* Adds a minimum or maximum: as an integer if the blob has integers and it fits json-glib's
 * signed type, otherwise as a double. */
static void
add_bound (JsonBuilder          *builder,
           const char           *name,
           const C2gBlobSummary *blob,
           double                value,
           gint64                integer)
{
  if (blob->is_integer && (!blob->is_unsigned || integer >= 0))
    c2g_json_add_int (builder, name, integer);
  else
    c2g_json_add_double (builder, name, value);
}

static void
add_content (JsonBuilder          *builder,
             const C2gBlobSummary *blob)
{
  if (blob->has_values)
    {
      add_bound (builder, "min", blob, blob->minimum, blob->integer_minimum);
      c2g_json_add_double (builder, "mean", blob->mean);
      add_bound (builder, "max", blob, blob->maximum, blob->integer_maximum);
    }
  if (blob->has_values || blob->n_nan > 0)
    c2g_json_add_int (builder, "n_nan", blob->n_nan);
  if (blob->is_quantized)
    {
      c2g_json_add_double (builder, "scale", blob->scale);
      c2g_json_add_int (builder, "zero_point", blob->zero_point);
    }
  if (blob->has_strings)
    {
      c2g_json_add_int (builder, "n_strings", blob->n_strings);
      c2g_json_add_int (builder, "string_bytes", blob->string_bytes);
    }
  if (blob->is_constant)
    {
      json_builder_set_member_name (builder, "constant");
      json_builder_add_boolean_value (builder, TRUE);
    }
  if (blob->is_unsupported)
    {
      json_builder_set_member_name (builder, "readable");
      json_builder_add_boolean_value (builder, FALSE);
    }
  if (blob->is_counter)
    c2g_json_add_int (builder, "value", blob->count);
}

static void
add_blob (JsonBuilder          *builder,
          const C2gBlobSummary *blob)
{
  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "name", blob->name);
  c2g_json_add_string (builder, "type", blob->type);
  if (blob->data_type != NULL)
    c2g_json_add_string (builder, "data_type", blob->data_type);
  if (blob->has_dims)
    {
      c2g_json_add_ints (builder, "dims", blob->dims, blob->n_dims);
      c2g_json_add_int (builder, "n_elements", blob->n_elements);
    }
  if (blob->is_part)
    {
      const gint64 segment[] = { blob->begin, blob->end };

      c2g_json_add_ints (builder, "segment", segment, G_N_ELEMENTS (segment));
    }
  c2g_json_add_int (builder, "n_bytes", blob->n_bytes);
  if (blob->device != NULL)
    c2g_json_add_string (builder, "device", c2g_device_to_string (blob->device));
  c2g_json_add_int (builder, "offset", blob->offset);
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
  c2g_json_add_string (builder, "name", c2g_model_file_get_net_name (model_file));
  c2g_json_add_int (builder, "n_operators", c2g_model_file_get_n_operators (model_file, NULL));
  json_builder_set_member_name (builder, "operators");
  json_builder_begin_object (builder);
  for (char **type = types; *type != NULL; type++)
    c2g_json_add_int (builder, *type, c2g_model_file_get_n_operators (model_file, *type));
  json_builder_end_object (builder);
  c2g_json_add_strings (builder, "external_inputs", inputs);
  c2g_json_add_strings (builder, "external_outputs", outputs);
  json_builder_end_object (builder);
}

static void
add_plan (JsonBuilder *builder,
          C2gPlanDef  *plan)
{
  g_auto (GStrv) nets = c2g_plan_list_nets (plan);
  g_auto (GStrv) steps = c2g_plan_list_steps (plan);

  c2g_json_add_string (builder, "kind", "plan");
  json_builder_set_member_name (builder, "plan");
  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "name", c2g_plan_def_get_name (plan));
  c2g_json_add_strings (builder, "nets", nets);
  c2g_json_add_strings (builder, "steps", steps);
  json_builder_end_object (builder);
}

static void
add_totals (JsonBuilder          *builder,
            const C2gFileSummary *summary)
{
  json_builder_set_member_name (builder, "totals");
  json_builder_begin_object (builder);
  c2g_json_add_int (builder, "n_blobs", summary->blobs->len);
  c2g_json_add_int (builder, "n_tensors", summary->n_tensors);
  c2g_json_add_int (builder, "n_elements", summary->n_elements);
  c2g_json_add_int (builder, "n_bytes", summary->n_bytes);
  json_builder_end_object (builder);
  if (summary->is_list)
    return;

  json_builder_set_member_name (builder, "memory");
  json_builder_begin_object (builder);
  c2g_json_add_int (builder, "peak_bytes", summary->peak_bytes);
  c2g_json_add_int (builder, "total_bytes", summary->total_bytes);
  json_builder_end_object (builder);
}

static void
add_file (JsonBuilder    *builder,
          C2gFileSummary *summary)
{
  g_autofree char *file = g_filename_display_name (summary->argument);
  C2gModelFileKind kind;

  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "file", file);
  if (summary->error != NULL)
    {
      c2g_json_add_error (builder, summary->error);
      json_builder_end_object (builder);
      return;
    }

  if (summary->plan != NULL)
    {
      add_plan (builder, summary->plan);
      json_builder_end_object (builder);
      return;
    }

  kind = c2g_model_file_get_kind (summary->model_file);
  c2g_json_add_string (builder, "kind", c2g_kind_get_name (kind));
  if (kind == C2G_MODEL_FILE_KIND_NET || kind == C2G_MODEL_FILE_KIND_NET_TEXT)
    add_net (builder, summary->model_file);
  json_builder_set_member_name (builder, "blobs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < summary->blobs->len; i++)
    add_blob (builder, summary->blobs->pdata[i]);
  json_builder_end_array (builder);
  add_totals (builder, summary);
  json_builder_end_object (builder);
}

void
c2g_file_summaries_print_json (GPtrArray *summaries)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  for (guint i = 0; i < summaries->len; i++)
    add_file (builder, summaries->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  c2g_json_print (builder);
}
