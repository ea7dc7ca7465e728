/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-math.h>
#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-far-private.h>
#include <c2g/core/tensor/c2g-items-math-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/* Normalizes 8-bit images: y = (x - mean) scale for each channel, as floating-point numbers. A byte has
 * only 256 values, so each channel looks its results up in a table instead of computing them for every
 * pixel. */

#define N_BYTES 256

/* Strides of an array: from one channel to the next, and from one row to the next. A row is n_inner
 * adjacent elements of one channel. */
typedef struct
{
  gsize channel_step;
  gsize row_step;
} Steps;

typedef struct
{
  gsize n_outer;
  gsize n_channels;
  gsize n_rows;
  gsize n_inner;
  Steps source;
  Steps target;
} Plan;

static gsize
count (const gint64 *dims,
       int           begin,
       int           end)
{
  gsize n = 1;

  for (int i = begin; i < end; i++)
    n *= (gsize) dims[i];

  return n;
}

static Steps
get_steps (const Plan *plan,
           gboolean    is_channel_first)
{
  if (is_channel_first)
    return (Steps) { plan->n_rows * plan->n_inner, plan->n_inner };

  return (Steps) { plan->n_inner, plan->n_channels * plan->n_inner };
}

/* Merges the axes into four. If the channels move back, [outer][channels][rows][inner] becomes
 * [outer][rows][channels][inner]; if they move forward, it is the other way round. If they stay,
 * outer is 1 and the axes before the channels are the rows, so that one loop handles all rows of a
 * channel. */
static void
plan_init (Plan      *self,
           C2gTensor *source,
           int        axis,
           int        new_axis)
{
  const gint64 *dims = source->dims;
  const int first = axis == new_axis ? 0 : MIN (axis, new_axis);
  const int end = MAX (axis, new_axis) + 1;

  self->n_outer = count (dims, 0, first);
  self->n_channels = (gsize) dims[axis];
  self->n_rows = count (dims, first, axis) * count (dims, axis + 1, end);
  self->n_inner = count (dims, end, (int) source->n_dims);
  self->source = get_steps (self, axis < new_axis);
  self->target = get_steps (self, new_axis < axis);
}

#define DEFINE_LOOK_UP(bits)                                                                       \
  static void                                                                                      \
  look_up_##bits (gconstpointer  table,                                                            \
                  const guint8  *source,                                                           \
                  gsize          source_step,                                                      \
                  gpointer       target,                                                           \
                  gsize          target_step,                                                      \
                  gsize          n)                                                                \
  {                                                                                                \
    const guint##bits *numbers = table;                                                            \
    guint##bits *ys = target;                                                                      \
                                                                                                   \
    for (gsize i = 0; i < n; i++)                                                                  \
      ys[i * target_step] = numbers[source[i * source_step]];                                      \
  }

DEFINE_LOOK_UP (16)
DEFINE_LOOK_UP (32)
DEFINE_LOOK_UP (64)

static void
look_up (gsize          item_size,
         gconstpointer  table,
         const guint8  *source,
         gsize          source_step,
         gpointer       target,
         gsize          target_step,
         gsize          n)
{
  if (item_size == 2)
    look_up_16 (table, source, source_step, target, target_step, n);
  else if (item_size == 4)
    look_up_32 (table, source, source_step, target, target_step, n);
  else
    look_up_64 (table, source, source_step, target, target_step, n);
}

static void
look_up_channel (const Plan    *plan,
                 gconstpointer  table,
                 gsize          item_size,
                 const guint8  *source,
                 char          *target)
{
  const gsize n_items = plan->n_channels * plan->n_rows * plan->n_inner;

  for (gsize i = 0; i < plan->n_outer; i++, source += n_items, target += n_items * item_size)
    if (plan->n_inner == 1)
      look_up (item_size, table, source, plan->source.row_step, target, plan->target.row_step,
               plan->n_rows);
    else
      for (gsize row = 0; row < plan->n_rows; row++)
        look_up (item_size, table, source + row * plan->source.row_step, 1,
                 target + row * plan->target.row_step * item_size, 1, plan->n_inner);
}

/* Fills the result for each byte of a channel, rounded once. */
static void
fill_table (gpointer    table,
            C2gDataType data_type,
            double      mean,
            double      scale)
{
  double numbers[N_BYTES];

  for (int i = 0; i < N_BYTES; i++)
    numbers[i] = (i - mean) * scale;

  c2g_convert_items (data_type, table, C2G_DATA_TYPE_DOUBLE, numbers, N_BYTES, C2G_CONVERT_SATURATE,
                     NULL);
}

/* Numbers per channel: one for each channel, one for all, or none. */
typedef struct
{
  const double *numbers;
  gsize         n;
  double        otherwise;
} ChannelNumbers;

static gboolean
check_count (const ChannelNumbers  *self,
             gsize                  n_channels,
             GError               **error)
{
  if (self->n <= 1 || self->n == n_channels)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("Expected one number, or %zu for the channels, got %zu"), n_channels, self->n);
}

