/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/formats-utils.h"

#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/numpy/c2g-numpy-private.h>

#include <inttypes.h>

static GPtrArray *
read_entries (C2gSource  *source,
              GError    **error)
{
  return c2g_npy_read_entries (source, "array", error);
}

/* Makes a file from a dictionary, as given, and values. */
static GBytes *
make_file (guint         version,
           const char   *dictionary,
           gconstpointer values,
           gsize         n_values)
{
  GByteArray *file = g_byte_array_new ();
  gsize n = strlen (dictionary);
  guint8 preamble[12] = { 0x93, 'N', 'U', 'M', 'P', 'Y', (guint8) version };

  for (guint i = 0; i < 4; i++)
    preamble[8 + i] = (guint8) (n >> (8 * i));
  g_byte_array_append (file, preamble, version == 1 ? 10 : 12);
  g_byte_array_append (file, (const guint8 *) dictionary, n);
  g_byte_array_append (file, values, n_values);
  return g_byte_array_free_to_bytes (file);
}

static GBytes *
write_tensor (C2gTensor  *tensor,
              GError    **error)
{
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);

  return c2g_npy_write (tensor, sink, NULL, error) && c2g_sink_commit (sink, NULL, error)
           ? c2g_sink_steal_bytes (sink)
           : NULL;
}

static C2gTensor *
read_tensor (GBytes *bytes)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "bytes");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = read_entries (source, &error);

  g_assert_no_error (error);
  return formats_load (entries, "array");
}

static void
check_round_trip (C2gTensor *tensor)
{
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  C2gSaveItem *item = formats_add (items, "array", tensor);

  g_assert_true (c2g_npy_check (item, "npy", &error));
  bytes = write_tensor (tensor, &error);
  g_assert_no_error (error);
  formats_assert_reads (bytes, read_entries, items);
}

static void
test_round_trip (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats_numbers); i++)
    if (formats_numbers[i] != C2G_DATA_TYPE_BFLOAT16)
      {
        check_round_trip (formats_new_tensor (formats_numbers[i], C2G_TEST_DIMS (2, 3, 5), 7));
        check_round_trip (formats_new_tensor (formats_numbers[i], C2G_TEST_DIMS (4, 0), 7));
        check_round_trip (formats_new_tensor (formats_numbers[i], C2G_TEST_DIMS (11), 7));
        check_round_trip (formats_new_tensor (formats_numbers[i], NULL, 0, 7));
      }
}

static void
test_strings (void)
{
  static const char *const strings[] = { "one", NULL, "three and more", "ü", "5" };
  static const char *const none[] = { NULL, NULL };

  check_round_trip (formats_new_strings (strings, G_N_ELEMENTS (strings)));
  check_round_trip (formats_new_strings (none, 2));
  check_round_trip (formats_new_strings (none, 0));
}

/* More strings than are written at once. */
static void
test_many_strings (void)
{
  g_autoptr (GPtrArray) strings = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < 3000; i++)
    g_ptr_array_add (strings, g_strdup_printf ("%0*u", (int) (i % 150 + 1), i));
  check_round_trip (formats_new_strings ((const char *const *) strings->pdata, strings->len));
}

