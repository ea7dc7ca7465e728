/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>
#include <c2g/ops/support/c2g-parallel-private.h>
#include <c2g/ops/support/c2g-vector-math-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Activation functions with parameters, of float tensors, element by element. Those without
 * parameters, such as Relu and Swish, are in c2g-unary-ops.c.
 *
 * LeakyRelu: x > 0 ? x : alpha x
 * Elu: x > 0 ? x : alpha (exp (x) - 1)
 * Selu: scale (x > 0 ? x : alpha (exp (x) - 1)), where scale > 1
 * Clip: min (max (x, min), max)
 * Scale: scale x
 * Gelu: x Φ (x), or with fast_gelu x / 2 (1 + tanh (sqrt (2 / π) (x + 0.044715 x³)))
 * PRelu: x > 0 ? x : w x, where input 1 has one w per channel or a single one
 * Glu: the first half along dim times the sigmoid of the second half; dim is halved
 *
 * All but Glu may be in place. The rules and the arguments' defaults are Caffe2's. On CUDA
 * kernels/unary.cu computes all but PRelu, which is in kernels/channels.cu, and Glu, which takes
 * kernels/transpose.cu, unary.cu and binary.cu in turn. */

typedef struct
{
  float    a;
  float    b;
  /* Gelu only. */
  gboolean is_fast;
} Parameters;

#define DEFINE_ACTIVATION(name, function, expression)                                              \
  C2G_HOT                                                                                          \
  static void                                                                                      \
  name##_floats (gconstpointer source,                                                             \
                 gpointer      target,                                                             \
                 gsize         n,                                                                  \
                 gconstpointer parameters)                                                         \
  {                                                                                                \
    const float *from = source;                                                                    \
    float *to = target;                                                                            \
    G_GNUC_UNUSED const float a = ((const Parameters *) parameters)->a;                            \
    G_GNUC_UNUSED const float b = ((const Parameters *) parameters)->b;                            \
                                                                                                   \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        float x = from[i];                                                                         \
                                                                                                   \
        to[i] = expression;                                                                        \
      }                                                                                            \
  }                                                                                                \
                                                                                                   \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    return c2g_unary_run (op, function, name##_floats, C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT,   \
                          state, error);                                                           \
  }

DEFINE_ACTIVATION (leaky_relu, C2G_COMPUTE_UNARY_LEAKY_RELU, x > 0 ? x : a * x)
DEFINE_ACTIVATION (elu, C2G_COMPUTE_UNARY_ELU, x > 0 ? x : a * c2g_vector_expm1_negative (x))
DEFINE_ACTIVATION (selu, C2G_COMPUTE_UNARY_SELU, b * (x > 0 ? x : a * c2g_vector_expm1_negative (x)))
/* NaN stays NaN. */
DEFINE_ACTIVATION (clip, C2G_COMPUTE_UNARY_CLIP, (x < a ? a : x) > b ? b : (x < a ? a : x))
DEFINE_ACTIVATION (scale, C2G_COMPUTE_UNARY_LINEAR, a * x)

DEFINE_ACTIVATION (gelu_exact, C2G_COMPUTE_UNARY_GELU_EXACT, 0.5f * x * (1 + erff (x * (float) G_SQRT2 / 2)))
/* a is sqrt (2 / π). */
DEFINE_ACTIVATION (gelu_fast, C2G_COMPUTE_UNARY_GELU_FAST, 0.5f * x * (1 + c2g_vector_tanh (a * (x + 0.044715f * x * x * x))))

static gboolean
gelu_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  Parameters *self = state;

  self->a = self->is_fast ? 0.797884561f : 0;
  return TRUE;
}

static gboolean
gelu_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  Parameters *self = state;

  return self->a != 0 ? gelu_fast_run (op, state, error) : gelu_exact_run (op, state, error);
}

/* PRelu */

/* Least number of floats per thread. */
#define PRELU_GRAIN (1 << 14)
/* Most slopes that are repeated for one call of the loop. */
#define N_SLOPES 512

typedef struct
{
  gboolean is_channels_last;
} PRelu;

typedef struct
{
  const float *x;
  const float *slopes;
  float       *y;
  gint64       n_channels;
  /* Contiguous elements of one channel. */
  gint64       n_inner;
} PReluRun;

/* One slope per element: pixels in NHWC order. */
C2G_HOT
static void
prelu_row (const float *source,
           const float *slopes,
           float       *target,
           gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    target[i] = source[i] > 0 ? source[i] : slopes[i] * source[i];
}

