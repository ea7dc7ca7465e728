/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-element-private.h>

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-float16-private.h>
#include <c2g/core/types/c2g-nan-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

#include <string.h>

/* Reads and writes single elements as doubles, 64-bit integers and GValues, with range checks.
 * Tensors and contexts use it for elements of any type. */

#define TWO_TO_63  9223372036854775808.0

/* Most bytes of one memcpy() while filling memory. A multiple of every item size. */
#define MAX_REPEATED  4096

/* A number during a conversion, exact for every element type. */
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

/* Returns TRUE if the number, truncated, fits into 64 bits. */
static gboolean
number_to_int64 (const Number *self,
                 gint64       *value)
{
  if (self->kind == NUMBER_UNSIGNED && self->as_unsigned > G_MAXINT64)
    return FALSE;
  /* The condition is negated so that a NaN fails. */
  if (self->kind == NUMBER_REAL && !(self->as_real >= -TWO_TO_63 && self->as_real < TWO_TO_63))
    return FALSE;

  *value = self->kind == NUMBER_REAL ? (gint64) self->as_real : self->as_signed;

  return TRUE;
}

/* Reads the element; returns FALSE if its type is not a number. */
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

  return c2g_fail (error, C2G_ERROR_RANGE, _("%s does not fit into an element of type “%s”"), text,
                   meta->name);
}

static gboolean
fail_not_a_number (C2gTypeMeta  *meta,
                   GError      **error)
{
  return c2g_fail (error, C2G_ERROR_TYPE, _("Expected elements that are numbers, got “%s”"),
                   meta->name);
}

/* Returns FALSE if the number does not fit. All members of the union have the address of
 * as_real. */
static gboolean
write_number (C2gTypeMeta      *meta,
              gpointer          item,
              const Number     *number,
              C2gConvertFlags   flags)
{
  static const C2gDataType types[] = {
    [NUMBER_SIGNED] = C2G_DATA_TYPE_INT64,
    [NUMBER_UNSIGNED] = C2G_DATA_TYPE_UINT64,
    [NUMBER_REAL] = C2G_DATA_TYPE_DOUBLE,
  };
  gsize position;

  return c2g_convert_items (meta->data_type, item, types[number->kind], &number->as_real, 1, flags,
                            &position);
}

gboolean
c2g_element_is_number (C2gTypeMeta *meta)
{
  return meta->data_type != C2G_DATA_TYPE_UNDEFINED &&
         meta->data_type != C2G_DATA_TYPE_STRING;
}

static gboolean
set_number (C2gTypeMeta   *meta,
            gpointer       item,
            const Number  *number,
            GError       **error)
{
  if (!c2g_element_is_number (meta))
    return fail_not_a_number (meta, error);

  return write_number (meta, item, number, C2G_CONVERT_NONE) || fail_range (meta, number, error);
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

  write_number (meta, item, &number, C2G_CONVERT_SATURATE);
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

  if (!number_to_int64 (&number, value))
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

  /* With a length, g_utf8_validate() also rejects NUL. */
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

/* Reads a number of any type; returns FALSE if the value is not a number. */
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
  return c2g_fail (error, C2G_ERROR_TYPE,
                   _("Expected a value for an element of type “%s”, got one of type “%s”"),
                   meta->name, G_VALUE_TYPE_NAME (value));
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
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("Expected %zu bytes for an element of type “%s”, got %zu"), meta->item_size,
                     meta->name, g_bytes_get_size (bytes));

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

/* Fills by repeating what is already filled. memcpy() is faster than a loop over items as long as
 * the bytes that it reads stay in the L1 cache. */
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

void
c2g_element_repeat (C2gTypeMeta   *meta,
                    gpointer       items,
                    gsize          n_items,
                    gconstpointer  item)
{
  if (n_items == 0)
    return;

  memcpy (items, item, meta->item_size);
  repeat_item (items, n_items * meta->item_size, meta->item_size);
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

  c2g_element_repeat (meta, items, n_items, &first);
  return TRUE;
}
