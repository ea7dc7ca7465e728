/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>
#include <c2g/def/c2g-net-def-private.h>
#include <c2g/def/c2g-operator-def-private.h>
#include <c2g/net/operator/c2g-operator-registry-private.h>

#include <string.h>

/* The data flow graph of a net, and the changes that optimization passes make to it. */

static void
value_free (gpointer data)
{
  C2gGraphValue *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->users);
  g_free (self);
}

static void
node_free (gpointer data)
{
  C2gGraphNode *self = data;

  g_object_unref (self->def);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_free (self);
}

void
c2g_graph_free (C2gGraph *self)
{
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->values);
  g_hash_table_unref (self->written);
  g_ptr_array_unref (self->made);
  g_object_unref (self->def);
  g_object_unref (self->workspace);
  g_free (self);
}

C2gGraphValue *
c2g_graph_add_value (C2gGraph   *self,
                     const char *name)
{
  C2gGraphValue *value = g_new0 (C2gGraphValue, 1);

  value->name = g_strdup (name);
  value->users = g_ptr_array_new ();
  g_ptr_array_add (self->values, value);
  return value;
}

/* Operators without a device option run on the device of the net. */
static gboolean
is_here (C2gGraph       *self,
         C2gOperatorDef *def)
{
  C2gDevice *device = NULL;

  return c2g_operator_def_resolve_device (def, &device, NULL) &&
         (device == NULL || device == self->device);
}

static C2gGraphNode *
node_new (C2gGraph       *self,
          C2gOperatorDef *def)
{
  C2gGraphNode *node = g_new0 (C2gGraphNode, 1);

  node->def = def;
  if (is_here (self, def))
    node->traits = c2g_operator_registry_find_traits (def);
  if (node->traits != C2G_TRAIT_NONE)
    node->role = c2g_operator_registry_find_kernel (c2g_operator_def_get_op_type (def))->role;
  node->inputs = g_ptr_array_new ();
  node->outputs = g_ptr_array_new ();
  return node;
}

C2gGraphNode *
c2g_graph_add_node (C2gGraph       *self,
                    guint           position,
                    C2gRole         role)
{
  C2gGraphNode *node = node_new (self, c2g_operator_def_new (c2g_operator_registry_find_role (role)));

  g_ptr_array_insert (self->nodes, (int) position, node);
  return node;
}

C2gGraphNode *
c2g_graph_add_node_like (C2gGraph           *self,
                         guint               position,
                         const C2gGraphNode *like)
{
  C2gGraphNode *node = node_new (self, c2g_operator_def_copy (like->def));

  g_ptr_array_insert (self->nodes, (int) position, node);
  return node;
}

void
c2g_graph_set_role (C2gGraphNode *node,
                    C2gRole       role)
{
  c2g_operator_def_set_op_type (node->def, c2g_operator_registry_find_role (role));
  node->role = role;
}

void
c2g_graph_add_input (C2gGraphNode  *node,
                     C2gGraphValue *value)
{
  g_ptr_array_add (node->inputs, value);
  g_ptr_array_add (value->users, node);
}

void
c2g_graph_set_input (C2gGraphNode  *node,
                     guint          index,
                     C2gGraphValue *value)
{
  C2gGraphValue *old = c2g_graph_input (node, index);

  g_ptr_array_remove (old->users, node);
  node->inputs->pdata[index] = value;
  g_ptr_array_add (value->users, node);
}

void
c2g_graph_take_output (C2gGraphNode  *node,
                       guint          index,
                       C2gGraphValue *value)
{
  C2gGraphValue *old = c2g_graph_output (node, index);

  if (old != NULL)
    old->producer = NULL;
  else
    g_ptr_array_set_size (node->outputs, (int) index + 1);
  node->outputs->pdata[index] = value;
  value->producer = node;
}

void
c2g_graph_convert (C2gGraph      *self,
                   guint          position,
                   C2gRole        role,
                   C2gGraphValue *from,
                   C2gGraphValue *to)
{
  C2gGraphNode *node = c2g_graph_add_node (self, position, role);

  c2g_graph_add_input (node, from);
  c2g_graph_take_output (node, 0, to);
  from->other = to;
  to->other = from;
}

