/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-compute-private.h>

#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/compute/c2g-cuda-launch-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* A convolution as the matrix product of the filters with the im2col matrix (columns), of as many
 * images at a time as fit in MAX_COLUMNS_BYTES. A pointwise convolution uses the image itself. The
 * first and the last step, start and finish, are shared with c2g-cuda-dnn.c. */

#define MAX_COLUMNS_BYTES ((gsize) 64 << 20)

typedef struct
{
  const C2gComputeConv *conv;
  C2gContext           *context;
  gsize                 item_size;

  gint64                n_in;
  gint64                n_out;
  gint64                n_kernel;
  /* The length of a filter, and the number of filters for a group of channels. */
  gint64                n_filter;
  gint64                n_group_filters;
  gboolean              is_pointwise;
  /* The number of images computed at a time, and their im2col matrix. */
  gint64                n_images;
  gpointer              columns;
} Plan;

static C2gDataType
find_type (const C2gComputeConv *conv)
{
  return conv->type != C2G_DATA_TYPE_UNDEFINED ? conv->type : C2G_DATA_TYPE_FLOAT;
}

static gconstpointer
item_at (const Plan    *plan,
         gconstpointer  items,
         gint64         i)
{
  return (const char *) items + i * plan->item_size;
}

static gpointer
mutable_item_at (const Plan *plan,
                 gpointer    items,
                 gint64      i)
{
  return (char *) items + i * plan->item_size;
}

static void
make_plan (const C2gComputeConv *conv,
           C2gContext           *context,
           Plan                 *plan)
{
  const C2gComputeWindow *window = &conv->window;

  *plan = (Plan) { .conv = conv, .context = context, .n_in = 1, .n_out = 1, .n_kernel = 1 };
  plan->item_size = c2g_data_type_get_item_size (find_type (conv));
  plan->is_pointwise = TRUE;
  for (guint i = 0; i < 3; i++)
    {
      plan->n_in *= window->in[i];
      plan->n_out *= window->out[i];
      plan->n_kernel *= window->kernel[i];
      plan->is_pointwise &= window->kernel[i] == 1 && window->stride[i] == 1 &&
                            window->head[i] == 0 && window->out[i] == window->in[i];
    }
  plan->n_filter = window->n_channels / conv->n_groups * plan->n_kernel;
  plan->n_group_filters = conv->n_filters / conv->n_groups;
}

static gboolean
fill_columns (const Plan     *plan,
              gint64          n_images,
              gconstpointer   images,
              GError        **error)
{
  C2gComputeWindow window = plan->conv->window;
  const C2gComputeRequest request = {
    .type = find_type (plan->conv),
    .window = &window,
    .n = plan->conv->n_groups,
    .x = images,
    .y = plan->columns,
  };

  window.n_images = n_images;
  return C2G_CUDA_LAUNCH (plan->context, error, c2g_cuda_kernel_columns, &request, NULL);
}

static gboolean
multiply (const Plan      *plan,
          C2gComputeGemm  *gemm,
          GError         **error)
{
  gemm->type = plan->conv->type;
  gemm->alpha = 1;
  gemm->beta = plan->conv->sum != NULL ? 1 : 0;

  return c2g_cuda_compute_gemm (plan->context, gemm, error);
}

/* y = filters × columns, with a row of the output for each filter. One call multiplies all images
 * of a group, or all groups of an image, whichever needs fewer calls. */
static gboolean
compute_channels_first (const Plan     *plan,
                        gint64          n_images,
                        gconstpointer   columns,
                        gpointer        y,
                        GError        **error)
{
  const gint64 n_groups = plan->conv->n_groups;
  const gboolean is_by_group = n_groups <= n_images;
  const gint64 step = is_by_group ? n_groups : 1;
  const gint64 n_filters = plan->n_group_filters * plan->n_filter;
  const gint64 n_columns = plan->n_filter * plan->n_out;
  const gint64 n_y = plan->n_group_filters * plan->n_out;
  C2gComputeGemm gemm = {
    .n_rows = plan->n_group_filters,
    .n_columns = plan->n_out,
    .depth = plan->n_filter,
    .a_stride = plan->n_filter,
    .a_matrix = is_by_group ? 0 : n_filters,
    .b_stride = plan->n_out,
    .b_matrix = step * n_columns,
    .c_stride = plan->n_out,
    .c_matrix = step * n_y,
    .n_matrices = MAX (n_groups, n_images),
  };

  for (gint64 i = 0; i < MIN (n_groups, n_images); i++)
    {
      const gint64 first = is_by_group ? i : i * n_groups;

      gemm.a = item_at (plan, plan->conv->filters, is_by_group ? i * n_filters : 0);
      gemm.b = item_at (plan, columns, first * n_columns);
      gemm.c = mutable_item_at (plan, y, first * n_y);
      if (!multiply (plan, &gemm, error))
        return FALSE;
    }

  return TRUE;
}

/* y = columns × filters', where columns has a row for each output of each image. */
static gboolean
compute_channels_last (const Plan     *plan,
                       gint64          n_images,
                       gconstpointer   columns,
                       gpointer        y,
                       GError        **error)
{
  C2gComputeGemm gemm = {
    .b_is_transposed = TRUE,
    .n_rows = n_images * plan->n_out,
    .n_columns = plan->n_group_filters,
    .depth = plan->n_filter,
    .a = columns,
    .a_stride = plan->conv->n_groups * plan->n_filter,
    .a_matrix = plan->n_filter,
    .b = plan->conv->filters,
    .b_stride = plan->n_filter,
    .b_matrix = plan->n_group_filters * plan->n_filter,
    .c = y,
    .c_stride = plan->conv->n_filters,
    .c_matrix = plan->n_group_filters,
    .n_matrices = plan->conv->n_groups,
  };

  return multiply (plan, &gemm, error);
}

