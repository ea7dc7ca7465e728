/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* The thread's current device is the caller's own, who must find it as it was. */
typedef struct
{
  int previous;
  int current;
} C2gCudaGuard;

gboolean c2g_cuda_guard_enter (C2gCudaGuard  *self,
                               int            device,
                               GError       **error);
void     c2g_cuda_guard_leave (C2gCudaGuard  *self);

G_END_DECLS