void
c2g_graph_remove_node (C2gGraph     *self,
                       C2gGraphNode *node)
{
  for (guint i = 0; i < node->inputs->len; i++)
    g_ptr_array_remove (c2g_graph_input (node, i)->users, node);
  for (guint i = 0; i < node->outputs->len; i++)
    if (c2g_graph_output (node, i)->producer == node)
      c2g_graph_output (node, i)->producer = NULL;
  g_ptr_array_remove (self->nodes, node);
}

C2gGraphNode *
c2g_graph_only_user (const C2gGraphValue *value)
{
  return !value->is_fixed && value->users->len == 1 ? g_ptr_array_index (value->users, 0) : NULL;
}

gboolean
c2g_graph_has_role (const C2gGraphNode *node,
                    C2gRole             role)
{
  return node != NULL && node->role == role;
}

gboolean
c2g_graph_knows_engine (C2gOperatorDef *def,
                        const char     *engine)
{
  g_auto (GStrv) engines = c2g_operator_list_engines (c2g_operator_def_get_op_type (def),
                                                      C2G_DEVICE_TYPE_CPU);

  return engine != NULL && *engine != '\0' &&
         g_strv_contains ((const char * const *) engines, engine);
}

gboolean
c2g_graph_has_engine (const C2gGraphNode *node)
{
  return c2g_graph_knows_engine (node->def, c2g_operator_def_get_engine (node->def));
}

gboolean
c2g_graph_is_nhwc (const C2gGraphNode *node)
{
  C2gArgument *order = c2g_operator_def_find (node->def, "order");

  return order != NULL && g_strcmp0 (c2g_argument_get_string (order, NULL), "NHWC") == 0;
}

/* Building the graph from a net */

/* Returns the current value of the name. The first use of a name creates an external value. */
static C2gGraphValue *
find_value (C2gGraph   *self,
            GHashTable *values,
            const char *name)
{
  C2gGraphValue *value = g_hash_table_lookup (values, name);

  if (value == NULL)
    {
      value = c2g_graph_add_value (self, name);
      value->is_fixed = TRUE;
      g_hash_table_insert (values, value->name, value);
    }
  return value;
}

/* Returns TRUE if the operator passes its schema, so that the passes find all inputs and
 * outputs. */
static gboolean
is_valid (C2gOperatorDef *def)
{
  C2gOperatorSchema *schema =
    c2g_operator_registry_find_schema (c2g_operator_def_get_op_type (def));

  return schema != NULL && c2g_operator_schema_check (schema, def, NULL);
}

/* Drops the suffixes 1D, 2D and 3D if the type without the suffix is the same operator: engines know
 * more of the general types. */
static void
generalize (C2gOperatorDef *op)
{
  const char *op_type = c2g_operator_def_get_op_type (op);
  const C2gKernel *kernel = c2g_operator_registry_find_kernel (op_type), *general;
  g_autofree char *name = NULL;

  if (kernel == NULL || kernel->traits == C2G_TRAIT_NONE ||
      !(g_str_has_suffix (op_type, "1D") || g_str_has_suffix (op_type, "2D") ||
        g_str_has_suffix (op_type, "3D")))
    return;

  name = g_strndup (op_type, strlen (op_type) - 2);
  general = c2g_operator_registry_find_kernel (name);
  if (general != NULL && general->run == kernel->run)
    c2g_operator_def_set_op_type (op, name);
}