static double
get_number (const ChannelNumbers *self,
            gsize                 channel)
{
  return self->n == 0 ? self->otherwise : self->numbers[self->n > 1 ? channel : 0];
}

static void
normalize (C2gTensor            *source,
           C2gTensor            *target,
           const Plan           *plan,
           const ChannelNumbers *means,
           const ChannelNumbers *scales)
{
  const guint8 *bytes = c2g_tensor_address (source);
  char *items = c2g_tensor_address (target);
  const gsize item_size = target->meta->item_size;
  double table[N_BYTES];

  for (gsize c = 0; c < plan->n_channels; c++)
    {
      fill_table (table, target->meta->data_type, get_number (means, c), get_number (scales, c));
      look_up_channel (plan, table, item_size, bytes + c * plan->source.channel_step,
                       items + c * plan->target.channel_step * item_size);
    }
}

static C2gTensor *
new_moved (C2gTensor    *source,
           C2gTypeMeta  *meta,
           int           axis,
           int           new_axis,
           GError      **error)
{
  g_autofree gint64 *dims = g_memdup2 (source->dims, source->n_dims * sizeof (gint64));
  g_autoptr (C2gTensor) moved = NULL;

  if (axis < new_axis)
    memmove (&dims[axis], &dims[axis + 1], (new_axis - axis) * sizeof (gint64));
  else
    memmove (&dims[new_axis + 1], &dims[new_axis], (axis - new_axis) * sizeof (gint64));
  dims[new_axis] = source->dims[axis];

  moved = c2g_tensor_new_sized (dims, source->n_dims, NULL, error);

  return moved != NULL && c2g_tensor_allocate_meta (moved, meta, error) ? g_steal_pointer (&moved)
                                                                        : NULL;
}

/* Combines each element of a tensor on a device with the number of its channel. */
static gboolean
combine_channels (C2gTensor             *self,
                  int                    axis,
                  C2gComputeBinary       function,
                  const ChannelNumbers  *numbers,
                  GError               **error)
{
  const gint64 n_channels = self->dims[axis], n_numbers = (gint64) numbers->n;
  const gint64 n_inner = (gint64) count (self->dims, axis + 1, (int) self->n_dims);
  const gint64 dims[] = { self->n_elements / (n_channels * n_inner), n_channels, n_inner };
  const gint64 strides[] = { n_channels * n_inner, n_inner, 1 };
  const gint64 channel_strides[] = { 0, n_numbers > 1 ? 1 : 0, 0 };
  g_autoptr (C2gTensor) near = NULL;
  C2gFar far;

  if (n_numbers == 0)
    return TRUE;

  near = c2g_tensor_new_sized (&n_numbers, 1, NULL, error);
  if (near == NULL || !c2g_tensor_allocate (near, C2G_DATA_TYPE_DOUBLE, error))
    return FALSE;
  memcpy (c2g_tensor_address (near), numbers->numbers, numbers->n * sizeof (double));

  return c2g_far_begin (&far, self, near, error) &&
         c2g_far_end (&far,
                      C2G_FAR_COMPUTE (&far, error, C2G_COMPUTE_KIND_BINARY, .binary = function,
                                       .type = C2G_DATA_TYPE_DOUBLE, .dims = dims,
                                       .n_dims = G_N_ELEMENTS (dims),
                                       .x = c2g_tensor_address (far.self), .x_strides = strides,
                                       .other = c2g_tensor_address (far.other),
                                       .other_strides = channel_strides,
                                       .y = c2g_tensor_address (far.self)),
                      error);
}

static C2gTensor *
new_moved_far (C2gTensor  *source,
               int         axis,
               int         new_axis,
               GError    **error)
{
  g_autofree int *axes = g_new (int, source->n_dims);
  const int step = axis < new_axis ? 1 : -1;

  for (gsize i = 0; i < source->n_dims; i++)
    axes[i] = (int) i;
  for (int i = axis; i != new_axis; i += step)
    axes[i] = i + step;
  axes[new_axis] = axis;

  return c2g_tensor_transpose (source, axes, source->n_dims, error);
}

/* Moves the bytes before it converts them to doubles, which are eight times as large. Subtraction
 * and multiplication are separate steps, so results equal those of the CPU bit by bit. */
static C2gTensor *
new_normalized_far (C2gTensor             *source,
                    C2gTypeMeta           *meta,
                    int                    axis,
                    int                    new_axis,
                    const ChannelNumbers  *means,
                    const ChannelNumbers  *scales,
                    GError               **error)
{
  g_autoptr (C2gTensor) moved =
    axis == new_axis ? g_object_ref (source) : new_moved_far (source, axis, new_axis, error);
  g_autoptr (C2gTensor) doubles =
    moved != NULL ? c2g_tensor_convert (moved, C2G_DATA_TYPE_DOUBLE, C2G_CONVERT_SATURATE, error) : NULL;

  if (doubles == NULL || !combine_channels (doubles, new_axis, C2G_COMPUTE_BINARY_SUB, means, error) ||
      !combine_channels (doubles, new_axis, C2G_COMPUTE_BINARY_MUL, scales, error))
    return NULL;
  if (meta == doubles->meta)
    return g_steal_pointer (&doubles);

  return c2g_tensor_convert (doubles, meta->data_type, C2G_CONVERT_SATURATE, error);
}

