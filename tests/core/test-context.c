/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

#include <math.h>

#define N_THREADS 4

#define OK       (-1)
#define NO_SHAPE (-1)

static const C2gDataType numbers[] = {
  C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_BOOL, C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_UINT16, C2G_DATA_TYPE_INT16, C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_UINT64
};

static C2gTensor *
new_tensor (C2gDataType data_type,
            gint64      n_elements)
{
  C2gTensor *tensor = c2g_tensor_new ();

  if (n_elements != NO_SHAPE)
    g_assert_true (c2g_tensor_resize (tensor, &n_elements, 1, NULL));
  if (data_type != C2G_DATA_TYPE_UNDEFINED)
    g_assert_true (c2g_tensor_allocate (tensor, data_type, NULL));

  return tensor;
}

static C2gTensor *
new_numbers (C2gDataType data_type,
             gint64      n_elements)
{
  C2gTensor *tensor = new_tensor (data_type, n_elements);

  for (gint64 i = 0; i < n_elements; i++)
    g_assert_true (c2g_tensor_set_int64 (tensor, i, data_type == C2G_DATA_TYPE_BOOL ? i != 0 : i,
                                         NULL));

  return tensor;
}

static C2gTensor *
new_strings (gint64 n_elements)
{
  C2gTensor *tensor = new_tensor (C2G_DATA_TYPE_STRING, n_elements);

  for (gint64 i = 0; i < n_elements; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_STRING);
      g_value_take_string (&value, g_strdup_printf ("%d", (int) i));
      g_assert_true (c2g_tensor_set_element (tensor, i, &value, NULL));
    }

  return tensor;
}

static char *
get_string (C2gTensor *tensor,
            gint64     index)
{
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_tensor_get_element (tensor, index, &value);
  return g_value_dup_string (&value);
}

/* Repeats Caffe2's TestAllocAlignment, which asked for 32 bytes. */
static void
test_alignment (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  static const gsize sizes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 65, 4095, 100000 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (C2gStorage) storage = c2g_storage_new (c2g_device_cpu (), sizes[i], context, NULL);
      g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_UINT8, sizes[i]);

      g_assert_cmpuint (c2g_storage_get_address (storage) % 64, ==, 0);
      g_assert_cmpuint (c2g_tensor_get_address (tensor) % 64, ==, 0);
    }
}

/* Repeats Caffe2's TestAllocDealloc: write, copy, read back. */
static void
test_write_copy_read (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) source = c2g_tensor_new_sized (C2G_TEST_DIMS (10, 10), NULL, NULL);
  g_autoptr (C2gTensor) destination = c2g_tensor_new_sized (C2G_TEST_DIMS (10, 10), NULL, NULL);
  g_autoptr (GError) error = NULL;
  float *written = c2g_tensor_mutable_data (source, C2G_DATA_TYPE_FLOAT, NULL);
  const float *read;

  for (int i = 0; i < 100; i++)
    written[i] = i;

  g_assert_true (c2g_context_copy (context, source, destination, &error));
  g_assert_no_error (error);
  read = c2g_tensor_data (destination, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 100; i++)
    g_assert_cmpfloat (read[i], ==, i);
}

static void
test_for_device (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gContext) first = c2g_context_for_device (c2g_device_cpu (), &error);
  g_autoptr (C2gContext) second = c2g_context_for_device (c2g_device_cpu (), &error);
  C2gContext *shared = c2g_context_shared (c2g_device_cpu (), &error);

  g_assert_no_error (error);
  g_assert_true (C2G_IS_CPU_CONTEXT (first));
  g_assert_true (first != second);
  g_assert_true (c2g_context_get_device (first) == c2g_device_cpu ());
  g_assert_true (c2g_context_finish (first, &error));
  g_assert_finalize_object (g_steal_pointer (&first));

  g_assert_true (shared != second);
  g_assert_true (c2g_context_shared (c2g_device_cpu (), NULL) == shared);
}

