/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-fill-values-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-float16-private.h>
#include <c2g/core/types/c2g-type-meta.h>

#include <string.h>

/* Reads the values of a fill operator from its arguments. Loading of init nets and the operators
 * themselves use it. */

#define CONSTANT_FILL "ConstantFill"
#define BYTES_FILL    "GivenTensorByteStringToUInt8Fill"

/* The operators, and the data type that each has unless an argument says another. */
static const struct
{
  const char  *type;
  C2gDataType  data_type;
} fills[] = {
  { CONSTANT_FILL, C2G_DATA_TYPE_FLOAT },
  { BYTES_FILL, C2G_DATA_TYPE_UINT8 },
  { "GivenTensorFill", C2G_DATA_TYPE_FLOAT },
  { "GivenTensorDoubleFill", C2G_DATA_TYPE_DOUBLE },
  { "GivenTensorBoolFill", C2G_DATA_TYPE_BOOL },
  { "GivenTensorInt16Fill", C2G_DATA_TYPE_INT16 },
  { "GivenTensorIntFill", C2G_DATA_TYPE_INT32 },
  { "GivenTensorInt64Fill", C2G_DATA_TYPE_INT64 },
  { "GivenTensorStringFill", C2G_DATA_TYPE_STRING },
};

static C2gDataType
get_type (const char *op_type)
{
  for (guint i = 0; i < G_N_ELEMENTS (fills); i++)
    if (g_strcmp0 (op_type, fills[i].type) == 0)
      return fills[i].data_type;

  return C2G_DATA_TYPE_UNDEFINED;
}

gboolean
c2g_fill_values_is_known (const char *op_type)
{
  return get_type (op_type) != C2G_DATA_TYPE_UNDEFINED;
}

/* Reads the argument dtype, if there is one. */
static gboolean
read_data_type (C2gFillValues           *self,
                const Caffe2__Argument  *dtype,
                GError                 **error)
{
  if (dtype == NULL || (dtype->has_i && dtype->i == C2G_DATA_TYPE_UNDEFINED))
    return TRUE;

  if (!dtype->has_i || dtype->i < C2G_DATA_TYPE_FLOAT || dtype->i > C2G_DATA_TYPE_DOUBLE ||
      (dtype->i == C2G_DATA_TYPE_FLOAT16 && !self->is_constant) ||
      c2g_type_meta_for_data_type ((C2gDataType) dtype->i, NULL) == NULL)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("No data type to fill with: %" PRId64),
                     dtype->i);

  self->data_type = dtype->i == C2G_DATA_TYPE_BYTE ? C2G_DATA_TYPE_UINT8 : (C2gDataType) dtype->i;
  return TRUE;
}

static gboolean
check_constant (const C2gFillValues  *self,
                GError              **error)
{
  gboolean fits;

  switch (self->data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
    case C2G_DATA_TYPE_FLOAT16:
    case C2G_DATA_TYPE_DOUBLE:
      fits = self->values->has_f;
      break;

    case C2G_DATA_TYPE_STRING:
      fits = self->values->has_s;
      break;

    default:
      fits = self->values->has_i;
      break;
    }

  if (!fits)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “value” is not of type %s"),
                 c2g_data_type_get_name (self->data_type));
  return fits;
}

/* Without dtype the kind of the argument "value" decides, as in Caffe2. */
static gboolean
init_constant (C2gFillValues           *self,
               const Caffe2__Argument  *dtype,
               GError                 **error)
{
  if (self->values != NULL && self->values->has_i && dtype == NULL)
    self->data_type = C2G_DATA_TYPE_INT64;

  return read_data_type (self, dtype, error) &&
         (self->values == NULL || check_constant (self, error));
}

gboolean
c2g_fill_values_init (C2gFillValues  *self,
                      const char     *op_type,
                      C2gFillFind     find,
                      gconstpointer   definition,
                      GError        **error)
{
  self->data_type = get_type (op_type);
  self->is_constant = g_strcmp0 (op_type, CONSTANT_FILL) == 0;
  self->is_bytes = g_strcmp0 (op_type, BYTES_FILL) == 0;
  self->values = find (definition, self->is_constant ? "value" : "values");

  if (self->is_constant)
    return init_constant (self, find (definition, "dtype"), error);

  /* The other types have their data type in their name. */
  return g_strcmp0 (op_type, "GivenTensorFill") != 0 ||
         read_data_type (self, find (definition, "dtype"), error);
}

