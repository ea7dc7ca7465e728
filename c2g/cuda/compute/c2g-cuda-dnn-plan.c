/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-dnn-plan-private.h>

#include <c2g/cuda/compute/c2g-cuda-compute-private.h>
#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/compute/c2g-cuda-launch-private.h>

#include <string.h>

/* Plans of cuDNN: descriptors and the algorithm for a shape. c2g-cuda-dnn.c asks for one before each run.
 * The handle owns its plans, and only the thread that has taken the handle uses them. A plan is valid until
 * the next one is asked for. */

/* Images, channels, and two or three dimensions of an image. */
#define MAX_DIMS 5

/* Caffe2's default limit on the workspace of cuDNN. */
#define MAX_WORKSPACE (64 * 1024 * 1024)

/* cuDNN may find each algorithm with two kinds of math. */
#define MAX_FOUND (2 * CUDNN_CONVOLUTION_FWD_ALGO_COUNT)

/* More shapes than a net has. At the limit all plans are dropped, so that a program with new shapes all
 * the time does not grow. */
#define MAX_PLANS 512

static void
free_plan (gpointer data)
{
  C2gCudaDnnPlan *plan = data;

  if (plan->x != NULL)
    c2g_cuda_dnn.cudnnDestroyTensorDescriptor (plan->x);
  if (plan->y != NULL)
    c2g_cuda_dnn.cudnnDestroyTensorDescriptor (plan->y);
  if (plan->filters != NULL)
    c2g_cuda_dnn.cudnnDestroyFilterDescriptor (plan->filters);
  if (plan->conv != NULL)
    c2g_cuda_dnn.cudnnDestroyConvolutionDescriptor (plan->conv);
  if (plan->pool != NULL)
    c2g_cuda_dnn.cudnnDestroyPoolingDescriptor (plan->pool);
  if (plan->biases != NULL)
    c2g_cuda_dnn.cudnnDestroyTensorDescriptor (plan->biases);
  if (plan->relu != NULL)
    c2g_cuda_dnn.cudnnDestroyActivationDescriptor (plan->relu);
  g_free (plan);
}

/* The bytes of a shape are its key, so those that fill it up must be 0. */
static guint
hash_shape (gconstpointer key)
{
  const guint8 *bytes = key;
  guint hash = 5381;

  for (gsize i = 0; i < sizeof (C2gCudaDnnShape); i++)
    hash = hash * 33 + bytes[i];

  return hash;
}

static gboolean
equal_shapes (gconstpointer a,
              gconstpointer b)
{
  return memcmp (a, b, sizeof (C2gCudaDnnShape)) == 0;
}

/* Returns 1 if the first of the three dimensions is 1 everywhere and can be left out, otherwise
 * 0. */
static guint
find_first (const C2gComputeWindow *window)
{
  return window->in[0] == 1 && window->out[0] == 1 && window->kernel[0] == 1 &&
             window->head[0] == 0
           ? 1
           : 0;
}

/* Returns TRUE if dimension i has the same padding on both sides and as many outputs as fit,
 * because cuDNN supports nothing else. Its pools also need padding that is smaller than the kernel. */
static gboolean
is_even (const C2gCudaDnnShape *shape,
         guint                  i)
{
  const C2gComputeWindow *window = &shape->window;
  const gint64 reach = window->dilation[i] * (window->kernel[i] - 1) + 1;
  const gint64 whole = window->in[i] + 2 * window->head[i];
  const gint64 room = whole - reach;

  if (shape->kind != C2G_CUDA_DNN_CONV && window->head[i] >= window->kernel[i])
    return FALSE;

  return window->head[i] >= 0 && whole <= G_MAXINT32 && room >= 0 && room / window->stride[i] + 1 == window->out[i];
}

static gboolean
is_small (const gint64 *size,
          gint64        n_channels,
          gint64        n_images)
{
  gint64 n = 1;
  const gint64 factors[] = { n_images, n_channels, size[0], size[1], size[2] };

  for (gsize i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      if (factors[i] < 1 || factors[i] > G_MAXINT32 / n)
        return FALSE;
      n *= factors[i];
    }

  return TRUE;
}

