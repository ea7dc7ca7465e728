/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define C2G_TYPE_MUTEX (c2g_mutex_get_type ())
G_DECLARE_FINAL_TYPE (C2gMutex, c2g_mutex, C2G, MUTEX, GObject)

/* A recursive mutex as the content of a blob, for Caffe2's CreateMutex. */
C2gMutex *c2g_mutex_new    (void);
void      c2g_mutex_lock   (C2gMutex *self);
void      c2g_mutex_unlock (C2gMutex *self);

G_END_DECLS
