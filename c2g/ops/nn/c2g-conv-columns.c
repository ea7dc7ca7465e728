/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/nn/c2g-conv-private.h>
#include <c2g/ops/support/c2g-gemm-private.h>
#include <c2g/ops/support/c2g-columns-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

/* Computes convolutions by im2col and a matrix product. */

/* Number of floats in the column matrix of a tile, so that it stays in the cache. */
#define N_COLUMNS (1 << 20)
/* Least number of outputs in a tile, because narrow products are slow. */
#define MIN_TILE 256

/* Convolution by im2col and GEMM.  The work is cut into units of one product each: one image, one
 * group and one tile of outputs. In NHWC a unit computes all groups, one product each. */
typedef struct
{
  const C2gConv *conv;
  /* Channels of one group. */
  gint64         n_in;
  gint64         n_out;
  /* Number of elements of one filter. */
  gint64         n_filter;

  /* TRUE for a 1 × 1 convolution: the image itself is the column matrix. */
  gboolean       is_direct;
  gint64         n_images;
  gint64         n_outputs;
  gint64         tile;
  gint64         n_tiles;
  gsize          n_units;

  /* Buffer of n_columns floats for each worker. */
  float         *columns;
  gsize          n_columns;
  /* TRUE if each thread computes units of its own. */
  gboolean       is_alone;
} Plan;

static void
fill_columns (const Plan  *plan,
              const float *image,
              gint64       begin,
              gint64       end,
              float       *columns)
{
  const C2gConv *conv = plan->conv;
  const gint64 n_groups = conv->place.channels_last ? conv->n_groups : 1;
  const C2gColumns matrix = {
    .place = &conv->place,
    .image = image,
    .n_channels = n_groups * plan->n_in,
    .n_groups = n_groups,
    .begin = begin,
    .end = end,
    .columns = columns,
  };

  if (plan->is_alone)
    c2g_columns_fill_alone (&matrix);
  else
    c2g_columns_fill (&matrix);
}

/* NCHW: filters × columns, a row of the output for each filter. */
static void
run_channels_first (const Plan *plan,
                    gint64      image,
                    gint64      group,
                    gint64      begin,
                    gint64      end,
                    float      *columns)
{
  const C2gConv *conv = plan->conv;
  const gint64 n_outputs = conv->place.n_out;
  const float *x = conv->x + (image * conv->n_groups + group) * plan->n_in * conv->place.n_in;
  const C2gConvTile tile = {
    .offset = (image * conv->n_groups + group) * plan->n_out * n_outputs + begin,
    .n_rows = plan->n_out,
    .n = end - begin,
    .distance = n_outputs,
    .row_biases = conv->bias != NULL ? conv->bias + group * plan->n_out : NULL,
  };
  C2gGemm gemm = {
    .m = plan->n_out,
    .n = end - begin,
    .k = plan->n_filter,
    .a = conv->filters + group * plan->n_out * plan->n_filter,
    .lda = plan->n_filter,
    .b = columns,
    .ldb = end - begin,
    .c = conv->y + tile.offset,
    .ldc = n_outputs,
    .is_alone = plan->is_alone,
  };

  if (plan->is_direct)
    {
      gemm.b = x + begin;
      gemm.ldb = n_outputs;
    }
  else
    fill_columns (plan, x, begin, end, columns);

  gemm.adds = c2g_conv_tile_start (&tile, conv);
  c2g_gemm_run (&gemm);
  c2g_conv_tile_finish (&tile, conv);
}

/* NHWC: columns (a row for each output) × transposed filters. */
static void
run_channels_last (const Plan *plan,
                   gint64      image,
                   gint64      begin,
                   gint64      end,
                   float      *columns)
{
  const C2gConv *conv = plan->conv;
  const float *x = conv->x + image * conv->place.n_in * conv->place.n_channels;
  const C2gConvTile tile = {
    .offset = (image * plan->n_outputs + begin) * conv->n_channels,
    .n_rows = end - begin,
    .n = conv->n_channels,
    .distance = conv->n_channels,
    .biases = conv->bias,
  };
  C2gGemm gemm = {
    .trans_b = TRUE,
    .m = end - begin,
    .n = plan->n_out,
    .k = plan->n_filter,
    .a = columns,
    .lda = conv->n_groups * plan->n_filter,
    .b = conv->filters,
    .ldb = plan->n_filter,
    .c = conv->y + tile.offset,
    .ldc = conv->n_channels,
    .is_alone = plan->is_alone,
  };

  if (plan->is_direct)
    gemm.a = x + begin * conv->place.n_channels;
  else
    fill_columns (plan, x, begin, end, columns);

  gemm.adds = c2g_conv_tile_start (&tile, conv);
  for (gint64 group = 0; group < conv->n_groups; group++)
    {
      c2g_gemm_run (&gemm);
      gemm.a += plan->n_filter;
      gemm.b += plan->n_out * plan->n_filter;
      gemm.c += plan->n_out;
    }
  c2g_conv_tile_finish (&tile, conv);
}

