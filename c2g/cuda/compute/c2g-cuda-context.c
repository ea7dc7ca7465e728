/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/compute/c2g-cuda-context-private.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/cuda/compute/c2g-cuda-kernels-private.h>
#include <c2g/cuda/compute/c2g-cuda-launch-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/driver/c2g-cuda-peers-private.h>
#include <c2g/cuda/memory/c2g-cuda-staging-private.h>
#include <c2g/cuda/stream/c2g-cuda-capture-private.h>
#include <c2g/cuda/stream/c2g-cuda-event-pool-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/**
 * C2gCudaContext:
 *
 * A context that works on a GPU, on a [class@Stream].
 *
 * [func@C2g.Context.for_device] makes one with a stream of its own. Its work is put on the
 * stream and goes on after the call has returned; [method@C2g.Context.finish] or an event
 * tells when it is done. A copy from host memory that is not pinned goes through pinned
 * blocks, so that it goes on too, and the memory has been read when the call returns. A
 * copy into such memory is done when the call returns.
 *
 * Two contexts on one stream share its order. Contexts on two streams are ordered by events, and
 * by the tensors that both copy or fill.
 *
 * ```python
 * device = C2g.Device.parse('cuda:0')
 * context = C2g.Context.for_device(device)
 * near = C2g.Tensor.new_scalar(C2g.DataType.FLOAT, 1.0)
 * far = C2g.Tensor.new_for_device(device)
 * far.copy_from(near, context)
 * context.finish()
 * ```
 *
 * ## Threads
 *
 * All functions may be called from any thread.
 */

struct _C2gCudaContext
{
  C2gContext        parent_instance;

  C2gCudaStream    *stream;
  C2gCudaWorkspace *workspaces[C2G_CUDA_N_WORKSPACES];

  /* Guards seed and n_drawn, the number of random numbers drawn so far. */
  GMutex            lock;
  guint64           seed;
  guint64           n_drawn;

  gboolean          has_tf32[C2G_CUDA_N_TF32];
};

