/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/engines/c2g-dnnl-private.h>
#include <c2g/ops/nn/c2g-conv-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>

#include <oneapi/dnnl/dnnl.h>
#include <omp.h>
#include <string.h>

/* The engine MKLDNN, which is what oneDNN was called when Caffe2 had it: Conv and ConvFusion
 * of images with the channels last.  It keeps filters in an order of its own. */
#define ENGINE "MKLDNN"

/* The last two dimensions of a place. */
#define AT(i) (C2G_WINDOW_MAX_DIMS - 2 + (i))

/* A whole run has one shape; parts of one that may be cancelled have a few. */
#define N_PLANS 4

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
  gint64 n_threads;
} Shape;

enum
{
  MEMORY_X,
  /* As they are given, and as the primitive has them. */
  MEMORY_GIVEN,
  MEMORY_FILTERS,
  MEMORY_BIAS,
  MEMORY_Y,
  N_MEMORIES,
};

typedef struct
{
  Shape                 shape;
  gboolean              is_made;
  /* NULL if the default way is the better one for the shape. */
  dnnl_primitive_t      primitive;
  dnnl_primitive_t      reorder;
  gboolean              is_reordered;
  dnnl_memory_t         memories[N_MEMORIES];
  dnnl_stream_t         stream;
} Plan;

typedef struct
{
  C2gConvState          conv;
  gboolean              is_constant;

  Plan                  plans[N_PLANS];
  /* Which one makes room for the next shape. */
  guint                 next_plan;
} DnnlConv;

/* Some images, or some rows of one: the part that one call computes. A call cannot be interrupted. */
typedef struct
{
  Shape  shape;
  gint64 x_offset;
  gint64 y_offset;
} Part;

/* For all operators; there is one CPU. */
static dnnl_engine_t cpu;

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

static gboolean
decline (GError **error)
{
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("The engine “%s” does not run such operators"),
                   ENGINE);
}

static gboolean
conv_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  const C2gWindow *window = &((DnnlConv *) state)->conv.window;

  if (!c2g_conv_state_set_up (op, state, error))
    return FALSE;
  return (window->channels_last && window->n_dims <= 2) || decline (error);
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
  shape->n_groups = conv->n_groups;
  shape->n_in = place->n_channels;
  shape->n_out = conv->n_channels;
  shape->has_bias = conv->bias != NULL;
  shape->has_sum = conv->sum != NULL;
  shape->has_relu = conv->has_relu;
  shape->n_threads = c2g_parallel_get_n_workers ();
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
forget (Plan *self)
{
  if (self->primitive != NULL)
    dnnl_primitive_destroy (self->primitive);
  if (self->reorder != NULL)
    dnnl_primitive_destroy (self->reorder);
  if (self->stream != NULL)
    dnnl_stream_destroy (self->stream);
  for (guint i = 0; i < N_MEMORIES; i++)
    if (self->memories[i] != NULL)
      dnnl_memory_destroy (self->memories[i]);

  self->primitive = NULL;
  self->reorder = NULL;
  self->stream = NULL;
  memset (self->memories, 0, sizeof self->memories);
  self->is_made = FALSE;
  self->is_reordered = FALSE;
}

/* Filters as they are given: [M, kernel, C / groups]. */
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

