/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-gemm-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <string.h>

/* Products of matrices: what is the same whichever library computes them. */

/* Matrices are not split into blocks with smaller sides. */
#define MIN_SIDE 64
/* Number of multiplications that are worth another thread. */
#define MIN_WORK (1 << 16)

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

/* Matrices that are parts of C: some of its columns, or some of its rows. */
static C2gGemm
cut_columns (const C2gGemm *self,
             gint64         begin,
             gint64         end)
{
  C2gGemm part = *self;

  part.n = end - begin;
  part.b += self->trans_b ? begin * self->ldb : begin;
  part.c += begin;
  return part;
}

static C2gGemm
cut_rows (const C2gGemm *self,
          gint64         begin,
          gint64         end)
{
  C2gGemm part = *self;

  part.m = end - begin;
  part.a += self->trans_a ? begin : begin * self->lda;
  part.c += begin * self->ldc;
  return part;
}

/* A call cannot be interrupted, so a large product that may be cancelled is computed in blocks.
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
      c2g_gemm_call (self);
      return;
    }

  if (self->n >= self->m && self->n > MIN_SIDE)
    {
      first = cut_columns (self, 0, halve (self->n));
      second = cut_columns (self, first.n, self->n);
    }
  else if (self->m > MIN_SIDE)
    {
      first = cut_rows (self, 0, halve (self->m));
      second = cut_rows (self, first.m, self->m);
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

static void
run_alone (const C2gGemm *self,
           gint64         n_workers)
{
  if (c2g_interrupt_cancellable == NULL)
    c2g_gemm_call (self);
  else
    run_blocks (self, C2G_INTERRUPT_PRODUCTS * (double) n_workers);
}

static void
run_part_cb (gsize    begin,
             gsize    end,
             guint    worker,
             gpointer data)
{
  const C2gGemm *self = data;
  const gint64 first = (gint64) begin * MIN_SIDE;
  const gint64 last = (gint64) end * MIN_SIDE;
  const C2gGemm part = self->n >= self->m ? cut_columns (self, first, MIN (last, self->n))
                                          : cut_rows (self, first, MIN (last, self->m));

  run_alone (&part, 1);
}

/* One part for each thread, unless they are too small. */
static void
share (const C2gGemm *self)
{
  const guint n_workers = c2g_parallel_get_n_workers ();
  const gsize n_blocks = (MAX (self->m, self->n) + MIN_SIDE - 1) / MIN_SIDE;
  const double work = c2g_gemm_flops (self) / 2 / (double) n_blocks;

  c2g_parallel_for_workers (n_blocks,
                            MAX ((n_blocks + n_workers - 1) / n_workers, (gsize) (MIN_WORK / work)),
                            n_workers, run_part_cb, (gpointer) self);
}

void
c2g_gemm_run (const C2gGemm *self)
{
  if (self->m == 0 || self->n == 0)
    return;

  if (self->k == 0 && !self->adds)
    clear_rows (self);
  else if (self->k > 0 && c2g_gemm_has_threads)
    run_alone (self, c2g_parallel_get_n_workers ());
  else if (self->k > 0 && self->is_alone)
    run_alone (self, 1);
  else if (self->k > 0)
    share (self);
}

gboolean
c2g_gemm_runs_alone (gsize  n_products,
                     double n_multiplications)
{
  return n_multiplications <= C2G_GEMM_MAX_ALONE ||
         (!c2g_gemm_has_threads && n_products >= c2g_parallel_get_n_workers ());
}