enum
{
  PROP_0,
  PROP_STREAM,
  PROP_TF32_PRODUCTS,
  PROP_TF32_CONVOLUTIONS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (C2gCudaContext, c2g_cuda_context, C2G_TYPE_CONTEXT)

C2gCudaStream *
c2g_cuda_context_peek_stream (C2gContext *context)
{
  return C2G_CUDA_IS_CONTEXT (context) ? C2G_CUDA_CONTEXT (context)->stream : NULL;
}

C2gCudaWorkspace *
c2g_cuda_context_peek_workspace (C2gContext           *context,
                                 C2gCudaWorkspaceKind  kind)
{
  return C2G_CUDA_CONTEXT (context)->workspaces[kind];
}

gboolean
c2g_cuda_context_has_tf32 (C2gContext  *context,
                           C2gCudaTf32  kind)
{
  return C2G_CUDA_CONTEXT (context)->has_tf32[kind];
}

static C2gDevice *
c2g_cuda_context_get_device (C2gContext *context)
{
  return c2g_cuda_stream_get_device (C2G_CUDA_CONTEXT (context)->stream);
}

static gboolean
is_far (C2gDevice *device)
{
  return c2g_device_get_device_type (device) == C2G_DEVICE_TYPE_CUDA;
}

/* Copies through a temporary block, because CUDA copies between overlapping places in any order. */
static gboolean
move_bytes (C2gCudaContext  *self,
            gsize            n_bytes,
            gconstpointer    source,
            gpointer         destination,
            GError         **error)
{
  C2gDevice *device = c2g_cuda_stream_get_device (self->stream);
  g_autoptr (C2gStorage) between = c2g_storage_new (device, n_bytes, C2G_CONTEXT (self), error);
  cudaStream_t stream = c2g_cuda_stream_peek (self->stream);
  int index = c2g_device_get_index (device);
  gpointer place;

  if (between == NULL)
    return FALSE;

  place = (gpointer) (guintptr) c2g_storage_get_address (between);

  return C2G_CUDA_STREAM_CALL (index, error, cudaMemcpyAsync, place, source, n_bytes,
                               cudaMemcpyDeviceToDevice, stream) &&
         C2G_CUDA_STREAM_CALL (index, error, cudaMemcpyAsync, destination, place, n_bytes,
                               cudaMemcpyDeviceToDevice, stream);
}

static gboolean
copy_within (C2gCudaContext  *self,
             gsize            n_bytes,
             gconstpointer    source,
             gpointer         destination,
             GError         **error)
{
  const char *from = source;
  const char *to = destination;

  if (to < from + n_bytes && from < to + n_bytes)
    return move_bytes (self, n_bytes, source, destination, error);

  return C2G_CUDA_STREAM_CALL (c2g_cuda_stream_index (self->stream), error, cudaMemcpyAsync,
                               destination, source, n_bytes, cudaMemcpyDeviceToDevice,
                               c2g_cuda_stream_peek (self->stream));
}

/* The driver copies straight if the stream's device has access to the other one, and otherwise
 * through the host. */
static gboolean
copy_to_peer (C2gCudaContext  *self,
              gsize            n_bytes,
              int              source_index,
              gconstpointer    source,
              int              destination_index,
              gpointer         destination,
              GError         **error)
{
  int index = c2g_cuda_stream_index (self->stream);

  c2g_cuda_peers_open (index, index == source_index ? destination_index : source_index);

  return C2G_CUDA_STREAM_CALL (index, error, cudaMemcpyPeerAsync, destination, destination_index,
                               source, source_index, n_bytes, c2g_cuda_stream_peek (self->stream));
}

static gboolean
copy_between (C2gCudaContext  *self,
              gsize            n_bytes,
              C2gDevice       *source_device,
              gconstpointer    source,
              C2gDevice       *destination_device,
              gpointer         destination,
              GError         **error)
{
  if (is_far (source_device) && is_far (destination_device))
    return copy_to_peer (self, n_bytes, c2g_device_get_index (source_device), source,
                         c2g_device_get_index (destination_device), destination, error);

  if (is_far (destination_device))
    return c2g_cuda_staging_upload (C2G_CONTEXT (self), self->stream, source, destination, n_bytes,
                                    error);

  return C2G_CUDA_STREAM_CALL (c2g_cuda_stream_index (self->stream), error, cudaMemcpyAsync,
                               destination, source, n_bytes, cudaMemcpyDeviceToHost,
                               c2g_cuda_stream_peek (self->stream));
}

static gboolean
c2g_cuda_context_copy_bytes (C2gContext     *context,
                             gsize           n_bytes,
                             C2gDevice      *source_device,
                             gconstpointer   source,
                             C2gDevice      *destination_device,
                             gpointer        destination,
                             GError        **error)
{
  C2gCudaContext *self = C2G_CUDA_CONTEXT (context);
  C2gDevice *device = c2g_cuda_stream_get_device (self->stream);

  /* Only a copy within one GPU can be captured: a CUDA graph repeats it with the same addresses, and
   * memory of the host may have other content by then. */
  if ((source_device != destination_device || !is_far (source_device)) &&
      !c2g_cuda_capture_permits (error))
    return FALSE;

  if (!is_far (source_device) && !is_far (destination_device))
    {
      /* The copy has its place in the order of the stream, so the earlier work must be done. */
      if (!c2g_cuda_stream_finish (self->stream, error))
        return FALSE;
      memmove (destination, source, n_bytes);
      return TRUE;
    }

  if (source_device != device && destination_device != device)
    return c2g_fail (error, C2G_ERROR_DEVICE,
                     _("A context of %s cannot copy from %s to %s; use one of a device that is "
                       "copied from or to"),
                     c2g_device_to_string (device),
                     c2g_device_to_string (source_device),
                     c2g_device_to_string (destination_device));

  if (source_device == destination_device)
    return copy_within (self, n_bytes, source, destination, error);

  return copy_between (self, n_bytes, source_device, source, destination_device, destination,
                       error);
}

/* Gets the tensor's elements, of its own type. *elements is NULL if there are none. */
static gboolean
get_elements (C2gTensor  *tensor,
              gpointer   *elements,
              GError    **error)
{
  GError *local_error = NULL;

  *elements = c2g_tensor_raw_mutable_data (tensor, c2g_tensor_get_type_meta (tensor), &local_error);
  if (local_error == NULL)
    return TRUE;

  g_propagate_error (error, local_error);
  return FALSE;
}

static void
record_use (C2gContext *context,
            C2gTensor  *tensor)
{
  C2gStorage *storage = c2g_tensor_get_storage (tensor);

  if (storage != NULL)
    c2g_storage_record_use (storage, context);
}

static gboolean
start_fill (C2gContext     *context,
            gpointer        elements,
            gconstpointer   item,
            gsize           item_size,
            gsize           n,
            GError        **error)
{
  const C2gComputeRequest request = { .y = elements, .item = item, .item_size = item_size, .n = n };

  return C2G_CUDA_LAUNCH (context, error, c2g_cuda_kernel_fill, &request, NULL);
}

/* Converts the value to the tensor's type on the host, or fails if that is impossible. */
static gboolean
c2g_cuda_context_fill (C2gContext  *context,
                       C2gTensor   *tensor,
                       double       value,
                       GError     **error)
{
  C2gDataType type = c2g_tensor_get_data_type (tensor);
  g_autoptr (C2gTensor) item = c2g_tensor_new_scalar (type, value, error);
  gpointer elements;

  if (item == NULL || !get_elements (tensor, &elements, error) ||
      !start_fill (context, elements, c2g_tensor_raw_data (item, NULL),
                   c2g_tensor_get_item_size (item), c2g_tensor_get_n_elements (tensor), error))
    return FALSE;

  record_use (context, tensor);
  return TRUE;
}

/* Reserves n numbers of the random sequence, and returns the number of the first. */
static guint64
draw (C2gCudaContext *self,
      guint64         n,
      guint64        *seed)
{
  guint64 offset;

  g_mutex_lock (&self->lock);
  *seed = self->seed;
  offset = self->n_drawn;
  self->n_drawn += n;
  g_mutex_unlock (&self->lock);

  return offset;
}

/* Checks the arguments by filling one element of the same type on the CPU: the checks depend only on
 * the type. */
static gboolean
check_random (C2gTensor  *tensor,
              gboolean  (*fill) (C2gContext  *context,
                                 C2gTensor   *tensor,
                                 double       first,
                                 double       second,
                                 GError     **error),
              double      first,
              double      second,
              GError    **error)
{
  g_autoptr (C2gTensor) item = c2g_tensor_new_scalar (c2g_tensor_get_data_type (tensor), 0, error);
  g_autoptr (C2gContext) host = c2g_cpu_context_new ();

  return item != NULL && fill (host, item, first, second, error);
}

static gboolean
start_random (C2gContext  *context,
              gboolean     is_normal,
              C2gTensor   *tensor,
              double       first,
              double       second,
              GError     **error)
{
  C2gDataType type = c2g_tensor_get_data_type (tensor);
  gsize n = c2g_tensor_get_n_elements (tensor);
  gpointer elements;
  guint64 seed, offset;
  C2gCudaLaunch launch;
  cudaError_t result;

  if (!get_elements (tensor, &elements, error))
    return FALSE;
  offset = draw (C2G_CUDA_CONTEXT (context), n, &seed);
  if (!c2g_cuda_launch_begin (&launch, context, error))
    return FALSE;

  result = (is_normal ? c2g_cuda_kernel_random_normal : c2g_cuda_kernel_random_uniform) (
    type, elements, n, first, second, seed, offset, launch.stream);
  if (!c2g_cuda_launch_end (&launch, result,
                            is_normal ? "c2g_cuda_kernel_random_normal"
                                      : "c2g_cuda_kernel_random_uniform",
                            error))
    return FALSE;

  record_use (context, tensor);
  return TRUE;
}

static gboolean
c2g_cuda_context_fill_uniform (C2gContext  *context,
                               C2gTensor   *tensor,
                               double       low,
                               double       high,
                               GError     **error)
{
  return check_random (tensor, c2g_context_fill_uniform, low, high, error) &&
         start_random (context, FALSE, tensor, low, high, error);
}

static gboolean
c2g_cuda_context_fill_normal (C2gContext  *context,
                              C2gTensor   *tensor,
                              double       mean,
                              double       deviation,
                              GError     **error)
{
  return check_random (tensor, c2g_context_fill_normal, mean, deviation, error) &&
         start_random (context, TRUE, tensor, mean, deviation, error);
}

static void
c2g_cuda_context_seed (C2gContext *context,
                       guint64     seed)
{
  C2gCudaContext *self = C2G_CUDA_CONTEXT (context);

  g_mutex_lock (&self->lock);
  self->seed = seed;
  self->n_drawn = 0;
  g_mutex_unlock (&self->lock);
}

static C2gEventStatus
query_mark (gpointer  handle,
            GError  **error)
{
  const C2gCudaMark *mark = handle;
  cudaError_t result =
    C2G_CUDA_ON_DEVICE (c2g_cuda_mark_index (mark), C2G_CUDA_RELAXED (cudaEventQuery (mark->event)));
  C2gEventStatus status = c2g_cuda_status (result);

  if (status == C2G_EVENT_FAILED)
    c2g_cuda_check (result, "cudaEventQuery", mark->device, error);

  return status;
}

static gboolean
finish_mark (gpointer  handle,
             GError  **error)
{
  const C2gCudaMark *mark = handle;
  int index = c2g_cuda_mark_index (mark);

  return c2g_cuda_check (
    C2G_CUDA_ON_DEVICE (index, C2G_CUDA_RELAXED (cudaEventSynchronize (mark->event))),
    "cudaEventSynchronize", index, error);
}

static gboolean
wait_for_mark (gpointer     handle,
               C2gContext  *context,
               GError     **error)
{
  const C2gCudaMark *mark = handle;
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  if (stream == NULL || c2g_cuda_mark_index (mark) < 0)
    return finish_mark (handle, error);

  return C2G_CUDA_STREAM_CALL (c2g_cuda_stream_index (stream), error, cudaStreamWaitEvent,
                               c2g_cuda_stream_peek (stream), mark->event, 0);
}

static void
free_mark (gpointer handle)
{
  C2gCudaMark *mark = handle;

  c2g_cuda_event_pool_give (mark);
  g_free (mark);
}

static const C2gEventFuncs mark_funcs = {
  .query = query_mark,
  .finish = finish_mark,
  .wait = wait_for_mark,
  .free = free_mark,
};

static gboolean
c2g_cuda_context_record (C2gContext  *context,
                         C2gEvent    *event,
                         GError     **error)
{
  C2gCudaStream *stream = C2G_CUDA_CONTEXT (context)->stream;
  C2gCudaMark mark;

  if (!c2g_cuda_event_pool_record (c2g_cuda_stream_find_index (stream), c2g_cuda_stream_peek (stream),
                                   &mark, error))
    return FALSE;

  return c2g_event_schedule (event, &mark_funcs, g_memdup2 (&mark, sizeof mark), error);
}

static gboolean
c2g_cuda_context_finish (C2gContext  *context,
                         GError     **error)
{
  return c2g_cuda_stream_finish (C2G_CUDA_CONTEXT (context)->stream, error);
}

static void
set_stream (C2gCudaContext *self,
            C2gCudaStream  *stream)
{
  self->stream = stream != NULL ? g_object_ref (stream) : g_object_new (C2G_CUDA_TYPE_STREAM, NULL);
}

static void
c2g_cuda_context_notify (GObject    *object,
                         GParamSpec *pspec)
{
  if (pspec == props[PROP_TF32_PRODUCTS] || pspec == props[PROP_TF32_CONVOLUTIONS])
    c2g_cuda_capture_outdate ();
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_STREAM] = { .set = G_CALLBACK (set_stream), .offset = G_STRUCT_OFFSET (C2gCudaContext, stream) },
  [PROP_TF32_PRODUCTS] = C2G_PROPERTY (c2g_cuda_context, tf32_products),
  [PROP_TF32_CONVOLUTIONS] = C2G_PROPERTY (c2g_cuda_context, tf32_convolutions),
};

