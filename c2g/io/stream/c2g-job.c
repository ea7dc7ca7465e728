/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-job-private.h>

#include <c2g/io/stream/c2g-progress-private.h>

/* Cancellation and progress of long work. Readers and writers report to the job between pieces. */

void
c2g_job_expect (const C2gJob *self,
                guint64       n_bytes)
{
  if (self != NULL && self->progress != NULL)
    c2g_progress_expect (self->progress, n_bytes);
}

gboolean
c2g_job_advance (const C2gJob  *self,
                 guint64        n_bytes,
                 GError       **error)
{
  if (self == NULL)
    return TRUE;

  if (self->progress != NULL)
    c2g_progress_add (self->progress, n_bytes);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}
