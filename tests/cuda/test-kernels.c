/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/kernels-utils.h"
#include "tests/cuda/runtime-utils.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>

#include <math.h>
#include <string.h>

/* Kernels for fill, convert and random numbers */

static const gsize sizes[] = { 0, 1, 2, 3, 15, 16, 17, 63, 100, 1000, 4099, 20011 };

static void
check_fill (gsize item_size,
            gsize n,
            gsize shift)
{
  g_auto (KernelsBuffer) buffer = { NULL };
  g_autofree guint8 *item = g_malloc (item_size);
  g_autofree guint8 *result = g_malloc (n * item_size + 1);

  for (gsize i = 0; i < item_size; i++)
    item[i] = (guint8) (17 * i + 3);
  kernels_buffer_init (&buffer, n * item_size, shift);
  kernels_assert_success (KERNELS_RUN (fill, NULL, .y = buffer.data, .item = item,
                                       .item_size = item_size, .n = n));
  kernels_buffer_read (&buffer, result);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpmem (result + i * item_size, item_size, item, item_size);
}

static void
test_fill (void)
{
  static const gsize item_sizes[] = { 1, 2, 3, 4, 8, 12, 16, 24, 255, 256, 257, 700 };

  for (gsize i = 0; i < G_N_ELEMENTS (item_sizes); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (sizes) && sizes[k] * item_sizes[i] < 200000; k++)
      for (gsize shift = 0; shift < 16; shift += 5)
        check_fill (item_sizes[i], sizes[k], shift);
}

/* Fills bytes for which many blocks are wanted, and returns how many there were. */
static guint
count_blocks (void)
{
  unsigned int (*get_n_blocks) (void) = dlsym (RTLD_DEFAULT, "fake_cuda_get_n_blocks");
  const guint8 item = 7;
  g_auto (KernelsBuffer) buffer = { NULL };

  kernels_buffer_init (&buffer, 1 << 20, 0);
  kernels_assert_success (KERNELS_RUN (fill, NULL, .y = buffer.data, .item = &item,
                                       .item_size = 1, .n = 1 << 20));
  return get_n_blocks ();
}

/* A kernel whose blocks need most registers of a processor gets as many blocks as the device runs at
 * once, and is asked once. The imitation has 8 processors, each with 65536 registers. */
static void
test_grid (void)
{
  void (*set_n_registers) (unsigned int) = dlsym (RTLD_DEFAULT, "fake_cuda_set_n_registers");
  unsigned int (*get_n_calls) (const char *) = dlsym (RTLD_DEFAULT, "fake_cuda_get_n_calls");
  const char *question = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  guint n_before;

  if (!is_fake ())
    {
      g_test_skip ("A GPU does not tell the grid of a kernel");
      return;
    }

  n_before = get_n_calls (question);
  set_n_registers (48);
  g_assert_cmpuint (count_blocks (), ==, 8 * (65536 / (48 * 256)));
  set_n_registers (32);
  g_assert_cmpuint (count_blocks (), ==, 8 * (65536 / (48 * 256)));
  g_assert_cmpuint (get_n_calls (question), ==, n_before + 1);
}

/* Numbers at the limits of types, where conversions differ. */
static const double edges[] = {
  0, -0.0, 0.5, -0.5, 0.99, -0.99, 1, -1, 1.5, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768,
  -32769, 65503, 65504, 65519, 65520, -65504, -65520, 65535, 65536, 1e5, 2147483647, 2147483648.0,
  -2147483648.0, -2147483649.0, 4294967295.0, 4294967296.0, 1e10, 9223372036854775807.0,
  -9223372036854775808.0, 18446744073709551615.0, 1e20, -1e20, 1e-7, 6e-8, 3e-8, 2.9e-8, 1e-40,
  1e38, 3e38, -3.3e38, 1e300, -1e300, INFINITY, -INFINITY, NAN
};

