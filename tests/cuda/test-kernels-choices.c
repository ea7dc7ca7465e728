/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/kernels-utils.h"
#include "tests/test-utils.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <math.h>
#include <string.h>

/* Kernels for Where and Dropout, top k, and the painting of pictures */

static void
fill_buffer (KernelsBuffer *self,
             gconstpointer  source,
             gsize          n_bytes)
{
  kernels_buffer_init (self, n_bytes, 0);
  kernels_assert_success (cudaMemcpy (self->data, source, n_bytes, cudaMemcpyHostToDevice));
}

static void
check_choose (gsize item_size,
              gsize n,
              gsize n_alike)
{
  const gsize n_choices = (n + n_alike - 1) / n_alike;
  g_autofree guint8 *choice = g_new (guint8, n_choices);
  g_autofree guint8 *a = g_malloc (n * item_size), *b = g_malloc (n * item_size);
  g_autofree guint8 *y = g_malloc (n * item_size);
  g_auto (KernelsBuffer) choices = { NULL };
  g_auto (KernelsBuffer) as = { NULL };
  g_auto (KernelsBuffer) bs = { NULL };

  for (gsize i = 0; i < n_choices; i++)
    choice[i] = i % 3 == 0 ? 0 : (guint8) (i % 3 * 127);
  for (gsize i = 0; i < n * item_size; i++)
    {
      a[i] = (guint8) (7 * i);
      b[i] = (guint8) (5 * i + 1);
    }
  fill_buffer (&choices, choice, n_choices);
  fill_buffer (&as, a, n * item_size);
  fill_buffer (&bs, b, n * item_size);

  /* In place. */
  kernels_assert_success (KERNELS_RUN (choose, NULL, .item_size = item_size, .choice = choices.data,
                                       .n_alike = n_alike, .x = as.data, .other = bs.data,
                                       .y = bs.data, .n = n));
  kernels_buffer_read (&bs, y);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpmem (y + i * item_size, item_size,
                     (choice[i / n_alike] != 0 ? a : b) + i * item_size, item_size);
}

static void
test_choose (void)
{
  for (gsize item_size = 1; item_size <= 16; item_size *= 2)
    {
      check_choose (item_size, 1, 1);
      check_choose (item_size, 1001, 1);
      check_choose (item_size, 1001, 7);
      check_choose (item_size, 999, 1000);
    }
  kernels_assert_success (KERNELS_RUN (choose, NULL, .item_size = 4, .n_alike = 1));
  g_assert_cmpint (KERNELS_RUN (choose, NULL, .item_size = 3, .n_alike = 1, .n = 1), ==,
                   cudaErrorNotSupported);
}

static void
check_drop (C2gDataType type)
{
  const float ratio = 0.25f;
  g_autoptr (C2gTensor) x = kernels_new_random (type, KERNELS_DIMS (3, 335), 2);
  g_autoptr (C2gTensor) draws = kernels_new_random (C2G_DATA_TYPE_FLOAT, KERNELS_DIMS (1005), 1);
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (C2gTensor) mask = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) numbers = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_upload (&numbers, draws, 0);
  kernels_buffer_init (&target, 1005, 0);
  kernels_assert_success (KERNELS_RUN (drop, NULL, .type = type, .x = source.data,
                                       .draws = numbers.data, .a = ratio, .y = source.data,
                                       .mask = target.data, .n = 1005));
  result = kernels_buffer_fetch (&source, type, x->dims, 2);
  mask = kernels_buffer_fetch (&target, C2G_DATA_TYPE_BOOL, x->dims, 2);
  for (gint64 i = 0; i < 1005; i++)
    {
      const gboolean stays = c2g_tensor_get_value (draws, i, NULL) >= ratio;
      const double expected = stays ? c2g_tensor_get_value (x, i, NULL) / 0.75 : 0;

      g_assert_cmpint (c2g_tensor_get_value (mask, i, NULL) != 0, ==, stays);
      g_assert_cmpfloat (fabs (c2g_tensor_get_value (result, i, NULL) - expected), <=, 0.02);
    }
}

