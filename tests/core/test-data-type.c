/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

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
  c2g_test_add_func ("/data-type/enum-class", test_enum_class);
  c2g_test_add_func ("/data-type/unknown-numbers", test_unknown_numbers);
  c2g_test_add_func ("/error/codes", test_errors);

  return c2g_test_run ();
}
