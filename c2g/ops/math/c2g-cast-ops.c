/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-elementwise-private.h>

#include <c2g/core/tensor/c2g-convert-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>

/* Conversions between element types, for float, double, float16, bool and the integers; not for
 * uint32, uint64 and bfloat16.
 *
 * Cast: y = x as the type of the argument to. Between integers the lower bits are kept, as in C.
 * Where C leaves the result undefined, it is defined here: numbers outside of the range of an
 * integer type become the nearest end of it, and NaN becomes 0.
 *
 * FloatToHalf, HalfToFloat: between float and float16. Finite numbers too large for float16 become
 * ±65504. With clip infinity does too, and NaN becomes 65504. clip works on the CPU only. FloatToHalf
 * copies what is float16 already, so that a net accepts both types.
 *
 * Nothing is in place. The other rules are Caffe2's. On CUDA kernels/convert.cu converts. */

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
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_CONVERT, .type = from, .x = c2g_tensor_address (x),
                        .y_type = to, .y = c2g_tensor_address (y), .n = x->n_elements);

  for (gsize i = 0, n = 0; c2g_interrupt_next_part (x->n_elements, &i, &n);)
    c2g_convert_items (to, (char *) c2g_tensor_address (y) + i * y->meta->item_size, from,
                       (const char *) c2g_tensor_address (x) + i * x->meta->item_size, n,
                       C2G_CONVERT_WRAP, NULL);
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
  /* The argument clip: infinity becomes ±65504. */
  gboolean is_clipped;
} FloatToHalf;

static gboolean
float_to_half_set_up (C2gOperator  *op,
                      gpointer      state,
                      GError      **error)
{
  FloatToHalf *self = state;

  return !self->is_clipped || c2g_operator_get_compute (op) == NULL ||
         c2g_operator_fail_on_device (op, error);
}

/* As in Caffe2, NaN becomes the largest number too. */
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
  C2gTensor *x = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *y;

  if (x == NULL ||
      (c2g_tensor_get_data_type (x) != C2G_DATA_TYPE_FLOAT16 &&
       c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error) == NULL) ||
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
  { "Cast", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_DATA_TYPE (Cast, to, "to", C2G_DATA_TYPE_UNDEFINED, C2G_REQUIRED),
              C2G_ARG_IGNORED ("from_type")),
    sizeof (Cast), cast_set_up, cast_run, NULL, c2g_count_elements,
    "Converts elements to another type", .infer = cast_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "FloatToHalf", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_BOOLEAN (FloatToHalf, is_clipped, "clip", FALSE)), sizeof (FloatToHalf),
    float_to_half_set_up, float_to_half_run, NULL,
    c2g_count_elements, "Converts to half precision", .infer = float_to_half_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE, .role = C2G_ROLE_TO_HALF },
  { "HalfToFloat", NULL, 1, 1, 1, 1, NULL, NULL, 0, NULL, half_to_float_run, NULL,
    c2g_count_elements, "Converts to single precision", .infer = half_to_float_run,
    .is_for_devices = TRUE, .traits = C2G_TRAITS_FLOAT, .role = C2G_ROLE_TO_FLOAT },
};

C2G_OPS_FAMILY (cast);
