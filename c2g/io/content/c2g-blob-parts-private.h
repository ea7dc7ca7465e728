/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/message/c2g-entry-private.h>

G_BEGIN_DECLS

/* The messages of one blob in a file, without their values. A tensor, and other content too, may
 * be in several chunks in any order. */
typedef struct _C2gBlobParts C2gBlobParts;

C2gBlobParts *c2g_blob_parts_new            (const char     *name);
void          c2g_blob_parts_free           (C2gBlobParts   *self);
const char   *c2g_blob_parts_get_name       (C2gBlobParts   *self);

/* Adds a scanned message. Takes over the content of RECORD, also on failure. Refuses a message
 * that does not fit the earlier ones. */
gboolean      c2g_blob_parts_add            (C2gBlobParts   *self,
                                             C2gSource      *source,
                                             guint64         offset,
                                             C2gBlobRecord  *record,
                                             GError        **error);
/* Fails if a part of the blob is missing. */
gboolean      c2g_blob_parts_check_complete (C2gBlobParts   *self,
                                             GError        **error);
/* Takes ownership of the parts; there must be at least one. Errors name the blob. */
C2gFileEntry *c2g_blob_parts_to_entry       (C2gBlobParts   *self,
                                             GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gBlobParts, c2g_blob_parts_free)

G_END_DECLS
