/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-binary-loop-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <math.h>

/* Arithmetic on two tensors, with broadcasting (see c2g-binary-loop-private.h).
 *
 * Add, Sub, Mul, Div: a + b, a - b, a b, a / b of float, double, int32 or int64. Integers wrap
 * around on overflow; an integer divisor must not be 0.
 * Pow: a^b, or a^exponent with one input; float only.
 *
 * The output has the inputs' type. It may be in place of an input with the shape of the result.
 * On CUDA kernels/binary.cu computes all of them, but kernels/unary.cu Pow with one input. */

/* integer is the expression for integers, a macro of the signed and the unsigned type. Computing
 * with the unsigned type makes overflow wrap around. */
#define DEFINE_ARITHMETIC(name, expression, integer)                                               \
  C2G_DEFINE_BINARY_LOOP (name##_floats, C2G_HOT, float, float, expression)                        \
  C2G_DEFINE_BINARY_LOOP (name##_doubles, , double, double, expression)                            \
  C2G_DEFINE_BINARY_LOOP (name##_int32s, , gint32, gint32, integer (gint32, guint32))              \
  C2G_DEFINE_BINARY_LOOP (name##_int64s, , gint64, gint64, integer (gint64, guint64))              \
                                                                                                   \
  static const C2gBinaryLoop name##_loops[C2G_N_LOOPS] = {                                         \
    [C2G_DATA_TYPE_FLOAT] = name##_floats,                                                         \
    [C2G_DATA_TYPE_DOUBLE] = name##_doubles,                                                       \
    [C2G_DATA_TYPE_INT32] = name##_int32s,                                                         \
    [C2G_DATA_TYPE_INT64] = name##_int64s,                                                         \
  };

#define ADD_INTEGERS(type, unsigned_type) (type) ((unsigned_type) x + (unsigned_type) y)
#define SUB_INTEGERS(type, unsigned_type) (type) ((unsigned_type) x - (unsigned_type) y)
#define MUL_INTEGERS(type, unsigned_type) (type) ((unsigned_type) x * (unsigned_type) y)
#define DIV_INTEGERS(type, unsigned_type) (y != -1 ? x / y : (type) (0 - (unsigned_type) x))

DEFINE_ARITHMETIC (add, x + y, ADD_INTEGERS)
DEFINE_ARITHMETIC (sub, x - y, SUB_INTEGERS)
DEFINE_ARITHMETIC (mul, x * y, MUL_INTEGERS)
DEFINE_ARITHMETIC (div, x / y, DIV_INTEGERS)

C2G_DEFINE_BINARY_RUN (add, ADD, C2G_DATA_TYPE_UNDEFINED)
C2G_DEFINE_BINARY_RUN (sub, SUB, C2G_DATA_TYPE_UNDEFINED)
C2G_DEFINE_BINARY_RUN (mul, MUL, C2G_DATA_TYPE_UNDEFINED)

/* Returns the index of the first 0, or the number of elements if there is none. */
static gint64
find_zero (C2gTensor *tensor)
{
  gint64 i = 0;

  if (c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_INT32)
    for (const gint32 *items = c2g_tensor_address (tensor);
         i < tensor->n_elements && items[i] != 0;)
      i++;
  else if (c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_INT64)
    for (const gint64 *items = c2g_tensor_address (tensor);
         i < tensor->n_elements && items[i] != 0;)
      i++;
  else
    i = tensor->n_elements;
  return i;
}

/* An integer division by 0 would kill the process (SIGFPE), so it is an error. */
static gboolean
div_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  C2gTensor *b = c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error);
  gint64 zero;

  if (b == NULL)
    return FALSE;

  /* Devices do not check: there x / 0 is 0. */
  zero = c2g_operator_is_inferring (op) || c2g_operator_get_compute (op) != NULL ? b->n_elements
                                                                                 : find_zero (b);
  if (zero == b->n_elements)
    return c2g_binary_run (op, C2G_COMPUTE_BINARY_DIV, state, div_loops, C2G_DATA_TYPE_UNDEFINED,
                           error);
  return c2g_fail (error, C2G_ERROR_RANGE, _("Element %" PRId64 " of the divisor “%s” is 0"), zero,
                   c2g_operator_input_name (op, 1));
}

/* Pow */

typedef struct
{
  C2gBroadcastRule rule;
  float            exponent;
} Pow;

C2G_DEFINE_BINARY_LOOP (pow_any, , float, float, powf (x, y))
C2G_DEFINE_BINARY_LOOP (pow_square, C2G_HOT, float, float, ((void) y, x * x))
C2G_DEFINE_BINARY_LOOP (pow_inverse, C2G_HOT, float, float, ((void) y, 1 / x))

static gboolean
pow_set_up (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  if (c2g_operator_get_n_inputs (op) == 2 || c2g_operator_has_argument (op, "exponent"))
    return c2g_binary_set_up (op, state, error);

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("There is neither a second input nor the argument “%s”"), "exponent");
}

static void
pow_loop (gconstpointer a,
          gsize         a_step,
          gconstpointer b,
          gsize         b_step,
          gpointer      c,
          gsize         n)
{
  float exponent = *(const float *) b;
  C2gBinaryLoop loop = pow_any;

  if (b_step == 0 && exponent == 2)
    loop = pow_square;
  else if (b_step == 0 && exponent == -1)
    loop = pow_inverse;
  loop (a, a_step, b, b_step, c, n);
}

static void
pow_unary_loop (gconstpointer source,
                gpointer      target,
                gsize         n,
                gconstpointer parameters)
{
  if (n > 0)
    pow_loop (source, 1, parameters, 0, target, n);
}

static gboolean
pow_run (C2gOperator  *op,
         gpointer      state,
         GError      **error)
{
  static const C2gBinaryLoop loops[C2G_N_LOOPS] = { [C2G_DATA_TYPE_FLOAT] = pow_loop };
  Pow *self = state;

  if (c2g_operator_get_n_inputs (op) == 2)
    return c2g_binary_run (op, C2G_COMPUTE_BINARY_POW, &self->rule, loops, C2G_DATA_TYPE_UNDEFINED, error);
  return c2g_unary_run (op, C2G_COMPUTE_UNARY_POWER, pow_unary_loop, C2G_DATA_TYPE_FLOAT,
                        C2G_DATA_TYPE_FLOAT, (float[]) { self->exponent, 0 }, error);
}

static const C2gKernel kernels[] = {
  C2G_BINARY ("Add", add, "0>0 1>0", "The sum of two tensors",
              .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF),
  C2G_BINARY ("Sub", sub, "0>0 1>0", "The difference of two tensors",
              .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF),
  C2G_BINARY ("Mul", mul, "0>0 1>0", "The product of two tensors, element by element",
              .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF),
  C2G_BINARY ("Div", div, "0>0 1>0", "The quotient of two tensors",
              .traits = C2G_TRAITS_SAME_TYPE | C2G_TRAIT_HALF),
  { "Pow", NULL, 1, 2, 1, 1, "0>0 1>0",
    C2G_ARGS (C2G_ARG_PART (Pow, rule, c2g_broadcast_arguments),
              C2G_ARG_FLOAT (Pow, exponent, "exponent", 0)),
    sizeof (Pow), pow_set_up, pow_run, NULL, c2g_count_elements,
    "Raises elements to powers",
    .infer = pow_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
};

C2G_OPS_FAMILY (binary);
