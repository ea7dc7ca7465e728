/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-compute.h>
#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

/* Computes on the elements of one or two tensors in device memory, in the order of the device's
 * shared context. The device is that of the first tensor; the second one is copied to it if it is
 * elsewhere. Both are tensors of our own that share the memory of the given ones, so they do not
 * change if signal handlers change those. */
typedef struct
{
  const C2gDeviceCompute *compute;
  C2gContext             *context;
  C2gTensor              *self;
  C2gTensor              *other;
} C2gFar;

/* Returns TRUE if the tensor has elements on a device that does work of this kind. */
gboolean c2g_far_has   (C2gTensor       *tensor,
                        C2gComputeKind   kind);

/* Starts the work: orders it behind all earlier uses of both tensors. OTHER may be NULL. If this
 * fails, do not call c2g_far_end(). */
gboolean c2g_far_begin (C2gFar     *self,
                        C2gTensor  *tensor,
                        C2gTensor  *other,
                        GError    **error);
/* Ends the work and records it as a use of the memory, so later users wait for it. Does not wait
 * itself. Returns FALSE if is_done is FALSE or the use cannot be recorded. */
gboolean c2g_far_end   (C2gFar     *self,
                        gboolean    is_done,
                        GError    **error);

/* Starts work of a kind on the device; the fields of the request follow. */
#define C2G_FAR_COMPUTE(far, error, ...)                                                           \
  ((far)->compute->run ((far)->context, &(C2gComputeRequest){ __VA_ARGS__ }, error))

G_END_DECLS
