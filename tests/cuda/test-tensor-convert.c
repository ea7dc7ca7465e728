/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/tensors-utils.h"

#include <math.h>

/* Conversions of tensors on a device give the same bits and errors as on the CPU, without copies to
 * the CPU. */

static const C2gDataType types[] = {
  C2G_DATA_TYPE_BOOL,
  C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_INT8,
  C2G_DATA_TYPE_UINT16,
  C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_UINT64,
  C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_BFLOAT16,
};

#define MAX_ITEMS 65536

typedef union
{
  guint64 bits;
  float   as_float;
  double  as_double;
} Item;

/* Adds the power of two, and its neighbours. */
static Item
edge_of (C2gDataType type,
         int         exponent,
         int         side,
         int         sign)
{
  Item item = { .bits = 0 };

  if (type == C2G_DATA_TYPE_DOUBLE)
    item.as_double = sign * ldexp (1, exponent);
  else if (type == C2G_DATA_TYPE_FLOAT)
    item.as_float = sign * ldexpf (1, exponent);
  else
    item.bits = (guint64) sign << (exponent & 63);

  item.bits += (guint64) side;
  return item;
}

/* Adds NaN with random bits, infinities, and the limits of narrower types. */
static Item
special_of (C2gDataType  type,
            gsize        i,
            GRand       *rand)
{
  static const double numbers[] = { INFINITY, -INFINITY, NAN, 65504, 65519.99, 65520, 65536, 2.5, -0.5,
                                    0x1.fffffep127, 0x1.ffffffp127, 0x1.fefffep127, 0x1.ffp127,
                                    0x1p-24, 0x1p-25, 0x1.000002p-25, -0.0, 0x1p-149, 0x1p-1074 };
  Item item = { .bits = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand) };

  if (type == C2G_DATA_TYPE_DOUBLE && i < G_N_ELEMENTS (numbers))
    item.as_double = numbers[i];
  else if (type == C2G_DATA_TYPE_FLOAT && i < G_N_ELEMENTS (numbers))
    item.as_float = (float) numbers[i];
  else if (type == C2G_DATA_TYPE_DOUBLE && i % 4 == 0)
    item.bits |= G_GUINT64_CONSTANT (0x7ff) << 52;
  else if (type == C2G_DATA_TYPE_FLOAT && i % 4 == 0)
    item.bits |= 0x7f800000;

  return item;
}

static gsize
fill_wide (C2gDataType  type,
           char        *items,
           gsize        item_size,
           GRand       *rand)
{
  gsize n = 0;

  for (int exponent = -160; exponent <= 140; exponent++)
    for (int side = -1; side <= 1; side++)
      for (int sign = -1; sign <= 1; sign += 2)
        {
          const Item item = edge_of (type, exponent, side, sign);

          memcpy (items + n++ * item_size, &item, item_size);
        }
  for (gsize i = 0; i < 4001; i++)
    {
      const Item item = special_of (type, i, rand);

      memcpy (items + n++ * item_size, &item, item_size);
    }

  return n;
}

/* Fills with all bit patterns of types of up to 16 bits, and with the important ones of other
 * types. */
static C2gTensor *
new_edges (C2gDataType type)
{
  const gsize item_size = c2g_data_type_get_item_size (type);
  g_autofree char *items = g_malloc (MAX_ITEMS * 8);
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);

  if (item_size > 2)
    return new_of_bytes (type, items, fill_wide (type, items, item_size, rand));

  for (guint i = 0; i < MAX_ITEMS; i++)
    memcpy (items + i * item_size, &(guint16) { i }, item_size);
  return new_of_bytes (type, items, item_size == 1 ? 256 : MAX_ITEMS);
}

/* Converts on both sides, and checks that the bits or the errors are equal. */
static void
check_convert (C2gTensor       *near,
               C2gTensor       *far,
               C2gDataType      to,
               C2gConvertFlags  flags)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) far_error = NULL;
  g_autoptr (C2gTensor) expected = c2g_tensor_convert (near, to, flags, &error);
  const guint n_trips = count_trips ();
  g_autoptr (C2gTensor) result = c2g_tensor_convert (far, to, flags, &far_error);
  const guint n_made = count_trips () - n_trips;
  /* If no bits change, or only their meaning, the elements are copied on the device. */
  const gboolean is_copied =
    c2g_tensor_get_item_size (near) == c2g_data_type_get_item_size (to);

  if (expected == NULL)
    {
      g_assert_cmpint (far_error->code, ==, error->code);
      g_assert_cmpstr (far_error->message, ==, error->message);
      g_assert_null (result);
      return;
    }

  g_assert_no_error (far_error);
  g_assert_true (c2g_tensor_get_device (result) == c2g_tensor_get_device (far));
  if (flags != C2G_CONVERT_NONE)
    g_assert_cmpuint (n_made, <=, is_copied ? 1 : 0);
  assert_bits (result, expected);
}

