/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-device.h"
#include "numbers.h"

/* Conversions of whole tensors: their memory, and what stays unchanged after an error. */

#define NONE     C2G_CONVERT_NONE
#define SATURATE C2G_CONVERT_SATURATE
#define WRAP     C2G_CONVERT_WRAP

static const double numbers[] = { 0, -1.5, 2.5, 300, 1e6, -1e6, INFINITY, NAN };

static void
test_saturate (void)
{
  static const struct
  {
    C2gDataType type;
    double      expected[8];
  } cases[] = {
    { C2G_DATA_TYPE_FLOAT16, { 0, -1.5, 2.5, 300, 65504, -65504, INFINITY, NAN } },
    { C2G_DATA_TYPE_BFLOAT16, { 0, -1.5, 2.5, 300, 999424, -999424, INFINITY, NAN } },
    { C2G_DATA_TYPE_DOUBLE, { 0, -1.5, 2.5, 300, 1e6, -1e6, INFINITY, NAN } },
    { C2G_DATA_TYPE_INT32, { 0, -1, 2, 300, 1e6, -1e6, G_MAXINT32, 0 } },
    { C2G_DATA_TYPE_UINT8, { 0, 0, 2, 255, 255, 0, 255, 0 } },
    { C2G_DATA_TYPE_BYTE, { 0, 0, 2, 255, 255, 0, 255, 0 } },
    { C2G_DATA_TYPE_BOOL, { 0, 1, 1, 1, 1, 1, 1, 1 } },
    { C2G_DATA_TYPE_FLOAT, { 0, -1.5, 2.5, 300, 1e6, -1e6, INFINITY, NAN } },
  };
  g_autoptr (C2gTensor) source = new_of (FLOAT, numbers, 8);

  g_assert_true (c2g_tensor_reshape (source, C2G_TEST_DIMS (2, 4), NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (C2gConvertFlags flags = SATURATE; flags <= WRAP; flags++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (C2gTensor) tensor = c2g_tensor_convert (source, cases[i].type, flags, &error);

        g_assert_no_error (error);
        assert_numbers (tensor, cases[i].type == C2G_DATA_TYPE_BYTE ? C2G_DATA_TYPE_UINT8 : cases[i].type,
                       cases[i].expected, 8);
        g_assert_cmpint (c2g_tensor_get_dim (tensor, 1, NULL), ==, 4);
        g_assert_false (c2g_tensor_shares_data (source));
      }
}

static void
test_wrap (void)
{
  static const double integers[] = { -1, 255, 256, 300 };
  static const double saturated[] = { 0, 255, 255, 255 };
  static const double wrapped[] = { 255, 255, 0, 44 };
  g_autoptr (C2gTensor) source = new_of (C2G_DATA_TYPE_INT64, integers, 4);
  g_autoptr (C2gTensor) first = c2g_tensor_convert (source, C2G_DATA_TYPE_UINT8, SATURATE, NULL);
  g_autoptr (C2gTensor) second = c2g_tensor_convert (source, C2G_DATA_TYPE_UINT8, WRAP, NULL);

  g_autoptr (GError) error = NULL;

  assert_numbers (first, C2G_DATA_TYPE_UINT8, saturated, 4);
  assert_numbers (second, C2G_DATA_TYPE_UINT8, wrapped, 4);
  g_assert_null (c2g_tensor_convert (source, C2G_DATA_TYPE_UINT8, SATURATE | WRAP, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
}

/* Numbers that do not fit are an error, which names the first one. */
static void
test_range (void)
{
  static const struct
  {
    C2gDataType from;
    C2gDataType to;
    double      values[3];
    const char *message;
  } cases[] = {
    { FLOAT, C2G_DATA_TYPE_FLOAT16, { 65519, 65520, -1e9 }, "Element 1 is 65520," },
    { FLOAT, C2G_DATA_TYPE_INT32, { 1, 2, 2.5 }, "Element 2 is 2.5," },
    { FLOAT, C2G_DATA_TYPE_INT64, { NAN, 2, 2.5 }, "Element 0 is nan," },
    { C2G_DATA_TYPE_DOUBLE, FLOAT, { INFINITY, NAN, 1e300 }, "Element 2 is 1e+300," },
    { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BOOL, { 0, 1, -1 }, "Element 2 is -1," },
    { C2G_DATA_TYPE_INT16, C2G_DATA_TYPE_UINT8, { 255, 256, -1 }, "Element 1 is 256," },
    { C2G_DATA_TYPE_UINT64, C2G_DATA_TYPE_INT8, { 1, 127, 128 }, "Element 2 is 128," },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) source = new_of (cases[i].from, cases[i].values, 3);

      g_assert_null (c2g_tensor_convert (source, cases[i].to, NONE, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("%s", error->message);
      g_assert_nonnull (strstr (error->message, c2g_data_type_get_name (cases[i].to)));
    }
}

static void
test_fits (void)
{
  static const double values[] = { 0, 1, -0.0, 1, 0 };

  for (int from = 1; from <= C2G_DATA_TYPE_UINT64; from++)
    {
      g_autoptr (C2gTensor) source = NULL;

      if (c2g_data_type_get_item_size (from) == 0 || from == C2G_DATA_TYPE_STRING || from == C2G_DATA_TYPE_BYTE)
        continue;
      source = new_of (from, values, 5);
      for (int to = 1; to <= C2G_DATA_TYPE_UINT64; to++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (C2gTensor) tensor = NULL;

          if (c2g_data_type_get_item_size (to) == 0 || to == C2G_DATA_TYPE_STRING || to == C2G_DATA_TYPE_BYTE)
            continue;
          tensor = c2g_tensor_convert (source, to, NONE, &error);
          g_assert_no_error (error);
          assert_numbers (tensor, to, values, 5);
        }
    }
}

/* Tensors without numbers, or of types that cannot hold them. */
static void
test_refused (void)
{
  g_autoptr (C2gTensor) floats = new_floats (2);
  g_autoptr (C2gTensor) strings = new_sized (2);
  g_autoptr (C2gTensor) undefined = c2g_tensor_new ();
  g_autoptr (C2gTensor) no_data = new_sized (2);
  const struct
  {
    C2gTensor   *source;
    C2gDataType  type;
    C2gError     code;
  } cases[] = {
    { floats, C2G_DATA_TYPE_STRING, C2G_ERROR_TYPE },
    { floats, C2G_DATA_TYPE_UNDEFINED, C2G_ERROR_TYPE },
    { floats, 77, C2G_ERROR_TYPE },
    { strings, FLOAT, C2G_ERROR_TYPE },
    { undefined, FLOAT, C2G_ERROR_SHAPE },
    { no_data, FLOAT, C2G_ERROR_FAILED },
  };

  g_assert_true (c2g_tensor_allocate (strings, C2G_DATA_TYPE_STRING, NULL));
  g_assert_true (c2g_tensor_set_data_type (no_data, FLOAT, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_tensor_convert (cases[i].source, cases[i].type, SATURATE, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) target = new_floats (3);
      C2gTensor *source = cases[i].source;

      if (source == floats)
        continue;
      g_assert_false (c2g_tensor_convert_from (target, source, SATURATE, &error));
      g_assert_nonnull (error);
      assert_floats (target, 3, 0);
      g_clear_error (&error);
      if (source == no_data)
        continue;
      g_assert_false (c2g_tensor_convert_from (source, target, SATURATE, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
    }
}

static void
test_zero_size (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_floats (0);
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) target = new_of (C2G_DATA_TYPE_INT8, numbers, 1);

  tensor = c2g_tensor_convert (source, C2G_DATA_TYPE_FLOAT16, NONE, &error);
  g_assert_no_error (error);
  assert_numbers (tensor, C2G_DATA_TYPE_FLOAT16, NULL, 0);
  g_assert_true (c2g_tensor_convert_from (target, source, NONE, &error));
  g_assert_no_error (error);
  assert_numbers (target, C2G_DATA_TYPE_INT8, NULL, 0);
}

/* The block is reused if it has room, and tensors that share it see the new numbers. */
static void
test_in_place (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_floats (3);
  g_autoptr (C2gTensor) target = new_of (C2G_DATA_TYPE_DOUBLE, numbers, 4);
  g_autoptr (C2gTensor) view = new_sized (4);
  static const double expected[] = { 0, 1, 2, 300 };
  const guint64 address = c2g_tensor_get_address (target);

  g_assert_true (c2g_tensor_share_data (view, target, &error));
  g_assert_true (c2g_tensor_convert_from (target, source, NONE, &error));
  g_assert_no_error (error);
  assert_numbers (target, C2G_DATA_TYPE_DOUBLE, expected, 3);
  assert_numbers (view, C2G_DATA_TYPE_DOUBLE, expected, 4);
  g_assert_cmpuint (c2g_tensor_get_address (target), ==, address);

  resize (source, 9);
  for (gint64 i = 0; i < 9; i++)
    floats_of (source)[i] = (float) i;
  g_assert_true (c2g_tensor_convert_from (target, source, NONE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (target), ==, 9);
  g_assert_cmpfloat (c2g_tensor_get_value (target, 8, NULL), ==, 8);
  assert_numbers (view, C2G_DATA_TYPE_DOUBLE, expected, 4);
}

static void
test_unchanged (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_of (FLOAT, numbers, 8);
  g_autoptr (C2gTensor) target = new_of (C2G_DATA_TYPE_INT16, numbers, 1);

  for (guint i = 0; i < 2; i++)
    {
      g_assert_false (c2g_tensor_convert_from (target, source, NONE, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
      g_clear_error (&error);
      g_assert_cmpint (c2g_tensor_get_value (target, 0, NULL), ==, 0);
      g_assert_cmpint (c2g_tensor_get_n_elements (target), ==, i == 0 ? 1 : 8);

      /* The second time the block has room. */
      resize (target, 8);
      g_assert_true (c2g_tensor_allocate (target, C2G_DATA_TYPE_INT16, NULL));
      g_assert_true (c2g_tensor_set_value (target, 0, 0, NULL));
    }
}

/* Two tensors with different types over one block. */
static void
test_overlap (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) floats = new_floats (64);
  g_autoptr (C2gTensor) halves = NULL;
  g_autoptr (C2gTensor) doubles = NULL;
  g_autoptr (C2gTensor) kept = c2g_tensor_clone (floats, NULL, NULL);
  C2gStorage *storage = c2g_tensor_get_storage (floats);

  halves = c2g_tensor_new_from_storage (C2G_DATA_TYPE_FLOAT16, C2G_TEST_DIMS (64), storage, 32, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_convert_from (halves, floats, NONE, &error));
  g_assert_no_error (error);
  for (gint64 i = 0; i < 64; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (halves, i, NULL), ==, i);

  g_assert_true (c2g_tensor_copy_from (floats, kept, NULL, NULL));
  g_clear_object (&halves);
  doubles = c2g_tensor_new_from_storage (C2G_DATA_TYPE_DOUBLE, C2G_TEST_DIMS (32), storage, 0, &error);
  resize (floats, 32);
  g_assert_true (c2g_tensor_convert_from (doubles, floats, NONE, &error));
  g_assert_no_error (error);
  for (gint64 i = 0; i < 32; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (doubles, i, NULL), ==, i);

  g_assert_true (c2g_tensor_convert_from (doubles, doubles, NONE, &error));
  g_assert_cmpfloat (c2g_tensor_get_value (doubles, 31, NULL), ==, 31);
}

/* The tensor moves out of read-only memory. */
static void
test_read_only (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\1\2\3\4", 4);
  g_autoptr (C2gTensor) source = new_floats (4);
  g_autoptr (C2gTensor) target = NULL;

  target = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (4), bytes, &error);
  g_assert_true (c2g_tensor_convert_from (target, source, NONE, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (target, 3, NULL), ==, 3);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), 4, "\1\2\3\4", 4);
}

static void
test_no_memory (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) source = new_floats (1000);
  g_autoptr (C2gTensor) target = new_of (C2G_DATA_TYPE_INT16, numbers, 1);
  g_autoptr (C2gAllocator) cpu = c2g_cpu_allocator_new ();
  g_autoptr (C2gAllocator) limited = C2G_ALLOCATOR (c2g_limiting_allocator_new (cpu, 100));

  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), limited, NULL));
  g_assert_null (c2g_tensor_convert (source, C2G_DATA_TYPE_FLOAT16, NONE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_clear_error (&error);
  g_assert_false (c2g_tensor_convert_from (target, source, NONE, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));

  assert_numbers (target, C2G_DATA_TYPE_INT16, numbers, 1);
}

/* Elements of a device are converted on the CPU and copied back. */
static void
test_device (void)
{
  static const double expected[] = { 0, 1, 2, 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = new_floats (4);
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) far_half = NULL;
  g_autoptr (C2gTensor) near_half = NULL;
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);

  fake_device_use ();
  far = c2g_tensor_to_device (near, device, &error);
  far_half = c2g_tensor_convert (far, C2G_DATA_TYPE_FLOAT16, NONE, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (far_half) == device);

  near_half = c2g_tensor_to_device (far_half, c2g_device_cpu (), &error);
  assert_numbers (near_half, C2G_DATA_TYPE_FLOAT16, expected, 4);

  g_assert_true (c2g_tensor_convert_from (far_half, near, NONE, &error));
  g_assert_true (c2g_tensor_convert_from (far, far_half, NONE, &error));
  g_assert_true (c2g_tensor_convert_from (near, far_half, NONE, &error));
  g_assert_no_error (error);
  assert_numbers (near, FLOAT, expected, 4);
  g_assert_true (c2g_tensor_get_device (far) == device);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor-convert/saturate", test_saturate);
  c2g_test_add_func ("/tensor-convert/wrap", test_wrap);
  c2g_test_add_func ("/tensor-convert/range", test_range);
  c2g_test_add_func ("/tensor-convert/fits", test_fits);
  c2g_test_add_func ("/tensor-convert/refused", test_refused);
  c2g_test_add_func ("/tensor-convert/zero-size", test_zero_size);
  c2g_test_add_func ("/tensor-convert/in-place", test_in_place);
  c2g_test_add_func ("/tensor-convert/unchanged", test_unchanged);
  c2g_test_add_func ("/tensor-convert/overlap", test_overlap);
  c2g_test_add_func ("/tensor-convert/read-only", test_read_only);
  c2g_test_add_func ("/tensor-convert/no-memory", test_no_memory);
  c2g_test_add_func ("/tensor-convert/device", test_device);

  return c2g_test_run ();
}
