/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/nn/c2g-conv-dnnl-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-dnnl-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <oneapi/dnnl/dnnl.h>
#include <math.h>
#include <string.h>

/* Convolutions by oneDNN. It keeps filters in an order of its own, and its fast implementations have
 * the channels last. Images that have them first are turned part by part, in memory that stays in
 * the cache of the thread. */
#define ENGINE "MKLDNN"

/* The last two dimensions of a place. */
#define AT(i) (C2G_WINDOW_MAX_DIMS - 2 + (i))

/* Fewest products of elements that are worth another thread. They take some microseconds. */
#define LEAST_PRODUCTS (1 << 17)

/* Most parts for each worker. */
#define MAX_PARTS 4

/* Floats of x and y that stay in the cache of a thread. */
#define N_CACHED (1 << 17)

/* All that a primitive is made for. */
typedef struct
{
  gint64 n_images;
  gint64 in[2];
  gint64 out[2];
  gint64 kernel[2];
  gint64 stride[2];
  gint64 dilation[2];
  gint64 head[2];
  gint64 tail[2];
  gint64 n_groups;
  gint64 n_in;
  gint64 n_out;
  gint64 has_bias;
  gint64 has_sum;
  gint64 has_relu;
  double max;
  /* NCHW: the distance of two channels in memory, that is the pixels of the whole image. 0 for NHWC. */
  gint64 x_plane;
  gint64 y_plane;
} Shape;

/* A run is divided into parts of some images, or of some rows of one. */
typedef struct
{
  Shape  whole;
  gint64 n_images;
  gint64 n_rows;
} Division;

typedef struct
{
  Shape            shape;
  dnnl_primitive_t primitive;
  /* Only for NCHW: from x to what the primitive reads, and from what it writes to y. */
  dnnl_primitive_t turn_x;
  dnnl_primitive_t turn_y;
} Plan;

/* One thread computes a part with one call of oneDNN, which cannot be interrupted. */
typedef struct
{
  /* Index in plans. */
  guint         plan;
  gint64        x_offset;
  gint64        y_offset;
  dnnl_memory_t x;
  dnnl_memory_t y;
  dnnl_memory_t scratch;
  /* Only for NCHW: the part in the images as they are. */
  dnnl_memory_t given_x;
  dnnl_memory_t given_y;
} Part;

struct _C2gConvDnnl
{
  /* All that follows is made for this division, and kept until there is another one. */
  Division      division;
  gboolean      is_divided;
  /* Parts with the same shape share a plan. */
  GArray       *plans;
  /* Empty if the default way is the better one for the shape. */
  GArray       *parts;

  /* The filters in the order of the primitives. */
  dnnl_memory_t filters;
  C2gScratch    filter_memory;
  gboolean      is_reordered;
  dnnl_memory_t bias;
  /* Most bytes that a part needs, each a multiple of 64: for the primitive, and for NCHW also for
   * the turned x and y. */
  gsize         n_scratch_bytes;
  gsize         n_x_bytes;
  gsize         n_y_bytes;
};

/* For all operators; there is one CPU, and its stream has no state. */
static dnnl_engine_t cpu;
static dnnl_stream_t stream;

static gboolean
check (dnnl_status_t   status,
       GError        **error)
{
  if (status == dnnl_success)
    return TRUE;
  if (status == dnnl_out_of_memory)
    g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                 _("Not enough memory for the engine “%s”"), ENGINE);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED, _("The engine “%s” failed with status %d"),
                 ENGINE, (int) status);
  return FALSE;
}

