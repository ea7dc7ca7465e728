/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-move-private.h>

/* Gather, BatchGather: Y = DATA with the axis (default 0, BatchGather 1) replaced by the
 * dimensions of the indices. With match_outer the dimensions before the axis are batches that the
 * indices have too. With wrap_indices (default if axis is 0) negative indices count from the end.
 *
 * GatherRanges: 1-D DATA, ranges (N, R, 2) of (start, length). Output 0 is the elements of all
 * ranges one after the other, output 1 the sum of the lengths of each of the N rows (int32).
 *
 * LengthsGather: items, lengths, indices. The items of segment indices[i] for each i.
 *
 * ScatterAssign: DATA[indices[i]] = slices[i]. DATA must be in place; for the others nothing is.
 *
 * The rules are Caffe2's. On CUDA kernels/gather.cu computes Gather, BatchGather and
 * LengthsGather, and kernels/update.cu ScatterAssign; GatherRanges runs on the CPU only. */

typedef struct
{
  gint64     axis;
  gboolean   wrap;
  gboolean   match_outer;
  /* LengthsGather only: the start of each segment. */
  C2gTensor *offsets;
} GatherState;

static gboolean
gather_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  GatherState *self = state;

  if (!c2g_operator_has_argument (op, "wrap_indices"))
    self->wrap = self->axis == 0;
  return TRUE;
}

/* Computes the output's shape: data[:axis] + indices + data[axis + 1:]. With match_outer the
 * leading axis dimensions of the indices are left out. */
static gboolean
get_shape (GatherState       *self,
           C2gOperator       *op,
           C2gTensor         *data,
           const C2gIndices  *indices,
           int                axis,
           C2gDims           *dims,
           GError           **error)
{
  const C2gTensor *tensor = indices->tensor;
  gsize first = self->match_outer ? axis : 0;

  /* If the axis is empty, the output has the shape of data, since batches may be empty. */
  if (data->dims[axis] == 0)
    return c2g_dims_copy (dims, data, error);

  for (gsize i = 0; i < first; i++)
    if (tensor->n_dims <= i || tensor->dims[i] != data->dims[i])
      return c2g_operator_set_shape_error (op, indices->input, error,
                                           _("%" PRId64 " along the axis %zu"), data->dims[i], i);

  return c2g_dims_set (dims, data->dims, axis, error) &&
         c2g_dims_append (dims, tensor->dims + first, tensor->n_dims - first, error) &&
         c2g_dims_append (dims, data->dims + axis + 1, data->n_dims - axis - 1, error);
}

static void
gather_float (const C2gIndices *indices,
              gsize             begin,
              gsize             n,
              gint64            size,
              const float      *source,
              float            *target)
{
  for (gsize i = 0; i < n; i++)
    {
      gint64 index = c2g_indices_get (indices, begin + i);

      target[i] = source[index < 0 ? index + size : index];
    }
}

static void
gather_blocks (C2gTypeMeta      *meta,
               const C2gIndices *indices,
               gsize             begin,
               gsize             n,
               gint64            size,
               gint64            n_block,
               const char       *source,
               char             *target)
{
  gsize n_bytes = n_block * meta->item_size;

  for (gsize i = 0; i < n; i++, target += n_bytes)
    {
      gint64 index = c2g_indices_get (indices, begin + i);

      c2g_move_items (meta, n_block, source + (index < 0 ? index + size : index) * n_bytes, target);
    }
}

/* The device checks the indices, since they are in its memory. */
static gboolean
gather_on_device (C2gOperator        *op,
                  GatherState        *self,
                  C2gTensor          *data,
                  const C2gIndices   *indices,
                  int                 axis,
                  C2gTensor          *output,
                  GError            **error)
{
  const gint64 n_outer = c2g_tensor_size_to_dim (data, axis, error);
  const gint64 n_block = c2g_tensor_size_from_dim (data, axis + 1, error);
  const gsize n = self->match_outer ? indices->n / n_outer : indices->n;

  if (C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_GATHER, .x = c2g_tensor_address (data),
                   .n_outer = n_outer, .n = data->dims[axis],
                   .item_size = n_block * data->meta->item_size,
                   .type = c2g_tensor_get_data_type (indices->tensor),
                   .indices = c2g_tensor_address (indices->tensor), .n_indices = n,
                   .wraps = self->wrap, .has_own = self->match_outer,
                   .y = c2g_tensor_address (output)))
    return TRUE;

  g_prefix_error (error, _("Input %u, “%s”: "), indices->input,
                  c2g_operator_input_name (op, indices->input));
  return FALSE;
}

