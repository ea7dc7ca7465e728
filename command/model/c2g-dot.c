/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-dot.h"
#include "output/c2g-text-utils.h"

#include <string.h>

/* Converts a net to the language of Graphviz, for graph. */

/* Limits on shown arguments: longer values and further arguments are left out. */
#define MAX_VALUE_LENGTH 24
#define MAX_VALUES       8
#define MAX_ARGUMENTS    8

static const struct
{
  /* Prefix of the operator type. */
  const char *type;
  const char *colour;
} colours[] = {
  { "Conv", "#cfe2f3" },
  { "FC", "#cfe2f3" },
  { "MatMul", "#cfe2f3" },
  { "BatchMatMul", "#cfe2f3" },
  { "MaxPool", "#d9ead3" },
  { "AveragePool", "#d9ead3" },
  { "Relu", "#fce5cd" },
  { "PRelu", "#fce5cd" },
  { "LeakyRelu", "#fce5cd" },
  { "Sigmoid", "#fce5cd" },
  { "Tanh", "#fce5cd" },
  { "Softmax", "#f4cccc" },
  { "SpatialBN", "#d9d2e9" },
  { "InstanceNorm", "#d9d2e9" },
  { "LRN", "#d9d2e9" },
};

#define OTHER_COLOUR "#eeeeee"
#define BLOB_COLOUR  "#fff2cc"

typedef struct
{
  C2gNetDef          *def;
  const C2gDotShapes *shapes;
  GString            *text;
  /* Key of the newest output by blob name, and the names that were not read yet. */
  GHashTable         *writers;
  GHashTable         *unread;
  /* Names that are the first input of an operator, and names that have a node. */
  GHashTable         *first_inputs;
  GHashTable         *nodes;
} Dot;

char *
c2g_dot_key (gsize position,
             gsize output)
{
  return g_strdup_printf ("%zu:%zu", position, output);
}

/* Appends text to a quoted string, escaped. */
static void
append_quoted (GString    *string,
               const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *escaped = c2g_text_escape (valid);

  for (const char *c = escaped; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (string, '\\');
      g_string_append_c (string, *c);
    }
}

/* Appends the name of a blob, and its shape after the separator if it is known. */
static void
append_blob (GString    *string,
             const char *name,
             const char *shape,
             const char *between)
{
  append_quoted (string, name);
  if (shape == NULL)
    return;
  g_string_append (string, between);
  append_quoted (string, shape);
}

static const char *
get_colour (const char *op_type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (colours); i++)
    if (g_str_has_prefix (op_type, colours[i].type))
      return colours[i].colour;
  return OTHER_COLOUR;
}

static char *
join_numbers (C2gArgument *argument)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize n_values = 0;

  if (c2g_argument_get_kind (argument) == C2G_ARGUMENT_KIND_INTS)
    {
      const gint64 *values = c2g_argument_get_ints (argument, &n_values, NULL);

      for (gsize i = 0; i < MIN (n_values, MAX_VALUES + 1); i++)
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : " ", values[i]);
    }
  else
    {
      const float *values = c2g_argument_get_floats (argument, &n_values, NULL);

      for (gsize i = 0; i < MIN (n_values, MAX_VALUES + 1); i++)
        g_string_append_printf (text, "%s%g", i == 0 ? "" : " ", values[i]);
    }
  return n_values <= MAX_VALUES ? g_strdup (text->str) : NULL;
}

/* Formats the value of an argument; NULL if it is too long or has no short form. */
static char *
describe_value (C2gArgument *argument)
{
  g_autofree char *text = NULL;

  switch (c2g_argument_get_kind (argument))
    {
    case C2G_ARGUMENT_KIND_INT:
      text = g_strdup_printf ("%" G_GINT64_FORMAT, c2g_argument_get_int (argument, NULL));
      break;
    case C2G_ARGUMENT_KIND_FLOAT:
      text = g_strdup_printf ("%g", c2g_argument_get_float (argument, NULL));
      break;
    case C2G_ARGUMENT_KIND_STRING:
      text = g_strdup (c2g_argument_get_string (argument, NULL));
      break;
    case C2G_ARGUMENT_KIND_INTS:
    case C2G_ARGUMENT_KIND_FLOATS:
      text = join_numbers (argument);
      break;
    default:
      break;
    }
  if (text == NULL || strlen (text) > MAX_VALUE_LENGTH)
    return NULL;
  return g_steal_pointer (&text);
}