/* SOURCE holds bytes, on the CPU or on a device with the functions, and nobody else can change it. */
static C2gTensor *
new_normalized (C2gTensor             *source,
                C2gTypeMeta           *meta,
                int                    axis,
                int                    new_axis,
                const ChannelNumbers  *means,
                const ChannelNumbers  *scales,
                GError               **error)
{
  g_autoptr (C2gTensor) target = NULL;
  Plan plan;

  axis = c2g_shape_axis (axis, source->n_dims, error);
  if (axis < 0)
    return NULL;
  new_axis = c2g_shape_axis (new_axis, source->n_dims, error);
  if (new_axis < 0 || !check_count (means, (gsize) source->dims[axis], error) ||
      !check_count (scales, (gsize) source->dims[axis], error))
    return NULL;
  if (source->device->type != C2G_DEVICE_TYPE_CPU)
    return new_normalized_far (source, meta, axis, new_axis, means, scales, error);

  target = new_moved (source, meta, axis, new_axis, error);
  if (target != NULL && target->n_elements > 0)
    {
      plan_init (&plan, source, axis, new_axis);
      normalize (source, target, &plan, means, scales);
    }

  return g_steal_pointer (&target);
}

static gboolean
check_types (C2gTensor    *self,
             C2gDataType   data_type,
             GError      **error)
{
  if (self->meta == NULL || self->meta->data_type != C2G_DATA_TYPE_UINT8)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("Expected a tensor of type “%s”, got one of type “%s”"),
                 c2g_data_type_get_name (C2G_DATA_TYPE_UINT8),
                 self->meta != NULL ? self->meta->name : "undefined");
  else if (!c2g_items_is_possible (data_type))
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("Expected elements of a floating-point type, got “%s”"),
                 c2g_data_type_get_name (data_type));
  else
    return TRUE;

  return FALSE;
}

/**
 * c2g_tensor_normalize:
 * @self: a tensor of `UINT8`, with data, on any device
 * @data_type: the element type of the result: `FLOAT`, `DOUBLE`, `FLOAT16` or `BFLOAT16`
 * @axis: the axis of the channels, counted from the end if negative
 * @new_axis: the axis of the channels in the result, counted from the end if negative
 * @means: (array length=n_means) (nullable): the numbers to subtract: one for each channel, or one
 *   for all; `NULL` means 0
 * @n_means: the number of means
 * @scales: (array length=n_scales) (nullable): the factors for the differences: one for each
 *   channel, or one for all; `NULL` means 1
 * @n_scales: the number of scales
 * @error: return location for an error
 *
 * Creates a tensor of floating-point numbers from the bytes of images.
 *
 * Each byte becomes `(byte - mean) * scale`, computed in double and rounded once. The channels can
 * also move to another axis, for nets that want them first. The result is on the same device. CUDA
 * devices do this themselves, and the call does not wait for them.
 *
 * ```python
 * # One picture, from rows of RGB pixels to planes.
 * planes = pixels.normalize(C2g.DataType.FLOAT, -1, 0, [123.675, 116.28, 103.53], [0.0171, 0.0175, 0.0174])
 * ```
 *
 * Fails with `C2G_ERROR_TYPE` for other types, `C2G_ERROR_SHAPE` if there is no such axis or no
 * shape, `C2G_ERROR_INVALID_ARGUMENT` for a wrong number of means or scales, `C2G_ERROR_FAILED`
 * without data, and `C2G_ERROR_NO_MEMORY`.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_tensor_normalize (C2gTensor     *self,
                      C2gDataType    data_type,
                      int            axis,
                      int            new_axis,
                      const double  *means,
                      gsize          n_means,
                      const double  *scales,
                      gsize          n_scales,
                      GError       **error)
{
  const ChannelNumbers all_means = { means, n_means, 0 };
  const ChannelNumbers all_scales = { scales, n_scales, 1 };
  g_autoptr (C2gTensor) held = NULL;
  g_autoptr (C2gTensor) normalized = NULL;
  C2gDevice *device;

  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);
  g_return_val_if_fail (means != NULL || n_means == 0, NULL);
  g_return_val_if_fail (scales != NULL || n_scales == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_tensor_check_data (self, error) || !check_types (self, data_type, error))
    return NULL;
  device = self->device;
  held = c2g_far_has (self, C2G_COMPUTE_KIND_BINARY) && c2g_tensor_is_converted_on (self->device)
           ? c2g_tensor_new_sharing (self)
           : c2g_tensor_hold_on_cpu (self, error);
  if (held == NULL || !check_types (held, data_type, error))
    return NULL;

  normalized = new_normalized (held, c2g_type_meta_builtin (data_type), axis, new_axis, &all_means,
                               &all_scales, error);
  if (normalized == NULL || normalized->device == device)
    return g_steal_pointer (&normalized);

  return c2g_tensor_to_device (normalized, device, error);
}
