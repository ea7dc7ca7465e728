/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

/* Concatenation and splitting along an axis; any element type, nothing in place.
 *
 * Concat, DepthConcat: inputs of equal shape except along axis give one output. With add_axis the
 * inputs, all of the same shape, are stacked along a new axis. Output 1, if present, is the size
 * of each input along the axis (int32).
 *
 * Split, DepthSplit: the inverse. The sizes are the argument split, input 1, or equal parts.
 * With add_axis each part has size 1 and loses the axis.
 *
 * SplitByLengths: input 1 has n lengths for each output, whose sum is the output's size. With
 * use_scaling_lengths they are multiplied by dim / sum if that is an integer.
 *
 * The default axis is 1, or 3 with order NHWC.  The rules are Caffe2's. */

typedef struct
{
  gint64        axis;
  gboolean      is_last;
  gboolean      is_new_axis;
  const gint64 *sizes;
  gsize         n_sizes;
  gboolean      is_scaled;
  /* The size of each input along the axis. */
  gint32       *parts;
} AxisState;

/* Sets the axis to the default of the order. */
static gboolean
axis_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  AxisState *self = state;

  self->parts = g_new (gint32, c2g_operator_get_n_inputs (op));
  if (!c2g_operator_has_argument (op, "axis"))
    self->axis = self->is_last ? 3 : 1;
  else if (c2g_operator_has_argument (op, "order"))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The arguments “axis” and “order” exclude each other"));
  return TRUE;
}

static void
axis_clear (gpointer state)
{
  g_free (((AxisState *) state)->parts);
}

/* Returns the axis for a tensor of n_dims dimensions, or -1 with an error. */
static int
resolve_axis (C2gOperator  *op,
              AxisState    *self,
              gsize         n_dims,
              GError      **error)
{
  gint64 axis = self->axis < 0 ? self->axis + (gint64) n_dims : self->axis;

  if (axis >= 0 && axis < (gint64) n_dims)
    return (int) axis;

  c2g_operator_set_shape_error (op, 0, error, _("a shape with the axis %" PRId64), self->axis);
  return -1;
}

/* Concat */

static gboolean
check_like_first (C2gOperator    *op,
                  guint           input,
                  C2gTensor      *first,
                  C2gTensor      *tensor,
                  int             free_axis,
                  GError        **error)
{
  g_autofree char *text = NULL;
  gboolean fits = tensor->n_dims == first->n_dims;

  if (tensor->meta != first->meta)
    return c2g_operator_set_type_error (op, input, c2g_type_meta_get_name (first->meta), error);

  for (gsize i = 0; fits && i < first->n_dims; i++)
    fits = (int) i == free_axis || tensor->dims[i] == first->dims[i];
  if (fits)
    return TRUE;

  text = c2g_shape_to_string (first->dims, first->n_dims);
  if (free_axis < 0)
    return c2g_operator_set_shape_error (op, input, error, "%s", text);
  return c2g_operator_set_shape_error (op, input, error, _("%s but for the axis %d"), text,
                                       free_axis);
}

/* Computes the shape of the output, and the size of each input along the axis in sizes. */
static gboolean
measure (C2gOperator  *op,
         AxisState    *self,
         int           axis,
         gint32       *sizes,
         C2gDims      *dims,
         GError      **error)
{
  C2gTensor *first = c2g_move_input (op, 0, error);
  gint64 total = 0;

  for (guint i = 0; i < c2g_operator_get_n_inputs (op); i++)
    {
      C2gTensor *tensor = c2g_move_input (op, i, error);
      gint64 size;

      if (tensor == NULL ||
          !check_like_first (op, i, first, tensor, self->is_new_axis ? -1 : axis, error))
        return FALSE;

      size = self->is_new_axis ? 1 : tensor->dims[axis];
      if (size > G_MAXINT32 || __builtin_add_overflow (total, size, &total))
        return c2g_operator_set_shape_error (op, i, error, _("less along the axis %d"), axis);
      sizes[i] = (gint32) size;
    }

  if (!c2g_dims_copy (dims, first, error))
    return FALSE;
  if (self->is_new_axis)
    return c2g_dims_insert (dims, axis, total, error);
  dims->dims[axis] = total;
  return TRUE;
}

