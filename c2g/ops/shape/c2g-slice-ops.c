/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

/* Slice: X from starts to ends (without the end) along each axis; arguments, or inputs 1 and 2.
 * Missing axes are whole. A negative value v means size + 1 + v, so -1 is the end.
 * Crop: X from offset, with the sizes of input 1, along axis and the following ones; the axes
 * before are whole. There is an offset per cropped axis, one for all, or none (0). This is
 * Caffe's layer of that name; of input 1 only the shape matters.
 * Tile: X repeated tiles times along axis; arguments, or inputs 1 and 2.
 * LengthsTile: row i of X repeated lengths[i] times.
 *
 * Any element type; nothing is in place. The other rules are Caffe2's. On CUDA
 * kernels/transpose.cu moves the elements, and kernels/gather.cu those of LengthsTile. */

/* Slice */

typedef struct
{
  const gint64 *starts;
  gsize         n_starts;
  const gint64 *ends;
  gsize         n_ends;
} SliceState;

static gboolean
slice_set_up (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  SliceState *self = state;
  const guint n_inputs = c2g_operator_get_n_inputs (op);

  if (n_inputs != 2 && self->n_starts == self->n_ends && (n_inputs == 1 || self->n_starts == 0))
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("A slice needs as many starts as ends, from arguments or from inputs"));
}

