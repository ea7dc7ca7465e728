/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-element-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-float16-private.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-nan-private.h>
#include <c2g/core/c2g-type-meta-private.h>

#include <math.h>
#include <string.h>

#define TWO_TO_63  9223372036854775808.0
#define TWO_TO_64  18446744073709551616.0

/* How many bytes are copied at once to fill memory: whole items of every number. */
#define MAX_REPEATED  4096

/* A number between two conversions, exact whatever type it comes from. */
typedef struct
{
  enum
  {
    NUMBER_SIGNED,
    NUMBER_UNSIGNED,
    NUMBER_REAL,
  } kind;
  union
  {
    gint64  as_signed;
    guint64 as_unsigned;
    double  as_real;
  };
} Number;

static Number
number_signed (gint64 value)
{
  return (Number) { .kind = NUMBER_SIGNED, .as_signed = value };
}

static Number
number_unsigned (guint64 value)
{
  return (Number) { .kind = NUMBER_UNSIGNED, .as_unsigned = value };
}

static Number
number_real (double value)
{
  return (Number) { .kind = NUMBER_REAL, .as_real = value };
}

static double
number_to_double (const Number *self)
{
  switch (self->kind)
    {
    case NUMBER_SIGNED:
      return self->as_signed;
    case NUMBER_UNSIGNED:
      return self->as_unsigned;
    case NUMBER_REAL:
    default:
      return self->as_real;
    }
}

static float
number_to_float (const Number *self)
{
  switch (self->kind)
    {
    case NUMBER_SIGNED:
      return self->as_signed;
    case NUMBER_UNSIGNED:
      return self->as_unsigned;
    case NUMBER_REAL:
    default:
      return self->as_real;
    }
}

/* On the way to a narrower type.  An integer that no double equals becomes the odd one of
 * numbers 4096 apart between which it is, so that rounding again gives what rounding once
 * would. */
static double
number_to_odd_double (const Number *self)
{
  const guint64 size = self->kind == NUMBER_SIGNED && self->as_signed < 0 ? -self->as_unsigned
                                                                          : self->as_unsigned;
  Number odd = *self;

  if (self->kind != NUMBER_REAL && size >> 53 != 0 && size % 4096 != 0)
    odd.as_unsigned = (self->as_unsigned & ~(guint64) 4095) | 4096;

  return number_to_double (&odd);
}

/* Whether the number, cut to an integer, is one between min and max. */
static gboolean
number_to_signed (const Number *self,
                  gint64        min,
                  gint64        max,
                  gint64       *value)
{
  gint64 whole;

  if (self->kind == NUMBER_UNSIGNED && self->as_unsigned > G_MAXINT64)
    return FALSE;
  /* The comparisons are such that a NaN fails. */
  if (self->kind == NUMBER_REAL && !(self->as_real >= -TWO_TO_63 && self->as_real < TWO_TO_63))
    return FALSE;

  whole = self->kind == NUMBER_REAL ? (gint64) self->as_real : self->as_signed;
  *value = whole;

  return whole >= min && whole <= max;
}

static gboolean
number_to_unsigned (const Number *self,
                    guint64       max,
                    guint64      *value)
{
  guint64 whole;

  if (self->kind == NUMBER_SIGNED && self->as_signed < 0)
    return FALSE;
  if (self->kind == NUMBER_REAL && !(self->as_real > -1.0 && self->as_real < TWO_TO_64))
    return FALSE;

  whole = self->kind == NUMBER_REAL ? (guint64) MAX (self->as_real, 0.0) : self->as_unsigned;
  *value = whole;

  return whole <= max;
}