static C2gTensor *
new_edges (C2gDataType type,
           gint64      n)
{
  C2gTensor *tensor = kernels_new_random (type, &n, 1, 200);

  for (gint64 i = 0; i < MIN (n, (gint64) G_N_ELEMENTS (edges)); i++)
    c2g_element_set_double (tensor->meta,
                            (char *) kernels_data (tensor) + i * tensor->meta->item_size,
                            edges[i], NULL);
  return tensor;
}

static gboolean
is_castable (C2gDataType type)
{
  return type != C2G_DATA_TYPE_BFLOAT16 && type != C2G_DATA_TYPE_UINT32 &&
         type != C2G_DATA_TYPE_UINT64;
}

/* Expected results for types that the operator Cast does not have */

static gint64
get_bits (C2gTensor *tensor,
          gint64     i)
{
  const void *items = kernels_data (tensor);

  switch (c2g_tensor_get_data_type (tensor))
    {
    case C2G_DATA_TYPE_INT8:
      return ((const gint8 *) items)[i];
    case C2G_DATA_TYPE_BOOL:
    case C2G_DATA_TYPE_UINT8:
      return ((const guint8 *) items)[i];
    case C2G_DATA_TYPE_INT16:
      return ((const gint16 *) items)[i];
    case C2G_DATA_TYPE_UINT16:
      return ((const guint16 *) items)[i];
    case C2G_DATA_TYPE_INT32:
      return ((const gint32 *) items)[i];
    case C2G_DATA_TYPE_UINT32:
      return ((const guint32 *) items)[i];
    default:
      return ((const gint64 *) items)[i];
    }
}

static gboolean
is_whole (C2gDataType type)
{
  return type != C2G_DATA_TYPE_FLOAT && type != C2G_DATA_TYPE_DOUBLE &&
         type != C2G_DATA_TYPE_FLOAT16 && type != C2G_DATA_TYPE_BFLOAT16;
}

static double
get_real (C2gTensor *tensor,
          gint64     i)
{
  double number;

  c2g_element_get_double (tensor->meta,
                          (const char *) kernels_data (tensor) + i * tensor->meta->item_size,
                          &number, NULL);
  return number;
}

static guint64
saturate (double  number,
          guint64 largest,
          double  beyond)
{
  if (number >= beyond)
    return largest;
  return number > 0 ? (guint64) number : 0;
}

static void
set_expected (C2gTensor *x,
              C2gTensor *y,
              gint64     i)
{
  C2gDataType from = c2g_tensor_get_data_type (x), to = c2g_tensor_get_data_type (y);
  gpointer item = (char *) kernels_data (y) + i * y->meta->item_size;

  if (is_whole (from) && is_whole (to) && to != C2G_DATA_TYPE_BOOL)
    {
      gint64 bits = get_bits (x, i);

      memcpy (item, &bits, y->meta->item_size);
    }
  else if (to == C2G_DATA_TYPE_UINT32)
    *(guint32 *) item = saturate (get_real (x, i), G_MAXUINT32, 0x1p32);
  else if (to == C2G_DATA_TYPE_UINT64)
    *(guint64 *) item = saturate (get_real (x, i), G_MAXUINT64, 0x1p64);
  else if (to == C2G_DATA_TYPE_BFLOAT16 || to == C2G_DATA_TYPE_FLOAT16)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      c2g_element_get_value (x->meta,
                             (const char *) kernels_data (x) + i * x->meta->item_size, &value);
      /* The element refuses numbers out of range, but a conversion clamps them. */
      if (!c2g_element_set_value (y->meta, item, &value, NULL))
        c2g_element_set_nearest (y->meta, item, get_real (x, i));
    }
  else if (to == C2G_DATA_TYPE_FLOAT && is_whole (from))
    *(float *) item =
        from == C2G_DATA_TYPE_UINT64 ? (float) (guint64) get_bits (x, i) : (float) get_bits (x, i);
  else
    c2g_element_set_nearest (y->meta, item, get_real (x, i));
}

