/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-item-row-private.h>

#include <c2g/core/c2g-convert-private.h>
#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-items-math-private.h>
#include <c2g/core/c2g-type-meta-private.h>

#include <math.h>
#include <string.h>

#define N_IN_BLOCK 1024

C2gTypeMeta *
c2g_item_row_find_type (C2gDataType   data_type,
                        GError      **error)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (data_type, error);

  if (meta == NULL || meta->is_plain)
    return meta;

  g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("Elements of type “%s” are not numbers"), meta->name);
  return NULL;
}

static gsize
count_in_block (const C2gItemRow *self,
                gsize             begin)
{
  return MIN (N_IN_BLOCK, self->n - begin);
}

static void
get_block (const C2gItemRow *self,
           gsize             begin,
           double           *numbers)
{
  c2g_convert_items (C2G_DATA_TYPE_DOUBLE, numbers, self->type,
                     (char *) self->elements + begin * self->item_size, count_in_block (self, begin),
                     C2G_CONVERT_SATURATE, NULL);
}

static void
set_items (const C2gItemRow *self,
           gsize             begin,
           const double     *numbers,
           gsize             n)
{
  c2g_convert_items (self->type, (char *) self->elements + begin * self->item_size,
                     C2G_DATA_TYPE_DOUBLE, numbers, n, C2G_CONVERT_SATURATE, NULL);
}

/* Doubles do not have all integers of 64 bits: an element whose double stays is left as it is. */
static void
set_changed (const C2gItemRow *self,
             gsize             begin,
             const double     *former,
             const double     *numbers)
{
  const gsize n = count_in_block (self, begin);

  for (gsize i = 0, end; i < n; i = end + 1)
    {
      for (end = i; end < n && memcmp (&former[end], &numbers[end], sizeof *numbers) != 0;)
        end++;
      set_items (self, begin + i, &numbers[i], end - i);
    }
}

void
c2g_item_row_fill (const C2gItemRow *self,
                   double            value)
{
  if (self->n == 0)
    return;

  c2g_convert_items (self->type, self->elements, C2G_DATA_TYPE_DOUBLE, &value, 1, C2G_CONVERT_SATURATE,
                     NULL);
  for (gsize n_set = 1; n_set < self->n; n_set *= 2)
    memcpy ((char *) self->elements + n_set * self->item_size, self->elements,
            MIN (n_set, self->n - n_set) * self->item_size);
}

void
c2g_item_row_scale (const C2gItemRow *self,
                    double            factor)
{
  double former[N_IN_BLOCK], numbers[N_IN_BLOCK];

  if (c2g_items_is_possible (self->type))
    {
      c2g_items_scale (self->type, factor, self->elements, self->n);
      return;
    }

  for (gsize begin = 0; begin < self->n; begin += N_IN_BLOCK)
    {
      get_block (self, begin, former);
      memcpy (numbers, former, sizeof numbers);
      c2g_items_scale (C2G_DATA_TYPE_DOUBLE, factor, numbers, count_in_block (self, begin));
      set_changed (self, begin, former, numbers);
    }
}

void
c2g_item_row_add (const C2gItemRow *self,
                  double            factor,
                  const C2gItemRow *x)
{
  double former[N_IN_BLOCK], numbers[N_IN_BLOCK], x_numbers[N_IN_BLOCK];

  if (self->type == x->type && c2g_items_is_possible (self->type))
    {
      c2g_items_axpby (self->type, factor, x->elements, 1, self->elements, self->n);
      return;
    }

  for (gsize begin = 0; begin < self->n; begin += N_IN_BLOCK)
    {
      get_block (self, begin, former);
      memcpy (numbers, former, sizeof numbers);
      get_block (x, begin, x_numbers);
      c2g_items_axpby (C2G_DATA_TYPE_DOUBLE, factor, x_numbers, 1, numbers,
                       count_in_block (self, begin));
      set_changed (self, begin, former, numbers);
    }
}

/* A sum is what blocks give together, and a maximum the largest that one gives. */
double
c2g_item_row_reduce (const C2gItemRow *self,
                     C2gItemRowFunc    func)
{
  double numbers[N_IN_BLOCK];
  double result = 0;

  if (c2g_items_is_possible (self->type))
    return func (self->type, self->elements, self->n);

  for (gsize begin = 0; begin < self->n; begin += N_IN_BLOCK)
    {
      double part;

      get_block (self, begin, numbers);
      part = func (C2G_DATA_TYPE_DOUBLE, numbers, count_in_block (self, begin));
      result = func == c2g_items_amax ? fmax (result, part) : result + part;
    }
  return result;
}
