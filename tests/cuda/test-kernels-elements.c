/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/kernels-utils.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>

#include <math.h>
#include <string.h>

/* Kernels for functions of elements, of channels and of vectors */

static const C2gDataType real_types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16,
                                          C2G_DATA_TYPE_BFLOAT16 };
static const C2gDataType calculated_types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16,
                                                C2G_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_DOUBLE,
                                                C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_INT64 };

static void
set_number (C2gTensor *tensor,
            gint64     i,
            double     number)
{
  c2g_element_set_double (tensor->meta,
                          (char *) kernels_data (tensor) + i * tensor->meta->item_size, number,
                          NULL);
}

static double
get_number (C2gTensor *tensor,
            gint64     i)
{
  double number;

  c2g_element_get_double (tensor->meta,
                          (const char *) kernels_data (tensor) + i * tensor->meta->item_size,
                          &number, NULL);
  return number;
}

typedef struct
{
  C2gComputeUnary op;
  const char *text;
  float a;
  float b;
} Unary;

#define F(name, value) " arg { name: '" name "' f: " #value " }"
#define I(name, value) " arg { name: '" name "' i: " #value " }"
#define S(name, value) " arg { name: '" name "' s: '" value "' }"

static const Unary unaries[] = {
  { C2G_COMPUTE_UNARY_RELU, "type: 'Relu'", 0, 0 },
  { C2G_COMPUTE_UNARY_SIGMOID, "type: 'Sigmoid'", 0, 0 },
  { C2G_COMPUTE_UNARY_TANH, "type: 'Tanh'", 0, 0 },
  { C2G_COMPUTE_UNARY_SWISH, "type: 'Swish'", 0, 0 },
  { C2G_COMPUTE_UNARY_SOFTPLUS, "type: 'Softplus'", 0, 0 },
  { C2G_COMPUTE_UNARY_SOFTSIGN, "type: 'Softsign'", 0, 0 },
  { C2G_COMPUTE_UNARY_EXP, "type: 'Exp'", 0, 0 },
  { C2G_COMPUTE_UNARY_LOG, "type: 'Log'", 0, 0 },
  { C2G_COMPUTE_UNARY_SQRT, "type: 'Sqrt'", 0, 0 },
  { C2G_COMPUTE_UNARY_RSQRT, "type: 'Rsqrt'", 0, 0 },
  { C2G_COMPUTE_UNARY_CBRT, "type: 'Cbrt'", 0, 0 },
  { C2G_COMPUTE_UNARY_SQR, "type: 'Sqr'", 0, 0 },
  { C2G_COMPUTE_UNARY_CUBE, "type: 'Cube'", 0, 0 },
  { C2G_COMPUTE_UNARY_RECIPROCAL, "type: 'Reciprocal'", 0, 0 },
  { C2G_COMPUTE_UNARY_ABS, "type: 'Abs'", 0, 0 },
  { C2G_COMPUTE_UNARY_FLOOR, "type: 'Floor'", 0, 0 },
  { C2G_COMPUTE_UNARY_CEIL, "type: 'Ceil'", 0, 0 },
  { C2G_COMPUTE_UNARY_SIN, "type: 'Sin'", 0, 0 },
  { C2G_COMPUTE_UNARY_COS, "type: 'Cos'", 0, 0 },
  { C2G_COMPUTE_UNARY_TAN, "type: 'Tan'", 0, 0 },
  { C2G_COMPUTE_UNARY_ASIN, "type: 'Asin'", 0, 0 },
  { C2G_COMPUTE_UNARY_ACOS, "type: 'Acos'", 0, 0 },
  { C2G_COMPUTE_UNARY_ATAN, "type: 'Atan'", 0, 0 },
  { C2G_COMPUTE_UNARY_SINH, "type: 'Sinh'", 0, 0 },
  { C2G_COMPUTE_UNARY_COSH, "type: 'Cosh'", 0, 0 },
  { C2G_COMPUTE_UNARY_ERF, "type: 'Erf'", 0, 0 },
  { C2G_COMPUTE_UNARY_LEAKY_RELU, "type: 'LeakyRelu'" F ("alpha", 0.25), 0.25f, 0 },
  { C2G_COMPUTE_UNARY_ELU, "type: 'Elu'" F ("alpha", 1.5), 1.5f, 0 },
  { C2G_COMPUTE_UNARY_SELU, "type: 'Selu'" F ("alpha", 1.5) F ("scale", 1.25), 1.5f, 1.25f },
  { C2G_COMPUTE_UNARY_CLIP, "type: 'Clip'" F ("min", -1.5) F ("max", 2), -1.5f, 2 },
  { C2G_COMPUTE_UNARY_GELU_EXACT, "type: 'Gelu'", 0, 0 },
  { C2G_COMPUTE_UNARY_GELU_FAST, "type: 'Gelu'" I ("fast_gelu", 1), 0, 0 },
  { C2G_COMPUTE_UNARY_LINEAR, "type: 'Scale'" F ("scale", -1.5), -1.5f, 0 },
  { C2G_COMPUTE_UNARY_POWER, "type: 'Pow'" F ("exponent", 2), 2, 0 },
  { C2G_COMPUTE_UNARY_REPLACE_NAN, "type: 'ReplaceNaN'" F ("value", 7), 7, 0 },
  { C2G_COMPUTE_UNARY_NEGATIVE, "type: 'Negative'", 0, 0 },
  { C2G_COMPUTE_UNARY_SIGN, "type: 'Sign'", 0, 0 },
};