static void
test_drop (void)
{
  check_drop (C2G_DATA_TYPE_FLOAT);
  check_drop (C2G_DATA_TYPE_FLOAT16);
  check_drop (C2G_DATA_TYPE_BFLOAT16);
}

/* An element of a row and its place there. */
typedef struct
{
  double value;
  gint64 place;
} Ranked;

/* The largest elements come first, of equal elements the first ones, and NaN comes last. */
static int
compare_ranked (gconstpointer first,
                gconstpointer second)
{
  const Ranked *a = first, *b = second;

  if (isnan (a->value) != isnan (b->value))
    return isnan (a->value) ? 1 : -1;
  if (a->value != b->value && !isnan (a->value))
    return a->value < b->value ? 1 : -1;
  return a->place < b->place ? -1 : 1;
}

static void
check_row (C2gTensor *x,
           C2gTensor *values,
           C2gTensor *indices,
           gint64     outer,
           gint64     inner)
{
  const gint64 n = x->dims[1], n_inner = x->dims[2], k = values->dims[1];
  g_autofree Ranked *row = g_new (Ranked, MAX (n, k));

  for (gint64 i = 0; i < n; i++)
    row[i] = (Ranked) { c2g_tensor_get_value (x, (outer * n + i) * n_inner + inner, NULL), i };
  qsort (row, n, sizeof *row, compare_ranked);
  for (gint64 i = n; i < k; i++)
    row[i] = (Ranked) { 0, -1 };

  for (gint64 rank = 0; rank < k; rank++)
    {
      const gint64 place = (outer * k + rank) * n_inner + inner;
      const double value = c2g_tensor_get_value (values, place, NULL);

      g_assert_cmpint (c2g_tensor_get_int64 (indices, place, NULL), ==, row[rank].place);
      g_assert_true (isnan (row[rank].value) ? isnan (value) : value == row[rank].value);
      g_assert_cmpint (!!signbit (value), ==, !!signbit (row[rank].value));
    }
}

/* The rows are the middle one of three dimensions. */
static void
check_top_k (C2gTensor *x,
             gint64     k)
{
  const C2gDataType type = c2g_tensor_get_data_type (x);
  const gint64 dims[] = { x->dims[0], k, x->dims[2] };
  const gint64 n = dims[0] * dims[1] * dims[2];
  g_autoptr (C2gTensor) values = NULL;
  g_autoptr (C2gTensor) indices = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  g_auto (KernelsBuffer) places = { NULL };

  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, n * c2g_data_type_get_item_size (type), 0);
  kernels_buffer_init (&places, n * sizeof (gint64), 0);
  kernels_assert_success (KERNELS_RUN (top_k, NULL, .type = type, .x = source.data,
                                       .n_outer = dims[0], .n = x->dims[1], .n_inner = dims[2],
                                       .k = k, .y = target.data, .places = places.data));
  values = kernels_buffer_fetch (&target, type, dims, 3);
  indices = kernels_buffer_fetch (&places, C2G_DATA_TYPE_INT64, dims, 3);
  for (gint64 i = 0; i < dims[0]; i++)
    for (gint64 j = 0; j < dims[2]; j++)
      check_row (x, values, indices, i, j);
}

static const C2gDataType calculated_types[] = { C2G_DATA_TYPE_FLOAT,    C2G_DATA_TYPE_DOUBLE,
                                                C2G_DATA_TYPE_FLOAT16,  C2G_DATA_TYPE_BFLOAT16,
                                                C2G_DATA_TYPE_INT32,    C2G_DATA_TYPE_INT64 };

static void
test_top_k (void)
{
  static const gint64 shapes[][4] = { { 3, 1, 1, 1 }, { 2, 300, 1, 5 }, { 2, 7, 3, 9 }, { 1, 300, 1, 300 }, { 0, 9, 1, 2 }, { 2, 0, 1, 2 }, { 1, 5000, 2, 33 }, { 1, 1030, 1, 2500 }, { 1, 3000, 1, 3000 } };

  for (gsize i = 0; i < G_N_ELEMENTS (calculated_types); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (shapes); j++)
      {
        /* Few different numbers, so that many are equal. */
        g_autoptr (C2gTensor) x = kernels_new_random (calculated_types[i], shapes[j], 3, 3);

        check_top_k (x, shapes[j][3]);
      }
}

