/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-gemm-private.h>

#include <c2g/ops/support/c2g-dnnl-private.h>

#include <oneapi/dnnl/dnnl.h>
#include <omp.h>

/* Products of matrices by oneDNN, in the calling thread. */

/* OpenMP has a number of threads for each thread that calls. */
int
c2g_dnnl_set_n_threads (int n_threads)
{
  const int former = omp_get_max_threads ();

  omp_set_num_threads (n_threads);
  return former;
}

const gboolean c2g_gemm_has_threads = FALSE;

gboolean
c2g_gemm_call (const C2gGemm *self)
{
  const int n_threads = c2g_dnnl_set_n_threads (1);
  const dnnl_status_t status =
    dnnl_sgemm (self->trans_a ? 'T' : 'N', self->trans_b ? 'T' : 'N', self->m, self->n, self->k, 1,
                self->a, self->lda, self->b, self->ldb, self->adds ? 1 : 0, self->c, self->ldc);

  c2g_dnnl_set_n_threads (n_threads);
  return status == dnnl_success;
}
