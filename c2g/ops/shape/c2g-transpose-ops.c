/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-transpose-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

/* Permutations of axes, for any element type.
 *
 * Transpose: axis i of Y is axis axes[i] of X; without axes the order is reversed.
 * NCHW2NHWC, NHWC2NCHW: move the channels to the end or to the second axis; 3 or more dimensions.
 * ChannelShuffle: the channels, seen as (group, C / group), are transposed; NCHW or NHWC.
 *
 * Nothing is in place. The rules are Caffe2's. On CUDA kernels/transpose.cu computes all of
 * them. */

/* Fewest bytes that are worth another thread. */
#define GRAIN (1 << 16)

typedef struct
{
  const gint64 *axes;
  gsize         n_axes;
} TransposeState;

/* A transposition that keeps the first axis, as those of images do. */
typedef struct
{
  C2gTypeMeta  *meta;
  const gint64 *dims;
  gsize         n_dims;
  int           axes[C2G_DIMS_MAX];
  gsize         item_bytes;
  const char   *source;
  char         *target;
} Images;

static void
transpose_images_cb (gsize    begin,
                     gsize    end,
                     guint    worker,
                     gpointer data)
{
  const Images *self = data;

  for (gsize i = begin; i < end; i++)
    c2g_transpose (self->meta, c2g_operator_copy_elements, self->dims, self->n_dims, self->axes,
                   self->source + i * self->item_bytes, self->target + i * self->item_bytes);
}

/* Threads share the images, but not the axes of one. */
static void
transpose_on_cpu (C2gTensor      *input,
                  const C2gDims  *dims,
                  const int      *axes,
                  gconstpointer   source,
                  gpointer        target)
{
  const gsize n_bytes = input->n_elements * input->meta->item_size;
  Images images = { input->meta, dims->dims + 1, dims->n - 1, .source = source, .target = target };

  if (dims->n < 3 || axes[0] != 0 || !input->meta->is_plain)
    {
      c2g_transpose (input->meta, c2g_operator_copy_elements, dims->dims, dims->n, axes, source,
                     target);
      return;
    }

  for (gsize i = 1; i < dims->n; i++)
    images.axes[i - 1] = axes[i] - 1;
  images.item_bytes = n_bytes / dims->dims[0];
  c2g_parallel_for (dims->dims[0], GRAIN / images.item_bytes + 1, transpose_images_cb, &images);
}

static gboolean
transpose (C2gOperator    *op,
           C2gTensor      *input,
           const C2gDims  *dims,
           const int      *axes,
           C2gTensor      *output,
           GError        **error)
{
  const gconstpointer source = c2g_tensor_address (input);
  const gpointer target = c2g_tensor_address (output);

  if (output->n_elements == 0 || c2g_operator_is_inferring (op))
    return TRUE;
  if (c2g_operator_get_compute (op) == NULL)
    {
      transpose_on_cpu (input, dims, axes, source, target);
      return TRUE;
    }
  if (!input->meta->is_plain || !c2g_on_device_is_unit (input->meta->item_size))
    return c2g_operator_fail_on_device (op, error);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_TRANSPOSE, .item_size = input->meta->item_size,
                      .dims = dims->dims, .n_dims = dims->n, .order = axes, .x = source,
                      .y = target);
}

static gboolean
transpose_input (C2gOperator    *op,
                 C2gTensor      *input,
                 const C2gDims  *dims,
                 const int      *axes,
                 GError        **error)
{
  C2gDims turned = { .n = dims->n };
  C2gTensor *output;

  for (gsize i = 0; i < dims->n; i++)
    turned.dims[i] = dims->dims[axes[i]];
  output = c2g_dims_output (&turned, op, 0, input->meta, error);
  if (output == NULL)
    return FALSE;

  return transpose (op, input, dims, axes, output, error);
}

