/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/nn/c2g-conv-plan-private.h>

#include <c2g/ops/support/c2g-dnnl-private.h>

#include <math.h>
#include <string.h>

/* Describes a convolution of one shape to oneDNN, and makes the primitive that computes it. oneDNN may
 * want the images and the filters in another order in memory than they have. */

/* The last two dimensions of a place. */
#define AT(i) (C2G_WINDOW_MAX_DIMS - 2 + (i))

dnnl_engine_t c2g_conv_cpu;
dnnl_stream_t c2g_conv_stream;

void
c2g_conv_shape_find (const C2gConv *conv,
                     C2gConvShape  *shape)
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

gboolean
c2g_conv_shape_is_plain (const C2gConvShape *self)
{
  gboolean is_plain = TRUE;

  for (guint i = 0; i < 2; i++)
    {
      const gint64 reach = self->dilation[i] * (self->kernel[i] - 1) + 1;
      const gint64 room = self->in[i] + self->head[i] + self->tail[i] - reach;

      is_plain &= self->head[i] >= 0 && self->tail[i] >= 0 && room >= 0 &&
                  room / self->stride[i] + 1 == self->out[i];
    }
  return is_plain;
}

static dnnl_status_t
describe_filters (const C2gConvShape *shape,
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

dnnl_status_t
c2g_conv_shape_describe_filters (const C2gConvShape *self,
                                 gboolean            is_nhwc,
                                 dnnl_memory_desc_t *filters)
{
  return describe_filters (self, is_nhwc ? dnnl_acdb : dnnl_abcd,
                           is_nhwc ? dnnl_abdec : dnnl_abcde, filters);
}

static dnnl_status_t
describe_images (const C2gConvShape *shape,
                 gint64              n_channels,
                 const gint64       *size,
                 gint64              plane,
                 dnnl_memory_desc_t *images)
{
  const dnnl_dims_t dims = { shape->n_images, n_channels, size[0], size[1] };
  const dnnl_dims_t strides = { n_channels * plane, plane, size[1], 1 };

  return plane > 0 ? dnnl_memory_desc_init_by_strides (images, 4, dims, dnnl_f32, strides)
                   : dnnl_memory_desc_init_by_tag (images, 4, dims, dnnl_f32, dnnl_nhwc);
}

dnnl_status_t
c2g_conv_shape_describe_x (const C2gConvShape *self,
                           dnnl_memory_desc_t *x)
{
  return describe_images (self, self->n_in, self->in, self->x_plane, x);
}

dnnl_status_t
c2g_conv_shape_describe_y (const C2gConvShape *self,
                           dnnl_memory_desc_t *y)
{
  return describe_images (self, self->n_out, self->out, self->y_plane, y);
}

static gboolean
has_isa (dnnl_cpu_isa_t isa)
{
  return (dnnl_get_effective_cpu_isa () & isa) == isa;
}

/* Returns the order of the images that the primitive reads and writes. NCHW images, which are turned
 * anyway, are turned to blocks of channels where these are full: that takes half to two thirds of the
 * time, and convolutions take as long. With AVX-512, images of only one block are faster in
 * NHWC. */
static dnnl_format_tag_t
find_order (const C2gConvShape *shape)
{
  const gboolean is_large = has_isa (dnnl_cpu_isa_avx512_core);
  const gint64 block = is_large ? 16 : 8;
  const gboolean is_depthwise = shape->n_groups == shape->n_in && shape->n_out == shape->n_in;

  if (shape->is_winograd)
    return dnnl_format_tag_any;
  if (shape->x_plane == 0 || !has_isa (dnnl_cpu_isa_avx2) || shape->n_in % block != 0 ||
      shape->n_out % block != 0 || (shape->n_groups > 1 && !is_depthwise) ||
      (is_large && !is_depthwise && MIN (shape->n_in, shape->n_out) == block))
    return dnnl_nhwc;
  return is_large ? dnnl_aBcd16b : dnnl_aBcd8b;
}

static dnnl_status_t
describe (const C2gConvShape       *shape,
          const dnnl_memory_desc_t *ordered,
          dnnl_format_tag_t         tag,
          dnnl_convolution_desc_t  *conv)
{
  const dnnl_dims_t x_dims = { shape->n_images, shape->n_in, shape->in[0], shape->in[1] };
  const dnnl_dims_t y_dims = { shape->n_images, shape->n_out, shape->out[0], shape->out[1] };
  const dnnl_dims_t bias_dims = { shape->n_out };
  const dnnl_dims_t strides = { shape->stride[0], shape->stride[1] };
  const dnnl_dims_t dilates = { shape->dilation[0] - 1, shape->dilation[1] - 1 };
  const dnnl_dims_t heads = { shape->head[0], shape->head[1] };
  const dnnl_dims_t tails = { shape->tail[0], shape->tail[1] };
  dnnl_memory_desc_t x, y, filters, bias;
  dnnl_status_t status = dnnl_memory_desc_init_by_tag (&x, 4, x_dims, dnnl_f32, tag);

  if (status == dnnl_success)
    status = dnnl_memory_desc_init_by_tag (&y, 4, y_dims, dnnl_f32, tag);
  if (status == dnnl_success)
    status = describe_filters (shape, dnnl_format_tag_any, dnnl_format_tag_any, &filters);
  if (status == dnnl_success)
    status = dnnl_memory_desc_init_by_tag (&bias, 1, bias_dims, dnnl_f32, dnnl_x);
  if (status != dnnl_success)
    return status;
  return dnnl_dilated_convolution_forward_desc_init (
    conv, dnnl_forward_inference,
    shape->is_winograd ? dnnl_convolution_winograd : dnnl_convolution_direct, &x,
    ordered != NULL ? ordered : &filters, shape->has_bias ? &bias : NULL, &y, strides, dilates,
    heads, tails);
}

/* Adds the steps that follow the products: the sum with what is in the output, and Relu. */
static dnnl_status_t
describe_rest (const C2gConvShape    *shape,
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

static const char *
get_implementation (const_dnnl_primitive_desc_t desc)
{
  const char *implementation = NULL;

  return dnnl_primitive_desc_query (desc, dnnl_query_impl_info_str, 0, &implementation) ==
             dnnl_success
           ? implementation
           : "";
}

/* Larger tiles of Winograd's algorithm, such as 4 × 4 pixels, lose precision. */
static gboolean
is_wanted (const C2gConvShape          *shape,
           const_dnnl_primitive_desc_t  desc)
{
  const char *implementation = get_implementation (desc);

  return shape->is_winograd ? strstr (implementation, "wino_2x3") != NULL
                            : c2g_dnnl_is_fast (implementation);
}

/* Finds the first implementation that is wanted, for oneDNN lists them from the best on. */
static dnnl_status_t
find_desc (const C2gConvShape            *shape,
           const dnnl_convolution_desc_t *conv,
           const_dnnl_primitive_attr_t    attributes,
           dnnl_primitive_desc_t         *desc)
{
  dnnl_primitive_desc_iterator_t iterator;
  dnnl_status_t status =
    dnnl_primitive_desc_iterator_create (&iterator, conv, attributes, c2g_conv_cpu, NULL);

  if (status != dnnl_success)
    return status;
  while (status == dnnl_success)
    {
      *desc = dnnl_primitive_desc_iterator_fetch (iterator);
      if (*desc == NULL || is_wanted (shape, *desc))
        break;
      dnnl_primitive_desc_destroy (*desc);
      status = dnnl_primitive_desc_iterator_next (iterator);
    }
  if (status == dnnl_success && *desc == NULL)
    status = dnnl_out_of_memory;
  dnnl_primitive_desc_iterator_destroy (iterator);
  return status == dnnl_iterator_ends ? dnnl_unimplemented : status;
}

static dnnl_status_t
create_ordered_desc (const C2gConvShape       *shape,
                     const dnnl_memory_desc_t *filters,
                     dnnl_format_tag_t         order,
                     dnnl_primitive_desc_t    *desc)
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
    status = describe (shape, filters, order, &conv);
  if (status == dnnl_success)
    status = find_desc (shape, &conv, attributes, desc);
  dnnl_primitive_attr_destroy (attributes);
  return status;
}

static dnnl_status_t
create_desc (const C2gConvShape       *shape,
             const dnnl_memory_desc_t *filters,
             dnnl_primitive_desc_t    *desc)
{
  const dnnl_format_tag_t order = find_order (shape);
  const dnnl_status_t status = create_ordered_desc (shape, filters, order, desc);

  return status == dnnl_unimplemented && order != dnnl_nhwc && !shape->is_winograd
           ? create_ordered_desc (shape, filters, dnnl_nhwc, desc)
           : status;
}

dnnl_status_t
c2g_conv_create_turn (const dnnl_memory_desc_t *from,
                      const dnnl_memory_desc_t *to,
                      dnnl_primitive_t         *turn)
{
  dnnl_primitive_desc_t desc;
  dnnl_status_t status =
    dnnl_reorder_primitive_desc_create (&desc, from, c2g_conv_cpu, to, c2g_conv_cpu, NULL);

  if (status != dnnl_success)
    return status;
  status = dnnl_primitive_create (turn, desc);
  dnnl_primitive_desc_destroy (desc);
  return status;
}

static dnnl_status_t
create_turn_if_needed (const dnnl_memory_desc_t *from,
                       const dnnl_memory_desc_t *to,
                       dnnl_primitive_t         *turn)
{
  return dnnl_memory_desc_equal (from, to) ? dnnl_success : c2g_conv_create_turn (from, to, turn);
}

static dnnl_status_t
create_turns (C2gConvPlan                 *self,
              const_dnnl_primitive_desc_t  conv)
{
  const C2gConvShape *shape = &self->shape;
  const dnnl_memory_desc_t *x = dnnl_primitive_desc_query_md (conv, dnnl_query_src_md, 0);
  const dnnl_memory_desc_t *y = dnnl_primitive_desc_query_md (conv, dnnl_query_dst_md, 0);
  const dnnl_dims_t dims = { shape->n_images, shape->n_in, shape->in[0], shape->in[1] };
  const dnnl_dims_t offsets = { 0, 0, self->has_zeros ? shape->head[0] : 0, 0 };
  dnnl_memory_desc_t given, inner;
  dnnl_status_t status = c2g_conv_shape_describe_x (shape, &given);

  if (status == dnnl_success)
    status = dnnl_memory_desc_init_submemory (&inner, x, dims, offsets);
  if (status == dnnl_success)
    status = create_turn_if_needed (&given, &inner, &self->turn_x);
  if (status == dnnl_success)
    status = c2g_conv_shape_describe_y (shape, &given);
  if (status == dnnl_success)
    status = create_turn_if_needed (y, &given, &self->turn_y);
  if (status == dnnl_success && shape->has_sum)
    status = create_turn_if_needed (&given, y, &self->turn_sum);
  return status;
}

dnnl_status_t
c2g_conv_plan_init (C2gConvPlan              *self,
                    const C2gConvShape       *shape,
                    const dnnl_memory_desc_t *filters)
{
  C2gConvShape whole = *shape;
  dnnl_primitive_desc_t desc;
  dnnl_status_t status;

  *self = (C2gConvPlan){ *shape };
  self->has_zeros = shape->is_winograd && shape->head[0] != shape->tail[0];
  if (self->has_zeros)
    {
      whole.in[0] += whole.head[0] + whole.tail[0];
      whole.head[0] = whole.tail[0] = 0;
    }
  status = create_desc (&whole, filters, &desc);
  if (status != dnnl_success)
    return status == dnnl_invalid_arguments ? dnnl_unimplemented : status;

  status = dnnl_primitive_create (&self->primitive, desc);
  if (status == dnnl_success && (shape->x_plane > 0 || shape->is_winograd))
    status = create_turns (self, desc);
  dnnl_primitive_desc_destroy (desc);
  if (status != dnnl_success)
    c2g_conv_plan_clear (self);
  return status;
}

static void
clear_primitive (dnnl_primitive_t *primitive)
{
  if (*primitive != NULL)
    dnnl_primitive_destroy (*primitive);
  *primitive = NULL;
}

void
c2g_conv_plan_clear (C2gConvPlan *self)
{
  clear_primitive (&self->primitive);
  clear_primitive (&self->turn_x);
  clear_primitive (&self->turn_y);
  clear_primitive (&self->turn_sum);
}

const_dnnl_primitive_desc_t
c2g_conv_plan_get_desc (const C2gConvPlan *self)
{
  const_dnnl_primitive_desc_t desc = NULL;

  dnnl_primitive_get_primitive_desc (self->primitive, &desc);
  return desc;
}

const char *
c2g_conv_plan_get_implementation (const C2gConvPlan *self)
{
  return get_implementation (c2g_conv_plan_get_desc (self));
}
