/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-blas-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <cblas.h>
#include <string.h>

/* Matrices are not split into blocks with smaller sides. */
#define MIN_SIDE 64

/* Matrix products with OpenBLAS. This is the only file that calls BLAS. OpenBLAS's settings belong
 * to the program and are not changed. */

gboolean
c2g_gemm_check (const C2gGemm  *self,
                GError        **error)
{
  const gint64 sizes[] = { self->m, self->n, self->k, self->lda, self->ldb, self->ldc };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (sizes[i] > G_MAXINT32)
      return c2g_fail (error, C2G_ERROR_RANGE,
                       _("A matrix of %" PRId64 " rows or columns is too large, the limit is %d"),
                       sizes[i], G_MAXINT32);
  return TRUE;
}

static void
clear_rows (const C2gGemm *self)
{
  for (gint64 i = 0; i < self->m; i++)
    memset (self->c + i * self->ldc, 0, self->n * sizeof (float));
}

/* One row: a vector times B. */
static void
run_vector (const C2gGemm *self)
{
  const int n_rows = (int) (self->trans_b ? self->n : self->k);
  const int n_columns = (int) (self->trans_b ? self->k : self->n);

  cblas_sgemv (CblasRowMajor, self->trans_b ? CblasNoTrans : CblasTrans, n_rows, n_columns, 1.0f,
               self->b, (int) self->ldb, self->a, self->trans_a ? (int) self->lda : 1,
               self->adds ? 1.0f : 0.0f, self->c, 1);
}

static void
run_block (const C2gGemm *self)
{
  if (self->m == 1)
    run_vector (self);
  else
    cblas_sgemm (CblasRowMajor, self->trans_a ? CblasTrans : CblasNoTrans,
                 self->trans_b ? CblasTrans : CblasNoTrans, (int) self->m, (int) self->n,
                 (int) self->k, 1.0f, self->a, (int) self->lda, self->b, (int) self->ldb,
                 self->adds ? 1.0f : 0.0f, self->c, (int) self->ldc);
}

/* OpenBLAS cannot be interrupted, so a large product that may be cancelled is computed in blocks.
 * Blocks begin at multiples of a vector. The sums are split last, because that changes their
 * rounding. */
static gint64
halve (gint64 n)
{
  return (n / 2 + 63) / 64 * 64;
}

static void
run_blocks (const C2gGemm *self,
            double         max_work)
{
  C2gGemm first = *self, second = *self;

  if (c2g_interrupt_is_wanted ())
    return;
  if ((double) self->m * (double) self->n * (double) self->k <= max_work ||
      MAX (MAX (self->m, self->n), self->k) <= MIN_SIDE)
    {
      run_block (self);
      return;
    }

  if (self->n >= self->m && self->n > MIN_SIDE)
    {
      first.n = halve (self->n);
      second.n -= first.n;
      second.b += self->trans_b ? first.n * self->ldb : first.n;
      second.c += first.n;
    }
  else if (self->m > MIN_SIDE)
    {
      first.m = halve (self->m);
      second.m -= first.m;
      second.a += self->trans_a ? first.m : first.m * self->lda;
      second.c += first.m * self->ldc;
    }
  else
    {
      first.k = halve (self->k);
      second.k -= first.k;
      second.a += self->trans_a ? first.k * self->lda : first.k;
      second.b += self->trans_b ? first.k : first.k * self->ldb;
      second.adds = TRUE;
    }
  run_blocks (&first, max_work);
  run_blocks (&second, max_work);
}

void
c2g_gemm_run (const C2gGemm *self)
{
  if (self->m == 0 || self->n == 0)
    return;

  if (self->k == 0)
    {
      if (!self->adds)
        clear_rows (self);
    }
  else if (c2g_interrupt_cancellable == NULL)
    run_block (self);
  else
    run_blocks (self, C2G_INTERRUPT_PRODUCTS * c2g_parallel_get_n_workers ());
}
