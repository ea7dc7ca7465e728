/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file of records that transactions append to. A new file appears under its name with the first
 * commit and replaces what was there; later commits append to it. Belongs to one thread at a
 * time. */
typedef struct _C2gAppendFile C2gAppendFile;

C2gAppendFile *c2g_append_file_new      (GFile          *file,
                                         GCancellable   *cancellable,
                                         GError        **error);
/* Opens an existing file of n_bytes bytes for appending. */
C2gAppendFile *c2g_append_file_open     (GFile          *file,
                                         guint64         n_bytes,
                                         GError        **error);
C2gAppendFile *c2g_append_file_ref      (C2gAppendFile  *self);
void           c2g_append_file_unref    (C2gAppendFile  *self);
/* Discards uncommitted records and closes the file. */
void           c2g_append_file_close    (C2gAppendFile  *self);

/* OWNER identifies the transaction that writes. Another one gets C2G_ERROR_BUSY until the owner
 * has committed or rolled back. A write error rolls back. */
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
/* Does nothing if another owner is writing. */
void           c2g_append_file_roll_back (C2gAppendFile *self,
                                          gpointer       owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gAppendFile, c2g_append_file_unref)

G_END_DECLS
