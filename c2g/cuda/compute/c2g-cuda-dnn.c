/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-dnn-private.h>

#include <c2g/cuda/compute/c2g-cuda-compute-private.h>
#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/compute/c2g-cuda-dnn-plan-private.h>
#include <c2g/cuda/compute/c2g-cuda-launch-private.h>

#include <math.h>
#include <string.h>

/* Convolution and pooling by cuDNN, which is opened at run time: the engine CUDNN of operators. */

C2gCudaDnn c2g_cuda_dnn;

#define SYMBOL(name) #name,
static const char * const symbols[] = { C2G_CUDA_DNN_FOR_EACH_FUNCTION (SYMBOL) NULL };
#undef SYMBOL

static const C2gCudaLibraryName names[] = {
  { "libcudnn.so.9", NULL },
  { "libcudnn.so.8", NULL },
  { NULL, NULL },
};

static C2gCudaLibrary library = {
  .title = "cuDNN",
  .variable = "C2G_CUDNN_LIBRARY",
  .names = names,
  .symbols = symbols,
  .functions = (gpointer *) &c2g_cuda_dnn,
};

/* Statuses have other numbers in each version of cuDNN, but the same names. */
static C2gError
error_code (const char *name)
{
  if (g_str_has_prefix (name, "CUDNN_STATUS_NOT_SUPPORTED") ||
      g_str_has_prefix (name, "CUDNN_STATUS_ARCH_MISMATCH"))
    return C2G_ERROR_NOT_SUPPORTED;
  if (g_str_has_prefix (name, "CUDNN_STATUS_BAD_PARAM"))
    return C2G_ERROR_INVALID_ARGUMENT;
  if (strstr (name, "ALLOC") != NULL)
    return C2G_ERROR_NO_MEMORY;
  return C2G_ERROR_DEVICE;
}

gboolean
c2g_cuda_dnn_check (cudnnStatus_t   status,
                    const char     *function,
                    int             device,
                    GError        **error)
{
  const char *name;

  if (G_LIKELY (status == CUDNN_STATUS_SUCCESS))
    return TRUE;

  name = c2g_cuda_dnn.cudnnGetErrorString (status);
  return c2g_cuda_library_fail (error_code (name), function, device, name, NULL, error);
}

static gpointer
create_handle (int      device,
               GError **error)
{
  cudnnHandle_t handle = NULL;

  return C2G_CUDA_DNN_CALL (device, error, cudnnCreate, &handle) ? handle : NULL;
}

static C2gCudaHandles handles = { .create = create_handle };

char *
c2g_cuda_dnn_describe (int device)
{
  int version[3] = { 0 };
  char *reason;

  if (!c2g_cuda_library_open (&library, NULL))
    return g_strdup (library.reason);
  reason = c2g_cuda_handles_dup_reason (&handles, device);
  if (reason != NULL)
    return reason;

  for (int i = 0; i < 3; i++)
    (void) c2g_cuda_dnn.cudnnGetProperty ((libraryPropertyType) (MAJOR_VERSION + i), &version[i]);

  return g_strdup_printf ("%d.%d.%d", version[0], version[1], version[2]);
}

/* A convolution or a pooling on the context's stream. A pooling has no conv. */
typedef struct
{
  C2gContext           *context;
  const C2gComputeConv *conv;
  gconstpointer         x;
  gpointer              y;
} Work;

typedef gboolean (*Start) (const Work            *work,
                           C2gCudaHandle         *handle,
                           const C2gCudaDnnPlan  *plan,
                           GError               **error);

static gboolean
start_conv (const Work            *work,
            C2gCudaHandle         *handle,
            const C2gCudaDnnPlan  *plan,
            GError               **error)
{
  const C2gComputeConv *conv = work->conv;
  const float alpha = 1, beta = conv->sum != NULL ? 1 : 0;
  g_auto (C2gCudaScratch) workspace = { NULL };

  if (plan->n_workspace_bytes > 0 &&
      !c2g_cuda_launch_scratch (work->context, plan->n_workspace_bytes, &workspace, error))
    return FALSE;

  return c2g_cuda_conv_start (work->context, conv, error) &&
         C2G_CUDA_DNN_CALL (handle->device, error, cudnnConvolutionForward, handle->handle, &alpha,
                            plan->x, work->x, plan->filters, conv->filters, plan->conv,
                            plan->algorithm, workspace.address, plan->n_workspace_bytes, &beta, plan->y, work->y);
}

