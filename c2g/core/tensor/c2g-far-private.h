/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-compute.h>
#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

/* Work of a device on the elements of one or two tensors, in the order of the device's shared
 * context. The device is that of the first tensor; the second one is a copy if it is elsewhere.
 * Both are the caller's own, and stay as they are whatever happens to those that were given. */
typedef struct
{
  const C2gDeviceCompute *compute;
  C2gContext             *context;
  C2gTensor              *self;
  C2gTensor              *other;
} C2gFar;

/* Returns the functions of the device on which the tensor has elements; NULL if there are none. */
const C2gDeviceCompute *c2g_far_find (C2gTensor *tensor);

/* Returns TRUE if the device of the tensor has this function. */
#define C2G_FAR_HAS(tensor, function)                                                              \
  (G_GNUC_EXTENSION ({                                                                             \
    const C2gDeviceCompute *compute_ = c2g_far_find (tensor);                                      \
    compute_ != NULL && compute_->function != NULL;                                                \
  }))

/* Puts what is done from now on behind all uses of the two, of which the second one may be NULL.
 * After a failure there is nothing to end. */
gboolean c2g_far_begin (C2gFar     *self,
                        C2gTensor  *tensor,
                        C2gTensor  *other,
                        GError    **error);
/* Ends the work, and returns whether it is done. Nobody waits for it here: others who use the
 * memory do. */
gboolean c2g_far_end   (C2gFar     *self,
                        gboolean    is_done,
                        GError    **error);

G_END_DECLS
