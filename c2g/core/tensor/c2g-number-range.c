/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-number-range-private.h>

#include <float.h>
#include <math.h>

/* The numbers that each element type can hold. C2gComputeRange says what the five numbers of a
 * row are: min, max, end, largest and n_digits. The rows are in the order in which
 * c2g_data_type_promote() tries them: narrow types first, integers before floating-point types. */

typedef struct
{
  C2gDataType     data_type;
  C2gComputeRange range;
} Row;

static const Row rows[] = {
  { C2G_DATA_TYPE_BOOL, { 0, 1, 2, 1, 0 } },
  { C2G_DATA_TYPE_UINT8, { 0, G_MAXUINT8, 0x1p8, G_MAXUINT8, 0 } },
  { C2G_DATA_TYPE_BYTE, { 0, G_MAXUINT8, 0x1p8, G_MAXUINT8, 0 } },
  { C2G_DATA_TYPE_INT8, { G_MININT8, G_MAXINT8, 0x1p7, G_MAXINT8, 0 } },
  { C2G_DATA_TYPE_UINT16, { 0, G_MAXUINT16, 0x1p16, G_MAXUINT16, 0 } },
  { C2G_DATA_TYPE_INT16, { G_MININT16, G_MAXINT16, 0x1p15, G_MAXINT16, 0 } },
  { C2G_DATA_TYPE_FLOAT16, { -65519, 65519, 65520, 65504, 11 } },
  { C2G_DATA_TYPE_BFLOAT16, { G_MININT64, G_MAXUINT64, 0x1.ffp127, 0x1.fep127, 8 } },
  { C2G_DATA_TYPE_UINT32, { 0, G_MAXUINT32, 0x1p32, G_MAXUINT32, 0 } },
  { C2G_DATA_TYPE_INT32, { G_MININT32, G_MAXINT32, 0x1p31, G_MAXINT32, 0 } },
  { C2G_DATA_TYPE_FLOAT, { G_MININT64, G_MAXUINT64, 0x1.ffffffp127, FLT_MAX, FLT_MANT_DIG } },
  { C2G_DATA_TYPE_UINT64, { 0, G_MAXUINT64, 0x1p64, 0x1.fffffffffffffp63, 0 } },
  { C2G_DATA_TYPE_INT64, { G_MININT64, G_MAXINT64, 0x1p63, 0x1.fffffffffffffp62, 0 } },
  { C2G_DATA_TYPE_DOUBLE, { G_MININT64, G_MAXUINT64, INFINITY, DBL_MAX, DBL_MANT_DIG } },
};

const C2gComputeRange *
c2g_number_range (C2gDataType data_type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].data_type == data_type)
      return &rows[i].range;

  return NULL;
}

/**
 * c2g_data_type_get_max:
 * @data_type: a data type
 *
 * Gets the greatest finite number that an element can be.
 *
 * For `INT64` and `UINT64` it is the greatest `double` that is not beyond it.
 *
 * Returns: the number, 0 if elements are not numbers
 */
double
c2g_data_type_get_max (C2gDataType data_type)
{
  const C2gComputeRange *range = c2g_number_range (data_type);

  return range != NULL ? range->largest : 0;
}

/**
 * c2g_data_type_get_min:
 * @data_type: a data type
 *
 * Gets the least finite number that an element can be.
 *
 * It is negative, and 0 for types without a sign.
 *
 * Returns: the number, 0 if elements are not numbers
 */
double
c2g_data_type_get_min (C2gDataType data_type)
{
  const C2gComputeRange *range = c2g_number_range (data_type);

  if (range == NULL)
    return 0;

  return range->n_digits > 0 ? -range->largest : (double) range->min;
}

/* Returns TRUE if the floating-point type holds every integer of the range exactly. */
static gboolean
has_integers (const C2gComputeRange *real,
              const C2gComputeRange *integers)
{
  const guint64 end = (guint64) 1 << real->n_digits;

  return integers->max <= end && integers->min >= -(gint64) end;
}

static gboolean
contains (const C2gComputeRange *wide,
          const C2gComputeRange *narrow)
{
  if (wide->n_digits > 0 && narrow->n_digits > 0)
    return wide->n_digits >= narrow->n_digits && wide->largest >= narrow->largest;
  if (wide->n_digits > 0)
    return has_integers (wide, narrow);

  return narrow->n_digits == 0 && wide->min <= narrow->min && wide->max >= narrow->max;
}

/**
 * c2g_data_type_contains:
 * @self: a data type
 * @other: a data type
 *
 * Tells whether every number of another type is one of this type, too.
 *
 * Converting from it loses nothing then: `DOUBLE` contains `FLOAT` and `INT32`, but not `INT64`.
 * `C2g.DataType.contains(type, C2g.DataType.FLOAT)` is NVCaffe's `is_precise (type)`.
 *
 * Returns: whether it does; false if elements of one of them are not numbers
 */
gboolean
c2g_data_type_contains (C2gDataType self,
                        C2gDataType other)
{
  const C2gComputeRange *wide = c2g_number_range (self);
  const C2gComputeRange *narrow = c2g_number_range (other);

  return wide != NULL && narrow != NULL && contains (wide, narrow);
}

/**
 * c2g_data_type_promote:
 * @data_type: a data type
 * @other: a data type
 *
 * Finds the narrowest type that contains two others.
 *
 * It may be one of them, or a wider one: `FLOAT16` and `BFLOAT16` become `FLOAT`. Of types of the
 * same size an integer is preferred. No type contains `INT64` with a floating-point type or with
 * `UINT64`. For `DOUBLE`, `FLOAT` and `FLOAT16` this is NVCaffe's `tpmax ()`.
 *
 * Returns: the data type, `UNDEFINED` if there is none
 */
C2gDataType
c2g_data_type_promote (C2gDataType data_type,
                       C2gDataType other)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (c2g_data_type_contains (rows[i].data_type, data_type) &&
        c2g_data_type_contains (rows[i].data_type, other))
      return rows[i].data_type;

  return C2G_DATA_TYPE_UNDEFINED;
}
