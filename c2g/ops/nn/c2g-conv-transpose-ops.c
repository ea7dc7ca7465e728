/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-gemm-private.h>
#include <c2g/ops/support/c2g-group-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-scratch-private.h>
#include <c2g/ops/support/c2g-window-private.h>

/* ConvTranspose: the transpose of Conv, that is, its gradient with regard to X.
 *
 * Inputs X (N, C, in), filters (C, M / group, kernel) and an optional bias (M); NHWC orders
 * channels last. Each input adds its filters, scaled, to the output:
 *
 * Y[n, m, i stride + k dilation - pad] += X[n, c, i] filters[c, m, k]
 *
 * out = (in - 1) stride + dilation (kernel - 1) + 1 + adj - pads. Nothing is in place. The rules
 * are Caffe2's, which ignores dilation; Caffe's Deconvolution has it.
 *
 * A matrix product computes all terms, the columns (in × kernel × M); then each line of the
 * output collects its terms (col2im), so threads never write to the same place. */

/* Limit on the number of floats in the columns (NCHW). */
#define N_COLUMNS (1 << 22)
/* Least number of floats per thread. */
#define GRAIN (1 << 14)

typedef struct
{
  C2gWindow  window;
  int        n_groups;
  C2gScratch scratch;
} TransposeState;

typedef struct
{
  C2gWindowPlace place;
  gint64         n_groups;
  /* Channels of one group. */
  gint64         n_in;
  gint64         n_out;

  const float   *x;
  const float   *filters;
  const float   *bias;
  float         *y;
  float         *columns;

  /* The n_channels output channels that are being computed, in y, and their biases or NULL. */
  float         *image;
  const float   *image_bias;
  gint64         n_channels;
} Transpose;

static gboolean
transpose_set_up (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  return c2g_window_set_up (&((TransposeState *) state)->window, op, C2G_WINDOW_TRANSPOSED, error);
}

/* Collecting: from columns to outputs */

/* Returns the input that contributes to output out through kernel position kernel, in one
 * dimension, or -1. */
static inline gint64
find_painter (const C2gWindowPlace *place,
              guint                 dim,
              gint64                out,
              gint64                kernel)
{
  const gint64 distance = out + place->head[dim] - kernel * place->dilation[dim];

  if (distance < 0 || distance % place->stride[dim] != 0 ||
      distance / place->stride[dim] >= place->in[dim])
    return -1;
  return distance / place->stride[dim];
}

/* Adds a line to every stride-th float of another. */
C2G_HOT static void
spread_line (const float *restrict source,
             float *restrict       target,
             gint64                n,
             gint64                stride)
{
  if (stride == 1)
    for (gint64 i = 0; i < n; i++)
      target[i] += source[i];
  else if (stride == 2)
    for (gint64 i = 0; i < n; i++)
      target[2 * i] += source[i];
  else
    for (gint64 i = 0; i < n; i++)
      target[i * stride] += source[i];
}

/* Adds the terms of one kernel position to a line of outputs, n channels per pixel. Pixels are
 * distance floats apart in columns and n_pixel floats apart in line. In NCHW all three are 1. */
static void
collect_taps (const C2gWindowPlace *place,
              gint64                kernel,
              const float          *columns,
              gint64                distance,
              float                *line,
              gint64                n_pixel,
              gint64                n)
{
  const gint64 stride = place->stride[2];
  const gint64 offset = kernel * place->dilation[2] - place->head[2];
  const gint64 begin = offset < 0 ? (-offset + stride - 1) / stride : 0;
  const gint64 reach = offset < place->out[2] ? (place->out[2] - offset + stride - 1) / stride : 0;
  const gint64 end = MIN (reach, place->in[2]);

  if (n == 1 && distance == 1 && n_pixel == 1)
    {
      if (begin < end)
        spread_line (columns + begin, line + begin * stride + offset, end - begin, stride);
      return;
    }
  for (gint64 i = begin; i < end; i++)
    {
      const float *restrict source = columns + i * distance;
      float *restrict target = line + (i * stride + offset) * n_pixel;

      for (gint64 j = 0; j < n; j++)
        target[j] += source[j];
    }
}