static void
c2g_cuda_context_finalize (GObject *object)
{
  C2gCudaContext *self = C2G_CUDA_CONTEXT (object);

  for (guint i = 0; i < C2G_CUDA_N_WORKSPACES; i++)
    c2g_cuda_workspace_unref (self->workspaces[i]);
  g_clear_object (&self->stream);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_cuda_context_parent_class)->finalize (object);
}

static void
c2g_cuda_context_class_init (C2gCudaContextClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gContextClass *context_class = C2G_CONTEXT_CLASS (klass);

  object_class->finalize = c2g_cuda_context_finalize;
  object_class->notify = c2g_cuda_context_notify;

  context_class->get_device = c2g_cuda_context_get_device;
  context_class->copy_bytes = c2g_cuda_context_copy_bytes;
  context_class->fill = c2g_cuda_context_fill;
  context_class->fill_uniform = c2g_cuda_context_fill_uniform;
  context_class->fill_normal = c2g_cuda_context_fill_normal;
  context_class->seed = c2g_cuda_context_seed;
  context_class->record = c2g_cuda_context_record;
  context_class->finish = c2g_cuda_context_finish;

  /**
   * C2gCudaContext:stream: (getter get_stream)
   *
   * The stream that the work is put on; by default the default stream of `cuda:0`.
   */
  props[PROP_STREAM] =
    g_param_spec_object ("stream", NULL, NULL,
                         C2G_CUDA_TYPE_STREAM,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gCudaContext:tf32-products: (getter get_tf32_products) (setter set_tf32_products)
   *
   * Whether cuBLAS may round the factors of float products to TensorFloat-32.
   *
   * That has 10 bits of mantissa, and is faster on GPUs since Ampere. The default is that of
   * PyTorch, unless the environment variable `C2G_CUDA_TF32` is “1”, which permits it, or “0”.
   */
  props[PROP_TF32_PRODUCTS] =
    g_param_spec_boolean ("tf32-products", NULL, NULL,
                          FALSE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  /**
   * C2gCudaContext:tf32-convolutions: (getter get_tf32_convolutions) (setter set_tf32_convolutions)
   *
   * Whether cuDNN may round the factors of float convolutions to TensorFloat-32.
   *
   * The default is that of PyTorch, unless the environment variable `C2G_CUDA_TF32` is “0”, which
   * forbids it, or “1”.
   */
  props[PROP_TF32_CONVOLUTIONS] =
    g_param_spec_boolean ("tf32-convolutions", NULL, NULL,
                          TRUE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

  c2g_properties_install (object_class, N_PROPS, props, rows);
}

static void
c2g_cuda_context_init (C2gCudaContext *self)
{
  const char *tf32 = g_getenv ("C2G_CUDA_TF32");

  self->has_tf32[C2G_CUDA_TF32_PRODUCTS] = g_strcmp0 (tf32, "1") == 0;
  self->has_tf32[C2G_CUDA_TF32_CONVOLUTIONS] = g_strcmp0 (tf32, "0") != 0;
  g_mutex_init (&self->lock);
  self->workspaces[C2G_CUDA_WORKSPACE_BLAS] = c2g_cuda_workspace_new ("cuBLAS workspace");
  self->workspaces[C2G_CUDA_WORKSPACE_SCRATCH] = c2g_cuda_workspace_new ("scratch of operators");
  self->seed = (guint64) g_random_int () << 32 | g_random_int ();
}

/**
 * c2g_cuda_context_new:
 * @device: a CUDA device
 * @error: return location for an error
 *
 * Makes a context with a stream of its own.
 *
 * A device that is not a CUDA device, or that the machine lacks, is `C2G_ERROR_DEVICE`.
 *
 * Returns: (transfer full): a context
 */
C2gContext *
c2g_cuda_context_new (C2gDevice  *device,
                      GError    **error)
{
  g_autoptr (C2gCudaStream) stream = NULL;

  g_return_val_if_fail (device != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  stream = c2g_cuda_stream_new (device, error);

  return stream != NULL ? c2g_cuda_context_new_for_stream (stream) : NULL;
}

/**
 * c2g_cuda_context_new_for_stream:
 * @stream: a stream
 *
 * Makes a context that puts its work on a stream.
 *
 * Returns: (transfer full): a context, which holds the stream
 */
C2gContext *
c2g_cuda_context_new_for_stream (C2gCudaStream *stream)
{
  g_return_val_if_fail (C2G_CUDA_IS_STREAM (stream), NULL);

  return g_object_new (C2G_CUDA_TYPE_CONTEXT, "stream", stream, NULL);
}

C2gContext *
c2g_cuda_context_new_like (C2gContext *context)
{
  C2gCudaContext *other = C2G_CUDA_CONTEXT (context);
  C2gContext *self = c2g_cuda_context_new_for_stream (other->stream);

  for (guint i = 0; i < C2G_CUDA_N_WORKSPACES; i++)
    {
      c2g_cuda_workspace_unref (C2G_CUDA_CONTEXT (self)->workspaces[i]);
      C2G_CUDA_CONTEXT (self)->workspaces[i] = c2g_cuda_workspace_ref (other->workspaces[i]);
    }
  memcpy (C2G_CUDA_CONTEXT (self)->has_tf32, other->has_tf32, sizeof other->has_tf32);

  return self;
}

/**
 * c2g_cuda_context_get_stream: (get-property stream)
 * @self: a context
 *
 * Gets the stream that the work is put on.
 *
 * Returns: (transfer none): a stream
 */
C2gCudaStream *
c2g_cuda_context_get_stream (C2gCudaContext *self)
{
  g_return_val_if_fail (C2G_CUDA_IS_CONTEXT (self), NULL);

  return self->stream;
}

#define GETTER(name, kind) \
  C2G_DEFINE_GETTER (C2gCudaContext, c2g_cuda_context, C2G_CUDA_IS_CONTEXT, gboolean, name, has_tf32[kind])
#define SETTER(name, kind, prop) \
  C2G_DEFINE_SETTER (C2gCudaContext, c2g_cuda_context, C2G_CUDA_IS_CONTEXT, gboolean, name, has_tf32[kind], props[prop])

/**
 * c2g_cuda_context_get_tf32_products: (get-property tf32-products)
 * @self: a context
 *
 * Gets whether cuBLAS may round the factors of float products to TensorFloat-32.
 *
 * Returns: true if it may
 */
GETTER (tf32_products, C2G_CUDA_TF32_PRODUCTS)

/**
 * c2g_cuda_context_set_tf32_products: (set-property tf32-products)
 * @self: a context
 * @tf32_products: whether it may
 *
 * Sets whether cuBLAS may round the factors of float products to TensorFloat-32.
 *
 * It counts for products that are started later.
 */
SETTER (tf32_products, C2G_CUDA_TF32_PRODUCTS, PROP_TF32_PRODUCTS)

/**
 * c2g_cuda_context_get_tf32_convolutions: (get-property tf32-convolutions)
 * @self: a context
 *
 * Gets whether cuDNN may round the factors of float convolutions to TensorFloat-32.
 *
 * Returns: true if it may
 */
GETTER (tf32_convolutions, C2G_CUDA_TF32_CONVOLUTIONS)

/**
 * c2g_cuda_context_set_tf32_convolutions: (set-property tf32-convolutions)
 * @self: a context
 * @tf32_convolutions: whether it may
 *
 * Sets whether cuDNN may round the factors of float convolutions to TensorFloat-32.
 *
 * It counts for convolutions that are started later.
 */
SETTER (tf32_convolutions, C2G_CUDA_TF32_CONVOLUTIONS, PROP_TF32_CONVOLUTIONS)