/* Whether the element type is that of a number, and then the element. */
static gboolean
read_number (C2gTypeMeta   *meta,
             gconstpointer  item,
             Number        *number)
{
  switch (meta->data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      *number = number_real (*(const float *) item);
      return TRUE;
    case C2G_DATA_TYPE_DOUBLE:
      *number = number_real (*(const double *) item);
      return TRUE;
    case C2G_DATA_TYPE_FLOAT16:
      *number = number_real (c2g_float16_to_float (*(const guint16 *) item));
      return TRUE;
    case C2G_DATA_TYPE_BFLOAT16:
      *number = number_real (c2g_bfloat16_to_float (*(const guint16 *) item));
      return TRUE;
    case C2G_DATA_TYPE_INT8:
      *number = number_signed (*(const gint8 *) item);
      return TRUE;
    case C2G_DATA_TYPE_INT16:
      *number = number_signed (*(const gint16 *) item);
      return TRUE;
    case C2G_DATA_TYPE_INT32:
      *number = number_signed (*(const gint32 *) item);
      return TRUE;
    case C2G_DATA_TYPE_INT64:
      *number = number_signed (*(const gint64 *) item);
      return TRUE;
    case C2G_DATA_TYPE_BOOL:
      *number = number_unsigned (*(const guint8 *) item != 0);
      return TRUE;
    case C2G_DATA_TYPE_UINT8:
      *number = number_unsigned (*(const guint8 *) item);
      return TRUE;
    case C2G_DATA_TYPE_UINT16:
      *number = number_unsigned (*(const guint16 *) item);
      return TRUE;
    case C2G_DATA_TYPE_UINT32:
      *number = number_unsigned (*(const guint32 *) item);
      return TRUE;
    case C2G_DATA_TYPE_UINT64:
      *number = number_unsigned (*(const guint64 *) item);
      return TRUE;
    case C2G_DATA_TYPE_UNDEFINED:
    case C2G_DATA_TYPE_BYTE:
    case C2G_DATA_TYPE_STRING:
    default:
      return FALSE;
    }
}

static gboolean
fail_range (C2gTypeMeta   *meta,
            const Number  *number,
            GError       **error)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (number->kind == NUMBER_REAL)
    g_ascii_dtostr (text, sizeof text, number->as_real);
  else if (number->kind == NUMBER_SIGNED)
    g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, number->as_signed);
  else
    g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, number->as_unsigned);

  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
               _("%s does not fit into an element of type “%s”"), text, meta->name);
  return FALSE;
}

static gboolean
fail_not_a_number (C2gTypeMeta  *meta,
                   GError      **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
               _("Expected elements that are numbers, got “%s”"), meta->name);
  return FALSE;
}

#define WRITE_SIGNED(c_type, MIN, MAX)                          \
  G_STMT_START                                                  \
  {                                                             \
    gint64 value_;                                              \
    if (!number_to_signed (number, (MIN), (MAX), &value_))      \
      return fail_range (meta, number, error);                  \
    *(c_type *) item = value_;                                  \
    return TRUE;                                                \
  }                                                             \
  G_STMT_END

#define WRITE_UNSIGNED(c_type, MAX)                             \
  G_STMT_START                                                  \
  {                                                             \
    guint64 value_;                                             \
    if (!number_to_unsigned (number, (MAX), &value_))           \
      return fail_range (meta, number, error);                  \
    *(c_type *) item = value_;                                  \
    return TRUE;                                                \
  }                                                             \
  G_STMT_END

static gboolean
write_number (C2gTypeMeta   *meta,
              gpointer       item,
              const Number  *number,
              GError       **error)
{
  switch (meta->data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      *(float *) item = number_to_float (number);
      return TRUE;
    case C2G_DATA_TYPE_DOUBLE:
      *(double *) item = number_to_double (number);
      return TRUE;
    case C2G_DATA_TYPE_FLOAT16:
      *(guint16 *) item = c2g_float16_from_double (number_to_odd_double (number));
      return TRUE;
    case C2G_DATA_TYPE_BFLOAT16:
      *(guint16 *) item = c2g_bfloat16_from_double (number_to_odd_double (number));
      return TRUE;
    case C2G_DATA_TYPE_BOOL:
      *(guint8 *) item = number_to_double (number) != 0;
      return TRUE;
    case C2G_DATA_TYPE_INT8:
      WRITE_SIGNED (gint8, G_MININT8, G_MAXINT8);
    case C2G_DATA_TYPE_INT16:
      WRITE_SIGNED (gint16, G_MININT16, G_MAXINT16);
    case C2G_DATA_TYPE_INT32:
      WRITE_SIGNED (gint32, G_MININT32, G_MAXINT32);
    case C2G_DATA_TYPE_INT64:
      WRITE_SIGNED (gint64, G_MININT64, G_MAXINT64);
    case C2G_DATA_TYPE_UINT8:
      WRITE_UNSIGNED (guint8, G_MAXUINT8);
    case C2G_DATA_TYPE_UINT16:
      WRITE_UNSIGNED (guint16, G_MAXUINT16);
    case C2G_DATA_TYPE_UINT32:
      WRITE_UNSIGNED (guint32, G_MAXUINT32);
    case C2G_DATA_TYPE_UINT64:
      WRITE_UNSIGNED (guint64, G_MAXUINT64);
    case C2G_DATA_TYPE_UNDEFINED:
    case C2G_DATA_TYPE_BYTE:
    case C2G_DATA_TYPE_STRING:
    default:
      return fail_not_a_number (meta, error);
    }
}

