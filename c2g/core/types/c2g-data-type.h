/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_DATA_TYPE (c2g_data_type_get_type ())

/**
 * C2gDataType:
 * @C2G_DATA_TYPE_UNDEFINED: not known yet, or an element type that a program registered
 * @C2G_DATA_TYPE_FLOAT: 32-bit IEEE 754
 * @C2G_DATA_TYPE_INT32: signed 32-bit integer
 * @C2G_DATA_TYPE_BYTE: a name that old files use for `UINT8`; no tensor reports it
 * @C2G_DATA_TYPE_STRING: a string of bytes; in memory a `GBytes *`, `NULL` for the empty one
 * @C2G_DATA_TYPE_BOOL: one byte, 0 or 1
 * @C2G_DATA_TYPE_UINT8: unsigned 8-bit integer
 * @C2G_DATA_TYPE_INT8: signed 8-bit integer
 * @C2G_DATA_TYPE_UINT16: unsigned 16-bit integer
 * @C2G_DATA_TYPE_INT16: signed 16-bit integer
 * @C2G_DATA_TYPE_INT64: signed 64-bit integer
 * @C2G_DATA_TYPE_FLOAT16: 16-bit IEEE 754
 * @C2G_DATA_TYPE_DOUBLE: 64-bit IEEE 754
 * @C2G_DATA_TYPE_BFLOAT16: the upper half of a 32-bit float
 * @C2G_DATA_TYPE_UINT32: unsigned 32-bit integer
 * @C2G_DATA_TYPE_UINT64: unsigned 64-bit integer
 *
 * The built-in element types.
 *
 * The numbers below 100 are those of `TensorProto.DataType` in Caffe2 and are used in its
 * files; numbers from 100 up are c2g's own.
 */
typedef enum
{
  C2G_DATA_TYPE_UNDEFINED = 0,
  C2G_DATA_TYPE_FLOAT = 1,
  C2G_DATA_TYPE_INT32 = 2,
  C2G_DATA_TYPE_BYTE = 3,
  C2G_DATA_TYPE_STRING = 4,
  C2G_DATA_TYPE_BOOL = 5,
  C2G_DATA_TYPE_UINT8 = 6,
  C2G_DATA_TYPE_INT8 = 7,
  C2G_DATA_TYPE_UINT16 = 8,
  C2G_DATA_TYPE_INT16 = 9,
  C2G_DATA_TYPE_INT64 = 10,
  C2G_DATA_TYPE_FLOAT16 = 12,
  C2G_DATA_TYPE_DOUBLE = 13,
  C2G_DATA_TYPE_BFLOAT16 = 100,
  C2G_DATA_TYPE_UINT32 = 101,
  C2G_DATA_TYPE_UINT64 = 102,
} C2gDataType;

C2G_AVAILABLE_IN_ALL
GType       c2g_data_type_get_type      (void);

C2G_AVAILABLE_IN_ALL
C2gDataType c2g_data_type_from_name     (const char   *name,
                                         GError      **error);

C2G_AVAILABLE_IN_ALL
const char *c2g_data_type_get_name      (C2gDataType   data_type);
C2G_AVAILABLE_IN_ALL
gsize       c2g_data_type_get_item_size (C2gDataType   data_type);
C2G_AVAILABLE_IN_ALL
double      c2g_data_type_get_min       (C2gDataType   data_type);
C2G_AVAILABLE_IN_ALL
double      c2g_data_type_get_max       (C2gDataType   data_type);

C2G_AVAILABLE_IN_ALL
gboolean    c2g_data_type_contains      (C2gDataType   self,
                                         C2gDataType   other);
C2G_AVAILABLE_IN_ALL
C2gDataType c2g_data_type_promote       (C2gDataType   data_type,
                                         C2gDataType   other);

G_END_DECLS
