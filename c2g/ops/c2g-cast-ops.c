/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-ops-private.h>

#include <c2g/ops/c2g-elementwise-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-float16-private.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-tensor-private.h>

/* From one element type to another.
 *
 * Between integers the lower bits stay, as in C.  What C leaves open is settled: numbers too
 * large for an integer or float16 become its largest, and what is no number becomes 0. */

typedef void (*CastLoop) (gconstpointer source,
                          gpointer      target,
                          gsize         n);

#define DEFINE_CAST(attribute, from_name, from, to_name, to, expression)                           \
  attribute static void                                                                            \
  from_name##_to_##to_name (gconstpointer source,                                                  \
                            gpointer      target,                                                  \
                            gsize         n)                                                       \
  {                                                                                                \
    const from *xs = source;                                                                       \
    to *ys = target;                                                                               \
                                                                                                   \
    C2G_INDEPENDENT                                                                                \
    for (gsize i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        from x = xs[i];                                                                            \
                                                                                                   \
        ys[i] = expression;                                                                        \
      }                                                                                            \
  }

/* Limits are numbers that the floating-point type has: the first one too large, and the
 * smallest. */
#define SATURATE(from, to, smallest, largest, beyond)                                              \
  (x >= (from) (beyond) ? (largest) : x > (from) (smallest) ? (to) x                               \
                                  : x <= (from) (smallest)  ? (to) (smallest)                      \
                                                            : 0)

#define DEFINE_FLOATS_TO_INTEGERS(attribute, name, type)                                           \
  DEFINE_CAST (attribute, name, type, uint8, guint8, SATURATE (type, guint8, 0, 255, 0x1p8))       \
  DEFINE_CAST (, name, type, int8, gint8, SATURATE (type, gint8, -0x1p7, 127, 0x1p7))              \
  DEFINE_CAST (, name, type, uint16, guint16, SATURATE (type, guint16, 0, 65535, 0x1p16))          \
  DEFINE_CAST (, name, type, int16, gint16, SATURATE (type, gint16, -0x1p15, 32767, 0x1p15))       \
  DEFINE_CAST (attribute, name, type, int32, gint32,                                               \
               SATURATE (type, gint32, -0x1p31, G_MAXINT32, 0x1p31))                               \
  DEFINE_CAST (, name, type, int64, gint64, SATURATE (type, gint64, -0x1p63, G_MAXINT64, 0x1p63))

#define DEFINE_INTEGERS_TO_INTEGERS(name, type)                                                    \
  DEFINE_CAST (, name, type, uint8, guint8, (guint8) x)                                            \
  DEFINE_CAST (, name, type, int8, gint8, (gint8) x)                                               \
  DEFINE_CAST (, name, type, uint16, guint16, (guint16) x)                                         \
  DEFINE_CAST (, name, type, int16, gint16, (gint16) x)                                            \
  DEFINE_CAST (, name, type, int32, gint32, (gint32) x)                                            \
  DEFINE_CAST (, name, type, int64, gint64, (gint64) x)

#define DEFINE_TO_REST(name, type)                                                                 \
  DEFINE_CAST (C2G_HOT, name, type, float, float, (float) x)                                       \
  DEFINE_CAST (, name, type, double, double, (double) x)                                           \
  DEFINE_CAST (, name, type, bool, guint8, x != 0)

/* Integers that a float has not are too large. */
#define DEFINE_INTEGERS_TO_REST(name, type)                                                        \
  DEFINE_TO_REST (name, type)                                                                      \
  DEFINE_CAST (, name, type, float16, guint16, c2g_float16_from_float (x))

#define CAST_ROW(name)                                                                             \
  {                                                                                                \
    [C2G_DATA_TYPE_FLOAT] = name##_to_float, [C2G_DATA_TYPE_DOUBLE] = name##_to_double,            \
    [C2G_DATA_TYPE_BOOL] = name##_to_bool, [C2G_DATA_TYPE_FLOAT16] = name##_to_float16,            \
    [C2G_DATA_TYPE_UINT8] = name##_to_uint8, [C2G_DATA_TYPE_INT8] = name##_to_int8,                \
    [C2G_DATA_TYPE_UINT16] = name##_to_uint16, [C2G_DATA_TYPE_INT16] = name##_to_int16,            \
    [C2G_DATA_TYPE_INT32] = name##_to_int32, [C2G_DATA_TYPE_INT64] = name##_to_int64,              \
  }