/* bfloat16 is converted like the float of the same value. */
static C2gTensor *
expect_cast (C2gTensor   *x,
             C2gDataType  to)
{
  g_autofree char *text = g_strdup_printf ("type: 'Cast' arg { name: 'to' i: %d }", to);
  C2gTensor *y;

  if (is_castable (to) && c2g_tensor_get_data_type (x) == C2G_DATA_TYPE_BFLOAT16)
    return kernels_run_operator (text, &x, 1);
  if (is_castable (to) && is_castable (c2g_tensor_get_data_type (x)))
    return kernels_run_operator (text, &x, 1);

  y = kernels_new_tensor (to, x->dims, x->n_dims);
  for (gint64 i = 0; i < x->n_elements; i++)
    set_expected (x, y, i);
  return y;
}

static void
check_convert (C2gDataType from,
               C2gDataType to,
               gint64      n,
               gsize       from_shift,
               gsize       to_shift)
{
  g_autoptr (C2gTensor) x = new_edges (from, n);
  g_autoptr (C2gTensor) expected = expect_cast (x, to);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  kernels_buffer_upload (&source, x, from_shift * x->meta->item_size);
  kernels_buffer_init (&target, n * expected->meta->item_size,
                       to_shift * expected->meta->item_size);
  kernels_assert_success (KERNELS_RUN (convert, NULL, .type = from, .x = source.data, .y_type = to,
                                       .y = target.data, .n = n));
  result = kernels_buffer_fetch (&target, to, &n, 1);
  kernels_assert_alike (result, expected, 0);
}

static void
test_convert (void)
{
  for (gsize i = 0; i < kernels_n_types; i++)
    for (gsize k = 0; k < kernels_n_types; k++)
      {
        check_convert (kernels_types[i], kernels_types[k], 0, 0, 0);
        check_convert (kernels_types[i], kernels_types[k], 1, 0, 0);
        check_convert (kernels_types[i], kernels_types[k], 79, 0, 0);
        check_convert (kernels_types[i], kernels_types[k], 79, 1, 1);
        check_convert (kernels_types[i], kernels_types[k], 131, 3, 1);
      }
  check_convert (C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16, 40013, 0, 0);
  check_convert (C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_FLOAT, 40013, 3, 3);
  check_convert (C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_FLOAT, 40013, 5, 5);
}

static void
test_convert_halves (void)
{
  const gint64 n = 65536;
  g_autoptr (C2gTensor) x = kernels_new_tensor (C2G_DATA_TYPE_FLOAT16, &n, 1);
  g_autoptr (C2gTensor) expected = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (C2gTensor) back = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  for (gint64 i = 0; i < n; i++)
    ((guint16 *) kernels_data (x))[i] = (guint16) i;
  expected = expect_cast (x, C2G_DATA_TYPE_FLOAT);
  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, n * sizeof (float), 0);
  kernels_assert_success (KERNELS_RUN (convert, NULL, .type = C2G_DATA_TYPE_FLOAT16,
                                       .x = source.data, .y_type = C2G_DATA_TYPE_FLOAT,
                                       .y = target.data, .n = n));
  result = kernels_buffer_fetch (&target, C2G_DATA_TYPE_FLOAT, &n, 1);
  kernels_assert_alike (result, expected, 0);
  kernels_assert_success (KERNELS_RUN (convert, NULL, .type = C2G_DATA_TYPE_FLOAT, .x = target.data,
                                       .y_type = C2G_DATA_TYPE_FLOAT16, .y = source.data, .n = n));
  back = kernels_buffer_fetch (&source, C2G_DATA_TYPE_FLOAT16, &n, 1);
  kernels_assert_alike (back, x, 0);
}

/* Sets a number close to a tie of 16-bit types. The distance needs bits that only the wider type
 * has. */
