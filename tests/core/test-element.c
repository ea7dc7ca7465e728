/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "test-utils.h"

#include <c2g/core/tensor/c2g-element-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

#include <float.h>
#include <math.h>

static const C2gDataType numbers[] = {
  C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT32, C2G_DATA_TYPE_BOOL, C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_UINT16, C2G_DATA_TYPE_INT16, C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_BFLOAT16, C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_UINT64
};

typedef union
{
  guint64  bits;
  guint8   bytes[8];
  GBytes  *string;
  GObject *object;
} Item;

#define OK (-1)

/* This odd integer above 2^53 is not exact as a double. */
#define ODD_AND_LARGE G_GINT64_CONSTANT (0x20000000000001)

/* A row of a table: a double, and the number that is stored and read back for it. */
static const struct
{
  C2gDataType data_type;
  double      value;
  int         code;
  double      stored;
} double_cases[] = {
  { C2G_DATA_TYPE_FLOAT, 0.1, OK, 0.1f },
  { C2G_DATA_TYPE_FLOAT, -1e300, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_FLOAT, 0x1.fffffe8p127, OK, 0x1.fffffep127 },
  { C2G_DATA_TYPE_FLOAT, INFINITY, OK, INFINITY },
  { C2G_DATA_TYPE_DOUBLE, 0.1, OK, 0.1 },
  { C2G_DATA_TYPE_DOUBLE, -INFINITY, OK, -INFINITY },
  { C2G_DATA_TYPE_FLOAT16, 0.1, OK, 0.0999755859375 },
  { C2G_DATA_TYPE_FLOAT16, 65519, OK, 65504 },
  { C2G_DATA_TYPE_FLOAT16, -65520, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_FLOAT16, INFINITY, OK, INFINITY },
  /* The number is rounded only once: through a float it would become a tie, and round down. */
  { C2G_DATA_TYPE_FLOAT16, 1 + 0x1p-11 + 0x1p-40, OK, 1 + 0x1p-10 },
  { C2G_DATA_TYPE_FLOAT16, 1 + 3 * 0x1p-11 - 0x1p-40, OK, 1 + 0x1p-10 },
  { C2G_DATA_TYPE_BFLOAT16, 1 + 0x1p-8 + 0x1p-40, OK, 1 + 0x1p-7 },
  { C2G_DATA_TYPE_BFLOAT16, -3.0, OK, -3 },
  { C2G_DATA_TYPE_BFLOAT16, 0x1.fefp127, OK, 0x1.fep127 },
  { C2G_DATA_TYPE_BFLOAT16, 0x1.ffp127, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_BOOL, 0, OK, 0 },
  { C2G_DATA_TYPE_BOOL, 1, OK, 1 },
  { C2G_DATA_TYPE_BOOL, -7, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_BOOL, NAN, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT8, 127, OK, 127 },
  { C2G_DATA_TYPE_INT8, -128, OK, -128 },
  { C2G_DATA_TYPE_INT8, 2.5, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT8, 128, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT8, -129, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_UINT8, 255, OK, 255 },
  { C2G_DATA_TYPE_UINT8, 254.9, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_UINT8, -0.0, OK, 0 },
  { C2G_DATA_TYPE_UINT8, -0.9, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_UINT8, -1, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_UINT8, 256, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT16, -32768, OK, -32768 },
  { C2G_DATA_TYPE_INT16, 32768, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_UINT16, 65535, OK, 65535 },
  { C2G_DATA_TYPE_UINT16, 65536, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT32, -2.9, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT32, 2147483647, OK, 2147483647 },
  { C2G_DATA_TYPE_INT32, 2147483648.0, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT32, NAN, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_UINT32, 4294967295.0, OK, 4294967295.0 },
  { C2G_DATA_TYPE_UINT32, INFINITY, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT64, -0x1p63, OK, -0x1p63 },
  { C2G_DATA_TYPE_INT64, 0x1p63, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_INT64, -0x1.0000000000001p63, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_UINT64, 0x1.fffffffffffffp63, OK, 0x1.fffffffffffffp63 },
  { C2G_DATA_TYPE_UINT64, 0x1p64, C2G_ERROR_RANGE, 0 },
  { C2G_DATA_TYPE_UINT64, NAN, C2G_ERROR_RANGE, 0 },
};

