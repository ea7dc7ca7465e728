/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/db/c2g-db-cursor-private.h>
#include <c2g/io/message/c2g-entry-private.h>

G_BEGIN_DECLS

/* Returns the blobs of a checkpoint as C2gFileEntry, in order of first appearance. Records with
 * the keys name#%number are chunks of one blob. Values are not read. */
GPtrArray *c2g_checkpoint_read_entries (C2gDbCursor    *cursor,
                                        GCancellable   *cancellable,
                                        GError        **error);

/* Returns the single entry of a file that is one BlobProto or TensorProto. own_name is for a
 * message without a name. */
GPtrArray *c2g_single_read_entries     (C2gSource      *source,
                                        const char     *own_name,
                                        GError        **error);

G_END_DECLS