static gboolean
compute_images (const Plan   *plan,
                gint64        first,
                GError      **error)
{
  const C2gComputeConv *conv = plan->conv;
  const gint64 n_images = MIN (plan->n_images, conv->window.n_images - first);
  gconstpointer x = item_at (plan, conv->x, first * plan->n_in * conv->window.n_channels);
  gpointer y = mutable_item_at (plan, conv->y, first * plan->n_out * conv->n_filters);
  gconstpointer columns = plan->is_pointwise ? x : plan->columns;

  if (!plan->is_pointwise && !fill_columns (plan, n_images, x, error))
    return FALSE;

  return conv->window.channels_last
           ? compute_channels_last (plan, n_images, columns, y, error)
           : compute_channels_first (plan, n_images, columns, y, error);
}

static gint64
count_places (const C2gComputeConv *conv)
{
  return conv->window.out[0] * conv->window.out[1] * conv->window.out[2];
}

gsize
c2g_cuda_conv_count (const C2gComputeConv *conv)
{
  return conv->window.n_images * conv->n_filters * count_places (conv);
}

gboolean
c2g_cuda_conv_start (C2gContext            *context,
                     const C2gComputeConv  *conv,
                     GError               **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  if (conv->sum == NULL || conv->sum == conv->y)
    return TRUE;

  return C2G_CUDA_STREAM_CALL (c2g_cuda_stream_index (stream), error, cudaMemcpyAsync, conv->y,
                               conv->sum,
                               c2g_cuda_conv_count (conv) *
                                 c2g_data_type_get_item_size (find_type (conv)),
                               cudaMemcpyDeviceToDevice, c2g_cuda_stream_peek (stream));
}

static gboolean
add_biases (C2gContext            *context,
            const C2gComputeConv  *conv,
            GError               **error)
{
  const gint64 n_images = conv->window.n_images;
  const gint64 n_places = count_places (conv);
  const gboolean is_last = conv->window.channels_last;
  const gint64 dims[] = { is_last ? n_images * n_places : n_images, conv->n_filters,
                          is_last ? 1 : n_places };
  const gint64 strides[] = { dims[1] * dims[2], dims[2], 1 };
  const gint64 bias_strides[] = { 0, 1, 0 };
  const C2gComputeRequest request = {
    .type = find_type (conv),
    .binary = C2G_COMPUTE_BINARY_ADD,
    .x = conv->y,
    .bias = conv->biases,
    .other = conv->biases,
    .y = conv->y,
    .n_outer = dims[0],
    .n = dims[1],
    .n_inner = dims[2],
    .dims = dims,
    .n_dims = G_N_ELEMENTS (dims),
    .x_strides = strides,
    .other_strides = bias_strides,
  };

  /* The kernel for channels is the faster one, but has biases of floats only. */
  return request.type == C2G_DATA_TYPE_FLOAT
           ? C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_scale_channels, &request, NULL)
           : C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_binary, &request, NULL);
}

gboolean
c2g_cuda_conv_finish (C2gContext            *context,
                      const C2gComputeConv  *conv,
                      GError               **error)
{
  const C2gComputeRequest relu = {
    .unary = C2G_COMPUTE_UNARY_CLIP,
    .type = find_type (conv),
    .a = 0,
    .b = conv->max,
    .x = conv->y,
    .y = conv->y,
    .n = c2g_cuda_conv_count (conv),
  };

  return (conv->biases == NULL || add_biases (context, conv, error)) &&
         (!conv->has_relu || C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_unary, &relu, NULL));
}

static gboolean
reserve_columns (Plan            *plan,
                 C2gCudaScratch  *scratch,
                 GError         **error)
{
  gsize n = plan->conv->n_groups * plan->n_filter;
  gsize n_bytes;

  plan->n_images = plan->conv->window.n_images;
  if (plan->is_pointwise)
    return TRUE;
  if (!g_size_checked_mul (&n_bytes, n, plan->n_out) ||
      !g_size_checked_mul (&n_bytes, n_bytes, plan->item_size))
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("A convolution that reads %zu values for each of %" PRId64
                       " outputs does not fit into the address space"),
                     n, plan->n_out);

  plan->n_images = CLAMP ((gint64) (MAX_COLUMNS_BYTES / MAX (n_bytes, 1)), 1, plan->n_images);
  if (!c2g_cuda_launch_scratch (plan->context, plan->n_images * n_bytes, scratch, NULL))
    {
      plan->n_images = 1;
      if (!c2g_cuda_launch_scratch (plan->context, n_bytes, scratch, error))
        return FALSE;
    }

  plan->columns = scratch->address;
  return TRUE;
}

gboolean
c2g_cuda_compute_conv (C2gContext            *context,
                       const C2gComputeConv  *conv,
                       GError               **error)
{
  g_auto (C2gCudaScratch) scratch = { NULL };
  Plan plan;

  make_plan (conv, context, &plan);
  if (c2g_cuda_conv_count (conv) == 0)
    return TRUE;
  if (!reserve_columns (&plan, &scratch, error) || !c2g_cuda_conv_start (context, conv, error))
    return FALSE;

  for (gint64 image = 0; image < conv->window.n_images; image += plan.n_images)
    if (!compute_images (&plan, image, error))
      return FALSE;

  return c2g_cuda_conv_finish (context, conv, error);
}