static void
check_unary (const Unary *unary,
             C2gDataType  type,
             gint64       n,
             gsize        shift)
{
  static const double specials[] = { NAN, INFINITY, -INFINITY, 0, -0.0, 100, -100, 1, -1, 1e-6 };
  g_autoptr (C2gTensor) x = kernels_new_random (type, &n, 1, 4);
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (C2gTensor) in_place = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  C2gDataType to = unary->op == C2G_COMPUTE_UNARY_IS_NAN ? C2G_DATA_TYPE_UINT8 : type;

  for (gint64 i = 0; i < MIN (n, (gint64) G_N_ELEMENTS (specials)); i++)
    set_number (x, i, specials[i]);
  expected = kernels_run_operator (unary->text, &x, 1);
  kernels_buffer_upload (&source, x, shift * x->meta->item_size);
  kernels_buffer_init (&target, n * c2g_data_type_get_item_size (to),
                       shift * c2g_data_type_get_item_size (to));
  kernels_assert_success (KERNELS_RUN (unary, NULL, .unary = unary->op, .type = type,
                                       .x = source.data, .y = target.data, .n = n, .a = unary->a,
                                       .b = unary->b));
  result = kernels_buffer_fetch (&target, to, &n, 1);
  kernels_assert_alike (result, expected, 1e-5);
  if (to != type)
    return;

  kernels_assert_success (KERNELS_RUN (unary, NULL, .unary = unary->op, .type = type,
                                       .x = source.data, .y = source.data, .n = n, .a = unary->a,
                                       .b = unary->b));
  in_place = kernels_buffer_fetch (&source, type, &n, 1);
  kernels_assert_alike (in_place, result, 0);
}

static void
test_unary (void)
{
  static const Unary is_nan = { C2G_COMPUTE_UNARY_IS_NAN, "type: 'IsNaN'", 0, 0 };
  static const Unary not = { C2G_COMPUTE_UNARY_NOT, "type: 'Not'", 0, 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (unaries); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (real_types); k++)
      {
        check_unary (&unaries[i], real_types[k], 0, 0);
        check_unary (&unaries[i], real_types[k], 101, 0);
        check_unary (&unaries[i], real_types[k], 101, 1);
      }
  for (gsize i = G_N_ELEMENTS (unaries) - 2; i < G_N_ELEMENTS (unaries); i++)
    for (gsize k = 3; k < G_N_ELEMENTS (calculated_types); k++)
      check_unary (&unaries[i], calculated_types[k], 101, k % 2);
  check_unary (&unaries[0], C2G_DATA_TYPE_FLOAT, 30011, 0);
  for (gsize k = 0; k < 4; k++)
    check_unary (&is_nan, calculated_types[k], 101, k % 2);
  check_unary (&not, C2G_DATA_TYPE_BOOL, 101, 3);
}