/* The first numbers that round to infinity. */
#define FLOAT16_END   65520.0
#define BFLOAT16_END  0x1.ffp127

/* Tells whether the type has the number, or rounds it to one; cutting off would lose something. */
static gboolean
number_fits (const Number *self,
             C2gDataType   data_type)
{
  const double value = number_to_double (self);

  switch (data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      return !isfinite (value) || isfinite ((float) value);
    case C2G_DATA_TYPE_FLOAT16:
      return !isfinite (value) || fabs (value) < FLOAT16_END;
    case C2G_DATA_TYPE_BFLOAT16:
      return !isfinite (value) || fabs (value) < BFLOAT16_END;
    case C2G_DATA_TYPE_BOOL:
      return value == 0 || value == 1;
    case C2G_DATA_TYPE_INT8:
    case C2G_DATA_TYPE_INT16:
    case C2G_DATA_TYPE_INT32:
    case C2G_DATA_TYPE_INT64:
    case C2G_DATA_TYPE_UINT8:
    case C2G_DATA_TYPE_UINT16:
    case C2G_DATA_TYPE_UINT32:
    case C2G_DATA_TYPE_UINT64:
      return value == trunc (value);
    case C2G_DATA_TYPE_DOUBLE:
    case C2G_DATA_TYPE_UNDEFINED:
    case C2G_DATA_TYPE_STRING:
    default:
      return TRUE;
    }
}

static gboolean
set_number (C2gTypeMeta   *meta,
            gpointer       item,
            const Number  *number,
            GError       **error)
{
  return (number_fits (number, meta->data_type) || fail_range (meta, number, error)) &&
         write_number (meta, item, number, error);
}

gboolean
c2g_element_is_number (C2gTypeMeta *meta)
{
  return meta->data_type != C2G_DATA_TYPE_UNDEFINED &&
         meta->data_type != C2G_DATA_TYPE_STRING;
}

gboolean
c2g_element_get_double (C2gTypeMeta    *meta,
                        gconstpointer   item,
                        double         *value,
                        GError        **error)
{
  Number number;

  if (!read_number (meta, item, &number))
    return fail_not_a_number (meta, error);

  *value = c2g_with_plain_nan (number_to_double (&number));
  return TRUE;
}

gboolean
c2g_element_set_double (C2gTypeMeta  *meta,
                        gpointer      item,
                        double        value,
                        GError      **error)
{
  const Number number = number_real (value);

  return set_number (meta, item, &number, error);
}

void
c2g_element_set_nearest (C2gTypeMeta *meta,
                         gpointer     item,
                         double       value)
{
  const Number number = number_real (value);

  write_number (meta, item, &number, NULL);
}

gboolean
c2g_element_get_int64 (C2gTypeMeta    *meta,
                       gconstpointer   item,
                       gint64         *value,
                       GError        **error)
{
  Number number;

  if (!read_number (meta, item, &number))
    return fail_not_a_number (meta, error);

  if (!number_to_signed (&number, G_MININT64, G_MAXINT64, value))
    return fail_range (c2g_type_meta_builtin (C2G_DATA_TYPE_INT64), &number, error);

  return TRUE;
}

