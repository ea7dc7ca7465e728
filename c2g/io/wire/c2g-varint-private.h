/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

/* Packed varints of protobuf: seven bits in a byte, the lowest first; negative numbers have ten
 * bytes. The types are those of int32_data and int64_data: BOOL, UINT8, INT8, UINT16, INT16,
 * FLOAT16 (its bits), INT32 and INT64. */

#define C2G_VARINT_MAX_BYTES 10

/* Encodes one number; returns its size, at most C2G_VARINT_MAX_BYTES. */
gsize    c2g_varint_put     (guint8         *data,
                             guint64         value);
/* Return the size of the encoded number, or of all items. */
gsize    c2g_varint_size    (guint64         value);

gsize    c2g_varint_measure (C2gDataType     data_type,
                             gconstpointer   items,
                             gsize           n_items);
/* Encodes as many items as fit into n_bytes; returns their number, and the bytes in *N_WRITTEN. */
gsize    c2g_varint_encode  (C2gDataType     data_type,
                             gconstpointer   items,
                             gsize           n_items,
                             guint8         *data,
                             gsize           n_bytes,
                             gsize          *n_written);

/* Decodes complete numbers, up to n_items. A number that is cut off at the end is left. Numbers
 * that are too large for the type lose their upper bits. Returns FALSE for a number longer than
 * C2G_VARINT_MAX_BYTES. */
gboolean c2g_varint_decode  (C2gDataType     data_type,
                             const guint8   *data,
                             gsize           n_bytes,
                             gsize          *n_used,
                             gpointer        items,
                             gsize           n_items,
                             gsize          *n_done);
/* Stores one number as item I. */
void     c2g_varint_store   (C2gDataType     data_type,
                             gpointer        items,
                             gsize           i,
                             guint64         value);

G_END_DECLS
