/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-fill-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-shape-private.h>
#include <c2g/core/c2g-type-meta.h>

#include <string.h>

#define CONSTANT_FILL "ConstantFill"

static const struct
{
  const char  *type;
  C2gDataType  data_type;
} given_fills[] = {
  { "GivenTensorFill", C2G_DATA_TYPE_FLOAT },
  { "GivenTensorDoubleFill", C2G_DATA_TYPE_DOUBLE },
  { "GivenTensorBoolFill", C2G_DATA_TYPE_BOOL },
  { "GivenTensorInt16Fill", C2G_DATA_TYPE_INT16 },
  { "GivenTensorIntFill", C2G_DATA_TYPE_INT32 },
  { "GivenTensorInt64Fill", C2G_DATA_TYPE_INT64 },
  { "GivenTensorStringFill", C2G_DATA_TYPE_STRING },
};

static const Caffe2__Argument *
find_argument (const Caffe2__OperatorDef *op,
               const char                *name)
{
  for (gsize i = 0; i < op->n_arg; i++)
    if (g_strcmp0 (op->arg[i]->name, name) == 0)
      return op->arg[i];

  return NULL;
}

static C2gDataType
given_data_type (const Caffe2__OperatorDef *op)
{
  for (guint i = 0; i < G_N_ELEMENTS (given_fills); i++)
    if (g_strcmp0 (op->type, given_fills[i].type) == 0)
      return given_fills[i].data_type;

  return C2G_DATA_TYPE_UNDEFINED;
}

gboolean
c2g_fill_is_constant (const Caffe2__OperatorDef *op)
{
  return g_strcmp0 (op->type, CONSTANT_FILL) == 0;
}

/* With an input the shape, or where to run, comes from elsewhere. */
gboolean
c2g_fill_is_known (const Caffe2__OperatorDef *op)
{
  return op->n_input == 0 && op->n_output == 1 &&
         (c2g_fill_is_constant (op) || given_data_type (op) != C2G_DATA_TYPE_UNDEFINED);
}

/* The argument dtype, where there is one. */
static gboolean
get_data_type (const Caffe2__OperatorDef  *op,
               C2gDataType                *data_type,
               GError                    **error)
{
  const Caffe2__Argument *dtype = find_argument (op, "dtype");

  if (dtype == NULL || (dtype->has_i && dtype->i == C2G_DATA_TYPE_UNDEFINED))
    return TRUE;

  if (!dtype->has_i || dtype->i < C2G_DATA_TYPE_FLOAT || dtype->i > C2G_DATA_TYPE_DOUBLE ||
      dtype->i == C2G_DATA_TYPE_FLOAT16 ||
      c2g_type_meta_for_data_type ((C2gDataType) dtype->i, NULL) == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                   _("No data type to fill with: %" PRId64), dtype->i);
      return FALSE;
    }

  *data_type = dtype->i == C2G_DATA_TYPE_BYTE ? C2G_DATA_TYPE_UINT8 : (C2gDataType) dtype->i;
  return TRUE;
}

/* The shape that the operator gives; none at all is a scalar. */
static gboolean
get_shape (const Caffe2__OperatorDef  *op,
           C2gDataType                 data_type,
           gsize                      *n_bytes,
           GError                    **error)
{
  const Caffe2__Argument *shape = find_argument (op, "shape");
  gint64 n_elements;

  if (shape != NULL && shape->has_i)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                           _("The argument “shape” is no list"));
      return FALSE;
    }

  return c2g_shape_count (shape == NULL ? NULL : shape->ints,
                          shape == NULL ? 0 : shape->n_ints, &n_elements, error) &&
         c2g_shape_bytes (n_elements, c2g_data_type_get_item_size (data_type), n_bytes, error);
}

