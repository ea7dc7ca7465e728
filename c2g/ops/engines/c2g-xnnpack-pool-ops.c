/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/engines/c2g-xnnpack-private.h>
#include <c2g/ops/nn/c2g-pool-private.h>

#include <math.h>
#include <string.h>

/* MaxPool and AveragePool of NHWC images by XNNPACK; see c2g-pool-ops.c for the rules. */

typedef enum
{
  KIND_MAX,
  KIND_AVERAGE,
  /* Global average pooling. */
  KIND_GLOBAL,
} Kind;

/* Everything that an operator of XNNPACK depends on.  Compared by memcmp(), so there must be no
 * padding bytes. */
typedef struct
{
  C2gXnnpackWindow window;
  gint64           kind;
  gint64           n_channels;
} Shape;

typedef struct
{
  C2gPoolState   pool;
  C2gScratch     input;
  /* NULL if XNNPACK does not support the shape. */
  xnn_operator_t op;
  Shape          shape;
  gboolean       is_made;
} XnnpackPool;

static gboolean
pool_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  const C2gWindow *window = &((XnnpackPool *) state)->pool.window;

  if (!c2g_pool_state_set_up (op, state, error))
    return FALSE;
  return (window->channels_last && window->n_dims <= 2) || c2g_xnnpack_decline (error);
}

static gboolean
has_pads (const C2gWindowPlace *place)
{
  gboolean has = FALSE;

  for (guint i = 0; i < C2G_WINDOW_MAX_DIMS; i++)
    has |= place->head[i] != 0 || place->tail[i] != 0;
  return has;
}

/* Fills shape in.  Returns FALSE if XNNPACK has no such pooling.  It refuses windows of one pixel
 * with a message in its log, so those are left out. */
static gboolean
find_shape (const C2gPool *pool,
            Kind           kind,
            Shape         *shape)
{
  const C2gWindowPlace *place = &pool->place;

  memset (shape, 0, sizeof *shape);
  shape->kind = kind;
  shape->n_channels = place->n_channels;
  if (kind == KIND_GLOBAL)
    return TRUE;
  return c2g_xnnpack_window_place (&shape->window, place) && place->n_kernel > 1 &&
         c2g_window_place_sees_pixels (place) &&
         !(kind == KIND_AVERAGE && pool->counts_pads && has_pads (place));
}

static enum xnn_status
create (const Shape    *shape,
        xnn_operator_t *op)
{
  const C2gXnnpackWindow *window = &shape->window;
  const gint64 n = shape->n_channels;

  if (shape->kind == KIND_GLOBAL)
    return xnn_create_global_average_pooling_nwc_f32 (n, n, n, -INFINITY, INFINITY, 0, op);
  if (shape->kind == KIND_AVERAGE)
    return xnn_create_average_pooling2d_nhwc_f32 (
      window->head[0], window->tail[1], window->tail[0], window->head[1], window->kernel[0],
      window->kernel[1], window->stride[0], window->stride[1], n, n, n, -INFINITY, INFINITY, 0,
      op);
  return xnn_create_max_pooling2d_nhwc_f32 (
    window->head[0], window->tail[1], window->tail[0], window->head[1], window->kernel[0],
    window->kernel[1], window->stride[0], window->stride[1], 1, 1, n, n, n, -INFINITY, INFINITY,
    0, op);
}

static void
forget (XnnpackPool *self)
{
  if (self->op != NULL)
    xnn_delete_operator (self->op);
  self->op = NULL;
  self->is_made = FALSE;
}

/* Creates the operator, unless the last one has the same shape. */
static gboolean
ensure_op (XnnpackPool  *self,
           const Shape  *shape,
           GError      **error)
{
  if (self->is_made && memcmp (shape, &self->shape, sizeof *shape) == 0)
    return TRUE;

  forget (self);
  self->shape = *shape;
  self->is_made = c2g_xnnpack_check_new (create (&self->shape, &self->op), &self->op, error);
  return self->is_made;
}

