/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/io/serializer/c2g-serializer-private.h>

G_BEGIN_DECLS

extern const C2gSerializerFuncs c2g_tensor_serializer_funcs;
extern const C2gSerializerFuncs c2g_string_serializer_funcs;
extern const C2gSerializerFuncs c2g_q_tensor_serializer_funcs;
extern const C2gSerializerFuncs c2g_int8_tensor_serializer_funcs;
extern const C2gSerializerFuncs c2g_counter_serializer_funcs;

/* Elements of registered types, which have no TensorProto data type: each is a BlobProto in the
 * TensorProto. */

/* Returns the messages of the elements from BEGIN up to END; free with g_ptr_array_unref(). */
GPtrArray     *c2g_tensor_items_serialize     (C2gTensor                 *tensor,
                                               gint64                     begin,
                                               gint64                     end,
                                               const C2gSerializeFormat  *format,
                                               GError                   **error);
/* Reads the elements of a record into a tensor of the same shape. A tensor without a type gets
 * that of the first element. */
gboolean       c2g_tensor_items_read          (C2gTensor                 *tensor,
                                               const C2gTensorRecord     *record,
                                               C2gSource                 *source,
                                               const C2gJob              *job,
                                               GError                   **error);

G_END_DECLS
