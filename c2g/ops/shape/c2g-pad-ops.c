/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-move-private.h>

/* PadImage: X (N, C, H, W) or NHWC, float, with a border of pad_t, pad_l, pad_b, pad_r pixels: of
 * value (constant), mirrored without repeating the edge (reflect), or copies of the edge.
 * Negative pads crop.
 *
 * SpaceToBatch: X (N, C, H, W), float, padded with 0, gives (N block², C, H' / block, W' /
 * block), where H' and W' include the padding. Image (by block + bx) N + n has every block-th
 * pixel of image n, from (by, bx) on. BatchToSpace: the inverse; the padding is cropped.
 *
 * Nothing is in place. The rules are Caffe2's. On CUDA kernels/image.cu computes PadImage; the
 * others run on the CPU only. */

typedef enum
{
  PAD_CONSTANT,
  PAD_REFLECT,
  PAD_EDGE,
} PadMode;

typedef struct
{
  /* Top, left, bottom, right. Negative values crop. */
  gint64        pads[4];
  const gint64 *given;
  gsize         n_given;
  PadMode       mode;
  float         value;
  gboolean      is_last;
} PadState;

static gboolean
pad_set_up (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  PadState *self = state;

  for (guint i = 0; i < 4 && self->n_given == 4; i++)
    self->pads[i] = self->given[i];
  if (self->n_given == 0 || self->n_given == 4)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The argument “pads” has %zu numbers, expected 4"), self->n_given);
}

/* Returns the index that an output pixel copies along one axis, or -1 for the constant. */
static inline gint64
find_source (PadMode mode,
             gint64  place,
             gint64  size)
{
  if (place >= 0 && place < size)
    return place;

  switch (mode)
    {
    case PAD_REFLECT:
      return place < 0 ? -place : 2 * size - 2 - place;

    case PAD_EDGE:
      return place < 0 ? 0 : size - 1;

    default:
      return -1;
    }
}

typedef struct
{
  gint64 height;
  gint64 width;
  gint64 n_channels;
  gint64 target_height;
  gint64 target_width;
} Picture;

static void
pad_row (const PadState *self,
         const Picture  *picture,
         const float    *source,
         float          *target)
{
  gint64 n = picture->n_channels;

  for (gint64 x = 0; x < picture->target_width; x++, target += n)
    {
      gint64 from = source == NULL ? -1 : find_source (self->mode, x - self->pads[1], picture->width);

      if (from >= 0)
        memcpy (target, source + from * n, n * sizeof *target);
      else
        for (gint64 i = 0; i < n; i++)
          target[i] = self->value;
    }
}

static void
pad_picture (const PadState *self,
             const Picture  *picture,
             const float    *source,
             float          *target)
{
  gint64 n_row = picture->width * picture->n_channels;

  for (gint64 y = 0; y < picture->target_height; y++)
    {
      gint64 from = find_source (self->mode, y - self->pads[0], picture->height);

      pad_row (self, picture, from >= 0 ? source + from * n_row : NULL, target);
      target += picture->target_width * picture->n_channels;
    }
}

/* Checks that there are enough pixels to mirror or to repeat. */
static gboolean
check_border (C2gOperator     *op,
              const PadState  *self,
              const gint64    *sizes,
              GError         **error)
{
  for (guint i = 0; i < 4; i++)
    {
      gint64 size = sizes[i % 2];

      if ((self->mode == PAD_REFLECT && self->pads[i] >= MAX (size, 1)) ||
          (self->mode == PAD_EDGE && self->pads[i] > 0 && size == 0))
        return c2g_operator_set_shape_error (op, 0, error,
                                             _("enough for a border of %" PRId64), self->pads[i]);
    }
  return TRUE;
}

static gboolean
pad_on_device (C2gOperator     *op,
               const PadState  *self,
               C2gTensor       *input,
               const Picture   *picture,
               gint64           n_pictures,
               C2gTensor       *output,
               GError         **error)
{
  static const C2gComputePad modes[] = {
    [PAD_CONSTANT] = C2G_COMPUTE_PAD_CONSTANT,
    [PAD_REFLECT] = C2G_COMPUTE_PAD_REFLECT,
    [PAD_EDGE] = C2G_COMPUTE_PAD_EDGE,
  };
  const C2gComputePictures pictures = {
    .n_pictures = n_pictures,
    .height = picture->height,
    .width = picture->width,
    .n_channels = picture->n_channels,
    .target_height = picture->target_height,
    .target_width = picture->target_width,
  };

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_PAD, .item_size = sizeof (float),
                      .x = c2g_tensor_address (input), .pictures = &pictures, .top = self->pads[0],
                      .left = self->pads[1], .pad = modes[self->mode], .item = &self->value,
                      .y = c2g_tensor_address (output));
}