/* Returns TRUE if cuDNN has such padding, and counts all elements in 32 bits. */
static gboolean
is_known_to_fit (const C2gCudaDnnShape *shape)
{
  const C2gComputeWindow *window = &shape->window;
  gboolean fits = is_small (window->in, window->n_channels, window->n_images) &&
                  is_small (window->out, shape->n_filters, window->n_images) &&
                  is_small (window->kernel, window->n_channels, shape->n_filters);

  for (guint i = 0; i < 3; i++)
    fits &= window->stride[i] <= G_MAXINT32 && window->dilation[i] <= G_MAXINT32 &&
            window->head[i] <= G_MAXINT32 && is_even (shape, i);

  return fits;
}

static cudnnDataType_t
find_type (const C2gCudaDnnPlan *plan)
{
  switch (plan->shape.type)
    {
    case C2G_DATA_TYPE_FLOAT16:
      return CUDNN_DATA_HALF;
    case C2G_DATA_TYPE_BFLOAT16:
      return CUDNN_DATA_BFLOAT16;
    default:
      return CUDNN_DATA_FLOAT;
    }
}

/* Describes images as cuDNN wants: the channels come first, and strides tell the layout. */
static gboolean
describe_images (C2gCudaDnnPlan           *plan,
                 const gint64             *size,
                 gint64                    n_channels,
                 cudnnTensorDescriptor_t  *descriptor,
                 int                       device,
                 GError                  **error)
{
  const C2gComputeWindow *window = &plan->shape.window;
  const guint first = find_first (window);
  const guint n_dims = 5 - first;
  int dims[MAX_DIMS], strides[MAX_DIMS];
  int step = window->channels_last ? (int) n_channels : 1;

  dims[0] = (int) window->n_images;
  dims[1] = (int) n_channels;
  for (guint i = n_dims - 1; i >= 2; i--)
    {
      dims[i] = (int) size[i - 2 + first];
      strides[i] = step;
      step *= dims[i];
    }
  strides[1] = window->channels_last ? 1 : step;
  strides[0] = window->channels_last ? step : step * (int) n_channels;

  return C2G_CUDA_DNN_CALL (device, error, cudnnCreateTensorDescriptor, descriptor) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnSetTensorNdDescriptor, *descriptor,
                            find_type (plan), (int) n_dims, dims, strides);
}

static gboolean
describe_filters (C2gCudaDnnPlan  *plan,
                  int              device,
                  GError         **error)
{
  const C2gComputeWindow *window = &plan->shape.window;
  const guint first = find_first (window);
  const guint n_dims = 5 - first;
  int dims[MAX_DIMS];

  dims[0] = (int) plan->shape.n_filters;
  dims[1] = (int) (window->n_channels / plan->shape.n_groups);
  for (guint i = 2; i < n_dims; i++)
    dims[i] = (int) window->kernel[i - 2 + first];

  return C2G_CUDA_DNN_CALL (device, error, cudnnCreateFilterDescriptor, &plan->filters) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnSetFilterNdDescriptor, plan->filters,
                            find_type (plan),
                            window->channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                            (int) n_dims, dims);
}

static void
copy_sizes (const gint64 *from,
            guint         first,
            int          *to)
{
  for (guint i = first; i < 3; i++)
    to[i - first] = (int) from[i];
}

/* CUDNN_DEFAULT_MATH may round floats to TensorFloat-32. CUDNN_TENSOR_OP_MATH lets tensor cores multiply
 * 16-bit numbers, and rounds nothing. */
static cudnnMathType_t
find_math (const C2gCudaDnnPlan *plan)
{
  if (plan->shape.type != C2G_DATA_TYPE_FLOAT)
    return CUDNN_TENSOR_OP_MATH;

  return plan->shape.has_tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH;
}

/* The products of all types are added as floats. */
static gboolean
describe_conv (C2gCudaDnnPlan  *plan,
               int              device,
               GError         **error)
{
  const C2gComputeWindow *window = &plan->shape.window;
  const guint first = find_first (window);
  int head[3], stride[3], dilation[3];

  copy_sizes (window->head, first, head);
  copy_sizes (window->stride, first, stride);
  copy_sizes (window->dilation, first, dilation);

  return C2G_CUDA_DNN_CALL (device, error, cudnnCreateConvolutionDescriptor, &plan->conv) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnSetConvolutionNdDescriptor, plan->conv,
                            (int) (3 - first), head, stride, dilation, CUDNN_CROSS_CORRELATION,
                            CUDNN_DATA_FLOAT) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnSetConvolutionGroupCount, plan->conv,
                            (int) plan->shape.n_groups) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnSetConvolutionMathType, plan->conv, find_math (plan));
}