static void
find_shape (const C2gConv *conv,
            Shape         *shape)
{
  const C2gWindowPlace *place = &conv->place;

  memset (shape, 0, sizeof *shape);
  shape->n_images = place->n_images;
  for (guint i = 0; i < 2; i++)
    {
      shape->in[i] = place->in[AT (i)];
      shape->out[i] = place->out[AT (i)];
      shape->kernel[i] = place->kernel[AT (i)];
      shape->stride[i] = place->stride[AT (i)];
      shape->dilation[i] = place->dilation[AT (i)];
      shape->head[i] = place->head[AT (i)];
      shape->tail[i] = place->tail[AT (i)];
    }
  if (!place->channels_last)
    {
      shape->x_plane = place->n_in;
      shape->y_plane = place->n_out;
    }
  /* Each pixel is computed by itself: all images are the rows of one, which can be divided anywhere.
   * Code for depthwise convolutions wants long rows. oneDNN computes with sizes that are int. */
  else if (c2g_window_place_is_pointwise (place) && conv->n_groups == 1 &&
           place->n_out > 0 && place->n_images <= G_MAXINT / place->n_out)
    {
      shape->in[0] = shape->out[0] = place->n_images * place->n_out;
      shape->in[1] = shape->out[1] = 1;
      shape->dilation[0] = shape->dilation[1] = 1;
      shape->n_images = 1;
    }
  shape->n_groups = conv->n_groups;
  shape->n_in = place->n_channels;
  shape->n_out = conv->n_channels;
  shape->has_bias = conv->bias != NULL;
  shape->has_sum = conv->sum != NULL;
  shape->has_relu = conv->has_relu;
  shape->max = conv->max;
}

/* Checks that oneDNN computes the same output size. */
static gboolean
is_plain (const Shape *shape)
{
  gboolean is_plain = TRUE;

  for (guint i = 0; i < 2; i++)
    {
      const gint64 reach = shape->dilation[i] * (shape->kernel[i] - 1) + 1;
      const gint64 room = shape->in[i] + shape->head[i] + shape->tail[i] - reach;

      is_plain &= shape->head[i] >= 0 && shape->tail[i] >= 0 && room >= 0 &&
                  room / shape->stride[i] + 1 == shape->out[i];
    }
  return is_plain;
}

static void
clear_plan (gpointer data)
{
  Plan *plan = data;

  dnnl_primitive_destroy (plan->primitive);
  if (plan->turn_x != NULL)
    dnnl_primitive_destroy (plan->turn_x);
  if (plan->turn_y != NULL)
    dnnl_primitive_destroy (plan->turn_y);
}

static void
clear_memory (dnnl_memory_t *memory)
{
  if (*memory != NULL)
    dnnl_memory_destroy (*memory);
  *memory = NULL;
}

static void
clear_part (gpointer data)
{
  Part *part = data;

  clear_memory (&part->x);
  clear_memory (&part->y);
  clear_memory (&part->scratch);
  clear_memory (&part->given_x);
  clear_memory (&part->given_y);
}

/* Leaves no part: then the default way computes. */
static void
forget (C2gConvDnnl *self)
{
  g_array_set_size (self->parts, 0);
  g_array_set_size (self->plans, 0);
  clear_memory (&self->filters);
  clear_memory (&self->bias);
  c2g_scratch_clear (&self->filter_memory);
  self->is_reordered = FALSE;
  self->n_scratch_bytes = self->n_x_bytes = self->n_y_bytes = 0;
}

/* Filters as they are given: [M, kernel, C / groups], or [M, C / groups, kernel]. */
static dnnl_status_t
describe_filters (const Shape        *shape,
                  dnnl_format_tag_t   plain,
                  dnnl_format_tag_t   grouped,
                  dnnl_memory_desc_t *filters)
{
  const gint64 g = shape->n_groups;
  const dnnl_dims_t dims = { shape->n_out, shape->n_in, shape->kernel[0], shape->kernel[1] };
  const dnnl_dims_t group_dims = { g, shape->n_out / g, shape->n_in / g, shape->kernel[0],
                                   shape->kernel[1] };

  return g == 1 ? dnnl_memory_desc_init_by_tag (filters, 4, dims, dnnl_f32, plain)
                : dnnl_memory_desc_init_by_tag (filters, 5, group_dims, dnnl_f32, grouped);
}

