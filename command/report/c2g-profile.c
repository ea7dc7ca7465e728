/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-profile.h"
#include "output/c2g-entries.h"
#include "output/c2g-json.h"
#include "output/c2g-table.h"
#include "output/c2g-terminal.h"
#include "output/c2g-text-utils.h"

#include <glib/gi18n.h>

#include <unistd.h>

/* Prints how long each operator of a net took. */

#define N_COLUMNS 8

/* Columns to leave out in a narrow terminal, in this order; see c2g_table_print(). */
static const guint narrow[] = { 7, 6, 3, 1, 0, 5, 2, 4, 0 };

static C2gTensor *
get_output (C2gOperator *op)
{
  C2gBlob *blob = c2g_operator_get_n_outputs (op) > 0 ? c2g_operator_get_output (op, 0) : NULL;

  return blob != NULL && c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;
}

static const char *
get_output_name (C2gOperator *op)
{
  const char *const *names = c2g_operator_def_get_outputs (c2g_operator_get_definition (op));

  return names[0] != NULL ? names[0] : "";
}

/* Returns the engine and the code in it that computed, as far as there is a choice. */
static char *
describe_engine (C2gOperator *op)
{
  const char *engine = c2g_operator_get_engine (op);
  const char *implementation = c2g_operator_get_implementation (op);

  if (implementation == NULL)
    return g_strdup (engine);
  return g_strconcat (engine, *engine != '\0' ? " " : "", implementation, NULL);
}

static double
get_milliseconds (C2gNetBenchmark *benchmark,
                  guint            position)
{
  return 1000 * c2g_net_benchmark_get_operator_seconds (benchmark, position);
}

/* Returns the time of all operators, without the time between them. */
static double
get_sum (C2gNetBenchmark *benchmark)
{
  guint n_operators = c2g_net_get_n_operators (c2g_net_benchmark_get_net (benchmark));
  double sum = 0;

  for (guint i = 0; i < n_operators; i++)
    sum += get_milliseconds (benchmark, i);
  return sum;
}

static void
add_row (C2gNetBenchmark *benchmark,
         C2gTable        *table,
         guint            position,
         double           sum)
{
  C2gOperator *op = c2g_net_get_operator (c2g_net_benchmark_get_net (benchmark), position);
  C2gTensor *output = get_output (op);
  double milliseconds = get_milliseconds (benchmark, position);
  double flops = c2g_net_benchmark_get_operator_flops (benchmark, position);
  g_autofree char *engine = describe_engine (op);
  gsize n_dims = 0;
  const gint64 *dims = output != NULL ? c2g_tensor_get_dims (output, &n_dims) : NULL;

  c2g_table_take_cell (table, c2g_text_escape (c2g_operator_get_op_type (op)));
  c2g_table_take_cell (table, c2g_text_escape (engine));
  c2g_table_take_cell (table, c2g_text_escape (get_output_name (op)));
  c2g_table_take_cell (table, output != NULL ? c2g_dims_to_string (dims, n_dims) : NULL);
  c2g_table_take_cell (table, g_strdup_printf ("%.3f", milliseconds));
  c2g_table_take_cell (table, g_strdup_printf ("%.1f %%", sum > 0 ? 100 * milliseconds / sum : 0));
  c2g_table_take_cell (table, flops >= 0 ? g_strdup_printf ("%.3f", flops / 1e6) : NULL);
  c2g_table_take_cell (table, c2g_text_format_size (
                                c2g_net_benchmark_get_operator_bytes (benchmark, position)));
  c2g_table_end_row (table);
}

void
c2g_profile_print (C2gNetBenchmark *benchmark,
                   gboolean         has_colour)
{
  const char *const titles[N_COLUMNS + 1] = { _("OPERATOR"), _("ENGINE"), _("OUTPUT"), _("DIMS"),
                                              _("MS"),       _("PART"),   _("MFLOP"),  _("BYTES") };
  guint n_operators = c2g_net_get_n_operators (c2g_net_benchmark_get_net (benchmark));
  g_autoptr (C2gTable) table = c2g_table_new (titles, "llllrrrr");
  double sum = get_sum (benchmark);

  for (guint i = 0; i < n_operators; i++)
    add_row (benchmark, table, i, sum);
  c2g_table_print (table, c2g_terminal_get_width (STDOUT_FILENO), narrow, has_colour);
}

static void
add_operator_json (C2gNetBenchmark *benchmark,
                   JsonBuilder     *builder,
                   guint            position)
{
  C2gOperator *op = c2g_net_get_operator (c2g_net_benchmark_get_net (benchmark), position);
  C2gTensor *output = get_output (op);
  double flops = c2g_net_benchmark_get_operator_flops (benchmark, position);
  gsize n_dims = 0;
  const gint64 *dims = output != NULL ? c2g_tensor_get_dims (output, &n_dims) : NULL;

  json_builder_begin_object (builder);
  c2g_json_add_string (builder, "type", c2g_operator_get_op_type (op));
  c2g_json_add_string (builder, "engine", c2g_operator_get_engine (op));
  if (c2g_operator_get_implementation (op) != NULL)
    c2g_json_add_string (builder, "implementation", c2g_operator_get_implementation (op));
  c2g_json_add_string (builder, "output", get_output_name (op));
  if (output != NULL)
    c2g_json_add_ints (builder, "dims", dims, n_dims);
  c2g_json_add_double (builder, "milliseconds", get_milliseconds (benchmark, position));
  if (flops >= 0)
    c2g_json_add_double (builder, "flops", flops);
  c2g_json_add_int (builder, "n_bytes", c2g_net_benchmark_get_operator_bytes (benchmark, position));
  json_builder_end_object (builder);
}

void
c2g_profile_add_json (C2gNetBenchmark *benchmark,
                      JsonBuilder     *builder)
{
  guint n_operators = c2g_net_get_n_operators (c2g_net_benchmark_get_net (benchmark));

  json_builder_set_member_name (builder, "operators");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n_operators; i++)
    add_operator_json (benchmark, builder, i);
  json_builder_end_array (builder);
}