static gboolean
pad_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  PadState *self = state;
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  gsize axis = self->is_last ? 1 : 2;
  C2gTensor *output;
  C2gDims dims;
  Picture picture;
  const float *source;
  gint64 n_pictures;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  if (dims.n != 4)
    return c2g_operator_set_shape_error (op, 0, error, _("four dimensions"));
  if (!check_border (op, self, dims.dims + axis, error))
    return FALSE;

  picture.height = dims.dims[axis];
  picture.width = dims.dims[axis + 1];
  for (guint i = 0; i < 2; i++)
    if (__builtin_add_overflow (dims.dims[axis + i], self->pads[i] + self->pads[i + 2],
                                &dims.dims[axis + i]) ||
        dims.dims[axis + i] < 0)
      return c2g_operator_set_shape_error (op, 0, error, _("room for the borders to be taken off"));

  output = c2g_dims_output (&dims, op, 0, input->meta, error);
  if (output == NULL)
    return FALSE;
  if (output->n_elements == 0)
    return TRUE;

  picture.n_channels = self->is_last ? dims.dims[3] : 1;
  picture.target_height = dims.dims[axis];
  picture.target_width = dims.dims[axis + 1];
  n_pictures = self->is_last ? dims.dims[0] : dims.dims[0] * dims.dims[1];
  if (c2g_operator_get_compute (op) != NULL)
    return pad_on_device (op, self, input, &picture, n_pictures, output, error);

  source = input->n_elements > 0 ? c2g_tensor_address (input) : &self->value;
  for (gint64 i = 0; i < n_pictures; i++)
    pad_picture (self, &picture,
                 source + i * picture.height * picture.width * picture.n_channels,
                 (float *) c2g_tensor_address (output) +
                     i * picture.target_height * picture.target_width * picture.n_channels);
  return TRUE;
}

/* SpaceToBatch and BatchToSpace */

typedef struct
{
  gint64 pad_top;
  gint64 pad_left;
  gint64 pad_bottom;
  gint64 pad_right;
  gint64 block;
} SpaceState;

/* One image of the batch side, as a part of an image of the space side. The offsets are its first
 * pixel there. */
typedef struct
{
  const gint64 *space;
  const gint64 *batch;
  gint64        offset_y;
  gint64        offset_x;
} Block;

static void
exchange_block (const SpaceState *self,
                const Block      *block,
                float            *space,
                float            *batch,
                gboolean          to_batch)
{
  gint64 height = block->space[2], width = block->space[3];

  for (gint64 y = 0; y < block->batch[2]; y++)
    for (gint64 x = 0; x < block->batch[3]; x++, batch++)
      {
        gint64 space_y = y * self->block + block->offset_y;
        gint64 space_x = x * self->block + block->offset_x;
        gboolean is_inside = space_y >= 0 && space_x >= 0 && space_y < height && space_x < width;

        if (to_batch)
          *batch = is_inside ? space[space_y * width + space_x] : 0;
        else if (is_inside)
          space[space_y * width + space_x] = *batch;
      }
}

static void
exchange (const SpaceState *self,
          const gint64     *space_dims,
          const gint64     *batch_dims,
          float            *space,
          float            *batch,
          gboolean          to_batch)
{
  Block block = { space_dims, batch_dims, 0, 0 };

  for (gint64 i = 0; i < batch_dims[0]; i++)
    {
      block.offset_x = i / space_dims[0] % self->block - self->pad_left;
      block.offset_y = i / space_dims[0] / self->block - self->pad_top;
      for (gint64 channel = 0; channel < space_dims[1]; channel++)
        exchange_block (self, &block,
                        space + (i % space_dims[0] * space_dims[1] + channel) * space_dims[2] *
                                    space_dims[3],
                        batch + (i * batch_dims[1] + channel) * batch_dims[2] * batch_dims[3],
                        to_batch);
    }
}

static gboolean
fail_blocks (C2gOperator       *op,
             const SpaceState  *self,
             GError           **error)
{
  return c2g_operator_set_shape_error (op, 0, error,
                                       _("four dimensions for blocks of %" PRId64), self->block);
}