static void
set_near_tie (C2gTensor *x,
              gint64     i)
{
  double tie = floor (kernels_random (1, 4096)) + 0.5;
  double near = tie + floor (kernels_random (-1, 2)) * 0x1p-40;
  gint64 whole = ((gint64) (2 * tie) << 50) + (gint64) floor (kernels_random (-2, 3));

  switch (c2g_tensor_get_data_type (x))
    {
    case C2G_DATA_TYPE_DOUBLE:
      c2g_element_set_double (x->meta, (double *) kernels_data (x) + i,
                              ldexp (near, (int) kernels_random (-160, 120)), NULL);
      break;
    case C2G_DATA_TYPE_INT32:
    case C2G_DATA_TYPE_UINT32:
      ((guint32 *) kernels_data (x))[i] = whole >> (int) kernels_random (32, 50);
      break;
    default:
      ((guint64 *) kernels_data (x))[i] = (guint64) whole >> (int) kernels_random (0, 50);
      break;
    }
  if (i % 2 != 0 && c2g_tensor_get_data_type (x) == C2G_DATA_TYPE_INT64)
    ((gint64 *) kernels_data (x))[i] *= -1;
}

/* The result must have the same bits as on the CPU, which rounds only once. */
static void
check_rounding (C2gDataType from,
                C2gDataType to)
{
  const gint64 n = 8000;
  g_autoptr (C2gTensor) x = kernels_new_tensor (from, &n, 1);
  g_autoptr (C2gTensor) expected = kernels_new_tensor (to, &n, 1);
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  gsize n_bytes = c2g_tensor_byte_size (expected);

  for (gint64 i = 0; i < n; i++)
    {
      set_near_tie (x, i);
      set_expected (x, expected, i);
    }
  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, n_bytes, 0);
  kernels_assert_success (KERNELS_RUN (convert, NULL, .type = from, .x = source.data, .y_type = to,
                                       .y = target.data, .n = n));
  result = kernels_buffer_fetch (&target, to, &n, 1);
  g_assert_cmpmem (kernels_data (result), n_bytes, kernels_data (expected), n_bytes);
}

static void
test_convert_rounds_once (void)
{
  static const C2gDataType wide[] = { C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_INT32,
                                      C2G_DATA_TYPE_UINT32, C2G_DATA_TYPE_INT64,
                                      C2G_DATA_TYPE_UINT64 };
  static const C2gDataType narrow[] = { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BFLOAT16,
                                        C2G_DATA_TYPE_FLOAT };

  for (gsize i = 0; i < G_N_ELEMENTS (wide); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (narrow); k++)
      check_rounding (wide[i], narrow[k]);
}

static void
test_convert_unknown (void)
{
  char byte = 0;

  g_assert_cmpint (KERNELS_RUN (convert, NULL, .type = C2G_DATA_TYPE_STRING, .x = &byte,
                                .y_type = C2G_DATA_TYPE_FLOAT, .y = &byte, .n = 1),
                   ==, cudaErrorNotSupported);
  g_assert_cmpint (KERNELS_RUN (convert, NULL, .type = C2G_DATA_TYPE_FLOAT, .x = &byte,
                                .y_type = C2G_DATA_TYPE_UNDEFINED, .y = &byte, .n = 1),
                   ==, cudaErrorNotSupported);
  g_assert_cmpint (KERNELS_RUN (convert, NULL, .type = C2G_DATA_TYPE_INT8, .x = &byte,
                                .y_type = C2G_DATA_TYPE_STRING, .y = &byte, .n = 1),
                   ==, cudaErrorNotSupported);
}

typedef cudaError_t (*RandomFunc) (C2gDataType   type,
                                   gpointer      data,
                                   gsize         n,
                                   double        low,
                                   double        high,
                                   guint64       seed,
                                   guint64       offset,
                                   cudaStream_t  stream);