/* The first primitive chooses the order of the filters, and the others follow. */
static dnnl_status_t
describe (const C2gConvDnnl       *self,
          const Shape             *shape,
          dnnl_convolution_desc_t *conv)
{
  const dnnl_dims_t x_dims = { shape->n_images, shape->n_in, shape->in[0], shape->in[1] };
  const dnnl_dims_t y_dims = { shape->n_images, shape->n_out, shape->out[0], shape->out[1] };
  const dnnl_dims_t bias_dims = { shape->n_out };
  const dnnl_dims_t strides = { shape->stride[0], shape->stride[1] };
  const dnnl_dims_t dilates = { shape->dilation[0] - 1, shape->dilation[1] - 1 };
  const dnnl_dims_t heads = { shape->head[0], shape->head[1] };
  const dnnl_dims_t tails = { shape->tail[0], shape->tail[1] };
  dnnl_memory_desc_t x, y, filters, bias;
  const dnnl_memory_desc_t *ordered = &filters;
  dnnl_status_t status;

  status = dnnl_memory_desc_init_by_tag (&x, 4, x_dims, dnnl_f32, dnnl_nhwc);
  if (status == dnnl_success)
    status = dnnl_memory_desc_init_by_tag (&y, 4, y_dims, dnnl_f32, dnnl_nhwc);
  if (status == dnnl_success && self->filters != NULL)
    status = dnnl_memory_get_memory_desc (self->filters, &ordered);
  else if (status == dnnl_success)
    status = describe_filters (shape, dnnl_format_tag_any, dnnl_format_tag_any, &filters);
  if (status == dnnl_success)
    status = dnnl_memory_desc_init_by_tag (&bias, 1, bias_dims, dnnl_f32, dnnl_x);
  if (status != dnnl_success)
    return status;
  return dnnl_dilated_convolution_forward_desc_init (
    conv, dnnl_forward_inference, dnnl_convolution_direct, &x, ordered,
    shape->has_bias ? &bias : NULL, &y, strides, dilates, heads, tails);
}

/* Adds the steps that follow the products: the sum with what is in the output, and Relu. */
static dnnl_status_t
describe_rest (const Shape           *shape,
               dnnl_primitive_attr_t  attributes)
{
  dnnl_post_ops_t ops;
  dnnl_status_t status = dnnl_post_ops_create (&ops);

  if (status != dnnl_success)
    return status;
  if (shape->has_sum)
    status = dnnl_post_ops_append_sum (ops, 1);
  if (status == dnnl_success && shape->has_relu)
    status = dnnl_post_ops_append_eltwise (
      ops, 1, isinf (shape->max) ? dnnl_eltwise_relu : dnnl_eltwise_clip, 0, (float) shape->max);
  if (status == dnnl_success)
    status = dnnl_primitive_attr_set_post_ops (attributes, ops);
  dnnl_post_ops_destroy (ops);
  return status;
}

static dnnl_status_t
create_desc (const C2gConvDnnl     *self,
             const Shape           *shape,
             dnnl_primitive_desc_t *desc)
{
  dnnl_convolution_desc_t conv;
  dnnl_primitive_attr_t attributes;
  dnnl_status_t status = dnnl_primitive_attr_create (&attributes);

  if (status != dnnl_success)
    return status;
  status = dnnl_primitive_attr_set_scratchpad_mode (attributes, dnnl_scratchpad_mode_user);
  if (status == dnnl_success)
    status = describe_rest (shape, attributes);
  if (status == dnnl_success)
    status = describe (self, shape, &conv);
  if (status == dnnl_success)
    status = dnnl_primitive_desc_create (desc, &conv, attributes, cpu, NULL);
  dnnl_primitive_attr_destroy (attributes);
  return status;
}

static gboolean
is_fast (const_dnnl_primitive_desc_t desc)
{
  const char *implementation = NULL;

  return dnnl_primitive_desc_query (desc, dnnl_query_impl_info_str, 0, &implementation) ==
           dnnl_success &&
         c2g_dnnl_is_fast (implementation);
}

/* A handle without memory, unless it has some already or there is nothing to remember. */
static dnnl_status_t
create_memory (const_dnnl_primitive_desc_t  desc,
               dnnl_query_t                 what,
               int                          index,
               dnnl_memory_t               *memory)
{
  const dnnl_memory_desc_t *described = dnnl_primitive_desc_query_md (desc, what, index);

  if (*memory != NULL || dnnl_memory_desc_get_size (described) == 0)
    return dnnl_success;
  return dnnl_memory_create (memory, described, cpu, DNNL_MEMORY_NONE);
}

