/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/c2g-cuda-backend.h>

#include <c2g/cuda/compute/c2g-cuda-blas-private.h>
#include <c2g/cuda/compute/c2g-cuda-compute-private.h>
#include <c2g/cuda/compute/c2g-cuda-context-private.h>
#include <c2g/cuda/compute/c2g-cuda-dnn-private.h>
#include <c2g/cuda/driver/c2g-cuda-deferred-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-error-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/driver/c2g-cuda-ranges-private.h>
#include <c2g/cuda/memory/c2g-cuda-async-allocator.h>
#include <c2g/cuda/memory/c2g-cuda-caching-allocator.h>
#include <c2g/cuda/memory/c2g-cuda-pinned-allocator.h>
#include <c2g/cuda/stream/c2g-cuda-capture-private.h>
#include <c2g/cuda/stream/c2g-cuda-event.h>
#include <c2g/cuda/stream/c2g-cuda-stream-private.h>
#include <c2g/cuda/stream/c2g-cuda-users-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* The function table that libc2g looks up in this library: contexts, allocators, streams and uses
 * of memory on CUDA devices. */

static void
add_version (C2gDeviceInfo *info,
             const char    *name,
             int            version)
{
  g_autofree char *text = c2g_cuda_dup_version_text (version);

  c2g_device_info_add_detail (info, name, text);
}

static void
add_number (C2gDeviceInfo *info,
            const char    *name,
            int            number)
{
  g_autofree char *text = g_strdup_printf ("%d", number);

  c2g_device_info_add_detail (info, name, text);
}

static void
add_yes_or_no (C2gDeviceInfo       *info,
               const char          *name,
               enum cudaDeviceAttr  attribute,
               int                  index)
{
  int value = 0;

  if (C2G_CUDA_CALL (index, NULL, cudaDeviceGetAttribute, &value, attribute, index))
    c2g_device_info_add_detail (info, name, value ? "yes" : "no");
}

/* Adds the devices whose memory this one reaches without the host. */
static void
add_peers (C2gDeviceInfo *info,
           int            index)
{
  g_autoptr (GString) peers = g_string_new (NULL);
  int n_devices = 0;

  C2G_CUDA_CALL (index, NULL, cudaGetDeviceCount, &n_devices);
  for (int peer = 0; peer < n_devices; peer++)
    {
      int can_access = 0;

      if (peer != index &&
          C2G_CUDA_CALL (index, NULL, cudaDeviceCanAccessPeer, &can_access, index, peer) &&
          can_access)
        g_string_append_printf (peers, "%scuda:%d", peers->len > 0 ? " " : "", peer);
    }

  if (peers->len > 0)
    c2g_device_info_add_detail (info, N_("peers"), peers->str);
}

static void
add_versions (C2gDeviceInfo *info,
              int            index)
{
  int driver = 0, runtime = 0;

  if (C2G_CUDA_CALL (index, NULL, cudaDriverGetVersion, &driver))
    add_version (info, N_("driver"), driver);
  if (C2G_CUDA_CALL (index, NULL, cudaRuntimeGetVersion, &runtime))
    add_version (info, N_("library"), runtime);
}

/* Adds the versions of cuBLAS and cuDNN, or the reasons why they cannot be used. */
static void
add_libraries (C2gDeviceInfo *info,
               int            index)
{
  g_autofree char *cublas = c2g_cuda_blas_describe (index);
  g_autofree char *cudnn = c2g_cuda_dnn_describe (index);

  c2g_device_info_add_detail (info, "cublas", cublas);
  c2g_device_info_add_detail (info, "cudnn", cudnn);
}

static gboolean
get_memory (int      index,
            gsize   *n_free,
            gsize   *n_total,
            GError **error)
{
  C2gCudaGuard guard;
  gboolean done;

  if (!c2g_cuda_guard_enter (&guard, index, error))
    return FALSE;

  done = C2G_CUDA_CALL (index, error, cudaMemGetInfo, n_free, n_total);
  c2g_cuda_guard_leave (&guard);

  return done;
}

/* Describes a device with what the driver reports about it. */
static C2gDeviceInfo *
describe_device (C2gDevice  *device,
                 GError    **error)
{
  g_autofree char *capability = NULL;
  struct cudaDeviceProp properties;
  char pci_bus_id[32];
  gsize n_free, n_total;
  C2gDeviceInfo *info;
  int index;

  if (!c2g_cuda_stream_check_device (device, &index, error) ||
      !C2G_CUDA_CALL (index, error, cudaGetDeviceProperties, &properties, index) ||
      !get_memory (index, &n_free, &n_total, error))
    return NULL;

  info = c2g_device_info_new (device, properties.name, n_total, n_free);
  capability = g_strdup_printf ("%d.%d", properties.major, properties.minor);
  c2g_device_info_add_detail (info, N_("compute-capability"), capability);
  add_number (info, N_("multiprocessors"), properties.multiProcessorCount);
  if (C2G_CUDA_CALL (index, NULL, cudaDeviceGetPCIBusId, pci_bus_id, sizeof pci_bus_id, index))
    c2g_device_info_add_detail (info, N_("pci-bus-id"), pci_bus_id);
  add_versions (info, index);
  add_libraries (info, index);
  add_yes_or_no (info, N_("memory-pools"), cudaDevAttrMemoryPoolsSupported, index);
  add_yes_or_no (info, N_("integrated"), cudaDevAttrIntegrated, index);
  add_peers (info, index);

  return info;
}