/* The bytes are exactly those of numpy. */
static void
test_bytes (void)
{
  static const struct
  {
    C2gDataType data_type;
    gsize       n_dims;
    const char *header;
  } cases[] = {
    { C2G_DATA_TYPE_FLOAT, 2, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" },
    { C2G_DATA_TYPE_INT64, 1, "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }" },
    { C2G_DATA_TYPE_BOOL, 0, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = NULL;
      const char *header = cases[i].header;
      const guint8 *data;
      gsize n_bytes;

      tensor = formats_new_tensor (cases[i].data_type, (gint64[]) { 2, 3 }, cases[i].n_dims, 1);
      bytes = write_tensor (tensor, &error);
      g_assert_no_error (error);
      data = g_bytes_get_data (bytes, &n_bytes);
      g_assert_cmpuint (n_bytes, ==, 128 + c2g_tensor_get_n_bytes (tensor));
      g_assert_cmpmem (data, 10, "\x93NUMPY\1\0\x76\0", 10);
      g_assert_cmpmem (data + 10, strlen (header), header, strlen (header));
      for (gsize j = 10 + strlen (header); j < 127; j++)
        g_assert_cmpint (data[j], ==, ' ');
      g_assert_cmpint (data[127], ==, '\n');
    }
}

/* All accepted ways to write a header. */
static void
test_headers (void)
{
  static const guint8 values[] = { 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0 };
  static const char *const headers[] = {
    "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n",
    "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3)}",
    "{ \"shape\" : ( 2 , 3 , ) , \"descr\":\"<i2\",'fortran_order' :False , } \n ",
    "{'descr': 'i2', 'fortran_order': False, 'shape': (2L, 3L), }",
    "{'descr': '=i2', 'fortran_order': False, 'shape': (02, 3), }",
  };

  for (guint version = 1; version <= 3; version++)
    for (gsize i = 0; i < G_N_ELEMENTS (headers); i++)
      {
        g_autoptr (GBytes) bytes = make_file (version, headers[i], values, sizeof values);
        g_autoptr (C2gTensor) tensor = NULL;
        gsize n_dims;

        if (G_BYTE_ORDER == G_BIG_ENDIAN && i > 2)
          continue;
        tensor = read_tensor (bytes);
        g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_INT16);
        g_assert_cmpint (c2g_tensor_get_dims (tensor, &n_dims)[1], ==, 3);
        g_assert_cmpuint (n_dims, ==, 2);
        for (gint64 j = 0; j < 6; j++)
          g_assert_cmpint (c2g_tensor_get_int64 (tensor, j, NULL), ==, j + 1);
      }
}

static void
test_big_endian (void)
{
  static const guint8 values[] = { 0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18,
                                   0xbf, 0xf0, 0,    0,    0,    0,    0,    0 };
  static const guint8 shorts[] = { 0x12, 0x34, 0xff, 0xfe };
  static const guint8 words[] = { 0x7f, 0xff, 0xff, 0xff, 0x80, 0, 0, 0 };
  static const guint8 bytes[] = { 3, 4 };
  g_autoptr (GBytes) f8 = NULL;
  g_autoptr (GBytes) i2 = NULL;
  g_autoptr (GBytes) i4 = NULL;
  g_autoptr (GBytes) i1 = NULL;
  g_autoptr (C2gTensor) doubles = NULL;
  g_autoptr (C2gTensor) int16s = NULL;
  g_autoptr (C2gTensor) int32s = NULL;
  g_autoptr (C2gTensor) int8s = NULL;

  f8 = make_file (1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }", values, 16);
  i2 = make_file (1, "{'descr': '>i2', 'fortran_order': True, 'shape': (2,), }", shorts, 4);
  i4 = make_file (1, "{'descr': '>i4', 'fortran_order': True, 'shape': (1, 2), }", words, 8);
  i1 = make_file (1, "{'descr': '>i1', 'fortran_order': False, 'shape': (2,), }", bytes, 2);
  doubles = read_tensor (f8);
  int16s = read_tensor (i2);
  int32s = read_tensor (i4);
  int8s = read_tensor (i1);
  g_assert_cmpfloat (c2g_tensor_get_value (doubles, 0, NULL), ==, G_PI);
  g_assert_cmpfloat (c2g_tensor_get_value (doubles, 1, NULL), ==, -1);
  g_assert_cmpint (c2g_tensor_get_int64 (int16s, 0, NULL), ==, 0x1234);
  g_assert_cmpint (c2g_tensor_get_int64 (int16s, 1, NULL), ==, -2);
  g_assert_cmpint (c2g_tensor_get_int64 (int32s, 0, NULL), ==, G_MAXINT32);
  g_assert_cmpint (c2g_tensor_get_int64 (int32s, 1, NULL), ==, G_MININT32);
  g_assert_cmpint (c2g_tensor_get_int64 (int8s, 1, NULL), ==, 4);
}

/* The value of each element is its index in the file. */
static void
check_fortran (const char   *code,
               gsize         item_size,
               const gint64 *dims,
               gsize         n_dims)
{
  g_autoptr (GString) header = g_string_new (NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autofree guint8 *values = NULL;
  gint64 n = n_dims > 0 && dims[0] == 0 ? 0 : 1;

  g_string_printf (header, "{'descr': '<%s', 'fortran_order': True, 'shape': (", code);
  for (gsize i = 0; i < n_dims; i++)
    {
      g_string_append_printf (header, "%" PRId64 ",", dims[i]);
      n *= n == 0 ? 1 : dims[i];
    }
  g_string_append (header, ")}");
  values = g_malloc0 (n * item_size + 1);
  for (gint64 i = 0; i < n; i++)
    for (gsize j = 0; j < item_size; j++)
      values[i * item_size + j] = (guint8) (i >> (8 * j));
  bytes = make_file (1, header->str, values, n * item_size);
  tensor = read_tensor (bytes);

  for (gint64 i = 0; i < n; i++)
    {
      gint64 rest = i, index = 0;

      /* From the last axis to the first. */
      for (gsize axis = n_dims; axis-- > 0;)
        {
          gint64 stride = 1;

          for (gsize j = 0; j < axis; j++)
            stride *= dims[j];
          index += rest % dims[axis] * stride;
          rest /= dims[axis];
        }
      g_assert_cmpint (c2g_tensor_get_int64 (tensor, i, NULL), ==,
                       item_size == 1 ? (guint8) index : index);
    }
}

static void
test_fortran (void)
{
  check_fortran ("u1", 1, C2G_TEST_DIMS (3, 5));
  check_fortran ("i2", 2, C2G_TEST_DIMS (7, 2, 4));
  check_fortran ("i4", 4, C2G_TEST_DIMS (2, 1, 3, 4));
  check_fortran ("i8", 8, C2G_TEST_DIMS (5, 6, 7));
  check_fortran ("i8", 8, C2G_TEST_DIMS (1, 1));
  check_fortran ("i4", 4, C2G_TEST_DIMS (9));
  check_fortran ("i4", 4, C2G_TEST_DIMS (3, 0, 2));
  /* Strides that overflow; UndefinedBehaviorSanitizer would report that. */
  check_fortran ("i4", 4, C2G_TEST_DIMS (0, G_MAXINT64, 9));
  check_fortran ("i4", 4, NULL, 0);
  /* Larger than a read buffer, and not a multiple of it. */
  check_fortran ("i4", 4, C2G_TEST_DIMS (70001, 3));
  check_fortran ("i4", 4, C2G_TEST_DIMS (3, 70001));
}

static void
test_bools (void)
{
  static const guint8 values[] = { 0, 2, 0xff, 1 };
  static const guint8 settled[] = { 0, 1, 1, 1 };
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gTensor) tensor = NULL;

  bytes = make_file (1, "{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", values, 4);
  tensor = read_tensor (bytes);
  g_assert_cmpmem (c2g_tensor_raw_data (tensor, NULL), 4, settled, 4);
}

static void
assert_string (C2gTensor  *tensor,
               gint64      i,
               const char *string,
               gsize       n_bytes)
{
  GBytes *item = ((GBytes *const *) c2g_tensor_raw_data (tensor, NULL))[i];

  if (n_bytes == 0)
    g_assert_null (item);
  else
    g_assert_cmpmem (g_bytes_get_data (item, NULL), g_bytes_get_size (item), string, n_bytes);
}

static void
test_numpy_strings (void)
{
  guint32 texts[] = { 'a', 0xfc, 0, 0x1f600, 0, 0, 0, 0, 0, 0, 'b', 0 };
  static const guint8 swapped[] = { 0, 0, 0x20, 0xac };
  g_autoptr (GBytes) s = NULL;
  g_autoptr (GBytes) u = NULL;
  g_autoptr (GBytes) big = NULL;
  g_autoptr (C2gTensor) bytes = NULL;
  g_autoptr (C2gTensor) text = NULL;
  g_autoptr (C2gTensor) euro = NULL;

  s = make_file (1, "{'descr': '|S3', 'fortran_order': True, 'shape': (2, 2)}",
                 "abc\0b\0d\0\0\0\0\0", 12);
  bytes = read_tensor (s);
  g_assert_cmpint (c2g_tensor_get_data_type (bytes), ==, C2G_DATA_TYPE_STRING);
  assert_string (bytes, 0, "abc", 3);
  assert_string (bytes, 1, "d", 1);
  assert_string (bytes, 2, "\0b", 2);
  assert_string (bytes, 3, NULL, 0);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    texts[i] = GUINT32_TO_LE (texts[i]);
  u = make_file (1, "{'descr': '<U3', 'fortran_order': False, 'shape': (4,)}", texts, sizeof texts);
  text = read_tensor (u);
  assert_string (text, 0, "aü", 3);
  assert_string (text, 1, "😀", 4);
  assert_string (text, 2, NULL, 0);
  assert_string (text, 3, "\0b", 2);

  big = make_file (1, "{'descr': '>U1', 'fortran_order': False, 'shape': ()}", swapped, 4);
  euro = read_tensor (big);
  assert_string (euro, 0, "€", 3);
}

static const struct
{
  const char *dictionary;
  gsize       n_values;
  int         code;
} broken[] = {
  { "", 0, C2G_ERROR_CORRUPT },
  { "{}", 0, C2G_ERROR_CORRUPT },
  { "{", 0, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'shape': ()}", 4, C2G_ERROR_CORRUPT },
  { "{'fortran_order': False, 'shape': ()}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}", 4,
    C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': ()}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4' 'fortran_order': False, 'shape': ()}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': ()", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': [1]}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (1", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': ()}", 4, C2G_ERROR_CORRUPT },
  { "{descr: '<f4', 'fortran_order': False, 'shape': ()}", 4, C2G_ERROR_CORRUPT },
  /* More or fewer bytes than the header says. */
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 4, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 9, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': ()}", 0, C2G_ERROR_CORRUPT },
  { "{'descr': '|S4', 'fortran_order': False, 'shape': (2,)}", 7, C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", 4,
    C2G_ERROR_CORRUPT },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}", 4,
    C2G_ERROR_RANGE },
  { "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 4,
    C2G_ERROR_RANGE },
  { "{'descr': '|S0', 'fortran_order': False, 'shape': (9223372036854775807,)}", 0,
    C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '<U0', 'fortran_order': False, 'shape': (1,)}", 0, C2G_ERROR_NOT_SUPPORTED },
  /* Types that c2g does not have. */
  { "{'descr': '|O', 'fortran_order': False, 'shape': ()}", 4, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '|V2', 'fortran_order': False, 'shape': ()}", 2, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '<c8', 'fortran_order': False, 'shape': ()}", 8, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '<f16', 'fortran_order': False, 'shape': ()}", 16, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': ()}", 8, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '<\xff', 'fortran_order': False, 'shape': ()}", 8, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '', 'fortran_order': False, 'shape': ()}", 8, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '<', 'fortran_order': False, 'shape': ()}", 8, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '|S', 'fortran_order': False, 'shape': ()}", 8, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '|S-1', 'fortran_order': False, 'shape': ()}", 8, C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': '|S9999999999', 'fortran_order': False, 'shape': ()}", 8,
    C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", 4,
    C2G_ERROR_NOT_SUPPORTED },
  { "{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': ()}", 8,
    C2G_ERROR_NOT_SUPPORTED },
  /* Invalid characters. */
  { "{'descr': '<U1', 'fortran_order': False, 'shape': (1,)}", 4, C2G_ERROR_CORRUPT },
};