/* Describes some rows of NCHW images. */
static dnnl_status_t
describe_given (const Shape        *shape,
                gint64              n_channels,
                const gint64       *size,
                gint64              plane,
                dnnl_memory_desc_t *given)
{
  const dnnl_dims_t dims = { shape->n_images, n_channels, size[0], size[1] };
  const dnnl_dims_t strides = { n_channels * plane, plane, size[1], 1 };

  return dnnl_memory_desc_init_by_strides (given, 4, dims, dnnl_f32, strides);
}

static dnnl_status_t
create_turn (const dnnl_memory_desc_t *from,
             const dnnl_memory_desc_t *to,
             dnnl_primitive_t         *turn)
{
  dnnl_primitive_desc_t desc;
  dnnl_status_t status = dnnl_reorder_primitive_desc_create (&desc, from, cpu, to, cpu, NULL);

  if (status != dnnl_success)
    return status;
  status = dnnl_primitive_create (turn, desc);
  dnnl_primitive_desc_destroy (desc);
  return status;
}

static dnnl_status_t
create_turns (const_dnnl_primitive_desc_t  conv,
              Plan                        *plan)
{
  const Shape *shape = &plan->shape;
  const dnnl_memory_desc_t *x = dnnl_primitive_desc_query_md (conv, dnnl_query_src_md, 0);
  const dnnl_memory_desc_t *y = dnnl_primitive_desc_query_md (conv, dnnl_query_dst_md, 0);
  dnnl_memory_desc_t given;
  dnnl_status_t status = describe_given (shape, shape->n_in, shape->in, shape->x_plane, &given);

  if (status == dnnl_success)
    status = create_turn (&given, x, &plan->turn_x);
  if (status == dnnl_success)
    status = describe_given (shape, shape->n_out, shape->out, shape->y_plane, &given);
  if (status == dnnl_success)
    status = create_turn (y, &given, &plan->turn_y);
  return status;
}

/* Makes the primitive for the shape, and what all primitives share. A shape that oneDNN cannot do,
 * or not fast, is dnnl_unimplemented. */
static dnnl_status_t
create_plan (C2gConvDnnl *self,
             const Shape *shape)
{
  Plan plan = { *shape };
  dnnl_primitive_desc_t desc;
  dnnl_status_t status = create_desc (self, shape, &desc);

  if (status != dnnl_success)
    return status == dnnl_invalid_arguments ? dnnl_unimplemented : status;

  status = is_fast (desc) ? create_memory (desc, dnnl_query_weights_md, 0, &self->filters)
                          : dnnl_unimplemented;
  if (status == dnnl_success && shape->has_bias)
    status = create_memory (desc, dnnl_query_weights_md, 1, &self->bias);
  if (status == dnnl_success)
    status = dnnl_primitive_create (&plan.primitive, desc);
  if (status == dnnl_success)
    {
      g_array_append_val (self->plans, plan);
      if (shape->x_plane > 0)
        status = create_turns (desc, &g_array_index (self->plans, Plan, self->plans->len - 1));
    }
  dnnl_primitive_desc_destroy (desc);
  return status;
}

static dnnl_status_t
find_plan (C2gConvDnnl *self,
           const Shape *shape,
           guint       *index)
{
  for (*index = 0; *index < self->plans->len; ++*index)
    if (memcmp (shape, &g_array_index (self->plans, Plan, *index).shape, sizeof *shape) == 0)
      return dnnl_success;
  return create_plan (self, shape);
}

/* Makes a number at least the bytes of a memory. All scratch memory begins at cache lines. */
static void
raise_bytes (const_dnnl_primitive_desc_t  desc,
             dnnl_query_t                 what,
             gsize                       *n_bytes)
{
  const dnnl_memory_desc_t *described = dnnl_primitive_desc_query_md (desc, what, 0);

  *n_bytes = MAX (*n_bytes, (dnnl_memory_desc_get_size (described) + 63) / 64 * 64);
}