/* Writes output 1, if the operator has it: the size of each input along the axis. */
static gboolean
write_sizes (C2gOperator   *op,
             const gint32  *sizes,
             GError       **error)
{
  gint64 n = c2g_operator_get_n_inputs (op);
  C2gTensor *output;

  if (c2g_operator_get_n_outputs (op) == 1)
    return TRUE;

  output = c2g_operator_output (op, 1, &n, 1, C2G_DATA_TYPE_INT32, error);
  if (output == NULL)
    return FALSE;
  if (c2g_operator_is_inferring (op))
    return TRUE;
  if (c2g_operator_get_compute (op) != NULL)
    return c2g_on_device_write (op, sizes, n * sizeof *sizes, c2g_tensor_address (output), error);

  memcpy (c2g_tensor_address (output), sizes, n * sizeof *sizes);
  return TRUE;
}

static gboolean
put_together (C2gOperator    *op,
              const C2gDims  *dims,
              int             axis,
              GError        **error)
{
  C2gTensor *first = c2g_move_input (op, 0, error);
  C2gTypeMeta *meta = first->meta;
  C2gTensor *output = c2g_dims_output (dims, op, 0, meta, error);
  gint64 before, stride;
  char *target;

  if (output == NULL || !c2g_dims_count (dims, 0, axis, &before, error) ||
      !c2g_dims_count (dims, axis, dims->n, &stride, error))
    return FALSE;

  target = c2g_tensor_address (output);
  for (guint i = 0; output->n_elements > 0 && i < c2g_operator_get_n_inputs (op); i++)
    {
      C2gTensor *tensor = c2g_move_input (op, i, error);
      const gint64 n_items = tensor->n_elements / before;
      const C2gRowsToMove rows = {
        meta, before, n_items, c2g_tensor_address (tensor), n_items, target, stride
      };

      if (!c2g_operator_move_rows (op, &rows, error))
        return FALSE;
      target += n_items * meta->item_size;
    }
  return TRUE;
}

static gboolean
concat_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  AxisState *self = state;
  C2gTensor *first = c2g_move_input (op, 0, error);
  C2gDims dims;
  int axis;

  if (first == NULL)
    return FALSE;
  axis = resolve_axis (op, self, first->n_dims + self->is_new_axis, error);
  if (axis < 0)
    return FALSE;

  return measure (op, self, axis, self->parts, &dims, error) &&
         write_sizes (op, self->parts, error) && put_together (op, &dims, axis, error);
}

/* Split */

/* Sizes of the outputs along the axis: from the argument (given), from input 1 (read), or all
 * equal (each). */
typedef struct
{
  const gint64 *given;
  C2gIndices    read;
  gint64        each;
  /* SplitByLengths: number of lengths per output, and the factor for each. Split with an input
   * has one length per output. */
  gsize         n_lengths;
  gint64        scale;
} Sizes;

static gint64
get_size (const Sizes *self,
          guint        output)
{
  gint64 size = 0;

  if (self->given != NULL)
    return self->given[output];
  if (self->n_lengths == 0)
    return self->each;

  for (gsize i = 0; i < self->n_lengths; i++)
    size += c2g_indices_get (&self->read, output * self->n_lengths + i);
  return size * self->scale;
}

static gboolean
fail_sizes (C2gOperator  *op,
            int           axis,
            gint64        total,
            GError      **error)
{
  return c2g_operator_set_shape_error (op, 0, error, _("%" PRId64 " along the axis %d"), total,
                                       axis);
}

static gboolean
fail_count (gsize    n,
            guint    n_outputs,
            GError **error)
{
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("There are %zu sizes for %u outputs"), n,
                   n_outputs);
}

