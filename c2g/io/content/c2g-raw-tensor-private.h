/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/content/c2g-save-item-private.h>
#include <c2g/io/stream/c2g-source-private.h>

G_BEGIN_DECLS

/* Tensors whose elements have the same layout in the file as in memory, except for the byte
 * order. */

/* Reads all elements, in row-major order; the caller has checked that the source has them. If the
 * source is in memory and needs no conversion, the tensor is a read-only view of it. Otherwise it
 * is on the job's device. */
C2gTensor *c2g_raw_tensor_read    (C2gSource          *source,
                                   guint64             offset,
                                   C2gDataType         data_type,
                                   const gint64       *dims,
                                   gsize               n_dims,
                                   gboolean            is_swapped,
                                   const C2gJob       *job,
                                   GError            **error);
/* Returns a tensor with uninitialized memory. */
C2gTensor *c2g_raw_tensor_new     (C2gDataType         data_type,
                                   const gint64       *dims,
                                   gsize               n_dims,
                                   GError            **error);
/* Returns a blob that holds the tensor and takes ownership of it; NULL for NULL. */
C2gBlob   *c2g_raw_tensor_to_blob (C2gTensor          *tensor);

/* Returns the allocated tensor of an item, or NULL with an error that names the blob. FORMAT is
 * the name of the format for the message. */
C2gTensor *c2g_raw_tensor_of_item (const C2gSaveItem  *item,
                                   const char         *format,
                                   GError            **error);
/* Sets the error for an element type that the format does not have; returns FALSE. */
gboolean   c2g_raw_tensor_refuse  (C2gTensor          *tensor,
                                   const char         *format,
                                   GError            **error);
/* Writes all elements in the byte order of this machine, or in the other one. Tensors on other
 * devices, and those to swap, are copied a few megabytes at a time. */
gboolean   c2g_raw_tensor_write   (C2gTensor          *tensor,
                                   gboolean            is_swapped,
                                   C2gSink            *sink,
                                   const C2gJob       *job,
                                   GError            **error);

G_END_DECLS