static gboolean
transpose_set_up (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  TransposeState *self = state;
  guint32 seen = 0;

  for (gsize i = 0; i < self->n_axes; i++)
    {
      if (self->axes[i] < 0 || self->axes[i] >= (gint64) MIN (self->n_axes, C2G_DIMS_MAX) ||
          (seen >> self->axes[i] & 1) != 0)
        return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                         _("The argument “%s” has %" PRId64 ", which is out of range"), "axes",
                         self->axes[i]);
      seen |= (guint32) 1 << self->axes[i];
    }
  return TRUE;
}

/* Without the argument axes, the order of the axes is reversed. */
static gboolean
transpose_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  TransposeState *self = state;
  C2gTensor *input = c2g_move_input (op, 0, error);
  int axes[C2G_DIMS_MAX];
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  if (self->n_axes > 0 && self->n_axes != dims.n)
    return c2g_operator_set_shape_error (op, 0, error, _("%zu dimensions"), self->n_axes);

  for (gsize i = 0; i < dims.n; i++)
    axes[i] = self->n_axes > 0 ? (int) self->axes[i] : (int) (dims.n - 1 - i);
  return transpose_input (op, input, &dims, axes, error);
}

/* NCHW2NHWC and NHWC2NCHW */

static gboolean
move_axis (C2gOperator  *op,
           gboolean      to_end,
           GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  int axes[C2G_DIMS_MAX] = { 0 };
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  if (dims.n < 3)
    return c2g_operator_set_shape_error (op, 0, error, _("at least three dimensions"));

  for (gsize i = 1; i < dims.n; i++)
    axes[i] = (int) (to_end ? i + 1 : i - 1);
  axes[to_end ? dims.n - 1 : 1] = (int) (to_end ? 1 : dims.n - 1);
  return transpose_input (op, input, &dims, axes, error);
}

static gboolean
nchw2nhwc_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return move_axis (op, TRUE, error);
}

static gboolean
nhwc2nchw_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  return move_axis (op, FALSE, error);
}

/* ChannelShuffle */

typedef struct
{
  gint64   group;
  gboolean is_last;
} ShuffleState;

static gboolean
shuffle_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  static const int axes[4] = { 0, 2, 1, 3 };
  ShuffleState *self = state;
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gDims dims, grouped = { .n = 4 };
  C2gTensor *output;
  gsize axis;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  axis = self->is_last ? dims.n - 1 : 1;
  if (dims.n < 2 || dims.dims[axis] % self->group != 0)
    return c2g_operator_set_shape_error (op, 0, error, _("a multiple of %" PRId64 " channels"),
                                         self->group);

  output = c2g_dims_output (&dims, op, 0, input->meta, error);
  if (output == NULL)
    return FALSE;
  if (output->n_elements == 0)
    return TRUE;

  grouped.dims[1] = self->group;
  grouped.dims[2] = dims.dims[axis] / self->group;
  if (!c2g_dims_count (&dims, 0, axis, &grouped.dims[0], error) ||
      !c2g_dims_count (&dims, axis + 1, dims.n, &grouped.dims[3], error))
    return FALSE;
  return transpose (op, input, &grouped, axes, output, error);
}

static const C2gKernel kernels[] = {
  { "Transpose", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INTS (TransposeState, axes, n_axes, "axes")), sizeof (TransposeState),
    transpose_set_up, transpose_run, NULL, NULL,
    "Changes the order of axes",
    .infer = transpose_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF },
  { "NCHW2NHWC", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, nchw2nhwc_run, NULL, NULL,
    "Moves the channels from the second dimension to the last", .infer = nchw2nhwc_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF,
    .role = C2G_ROLE_TO_NHWC },
  { "NHWC2NCHW", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, nhwc2nchw_run, NULL, NULL,
    "Moves the channels from the last dimension to the second", .infer = nhwc2nchw_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF,
    .role = C2G_ROLE_TO_NCHW },
  { "ChannelShuffle", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INT (ShuffleState, group, "group", 1, C2G_AT_LEAST (1), C2G_IS_INVALID),
              C2G_ARG_ORDER (ShuffleState, is_last)),
    sizeof (ShuffleState), NULL, shuffle_run, NULL, NULL, "Mixes the channels of groups",
    .infer = shuffle_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF },
};

C2G_OPS_FAMILY (transpose);