static int
get_n_devices (GError **error)
{
  int n_devices = 0;

  return C2G_CUDA_CALL (0, error, cudaGetDeviceCount, &n_devices) ? n_devices : 0;
}

/* Devices without CUDA's memory pools get a caching allocator. */
static C2gAllocator *
create_allocator (C2gDevice  *device,
                  GError    **error)
{
  g_autoptr (GError) local_error = NULL;
  C2gAllocator *allocator = c2g_cuda_async_allocator_new (device, &local_error);

  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED))
    return c2g_cuda_caching_allocator_new (device, error);
  if (allocator == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));

  return allocator;
}

static guint
get_epoch (C2gDevice *device)
{
  return c2g_cuda_epoch_find (c2g_device_get_index (device));
}

/* The allocator of a device, in one epoch. */
typedef struct
{
  C2gAllocator *allocator;
  guint         epoch;
} Kept;

/* Guards the allocators. */
static GMutex lock;
static Kept kept[C2G_CUDA_MAX_DEVICES];

static C2gAllocator *
find_kept (const Kept *place,
           guint       epoch)
{
  C2gAllocator *allocator = NULL;

  g_mutex_lock (&lock);
  if (place->allocator != NULL && place->epoch == epoch)
    allocator = g_object_ref (place->allocator);
  g_mutex_unlock (&lock);

  return allocator;
}

/* Stores the allocator and returns it. If another thread was faster, returns that one's. */
static C2gAllocator *
keep (Kept         *place,
      guint         epoch,
      C2gAllocator *allocator)
{
  C2gAllocator *old = allocator;

  g_mutex_lock (&lock);
  if (place->allocator == NULL || place->epoch != epoch)
    {
      old = place->allocator;
      place->allocator = allocator;
      place->epoch = epoch;
    }
  allocator = g_object_ref (place->allocator);
  g_mutex_unlock (&lock);

  g_clear_object (&old);

  return allocator;
}

static C2gAllocator *
get_allocator (C2gDevice  *device,
               GError    **error)
{
  Kept *place = &kept[c2g_device_get_index (device)];
  guint epoch = get_epoch (device);
  C2gAllocator *allocator = find_kept (place, epoch);

  if (allocator == NULL)
    {
      allocator = create_allocator (device, error);
      if (allocator != NULL)
        allocator = keep (place, epoch, allocator);
    }

  return allocator;
}

/* Streams have DLPack's numbers: the default stream is 1, so that 0 can mean no stream. */
static C2gContext *
wrap_stream (C2gDevice  *device,
             guint64     number,
             GError    **error)
{
  g_autoptr (C2gCudaStream) stream = c2g_cuda_stream_new_from_handle (device, number, error);

  return stream != NULL ? c2g_cuda_context_new_for_stream (stream) : NULL;
}

static guint64
get_stream (C2gContext  *context,
            GError     **error)
{
  guint64 handle = c2g_cuda_stream_get_handle (c2g_cuda_context_peek_stream (context));

  return handle != 0 ? handle : (guint64) (guintptr) cudaStreamLegacy;
}

/* The staging allocator's memory is pinned, so every device can copy from it. */
static C2gAllocator *
get_host_allocator (C2gDevice *device)
{
  return c2g_cuda_pinned_allocator_get_staging ();
}

static const C2gDeviceCompute *
get_engine (const char  *engine,
            GError     **error)
{
  if (g_str_equal (engine, "CUDNN"))
    return c2g_cuda_dnn_get_compute (error);

  return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED, _("%s has no engine “%s”"), "CUDA", engine);
}

/* Users of memory of another library. The first use makes the list. */

static void
record_use (gpointer   *place,
            C2gContext *context)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  C2gCudaUsers *users = g_atomic_pointer_get (place);

  if (stream == NULL)
    return;

  if (users == NULL)
    {
      users = c2g_cuda_users_new ();
      if (!g_atomic_pointer_compare_and_exchange (place, NULL, users))
        c2g_cuda_users_free (users);
    }
  c2g_cuda_users_add (g_atomic_pointer_get (place), stream);
}

