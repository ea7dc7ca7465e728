/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/test-utils.h"

#include <c2g/io/wire/c2g-caffe2.pb-c.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <string.h>

#define BYTES(text) (const guint8 *) (text), sizeof (text) - 1

static void
test_reader (void)
{
  g_autoptr (GError) error = NULL;
  C2gWireReader reader;
  C2gWireField field;

  c2g_wire_reader_init (&reader, BYTES ("\x08\x96\x01\x12\x02hi\x1d\x01\x02\x03\x04"
                                        "\x21\x01\x02\x03\x04\x05\x06\x07\x08"),
                        100);

  g_assert_true (c2g_wire_reader_next (&reader, &field, &error));
  g_assert_cmpuint (field.number, ==, 1);
  g_assert_cmpuint (field.wire_type, ==, PROTOBUF_C_WIRE_TYPE_VARINT);
  g_assert_cmpuint (field.offset, ==, 100);
  g_assert_cmpuint (field.n_bytes, ==, 2);
  g_assert_true (c2g_wire_reader_next (&reader, &field, &error));
  g_assert_cmpuint (field.number, ==, 2);
  g_assert_cmpuint (field.offset, ==, 103);
  g_assert_cmpmem (field.data, field.n_bytes, "hi", 2);
  g_assert_true (c2g_wire_reader_next (&reader, &field, &error));
  g_assert_cmpuint (field.n_bytes, ==, 4);
  g_assert_true (c2g_wire_reader_next (&reader, &field, &error));
  g_assert_cmpuint (field.n_bytes, ==, 8);
  g_assert_false (c2g_wire_reader_next (&reader, &field, &error));
  g_assert_no_error (error);
}

/* A damaged TensorProto, and the position that the error must contain. */
static void
test_damage (void)
{
  static const struct
  {
    const char *name;
    const char *bytes;
    gsize       n_bytes;
    const char *message;
  } cases[] = {
    { "tag 0", "\x00", 1, "offset 0" },
    { "tag of six bytes", "\x88\x80\x80\x80\x80\x00", 6, "offset 0" },
    { "tag without end", "\x08\x01\x88", 3, "offset 2" },
    { "number without end", "\x08\xff", 2, "offset 0" },
    { "number of eleven bytes",
      "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, "offset 0" },
    { "group", "\x0b\x0c", 2, "offset 0" },
    { "length beyond the end", "\x3a\x05"
                               "abc",
      5, "should have 5 bytes, 3 are left" },
    { "length without end", "\x3a\xff", 2, "offset 0" },
    { "length of 2^63", "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10, "offset 0" },
    { "number where bytes belong", "\x38\x01", 2, "wrong kind" },
    { "float where a number belongs", "\x0d\x01\x02\x03\x04", 5, "wrong kind" },
    { "packed floats of 5 bytes", "\x1a\x05"
                                  "abcde",
      7, "broken length" },
    { "packed numbers without end", "\x22\x02\x01\x80", 4, "packed number" },
    { "name with a null byte", "\x3a\x02\x61\x00", 4, "null byte" },
    { "damage in a submessage", "\x08\x01\x5a\x02\x08\xff", 6, "offset 4" },
    { "segment without end", "\x5a\x02\x08\x00", 4, "without “end”" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].name);
      g_assert_null (c2g_wire_parse (&caffe2__tensor_proto__descriptor,
                                     (const guint8 *) cases[i].bytes, cases[i].n_bytes, 0, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

/* Forms that a writer may choose freely. */
static void
test_lenient (void)
{
  static const struct
  {
    const char *name;
    const char *bytes;
    gsize       n_bytes;
  } cases[] = {
    { "nothing", "", 0 },
    { "packed dims", "\x0a\x02\x02\x03", 4 },
    { "unpacked dims", "\x08\x02\x08\x03", 4 },
    { "numbers longer than needed", "\x08\x82\x00\x88\x00\x83\x00", 7 },
    { "unknown fields", "\x08\x02\xa0\x06\x01\xa2\x06\x01x\x08\x03", 11 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      Caffe2__TensorProto *tensor;

      g_test_message ("%s", cases[i].name);
      tensor = (Caffe2__TensorProto *) c2g_wire_parse (&caffe2__tensor_proto__descriptor,
                                                       (const guint8 *) cases[i].bytes,
                                                       cases[i].n_bytes, 0, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (tensor->n_dims, ==, cases[i].n_bytes == 0 ? 0 : 2);
      c2g_wire_free (tensor);
    }
}

/* Messages that take more memory than bytes are limited. */
static void
test_amplification (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  g_byte_array_set_size (bytes, 4 << 20);
  for (guint i = 0; i < bytes->len; i += 2)
    {
      bytes->data[i] = 0x12;
      bytes->data[i + 1] = 0;
    }

  g_assert_null (c2g_wire_parse (&caffe2__net_def__descriptor, bytes->data, bytes->len, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY);
}

static void
test_put (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  c2g_wire_put_tag (bytes, 1, 0);
  c2g_wire_put_varint (bytes, 300);
  c2g_wire_put_bytes (bytes, 100, "abc", 3);
  c2g_wire_put_varint (bytes, G_MAXUINT64);
  g_assert_cmpmem (bytes->data, bytes->len,
                   "\x08\xac\x02\xa2\x06\x03"
                   "abc\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                   19);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/wire/reader", test_reader);
  c2g_test_add_func ("/wire/damage", test_damage);
  c2g_test_add_func ("/wire/lenient", test_lenient);
  c2g_test_add_func ("/wire/amplification", test_amplification);
  c2g_test_add_func ("/wire/put", test_put);

  return c2g_test_run ();
}
