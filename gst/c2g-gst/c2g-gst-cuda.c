/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-cuda-private.h>

#include <c2g-gst/c2g-gst-cuda-memory-private.h>

#include <gmodule.h>

#include <glib/gi18n-lib.h>

/* GStreamer and c2g on one CUDA device.
 *
 * c2g works in the primary context of the device, as everything does that uses the CUDA runtime. GStreamer's elements
 * make a context of their own, unless they are given one, and no kernel reaches memory of another context. So memory is
 * shared only where GStreamer has the primary context as well, and other memory is refused. */

typedef struct
{
  CUresult (*retain)  (CUcontext *context,
                       CUdevice   device);
  CUresult (*release) (CUdevice   device);
} Driver;

/* Opened once; GStreamer has done so before. */
static const Driver *
get_driver (void)
{
  static gsize is_initialized = 0;
  static Driver driver;

  if (g_once_init_enter (&is_initialized))
    {
      GModule *module = gst_cuda_load_library () ? g_module_open ("libcuda.so.1", G_MODULE_BIND_LAZY) : NULL;

      if (module == NULL || !g_module_symbol (module, "cuDevicePrimaryCtxRetain", (gpointer *) &driver.retain) ||
          !g_module_symbol (module, "cuDevicePrimaryCtxRelease_v2", (gpointer *) &driver.release))
        driver.retain = NULL;
      gst_cuda_memory_init_once ();
      g_once_init_leave (&is_initialized, 1);
    }

  return driver.retain != NULL ? &driver : NULL;
}

static void
release_context (gpointer data)
{
  get_driver ()->release (GPOINTER_TO_INT (data) - 1);
}

/* GStreamer's name for the primary context, which is retained as long as somebody has it. */
static GstCudaContext *
wrap_context (C2gDevice  *device,
              GError    **error)
{
  const int index = c2g_device_get_index (device);
  const Driver *driver = get_driver ();
  GstCudaContext *context = NULL;
  CUcontext handle;

  if (driver != NULL && driver->retain (&handle, index) == CUDA_SUCCESS)
    {
      context = gst_cuda_context_new_wrapped (handle, index);
      if (context == NULL)
        driver->release (index);
    }
  if (context != NULL)
    g_object_set_data_full (G_OBJECT (context), "c2g-device", GINT_TO_POINTER (index + 1), release_context);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE, _("GStreamer cannot use the CUDA context of %s"),
                 c2g_device_to_string (device));

  return context;
}

GstCudaContext *
c2g_gst_cuda_ref_context (C2gDevice  *device,
                          GError    **error)
{
  static GMutex lock;
  /* Hash table: device → GWeakRef to its context. Elements compare contexts by their addresses, so there is one. */
  static GHashTable *contexts = NULL;
  GstCudaContext *context;
  GWeakRef *known;

  g_mutex_lock (&lock);
  if (contexts == NULL)
    contexts = g_hash_table_new (NULL, NULL);
  known = g_hash_table_lookup (contexts, device);
  if (known == NULL)
    {
      known = g_new0 (GWeakRef, 1);
      g_weak_ref_init (known, NULL);
      g_hash_table_insert (contexts, device, known);
    }
  context = g_weak_ref_get (known);
  if (context == NULL)
    {
      context = wrap_context (device, error);
      g_weak_ref_set (known, context);
    }
  g_mutex_unlock (&lock);

  return context;
}

static gboolean
check_context (C2gDevice       *device,
               GstCudaContext  *context,
               GError         **error)
{
  GstCudaContext *own = c2g_gst_cuda_ref_context (device, error);
  gpointer handle;

  if (own == NULL)
    return FALSE;
  handle = gst_cuda_context_get_handle (own);
  gst_object_unref (own);
  if (gst_cuda_context_get_handle (context) == handle)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
               _("The memory is in the CUDA context %p of %s, and c2g uses the primary one, %p: give the pipeline that of "
                 "c2g_gst_context_new_for_device()"),
               gst_cuda_context_get_handle (context), c2g_device_to_string (device), handle);
  return FALSE;
}

C2gDevice *
c2g_gst_cuda_find_device (GstMemory    *memory,
                          GstMapFlags  *flags,
                          GError      **error)
{
  GstCudaContext *context;
  C2gDevice *device;
  guint index;

  /* Comparing names takes less time than looking at types. */
  if (!gst_memory_is_type (memory, GST_CUDA_MEMORY_TYPE_NAME) || !gst_is_cuda_memory (memory))
    return c2g_device_cpu ();

  context = GST_CUDA_MEMORY_CAST (memory)->context;
  g_object_get (context, "cuda-device-id", &index, NULL);
  device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, index, error);
  if (device == NULL || !check_context (device, context, error))
    return NULL;

  *flags |= GST_MAP_CUDA;
  return device;
}

GstContext *
c2g_gst_cuda_new_context (C2gDevice  *device,
                          GError    **error)
{
  GstCudaContext *own = c2g_gst_cuda_ref_context (device, error);
  GstContext *context = own != NULL ? gst_context_new_cuda_context (own) : NULL;

  g_clear_pointer (&own, gst_object_unref);

  return context;
}
