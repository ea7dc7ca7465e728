/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/engines/c2g-xnnpack-private.h>
#include <c2g/ops/nn/c2g-conv-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <math.h>
#include <string.h>

/* Conv and ConvFusion of NHWC images by XNNPACK; see c2g-conv-ops.c for the formulas.  XNNPACK
 * applies Relu itself, but not the sum: it is added after some images, while they are in the
 * cache. */

/* Number of output floats per worker, if there is a sum to add. */
#define N_AT_ONCE (1 << 16)
/* Least number of additions per thread. */
#define GRAIN (1 << 15)

/* Everything that an operator of XNNPACK depends on, besides the weights.  Compared by memcmp(),
 * so there must be no padding bytes. */
typedef struct
{
  C2gXnnpackWindow window;
  gint64           is_possible;
  gint64           n_groups;
  gint64           n_in;
  gint64           n_out;
  gint64           has_bias;
  gint64           has_relu;
} Shape;

typedef struct
{
  C2gConvState      conv;
  C2gXnnpackWeights weights;
  C2gScratch        input;
  /* NULL if XNNPACK does not support the shape. */
  xnn_operator_t    op;
  Shape             shape;
  gboolean          is_made;
} XnnpackConv;

typedef struct
{
  const float *sum;
  const float *x;
  float       *y;
  gboolean     has_relu;
} Addition;

static gboolean
conv_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  const C2gWindow *window = &((XnnpackConv *) state)->conv.window;

  if (!c2g_conv_state_set_up (op, state, error))
    return FALSE;
  return (window->channels_last && window->n_dims <= 2) || c2g_xnnpack_decline (error);
}

static void
find_shape (const C2gConv *conv,
            Shape         *shape)
{
  shape->is_possible = c2g_xnnpack_window_place (&shape->window, &conv->place);
  shape->n_groups = conv->n_groups;
  shape->n_in = conv->place.n_channels / conv->n_groups;
  shape->n_out = conv->n_channels / conv->n_groups;
  shape->has_bias = conv->bias != NULL;
  shape->has_relu = conv->has_relu && conv->sum == NULL;
}

static enum xnn_status
create (const Shape    *shape,
        const float    *filters,
        const float    *biases,
        xnn_operator_t *op)
{
  const C2gXnnpackWindow *window = &shape->window;

  if (!shape->is_possible)
    return xnn_status_unsupported_parameter;
  return xnn_create_convolution2d_nhwc_f32 (
    window->head[0], window->tail[1], window->tail[0], window->head[1], window->kernel[0],
    window->kernel[1], window->stride[0], window->stride[1], window->dilation[0],
    window->dilation[1], shape->n_groups, shape->n_in, shape->n_out,
    shape->n_groups * shape->n_in, shape->n_groups * shape->n_out, filters, biases,
    shape->has_relu ? 0 : -INFINITY, INFINITY, 0, op);
}

static void
forget (XnnpackConv *self)
{
  if (self->op != NULL)
    xnn_delete_operator (self->op);
  self->op = NULL;
  self->is_made = FALSE;
}

/* Creates the operator, unless the last one has the same shape and weights. */
static gboolean
ensure_op (XnnpackConv    *self,
           const C2gConv  *conv,
           GError        **error)
{
  const gsize n_biases = conv->bias != NULL ? conv->n_channels : 0;
  enum xnn_status status;
  gsize n_filters;
  Shape shape;

  find_shape (conv, &shape);
  n_filters = (gsize) conv->n_channels * shape.n_in * conv->place.n_kernel;
  if (self->is_made && memcmp (&shape, &self->shape, sizeof shape) == 0 &&
      c2g_xnnpack_weights_are_same (&self->weights, conv->filters, n_filters, conv->bias,
                                    n_biases))
    return TRUE;

  forget (self);
  if (!c2g_xnnpack_weights_keep (&self->weights, conv->filters, n_filters, conv->bias, n_biases,
                                 error))
    return FALSE;
  status = create (&shape, conv->filters, conv->bias, &self->op);
  self->shape = shape;
  self->is_made = c2g_xnnpack_check_new (status, &self->op, error);
  return self->is_made;
}

static enum xnn_status
run_images (XnnpackConv          *self,
            const C2gWindowPlace *place,
            const float          *x,
            gint64                n_images,
            float                *y,
            pthreadpool_t         pool)
{
  enum xnn_status status = xnn_setup_convolution2d_nhwc_f32 (
    self->op, n_images, place->in[1], place->in[2], x, y, pool);

  return status == xnn_status_success ? xnn_run_operator (self->op, pool) : status;
}

C2G_HOT static void
add (const float *sum,
     const float *x,
     float       *y,
     gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    y[i] = sum[i] + x[i];
}

C2G_HOT static void
add_and_rectify (const float *sum,
                 const float *x,
                 float       *y,
                 gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    y[i] = sum[i] + x[i] > 0 ? sum[i] + x[i] : 0;
}

static void
add_cb (gsize    begin,
        gsize    end,
        guint    worker,
        gpointer data)
{
  const Addition *self = data;

  if (self->has_relu)
    add_and_rectify (self->sum + begin, self->x + begin, self->y + begin, end - begin);
  else
    add (self->sum + begin, self->x + begin, self->y + begin, end - begin);
}

