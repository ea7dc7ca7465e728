/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

/* Number of multiplications that are worth a part of a loop. */
#define C2G_GEMM_GRAIN (1 << 15)
/* A product of no more multiplications is computed by one thread. OpenBLAS has this limit: its
 * larger products share its threads, so concurrent callers wait for each other. */
#define C2G_GEMM_MAX_ALONE (1 << 18)

/* C = A B in row-major order, where A is m × k and B is k × n. With trans_a or trans_b the
 * matrix in memory is the transpose.  lda, ldb and ldc are the distances between rows in memory,
 * in elements. */
typedef struct
{
  gboolean     trans_a;
  gboolean     trans_b;
  gint64       m;
  gint64       n;
  gint64       k;
  const float *a;
  gint64       lda;
  const float *b;
  gint64       ldb;
  float       *c;
  gint64       ldc;
  /* TRUE to compute C += A B instead. */
  gboolean     adds;
  /* TRUE if other threads have products of their own, so that this one stays in its thread. */
  gboolean     is_alone;
  /* The type of all elements on a device; FLOAT if it is UNDEFINED. The CPU multiplies floats only. */
  C2gDataType  type;
} C2gGemm;

/* Checks that the sizes fit in the integers of BLAS. */
gboolean c2g_gemm_check      (const C2gGemm  *self,
                              GError        **error);
/* Computes a product that c2g_gemm_check() accepted. */
void     c2g_gemm_run        (const C2gGemm  *self);

/* Returns TRUE if n_products products are computed side by side, one in each thread, and FALSE if
 * they are computed one after the other, each by all threads. */
gboolean c2g_gemm_runs_alone (gsize  n_products,
                              double n_multiplications);

/* Sets lda, ldb and ldc for matrices without gaps between rows. */
static inline void
c2g_gemm_pack (C2gGemm *self)
{
  self->lda = self->trans_a ? self->m : self->k;
  self->ldb = self->trans_b ? self->k : self->n;
  self->ldc = self->n;
}

/* The library is oneDNN, by c2g-dnnl-gemm.c, or OpenBLAS, by c2g-openblas-gemm.c. */

/* TRUE if the library shares a product among threads of its own. */
extern const gboolean c2g_gemm_has_threads;
/* Computes a product whose sides are not 0. Returns FALSE if the library cannot, for example because
 * it has no memory to order the elements. */
gboolean              c2g_gemm_call       (const C2gGemm *self);
/* Does the same by plain loops, which need no memory. */
void                  c2g_gemm_run_slowly (const C2gGemm *self);

static inline double
c2g_gemm_flops (const C2gGemm *self)
{
  return 2.0 * (double) self->m * (double) self->n * (double) self->k;
}

G_END_DECLS