static void
test_copy_numbers (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (C2gTensor) source = new_numbers (numbers[i], 6);
      g_autoptr (C2gTensor) destination = c2g_tensor_new_sized (C2G_TEST_DIMS (2, 3), NULL, NULL);
      g_autoptr (GError) error = NULL;

      /* The copy allocates the destination and sets its type. */
      g_assert_true (c2g_context_copy (context, source, destination, &error));
      g_assert_no_error (error);
      g_assert_cmpint (c2g_tensor_get_data_type (destination), ==, numbers[i]);
      for (gint64 j = 0; j < 6; j++)
        g_assert_cmpint (c2g_tensor_get_int64 (destination, j, NULL), ==,
                         numbers[i] == C2G_DATA_TYPE_BOOL ? j != 0 : j);

      /* Copy again into the same memory. */
      g_assert_true (c2g_context_copy (context, source, destination, &error));
    }
}

static void
test_copy_errors (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  static const struct
  {
    C2gDataType source_type;
    gint64      n_source;
    C2gDataType destination_type;
    gint64      n_destination;
    int         code;
  } cases[] = {
    { C2G_DATA_TYPE_FLOAT, 6, C2G_DATA_TYPE_FLOAT, 5, C2G_ERROR_SHAPE },
    { C2G_DATA_TYPE_FLOAT, 6, C2G_DATA_TYPE_INT32, 6, C2G_ERROR_TYPE },
    { C2G_DATA_TYPE_FLOAT16, 6, C2G_DATA_TYPE_UINT16, 6, C2G_ERROR_TYPE },
    { C2G_DATA_TYPE_UNDEFINED, 6, C2G_DATA_TYPE_FLOAT, 6, C2G_ERROR_TYPE },
    { C2G_DATA_TYPE_UNDEFINED, NO_SHAPE, C2G_DATA_TYPE_FLOAT, 6, C2G_ERROR_SHAPE },
    { C2G_DATA_TYPE_FLOAT, 6, C2G_DATA_TYPE_UNDEFINED, NO_SHAPE, C2G_ERROR_SHAPE },
    { C2G_DATA_TYPE_FLOAT, 0, C2G_DATA_TYPE_FLOAT, 0, OK },
    { C2G_DATA_TYPE_FLOAT, 6, C2G_DATA_TYPE_UNDEFINED, 6, OK },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) source = new_tensor (cases[i].source_type, cases[i].n_source);
      g_autoptr (C2gTensor) destination =
        new_tensor (cases[i].destination_type, cases[i].n_destination);
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (c2g_context_copy (context, source, destination, &error), ==,
                       cases[i].code == OK);
      if (cases[i].code == OK)
        g_assert_no_error (error);
      else
        g_assert_error (error, C2G_ERROR, cases[i].code);
    }
}

/* A tensor with a type but no memory cannot be read. */
static void
test_copy_freed (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) source = new_numbers (C2G_DATA_TYPE_FLOAT, 6);
  g_autoptr (C2gTensor) destination = new_tensor (C2G_DATA_TYPE_UNDEFINED, 6);
  g_autoptr (GError) error = NULL;

  c2g_tensor_free_memory (source);
  g_assert_false (c2g_context_copy (context, source, destination, &error));
  g_assert_nonnull (error);
  g_assert_false (c2g_tensor_is_allocated (destination));
}

static void
test_copy_self (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) tensor = new_strings (3);
  g_autofree char *last = NULL;

  g_assert_true (c2g_context_copy (context, tensor, tensor, NULL));
  last = get_string (tensor, 2);
  g_assert_cmpstr (last, ==, "2");
}

/* Copies between overlapping slices of one tensor, in both directions, for plain elements and for
 * strings. */
static void
test_copy_overlap (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  for (int is_forward = 0; is_forward < 2; is_forward++)
    {
      g_autoptr (C2gTensor) plain = new_numbers (C2G_DATA_TYPE_INT32, 10);
      g_autoptr (C2gTensor) strings = new_strings (10);
      C2gTensor *wholes[] = { plain, strings };

      for (gsize i = 0; i < G_N_ELEMENTS (wholes); i++)
        {
          g_autoptr (C2gTensor) low = c2g_tensor_slice (wholes[i], 0, 8, NULL);
          g_autoptr (C2gTensor) high = c2g_tensor_slice (wholes[i], 2, 10, NULL);

          g_assert_true (c2g_context_copy (context, is_forward ? high : low,
                                           is_forward ? low : high, NULL));
        }

      for (int i = 0; i < 10; i++)
        {
          const int expected = is_forward ? (i < 8 ? i + 2 : i) : (i < 2 ? i : i - 2);
          g_autofree char *text = get_string (strings, i);

          g_assert_cmpint (c2g_tensor_get_int64 (plain, i, NULL), ==, expected);
          g_assert_cmpint (g_ascii_strtoll (text, NULL, 10), ==, expected);
        }
    }
}

