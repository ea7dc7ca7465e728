/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/interop/c2g-dlpack-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/* Checks a DLPack tensor of another library, and copies its elements. The import uses it. */

static gboolean
check_dims (const C2gDlTensor  *tensor,
            GError            **error)
{
  if (tensor->n_dims < 0 || tensor->n_dims > C2G_DL_MAX_DIMS)
    g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                 _("Expected 0 … %d dimensions, got %d"), C2G_DL_MAX_DIMS, tensor->n_dims);
  else if (tensor->n_dims > 0 && tensor->shape == NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                 _("The shape of a DLPack tensor of %d dimensions is NULL"), tensor->n_dims);
  else
    return TRUE;

  return FALSE;
}

/* The stride of a dimension of size 1 does not matter. */
static gboolean
has_no_gaps (const C2gDlView *self)
{
  const C2gDlTensor *tensor = &self->tensor;
  gint64 stride = 1;

  if (tensor->strides == NULL || self->n_elements == 0)
    return TRUE;

  for (int i = tensor->n_dims - 1; i >= 0; i--)
    {
      if (tensor->shape[i] != 1 && tensor->strides[i] != stride)
        return FALSE;
      stride *= tensor->shape[i];
    }

  return TRUE;
}

static gboolean
set_out_of_range (GError **error)
{
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("The shape and strides of a DLPack tensor lead out of the address space"));
}

/* Computes how far the elements reach before and behind the first one, in elements. */
static gboolean
reach (const C2gDlTensor *tensor,
       gint64            *before,
       gint64            *behind)
{
  *before = *behind = 0;
  for (int i = 0; i < tensor->n_dims; i++)
    {
      gint64 distance;
      gint64 *sum = tensor->strides[i] < 0 ? before : behind;

      if (__builtin_mul_overflow (tensor->shape[i] - 1, tensor->strides[i], &distance) ||
          __builtin_add_overflow (*sum, distance, sum))
        return FALSE;
    }

  return TRUE;
}

/* Checks that no element's address wraps around. */
static gboolean
check_range (const C2gDlView  *self,
             GError          **error)
{
  gsize address = (gsize) self->data;
  gint64 before, behind;

  if (self->is_contiguous)
    return address <= G_MAXSIZE - self->n_bytes || set_out_of_range (error);

  if (!reach (&self->tensor, &before, &behind) ||
      __builtin_mul_overflow (before, (gint64) self->item_size, &before) ||
      __builtin_add_overflow (behind, 1, &behind) ||
      __builtin_mul_overflow (behind, (gint64) self->item_size, &behind))
    return set_out_of_range (error);

  return (address >= -(gsize) before && address <= G_MAXSIZE - (gsize) behind) ||
         set_out_of_range (error);
}

static gboolean
find_data (C2gDlView  *self,
           GError    **error)
{
  const C2gDlTensor *tensor = &self->tensor;

  if (self->n_elements == 0)
    {
      self->data = NULL;
      return TRUE;
    }

  if (tensor->data == NULL)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The data of a DLPack tensor of %zu bytes is NULL"), self->n_bytes);

  if (tensor->byte_offset > G_MAXSIZE - (gsize) tensor->data)
    return set_out_of_range (error);

  self->data = (guint8 *) ((gsize) tensor->data + (gsize) tensor->byte_offset);
  self->is_contiguous = has_no_gaps (self);

  return check_range (self, error);
}

gboolean
c2g_dlpack_view_init (C2gDlView          *self,
                      const C2gDlTensor  *tensor,
                      GError            **error)
{
  /* Works on a copy, since the owner may change the structure. */
  *self = (C2gDlView) { .tensor = *tensor, .is_contiguous = TRUE };

  self->device = c2g_dlpack_device_to_device (&tensor->device, error);
  if (self->device == NULL || !c2g_dlpack_type_to_data_type (&tensor->type, &self->data_type, error))
    return FALSE;

  self->item_size = c2g_data_type_get_item_size (self->data_type);

  return check_dims (tensor, error) &&
         c2g_shape_count (tensor->shape, (gsize) tensor->n_dims, &self->n_elements, error) &&
         c2g_shape_bytes (self->n_elements, self->item_size, &self->n_bytes, error) &&
         find_data (self, error);
}

/* Inlined with a constant item_size, so that each memcpy() is one load and one store. Sizes are
 * 1, 2, 4 or 8. */
static inline void
copy_items (const guint8 *source,
            gint64        n_items,
            gint64        stride,
            gsize         item_size,
            guint8       *destination)
{
  for (gint64 i = 0; i < n_items; i++)
    memcpy (destination + (gsize) i * item_size, source + i * stride * (gint64) item_size, item_size);
}

static void
copy_row (const C2gDlView *self,
          const guint8    *source,
          gint64           n_items,
          gint64           stride,
          guint8          *destination)
{
  if (stride == 1)
    memcpy (destination, source, (gsize) n_items * self->item_size);
  else if (self->item_size == 1)
    copy_items (source, n_items, stride, 1, destination);
  else if (self->item_size == 2)
    copy_items (source, n_items, stride, 2, destination);
  else if (self->item_size == 4)
    copy_items (source, n_items, stride, 4, destination);
  else
    copy_items (source, n_items, stride, 8, destination);
}

/* Copies recursively. Returns the destination for the next elements. */
static guint8 *
copy_from_axis (const C2gDlView *self,
                int              axis,
                const guint8    *source,
                guint8          *destination)
{
  const C2gDlTensor *tensor = &self->tensor;
  gint64 n_items = tensor->shape[axis];
  gint64 stride = tensor->strides[axis];

  if (axis == tensor->n_dims - 1)
    {
      copy_row (self, source, n_items, stride, destination);
      return destination + (gsize) n_items * self->item_size;
    }

  for (gint64 i = 0; i < n_items; i++)
    destination = copy_from_axis (self, axis + 1, source + i * stride * (gint64) self->item_size,
                                  destination);

  return destination;
}

void
c2g_dlpack_view_copy (const C2gDlView *self,
                      guint8          *destination)
{
  if (self->is_contiguous)
    memcpy (destination, self->data, self->n_bytes);
  else
    copy_from_axis (self, 0, self->data, destination);
}
