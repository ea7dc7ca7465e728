/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-blob-private.h>

G_BEGIN_DECLS

/* An open-addressing hash table of blobs by name; a zero-filled one is empty. It holds no
 * references to the blobs, and reads their names, which must not change while a blob is in the
 * table. */
typedef struct
{
  /* Hash of each slot; 0 means that the slot is free. */
  guint32  *hashes;
  C2gBlob **blobs;
  gsize     n_slots;
  gsize     n_blobs;
} C2gBlobTable;

/* Returns the hash of a name, which is never 0. */
guint    c2g_blob_table_hash   (const char         *name);

/* hash is c2g_blob_table_hash (name), which callers compute before they take a lock. */
C2gBlob *c2g_blob_table_lookup (const C2gBlobTable *self,
                                const char         *name,
                                guint               hash);
/* Stores the hash in the blob, for removal. */
void     c2g_blob_table_insert (C2gBlobTable       *self,
                                C2gBlob            *blob,
                                guint               hash);
void     c2g_blob_table_remove (C2gBlobTable       *self,
                                C2gBlob            *blob);
void     c2g_blob_table_clear  (C2gBlobTable       *self);

G_END_DECLS