static gboolean
read_indices (C2gIndices   *self,
              C2gOperator  *op,
              GError      **error)
{
  return c2g_operator_get_compute (op) != NULL ? c2g_indices_init_far (self, op, 1, error)
                                               : c2g_indices_init (self, op, 1, error);
}

static gboolean
gather_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  GatherState *self = state;
  C2gTensor *data = c2g_move_input (op, 0, error);
  C2gTensor *output;
  C2gIndices indices;
  C2gDims dims;
  gint64 n_outer, n_block, size;
  gsize n, item_size;
  int axis = data != NULL ? c2g_dims_axis (op, 0, self->axis, error) : -1;

  if (axis < 0 || !read_indices (&indices, op, error) ||
      !get_shape (self, op, data, &indices, axis, &dims, error))
    return FALSE;
  output = c2g_dims_output (&dims, op, 0, data->meta, error);
  if (output == NULL)
    return FALSE;
  if (output->n_elements == 0)
    return TRUE;

  size = data->dims[axis];
  n_outer = c2g_tensor_size_to_dim (data, axis, error);
  n_block = c2g_tensor_size_from_dim (data, axis + 1, error);
  if (n_outer < 0 || n_block < 0)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return gather_on_device (op, self, data, &indices, axis, output, error);
  if (!c2g_indices_check (&indices, size, self->wrap, error))
    return FALSE;

  n = self->match_outer ? indices.n / n_outer : indices.n;
  item_size = data->meta->item_size;
  for (gint64 i = 0; i < n_outer && !c2g_interrupt_is_wanted (); i++)
    {
      const char *source = (const char *) c2g_tensor_address (data) + i * size * n_block * item_size;
      char *target = (char *) c2g_tensor_address (output) + i * n * n_block * item_size;
      gsize begin = self->match_outer ? i * n : 0;

      if (n_block == 1 && c2g_tensor_get_data_type (data) == C2G_DATA_TYPE_FLOAT)
        gather_float (&indices, begin, n, size, (gconstpointer) source, (gpointer) target);
      else
        gather_blocks (data->meta, &indices, begin, n, size, n_block, source, target);
    }
  return TRUE;
}

/* GatherRanges */

static gboolean
check_ranges (C2gOperator  *op,
              C2gTensor    *data,
              C2gIndices   *ranges,
              gint64       *total,
              GError      **error)
{
  const C2gTensor *tensor = ranges->tensor;

  if (data->n_dims != 1)
    return c2g_operator_set_shape_error (op, 0, error, _("one dimension"));
  if (tensor->n_dims != 3 || tensor->dims[1] == 0 || tensor->dims[2] != 2)
    return c2g_operator_set_shape_error (op, 1, error, _("[N, ranges, 2]"));
  if (!c2g_operator_need_values (op, 1, error))
    return FALSE;

  *total = 0;
  for (gsize i = 0; i < ranges->n; i += 2)
    {
      gint64 start = c2g_indices_get (ranges, i);
      gint64 length = c2g_indices_get (ranges, i + 1);

      if (length < 0 || (length > 0 && (start < 0 || start > data->n_elements - length)) ||
          __builtin_add_overflow (*total, length, total))
        return c2g_fail (error, C2G_ERROR_RANGE,
                         _("Range %zu of “%s” has %" PRId64 " elements from %" PRId64
                           " on, where there are %" PRId64),
                         i / 2,
                         c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[1], length, start,
                         data->n_elements);
    }
  return TRUE;
}