static void
destroy_nothing (C2gTypeMeta *meta,
                 gpointer     items,
                 gsize        n_items)
{
}

static void
test_copy_not_allowed (void)
{
  static const C2gElementFuncs funcs = { .destroy = destroy_nothing };
  C2gTypeMeta *meta = c2g_type_meta_register_full ("Not to be copied", 4, &funcs, NULL);
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) source = new_tensor (C2G_DATA_TYPE_UNDEFINED, 3);
  g_autoptr (C2gTensor) destination = new_tensor (C2G_DATA_TYPE_UNDEFINED, 3);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_tensor_allocate_meta (source, meta, NULL));
  g_assert_false (c2g_context_copy (context, source, destination, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "Not to be copied"));
}

/* Writing over a copy of immutable memory leaves that memory as it is. */
static void
test_copy_to_read_only (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) source = new_numbers (C2G_DATA_TYPE_UINT8, 4);
  g_autoptr (GBytes) bytes = g_bytes_new ("abcd", 4);
  g_autoptr (C2gTensor) destination =
    c2g_tensor_new_from_bytes (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (4), bytes, NULL);

  g_assert_true (c2g_context_copy (context, source, destination, NULL));
  g_assert_cmpint (c2g_tensor_get_int64 (destination, 3, NULL), ==, 3);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), 4, "abcd", 4);
}

static void
test_fill (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (numbers[i], 1000);
      g_autoptr (GError) error = NULL;

      g_assert_true (c2g_context_fill (context, tensor, 1, &error));
      g_assert_no_error (error);
      for (gint64 j = 0; j < 1000; j++)
        g_assert_cmpfloat (c2g_tensor_get_value (tensor, j, NULL), ==, 1);
    }
}

static void
test_fill_special_shapes (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) scalar = c2g_tensor_new_scalar (C2G_DATA_TYPE_DOUBLE, 1, NULL);
  g_autoptr (C2gTensor) empty = new_tensor (C2G_DATA_TYPE_FLOAT, 0);
  g_autoptr (C2gTensor) freed = new_tensor (C2G_DATA_TYPE_FLOAT, 3);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_context_fill (context, scalar, -2.5, &error));
  g_assert_cmpfloat (c2g_tensor_get_value (scalar, 0, NULL), ==, -2.5);
  g_assert_true (c2g_context_fill (context, empty, 1, &error));
  g_assert_true (c2g_context_fill_uniform (context, empty, 0, 1, &error));
  g_assert_true (c2g_context_fill_normal (context, empty, 0, 1, &error));
  g_assert_no_error (error);

  /* The type stays, and the fill allocates memory. */
  c2g_tensor_free_memory (freed);
  g_assert_true (c2g_context_fill (context, freed, 1, &error));
  g_assert_cmpfloat (c2g_tensor_get_value (freed, 2, NULL), ==, 1);
}

typedef gboolean (*FillFunc) (C2gContext *context, C2gTensor *tensor, GError **error);

static gboolean
fill_one (C2gContext  *context,
          C2gTensor   *tensor,
          GError     **error)
{
  return c2g_context_fill (context, tensor, 1, error);
}

static gboolean
fill_too_large (C2gContext  *context,
                C2gTensor   *tensor,
                GError     **error)
{
  return c2g_context_fill (context, tensor, 1000, error);
}

static gboolean
fill_unit (C2gContext  *context,
           C2gTensor   *tensor,
           GError     **error)
{
  return c2g_context_fill_uniform (context, tensor, 0, 1, error);
}

static gboolean
fill_backwards (C2gContext  *context,
                C2gTensor   *tensor,
                GError     **error)
{
  return c2g_context_fill_uniform (context, tensor, 1, 0, error);
}

static gboolean
fill_unbounded (C2gContext  *context,
                C2gTensor   *tensor,
                GError     **error)
{
  return c2g_context_fill_uniform (context, tensor, 0, INFINITY, error);
}

