/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-data-type.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* The data types with Caffe2's numbers: their names and sizes. */

/* The nicknames are for GObject, and the names in data_types[] below for c2g_data_type_get_name(): a type has the same
 * in both. */
G_DEFINE_ENUM_TYPE (C2gDataType, c2g_data_type,
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_UNDEFINED, "undefined"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_FLOAT, "float"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_INT32, "int32"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_BYTE, "byte"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_STRING, "string"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_BOOL, "bool"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_UINT8, "uint8"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_INT8, "int8"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_UINT16, "uint16"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_INT16, "int16"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_INT64, "int64"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_FLOAT16, "float16"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_DOUBLE, "double"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_BFLOAT16, "bfloat16"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_UINT32, "uint32"),
                    G_DEFINE_ENUM_VALUE (C2G_DATA_TYPE_UINT64, "uint64"))

static const struct
{
  C2gDataType  data_type;
  const char  *name;
  gsize        item_size;
} data_types[] = {
  { C2G_DATA_TYPE_UNDEFINED, "undefined", 0 },
  { C2G_DATA_TYPE_FLOAT, "float", sizeof (float) },
  { C2G_DATA_TYPE_INT32, "int32", sizeof (gint32) },
  { C2G_DATA_TYPE_BYTE, "byte", sizeof (guint8) },
  { C2G_DATA_TYPE_STRING, "string", sizeof (GBytes *) },
  { C2G_DATA_TYPE_BOOL, "bool", sizeof (guint8) },
  { C2G_DATA_TYPE_UINT8, "uint8", sizeof (guint8) },
  { C2G_DATA_TYPE_INT8, "int8", sizeof (gint8) },
  { C2G_DATA_TYPE_UINT16, "uint16", sizeof (guint16) },
  { C2G_DATA_TYPE_INT16, "int16", sizeof (gint16) },
  { C2G_DATA_TYPE_INT64, "int64", sizeof (gint64) },
  { C2G_DATA_TYPE_FLOAT16, "float16", sizeof (guint16) },
  { C2G_DATA_TYPE_DOUBLE, "double", sizeof (double) },
  { C2G_DATA_TYPE_BFLOAT16, "bfloat16", sizeof (guint16) },
  { C2G_DATA_TYPE_UINT32, "uint32", sizeof (guint32) },
  { C2G_DATA_TYPE_UINT64, "uint64", sizeof (guint64) },
};

static int
find_data_type (C2gDataType data_type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (data_types); i++)
    if (data_types[i].data_type == data_type)
      return i;

  return -1;
}

/**
 * c2g_data_type_from_name:
 * @name: a name such as "float"
 * @error: return location for an error
 *
 * Finds the data type that a name stands for.
 *
 * Names are those of [func@DataType.get_name], in lower case. An unknown one is
 * `C2G_ERROR_NOT_FOUND`.
 *
 * Returns: the data type, or `UNDEFINED` on error
 */
C2gDataType
c2g_data_type_from_name (const char  *name,
                         GError     **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  g_return_val_if_fail (name != NULL, C2G_DATA_TYPE_UNDEFINED);
  g_return_val_if_fail (error == NULL || *error == NULL, C2G_DATA_TYPE_UNDEFINED);

  for (gsize i = 0; i < G_N_ELEMENTS (data_types); i++)
    {
      if (g_str_equal (data_types[i].name, name))
        return data_types[i].data_type;
      if (data_types[i].data_type != C2G_DATA_TYPE_UNDEFINED)
        g_string_append_printf (names, "%s%s", names->len > 0 ? _(", ") : "", data_types[i].name);
    }

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
               _("There is no data type “%s”, there are: %s"), name, names->str);
  return C2G_DATA_TYPE_UNDEFINED;
}

/**
 * c2g_data_type_get_name:
 * @data_type: a data type
 *
 * Gets the name of a data type, such as "float".
 *
 * Returns: (transfer none): the name, "undefined" for a number that no data type has
 */
const char *
c2g_data_type_get_name (C2gDataType data_type)
{
  int found = find_data_type (data_type);

  return found >= 0 ? data_types[found].name : "undefined";
}

/**
 * c2g_data_type_get_item_size:
 * @data_type: a data type
 *
 * Gets how many bytes an element takes in memory.
 *
 * An element of `STRING` is a pointer, whatever the length of the string.
 *
 * Returns: the bytes of an element, 0 for `UNDEFINED` and numbers that no data type has
 */
gsize
c2g_data_type_get_item_size (C2gDataType data_type)
{
  int found = find_data_type (data_type);

  return found >= 0 ? data_types[found].item_size : 0;
}
