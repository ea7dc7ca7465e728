/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-staging-private.h>

G_BEGIN_DECLS

/* Puts together the blobs of a checkpoint, which come as records of a database: a
 * tensor in one or more chunks, in any order, under keys name#%number.  Tensors of
 * any device are loaded to the CPU.
 */
typedef struct _C2gCheckpoint C2gCheckpoint;

C2gCheckpoint *c2g_checkpoint_new    (C2gStaging     *staging);
void           c2g_checkpoint_free   (C2gCheckpoint  *self);

/* One record; value_offset is where the value lies in the file, for messages. */
gboolean       c2g_checkpoint_add    (C2gCheckpoint  *self,
                                      const guint8   *key,
                                      gsize           n_key_bytes,
                                      const guint8   *value,
                                      gsize           n_value_bytes,
                                      gsize           value_offset,
                                      GError        **error);
/* Fails if a tensor is not complete. */
gboolean       c2g_checkpoint_finish (C2gCheckpoint  *self,
                                      GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gCheckpoint, c2g_checkpoint_free)

G_END_DECLS