static void
test_double (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (double_cases); i++)
    {
      C2gTypeMeta *meta = c2g_type_meta_builtin (double_cases[i].data_type);
      g_autoptr (GError) error = NULL;
      Item item = { .bits = 0 };
      double value;

      if (double_cases[i].code == OK)
        {
          g_assert_true (c2g_element_set_double (meta, &item, double_cases[i].value, &error));
          g_assert_no_error (error);
          g_assert_true (c2g_element_get_double (meta, &item, &value, &error));
          g_assert_true (value == double_cases[i].stored);
        }
      else
        {
          g_assert_false (c2g_element_set_double (meta, &item, double_cases[i].value, &error));
          g_assert_error (error, C2G_ERROR, double_cases[i].code);
          g_assert_nonnull (strstr (error->message, meta->name));
          g_assert_cmphex (item.bits, ==, 0);
        }
    }
}

static void
test_nan (void)
{
  static const double plain = NAN;
  static const C2gDataType reals[] = {
    C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_FLOAT16, C2G_DATA_TYPE_BFLOAT16
  };

  for (gsize i = 0; i < G_N_ELEMENTS (reals); i++)
    {
      C2gTypeMeta *meta = c2g_type_meta_builtin (reals[i]);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      gint64 whole = 42;
      double value;
      Item item;

      g_assert_true (c2g_element_set_double (meta, &item, NAN, NULL));
      g_assert_true (c2g_element_get_double (meta, &item, &value, NULL));
      g_assert_true (isnan (value));
      memset (&item, 0xff, sizeof item);
      g_assert_true (c2g_element_get_double (meta, &item, &value, NULL));
      g_assert_cmpmem (&value, sizeof value, &plain, sizeof plain);
      g_assert_false (c2g_element_get_int64 (meta, &item, &whole, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
      g_assert_cmpint (whole, ==, 42);
      text = c2g_element_to_string (meta, &item);
      g_assert_cmpstr (text, ==, "nan");
    }
}

static void
test_set_int64 (void)
{
  static const struct
  {
    C2gDataType data_type;
    gint64      value;
    int         code;
    gint64      stored;
  } cases[] = {
    { C2G_DATA_TYPE_INT64, G_MAXINT64, OK, G_MAXINT64 },
    { C2G_DATA_TYPE_INT64, G_MININT64, OK, G_MININT64 },
    { C2G_DATA_TYPE_INT64, ODD_AND_LARGE, OK, ODD_AND_LARGE },
    { C2G_DATA_TYPE_UINT64, G_MAXINT64, OK, G_MAXINT64 },
    { C2G_DATA_TYPE_UINT64, -1, C2G_ERROR_RANGE, 0 },
    { C2G_DATA_TYPE_INT32, G_MININT32, OK, G_MININT32 },
    { C2G_DATA_TYPE_INT32, (gint64) G_MAXINT32 + 1, C2G_ERROR_RANGE, 0 },
    { C2G_DATA_TYPE_UINT32, G_MAXUINT32, OK, G_MAXUINT32 },
    { C2G_DATA_TYPE_UINT32, G_MININT64, C2G_ERROR_RANGE, 0 },
    { C2G_DATA_TYPE_INT16, -32769, C2G_ERROR_RANGE, 0 },
    { C2G_DATA_TYPE_UINT16, 65536, C2G_ERROR_RANGE, 0 },
    { C2G_DATA_TYPE_INT8, -128, OK, -128 },
    { C2G_DATA_TYPE_UINT8, 256, C2G_ERROR_RANGE, 0 },
    { C2G_DATA_TYPE_BOOL, 256, C2G_ERROR_RANGE, 0 },
    { C2G_DATA_TYPE_FLOAT, 16777217, OK, 16777216 },
    { C2G_DATA_TYPE_DOUBLE, -5, OK, -5 },
    { C2G_DATA_TYPE_FLOAT16, 100000, C2G_ERROR_RANGE, 0 },
    { C2G_DATA_TYPE_BFLOAT16, 257, OK, 256 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      C2gTypeMeta *meta = c2g_type_meta_builtin (cases[i].data_type);
      g_autoptr (GError) error = NULL;
      Item item = { .bits = 0 };
      gint64 value;

      if (cases[i].code == OK)
        {
          g_assert_true (c2g_element_set_int64 (meta, &item, cases[i].value, &error));
          g_assert_no_error (error);
          g_assert_true (c2g_element_get_int64 (meta, &item, &value, &error));
          g_assert_cmpint (value, ==, cases[i].stored);
        }
      else
        {
          g_assert_false (c2g_element_set_int64 (meta, &item, cases[i].value, &error));
          g_assert_error (error, C2G_ERROR, cases[i].code);
          g_assert_cmphex (item.bits, ==, 0);
        }
    }
}

/* Integers are rounded to bfloat16 only once, with all their bits. */
static void
test_set_int64_rounds_once (void)
{
  static const struct
  {
    gint64 value;
    double expected;
  } cases[] = {
    { G_GINT64_CONSTANT (1) << 62 | G_GINT64_CONSTANT (1) << 54, 0x1p62 },
    { G_GINT64_CONSTANT (1) << 62 | G_GINT64_CONSTANT (1) << 54 | 1, 0x1.02p62 },
    { -(G_GINT64_CONSTANT (1) << 62 | G_GINT64_CONSTANT (1) << 54 | 1), -0x1.02p62 },
    { (G_GINT64_CONSTANT (1) << 62 | G_GINT64_CONSTANT (3) << 54) - 1, 0x1.02p62 },
    { (1 << 24) + (1 << 16) + 1, 0x1.02p24 },
    { G_MININT64, -0x1p63 },
    { G_MAXINT64, 0x1p63 },
  };
  C2gTypeMeta *meta = c2g_type_meta_builtin (C2G_DATA_TYPE_BFLOAT16);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint16 item = 0;
      double value = 0;

      g_assert_true (c2g_element_set_int64 (meta, &item, cases[i].value, NULL));
      g_assert_true (c2g_element_get_double (meta, &item, &value, NULL));
      g_assert_cmpfloat (value, ==, cases[i].expected);
    }
}

static void
test_get_int64 (void)
{
  const guint64 large = G_MAXUINT64;
  const double reals[] = { 2.9, -2.9, 0x1p63, -0x1p63, INFINITY };
  const gint64 wholes[] = { 2, -2, 0, G_MININT64, 0 };
  const gboolean fits[] = { TRUE, TRUE, FALSE, TRUE, FALSE };
  g_autoptr (GError) error = NULL;
  gint64 value;

  g_assert_false (c2g_element_get_int64 (c2g_type_meta_builtin (C2G_DATA_TYPE_UINT64), &large,
                                         &value, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_nonnull (strstr (error->message, "18446744073709551615"));

  for (gsize i = 0; i < G_N_ELEMENTS (reals); i++)
    {
      g_clear_error (&error);
      g_assert_cmpint (c2g_element_get_int64 (c2g_type_meta_builtin (C2G_DATA_TYPE_DOUBLE),
                                              &reals[i], &value, &error),
                       ==, fits[i]);
      if (fits[i])
        g_assert_cmpint (value, ==, wholes[i]);
      else
        g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
    }
}

/* A bool from a file may be any byte. */
static void
test_odd_bool (void)
{
  C2gTypeMeta *meta = c2g_type_meta_builtin (C2G_DATA_TYPE_BOOL);
  const guint8 item = 0x80;
  g_autofree char *text = c2g_element_to_string (meta, &item);
  gint64 value;

  g_assert_true (c2g_element_get_int64 (meta, &item, &value, NULL));
  g_assert_cmpint (value, ==, 1);
  g_assert_cmpstr (text, ==, "true");
}

static void
test_not_a_number (void)
{
  C2gTypeMeta *metas[] = {
    c2g_type_meta_builtin (C2G_DATA_TYPE_STRING),
    c2g_type_meta_for_gtype (G_TYPE_BYTES, NULL),
    c2g_type_meta_register ("Not a number", 8, NULL),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (metas); i++)
    {
      Item item = { .bits = 0 };
      gint64 whole;
      double real;

      for (int call = 0; call < 5; call++)
        {
          g_autoptr (GError) error = NULL;
          gboolean is_done =
            call == 0   ? c2g_element_get_double (metas[i], &item, &real, &error)
            : call == 1 ? c2g_element_set_double (metas[i], &item, 1, &error)
            : call == 2 ? c2g_element_get_int64 (metas[i], &item, &whole, &error)
            : call == 3 ? c2g_element_set_int64 (metas[i], &item, 1, &error)
                        : c2g_element_fill (metas[i], &item, 1, 1, &error);

          g_assert_false (is_done);
          g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
          g_assert_nonnull (strstr (error->message, c2g_type_meta_get_name (metas[i])));
        }
      g_assert_false (c2g_element_is_number (metas[i]));
    }
}

/* Tests the GType that each number is returned as, and setting it back. */
static void
test_number_values (void)
{
  static const struct
  {
    C2gDataType data_type;
    GType       gtype;
  } cases[] = {
    { C2G_DATA_TYPE_FLOAT, G_TYPE_FLOAT },
    { C2G_DATA_TYPE_DOUBLE, G_TYPE_DOUBLE },
    { C2G_DATA_TYPE_FLOAT16, G_TYPE_FLOAT },
    { C2G_DATA_TYPE_BFLOAT16, G_TYPE_FLOAT },
    { C2G_DATA_TYPE_INT8, G_TYPE_INT },
    { C2G_DATA_TYPE_INT16, G_TYPE_INT },
    { C2G_DATA_TYPE_INT32, G_TYPE_INT },
    { C2G_DATA_TYPE_INT64, G_TYPE_INT64 },
    { C2G_DATA_TYPE_BOOL, G_TYPE_BOOLEAN },
    { C2G_DATA_TYPE_UINT8, G_TYPE_UINT },
    { C2G_DATA_TYPE_UINT16, G_TYPE_UINT },
    { C2G_DATA_TYPE_UINT32, G_TYPE_UINT },
    { C2G_DATA_TYPE_UINT64, G_TYPE_UINT64 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      C2gTypeMeta *meta = c2g_type_meta_builtin (cases[i].data_type);
      g_auto (GValue) value = G_VALUE_INIT;
      g_autoptr (GError) error = NULL;
      const gint64 number = cases[i].data_type == C2G_DATA_TYPE_BOOL ? 1 : 100;
      Item item, copy = { .bits = 0 };
      gint64 whole;

      g_assert_true (c2g_element_set_int64 (meta, &item, number, NULL));
      c2g_element_get_value (meta, &item, &value);
      g_assert_cmpuint (G_VALUE_TYPE (&value), ==, cases[i].gtype);

      g_assert_true (c2g_element_set_value (meta, &copy, &value, &error));
      g_assert_no_error (error);
      g_assert_true (c2g_element_get_int64 (meta, &copy, &whole, NULL));
      g_assert_cmpint (whole, ==, number);
    }
}

/* Sets a 1 of every numeric GType in every type of number. */
static void
test_every_number_value (void)
{
  const GType gtypes[] = {
    G_TYPE_CHAR, G_TYPE_UCHAR, G_TYPE_BOOLEAN, G_TYPE_INT, G_TYPE_UINT, G_TYPE_LONG,
    G_TYPE_ULONG, G_TYPE_INT64, G_TYPE_UINT64, G_TYPE_FLOAT, G_TYPE_DOUBLE,
    C2G_TYPE_DATA_TYPE, C2G_TYPE_MAP_FLAGS
  };
  g_auto (GValue) one = G_VALUE_INIT;

  g_value_init (&one, G_TYPE_INT);
  g_value_set_int (&one, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (gtypes); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, gtypes[i]);
      if (G_TYPE_IS_ENUM (gtypes[i]))
        g_value_set_enum (&value, 1);
      else if (G_TYPE_IS_FLAGS (gtypes[i]))
        g_value_set_flags (&value, 1);
      else if (gtypes[i] == G_TYPE_CHAR)
        g_value_set_schar (&value, 1);
      else if (gtypes[i] == G_TYPE_UCHAR)
        g_value_set_uchar (&value, 1);
      else
        g_assert_true (g_value_transform (&one, &value));

      for (gsize j = 0; j < G_N_ELEMENTS (numbers); j++)
        {
          C2gTypeMeta *meta = c2g_type_meta_builtin (numbers[j]);
          double real = 0;
          Item item;

          g_assert_true (c2g_element_set_value (meta, &item, &value, NULL));
          g_assert_true (c2g_element_get_double (meta, &item, &real, NULL));
          g_assert_cmpfloat (real, ==, 1);
        }
    }
}

static void
test_exact_values (void)
{
  C2gTypeMeta *meta = c2g_type_meta_builtin (C2G_DATA_TYPE_UINT64);
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) got = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  Item item;

  g_value_init (&value, G_TYPE_UINT64);
  g_value_set_uint64 (&value, G_MAXUINT64 - 1);
  g_assert_true (c2g_element_set_value (meta, &item, &value, NULL));
  c2g_element_get_value (meta, &item, &got);
  g_assert_cmpuint (g_value_get_uint64 (&got), ==, G_MAXUINT64 - 1);

  g_assert_false (c2g_element_set_value (c2g_type_meta_builtin (C2G_DATA_TYPE_INT64), &item,
                                         &value, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
}

static void
set_string (Item       *item,
            const char *text)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_set_string (&value, text);
  g_assert_true (c2g_element_set_value (c2g_type_meta_builtin (C2G_DATA_TYPE_STRING), item, &value,
                                        NULL));
}

static void
set_bytes (Item       *item,
           const char *data,
           gsize       n_bytes)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_BYTES);
  g_value_take_boxed (&value, g_bytes_new (data, n_bytes));
  g_assert_true (c2g_element_set_value (c2g_type_meta_builtin (C2G_DATA_TYPE_STRING), item, &value,
                                        NULL));
}

static void
test_strings (void)
{
  static const struct
  {
    const char *data;
    gsize       n_bytes;
    gboolean    is_text;
    const char *printed;
  } cases[] = {
    { "", 0, TRUE, "\"\"" },
    { "plain", 5, TRUE, "\"plain\"" },
    { "caf\xc3\xa9", 5, TRUE, "\"caf\xc3\xa9\"" },
    { "a\"b\\c\n\t\x01", 8, TRUE, "\"a\\\"b\\\\c\\n\\t\\x01\"" },
    { "nul\0nul", 7, FALSE, "\"nul\\x00nul\"" },
    { "\xff\xfe", 2, FALSE, "\"\\xff\\xfe\"" },
    { "cut \xc3", 5, FALSE, "\"cut \\xc3\"" },
  };
  C2gTypeMeta *meta = c2g_type_meta_builtin (C2G_DATA_TYPE_STRING);
  Item item = { .string = NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      g_autofree char *printed = NULL;

      set_bytes (&item, cases[i].data, cases[i].n_bytes);
      g_assert_cmpint (item.string == NULL, ==, cases[i].n_bytes == 0);
      c2g_element_get_value (meta, &item, &value);
      if (cases[i].is_text)
        g_assert_cmpstr (g_value_get_string (&value), ==, cases[i].data);
      else
        {
          GBytes *bytes = g_value_get_boxed (&value);

          g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                           cases[i].data, cases[i].n_bytes);
        }

      printed = c2g_element_to_string (meta, &item);
      g_assert_cmpstr (printed, ==, cases[i].printed);
    }

  set_string (&item, "text");
  g_assert_cmpuint (g_bytes_get_size (item.string), ==, 4);
  set_string (&item, NULL);
  g_assert_null (item.string);
}

static void
test_wrong_values (void)
{
  C2gTypeMeta *plain = c2g_type_meta_register ("Wrong values", 4, NULL);
  C2gTypeMeta *object = c2g_type_meta_for_gtype (C2G_TYPE_TENSOR, NULL);
  C2gTypeMeta *boxed = c2g_type_meta_for_gtype (G_TYPE_STRV, NULL);
  const struct
  {
    C2gTypeMeta *meta;
    GType        gtype;
  } cases[] = {
    { c2g_type_meta_builtin (C2G_DATA_TYPE_FLOAT), G_TYPE_STRING },
    { c2g_type_meta_builtin (C2G_DATA_TYPE_INT64), G_TYPE_BYTES },
    { c2g_type_meta_builtin (C2G_DATA_TYPE_INT32), G_TYPE_POINTER },
    { c2g_type_meta_builtin (C2G_DATA_TYPE_STRING), G_TYPE_INT },
    { c2g_type_meta_builtin (C2G_DATA_TYPE_STRING), G_TYPE_POINTER },
    { c2g_type_meta_builtin (C2G_DATA_TYPE_STRING), G_TYPE_BYTES },
    { plain, G_TYPE_STRING },
    { plain, G_TYPE_BYTES },
    { object, G_TYPE_STRING },
    { boxed, G_TYPE_BYTES },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      g_autoptr (GError) error = NULL;
      Item item = { .bits = 0 };

      g_value_init (&value, cases[i].gtype);
      g_assert_false (c2g_element_set_value (cases[i].meta, &item, &value, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
      g_assert_nonnull (strstr (error->message, c2g_type_meta_get_name (cases[i].meta)));
      g_assert_nonnull (strstr (error->message, g_type_name (cases[i].gtype)));
      g_assert_cmphex (item.bits, ==, 0);
    }
}

static void
test_plain (void)
{
  C2gTypeMeta *meta = c2g_type_meta_register ("Color", 3, NULL);
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) got = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  g_autofree char *printed = NULL;
  Item item = { .bits = 0 };
  GBytes *bytes;

  g_value_init (&value, G_TYPE_BYTES);
  g_value_take_boxed (&value, g_bytes_new ("\x10\x20\xff", 3));
  g_assert_true (c2g_element_set_value (meta, &item, &value, &error));
  g_assert_no_error (error);

  c2g_element_get_value (meta, &item, &got);
  bytes = g_value_get_boxed (&got);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "\x10\x20\xff", 3);
  printed = c2g_element_to_string (meta, &item);
  g_assert_cmpstr (printed, ==, "0x1020ff");

  g_value_take_boxed (&value, g_bytes_new ("\1\2\3\4", 4));
  g_assert_false (c2g_element_set_value (meta, &item, &value, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmphex (item.bytes[0], ==, 0x10);
}

static void
test_objects (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_gtype (G_TYPE_OBJECT, NULL);
  C2gTensor *tensor = c2g_tensor_new ();
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) got = G_VALUE_INIT;
  g_auto (GValue) none = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  Item item = { .object = NULL };

  g_value_init (&value, C2G_TYPE_TENSOR);
  g_value_set_object (&value, tensor);
  g_assert_true (c2g_element_set_value (meta, &item, &value, NULL));
  g_assert_true (item.object == G_OBJECT (tensor));
  c2g_element_get_value (meta, &item, &got);
  g_assert_true (g_value_get_object (&got) == tensor);

  /* An object of another class. */
  g_assert_false (c2g_element_set_value (c2g_type_meta_for_gtype (C2G_TYPE_EVENT, NULL), &item,
                                         &value, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);

  g_value_init (&none, G_TYPE_POINTER);
  g_assert_true (c2g_element_set_value (meta, &item, &none, NULL));
  g_assert_null (item.object);

  g_value_unset (&value);
  g_value_unset (&got);
  g_assert_finalize_object (tensor);
}

static void
test_boxed (void)
{
  C2gTypeMeta *meta = c2g_type_meta_for_gtype (G_TYPE_STRV, NULL);
  const char *words[] = { "one", "two", NULL };
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) got = G_VALUE_INIT;
  char **item = NULL;

  c2g_element_get_value (meta, &item, &got);
  g_assert_true (G_VALUE_HOLDS (&got, G_TYPE_STRV));
  g_assert_null (g_value_get_boxed (&got));
  g_value_unset (&got);

  g_value_init (&value, G_TYPE_STRV);
  g_value_set_boxed (&value, words);
  g_assert_true (c2g_element_set_value (meta, &item, &value, NULL));
  c2g_element_get_value (meta, &item, &got);
  g_assert_cmpstrv (g_value_get_boxed (&got), words);

  c2g_type_meta_destroy (meta, &item, 1);
}

static void
get_half (C2gTypeMeta   *meta,
          gconstpointer  item,
          GValue        *value)
{
  g_value_init (value, G_TYPE_INT);
  g_value_set_int (value, *(const int *) item / 2);
}

static gboolean
set_half (C2gTypeMeta  *meta,
          gpointer      item,
          const GValue *value)
{
  if (!G_VALUE_HOLDS_INT (value))
    return FALSE;

  *(int *) item = g_value_get_int (value) * 2;
  return TRUE;
}

static void
destroy_nothing (C2gTypeMeta *meta,
                 gpointer     items,
                 gsize        n_items)
{
}

static void
test_own_funcs (void)
{
  static const C2gElementFuncs funcs = { .get = get_half, .set = set_half };
  static const C2gElementFuncs mute_funcs = { .destroy = destroy_nothing };
  C2gTypeMeta *meta = c2g_type_meta_register_full ("Halved", sizeof (int), &funcs, NULL);
  C2gTypeMeta *mute = c2g_type_meta_register_full ("Mute", sizeof (int), &mute_funcs, NULL);
  g_auto (GValue) value = G_VALUE_INIT;
  g_auto (GValue) got = G_VALUE_INIT;
  g_auto (GValue) none = G_VALUE_INIT;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  int item = 0;

  g_value_init (&value, G_TYPE_INT);
  g_value_set_int (&value, 21);
  g_assert_true (c2g_element_set_value (meta, &item, &value, NULL));
  g_assert_cmpint (item, ==, 42);
  c2g_element_get_value (meta, &item, &got);
  g_assert_cmpint (g_value_get_int (&got), ==, 21);

  g_value_unset (&value);
  g_value_init (&value, G_TYPE_DOUBLE);
  g_assert_false (c2g_element_set_value (meta, &item, &value, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  /* A type without a get() function. */
  text = c2g_element_to_string (mute, &item);
  g_assert_cmpstr (text, ==, "(Mute)");
  c2g_element_get_value (mute, &item, &none);
  g_assert_true (G_VALUE_HOLDS_POINTER (&none));
  g_assert_null (g_value_get_pointer (&none));
  g_assert_false (c2g_element_set_value (mute, &item, &value, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
}

static void
test_number_text (void)
{
  static const struct
  {
    C2gDataType data_type;
    double      value;
    const char *text;
  } cases[] = {
    { C2G_DATA_TYPE_FLOAT, 0, "0" },
    { C2G_DATA_TYPE_FLOAT, -0.0, "-0" },
    { C2G_DATA_TYPE_FLOAT, 3, "3" },
    { C2G_DATA_TYPE_FLOAT, 0.1, "0.1" },
    { C2G_DATA_TYPE_FLOAT, 16777216, "16777216" },
    { C2G_DATA_TYPE_FLOAT, 1.0 / 3, "0.33333334" },
    { C2G_DATA_TYPE_FLOAT, INFINITY, "inf" },
    { C2G_DATA_TYPE_FLOAT, -INFINITY, "-inf" },
    { C2G_DATA_TYPE_DOUBLE, 0.1, "0.1" },
    { C2G_DATA_TYPE_DOUBLE, 1.0 / 3, "0.3333333333333333" },
    { C2G_DATA_TYPE_DOUBLE, 1e20, "1e+20" },
    { C2G_DATA_TYPE_DOUBLE, DBL_MIN, "2.2250738585072014e-308" },
    { C2G_DATA_TYPE_FLOAT16, 0.1, "0.1" },
    { C2G_DATA_TYPE_BFLOAT16, 3.14, "3.14" },
    { C2G_DATA_TYPE_INT8, -7, "-7" },
    { C2G_DATA_TYPE_UINT64, 0x1p63, "9223372036854775808" },
    { C2G_DATA_TYPE_BOOL, 0, "false" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      C2gTypeMeta *meta = c2g_type_meta_builtin (cases[i].data_type);
      g_autofree char *text = NULL;
      Item item;

      g_assert_true (c2g_element_set_double (meta, &item, cases[i].value, NULL));
      text = c2g_element_to_string (meta, &item);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_fill (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      C2gTypeMeta *meta = c2g_type_meta_builtin (numbers[i]);
      guint64 room[11] = { 0 };
      char *items = (char *) room;

      /* Without items the address may be NULL. */
      g_assert_true (c2g_element_fill (meta, NULL, 0, 1, NULL));

      memset (room, 0x55, sizeof room);
      g_assert_true (c2g_element_fill (meta, items, 10, 1, NULL));
      for (gsize j = 0; j < 10; j++)
        {
          double value;

          g_assert_true (c2g_element_get_double (meta, items + j * meta->item_size, &value, NULL));
          g_assert_cmpfloat (value, ==, 1);
        }
      g_assert_cmphex (items[10 * meta->item_size], ==, 0x55);
    }
}

static void
test_fill_range (void)
{
  g_autoptr (GError) error = NULL;
  guint8 items[4] = { 1, 2, 3, 4 };

  g_assert_false (c2g_element_fill (c2g_type_meta_builtin (C2G_DATA_TYPE_UINT8), items, 4, 256,
                                    &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpuint (items[0], ==, 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/element/double", test_double);
  c2g_test_add_func ("/element/nan", test_nan);
  c2g_test_add_func ("/element/set-int64", test_set_int64);
  c2g_test_add_func ("/element/set-int64-rounds-once", test_set_int64_rounds_once);
  c2g_test_add_func ("/element/get-int64", test_get_int64);
  c2g_test_add_func ("/element/odd-bool", test_odd_bool);
  c2g_test_add_func ("/element/not-a-number", test_not_a_number);
  c2g_test_add_func ("/element/number-values", test_number_values);
  c2g_test_add_func ("/element/every-number-value", test_every_number_value);
  c2g_test_add_func ("/element/exact-values", test_exact_values);
  c2g_test_add_func ("/element/strings", test_strings);
  c2g_test_add_func ("/element/wrong-values", test_wrong_values);
  c2g_test_add_func ("/element/plain", test_plain);
  c2g_test_add_func ("/element/objects", test_objects);
  c2g_test_add_func ("/element/boxed", test_boxed);
  c2g_test_add_func ("/element/own-funcs", test_own_funcs);
  c2g_test_add_func ("/element/number-text", test_number_text);
  c2g_test_add_func ("/element/fill", test_fill);
  c2g_test_add_func ("/element/fill-range", test_fill_range);

  return c2g_test_run ();
}
