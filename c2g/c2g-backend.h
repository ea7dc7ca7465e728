/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* For libraries that implement a kind of device: the function tables, and the functions that tell
 * c2g about device memory. Programs do not need this header, and language bindings do not see it. */

#include <c2g/c2g.h>

#define C2G_INSIDE
#include <c2g/core/device/c2g-device-backend.h>
#include <c2g/core/device/c2g-device-compute.h>
#undef C2G_INSIDE
