/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names a part of the calling thread's work for profilers, by NVTX. Ranges lie inside each other. */
void c2g_cuda_ranges_begin (const char *type,
                            const char *name);
void c2g_cuda_ranges_end   (void);

G_END_DECLS