static void
test_unary_unknown (void)
{
  char byte = 0;

  g_assert_cmpint (KERNELS_RUN (unary, NULL, .unary = C2G_COMPUTE_UNARY_RELU,
                                .type = C2G_DATA_TYPE_INT8, .x = &byte, .y = &byte, .n = 1),
                   ==, cudaErrorNotSupported);
  g_assert_cmpint (KERNELS_RUN (unary, NULL, .unary = C2G_COMPUTE_UNARY_NOT,
                                .type = C2G_DATA_TYPE_FLOAT, .x = &byte, .y = &byte, .n = 1),
                   ==, cudaErrorNotSupported);
}

/* Two operands; shapes are right-aligned and filled with 1. */

#define N_DIMS 6

typedef struct
{
  gint64 a[N_DIMS];
  gint64 b[N_DIMS];
} Shapes;

static const Shapes shapes[] = {
  { { 1, 1, 1, 1, 1, 0 }, { 1, 1, 1, 1, 1, 0 } },
  { { 1, 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1, 1 } },
  { { 1, 1, 1, 1, 1, 1003 }, { 1, 1, 1, 1, 1, 1003 } },
  { { 1, 1, 1, 1, 1, 1000 }, { 1, 1, 1, 1, 1, 1 } },
  { { 1, 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1, 1003 } },
  { { 1, 1, 1, 1, 7, 33 }, { 1, 1, 1, 1, 1, 33 } },
  { { 1, 1, 1, 1, 7, 64 }, { 1, 1, 1, 1, 1, 64 } },
  { { 1, 1, 1, 1, 1, 64 }, { 1, 1, 1, 1, 7, 64 } },
  { { 1, 1, 1, 1, 7, 33 }, { 1, 1, 1, 1, 7, 1 } },
  { { 1, 1, 1, 1, 9, 64 }, { 1, 1, 1, 1, 9, 1 } },
  { { 1, 1, 1, 3, 4, 5 }, { 1, 1, 1, 1, 4, 1 } },
  { { 1, 2, 1, 5, 1, 3 }, { 1, 1, 4, 1, 6, 1 } },
  { { 2, 3, 4, 5, 2, 16 }, { 1, 3, 1, 5, 1, 16 } },
  { { 2, 1, 2, 1, 2, 1 }, { 1, 3, 1, 3, 1, 3 } },
};

static void
find_strides (const gint64 *dims,
              gint64       *strides)
{
  gint64 step = 1;

  for (int i = N_DIMS - 1; i >= 0; i--)
    {
      strides[i] = dims[i] != 1 ? step : 0;
      step *= dims[i];
    }
}

typedef struct
{
  C2gComputeBinary op;
  const char *text;
} Binary;

static const Binary binaries[] = {
  { C2G_COMPUTE_BINARY_ADD, "type: 'Add'" },
  { C2G_COMPUTE_BINARY_SUB, "type: 'Sub'" },
  { C2G_COMPUTE_BINARY_MUL, "type: 'Mul'" },
  { C2G_COMPUTE_BINARY_DIV, "type: 'Div'" },
  { C2G_COMPUTE_BINARY_EQ, "type: 'EQ'" },
  { C2G_COMPUTE_BINARY_NE, "type: 'NE'" },
  { C2G_COMPUTE_BINARY_LT, "type: 'LT'" },
  { C2G_COMPUTE_BINARY_LE, "type: 'LE'" },
  { C2G_COMPUTE_BINARY_GT, "type: 'GT'" },
  { C2G_COMPUTE_BINARY_GE, "type: 'GE'" },
};
static const Binary logic[] = {
  { C2G_COMPUTE_BINARY_AND, "type: 'And'" },
  { C2G_COMPUTE_BINARY_OR, "type: 'Or'" },
  { C2G_COMPUTE_BINARY_XOR, "type: 'Xor'" },
  { C2G_COMPUTE_BINARY_BITWISE_AND, "type: 'BitwiseAnd'" },
  { C2G_COMPUTE_BINARY_BITWISE_OR, "type: 'BitwiseOr'" },
  { C2G_COMPUTE_BINARY_BITWISE_XOR, "type: 'BitwiseXor'" },
};