/* y = relu (conv (x) + sum + biases) in one call. A sum with the factor 0 is not read, but must be some
 * memory of the size of the output. */
static gboolean
start_fused (const Work            *work,
             C2gCudaHandle         *handle,
             const C2gCudaDnnPlan  *plan,
             GError               **error)
{
  const C2gComputeConv *conv = work->conv;
  const float alpha = 1, sum_factor = conv->sum != NULL ? 1 : 0;
  g_auto (C2gCudaScratch) workspace = { NULL };

  if (plan->n_workspace_bytes > 0 &&
      !c2g_cuda_launch_scratch (work->context, plan->n_workspace_bytes, &workspace, error))
    return FALSE;

  return C2G_CUDA_DNN_CALL (
    handle->device, error, cudnnConvolutionBiasActivationForward, handle->handle, &alpha, plan->x,
    work->x, plan->filters, conv->filters, plan->conv, plan->algorithm, workspace.address,
    plan->n_workspace_bytes, &sum_factor, plan->y, conv->sum != NULL ? conv->sum : work->y,
    plan->biases, conv->biases, plan->relu, plan->y, work->y);
}

static gboolean
start_pool (const Work            *work,
            C2gCudaHandle         *handle,
            const C2gCudaDnnPlan  *plan,
            GError               **error)
{
  const float alpha = 1, beta = 0;

  return C2G_CUDA_DNN_CALL (handle->device, error, cudnnPoolingForward, handle->handle, plan->pool,
                            &alpha, plan->x, work->x, &beta, plan->y, work->y);
}

static gboolean
set_not_taken (GError **error)
{
  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, "");
  return FALSE;
}

/* cuDNN may refuse a shape only when it runs. The plan then keeps that for the next time. */
static gboolean
start_planned (const Work             *work,
               C2gCudaHandle          *handle,
               const C2gCudaDnnShape  *shape,
               Start                   start,
               GError                **error)
{
  C2gCudaDnnPlan *plan =
    c2g_cuda_dnn_plan_get (handle, shape, work->context, work->conv, error);
  g_autoptr (GError) local_error = NULL;

  if (plan == NULL)
    return FALSE;
  if (!plan->is_taken)
    return set_not_taken (error);
  if (start (work, handle, plan, &local_error))
    return TRUE;

  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    plan->is_taken = FALSE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
run (const Work             *work,
     const C2gCudaDnnShape  *shape,
     Start                   start,
     GError                **error)
{
  C2gCudaHandle *handle;
  C2gCudaLaunch launch;
  gboolean is_done;

  if (!c2g_cuda_launch_begin (&launch, work->context, error))
    return FALSE;

  handle = c2g_cuda_handles_take (&handles, launch.device, error);
  is_done = handle != NULL &&
            C2G_CUDA_DNN_CALL (launch.device, error, cudnnSetStream, handle->handle,
                               launch.stream) &&
            start_planned (work, handle, shape, start, error);
  if (handle != NULL)
    c2g_cuda_handles_give (&handles, handle);
  c2g_cuda_guard_leave (&launch.guard);

  return is_done;
}

/* Returns TRUE if the same can be computed without cuDNN: cuDNN does not take it, or has no
 * memory. */
static gboolean
is_left_to_others (GError  *local_error,
                   GError **error)
{
  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED) ||
      g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    return TRUE;

  g_propagate_error (error, g_error_copy (local_error));
  return FALSE;
}

/* Clears the padding of the struct too, because shapes are compared by their bytes. */
static void
shape_init (C2gCudaDnnShape        *self,
            C2gCudaDnnKind          kind,
            const C2gComputeWindow *window)
{
  memset (self, 0, sizeof *self);
  self->window = *window;
  self->window.channels_last = !!window->channels_last;
  self->window.counts_pads = kind == C2G_CUDA_DNN_AVERAGE_POOL && window->counts_pads;
  self->kind = kind;
  self->type = C2G_DATA_TYPE_FLOAT;
  self->n_groups = 1;
  self->n_filters = window->n_channels;
}

