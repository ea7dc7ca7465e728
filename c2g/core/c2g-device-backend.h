/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g-backend.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/c2g-allocator.h>
#include <c2g/core/c2g-context.h>
#include <c2g/core/c2g-device-compute.h>
#include <c2g/core/c2g-device-info.h>
#include <c2g/core/c2g-device.h>
#include <c2g/core/c2g-event.h>
#include <c2g/core/c2g-version-macros.h>

G_BEGIN_DECLS

/**
 * C2G_DEVICE_BACKEND_VERSION: (skip)
 *
 * The version of [struct@DeviceBackend] that this header describes.
 */
#define C2G_DEVICE_BACKEND_VERSION 2

/**
 * C2gDeviceBackend: (skip)
 * @version: `C2G_DEVICE_BACKEND_VERSION` of the header it was compiled with
 * @device_type: the kind of devices it works for
 * @name: what it is called in messages
 *
 * What a library for a kind of device gives to c2g.
 *
 * - `get_n_devices` tells how many of these devices the machine has, or gives 0 with
 *   an error that says why there is none.
 * - `create_context` gives a new context that works on the device.
 * - `get_allocator` gives a reference to the allocator that tensors on the device
 *   take memory from unless another one is set; the same one each time.
 * - `create_context_like`, which may be `NULL`, gives a new context in the same order of
 *   work as another one; without it every operator of a net waits for its own work.
 * - `compute`, which may be `NULL`, is what operators of nets call; without it there are
 *   none for the device but those that programs register.
 * - `describe`, which may be `NULL`, finds out about a device.
 * - `wrap_stream`, which may be `NULL`, gives a new context that works on a stream of
 *   somebody else. The number of the stream is that of DLPack: for CUDA 1 is the
 *   legacy default stream, 2 the default stream of the calling thread, and
 *   anything above the handle of a stream, which stays its owner's. A stream that no
 *   other thread could wait for is `C2G_ERROR_NOT_SUPPORTED`.
 * - `get_stream`, which may be `NULL`, gives that number of the stream that a context
 *   works on, or 0 with an error.
 * - `get_host_allocator`, which may be `NULL`, gives a reference to the allocator of memory
 *   of the processor that files are read into on the way to the device, or `NULL`
 *   where any memory is as good. It is used for a few blocks at a time.
 * - `get_engine`, which may be `NULL`, gives what operators call that run by an engine
 *   of the device, such as `CUDNN`, or `NULL` with an error. An engine that is not there
 *   is `C2G_ERROR_NOT_SUPPORTED`: then they run without it.
 * - `record_use` hears that a context was given work that uses memory of somebody else. It
 *   keeps account of that in a place which is `NULL` at first, and is given several times at
 *   once. Without it, which may be `NULL`, the context is waited for; with it the next two
 *   must be there.
 * - `wait_for_uses` puts what a context is asked to do from now on behind all the uses that are
 *   on account.
 * - `release_after` takes over the account, waits until the uses are over, and gives the memory
 *   back by calling a function. Where nothing can be waited for now, it returns, and all that
 *   happens later.
 * - `record_time`, which may be `NULL`, gives an object for the point behind all that a context
 *   was asked to do so far, or `NULL` with an error; `get_elapsed` waits for the second of two
 *   such points of a device, and gives the seconds between them. Without them what operators
 *   of nets take is measured by the processor.
 * - `get_epoch`, which may be `NULL`, tells how often the device has lost everything that was on
 *   it. What c2g keeps for a device it makes anew when that is another number; the
 *   backend does so too with what `get_allocator` gives.
 *
 * Without `wrap_stream` and `get_stream` the device has no streams that others could see: memory is
 * handed over when all work on it is done.
 *
 * All functions may be called from any thread, and no lock is held meanwhile.
 * A device whose index is not below what `get_n_devices` gives is asked for no
 * further. What the contexts record in events is described by
 * [struct@EventFuncs].
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
                                                 gpointer        data);
  GObject               *(*record_time)         (C2gContext  *context,
                                                 GError     **error);
  gboolean               (*get_elapsed)         (GObject     *begin,
                                                 GObject     *end,
                                                 double      *seconds,
                                                 GError     **error);
  guint                  (*get_epoch)           (C2gDevice   *device);
};

/**
 * C2gDeviceBackendFunc: (skip)
 * @error: return location for an error
 *
 * What a library for devices exports as `c2g_cuda_device_backend`.
 *
 * It is called once, after the library has been opened.
 *
 * Returns: the backend, which stays for as long as the process lives
 */
typedef const C2gDeviceBackend *(*C2gDeviceBackendFunc) (GError **error);

/**
 * C2gEventFuncs: (skip)
 *
 * How an event is waited for that a context has recorded.
 *
 * - `query` tells how far the work before the event is: `SCHEDULED`, `SUCCESS`, or
 *   `FAILED` with an error.
 * - `finish` waits until the work is done; it gives false with an error if it failed.
 * - `wait`, which may be `NULL`, puts work given to the context from now on behind
 *   the event; without it the caller waits instead.
 * - `free`, which may be `NULL`, releases the handle.
 *
 * The handle is the context's own, such as a CUDA event. All functions may be
 * called from any thread, several at a time, and no lock is held meanwhile.
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
 * @cache: what was given to `c2g_memory_reporter_add_cache()`
 *
 * Tells how many bytes a cache holds beyond the blocks that it gave out.
 *
 * It runs in any thread, under a lock unless the reporter has taken the cache: it may
 * only count.
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