/* Computes maximum or minimum with broadcasting, which no operator does. */
static C2gTensor *
expect_extremes (C2gTensor    *a,
                 const gint64 *a_strides,
                 C2gTensor    *b,
                 const gint64 *b_strides,
                 const gint64 *dims,
                 gboolean      is_max)
{
  C2gTensor *c = kernels_new_tensor (c2g_tensor_get_data_type (a), dims, N_DIMS);

  for (gint64 i = 0; i < c->n_elements; i++)
    {
      gint64 rest = i, a_place = 0, b_place = 0;
      double x, y;

      for (int k = N_DIMS - 1; k >= 0; rest /= dims[k--])
        {
          a_place += rest % dims[k] * a_strides[k];
          b_place += rest % dims[k] * b_strides[k];
        }
      x = get_number (a, a_place);
      y = get_number (b, b_place);
      set_number (c, i, is_max ? MAX (x, y) : MIN (x, y));
    }
  return c;
}

static void
check_binary (const Binary *binary,
              C2gDataType   type,
              const Shapes *shape,
              gsize         shift)
{
  gint64 dims[N_DIMS], a_strides[N_DIMS], b_strides[N_DIMS];
  g_autoptr (C2gTensor) a = kernels_new_random (type, shape->a, N_DIMS, 9);
  g_autoptr (C2gTensor) b = kernels_new_random (type, shape->b, N_DIMS, 9);
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) a_buffer = { NULL };
  g_auto (KernelsBuffer) b_buffer = { NULL };
  g_auto (KernelsBuffer) c_buffer = { NULL };
  C2gDataType to = binary->op >= C2G_COMPUTE_BINARY_EQ && binary->op < C2G_COMPUTE_BINARY_AND
                     ? C2G_DATA_TYPE_BOOL
                     : type;
  gsize item_size = c2g_data_type_get_item_size (to);

  for (int i = 0; i < N_DIMS; i++)
    dims[i] = shape->a[i] == 1 ? shape->b[i] : shape->a[i];
  find_strides (shape->a, a_strides);
  find_strides (shape->b, b_strides);
  for (gint64 i = 0; i < b->n_elements; i++)
    if (get_number (b, i) == 0 && type != C2G_DATA_TYPE_BOOL)
      set_number (b, i, i % 2 != 0 ? 1 : -1);
  for (gint64 i = 0; i < a->n_elements && binary->op == C2G_COMPUTE_BINARY_POW; i++)
    set_number (a, i, fabs (get_number (a, i)));

  expected = binary->text != NULL
               ? kernels_run_operator (binary->text, (C2gTensor *[]){ a, b }, 2)
               : expect_extremes (a, a_strides, b, b_strides, dims,
                                  binary->op == C2G_COMPUTE_BINARY_MAX);
  kernels_buffer_upload (&a_buffer, a, shift * a->meta->item_size);
  kernels_buffer_upload (&b_buffer, b, shift / 2 * a->meta->item_size);
  kernels_buffer_init (&c_buffer, expected->n_elements * item_size, shift * item_size);
  kernels_assert_success (KERNELS_RUN (binary, NULL, .binary = binary->op, .type = type,
                                       .dims = dims, .n_dims = N_DIMS, .x = a_buffer.data,
                                       .x_strides = a_strides, .other = b_buffer.data,
                                       .other_strides = b_strides, .y = c_buffer.data));
  result = kernels_buffer_fetch (&c_buffer, to, dims, N_DIMS);
  kernels_assert_alike (result, expected, binary->op == C2G_COMPUTE_BINARY_POW ? 1e-4 : 1e-6);
}

static void
check_shapes (const Binary *binary,
              C2gDataType   type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      check_binary (binary, type, &shapes[i], 0);
      check_binary (binary, type, &shapes[i], 1);
      check_binary (binary, type, &shapes[i], 2);
    }
}