static gboolean
put_lengths (C2gOperator       *op,
             const C2gIndices  *ranges,
             GError           **error)
{
  gint64 n = ranges->tensor->dims[0];
  gsize n_ranges = ranges->tensor->dims[1];
  C2gTensor *output = c2g_operator_output (op, 1, &n, 1, C2G_DATA_TYPE_INT32, error);

  if (output == NULL)
    return FALSE;

  for (gint64 i = 0; i < n; i++)
    {
      gint64 length = 0;

      for (gsize j = 0; j < n_ranges; j++)
        length += c2g_indices_get (ranges, (i * n_ranges + j) * 2 + 1);
      if (!c2g_tensor_set_int64 (output, i, length, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
gather_ranges_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  C2gTensor *data = c2g_move_input (op, 0, error);
  C2gTensor *output;
  C2gIndices ranges;
  C2gDims dims = { .n = 1 };
  char *target;

  if (data == NULL || !c2g_indices_init (&ranges, op, 1, error) ||
      !check_ranges (op, data, &ranges, &dims.dims[0], error))
    return FALSE;
  output = c2g_dims_output (&dims, op, 0, data->meta, error);
  if (output == NULL || !put_lengths (op, &ranges, error))
    return FALSE;

  target = c2g_tensor_address (output);
  for (gsize i = 0; target != NULL && i < ranges.n; i += 2)
    {
      gint64 start = c2g_indices_get (&ranges, i);
      gint64 length = c2g_indices_get (&ranges, i + 1);

      if (length == 0)
        continue;
      c2g_move_items (data->meta, length,
                      (const char *) c2g_tensor_address (data) + start * data->meta->item_size,
                      target);
      target += length * data->meta->item_size;
    }
  return TRUE;
}

/* LengthsGather */

static gboolean
lengths_gather_set_up (C2gOperator  *op,
                       gpointer      state,
                       GError      **error)
{
  ((GatherState *) state)->offsets = c2g_tensor_new ();
  return TRUE;
}

static void
gather_clear (gpointer state)
{
  g_clear_object (&((GatherState *) state)->offsets);
}

static gboolean
find_offsets (C2gOperator  *op,
              GatherState  *self,
              C2gTensor    *items,
              C2gIndices   *lengths,
              GError      **error)
{
  gint64 n = (gint64) lengths->n;
  gint64 total;
  gint64 *offsets;

  if (!c2g_indices_sum (lengths, &total, error))
    return FALSE;
  if (items->n_dims == 0 || items->dims[0] != total)
    return c2g_operator_set_shape_error (op, 0, error, _("%" PRId64 " along the axis %d"), total,
                                         0);
  if (!c2g_tensor_resize (self->offsets, &n, 1, error) ||
      !c2g_tensor_allocate (self->offsets, C2G_DATA_TYPE_INT64, error))
    return FALSE;

  offsets = c2g_tensor_address (self->offsets);
  total = 0;
  for (gint64 i = 0; i < n; i++)
    {
      offsets[i] = total;
      total += c2g_indices_get (lengths, i);
    }
  return TRUE;
}

static gboolean
lengths_gather_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  GatherState *self = state;
  C2gTensor *items = c2g_move_input (op, 0, error);
  C2gTensor *output;
  C2gIndices lengths, indices;
  C2gDims dims;
  C2gRowRuns runs;
  gint64 n_row, total = 0, to = 0;

  if (items == NULL || !c2g_indices_init_vector (&lengths, op, 1, error) ||
      !c2g_indices_init_vector (&indices, op, 2, error) ||
      !c2g_operator_need_values (op, 2, error) ||
      !find_offsets (op, self, items, &lengths, error) ||
      !c2g_indices_check (&indices, lengths.n, FALSE, error) ||
      !c2g_dims_copy (&dims, items, error) || !c2g_dims_count (&dims, 1, dims.n, &n_row, error))
    return FALSE;

  for (gsize i = 0; i < indices.n; i++)
    if (__builtin_add_overflow (total, c2g_indices_get (&lengths, c2g_indices_get (&indices, i)),
                                &total))
      return c2g_operator_set_shape_error (op, 2, error, _("fewer indices"));
  dims.dims[0] = total;
  output = c2g_dims_output (&dims, op, 0, items->meta, error);
  if (output == NULL || output->n_elements == 0)
    return output != NULL;
  runs = (C2gRowRuns) { op, items, output, n_row, total };
  if (!c2g_row_runs_begin (&runs, error))
    return FALSE;

  for (gsize i = 0; i < indices.n; i++)
    {
      const gint64 segment = c2g_indices_get (&indices, i);
      const gint64 length = c2g_indices_get (&lengths, segment);

      c2g_row_runs_add (&runs, ((const gint64 *) c2g_tensor_address (self->offsets))[segment], to,
                        length);
      to += length;
    }
  return c2g_row_runs_end (&runs, error);
}

/* ScatterAssign */

/* A view can start at any byte of its storage, so its address may not be aligned for floats. */
static gboolean
is_at_float (C2gTensor *tensor)
{
  return (guintptr) c2g_tensor_address (tensor) % sizeof (float) == 0;
}

/* Copies rows as floats. The device only moves the bits, so any plain type of 4-byte rows
 * works. */
static gboolean
assign_on_device (C2gOperator       *op,
                  C2gTensor         *data,
                  C2gTensor         *slices,
                  const C2gIndices  *indices,
                  gsize              n_row,
                  GError           **error)
{
  const gsize n_bytes = n_row * data->meta->item_size;
  const C2gComputeUpdate update = {
    .rule = C2G_COMPUTE_RULE_ASSIGN,
    .index_type = c2g_tensor_get_data_type (indices->tensor),
    .indices = c2g_tensor_address (indices->tensor),
    .n_indices = indices->n,
    .n = n_bytes / sizeof (float),
    .x = c2g_tensor_address (slices),
    .out = { c2g_tensor_address (data) },
  };

  if (!data->meta->is_plain || n_bytes % sizeof (float) != 0 || !is_at_float (data) ||
      !is_at_float (slices))
    return c2g_operator_fail_on_device (op, error);
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UPDATE, .update = &update);
}

static gboolean
scatter_assign_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  C2gTensor *data = c2g_move_input (op, 0, error);
  C2gTensor *slices;
  C2gIndices indices;
  gint64 n_row, n_elements;
  const char *from;
  gsize item_size;
  char *to;

  /* Asking for data as an output first gives it memory that it does not share with the indices. */
  if (data == NULL ||
      (!c2g_operator_is_inferring (op) && c2g_operator_get_output_tensor (op, 0, error) == NULL) ||
      !c2g_indices_init (&indices, op, 1, error))
    return FALSE;
  slices = c2g_operator_input (op, 2, C2G_DATA_TYPE_UNDEFINED, error);
  if (slices == NULL)
    return FALSE;
  if (slices->meta != data->meta)
    return c2g_operator_set_type_error (op, 2, c2g_type_meta_get_name (data->meta), error);
  if (data->n_dims == 0)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));

  n_row = c2g_tensor_size_from_dim (data, 1, error);
  if (n_row < 0 || !c2g_indices_check (&indices, data->dims[0], FALSE, error))
    return FALSE;
  if (__builtin_mul_overflow ((gint64) indices.n, n_row, &n_elements) ||
      slices->n_elements != n_elements)
    return c2g_operator_set_shape_error (op, 2, error, _("%zu rows of %" PRId64 " elements"),
                                         indices.n, n_row);
  if (slices->n_elements == 0 || c2g_operator_is_inferring (op))
    return TRUE;
  item_size = slices->meta->item_size;
  if (!c2g_tensor_make_writable (data, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return assign_on_device (op, data, slices, &indices, n_row, error);

  /* Foreign code that holds this tensor may change the elements here, too. */
  data = c2g_operator_output_meta (op, 0, data->dims, data->n_dims, slices->meta, error);
  if (data == NULL)
    return FALSE;

  from = c2g_tensor_address (slices);
  to = c2g_tensor_address (data);
  for (gsize i = 0; i < indices.n; i++)
    c2g_move_items (slices->meta, n_row, from + i * n_row * item_size,
                    to + c2g_indices_get (&indices, i) * n_row * item_size);
  return TRUE;
}

static gboolean
scatter_set_up (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  if (c2g_operator_get_input (op, 0) == c2g_operator_get_output (op, 0))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The output is “%s”, expected the first input, “%s”"),
                   c2g_operator_def_get_outputs (c2g_operator_peek_def (op))[0],
                   c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[0]);
}