static gboolean
is_pinned (C2gContext    *context,
           gconstpointer  address)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  struct cudaPointerAttributes attributes;

  if (stream == NULL)
    return FALSE;

  /* Memory may be pinned if CUDA cannot tell. Its owner must not get it back too early. */
  return !C2G_CUDA_STREAM_CALL (c2g_cuda_stream_index (stream), NULL, cudaPointerGetAttributes,
                                &attributes, address) ||
         attributes.type == cudaMemoryTypeHost || attributes.type == cudaMemoryTypeManaged;
}

static gboolean
wait_for_uses (gpointer    users,
               C2gContext *context,
               GError    **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);

  return stream != NULL ? c2g_cuda_users_wait (users, stream, error)
                        : c2g_cuda_users_finish (users, error);
}

/* A function to call when the users of memory are done. */
typedef struct
{
  C2gCudaUsers   *users;
  GDestroyNotify  func;
  gpointer        data;
  gboolean        wait;
} Release;

/* Returns FALSE if the users are not done, or if CUDA permits no call now, as in a host function. If
 * it does not permit recording the points, the next try waits: they are recorded then, behind later
 * work. Work that failed counts as over. */
static gboolean
release (gpointer data)
{
  Release *self = data;
  gboolean permitted;

  if (!c2g_cuda_users_part (self->users))
    {
      self->wait = TRUE;
      return FALSE;
    }
  if (!c2g_cuda_users_settle (self->users, self->wait, &permitted))
    return FALSE;

  self->func (self->data);
  c2g_cuda_users_free (self->users);
  g_free (self);

  return TRUE;
}

static void
release_after (gpointer        users,
               GDestroyNotify  func,
               gpointer        data,
               gboolean        wait)
{
  Release *self = g_new (Release, 1);

  self->users = users;
  self->func = func;
  self->data = data;
  self->wait = wait;
  /* Older ones first, so that they do not add up. */
  c2g_cuda_deferred_flush_some ();
  c2g_cuda_deferred_run_or_queue (release, self);
}

static GObject *
record_time (C2gContext  *context,
             GError     **error)
{
  C2gCudaStream *stream = c2g_cuda_context_peek_stream (context);
  g_autoptr (C2gCudaEvent) event =
    c2g_cuda_event_new_with_timing (c2g_cuda_stream_get_device (stream), error);

  if (event == NULL || !c2g_cuda_event_record (event, stream, error))
    return NULL;

  return G_OBJECT (g_steal_pointer (&event));
}

static gboolean
get_elapsed (GObject  *begin,
             GObject  *end,
             double   *seconds,
             GError  **error)
{
  double milliseconds;

  if (!c2g_cuda_event_finish (C2G_CUDA_EVENT (end), error) ||
      !c2g_cuda_event_get_elapsed (C2G_CUDA_EVENT (end), C2G_CUDA_EVENT (begin), &milliseconds,
                                   error))
    return FALSE;

  *seconds = milliseconds / 1000;
  return TRUE;
}

/* Graphs */

static gboolean
begin_graph (C2gContext  *context,
             GError     **error)
{
  return c2g_cuda_capture_begin (c2g_cuda_context_peek_stream (context), error);
}

static gpointer
end_graph (gboolean   is_wanted,
           GError   **error)
{
  return c2g_cuda_capture_end (is_wanted, error);
}

static gboolean
launch_graph (gpointer   graph,
              GError   **error)
{
  return c2g_cuda_graph_launch (graph, error);
}

static void
free_graph (gpointer graph)
{
  c2g_cuda_graph_free (graph);
}

static const C2gDeviceGraphs graphs = {
  .begin = begin_graph,
  .end = end_graph,
  .launch = launch_graph,
  .free = free_graph,
};

/**
 * c2g_cuda_device_backend: (skip)
 * @error: return location for an error
 *
 * Gets the functions by which c2g uses CUDA devices.
 *
 * The machine need not have a CUDA device; then the functions fail with an error.
 *
 * Returns: the backend
 */
const C2gDeviceBackend *
c2g_cuda_device_backend (GError **error)
{
  static const C2gDeviceBackend backend = {
    .version = C2G_DEVICE_BACKEND_VERSION,
    .device_type = C2G_DEVICE_TYPE_CUDA,
    .name = "CUDA",
    .get_n_devices = get_n_devices,
    .create_context = c2g_cuda_context_new,
    .get_allocator = get_allocator,
    .create_context_like = c2g_cuda_context_new_like,
    .compute = &c2g_cuda_compute,
    .describe = describe_device,
    .wrap_stream = wrap_stream,
    .get_stream = get_stream,
    .get_host_allocator = get_host_allocator,
    .record_use = record_use,
    .wait_for_uses = wait_for_uses,
    .release_after = release_after,
    .get_engine = get_engine,
    .record_time = record_time,
    .get_elapsed = get_elapsed,
    .get_epoch = get_epoch,
    .is_pinned = is_pinned,
    .begin_range = c2g_cuda_ranges_begin,
    .end_range = c2g_cuda_ranges_end,
    .graphs = &graphs,
  };

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return &backend;
}