static gboolean
read_input (C2gOperator  *op,
            guint         input,
            C2gDims      *dims,
            GError      **error)
{
  C2gIndices indices;

  if (!c2g_indices_init_vector (&indices, op, input, error) ||
      !c2g_operator_need_values (op, input, error))
    return FALSE;

  dims->n = 0;
  for (gsize i = 0; i < indices.n; i++)
    {
      gint64 value = c2g_indices_get (&indices, i);

      if (!c2g_dims_append (dims, &value, 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_bounds (C2gOperator  *op,
             SliceState   *self,
             C2gDims      *starts,
             C2gDims      *ends,
             GError      **error)
{
  if (c2g_operator_get_n_inputs (op) == 1)
    return c2g_dims_set (starts, self->starts, self->n_starts, error) &&
           c2g_dims_set (ends, self->ends, self->n_ends, error);

  return read_input (op, 1, starts, error) && read_input (op, 2, ends, error) &&
         (ends->n == starts->n ||
          c2g_operator_set_shape_error (op, 2, error, _("[%zu]"), starts->n));
}

/* Resolves negative bounds, limits bounds to the dimension and adds those of missing axes. */
static gboolean
resolve_bounds (C2gOperator    *op,
                const C2gDims  *dims,
                C2gDims        *starts,
                C2gDims        *ends,
                GError        **error)
{
  if (starts->n > dims->n)
    return c2g_operator_set_shape_error (op, 0, error, _("at least %zu dimensions"), starts->n);

  for (gsize i = 0; i < dims->n; i++)
    {
      gint64 dim = dims->dims[i];
      gint64 start = i < starts->n ? starts->dims[i] : 0;
      gint64 end = i < ends->n ? ends->dims[i] : dim;

      start = MIN (start < 0 ? start + dim + 1 : start, dim);
      end = MIN (end < 0 ? end + dim + 1 : end, dim);
      if (dim == 0)
        start = end = 0;
      if (start < 0 || end < start)
        return c2g_operator_set_shape_error (op, 0, error,
                                             _("places from %" PRId64 " to %" PRId64
                                               " along the axis %zu"),
                                             start, end, i);
      starts->dims[i] = start;
      ends->dims[i] = end;
    }
  return TRUE;
}

/* Copies the slice in pieces of n_behind × (size along axis) items, as all dimensions behind axis
 * are whole. */
static void
copy_rows (C2gTensor      *input,
           C2gTensor      *output,
           const C2gDims  *dims,
           const gint64   *starts,
           int             axis,
           gint64          n_behind)
{
  gint64 place[C2G_DIMS_MAX] = { 0 };
  gint64 steps[C2G_DIMS_MAX];
  gsize item_size = input->meta->item_size;
  const char *source = c2g_tensor_address (input);
  char *target = c2g_tensor_address (output);
  gint64 n_items = output->dims[axis] * n_behind;
  int i;

  steps[axis] = n_behind * item_size;
  for (i = axis - 1; i >= 0; i--)
    steps[i] = steps[i + 1] * dims->dims[i + 1];
  for (i = 0; i <= axis; i++)
    source += starts[i] * steps[i];

  do
    {
      c2g_move_items (input->meta, n_items, source, target);
      target += n_items * item_size;
      for (i = axis - 1; i >= 0; i--)
        {
          source += steps[i];
          if (++place[i] < output->dims[i])
            break;
          source -= steps[i] * output->dims[i];
          place[i] = 0;
        }
    }
  while (i >= 0);
}

/* Does what copy_rows() does, as one strided move on the device. */
static gboolean
copy_on_device (C2gOperator    *op,
                C2gTensor      *input,
                C2gTensor      *output,
                const C2gDims  *dims,
                const gint64   *starts,
                int             axis,
                gint64          n_behind,
                GError        **error)
{
  const gsize unit = c2g_on_device_find_unit (input->meta->item_size);
  gint64 sizes[C2G_DIMS_MAX], steps[C2G_DIMS_MAX], target_steps[C2G_DIMS_MAX];
  gint64 first = 0;

  n_behind *= input->meta->item_size / unit;
  for (int i = axis; i >= 0; i--)
    {
      sizes[i] = output->dims[i] * (i == axis ? n_behind : 1);
      steps[i] = i == axis ? 1 : steps[i + 1] * dims->dims[i + 1] * (i == axis - 1 ? n_behind : 1);
      target_steps[i] = i == axis ? 1 : target_steps[i + 1] * sizes[i + 1];
      first += starts[i] * steps[i] * (i == axis ? n_behind : 1);
    }

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_MOVE, .item_size = unit, .dims = sizes,
                      .n_dims = axis + 1,
                      .x = (const char *) c2g_tensor_address (input) + first * (gint64) unit,
                      .x_strides = steps, .y = c2g_tensor_address (output),
                      .y_strides = target_steps);
}

/* Makes the output of the given sizes from starts on. */
static gboolean
put_slice (C2gOperator    *op,
           C2gTensor      *input,
           const C2gDims  *dims,
           const C2gDims  *starts,
           const C2gDims  *sizes,
           GError        **error)
{
  C2gTensor *output = c2g_dims_output (sizes, op, 0, input->meta, error);
  gint64 n_behind = 1;
  int axis;

  if (output == NULL)
    return FALSE;
  if (output->n_elements == 0)
    return TRUE;

  for (axis = (int) dims->n - 1; axis > 0 && sizes->dims[axis] == dims->dims[axis]; axis--)
    n_behind *= dims->dims[axis];
  if (c2g_operator_get_compute (op) != NULL)
    return axis < 0 ? c2g_on_device_copy (op, input->meta, 1, c2g_tensor_address (input),
                                          c2g_tensor_address (output), error)
                    : copy_on_device (op, input, output, dims, starts->dims, axis, n_behind, error);
  if (axis < 0)
    c2g_move_items (input->meta, 1, c2g_tensor_address (input), c2g_tensor_address (output));
  else
    copy_rows (input, output, dims, starts->dims, axis, n_behind);
  return TRUE;
}

static gboolean
slice_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gDims dims, starts, ends, sizes;

  if (input == NULL || !c2g_dims_copy (&dims, input, error) ||
      !read_bounds (op, state, &starts, &ends, error) ||
      !resolve_bounds (op, &dims, &starts, &ends, error))
    return FALSE;

  sizes.n = dims.n;
  for (gsize i = 0; i < dims.n; i++)
    sizes.dims[i] = ends.dims[i] - starts.dims[i];
  return put_slice (op, input, &dims, &starts, &sizes, error);
}

/* Crop */

typedef struct
{
  gint64        axis;
  const gint64 *offsets;
  gsize         n_offsets;
} CropState;

static gboolean
check_crop (C2gOperator  *op,
            CropState    *self,
            gsize         n_cropped,
            C2gTensor    *like,
            gsize         n_dims,
            GError      **error)
{
  if (like->n_dims < n_dims)
    return c2g_operator_set_shape_error (op, 1, error, _("at least %zu dimensions"), n_dims);
  if (self->n_offsets <= 1 || self->n_offsets == n_cropped)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The argument “%s” has %zu numbers, expected %d"), "offset", self->n_offsets,
                   (int) n_cropped);
}

static gboolean
crop_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  CropState *self = state;
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gTensor *like =
    input != NULL ? c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error) : NULL;
  const int axis = like != NULL ? c2g_dims_axis (op, 0, self->axis, error) : -1;
  C2gDims dims, starts, sizes;

  if (axis < 0 || !c2g_dims_copy (&dims, input, error) ||
      !check_crop (op, self, dims.n - axis, like, dims.n, error))
    return FALSE;

  starts = sizes = dims;
  for (int i = 0; i < (int) dims.n; i++)
    {
      const gsize k = self->n_offsets > 1 ? i - axis : 0;

      starts.dims[i] = i >= axis && self->n_offsets > 0 ? self->offsets[k] : 0;
      sizes.dims[i] = i >= axis ? like->dims[i] : dims.dims[i];
      if (starts.dims[i] < 0 || starts.dims[i] > dims.dims[i] - sizes.dims[i])
        return c2g_operator_set_shape_error (op, 0, error,
                                             _("%" PRId64 " places from %" PRId64
                                               " on along the axis %d"),
                                             sizes.dims[i], starts.dims[i], i);
    }
  return put_slice (op, input, &dims, &starts, &sizes, error);
}

