/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-on-device-private.h>

#include <c2g/core/c2g-type-meta-private.h>

static C2gComputeWindow
make_window (const C2gWindowPlace *place,
             gboolean              counts_pads)
{
  C2gComputeWindow window = {
    .n_images = place->n_images,
    .n_channels = place->n_channels,
    .channels_last = place->channels_last,
    .counts_pads = counts_pads,
  };

  for (guint i = 0; i < C2G_WINDOW_MAX_DIMS; i++)
    {
      window.in[i] = place->in[i];
      window.out[i] = place->out[i];
      window.kernel[i] = place->kernel[i];
      window.stride[i] = place->stride[i];
      window.dilation[i] = place->dilation[i];
      window.head[i] = place->head[i];
    }

  return window;
}

gboolean
c2g_on_device_conv (C2gOperator    *op,
                    const C2gConv  *conv,
                    GError        **error)
{
  const C2gComputeConv wanted = {
    .window = make_window (&conv->place, FALSE),
    .n_groups = conv->n_groups,
    .n_filters = conv->n_channels,
    .x = conv->x,
    .filters = conv->filters,
    .biases = conv->bias,
    .sum = conv->sum,
    .has_relu = conv->has_relu,
    .y = conv->y,
  };

  return c2g_operator_get_compute (op)->conv (c2g_operator_get_context (op), &wanted, error);
}

gboolean
c2g_on_device_pool (C2gOperator    *op,
                    const C2gPool  *pool,
                    gboolean        is_average,
                    GError        **error)
{
  const C2gComputeWindow window = make_window (&pool->place, pool->counts_pads);

  return c2g_operator_get_compute (op)->pool (c2g_operator_get_context (op), is_average, &window,
                                              pool->x, pool->y, error);
}

gboolean
c2g_on_device_gemm (C2gOperator    *op,
                    const C2gGemm  *gemm,
                    const float    *biases,
                    GError        **error)
{
  const C2gDeviceCompute *compute = c2g_operator_get_compute (op);
  C2gContext *context = c2g_operator_get_context (op);
  const C2gComputeGemm wanted = {
    .a_is_transposed = gemm->trans_a,
    .b_is_transposed = gemm->trans_b,
    .n_rows = gemm->m,
    .n_columns = gemm->n,
    .depth = gemm->k,
    .alpha = 1,
    .beta = gemm->adds ? 1 : 0,
    .a = gemm->a,
    .b = gemm->b,
    .c = gemm->c,
    .a_stride = gemm->lda,
    .b_stride = gemm->ldb,
    .c_stride = gemm->ldc,
    .n_matrices = 1,
  };

  return compute->gemm (context, &wanted, error) &&
         (biases == NULL ||
          compute->scale_channels (context, C2G_DATA_TYPE_FLOAT, gemm->c, NULL, biases, gemm->c,
                                   gemm->m, gemm->n, 1, error));
}

gboolean
c2g_on_device_copy (C2gOperator    *op,
                    C2gTypeMeta    *meta,
                    gsize           n_items,
                    gconstpointer   source,
                    gpointer        target,
                    GError        **error)
{
  C2gDevice *device = c2g_operator_get_device (op);

  return c2g_context_copy_items (c2g_operator_get_context (op), meta, n_items, device, source, device,
                                 target, error);
}

/* The largest items that rows consist of, so that devices know them: of 1, 2, 4, 8 or 16 bytes. */
static gsize
find_unit (gsize item_size)
{
  gsize unit = 16;

  while (item_size % unit != 0)
    unit /= 2;
  return unit;
}

gboolean
c2g_on_device_move_rows (C2gOperator    *op,
                         C2gTypeMeta    *meta,
                         gint64          n_rows,
                         gint64          n_items,
                         gconstpointer   source,
                         gint64          source_stride,
                         gpointer        target,
                         gint64          target_stride,
                         GError        **error)
{
  const gsize unit = find_unit (meta->item_size);
  const gint64 n_units = meta->item_size / unit;
  const gint64 dims[] = { n_rows, n_items * n_units };
  const gint64 source_strides[] = { source_stride * n_units, 1 };
  const gint64 target_strides[] = { target_stride * n_units, 1 };

  return c2g_operator_get_compute (op)->move (c2g_operator_get_context (op), unit, dims,
                                              G_N_ELEMENTS (dims), source, source_strides, target,
                                              target_strides, error);
}

gboolean
c2g_on_device_write (C2gOperator    *op,
                     gconstpointer   source,
                     gsize           n_bytes,
                     gpointer        target,
                     GError        **error)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (C2G_DATA_TYPE_UINT8, NULL);

  return c2g_context_copy_items (c2g_operator_get_context (op), meta, n_bytes, c2g_device_cpu (),
                                 source, c2g_operator_get_device (op), target, error);
}
