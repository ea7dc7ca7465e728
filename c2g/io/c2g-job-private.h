/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device.h>
#include <c2g/core/c2g-workspace-private.h>
#include <c2g/io/c2g-progress.h>

#include <gio/gio.h>

G_BEGIN_DECLS

/* What long work asks and tells while it is going on.  Every function takes NULL for
 * work that nobody watches, and may be called in any thread.
 */
typedef struct
{
  GCancellable *cancellable;
  C2gProgress  *progress;
  /* Where tensors are to come to when they are loaded, if that is known before; NULL for
   * the CPU.  Formats may leave them there. */
  C2gDevice    *device;
  /* The files that what is loaded may name, as readers of databases do; NULL for all. */
  const C2gFileRules *files;
} C2gJob;

/* The device if it is another one than the CPU, or NULL. */
static inline C2gDevice *
c2g_job_get_far_device (const C2gJob *self)
{
  return self != NULL && self->device != c2g_device_cpu () ? self->device : NULL;
}

/* So many more bytes are to come. */
void     c2g_job_expect  (const C2gJob  *self,
                          guint64        n_bytes);
/* So many bytes are done; false, with G_IO_ERROR_CANCELLED, if no more are wanted. */
gboolean c2g_job_advance (const C2gJob  *self,
                          guint64        n_bytes,
                          GError       **error);

G_END_DECLS
