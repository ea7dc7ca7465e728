/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>
#include <c2g/io/c2g-serializer-private.h>

G_BEGIN_DECLS

/* What c2g can write by itself; c2g-serializer-registry.c knows what for. */

C2gSerializer *c2g_tensor_serializer_new      (void);
C2gSerializer *c2g_string_serializer_new      (void);
C2gSerializer *c2g_q_tensor_serializer_new    (void);
C2gSerializer *c2g_int8_tensor_serializer_new (void);
C2gSerializer *c2g_counter_serializer_new     (void);

/* Elements of types that have no number: each is a BlobProto in the message of the
 * tensor. */

/* The messages of the elements from begin up to end; free with g_ptr_array_unref(). */
GPtrArray     *c2g_tensor_items_serialize     (C2gTensor                 *tensor,
                                               gint64                     begin,
                                               gint64                     end,
                                               const C2gSerializeFormat  *format,
                                               GError                   **error);
/* Puts the elements of a record into a tensor of its shape, which gets its type from the
 * first of them unless it has one. */
gboolean       c2g_tensor_items_read          (C2gTensor                 *tensor,
                                               const C2gTensorRecord     *record,
                                               C2gSource                 *source,
                                               const C2gJob              *job,
                                               GError                   **error);

G_END_DECLS
