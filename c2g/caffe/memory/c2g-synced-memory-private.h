/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-synced-memory.h>
#include <c2g/core/c2g-storage.h>

G_BEGIN_DECLS

/* The two places that a memory has. */
typedef enum
{
  C2G_SYNCED_CPU,
  C2G_SYNCED_GPU,
  C2G_SYNCED_N_SIDES,
} C2gSyncedSide;

/* What the bytes are wanted for. */
typedef enum
{
  C2G_SYNCED_READ,
  C2G_SYNCED_WRITE,
  /* Written without looking at what was there. */
  C2G_SYNCED_OVERWRITE,
} C2gSyncedAccess;

/* The side on which a device is, or an error if the memory has no such place. */
gboolean    c2g_synced_memory_find_side  (C2gSyncedMemory  *self,
                                          C2gDevice        *device,
                                          C2gSyncedSide    *side,
                                          GError          **error);

/* The bytes, NULL where there are none, good until the next access. */
gboolean    c2g_synced_memory_access     (C2gSyncedMemory  *self,
                                          C2gSyncedSide     side,
                                          C2gSyncedAccess   access,
                                          gpointer         *address,
                                          GError          **error);

/* A read-only storage with the bytes as they are now; they never change. */
C2gStorage *c2g_synced_memory_ref_reader (C2gSyncedMemory  *self,
                                          C2gSyncedSide     side,
                                          GError          **error);
/* The block itself.  As long as anybody but self has it, bytes are written in no other place, and
 * other places are brought up to date at each access. */
C2gStorage *c2g_synced_memory_ref_writer (C2gSyncedMemory  *self,
                                          C2gSyncedSide     side,
                                          GError          **error);
/* Whether somebody has what c2g_synced_memory_ref_writer() gave. */
gboolean    c2g_synced_memory_is_held    (C2gSyncedMemory  *self);

/* Forgets the bytes, not the blocks. */
gboolean    c2g_synced_memory_clear      (C2gSyncedMemory  *self,
                                          GError          **error);
/* How many bytes fit into the block that holds the current ones; 0 if there are none. */
gsize       c2g_synced_memory_get_capacity (C2gSyncedMemory *self);

G_END_DECLS
