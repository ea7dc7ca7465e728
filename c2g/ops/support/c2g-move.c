/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-move-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

/* Copies rows of elements of any type, and reads indices. Operators that only move elements use it. */

C2gTensor *
c2g_move_input (C2gOperator  *op,
                guint         input,
                GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, C2G_DATA_TYPE_UNDEFINED, error);

  if (tensor == NULL || tensor->meta->is_plain || tensor->meta->funcs.copy != NULL)
    return tensor;

  c2g_operator_set_type_error (op, input, _("elements that can be copied"), error);
  return NULL;
}

gboolean
c2g_move_reshape (C2gOperator    *op,
                  guint           output,
                  C2gTensor      *source,
                  const C2gDims  *dims,
                  GError        **error)
{
  C2gTensor *target = c2g_operator_get_output_tensor (op, output, error);

  if (target == NULL)
    return FALSE;
  if (target == source && !c2g_operator_is_inferring (op))
    return c2g_tensor_reshape (target, dims->dims, dims->n, error);

  target = c2g_dims_output (dims, op, output, source->meta, error);
  if (target == NULL)
    return FALSE;
  if (c2g_operator_is_inferring (op))
    return TRUE;
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_copy (op, source->meta, source->n_elements, c2g_tensor_address (source),
                               c2g_tensor_address (target), error);
  c2g_move_items (source->meta, source->n_elements, c2g_tensor_address (source),
                  c2g_tensor_address (target));
  return TRUE;
}

/* Copies n_rows rows of n_items items each.  Strides are in items. */
static void
copy_rows (C2gTypeMeta   *meta,
           gint64         n_rows,
           gint64         n_items,
           gconstpointer  source,
           gint64         source_stride,
           gpointer       target,
           gint64         target_stride)
{
  const char *from = source;
  char *to = target;

  if (n_items == 0)
    return;
  if (source_stride == n_items && target_stride == n_items)
    {
      c2g_move_items (meta, n_rows * n_items, source, target);
      return;
    }

  for (gint64 i = 0; i < n_rows && !c2g_interrupt_is_wanted (); i++)
    {
      c2g_move_items (meta, n_items, from, to);
      from += source_stride * meta->item_size;
      to += target_stride * meta->item_size;
    }
}

gboolean
c2g_operator_move_rows (C2gOperator    *op,
                        C2gTypeMeta    *meta,
                        gint64          n_rows,
                        gint64          n_items,
                        gconstpointer   source,
                        gint64          source_stride,
                        gpointer        target,
                        gint64          target_stride,
                        GError        **error)
{
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_move_rows (op, meta, n_rows, n_items, source, source_stride, target,
                                    target_stride, error);

  copy_rows (meta, n_rows, n_items, source, source_stride, target, target_stride);
  return TRUE;
}

gboolean
c2g_indices_init_far (C2gIndices   *self,
                      C2gOperator  *op,
                      guint         input,
                      GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, C2G_DATA_TYPE_UNDEFINED, error);
  C2gDataType type = tensor != NULL ? c2g_tensor_get_data_type (tensor) : C2G_DATA_TYPE_UNDEFINED;

  if (tensor == NULL)
    return FALSE;
  if (type != C2G_DATA_TYPE_INT32 && type != C2G_DATA_TYPE_INT64)
    {
      c2g_operator_set_type_error (op, input, _("int32 or int64"), error);
      return FALSE;
    }

  *self = (C2gIndices) { op, input, tensor, NULL, NULL, tensor->n_elements };
  return TRUE;
}

gboolean
c2g_indices_init (C2gIndices   *self,
                  C2gOperator  *op,
                  guint         input,
                  GError      **error)
{
  C2gTensor *near;

  if (!c2g_indices_init_far (self, op, input, error))
    return FALSE;
  near = c2g_operator_bring_near (op, input, self->tensor, error);
  if (near == NULL)
    return FALSE;

  if (c2g_tensor_get_data_type (near) == C2G_DATA_TYPE_INT32)
    self->narrow = c2g_tensor_address (near);
  else
    self->wide = c2g_tensor_address (near);
  return TRUE;
}

gboolean
c2g_indices_init_vector (C2gIndices   *self,
                         C2gOperator  *op,
                         guint         input,
                         GError      **error)
{
  return c2g_indices_init (self, op, input, error) &&
         (self->tensor->n_dims == 1 ||
          c2g_operator_set_shape_error (op, input, error, _("one dimension")));
}

gboolean
c2g_indices_scalar (C2gOperator  *op,
                    guint         input,
                    gint64       *value,
                    GError      **error)
{
  C2gIndices indices;

  if (!c2g_indices_init (&indices, op, input, error))
    return FALSE;
  if (indices.n != 1)
    return c2g_operator_set_shape_error (op, input, error, _("a single element"));
  if (!c2g_operator_need_values (op, input, error))
    return FALSE;

  *value = c2g_indices_get (&indices, 0);
  return TRUE;
}

static gboolean
fail_index (const C2gIndices  *self,
            gsize              i,
            gint64             size,
            GError           **error)
{
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Input %u, “%s”, has the index %" PRId64 " at %zu, expected one below %" PRId64),
                   self->input,
                   c2g_operator_def_get_inputs (c2g_operator_peek_def (self->op))[self->input],
                   c2g_indices_get (self, i), i, size);
}

gboolean
c2g_indices_check (const C2gIndices  *self,
                   gint64             size,
                   gboolean           wrap,
                   GError           **error)
{
  const gint64 least = wrap ? -size : 0;

  if (c2g_operator_is_inferring (self->op))
    return TRUE;
  for (gsize i = 0; i < self->n; i++)
    {
      gint64 index = c2g_indices_get (self, i);

      if (G_UNLIKELY (index < least || index >= size))
        return fail_index (self, i, size, error);
    }
  return TRUE;
}

gboolean
c2g_indices_sum (const C2gIndices  *self,
                 gint64            *sum,
                 GError           **error)
{
  gint64 total = 0;

  if (!c2g_operator_need_values (self->op, self->input, error))
    return FALSE;
  for (gsize i = 0; i < self->n; i++)
    {
      gint64 length = c2g_indices_get (self, i);

      if (length < 0 || __builtin_add_overflow (total, length, &total))
        return c2g_fail (error, C2G_ERROR_RANGE,
                         _("Input %u, “%s”, has the length %" PRId64 " at %zu"), self->input,
                         c2g_operator_def_get_inputs (c2g_operator_peek_def (self->op))[self->input],
                         length, i);
    }

  *sum = total;
  return TRUE;
}