static double
get_equal (gint64 i)
{
  return 7;
}

/* Whatever was kept before is worse. */
static double
get_rising (gint64 i)
{
  return (double) i;
}

/* All of the largest are read by the same thread. */
static double
get_periodic (gint64 i)
{
  return i % 256 == 3 ? 1000 + (double) (i % 7) : (double) (i % 5);
}

static double
get_nan (gint64 i)
{
  return NAN;
}

static double
get_infinite (gint64 i)
{
  return i % 3 == 0 ? NAN : i % 1000 == 1 ? INFINITY
                                          : -INFINITY;
}

static double
get_zeros (gint64 i)
{
  return i % 2 == 0 ? -0.0 : 0.0;
}

static void
test_top_k_of_hostile_rows (void)
{
  static double (*const rows[]) (gint64) = { get_equal,    get_rising, get_periodic,
                                             get_infinite, get_nan,    get_zeros };
  static const gint64 sizes[][2] = { { 1, 3 }, { 1024, 1024 }, { 1025, 1 }, { 3000, 2049 }, { 100000, 32 } };

  for (gsize i = 0; i < G_N_ELEMENTS (calculated_types); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (rows); j++)
      for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
        {
          const gboolean is_integer = i > 3;
          g_autoptr (C2gTensor) x = kernels_new_tensor (calculated_types[i], KERNELS_DIMS (1, sizes[k][0], 1));

          if (is_integer && j > 2)
            continue;
          for (gint64 n = 0; n < sizes[k][0]; n++)
            c2g_tensor_set_value (x, n, rows[j](n), NULL);
          check_top_k (x, sizes[k][1]);
        }
}

/* Integers that no double tells apart. */
static void
test_top_k_of_large_integers (void)
{
  static const gint64 numbers[] = { G_MININT64, G_MAXINT64 - 1, G_MAXINT64, 0, G_MININT64 + 1 };
  static const gint64 expected[] = { 2, 1, 3, 4, 0 };
  g_autoptr (C2gTensor) x = kernels_new_tensor (C2G_DATA_TYPE_INT64, KERNELS_DIMS (5));
  g_autoptr (C2gTensor) indices = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  g_auto (KernelsBuffer) places = { NULL };

  memcpy (kernels_data (x), numbers, sizeof numbers);
  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_init (&target, sizeof numbers, 0);
  kernels_buffer_init (&places, sizeof expected, 0);
  kernels_assert_success (KERNELS_RUN (top_k, NULL, .type = C2G_DATA_TYPE_INT64, .x = source.data,
                                       .n_outer = 1, .n = 5, .n_inner = 1, .k = 5, .y = target.data,
                                       .places = places.data));
  indices = kernels_buffer_fetch (&places, C2G_DATA_TYPE_INT64, x->dims, 1);
  g_assert_cmpmem (kernels_data (indices), sizeof expected, expected, sizeof expected);
}

/* Returns TRUE if i comes before k in the order of the top k. */
static gboolean
is_better (C2gTensor *x,
           gint64     i,
           gint64     k)
{
  const double a = c2g_tensor_get_value (x, i, NULL), b = c2g_tensor_get_value (x, k, NULL);

  return a > b || (a == b && i < k);
}