/* The images as they are, for NCHW. */
static dnnl_status_t
create_given (C2gConvDnnl                 *self,
              const Shape                 *shape,
              const_dnnl_primitive_desc_t  desc,
              Part                        *part)
{
  dnnl_memory_desc_t given;
  dnnl_status_t status = describe_given (shape, shape->n_in, shape->in, shape->x_plane, &given);

  if (status == dnnl_success)
    status = dnnl_memory_create (&part->given_x, &given, cpu, DNNL_MEMORY_NONE);
  if (status == dnnl_success)
    status = describe_given (shape, shape->n_out, shape->out, shape->y_plane, &given);
  if (status == dnnl_success)
    status = dnnl_memory_create (&part->given_y, &given, cpu, DNNL_MEMORY_NONE);
  raise_bytes (desc, dnnl_query_src_md, &self->n_x_bytes);
  raise_bytes (desc, dnnl_query_dst_md, &self->n_y_bytes);
  return status;
}

static dnnl_status_t
add_part (C2gConvDnnl *self,
          const Shape *shape,
          Part        *part)
{
  dnnl_status_t status = find_plan (self, shape, &part->plan);
  const_dnnl_primitive_desc_t desc;

  if (status != dnnl_success)
    return status;
  g_array_append_vals (self->parts, part, 1);
  part = &g_array_index (self->parts, Part, self->parts->len - 1);
  status = dnnl_primitive_get_primitive_desc (
    g_array_index (self->plans, Plan, part->plan).primitive, &desc);
  if (status == dnnl_success)
    status = create_memory (desc, dnnl_query_src_md, 0, &part->x);
  if (status == dnnl_success)
    status = create_memory (desc, dnnl_query_dst_md, 0, &part->y);
  if (status == dnnl_success)
    status = create_memory (desc, dnnl_query_scratchpad_md, 0, &part->scratch);
  if (status == dnnl_success)
    raise_bytes (desc, dnnl_query_scratchpad_md, &self->n_scratch_bytes);
  if (status == dnnl_success && shape->x_plane > 0)
    status = create_given (self, shape, desc, part);
  return status;
}

/* Adds the part that begins at the image and the row of the output. */
static dnnl_status_t
add_part_at (C2gConvDnnl *self,
             gint64       image,
             gint64       row)
{
  const Shape *whole = &self->division.whole;
  const gint64 n_rows = MIN (self->division.n_rows, whole->out[0] - row);
  const gint64 reach = whole->dilation[0] * (whole->kernel[0] - 1) + 1;
  const gint64 first = row * whole->stride[0] - whole->head[0];
  const gint64 end = first + (n_rows - 1) * whole->stride[0] + reach;
  const gint64 begin = n_rows < whole->out[0] ? MAX (first, 0) : 0;
  Shape shape = *whole;
  Part part = { 0 };

  shape.n_images = MIN (self->division.n_images, whole->n_images - image);
  shape.out[0] = n_rows;
  if (n_rows < whole->out[0])
    {
      shape.head[0] = MAX (-first, 0);
      shape.tail[0] = MAX (end - whole->in[0], 0);
      shape.in[0] = MIN (end, whole->in[0]) - begin;
    }
  part.x_offset = image * whole->in[0] * whole->in[1] * whole->n_in +
                  begin * whole->in[1] * (whole->x_plane > 0 ? 1 : whole->n_in);
  part.y_offset = image * whole->out[0] * whole->out[1] * whole->n_out +
                  row * whole->out[1] * (whole->y_plane > 0 ? 1 : whole->n_out);
  return add_part (self, &shape, &part);
}

static dnnl_status_t
add_parts (C2gConvDnnl *self)
{
  const Division *division = &self->division;
  dnnl_status_t status = dnnl_success;

  for (gint64 image = 0; image < division->whole.n_images; image += division->n_images)
    for (gint64 row = 0; row < division->whole.out[0] && status == dnnl_success;
         row += division->n_rows)
      status = add_part_at (self, image, row);
  return status;
}

static gint64
divide_up (gint64 n,
           gint64 by)
{
  return (n + by - 1) / by;
}

/* Returns the number of parts for all workers. Several parts for each of them balance the load if one
 * is slower, but each part reads all filters: so they are not more than the images and the filters
 * allow. */
