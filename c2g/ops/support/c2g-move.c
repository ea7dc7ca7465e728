/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-move-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

/* Copies rows of elements of any type, and reads indices. Operators that only move elements use it. */

/* Fewest bytes that are worth another thread. */
#define GRAIN (1 << 16)

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
                  C2gTensor      *source,
                  const C2gDims  *dims,
                  GError        **error)
{
  C2gTensor *target = c2g_operator_get_output_tensor (op, 0, error);

  if (target == NULL)
    return FALSE;
  if (target == source && !c2g_operator_is_inferring (op))
    return c2g_tensor_reshape (target, dims->dims, dims->n, error);

  target = c2g_dims_output (dims, op, 0, source->meta, error);
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

static void
move_rows_cb (gsize    begin,
              gsize    end,
              guint    worker,
              gpointer data)
{
  const C2gRowsToMove *self = data;
  const gsize item_size = self->meta->item_size;
  const char *source = (const char *) self->source + begin * self->source_stride * item_size;
  char *target = (char *) self->target + begin * self->target_stride * item_size;

  for (gsize i = begin; i < end && !c2g_interrupt_is_wanted (); i++)
    {
      c2g_move_items (self->meta, self->n_items, source, target);
      source += self->source_stride * item_size;
      target += self->target_stride * item_size;
    }
}

/* Copies items that lie one behind the other. */
static void
move_items_cb (gsize    begin,
               gsize    end,
               guint    worker,
               gpointer data)
{
  const C2gRowsToMove *self = data;
  const gsize item_size = self->meta->item_size;

  c2g_move_items (self->meta, end - begin, (const char *) self->source + begin * item_size,
                  (char *) self->target + begin * item_size);
}

/* Copiers of elements that are not plain need not be thread-safe. */
static void
move_rows (const C2gRowsToMove *self)
{
  const gsize row_size = self->n_items * self->meta->item_size;
  const gboolean is_dense =
    self->n_rows == 1 ||
    (self->source_stride == self->n_items && self->target_stride == self->n_items);

  if (self->n_items == 0 || self->n_rows == 0)
    return;
  if (!self->meta->is_plain)
    move_rows_cb (0, self->n_rows, 0, (gpointer) self);
  else if (is_dense)
    c2g_parallel_for (self->n_rows * self->n_items, GRAIN / self->meta->item_size + 1,
                      move_items_cb, (gpointer) self);
  else
    c2g_parallel_for (self->n_rows, GRAIN / row_size + 1, move_rows_cb, (gpointer) self);
}

static gboolean
move_rows_on_device (C2gOperator          *op,
                     const C2gRowsToMove  *self,
                     GError              **error)
{
  const gsize unit = c2g_on_device_find_unit (self->meta->item_size);
  const gint64 n_units = self->meta->item_size / unit;
  const gint64 dims[] = { self->n_rows, self->n_items * n_units };
  const gint64 source_strides[] = { self->source_stride * n_units, 1 };
  const gint64 target_strides[] = { self->target_stride * n_units, 1 };

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_MOVE, .item_size = unit, .dims = dims,
                      .n_dims = G_N_ELEMENTS (dims), .x = self->source,
                      .x_strides = source_strides, .y = self->target,
                      .y_strides = target_strides);
}

gboolean
c2g_operator_move_rows (C2gOperator          *op,
                        const C2gRowsToMove  *rows,
                        GError              **error)
{
  if (c2g_operator_get_compute (op) != NULL)
    return move_rows_on_device (op, rows, error);

  move_rows (rows);
  return TRUE;
}

gboolean
c2g_row_runs_begin (C2gRowRuns  *self,
                    GError     **error)
{
  self->from = c2g_tensor_address (self->source);
  self->to = c2g_tensor_address (self->target);
  self->n_bytes = self->n_items * self->source->meta->item_size;
  if (c2g_operator_get_compute (self->op) == NULL || self->n_rows == 0)
    return TRUE;

  self->rows = g_try_new (gint64, self->n_rows);
  if (self->rows == NULL)
    return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("Cannot allocate %zu bytes"),
                     self->n_rows * sizeof (gint64));
  memset (self->rows, 0xff, self->n_rows * sizeof (gint64));
  return TRUE;
}

gboolean
c2g_row_runs_end (C2gRowRuns  *self,
                  GError     **error)
{
  g_autofree gint64 *rows = g_steal_pointer (&self->rows);
  g_autoptr (C2gStorage) far = NULL;
  gconstpointer indices;

  if (rows == NULL)
    return TRUE;

  far = c2g_on_device_upload (self->op, rows, self->n_rows, sizeof *rows, &indices, error);
  return far != NULL &&
         C2G_COMPUTE (self->op, error, C2G_COMPUTE_KIND_GATHER, .type = C2G_DATA_TYPE_INT64,
                      .x = self->from, .n_outer = 1,
                      .n = self->source->n_elements / self->n_items, .item_size = self->n_bytes,
                      .indices = indices, .n_indices = self->n_rows, .skips = TRUE,
                      .y = self->to);
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
                   _("Input %u, “%s”, has the index %" PRId64 " at %zu, expected 0 or more and below %" PRId64),
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
