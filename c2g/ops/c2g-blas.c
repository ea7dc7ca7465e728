/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-blas-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

#include <cblas.h>
#include <string.h>

/* The only file that knows of BLAS.  Its settings are the process's, and stay untouched. */

gboolean
c2g_gemm_check (const C2gGemm  *self,
                GError        **error)
{
  const gint64 sizes[] = { self->m, self->n, self->k, self->lda, self->ldb, self->ldc };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (sizes[i] > G_MAXINT32)
      {
        g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                     _("A matrix of %" PRId64 " rows or columns is too large, the limit is %d"),
                     sizes[i], G_MAXINT32);
        return FALSE;
      }
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
  else if (self->m == 1)
    run_vector (self);
  else
    cblas_sgemm (CblasRowMajor, self->trans_a ? CblasTrans : CblasNoTrans,
                 self->trans_b ? CblasTrans : CblasNoTrans, (int) self->m, (int) self->n,
                 (int) self->k, 1.0f, self->a, (int) self->lda, self->b, (int) self->ldb,
                 self->adds ? 1.0f : 0.0f, self->c, (int) self->ldc);
}
