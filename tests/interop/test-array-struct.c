/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "dlpack-utils.h"

#include "tests/core/fake-device.h"

#include <c2g/interop/c2g-array-struct.h>

/* Tensors that go out by the C structure of NumPy's array interface. */

/* The structure as NumPy's manual describes it, written anew here so that the library's cannot be
 * wrong unseen. */
typedef struct
{
  int       two;
  int       nd;
  char      typekind;
  int       itemsize;
  int       flags;
  gssize   *shape;
  gssize   *strides;
  gpointer  data;
  gpointer  descr;
} PyArrayInterface;

#define C_CONTIGUOUS 0x1
#define ALIGNED      0x100
#define NOTSWAPPED   0x200
#define WRITEABLE    0x400
#define ORDINARY     (C_CONTIGUOUS | ALIGNED | NOTSWAPPED)

static const PyArrayInterface *
get_array (C2gTensor *tensor)
{
  g_autoptr (GError) error = NULL;
  guint64 address = c2g_tensor_to_array_struct (tensor, &error);

  g_assert_no_error (error);
  return pointer_to (address);
}

static void
release (const PyArrayInterface *array)
{
  c2g_array_struct_release (address_of (array));
}

static void
test_fields (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (C2G_TEST_DIMS (2, 1, 3));
  const PyArrayInterface *array = get_array (tensor);

  g_assert_cmpint (array->two, ==, 2);
  g_assert_cmpint (array->nd, ==, 3);
  g_assert_cmpint (array->typekind, ==, 'f');
  g_assert_cmpint (array->itemsize, ==, 4);
  g_assert_cmphex (array->flags, ==, ORDINARY | WRITEABLE);
  g_assert_cmpint (array->shape[0], ==, 2);
  g_assert_cmpint (array->shape[2], ==, 3);
  g_assert_cmpint (array->strides[0], ==, 12);
  g_assert_cmpint (array->strides[2], ==, 4);
  g_assert_cmpuint (address_of (array->data), ==, c2g_tensor_get_address (tensor));
  g_assert_null (array->descr);
  release (array);
}

static void
test_types (void)
{
  static const struct
  {
    C2gDataType type;
    char        kind;
    int         size;
  } cases[] = {
    { C2G_DATA_TYPE_DOUBLE, 'f', 8 },
    { C2G_DATA_TYPE_FLOAT16, 'f', 2 },
    { C2G_DATA_TYPE_BOOL, 'b', 1 },
    { C2G_DATA_TYPE_INT8, 'i', 1 },
    { C2G_DATA_TYPE_INT64, 'i', 8 },
    { C2G_DATA_TYPE_UINT16, 'u', 2 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
      const PyArrayInterface *array;

      g_assert_true (c2g_tensor_allocate (tensor, cases[i].type, NULL));
      array = get_array (tensor);
      g_assert_cmpint (array->typekind, ==, cases[i].kind);
      g_assert_cmpint (array->itemsize, ==, cases[i].size);
      g_assert_cmpint (array->strides[0], ==, cases[i].size);
      release (array);
    }
}

static void
test_empty (void)
{
  g_autoptr (C2gTensor) tensor =
    c2g_tensor_new_sized (C2G_TEST_DIMS (G_MAXINT32, G_MAXINT32, 0), NULL, NULL);
  g_autoptr (C2gTensor) scalar = new_floats (C2G_TEST_DIMS (1));
  const PyArrayInterface *array;

  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_INT32, NULL));
  array = get_array (tensor);
  g_assert_cmpint (array->nd, ==, 3);
  g_assert_cmpint (array->shape[2], ==, 0);
  release (array);

  g_assert_true (c2g_tensor_reshape (scalar, NULL, 0, NULL));
  array = get_array (scalar);
  g_assert_cmpint (array->nd, ==, 0);
  release (array);
}

static void
test_read_only (void)
{
  static const guint8 numbers[3] = { 1, 2, 3 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers, sizeof numbers);
  g_autoptr (C2gTensor) tensor =
      c2g_tensor_new_from_bytes (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (3), bytes, NULL);
  const PyArrayInterface *array = get_array (tensor);

  g_assert_cmphex (array->flags, ==, ORDINARY);
  g_assert_cmpuint (address_of (array->data), ==, address_of (numbers));
  release (array);
}

/* The memory stays, and is written through, whatever becomes of the tensor. */
static void
test_pins (void)
{
  C2gTensor *tensor = new_floats (C2G_TEST_DIMS (4));
  const PyArrayInterface *array = get_array (tensor);

  ((float *) array->data)[1] = 42;
  g_assert_cmpfloat (floats_of (tensor)[1], ==, 42);
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (1000), NULL));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  g_assert_cmpuint (address_of (array->data), !=, c2g_tensor_get_address (tensor));

  g_object_unref (tensor);
  g_assert_cmpfloat (((float *) array->data)[3], ==, 3);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 16);
  release (array);
  g_assert_cmpuint (c2g_test_ledger_bytes (), ==, 0);
}

static void
assert_refused (C2gTensor *tensor,
                int        code)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (c2g_tensor_to_array_struct (tensor, &error), ==, 0);
  g_assert_error (error, C2G_ERROR, code);
}

static void
test_errors (void)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (C2gTensor) far = NULL;

  assert_refused (tensor, C2G_ERROR_SHAPE);
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (2), NULL));
  assert_refused (tensor, C2G_ERROR_FAILED);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_STRING, NULL));
  assert_refused (tensor, C2G_ERROR_TYPE);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_BFLOAT16, NULL));
  assert_refused (tensor, C2G_ERROR_TYPE);
  g_assert_cmpuint (c2g_storage_get_n_views (c2g_tensor_get_storage (tensor)), ==, 0);

  fake_device_use ();
  far = c2g_tensor_to_device (tensor, c2g_device_parse ("cuda:0", NULL), NULL);
  assert_refused (far, C2G_ERROR_DEVICE);
}

static void
resize_meanwhile (C2gTensor *tensor)
{
  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (100, 100), NULL));
}

/* Bytes that were promised not to change make the tensor move, and a handler of that may do
 * anything. */
static void
test_changed (void)
{
  g_autoptr (C2gTensor) tensor = new_floats (C2G_TEST_DIMS (2));
  g_autoptr (GBytes) bytes = c2g_tensor_ref_bytes (tensor, NULL);

  g_signal_connect (tensor, "reallocated", G_CALLBACK (resize_meanwhile), NULL);
  assert_refused (tensor, C2G_ERROR_FAILED);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/array-struct/fields", test_fields);
  c2g_test_add_func ("/array-struct/types", test_types);
  c2g_test_add_func ("/array-struct/empty", test_empty);
  c2g_test_add_func ("/array-struct/read-only", test_read_only);
  c2g_test_add_func ("/array-struct/pins", test_pins);
  c2g_test_add_func ("/array-struct/errors", test_errors);
  c2g_test_add_func ("/array-struct/changed", test_changed);

  return c2g_test_run ();
}