static C2gTensor *
draw (RandomFunc   func,
      C2gDataType  type,
      gint64       n,
      double       a,
      double       b,
      guint64      offset,
      gsize        shift)
{
  g_auto (KernelsBuffer) buffer = { NULL };
  gsize item_size = c2g_data_type_get_item_size (type);

  kernels_buffer_init (&buffer, n * item_size, shift * item_size);
  kernels_assert_success (func (type, buffer.data, n, a, b, 0x123456789abcdefULL, offset, NULL));
  return kernels_buffer_fetch (&buffer, type, &n, 1);
}

/* A part of a sequence has the same numbers, whatever the offset. */
static void
check_parts (RandomFunc  func,
             C2gDataType type,
             double      a,
             double      b)
{
  g_autoptr (C2gTensor) all = draw (func, type, 1000, a, b, 0, 0);
  gsize item_size = all->meta->item_size;

  for (guint64 offset = 0; offset < 9; offset++)
    {
      g_autoptr (C2gTensor) part = draw (func, type, 501, a, b, offset, offset % 3);

      g_assert_cmpmem (kernels_data (part), 501 * item_size,
                       (char *) kernels_data (all) + offset * item_size, 501 * item_size);
    }
}

static void
check_moments (C2gTensor *tensor,
               double     mean,
               double     deviation)
{
  double sum = 0, squares = 0, n = (double) tensor->n_elements;

  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      double x = get_real (tensor, i) - mean;

      sum += x;
      squares += x * x;
    }
  g_assert_cmpfloat (fabs (sum / n), <, 6 * deviation / sqrt (n));
  g_assert_cmpfloat (fabs (sqrt (squares / n) / deviation - 1), <, 6 / sqrt (n));
}

static void
test_uniform (void)
{
  for (gsize i = 0; i < kernels_n_types; i++)
    {
      C2gDataType type = kernels_types[i];
      gboolean is_bool = type == C2G_DATA_TYPE_BOOL;
      double low = 3, high = is_bool ? 2 : 103;
      g_autoptr (C2gTensor) tensor = NULL;

      if (is_bool)
        low = 0;
      check_parts (c2g_cuda_kernel_random_uniform, type, low, high);
      tensor = draw (c2g_cuda_kernel_random_uniform, type, 20000, low, high, 7, 0);
      for (gint64 k = 0; k < tensor->n_elements; k++)
        {
          g_assert_cmpfloat (get_real (tensor, k), >=, low);
          g_assert_cmpfloat (get_real (tensor, k), <, high);
        }
      /* Integers are below high, so their mean is half less. Rounding never gives high itself. */
      if (!is_bool)
        check_moments (tensor, is_whole (type) ? 52.5 : 53, 100 / sqrt (12));
    }
}

static void
test_uniform_edges (void)
{
  static const C2gDataType narrow[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16,
                                        C2G_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_DOUBLE };
  g_autoptr (C2gTensor) all = draw (c2g_cuda_kernel_random_uniform, C2G_DATA_TYPE_INT64, 1000,
                                    -0x1p63, 0x1p63, 0, 0);
  gint64 n_negative = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (narrow); i++)
    {
      g_autoptr (C2gTensor) same =
          draw (c2g_cuda_kernel_random_uniform, narrow[i], 100, 1, 1, 0, 0);
      g_autoptr (C2gTensor) close =
          draw (c2g_cuda_kernel_random_uniform, narrow[i], 1000, 1, 1 + 0x1p-7, 0, 0);

      for (gint64 k = 0; k < same->n_elements; k++)
        g_assert_cmpfloat (get_real (same, k), ==, 1);
      for (gint64 k = 0; k < close->n_elements; k++)
        g_assert_true (get_real (close, k) >= 1 && get_real (close, k) < 1 + 0x1p-7);
    }

  for (gint64 k = 0; k < all->n_elements; k++)
    n_negative += ((const gint64 *) kernels_data (all))[k] < 0;
  g_assert_cmpint (ABS (n_negative - 500), <, 100);
}

