/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g-backend.h>

G_BEGIN_DECLS

/* Describes a device with what the driver reports about it. */
C2gDeviceInfo *c2g_cuda_describe (C2gDevice  *device,
                                  GError    **error);

G_END_DECLS
