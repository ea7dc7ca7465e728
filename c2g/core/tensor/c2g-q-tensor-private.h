/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-q-tensor.h>
#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

/* Returns the bit planes, one after the other, as a tensor of type UINT8. */
C2gTensor *c2g_q_tensor_get_planes (C2gQTensor *self);

G_END_DECLS