/* Tile */

typedef struct
{
  gint64 tiles;
  gint64 axis;
} TileState;

static gboolean
tile_on_device (C2gOperator  *op,
                C2gTensor    *input,
                C2gTensor    *output,
                gint64        n_outer,
                gint64        tiles,
                gint64        n_inner,
                GError      **error)
{
  const gsize unit = c2g_on_device_find_unit (input->meta->item_size);
  const gint64 n = n_inner * (gint64) (input->meta->item_size / unit);
  const gint64 dims[] = { n_outer, tiles, n };
  const gint64 source_strides[] = { n, 0, 1 };
  const gint64 target_strides[] = { tiles * n, n, 1 };

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_MOVE, .item_size = unit, .dims = dims,
                      .n_dims = G_N_ELEMENTS (dims), .x = c2g_tensor_address (input),
                      .x_strides = source_strides, .y = c2g_tensor_address (output),
                      .y_strides = target_strides);
}

static gboolean
fill_tiles (C2gOperator    *op,
            C2gTensor      *input,
            C2gTensor      *output,
            const C2gDims  *dims,
            int             axis,
            gint64          tiles,
            GError        **error)
{
  const char *source = c2g_tensor_address (input);
  char *target = c2g_tensor_address (output);
  gint64 n_outer, n_inner;
  gsize n_bytes;

  if (!c2g_dims_count (dims, 0, axis, &n_outer, error) ||
      !c2g_dims_count (dims, axis, dims->n, &n_inner, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return tile_on_device (op, input, output, n_outer, tiles, n_inner, error);

  n_bytes = n_inner * input->meta->item_size;
  for (gint64 i = 0; i < n_outer; i++, source += n_bytes)
    for (gint64 j = 0; j < tiles && !c2g_interrupt_is_wanted (); j++, target += n_bytes)
      c2g_move_items (input->meta, n_inner, source, target);
  return TRUE;
}

static gboolean
tile_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  TileState self = *(TileState *) state;
  C2gTensor *input = c2g_move_input (op, 0, error);
  guint n_inputs = c2g_operator_get_n_inputs (op);
  C2gTensor *output;
  C2gDims dims, tiled;
  int axis;

  if (input == NULL || !c2g_dims_copy (&dims, input, error) ||
      (n_inputs > 1 && !c2g_indices_scalar (op, 1, &self.tiles, error)) ||
      (n_inputs > 2 && !c2g_indices_scalar (op, 2, &self.axis, error)))
    return FALSE;
  axis = c2g_dims_axis (op, 0, self.axis, error);
  if (axis < 0)
    return FALSE;

  tiled = dims;
  if (self.tiles < 0 || __builtin_mul_overflow (dims.dims[axis], self.tiles, &tiled.dims[axis]))
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("Input %u, “%s”, cannot be repeated %" PRId64 " times"), 0,
                     c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[0], self.tiles);

  output = c2g_dims_output (&tiled, op, 0, input->meta, error);
  return output != NULL && (output->n_elements == 0 ||
                            fill_tiles (op, input, output, &dims, axis, self.tiles, error));
}

