/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-far-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/device/c2g-device-backend-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>

/* Prepares work on the elements of tensors in device memory, for tensor functions that can run on a
 * device. */

gboolean
c2g_far_has (C2gTensor      *tensor,
             C2gComputeKind  kind)
{
  return tensor->n_elements > 0 && c2g_device_backend_has_compute (tensor->device, kind);
}

static gboolean
wait_for_uses (C2gFar     *self,
               C2gTensor  *tensor,
               GError    **error)
{
  return tensor->storage == NULL ||
         c2g_storage_wait_for_uses (tensor->storage, self->context, error);
}

static gboolean
end_use (C2gFar     *self,
         C2gTensor  *tensor,
         GError    **error)
{
  return tensor == NULL || tensor->storage == NULL ||
         c2g_storage_end_use (tensor->storage, self->context, error);
}

static C2gTensor *
bring (C2gFar     *self,
       C2gTensor  *other,
       GError    **error)
{
  g_autoptr (C2gTensor) copy = NULL;

  if (other->device == self->self->device)
    return c2g_tensor_new_sharing (other);

  copy = c2g_tensor_new_for_device (self->self->device);
  return c2g_tensor_copy_from (copy, other, self->context, error) ? g_steal_pointer (&copy) : NULL;
}

/* Gets tensors that share the memory of TENSOR and OTHER, and waits for their other users. The
 * two may be the same tensor. After a failure the caller drops what there is. */
static gboolean
hold (C2gFar     *self,
      C2gTensor  *tensor,
      C2gTensor  *other,
      GError    **error)
{
  self->self = c2g_tensor_new_sharing (tensor);
  if (other != NULL)
    self->other = other == tensor ? g_object_ref (self->self) : bring (self, other, error);

  return (other == NULL || self->other != NULL) && wait_for_uses (self, self->self, error) &&
         (other == NULL || wait_for_uses (self, self->other, error));
}

static void
clear (C2gFar *self)
{
  g_clear_object (&self->other);
  g_clear_object (&self->self);
  g_clear_object (&self->context);
}

gboolean
c2g_far_begin (C2gFar     *self,
               C2gTensor  *tensor,
               C2gTensor  *other,
               GError    **error)
{
  *self = (C2gFar) { .compute = c2g_device_backend_get_compute (tensor->device) };
  self->context = c2g_context_shared (tensor->device, error);
  if (self->context != NULL && hold (self, tensor, other, error))
    return TRUE;

  clear (self);
  return FALSE;
}

gboolean
c2g_far_end (C2gFar    *self,
             gboolean   is_done,
             GError   **error)
{
  /* Record the uses after a failure too, because a part of the work may have been queued; but keep
   * the first error. */
  GError **error_of_use = is_done ? error : NULL;

  is_done &= end_use (self, self->self, error_of_use);
  is_done &= end_use (self, self->other, is_done ? error : NULL);
  clear (self);

  return is_done;
}
