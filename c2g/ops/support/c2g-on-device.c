/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-on-device-private.h>

#include <c2g/core/memory/c2g-storage.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

#include <string.h>

/* Requests to a device that several operators make: windows, matrix products and the like, and scratch
 * memory for them. c2g-cuda-compute.c has the table of the CUDA kernels for these requests. */

/* Limit on the bytes that a device takes along with a command, such as a kernel's arguments. */
#define MAX_COMMAND_BYTES 256

C2gComputeWindow
c2g_on_device_window (const C2gWindowPlace *place)
{
  C2gComputeWindow window = {
    .n_images = place->n_images,
    .n_channels = place->n_channels,
    .channels_last = place->channels_last,
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

static C2gDataType
find_first_type (C2gOperator *op)
{
  C2gTensor *first = c2g_operator_get_compute (op) != NULL
                       ? c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, NULL)
                       : NULL;

  return first != NULL ? c2g_tensor_get_data_type (first) : C2G_DATA_TYPE_UNDEFINED;
}

C2gDataType
c2g_on_device_real_type (C2gOperator *op)
{
  const C2gDataType type = find_first_type (op);

  return c2g_on_device_is_narrow (type) ? type : C2G_DATA_TYPE_FLOAT;
}

C2gDataType
c2g_on_device_factor_type (C2gOperator *op)
{
  return find_first_type (op) == C2G_DATA_TYPE_DOUBLE ? C2G_DATA_TYPE_DOUBLE
                                                      : c2g_on_device_real_type (op);
}

/* Adds a bias to each column of C. */
static gboolean
add_biases (C2gOperator    *op,
            const C2gGemm  *gemm,
            gconstpointer   biases,
            GError        **error)
{
  const gint64 dims[] = { gemm->m, gemm->n };
  const gint64 strides[] = { gemm->n, 1 };
  const gint64 bias_strides[] = { 0, 1 };

  if (gemm->type == C2G_DATA_TYPE_UNDEFINED || gemm->type == C2G_DATA_TYPE_FLOAT)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SCALE_CHANNELS, .type = C2G_DATA_TYPE_FLOAT,
                        .x = gemm->c, .bias = biases, .y = gemm->c, .n_outer = gemm->m,
                        .n = gemm->n, .n_inner = 1);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .type = gemm->type,
                      .binary = C2G_COMPUTE_BINARY_ADD, .x = gemm->c, .other = biases,
                      .y = gemm->c, .dims = dims, .n_dims = G_N_ELEMENTS (dims),
                      .x_strides = strides, .other_strides = bias_strides);
}

gboolean
c2g_on_device_gemm (C2gOperator    *op,
                    const C2gGemm  *gemm,
                    gconstpointer   biases,
                    GError        **error)
{
  const C2gComputeGemm wanted = {
    .type = gemm->type,
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

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_GEMM, .gemm = &wanted) &&
         (biases == NULL || add_biases (op, gemm, biases, error));
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

gsize
c2g_on_device_find_unit (gsize item_size)
{
  gsize unit = 16;

  while (item_size % unit != 0)
    unit /= 2;
  return unit;
}

gboolean
c2g_on_device_write (C2gOperator    *op,
                     gconstpointer   source,
                     gsize           n_bytes,
                     gpointer        target,
                     GError        **error)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (C2G_DATA_TYPE_UINT8, NULL);

  /* The device takes a few bytes along with the command. */
  if (n_bytes <= MAX_COMMAND_BYTES && c2g_operator_get_compute (op)->has (C2G_COMPUTE_KIND_FILL))
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_FILL, .item = source, .item_size = n_bytes,
                        .y = target, .n = 1);

  return c2g_context_copy_items (c2g_operator_get_context (op), meta, n_bytes, c2g_device_cpu (),
                                 source, c2g_operator_get_device (op), target, error);
}

C2gStorage *
c2g_on_device_scratch (C2gOperator  *op,
                       gsize         n_items,
                       gsize         item_size,
                       gpointer      data,
                       GError      **error)
{
  C2gStorage *scratch = NULL;
  gsize n_bytes;

  if (g_size_checked_mul (&n_bytes, n_items, item_size))
    scratch = c2g_storage_new (c2g_operator_get_device (op), MAX (n_bytes, 1),
                               c2g_operator_get_context (op), error);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE, _("%zu elements are too many"), n_items);
  if (scratch != NULL)
    *(gpointer *) data = GSIZE_TO_POINTER (c2g_storage_get_address (scratch));
  return scratch;
}