/* Computes the number of channels and the number of elements of one channel that are contiguous. */
static gboolean
prelu_measure (PRelu        *self,
               C2gOperator  *op,
               C2gTensor    *x,
               gint64       *n_channels,
               gint64       *n_inner,
               GError      **error)
{
  gsize axis = self->is_channels_last ? x->n_dims - 1 : 1;

  if (x->n_dims < (self->is_channels_last ? 1 : 2))
    return c2g_operator_set_shape_error (op, 0, error, "%s", _("one with channels"));

  *n_channels = x->dims[axis];
  *n_inner = c2g_tensor_size_from_dim (x, (int) axis + 1, error);
  return *n_inner >= 0;
}

static void
prelu_planes_cb (gsize    begin,
                 gsize    end,
                 guint    worker,
                 gpointer data)
{
  const PReluRun *self = data;

  for (gsize plane = begin; plane < end; plane++)
    {
      Parameters parameters = { self->slopes[plane % self->n_channels], 0 };

      leaky_relu_floats (self->x + plane * self->n_inner, self->y + plane * self->n_inner, self->n_inner,
                         &parameters);
    }
}

/* Computes several pixels at once where they have few channels: their slopes are repeated. */
static void
prelu_pixels_cb (gsize    begin,
                 gsize    end,
                 guint    worker,
                 gpointer data)
{
  const PReluRun *self = data;
  const gsize n_channels = self->n_channels;
  const gsize n_pixels = CLAMP (N_SLOPES / n_channels, 1, end - begin);
  const float *slopes = self->slopes;
  float repeated[N_SLOPES];

  if (n_pixels > 1)
    {
      for (gsize i = 0; i < n_pixels; i++)
        memcpy (repeated + i * n_channels, self->slopes, n_channels * sizeof (float));
      slopes = repeated;
    }
  for (gsize pixel = begin; pixel < end; pixel += n_pixels)
    prelu_row (self->x + pixel * n_channels, slopes, self->y + pixel * n_channels,
               MIN (n_pixels, end - pixel) * n_channels);
}

static gboolean
prelu_on_device (C2gOperator  *op,
                 C2gTensor    *x,
                 C2gTensor    *w,
                 C2gTensor    *y,
                 gint64        n_channels,
                 gint64        n_inner,
                 GError      **error)
{
  const gint64 n = n_channels * n_inner;

  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_PRELU, .type = C2G_DATA_TYPE_FLOAT,
                      .x = c2g_tensor_address (x), .other = c2g_tensor_address (w),
                      .n_other = w->n_elements, .y = c2g_tensor_address (y),
                      .n_outer = n > 0 ? x->n_elements / n : 0, .n = n_channels,
                      .n_inner = n_inner);
}

static gboolean
prelu_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  PRelu *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *w = x != NULL ? c2g_operator_input (op, 1, C2G_DATA_TYPE_FLOAT, error) : NULL;
  gint64 n_channels = 1, n_inner = 1;
  C2gTensor *y;

  if (w == NULL)
    return FALSE;
  if (w->n_elements != 1 &&
      (!prelu_measure (self, op, x, &n_channels, &n_inner, error) ||
       c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, n_channels, error) == NULL))
    return FALSE;
  y = c2g_operator_output_like (op, 0, x, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return prelu_on_device (op, x, w, y, n_channels, n_inner, error);

  if (w->n_elements == 1)
    leaky_relu_floats (c2g_tensor_address (x), c2g_tensor_address (y), x->n_elements,
                       &(Parameters) { *(const float *) c2g_tensor_address (w), 0 });
  else if (x->n_elements > 0)
    {
      const gint64 n = n_inner == 1 ? n_channels : n_inner;
      PReluRun run = { c2g_tensor_address (x), c2g_tensor_address (w), c2g_tensor_address (y),
                       n_channels, n_inner };

      c2g_parallel_for (x->n_elements / n, PRELU_GRAIN / n,
                        n_inner == 1 ? prelu_pixels_cb : prelu_planes_cb, &run);
    }
  return TRUE;
}

/* Glu */

typedef struct
{
  int dim;
} Glu;

C2G_HOT
static void
glu_row (const float *source,
         const float *gate,
         float       *target,
         gsize        n)
{
  C2G_INDEPENDENT
  for (gsize i = 0; i < n; i++)
    target[i] = source[i] * c2g_vector_sigmoid (gate[i]);
}

/* Computes the gates in scratch memory. Each row of x has both halves, one after the other. */
static gboolean
glu_on_device (C2gOperator  *op,
               C2gTensor    *x,
               C2gTensor    *y,
               gint64        half,
               GError      **error)
{
  const gint64 dims[] = { half > 0 ? y->n_elements / half : 0, half };
  const gint64 x_strides[] = { 2 * half, 1 };
  const gint64 y_strides[] = { half, 1 };
  const float *source = c2g_tensor_address (x);
  float *gates;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, y->n_elements, sizeof (float), &gates, error);

  return scratch != NULL &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_MOVE, .item_size = sizeof (float), .dims = dims,
                      .n_dims = 2, .x = source + half, .x_strides = x_strides, .y = gates,
                      .y_strides = y_strides) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_UNARY, .unary = C2G_COMPUTE_UNARY_SIGMOID,
                      .type = C2G_DATA_TYPE_FLOAT, .x = gates, .y = gates, .n = y->n_elements) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_MUL,
                      .type = C2G_DATA_TYPE_FLOAT, .dims = dims, .n_dims = 2, .x = source,
                      .x_strides = x_strides, .other = gates, .other_strides = y_strides,
                      .y = c2g_tensor_address (y));
}

