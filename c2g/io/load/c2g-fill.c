/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-fill-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/io/load/c2g-fill-values-private.h>

/* Computes fill operators of init nets without running the net, so that nets can be loaded like
 * checkpoints. */

static const Caffe2__Argument *
find_argument (gconstpointer  definition,
               const char    *name)
{
  const Caffe2__OperatorDef *op = definition;

  for (gsize i = 0; i < op->n_arg; i++)
    if (g_strcmp0 (op->arg[i]->name, name) == 0)
      return op->arg[i];

  return NULL;
}

gboolean
c2g_fill_is_constant (const Caffe2__OperatorDef *op)
{
  return g_strcmp0 (op->type, "ConstantFill") == 0;
}

/* An operator with an input takes its shape or its device from there: not supported. */
gboolean
c2g_fill_is_known (const Caffe2__OperatorDef *op)
{
  return op->n_input == 0 && op->n_output == 1 && c2g_fill_values_is_known (op->type);
}

/* In a file, values that no operator accepts mean that it is damaged. */
static gboolean
make_corrupt (GError **error)
{
  if (error != NULL && g_error_matches (*error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT))
    (*error)->code = C2G_ERROR_CORRUPT;
  return FALSE;
}

static gboolean
read_values (const Caffe2__OperatorDef  *op,
             C2gFillValues              *values,
             GError                    **error)
{
  return c2g_fill_values_init (values, op->type, find_argument, op, error) || make_corrupt (error);
}

/* Computes the size of the output. Without the argument shape it is a scalar. */
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
new_tensor (const gint64  *dims,
            gsize          n_dims,
            C2gDataType    data_type,
            GError       **error)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (dims, n_dims, NULL, error);

  if (tensor == NULL || !c2g_tensor_allocate (tensor, data_type, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

/* Given values are limited by the size of the file. Only constants need a limit of their own. */
static gboolean
check_size (const C2gFillValues  *values,
            gsize                 n_bytes,
            guint64               max_bytes,
            GError              **error)
{
  if (!values->is_constant)
    return c2g_fill_values_check_count (values,
                                        n_bytes / c2g_data_type_get_item_size (values->data_type),
                                        error) ||
           make_corrupt (error);
  if (n_bytes <= max_bytes)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
               _("Constants of %zu bytes, where %" PRIu64
                 " are allowed"),
               n_bytes, max_bytes);
  return FALSE;
}

gboolean
c2g_fill_get_shape (const Caffe2__OperatorDef  *op,
                    C2gDataType                *data_type,
                    const gint64              **dims,
                    gsize                      *n_dims,
                    GError                    **error)
{
  const Caffe2__Argument *shape = find_argument (op, "shape");
  C2gFillValues values;
  gsize n_bytes;

  if (!read_values (op, &values, error))
    return FALSE;

  *data_type = values.data_type;
  *dims = shape == NULL ? NULL : shape->ints;
  *n_dims = shape == NULL ? 0 : shape->n_ints;
  return get_shape (op, *data_type, &n_bytes, error);
}

static gboolean
put_values (const C2gFillValues  *values,
            C2gTensor            *tensor,
            GError              **error)
{
  gpointer items;

  if (c2g_tensor_get_n_elements (tensor) == 0)
    return TRUE;

  items = c2g_tensor_mutable_data (tensor, values->data_type, error);
  if (items == NULL)
    return FALSE;
  return c2g_fill_values_put (values, items, c2g_tensor_get_n_elements (tensor), error) ||
         make_corrupt (error);
}

C2gTensor *
c2g_fill_evaluate (const Caffe2__OperatorDef  *op,
                   guint64                     max_bytes,
                   GError                    **error)
{
  const Caffe2__Argument *shape = find_argument (op, "shape");
  g_autoptr (C2gTensor) tensor = NULL;
  C2gFillValues values;
  gsize n_bytes;

  if (!read_values (op, &values, error) || !get_shape (op, values.data_type, &n_bytes, error) ||
      !check_size (&values, n_bytes, max_bytes, error))
    return NULL;

  tensor = new_tensor (shape == NULL ? NULL : shape->ints, shape == NULL ? 0 : shape->n_ints,
                       values.data_type, error);
  if (tensor == NULL || !put_values (&values, tensor, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

C2gTensor *
c2g_fill_sample (const Caffe2__OperatorDef  *op,
                 guint64                     max_bytes,
                 GError                    **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  C2gFillValues values;
  gsize n_bytes;
  gint64 n_elements;

  if (!read_values (op, &values, error) || !get_shape (op, values.data_type, &n_bytes, error) ||
      !check_size (&values, n_bytes, max_bytes, error))
    return NULL;

  n_elements = n_bytes > 0 ? 1 : 0;
  tensor = new_tensor (&n_elements, 1, values.data_type, error);
  if (tensor == NULL || !put_values (&values, tensor, error))
    return NULL;
  return g_steal_pointer (&tensor);
}