static void
run_units_cb (gsize    begin,
              gsize    end,
              guint    worker,
              gpointer data)
{
  const Plan *plan = data;
  float *columns =
    plan->columns != NULL ? plan->columns + worker * plan->n_columns : NULL;

  for (gsize unit = begin; unit < end; unit++)
    {
      const gint64 first = (gint64) (unit % plan->n_tiles) * plan->tile;
      const gint64 last = MIN (first + plan->tile, plan->n_outputs);
      const gint64 group = unit / plan->n_tiles;

      if (plan->conv->place.channels_last)
        run_channels_last (plan, group, first, last, columns);
      else
        run_channels_first (plan, group / plan->conv->n_groups, group % plan->conv->n_groups,
                            first, last, columns);
    }
}

static gint64
div_up (gint64 a,
        gint64 b)
{
  return a / b + (a % b != 0);
}

static void
make_plan (const C2gConv *conv,
           Plan          *plan)
{
  const C2gWindowPlace *place = &conv->place;
  const gint64 n_per_unit = place->channels_last ? conv->n_groups : 1;

  *plan = (Plan){ conv, place->n_channels / conv->n_groups, conv->n_channels / conv->n_groups };
  plan->n_filter = plan->n_in * place->n_kernel;
  plan->is_direct = c2g_window_place_is_pointwise (place);
  plan->n_images = place->n_images;
  plan->n_outputs = place->n_out;
  plan->tile = plan->n_outputs;

  /* All pixels of all images form one matrix. */
  if (plan->is_direct && place->channels_last)
    {
      plan->n_outputs = plan->tile = plan->n_images * place->n_out;
      plan->n_images = 1;
    }
  if (!plan->is_direct)
    {
      plan->tile = MAX (N_COLUMNS / (plan->n_filter * n_per_unit), MIN_TILE);
      plan->tile = MIN (plan->tile, plan->n_outputs);
    }

  plan->n_tiles = div_up (plan->n_outputs, plan->tile);
  plan->n_units = plan->n_images * (conv->n_groups / n_per_unit) * plan->n_tiles;
  plan->n_columns = plan->is_direct ? 0 : plan->n_filter * n_per_unit * plan->tile;
}

static gboolean
check_plan (const Plan  *plan,
            GError     **error)
{
  const C2gConv *conv = plan->conv;
  const C2gGemm gemm = {
    .m = plan->n_out,
    .n = plan->tile,
    .k = plan->n_filter,
    .lda = conv->place.channels_last ? conv->n_groups * plan->n_filter : 0,
    .ldb = plan->is_direct ? plan->n_outputs : 0,
    .ldc = conv->place.channels_last ? conv->n_channels : plan->n_outputs,
  };

  return c2g_gemm_check (&gemm, error);
}

gboolean
c2g_conv_by_columns (const C2gConv  *self,
                     C2gScratch     *scratch,
                     GError        **error)
{
  guint n_workers = c2g_parallel_get_n_workers ();
  double work;
  Plan plan;

  make_plan (self, &plan);
  if (!check_plan (&plan, error))
    return FALSE;

  work = (double) plan.n_out * (double) plan.tile * (double) plan.n_filter;
  plan.is_alone = c2g_gemm_runs_alone (plan.n_units, work);
  if (!plan.is_alone)
    n_workers = 1;
  if (!c2g_scratch_reserve (scratch, n_workers, plan.n_columns, error))
    return FALSE;

  plan.columns = scratch->data;
  c2g_parallel_for_workers (plan.n_units, (gsize) (C2G_GEMM_GRAIN / (work + 1)), n_workers,
                            run_units_cb, &plan);
  return TRUE;
}