static void
test_normal (void)
{
  for (gsize i = 0; i < kernels_n_types; i++)
    {
      C2gDataType type = kernels_types[i];
      g_autoptr (C2gTensor) tensor = NULL;

      check_parts (c2g_cuda_kernel_random_normal, type, 60, 10);
      tensor = draw (c2g_cuda_kernel_random_normal, type, 20000, 60, 10, 3, 0);
      if (type == C2G_DATA_TYPE_BOOL)
        continue;
      check_moments (tensor, is_whole (type) ? 59.5 : 60, 10);
    }
}

/* Numbers out of the range of the type are clamped. */
static void
test_normal_cut (void)
{
  g_autoptr (C2gTensor) bytes =
      draw (c2g_cuda_kernel_random_normal, C2G_DATA_TYPE_INT8, 1000, 0, 1e6, 0, 0);
  gint64 n_least = 0, n_most = 0;

  for (gint64 k = 0; k < bytes->n_elements; k++)
    {
      n_least += ((const gint8 *) kernels_data (bytes))[k] == G_MININT8;
      n_most += ((const gint8 *) kernels_data (bytes))[k] == G_MAXINT8;
    }
  g_assert_cmpint (n_least + n_most, >, 990);
  g_assert_cmpint (ABS (n_least - n_most), <, 200);
}

/* Numbers of two types from successive calls are independent. */
static void
test_types_apart (void)
{
  g_autoptr (C2gTensor) doubles = draw (c2g_cuda_kernel_random_uniform, C2G_DATA_TYPE_DOUBLE, 100,
                                        0, 1, 100, 0);
  g_autoptr (C2gTensor) floats = draw (c2g_cuda_kernel_random_uniform, C2G_DATA_TYPE_FLOAT, 100,
                                       0, 1, 200, 0);
  guint n_close = 0;

  for (gint64 i = 0; i < 25; i++)
    n_close += fabs (get_real (floats, 4 * i) - get_real (doubles, 2 * i)) < 1e-6;
  g_assert_cmpuint (n_close, ==, 0);
}

/* The first block of Philox 4x32-10 for counter 0 and key 0, from the authors' test vectors. */
static void
test_philox (void)
{
  g_auto (KernelsBuffer) buffer = { NULL };
  guint64 words[2];

  kernels_buffer_init (&buffer, sizeof words, 0);
  kernels_assert_success (c2g_cuda_kernel_random_uniform (C2G_DATA_TYPE_UINT64, buffer.data, 2, 0,
                                                          0x1p64, 0, 0, NULL));
  kernels_buffer_read (&buffer, words);
  g_assert_cmphex (words[0], ==, 0x6627e8d5e169c58dULL);
  g_assert_cmphex (words[1], ==, 0xbc57ac4c9b00dbd8ULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  /* First, for the others start the same kernel. */
  c2g_test_add_func ("/cuda-kernels/grid", test_grid);
  c2g_test_add_func ("/cuda-kernels/fill", test_fill);
  c2g_test_add_func ("/cuda-kernels/convert/pairs", test_convert);
  c2g_test_add_func ("/cuda-kernels/convert/all-halves", test_convert_halves);
  c2g_test_add_func ("/cuda-kernels/convert/rounds-once", test_convert_rounds_once);
  c2g_test_add_func ("/cuda-kernels/convert/unknown", test_convert_unknown);
  c2g_test_add_func ("/cuda-kernels/random/philox", test_philox);
  c2g_test_add_func ("/cuda-kernels/random/types-apart", test_types_apart);
  c2g_test_add_func ("/cuda-kernels/random/uniform", test_uniform);
  c2g_test_add_func ("/cuda-kernels/random/uniform-edges", test_uniform_edges);
  c2g_test_add_func ("/cuda-kernels/random/normal", test_normal);
  c2g_test_add_func ("/cuda-kernels/random/normal-cut", test_normal_cut);

  return kernels_test_run ();
}