static void
read_operator (C2gGraph       *self,
               GHashTable     *values,
               C2gOperatorDef *op)
{
  C2gGraphNode *node;
  const char * const *names = c2g_operator_def_get_inputs (op);
  gboolean is_pure;

  generalize (op);
  node = node_new (self, g_object_ref (op));
  if (!is_valid (op))
    {
      node->traits = C2G_TRAIT_NONE;
      node->role = C2G_ROLE_NONE;
    }
  is_pure = (node->traits & C2G_TRAIT_PURE) != 0;
  g_ptr_array_add (self->nodes, node);
  for (gsize i = 0; names[i] != NULL; i++)
    {
      C2gGraphValue *value = find_value (self, values, names[i]);

      value->is_fixed |= !is_pure;
      c2g_graph_add_input (node, value);
    }

  names = c2g_operator_def_get_outputs (op);
  for (gsize i = 0; names[i] != NULL; i++)
    {
      C2gGraphValue *value = c2g_graph_add_value (self, names[i]);

      value->is_fixed = !is_pure;
      g_hash_table_add (self->written, g_strdup (names[i]));
      c2g_graph_take_output (node, i, value);
      g_hash_table_replace (values, value->name, value);
    }
}

/* Fixes the external outputs. If the net declares none, the outputs of the last operator count as
 * such, as in C2gPredictor. */
static void
fix_outputs (C2gGraph   *self,
             GHashTable *values)
{
  const char * const *names = c2g_net_def_get_external_outputs (self->def);
  const C2gGraphNode *last;

  for (gsize i = 0; names[i] != NULL; i++)
    {
      C2gGraphValue *value = g_hash_table_lookup (values, names[i]);

      if (value != NULL)
        value->is_fixed = TRUE;
    }
  if (names[0] != NULL || self->nodes->len == 0)
    return;

  last = g_ptr_array_index (self->nodes, self->nodes->len - 1);
  for (guint i = 0; i < last->outputs->len; i++)
    c2g_graph_output (last, i)->is_fixed = TRUE;
}

/* Nets in arguments read and write blobs that the operator's inputs and outputs do not list. */
static gboolean
has_inner_nets (C2gOperatorDef *op)
{
  gsize n_arguments;
  C2gArgument *const *arguments = c2g_operator_def_peek_arguments (op, &n_arguments);
  gboolean found = FALSE;

  for (gsize i = 0; i < n_arguments; i++)
    {
      const C2gArgumentKind kind = c2g_argument_get_kind (arguments[i]);

      found |= kind == C2G_ARGUMENT_KIND_NET || kind == C2G_ARGUMENT_KIND_NETS;
    }
  return found;
}

static gboolean
is_plain (C2gNetDef *def)
{
  gboolean is_plain = TRUE;

  for (gsize i = 0; is_plain && i < c2g_net_def_get_n_operators (def); i++)
    {
      C2gOperatorDef *op = c2g_net_def_get_operator (def, i);

      is_plain = c2g_operator_def_get_n_control_inputs (op) == 0 && !has_inner_nets (op);
    }
  return is_plain;
}

C2gGraph *
c2g_graph_new (C2gNetDef          *def,
               C2gWorkspace       *workspace,
               const char * const *given)
{
  g_autoptr (GHashTable) values = NULL;
  C2gDevice *device = NULL;
  C2gGraph *self;

  if (!is_plain (def) || !c2g_net_def_resolve_device (def, &device, NULL))
    return NULL;

  values = g_hash_table_new (g_str_hash, g_str_equal);
  self = g_new0 (C2gGraph, 1);
  self->def = c2g_net_def_copy (def);
  self->workspace = g_object_ref (workspace);
  self->device = device != NULL ? device : c2g_device_cpu ();
  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->values = g_ptr_array_new_with_free_func (value_free);
  self->written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->made = g_ptr_array_new ();

  for (gsize i = 0; given != NULL && given[i] != NULL; i++)
    g_hash_table_add (self->written, g_strdup (given[i]));
  for (gsize i = 0; i < c2g_net_def_get_n_operators (self->def); i++)
    read_operator (self, values, c2g_net_def_get_operator (self->def, i));
  fix_outputs (self, values);
  return self;
}

/* Parameters */

/* Returns a reference to the blob of a value if that is floats that the net does not write. A net on
 * the CPU does not compute with those of other devices. */