static void
test_broken (void)
{
  static const guint8 values[16] = { 0xff, 0xff, 0xff, 0xff };

  for (gsize i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GBytes) bytes = make_file (1, broken[i].dictionary, values, broken[i].n_values);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strescape (broken[i].dictionary, NULL);

      g_test_message ("%s", text);
      g_assert_false (formats_try (bytes, read_entries, &error));
      g_assert_error (error, C2G_ERROR, broken[i].code);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
}

static void
test_preamble (void)
{
  static const struct
  {
    const char *data;
    int         code;
  } cases[] = {
    { "\x93NUMPY\0\0\2\0{}", C2G_ERROR_NOT_SUPPORTED },
    { "\x93NUMPY\4\0\2\0{}", C2G_ERROR_NOT_SUPPORTED },
    { "\x93NUMPY\1\1\2\0{}", C2G_ERROR_NOT_SUPPORTED },
    { "\x92NUMPY\1\0\2\0{}", C2G_ERROR_CORRUPT },
    { "\x93NUMPY\1\0\xff\xff{}", C2G_ERROR_CORRUPT },
    { "\x93NUMPY\2\0\xff\xff\xff\xff", C2G_ERROR_NOT_SUPPORTED },
    { "\x93NUMPY\2\0\1\0\1\0", C2G_ERROR_CORRUPT },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].data, 12);
      g_autoptr (GError) error = NULL;

      g_assert_false (formats_try (bytes, read_entries, &error));
      g_assert_error (error, C2G_ERROR, cases[i].code);
    }

  g_assert_true (c2g_npy_looks_like ((const guint8 *) "\x93NUMPY", 6));
  g_assert_false (c2g_npy_looks_like ((const guint8 *) "\x93NUMPY", 5));
  g_assert_false (c2g_npy_looks_like ((const guint8 *) "\x93NUMPX", 6));
}