static void
collect_line (const Transpose *self,
              gint64           channel,
              gint64           d,
              gint64           h,
              float           *line)
{
  const C2gWindowPlace *place = &self->place;
  const gboolean last = place->channels_last;
  const gint64 n_row = self->n_channels * place->n_kernel;

  for (gint64 k = 0; k < place->n_kernel; k++)
    {
      const gint64 kernel_line = k / place->kernel[2];
      const gint64 in_d = find_painter (place, 0, d, kernel_line / place->kernel[1]);
      const gint64 in_h = find_painter (place, 1, h, kernel_line % place->kernel[1]);
      const gint64 first = (in_d * place->in[1] + in_h) * place->in[2];

      if (in_d < 0 || in_h < 0)
        continue;
      if (last)
        collect_taps (place, k % place->kernel[2],
                      self->columns + first * n_row + k * self->n_channels, n_row, line,
                      self->n_out * self->n_groups, self->n_channels);
      else
        collect_taps (place, k % place->kernel[2],
                      self->columns + (channel * place->n_kernel + k) * place->n_in + first, 1,
                      line, 1, 1);
    }
}

static void
collect_lines_cb (gsize    begin,
                  gsize    end,
                  guint    worker,
                  gpointer data)
{
  const Transpose *self = data;
  const C2gWindowPlace *place = &self->place;
  const gint64 n_lines = place->out[0] * place->out[1];
  const gint64 n_pixel = place->channels_last ? self->n_out * self->n_groups : 1;
  const gint64 n = place->channels_last ? self->n_channels : 1;

  for (gsize i = begin; i < end; i++)
    {
      const gint64 channel = i / n_lines;
      const gint64 at = i % n_lines;
      float *line = self->image + (gint64) i * place->out[2] * n_pixel;

      for (gint64 w = 0; w < place->out[2]; w++)
        for (gint64 j = 0; j < n; j++)
          line[w * n_pixel + j] = self->image_bias != NULL ? self->image_bias[channel + j] : 0;
      collect_line (self, channel, at / place->out[1], at % place->out[1], line);
    }
}

static void
collect (Transpose *self)
{
  const C2gWindowPlace *place = &self->place;
  const gint64 n_lines = place->out[0] * place->out[1];
  const gint64 n = place->channels_last ? n_lines : n_lines * self->n_channels;
  const gint64 n_line = place->out[2] * (place->channels_last ? self->n_channels : 1);

  c2g_parallel_for (n, GRAIN / n_line, collect_lines_cb, self);
}

/* The products: from inputs to columns */

/* Returns the number of output channels per product, so that the columns have at most N_COLUMNS
 * floats. In NHWC it is all channels of the group. */
static gint64
count_channels (const Transpose *self)
{
  if (self->place.channels_last)
    return self->n_out;
  return CLAMP (N_COLUMNS / self->place.n_kernel / self->place.n_in, 1, self->n_out);
}

/* Plans the product for self->n_channels output channels from begin on, for one group of one
 * image. */
static C2gGemm
plan_product (const Transpose *self,
              gint64           image,
              gint64           group,
              gint64           begin)
{
  const C2gWindowPlace *place = &self->place;
  const gint64 n_filter = self->n_out * place->n_kernel;
  const float *filters = self->filters + group * self->n_in * n_filter;

  if (place->channels_last)
    return (C2gGemm){
      .m = place->n_in,
      .n = n_filter,
      .k = self->n_in,
      .a = self->x + image * place->n_in * place->n_channels + group * self->n_in,
      .lda = place->n_channels,
      .b = filters,
      .ldb = n_filter,
      .c = self->columns,
      .ldc = n_filter,
    };
  return (C2gGemm){
    .trans_a = TRUE,
    .m = self->n_channels * place->n_kernel,
    .n = place->n_in,
    .k = self->n_in,
    .a = filters + begin * place->n_kernel,
    .lda = n_filter,
    .b = self->x + (image * self->n_groups + group) * self->n_in * place->n_in,
    .ldb = place->n_in,
    .c = self->columns,
    .ldc = place->n_in,
  };
}

