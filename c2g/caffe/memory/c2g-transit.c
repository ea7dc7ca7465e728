/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-transit-private.h>

#include <c2g/core/types/c2g-drop-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* A right that one thread has at a time, like a mutex that reports a deadlock with itself. Mixed
 * tensors and synced memories hold it during an operation. */

void
c2g_transit_init (C2gTransit *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->left);
}

void
c2g_transit_clear (C2gTransit *self)
{
  g_cond_clear (&self->left);
  g_mutex_clear (&self->lock);
}

gboolean
c2g_transit_enter (C2gTransit  *self,
                   GError     **error)
{
  GThread *thread = g_thread_self ();
  gboolean is_mine;

  g_mutex_lock (&self->lock);
  is_mine = self->owner == thread;
  while (!is_mine && self->owner != NULL)
    g_cond_wait (&self->left, &self->lock);
  self->owner = thread;
  g_mutex_unlock (&self->lock);

  if (!is_mine)
    c2g_drop_hold ();
  else
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                         _("This thread is moving the memory already; an allocator or a callback "
                           "cannot use it meanwhile"));
  return !is_mine;
}

void
c2g_transit_leave (C2gTransit *self)
{
  g_mutex_lock (&self->lock);
  self->owner = NULL;
  g_cond_signal (&self->left);
  g_mutex_unlock (&self->lock);
  c2g_drop_let_go ();
}
