/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns TRUE if oneDNN's implementation of a convolution is code generated for the shape:
 * “jit…”, and with AVX-512 also “brgconv…” and “brg_conv…”.  The others,
 * “gemm…” and “ref…”, are no faster than the default engine; “gemm:jit” generates
 * code only for its products. */
static inline gboolean
c2g_dnnl_is_fast (const char *implementation)
{
  return g_str_has_prefix (implementation, "jit") || g_str_has_prefix (implementation, "brg");
}

G_END_DECLS