static gboolean
read_given (C2gOperator  *op,
            AxisState    *self,
            Sizes        *sizes,
            gint64       *total,
            GError      **error)
{
  guint n_outputs = c2g_operator_get_n_outputs (op);

  if (self->n_sizes != n_outputs)
    return fail_count (self->n_sizes, n_outputs, error);

  sizes->given = self->sizes;
  *total = 0;
  for (guint i = 0; i < n_outputs; i++)
    if (self->sizes[i] < 0 || __builtin_add_overflow (*total, self->sizes[i], total))
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                       _("The argument “%s” has %" PRId64 ", which is out of range"), "split",
                       self->sizes[i]);
  return TRUE;
}

static gboolean
read_input (C2gOperator  *op,
            AxisState    *self,
            Sizes        *sizes,
            gint64       *total,
            GError      **error)
{
  if (self->n_sizes > 0)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The sizes come both from input %u, “%s”, and from the argument “%s”, "
                       "expected only one of them"),
                     1, c2g_operator_input_name (op, 1), "split");

  return c2g_indices_init_vector (&sizes->read, op, 1, error) &&
         c2g_indices_sum (&sizes->read, total, error);
}

static gboolean
read_sizes (C2gOperator  *op,
            AxisState    *self,
            gint64        dim,
            int           axis,
            Sizes        *sizes,
            GError      **error)
{
  guint n_outputs = c2g_operator_get_n_outputs (op);
  gint64 total = dim;

  if (c2g_operator_get_n_inputs (op) == 2)
    {
      if (!read_input (op, self, sizes, &total, error))
        return FALSE;
      if (sizes->read.n != n_outputs)
        return fail_count (sizes->read.n, n_outputs, error);
      sizes->n_lengths = 1;
    }
  else if (self->n_sizes > 0)
    {
      if (!read_given (op, self, sizes, &total, error))
        return FALSE;
    }
  else
    {
      if (dim % n_outputs != 0)
        return c2g_operator_set_shape_error (op, 0, error, _("a multiple of %u along the axis %d"),
                                             n_outputs, axis);
      sizes->each = dim / n_outputs;
    }

  return total == dim || fail_sizes (op, axis, total, error);
}

static gboolean
take_part (C2gOperator    *op,
           guint           output,
           C2gTensor      *input,
           const C2gDims  *dims,
           gint64          before,
           const char     *source,
           GError        **error)
{
  C2gTensor *part = c2g_dims_output (dims, op, output, input->meta, error);
  C2gRowsToMove rows = { input->meta, before };

  if (part == NULL)
    return FALSE;
  if (c2g_operator_is_inferring (op))
    return TRUE;

  rows.source = source;
  rows.source_stride = input->n_elements / MAX (before, 1);
  rows.target = c2g_tensor_address (part);
  rows.target_stride = rows.n_items = part->n_elements / MAX (before, 1);
  return c2g_operator_move_rows (op, &rows, error);
}

static gboolean
take_apart (C2gOperator  *op,
            AxisState    *self,
            C2gTensor    *input,
            int           axis,
            const Sizes  *sizes,
            GError      **error)
{
  const char *source = c2g_tensor_address (input);
  C2gDims whole;
  gint64 before, after;

  if (!c2g_dims_copy (&whole, input, error) || !c2g_dims_count (&whole, 0, axis, &before, error) ||
      !c2g_dims_count (&whole, axis + 1, whole.n, &after, error))
    return FALSE;

  for (guint i = 0; i < c2g_operator_get_n_outputs (op); i++)
    {
      C2gDims dims = whole;
      gint64 size = get_size (sizes, i);

      dims.dims[axis] = size;
      if (self->is_new_axis && size != 1)
        return c2g_operator_set_shape_error (op, 0, error, _("1 for each output along the axis %d"),
                                             axis);
      if (self->is_new_axis)
        c2g_dims_remove (&dims, axis);
      if (!take_part (op, i, input, &dims, before, source, error))
        return FALSE;
      if (source != NULL)
        source += size * after * input->meta->item_size;
    }
  return TRUE;
}

