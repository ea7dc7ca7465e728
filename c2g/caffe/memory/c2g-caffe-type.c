/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-type.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

/* Element types in the order of NVCaffe's enum Type, which its files contain. */
static const C2gDataType types[] = {
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_BOOL,
};

/**
 * c2g_data_type_from_caffe:
 * @number: a number of NVCaffe's `Type`, such as 2 for `FLOAT16`
 * @error: return location for an error
 *
 * Finds the data type that a number stands for in NVCaffe and its files.
 *
 * An unknown one is `C2G_ERROR_NOT_FOUND`.
 *
 * Returns: the data type, or `UNDEFINED` on error
 */
C2gDataType
c2g_data_type_from_caffe (int      number,
                          GError **error)
{
  g_return_val_if_fail (error == NULL || *error == NULL, C2G_DATA_TYPE_UNDEFINED);

  if (number >= 0 && number < (int) G_N_ELEMENTS (types))
    return types[number];

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("NVCaffe has no data type of the number %d"),
               number);
  return C2G_DATA_TYPE_UNDEFINED;
}

/**
 * c2g_data_type_to_caffe:
 * @data_type: a data type
 *
 * Gets the number that NVCaffe and its files have for a data type.
 *
 * Returns: the number, -1 if NVCaffe does not have the type
 */
int
c2g_data_type_to_caffe (C2gDataType data_type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i] == data_type)
      return (int) i;

  return -1;
}