static void
append_arguments (Dot            *dot,
                  C2gOperatorDef *op)
{
  guint n_arguments;
  g_autofree C2gArgument **arguments = c2g_operator_def_list_arguments (op, &n_arguments);
  gsize n_shown = 0;

  for (gsize i = 0; i < n_arguments; i++)
    {
      g_autoptr (C2gArgument) argument = arguments[i];
      g_autofree char *value = n_shown < MAX_ARGUMENTS ? describe_value (argument) : NULL;

      if (value == NULL)
        continue;
      g_string_append (dot->text, n_shown++ == 0 ? "\\n" : ", ");
      append_quoted (dot->text, c2g_argument_get_name (argument));
      g_string_append_c (dot->text, ' ');
      append_quoted (dot->text, value);
    }
}

/* Returns TRUE if the blob is a weight, which is shown inside the operators that read it instead of
 * as a node. */
static gboolean
is_weight (Dot        *dot,
           const char *name)
{
  if (g_hash_table_contains (dot->writers, name))
    return FALSE;
  if (dot->shapes->weights != NULL)
    return g_hash_table_contains (dot->shapes->weights, name);
  return !g_hash_table_contains (dot->first_inputs, name);
}

static void
append_operator (Dot            *dot,
                 C2gOperatorDef *op,
                 gsize           position)
{
  const char *const *inputs = c2g_operator_def_get_inputs (op);
  const char *op_type = c2g_operator_def_get_op_type (op);

  op_type = op_type != NULL ? op_type : "";
  g_string_append_printf (dot->text,
                          "  op%zu [shape=box, style=\"rounded,filled\", fillcolor=\"%s\", "
                          "label=\"",
                          position, get_colour (op_type));
  append_quoted (dot->text, op_type);
  append_arguments (dot, op);
  for (gsize i = 0; inputs[i] != NULL; i++)
    if (is_weight (dot, inputs[i]))
      {
        g_string_append (dot->text, "\\n");
        append_blob (dot->text, inputs[i],
                     dot->shapes->weights != NULL
                       ? g_hash_table_lookup (dot->shapes->weights, inputs[i])
                       : NULL,
                     " ");
      }
  g_string_append (dot->text, "\"];\n");
}

/* Adds a node for an input or output of the net. */
static void
append_node (Dot        *dot,
             const char *kind,
             const char *name,
             const char *shape)
{
  g_string_append_printf (dot->text, "  \"%s ", kind);
  append_quoted (dot->text, name);
  g_string_append (dot->text,
                   "\" [shape=ellipse, style=filled, fillcolor=\"" BLOB_COLOUR "\", label=\"");
  append_blob (dot->text, name, shape, "\\n");
  g_string_append (dot->text, "\"];\n");
}

static void
append_edge_end (Dot        *dot,
                 const char *name,
                 const char *shape)
{
  g_string_append (dot->text, " [label=\" ");
  append_blob (dot->text, name, shape, "\\n ");
  g_string_append (dot->text, "\"];\n");
}

static void
append_input (Dot        *dot,
              const char *name,
              gsize       position)
{
  const char *writer = g_hash_table_lookup (dot->writers, name);

  if (writer != NULL)
    {
      g_string_append_printf (dot->text, "  op%.*s -> op%zu", (int) strcspn (writer, ":"), writer,
                              position);
      append_edge_end (dot, name, g_hash_table_lookup (dot->shapes->outputs, writer));
      g_hash_table_remove (dot->unread, name);
      return;
    }
  if (is_weight (dot, name))
    return;
  if (g_hash_table_add (dot->nodes, (gpointer) name))
    append_node (dot, "in", name, g_hash_table_lookup (dot->shapes->inputs, name));
  g_string_append (dot->text, "  \"in ");
  append_quoted (dot->text, name);
  g_string_append_printf (dot->text, "\" -> op%zu;\n", position);
}

