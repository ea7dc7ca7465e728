/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layer-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/net/operator/c2g-operator-schema.h>
#include <c2g/net/operator/c2g-operator.h>

#include <string.h>

/* The functions that the translators of all types of Caffe layers share: they name bottoms and tops,
 * report errors, and append operators to the net of Caffe2. Each operator infers the shapes of its
 * outputs when it is appended, so the translator of a later layer can look up the shapes it needs. */

const char *
c2g_caffe_layer_bottom (C2gCaffeLayer *self,
                        guint          i)
{
  return self->bottoms->pdata[i];
}

const char *
c2g_caffe_layer_top (C2gCaffeLayer *self,
                     guint          i)
{
  return self->tops->pdata[i];
}

gboolean
c2g_caffe_layer_explain (C2gCaffeLayer  *self,
                         GError        **error)
{
  g_prefix_error (error, _("Line %u, layer “%s” (%s): "), self->field->line, self->name,
                  self->type != NULL ? self->type->name : "?");
  return FALSE;
}

gboolean
c2g_caffe_layer_refuse (C2gCaffeLayer  *self,
                        const char     *what,
                        GError        **error)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, what);
  return FALSE;
}

/* Returns the tensor of a blob if its shape is known, or NULL. The workspace of the translation
 * keeps it. */
static C2gTensor *
get_tensor (C2gCaffeNet *net,
            const char  *name)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (net->workspace, name, NULL);
  C2gTensor *tensor = blob != NULL && c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;

  return tensor != NULL && c2g_tensor_get_type_meta (tensor) != NULL ? tensor : NULL;
}

const gint64 *
c2g_caffe_net_peek_dims (C2gCaffeNet *self,
                         const char  *name,
                         gsize       *n_dims)
{
  C2gTensor *tensor = get_tensor (self, name);

  *n_dims = 0;
  return tensor != NULL ? c2g_tensor_get_dims (tensor, n_dims) : NULL;
}

const gint64 *
c2g_caffe_layer_peek_dims (C2gCaffeLayer *self,
                           guint          bottom,
                           gsize         *n_dims)
{
  return c2g_caffe_net_peek_dims (self->net, c2g_caffe_layer_bottom (self, bottom), n_dims);
}

const gint64 *
c2g_caffe_layer_need_dims (C2gCaffeLayer  *self,
                           guint           bottom,
                           gsize          *n_dims,
                           GError        **error)
{
  const gint64 *dims = c2g_caffe_layer_peek_dims (self, bottom, n_dims);

  if (get_tensor (self->net, c2g_caffe_layer_bottom (self, bottom)) == NULL)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("The shape of “%s” is needed, and not known: the text has to give the inputs shapes"),
                          c2g_caffe_layer_bottom (self, bottom));
  /* The address of a scalar's dimensions must not be NULL. */
  return dims != NULL ? dims : (const gint64 *) "";
}

/* Caffe's limit on the number of axes. It stands for the number of axes of an unknown shape. */
#define MAX_AXES 32

gboolean
c2g_caffe_layer_get_axis (C2gCaffeLayer  *self,
                          const char     *field,
                          gint64          otherwise,
                          gint64         *axis,
                          GError        **error)
{
  gsize n_dims;

  *axis = c2g_prototxt_get_int (&self->net->text, self->param, field, otherwise);
  if (*axis < 0 && c2g_caffe_layer_need_dims (self, 0, &n_dims, error) == NULL)
    return FALSE;
  if (c2g_caffe_layer_peek_dims (self, 0, &n_dims) == NULL)
    n_dims = MAX_AXES;
  if (*axis >= -(gint64) n_dims && *axis < (gint64) n_dims)
    {
      *axis += *axis < 0 ? n_dims : 0;
      return TRUE;
    }

  return c2g_fail (error, C2G_ERROR_RANGE, _("There is no axis %" PRId64 " of %zu"), *axis, n_dims);
}

const char *
c2g_caffe_layer_new_name (C2gCaffeLayer *self,
                          const char    *front,
                          const char    *back)
{
  GHashTable *names = self->net->names;
  g_autofree char *name = g_strdup_printf ("%s/%s", front, back);
  const char *kept;

  while (g_hash_table_contains (names, name))
    {
      g_free (name);
      name = g_strdup_printf ("%s/%s/%u", front, back, ++self->net->n_suffixes);
    }
  kept = g_string_chunk_insert_const (self->net->strings, name);
  g_hash_table_add (names, (char *) kept);
  return kept;
}

C2gOperatorDef *
c2g_caffe_layer_new_op (C2gCaffeLayer *self,
                        const char    *op_type,
                        ...)
{
  C2gOperatorDef *op = c2g_operator_def_new (op_type);
  const char *input;
  va_list inputs;

  va_start (inputs, op_type);
  while ((input = va_arg (inputs, const char *)) != NULL)
    c2g_operator_def_add_input (op, input);
  va_end (inputs);
  return op;
}

/* Returns TRUE if the operator may overwrite the blob: it must not be an input or parameter of the
 * net, and the operator must allow it in place. */
