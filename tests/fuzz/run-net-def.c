/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "run-net.h"

#define MAX_LENGTH 40

/* Arguments */

static C2gArgument *
make_ints (const char           *name,
           const RunNetArgument *record,
           gsize                 n_values)
{
  gint64 values[MAX_LENGTH];

  for (gsize i = 0; i < n_values; i++)
    values[i] = run_net_pick_int (record->values[i % G_N_ELEMENTS (record->values)]);
  return c2g_argument_new_ints (name, values, n_values);
}

static C2gArgument *
make_floats (const char           *name,
             const RunNetArgument *record,
             gsize                 n_values)
{
  float values[MAX_LENGTH];

  for (gsize i = 0; i < n_values; i++)
    values[i] = (float) run_net_pick_float (record->values[i % G_N_ELEMENTS (record->values)]);
  return c2g_argument_new_floats (name, values, n_values);
}

static C2gArgument *
make_strings (const char           *name,
              const RunNetArgument *record,
              gsize                 n_values)
{
  const char *values[MAX_LENGTH + 1] = { NULL };

  for (gsize i = 0; i < n_values; i++)
    values[i] = run_net_pick_text (record->values[i % G_N_ELEMENTS (record->values)]);
  return c2g_argument_new_strings (name, values);
}

static gint64
pick_boolean (const RunNetArgument *record)
{
  return record->values[0] < 250 ? record->values[0] % 2 : run_net_pick_int (record->values[1]);
}

/* NULL if no net may be in an argument here. */
static C2gArgument *
make_argument (RunNetArgumentName    name,
               const RunNetArgument *record,
               C2gNetDef            *body)
{
  static const char kinds[] = "bifsIFSN";
  const gsize n_values = record->n_values < 240 ? record->n_values % 6 : MAX_LENGTH;

  switch (record->kind < 240 ? name.kind : kinds[record->kind % 8])
    {
    case 'b':
      return c2g_argument_new_int (name.name, pick_boolean (record));
    case 'i':
      return c2g_argument_new_int (name.name, run_net_pick_int (record->values[0]));
    case 'f':
      return c2g_argument_new_float (name.name, run_net_pick_float (record->values[0]));
    case 's':
      return c2g_argument_new_string (name.name, run_net_pick_text (record->values[0]));
    case 'I':
      return make_ints (name.name, record, n_values);
    case 'F':
      return make_floats (name.name, record, n_values);
    case 'S':
      return make_strings (name.name, record, n_values);
    default:
      return c2g_argument_new_net (name.name, body, NULL);
    }
}

static void
add_argument (C2gOperatorDef       *def,
              RunNetArgumentName    name,
              const RunNetArgument *record,
              C2gNetDef            *body)
{
  g_autoptr (C2gArgument) argument = make_argument (name, record, body);

  if (argument != NULL)
    c2g_operator_def_set_argument (def, argument);
}

/* Declares the outputs of the body first, and then its inputs, so that the net has enough for a
 * loop with these outputs. */
static void
declare_outputs (C2gNetDef      *body,
                 C2gOperatorDef *loop)
{
  gsize n_left = 1 + c2g_operator_def_get_n_outputs (loop);
  const char *const *inputs = c2g_net_def_get_external_inputs (body);

  c2g_net_def_set_external_outputs (body, (const char *const[]) { NULL });
  for (gsize i = 0; i < c2g_net_def_get_n_operators (body); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (body, i);
      const char *const *outputs = c2g_operator_def_get_outputs (op);

      for (gsize j = 0; outputs[j] != NULL && n_left > 0; j++, n_left--)
        c2g_net_def_add_external_output (body, outputs[j]);
    }
  for (gsize i = 1; inputs[i] != NULL && n_left > 0; i++, n_left--)
    c2g_net_def_add_external_output (body, inputs[i]);
}

/* Adds a net to operators that run one. */
static void
add_nets (C2gOperatorDef   *def,
          const RunNetType *type,
          C2gNetDef        *body)
{
  static const RunNetArgument none;

  declare_outputs (body, def);
  for (guint i = 0; i < type->arguments->len; i++)
    {
      const RunNetArgumentName name = g_array_index (type->arguments, RunNetArgumentName, i);

      if (name.kind == 'N')
        add_argument (def, name, &none, body);
    }
}

static void
add_required (C2gOperatorDef       *def,
              const char           *required,
              const RunNetArgument *record,
              C2gNetDef            *body)
{
  GArray *names = run_net_get_names ();

  for (guint i = 0; i < names->len; i++)
    {
      const RunNetArgumentName name = g_array_index (names, RunNetArgumentName, i);

      if (g_str_equal (name.name, required))
        add_argument (def, name, record, body);
    }
}