/* Tensor cores read 16 bytes at a time. */
static gboolean
is_aligned (const C2gComputeConv *conv)
{
  const guintptr all = (guintptr) conv->x | (guintptr) conv->filters | (guintptr) conv->biases |
                       (guintptr) conv->sum | (guintptr) conv->y;

  return conv->type == C2G_DATA_TYPE_UNDEFINED || conv->type == C2G_DATA_TYPE_FLOAT ||
         all % 16 == 0;
}

static gboolean
is_tuning (void)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  return c2g_settings_get_tune (settings);
}

static void
shape_init_conv (C2gCudaDnnShape       *self,
                 C2gContext            *context,
                 const C2gComputeConv  *conv)
{
  shape_init (self, C2G_CUDA_DNN_CONV, &conv->window);
  self->n_groups = conv->n_groups;
  self->n_filters = conv->n_filters;
  if (conv->type != C2G_DATA_TYPE_UNDEFINED)
    self->type = conv->type;
  self->has_tf32 = self->type == C2G_DATA_TYPE_FLOAT &&
                   c2g_cuda_context_has_tf32 (context, C2G_CUDA_TF32_CONVOLUTIONS);
  self->is_fused = conv->biases != NULL && conv->has_relu && isinf (conv->max);
  self->is_tuned = is_tuning ();
}

/* cuDNN refuses some shapes in one call and takes the single steps. */
static gboolean
compute_conv (C2gContext            *context,
              const C2gComputeConv  *conv,
              GError               **error)
{
  const Work work = { .context = context, .conv = conv, .x = conv->x, .y = conv->y };
  g_autoptr (GError) local_error = NULL;
  C2gCudaDnnShape shape;

  if (c2g_cuda_conv_count (conv) == 0)
    return TRUE;
  if (!is_aligned (conv))
    return c2g_cuda_compute_conv (context, conv, error);

  shape_init_conv (&shape, context, conv);
  if (shape.is_fused)
    {
      if (run (&work, &shape, start_fused, &local_error))
        return TRUE;
      if (!is_left_to_others (local_error, error))
        return FALSE;
      g_clear_error (&local_error);
      shape.is_fused = FALSE;
    }
  if (run (&work, &shape, start_conv, &local_error))
    return c2g_cuda_conv_finish (context, conv, error);

  return is_left_to_others (local_error, error) && c2g_cuda_compute_conv (context, conv, error);
}

static gboolean
compute_pool (C2gContext               *context,
              const C2gComputeRequest  *request,
              GError                  **error)
{
  const C2gComputeWindow *window = request->window;
  const Work work = { .context = context, .x = request->x, .y = request->y };
  g_autoptr (GError) local_error = NULL;
  C2gCudaDnnShape shape;

  if (window->n_images == 0 || window->n_channels == 0 || window->out[0] == 0 ||
      window->out[1] == 0 || window->out[2] == 0)
    return TRUE;

  shape_init (&shape, request->is_average ? C2G_CUDA_DNN_AVERAGE_POOL : C2G_CUDA_DNN_MAX_POOL,
              window);

  return run (&work, &shape, start_pool, &local_error) ||
         (is_left_to_others (local_error, error) &&
          c2g_cuda_compute.run (context, request, error));
}

static gboolean
has_kind (C2gComputeKind kind)
{
  return c2g_cuda_compute.has (kind);
}

static gboolean
choose (C2gContext               *context,
        const C2gComputeRequest  *request,
        GError                  **error)
{
  if (request->kind == C2G_COMPUTE_KIND_CONV)
    return compute_conv (context, request->conv, error);
  if (request->kind == C2G_COMPUTE_KIND_POOL && request->type == C2G_DATA_TYPE_FLOAT)
    return compute_pool (context, request, error);

  return c2g_cuda_compute.run (context, request, error);
}

static gboolean
compute (C2gContext               *context,
         const C2gComputeRequest  *request,
         GError                  **error)
{
  return C2G_CUDA_WITH_GUARD (c2g_cuda_stream_index (c2g_cuda_context_peek_stream (context)), error,
                              choose (context, request, error));
}

const C2gDeviceCompute *
c2g_cuda_dnn_get_compute (GError **error)
{
  static const C2gDeviceCompute engine = { .has = has_kind, .run = compute };

  return c2g_cuda_library_open (&library, error) ? &engine : NULL;
}
