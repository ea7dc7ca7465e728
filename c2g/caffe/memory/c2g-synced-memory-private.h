/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-synced-memory.h>
#include <c2g/core/c2g-tensor-private.h>

G_BEGIN_DECLS

/* The two places that a memory has. */
typedef enum
{
  C2G_SYNCED_CPU,
  C2G_SYNCED_GPU,
  C2G_SYNCED_N_SIDES,
} C2gSyncedSide;

/* The purpose of an access. */
typedef enum
{
  C2G_SYNCED_READ,
  C2G_SYNCED_WRITE,
  /* All bytes are written, so that the old ones need not be copied. */
  C2G_SYNCED_OVERWRITE,
} C2gSyncedAccess;

/* The bytes, NULL where there are none, good until the next access.  The mark that they are valid
 * is left to the caller, who may not be done with writing. */
gboolean    c2g_synced_memory_access     (C2gSyncedMemory  *self,
                                          C2gSyncedSide     side,
                                          C2gSyncedAccess   access,
                                          gpointer         *address,
                                          GError          **error);

/* A read-only storage with the bytes as they are now; they never change. */
C2gStorage *c2g_synced_memory_ref_reader (C2gSyncedMemory  *self,
                                          C2gSyncedSide     side,
                                          GError          **error);
/* The storage whose bytes from offset on are the block.  While anybody but self has it, no other side can be written, and the other
 * side is copied anew at each access. */
C2gStorage *c2g_synced_memory_ref_writer (C2gSyncedMemory  *self,
                                          C2gSyncedSide     side,
                                          gsize            *offset,
                                          GError          **error);
/* Takes the bytes of a storage, from offset on, as those of one side.  While anybody else has a
 * writable storage, it is as if ref_writer() had given it. */
gboolean    c2g_synced_memory_take       (C2gSyncedMemory  *self,
                                          C2gSyncedSide     side,
                                          C2gStorage       *storage,
                                          gsize             offset,
                                          GError          **error);
/* Copies bytes of any device to one side. */
gboolean    c2g_synced_memory_copy_in    (C2gSyncedMemory       *self,
                                          C2gSyncedSide          side,
                                          const C2gTensorPlace  *source,
                                          GError               **error);
/* Returns TRUE while somebody has a storage that c2g_synced_memory_ref_writer() gave. */
gboolean    c2g_synced_memory_is_held    (C2gSyncedMemory  *self);
/* Fails with C2G_ERROR_BUSY if it is held; the message names the memory and the place. */
gboolean    c2g_synced_memory_check_not_held (C2gSyncedMemory  *self,
                                              GError          **error);

/* Forgets the bytes, not the blocks; or both. */
gboolean    c2g_synced_memory_clear      (C2gSyncedMemory  *self,
                                          GError          **error);
void        c2g_synced_memory_trim       (C2gSyncedMemory  *self);

G_END_DECLS
