/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/content/c2g-save-item-private.h>
#include <c2g/io/load/c2g-content-kind-private.h>
#include <c2g/io/message/c2g-entry-private.h>
#include <c2g/io/stream/c2g-scanner-private.h>

G_BEGIN_DECLS

/* Reading and writing Caffe's models: the blobs of the layers, and the rest of the net as text in
 * the metadata. These functions are defined in caffe/files, a higher layer, and are the only ones
 * that io calls there. */
C2gContentKind
           c2g_caffe_guess              (C2gScanner           *scanner,
                                         guint64               n_bytes);
/* If a .prototxt cannot be read as a net of Caffe2, adds to the error what else is needed to load
 * it as a net of Caffe. */
void       c2g_caffe_explain_text       (const char           *name,
                                         GError              **error);
/* The caller frees *NET_NAME, which may become NULL, and *METADATA. Either pointer may be NULL. */
GPtrArray *c2g_caffemodel_read_entries  (C2gSource            *source,
                                         char                **net_name,
                                         GHashTable          **metadata,
                                         GError              **error);
/* Renames the first two blobs of each layer as Caffe2's converter does. */
void       c2g_caffemodel_rename        (GPtrArray            *entries);
/* Returns TRUE if the item is a blob of Caffe. */
gboolean   c2g_caffe_save_item_has_blob  (const C2gSaveItem    *item);
/* Replaces a blob of Caffe by the tensor of its data. */
gboolean   c2g_caffe_save_item_take_data (C2gSaveItem          *item,
                                          gboolean              has_diff,
                                          GError              **error);
/* Makes entries of Caffe's files load as objects C2gCaffeBlob. */
void       c2g_caffe_make_blobs         (GPtrArray            *entries);
gboolean   c2g_caffemodel_check         (const C2gSaveItem    *item,
                                         GError              **error);
gboolean   c2g_caffemodel_write         (GPtrArray            *items,
                                         GHashTable           *metadata,
                                         C2gSink              *sink,
                                         const C2gJob         *job,
                                         GError              **error);

/* Reads a file with a single blob of Caffe, such as the mean of images. */
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