/* Range of an integer type. Returns FALSE for other types. */
static gboolean
get_range (C2gDataType  data_type,
           gint64      *minimum,
           gint64      *maximum)
{
  static const struct
  {
    C2gDataType data_type;
    gint64      minimum;
    gint64      maximum;
  } ranges[] = {
    { C2G_DATA_TYPE_BOOL, 0, 1 },
    { C2G_DATA_TYPE_UINT8, 0, G_MAXUINT8 },
    { C2G_DATA_TYPE_INT8, G_MININT8, G_MAXINT8 },
    { C2G_DATA_TYPE_UINT16, 0, G_MAXUINT16 },
    { C2G_DATA_TYPE_INT16, G_MININT16, G_MAXINT16 },
    { C2G_DATA_TYPE_INT32, G_MININT32, G_MAXINT32 },
    { C2G_DATA_TYPE_INT64, G_MININT64, G_MAXINT64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    if (ranges[i].data_type == data_type)
      {
        *minimum = ranges[i].minimum;
        *maximum = ranges[i].maximum;
        return TRUE;
      }

  return FALSE;
}

static gboolean
check_integer (C2gDataType   data_type,
               gint64        value,
               GError      **error)
{
  gint64 minimum, maximum;

  if (get_range (data_type, &minimum, &maximum) && value >= minimum && value <= maximum)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("%" PRId64 " is no value of type %s"),
                   value, c2g_data_type_get_name (data_type));
}

static void
put_integer (gpointer    items,
             gsize       i,
             gsize       item_size,
             gint64      value)
{
  switch (item_size)
    {
    case 1:
      ((guint8 *) items)[i] = (guint8) value;
      break;

    case 2:
      ((guint16 *) items)[i] = (guint16) value;
      break;

    case 4:
      ((guint32 *) items)[i] = (guint32) value;
      break;

    default:
      ((gint64 *) items)[i] = value;
      break;
    }
}

static void
put_string (GBytes                    **items,
            gsize                       i,
            const ProtobufCBinaryData  *value)
{
  g_clear_pointer (&items[i], g_bytes_unref);
  if (value->len > 0)
    items[i] = g_bytes_new (value->data, value->len);
}

/* Number of values of the right type in the argument. */
static gsize
count_values (const C2gFillValues *self)
{
  if (self->values == NULL)
    return 0;

  switch (self->data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
    case C2G_DATA_TYPE_DOUBLE:
      return self->values->n_floats;

    case C2G_DATA_TYPE_STRING:
      return self->values->n_strings;

    default:
      if (self->is_bytes)
        return self->values->n_strings == 1 ? self->values->strings[0].len : 0;
      return self->values->n_ints;
    }
}

static gboolean
put_integers (const C2gFillValues  *self,
              gpointer              items,
              GError              **error)
{
  const Caffe2__Argument *values = self->values;
  gsize item_size = c2g_data_type_get_item_size (self->data_type);

  for (gsize i = 0; i < values->n_ints; i++)
    if (!check_integer (self->data_type, values->ints[i], error))
      return FALSE;

  for (gsize i = 0; i < values->n_ints; i++)
    put_integer (items, i, item_size, values->ints[i]);
  return TRUE;
}

static gboolean
put_given (const C2gFillValues  *self,
           gpointer              items,
           GError              **error)
{
  const Caffe2__Argument *values = self->values;

  switch (self->data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      memcpy (items, values->floats, values->n_floats * sizeof (float));
      return TRUE;

    case C2G_DATA_TYPE_DOUBLE:
      for (gsize i = 0; i < values->n_floats; i++)
        ((double *) items)[i] = values->floats[i];
      return TRUE;

    case C2G_DATA_TYPE_STRING:
      for (gsize i = 0; i < values->n_strings; i++)
        put_string (items, i, &values->strings[i]);
      return TRUE;

    default:
      if (!self->is_bytes)
        return put_integers (self, items, error);
      memcpy (items, values->strings[0].data, values->strings[0].len);
      return TRUE;
    }
}

/* All elements share one string: the memory limit counts elements, whose size does not depend on
 * the string. */
static void
repeat_string (GBytes                  **items,
               gsize                     n_items,
               const Caffe2__Argument   *value)
{
  g_autoptr (GBytes) string = NULL;

  if (value != NULL && value->s.len > 0)
    string = g_bytes_new (value->s.data, value->s.len);
  for (gsize i = 0; i < n_items; i++)
    {
      g_clear_pointer (&items[i], g_bytes_unref);
      items[i] = string != NULL ? g_bytes_ref (string) : NULL;
    }
}

static void
repeat_bits16 (guint16 *items,
               gsize    n_items,
               guint16  value)
{
  for (gsize i = 0; i < n_items; i++)
    items[i] = value;
}

static gboolean
put_constant (const C2gFillValues  *self,
              gpointer              items,
              gsize                 n_items,
              GError              **error)
{
  float number = self->values == NULL ? 0 : self->values->f;
  gint64 integer = self->values == NULL ? 0 : self->values->i;
  gsize item_size = c2g_data_type_get_item_size (self->data_type);

  switch (self->data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      for (gsize i = 0; i < n_items; i++)
        ((float *) items)[i] = number;
      return TRUE;

    case C2G_DATA_TYPE_DOUBLE:
      for (gsize i = 0; i < n_items; i++)
        ((double *) items)[i] = number;
      return TRUE;

    case C2G_DATA_TYPE_FLOAT16:
      repeat_bits16 (items, n_items, c2g_float16_from_float (number));
      return TRUE;

    case C2G_DATA_TYPE_STRING:
      repeat_string (items, n_items, self->values);
      return TRUE;

    default:
      if (!check_integer (self->data_type, integer, error))
        return FALSE;
      for (gsize i = 0; i < n_items; i++)
        put_integer (items, i, item_size, integer);
      return TRUE;
    }
}

gboolean
c2g_fill_values_check_count (const C2gFillValues  *self,
                             gsize                 n_items,
                             GError              **error)
{
  if (self->is_constant || count_values (self) == n_items)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Expected %zu values of type %s, got %zu"),
                   n_items, c2g_data_type_get_name (self->data_type), count_values (self));
}

gboolean
c2g_fill_values_put (const C2gFillValues  *self,
                     gpointer              items,
                     gsize                 n_items,
                     GError              **error)
{
  if (!c2g_fill_values_check_count (self, n_items, error))
    return FALSE;

  if (n_items == 0)
    return TRUE;
  return self->is_constant ? put_constant (self, items, n_items, error)
                           : put_given (self, items, error);
}
