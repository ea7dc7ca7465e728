/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-content-kind-private.h>
#include <c2g/io/c2g-entry-private.h>
#include <c2g/io/c2g-scanner-private.h>
#include <c2g/io/c2g-sink-private.h>

G_BEGIN_DECLS

/* Formats that Caffe2 does not have. A reader returns an array of C2gFileEntry, which hold a
 * reference to the source. If the source is in memory and aligned, loaded tensors are read-only
 * views of it. */

/* A blob to be written, and its name. */
typedef struct
{
  char      *name;
  C2gBlob   *blob;
  /* The diff of a blob of Caffe, or NULL. */
  C2gTensor *diff;
} C2gSaveItem;

/* METADATA: the strings of __metadata__ by name, to be freed by the caller. The pointer may be
 * NULL. */
GPtrArray *c2g_safetensors_read_entries (C2gSource           *source,
                                         GHashTable         **metadata,
                                         GError             **error);
gboolean   c2g_safetensors_looks_like   (const guint8        *data,
                                         gsize                n_bytes,
                                         guint64              n_bytes_file);
/* Returns FALSE with an error that names blob and type if the format cannot hold the blob. */
gboolean   c2g_safetensors_check        (const C2gSaveItem   *item,
                                         GError             **error);
/* ITEMS: array of C2gSaveItem. */
gboolean   c2g_safetensors_write        (GPtrArray           *items,
                                         GHashTable          *metadata,
                                         C2gSink             *sink,
                                         const C2gJob        *job,
                                         GError             **error);

/* A single array: the file has no name for it. */
GPtrArray *c2g_npy_read_entries         (C2gSource           *source,
                                         const char          *name,
                                         GError             **error);
gboolean   c2g_npy_looks_like           (const guint8        *data,
                                         gsize                n_bytes);
gboolean   c2g_npy_check                (const C2gSaveItem   *item,
                                         const char          *format,
                                         GError             **error);
gboolean   c2g_npy_write                (C2gTensor           *tensor,
                                         C2gSink             *sink,
                                         const C2gJob        *job,
                                         GError             **error);

/* An archive of such arrays, stored or deflated. */
GPtrArray *c2g_npz_read_entries         (C2gSource           *source,
                                         GError             **error);
gboolean   c2g_npz_check                (const C2gSaveItem   *item,
                                         GError             **error);
gboolean   c2g_npz_write                (GPtrArray           *items,
                                         gboolean             compress,
                                         C2gSink             *sink,
                                         const C2gJob        *job,
                                         GError             **error);

/* Models of Caffe: the layers' blobs, and the rest of the net as a text of the metadata. These are
 * defined in caffe/files, above io: what io knows of Caffe is this row of functions. */
C2gContentKind
           c2g_caffe_guess              (C2gScanner           *scanner,
                                         guint64               n_bytes);
/* Tells in the error of a .prototxt that is no net of Caffe2 what is missing if it is one of Caffe. */
void       c2g_caffe_explain_text       (const char           *name,
                                         GError              **error);
/* The name of the net, which may be NULL, and the metadata are to be freed by the caller; the pointers may
 * be NULL. */
GPtrArray *c2g_caffemodel_read_entries  (C2gSource            *source,
                                         char                **net_name,
                                         GHashTable          **metadata,
                                         GError              **error);
/* Calls the first two blobs of each layer as Caffe2 does. */
void       c2g_caffemodel_rename        (GPtrArray            *entries);
/* Returns TRUE if the item is a blob of Caffe. */
gboolean   c2g_caffe_save_item_has_blob  (const C2gSaveItem    *item);
/* Puts the tensor of the data into the place of a blob of Caffe. */
gboolean   c2g_caffe_save_item_take_data (C2gSaveItem          *item,
                                          gboolean              has_diff,
                                          GError              **error);
/* Loads entries of Caffe's files as blobs of Caffe from now on. */
void       c2g_caffe_make_blobs         (GPtrArray            *entries);
gboolean   c2g_caffemodel_check         (const C2gSaveItem    *item,
                                         GError              **error);
gboolean   c2g_caffemodel_write         (GPtrArray            *items,
                                         GHashTable           *metadata,
                                         C2gSink              *sink,
                                         const C2gJob         *job,
                                         GError              **error);

/* A single blob of Caffe, as those with the mean of images. */
GPtrArray *c2g_caffe_mean_read_entries  (C2gSource            *source,
                                         const char           *name,
                                         GError              **error);
gboolean   c2g_caffe_mean_check         (const C2gSaveItem    *item,
                                         GError              **error);
gboolean   c2g_caffe_mean_write         (C2gTensor            *tensor,
                                         C2gSink              *sink,
                                         const C2gJob         *job,
                                         GError              **error);

G_END_DECLS
