/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <float.h>
#include <math.h>

static const struct
{
  C2gDataType  data_type;
  int          number;
  const char  *name;
  gsize        item_size;
} cases[] = {
  { C2G_DATA_TYPE_UNDEFINED, 0, "undefined", 0 },
  { C2G_DATA_TYPE_FLOAT, 1, "float", 4 },
  { C2G_DATA_TYPE_INT32, 2, "int32", 4 },
  { C2G_DATA_TYPE_BYTE, 3, "byte", 1 },
  { C2G_DATA_TYPE_STRING, 4, "string", sizeof (gpointer) },
  { C2G_DATA_TYPE_BOOL, 5, "bool", 1 },
  { C2G_DATA_TYPE_UINT8, 6, "uint8", 1 },
  { C2G_DATA_TYPE_INT8, 7, "int8", 1 },
  { C2G_DATA_TYPE_UINT16, 8, "uint16", 2 },
  { C2G_DATA_TYPE_INT16, 9, "int16", 2 },
  { C2G_DATA_TYPE_INT64, 10, "int64", 8 },
  { C2G_DATA_TYPE_FLOAT16, 12, "float16", 2 },
  { C2G_DATA_TYPE_DOUBLE, 13, "double", 8 },
  { C2G_DATA_TYPE_BFLOAT16, 100, "bfloat16", 2 },
  { C2G_DATA_TYPE_UINT32, 101, "uint32", 4 },
  { C2G_DATA_TYPE_UINT64, 102, "uint64", 8 },
};

static void
test_names_and_sizes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (cases[i].data_type, ==, cases[i].number);
      g_assert_cmpstr (c2g_data_type_get_name (cases[i].data_type), ==, cases[i].name);
      g_assert_cmpuint (c2g_data_type_get_item_size (cases[i].data_type), ==, cases[i].item_size);
      g_assert_cmpint (c2g_data_type_from_name (cases[i].name, &error), ==, cases[i].data_type);
      g_assert_no_error (error);
    }
}

static void
test_unknown_names (void)
{
  static const char *const names[] = { "", "Float", "float ", "complex64", "float32" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (c2g_data_type_from_name (names[i], &error), ==, C2G_DATA_TYPE_UNDEFINED);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (error->message, names[i]));
      g_assert_cmpint (c2g_data_type_from_name (names[i], NULL), ==, C2G_DATA_TYPE_UNDEFINED);
    }
}

#define N_NUMBERS 13

static const C2gDataType number_types[N_NUMBERS] = {
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

static gboolean
can_hold (C2gDataType type,
          double      value)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (NULL, 0, NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, type, NULL));
  return c2g_tensor_set_value (tensor, 0, value, NULL);
}

/* The first and last number can be elements, and the numbers just outside cannot. */
static void
test_ends (void)
{
  for (gsize i = 0; i < N_NUMBERS; i++)
    {
      const double min = c2g_data_type_get_min (number_types[i]);
      const double max = c2g_data_type_get_max (number_types[i]);
      const double step = max / 256;

      g_assert_true (can_hold (number_types[i], min));
      g_assert_true (can_hold (number_types[i], max));
      g_assert_cmpfloat (min, <=, 0);
      if (number_types[i] == C2G_DATA_TYPE_DOUBLE)
        {
          g_assert_cmpfloat (max, ==, DBL_MAX);
          continue;
        }
      g_assert_false (can_hold (number_types[i], ceil (max + MAX (step, 1))));
      g_assert_false (can_hold (number_types[i], floor (min - MAX (step, 1))));
    }

  g_assert_cmpfloat (c2g_data_type_get_max (C2G_DATA_TYPE_FLOAT16), ==, 65504);
  g_assert_cmpfloat (c2g_data_type_get_max (C2G_DATA_TYPE_FLOAT), ==, FLT_MAX);
  g_assert_cmpfloat (c2g_data_type_get_min (C2G_DATA_TYPE_BFLOAT16), ==, -0x1.fep127);
  g_assert_cmpfloat (c2g_data_type_get_max (C2G_DATA_TYPE_INT64), ==, nextafter (0x1p63, 0));
  g_assert_cmpfloat (c2g_data_type_get_max (C2G_DATA_TYPE_STRING), ==, 0);
  g_assert_cmpfloat (c2g_data_type_get_min (C2G_DATA_TYPE_UNDEFINED), ==, 0);
}