static gboolean
fill_outside (C2gContext  *context,
              C2gTensor   *tensor,
              GError     **error)
{
  return c2g_context_fill_uniform (context, tensor, -1e300, 1e300, error);
}

static gboolean
fill_between (C2gContext  *context,
              C2gTensor   *tensor,
              GError     **error)
{
  return c2g_context_fill_uniform (context, tensor, 0.25, 0.75, error);
}

static gboolean
fill_standard (C2gContext  *context,
               C2gTensor   *tensor,
               GError     **error)
{
  return c2g_context_fill_normal (context, tensor, 0, 1, error);
}

static gboolean
fill_negative_deviation (C2gContext  *context,
                         C2gTensor   *tensor,
                         GError     **error)
{
  return c2g_context_fill_normal (context, tensor, 0, -1, error);
}

static gboolean
fill_nan_mean (C2gContext  *context,
               C2gTensor   *tensor,
               GError     **error)
{
  return c2g_context_fill_normal (context, tensor, NAN, 1, error);
}

static void
test_fill_errors (void)
{
  static const struct
  {
    FillFunc    fill;
    C2gDataType data_type;
    C2gError    code;
  } cases[] = {
    { fill_one, C2G_DATA_TYPE_STRING, C2G_ERROR_TYPE },
    { fill_one, C2G_DATA_TYPE_UNDEFINED, C2G_ERROR_TYPE },
    { fill_unit, C2G_DATA_TYPE_STRING, C2G_ERROR_TYPE },
    { fill_unit, C2G_DATA_TYPE_UNDEFINED, C2G_ERROR_TYPE },
    { fill_standard, C2G_DATA_TYPE_STRING, C2G_ERROR_TYPE },
    { fill_standard, C2G_DATA_TYPE_UNDEFINED, C2G_ERROR_TYPE },
    { fill_too_large, C2G_DATA_TYPE_UINT8, C2G_ERROR_RANGE },
    { fill_backwards, C2G_DATA_TYPE_FLOAT, C2G_ERROR_INVALID_ARGUMENT },
    { fill_unbounded, C2G_DATA_TYPE_DOUBLE, C2G_ERROR_INVALID_ARGUMENT },
    { fill_outside, C2G_DATA_TYPE_FLOAT, C2G_ERROR_RANGE },
    { fill_outside, C2G_DATA_TYPE_INT64, C2G_ERROR_RANGE },
    { fill_between, C2G_DATA_TYPE_INT32, C2G_ERROR_RANGE },
    { fill_negative_deviation, C2G_DATA_TYPE_FLOAT, C2G_ERROR_INVALID_ARGUMENT },
    { fill_nan_mean, C2G_DATA_TYPE_FLOAT, C2G_ERROR_INVALID_ARGUMENT },
  };
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (cases[i].data_type, 3);
      g_autoptr (GError) error = NULL;

      if (cases[i].data_type == C2G_DATA_TYPE_FLOAT || cases[i].data_type == C2G_DATA_TYPE_UINT8)
        g_assert_true (c2g_context_fill (context, tensor, 7, NULL));

      g_assert_false (cases[i].fill (context, tensor, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      if (cases[i].data_type == C2G_DATA_TYPE_UNDEFINED)
        g_assert_cmpstr (error->message, ==, "The tensor has no data yet: allocate it first");

      if (cases[i].data_type == C2G_DATA_TYPE_FLOAT || cases[i].data_type == C2G_DATA_TYPE_UINT8)
        g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), ==, 7);
    }
}

