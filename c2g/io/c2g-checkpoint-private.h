/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-db-cursor-private.h>
#include <c2g/io/c2g-entry-private.h>

G_BEGIN_DECLS

/* The blobs of a checkpoint, in order of their first appearance, as C2gFileEntry: what the
 * records of a database, under keys name#%number, make up.  The values are not read. */
GPtrArray *c2g_checkpoint_read_entries (C2gDbCursor    *cursor,
                                        GCancellable   *cancellable,
                                        GError        **error);

/* The one entry of a file that is a BlobProto or a TensorProto; own_name is for one that
 * has no name. */
GPtrArray *c2g_single_read_entries     (C2gSource      *source,
                                        const char     *own_name,
                                        GError        **error);

G_END_DECLS