static dnnl_status_t
describe (const Shape             *shape,
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
  dnnl_status_t status;

  status = dnnl_memory_desc_init_by_tag (&x, 4, x_dims, dnnl_f32, dnnl_nhwc);
  if (status == dnnl_success)
    status = dnnl_memory_desc_init_by_tag (&y, 4, y_dims, dnnl_f32, dnnl_nhwc);
  if (status == dnnl_success)
    status = describe_filters (shape, dnnl_format_tag_any, dnnl_format_tag_any, &filters);
  if (status == dnnl_success)
    status = dnnl_memory_desc_init_by_tag (&bias, 1, bias_dims, dnnl_f32, dnnl_x);
  if (status != dnnl_success)
    return status;
  return dnnl_dilated_convolution_forward_desc_init (
    conv, dnnl_forward_inference, dnnl_convolution_direct, &x, &filters,
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
    status = dnnl_post_ops_append_eltwise (ops, 1, dnnl_eltwise_relu, 0, 0);
  if (status == dnnl_success)
    status = dnnl_primitive_attr_set_post_ops (attributes, ops);
  dnnl_post_ops_destroy (ops);
  return status;
}

static dnnl_status_t
create_desc (const Shape           *shape,
             dnnl_primitive_desc_t *desc)
{
  dnnl_convolution_desc_t conv;
  dnnl_primitive_attr_t attributes;
  dnnl_status_t status = dnnl_primitive_attr_create (&attributes);

  if (status != dnnl_success)
    return status;
  status = describe_rest (shape, attributes);
  if (status == dnnl_success)
    status = describe (shape, &conv);
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

/* The engine has memory for the filters; all other is the tensors'. */
static dnnl_status_t
create_memories (Plan                        *self,
                 const Shape                 *shape,
                 const_dnnl_primitive_desc_t  desc)
{
  static const dnnl_query_t queries[N_MEMORIES] = {
    [MEMORY_X] = dnnl_query_src_md,
    [MEMORY_FILTERS] = dnnl_query_weights_md,
    [MEMORY_Y] = dnnl_query_dst_md,
    [MEMORY_BIAS] = dnnl_query_weights_md,
  };
  dnnl_status_t status = dnnl_success;
  dnnl_memory_desc_t given;

  for (guint i = 0; i < N_MEMORIES && status == dnnl_success; i++)
    {
      const dnnl_memory_desc_t *memory = &given;

      if (i == MEMORY_GIVEN)
        status = describe_filters (shape, dnnl_acdb, dnnl_abdec, &given);
      else
        memory = dnnl_primitive_desc_query_md (desc, queries[i], i == MEMORY_BIAS);
      if (status == dnnl_success && (i != MEMORY_BIAS || shape->has_bias))
        status =
          dnnl_memory_create (&self->memories[i], memory, cpu,
                              i == MEMORY_FILTERS ? DNNL_MEMORY_ALLOCATE : DNNL_MEMORY_NONE);
    }
  return status;
}

static dnnl_status_t
create_reorder (Plan *self)
{
  const dnnl_memory_desc_t *from, *to;
  dnnl_primitive_desc_t desc;
  dnnl_status_t status;

  dnnl_memory_get_memory_desc (self->memories[MEMORY_GIVEN], &from);
  dnnl_memory_get_memory_desc (self->memories[MEMORY_FILTERS], &to);
  status = dnnl_reorder_primitive_desc_create (&desc, from, cpu, to, cpu, NULL);
  if (status != dnnl_success)
    return status;
  status = dnnl_primitive_create (&self->reorder, desc);
  dnnl_primitive_desc_destroy (desc);
  return status;
}

static dnnl_status_t
create (Plan        *self,
        const Shape *shape)
{
  dnnl_primitive_desc_t desc;
  dnnl_status_t status = create_desc (shape, &desc);

  /* oneDNN cannot do it; use the default kernel. */
  if (status == dnnl_unimplemented || status == dnnl_invalid_arguments)
    return dnnl_success;
  if (status != dnnl_success)
    return status;

  if (is_fast (desc))
    {
      status = create_memories (self, shape, desc);
      if (status == dnnl_success)
        status = create_reorder (self);
      if (status == dnnl_success)
        status = dnnl_stream_create (&self->stream, cpu, dnnl_stream_default_flags);
      if (status == dnnl_success)
        status = dnnl_primitive_create (&self->primitive, desc);
    }
  dnnl_primitive_desc_destroy (desc);
  return status;
}

/* The plan for the shape, or NULL with an error. */
static Plan *
ensure_plan (DnnlConv     *self,
             const Shape  *shape,
             GError      **error)
{
  Plan *plan;

  for (guint i = 0; i < N_PLANS; i++)
    if (self->plans[i].is_made && memcmp (shape, &self->plans[i].shape, sizeof *shape) == 0)
      return &self->plans[i];

  /* Runs in one part have no use for the others. */
  for (guint i = 0; c2g_interrupt_cancellable == NULL && i < N_PLANS; i++)
    forget (&self->plans[i]);
  plan = &self->plans[self->next_plan];
  self->next_plan = (self->next_plan + 1) % N_PLANS;
  forget (plan);
  if (is_plain (shape) && !check (create (plan, shape), error))
    {
      forget (plan);
      return NULL;
    }
  plan->shape = *shape;
  plan->is_made = TRUE;
  return plan;
}

static dnnl_status_t
execute (DnnlConv      *self,
         Plan          *plan,
         const C2gConv *conv,
         const Part    *part)
{
  dnnl_memory_t *memories = plan->memories;
  const dnnl_exec_arg_t reorder[] = { { DNNL_ARG_FROM, memories[MEMORY_GIVEN] },
                                      { DNNL_ARG_TO, memories[MEMORY_FILTERS] } };
  const dnnl_exec_arg_t arguments[] = { { DNNL_ARG_SRC, memories[MEMORY_X] },
                                        { DNNL_ARG_WEIGHTS, memories[MEMORY_FILTERS] },
                                        { DNNL_ARG_DST, memories[MEMORY_Y] },
                                        { DNNL_ARG_BIAS, memories[MEMORY_BIAS] } };
  const Shape *shape = &part->shape;
  float *y = conv->y + part->y_offset;
  dnnl_status_t status = dnnl_success;

  dnnl_memory_set_data_handle (memories[MEMORY_X], (gpointer) (conv->x + part->x_offset));
  dnnl_memory_set_data_handle (memories[MEMORY_GIVEN], (gpointer) conv->filters);
  dnnl_memory_set_data_handle (memories[MEMORY_Y], y);
  if (conv->bias != NULL)
    dnnl_memory_set_data_handle (memories[MEMORY_BIAS], (gpointer) conv->bias);
  if (conv->sum != NULL && conv->sum != conv->y)
    memcpy (y, conv->sum + part->y_offset,
            shape->n_images * shape->out[0] * shape->out[1] * shape->n_out * sizeof (float));

  if (!plan->is_reordered)
    status = dnnl_primitive_execute (plan->reorder, plan->stream, G_N_ELEMENTS (reorder), reorder);
  plan->is_reordered = status == dnnl_success;
  if (status == dnnl_success)
    status = dnnl_primitive_execute (plan->primitive, plan->stream,
                                     G_N_ELEMENTS (arguments) - (conv->bias == NULL), arguments);
  return status;
}

/* How many images, and how many of their rows, a part has.  Rows are parts only where each window
 * has something of the image. */
static void
find_part_size (const Shape *shape,
                gint64      *n_images,
                gint64      *n_rows)
{
  const double work_of_row = (double) shape->out[1] * (double) shape->n_out *
                             (double) (shape->n_in / shape->n_groups) *
                             (double) (shape->kernel[0] * shape->kernel[1]);
  const double n_most = C2G_INTERRUPT_PRODUCTS * (double) shape->n_threads / work_of_row;
  const gint64 reach = shape->dilation[0] * (shape->kernel[0] - 1) + 1;

  *n_images = shape->n_images;
  *n_rows = shape->out[0];
  if (c2g_interrupt_cancellable == NULL || !is_plain (shape) ||
      n_most >= (double) (*n_images * *n_rows))
    return;

  *n_images = MAX ((gint64) n_most / *n_rows, 1);
  if (*n_images == 1 && shape->head[0] < reach && shape->tail[0] < reach)
    *n_rows = CLAMP ((gint64) n_most, 1, *n_rows);
}

/* The part that begins at the image and the row of the output. */
static void
find_part (const Shape *shape,
           gint64       image,
           gint64       n_images,
           gint64       row,
           gint64       n_rows,
           Part        *part)
{
  const gint64 reach = shape->dilation[0] * (shape->kernel[0] - 1) + 1;
  const gint64 first = row * shape->stride[0] - shape->head[0];
  const gint64 end = first + (n_rows - 1) * shape->stride[0] + reach;

  part->shape = *shape;
  part->shape.n_images = n_images;
  part->shape.out[0] = n_rows;
  if (n_rows < shape->out[0])
    {
      part->shape.head[0] = MAX (-first, 0);
      part->shape.tail[0] = MAX (end - shape->in[0], 0);
      part->shape.in[0] = MIN (end, shape->in[0]) - MAX (first, 0);
    }
  part->x_offset = (image * shape->in[0] + (n_rows < shape->out[0] ? MAX (first, 0) : 0)) *
                   shape->in[1] * shape->n_in;
  part->y_offset = (image * shape->out[0] + row) * shape->out[1] * shape->n_out;
}

/* Computes a part.  Ends the loop with an error, or without one if there is no primitive. */
typedef gboolean (*PartFunc) (DnnlConv       *self,
                              const C2gConv  *conv,
                              const Part     *part,
                              GError        **error);

static gboolean
prepare_part (DnnlConv       *self,
              const C2gConv  *conv,
              const Part     *part,
              GError        **error)
{
  const Plan *plan = ensure_plan (self, &part->shape, error);

  return plan != NULL && plan->primitive != NULL;
}

static gboolean
run_part (DnnlConv       *self,
          const C2gConv  *conv,
          const Part     *part,
          GError        **error)
{
  Plan *plan = ensure_plan (self, &part->shape, error);

  return plan != NULL && check (execute (self, plan, conv, part), error);
}

static gboolean
for_parts (DnnlConv       *self,
           const C2gConv  *conv,
           PartFunc        func,
           GError        **error)
{
  gboolean goes_on = TRUE;
  gint64 n_images, n_rows;
  Shape shape;
  Part part;

  find_shape (conv, &shape);
  find_part_size (&shape, &n_images, &n_rows);
  for (gint64 image = 0; image < shape.n_images && goes_on; image += n_images)
    for (gint64 row = 0; row < shape.out[0] && goes_on; row += n_rows)
      {
        if (c2g_interrupt_is_wanted ())
          return TRUE;

        find_part (&shape, image, MIN (n_images, shape.n_images - image), row,
                   MIN (n_rows, shape.out[0] - row), &part);
        goes_on = func (self, conv, &part, error);
      }
  return goes_on;
}

/* All parts by the primitives, or all by the default way. */
static gboolean
run_parts (DnnlConv       *self,
           const C2gConv  *conv,
           GError        **error)
{
  GError *local_error = NULL;

  for (guint i = 0; i < N_PLANS; i++)
    self->plans[i].is_reordered &= self->is_constant;
  if (for_parts (self, conv, prepare_part, &local_error))
    return for_parts (self, conv, run_part, error);
  if (local_error == NULL)
    return c2g_conv_compute (conv, &self->conv.scratch, error);
  g_propagate_error (error, local_error);
  return FALSE;
}

/* OpenMP keeps the number of threads for each thread that calls. */
static gboolean
compute (DnnlConv       *self,
         const C2gConv  *conv,
         GError        **error)
{
  const int n_threads = omp_get_max_threads ();
  gboolean is_done;

  omp_set_num_threads ((int) c2g_parallel_get_n_workers ());
  is_done = run_parts (self, conv, error);
  omp_set_num_threads (n_threads);
  return is_done;
}

static gboolean
conv_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  DnnlConv *self = state;
  C2gConv conv;

  if (!c2g_conv_state_prepare (&self->conv, op, &conv, error))
    return FALSE;
  return conv.place.n_images == 0 || compute (self, &conv, error);
}

static void
conv_clear (gpointer state)
{
  DnnlConv *self = state;

  for (guint i = 0; i < N_PLANS; i++)
    forget (&self->plans[i]);
  c2g_scratch_clear (&self->conv.scratch);
}

#define ARGUMENTS(conv)                                                                            \
  C2G_ARGS (C2G_ARG_BASE (conv),                                                                   \
            C2G_ARG_CHOICE (DnnlConv, is_constant, "convolution_transform_strategy",               \
                            "COMPUTE PRECOMPUTE"))
#define CONV(name, most_inputs, conv, ...)                                                         \
  {                                                                                                \
    .type = name, .engine = ENGINE, .min_inputs = 2, .max_inputs = most_inputs, .min_outputs = 1,  \
    .max_outputs = 1, .arguments = ARGUMENTS (conv), .state_size = sizeof (DnnlConv),              \
    .set_up = conv_set_up, .run = conv_run, .infer = conv_run, .clear = conv_clear,                \
    .count_flops = c2g_conv_state_count_flops, __VA_ARGS__                                         \
  }

static const C2gKernel kernels[] = {
  CONV ("Conv", 3, c2g_conv_arguments),
  CONV ("Conv1D", 3, c2g_conv_arguments),
  CONV ("Conv2D", 3, c2g_conv_arguments),
  CONV ("ConvFusion", 4, c2g_conv_fusion_arguments, .in_place = "2>0 3>0"),
};

static gboolean
start_engine (void)
{
  return dnnl_engine_create (&cpu, dnnl_cpu, 0) == dnnl_success;
}

const C2gKernelFamily c2g_ops_dnnl = { kernels, G_N_ELEMENTS (kernels), start_engine };
