/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-interrupt-private.h>

__thread GCancellable *c2g_interrupt_cancellable;
