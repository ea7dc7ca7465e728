/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-text-utils.h"
#include "c2g-values.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Converts elements of tensors to numbers and text. */

/* Decodes half precision (IEEE 754): 1 sign bit, 5 exponent bits, 10 fraction bits. */
static double
float16_to_double (guint16 bits)
{
  int exponent = bits >> 10 & 0x1f;
  int fraction = bits & 0x3ff;
  double value;

  if (exponent == 0x1f)
    value = fraction != 0 ? NAN : INFINITY;
  else if (exponent == 0)
    value = ldexp (fraction, -24);
  else
    value = ldexp (fraction | 0x400, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

/* bfloat16 is the upper half of a float. */
static double
bfloat16_to_double (guint16 bits)
{
  guint32 word = (guint32) bits << 16;
  float value;

  memcpy (&value, &word, sizeof value);
  return value;
}

#define CONVERT(type, convert)                                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const type *items = (const type *) data + begin;                                               \
                                                                                                   \
    for (gsize i = 0; i < n_values; i++)                                                           \
      values[i] = convert (items[i]);                                                              \
  }                                                                                                \
  G_STMT_END

void
c2g_values_to_doubles (C2gDataType    data_type,
                       gconstpointer  data,
                       gint64         begin,
                       gsize          n_values,
                       double        *values)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      CONVERT (float, );
      break;

    case C2G_DATA_TYPE_DOUBLE:
      CONVERT (double, );
      break;

    case C2G_DATA_TYPE_FLOAT16:
      CONVERT (guint16, float16_to_double);
      break;

    case C2G_DATA_TYPE_BFLOAT16:
      CONVERT (guint16, bfloat16_to_double);
      break;

    case C2G_DATA_TYPE_BYTE:
    case C2G_DATA_TYPE_BOOL:
    case C2G_DATA_TYPE_UINT8:
      CONVERT (guint8, );
      break;

    case C2G_DATA_TYPE_INT8:
      CONVERT (gint8, );
      break;

    case C2G_DATA_TYPE_UINT16:
      CONVERT (guint16, );
      break;

    case C2G_DATA_TYPE_INT16:
      CONVERT (gint16, );
      break;

    case C2G_DATA_TYPE_UINT32:
      CONVERT (guint32, );
      break;

    case C2G_DATA_TYPE_INT32:
      CONVERT (gint32, );
      break;

    case C2G_DATA_TYPE_UINT64:
      CONVERT (guint64, );
      break;

    case C2G_DATA_TYPE_INT64:
      CONVERT (gint64, );
      break;

    case C2G_DATA_TYPE_STRING:
    case C2G_DATA_TYPE_UNDEFINED:
    default:
      g_assert_not_reached ();
    }
}

/* Returns the number of significant digits to try first, and the number that is always enough. */
static void
get_digits (C2gDataType  data_type,
            int         *least,
            int         *most)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_FLOAT16:
      *least = *most = 5;
      break;

    case C2G_DATA_TYPE_BFLOAT16:
      *least = *most = 4;
      break;

    case C2G_DATA_TYPE_FLOAT:
      *least = 6;
      *most = 9;
      break;

    default:
      *least = 15;
      *most = 17;
      break;
    }
}

/* Writes the fewest digits that read back as the same number: 0.1 as "0.1". */
void
c2g_value_append_real (GString     *string,
                       double       value,
                       C2gDataType  data_type)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  char format[] = "%.00g";
  double read;
  int least;
  int most;

  /* The sign of a NaN has no meaning. */
  if (isnan (value))
    {
      g_string_append (string, "nan");
      return;
    }

  get_digits (data_type, &least, &most);
  for (int n_digits = least; n_digits <= most; n_digits++)
    {
      format[2] = '0' + n_digits / 10;
      format[3] = '0' + n_digits % 10;
      g_ascii_formatd (text, sizeof text, format, value);
      read = g_ascii_strtod (text, NULL);
      if (data_type == C2G_DATA_TYPE_FLOAT ? (float) read == (float) value : read == value)
        break;
    }
  g_string_append (string, text);
}

void
c2g_value_append (GString       *string,
                  C2gDataType    data_type,
                  gconstpointer  data,
                  gint64         index)
{
  double value;

  switch (data_type)
    {
    case C2G_DATA_TYPE_STRING:
      {
        GBytes *bytes = ((GBytes *const *) data)[index];
        gsize n_bytes = 0;
        const char *text = bytes != NULL ? g_bytes_get_data (bytes, &n_bytes) : NULL;

        c2g_text_append_bytes (string, text, n_bytes);
        break;
      }

    case C2G_DATA_TYPE_UINT64:
      g_string_append_printf (string, "%" PRIu64, ((const guint64 *) data)[index]);
      break;

    case C2G_DATA_TYPE_INT64:
      g_string_append_printf (string, "%" PRId64, ((const gint64 *) data)[index]);
      break;

    case C2G_DATA_TYPE_FLOAT:
    case C2G_DATA_TYPE_DOUBLE:
    case C2G_DATA_TYPE_FLOAT16:
    case C2G_DATA_TYPE_BFLOAT16:
      c2g_values_to_doubles (data_type, data, index, 1, &value);
      c2g_value_append_real (string, value, data_type);
      break;

    default:
      c2g_values_to_doubles (data_type, data, index, 1, &value);
      g_string_append_printf (string, "%" PRId64, (gint64) value);
      break;
    }
}
