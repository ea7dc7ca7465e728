/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-operator-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

/* Gives operators the tensors of their inputs, checked, and those of their outputs, resized and
 * allocated. While shapes are inferred, inputs need no data and outputs get no memory. */

/**
 * c2g_operator_get_n_inputs:
 * @self: an operator
 *
 * Tells how many blobs the operator reads.
 *
 * Returns: how many
 */
guint
c2g_operator_get_n_inputs (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), 0);

  return c2g_operator_get_private (self)->n_inputs;
}

/**
 * c2g_operator_get_n_outputs:
 * @self: an operator
 *
 * Tells how many blobs the operator writes.
 *
 * Returns: how many
 */
guint
c2g_operator_get_n_outputs (C2gOperator *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), 0);

  return c2g_operator_get_private (self)->n_outputs;
}

static int
find_name (const char * const *names,
           const char          *name)
{
  for (int i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return i;

  return -1;
}

/**
 * c2g_operator_find_input:
 * @self: an operator
 * @name: the name of a blob, as the definition has it
 *
 * Finds which input a blob is.
 *
 * Returns: its number, -1 if it is none
 */
int
c2g_operator_find_input (C2gOperator *self,
                         const char  *name)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), -1);
  g_return_val_if_fail (name != NULL, -1);

  return find_name (c2g_operator_def_get_inputs (c2g_operator_get_private (self)->def), name);
}

/**
 * c2g_operator_find_output:
 * @self: an operator
 * @name: the name of a blob, as the definition has it
 *
 * Finds which output a blob is.
 *
 * Returns: its number, -1 if it is none
 */
int
c2g_operator_find_output (C2gOperator *self,
                          const char  *name)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), -1);
  g_return_val_if_fail (name != NULL, -1);

  return find_name (c2g_operator_def_get_outputs (c2g_operator_get_private (self)->def), name);
}

/**
 * c2g_operator_get_input:
 * @self: an operator
 * @input: the number of an input
 *
 * Gets a blob that the operator reads.
 *
 * Returns: (transfer none) (nullable): the blob, or `NULL` if there is none
 */
C2gBlob *
c2g_operator_get_input (C2gOperator *self,
                        guint        input)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return input < c2g_operator_get_private (self)->n_inputs
           ? c2g_operator_get_private (self)->inputs[input]
           : NULL;
}

/**
 * c2g_operator_get_output:
 * @self: an operator
 * @output: the number of an output
 *
 * Gets a blob that the operator writes.
 *
 * Returns: (transfer none) (nullable): the blob, or `NULL` if there is none
 */
C2gBlob *
c2g_operator_get_output (C2gOperator *self,
                         guint        output)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);

  return output < c2g_operator_get_private (self)->n_outputs
           ? c2g_operator_get_private (self)->outputs[output]
           : NULL;
}

static const char *
get_input_name (C2gOperator *self,
                guint        input)
{
  return c2g_operator_def_get_inputs (c2g_operator_get_private (self)->def)[input];
}

/* Returns the operator type that copies a tensor between these devices, for the error message. */
static const char *
name_copy (C2gDevice *from,
           C2gDevice *to)
{
  if (c2g_device_get_device_type (to) == C2G_DEVICE_TYPE_CPU)
    return "CopyGPUToCPU";
  return c2g_device_get_device_type (from) == C2G_DEVICE_TYPE_CPU ? "CopyCPUToGPU" : "Copy";
}

static gboolean
check_device (C2gOperator  *self,
              guint         input,
              C2gTensor    *tensor,
              GError      **error)
{
  C2gDevice *device = c2g_operator_get_private (self)->device;

  if (tensor->device == device)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_DEVICE,
                   _("Input %u, “%s”, is on %s, expected %s; the operator %s brings it there"),
                   input, get_input_name (self, input), c2g_device_to_string (tensor->device),
                   c2g_device_to_string (device), name_copy (tensor->device, device));
}

/* The check for shape inference: an input needs a shape and a type, but no data. */
static gboolean
check_shape (C2gOperator  *self,
             guint         input,
             C2gTensor    *tensor,
             GError      **error)
{
  if (tensor->meta != NULL && tensor->is_defined)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_FOUND,
                   _("Input %u, “%s”, has no shape or no type of elements yet"), input,
                   get_input_name (self, input));
}

static gboolean
check_data (C2gOperator  *self,
            guint         input,
            C2gTensor    *tensor,
            GError      **error)
{
  if (tensor->meta != NULL && (tensor->storage != NULL || tensor->n_elements == 0))
    return TRUE;
  if (c2g_operator_get_private (self)->is_inferring)
    return check_shape (self, input, tensor, error);

  return c2g_fail (error, C2G_ERROR_NOT_FOUND, _("Input %u, “%s”, has no data yet"), input,
                   get_input_name (self, input));
}

