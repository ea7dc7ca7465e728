/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/workspace/c2g-workspace-private.h>
#include <c2g/io/stream/c2g-progress.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* Cancellation and progress of long work. All functions accept NULL and are thread-safe. */
typedef struct
{
  GCancellable *cancellable;
  C2gProgress  *progress;
  /* Device for loaded tensors, if known; NULL for the CPU. A format may ignore it. */
  C2gDevice    *device;
  /* Files that loaded content may name, such as databases of readers; NULL allows all. */
  const C2gFileRules *files;
} C2gJob;

/* Returns the device if it is not the CPU, or NULL. */
static inline C2gDevice *
c2g_job_get_far_device (const C2gJob *self)
{
  return self != NULL && self->device != c2g_device_cpu () ? self->device : NULL;
}

/* Announces n_bytes more bytes. */
void     c2g_job_expect  (const C2gJob  *self,
                          guint64        n_bytes);
/* Reports n_bytes bytes as done; returns FALSE with G_IO_ERROR_CANCELLED if cancelled. */
gboolean c2g_job_advance (const C2gJob  *self,
                          guint64        n_bytes,
                          GError       **error);

G_END_DECLS
