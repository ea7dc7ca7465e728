/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-workspace.h>
#include <c2g/io/c2g-formats-private.h>
#include <c2g/io/c2g-save-layout-private.h>
#include <c2g/io/c2g-serializer-private.h>

G_BEGIN_DECLS

/* One blob on its way into a file. */
typedef struct
{
  /* Its name in the file.  The blob is not the workspace's but a snapshot, unless its
   * serializer is of others. */
  C2gSaveItem    item;
  char          *source_name;
  guint64        n_bytes;

  /* Of databases and of a single blob. */
  C2gSerializer *serializer;
  /* The device that the file is to name, or NULL for the tensor's own. */
  C2gDevice     *device;
  guint          n_chunks;
  /* Writing it runs nothing that others wrote. */
  gboolean       is_own;
  /* What a message of it may have, about; 0 if that is not known. */
  guint64        max_chunk_bytes;
} C2gSaveEntry;

/* What is to be saved, and how: found out, and checked, before anything is written.  It
 * needs neither the workspace nor the options any more. */
typedef struct
{
  C2gSaveLayout       layout;
  /* Of a database. */
  char               *db_type;
  /* Of C2gSaveEntry, which begin as C2gSaveItem. */
  GPtrArray          *entries;
  guint64             n_bytes;

  C2gSerializeFormat  format;
  guint               n_threads;
  gboolean            compress;
  /* Or NULL. */
  GHashTable         *metadata;
  C2gProgress        *progress;
} C2gSavePlan;

/* How an entry is written. */
C2gSerializeFormat c2g_save_plan_get_format (const C2gSavePlan  *self,
                                             const C2gSaveEntry *entry);

/* options and file may be NULL. */
C2gSavePlan *c2g_save_plan_new           (C2gWorkspace    *workspace,
                                          C2gSaveOptions  *options,
                                          GFile           *file,
                                          GError         **error);
/* Of these blobs, one for each name of the options, whatever a workspace has of that name. */
C2gSavePlan *c2g_save_plan_new_for_blobs (C2gBlob *const  *blobs,
                                          C2gSaveOptions  *options,
                                          GFile           *file,
                                          GError         **error);
void         c2g_save_plan_free          (C2gSavePlan     *self);

/* Puts the file's name, if there is one, before the message. */
void         c2g_save_plan_name_file     (GFile           *file,
                                          GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gSavePlan, c2g_save_plan_free)

G_END_DECLS