static enum xnn_status
set_up_images (XnnpackPool   *self,
               const C2gPool *pool,
               const float   *x,
               float         *y,
               gint64         n,
               pthreadpool_t  threads)
{
  const C2gWindowPlace *place = &pool->place;

  if (self->shape.kind == KIND_GLOBAL)
    return xnn_setup_global_average_pooling_nwc_f32 (self->op, n, place->n_in, x, y, threads);
  if (self->shape.kind == KIND_AVERAGE)
    return xnn_setup_average_pooling2d_nhwc_f32 (self->op, n, place->in[1], place->in[2], x, y,
                                                 threads);
  return xnn_setup_max_pooling2d_nhwc_f32 (self->op, n, place->in[1], place->in[2], x, y,
                                           threads);
}

static double
work_of_image (const C2gPool *pool)
{
  return (double) pool->place.n_out * (double) pool->place.n_kernel *
         (double) pool->place.n_channels;
}

static gboolean
compute (XnnpackPool    *self,
         const C2gPool  *pool,
         GError        **error)
{
  const C2gWindowPlace *place = &pool->place;
  const float *x = c2g_xnnpack_readable (pool->x, place->n_images * place->n_in * place->n_channels,
                                         place->n_channels, &self->input, error);
  const gint64 n_at_once = c2g_xnnpack_count_at_once (work_of_image (pool), place->n_images);
  enum xnn_status status = xnn_status_success;
  C2gXnnpackThreads *threads;
  pthreadpool_t workers;

  if (x == NULL)
    return FALSE;
  threads = c2g_xnnpack_threads_acquire ();
  workers = c2g_xnnpack_threads_get_pool (threads);
  for (gint64 i = 0;
       i < place->n_images && status == xnn_status_success && !c2g_interrupt_is_wanted ();
       i += n_at_once)
    {
      status = set_up_images (self, pool, x + i * place->n_in * place->n_channels,
                              pool->y + i * place->n_out * place->n_channels,
                              MIN (n_at_once, place->n_images - i), workers);
      if (status == xnn_status_success)
        status = xnn_run_operator (self->op, workers);
    }
  c2g_xnnpack_threads_release (threads);
  return c2g_xnnpack_check (status, error);
}

static gboolean
run (C2gOperator  *op,
     XnnpackPool  *self,
     gboolean      is_average,
     GError      **error)
{
  C2gPool pool;
  Shape shape;
  Kind kind;

  if (!c2g_pool_state_prepare (&self->pool, op, &pool, error))
    return FALSE;
  if (pool.place.n_images == 0)
    return TRUE;

  kind = !is_average ? KIND_MAX : pool.is_global ? KIND_GLOBAL
                                                 : KIND_AVERAGE;
  if (!find_shape (&pool, kind, &shape) || c2g_xnnpack_is_too_long (work_of_image (&pool)))
    return c2g_pool_compute (&pool, is_average, &self->pool.scratch, error);
  if (!ensure_op (self, &shape, error))
    return FALSE;
  return self->op != NULL ? compute (self, &pool, error)
                          : c2g_pool_compute (&pool, is_average, &self->pool.scratch, error);
}

static gboolean
max_pool_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  return run (op, state, FALSE, error);
}

static gboolean
average_pool_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  return run (op, state, TRUE, error);
}

static void
pool_clear (gpointer state)
{
  XnnpackPool *self = state;

  forget (self);
  c2g_scratch_clear (&self->input);
  c2g_pool_state_clear (&self->pool);
}

#define POOL(name, function)                                                                       \
  {                                                                                                \
    .type = name, .engine = C2G_XNNPACK, .min_inputs = 1, .max_inputs = 1, .min_outputs = 1,       \
    .max_outputs = 1, .arguments = c2g_pool_arguments, .state_size = sizeof (XnnpackPool),         \
    .set_up = pool_set_up, .run = function, .infer = function, .clear = pool_clear,                \
    .count_flops = c2g_pool_state_count_flops                                                      \
  }

static const C2gKernel kernels[] = {
  POOL ("MaxPool", max_pool_run),
  POOL ("MaxPool1D", max_pool_run),
  POOL ("MaxPool2D", max_pool_run),
  POOL ("AveragePool", average_pool_run),
  POOL ("AveragePool1D", average_pool_run),
  POOL ("AveragePool2D", average_pool_run),
};

void
c2g_xnnpack_register_pool (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
