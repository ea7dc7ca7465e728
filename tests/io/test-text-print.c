/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-text-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <math.h>
#include <string.h>

static Caffe2__Argument *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  ProtobufCMessage *message;

  message = c2g_text_parse (&caffe2__argument__descriptor, text, strlen (text), &error);
  g_assert_no_error (error);
  return (Caffe2__Argument *) message;
}

static guint32
bits_of (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* The text is that of protobuf's printer in Python. */
static void
test_floats (void)
{
  static const struct
  {
    float       value;
    const char *text;
  } cases[] = {
    { 0, "0.0" },
    { -0.0f, "-0.0" },
    { 1, "1.0" },
    { 0.1f, "0.1" },
    { 1e-4f, "0.0001" },
    { 1e-5f, "1e-05" },
    { 1.0f / 3, "0.33333334" },
    { 123456.0f, "123456.0" },
    { 1234567.0f, "1234567.0" },
    { 16777216.0f, "16777216.0" },
    { 3e10f, "30000000000.0" },
    { 1e15f, "1000000000000000.0" },
    { 1e16f, "1e+16" },
    { -2.5e20f, "-2.5e+20" },
    { 3.4028235e38f, "3.4028235e+38" },
    { 1.1754944e-38f, "1.1754944e-38" },
    { 1e-45f, "1.4013e-45" },
    { INFINITY, "inf" },
    { -INFINITY, "-inf" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Caffe2__Argument message = CAFFE2__ARGUMENT__INIT;
      g_autofree char *expected = g_strdup_printf ("f: %s\n", cases[i].text);
      g_autofree char *text = NULL;
      Caffe2__Argument *back;

      message.has_f = TRUE;
      message.f = cases[i].value;
      text = c2g_text_print (&message.base);
      g_assert_cmpstr (text, ==, expected);

      back = parse (text);
      g_assert_cmphex (bits_of (back->f), ==, bits_of (cases[i].value));
      c2g_wire_free (back);
    }
}

/* Numbers with random bits are read back exactly. */
static void
test_random_floats (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  Caffe2__Argument message = CAFFE2__ARGUMENT__INIT;
  float values[4096];
  g_autofree char *text = NULL;
  Caffe2__Argument *back;

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    do
      {
        guint32 bits = g_rand_int (random);

        memcpy (&values[i], &bits, sizeof bits);
      }
    while (isnan (values[i]));

  message.n_floats = G_N_ELEMENTS (values);
  message.floats = values;
  text = c2g_text_print (&message.base);
  back = parse (text);
  g_assert_cmpmem (back->floats, back->n_floats * sizeof (float), values, sizeof values);
  c2g_wire_free (back);
}

static void
test_doubles (void)
{
  static const struct
  {
    double      value;
    const char *text;
  } cases[] = {
    { 0.1, "0.1" },
    { 1.0 / 3, "0.3333333333333333" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 9007199254740993.0, "9007199254740992.0" },
    { 1e22, "1e+22" },
    { 5e-324, "5e-324" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Caffe2__QTensorProto message = CAFFE2__QTENSOR_PROTO__INIT;
      g_autofree char *expected = g_strdup_printf ("scale: %s\n", cases[i].text);
      g_autofree char *text = NULL;

      message.scale = cases[i].value;
      text = c2g_text_print (&message.base);
      g_assert_nonnull (strstr (text, expected));
    }
}

static void
test_nan (void)
{
  Caffe2__Argument *back = parse ("floats: nan floats: -nan");
  g_autofree char *text = c2g_text_print (&back->base);

  g_assert_cmpstr (text, ==, "floats: nan\nfloats: -nan\n");
  g_assert_true (isnan (back->floats[0]) && !signbit (back->floats[0]));
  g_assert_true (isnan (back->floats[1]) && signbit (back->floats[1]));
  c2g_wire_free (back);
}

static void
test_bytes (void)
{
  Caffe2__Argument message = CAFFE2__ARGUMENT__INIT;
  g_autofree char *text = NULL;
  Caffe2__Argument *back;
  guint8 all[256];

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    all[i] = i;
  message.name = (char *) "a\"b'\\\n\r\t\x7fé";
  message.has_s = TRUE;
  message.s = (ProtobufCBinaryData) { sizeof all, all };

  text = c2g_text_print (&message.base);
  g_assert_true (g_str_has_prefix (
    text, "name: \"a\\\"b\\'\\\\\\n\\r\\t\\177\\303\\251\"\ns: \"\\000\\001"));

  back = parse (text);
  g_assert_cmpstr (back->name, ==, message.name);
  g_assert_cmpmem (back->s.data, back->s.len, all, sizeof all);
  c2g_wire_free (back);
}

static void
test_message (void)
{
  static const char text[] = "name: \"n\"\n"
                             "op {\n"
                             "  input: \"\"\n"
                             "  arg {\n"
                             "    i: -9223372036854775808\n"
                             "    n {\n"
                             "    }\n"
                             "    t {\n"
                             "      data_type: INT64\n"
                             "    }\n"
                             "  }\n"
                             "  device_option {\n"
                             "    device_type: 1\n"
                             "    random_seed: 4294967295\n"
                             "  }\n"
                             "  is_gradient_op: false\n"
                             "}\n"
                             "op {\n"
                             "}\n";
  g_autoptr (GError) error = NULL;
  g_autofree char *back = NULL;
  ProtobufCMessage *message;

  message = c2g_text_parse (&caffe2__net_def__descriptor, text, strlen (text), &error);
  g_assert_no_error (error);
  back = c2g_text_print (message);
  g_assert_cmpstr (back, ==, text);
  c2g_wire_free (message);
}

/* Unknown fields are printed by number. */
static void
test_unknown (void)
{
  static const guint8 bytes[] = {
    0xa0, 0x06, 0x96, 0x01,                   /* 100: a varint */
    0xa5, 0x06, 1, 2, 3, 4,                   /* 100: four bytes */
    0xa1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8,       /* 100: eight */
    0xa2, 0x06, 3, 'a', 0, 'b',               /* 100: bytes */
    0xf8, 0xff, 0xff, 0xff, 0x0f, 0x00,       /* the largest number */
  };
  static const char expected[] = "100: 150\n"
                                 "100: 0x04030201\n"
                                 "100: 0x0807060504030201\n"
                                 "100: \"a\\000b\"\n"
                                 "536870911: 0\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) back = NULL;
  g_autofree char *text = NULL;
  ProtobufCMessage *message;
  Caffe2__Argument *again;

  message = c2g_wire_parse (&caffe2__argument__descriptor, bytes, sizeof bytes, 0, &error);
  g_assert_no_error (error);
  text = c2g_text_print (message);
  g_assert_cmpstr (text, ==, expected);
  c2g_wire_free (message);

  again = parse (text);
  back = c2g_wire_serialize (&again->base, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (back, NULL), g_bytes_get_size (back), bytes, sizeof bytes);
  c2g_wire_free (again);
}

static void
test_wrong_numbers (void)
{
  static const char *const texts[] = {
    "0: 1",
    "536870912: 1",
    "-1: 1",
    "100 1",
    "100: -1",
    "100: x",
    "100: { }",
    "100: 1.5",
    "100: 18446744073709551616",
    "1: \"name\"",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_text_parse (&caffe2__argument__descriptor, texts[i], strlen (texts[i]),
                                     &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* Newer versions of Caffe2 call the number of a GPU device_id. */
static void
test_alias (void)
{
  static const char text[] = "device_option { device_type: CUDA device_id: 3 }";
  g_autoptr (GError) error = NULL;
  g_autofree char *back = NULL;
  ProtobufCMessage *message;

  message = c2g_text_parse (&caffe2__operator_def__descriptor, text, strlen (text), &error);
  g_assert_no_error (error);
  back = c2g_text_print (message);
  g_assert_cmpstr (back, ==, "device_option {\n  device_type: 1\n  device_id: 3\n}\n");
  c2g_wire_free (message);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/text-print/floats", test_floats);
  c2g_test_add_func ("/text-print/random-floats", test_random_floats);
  c2g_test_add_func ("/text-print/doubles", test_doubles);
  c2g_test_add_func ("/text-print/nan", test_nan);
  c2g_test_add_func ("/text-print/bytes", test_bytes);
  c2g_test_add_func ("/text-print/message", test_message);
  c2g_test_add_func ("/text-print/unknown", test_unknown);
  c2g_test_add_func ("/text-print/wrong-numbers", test_wrong_numbers);
  c2g_test_add_func ("/text-print/alias", test_alias);

  return c2g_test_run ();
}