static C2gTensor *
new_tensor (const Caffe2__OperatorDef  *op,
            C2gDataType                 data_type,
            GError                    **error)
{
  const Caffe2__Argument *shape = find_argument (op, "shape");
  g_autoptr (C2gTensor) tensor = NULL;

  tensor = c2g_tensor_new_sized (shape == NULL ? NULL : shape->ints,
                                 shape == NULL ? 0 : shape->n_ints, NULL, error);
  if (tensor == NULL || !c2g_tensor_allocate (tensor, data_type, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* What an integer element may be; nothing for the other types. */
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

  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
               _("%" PRId64 " is no value of type %s"),
               value, c2g_data_type_get_name (data_type));
  return FALSE;
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

/* How many values of the type the argument has. */
static gsize
count_values (const Caffe2__Argument *values,
              C2gDataType             data_type)
{
  if (values == NULL)
    return 0;

  switch (data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
    case C2G_DATA_TYPE_DOUBLE:
      return values->n_floats;

    case C2G_DATA_TYPE_STRING:
      return values->n_strings;

    default:
      return values->n_ints;
    }
}

static gboolean
copy_values (const Caffe2__Argument  *values,
             C2gDataType              data_type,
             gpointer                 items,
             GError                 **error)
{
  gsize item_size = c2g_data_type_get_item_size (data_type);

  switch (data_type)
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
      for (gsize i = 0; i < values->n_ints; i++)
        {
          if (!check_integer (data_type, values->ints[i], error))
            return FALSE;
          put_integer (items, i, item_size, values->ints[i]);
        }
      return TRUE;
    }
}

static C2gTensor *
evaluate_given (const Caffe2__OperatorDef  *op,
                GError                    **error)
{
  const Caffe2__Argument *values = find_argument (op, "values");
  C2gDataType data_type = given_data_type (op);
  g_autoptr (C2gTensor) tensor = NULL;
  gsize n_bytes;
  gsize n_values;
  gpointer items;

  if (!get_data_type (op, &data_type, error) || !get_shape (op, data_type, &n_bytes, error))
    return NULL;

  n_values = count_values (values, data_type);
  if (n_bytes / c2g_data_type_get_item_size (data_type) != n_values)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                   _("Expected %zu values of type %s, got %zu"),
                   n_bytes / c2g_data_type_get_item_size (data_type),
                   c2g_data_type_get_name (data_type), n_values);
      return NULL;
    }

  tensor = new_tensor (op, data_type, error);
  if (tensor == NULL || n_values == 0)
    return g_steal_pointer (&tensor);

  items = c2g_tensor_mutable_data (tensor, data_type, error);
  if (items == NULL || !copy_values (values, data_type, items, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* One string, however many elements refer to it: what the file asks for is counted in
 * elements, of a size that does not depend on the string.
 */
static void
repeat_string (GBytes                  **items,
               gsize                     n_items,
               const Caffe2__Argument   *value)
{
  g_autoptr (GBytes) string = NULL;

  if (value == NULL || value->s.len == 0)
    return;

  string = g_bytes_new (value->s.data, value->s.len);
  for (gsize i = 0; i < n_items; i++)
    {
      g_clear_pointer (&items[i], g_bytes_unref);
      items[i] = g_bytes_ref (string);
    }
}

static gboolean
fill_constant (const Caffe2__Argument  *value,
               C2gDataType              data_type,
               gpointer                 items,
               gsize                    n_items,
               GError                 **error)
{
  gsize item_size = c2g_data_type_get_item_size (data_type);
  float number = value == NULL ? 0 : value->f;

  switch (data_type)
    {
    case C2G_DATA_TYPE_FLOAT:
      for (gsize i = 0; i < n_items; i++)
        ((float *) items)[i] = number;
      return TRUE;

    case C2G_DATA_TYPE_DOUBLE:
      for (gsize i = 0; i < n_items; i++)
        ((double *) items)[i] = number;
      return TRUE;

    case C2G_DATA_TYPE_STRING:
      repeat_string (items, n_items, value);
      return TRUE;

    default:
      if (!check_integer (data_type, value == NULL ? 0 : value->i, error))
        return FALSE;
      for (gsize i = 0; i < n_items; i++)
        put_integer (items, i, item_size, value == NULL ? 0 : value->i);
      return TRUE;
    }
}

/* Without dtype the kind of the value decides, as in Caffe2. */
static gboolean
check_constant (const Caffe2__OperatorDef  *op,
                const Caffe2__Argument     *value,
                C2gDataType                *data_type,
                GError                    **error)
{
  gboolean fits;

  *data_type = C2G_DATA_TYPE_FLOAT;
  if (value != NULL && value->has_i && find_argument (op, "dtype") == NULL)
    *data_type = C2G_DATA_TYPE_INT64;
  if (!get_data_type (op, data_type, error))
    return FALSE;
  if (value == NULL)
    return TRUE;

  if (*data_type == C2G_DATA_TYPE_FLOAT || *data_type == C2G_DATA_TYPE_DOUBLE)
    fits = value->has_f;
  else if (*data_type == C2G_DATA_TYPE_STRING)
    fits = value->has_s;
  else
    fits = value->has_i;
  if (!fits)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("The argument “value” is not of type %s"), c2g_data_type_get_name (*data_type));
  return fits;
}

static C2gTensor *
evaluate_constant (const Caffe2__OperatorDef  *op,
                   guint64                     max_bytes,
                   GError                    **error)
{
  const Caffe2__Argument *value = find_argument (op, "value");
  g_autoptr (C2gTensor) tensor = NULL;
  C2gDataType data_type;
  gsize n_bytes;
  gsize n_items;
  gpointer items;

  if (!check_constant (op, value, &data_type, error) ||
      !get_shape (op, data_type, &n_bytes, error))
    return NULL;
  if (n_bytes > max_bytes)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                   _("Constants of %zu bytes, where %" PRIu64
                     " are allowed"),
                   n_bytes, max_bytes);
      return NULL;
    }

  tensor = new_tensor (op, data_type, error);
  if (tensor == NULL || n_bytes == 0)
    return g_steal_pointer (&tensor);

  items = c2g_tensor_mutable_data (tensor, data_type, error);
  n_items = n_bytes / c2g_data_type_get_item_size (data_type);
  if (items == NULL || !fill_constant (value, data_type, items, n_items, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

gboolean
c2g_fill_get_shape (const Caffe2__OperatorDef  *op,
                    C2gDataType                *data_type,
                    const gint64              **dims,
                    gsize                      *n_dims,
                    GError                    **error)
{
  const Caffe2__Argument *shape = find_argument (op, "shape");
  const Caffe2__Argument *value = find_argument (op, "value");
  gsize n_bytes;

  *data_type = given_data_type (op);
  if (c2g_fill_is_constant (op) ? !check_constant (op, value, data_type, error)
                                : !get_data_type (op, data_type, error))
    return FALSE;

  *dims = shape == NULL ? NULL : shape->ints;
  *n_dims = shape == NULL ? 0 : shape->n_ints;
  return get_shape (op, *data_type, &n_bytes, error);
}

C2gTensor *
c2g_fill_evaluate (const Caffe2__OperatorDef  *op,
                   guint64                     max_bytes,
                   GError                    **error)
{
  return c2g_fill_is_constant (op) ? evaluate_constant (op, max_bytes, error)
                                   : evaluate_given (op, error);
}