static gint64
count_parts (const Shape *whole,
             gint64       n_workers)
{
  const double n_floats =
    (double) whole->n_images *
    ((double) (whole->in[0] * whole->in[1]) * (double) whole->n_in +
     (double) (whole->out[0] * whole->out[1]) * (double) whole->n_out);
  const double n_filters = (double) whole->n_out * (double) (whole->n_in / whole->n_groups) *
                           (double) (whole->kernel[0] * whole->kernel[1]);

  return n_workers * (gint64) CLAMP (n_floats / (n_filters * (double) n_workers), 1, MAX_PARTS);
}

/* Makes parts whose turned x and y stay in the cache of a thread. */
static void
keep_in_cache (Division *division,
               gboolean  has_rows)
{
  const Shape *whole = &division->whole;
  const double row =
    (double) (whole->in[1] * whole->stride[0]) * (double) whole->n_in +
    (double) whole->out[1] * (double) whole->n_out;
  const double image = row * (double) whole->out[0];

  division->n_images = MIN (division->n_images, MAX ((gint64) (N_CACHED / image), 1));
  if (division->n_images == 1 && has_rows)
    division->n_rows = MIN (division->n_rows, MAX ((gint64) (N_CACHED / row), 1));
}

/* Divides a run for the workers, and further if it can be cancelled. Rows are parts only where each
 * window has something of the image. */
static void
divide (const Shape *whole,
        Division    *division)
{
  const gint64 n_workers = c2g_parallel_get_n_workers ();
  const gint64 n_parts = count_parts (whole, n_workers);
  const double work_of_row = (double) whole->out[1] * (double) whole->n_out *
                             (double) (whole->n_in / whole->n_groups) *
                             (double) (whole->kernel[0] * whole->kernel[1]);
  const double work = work_of_row * (double) whole->out[0];
  const gint64 reach = whole->dilation[0] * (whole->kernel[0] - 1) + 1;
  const gboolean has_rows = whole->head[0] < reach && whole->tail[0] < reach;
  const gint64 n_rows = whole->out[0];
  gint64 n_parts_per_image = divide_up (n_parts, whole->n_images);

  memset (division, 0, sizeof *division);
  division->whole = *whole;
  division->n_images = whole->n_images;
  division->n_rows = n_rows;
  if (whole->n_images % n_workers != 0)
    n_parts_per_image = MAX (n_parts_per_image, n_workers);
  if (n_workers > 1 && work * (double) whole->n_images >= 2 * LEAST_PRODUCTS)
    {
      if (has_rows && whole->n_images % n_parts != 0 && whole->n_images < 4 * n_workers)
        {
          division->n_images = 1;
          division->n_rows = MIN (n_rows, MAX (divide_up (n_rows, n_parts_per_image),
                                               (gint64) (LEAST_PRODUCTS / work_of_row)));
        }
      else
        division->n_images = MAX (divide_up (whole->n_images, n_parts), (gint64) (LEAST_PRODUCTS / work));
    }
  if (whole->x_plane > 0)
    keep_in_cache (division, has_rows);
  if (c2g_interrupt_cancellable == NULL)
    return;
  division->n_images =
    MIN (division->n_images, MAX ((gint64) (C2G_INTERRUPT_PRODUCTS / work), 1));
  if (division->n_images == 1 && has_rows)
    division->n_rows =
      MIN (division->n_rows, MAX ((gint64) (C2G_INTERRUPT_PRODUCTS / work_of_row), 1));
}

/* Leaves no part after a failure of oneDNN, which may not be able to make code in this process. */
static void
give_up (C2gConvDnnl   *self,
         dnnl_status_t  status)
{
  forget (self);
  if (status != dnnl_unimplemented)
    g_debug ("The engine “%s” failed with status %d, and the default one computes", ENGINE,
             (int) status);
}

/* Makes all that a run needs. There are no parts if the default way shall compute. */
static void
ensure_parts (C2gConvDnnl   *self,
              const C2gConv *conv)
{
  dnnl_status_t status = dnnl_unimplemented;
  Division division;
  Shape whole;

  find_shape (conv, &whole);
  divide (&whole, &division);
  if (self->is_divided && memcmp (&division, &self->division, sizeof division) == 0)
    return;

  forget (self);
  self->division = division;
  self->is_divided = TRUE;
  if (is_plain (&whole))
    status = add_parts (self);
  if (status != dnnl_success)
    give_up (self, status);
}