static void
add_arguments (C2gOperatorDef       *def,
               const RunNetType     *type,
               const RunNetOperator *record,
               C2gNetDef            *body)
{
  const char *const *required = c2g_operator_schema_get_required_arguments (type->schema);
  const guint n_arguments = record->n_arguments % (RUN_NET_N_ARGUMENTS + 1);

  add_nets (def, type, body);
  for (gsize i = 0; required[i] != NULL; i++)
    {
      RunNetArgument one = record->arguments[RUN_NET_N_ARGUMENTS - 1];

      one.values[0] = one.values[i % G_N_ELEMENTS (one.values)];
      add_required (def, required[i], &one, body);
    }
  for (guint i = 0; i < n_arguments; i++)
    {
      const RunNetArgument *one = &record->arguments[i];
      const gboolean is_read = one->which < 230 && type->arguments->len > 0;
      GArray *names = is_read ? type->arguments : run_net_get_names ();

      add_argument (def, g_array_index (names, RunNetArgumentName, one->which % names->len), one,
                    body);
    }
}

/* Operators */

/* Returns the name of a blob that is there before the run, or that operators make. */
static void
pick_name (char     name[3],
           guint8   byte,
           gboolean is_output)
{
  const gboolean is_made = byte < 200 ? is_output : !is_output;

  name[0] = is_made ? 'o' : 'b';
  name[1] = (char) ('0' + byte % (is_made ? RUN_NET_N_OUTPUTS : RUN_NET_N_BLOBS));
  name[2] = '\0';
}

static guint
pick_n (guint8 byte,
        guint  min,
        guint  max)
{
  const guint n = byte < 245 ? min + byte % (MIN (max, min + 4) - min + 1) : byte % 8;

  return MIN (n, RUN_NET_MAX_NAMES);
}

static guint
add_inputs (C2gOperatorDef       *def,
            const RunNetType     *type,
            const RunNetOperator *record)
{
  const guint n = pick_n (record->n_inputs, c2g_operator_schema_get_min_inputs (type->schema),
                          c2g_operator_schema_get_max_inputs (type->schema));
  char name[3];

  for (guint i = 0; i < n; i++)
    {
      pick_name (name, record->inputs[i], FALSE);
      c2g_operator_def_add_input (def, name);
    }
  return n;
}

static void
add_outputs (C2gOperatorDef       *def,
             const RunNetType     *type,
             const RunNetOperator *record,
             guint                 n_inputs)
{
  const guint n = pick_n (record->n_outputs, c2g_operator_schema_get_min_outputs (type->schema),
                          c2g_operator_schema_get_max_outputs (type->schema));
  char name[3];

  for (guint i = 0; i < n; i++)
    {
      if (record->outputs[i] % 4 == 3 && i < n_inputs &&
          c2g_operator_schema_is_in_place_allowed (type->schema, i, i))
        pick_name (name, record->inputs[i], FALSE);
      else
        pick_name (name, record->outputs[i], TRUE);
      c2g_operator_def_add_output (def, name);
    }
}

static void
add_control (C2gOperatorDef *def,
             guint8          byte)
{
  char name[3];

  if (byte < 200)
    return;
  pick_name (name, byte, TRUE);
  c2g_operator_def_add_control_input (def, name);
}

static const char *
pick_engine (guint8 byte)
{
  static const char *const engines[] = { "MKLDNN", "NOBODY" };

  return byte < 240 ? "" : engines[byte % G_N_ELEMENTS (engines)];
}

static C2gOperatorDef *
make_operator (const RunNetOperator *record,
               C2gNetDef            *body,
               gboolean             *is_changing)
{
  const RunNetType *type = run_net_pick_type (record->type[0] * 256u + record->type[1]);
  C2gOperatorDef *def = c2g_operator_def_new (type->name);

  add_outputs (def, type, record, add_inputs (def, type, record));
  add_control (def, record->control);
  add_arguments (def, type, record, body);
  c2g_operator_def_set_engine (def, pick_engine (record->engine));
  c2g_operator_def_set_random_seed (def, 7);
  /* An operator with run_once does nothing in later runs, so the results may differ. */
  *is_changing |= type->is_changing || c2g_operator_def_get_argument (def, "run_once") != NULL;
  return def;
}

/* The net */

static C2gNetDef *
new_net (const char *name)
{
  C2gNetDef *def = c2g_net_def_new (name);

  for (guint i = 0; i < RUN_NET_N_BLOBS; i++)
    {
      const char blob[] = { 'b', (char) ('0' + i), '\0' };

      c2g_net_def_add_external_input (def, blob);
    }
  return def;
}

/* The first operators become the net of those that run one. */
C2gNetDef *
run_net_make_def (const RunNetScenario *scenario,
                  gboolean             *is_changing)
{
  const guint n_operators = 1 + scenario->n_operators % RUN_NET_N_OPERATORS;
  const guint n_body = scenario->n_body % (n_operators + 1);
  g_autoptr (C2gNetDef) body = new_net ("body");
  C2gNetDef *def = new_net ("net");

  *is_changing = FALSE;
  for (guint i = 0; i < n_operators; i++)
    {
      g_autoptr (C2gOperatorDef) op = make_operator (&scenario->operators[i], body, is_changing);

      c2g_net_def_add_operator (i < n_body && i + 1 < n_operators ? body : def, op);
    }
  return def;
}