static void
paint_group (Transpose *self,
             gint64     image,
             gint64     group)
{
  const gint64 n = count_channels (self);
  const gint64 n_pixels = self->place.n_out;
  const gint64 n_all = self->n_groups * self->n_out;

  for (gint64 begin = 0; begin < self->n_out; begin += n)
    {
      const gint64 channel = group * self->n_out + begin;
      C2gGemm gemm;

      self->n_channels = MIN (n, self->n_out - begin);
      gemm = plan_product (self, image, group, begin);
      c2g_gemm_run (&gemm);

      self->image = self->y + image * n_all * n_pixels +
                    (self->place.channels_last ? channel : channel * n_pixels);
      self->image_bias = self->bias != NULL ? self->bias + channel : NULL;
      collect (self);
    }
}

static gboolean
compute (Transpose   *self,
         C2gScratch  *scratch,
         GError     **error)
{
  C2gGemm gemm;

  self->n_channels = count_channels (self);
  gemm = plan_product (self, 0, 0, 0);
  if (!c2g_gemm_check (&gemm, error) || !c2g_scratch_reserve (scratch, gemm.m, gemm.n, error))
    return FALSE;

  self->columns = scratch->data;
  for (gint64 image = 0; image < self->place.n_images; image++)
    for (gint64 group = 0; group < self->n_groups; group++)
      paint_group (self, image, group);
  return TRUE;
}

/* On a device: one product and one collection per group; the bias is added at the end. */

static gboolean
paint_on_device (C2gOperator  *op,
                 Transpose    *self,
                 gint64        image,
                 gint64        group,
                 GError      **error)
{
  const C2gWindowPlace *place = &self->place;
  const gint64 n_all = self->n_groups * self->n_out;
  const gint64 first = group * self->n_out;
  C2gComputeWindow window = c2g_on_device_window (place);
  const C2gGemm gemm = plan_product (self, image, group, 0);

  window.n_images = 1;
  window.n_channels = self->n_out;
  return c2g_on_device_gemm (op, &gemm, NULL, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_COLLECT, .window = &window, .x = self->columns,
                      .y = self->y + image * n_all * place->n_out +
                           (place->channels_last ? first : first * place->n_out),
                      .n = place->channels_last ? n_all : 1);
}

static gboolean
compute_on_device (C2gOperator  *op,
                   Transpose    *self,
                   GError      **error)
{
  const C2gWindowPlace *place = &self->place;
  const gboolean is_last = place->channels_last;
  g_autoptr (C2gStorage) scratch = NULL;

  self->n_channels = self->n_out;
  scratch = c2g_on_device_scratch (op, self->n_out * place->n_kernel,
                                   place->n_in * sizeof (float), &self->columns, error);
  if (scratch == NULL)
    return FALSE;

  for (gint64 image = 0; image < place->n_images; image++)
    for (gint64 group = 0; group < self->n_groups; group++)
      if (!paint_on_device (op, self, image, group, error))
        return FALSE;

  return self->bias == NULL ||
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SCALE_CHANNELS, .type = C2G_DATA_TYPE_FLOAT,
                      .x = self->y, .bias = self->bias, .y = self->y,
                      .n_outer = place->n_images * (is_last ? place->n_out : 1),
                      .n = self->n_groups * self->n_out, .n_inner = is_last ? 1 : place->n_out);
}

/* Checks of the inputs */

