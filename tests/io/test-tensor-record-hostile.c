/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/golden-utils.h"
#include "tests/io/record-utils.h"

/* Each test checks the error and its place: offsets are those of the source. */
static const struct
{
  const char *name;
  const char *bytes;
  gsize       n_bytes;
  C2gError    code;
  const char *message;
} refused[] = {
#define BAD(name, bytes, code, message) \
  {                                                            \
    name, bytes, sizeof (bytes) - 1, C2G_ERROR_##code, message \
  }
  BAD ("tag 0", "\x08\x01\x00", CORRUPT, "offset 5: not the beginning"),
  BAD ("tag without end", "\x08\x01\x88", CORRUPT, "offset 5: not the beginning"),
  BAD ("tag of six bytes", "\x08\x01\x88\x80\x80\x80\x80\x00", CORRUPT, "offset 5"),
  BAD ("number without end", "\x08\x01\x10\xff", CORRUPT, "offset 5: a number does not end"),
  BAD ("no number", "\x08\x01\x10", CORRUPT, "offset 5: a number does not end"),
  BAD ("number of eleven bytes", "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", CORRUPT,
       "offset 3: a number does not end"),
  BAD ("group", "\x08\x01\x0b\x0c", CORRUPT, "offset 5: no kind of field"),
  BAD ("length beyond the end", "\x08\x01\x3a\x05"
                                "abc",
       CORRUPT, "offset 5: field 7 should have 5 bytes, 3 are left"),
  BAD ("length without end", "\x08\x01\x3a\xff", CORRUPT, "offset 5: a length does not end"),
  BAD ("length of 2^63", "\x08\x01\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", CORRUPT, "offset 5"),
  BAD ("float cut off", "\x08\x01\x1d\1\2\3", CORRUPT, "should have 4 bytes, 3 are left"),
  BAD ("number where bytes belong", "\x08\x01\x38\x01", CORRUPT, "offset 5: a value of a wrong"),
  BAD ("float where a number belongs", "\x0d\1\2\3\4", CORRUPT, "offset 3: a value of a wrong"),
  BAD ("double where a float belongs", "\x08\x01\x19\1\2\3\4\5\6\7\x08", CORRUPT, "wrong kind"),
  BAD ("number where bytes belong", "\x08\x01\x28\x01", CORRUPT, "wrong kind"),
  BAD ("packed floats of 5 bytes", "\x08\x01\x1a\x05"
                                   "abcde",
       CORRUPT, "offset 5: packed numbers of a broken length"),
  BAD ("packed doubles of 5 bytes, not used", "\x08\x01\x4a\x05"
                                              "abcde",
       CORRUPT, "offset 5: packed numbers of a broken length"),
  BAD ("packed numbers without end", "\x08\x02\x10\x06\x22\x02\x01\x80", CORRUPT,
       "offset 10: a packed number does not end"),
  BAD ("packed dims without end", "\x0a\x02\x01\x80\x10\x06", CORRUPT,
       "offset 3: a packed number does not end"),
  BAD ("packed number of eleven bytes",
       "\x08\x02\x10\x06\x22\x0c\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", CORRUPT,
       "offset 10: a packed number does not end"),
  BAD ("name with a null byte", "\x08\x01\x3a\x02\x61\x00", CORRUPT, "offset 5: a name with"),
  BAD ("damage in a segment", "\x08\x01\x5a\x02\x08\xff", CORRUPT, "offset 7: a number does not"),
  BAD ("damage in a device", "\x08\x01\x42\x02\x08\xff", CORRUPT, "offset 7: a number does not"),
  BAD ("segment without end", "\x08\x00\x5a\x02\x08\x00", CORRUPT, "Segment without “end”"),
  BAD ("segment without begin", "\x08\x00\x5a\x02\x10\x00", CORRUPT, "Segment without “begin”"),
  BAD ("negative segment", "\x08\x03\x5a\x0d\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x00",
       CORRUPT, "Elements -1 to 0 of a tensor of 3"),
  BAD ("segment backwards", "\x08\x03\x5a\x04\x08\x02\x10\x01", CORRUPT, "Elements 2 to 1"),
  BAD ("segment too long", "\x08\x03\x5a\x04\x08\x00\x10\x04", CORRUPT, "Elements 0 to 4"),
  BAD ("negative dimension", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", SHAPE, "-1"),
  BAD ("dims that overflow", "\x08\x80\x80\x80\x80\x10\x08\x80\x80\x80\x80\x10\x10\x06", RANGE,
       ""),
  BAD ("bytes that overflow", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f", RANGE, ""),
  BAD ("too few floats", "\x08\x03\x1a\x08"
                         "abcdefgh",
       CORRUPT, "Expected 3 values of type float, got 2"),
  BAD ("too many floats", "\x08\x01\x1a\x08"
                          "abcdefgh",
       CORRUPT, "Expected 1 values of type float, got 2"),
  BAD ("no values", "\x08\x03\x10\x0a", CORRUPT, "Expected 3 values of type int64, got 0"),
  BAD ("a scalar without one", "\x10\x0d", CORRUPT, "Expected 1 values of type double, got 0"),
  BAD ("values for none", "\x08\x00\x10\x06\x22\x01\x01", CORRUPT,
       "Expected 0 values of type uint8, got 1"),
  BAD ("fewer bytes than numbers", "\x08\x04\x10\x06\x22\x03\1\2\3", CORRUPT,
       "Expected 4 values of type uint8, got 1 to 3"),
  BAD ("fewer numbers than bytes", "\x08\x03\x10\x06\x22\x03\x81\2\3", CORRUPT,
       "Expected 3 values of type uint8, got 2"),
  BAD ("more numbers", "\x08\x02\x10\x06\x22\x03\1\2\3", CORRUPT,
       "Expected 2 values of type uint8, got more"),
  BAD ("more unpacked numbers", "\x08\x01\x10\x06\x20\x01\x20\x01", CORRUPT,
       "Expected 1 values of type uint8, got 2"),
  BAD ("more numbers in pieces", "\x08\x02\x10\x06\x22\x02\1\2\x22\x01\3", CORRUPT,
       "Expected 2 values of type uint8, got more"),
  BAD ("more by a long one", "\x08\x01\x10\x06\x22\x0b\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\1",
       CORRUPT, "Expected 1 values of type uint8, got 2 to 11"),
  BAD ("too few strings", "\x08\x02\x10\x04\x32\x00", CORRUPT,
       "Expected 2 values of type string, got 1"),
  BAD ("bytes for half an element", "\x08\x01\x10\x0c\x2a\x03\1\2\3", CORRUPT,
       "no whole number of float16"),
  BAD ("empty bytes beside values", "\x08\x01\x10\x06\x2a\x00\x22\x01\x01", CORRUPT,
       "Expected 1 values of type uint8, got 0"),
  BAD ("old bytes without bytes", "\x08\x01\x10\x03\x22\x01\x01", CORRUPT,
       "Expected 1 values of type uint8, got 0"),
  BAD ("upper halves without bytes", "\x08\x01\x1a\x04\1\2\3\4\x78\x01", CORRUPT,
       "Expected 1 values of type float, got 0"),
  BAD ("upper halves of doubles", "\x08\x01\x10\x0d\x6a\x02\1\2\x78\x01", NOT_SUPPORTED,
       "format 1"),
  BAD ("another format", "\x08\x01\x1a\x04\1\2\3\4\x78\x02", NOT_SUPPORTED, "format 2"),
  BAD ("a hash", "\x08\x01\x10\x0e", NOT_SUPPORTED, "data type 14"),
  BAD ("own elements", "\x08\x01\x10\x00\x32\x00", NOT_SUPPORTED, "writing program's own"),
  BAD ("too few own elements", "\x08\x02\x10\x00\x32\x00", CORRUPT,
       "Expected 2 values of type undefined, got 1"),
  BAD ("a part of something huge",
       "\x08\x80\x80\x80\x80\x10\x10\x06\x22\x01\x01\x5a\x04\x08\x00\x10\x01", RANGE,
       "Only 1 elements of a tensor of 4294967296"),
  BAD ("tensor that is a number", "\x0a\x01x\x12\x06Tensor\x18\x01", CORRUPT, "wrong kind"),
  BAD ("tensor with damage", "\x0a\x01x\x12\x06Tensor\x1a\x02\x08\xff", CORRUPT, "offset 16"),
  BAD ("tensor that is cut off", "\x0a\x01x\x12\x06Tensor\x1a\x04\x08\x01\x1d\x01", CORRUPT,
       "offset 18: field 3 should have 4 bytes, 1 are left"),
  BAD ("tensor longer than the blob", "\x0a\x01x\x12\x06Tensor\x1a\x7f\x08\x01", CORRUPT,
       "offset 14: field 3 should have 127 bytes, 2 are left"),
  BAD ("name of a blob with a null byte", "\x0a\x01\x00\x12\x06Tensor", CORRUPT, "null byte"),
  BAD ("chunk 2 of 2", "\x12\x02My\x30\x02\x38\x02", CORRUPT, "Chunk 2 of 2"),
  BAD ("no chunks", "\x12\x02My\x30\x00", CORRUPT, "Chunk 0 of 0"),
  BAD ("a negative chunk", "\x12\x02My\x30\x02\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", CORRUPT,
       "Chunk -1 of 2"),
  BAD ("two QTensors", "\x12\x07QTensor\x2a\x00\x2a\x00", NOT_SUPPORTED, "offset 14"),
#undef BAD
};

static void
test_refused (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
      {
        g_autoptr (GError) error = NULL;

        g_test_message ("%s", refused[i].name);
        g_assert_null (record_read_bytes ((const guint8 *) refused[i].bytes, refused[i].n_bytes, way, &error));
        g_assert_error (error, C2G_ERROR, (int) refused[i].code);
        if (strstr (error->message, refused[i].message) == NULL)
          g_error ("Expected “%s” in “%s”", refused[i].message, error->message);
      }
}

/* Lists that take more memory than bytes in the file are limited. */
static void
test_limits (void)
{
  g_autoptr (GByteArray) dims = g_byte_array_new ();
  g_autoptr (GByteArray) pieces = g_byte_array_new ();
  g_autoptr (GByteArray) name = g_byte_array_new ();
  g_autofree char *long_name = g_strnfill (100000, 'x');
  GByteArray *messages[] = { dims, pieces, name };

  for (guint i = 0; i < 5000; i++)
    g_byte_array_append (dims, BYTES ("\x08\x01"));
  for (guint i = 0; i < 70000; i++)
    g_byte_array_append (pieces, BYTES ("\x20\x01\x1d\0\0\0\0"));
  c2g_wire_put_bytes (name, 7, long_name, strlen (long_name));

  for (gsize i = 0; i < G_N_ELEMENTS (messages); i++)
    for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
      {
        g_autoptr (GError) error = NULL;

        g_assert_null (record_read_bytes (messages[i]->data, messages[i]->len, way, &error));
        g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
      }
}

/* The message is longer than the source. */
static void
test_beyond_source (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (BYTES ("\x08\x01"));
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "memory");
  static const struct
  {
    guint64 offset;
    gsize   n_bytes;
  } ranges[] = {
    { 0, 3 },
    { 1, 2 },
    { 2, 1 },
    { 3, 0 },
    { G_MAXUINT64, 1 },
    { 1, G_MAXSIZE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_auto (C2gScanner) scanner = { NULL };
      g_auto (C2gBlobRecord) record = { NULL };
      g_auto (C2gTensorRecord) tensor = { 0 };
      g_autoptr (GError) error = NULL;

      c2g_scanner_init (&scanner, source);
      g_assert_false (c2g_blob_record_scan (&record, &scanner, ranges[i].offset,
                                            ranges[i].n_bytes, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_clear_error (&error);
      g_assert_false (c2g_tensor_record_scan (&tensor, &scanner, ranges[i].offset,
                                              ranges[i].n_bytes, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* Sizes in a file count only up to its real size. */
static void
test_lying_sizes (void)
{
  static const char *const types[] = { "\x01", "\x02", "\x04", "\x05", "\x06", "\x08",
                                       "\x0a", "\x0c", "\x0d", "\x64", "\x66" };
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();

  c2g_memory_reporter_reset_peak (reporter);
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint field = 3; field < 14; field++)
      {
        g_autoptr (GByteArray) array = g_byte_array_new ();
        g_autoptr (GError) error = NULL;

        c2g_wire_put_tag (array, 1, 0);
        c2g_wire_put_varint (array, G_GUINT64_CONSTANT (1) << 33);
        c2g_wire_put_tag (array, 2, 0);
        c2g_wire_put_varint (array, (guint8) types[i][0]);
        c2g_wire_put_bytes (array, field == 11 ? 12 : field, "12345678", 8);
        g_assert_null (record_read_bytes (array->data, array->len, RECORD_FROM_MEMORY, &error));
        g_assert_true (error->domain == C2G_ERROR);
      }
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, NULL), ==, 0);
}

static void
try_damaged (GBytes  *bytes,
             gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "damaged");
  g_auto (C2gScanner) scanner = { NULL };
  g_auto (C2gBlobRecord) record = { NULL };

  c2g_scanner_init (&scanner, source);
  if (!c2g_blob_record_scan (&record, &scanner, 0, g_bytes_get_size (bytes), &error))
    {
      g_assert_true (error->domain == C2G_ERROR);
      return;
    }
  if (!record.has_tensor)
    return;

  tensor = c2g_tensor_record_to_tensor (&record.tensor, source, NULL, &error);
  if (tensor == NULL)
    g_assert_true (error->domain == C2G_ERROR);
  else
    g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, record.tensor.n_elements);
}

static void
check_damage (JsonObject *entry)
{
  g_autoptr (GBytes) message = golden_read (json_object_get_string_member (entry, "file"));

  io_damage (message, try_damaged, NULL);
}

static void
test_damage_golden (void)
{
  golden_foreach ("tensors", check_damage);
  golden_foreach ("hand_built", check_damage);
  golden_foreach ("non_tensor", check_damage);
}

/* Runs without the golden files, with enough numbers for whole blocks. */
static void
test_damage (void)
{
  g_autofree guint8 *items = NULL;
  g_autoptr (GBytes) varints = record_new_varints (C2G_DATA_TYPE_INT8, 60, &items);
  static const struct
  {
    const char *bytes;
    gsize       n_bytes;
  } cases[] = {
#define CASE(bytes) { bytes, sizeof (bytes) - 1 }
    CASE ("\x0a\x01x\x12\x06Tensor\x1a\x16\x08\x02\x08\x01\x10\x01\x1a\x08\1\2\3\4\5\6\7\x08\x3a\x00"
          "\x5a\x02\x10\x02"),
    CASE ("\x08\x03\x10\x04\x32\x03"
          "abc\x32\x00\x3a\x01x\x32\x01z\x42\x04\x08\x01\x10\x01"),
    CASE ("\x08\x03\x10\x01\x6a\x06\x80\x3f\x00\xc0\x01\x02\x78\x01"),
    CASE ("\x0a\x02\x02\x02\x10\x0d\x49\1\2\3\4\5\6\7\x08\x4a\x10"
          "1234567812345678\x49\1\2\3\4\5\6\7\x08"),
#undef CASE
  };

  io_damage (varints, try_damaged, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) message = g_bytes_new (cases[i].bytes, cases[i].n_bytes);

      io_damage (message, try_damaged, NULL);
    }
}

/* The file is truncated at every byte after the scan. */
static void
test_shrinking_file (void)
{
  g_autofree guint8 *items = NULL;
  g_autoptr (GBytes) message = record_new_varints (C2G_DATA_TYPE_INT16, 300, &items);
  gsize n_bytes = g_bytes_get_size (message);

  for (gsize n = 0; n < n_bytes; n += 7)
    {
      g_autoptr (C2gSource) source = record_new_source (message, RECORD_FROM_FILE);
      g_auto (C2gBlobRecord) record = { NULL };
      g_autoptr (GError) error = NULL;

      g_assert_true (record_scan (&record, source, message, &error));
      g_assert_cmpint (truncate (record_path, RECORD_MARGIN + n), ==, 0);
      g_assert_null (c2g_tensor_record_to_tensor (&record.tensor, source, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* The fields of the file change after the scan. */
static void
test_changing_file (void)
{
  static const char *const changed[] = {
    "\x08\x03\x19\1\2\3\4\x1d\5\6\7\x08\x1d\x09\x0a\x0b\x0c\x0d",
    "\x08\x03\x1d\1\2\3\4\x1d\5\6\7\x08\x09\x09\x0a\x0b\x0c\x0d",
    "\x08\x03\x1d\1\2\3\4\x18\1\x18\1\x18\1\x18\1\x18\1",
    "\x08\x03\x1d\1\2\3\4\x1f\5\6\7\x08\x1d\x09\x0a\x0b\x0c\x0d",
    "\x08\x03\x1a\x0c\x19\1\2\3\4\5\6\7\x08\x18\x01\x0c\x0d",
  };
  g_autoptr (GBytes) message = g_bytes_new_static (
    BYTES ("\x08\x03\x1d\1\2\3\4\x1d\5\6\7\x08\x1d\x09\x0a\x0b\x0c"));

  for (gsize i = 0; i < G_N_ELEMENTS (changed); i++)
    {
      g_autoptr (C2gSource) source = record_new_source (message, RECORD_FROM_FILE);
      g_auto (C2gBlobRecord) record = { NULL };
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (GError) error = NULL;
      FILE *file;

      g_assert_true (record_scan (&record, source, message, &error));
      file = g_fopen (record_path, "r+");
      g_assert_nonnull (file);
      fseek (file, RECORD_MARGIN, SEEK_SET);
      g_assert_cmpuint (fwrite (changed[i], 1, g_bytes_get_size (message), file),
                        ==, g_bytes_get_size (message));
      fclose (file);

      tensor = c2g_tensor_record_to_tensor (&record.tensor, source, NULL, &error);
      if (tensor == NULL)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor-record-hostile/golden/damage", test_damage_golden);
  c2g_test_add_func ("/tensor-record-hostile/refused", test_refused);
  c2g_test_add_func ("/tensor-record-hostile/limits", test_limits);
  c2g_test_add_func ("/tensor-record-hostile/beyond-source", test_beyond_source);
  c2g_test_add_func ("/tensor-record-hostile/lying-sizes", test_lying_sizes);
  c2g_test_add_func ("/tensor-record-hostile/damage", test_damage);
  c2g_test_add_func ("/tensor-record-hostile/shrinking-file", test_shrinking_file);
  c2g_test_add_func ("/tensor-record-hostile/changing-file", test_changing_file);

  return record_run ();
}