static void
test_uniform (void)
{
  static const struct
  {
    C2gDataType data_type;
    double      low;
    double      high;
  } cases[] = {
    { C2G_DATA_TYPE_FLOAT, 0, 1 },
    { C2G_DATA_TYPE_FLOAT, -2.5, 7 },
    { C2G_DATA_TYPE_DOUBLE, -1.7e308, 1.7e308 },
    { C2G_DATA_TYPE_FLOAT16, 0, 1 },
    { C2G_DATA_TYPE_BFLOAT16, 1, 2 },
    { C2G_DATA_TYPE_INT8, -128, 128 },
    { C2G_DATA_TYPE_UINT8, 0, 256 },
    { C2G_DATA_TYPE_INT16, -32768, -32760 },
    { C2G_DATA_TYPE_UINT16, 65530, 65536 },
    { C2G_DATA_TYPE_INT32, -3, 3 },
    { C2G_DATA_TYPE_UINT32, 0, 4294967296.0 },
    { C2G_DATA_TYPE_INT64, -0x1p63, 0x1p63 },
    { C2G_DATA_TYPE_INT64, -0x1p62, 0x1p40 },
    { C2G_DATA_TYPE_UINT64, 0, 0x1p64 },
    { C2G_DATA_TYPE_UINT64, 0x1p63, 0x1.8p63 },
    { C2G_DATA_TYPE_BOOL, 0, 2 },
  };
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  c2g_context_seed (context, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double middle = cases[i].low / 2 + cases[i].high / 2;
      g_autoptr (C2gTensor) tensor = new_tensor (cases[i].data_type, 20000);
      g_autoptr (GError) error = NULL;
      int n_low = 0;

      g_assert_true (c2g_context_fill_uniform (context, tensor, cases[i].low, cases[i].high,
                                               &error));
      g_assert_no_error (error);
      for (gint64 j = 0; j < 20000; j++)
        {
          const double value = c2g_tensor_get_value (tensor, j, NULL);

          g_assert_cmpfloat (value, >=, cases[i].low);
          /* Large integers are rounded when they are read as a double. */
          if (c2g_tensor_get_item_size (tensor) < 8)
            g_assert_cmpfloat (value, <, cases[i].high);
          n_low += value < middle;
        }

      /* Half of the values, within five standard deviations. */
      g_assert_cmpint (n_low, >, 10000 - 5 * 71);
      g_assert_cmpint (n_low, <, 10000 + 5 * 71);
    }
}

/* All integers in the interval are equally likely, also around 0. */
static void
test_uniform_integers (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_INT32, 70000);
  int counts[7] = { 0 };

  c2g_context_seed (context, 2);
  g_assert_true (c2g_context_fill_uniform (context, tensor, -3, 4, NULL));
  for (gint64 i = 0; i < 70000; i++)
    counts[c2g_tensor_get_int64 (tensor, i, NULL) + 3]++;
  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      g_assert_cmpint (counts[i], >, 10000 - 500);
      g_assert_cmpint (counts[i], <, 10000 + 500);
    }

  /* With fractional bounds only the integers between them are drawn. */
  g_assert_true (c2g_context_fill_uniform (context, tensor, 1.5, 3.5, NULL));
  for (gint64 i = 0; i < 70000; i++)
    {
      g_assert_cmpint (c2g_tensor_get_int64 (tensor, i, NULL), >=, 2);
      g_assert_cmpint (c2g_tensor_get_int64 (tensor, i, NULL), <=, 3);
    }
}

static void
test_uniform_narrow (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) half = new_tensor (C2G_DATA_TYPE_FLOAT16, 100);
  g_autoptr (C2gTensor) single = new_tensor (C2G_DATA_TYPE_FLOAT, 100);

  /* The type has no number between low and high, so all values are low. */
  g_assert_true (c2g_context_fill_uniform (context, half, 1, 1 + 0x1p-10, NULL));
  g_assert_true (c2g_context_fill_uniform (context, single, 5, 5, NULL));
  for (gint64 i = 0; i < 100; i++)
    {
      g_assert_cmpfloat (c2g_tensor_get_value (half, i, NULL), ==, 1);
      g_assert_cmpfloat (c2g_tensor_get_value (single, i, NULL), ==, 5);
    }
}

static void
test_normal (void)
{
  static const C2gDataType types[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_DOUBLE };
  const gint64 n = 50001;
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  c2g_context_seed (context, 3);
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (types[i], n);
      double sum = 0, squares = 0;
      int n_near = 0;

      g_assert_true (c2g_context_fill_normal (context, tensor, 10, 2, NULL));
      for (gint64 j = 0; j < n; j++)
        {
          const double value = c2g_tensor_get_value (tensor, j, NULL);

          sum += value;
          squares += (value - 10) * (value - 10);
          n_near += fabs (value - 10) < 2;
        }
      g_assert_cmpfloat_with_epsilon (sum / n, 10, 0.05);
      g_assert_cmpfloat_with_epsilon (sqrt (squares / n), 2, 0.05);
      g_assert_cmpfloat_with_epsilon (n_near / (double) n, 0.6827, 0.02);
    }
}

