/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

/* Number of multiplications up to which OpenBLAS computes a product in the calling thread.  Larger
 * products share OpenBLAS's threads, so concurrent callers wait for each other. */
#define C2G_BLAS_MAX_ALONE (1 << 18)

/* C = A B in row-major order, where A is m × k and B is k × n.  With trans_a or trans_b the
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
  /* The type of all elements on a device; FLOAT if it is UNDEFINED. The CPU multiplies floats only. */
  C2gDataType  type;
} C2gGemm;

/* Checks that the sizes fit in the integers of BLAS. */
gboolean c2g_gemm_check (const C2gGemm  *self,
                         GError        **error);
/* Computes a product that c2g_gemm_check() accepted. */
void     c2g_gemm_run   (const C2gGemm  *self);

/* Sets lda, ldb and ldc for matrices without gaps between rows. */
static inline void
c2g_gemm_pack (C2gGemm *self)
{
  self->lda = self->trans_a ? self->m : self->k;
  self->ldb = self->trans_b ? self->k : self->n;
  self->ldc = self->n;
}

static inline double
c2g_gemm_flops (const C2gGemm *self)
{
  return 2.0 * (double) self->m * (double) self->n * (double) self->k;
}

G_END_DECLS