DEFINE_FLOATS_TO_INTEGERS (C2G_HOT, float, float)
DEFINE_TO_REST (float, float)
DEFINE_CAST (, float, float, float16, guint16, c2g_float16_from_float (x))
DEFINE_FLOATS_TO_INTEGERS (, double, double)
DEFINE_TO_REST (double, double)
DEFINE_CAST (, double, double, float16, guint16, c2g_float16_from_double (x))
DEFINE_INTEGERS_TO_INTEGERS (bool, guint8)
DEFINE_INTEGERS_TO_REST (bool, guint8)
DEFINE_INTEGERS_TO_INTEGERS (uint8, guint8)
DEFINE_INTEGERS_TO_REST (uint8, guint8)
DEFINE_INTEGERS_TO_INTEGERS (int8, gint8)
DEFINE_INTEGERS_TO_REST (int8, gint8)
DEFINE_INTEGERS_TO_INTEGERS (uint16, guint16)
DEFINE_INTEGERS_TO_REST (uint16, guint16)
DEFINE_INTEGERS_TO_INTEGERS (int16, gint16)
DEFINE_INTEGERS_TO_REST (int16, gint16)
DEFINE_INTEGERS_TO_INTEGERS (int32, gint32)
DEFINE_INTEGERS_TO_REST (int32, gint32)
DEFINE_INTEGERS_TO_INTEGERS (int64, gint64)
DEFINE_INTEGERS_TO_REST (int64, gint64)
DEFINE_CAST (, float16, guint16, float, float, c2g_float16_to_float (x))

static const CastLoop cast_loops[C2G_N_LOOPS][C2G_N_LOOPS] = {
  [C2G_DATA_TYPE_FLOAT] = CAST_ROW (float),
  [C2G_DATA_TYPE_DOUBLE] = CAST_ROW (double),
  [C2G_DATA_TYPE_BOOL] = CAST_ROW (bool),
  [C2G_DATA_TYPE_UINT8] = CAST_ROW (uint8),
  [C2G_DATA_TYPE_INT8] = CAST_ROW (int8),
  [C2G_DATA_TYPE_UINT16] = CAST_ROW (uint16),
  [C2G_DATA_TYPE_INT16] = CAST_ROW (int16),
  [C2G_DATA_TYPE_INT32] = CAST_ROW (int32),
  [C2G_DATA_TYPE_INT64] = CAST_ROW (int64),
};

/* float16 goes by way of float. */
static void
cast_float16 (gconstpointer source,
              gpointer      target,
              gsize         item_size,
              gsize         n,
              C2gDataType   to)
{
  float floats[1024];

  for (gsize i = 0; i < n; i += G_N_ELEMENTS (floats))
    {
      gsize n_block = MIN (n - i, G_N_ELEMENTS (floats));

      float16_to_float ((const guint16 *) source + i, floats, n_block);
      cast_loops[C2G_DATA_TYPE_FLOAT][to] (floats, (char *) target + i * item_size, n_block);
    }
}

static const guint32 cast_types =
  1U << C2G_DATA_TYPE_FLOAT | 1U << C2G_DATA_TYPE_DOUBLE | 1U << C2G_DATA_TYPE_BOOL |
  1U << C2G_DATA_TYPE_FLOAT16 | 1U << C2G_DATA_TYPE_UINT8 | 1U << C2G_DATA_TYPE_INT8 |
  1U << C2G_DATA_TYPE_UINT16 | 1U << C2G_DATA_TYPE_INT16 | 1U << C2G_DATA_TYPE_INT32 |
  1U << C2G_DATA_TYPE_INT64;

static gboolean
is_castable (C2gDataType type)
{
  return type < C2G_N_LOOPS && (cast_types & 1U << type) != 0;
}

typedef struct
{
  C2gDataType to;
} Cast;