static void
test_binary (void)
{
  static const Binary max = { C2G_COMPUTE_BINARY_MAX, NULL };
  static const Binary min = { C2G_COMPUTE_BINARY_MIN, NULL };
  static const Binary power = { C2G_COMPUTE_BINARY_POW, "type: 'Pow'" };

  for (gsize k = 0; k < G_N_ELEMENTS (calculated_types); k++)
    {
      for (gsize i = 0; i < G_N_ELEMENTS (binaries); i++)
        check_shapes (&binaries[i], calculated_types[k]);
      check_shapes (&max, calculated_types[k]);
      check_shapes (&min, calculated_types[k]);
    }
  for (gsize k = 0; k < G_N_ELEMENTS (real_types); k++)
    check_shapes (&power, real_types[k]);
}

static void
test_binary_logic (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (logic); i++)
    check_shapes (&logic[i], C2G_DATA_TYPE_BOOL);
  for (gsize i = 3; i < G_N_ELEMENTS (logic); i++)
    {
      check_shapes (&logic[i], C2G_DATA_TYPE_INT32);
      check_shapes (&logic[i], C2G_DATA_TYPE_INT64);
    }
  for (gsize i = 4; i < G_N_ELEMENTS (binaries); i++)
    check_shapes (&binaries[i], C2G_DATA_TYPE_BOOL);
}

/* These divisions would end the process on the CPU. */
static void
test_division (void)
{
  static const gint32 as[] = { G_MININT32, 7, -7, 0, 5 };
  static const gint32 bs[] = { -1, 0, 2, 0, 3 };
  static const gint32 expected[] = { G_MININT32, 0, -3, 0, 1 };
  const gint64 n = G_N_ELEMENTS (as), one = 1;
  gint32 cs[G_N_ELEMENTS (as)];
  g_auto (KernelsBuffer) a = { NULL };
  g_auto (KernelsBuffer) b = { NULL };

  kernels_buffer_init (&a, sizeof as, 0);
  kernels_buffer_init (&b, sizeof bs, 0);
  kernels_assert_success (cudaMemcpy (a.data, as, sizeof as, cudaMemcpyHostToDevice));
  kernels_assert_success (cudaMemcpy (b.data, bs, sizeof bs, cudaMemcpyHostToDevice));
  kernels_assert_success (KERNELS_RUN (binary, NULL, .binary = C2G_COMPUTE_BINARY_DIV,
                                       .type = C2G_DATA_TYPE_INT32, .dims = &n, .n_dims = 1,
                                       .x = a.data, .x_strides = &one, .other = b.data,
                                       .other_strides = &one, .y = a.data));
  kernels_buffer_read (&a, cs);
  g_assert_cmpmem (cs, sizeof cs, expected, sizeof expected);
}

/* BLAS functions of vectors */

static void
check_vectors (C2gDataType type,
               gint64      n,
               gsize       shift)
{
  g_autoptr (C2gTensor) x = kernels_new_random (type, &n, 1, 1);
  g_autoptr (C2gTensor) y = kernels_new_random (type, &n, 1, 1);
  g_autoptr (C2gTensor) expected = kernels_new_tensor (type, &n, 1);
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (C2gTensor) scaled = NULL;
  g_auto (KernelsBuffer) x_buffer = { NULL };
  g_auto (KernelsBuffer) y_buffer = { NULL };

  kernels_buffer_upload (&x_buffer, x, shift * x->meta->item_size);
  kernels_buffer_upload (&y_buffer, y, shift * x->meta->item_size);
  kernels_assert_success (KERNELS_RUN (axpby, NULL, .type = type, .n = n, .alpha = 1.5,
                                       .x = x_buffer.data, .beta = -0.5, .y = y_buffer.data));
  result = kernels_buffer_fetch (&y_buffer, type, &n, 1);
  for (gint64 i = 0; i < n; i++)
    set_number (expected, i, 1.5 * get_number (x, i) - 0.5 * get_number (y, i));
  kernels_assert_alike (result, expected, 1e-6);

  kernels_assert_success (KERNELS_RUN (axpby, NULL, .type = type, .n = n, .alpha = 2,
                                       .x = x_buffer.data, .y = y_buffer.data, .beta = 1));
  kernels_assert_success (KERNELS_RUN (axpby, NULL, .type = type, .n = n, .alpha = -3,
                                       .x = x_buffer.data, .y = y_buffer.data));
  kernels_assert_success (KERNELS_RUN (axpby, NULL, .type = type, .n = n, .alpha = 0.5,
                                       .x = y_buffer.data, .y = y_buffer.data));
  scaled = kernels_buffer_fetch (&y_buffer, type, &n, 1);
  for (gint64 i = 0; i < n; i++)
    set_number (expected, i, -1.5 * get_number (x, i));
  kernels_assert_alike (scaled, expected, 1e-6);
}

