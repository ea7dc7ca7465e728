/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-move-private.h>

/* ResizeNearest, UpsampleBilinear: X (N, C, H, W), float, scaled by height_scale and width_scale,
 * which are arguments or input 1; the new sizes are rounded down.
 *
 * Nearest: Y[y] = X[min (⌊y / scale⌋, H - 1)], also for NHWC.
 * Bilinear: Y[y] interpolates X at y (H - 1) / (H' - 1), so that corners are aligned.
 *
 * Nothing is in place. The rules are Caffe2's. On CUDA kernels/image.cu computes both. */

typedef struct
{
  float     height_scale;
  float     width_scale;
  gboolean  is_last;
  /* Bytes with the source columns of a row: gint64, or Between for bilinear. */
  C2gTensor *columns;
} ResizeState;

static gboolean
fail_scale (float    scale,
            GError **error)
{
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("Pictures cannot be scaled by %g"), scale);
}

static gboolean
check_scales (const ResizeState  *self,
              GError            **error)
{
  if (!(self->height_scale > 0 && self->height_scale <= (float) G_MAXINT32))
    return fail_scale (self->height_scale, error);
  return (self->width_scale > 0 && self->width_scale <= (float) G_MAXINT32) ||
         fail_scale (self->width_scale, error);
}

static gboolean
resize_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  ((ResizeState *) state)->columns = c2g_tensor_new ();
  return TRUE;
}

static void
resize_clear (gpointer state)
{
  g_clear_object (&((ResizeState *) state)->columns);
}

static gboolean
read_scales (C2gOperator  *op,
             ResizeState  *self,
             GError      **error)
{
  C2gTensor *scales;

  if (c2g_operator_get_n_inputs (op) == 1)
    return TRUE;
  scales = c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error);
  if (scales == NULL)
    return FALSE;
  if (scales->n_dims != 1 || scales->n_elements != 2)
    return c2g_operator_set_shape_error (op, 1, error, "[2]");
  if (!c2g_operator_need_values (op, 1, error))
    return FALSE;

  scales = c2g_operator_bring_near (op, 1, scales, error);
  if (scales == NULL)
    return FALSE;

  self->height_scale = ((const float *) c2g_tensor_address (scales))[0];
  self->width_scale = ((const float *) c2g_tensor_address (scales))[1];
  return check_scales (self, error);
}

typedef struct
{
  gint64       n_pictures;
  gint64       height;
  gint64       width;
  gint64       n_channels;
  gint64       target_height;
  gint64       target_width;
  const float *source;
  float       *target;
} Pictures;

static gint64
scale_size (gint64 size,
            float  scale)
{
  float scaled = (float) size * scale;

  return scaled < (float) G_MAXINT32 ? (gint64) scaled : -1;
}

static gboolean
pictures_init (Pictures     *self,
               C2gOperator  *op,
               ResizeState  *state,
               GError      **error)
{
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  gsize axis = state->is_last ? 1 : 2;
  C2gTensor *output;
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error) || !read_scales (op, state, error))
    return FALSE;
  if (dims.n != 4)
    return c2g_operator_set_shape_error (op, 0, error, _("four dimensions"));

  self->height = dims.dims[axis];
  self->width = dims.dims[axis + 1];
  self->target_height = dims.dims[axis] = scale_size (self->height, state->height_scale);
  self->target_width = dims.dims[axis + 1] = scale_size (self->width, state->width_scale);
  if (self->target_height < 0 || self->target_width < 0)
    return c2g_operator_set_shape_error (op, 0, error, _("smaller pictures"));

  output = c2g_dims_output (&dims, op, 0, input->meta, error);
  if (output == NULL)
    return FALSE;
  self->n_channels = state->is_last ? dims.dims[3] : 1;
  self->n_pictures = 0;
  if (output->n_elements > 0)
    self->n_pictures = state->is_last ? dims.dims[0] : dims.dims[0] * dims.dims[1];
  self->source = c2g_tensor_address (input);
  self->target = c2g_tensor_address (output);
  return TRUE;
}

static C2gComputePictures
describe (const Pictures *self)
{
  return (C2gComputePictures) {
    .n_pictures = self->n_pictures,
    .height = self->height,
    .width = self->width,
    .n_channels = self->n_channels,
    .target_height = self->target_height,
    .target_width = self->target_width,
  };
}

static gboolean
reserve (ResizeState  *state,
         gint64        n_columns,
         gint64        n_bytes,
         gpointer     *columns,
         GError      **error)
{
  const gint64 dims[] = { n_columns, n_bytes };

  if (!c2g_tensor_resize (state->columns, dims, 2, error) ||
      !c2g_tensor_allocate (state->columns, C2G_DATA_TYPE_UINT8, error))
    return FALSE;
  *columns = c2g_tensor_address (state->columns);
  return TRUE;
}

/* ResizeNearest */

static gint64
find_nearest (gint64 place,
              float  scale,
              gint64 size)
{
  return MIN ((gint64) ((float) place / scale), size - 1);
}

static void
repeat_row (const Pictures *self,
            const gint64   *columns,
            const float    *source,
            float          *target)
{
  if (self->n_channels == 1)
    for (gint64 x = 0; x < self->target_width; x++)
      target[x] = source[columns[x]];
  else
    for (gint64 x = 0; x < self->target_width; x++)
      memcpy (target + x * self->n_channels, source + columns[x] * self->n_channels,
              self->n_channels * sizeof *target);
}

