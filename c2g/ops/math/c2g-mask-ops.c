/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-move-private.h>

#include <math.h>

/* SequenceMask: Y = X where column j of row i is inside, fill_val elsewhere; X (float) is seen as
 * a matrix cut at axis. Inside is, by mode: sequence j < lengths[i]; window |j - centers[i]| ≤
 * radius; upper j ≤ i; lower j ≥ i; upperdiag j < i; lowerdiag j > i. Dimensions up to batch
 * repeat the matrix; those from repeat_from_axis on belong to one column. Y may be in place.
 *
 * BooleanMask: the rows of X where the mask (bool) is TRUE, and optionally their indices (int64).
 * BooleanMaskLengths: the lengths of segments after such a mask.
 * BooleanUnmask: masks and values in turn; each element is the next value of the first mask that
 * is TRUE there.
 *
 * The rules are Caffe2's. These operators run on the CPU only. */

/* SequenceMask */

typedef enum
{
  MASK_SEQUENCE,
  MASK_WINDOW,
  MASK_UPPER,
  MASK_LOWER,
  MASK_UPPER_DIAG,
  MASK_LOWER_DIAG,
} MaskMode;

typedef struct
{
  MaskMode mode;
  gint64   axis;
  int      radius;
  float    fill;
  gboolean is_gradient;
  gboolean has_batch;
  gint64   batch;
  gboolean has_repeat;
  gint64   repeat;
} SequenceMaskState;

static gboolean
sequence_mask_set_up (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  SequenceMaskState *self = state;

  if (self->is_gradient)
    self->fill = 0;
  self->has_batch = c2g_operator_has_argument (op, "batch");
  self->has_repeat = c2g_operator_has_argument (op, "repeat_from_axis");

  if (self->has_repeat && (self->has_batch || self->mode != MASK_SEQUENCE))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “%s” is only for the mode “%s” without “%s”"),
                 "repeat_from_axis", "sequence", "batch");
  else if (self->mode <= MASK_WINDOW && c2g_operator_get_n_inputs (op) < 2)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The mode “%s” needs a second input"),
                 c2g_operator_get_string (op, "mode", NULL, NULL));
  else
    return TRUE;
  return FALSE;
}

/* Computes the range of columns of a row that are kept. */
static void
find_range (const SequenceMaskState *self,
            gint64                   row,
            gint64                   center,
            gint64                   n_columns,
            gint64                  *begin,
            gint64                  *end)
{
  *begin = 0;
  *end = n_columns;
  switch (self->mode)
    {
    case MASK_SEQUENCE:
      *end = center;
      break;

    case MASK_WINDOW:
      *begin = center - self->radius;
      *end = center + self->radius + 1;
      break;

    case MASK_UPPER:
      *end = row + 1;
      break;

    case MASK_LOWER:
      *begin = row;
      break;

    case MASK_UPPER_DIAG:
      *end = row;
      break;

    case MASK_LOWER_DIAG:
    default:
      *begin = row + 1;
      break;
    }
  *begin = CLAMP (*begin, 0, n_columns);
  *end = CLAMP (*end, *begin, n_columns);
}

/* The input as n_batches matrices, where each column has n_repeats elements. */
typedef struct
{
  gint64 n_batches;
  gint64 n_rows;
  gint64 n_columns;
  gint64 n_repeats;
} MaskShape;

static gboolean
find_shape (const SequenceMaskState *self,
            C2gOperator             *op,
            C2gTensor               *x,
            MaskShape               *shape,
            GError                 **error)
{
  int axis = c2g_dims_axis (op, 0, self->axis, error);
  int batch = -1;
  int repeat;
  C2gDims dims;

  if (axis < 0 || !c2g_dims_copy (&dims, x, error))
    return FALSE;
  repeat = (int) dims.n;
  if (self->has_batch)
    {
      batch = c2g_dims_axis (op, 0, self->batch, error);
      if (batch < 0)
        return FALSE;
    }
  if (self->has_repeat)
    {
      repeat = c2g_dims_axis (op, 0, self->repeat, error);
      if (repeat < 0)
        return FALSE;
    }
  if (batch >= axis || repeat < axis)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The axis %d is not between the axes %d and %d"), axis, batch, repeat);

  return c2g_dims_count (&dims, 0, batch + 1, &shape->n_batches, error) &&
         c2g_dims_count (&dims, batch + 1, axis, &shape->n_rows, error) &&
         c2g_dims_count (&dims, axis, repeat, &shape->n_columns, error) &&
         c2g_dims_count (&dims, repeat, dims.n, &shape->n_repeats, error);
}

static void
fill_row (const float *x,
          float       *y,
          gint64       n,
          gint64       begin,
          gint64       end,
          float        fill)
{
  for (gint64 i = 0; i < begin; i++)
    y[i] = fill;
  if (x != y && end > begin)
    memcpy (y + begin, x + begin, (end - begin) * sizeof (float));
  for (gint64 i = end; i < n; i++)
    y[i] = fill;
}

