/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g-backend.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-context.h>
#include <c2g/core/device/c2g-device-compute.h>
#include <c2g/core/device/c2g-device-info.h>
#include <c2g/core/device/c2g-device.h>
#include <c2g/core/device/c2g-event.h>
#include <c2g/core/memory/c2g-allocator.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

/**
 * C2G_DEVICE_BACKEND_VERSION: (skip)
 *
 * The version of [struct@DeviceBackend] that this header describes.
 */
#define C2G_DEVICE_BACKEND_VERSION 6

/**
 * C2gDeviceGraphs: (skip)
 *
 * Work that a net gives to a device once, and the device repeats.
 *
 * - `begin` makes the calling thread record the work that it gives to a context, and to those that
 *   share its order, in place of starting it.
 * - `end` ends that, and returns the work if it is wanted; `NULL` with or without an error if not, or
 *   if some of the work cannot be repeated. c2g keeps the memory that was allocated in between.
 * - `launch` starts the work in the order of the context. The memory of tensors that it uses must be
 *   where it was; older scratch memory is the device's affair. It fails if the same calls would start other
 *   work by now.
 * - `free` releases the work, which the device need not have done yet.
 *
 * One thread at a time uses a graph.
 */
typedef struct
{
  gboolean (*begin)  (C2gContext  *context,
                      GError     **error);
  gpointer (*end)    (gboolean     is_wanted,
                      GError     **error);
  gboolean (*launch) (gpointer     graph,
                      GError     **error);
  void     (*free)   (gpointer     graph);
} C2gDeviceGraphs;

/**
 * C2gDeviceBackend: (skip)
 * @version: `C2G_DEVICE_BACKEND_VERSION` of the header it was compiled with
 * @device_type: the kind of devices that it handles
 * @name: its name in messages
 *
 * The functions that a device library gives to c2g.
 *
 * - `get_n_devices` returns the number of these devices, or 0 with an error that says why
 *   there is none.
 * - `create_context` returns a new context that works on the device.
 * - `get_allocator` returns a reference to the default allocator of the device; the same one
 *   each time.
 * - `create_context_like`, which may be `NULL`, returns a new context that shares the order of
 *   work of another one. Without it every operator of a net waits for its own work.
 * - `compute`, which may be `NULL`, runs the work of operators and tensors. Without it the
 *   device has only operators that programs register.
 * - `describe`, which may be `NULL`, returns information about a device.
 * - `wrap_stream`, which may be `NULL`, returns a new context that works on a foreign stream.
 *   The number of the stream is that of DLPack: for CUDA 1 is the legacy default stream, 2 the
 *   default stream of the calling thread, and anything above the handle of a stream, which
 *   stays its owner's. A stream that no other thread could wait for is
 *   `C2G_ERROR_NOT_SUPPORTED`.
 * - `get_stream`, which may be `NULL`, returns that number of a context's stream, or 0 with an
 *   error.
 * - `get_host_allocator`, which may be `NULL`, returns a reference to the allocator of CPU
 *   memory that files are read into on the way to the device, or `NULL` if any memory is as
 *   good. It is used for a few blocks at a time.
 * - `get_engine`, which may be `NULL`, returns what runs the same work with an engine of the
 *   device, such as `CUDNN`, or `NULL` with an error. If the engine is missing, the error is
 *   `C2G_ERROR_NOT_SUPPORTED`, and operators run without it.
 * - `record_use`, which may be `NULL`, notes that a context was given work that uses foreign
 *   memory. It keeps its records in a place that is `NULL` at first. It may be called by
 *   several threads at the same time. Without it the context is waited for; with it the next
 *   two functions are required.
 * - `wait_for_uses` orders later work of a context behind all recorded uses.
 * - `release_after` takes over the records, waits until the uses are over, and calls a
 *   function that releases the memory. If it cannot wait now, it returns and does this later.
 *   With `wait` false it does not wait for uses that are not over, but returns, and looks again
 *   in later calls.
 * - `record_time`, which may be `NULL`, returns an object for the point behind all work of a
 *   context so far, or `NULL` with an error. `get_elapsed` waits for the second of two such
 *   points and returns the seconds between them. Without them the time of operators is
 *   measured on the CPU.
 * - `get_epoch`, which may be `NULL`, returns how often the device has lost all its memory.
 *   When the number changes, c2g makes its objects for the device again, and the backend makes
 *   a new default allocator.
 * - `is_pinned`, which may be `NULL`, tells if the work of a context can use CPU memory at an
 *   address after the call that queued it has returned. The uses of such memory are recorded,
 *   whoever has pinned it.
 * - `begin_range`, which may be `NULL`, tells profilers that the calling thread begins to start
 *   the work of an operator of this type, whose first output has this name. `end_range` is
 *   called when the work is started.
 * - `graphs`, which may be `NULL`, repeats the work of nets. Without it their operators run each time.
 *
 * Without `wrap_stream` and `get_stream` the device has no streams for others: memory is
 * exported only when all work on it is done.
 *
 * All functions may be called from any thread, and no lock is held meanwhile. The backend is
 * never asked about a device whose index is not below `get_n_devices`. For events that
 * contexts record see [struct@EventFuncs].
 */