static void
test_is_among (void)
{
  g_autoptr (C2gTensor) x = kernels_new_random (C2G_DATA_TYPE_FLOAT, KERNELS_DIMS (9, 41), 2);
  g_autoptr (C2gTensor) labels = kernels_new_tensor (C2G_DATA_TYPE_INT32, KERNELS_DIMS (9));
  g_autoptr (C2gTensor) result = NULL;
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) pointers = { NULL };
  g_auto (KernelsBuffer) target = { NULL };

  for (gint64 i = 0; i < 9; i++)
    ((gint32 *) kernels_data (labels))[i] = (gint32) (i * 5);
  kernels_buffer_upload (&source, x, 0);
  kernels_buffer_upload (&pointers, labels, 0);
  kernels_buffer_init (&target, 9 * sizeof (float), 0);
  kernels_assert_success (KERNELS_RUN (is_among, NULL, .x = source.data, .indices = pointers.data,
                                       .n_outer = 9, .n = 41, .k = 20, .y = target.data));
  result = kernels_buffer_fetch (&target, C2G_DATA_TYPE_FLOAT, labels->dims, 1);
  for (gint64 i = 0; i < 9; i++)
    {
      guint n_better = 0;

      for (gint64 k = 0; k < 41; k++)
        n_better += is_better (x, i * 41 + k, i * 41 + i * 5);
      g_assert_cmpfloat (c2g_tensor_get_value (result, i, NULL), ==, n_better < 20);
    }
}

/* Painting planes and then pixels gives the first picture again, but for the noise. */
static void
test_paint (void)
{
  static const float mean[] = { 100, 3.5f, -20 };
  static const float noise[] = { 1, -2, 0.25f, 3, 0, -1, 2 };
  g_autoptr (C2gTensor) x = kernels_new_random (C2G_DATA_TYPE_UINT8, KERNELS_DIMS (2, 35, 4), 255);
  g_autofree float *planes = g_new (float, 2 * 3 * 35);
  g_autofree guint8 *pixels = g_new (guint8, 2 * 35 * 4);
  g_auto (KernelsBuffer) source = { NULL };
  g_auto (KernelsBuffer) means = { NULL };
  g_auto (KernelsBuffer) noises = { NULL };
  g_auto (KernelsBuffer) target = { NULL };
  const guint8 *bytes = kernels_data (x);

  kernels_buffer_upload (&source, x, 0);
  fill_buffer (&means, mean, sizeof mean);
  fill_buffer (&noises, noise, sizeof noise);
  kernels_buffer_init (&target, 2 * 3 * 35 * sizeof (float), 0);
  kernels_assert_success (KERNELS_RUN (paint_planes, NULL, .x = source.data, .n_outer = 2, .n = 35,
                                       .mean = means.data, .other = noises.data, .n_other = 7,
                                       .y = target.data));
  kernels_buffer_read (&target, planes);
  for (int i = 0; i < 70; i++)
    for (int channel = 0; channel < 3; channel++)
      g_assert_cmpfloat (planes[(i / 35 * 3 + channel) * 35 + i % 35], ==,
                         (float) bytes[i * 4 + channel] - mean[channel] +
                           noise[(i % 35 * 3 + channel) % 7]);

  kernels_assert_success (KERNELS_RUN (paint_pixels, NULL, .x = target.data, .n_outer = 2, .n = 35,
                                       .mean = means.data, .y = source.data));
  kernels_buffer_read (&source, pixels);
  for (int i = 0; i < 70; i++)
    for (int channel = 0; channel < 4; channel++)
      {
        const float value = bytes[i * 4 + channel] + noise[(i % 35 * 3 + channel) % 7];

        g_assert_cmpint (pixels[i * 4 + channel], ==,
                         channel == 3 ? 255 : (int) CLAMP (value, 0, 255));
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/cuda-kernels/choose", test_choose);
  c2g_test_add_func ("/cuda-kernels/drop", test_drop);
  c2g_test_add_func ("/cuda-kernels/top-k", test_top_k);
  c2g_test_add_func ("/cuda-kernels/top-k/hostile-rows", test_top_k_of_hostile_rows);
  c2g_test_add_func ("/cuda-kernels/top-k/large-integers", test_top_k_of_large_integers);
  c2g_test_add_func ("/cuda-kernels/is-among", test_is_among);
  c2g_test_add_func ("/cuda-kernels/paint", test_paint);

  return kernels_test_run ();
}
