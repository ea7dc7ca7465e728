/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-workspace.h>

#include <c2g/core/workspace/c2g-blob-private.h>
#include <c2g/core/workspace/c2g-workspace-private.h>

/* Shortcuts for blobs that hold tensors, which are the most common: one call replaces four. */

/**
 * c2g_workspace_get_tensor:
 * @self: a workspace
 * @name: the name of a blob
 * @error: return location for an error
 *
 * Gets the tensor that a blob holds.
 *
 * This is [method@Workspace.get_blob] and [method@Blob.get_tensor] in one.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no such blob, `C2G_ERROR_TYPE` if it holds
 * no tensor.
 *
 * Returns: (transfer full): the tensor
 */
C2gTensor *
c2g_workspace_get_tensor (C2gWorkspace  *self,
                          const char    *name,
                          GError       **error)
{
  g_autoptr (C2gBlob) blob = NULL;
  C2gBlobContent content;
  C2gTensor *tensor;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  blob = c2g_workspace_get_blob (self, name, error);
  if (blob == NULL)
    return NULL;

  c2g_blob_dup_content (blob, &content);
  tensor = c2g_blob_content_get_tensor (&content);
  /* The reference of the copied content becomes the caller's. */
  if (tensor != NULL)
    return tensor;

  c2g_blob_content_clear (&content);
  c2g_blob_set_type_error (blob, g_type_name (C2G_TYPE_TENSOR), error);
  return NULL;
}

/**
 * c2g_workspace_create_tensor:
 * @self: a workspace
 * @name: the name of a blob
 * @data_type: the type of the elements
 * @dims: (nullable) (array length=n_dims): the dimensions; none for a scalar
 * @n_dims: the number of dimensions
 * @error: return location for an error
 *
 * Makes a blob hold a new tensor of a shape, with memory on the CPU.
 *
 * The blob is the one that [method@Workspace.create_blob] returns. A new blob is added only
 * after it has the tensor, so other threads never see it empty. In an existing blob the new
 * tensor replaces the old content; references to an old tensor stay valid. Several threads may
 * create tensors of one name: the blob holds the last one. The elements are undefined, and
 * strings empty.
 *
 * For a tensor on another device use [method@Blob.ensure_tensor].
 *
 * ```python
 * weights = workspace.create_tensor('weights', C2g.DataType.FLOAT, [64, 3, 3, 3])
 * ```
 *
 * If it fails, the workspace is as it was. Errors: those of
 * [method@Workspace.create_blob], of [method@Tensor.resize] and of
 * [method@Tensor.allocate].
 *
 * Returns: (transfer full): the tensor
 */
C2gTensor *
c2g_workspace_create_tensor (C2gWorkspace  *self,
                             const char    *name,
                             C2gDataType    data_type,
                             const gint64  *dims,
                             gsize          n_dims,
                             GError       **error)
{
  g_autoptr (C2gTensor) tensor = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  tensor = c2g_tensor_new_sized (dims, n_dims, NULL, error);
  if (tensor == NULL || !c2g_tensor_allocate (tensor, data_type, error) ||
      !c2g_workspace_set_tensor (self, name, tensor, error))
    return NULL;

  return g_steal_pointer (&tensor);
}

/**
 * c2g_workspace_set_tensor:
 * @self: a workspace
 * @name: the name of a blob
 * @tensor: a tensor
 * @error: return location for an error
 *
 * Makes a blob hold a tensor: this one, not a copy.
 *
 * The blob is the one that [method@Workspace.create_blob] returns. A new blob is added only
 * after it has the tensor, so other threads never see it empty. In an existing blob the tensor
 * replaces the old content; references to an old tensor stay valid.
 *
 * In Vala it is `workspace["x"] = tensor`.
 *
 * Errors: those of [method@Workspace.create_blob].
 *
 * Returns: whether the blob holds the tensor
 */
gboolean
c2g_workspace_set_tensor (C2gWorkspace  *self,
                          const char    *name,
                          C2gTensor     *tensor,
                          GError       **error)
{
  g_autoptr (C2gBlob) made = NULL;
  g_autoptr (C2gBlob) blob = NULL;

  g_return_val_if_fail (C2G_IS_WORKSPACE (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (C2G_IS_TENSOR (tensor), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  made = c2g_blob_new_named (name);
  c2g_blob_set_object (made, G_OBJECT (tensor));
  blob = c2g_workspace_enter_blob (self, made, error);
  if (blob == NULL)
    return FALSE;
  if (blob != made)
    c2g_blob_set_object (blob, G_OBJECT (tensor));

  return TRUE;
}