gboolean
c2g_element_set_int64 (C2gTypeMeta  *meta,
                       gpointer      item,
                       gint64        value,
                       GError      **error)
{
  const Number number = number_signed (value);

  return set_number (meta, item, &number, error);
}

static void
get_string (GBytes *string,
            GValue *value)
{
  gsize length = 0;
  const char *text = string != NULL ? g_bytes_get_data (string, &length) : NULL;

  /* This is strict about NUL where a length is given. */
  if (length == 0 || g_utf8_validate (text, length, NULL))
    {
      g_value_init (value, G_TYPE_STRING);
      g_value_take_string (value, g_strndup (text != NULL ? text : "", length));
    }
  else
    {
      g_value_init (value, G_TYPE_BYTES);
      g_value_set_boxed (value, string);
    }
}

static void
get_number (C2gTypeMeta  *meta,
            const Number *number,
            GValue       *value)
{
  if (meta->data_type == C2G_DATA_TYPE_BOOL)
    {
      g_value_init (value, G_TYPE_BOOLEAN);
      g_value_set_boolean (value, number->as_unsigned != 0);
    }
  else if (number->kind == NUMBER_REAL)
    {
      g_value_init (value, meta->item_size == sizeof (double) ? G_TYPE_DOUBLE : G_TYPE_FLOAT);
      if (meta->item_size == sizeof (double))
        g_value_set_double (value, c2g_with_plain_nan (number->as_real));
      else
        g_value_set_float (value, (float) c2g_with_plain_nan (number->as_real));
    }
  else if (number->kind == NUMBER_SIGNED)
    {
      g_value_init (value, meta->item_size == sizeof (gint64) ? G_TYPE_INT64 : G_TYPE_INT);
      if (meta->item_size == sizeof (gint64))
        g_value_set_int64 (value, number->as_signed);
      else
        g_value_set_int (value, number->as_signed);
    }
  else
    {
      g_value_init (value, meta->item_size == sizeof (guint64) ? G_TYPE_UINT64 : G_TYPE_UINT);
      if (meta->item_size == sizeof (guint64))
        g_value_set_uint64 (value, number->as_unsigned);
      else
        g_value_set_uint (value, number->as_unsigned);
    }
}

void
c2g_element_get_value (C2gTypeMeta   *meta,
                       gconstpointer  item,
                       GValue        *value)
{
  Number number;

  if (read_number (meta, item, &number))
    get_number (meta, &number, value);
  else if (meta->data_type == C2G_DATA_TYPE_STRING)
    get_string (*(GBytes *const *) item, value);
  else if (meta->funcs.get != NULL)
    meta->funcs.get (meta, item, value);
  else if (meta->is_plain)
    {
      g_value_init (value, G_TYPE_BYTES);
      g_value_take_boxed (value, g_bytes_new (item, meta->item_size));
    }

  if (!G_IS_VALUE (value))
    g_value_init (value, G_TYPE_POINTER);
}

/* Whether the value is a number, of whatever type, and then the number. */
static gboolean
number_of_value (const GValue *value,
                 Number       *number)
{
  switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value)))
    {
    case G_TYPE_CHAR:
      *number = number_signed (g_value_get_schar (value));
      return TRUE;
    case G_TYPE_UCHAR:
      *number = number_unsigned (g_value_get_uchar (value));
      return TRUE;
    case G_TYPE_BOOLEAN:
      *number = number_unsigned (g_value_get_boolean (value) != FALSE);
      return TRUE;
    case G_TYPE_INT:
      *number = number_signed (g_value_get_int (value));
      return TRUE;
    case G_TYPE_UINT:
      *number = number_unsigned (g_value_get_uint (value));
      return TRUE;
    case G_TYPE_LONG:
      *number = number_signed (g_value_get_long (value));
      return TRUE;
    case G_TYPE_ULONG:
      *number = number_unsigned (g_value_get_ulong (value));
      return TRUE;
    case G_TYPE_INT64:
      *number = number_signed (g_value_get_int64 (value));
      return TRUE;
    case G_TYPE_UINT64:
      *number = number_unsigned (g_value_get_uint64 (value));
      return TRUE;
    case G_TYPE_ENUM:
      *number = number_signed (g_value_get_enum (value));
      return TRUE;
    case G_TYPE_FLAGS:
      *number = number_unsigned (g_value_get_flags (value));
      return TRUE;
    case G_TYPE_FLOAT:
      *number = number_real (g_value_get_float (value));
      return TRUE;
    case G_TYPE_DOUBLE:
      *number = number_real (g_value_get_double (value));
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
fail_value_type (C2gTypeMeta   *meta,
                 const GValue  *value,
                 GError       **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
               _("Expected a value for an element of type “%s”, got one of type “%s”"),
               meta->name, G_VALUE_TYPE_NAME (value));
  return FALSE;
}