static double
measure (C2gComputeMeasure  what,
         C2gDataType        type,
         KernelsBuffer     *x,
         KernelsBuffer     *y,
         gsize              n)
{
  g_auto (KernelsBuffer) results = { NULL };
  g_autofree double *numbers = g_malloc (c2g_cuda_kernel_measure_size ());

  kernels_buffer_init (&results, c2g_cuda_kernel_measure_size (), 0);
  kernels_assert_success (KERNELS_RUN (measure, results.data, .measure = what, .type = type, .n = n,
                                       .x = x->data, .other = y->data));
  kernels_buffer_read (&results, numbers);
  return numbers[0];
}

/* Sums are in double. */
static void
assert_near (double got,
             double expected,
             double sum_of_sizes)
{
  g_assert_cmpfloat (fabs (got - expected), <=, 1e-13 * sum_of_sizes);
}

static void
check_sums (C2gDataType type,
            gint64      n,
            gsize       shift)
{
  g_autoptr (C2gTensor) x = kernels_new_random (type, &n, 1, 1);
  g_autoptr (C2gTensor) y = kernels_new_random (type, &n, 1, 1);
  g_auto (KernelsBuffer) x_buffer = { NULL };
  g_auto (KernelsBuffer) y_buffer = { NULL };
  double dot = 0, size = 0, squares = 0, largest = 0;

  for (gint64 i = 0; i < n; i++)
    {
      double number = get_number (x, i);

      dot += number * get_number (y, i);
      size += fabs (number);
      squares += number * number;
      largest = MAX (largest, fabs (number));
    }
  kernels_buffer_upload (&x_buffer, x, shift * x->meta->item_size);
  kernels_buffer_upload (&y_buffer, y, 0);
  assert_near (measure (C2G_COMPUTE_MEASURE_ASUM, type, &x_buffer, &x_buffer, n), size, size);
  assert_near (measure (C2G_COMPUTE_MEASURE_DOT, type, &x_buffer, &x_buffer, n), squares, squares);
  assert_near (measure (C2G_COMPUTE_MEASURE_DOT, type, &x_buffer, &y_buffer, n), dot, size);
  g_assert_cmpfloat (measure (C2G_COMPUTE_MEASURE_AMAX, type, &x_buffer, &x_buffer, n), ==, largest);
}

static void
test_vectors (void)
{
  for (gsize k = 0; k < 4; k++)
    {
      static const gint64 sizes[] = { 0, 1, 31, 1025, 4096, 30011 };

      for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
        {
          check_vectors (calculated_types[k], sizes[i], i % 2);
          check_sums (calculated_types[k], sizes[i], i % 2);
        }
    }
}

/* Folds of several tensors */

static void
check_fold (C2gComputeReduce  op,
            const char    *text,
            C2gDataType    type,
            gsize          n_inputs,
            gsize          shift)
{
  const gint64 n = 517;
  C2gTensor *tensors[20];
  KernelsBuffer buffers[20];
  gconstpointer addresses[20];
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) target = { NULL };

  for (gsize i = 0; i < n_inputs; i++)
    {
      tensors[i] = kernels_new_random (type, &n, 1, 9);
      kernels_buffer_upload (&buffers[i], tensors[i], shift * tensors[i]->meta->item_size);
      addresses[i] = buffers[i].data;
    }
  expected = kernels_run_operator (text, tensors, n_inputs);
  kernels_buffer_init (&target, buffers[0].n_bytes, shift * tensors[0]->meta->item_size);
  kernels_assert_success (KERNELS_RUN (fold, NULL, .reduce = op, .type = type, .xs = addresses,
                                       .n_xs = n_inputs, .y = target.data, .n = n));
  result = kernels_buffer_fetch (&target, type, &n, 1);
  /* A 16-bit result is rounded after every eight inputs, when it may be larger than at the end. */
  kernels_assert_alike (result, expected,
                        type == C2G_DATA_TYPE_BFLOAT16  ? 0x1p-2
                        : type == C2G_DATA_TYPE_FLOAT16 ? 0x1p-5
                                                        : 1e-2);
  for (gsize i = 0; i < n_inputs; i++)
    {
      kernels_buffer_clear (&buffers[i]);
      g_object_unref (tensors[i]);
    }
}