/* Computes n_at_once images per call.  If the sum is in place of y, the products go to products
 * first, since y holds the sum. */
static enum xnn_status
run_parts (XnnpackConv    *self,
           const C2gConv  *conv,
           const float    *x,
           gint64          n_at_once,
           float          *products,
           pthreadpool_t   pool)
{
  const C2gWindowPlace *place = &conv->place;
  const gint64 n_in = place->n_in * place->n_channels;
  const gint64 n_out = place->n_out * conv->n_channels;
  enum xnn_status status = xnn_status_success;

  for (gint64 i = 0;
       i < place->n_images && status == xnn_status_success && !c2g_interrupt_is_wanted ();
       i += n_at_once)
    {
      const gint64 n = MIN (n_at_once, place->n_images - i);
      const gint64 at = i * n_out;
      float *target = products != NULL ? products : conv->y + at;
      const float *sum = conv->sum != NULL ? conv->sum + at : NULL;
      Addition addition = { sum, target, conv->y + at, conv->has_relu };

      status = run_images (self, place, x + i * n_in, n, target, pool);
      if (status == xnn_status_success && sum != NULL)
        c2g_parallel_for (n * n_out, GRAIN, add_cb, &addition);
    }
  return status;
}

static double
work_of_image (const C2gConv *conv)
{
  return (double) conv->place.n_out * (double) conv->place.n_kernel *
         (double) (conv->place.n_channels / conv->n_groups) * (double) conv->n_channels;
}

static gboolean
compute (XnnpackConv    *self,
         const C2gConv  *conv,
         const float    *x,
         pthreadpool_t   pool,
         GError        **error)
{
  const gint64 n_image = conv->place.n_out * conv->n_channels;
  const gboolean needs_room = conv->sum == conv->y;
  gint64 n_at_once = c2g_xnnpack_count_at_once (work_of_image (conv), conv->place.n_images);

  if (conv->sum != NULL)
    n_at_once = CLAMP ((gint64) c2g_parallel_get_n_workers () * N_AT_ONCE / n_image, 1, n_at_once);
  if (needs_room && !c2g_scratch_reserve (&self->conv.scratch, n_at_once, n_image, error))
    return FALSE;
  return c2g_xnnpack_check (run_parts (self, conv, x, n_at_once,
                                       needs_room ? self->conv.scratch.data : NULL, pool),
                            error);
}

static gboolean
conv_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  XnnpackConv *self = state;
  C2gXnnpackThreads *threads;
  const float *x;
  gboolean is_done;
  C2gConv conv;

  if (!c2g_conv_state_prepare (&self->conv, op, &conv, error))
    return FALSE;
  if (conv.place.n_images == 0)
    return TRUE;
  if (!ensure_op (self, &conv, error))
    return FALSE;
  if (self->op == NULL || c2g_xnnpack_is_too_long (work_of_image (&conv)))
    return c2g_conv_compute (&conv, &self->conv.scratch, error);

  x = c2g_xnnpack_readable (conv.x, conv.place.n_images * conv.place.n_in * conv.place.n_channels,
                            conv.place.n_channels / conv.n_groups, &self->input, error);
  if (x == NULL)
    return FALSE;
  threads = c2g_xnnpack_threads_acquire ();
  is_done = compute (self, &conv, x, c2g_xnnpack_threads_get_pool (threads), error);
  c2g_xnnpack_threads_release (threads);
  return is_done;
}

static void
conv_clear (gpointer state)
{
  XnnpackConv *self = state;

  forget (self);
  c2g_scratch_clear (&self->conv.scratch);
  c2g_scratch_clear (&self->input);
  c2g_xnnpack_weights_clear (&self->weights);
}

#define ARGUMENTS(conv)                                                                            \
  C2G_ARGS (C2G_ARG_BASE (conv),                                                                   \
            C2G_ARG_CHOICE (XnnpackConv, weights.is_constant, "convolution_transform_strategy",    \
                            "COMPUTE PRECOMPUTE"))
#define CONV(name, most_inputs, conv, ...)                                                         \
  {                                                                                                \
    .type = name, .engine = C2G_XNNPACK, .min_inputs = 2, .max_inputs = most_inputs,               \
    .min_outputs = 1, .max_outputs = 1, .arguments = ARGUMENTS (conv),                             \
    .state_size = sizeof (XnnpackConv), .set_up = conv_set_up, .run = conv_run, .infer = conv_run, \
    .clear = conv_clear, .count_flops = c2g_conv_state_count_flops, __VA_ARGS__                    \
  }

static const C2gKernel kernels[] = {
  CONV ("Conv", 3, c2g_conv_arguments),
  CONV ("Conv1D", 3, c2g_conv_arguments),
  CONV ("Conv2D", 3, c2g_conv_arguments),
  CONV ("ConvFusion", 4, c2g_conv_fusion_arguments, .in_place = "2>0 3>0"),
};

void
c2g_xnnpack_register_conv (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
