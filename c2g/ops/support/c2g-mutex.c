/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-mutex-private.h>

/* The mutex in a blob that CreateMutex makes. */

struct _C2gMutex
{
  GObject   parent_instance;

  GRecMutex lock;
};

G_DEFINE_FINAL_TYPE (C2gMutex, c2g_mutex, G_TYPE_OBJECT)

static void
c2g_mutex_finalize (GObject *object)
{
  g_rec_mutex_clear (&C2G_MUTEX (object)->lock);

  G_OBJECT_CLASS (c2g_mutex_parent_class)->finalize (object);
}

static void
c2g_mutex_class_init (C2gMutexClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_mutex_finalize;
}

static void
c2g_mutex_init (C2gMutex *self)
{
  g_rec_mutex_init (&self->lock);
}

C2gMutex *
c2g_mutex_new (void)
{
  return g_object_new (C2G_TYPE_MUTEX, NULL);
}

void
c2g_mutex_lock (C2gMutex *self)
{
  g_rec_mutex_lock (&self->lock);
}

void
c2g_mutex_unlock (C2gMutex *self)
{
  g_rec_mutex_unlock (&self->lock);
}
