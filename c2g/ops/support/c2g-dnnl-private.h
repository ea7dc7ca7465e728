/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <string.h>

G_BEGIN_DECLS

/* Returns TRUE if oneDNN's implementation of a convolution is code generated for the shape, such as
 * “jit…”, and with AVX-512 “brgconv…” and “brdgmm_dw…”.  Three kinds are not, and are no faster
 * than the default engine: “gemm:…” and “x64:gemm:…” generate code only for products of
 * matrices, “ref:…” is a plain loop. Their names are compared because new processors bring new
 * names of the other kind. */
static inline gboolean
c2g_dnnl_is_fast (const char *implementation)
{
  return *implementation != '\0' && !g_str_has_prefix (implementation, "ref") &&
         !g_str_has_prefix (implementation, "gemm:") && strstr (implementation, ":gemm:") == NULL;
}

/* Sets the number of threads that oneDNN uses when this thread calls it, and returns the former
 * number. It is 1 during all calls, because c2g's own loops share the work. */
int c2g_dnnl_set_n_threads (int n_threads);

G_END_DECLS
