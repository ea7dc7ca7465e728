/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/content/c2g-snapshot-private.h>

#include <c2g/core/tensor/c2g-int8-tensor.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

/* Snapshots of blobs, which saving takes in the caller's thread before it writes in another one. */

/* Strings and elements of registered types are objects that are freed when they are replaced. So
 * these tensors are cloned, which only references strings and objects. Plain tensors share
 * memory. */
static C2gTensor *
hold_tensor (C2gTensor  *tensor,
             GError    **error)
{
  if (c2g_tensor_is_allocated (tensor) && !tensor->meta->is_plain &&
      c2g_type_meta_can_copy (tensor->meta))
    return c2g_tensor_clone (tensor, NULL, error);

  return c2g_tensor_new_sharing (tensor);
}

static GObject *
hold_int8_tensor (C2gInt8Tensor  *quantized,
                  GError        **error)
{
  g_autoptr (C2gTensor) tensor = hold_tensor (c2g_int8_tensor_get_tensor (quantized), error);
  C2gInt8Tensor *held;

  if (tensor == NULL)
    return NULL;

  held = g_object_new (C2G_TYPE_INT8_TENSOR, NULL);
  c2g_int8_tensor_set_tensor (held, tensor);
  c2g_int8_tensor_set_scale (held, c2g_int8_tensor_get_scale (quantized));
  c2g_int8_tensor_set_zero_point (held, c2g_int8_tensor_get_zero_point (quantized));
  return G_OBJECT (held);
}

/* Other objects that c2g can write never free their memory before they are finalized. */
static GObject *
hold_object (GObject  *object,
             GError  **error)
{
  if (C2G_IS_TENSOR (object))
    return (GObject *) hold_tensor (C2G_TENSOR (object), error);
  if (C2G_IS_INT8_TENSOR (object))
    return hold_int8_tensor (C2G_INT8_TENSOR (object), error);

  return g_object_ref (object);
}

C2gBlob *
c2g_snapshot_new (C2gBlob *blob)
{
  C2gBlob *self = c2g_blob_new ();
  C2gBlobContent content;

  c2g_blob_dup_content (blob, &content);
  c2g_blob_replace (self, &content);
  return self;
}

C2gBlob *
c2g_snapshot_hold (C2gBlob        *blob,
                   C2gSerializer  *serializer,
                   GError        **error)
{
  GObject *object = c2g_blob_get_object (blob);
  g_autoptr (GObject) held = NULL;
  C2gBlob *self;

  if (serializer != NULL && C2G_SERIALIZER_GET_CLASS (serializer)->funcs == NULL)
    return g_object_ref (blob);
  if (object == NULL)
    return c2g_snapshot_new (blob);

  held = hold_object (object, error);
  if (held == NULL)
    return NULL;

  self = c2g_blob_new ();
  c2g_blob_set_object (self, held);
  return self;
}
