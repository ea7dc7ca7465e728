/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-backend.h>

G_BEGIN_DECLS

/* Functions of the library for a device other than the CPU. If the library or the device is
 * absent, C2G_ERROR_DEVICE names the cause. */
C2gContext   *c2g_device_backend_create_context (C2gDevice  *device,
                                                 GError    **error);
C2gAllocator *c2g_device_backend_get_allocator  (C2gDevice  *device,
                                                 GError    **error);
/* Returns the allocator of CPU memory from which copies to the device are fastest; NULL if there
 * is none. */
C2gAllocator *c2g_device_backend_get_host_allocator (C2gDevice *device);
C2gDeviceInfo *c2g_device_backend_describe      (C2gDevice  *device,
                                                 GError    **error);
/* Returns a context that shares the order of work (the stream) of another one; NULL if the device
 * cannot do that. */
C2gContext   *c2g_device_backend_create_context_like (C2gContext *context);
/* Returns TRUE if c2g_device_backend_create_context_like() can make such contexts for the device. */
gboolean      c2g_device_backend_has_common_order (C2gDevice *device);
/* Returns the functions by which operators compute on the device; NULL if it has none. */
const C2gDeviceCompute *
              c2g_device_backend_get_compute    (C2gDevice     *device);
/* Returns TRUE if those functions can do work of this kind; FALSE for the CPU. */
gboolean      c2g_device_backend_has_compute    (C2gDevice      *device,
                                                 C2gComputeKind  kind);
/* Returns the functions of an engine of the device, such as cuDNN; C2G_ERROR_NOT_SUPPORTED if the
 * engine is missing. */
const C2gDeviceCompute *
              c2g_device_backend_get_engine     (C2gDevice     *device,
                                                 const char    *engine,
                                                 GError       **error);
/* Returns the functions that repeat the work of nets; NULL if the device has none. */
const C2gDeviceGraphs *
              c2g_device_backend_get_graphs     (C2gDevice     *device);
/* Returns how often the device has lost all its memory. */
guint         c2g_device_backend_get_epoch      (C2gDevice     *device);
/* Returns the number of devices of that type; 0 also if that is unknown. */
int           c2g_device_backend_count          (C2gDeviceType type);

/* Wraps a foreign stream, given by DLPack's number, in a context. Returns NULL without an error
 * if the device has no such streams. */
C2gContext   *c2g_device_backend_wrap_stream    (C2gDevice  *device,
                                                 guint64     stream,
                                                 GError    **error);
/* Returns DLPack's number of the context's stream. 0 without an error means that it has none, 0
 * with an error that it is unknown. */
guint64       c2g_device_backend_get_stream     (C2gContext *context,
                                                 GError    **error);

/* c2g_device_backend_record_time() records a point in the work of a context; *POINT is NULL without
 * an error if the device has no timers. c2g_device_backend_get_elapsed() waits for the second of two
 * such points and computes the time between them. */
gboolean      c2g_device_backend_record_time    (C2gContext  *context,
                                                 GObject    **point,
                                                 GError     **error);
gboolean      c2g_device_backend_get_elapsed    (C2gDevice   *device,
                                                 GObject     *begin,
                                                 GObject     *end,
                                                 double      *seconds,
                                                 GError     **error);

/* Returns TRUE if queued work of the context accesses CPU memory at this address directly, and so may
 * still use it after the call has returned: such uses must be recorded. */
gboolean      c2g_device_backend_is_pinned      (C2gContext    *context,
                                                 gconstpointer  address);

/* Name the work that the calling thread starts on the device until the end, for profilers. */
void          c2g_device_backend_begin_range    (C2gDevice   *device,
                                                 const char  *type,
                                                 const char  *name);
void          c2g_device_backend_end_range      (C2gDevice   *device);

/* Track the uses of foreign memory by the device. *USES is NULL at first and is made when needed. The
 * last function takes over USES and calls FUNC, at once or later, when all uses are over. */
void          c2g_device_backend_record_use     (C2gDevice      *device,
                                                 gpointer       *uses,
                                                 C2gContext     *context);
gboolean      c2g_device_backend_wait_for_uses  (C2gDevice      *device,
                                                 gpointer        uses,
                                                 C2gContext     *context,
                                                 GError        **error);
void          c2g_device_backend_release_after  (C2gDevice      *device,
                                                 gpointer        uses,
                                                 GDestroyNotify  func,
                                                 gpointer        data,
                                                 gboolean        wait);

G_END_DECLS