static gboolean
space_to_batch_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  SpaceState *self = state;
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *output;
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  if (dims.n != 4 ||
      __builtin_mul_overflow (dims.dims[0], self->block * self->block, &dims.dims[0]) ||
      __builtin_add_overflow (dims.dims[2], self->pad_top + self->pad_bottom, &dims.dims[2]) ||
      __builtin_add_overflow (dims.dims[3], self->pad_left + self->pad_right, &dims.dims[3]) ||
      dims.dims[2] % self->block != 0 || dims.dims[3] % self->block != 0)
    return fail_blocks (op, self, error);

  dims.dims[2] /= self->block;
  dims.dims[3] /= self->block;
  output = c2g_dims_output (&dims, op, 0, input->meta, error);
  if (output == NULL)
    return FALSE;
  /* If the input is empty, all is padding and any valid pointer does. */
  if (output->n_elements > 0)
    exchange (self, input->dims, dims.dims,
              c2g_tensor_address (input->n_elements > 0 ? input : output),
              c2g_tensor_address (output), TRUE);
  return TRUE;
}

static gboolean
batch_to_space_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  SpaceState *self = state;
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *output;
  C2gDims dims;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  if (dims.n != 4 || dims.dims[0] % (self->block * self->block) != 0 ||
      __builtin_mul_overflow (dims.dims[2], self->block, &dims.dims[2]) ||
      __builtin_mul_overflow (dims.dims[3], self->block, &dims.dims[3]))
    return fail_blocks (op, self, error);

  dims.dims[0] /= self->block * self->block;
  dims.dims[2] -= self->pad_top + self->pad_bottom;
  dims.dims[3] -= self->pad_left + self->pad_right;
  if (dims.dims[2] < 0 || dims.dims[3] < 0)
    return fail_blocks (op, self, error);
  output = c2g_dims_output (&dims, op, 0, input->meta, error);
  if (output == NULL)
    return FALSE;
  if (output->n_elements > 0)
    exchange (self, dims.dims, input->dims, c2g_tensor_address (output),
              c2g_tensor_address (input), FALSE);
  return TRUE;
}

#define PAD(side, name)                                                                            \
  C2G_ARG_INT (PadState, pads[side], name, 0, C2G_RANGE (-G_MAXINT32, G_MAXINT32), C2G_ELSE ("pad"))
#define SPACE_PAD(field, name)                                                                     \
  C2G_ARG_INT (SpaceState, field, name, 0, C2G_RANGE (0, G_MAXINT16), C2G_IS_INVALID,              \
               C2G_ELSE ("pad"))

static const C2gKernelArgument space_arguments[] = {
  SPACE_PAD (pad_top, "pad_t"),
  SPACE_PAD (pad_left, "pad_l"),
  SPACE_PAD (pad_bottom, "pad_b"),
  SPACE_PAD (pad_right, "pad_r"),
  C2G_ARG_READ ("pad"),
  C2G_ARG_INT (SpaceState, block, "block_size", 2, C2G_RANGE (1, G_MAXINT16), C2G_IS_INVALID),
  C2G_ARG_NCHW,
  { 0 },
};

static const C2gKernel kernels[] = {
  { "PadImage", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (PAD (0, "pad_t"), PAD (1, "pad_l"), PAD (2, "pad_b"), PAD (3, "pad_r"),
              C2G_ARG_READ ("pad"),
              C2G_ARG_INTS (PadState, given, n_given, "pads", C2G_RANGE (-G_MAXINT32, G_MAXINT32)),
              C2G_ARG_CHOICE (PadState, mode, "mode", "constant reflect edge"),
              C2G_ARG_FLOAT (PadState, value, "value", 0), C2G_ARG_ORDER (PadState, is_last),
              C2G_ARG_IGNORED ("float16_compute group shared_buffer"),
              C2G_ARG_REFUSED ("global_pooling=0 legacy_pad=0")),
    sizeof (PadState), pad_set_up, pad_run, NULL, NULL,
    "Pictures with a border of one value, of mirrored elements or of those at the edge",
    .infer = pad_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_SAME_TYPE },
  { "SpaceToBatch", NULL, 1, 1, 1, 1, NULL, space_arguments, sizeof (SpaceState), NULL,
    space_to_batch_run, NULL, NULL,
    "Splits images into images of every n-th pixel", .infer = space_to_batch_run },
  { "BatchToSpace", NULL, 1, 1, 1, 1, NULL, space_arguments, sizeof (SpaceState), NULL,
    batch_to_space_run, NULL, NULL,
    "Joins parts of images to larger images, the inverse of SpaceToBatch",
    .infer = batch_to_space_run },
};

C2G_OPS_FAMILY (pad);
