/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/ops/nn/c2g-conv-private.h>

#include <oneapi/dnnl/dnnl.h>

G_BEGIN_DECLS

/* One primitive of oneDNN for a convolution of one shape. */

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
  /* TRUE for Winograd's algorithm, which has the images in blocks of channels. FALSE for NHWC. */
  gint64 is_winograd;
} C2gConvShape;

typedef struct
{
  C2gConvShape     shape;
  dnnl_primitive_t primitive;
  /* From x to what the primitive reads, from what it writes to y, and from the sum to what it adds
   * to. NULL where the order is the same. */
  dnnl_primitive_t turn_x;
  dnnl_primitive_t turn_y;
  dnnl_primitive_t turn_sum;
  /* TRUE if rows of zeros are around what is turned, because oneDNN has this algorithm only for the
   * same padding above and below. */
  gboolean         has_zeros;
} C2gConvPlan;

/* For all operators; there is one CPU, and its stream has no state. c2g_conv_dnnl_start() makes them. */
extern dnnl_engine_t c2g_conv_cpu;
extern dnnl_stream_t c2g_conv_stream;

void          c2g_conv_shape_find             (const C2gConv             *conv,
                                               C2gConvShape              *shape);
/* Checks that oneDNN computes the same output size. */
gboolean      c2g_conv_shape_is_plain         (const C2gConvShape        *self);
/* Describes filters as they are given: [M, kernel, C / groups] for NHWC, or [M, C / groups, kernel]. */
dnnl_status_t c2g_conv_shape_describe_filters (const C2gConvShape        *self,
                                               gboolean                   is_nhwc,
                                               dnnl_memory_desc_t        *filters);
/* Describes x and y as they are given: some images, or some rows of one. */
dnnl_status_t c2g_conv_shape_describe_x       (const C2gConvShape        *self,
                                               dnnl_memory_desc_t        *x);
dnnl_status_t c2g_conv_shape_describe_y       (const C2gConvShape        *self,
                                               dnnl_memory_desc_t        *y);

/* Makes the primitive for the shape. FILTERS is the order of the filters; with NULL the primitive
 * chooses it. A shape that oneDNN cannot do, or not fast, is dnnl_unimplemented. */
dnnl_status_t c2g_conv_plan_init              (C2gConvPlan               *self,
                                               const C2gConvShape        *shape,
                                               const dnnl_memory_desc_t  *filters);
void          c2g_conv_plan_clear             (C2gConvPlan               *self);
/* Returns oneDNN's description of the primitive, which belongs to it. */
const_dnnl_primitive_desc_t
              c2g_conv_plan_get_desc          (const C2gConvPlan         *self);
/* Returns oneDNN's name of the code, such as “brgconv:avx512_core”. */
const char   *c2g_conv_plan_get_implementation (const C2gConvPlan        *self);

/* Makes a primitive that changes the order of elements, or copies them. */
dnnl_status_t c2g_conv_create_turn            (const dnnl_memory_desc_t  *from,
                                               const dnnl_memory_desc_t  *to,
                                               dnnl_primitive_t          *turn);

G_END_DECLS
