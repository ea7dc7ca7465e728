/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Products of up to so many multiplications OpenBLAS computes in the thread that asks;
 * several threads that ask for more wait for each other. */
#define C2G_BLAS_MAX_ALONE (1 << 18)

/* The product A B of matrices that lie row after row: A has m rows of k elements, B has k of
 * n, or the other way round in memory where they are transposed.  A row begins lda, ldb, ldc
 * elements after the one before. */
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
  /* Whether the product is added to what is in C. */
  gboolean     adds;
} C2gGemm;

/* Whether BLAS can count so far. */
gboolean c2g_gemm_check (const C2gGemm  *self,
                         GError        **error);
/* Computes one that was checked. */
void     c2g_gemm_run   (const C2gGemm  *self);

/* For matrices without anything between their rows. */
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