static gboolean
check_filters (C2gOperator  *op,
               Transpose    *self,
               C2gTensor    *filters,
               GError      **error)
{
  const C2gWindowPlace *place = &self->place;
  const gint64 n_out =
    filters->n_dims > 1 ? filters->dims[place->channels_last ? filters->n_dims - 1 : 1] : 0;
  C2gWindowPlace shape = *place;
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  g_autofree char *text = NULL;
  gsize n_dims;

  shape.n_images = place->n_channels;
  n_dims = c2g_window_place_dims (&shape, place->kernel, MAX (n_out, 1), dims);
  if (n_out > 0 && c2g_shape_equal (dims, n_dims, filters->dims, filters->n_dims))
    {
      self->n_in = place->n_channels / self->n_groups;
      self->n_out = n_out;
      return TRUE;
    }

  text = c2g_shape_to_string (dims, n_dims);
  return c2g_operator_set_shape_error (op, 1, error, _("one like %s"), text);
}

static gboolean
prepare (C2gOperator     *op,
         TransposeState  *state,
         Transpose       *self,
         C2gTensor      **inputs,
         GError         **error)
{
  const guint n_inputs = c2g_operator_get_n_inputs (op);

  if (!c2g_operator_read_inputs (op, n_inputs, C2G_DATA_TYPE_FLOAT, inputs, error))
    return FALSE;

  self->n_groups = state->n_groups;
  return c2g_window_place (&state->window, op, 0, inputs[0], &self->place, error) &&
         c2g_operator_check_groups (op, self->place.n_channels, self->n_groups, error) &&
         check_filters (op, self, inputs[1], error) &&
         (n_inputs < 3 ||
          c2g_operator_check_bias (op, inputs[2], self->n_out, self->n_groups, error));
}

static C2gTensor *
resize_output (C2gOperator  *op,
               Transpose    *self,
               GError      **error)
{
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  gsize n_dims = c2g_window_place_dims (&self->place, self->place.out,
                                        self->n_out * self->n_groups, dims);

  return c2g_operator_output (op, 0, dims, n_dims, C2G_DATA_TYPE_FLOAT, error);
}

static gboolean
transpose_run (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  TransposeState *self = state;
  C2gTensor *inputs[3] = { NULL };
  Transpose transpose = { 0 };
  C2gTensor *y;

  if (!prepare (op, self, &transpose, inputs, error))
    return FALSE;
  y = resize_output (op, &transpose, error);
  if (y == NULL)
    return FALSE;
  if (y->n_elements == 0)
    return TRUE;

  transpose.x = c2g_tensor_address (inputs[0]);
  transpose.filters = c2g_tensor_address (inputs[1]);
  transpose.bias = inputs[2] != NULL ? c2g_tensor_address (inputs[2]) : NULL;
  transpose.y = c2g_tensor_address (y);
  c2g_operator_set_flops (op, 2.0 * (double) inputs[0]->n_elements *
                                  (double) (transpose.n_out * transpose.place.n_kernel) +
                                (inputs[2] != NULL ? (double) y->n_elements : 0));
  return c2g_operator_get_compute (op) != NULL ? compute_on_device (op, &transpose, error)
                                               : compute (&transpose, &self->scratch, error);
}

C2G_SCRATCH_DEFINE_CLEAR (transpose_clear, TransposeState, scratch)

static const C2gKernel kernels[] = {
  {
    .type = "ConvTranspose",
    .min_inputs = 2,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 1,
    .arguments = C2G_ARGS (C2G_ARG_PART (TransposeState, window, c2g_window_arguments),
                           C2G_ARG_READ ("adj adj_h adj_w adjs"),
                           C2G_ARG_INT (TransposeState, n_groups, "group", 1, C2G_AT_LEAST (1)),
                           C2G_ARG_IGNORED (
                             "convolution_transform_strategy deterministic enable_tensor_core "
                             "force_algo force_algo_dgrad force_algo_fwd force_algo_wgrad "
                             "cudnn_state no_bias shared_buffer training_mode")),
    .state_size = sizeof (TransposeState),
    .set_up = transpose_set_up,
    .run = transpose_run,
    .infer = transpose_run,
    .clear = transpose_clear,
    .count_flops = c2g_operator_count_flops,
    .is_for_devices = TRUE,
    .summary = "Transposed convolution",
    .traits = C2G_TRAITS_FLOAT,
  },
};

C2G_OPS_FAMILY (conv_transpose);
