/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

/* Built instead of the engine if oneDNN is not available. */

const C2gKernelFamily c2g_ops_dnnl = { NULL, 0, NULL };
