/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-formats-private.h>

G_BEGIN_DECLS

/* Tensors whose elements lie in a file as they lie in memory, but for the byte order. */

/* All elements, in row-major order; the source is known to have them.  Where it is in
 * memory and nothing has to be changed, the tensor is a read-only view of it; otherwise it is
 * where the job wants it. */
C2gTensor *c2g_raw_tensor_read    (C2gSource          *source,
                                   guint64             offset,
                                   C2gDataType         data_type,
                                   const gint64       *dims,
                                   gsize               n_dims,
                                   gboolean            is_swapped,
                                   const C2gJob       *job,
                                   GError            **error);
/* With memory, but without values. */
C2gTensor *c2g_raw_tensor_new     (C2gDataType         data_type,
                                   const gint64       *dims,
                                   gsize               n_dims,
                                   GError            **error);
/* What is to be done with elements that came from elsewhere: every bool is 0 or 1 from
 * here on. */
void       c2g_raw_tensor_settle  (gpointer            items,
                                   gsize               n_items,
                                   C2gDataType         data_type,
                                   gboolean            is_swapped);
/* A blob that holds the tensor, which is taken; NULL for NULL. */
C2gBlob   *c2g_raw_tensor_to_blob (C2gTensor          *tensor);

/* The tensor of an item, with memory: an error that names the blob, if it has none.
 * format is what to call the format. */
C2gTensor *c2g_raw_tensor_of_item (const C2gSaveItem  *item,
                                   const char         *format,
                                   GError            **error);
/* The error for elements that the format does not have; returns false. */
gboolean   c2g_raw_tensor_refuse  (C2gTensor          *tensor,
                                   const char         *format,
                                   GError            **error);
/* All elements, in this machine's byte order.  From another device they are copied a few
 * megabytes at a time. */
gboolean   c2g_raw_tensor_write   (C2gTensor          *tensor,
                                   C2gSink            *sink,
                                   const C2gJob       *job,
                                   GError            **error);

G_END_DECLS
