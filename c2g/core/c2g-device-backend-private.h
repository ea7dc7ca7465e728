/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device-backend.h>

G_BEGIN_DECLS

/* What the library for a device that is not the CPU gives.  A library that is
 * absent, or has no such device, is a C2G_ERROR_DEVICE naming the cause. */
C2gContext   *c2g_device_backend_create_context (C2gDevice  *device,
                                                 GError    **error);
C2gAllocator *c2g_device_backend_get_allocator  (C2gDevice  *device,
                                                 GError    **error);
/* Of memory of the processor that copies to the device are best made from; NULL where any is
 * as good. */
C2gAllocator *c2g_device_backend_get_host_allocator (C2gDevice *device);
C2gDeviceInfo *c2g_device_backend_describe      (C2gDevice  *device,
                                                 GError    **error);
/* A context in the order of work of another one, NULL where the device knows none such. */
C2gContext   *c2g_device_backend_create_context_like (C2gContext *context);
/* Whether it knows such contexts. */
gboolean      c2g_device_backend_has_common_order (C2gDevice *device);
/* What operators on the device call; NULL where it has nothing for them. */
const C2gDeviceCompute *
              c2g_device_backend_get_compute    (C2gDevice     *device);
/* The same by an engine of the device; C2G_ERROR_NOT_SUPPORTED where that is not there. */
const C2gDeviceCompute *
              c2g_device_backend_get_engine     (C2gDevice     *device,
                                                 const char    *engine,
                                                 GError       **error);
/* How often the device lost all that was on it. */
guint         c2g_device_backend_get_epoch      (C2gDevice     *device);
/* How many of a kind there are; 0 where that cannot be told. */
int           c2g_device_backend_count          (C2gDeviceType type);

/* A context on a stream of somebody else, by DLPack's number; NULL without an error where
 * the device has no streams that others could see. */
C2gContext   *c2g_device_backend_wrap_stream    (C2gDevice  *device,
                                                 guint64     stream,
                                                 GError    **error);
/* DLPack's number of the context's stream: 0 without an error where it has none, and with
 * one where it cannot be told. */
guint64       c2g_device_backend_get_stream     (C2gContext *context,
                                                 GError    **error);

/* A point in what a context does, NULL without an error where the device knows no time; and how long
 * it is from one to another, which is waited for. */
gboolean      c2g_device_backend_record_time    (C2gContext  *context,
                                                 GObject    **point,
                                                 GError     **error);
gboolean      c2g_device_backend_get_elapsed    (C2gDevice   *device,
                                                 GObject     *begin,
                                                 GObject     *end,
                                                 double      *seconds,
                                                 GError     **error);

/* Who uses memory of somebody else on the device: the account is made when it is first needed,
 * and the memory goes back, now or later, when all that is over. */
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
                                                 gpointer        data);

G_END_DECLS