static gboolean
set_string (C2gTypeMeta   *meta,
            GBytes       **item,
            const GValue  *value,
            GError       **error)
{
  g_autoptr (GBytes) string = NULL;
  GBytes *old = *item;

  if (G_VALUE_HOLDS_STRING (value))
    {
      const char *text = g_value_get_string (value);

      string = g_bytes_new (text, text != NULL ? strlen (text) : 0);
    }
  else if (G_VALUE_HOLDS (value, G_TYPE_BYTES) && g_value_get_boxed (value) != NULL)
    string = g_value_dup_boxed (value);
  else
    return fail_value_type (meta, value, error);

  *item = g_bytes_get_size (string) > 0 ? g_steal_pointer (&string) : NULL;
  g_clear_pointer (&old, g_bytes_unref);

  return TRUE;
}

static gboolean
set_plain (C2gTypeMeta   *meta,
           gpointer       item,
           const GValue  *value,
           GError       **error)
{
  GBytes *bytes = G_VALUE_HOLDS (value, G_TYPE_BYTES) ? g_value_get_boxed (value) : NULL;

  if (bytes == NULL)
    return fail_value_type (meta, value, error);

  if (g_bytes_get_size (bytes) != meta->item_size)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                   _("Expected %zu bytes for an element of type “%s”, got %zu"),
                   meta->item_size, meta->name, g_bytes_get_size (bytes));
      return FALSE;
    }

  memcpy (item, g_bytes_get_data (bytes, NULL), meta->item_size);
  return TRUE;
}

gboolean
c2g_element_set_value (C2gTypeMeta   *meta,
                       gpointer       item,
                       const GValue  *value,
                       GError       **error)
{
  Number number;

  if (c2g_element_is_number (meta))
    return number_of_value (value, &number) ? set_number (meta, item, &number, error)
                                            : fail_value_type (meta, value, error);

  if (meta->data_type == C2G_DATA_TYPE_STRING)
    return set_string (meta, item, value, error);

  if (meta->funcs.set != NULL)
    return meta->funcs.set (meta, item, value) || fail_value_type (meta, value, error);

  return meta->is_plain ? set_plain (meta, item, value, error)
                        : fail_value_type (meta, value, error);
}

/* Repeats the bytes of the first item: memcpy() is faster than any loop over items,
 * as long as what it reads stays in the nearest cache. */
static void
repeat_item (char  *items,
             gsize  n_bytes,
             gsize  item_size)
{
  gsize n_done = item_size;

  while (n_done < n_bytes)
    {
      const gsize n = MIN (MIN (n_done, MAX_REPEATED), n_bytes - n_done);

      memcpy (items + n_done, items, n);
      n_done += n;
    }
}

gboolean
c2g_element_fill (C2gTypeMeta  *meta,
                  gpointer      items,
                  gsize         n_items,
                  double        value,
                  GError      **error)
{
  guint64 first;

  if (!c2g_element_set_double (meta, &first, value, error))
    return FALSE;

  if (n_items > 0)
    {
      memcpy (items, &first, meta->item_size);
      repeat_item (items, n_items * meta->item_size, meta->item_size);
    }

  return TRUE;
}
