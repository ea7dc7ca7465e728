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

void
c2g_gemm_run_slowly (const C2gGemm *self)
{
  for (gint64 i = 0; i < self->m; i++)
    for (gint64 j = 0; j < self->n; j++)
      {
        float *c = self->c + i * self->ldc + j;
        float sum = self->adds ? *c : 0;

        for (gint64 k = 0; k < self->k; k++)
          sum += self->a[self->trans_a ? k * self->lda + i : i * self->lda + k] *
                 self->b[self->trans_b ? j * self->ldb + k : k * self->ldb + j];
        *c = sum;
      }
}

static void
run_block (const C2gGemm *self)
{
  if (!c2g_gemm_call (self))
    c2g_gemm_run_slowly (self);
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

/* Returns half of a side, rounded up so that the second half begins at a multiple of a vector. */
static gint64
halve (gint64 n)
{
  return (n / 2 + 63) / 64 * 64;
}

/* A call cannot be interrupted, so a large product that may be cancelled is computed in blocks of
 * up to max_work multiplications. The sums are split last, because that changes their rounding. */
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
    run_block (self);
  else
    run_blocks (self, C2G_INTERRUPT_PRODUCTS * (double) n_workers);
}

/* Parts of C, n_across side by side, counted row by row. Each but the last ones has these sizes. */
typedef struct
{
  const C2gGemm *whole;
  gint64         n_rows;
  gint64         n_columns;
  gint64         n_across;
} Grid;

static void
run_parts_cb (gsize    begin,
              gsize    end,
              guint    worker,
              gpointer data)
{
  const Grid *grid = data;
  const C2gGemm *whole = grid->whole;

  for (gint64 i = (gint64) begin; i < (gint64) end; i++)
    {
      const gint64 row = i / grid->n_across * grid->n_rows;
      const gint64 column = i % grid->n_across * grid->n_columns;
      const C2gGemm rows = cut_rows (whole, row, MIN (row + grid->n_rows, whole->m));
      const C2gGemm part = cut_columns (&rows, column, MIN (column + grid->n_columns, whole->n));

      run_alone (&part, 1);
    }
}

static gint64
divide_up (gint64 n,
           gint64 by)
{
  return (n + by - 1) / by;
}

/* Returns the length of the parts of a side, so that there are at most n_parts of them. */
static gint64
find_side (gint64 n,
           gint64 n_parts)
{
  const gint64 n_blocks = divide_up (n, MIN_SIDE);

  return divide_up (n_blocks, MIN (n_blocks, n_parts)) * MIN_SIDE;
}

/* Divides C among threads: one part for each, unless the parts are too small. The longer side is
 * divided first. Sums are not divided: a small matrix of long sums is computed by few threads. */
static void
share (const C2gGemm *self)
{
  const guint n_workers = c2g_parallel_get_n_workers ();
  const gint64 n_parts =
    (gint64) CLAMP (c2g_gemm_flops (self) / 2 / MIN_WORK, 1, (double) n_workers);
  const gboolean is_wide = self->n >= self->m;
  const gint64 long_side = find_side (MAX (self->m, self->n), n_parts);
  const gint64 n_long = divide_up (MAX (self->m, self->n), long_side);
  const gint64 short_side = find_side (MIN (self->m, self->n), divide_up (n_parts, n_long));
  Grid grid = { self, is_wide ? short_side : long_side, is_wide ? long_side : short_side, 1 };

  grid.n_across = divide_up (self->n, grid.n_columns);
  c2g_parallel_for_workers (divide_up (self->m, grid.n_rows) * grid.n_across, 1, n_workers,
                            run_parts_cb, &grid);
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