static gboolean
split_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  AxisState *self = state;
  C2gTensor *input = c2g_move_input (op, 0, error);
  Sizes sizes = { .scale = 1 };
  int axis;

  if (input == NULL)
    return FALSE;
  axis = resolve_axis (op, self, input->n_dims, error);
  return axis >= 0 && read_sizes (op, self, input->dims[axis], axis, &sizes, error) &&
         take_apart (op, self, input, axis, &sizes, error);
}

/* Reads input 1 of SplitByLengths. */
static gboolean
read_lengths (C2gOperator  *op,
              AxisState    *self,
              gint64        dim,
              int           axis,
              Sizes        *sizes,
              GError      **error)
{
  guint n_outputs = c2g_operator_get_n_outputs (op);
  gint64 total;

  if (!read_input (op, self, sizes, &total, error))
    return FALSE;
  if (sizes->read.n == 0 || sizes->read.n % n_outputs != 0)
    return fail_count (sizes->read.n, n_outputs, error);

  sizes->n_lengths = sizes->read.n / n_outputs;
  if (self->is_scaled && total > 0 && dim % total == 0)
    sizes->scale = dim / total;
  return total * sizes->scale == dim || fail_sizes (op, axis, total, error);
}

static gboolean
split_by_lengths_run (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  AxisState *self = state;
  C2gTensor *input = c2g_move_input (op, 0, error);
  Sizes sizes = { .scale = 1 };
  int axis;

  if (input == NULL)
    return FALSE;
  axis = resolve_axis (op, self, input->n_dims, error);
  return axis >= 0 && read_lengths (op, self, input->dims[axis], axis, &sizes, error) &&
         take_apart (op, self, input, axis, &sizes, error);
}

/* The arguments that all operators of this file have. */
#define AXIS_ARGUMENTS                \
  C2G_ARG_ORDER (AxisState, is_last), \
  C2G_ARG_INT (AxisState, axis, "axis", C2G_SET_LATER)

static const C2gKernelArgument join_arguments[] = {
  AXIS_ARGUMENTS,
  C2G_ARG_BOOLEAN (AxisState, is_new_axis, "add_axis", FALSE),
  { 0 },
};

static const C2gKernelArgument split_arguments[] = {
  AXIS_ARGUMENTS,
  C2G_ARG_BOOLEAN (AxisState, is_new_axis, "add_axis", FALSE),
  C2G_ARG_INTS (AxisState, sizes, n_sizes, "split"),
  { 0 },
};

static const C2gKernelArgument lengths_arguments[] = {
  AXIS_ARGUMENTS,
  C2G_ARG_BOOLEAN (AxisState, is_scaled, "use_scaling_lengths", FALSE),
  { 0 },
};

static const C2gKernel kernels[] = {
  { "Concat", NULL, 1, C2G_MANY, 1, 2, NULL, join_arguments, sizeof (AxisState), axis_set_up, concat_run,
    axis_clear, NULL, "Joins tensors along an axis", .infer = concat_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF,
    .role = C2G_ROLE_CONCAT },
  { "DepthConcat", NULL, 1, C2G_MANY, 1, 2, NULL, join_arguments, sizeof (AxisState), axis_set_up,
    concat_run,
    axis_clear, NULL, "Joins tensors along their channels", .infer = concat_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF },
  { "Split", NULL, 1, 2, 1, C2G_MANY, NULL, split_arguments, sizeof (AxisState), axis_set_up, split_run,
    axis_clear, NULL, "Splits a tensor along an axis", .infer = split_run, .is_for_devices = TRUE,
    .traits = C2G_TRAITS_SAME_TYPE },
  { "DepthSplit", NULL, 1, 2, 1, C2G_MANY, NULL, split_arguments, sizeof (AxisState), axis_set_up,
    split_run,
    axis_clear, NULL, "Splits a tensor along its channels", .infer = split_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE },
  { "SplitByLengths", NULL, 2, 2, 1, C2G_MANY, NULL, lengths_arguments, sizeof (AxisState), axis_set_up,
    split_by_lengths_run, axis_clear, NULL, "Splits a tensor into parts of the given lengths",
    .infer = split_by_lengths_run },
};

C2G_OPS_FAMILY (concat);
