/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/content/c2g-entry-private.h>
#include <c2g/io/content/c2g-save-item-private.h>
#include <c2g/io/load/c2g-content-kind-private.h>
#include <c2g/io/stream/c2g-scanner-private.h>

G_BEGIN_DECLS

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
