/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-allocator.h>

G_BEGIN_DECLS

/* What the allocators that stand on another one have in common. */

/* The construct-only property; NULL stands for the default CPU allocator. */
GParamSpec   *c2g_upstream_param_spec (void);

/* Takes the place of a NULL upstream once an object is constructed. */
void          c2g_upstream_ensure     (C2gAllocator **upstream);

G_END_DECLS