static void
test_normal_integers (void)
{
  static const struct
  {
    C2gDataType data_type;
    double      min;
    double      max;
  } cases[] = {
    { C2G_DATA_TYPE_INT8, -128, 127 },
    { C2G_DATA_TYPE_UINT8, 0, 255 },
    { C2G_DATA_TYPE_BOOL, 0, 1 },
    { C2G_DATA_TYPE_INT32, -2147483648.0, 2147483647.0 },
    { C2G_DATA_TYPE_UINT32, 0, 4294967295.0 },
    { C2G_DATA_TYPE_INT64, -0x1p63, 0x1.fffffffffffffp62 },
    { C2G_DATA_TYPE_UINT64, 0, 0x1.fffffffffffffp63 },
    { C2G_DATA_TYPE_FLOAT16, -65504, 65504 },
  };
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();

  /* The deviation is so large that almost all values are clamped. */
  c2g_context_seed (context, 4);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (cases[i].data_type, 1000);
      int n_min = 0, n_max = 0;

      g_assert_true (c2g_context_fill_normal (context, tensor, 0, 1e25, NULL));
      for (gint64 j = 0; j < 1000; j++)
        {
          n_min += c2g_tensor_get_value (tensor, j, NULL) == cases[i].min;
          n_max += c2g_tensor_get_value (tensor, j, NULL) == cases[i].max;
        }
      g_assert_cmpint (n_min, >, 400);
      g_assert_cmpint (n_max, >, 400);
    }
}

static void
test_seed (void)
{
  g_autoptr (C2gContext) first = c2g_cpu_context_new ();
  g_autoptr (C2gContext) second = c2g_cpu_context_new ();
  static const guint64 seeds[] = { 0, 1, G_GUINT64_CONSTANT (1) << 32, G_MAXUINT64 };
  double firsts[G_N_ELEMENTS (seeds)];

  for (gsize i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      g_autoptr (C2gTensor) a = new_tensor (C2G_DATA_TYPE_DOUBLE, 101);
      g_autoptr (C2gTensor) b = new_tensor (C2G_DATA_TYPE_DOUBLE, 101);

      c2g_context_seed (first, seeds[i]);
      c2g_context_seed (second, seeds[i]);
      for (int round = 0; round < 2; round++)
        {
          g_assert_true (c2g_context_fill_uniform (first, a, 0, 1, NULL));
          g_assert_true (c2g_context_fill_uniform (second, b, 0, 1, NULL));
          g_assert_cmpmem (c2g_tensor_raw_data (a, NULL), 808, c2g_tensor_raw_data (b, NULL), 808);
          if (round == 0)
            firsts[i] = c2g_tensor_get_value (a, 0, NULL);
          g_assert_true (c2g_context_fill_normal (first, a, 0, 1, NULL));
          g_assert_true (c2g_context_fill_normal (second, b, 0, 1, NULL));
          g_assert_cmpmem (c2g_tensor_raw_data (a, NULL), 808, c2g_tensor_raw_data (b, NULL), 808);
        }
    }

  for (gsize i = 1; i < G_N_ELEMENTS (seeds); i++)
    g_assert_cmpfloat (firsts[i], !=, firsts[i - 1]);
}

static void
test_no_seed (void)
{
  g_autoptr (C2gContext) first = c2g_cpu_context_new ();
  g_autoptr (C2gContext) second = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) a = new_tensor (C2G_DATA_TYPE_DOUBLE, 4);
  g_autoptr (C2gTensor) b = new_tensor (C2G_DATA_TYPE_DOUBLE, 4);

  g_assert_true (c2g_context_fill_uniform (first, a, 0, 1, NULL));
  g_assert_true (c2g_context_fill_uniform (second, b, 0, 1, NULL));
  g_assert_cmpint (memcmp (c2g_tensor_raw_data (a, NULL), c2g_tensor_raw_data (b, NULL), 32),
                   !=, 0);
}