static void
test_fold (void)
{
  static const gsize counts[] = { 1, 2, 3, 8, 9, 20 };

  for (gsize k = 0; k < G_N_ELEMENTS (calculated_types); k++)
    for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
      {
        check_fold (C2G_COMPUTE_REDUCE_SUM, "type: 'Sum'", calculated_types[k], counts[i], i % 3);
        check_fold (C2G_COMPUTE_REDUCE_MAX, "type: 'Max'", calculated_types[k], counts[i], i % 3);
        check_fold (C2G_COMPUTE_REDUCE_MIN, "type: 'Min'", calculated_types[k], counts[i], i % 3);
      }
}

/* Channels */

typedef struct
{
  gint64 n_outer;
  gint64 n_channels;
  gint64 n_inner;
} Channels;

static const Channels channels[] = {
  { 0, 3, 5 },
  { 1, 1, 1 },
  { 2, 3, 1 },
  { 5, 16, 1 },
  { 2, 3, 64 },
  { 3, 5, 7 },
  { 2, 8, 49 },
};

static C2gTensor *
new_channel_tensor (C2gDataType     type,
                    const Channels *shape,
                    gboolean        is_last)
{
  const gint64 dims[] = { shape->n_outer, is_last ? 1 : shape->n_channels,
                          is_last ? 1 : shape->n_inner, is_last ? shape->n_channels : 1 };

  return kernels_new_random (type, dims, 4, 3);
}

static void
check_spatial_bn (C2gDataType     type,
                  const Channels *shape,
                  gsize           shift)
{
  /* With one place for each channel the tensor is NHWC, so that the channels are last. */
  gboolean is_last = shape->n_inner == 1;
  g_autoptr (C2gTensor) x = new_channel_tensor (type, shape, is_last);
  C2gTensor *inputs[5] = { x };
  g_auto (KernelsBuffer) x_buffer = { NULL };
  g_auto (KernelsBuffer) scales = { NULL };
  KernelsBuffer buffers[5];
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;

  for (guint i = 1; i < 5; i++)
    {
      inputs[i] = kernels_new_random (C2G_DATA_TYPE_FLOAT, &shape->n_channels, 1, 2);
      for (gint64 k = 0; k < shape->n_channels && i == 4; k++)
        ((float *) kernels_data (inputs[i]))[k] =
            fabsf (((float *) kernels_data (inputs[i]))[k]) + 0.1f;
      kernels_buffer_upload (&buffers[i], inputs[i], 0);
    }
  expected = kernels_run_operator (is_last ? "type: 'SpatialBN'" I ("is_test", 1) S ("order", "NHWC")
                                           : "type: 'SpatialBN'" I ("is_test", 1),
                                   inputs, 5);
  kernels_buffer_init (&scales, 2 * shape->n_channels * sizeof (float), 0);
  kernels_assert_success (KERNELS_RUN (find_scales, scales.data, .n = shape->n_channels,
                                       .scale = buffers[1].data, .bias = buffers[2].data,
                                       .mean = buffers[3].data, .variance = buffers[4].data,
                                       .epsilon = 1e-5f));
  kernels_buffer_upload (&x_buffer, x, shift * x->meta->item_size);
  kernels_assert_success (KERNELS_RUN (scale_channels, NULL, .type = type, .x = x_buffer.data,
                                       .scale = scales.data, .bias = (float *) scales.data + shape->n_channels,
                                       .y = x_buffer.data, .n_outer = shape->n_outer,
                                       .n = shape->n_channels, .n_inner = shape->n_inner));
  result = kernels_buffer_fetch (&x_buffer, type, x->dims, x->n_dims);
  kernels_assert_alike (result, expected, 1e-5);
  for (guint i = 1; i < 5; i++)
    {
      kernels_buffer_clear (&buffers[i]);
      g_object_unref (inputs[i]);
    }
}