struct _C2gDeviceBackend
{
  guint                    version;
  C2gDeviceType            device_type;
  const char              *name;

  int                    (*get_n_devices)       (GError     **error);
  C2gContext            *(*create_context)      (C2gDevice   *device,
                                                 GError     **error);
  C2gAllocator          *(*get_allocator)       (C2gDevice   *device,
                                                 GError     **error);
  C2gContext            *(*create_context_like) (C2gContext  *context);
  const C2gDeviceCompute  *compute;
  C2gDeviceInfo         *(*describe)            (C2gDevice   *device,
                                                 GError     **error);
  C2gContext            *(*wrap_stream)         (C2gDevice   *device,
                                                 guint64      stream,
                                                 GError     **error);
  guint64                (*get_stream)          (C2gContext  *context,
                                                 GError     **error);
  C2gAllocator          *(*get_host_allocator)  (C2gDevice   *device);
  const C2gDeviceCompute *(*get_engine)         (const char  *engine,
                                                 GError     **error);
  void                   (*record_use)          (gpointer    *uses,
                                                 C2gContext  *context);
  gboolean               (*wait_for_uses)       (gpointer     uses,
                                                 C2gContext  *context,
                                                 GError     **error);
  void                   (*release_after)       (gpointer        uses,
                                                 GDestroyNotify  func,
                                                 gpointer        data,
                                                 gboolean        wait);
  GObject               *(*record_time)         (C2gContext  *context,
                                                 GError     **error);
  gboolean               (*get_elapsed)         (GObject     *begin,
                                                 GObject     *end,
                                                 double      *seconds,
                                                 GError     **error);
  guint                  (*get_epoch)           (C2gDevice   *device);
  gboolean               (*is_pinned)           (C2gContext    *context,
                                                 gconstpointer  address);
  void                   (*begin_range)         (const char  *type,
                                                 const char  *name);
  void                   (*end_range)           (void);
  const C2gDeviceGraphs   *graphs;
};

/**
 * C2gDeviceBackendFunc: (skip)
 * @error: return location for an error
 *
 * The type of the function `c2g_cuda_device_backend` that a device library exports.
 *
 * It is called once, after the library has been opened.
 *
 * Returns: the backend, which must stay valid until the process ends
 */
typedef const C2gDeviceBackend *(*C2gDeviceBackendFunc) (GError **error);

/**
 * C2gEventFuncs: (skip)
 *
 * Functions to wait for an event that a context has recorded.
 *
 * - `query` returns the state of the work before the event: `SCHEDULED`, `SUCCESS`, or
 *   `FAILED` with an error.
 * - `finish` waits until the work is done; it returns false with an error if it failed.
 * - `wait`, which may be `NULL`, orders later work of the context behind the event; without it
 *   the caller waits.
 * - `free`, which may be `NULL`, releases the handle.
 *
 * The handle belongs to the context, such as a CUDA event. All functions may be called from
 * any thread, several at a time, and no lock is held meanwhile.
 */
typedef struct
{
  C2gEventStatus (*query)  (gpointer     handle,
                            GError     **error);
  gboolean       (*finish) (gpointer     handle,
                            GError     **error);
  gboolean       (*wait)   (gpointer     handle,
                            C2gContext  *context,
                            GError     **error);
  void           (*free)   (gpointer     handle);

  /*< private >*/
  gpointer _reserved[4];
} C2gEventFuncs;

/**
 * C2gCachedBytesFunc: (skip)
 * @cache: the argument of `c2g_memory_reporter_add_cache()`
 *
 * Counts the bytes of a cache that are not in live blocks.
 *
 * It is called in any thread, and with a lock held unless the reporter owns the cache: so it
 * may only count.
 *
 * Returns: bytes
 */
typedef gsize (*C2gCachedBytesFunc) (gpointer cache);

C2G_AVAILABLE_IN_ALL
gboolean c2g_device_backend_register (const C2gDeviceBackend  *backend,
                                      GError                 **error);

C2G_AVAILABLE_IN_ALL
void     c2g_allocator_set_no_memory (C2gAllocator            *self,
                                      gsize                    n_bytes,
                                      const char              *reason,
                                      GError                 **error);
C2G_AVAILABLE_IN_ALL
void     c2g_storage_set_name        (C2gStorage              *self,
                                      const char              *name);
C2G_AVAILABLE_IN_ALL
void     c2g_memory_reporter_add_cache    (C2gDevice          *device,
                                           C2gCachedBytesFunc  count,
                                           gpointer            cache);
C2G_AVAILABLE_IN_ALL
void     c2g_memory_reporter_take_cache   (C2gDevice          *device,
                                           C2gCachedBytesFunc  count,
                                           gpointer            cache,
                                           GDestroyNotify      free);
C2G_AVAILABLE_IN_ALL
void     c2g_memory_reporter_remove_cache (gpointer            cache);
C2G_AVAILABLE_IN_ALL
gboolean c2g_event_schedule          (C2gEvent                *self,
                                      const C2gEventFuncs     *funcs,
                                      gpointer                 handle,
                                      GError                 **error);

G_END_DECLS
