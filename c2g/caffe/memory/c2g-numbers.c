/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-numbers-private.h>

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-items-math-private.h>
#include <c2g/core/tensor/c2g-tensor-math.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Arithmetic on tensors of any numeric type, and of two different ones, by conversion to a common type.
 * Mixed tensors use it. */

/* Number of elements that are converted to double at once. */
#define N_BLOCK (1 << 18)

C2gTypeMeta *
c2g_numbers_find_type (C2gDataType   data_type,
                       GError      **error)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (data_type, error);

  if (meta == NULL || meta->is_plain)
    return meta;

  return c2g_fail_null (error, C2G_ERROR_TYPE, _("Elements of type “%s” are not numbers"),
                        meta->name);
}

static C2gTensor *
ref_as (C2gTensor    *self,
        C2gDataType   type,
        GError      **error)
{
  return self->meta->data_type == type ? g_object_ref (self)
                                       : c2g_tensor_convert (self, type, C2G_CONVERT_SATURATE, error);
}

/* Returns up to N_BLOCK elements, from begin on, as doubles. */
static C2gTensor *
convert_block (C2gTensor  *self,
               gint64      begin,
               GError    **error)
{
  const gint64 n = MIN (self->n_elements - begin, N_BLOCK);
  g_autoptr (C2gTensor) block =
    c2g_tensor_new_from_storage (self->meta->data_type, &n, 1, self->storage,
                                 self->offset + (gsize) begin * self->meta->item_size, error);

  return block != NULL ? c2g_tensor_convert (block, C2G_DATA_TYPE_DOUBLE, C2G_CONVERT_SATURATE, error) : NULL;
}

/* Calls FUNC once if it supports the type. Otherwise converts the elements to double block by block, so
 * that a large tensor needs little memory, and adds the results of the blocks; for amax it takes the
 * largest one. A new function must allow its results to be combined in one of these two ways. */
double
c2g_numbers_measure (C2gTensor       *self,
                     C2gNumbersFunc   func,
                     GError         **error)
{
  double result = 0;

  if (c2g_items_is_possible (self->meta->data_type))
    return func (self, error);

  for (gint64 i = 0; i < self->n_elements; i += N_BLOCK)
    {
      g_autoptr (C2gTensor) doubles = convert_block (self, i, error);
      g_autoptr (GError) own_error = NULL;
      double part;

      if (doubles == NULL)
        return 0;
      part = func (doubles, &own_error);
      if (own_error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&own_error));
          return 0;
        }
      result = func == c2g_tensor_amax ? MAX (result, part) : result + part;
    }

  return result;
}

/* SOURCE is a C2gTensor. It is declared as gpointer so that this function can be passed as a
 * C2gSyncedFunc. */
gboolean
c2g_numbers_copy (C2gTensor  *self,
                  gpointer    source,
                  GError    **error)
{
  return c2g_tensor_convert_from (self, source, C2G_CONVERT_SATURATE, error);
}

gboolean
c2g_numbers_fill (C2gTensor  *self,
                  double      value,
                  GError    **error)
{
  guint64 item;

  c2g_convert_items (self->meta->data_type, &item, C2G_DATA_TYPE_DOUBLE, &value, 1, C2G_CONVERT_SATURATE,
                     NULL);
  return c2g_tensor_fill_item (self, &item, error);
}

/* Writes back only the integers whose double has changed. */
static void
set_changed (C2gTensor *self,
             C2gTensor *doubles)
{
  const C2gDataType type = self->meta->data_type;
  const double *numbers = c2g_tensor_address (doubles);
  char *item = c2g_tensor_address (self);
  double former;

  for (gint64 i = 0; i < self->n_elements; i++, item += self->meta->item_size)
    {
      c2g_convert_items (C2G_DATA_TYPE_DOUBLE, &former, type, item, 1, C2G_CONVERT_SATURATE, NULL);
      if (memcmp (&former, &numbers[i], sizeof former) != 0)
        c2g_convert_items (type, item, C2G_DATA_TYPE_DOUBLE, &numbers[i], 1, C2G_CONVERT_SATURATE, NULL);
    }
}

/* Converts the results back to the type of the tensor. Large 64-bit integers are not exact as doubles, so
 * an element whose double is unchanged must keep its value. This comparison is made on the CPU; “near” is
 * a copy there, or the tensor itself. */
static gboolean
put_back (C2gTensor  *self,
          C2gTensor  *doubles,
          GError    **error)
{
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (C2gTensor) near_doubles = NULL;

  if (c2g_data_type_contains (C2G_DATA_TYPE_DOUBLE, self->meta->data_type))
    return c2g_tensor_convert_from (self, doubles, C2G_CONVERT_SATURATE, error);

  near = c2g_tensor_ref_on_cpu (self, error);
  near_doubles = near != NULL ? c2g_tensor_ref_on_cpu (doubles, error) : NULL;
  if (near_doubles == NULL)
    return FALSE;

  set_changed (near, near_doubles);
  return near == self || c2g_tensor_copy_from (self, near, NULL, error);
}

/* Returns the type in which to add two types: the wider floating-point type, or double. */
static C2gDataType
find_sum_type (C2gDataType type,
               C2gDataType other)
{
  if (!c2g_items_is_possible (type))
    return C2G_DATA_TYPE_DOUBLE;
  if (c2g_data_type_contains (type, other))
    return type;
  return c2g_items_is_possible (other) ? c2g_data_type_promote (type, other) : C2G_DATA_TYPE_DOUBLE;
}

gboolean
c2g_numbers_update (C2gTensor  *self,
                    double      factor,
                    C2gTensor  *x,
                    GError    **error)
{
  const C2gDataType own = self->meta->data_type;
  const C2gDataType type = find_sum_type (own, x != NULL ? x->meta->data_type : own);
  g_autoptr (C2gTensor) sums = ref_as (self, type, error);
  g_autoptr (C2gTensor) term = sums != NULL && x != NULL ? ref_as (x, type, error) : NULL;

  if (sums == NULL || (x != NULL && term == NULL) ||
      !(x != NULL ? c2g_tensor_axpy (sums, factor, term, error) : c2g_tensor_scale (sums, factor, error)))
    return FALSE;

  return sums == self || put_back (self, sums, error);
}