static gboolean
glu_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  Glu *self = state;
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  gint64 dims[C2G_DIMS_MAX];
  C2gTensor *y;
  gint64 half;
  int axis;

  if (x == NULL || !c2g_operator_check_rank (op, 0, x, error))
    return FALSE;
  axis = c2g_shape_axis (self->dim, x->n_dims, error);
  if (axis < 0)
    return FALSE;
  if (x->dims[axis] % 2 != 0)
    return c2g_operator_set_shape_error (op, 0, error, _("an even dimension %d"), axis);

  memcpy (dims, x->dims, x->n_dims * sizeof *dims);
  dims[axis] /= 2;
  y = c2g_operator_output (op, 0, dims, x->n_dims, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL)
    return FALSE;

  half = c2g_tensor_size_from_dim (y, axis, error);
  if (half < 0 || y->n_elements == 0)
    return half >= 0;
  if (c2g_operator_get_compute (op) != NULL)
    return glu_on_device (op, x, y, half, error);
  for (gint64 i = 0; i < y->n_elements; i += half)
    {
      const float *source = (const float *) c2g_tensor_address (x) + 2 * i;

      glu_row (source, source + half, (float *) c2g_tensor_address (y) + i, half);
    }
  return TRUE;
}

#define ACTIVATION_ROLE(type, name, set_up, summary, kernel_role, ...)                             \
  {                                                                                                \
    type, NULL, 1, 1, 1, 1, "0>0", C2G_ARGS (__VA_ARGS__), sizeof (Parameters), set_up,            \
      name##_run, NULL, c2g_count_elements, summary, .infer = name##_run, .is_for_devices = TRUE,  \
      .traits = C2G_TRAITS_ELEMENTWISE | C2G_TRAIT_HALF, .role = kernel_role                       \
  }
#define ACTIVATION(type, name, set_up, summary, ...)                                               \
  ACTIVATION_ROLE (type, name, set_up, summary, C2G_ROLE_NONE, __VA_ARGS__)

static const C2gKernel kernels[] = {
  ACTIVATION ("LeakyRelu", leaky_relu, NULL, "Relu that multiplies negative elements by alpha",
              C2G_ARG_FLOAT (Parameters, a, "alpha", 0.01)),
  ACTIVATION ("Elu", elu, NULL, "Exponential linear unit",
              C2G_ARG_FLOAT (Parameters, a, "alpha", 1)),
  ACTIVATION ("Selu", selu, NULL, "Scaled exponential linear unit",
              C2G_ARG_FLOAT (Parameters, a, "alpha", 1.67326324),
              C2G_ARG_FLOAT (Parameters, b, "scale", 1.05070099, C2G_AT_LEAST (C2G_ABOVE_1),
                             C2G_IS_INVALID)),
  ACTIVATION_ROLE ("Clip", clip, NULL, "Limits elements to the range from min to max",
                   C2G_ROLE_CLIP,
                   C2G_ARG_FLOAT (Parameters, a, "min", -FLT_MAX),
                   C2G_ARG_FLOAT (Parameters, b, "max", FLT_MAX)),
  ACTIVATION ("Scale", scale, NULL, "Multiplies each element by scale",
              C2G_ARG_FLOAT (Parameters, a, "scale", 1)),
  ACTIVATION ("Gelu", gelu, gelu_set_up, "Gaussian error linear unit",
              C2G_ARG_BOOLEAN (Parameters, is_fast, "fast_gelu", FALSE)),
  { "PRelu", NULL, 2, 2, 1, 1, "0>0", C2G_ARGS (C2G_ARG_ORDER (PRelu, is_channels_last)),
    sizeof (PRelu), NULL, prelu_run, NULL, c2g_count_elements,
    "Relu that multiplies negative elements by the slope of their channel",
    .infer = prelu_run, .is_for_devices = TRUE, .traits = C2G_TRAITS_IMAGES },
  { "Glu", NULL, 1, 1, 1, 1, NULL, C2G_ARGS (C2G_ARG_INT (Glu, dim, "dim", -1)), sizeof (Glu), NULL,
    glu_run, NULL, c2g_count_elements,
    "Gated linear unit: one half of a dimension times the sigmoid of the other",
    .infer = glu_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_FLOAT },
};

C2G_OPS_FAMILY (activation);
