/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/io/content/c2g-save-item-private.h>
#include <c2g/io/save/c2g-save-options.h>
#include <c2g/io/serializer/c2g-serializer-private.h>

G_BEGIN_DECLS

/* The layout of blobs in a file. */
typedef enum
{
  /* Records of a database: serialized, in chunks. */
  C2G_SAVE_LAYOUT_DATABASE,
  C2G_SAVE_LAYOUT_SAFETENSORS,
  C2G_SAVE_LAYOUT_NPZ,
  C2G_SAVE_LAYOUT_CAFFEMODEL,
  /* One array, without a name. */
  C2G_SAVE_LAYOUT_NPY,
  C2G_SAVE_LAYOUT_BINARYPROTO,
  /* One serialized blob. */
  C2G_SAVE_LAYOUT_BLOB,
} C2gSaveLayout;

/* Returns the layout from the options or, if they do not say, from the name of the file. Without
 * a file it is a minidb. *DB_TYPE is set for a database only, and must be freed. */
gboolean c2g_save_layout_find (C2gSaveOptions  *options,
                               GFile           *file,
                               C2gSaveLayout   *layout,
                               char           **db_type,
                               GError         **error);

/* A blob to be saved. */
typedef struct
{
  /* Name in the file, and a snapshot of the blob. A blob whose serializer is the program's own is
   * not a snapshot but the workspace's. */
  C2gSaveItem    item;
  char          *source_name;
  guint64        n_bytes;

  /* Set for databases and for a single blob. */
  C2gSerializer *serializer;
  /* The device that the file will name, or NULL for the tensor's own. */
  C2gDevice     *device;
  guint          n_chunks;
  /* TRUE if writing the blob runs no code of the program. */
  gboolean       is_own;
  /* Approximate limit on the size of a message; 0 if unknown. */
  guint64        max_chunk_bytes;
} C2gSaveEntry;

/* The checked plan of a save, made before anything is written. It does not use the workspace or
 * the options any more. */
typedef struct
{
  C2gSaveLayout       layout;
  /* Set for a database. */
  char               *db_type;
  /* Array of C2gSaveEntry, which begins with a C2gSaveItem. */
  GPtrArray          *entries;
  guint64             n_bytes;

  C2gSerializeFormat  format;
  guint               n_threads;
  gboolean            compress;
  /* TRUE if the diffs of Caffe's blobs are written. */
  gboolean            has_diffs;
  /* May be NULL. */
  GHashTable         *metadata;
  C2gProgress        *progress;
} C2gSavePlan;

/* Returns the format in which an entry is written. */
C2gSerializeFormat c2g_save_plan_get_format (const C2gSavePlan  *self,
                                             const C2gSaveEntry *entry);

/* OPTIONS and FILE may be NULL. */
C2gSavePlan *c2g_save_plan_new           (C2gWorkspace    *workspace,
                                          C2gSaveOptions  *options,
                                          GFile           *file,
                                          GError         **error);
/* The same for given blobs, one for each name in the options. The workspace is not used. */
C2gSavePlan *c2g_save_plan_new_for_blobs (C2gBlob *const  *blobs,
                                          C2gSaveOptions  *options,
                                          GFile           *file,
                                          GError         **error);
void         c2g_save_plan_free          (C2gSavePlan     *self);

/* Puts the name of the file before the message, if there is a file. */
void         c2g_save_plan_name_file     (GFile           *file,
                                          GError         **error);

/* Writes the file atomically. Serializers and databases of the program are called in the thread
 * that iterates CONTEXT, or in this thread if it is NULL. */
gboolean  c2g_save_plan_write       (C2gSavePlan   *self,
                                     GFile         *file,
                                     GMainContext  *context,
                                     GCancellable  *cancellable,
                                     GError       **error);
/* The same into memory. */
GBytes   *c2g_save_plan_write_bytes (C2gSavePlan   *self,
                                     GCancellable  *cancellable,
                                     GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gSavePlan, c2g_save_plan_free)

G_END_DECLS
