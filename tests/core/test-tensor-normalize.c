/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-device.h"
#include "numbers.h"

#include <string.h>

/* Bytes of pictures as numbers, against a model that computes one element at a time. */

static C2gTensor *
new_bytes (const gint64 *dims,
           gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);
  guint8 *bytes = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_UINT8, &error);

  g_assert_no_error (error);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    bytes[i] = (guint8) (i * 37 + i / 251);

  return tensor;
}

/* Computes the result of c2g_tensor_normalize() by converting, computing and transposing in
 * turn. */
static C2gTensor *
new_model (C2gTensor    *bytes,
           C2gDataType   type,
           int           axis,
           int           new_axis,
           const double *means,
           const double *scales)
{
  const int n_dims = (int) c2g_tensor_get_n_dims (bytes);
  g_autoptr (C2gTensor) numbers = c2g_tensor_convert (bytes, C2G_DATA_TYPE_DOUBLE, 0, NULL);
  g_autoptr (C2gTensor) turned = NULL;
  double *values = c2g_tensor_mutable_data (numbers, C2G_DATA_TYPE_DOUBLE, NULL);
  gint64 n_channels = c2g_tensor_get_dim (bytes, axis, NULL), n_inner = 1;
  int axes[8];

  for (int i = axis + 1; i < n_dims; i++)
    n_inner *= c2g_tensor_get_dim (bytes, i, NULL);
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (numbers); i++)
    {
      const gint64 channel = i / n_inner % n_channels;

      values[i] = (values[i] - means[channel]) * scales[channel];
    }

  for (int i = 0, rest = 0; i < n_dims; i++)
    {
      rest += rest == axis;
      axes[i] = i == new_axis ? axis : rest++;
    }
  turned = c2g_tensor_transpose (numbers, axes, (gsize) n_dims, NULL);

  return c2g_tensor_convert (turned, type, C2G_CONVERT_SATURATE, NULL);
}

static const double means[] = { 123.675, 116.28, 103.53, 7 };
static const double scales[] = { 1 / 58.395, 1 / 57.12, 1e6, -0.25 };