static gboolean
nearest_on_device (C2gOperator        *op,
                   const ResizeState  *self,
                   const Pictures     *pictures,
                   GError            **error)
{
  const C2gComputePictures wanted = describe (pictures);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_RESIZE, .item_size = sizeof (float),
                      .x = pictures->source, .pictures = &wanted, .a = self->height_scale,
                      .b = self->width_scale, .y = pictures->target);
}

static gboolean
nearest_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  ResizeState *self = state;
  Pictures pictures;
  gpointer room;
  gint64 *columns;
  gint64 n_source, n_target, before = -1;

  if (!pictures_init (&pictures, op, self, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return nearest_on_device (op, self, &pictures, error);
  if (!reserve (self, pictures.target_width, sizeof *columns, &room, error))
    return FALSE;

  columns = room;
  n_source = pictures.width * pictures.n_channels;
  n_target = pictures.target_width * pictures.n_channels;
  for (gint64 x = 0; pictures.n_pictures > 0 && x < pictures.target_width; x++)
    columns[x] = find_nearest (x, self->width_scale, pictures.width);
  for (gint64 i = 0; i < pictures.n_pictures; i++, pictures.source += pictures.height * n_source)
    for (gint64 y = 0; y < pictures.target_height && !c2g_interrupt_is_wanted ();
         y++, pictures.target += n_target)
      {
        gint64 row = find_nearest (y, self->height_scale, pictures.height);

        if (y > 0 && row == before)
          memcpy (pictures.target, pictures.target - n_target, n_target * sizeof (float));
        else
          repeat_row (&pictures, columns, pictures.source + row * n_source, pictures.target);
        before = row;
      }
  return TRUE;
}

/* UpsampleBilinear */

/* The source pixels of an output pixel along one axis, and the weight of the second. */
typedef struct
{
  gint64 first;
  gint64 second;
  float  share;
} Between;

static Between
find_between (gint64 place,
              gint64 size,
              gint64 target_size)
{
  float ratio = target_size > 1 ? (float) (size - 1) / (float) (target_size - 1) : 0;
  float exact = ratio * (float) place;
  gint64 first = MIN ((gint64) exact, size - 1);

  return (Between) { first, MIN (first + 1, size - 1), exact - (float) first };
}

static void
mix_row (const Pictures *self,
         const Between  *row,
         const Between  *columns,
         const float    *source,
         float          *target)
{
  const float *above = source + row->first * self->width;
  const float *below = source + row->second * self->width;

  for (gint64 x = 0; x < self->target_width; x++)
    {
      const Between *column = &columns[x];
      float rest = 1 - column->share;
      float top = rest * above[column->first] + column->share * above[column->second];
      float bottom = rest * below[column->first] + column->share * below[column->second];

      target[x] = (1 - row->share) * top + row->share * bottom;
    }
}

static gboolean
bilinear_on_device (C2gOperator     *op,
                    const Pictures  *pictures,
                    GError         **error)
{
  const C2gComputePictures wanted = describe (pictures);

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_RESIZE_LINEAR, .x = pictures->source,
                      .pictures = &wanted, .y = pictures->target);
}

static gboolean
bilinear_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  ResizeState *self = state;
  Pictures pictures;
  gpointer room;
  Between *columns;

  if (self->is_last)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("The argument “%s” is “%s”, expected “%s”"),
                     "order", "NHWC", "NCHW");
  if (!pictures_init (&pictures, op, self, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return bilinear_on_device (op, &pictures, error);
  if (!reserve (self, pictures.target_width, sizeof *columns, &room, error))
    return FALSE;

  columns = room;
  for (gint64 x = 0; pictures.n_pictures > 0 && x < pictures.target_width; x++)
    columns[x] = find_between (x, pictures.width, pictures.target_width);
  for (gint64 i = 0; i < pictures.n_pictures; i++)
    {
      for (gint64 y = 0; y < pictures.target_height && !c2g_interrupt_is_wanted ();
           y++, pictures.target += pictures.target_width)
        {
          Between row = find_between (y, pictures.height, pictures.target_height);

          mix_row (&pictures, &row, columns, pictures.source, pictures.target);
        }
      pictures.source += pictures.height * pictures.width;
    }
  return TRUE;
}

static const C2gKernelArgument arguments[] = {
  C2G_ARG_FLOAT (ResizeState, height_scale, "height_scale", 1,
                 C2G_RANGE (C2G_ABOVE_0, (float) G_MAXINT32), C2G_IS_INVALID),
  C2G_ARG_FLOAT (ResizeState, width_scale, "width_scale", 1,
                 C2G_RANGE (C2G_ABOVE_0, (float) G_MAXINT32), C2G_IS_INVALID),
  C2G_ARG_ORDER (ResizeState, is_last),
  { 0 },
};

static const C2gKernel kernels[] = {
  { "ResizeNearest", NULL, 1, 2, 1, 1, NULL, arguments, sizeof (ResizeState), resize_set_up,
    nearest_run,
    resize_clear, NULL, "Resizes pictures, with the nearest elements",
    .infer = nearest_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE },
  { "UpsampleBilinear", NULL, 1, 2, 1, 1, NULL, arguments, sizeof (ResizeState), resize_set_up,
    bilinear_run, resize_clear, NULL, "Resizes pictures by bilinear interpolation",
    .infer = bilinear_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_FLOAT },
};

C2G_OPS_FAMILY (resize);