static void
check_prelu (C2gDataType     type,
             const Channels *shape,
             gboolean        is_one,
             gsize           shift)
{
  gboolean is_last = shape->n_inner == 1;
  g_autoptr (C2gTensor) x = new_channel_tensor (type, shape, is_last);
  const gint64 n_slopes = is_one ? 1 : shape->n_channels;
  g_autoptr (C2gTensor) slopes = kernels_new_random (type, &n_slopes, 1, 1);
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) x_buffer = { NULL };
  g_auto (KernelsBuffer) slope_buffer = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  expected = kernels_run_operator (is_last ? "type: 'PRelu'" S ("order", "NHWC") : "type: 'PRelu'",
                                   (C2gTensor *[]){ x, slopes }, 2);
  kernels_buffer_upload (&x_buffer, x, shift * x->meta->item_size);
  kernels_buffer_upload (&slope_buffer, slopes, 0);
  kernels_buffer_init (&target, x_buffer.n_bytes, 0);
  kernels_assert_success (KERNELS_RUN (prelu, NULL, .type = type, .x = x_buffer.data,
                                       .other = slope_buffer.data, .n_other = n_slopes,
                                       .y = target.data, .n_outer = shape->n_outer,
                                       .n = shape->n_channels, .n_inner = shape->n_inner));
  result = kernels_buffer_fetch (&target, type, x->dims, x->n_dims);
  kernels_assert_alike (result, expected, 1e-6);
}

static void
test_channels (void)
{
  for (gsize k = 0; k < G_N_ELEMENTS (real_types); k++)
    for (gsize i = 0; i < G_N_ELEMENTS (channels); i++)
      for (gsize shift = 0; shift < 2; shift++)
        {
          check_spatial_bn (real_types[k], &channels[i], shift);
          check_prelu (real_types[k], &channels[i], FALSE, shift);
          check_prelu (real_types[k], &channels[i], TRUE, shift);
        }
}

static void
test_bias (void)
{
  const Channels shape = { 2, 5, 8 };
  g_autoptr (C2gTensor) x = new_channel_tensor (C2G_DATA_TYPE_FLOAT, &shape, FALSE);
  g_autoptr (C2gTensor) bias = kernels_new_random (C2G_DATA_TYPE_FLOAT, &shape.n_channels, 1, 1);
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) x_buffer = { NULL };
  g_auto (KernelsBuffer) bias_buffer = { NULL };

  expected = kernels_run_operator ("type: 'Add'" I ("broadcast", 1) I ("axis", 1),
                                   (C2gTensor *[]){ x, bias }, 2);
  kernels_buffer_upload (&x_buffer, x, 0);
  kernels_buffer_upload (&bias_buffer, bias, 0);
  kernels_assert_success (KERNELS_RUN (scale_channels, NULL, .type = C2G_DATA_TYPE_FLOAT,
                                       .x = x_buffer.data, .bias = bias_buffer.data,
                                       .y = x_buffer.data, .n_outer = 2, .n = 5, .n_inner = 8));
  result = kernels_buffer_fetch (&x_buffer, C2G_DATA_TYPE_FLOAT, x->dims, x->n_dims);
  kernels_assert_alike (result, expected, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/cuda-kernels/unary", test_unary);
  c2g_test_add_func ("/cuda-kernels/unary/unknown", test_unary_unknown);
  c2g_test_add_func ("/cuda-kernels/binary", test_binary);
  c2g_test_add_func ("/cuda-kernels/binary/logic", test_binary_logic);
  c2g_test_add_func ("/cuda-kernels/binary/division", test_division);
  c2g_test_add_func ("/cuda-kernels/vectors", test_vectors);
  c2g_test_add_func ("/cuda-kernels/fold", test_fold);
  c2g_test_add_func ("/cuda-kernels/channels", test_channels);
  c2g_test_add_func ("/cuda-kernels/channels/bias", test_bias);

  return kernels_test_run ();
}