static dnnl_status_t
reorder (C2gConvDnnl   *self,
         dnnl_memory_t  given)
{
  const dnnl_exec_arg_t arguments[] = { { DNNL_ARG_FROM, given },
                                        { DNNL_ARG_TO, self->filters } };
  const dnnl_memory_desc_t *from, *to;
  dnnl_primitive_t primitive;
  dnnl_status_t status;

  dnnl_memory_get_memory_desc (given, &from);
  dnnl_memory_get_memory_desc (self->filters, &to);
  status = create_turn (from, to, &primitive);
  if (status != dnnl_success)
    return status;
  status = dnnl_primitive_execute (primitive, stream, G_N_ELEMENTS (arguments), arguments);
  dnnl_primitive_destroy (primitive);
  return status;
}

static gboolean
order_filters (C2gConvDnnl    *self,
               const C2gConv  *conv,
               gboolean        is_constant,
               GError        **error)
{
  const gboolean is_last = conv->place.channels_last;
  const dnnl_memory_desc_t *ordered;
  dnnl_memory_desc_t description;
  dnnl_memory_t given = NULL;
  dnnl_status_t status;

  if (self->is_reordered && is_constant)
    return TRUE;
  dnnl_memory_get_memory_desc (self->filters, &ordered);
  if (!c2g_scratch_extend (&self->filter_memory, dnnl_memory_desc_get_size (ordered), 1, error))
    return FALSE;
  dnnl_memory_set_data_handle (self->filters, self->filter_memory.items);

  status = describe_filters (&self->division.whole, is_last ? dnnl_acdb : dnnl_abcd,
                             is_last ? dnnl_abdec : dnnl_abcde, &description);
  if (status == dnnl_success)
    status = dnnl_memory_create (&given, &description, cpu, (gpointer) conv->filters);
  if (status == dnnl_success)
    status = reorder (self, given);
  clear_memory (&given);
  self->is_reordered = status == dnnl_success;
  if (status != dnnl_success)
    give_up (self, status);
  return TRUE;
}

/* Running */

typedef struct
{
  C2gConvDnnl   *self;
  const C2gConv *conv;
  gpointer       scratch;
  /* Accessed atomically: the first failure. */
  int            status;
} Run;

static gsize
count_bytes (const C2gConvDnnl *self)
{
  return self->n_scratch_bytes + self->n_x_bytes + self->n_y_bytes;
}

static dnnl_status_t
turn (dnnl_primitive_t primitive,
      dnnl_memory_t    from,
      dnnl_memory_t    to)
{
  const dnnl_exec_arg_t arguments[] = { { DNNL_ARG_FROM, from }, { DNNL_ARG_TO, to } };

  return dnnl_primitive_execute (primitive, stream, G_N_ELEMENTS (arguments), arguments);
}

/* Tells the memories of a part where they are. */
static void
place_part (const Run  *run,
            const Part *part,
            guint8     *scratch)
{
  const C2gConvDnnl *self = run->self;
  gpointer x = (gpointer) (run->conv->x + part->x_offset);
  gpointer y = run->conv->y + part->y_offset;

  if (part->scratch != NULL)
    dnnl_memory_set_data_handle (part->scratch, scratch);
  if (part->given_x != NULL)
    {
      dnnl_memory_set_data_handle (part->given_x, x);
      dnnl_memory_set_data_handle (part->given_y, y);
      x = scratch + self->n_scratch_bytes;
      y = scratch + self->n_scratch_bytes + self->n_x_bytes;
    }
  dnnl_memory_set_data_handle (part->x, x);
  dnnl_memory_set_data_handle (part->y, y);
}

