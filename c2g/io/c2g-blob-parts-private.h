/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-blob-record-private.h>
#include <c2g/io/c2g-entry-private.h>

G_BEGIN_DECLS

/* The messages in which a file has one blob, not read: a tensor may come in chunks, in
 * any order, and other content too.
 */
typedef struct _C2gBlobParts C2gBlobParts;

C2gBlobParts *c2g_blob_parts_new            (const char     *name);
void          c2g_blob_parts_free           (C2gBlobParts   *self);
const char   *c2g_blob_parts_get_name       (C2gBlobParts   *self);

/* The next message, scanned; takes what record has, also when it fails.  Refuses what
 * does not fit to those before. */
gboolean      c2g_blob_parts_add            (C2gBlobParts   *self,
                                             C2gSource      *source,
                                             guint64         offset,
                                             C2gBlobRecord  *record,
                                             GError        **error);
/* Refuses a blob of which something is missing. */
gboolean      c2g_blob_parts_check_complete (C2gBlobParts   *self,
                                             GError        **error);
/* Takes the parts, of which there is one at least; errors name the blob. */
C2gFileEntry *c2g_blob_parts_to_entry       (C2gBlobParts   *self,
                                             GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gBlobParts, c2g_blob_parts_free)

G_END_DECLS