static void
test_pairs (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gTensor) near = new_edges (types[i]);
      g_autoptr (C2gTensor) far = to_far (near);

      for (gsize k = 0; k < G_N_ELEMENTS (types); k++)
        for (C2gConvertFlags flags = 0; flags <= C2G_CONVERT_WRAP; flags++)
          check_convert (near, far, types[k], flags);
    }
}

static void
test_all_float16 (void)
{
  g_autoptr (C2gTensor) near = new_edges (C2G_DATA_TYPE_FLOAT16);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) floats =
    c2g_tensor_convert (far, C2G_DATA_TYPE_FLOAT, C2G_CONVERT_NONE, NULL);
  g_autoptr (C2gTensor) back =
    c2g_tensor_convert (floats, C2G_DATA_TYPE_FLOAT16, C2G_CONVERT_NONE, NULL);
  g_autoptr (C2gTensor) near_back = to_near (back);
  const guint16 *bits = c2g_tensor_data (near_back, C2G_DATA_TYPE_FLOAT16, NULL);

  g_assert_nonnull (bits);
  for (guint i = 0; i < MAX_ITEMS; i++)
    {
      const gboolean is_nan = (i & 0x7c00) == 0x7c00 && (i & 0x3ff) != 0;

      g_assert_cmphex (bits[i], ==, is_nan ? i | 0x200 : i);
    }
}

/* Each slice begins at another offset, up to the end of the block. */
static void
test_slices (void)
{
  static const C2gDataType pairs[][2] = { { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT16 },
                                          { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_FLOAT },
                                          { C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_UINT8 },
                                          { C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_UINT32 } };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autoptr (C2gTensor) near = new_row (pairs[i][0], 40, 10);
      g_autoptr (C2gTensor) far = to_far (near);

      for (gint64 begin = 0; begin <= 20; begin++)
        {
          g_autoptr (C2gTensor) slice = c2g_tensor_slice (near, begin, 40 - begin, NULL);
          g_autoptr (C2gTensor) far_slice = c2g_tensor_slice (far, begin, 40 - begin, NULL);

          check_convert (slice, far_slice, pairs[i][1], C2G_CONVERT_SATURATE);
          check_convert (slice, far_slice, pairs[i][1], C2G_CONVERT_NONE);
        }
    }
}

/* The block of the target is reused, and the device converts into it. */
static void
test_in_place (void)
{
  const gint64 n = 1000;
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, n, 0.37);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) expected =
    c2g_tensor_convert (near, C2G_DATA_TYPE_FLOAT16, C2G_CONVERT_SATURATE, NULL);
  g_autoptr (C2gTensor) more = new_row (C2G_DATA_TYPE_FLOAT16, n + 7, 1);
  g_autoptr (C2gTensor) target = to_far (more);
  g_autoptr (GError) error = NULL;
  const guint64 address = c2g_tensor_get_address (target);
  const guint n_trips = count_trips ();

  g_assert_true (c2g_tensor_convert_from (target, far, C2G_CONVERT_SATURATE, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_trips (), ==, n_trips);
  g_assert_cmpuint (c2g_tensor_get_address (target), ==, address);
  assert_bits (target, expected);
}

/* A target without room gets a new block. The source may be the target's own memory. */
static void
test_from (void)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_DOUBLE, 100, 0.5);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) expected =
    c2g_tensor_convert (near, C2G_DATA_TYPE_INT32, C2G_CONVERT_SATURATE, NULL);
  g_autoptr (C2gTensor) few = new_row (C2G_DATA_TYPE_INT32, 3, 1);
  g_autoptr (C2gTensor) target = to_far (few);
  g_autoptr (C2gTensor) on_cpu = new_row (C2G_DATA_TYPE_INT32, 3, 1);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_convert_from (target, far, C2G_CONVERT_SATURATE, &error));
  g_assert_no_error (error);
  assert_bits (target, expected);

  g_assert_true (c2g_tensor_convert_from (on_cpu, far, C2G_CONVERT_SATURATE, &error));
  g_assert_no_error (error);
  assert_bits (on_cpu, expected);

  g_assert_true (c2g_tensor_convert_from (target, near, C2G_CONVERT_SATURATE, &error));
  g_assert_no_error (error);
  assert_bits (target, expected);
}

