/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device-backend.h>

G_BEGIN_DECLS

/* What the library for a device that is not the CPU gives.  A library that is
 * absent, or has no such device, is a C2G_ERROR_DEVICE naming the cause. */
C2gContext   *c2g_device_backend_create_context (C2gDevice  *device,
                                                 GError    **error);
C2gAllocator *c2g_device_backend_get_allocator  (C2gDevice  *device,
                                                 GError    **error);

G_END_DECLS
