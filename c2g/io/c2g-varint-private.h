/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-data-type.h>

G_BEGIN_DECLS

/* The numbers of a tensor as protobuf packs them: seven bits a byte, the lowest first,
 * negative ones in ten bytes.  Types are those of int32_data and int64_data: BOOL, UINT8,
 * INT8, UINT16, INT16, FLOAT16 (the pattern), INT32 and INT64.
 */

#define C2G_VARINT_MAX_BYTES 10

/* A single one; returns its bytes, C2G_VARINT_MAX_BYTES at most. */
gsize    c2g_varint_put     (guint8         *data,
                             guint64         value);
gsize    c2g_varint_size    (guint64         value);

gsize    c2g_varint_measure (C2gDataType     data_type,
                             gconstpointer   items,
                             gsize           n_items);
/* As many items as fit; returns how many. */
gsize    c2g_varint_encode  (C2gDataType     data_type,
                             gconstpointer   items,
                             gsize           n_items,
                             guint8         *data,
                             gsize           n_bytes,
                             gsize          *n_written);

/* As many as there are, up to n_items; one that the end of the data cuts off is left.
 * Numbers that are too large for the type lose their upper bits.  False at one that is
 * longer than C2G_VARINT_MAX_BYTES. */
gboolean c2g_varint_decode  (C2gDataType     data_type,
                             const guint8   *data,
                             gsize           n_bytes,
                             gsize          *n_used,
                             gpointer        items,
                             gsize           n_items,
                             gsize          *n_done);
/* One number into items. */
void     c2g_varint_store   (C2gDataType     data_type,
                             gpointer        items,
                             gsize           i,
                             guint64         value);

G_END_DECLS