C2gStorage *
c2g_on_device_upload (C2gOperator    *op,
                      gconstpointer   items,
                      gsize           n_items,
                      gsize           item_size,
                      gpointer        data,
                      GError        **error)
{
  g_autoptr (C2gStorage) far = c2g_on_device_scratch (op, n_items, item_size, data, error);

  if (far == NULL ||
      (n_items > 0 && !c2g_on_device_write (op, items, n_items * item_size, *(gpointer *) data, error)))
    return NULL;
  return g_steal_pointer (&far);
}

gboolean
c2g_on_device_clear (C2gOperator  *op,
                     gpointer      data,
                     gsize         n_bytes,
                     GError      **error)
{
  static const guint8 zero = 0;

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_FILL, .y = data, .item = &zero, .item_size = 1,
                      .n = n_bytes);
}

gboolean
c2g_operator_clear_items (C2gOperator  *op,
                          gpointer      data,
                          gsize         n_bytes,
                          GError      **error)
{
  if (n_bytes > 0 && c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_clear (op, data, n_bytes, error);
  if (n_bytes > 0)
    memset (data, 0, n_bytes);
  return TRUE;
}

C2gTensor *
c2g_operator_begin_near (C2gOperator  *op,
                         C2gTensor    *output,
                         GError      **error)
{
  g_autoptr (C2gTensor) near = NULL;

  if (c2g_operator_get_compute (op) == NULL)
    return g_object_ref (output);

  near = c2g_tensor_new_sized (output->dims, output->n_dims, NULL, error);
  return near != NULL && c2g_tensor_allocate_meta (near, output->meta, error)
           ? g_steal_pointer (&near)
           : NULL;
}

gboolean
c2g_operator_end_near (C2gOperator  *op,
                       C2gTensor    *near,
                       C2gTensor    *output,
                       GError      **error)
{
  return near == output ||
         c2g_tensor_copy_from (output, near, c2g_operator_get_context (op), error);
}

gboolean
c2g_on_device_linear (C2gOperator    *op,
                      gconstpointer   x,
                      float           a,
                      float           b,
                      gpointer        y,
                      gsize           n,
                      GError        **error)
{
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_LINEAR,
                      .type = C2G_DATA_TYPE_FLOAT, .x = x, .y = y, .n = n, .a = a, .b = b);
}

gboolean
c2g_on_device_moments (C2gOperator       *op,
                       const C2gMoments  *self,
                       GError           **error)
{
  const gint64 n = self->n;
  const gint64 dims[] = { self->n_outer, n, self->n_inner };
  const gint64 strides[] = { n * self->n_inner, self->n_inner, 1 };
  const gint64 mean_strides[] = { 0, 1, 0 };
  const guint32 axes = 1U << 0 | 1U << 2;
  gpointer distances;
  g_autoptr (C2gStorage) scratch = c2g_on_device_scratch (op, self->n_outer * n * self->n_inner,
                                                          sizeof (float), &distances, error);

  return scratch != NULL &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_MEAN,
                      .type = C2G_DATA_TYPE_FLOAT, .x = self->x, .dims = dims, .n_dims = 3,
                      .axes = axes, .y = self->means) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_SUB,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = dims, .n_dims = 3, .x = self->x,
                      .x_strides = strides, .other = self->means, .other_strides = mean_strides,
                      .y = distances) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_REDUCE, .reduce = C2G_COMPUTE_REDUCE_SQUARES,
                      .type = C2G_DATA_TYPE_FLOAT, .x = distances, .dims = dims, .n_dims = 3,
                      .axes = axes, .y = self->variances) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_AXPBY, .type = C2G_DATA_TYPE_FLOAT, .n = n,
                      .alpha = 1 / ((double) self->n_outer * (double) self->n_inner),
                      .x = self->variances, .y = self->variances);
}

gboolean
c2g_on_device_choose (C2gOperator    *op,
                      const guint8   *choice,
                      gint64          n_alike,
                      C2gTensor      *a,
                      C2gTensor      *b,
                      C2gTensor      *y,
                      GError        **error)
{
  if (y->n_elements == 0)
    return TRUE;
  if (!c2g_on_device_is_unit (y->meta->item_size))
    return c2g_operator_fail_on_device (op, error);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_CHOOSE, .item_size = y->meta->item_size,
                      .choice = choice, .n_alike = n_alike, .x = c2g_tensor_address (a),
                      .other = c2g_tensor_address (b), .y = c2g_tensor_address (y),
                      .n = y->n_elements);
}