static gboolean
describe_fusion (C2gCudaDnnPlan  *plan,
                 int              device,
                 GError         **error)
{
  const int n_dims = 5 - (int) find_first (&plan->shape.window);
  const int n_filters = (int) plan->shape.n_filters;
  const int dims[MAX_DIMS] = { 1, n_filters, 1, 1, 1 };
  const int strides[MAX_DIMS] = { n_filters, 1, 1, 1, 1 };

  return C2G_CUDA_DNN_CALL (device, error, cudnnCreateTensorDescriptor, &plan->biases) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnSetTensorNdDescriptor, plan->biases,
                            find_type (plan), n_dims, dims, strides) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnCreateActivationDescriptor, &plan->relu) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnSetActivationDescriptor, plan->relu,
                            CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0);
}

static gboolean
describe_pool (C2gCudaDnnPlan  *plan,
               int              device,
               GError         **error)
{
  const C2gComputeWindow *window = &plan->shape.window;
  const guint first = find_first (window);
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
  int kernel[3], head[3], stride[3];

  if (plan->shape.kind == C2G_CUDA_DNN_AVERAGE_POOL)
    mode = window->counts_pads ? CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING
                               : CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING;
  copy_sizes (window->kernel, first, kernel);
  copy_sizes (window->head, first, head);
  copy_sizes (window->stride, first, stride);

  return C2G_CUDA_DNN_CALL (device, error, cudnnCreatePoolingDescriptor, &plan->pool) &&
         C2G_CUDA_DNN_CALL (device, error, cudnnSetPoolingNdDescriptor, plan->pool, mode,
                            CUDNN_NOT_PROPAGATE_NAN, (int) (3 - first), kernel, head, stride);
}

/* Asks for the workspace size again: it can differ from the estimate of the search. */
static gboolean
try_algorithm (C2gCudaDnnPlan                      *plan,
               C2gCudaHandle                       *handle,
               const cudnnConvolutionFwdAlgoPerf_t *found,
               cudnnMathType_t                      math)
{
  gsize n_bytes = 0;

  if (found->status != CUDNN_STATUS_SUCCESS ||
      c2g_cuda_dnn.cudnnSetConvolutionMathType (plan->conv, math) != CUDNN_STATUS_SUCCESS ||
      c2g_cuda_dnn.cudnnGetConvolutionForwardWorkspaceSize (handle->handle, plan->x, plan->filters,
                                                            plan->conv, plan->y, found->algo,
                                                            &n_bytes) != CUDNN_STATUS_SUCCESS ||
      n_bytes > MAX_WORKSPACE)
    return FALSE;

  plan->algorithm = found->algo;
  plan->n_workspace_bytes = n_bytes;
  return TRUE;
}

/* Takes the first algorithm that has enough workspace. It needs the kind of math with which it was found.
 * cuDNN also searches with CUDNN_DEFAULT_MATH, whatever the descriptor says, so what would round floats
 * without permission is skipped. If nothing else was found, the permitted kind is tried with each. */
static gboolean
try_algorithms (C2gCudaDnnPlan                      *plan,
                C2gCudaHandle                       *handle,
                const cudnnConvolutionFwdAlgoPerf_t *found,
                int                                  n_found)
{
  const cudnnMathType_t permitted = find_math (plan);
  gboolean is_taken = FALSE;

  for (int i = 0; i < n_found && !is_taken; i++)
    is_taken = (permitted != CUDNN_FMA_MATH || found[i].mathType == permitted) &&
               try_algorithm (plan, handle, &found[i], found[i].mathType);
  for (int i = 0; i < n_found && !is_taken; i++)
    is_taken = try_algorithm (plan, handle, &found[i], permitted);

  return is_taken;
}

/* Runs all algorithms. They write into memory of their own, because the output may be the sum that is
 * still to be added. */
static gboolean
measure (C2gCudaDnnPlan                 *plan,
         C2gCudaHandle                  *handle,
         C2gContext                     *context,
         const C2gComputeConv           *conv,
         cudnnConvolutionFwdAlgoPerf_t  *found,
         int                            *n_found,
         GError                        **error)
{
  g_auto (C2gCudaScratch) y = { NULL };
  g_auto (C2gCudaScratch) workspace = { NULL };
  const gsize n_bytes = c2g_cuda_conv_count (conv) *
                        c2g_data_type_get_item_size ((C2gDataType) plan->shape.type);

  return c2g_cuda_scratch_take (&y, NULL, context, n_bytes, error) &&
         c2g_cuda_scratch_take (&workspace, NULL, context, MAX_WORKSPACE, error) &&
         C2G_CUDA_DNN_CALL (handle->device, error, cudnnFindConvolutionForwardAlgorithmEx,
                            handle->handle, plan->x, conv->x, plan->filters, conv->filters,
                            plan->conv, plan->y, y.address, MAX_FOUND, n_found, found,
                            workspace.address, MAX_WORKSPACE);
}

