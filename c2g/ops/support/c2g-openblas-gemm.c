/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-gemm-private.h>

#include <cblas.h>

/* Products of matrices by OpenBLAS, in builds without oneDNN.  This is the only file that calls
 * BLAS.  OpenBLAS's settings belong to the program and are not changed. */

const gboolean c2g_gemm_has_threads = TRUE;

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

gboolean
c2g_gemm_call (const C2gGemm *self)
{
  if (self->m == 1)
    run_vector (self);
  else
    cblas_sgemm (CblasRowMajor, self->trans_a ? CblasTrans : CblasNoTrans,
                 self->trans_b ? CblasTrans : CblasNoTrans, (int) self->m, (int) self->n,
                 (int) self->k, 1.0f, self->a, (int) self->lda, self->b, (int) self->ldb,
                 self->adds ? 1.0f : 0.0f, self->c, (int) self->ldc);
  return TRUE;
}