static gpointer
work_cb (gpointer data)
{
  C2gContext *context = data;
  g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_FLOAT, 100);
  g_autoptr (C2gTensor) copy = new_tensor (C2G_DATA_TYPE_FLOAT, 100);
  g_autoptr (C2gEvent) event = c2g_event_new (NULL);

  for (int i = 0; i < 100; i++)
    {
      c2g_context_seed (context, i);
      g_assert_true (c2g_context_fill_uniform (context, tensor, 1, 2, NULL));
      g_assert_true (c2g_context_copy (context, tensor, copy, NULL));
      g_assert_true (c2g_context_record (context, event, NULL));
      g_assert_true (c2g_context_finish (context, NULL));
      g_assert_cmpint (c2g_event_query (event), ==, C2G_EVENT_SUCCESS);
      c2g_event_reset (event);
      g_assert_cmpfloat (c2g_tensor_get_value (copy, i, NULL), >=, 1);
    }

  return c2g_context_shared (c2g_device_cpu (), NULL);
}

static void
test_threads (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  GThread *threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("work", work_cb, context);
  for (int i = 0; i < N_THREADS; i++)
    g_assert_true (g_thread_join (threads[i]) == c2g_context_shared (c2g_device_cpu (), NULL));

  g_assert_finalize_object (g_steal_pointer (&context));
}

/* A copy of a read-only tensor to itself moves it, while the old block is still read. */
static void
test_copy_self_read_only (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *bytes = g_bytes_new ("abcdefgh", 8);

  tensor = c2g_tensor_new_from_bytes (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (8), bytes, &error);
  g_bytes_unref (bytes);
  g_assert_true (c2g_context_copy (context, tensor, tensor, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_int64 (tensor, 7, NULL), ==, 'h');
}

static void
free_other (C2gTensor *tensor,
            guint64    old_capacity,
            guint64    new_capacity,
            gpointer   other)
{
  c2g_tensor_free_memory (other);
}

/* A handler frees the source's memory while the destination moves. */
static void
test_copy_freed_source (void)
{
  g_autoptr (C2gContext) context = c2g_cpu_context_new ();
  g_autoptr (C2gTensor) source = new_numbers (C2G_DATA_TYPE_INT32, 8);
  g_autoptr (C2gTensor) destination = new_numbers (C2G_DATA_TYPE_INT32, 8);
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (destination, NULL);
  g_autoptr (GError) error = NULL;

  g_signal_connect (destination, "reallocated", G_CALLBACK (free_other), source);
  g_assert_true (c2g_context_copy (context, source, destination, &error));
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_int64 (destination, 7, NULL), ==, 7);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/context/alignment", test_alignment);
  c2g_test_add_func ("/context/write-copy-read", test_write_copy_read);
  c2g_test_add_func ("/context/for-device", test_for_device);
  c2g_test_add_func ("/context/copy/numbers", test_copy_numbers);
  c2g_test_add_func ("/context/copy/errors", test_copy_errors);
  c2g_test_add_func ("/context/copy/freed", test_copy_freed);
  c2g_test_add_func ("/context/copy/self", test_copy_self);
  c2g_test_add_func ("/context/copy/self-read-only", test_copy_self_read_only);
  c2g_test_add_func ("/context/copy/freed-source", test_copy_freed_source);
  c2g_test_add_func ("/context/copy/overlap", test_copy_overlap);
  c2g_test_add_func ("/context/copy/not-allowed", test_copy_not_allowed);
  c2g_test_add_func ("/context/copy/to-read-only", test_copy_to_read_only);
  c2g_test_add_func ("/context/fill/numbers", test_fill);
  c2g_test_add_func ("/context/fill/special-shapes", test_fill_special_shapes);
  c2g_test_add_func ("/context/fill/errors", test_fill_errors);
  c2g_test_add_func ("/context/uniform/types", test_uniform);
  c2g_test_add_func ("/context/uniform/integers", test_uniform_integers);
  c2g_test_add_func ("/context/uniform/narrow", test_uniform_narrow);
  c2g_test_add_func ("/context/normal/reals", test_normal);
  c2g_test_add_func ("/context/normal/integers", test_normal_integers);
  c2g_test_add_func ("/context/seed", test_seed);
  c2g_test_add_func ("/context/no-seed", test_no_seed);
  c2g_test_add_func ("/context/threads", test_threads);

  return c2g_test_run ();
}