/* Tests every order of the axes, for pictures and for arrays of other ranks. */
static void
test_axes (void)
{
  static const struct
  {
    gint64 dims[5];
    gsize  n_dims;
  } shapes[] = {
    { { 4 }, 1 },
    { { 4, 3 }, 2 },
    { { 300, 2, 3 }, 3 },
    { { 2, 4, 41, 3 }, 4 },
    { { 1, 3, 1, 2, 4 }, 5 },
  };
  static const C2gDataType types[] = {
    C2G_DATA_TYPE_FLOAT,
    C2G_DATA_TYPE_FLOAT16,
    C2G_DATA_TYPE_BFLOAT16,
    C2G_DATA_TYPE_DOUBLE,
  };

  for (gsize s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (gsize t = 0; t < G_N_ELEMENTS (types); t++)
      for (int axis = 0; axis < (int) shapes[s].n_dims; axis++)
        for (int new_axis = 0; new_axis < (int) shapes[s].n_dims; new_axis++)
          {
            const gsize n = (gsize) shapes[s].dims[axis];
            g_autoptr (GError) error = NULL;
            g_autoptr (C2gTensor) bytes = new_bytes (shapes[s].dims, shapes[s].n_dims);
            g_autoptr (C2gTensor) found = NULL;
            g_autoptr (C2gTensor) model = NULL;

            if (n > G_N_ELEMENTS (means))
              continue;
            found = c2g_tensor_normalize (bytes, types[t], axis, new_axis, means, n, scales, n, &error);
            g_assert_no_error (error);
            model = new_model (bytes, types[t], axis, new_axis, means, scales);
            g_assert_true (c2g_test_equal (found, model));
          }
}

/* Tests one number for all channels, no numbers, and normalizations that change nothing. */
static void
test_forms (void)
{
  static const double as_they_are[] = { 0, 37, 74, 111 };
  static const double halves[] = { -5, 13.5, 32, 50.5 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) bytes = new_bytes (C2G_TEST_DIMS (2, 2));
  g_autoptr (C2gTensor) none = new_bytes (C2G_TEST_DIMS (0, 2));
  g_autoptr (C2gTensor) plain = c2g_tensor_normalize (bytes, FLOAT, -1, -1, NULL, 0, NULL, 0, &error);
  g_autoptr (C2gTensor) one = NULL;
  g_autoptr (C2gTensor) empty = NULL;

  g_assert_no_error (error);
  assert_values (plain, as_they_are, 4);
  one = c2g_tensor_normalize (bytes, FLOAT, 0, 0, (double[]) { 10 }, 1, (double[]) { 0.5 }, 1, &error);
  g_assert_no_error (error);
  assert_values (one, halves, 4);
  empty = c2g_tensor_normalize (none, FLOAT, 1, 0, NULL, 0, NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_dim (empty, 0, NULL), ==, 2);
  g_assert_cmpint (c2g_tensor_get_n_elements (empty), ==, 0);
}

static void
test_refused (void)
{
  static const struct
  {
    int         axis;
    int         new_axis;
    gsize       n_means;
    gsize       n_scales;
    C2gDataType type;
    C2gError    code;
  } cases[] = {
    { 2, 0, 0, 0, C2G_DATA_TYPE_FLOAT, C2G_ERROR_SHAPE },
    { 0, -3, 0, 0, C2G_DATA_TYPE_FLOAT, C2G_ERROR_SHAPE },
    { 1, 0, 2, 3, C2G_DATA_TYPE_FLOAT, C2G_ERROR_INVALID_ARGUMENT },
    { 1, 0, 3, 4, C2G_DATA_TYPE_FLOAT, C2G_ERROR_INVALID_ARGUMENT },
    { 1, 0, 0, 0, C2G_DATA_TYPE_INT32, C2G_ERROR_TYPE },
    { 1, 0, 0, 0, C2G_DATA_TYPE_STRING, C2G_ERROR_TYPE },
    { 1, 0, 0, 0, C2G_DATA_TYPE_UNDEFINED, C2G_ERROR_TYPE },
  };
  g_autoptr (C2gTensor) bytes = new_bytes (C2G_TEST_DIMS (2, 3));
  g_autoptr (C2gTensor) floats = new_floats (3);
  g_autoptr (C2gTensor) no_data = new_sized (3);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_null (c2g_tensor_normalize (bytes, cases[i].type, cases[i].axis, cases[i].new_axis,
                                           means, cases[i].n_means, scales, cases[i].n_scales, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_clear_error (&error);
    }

  g_assert_null (c2g_tensor_normalize (floats, FLOAT, 0, 0, NULL, 0, NULL, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_true (c2g_tensor_set_data_type (no_data, C2G_DATA_TYPE_UINT8, NULL));
  g_assert_null (c2g_tensor_normalize (no_data, FLOAT, 0, 0, NULL, 0, NULL, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
}

static void
test_device (void)
{
  static const double expected[] = { 0, 74, 37, 111 };
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) near = new_bytes (C2G_TEST_DIMS (2, 2));
  g_autoptr (C2gTensor) far = NULL;
  g_autoptr (C2gTensor) normalized = NULL;
  g_autoptr (C2gTensor) back = NULL;
  C2gDevice *device = c2g_device_parse ("cuda:0", NULL);

  fake_device_use ();
  far = c2g_tensor_to_device (near, device, &error);
  normalized = c2g_tensor_normalize (far, FLOAT, 1, 0, NULL, 0, NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_get_device (normalized) == device);
  back = c2g_tensor_to_device (normalized, c2g_device_cpu (), &error);
  assert_values (back, expected, 4);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor-normalize/axes", test_axes);
  c2g_test_add_func ("/tensor-normalize/forms", test_forms);
  c2g_test_add_func ("/tensor-normalize/refused", test_refused);
  c2g_test_add_func ("/tensor-normalize/device", test_device);

  return c2g_test_run ();
}