static gboolean
may_write (C2gCaffeLayer  *self,
           C2gOperatorDef *op,
           const char     *output,
           guint           place)
{
  g_autoptr (C2gOperatorSchema) schema = NULL;
  const char *const *inputs = c2g_operator_def_get_inputs (op);

  if (g_hash_table_contains (self->net->inputs, output))
    return FALSE;
  schema = c2g_operator_schema_lookup (c2g_operator_def_get_op_type (op), NULL);
  for (guint i = 0; inputs[i] != NULL; i++)
    if (g_str_equal (inputs[i], output) &&
        (schema == NULL || !c2g_operator_schema_is_in_place_allowed (schema, i, place)))
      return FALSE;

  return TRUE;
}

void
c2g_caffe_layer_add_top (C2gCaffeLayer  *self,
                         C2gOperatorDef *op,
                         guint           i)
{
  const char *top = c2g_caffe_layer_top (self, i);

  if (!may_write (self, op, top, c2g_operator_def_get_n_outputs (op)))
    self->tops->pdata[i] = (char *) c2g_caffe_layer_new_name (self, top, self->name);
  c2g_operator_def_add_output (op, self->tops->pdata[i]);
}

static gboolean
are_known (C2gCaffeNet    *net,
           C2gOperatorDef *op)
{
  const char *const *inputs = c2g_operator_def_get_inputs (op);

  for (guint i = 0; inputs[i] != NULL; i++)
    if (get_tensor (net, inputs[i]) == NULL)
      return FALSE;

  return TRUE;
}

/* Forgets the shapes of the outputs, because the new ones cannot be inferred. */
static gboolean
forget_outputs (C2gCaffeNet    *net,
                C2gOperatorDef *op)
{
  const char *const *outputs = c2g_operator_def_get_outputs (op);

  for (guint i = 0; outputs[i] != NULL; i++)
    c2g_workspace_remove_blob (net->workspace, outputs[i]);
  return TRUE;
}

/* Infers the shapes of the outputs if those of all inputs are known. An error means that a blob does
 * not fit the layer. */
static gboolean
infer (C2gCaffeNet     *net,
       C2gOperatorDef  *op,
       GError         **error)
{
  g_autoptr (C2gOperator) run = NULL;
  GError *local_error = NULL;

  if (!are_known (net, op))
    return forget_outputs (net, op);
  run = c2g_operator_create (op, net->workspace, &local_error);
  if (run != NULL && c2g_operator_infer (run, &local_error))
    return TRUE;
  if (run != NULL && g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    {
      g_error_free (local_error);
      return forget_outputs (net, op);
    }
  g_propagate_error (error, local_error);
  return FALSE;
}

/* Limit on the total size of the names in all operators, as a multiple of the size of the text. A layer
 * may become many operators, and each repeats names that the text has once. Real nets need less than
 * ten times the size. */
#define MAX_NAMES_FACTOR 64

static gsize
count_bytes (const char *const *names)
{
  gsize n = 0;

  for (; *names != NULL; names++)
    n += strlen (*names) + 1;
  return n;
}

static gboolean
count_names (C2gCaffeNet     *net,
             C2gOperatorDef  *op,
             GError         **error)
{
  const gsize n_text_bytes = (gsize) (net->text.reader.end - net->text.reader.begin);

  net->n_name_bytes += strlen (c2g_operator_def_get_name (op)) + count_bytes (c2g_operator_def_get_inputs (op)) +
                       count_bytes (c2g_operator_def_get_outputs (op));
  if (net->n_name_bytes / MAX_NAMES_FACTOR <= n_text_bytes)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_CORRUPT,
                   _("The names in the net would take far more memory than the text"));
}

gboolean
c2g_caffe_layer_emit (C2gCaffeLayer   *self,
                      C2gOperatorDef  *op,
                      GError         **error)
{
  g_autoptr (C2gOperatorDef) owned = op;

  c2g_operator_def_set_name (op, self->name);
  if (c2g_operator_def_get_n_outputs (op) == 0)
    for (guint i = 0; i < self->tops->len; i++)
      c2g_caffe_layer_add_top (self, op, i);
  c2g_net_def_add_operator (self->net->net, op);
  return count_names (self->net, op, error) && infer (self->net, op, error);
}

gboolean
c2g_caffe_layer_emit_reshape (C2gCaffeLayer  *self,
                              const char     *source,
                              const gint64   *dims,
                              gsize           n_dims,
                              const char     *output,
                              GError        **error)
{
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "Reshape", source, NULL);

  c2g_operator_def_set_ints (op, "shape", dims, n_dims);
  if (output != NULL)
    c2g_operator_def_add_output (op, output);
  else
    c2g_caffe_layer_add_top (self, op, 0);
  c2g_operator_def_add_output (op, c2g_caffe_layer_new_name (self, self->name, "old_shape"));
  return c2g_caffe_layer_emit (self, op, error);
}

gboolean
c2g_caffe_layer_emit_cast (C2gCaffeLayer  *self,
                           const char     *source,
                           C2gDataType     data_type,
                           const char     *output,
                           GError        **error)
{
  C2gOperatorDef *op = c2g_caffe_layer_new_op (self, "Cast", source, NULL);

  c2g_operator_def_set_int (op, "to", data_type);
  if (output != NULL)
    c2g_operator_def_add_output (op, output);
  return c2g_caffe_layer_emit (self, op, error);
}