#define GATHER_ARGUMENTS(at)                                                                       \
  C2G_ARGS (C2G_ARG_INT (GatherState, axis, "axis", at),                                           \
            C2G_ARG_BOOLEAN (GatherState, wrap, "wrap_indices", C2G_SET_LATER),                    \
            C2G_ARG_BOOLEAN (GatherState, match_outer, "match_outer", FALSE))

static const C2gKernel kernels[] = {
  { "Gather", NULL, 2, 2, 1, 1, NULL, GATHER_ARGUMENTS (0), sizeof (GatherState), gather_set_up,
    gather_run, NULL, NULL, "Takes rows by their indices", .infer = gather_run,
    .is_for_devices = TRUE },
  { "BatchGather", NULL, 2, 2, 1, 1, NULL, GATHER_ARGUMENTS (1), sizeof (GatherState),
    gather_set_up, gather_run, NULL, NULL, "Takes rows by their indices, in each batch",
    .infer = gather_run,
    .is_for_devices = TRUE },
  { "GatherRanges", NULL, 2, 2, 2, 2, NULL, NULL, 0, NULL, gather_ranges_run, NULL, NULL,
    "Takes ranges of elements", .infer = gather_ranges_run },
  { "LengthsGather", NULL, 3, 3, 1, 1, NULL, NULL, sizeof (GatherState), lengths_gather_set_up,
    lengths_gather_run, gather_clear, NULL, "Takes segments by their indices",
    .infer = lengths_gather_run, .is_for_devices = TRUE },
  { "ScatterAssign", NULL, 3, 3, 1, 1, "0>0", NULL, 0, scatter_set_up, scatter_assign_run, NULL,
    NULL, "Replaces rows by their indices", .infer = scatter_assign_run,
    .is_for_devices = TRUE },
};

C2G_OPS_FAMILY (gather);