static C2gBlob *
find_blob (C2gGraph      *self,
           C2gGraphValue *value)
{
  g_autoptr (C2gBlob) blob = NULL;
  C2gTensor *tensor;

  if (value == NULL || value->producer != NULL ||
      g_hash_table_contains (self->written, value->name))
    return NULL;
  blob = c2g_workspace_get_blob (self->workspace, value->name, NULL);
  if (blob == NULL || !c2g_blob_is_tensor (blob, NULL))
    return NULL;

  tensor = c2g_blob_get_tensor (blob, NULL);
  if (tensor == NULL || c2g_tensor_get_data_type (tensor) != C2G_DATA_TYPE_FLOAT ||
      (self->device == c2g_device_cpu () && tensor->device != self->device) ||
      c2g_tensor_address (tensor) == NULL)
    return NULL;
  return g_steal_pointer (&blob);
}

gboolean
c2g_graph_has_parameter (C2gGraph      *self,
                         C2gGraphValue *value)
{
  g_autoptr (C2gBlob) blob = find_blob (self, value);

  return blob != NULL;
}

C2gTensor *
c2g_graph_find_parameter (C2gGraph      *self,
                          C2gGraphValue *value)
{
  g_autoptr (C2gBlob) blob = find_blob (self, value);

  if (blob == NULL)
    return NULL;
  if (self->sources != NULL && !value->is_source && !c2g_graph_sources_add (self->sources, blob))
    return NULL;
  value->is_source = TRUE;
  return c2g_blob_get_tensor (blob, NULL);
}

static gboolean
is_free (C2gGraph   *self,
         const char *name)
{
  return !g_hash_table_contains (self->written, name) &&
         !c2g_workspace_has_blob (self->workspace, name);
}

char *
c2g_graph_find_name (C2gGraph   *self,
                     const char *name)
{
  char *free_name = g_strdup (name);

  for (guint i = 2; !is_free (self, free_name); i++)
    {
      g_free (free_name);
      free_name = g_strdup_printf ("%s_%u", name, i);
    }
  return free_name;
}

static C2gGraphValue *
add_blob (C2gGraph    *self,
          const char  *name,
          const char  *suffix,
          C2gBlob    **blob,
          GError     **error)
{
  g_autofree char *wanted = g_strconcat (name, suffix, NULL);
  g_autofree char *free_name = c2g_graph_find_name (self, wanted);
  C2gGraphValue *value;

  *blob = c2g_workspace_create_local_blob (self->workspace, free_name, error);
  if (*blob == NULL)
    return NULL;
  value = c2g_graph_add_value (self, free_name);
  value->is_fixed = TRUE;
  value->is_source = TRUE;
  g_ptr_array_add (self->made, value);
  return value;
}

C2gGraphValue *
c2g_graph_add_parameter (C2gGraph    *self,
                         const char  *name,
                         const char  *suffix,
                         C2gTensor  **tensor,
                         GError     **error)
{
  g_autoptr (C2gBlob) blob = NULL;
  C2gGraphValue *value = add_blob (self, name, suffix, &blob, error);

  *tensor = value != NULL ? c2g_blob_ensure_tensor (blob, c2g_device_cpu (), error) : NULL;
  return *tensor != NULL ? value : NULL;
}

C2gGraphValue *
c2g_graph_put_parameter (C2gGraph             *self,
                         const C2gGraphValue  *value,
                         const char           *suffix,
                         C2gTensor            *tensor,
                         GError              **error)
{
  g_autoptr (C2gBlob) blob = NULL;
  C2gGraphValue *made = add_blob (self, value->name, suffix, &blob, error);

  if (made != NULL)
    c2g_blob_set_object (blob, G_OBJECT (tensor));
  return made;
}

void
c2g_graph_drop_parameters (C2gGraph *self,
                           gboolean  are_all)
{
  for (guint i = self->made->len; i > 0; i--)
    {
      const C2gGraphValue *value = g_ptr_array_index (self->made, i - 1);

      if (!are_all && value->users->len > 0)
        continue;
      c2g_workspace_remove_blob (self->workspace, value->name);
      g_ptr_array_remove_index (self->made, i - 1);
    }
}