static dnnl_status_t
run_part (const Run  *run,
          const Part *part,
          guint       worker)
{
  C2gConvDnnl *self = run->self;
  const C2gConv *conv = run->conv;
  const Plan *plan = &g_array_index (self->plans, Plan, part->plan);
  const Shape *shape = &plan->shape;
  dnnl_exec_arg_t arguments[] = { { DNNL_ARG_SRC, part->x },
                                  { DNNL_ARG_WEIGHTS, self->filters },
                                  { DNNL_ARG_DST, part->y },
                                  { DNNL_ARG_BIAS, self->bias },
                                  { 0 } };
  int n = self->bias != NULL ? 4 : 3;
  dnnl_status_t status = dnnl_success;

  if (part->scratch != NULL)
    arguments[n++] = (dnnl_exec_arg_t) { DNNL_ARG_SCRATCHPAD, part->scratch };

  place_part (run, part, (guint8 *) run->scratch + worker * count_bytes (self));
  if (conv->sum != NULL && conv->sum != conv->y)
    memcpy (conv->y + part->y_offset, conv->sum + part->y_offset,
            shape->n_images * shape->out[0] * shape->out[1] * shape->n_out * sizeof (float));
  if (plan->turn_x != NULL)
    status = turn (plan->turn_x, part->given_x, part->x);
  if (status == dnnl_success)
    status = dnnl_primitive_execute (plan->primitive, stream, n, arguments);
  if (status == dnnl_success && plan->turn_y != NULL)
    status = turn (plan->turn_y, part->y, part->given_y);
  return status;
}

static void
run_some_parts (gsize    begin,
                gsize    end,
                guint    worker,
                gpointer data)
{
  Run *run = data;
  const int n_threads = c2g_dnnl_set_n_threads (1);

  for (gsize i = begin; i < end && g_atomic_int_get (&run->status) == dnnl_success; i++)
    {
      const int status =
        run_part (run, &g_array_index (run->self->parts, Part, i), worker);

      if (status != dnnl_success)
        g_atomic_int_set (&run->status, status);
    }
  c2g_dnnl_set_n_threads (n_threads);
}

static gboolean
run_parts (C2gConvDnnl    *self,
           const C2gConv  *conv,
           C2gScratch     *scratch,
           GError        **error)
{
  const guint n_workers = MIN (c2g_parallel_get_n_workers (), self->parts->len);
  Run run = { self, conv, .status = dnnl_success };

  if (!c2g_scratch_extend (scratch, n_workers, count_bytes (self), error))
    return FALSE;
  run.scratch = scratch->items;
  if (self->bias != NULL)
    dnnl_memory_set_data_handle (self->bias, (gpointer) conv->bias);
  c2g_parallel_for_workers (self->parts->len, 1, n_workers, run_some_parts, &run);
  return check (run.status, error);
}

static gboolean
prepare (C2gConvDnnl    *self,
         const C2gConv  *conv,
         gboolean        is_constant,
         GError        **error)
{
  const int n_threads = c2g_dnnl_set_n_threads (1);
  gboolean is_done;

  ensure_parts (self, conv);
  is_done = self->parts->len == 0 || order_filters (self, conv, is_constant, error);
  c2g_dnnl_set_n_threads (n_threads);
  return is_done;
}

gboolean
c2g_conv_dnnl_start (void)
{
  static gsize state;

  if (g_once_init_enter (&state))
    g_once_init_leave (&state,
                       dnnl_engine_create (&cpu, dnnl_cpu, 0) == dnnl_success &&
                           dnnl_stream_create (&stream, cpu, dnnl_stream_default_flags) == dnnl_success
                         ? 1
                         : 2);
  return state == 1;
}

C2gConvDnnl *
c2g_conv_dnnl_new (void)
{
  C2gConvDnnl *self;

  if (!c2g_conv_dnnl_start ())
    return NULL;
  self = g_new0 (C2gConvDnnl, 1);
  self->plans = g_array_new (FALSE, FALSE, sizeof (Plan));
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (self->plans, clear_plan);
  g_array_set_clear_func (self->parts, clear_part);
  return self;
}

void
c2g_conv_dnnl_free (C2gConvDnnl *self)
{
  forget (self);
  g_array_unref (self->parts);
  g_array_unref (self->plans);
  g_free (self);
}

gboolean
c2g_conv_dnnl_run (C2gConvDnnl    *self,
                   const C2gConv  *conv,
                   gboolean        is_constant,
                   C2gScratch     *scratch,
                   gboolean       *is_done,
                   GError        **error)
{
  if (!prepare (self, conv, is_constant, error))
    return FALSE;
  *is_done = self->parts->len > 0;
  return !*is_done || run_parts (self, conv, scratch, error);
}