static void
assert_unfit (C2gTensor *target,
              C2gTensor *source,
              int        position)
{
  g_autoptr (C2gTensor) before = to_near (target);
  g_autoptr (GError) error = NULL;
  g_autofree char *beginning = g_strdup_printf ("Element %d is", position);

  g_assert_false (c2g_tensor_convert_from (target, source, C2G_CONVERT_NONE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_nonnull (strstr (error->message, beginning));
  assert_bits (target, before);
}

/* The error names the first of several numbers that do not fit, wherever it is. */
static void
test_range (void)
{
  static const gint64 places[] = { 0, 1, 255, 256, 4095, 70000, 99999 };
  const gint64 n = 100000;
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, n, 0);
  g_autoptr (C2gTensor) some = new_row (C2G_DATA_TYPE_INT8, 5, 1);
  g_autoptr (C2gTensor) target = to_far (some);

  for (gsize i = G_N_ELEMENTS (places); i > 0; i--)
    {
      g_autoptr (C2gTensor) far = NULL;

      g_assert_true (c2g_tensor_set_value (near, places[i - 1], 128, NULL));
      far = to_far (near);
      assert_unfit (target, far, (int) places[i - 1]);
    }
}

static void
test_zero_size (void)
{
  const gint64 dims[] = { 3, 0 };
  g_autoptr (C2gTensor) near = c2g_tensor_new_sized (dims, 2, NULL, NULL);
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_allocate (near, C2G_DATA_TYPE_FLOAT, NULL);
  far = to_far (near);
  result = c2g_tensor_convert (far, C2G_DATA_TYPE_INT8, C2G_CONVERT_NONE, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (result) == first_device ());
  g_assert_cmpint (c2g_tensor_get_data_type (result), ==, C2G_DATA_TYPE_INT8);
  g_assert_cmpuint (c2g_tensor_get_n_dims (result), ==, 2);
  g_assert_true (c2g_tensor_convert_from (result, far, C2G_CONVERT_NONE, &error));
  g_assert_no_error (error);
}

/* Work of two streams uses the tensors before and after, in its order. */
static void
test_streams (void)
{
  const gint64 n = 5000;
  g_autoptr (C2gContext) first = c2g_context_for_device (first_device (), NULL);
  g_autoptr (C2gContext) second = c2g_context_for_device (first_device (), NULL);
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_FLOAT, n, 0.25);
  g_autoptr (C2gTensor) expected =
    c2g_tensor_convert (near, C2G_DATA_TYPE_FLOAT16, C2G_CONVERT_SATURATE, NULL);
  g_autoptr (C2gTensor) far = c2g_tensor_new_for_device (first_device ());
  g_autoptr (C2gTensor) halves = NULL;
  g_autoptr (C2gTensor) copy = NULL;
  g_autoptr (GError) error = NULL;

  c2g_tensor_copy_from (far, near, first, &error);
  g_assert_no_error (error);
  halves = c2g_tensor_convert (far, C2G_DATA_TYPE_FLOAT16, C2G_CONVERT_SATURATE, &error);
  g_assert_no_error (error);
  g_clear_object (&far);
  copy = c2g_tensor_clone (halves, second, &error);
  g_assert_no_error (error);
  assert_bits (copy, expected);
  assert_bits (halves, expected);
}

/* One call of CUDA fails. */
static void
check_failure (const char      *function,
               guint            n,
               C2gConvertFlags  flags,
               guint           *n_failed)
{
  g_autoptr (C2gTensor) near = new_row (C2G_DATA_TYPE_INT32, 100, 1);
  g_autoptr (C2gTensor) far = to_far (near);
  g_autoptr (C2gTensor) some = new_row (C2G_DATA_TYPE_INT8, 110, 1);
  g_autoptr (C2gTensor) target = to_far (some);
  g_autoptr (C2gTensor) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) from_error = NULL;
  gboolean done;

  on_fake (fake_cuda_fail, function, n, cudaErrorLaunchOutOfResources, FALSE);
  result = c2g_tensor_convert (far, C2G_DATA_TYPE_INT8, flags, &error);
  on_fake (fake_cuda_clear_failures);
  g_assert_true ((result == NULL) == (error != NULL));

  on_fake (fake_cuda_fail, function, n, cudaErrorLaunchOutOfResources, FALSE);
  done = c2g_tensor_convert_from (target, far, flags, &from_error);
  on_fake (fake_cuda_clear_failures);
  g_assert_true (done == (from_error == NULL));

  if (!done)
    assert_bits (target, some);
  assert_bits (far, near);
  *n_failed += (result == NULL) + !done;
}

static void
test_failures (void)
{
  static const char *functions[] = { "cudaLaunchKernel", "cudaMemcpyAsync", "cudaStreamSynchronize" };
  guint n_failed[] = { 0, 0 };

  if (!needs_fake ())
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    for (guint n = 1; n < 4; n++)
      {
        check_failure (functions[i], n, C2G_CONVERT_NONE, &n_failed[0]);
        check_failure (functions[i], n, C2G_CONVERT_SATURATE, &n_failed[1]);
      }

  /* The check makes two more launches, copies its result, and waits for it. */
  g_assert_cmpuint (n_failed[0], ==, 10);
  g_assert_cmpuint (n_failed[1], ==, 2);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/tensor-convert/pairs", test_pairs);
  add_clean_func ("/cuda/tensor-convert/all-float16", test_all_float16);
  add_clean_func ("/cuda/tensor-convert/slices", test_slices);
  add_clean_func ("/cuda/tensor-convert/in-place", test_in_place);
  add_clean_func ("/cuda/tensor-convert/from", test_from);
  add_clean_func ("/cuda/tensor-convert/range", test_range);
  add_clean_func ("/cuda/tensor-convert/zero-size", test_zero_size);
  add_clean_func ("/cuda/tensor-convert/streams", test_streams);
  add_clean_func ("/cuda/tensor-convert/failures", test_failures);

  return run_on_device ();
}