static gboolean
check_type (C2gOperator  *self,
            guint         input,
            C2gTensor    *tensor,
            C2gDataType   wanted,
            GError      **error)
{
  if (wanted == C2G_DATA_TYPE_UNDEFINED || c2g_tensor_get_data_type (tensor) == wanted)
    return TRUE;

  return c2g_operator_set_type_error (self, input, c2g_data_type_get_name (wanted), error);
}

static C2gTensor *
get_tensor (C2gOperator  *self,
            guint         input,
            GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  C2gTensor *tensor = NULL;

  if (G_UNLIKELY (priv->elements != NULL))
    tensor = c2g_operator_get_held_input (priv, input);
  if (tensor == NULL)
    tensor = c2g_blob_get_tensor (priv->inputs[input], error);

  if (tensor == NULL)
    g_prefix_error (error, _("Input %u: "), input);
  return tensor;
}

static C2gTensor *
check_input (C2gOperator  *self,
             guint         input,
             C2gTensor    *tensor,
             C2gDataType   wanted,
             GError      **error)
{
  return check_data (self, input, tensor, error) && check_type (self, input, tensor, wanted, error)
           ? tensor
           : NULL;
}

C2gTensor *
c2g_operator_input (C2gOperator  *self,
                    guint         input,
                    C2gDataType   wanted,
                    GError      **error)
{
  C2gTensor *tensor = get_tensor (self, input, error);

  return tensor != NULL && check_device (self, input, tensor, error)
           ? check_input (self, input, tensor, wanted, error)
           : NULL;
}

C2gTensor *
c2g_operator_input_near_or_far (C2gOperator  *self,
                                guint         input,
                                C2gDataType   wanted,
                                GError      **error)
{
  C2gTensor *tensor = get_tensor (self, input, error);

  return tensor != NULL && (tensor->device->type == C2G_DEVICE_TYPE_CPU ||
                            check_device (self, input, tensor, error))
           ? check_input (self, input, tensor, wanted, error)
           : NULL;
}