static gboolean
sequence_mask_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  const SequenceMaskState *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *y;
  const gint32 *centers = NULL;
  MaskShape shape;

  if (x == NULL || !find_shape (self, op, x, &shape, error))
    return FALSE;
  if (self->mode <= MASK_WINDOW)
    {
      C2gTensor *tensor = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_INT32, shape.n_rows,
                                                    error);

      if (tensor == NULL)
        return FALSE;
      centers = c2g_tensor_address (tensor);
    }
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL || y->n_elements == 0)
    return y != NULL;

  for (gint64 i = 0; i < shape.n_batches * shape.n_rows; i++)
    {
      const gint64 row = i % shape.n_rows;
      const gint64 n = shape.n_columns * shape.n_repeats;
      gint64 begin, end;

      find_range (self, row, centers != NULL ? centers[row] : 0, shape.n_columns, &begin, &end);
      fill_row ((const float *) c2g_tensor_address (x) + i * n,
                (float *) c2g_tensor_address (y) + i * n, n, begin * shape.n_repeats,
                end * shape.n_repeats, self->fill);
    }
  return TRUE;
}

/* BooleanMask */

static gint64
count_true (const guint8 *mask,
            gint64        n)
{
  gint64 n_true = 0;

  for (gint64 i = 0; i < n; i++)
    n_true += mask[i] != 0;
  return n_true;
}

static gboolean
put_indices (C2gOperator   *op,
             const guint8  *mask,
             gint64         n,
             gint64         n_true,
             GError       **error)
{
  C2gTensor *output;
  gint64 *to;

  if (c2g_operator_get_n_outputs (op) < 2)
    return TRUE;
  output = c2g_operator_output (op, 1, &n_true, 1, C2G_DATA_TYPE_INT64, error);
  if (output == NULL)
    return FALSE;

  to = c2g_tensor_address (output);
  for (gint64 i = 0; i < n; i++)
    if (mask[i] != 0)
      *to++ = i;
  return TRUE;
}

static C2gTensor *
mask_input (C2gOperator  *op,
            guint         input,
            gint64        n,
            GError      **error)
{
  C2gTensor *mask = c2g_operator_input (op, input, C2G_DATA_TYPE_BOOL, error);

  if (mask == NULL || (mask->n_dims == 1 && mask->dims[0] == n))
    return mask;
  c2g_operator_set_shape_error (op, input, error, "[%" PRId64 "]", n);
  return NULL;
}

static gboolean
boolean_mask_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  C2gTensor *x = c2g_move_input (op, 0, error);
  C2gTensor *tensor, *y;
  const guint8 *mask;
  C2gDims dims;
  gint64 n, n_row;
  const char *from;
  char *to;

  if (x == NULL || !c2g_dims_copy (&dims, x, error))
    return FALSE;
  if (dims.n < 1)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));
  n = dims.dims[0];
  tensor = mask_input (op, 1, n, error);
  if (tensor == NULL || !c2g_dims_count (&dims, 1, dims.n, &n_row, error) ||
      !c2g_operator_need_values (op, 1, error))
    return FALSE;

  mask = c2g_tensor_address (tensor);
  dims.dims[0] = count_true (mask, n);
  y = c2g_dims_output (&dims, op, 0, x->meta, error);
  if (y == NULL || !put_indices (op, mask, n, dims.dims[0], error))
    return FALSE;

  from = c2g_tensor_address (x);
  to = c2g_tensor_address (y);
  for (gint64 i = 0; y->n_elements > 0 && i < n; i++)
    if (mask[i] != 0)
      {
        c2g_move_items (x->meta, n_row, from + i * n_row * x->meta->item_size, to);
        to += n_row * x->meta->item_size;
      }
  return TRUE;
}

/* BooleanMaskLengths */

static gboolean
mask_lengths_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  C2gIndices lengths;
  C2gTensor *tensor, *output;
  const guint8 *mask;
  gint64 total;

  if (!c2g_indices_init_vector (&lengths, op, 0, error))
    return FALSE;
  if (c2g_operator_is_inferring (op))
    tensor = c2g_operator_input (op, 1, C2G_DATA_TYPE_BOOL, error);
  else if (c2g_indices_sum (&lengths, &total, error))
    tensor = mask_input (op, 1, total, error);
  else
    return FALSE;
  output = tensor != NULL
             ? c2g_operator_output_like (op, 0, lengths.tensor,
                                         c2g_tensor_get_data_type (lengths.tensor), error)
             : NULL;
  if (output == NULL)
    return FALSE;

  mask = c2g_tensor_address (tensor);
  for (gsize i = 0; i < lengths.n; i++)
    {
      const gint64 length = c2g_indices_get (&lengths, i);
      const gint64 n_true = count_true (mask, length);

      mask += length;
      if (lengths.narrow != NULL)
        ((gint32 *) c2g_tensor_address (output))[i] = (gint32) n_true;
      else
        ((gint64 *) c2g_tensor_address (output))[i] = n_true;
    }
  return TRUE;
}

/* BooleanUnmask */

typedef struct
{
  const guint8 *mask;
  const char   *values;
  gint64        n_values;
  gint64        n_used;
} MaskedValues;

typedef struct
{
  MaskedValues *parts;
  guint         n_parts;
} UnmaskState;