static void
test_damaged (void)
{
  static const char *const strings[] = { "one", "two", "three" };
  g_autoptr (C2gTensor) floats = formats_new_tensor (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2, 3), 1);
  g_autoptr (C2gTensor) texts = formats_new_strings (strings, 3);
  C2gTensor *tensors[] = { floats, texts };

  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = write_tensor (tensors[i], &error);

      g_assert_no_error (error);
      formats_assert_no_part (bytes, read_entries);
      io_damage (bytes, formats_check_damaged, read_entries);
    }
}

static void
test_refused (void)
{
  static const char *const strings[] = { "fine" };
  g_autoptr (GPtrArray) items = formats_new_items ();
  g_autofree gint64 *ones = g_new (gint64, 33);
  g_autoptr (C2gTensor) bad = formats_new_strings (strings, 1);
  g_autoptr (GError) error = NULL;
  GBytes **item = c2g_tensor_raw_mutable_data (bad, c2g_tensor_get_type_meta (bad), NULL);

  for (gsize i = 0; i < 33; i++)
    ones[i] = 1;
  g_bytes_unref (*item);
  *item = g_bytes_new ("zero\0", 5);

  formats_add (items, "bfloat", formats_new_tensor (C2G_DATA_TYPE_BFLOAT16, C2G_TEST_DIMS (2), 1));
  formats_add (items, "dims", formats_new_tensor (C2G_DATA_TYPE_FLOAT, ones, 33, 1));
  formats_add (items, "zero", g_object_ref (bad));
  formats_add_blob (items, "empty", c2g_blob_new ());
  for (guint i = 0; i < items->len; i++)
    {
      C2gSaveItem *refused = items->pdata[i];

      g_assert_false (c2g_npy_check (refused, "npy", &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, refused->name));
      g_clear_error (&error);
      if (c2g_blob_is_tensor (refused->blob, NULL))
        {
          g_assert_null (write_tensor (c2g_blob_get_tensor (refused->blob, NULL), &error));
          g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
          g_clear_error (&error);
        }
    }
}