gboolean
c2g_operator_read_inputs (C2gOperator  *self,
                          guint         n_inputs,
                          C2gDataType   wanted,
                          C2gTensor   **inputs,
                          GError      **error)
{
  for (guint i = 0; i < n_inputs; i++)
    {
      inputs[i] = c2g_operator_input (self, i, wanted, error);
      if (inputs[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Returns FALSE if another blob holds the same tensor object: resizing the output would change
 * that input or output too. */
static gboolean
check_apart (C2gBlob *const  *blobs,
             guint            n_blobs,
             C2gBlob         *output,
             C2gTensor       *tensor,
             GError         **error)
{
  for (guint i = 0; i < n_blobs; i++)
    if (blobs[i] != output && c2g_blob_content_get_tensor (&blobs[i]->content) == tensor)
      return c2g_fail (error, C2G_ERROR_BUSY, _("The blobs “%s” and “%s” hold the same tensor"),
                       blobs[i]->name, output->name);

  return TRUE;
}

static gboolean
overlaps (const C2gTensor *output,
          C2gBlob         *blob)
{
  C2gTensor *other = c2g_blob_content_get_tensor (&blob->content);

  return other != NULL && other != output && other->storage == output->storage &&
         other->offset < output->offset + output->capacity &&
         output->offset < other->offset + MAX (c2g_tensor_byte_size (other), 1);
}

static gboolean
overlaps_any (const C2gTensor *output,
              C2gBlob *const  *blobs,
              guint            n_blobs)
{
  for (guint i = 0; i < n_blobs; i++)
    if (overlaps (output, blobs[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_input (C2gOperatorPrivate *priv,
          C2gBlob            *blob)
{
  for (guint i = 0; i < priv->n_inputs; i++)
    if (priv->inputs[i] == blob)
      return TRUE;
  return FALSE;
}

/* An input that was checked must not change while the operator runs. So an output that overlaps
 * in memory with another blob of the operator gets a block of its own. */
static gboolean
detach (C2gOperatorPrivate  *priv,
        C2gBlob             *blob,
        C2gTensor           *tensor,
        GError             **error)
{
  C2gTensorChanges changes = { 0 };

  if (tensor->storage == NULL || G_LIKELY (c2g_tensor_is_alone (tensor)) || priv->is_inferring)
    return TRUE;
  if (!overlaps_any (tensor, priv->inputs, priv->n_inputs) &&
      !overlaps_any (tensor, priv->outputs, priv->n_outputs))
    return TRUE;

  if (is_input (priv, blob))
    {
      if (!c2g_tensor_move_to_block (tensor, tensor->capacity, NULL, &changes, error))
        return FALSE;
      c2g_tensor_emit_changes (tensor, &changes);
    }
  else
    c2g_tensor_free_memory (tensor);
  return TRUE;
}

static C2gTensor *
ensure_output (C2gOperatorPrivate  *priv,
               guint                output,
               GError             **error)
{
  C2gBlob *blob = priv->outputs[output];
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, priv->device, error);

  if (tensor == NULL || !check_apart (priv->inputs, priv->n_inputs, blob, tensor, error) ||
      !check_apart (priv->outputs, priv->n_outputs, blob, tensor, error))
    return NULL;
  if (G_UNLIKELY (priv->elements != NULL))
    c2g_operator_hold_former_output (priv, tensor);
  return detach (priv, blob, tensor, error) ? tensor : NULL;
}

/* Counts a sized output. After the last one it returns NULL, which stops the kernel before it
 * computes. */
static C2gTensor *
note_sized (C2gOperatorPrivate  *priv,
            C2gTensor           *tensor,
            GError             **error)
{
  if (priv->n_unsized > 0)
    priv->n_unsized--;
  if (priv->n_unsized > 0)
    return tensor;

  return c2g_fail_null (error, C2G_ERROR_FAILED, "Every output has been sized");
}

/* Signal handlers and foreign element code may have resized the tensor again. */
static gboolean
check_count (C2gTensor    *tensor,
             guint64       n_elements,
             C2gTypeMeta  *meta,
             GError      **error)
{
  if (G_LIKELY ((guint64) tensor->n_elements == n_elements))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_BUSY,
                   _("A signal handler changed the tensor while elements of type “%s” were allocated"),
                   meta->name);
}

static C2gTensor *
make_output (C2gOperator   *self,
             guint          output,
             const gint64  *dims,
             gsize          n_dims,
             C2gTypeMeta   *meta,
             gboolean       keep_contents,
             GError       **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);
  C2gTensor *tensor = ensure_output (priv, output, error);
  guint64 n_elements = 1;

  /* This may overflow only for a shape that c2g_tensor_resize() refuses. */
  for (gsize i = 0; i < n_dims; i++)
    n_elements *= (guint64) dims[i];
  if (tensor == NULL || !c2g_tensor_resize (tensor, dims, n_dims, error))
    return NULL;
  if (G_UNLIKELY (priv->is_inferring))
    return c2g_tensor_set_meta (tensor, meta, error) ? note_sized (priv, tensor, error) : NULL;
  if (!c2g_tensor_allocate_or_copy (tensor, meta, keep_contents, error) ||
      !check_count (tensor, n_elements, meta, error))
    return NULL;
  return G_LIKELY (priv->elements == NULL)
           ? tensor
           : c2g_operator_hold_output (priv, priv->outputs[output], tensor);
}

C2gTensor *
c2g_operator_output_meta (C2gOperator   *self,
                          guint          output,
                          const gint64  *dims,
                          gsize          n_dims,
                          C2gTypeMeta   *meta,
                          GError       **error)
{
  return make_output (self, output, dims, n_dims, meta, FALSE, error);
}

C2gTensor *
c2g_operator_output (C2gOperator   *self,
                     guint          output,
                     const gint64  *dims,
                     gsize          n_dims,
                     C2gDataType    data_type,
                     GError       **error)
{
  C2gTypeMeta *meta = c2g_tensor_meta_for (data_type, error);

  /* An in-place output keeps its elements, in memory that is writable. */
  return meta != NULL ? make_output (self, output, dims, n_dims, meta, TRUE, error) : NULL;
}

C2gTensor *
c2g_operator_output_like (C2gOperator  *self,
                          guint         output,
                          C2gTensor    *like,
                          C2gDataType   data_type,
                          GError      **error)
{
  if (like->is_defined)
    return c2g_operator_output (self, output, like->dims, like->n_dims, data_type, error);

  return c2g_fail_null (error, C2G_ERROR_SHAPE, _("The tensor to resize like has no shape"));
}

static gboolean
check_number (const char  *what,
              guint        number,
              guint        n_numbers,
              GError     **error)
{
  if (number < n_numbers)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("%s %u is not there; there are %u"), what, number,
                   n_numbers);
}

/**
 * c2g_operator_get_input_tensor:
 * @self: an operator
 * @input: the number of an input
 * @error: return location for an error
 *
 * Gets the tensor that an input holds, which must be on the operator's device and have data.
 * While shapes are inferred, see [method@Operator.infer], a shape and a type are enough.
 *
 * Errors: `C2G_ERROR_RANGE` if there is no such input, `C2G_ERROR_TYPE` if the blob holds
 * something else or is empty, `C2G_ERROR_NOT_FOUND` if the tensor has no data,
 * `C2G_ERROR_DEVICE` if it is on another device.
 *
 * Returns: (transfer none): the tensor
 */
C2gTensor *
c2g_operator_get_input_tensor (C2gOperator  *self,
                               guint         input,
                               GError      **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_number (_("Input"), input, c2g_operator_get_private (self)->n_inputs, error))
    return NULL;
  return c2g_operator_input (self, input, C2G_DATA_TYPE_UNDEFINED, error);
}

/**
 * c2g_operator_get_output_tensor:
 * @self: an operator
 * @output: the number of an output
 * @error: return location for an error
 *
 * Gets the tensor that an output holds; a blob that holds something else, or a tensor of
 * another device, gets a new one.
 *
 * A tensor that shares memory with another input or output gets memory of its own. Its
 * elements are copied only if it is an input as well.
 *
 * The operator has to set its shape and type.
 *
 * Errors: `C2G_ERROR_RANGE` if there is no such output, `C2G_ERROR_BUSY` if another blob of
 * the operator holds the same tensor, and those of [method@Blob.ensure_tensor].
 *
 * Returns: (transfer none): the tensor
 */
C2gTensor *
c2g_operator_get_output_tensor (C2gOperator  *self,
                                guint         output,
                                GError      **error)
{
  C2gOperatorPrivate *priv = c2g_operator_get_private (self);

  g_return_val_if_fail (C2G_IS_OPERATOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_number (_("Output"), output, priv->n_outputs, error))
    return NULL;
  return ensure_output (priv, output, error);
}

static char *
describe_shape (C2gOperator *self,
                guint        input)
{
  C2gTensor *tensor = c2g_blob_get_tensor (c2g_operator_get_private (self)->inputs[input], NULL);

  return tensor != NULL ? c2g_shape_to_string (tensor->dims, tensor->n_dims) : g_strdup ("");
}

/* Also shows the shape of input 0: the expected shape usually depends on it, and it may be the
 * wrong one. */
gboolean
c2g_operator_set_shape_error (C2gOperator  *self,
                              guint         input,
                              GError      **error,
                              const char   *expected,
                              ...)
{
  g_autofree char *first_shape = NULL;
  g_autofree char *shape = NULL;
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, expected);
  text = g_strdup_vprintf (expected, args);
  va_end (args);

  shape = describe_shape (self, input);
  if (input == 0)
    return c2g_fail (error, C2G_ERROR_SHAPE, _("Input %u, “%s”, has the shape %s, expected %s"),
                     input, get_input_name (self, input), shape, text);

  first_shape = describe_shape (self, 0);
  return c2g_fail (error, C2G_ERROR_SHAPE,
                   _("Input %u, “%s”, has the shape %s, expected %s; input 0, “%s”, has the shape %s"),
                   input, get_input_name (self, input), shape, text, get_input_name (self, 0),
                   first_shape);
}

gboolean
c2g_operator_set_type_error (C2gOperator  *self,
                             guint         input,
                             const char   *expected,
                             GError      **error)
{
  C2gTensor *tensor = c2g_blob_get_tensor (c2g_operator_get_private (self)->inputs[input], NULL);
  const char *name = tensor != NULL && tensor->meta != NULL ? c2g_type_meta_get_name (tensor->meta) : "";
  const C2gDataType data_type = tensor != NULL ? c2g_tensor_get_data_type (tensor) : C2G_DATA_TYPE_UNDEFINED;

  g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
               _("Input %u, “%s”, has elements of type %s, expected %s"), input,
               get_input_name (self, input), name, expected);
  /* The numbers of many languages and of NumPy are double or 64-bit integers. "float16" is another type. */
  if (error != NULL && g_str_has_prefix (expected, "float") && !g_ascii_isalnum (expected[5]) &&
      data_type != C2G_DATA_TYPE_UNDEFINED && data_type != C2G_DATA_TYPE_STRING)
    {
      g_autofree char *message = g_steal_pointer (&(*error)->message);

      (*error)->message = g_strdup_printf (_("%s; convert it to float"), message);
    }
  return FALSE;
}
