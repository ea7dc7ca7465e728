/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-compute.h>
#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

/* Returns the range of a numeric type; NULL for other types. */
const C2gComputeRange *c2g_number_range (C2gDataType data_type);

G_END_DECLS