static void
test_no_memory (void)
{
  static const char *const strings[] = { "s" };
  g_autoptr (C2gTensor) lazy = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
  g_autoptr (C2gTensor) typed = formats_new_strings (strings, 1);
  g_autoptr (GError) error = NULL;

  g_assert_null (write_tensor (lazy, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);

  c2g_tensor_free_memory (typed);
  g_assert_null (write_tensor (typed, &error));
  g_assert_nonnull (error);
}

static void
test_job (void)
{
  static const char *const strings[] = { "one", "two", "three" };
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (C2gTensor) tensor = formats_new_strings (strings, 3);
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  C2gJob job = { cancellable, progress };
  C2gFileEntry *entry;

  g_assert_true (c2g_npy_write (tensor, sink, &job, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, c2g_tensor_get_n_bytes (tensor));

  bytes = c2g_sink_steal_bytes (sink);
  source = c2g_source_new_for_bytes (bytes, "bytes");
  entries = read_entries (source, &error);
  g_assert_no_error (error);
  entry = entries->pdata[0];
  g_assert_cmpuint (entry->n_job_bytes, ==, 15);
  blob = c2g_file_entry_load (entry, &job, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==,
                    c2g_tensor_get_n_bytes (tensor) + 15);

  g_cancellable_cancel (cancellable);
  g_assert_null (c2g_file_entry_load (entry, &job, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (c2g_npy_write (tensor, sink, &job, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Writes numbers in the other byte order, in several parts, and leaves the tensor as it is. */
static void
test_swapped (void)
{
  const gint64 n = (5 << 20) / sizeof (guint16);
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  const guint16 *written;
  guint16 *items;

  g_assert_true (c2g_tensor_resize (tensor, &n, 1, NULL));
  items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_UINT16, NULL);
  for (gint64 i = 0; i < n; i++)
    items[i] = (guint16) (i * 7);

  g_assert_true (c2g_raw_tensor_write (tensor, TRUE, sink, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_sink_commit (sink, NULL, &error));
  bytes = c2g_sink_steal_bytes (sink);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, n * sizeof (guint16));
  written = g_bytes_get_data (bytes, NULL);
  for (gint64 i = 0; i < n; i++)
    {
      const guint16 expected = (guint16) (i * 7);

      if (written[i] != GUINT16_SWAP_LE_BE (expected) || items[i] != expected)
        g_error ("Element %" PRId64 " is %04x in the file, and %04x in memory", i, written[i], items[i]);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/npy/round-trip", test_round_trip);
  c2g_test_add_func ("/npy/strings", test_strings);
  c2g_test_add_func ("/npy/many-strings", test_many_strings);
  c2g_test_add_func ("/npy/bytes", test_bytes);
  c2g_test_add_func ("/npy/headers", test_headers);
  c2g_test_add_func ("/npy/big-endian", test_big_endian);
  c2g_test_add_func ("/npy/fortran", test_fortran);
  c2g_test_add_func ("/npy/bools", test_bools);
  c2g_test_add_func ("/npy/numpy-strings", test_numpy_strings);
  c2g_test_add_func ("/npy/broken", test_broken);
  c2g_test_add_func ("/npy/preamble", test_preamble);
  c2g_test_add_func ("/npy/damaged", test_damaged);
  c2g_test_add_func ("/npy/refused", test_refused);
  c2g_test_add_func ("/npy/no-memory", test_no_memory);
  c2g_test_add_func ("/npy/job", test_job);
  c2g_test_add_func ("/npy/swapped", test_swapped);

  return c2g_test_run ();
}