static gboolean
unmask_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  UnmaskState *self = state;
  guint n_inputs = c2g_operator_get_n_inputs (op);

  if (n_inputs % 2 != 0)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Expected an even number of inputs, got %u"), n_inputs);
  self->n_parts = n_inputs / 2;
  self->parts = g_new0 (MaskedValues, self->n_parts);
  return TRUE;
}

static void
unmask_clear (gpointer state)
{
  g_clear_pointer (&((UnmaskState *) state)->parts, g_free);
}

static gboolean
unmask_read (UnmaskState  *self,
             C2gOperator  *op,
             gint64        n,
             C2gTypeMeta  *meta,
             GError      **error)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      C2gTensor *mask = mask_input (op, 2 * i, n, error);
      C2gTensor *values = mask != NULL ? c2g_move_input (op, 2 * i + 1, error) : NULL;

      if (values == NULL)
        return FALSE;
      if (values->meta != meta)
        return c2g_operator_set_type_error (op, 2 * i + 1, c2g_type_meta_get_name (meta), error);
      self->parts[i] = (MaskedValues) { c2g_tensor_address (mask), c2g_tensor_address (values),
                                        values->n_elements, 0 };
    }
  return TRUE;
}

static gboolean
unmask_place (UnmaskState  *self,
              C2gOperator  *op,
              gint64        place,
              C2gTypeMeta  *meta,
              char         *to,
              GError      **error)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      MaskedValues *part = &self->parts[i];

      if (part->mask[place] == 0)
        continue;
      if (part->n_used == part->n_values)
        return c2g_operator_set_shape_error (op, 2 * i + 1, error,
                                             _("an element for each one that is true in the mask"));
      c2g_move_items (meta, 1, part->values + part->n_used * meta->item_size, to);
      part->n_used++;
      return TRUE;
    }

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Input %u, “%s”, is false at %" PRId64
                     " like all other masks, expected one of them to be true"),
                   0,
                   c2g_operator_input_name (op, 0), place);
}

static gboolean
unmask_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  UnmaskState *self = state;
  C2gTensor *mask = c2g_operator_input (op, 0, C2G_DATA_TYPE_BOOL, error);
  C2gTensor *values = mask != NULL ? c2g_move_input (op, 1, error) : NULL;
  C2gTensor *output;
  C2gTypeMeta *meta;
  C2gDims dims;

  if (values == NULL || !c2g_dims_copy (&dims, mask, error))
    return FALSE;
  meta = values->meta;
  if (!unmask_read (self, op, mask->n_elements, meta, error))
    return FALSE;
  output = c2g_dims_output (&dims, op, 0, meta, error);
  if (output == NULL)
    return FALSE;

  for (gint64 i = 0; i < output->n_elements; i++)
    if (!unmask_place (self, op, i, meta,
                       (char *) c2g_tensor_address (output) + i * meta->item_size, error))
      return FALSE;
  for (guint i = 0; i < self->n_parts; i++)
    if (self->parts[i].n_used != self->parts[i].n_values)
      return c2g_operator_set_shape_error (op, 2 * i + 1, error, "[%" PRId64 "]",
                                           self->parts[i].n_used);
  return TRUE;
}

static const C2gKernel kernels[] = {
  {
    .type = "SequenceMask",
    .min_inputs = 1,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .in_place = "0>0",
    .arguments = C2G_ARGS (
      C2G_ARG_CHOICE (SequenceMaskState, mode, "mode",
                      "sequence window upper lower upperdiag lowerdiag", C2G_REQUIRED),
      C2G_ARG_INT (SequenceMaskState, axis, "axis", 1),
      C2G_ARG_INT (SequenceMaskState, radius, "radius", 10),
      C2G_ARG_FLOAT (SequenceMaskState, fill, "fill_val", -INFINITY),
      C2G_ARG_BOOLEAN (SequenceMaskState, is_gradient, "grad", FALSE),
      C2G_ARG_INT (SequenceMaskState, batch, "batch", -1),
      C2G_ARG_INT (SequenceMaskState, repeat, "repeat_from_axis", -1)),
    .state_size = sizeof (SequenceMaskState),
    .set_up = sequence_mask_set_up,
    .run = sequence_mask_run,
    .infer = sequence_mask_run,
    .summary = "Fills elements outside of sequences, windows or triangles",
  },
  {
    .type = "BooleanMask",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 2,
    .run = boolean_mask_run,
    .infer = boolean_mask_run,
    .summary = "Takes the rows where a mask is true",
  },
  {
    .type = "BooleanMaskLengths",
    .min_inputs = 2,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .run = mask_lengths_run,
    .infer = mask_lengths_run,
    .summary = "The lengths of segments after a mask",
  },
  {
    .type = "BooleanUnmask",
    .min_inputs = 2,
    .max_inputs = C2G_MANY,
    .min_outputs = 1,
    .max_outputs = 1,
    .state_size = sizeof (UnmaskState),
    .set_up = unmask_set_up,
    .run = unmask_run,
    .infer = unmask_run,
    .clear = unmask_clear,
    .summary = "Joins rows that masks have split",
  },
};

C2G_OPS_FAMILY (mask);