/* cuDNN puts the fastest algorithm first. Without memory for measuring, cuDNN's heuristic chooses, and the
 * plan is one that is not tuned, so that a later run measures. */
static gboolean
choose_algorithm (C2gCudaDnnPlan        *plan,
                  C2gCudaHandle         *handle,
                  C2gContext            *context,
                  const C2gComputeConv  *conv,
                  GError               **error)
{
  cudnnConvolutionFwdAlgoPerf_t found[MAX_FOUND];
  g_autoptr (GError) local_error = NULL;
  int n_found = 0;
  const gboolean is_measured =
    plan->shape.is_tuned && measure (plan, handle, context, conv, found, &n_found, &local_error);

  if (local_error != NULL && !g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  plan->shape.is_tuned = is_measured;
  if (!is_measured &&
      !C2G_CUDA_DNN_CALL (handle->device, error, cudnnGetConvolutionForwardAlgorithm_v7,
                          handle->handle, plan->x, plan->filters, plan->conv, plan->y,
                          MAX_FOUND, &n_found, found))
    return FALSE;

  plan->is_taken = try_algorithms (plan, handle, found, n_found);
  return TRUE;
}

static gboolean
describe (C2gCudaDnnPlan        *plan,
          C2gCudaHandle         *handle,
          C2gContext            *context,
          const C2gComputeConv  *conv,
          GError               **error)
{
  const C2gComputeWindow *window = &plan->shape.window;
  const int device = handle->device;

  if (!describe_images (plan, window->in, window->n_channels, &plan->x, device, error) ||
      !describe_images (plan, window->out, plan->shape.n_filters, &plan->y, device, error))
    return FALSE;
  if (plan->shape.kind != C2G_CUDA_DNN_CONV)
    return describe_pool (plan, device, error);

  return describe_filters (plan, device, error) && describe_conv (plan, device, error) &&
         (!plan->shape.is_fused || describe_fusion (plan, device, error)) &&
         choose_algorithm (plan, handle, context, conv, error);
}

/* A shape that cuDNN refuses has a plan too, which is not taken: c2g computes it by kernels of its own. */
static C2gCudaDnnPlan *
make_plan (C2gCudaHandle          *handle,
           const C2gCudaDnnShape  *shape,
           C2gContext             *context,
           const C2gComputeConv   *conv,
           GError                **error)
{
  C2gCudaDnnPlan *plan = g_new0 (C2gCudaDnnPlan, 1);
  g_autoptr (GError) local_error = NULL;

  plan->shape = *shape;
  plan->is_taken = is_known_to_fit (shape);
  if (!plan->is_taken || describe (plan, handle, context, conv, &local_error))
    return plan;

  plan->is_taken = FALSE;
  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED) ||
      g_error_matches (local_error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT))
    return plan;

  g_propagate_error (error, g_steal_pointer (&local_error));
  free_plan (plan);
  return NULL;
}

C2gCudaDnnPlan *
c2g_cuda_dnn_plan_get (C2gCudaHandle          *handle,
                       const C2gCudaDnnShape  *shape,
                       C2gContext             *context,
                       const C2gComputeConv   *conv,
                       GError                **error)
{
  C2gCudaDnnShape plain = *shape;
  C2gCudaDnnPlan *plan;

  if (handle->plans == NULL)
    handle->plans = g_hash_table_new_full (hash_shape, equal_shapes, NULL, free_plan);

  plan = g_hash_table_lookup (handle->plans, shape);
  if (plan == NULL && shape->is_tuned &&
      c2g_cuda_stream_is_captured (c2g_cuda_context_peek_stream (context)))
    {
      plain.is_tuned = FALSE;
      plan = g_hash_table_lookup (handle->plans, &plain);
    }
  if (plan != NULL)
    return plan;

  plan = make_plan (handle, &plain, context, conv, error);
  if (plan == NULL)
    return NULL;
  if (g_hash_table_size (handle->plans) >= MAX_PLANS)
    g_hash_table_remove_all (handle->plans);
  /* Without memory for measuring this may replace the plan that is not tuned, whose key goes with it. */
  g_hash_table_replace (handle->plans, &plan->shape, plan);

  return plan;
}