static gboolean
cast_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  Cast *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->to = c2g_arguments_data_type (&arguments, "to", C2G_DATA_TYPE_UNDEFINED);
  if (!c2g_arguments_finish (&arguments, error))
    return FALSE;
  if (is_castable (self->to))
    return TRUE;

  if (self->to == C2G_DATA_TYPE_UNDEFINED)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “%s” is missing, expected a data type"), "to");
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                 _("Elements cannot be cast to the type %s"), c2g_data_type_get_name (self->to));
  return FALSE;
}

static gboolean
cast (C2gOperator  *op,
      C2gDataType   to,
      GError      **error)
{
  const C2gDeviceCompute *compute = c2g_operator_get_compute (op);
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gDataType from = x != NULL ? c2g_tensor_get_data_type (x) : C2G_DATA_TYPE_UNDEFINED;
  C2gTensor *y;

  if (x == NULL)
    return FALSE;
  if (!is_castable (from))
    return c2g_operator_set_types_error (op, 0, cast_types, error);
  if (from == to)
    return c2g_operator_copy (op, error);
  y = c2g_operator_output_like (op, 0, x, to, error);
  if (y == NULL)
    return FALSE;
  if (compute != NULL)
    return compute->convert (c2g_operator_get_context (op), from, c2g_tensor_address (x), to,
                             c2g_tensor_address (y), x->n_elements, error);

  if (from == C2G_DATA_TYPE_FLOAT16)
    cast_float16 (c2g_tensor_address (x), c2g_tensor_address (y), y->meta->item_size,
                  x->n_elements, to);
  else
    cast_loops[from][to] (c2g_tensor_address (x), c2g_tensor_address (y), x->n_elements);
  return TRUE;
}

static gboolean
cast_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  return cast (op, ((Cast *) state)->to, error);
}

static gboolean
half_to_float_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  return c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT16, error) != NULL &&
         cast (op, C2G_DATA_TYPE_FLOAT, error);
}

typedef struct
{
  /* Numbers that are too large become the largest one, and not infinity. */
  gboolean is_clipped;
} FloatToHalf;

static gboolean
float_to_half_set_up (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  FloatToHalf *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  self->is_clipped = c2g_arguments_boolean (&arguments, "clip", FALSE);
  if (!c2g_arguments_finish (&arguments, error))
    return FALSE;
  return !self->is_clipped || c2g_operator_get_compute (op) == NULL ||
         c2g_operator_fail_on_device (op, error);
}

/* As in Caffe2, what is no number becomes the largest one as well. */
static void
clip_halves (guint16 *y,
             gsize    n)
{
  const guint16 sign = 0x8000, infinity = 0x7c00, largest = 0x7bff;

  for (gsize i = 0; i < n; i++)
    if ((y[i] & ~sign) == infinity)
      y[i] = (y[i] & sign) | largest;
    else if ((y[i] & infinity) == infinity)
      y[i] = largest;
}

static gboolean
float_to_half_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  const FloatToHalf *self = state;
  C2gTensor *y;

  if (c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error) == NULL ||
      !cast (op, C2G_DATA_TYPE_FLOAT16, error))
    return FALSE;

  if (!self->is_clipped)
    return TRUE;
  y = c2g_operator_get_output_tensor (op, 0, error);
  if (y == NULL)
    return FALSE;
  clip_halves (c2g_tensor_address (y), y->n_elements);
  return TRUE;
}

static const C2gKernel kernels[] = {
  { "Cast", NULL, 1, 1, 1, 1, NULL, "to", sizeof (Cast), cast_set_up, cast_run, NULL,
    c2g_count_elements, "The same numbers as elements of another type", .infer = cast_run,
    .is_for_devices = TRUE },
  { "FloatToHalf", NULL, 1, 1, 1, 1, NULL, NULL, sizeof (FloatToHalf), float_to_half_set_up,
    float_to_half_run, NULL,
    c2g_count_elements, "The same numbers in half precision", .infer = float_to_half_run,
    .is_for_devices = TRUE },
  { "HalfToFloat", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, half_to_float_run, NULL,
    c2g_count_elements, "The same numbers in single precision", .infer = half_to_float_run,
    .is_for_devices = TRUE },
};

void
c2g_ops_register_cast (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
