/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file of records, to which those of one transaction after the other are added.  What
 * is new appears with the first commit, in place of what was there; then, and if the file
 * was there already, records go behind those that it has.  Of one thread at a time.
 */
typedef struct _C2gAppendFile C2gAppendFile;

C2gAppendFile *c2g_append_file_new      (GFile          *file,
                                         GCancellable   *cancellable,
                                         GError        **error);
/* There is a file, which has so many bytes. */
C2gAppendFile *c2g_append_file_open     (GFile          *file,
                                         guint64         n_bytes,
                                         GError        **error);
C2gAppendFile *c2g_append_file_ref      (C2gAppendFile  *self);
void           c2g_append_file_unref    (C2gAppendFile  *self);
/* Gives up what has not been committed, and the file. */
void           c2g_append_file_close    (C2gAppendFile  *self);

/* The owner is who writes: C2G_ERROR_BUSY until the one who does has committed or given
 * up.  After an error in writing everything has been given up. */
gboolean       c2g_append_file_claim    (C2gAppendFile  *self,
                                         gpointer        owner,
                                         GError        **error);
gboolean       c2g_append_file_write    (C2gAppendFile  *self,
                                         gpointer        owner,
                                         gconstpointer   data,
                                         gsize           n_bytes,
                                         GError        **error);
gboolean       c2g_append_file_commit   (C2gAppendFile  *self,
                                         gpointer        owner,
                                         GError        **error);
/* Does nothing if somebody else is writing. */
void           c2g_append_file_roll_back (C2gAppendFile *self,
                                          gpointer       owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gAppendFile, c2g_append_file_unref)

G_END_DECLS
