/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-blob-private.h>

G_BEGIN_DECLS

/* Blobs by their names; a zero-filled one is empty.  It refers to the blobs but
 * holds no references, and reads their names, which must not change meanwhile.
 */
typedef struct
{
  /* 0 where there is no blob. */
  guint32  *hashes;
  C2gBlob **blobs;
  gsize     n_slots;
  gsize     n_blobs;
} C2gBlobTable;

/* Never 0. */
guint    c2g_blob_table_hash   (const char         *name);

/* hash is that of name, to compute it outside of locks. */
C2gBlob *c2g_blob_table_lookup (const C2gBlobTable *self,
                                const char         *name,
                                guint               hash);
/* Stores hash in the blob, for removal. */
void     c2g_blob_table_insert (C2gBlobTable       *self,
                                C2gBlob            *blob,
                                guint               hash);
void     c2g_blob_table_remove (C2gBlobTable       *self,
                                C2gBlob            *blob);
void     c2g_blob_table_clear  (C2gBlobTable       *self);

G_END_DECLS