/* LengthsTile */

static gboolean
lengths_tile_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gTensor *output;
  C2gIndices lengths;
  C2gDims dims;
  C2gRowRuns runs;
  gint64 n_row, to = 0;

  if (input == NULL || !c2g_dims_copy (&dims, input, error) ||
      !c2g_indices_init_vector (&lengths, op, 1, error))
    return FALSE;
  if (dims.n == 0 || dims.dims[0] != (gint64) lengths.n)
    return c2g_operator_set_shape_error (op, 0, error, _("%zu along the axis %d"), lengths.n, 0);
  if (!c2g_indices_sum (&lengths, &dims.dims[0], error) ||
      !c2g_dims_count (&dims, 1, dims.n, &n_row, error))
    return FALSE;

  output = c2g_dims_output (&dims, op, 0, input->meta, error);
  if (output == NULL || output->n_elements == 0)
    return output != NULL;
  runs = (C2gRowRuns) { op, input, output, n_row, dims.dims[0] };
  if (!c2g_row_runs_begin (&runs, error))
    return FALSE;

  for (gsize i = 0; i < lengths.n; i++)
    for (gint64 j = c2g_indices_get (&lengths, i); j > 0; j--)
      c2g_row_runs_add (&runs, (gint64) i, to++, 1);
  return c2g_row_runs_end (&runs, error);
}

static const C2gKernel kernels[] = {
  { "Slice", NULL, 1, 3, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INTS (SliceState, starts, n_starts, "starts"),
              C2G_ARG_INTS (SliceState, ends, n_ends, "ends")),
    sizeof (SliceState), slice_set_up, slice_run, NULL, NULL,
    "Takes a part along each axis",
    .infer = slice_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE },
  { "Crop", NULL, 2, 2, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INT (CropState, axis, "axis", 2),
              C2G_ARG_INTS (CropState, offsets, n_offsets, "offset")),
    sizeof (CropState), NULL, crop_run, NULL, NULL,
    "Takes a part as large as another tensor", .infer = crop_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE },
  { "Tile", NULL, 1, 3, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INT (TileState, tiles, "tiles", 1), C2G_ARG_INT (TileState, axis, "axis", 0)),
    sizeof (TileState), NULL, tile_run, NULL, NULL, "Repeats a tensor along an axis",
    .infer = tile_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE },
  { "LengthsTile", NULL, 2, 2, 1, 1, NULL, NULL, 0, NULL, lengths_tile_run, NULL, NULL,
    "Repeats every row as often as its length says", .infer = lengths_tile_run,
    .is_for_devices = TRUE },
};

C2G_OPS_FAMILY (slice);