static void
append_controls (Dot            *dot,
                 C2gOperatorDef *op,
                 gsize           position)
{
  const char *const *names = c2g_operator_def_get_control_inputs (op);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      const char *writer = g_hash_table_lookup (dot->writers, names[i]);

      if (writer != NULL)
        g_string_append_printf (dot->text, "  op%.*s -> op%zu [style=dashed];\n",
                                (int) strcspn (writer, ":"), writer, position);
    }
}

static void
append_step (Dot   *dot,
             gsize  position)
{
  C2gOperatorDef *op = c2g_net_def_get_operator (dot->def, position);
  const char *const *inputs = c2g_operator_def_get_inputs (op);
  const char *const *outputs = c2g_operator_def_get_outputs (op);

  append_operator (dot, op, position);
  for (gsize i = 0; inputs[i] != NULL; i++)
    append_input (dot, inputs[i], position);
  append_controls (dot, op, position);
  for (gsize i = 0; outputs[i] != NULL; i++)
    {
      g_hash_table_replace (dot->writers, (gpointer) outputs[i], c2g_dot_key (position, i));
      g_hash_table_add (dot->unread, (gpointer) outputs[i]);
    }
}

/* Adds nodes for the declared outputs, and for blobs that no operator reads. */
static void
append_outputs (Dot *dot)
{
  const char *const *declared = c2g_net_def_get_external_outputs (dot->def);

  for (gsize i = 0; declared[i] != NULL; i++)
    g_hash_table_add (dot->unread, (gpointer) declared[i]);
  for (gsize i = 0; i < c2g_net_def_get_n_operators (dot->def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (dot->def, i);
      const char *const *outputs = c2g_operator_def_get_outputs (op);

      for (gsize j = 0; outputs[j] != NULL; j++)
        {
          g_autofree char *key = c2g_dot_key (i, j);

          if (!g_str_equal (key, g_hash_table_lookup (dot->writers, outputs[j])) ||
              !g_hash_table_contains (dot->unread, outputs[j]))
            continue;
          append_node (dot, "out", outputs[j], g_hash_table_lookup (dot->shapes->outputs, key));
          g_string_append_printf (dot->text, "  op%zu -> \"out ", i);
          append_quoted (dot->text, outputs[j]);
          g_string_append (dot->text, "\";\n");
        }
    }
}

static void
find_first_inputs (Dot *dot)
{
  for (gsize i = 0; i < c2g_net_def_get_n_operators (dot->def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (dot->def, i);
      const char *const *inputs = c2g_operator_def_get_inputs (op);

      if (inputs[0] != NULL)
        g_hash_table_add (dot->first_inputs, (gpointer) inputs[0]);
    }
}

char *
c2g_dot_new (C2gNetDef          *def,
             const C2gDotShapes *shapes)
{
  g_autoptr (GHashTable) writers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GHashTable) unread = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) first_inputs = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) nodes = g_hash_table_new (g_str_hash, g_str_equal);
  GString *text = g_string_new ("digraph \"");
  Dot dot = { def, shapes, text, writers, unread, first_inputs, nodes };
  const char *name = c2g_net_def_get_name (def);

  append_quoted (text, name != NULL ? name : "");
  g_string_append (text, "\" {\n"
                         "  node [fontname=\"sans-serif\", fontsize=11];\n"
                         "  edge [fontname=\"sans-serif\", fontsize=9, color=\"#666666\"];\n");
  find_first_inputs (&dot);
  for (gsize i = 0; i < c2g_net_def_get_n_operators (def); i++)
    append_step (&dot, i);
  append_outputs (&dot);
  g_string_append (text, "}\n");
  return g_string_free (text, FALSE);
}