/* The type on the left contains those on the right, and no other. */
static void
test_contains (void)
{
  static const char *const contents[N_NUMBERS] = {
    "bool",
    "bool uint8",
    "bool int8",
    "bool uint8 uint16",
    "bool uint8 int8 int16",
    "bool uint8 uint16 uint32",
    "bool uint8 int8 uint16 int16 int32",
    "bool uint8 uint16 uint32 uint64",
    "bool uint8 int8 uint16 int16 uint32 int32 int64",
    "bool uint8 int8 uint16 int16 float float16 bfloat16",
    "bool uint8 int8 uint16 int16 uint32 int32 float double float16 bfloat16",
    "bool uint8 int8 float16",
    "bool uint8 int8 bfloat16",
  };

  for (gsize i = 0; i < N_NUMBERS; i++)
    {
      g_autoptr (GString) found = g_string_new (NULL);

      for (gsize j = 0; j < N_NUMBERS; j++)
        if (c2g_data_type_contains (number_types[i], number_types[j]))
          g_string_append_printf (found, "%s%s", found->len > 0 ? " " : "",
                                  c2g_data_type_get_name (number_types[j]));
      g_assert_cmpstr (found->str, ==, contents[i]);
    }

  g_assert_false (c2g_data_type_contains (C2G_DATA_TYPE_STRING, C2G_DATA_TYPE_STRING));
  g_assert_false (c2g_data_type_contains (C2G_DATA_TYPE_UNDEFINED, C2G_DATA_TYPE_BOOL));
}

static void
test_promote (void)
{
  static const struct
  {
    C2gDataType first;
    C2gDataType second;
    C2gDataType expected;
  } pairs[] = {
    { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_FLOAT },
    { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_DOUBLE },
    { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_FLOAT16 },
    { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_FLOAT },
    { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_FLOAT16 },
    { C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_INT16, C2G_DATA_TYPE_FLOAT },
    { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_DOUBLE },
    { C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_INT16 },
    { C2G_DATA_TYPE_UINT32, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_INT64 },
    { C2G_DATA_TYPE_UINT64, C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_UNDEFINED },
    { C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_UNDEFINED },
    { C2G_DATA_TYPE_STRING, C2G_DATA_TYPE_STRING, C2G_DATA_TYPE_UNDEFINED },
    { C2G_DATA_TYPE_BYTE, C2G_DATA_TYPE_BYTE, C2G_DATA_TYPE_UINT8 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_assert_cmpint (c2g_data_type_promote (pairs[i].first, pairs[i].second), ==,
                       pairs[i].expected);
      g_assert_cmpint (c2g_data_type_promote (pairs[i].second, pairs[i].first), ==,
                       pairs[i].expected);
    }
}

/* Bindings read the class and not the header. */
static void
test_enum_class (void)
{
  GEnumClass *klass = g_type_class_ref (C2G_TYPE_DATA_TYPE);

  g_assert_cmpuint (klass->n_values, ==, G_N_ELEMENTS (cases));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GEnumValue *value = g_enum_get_value (klass, cases[i].data_type);

      g_assert_nonnull (value);
      g_assert_cmpstr (value->value_nick, ==, cases[i].name);
    }

  g_type_class_unref (klass);
}

static void
test_unknown_numbers (void)
{
  static const int numbers[] = { -1, 11, 14, 99, 103 };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_assert_cmpstr (c2g_data_type_get_name (numbers[i]), ==, "undefined");
      g_assert_cmpuint (c2g_data_type_get_item_size (numbers[i]), ==, 0);
      g_test_assert_expected_messages ();
    }
}

static void
test_errors (void)
{
  static const struct
  {
    C2gError    code;
    const char *nick;
  } errors[] = {
    { C2G_ERROR_FAILED, "failed" },
    { C2G_ERROR_INVALID_ARGUMENT, "invalid-argument" },
    { C2G_ERROR_SHAPE, "shape" },
    { C2G_ERROR_TYPE, "type" },
    { C2G_ERROR_RANGE, "range" },
    { C2G_ERROR_NO_MEMORY, "no-memory" },
    { C2G_ERROR_NOT_SUPPORTED, "not-supported" },
    { C2G_ERROR_DEVICE, "device" },
    { C2G_ERROR_READ_ONLY, "read-only" },
    { C2G_ERROR_BUSY, "busy" },
    { C2G_ERROR_CORRUPT, "corrupt" },
    { C2G_ERROR_EXISTS, "exists" },
    { C2G_ERROR_NOT_FOUND, "not-found" },
    { C2G_ERROR_DENIED, "denied" },
  };
  GEnumClass *klass = g_type_class_ref (C2G_TYPE_ERROR);

  g_assert_cmpstr (g_quark_to_string (C2G_ERROR), ==, "c2g-error-quark");
  g_assert_cmpuint (klass->n_values, ==, G_N_ELEMENTS (errors));
  for (gsize i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      g_assert_cmpint (errors[i].code, ==, i);
      g_assert_cmpstr (g_enum_get_value (klass, i)->value_nick, ==, errors[i].nick);
    }

  g_type_class_unref (klass);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/data-type/names-and-sizes", test_names_and_sizes);
  c2g_test_add_func ("/data-type/unknown-names", test_unknown_names);
  c2g_test_add_func ("/data-type/ends", test_ends);
  c2g_test_add_func ("/data-type/contains", test_contains);
  c2g_test_add_func ("/data-type/promote", test_promote);
  c2g_test_add_func ("/data-type/enum-class", test_enum_class);
  c2g_test_add_func ("/data-type/unknown-numbers", test_unknown_numbers);
  c2g_test_add_func ("/error/codes", test_errors);

  return c2g_test_run ();
}
