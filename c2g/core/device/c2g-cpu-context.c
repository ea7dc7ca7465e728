/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-cpu-context.h>

#include <string.h>

/**
 * C2gCpuContext:
 *
 * A context that works on the CPU.
 *
 * All work is done when a call returns. It can copy from and to any device: then the device
 * does the copy, and the call waits.
 *
 * ## Threads
 *
 * All functions may be called from any thread.
 */

struct _C2gCpuContext
{
  C2gContext parent_instance;
};

G_DEFINE_FINAL_TYPE (C2gCpuContext, c2g_cpu_context, C2G_TYPE_CONTEXT)

static C2gDevice *
c2g_cpu_context_get_device (C2gContext *context)
{
  return c2g_device_cpu ();
}

static gboolean
c2g_cpu_context_copy_bytes (C2gContext     *context,
                            gsize           n_bytes,
                            C2gDevice      *source_device,
                            gconstpointer   source,
                            C2gDevice      *destination_device,
                            gpointer        destination,
                            GError        **error)
{
  memmove (destination, source, n_bytes);
  return TRUE;
}

static gboolean
c2g_cpu_context_finish (C2gContext  *context,
                        GError     **error)
{
  return TRUE;
}

static void
c2g_cpu_context_class_init (C2gCpuContextClass *klass)
{
  C2gContextClass *context_class = C2G_CONTEXT_CLASS (klass);

  context_class->get_device = c2g_cpu_context_get_device;
  context_class->copy_bytes = c2g_cpu_context_copy_bytes;
  context_class->finish = c2g_cpu_context_finish;
}

static void
c2g_cpu_context_init (C2gCpuContext *self)
{
}

/**
 * c2g_cpu_context_new:
 *
 * Makes a context that works on the CPU.
 *
 * Returns: (transfer full): a context
 */
C2gContext *
c2g_cpu_context_new (void)
{
  return g_object_new (C2G_TYPE_CPU_CONTEXT, NULL);
}
