/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-entries.h"
#include "c2g-json.h"
#include "c2g-output.h"

#include <math.h>
#include <string.h>

/* Helpers for JSON output of all subcommands. */

void
c2g_json_add_string (JsonBuilder *builder,
                     const char  *name,
                     const char  *value)
{
  json_builder_set_member_name (builder, name);
  if (value == NULL)
    json_builder_add_null_value (builder);
  else
    json_builder_add_string_value (builder, value);
}

void
c2g_json_add_int (JsonBuilder *builder,
                  const char  *name,
                  gint64       value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

void
c2g_json_add_double_value (JsonBuilder *builder,
                           double       value)
{
  if (isnan (value))
    json_builder_add_string_value (builder, "nan");
  else if (isinf (value))
    json_builder_add_string_value (builder, value < 0 ? "-inf" : "inf");
  else
    json_builder_add_double_value (builder, value);
}

void
c2g_json_add_double (JsonBuilder *builder,
                     const char  *name,
                     double       value)
{
  json_builder_set_member_name (builder, name);
  c2g_json_add_double_value (builder, value);
}

void
c2g_json_add_strings (JsonBuilder  *builder,
                      const char   *name,
                      char        **values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (char **value = values; *value != NULL; value++)
    json_builder_add_string_value (builder, *value);
  json_builder_end_array (builder);
}

void
c2g_json_add_ints (JsonBuilder  *builder,
                   const char   *name,
                   const gint64 *values,
                   gsize         n_values)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (gsize i = 0; i < n_values; i++)
    json_builder_add_int_value (builder, values[i]);
  json_builder_end_array (builder);
}

void
c2g_json_add_entry (JsonBuilder  *builder,
                    C2gFileEntry *entry)
{
  gsize n_dims;
  const gint64 *dims = c2g_file_entry_get_dims (entry, &n_dims);
  gint64 segment[2];

  c2g_json_add_string (builder, "type", c2g_entry_get_type (entry));
  if (c2g_entry_is_tensor (entry))
    {
      c2g_json_add_string (builder, "data_type",
                           c2g_data_type_get_name (c2g_file_entry_get_data_type (entry)));
      c2g_json_add_ints (builder, "dims", dims, n_dims);
      c2g_json_add_int (builder, "n_elements", c2g_file_entry_get_n_elements (entry));
    }
  if (c2g_file_entry_get_segment (entry, &segment[0], &segment[1]))
    c2g_json_add_ints (builder, "segment", segment, G_N_ELEMENTS (segment));
}

void
c2g_json_add_offset (JsonBuilder  *builder,
                     C2gFileEntry *entry)
{
  c2g_json_add_int (builder, "offset", (gint64) c2g_file_entry_get_offset (entry));
}

void
c2g_json_add_error (JsonBuilder  *builder,
                    const GError *error)
{
  json_builder_set_member_name (builder, "error");
  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "domain", g_quark_to_string (error->domain));
  c2g_json_add_int (builder, "code", error->code);
  c2g_json_add_string (builder, "message", error->message);
  json_builder_end_object (builder);
}

void
c2g_json_print (JsonBuilder *builder)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *json = NULL;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  json = json_generator_to_data (generator, NULL);
  c2g_output_bytes (json, strlen (json));
  c2g_output_bytes ("\n", 1);
}
