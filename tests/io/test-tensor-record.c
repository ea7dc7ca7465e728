/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/golden-utils.h"
#include "tests/io/record-utils.h"

#include <inttypes.h>

static void
check_golden_tensor (JsonObject *entry)
{
  g_autoptr (GBytes) message = golden_read (json_object_get_string_member (entry, "file"));
  JsonArray *segment = json_object_get_array_member (entry, "segment");

  g_test_message ("%s", json_object_get_string_member (entry, "file"));
  for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
    {
      g_autoptr (C2gSource) source = record_new_source (message, way);
      g_auto (C2gBlobRecord) record = { NULL };
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (record_scan (&record, source, message, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (record.name, ==, json_object_get_string_member (entry, "name"));
      g_assert_cmpstr (record.tensor.name, ==, record.name);
      g_assert_true (c2g_blob_record_is_tensor (&record));
      g_assert_true (record.has_tensor);
      g_assert_false (record.has_content || record.has_qtensor);
      g_assert_cmpint (record.tensor.begin, ==, json_array_get_int_element (segment, 0));
      g_assert_cmpint (record.tensor.end, ==, json_array_get_int_element (segment, 1));
      g_assert_false (record.tensor.has_device);

      tensor = c2g_tensor_record_to_tensor (&record.tensor, source, NULL, &error);
      g_assert_no_error (error);
      golden_assert_tensor (tensor, entry);
    }
}

static void
test_golden_tensors (void)
{
  golden_foreach ("tensors", check_golden_tensor);
}

static C2gTensor *
read_chunk (C2gTensor  *tensor,
            const char *file,
            RecordWay   way)
{
  g_autoptr (GBytes) message = golden_read (file);
  g_autoptr (C2gSource) source = record_new_source (message, way);
  g_auto (C2gBlobRecord) record = { NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (record_scan (&record, source, message, &error));
  g_assert_no_error (error);
  if (tensor == NULL)
    tensor = c2g_tensor_record_new_tensor (&record.tensor, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_record_read (&record.tensor, source, tensor, NULL, &error));
  g_assert_no_error (error);
  return tensor;
}

static void
check_golden_chunks (JsonObject *entry)
{
  JsonArray *chunks = json_object_get_array_member (entry, "chunks");

  for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
    {
      C2gTensor *tensor = NULL;

      for (guint i = json_array_get_length (chunks); i > 0; i--)
        {
          JsonObject *chunk = json_array_get_object_element (chunks, i - 1);

          tensor = read_chunk (tensor, json_object_get_string_member (chunk, "file"), way);
        }
      golden_assert_tensor (tensor, entry);
      g_object_unref (tensor);
    }
}

static void
test_golden_chunks (void)
{
  golden_foreach ("chunked", check_golden_chunks);
}

static void
check_golden_net (JsonObject *entry)
{
  JsonArray *blobs = json_object_get_array_member (entry, "blobs");

  for (guint i = 0; i < json_array_get_length (blobs); i++)
    {
      JsonObject *blob = json_array_get_object_element (blobs, i);
      g_autoptr (GBytes) message = golden_read (json_object_get_string_member (blob, "file"));

      for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (C2gTensor) tensor = record_read_message (message, way, &error);

          g_assert_no_error (error);
          golden_assert_tensor (tensor, blob);
        }
    }
}

static void
test_golden_nets (void)
{
  golden_foreach ("nets", check_golden_net);
}

/* Returns TRUE for messages that records refuse, or leave to code that knows blob types and
 * devices. */
static gboolean
is_refused (GBytes  *message,
            RecordWay way,
            GError **error)
{
  g_autoptr (C2gSource) source = record_new_source (message, way);
  g_auto (C2gBlobRecord) record = { NULL };
  g_autoptr (C2gTensor) tensor = NULL;

  if (!record_scan (&record, source, message, error))
    return TRUE;
  if (!c2g_blob_record_is_tensor (&record))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, "No tensor");
      return TRUE;
    }
  if (!c2g_tensor_record_check_cpu (&record.tensor, error))
    return TRUE;

  tensor = c2g_tensor_record_to_tensor (&record.tensor, source, NULL, error);
  return tensor == NULL;
}

static void
check_golden_hand_built (JsonObject *entry)
{
  gboolean is_accepted = json_object_get_boolean_member (entry, "accepted_by_real_caffe2");
  g_autoptr (GBytes) message = golden_read (json_object_get_string_member (entry, "file"));

  g_test_message ("%s", json_object_get_string_member (entry, "file"));
  for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = NULL;

      g_assert_cmpint (is_refused (message, way, &error), ==, !is_accepted);
      if (!is_accepted)
        {
          g_assert_true (error->domain == C2G_ERROR);
          continue;
        }
      tensor = record_read_message (message, way, &error);
      g_assert_no_error (error);
      golden_assert_tensor (tensor, entry);
    }
}

static void
test_golden_hand_built (void)
{
  golden_foreach ("hand_built", check_golden_hand_built);
}

static void
check_golden_other (JsonObject *entry)
{
  const char *type = json_object_get_string_member (entry, "blob_type");
  g_autoptr (GBytes) message = golden_read (json_object_get_string_member (entry, "file"));

  for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
    {
      g_autoptr (C2gSource) source = record_new_source (message, way);
      g_auto (C2gBlobRecord) record = { NULL };
      g_autoptr (GBytes) content = NULL;
      g_autoptr (GBytes) expected = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (record_scan (&record, source, message, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (record.type, ==, type);
      g_assert_cmpstr (record.name, ==, json_object_get_string_member (entry, "name"));
      g_assert_false (c2g_blob_record_is_tensor (&record));
      g_assert_cmpint (record.has_content, ==, g_str_equal (type, C2G_BLOB_TYPE_STRING));
      g_assert_cmpint (record.has_qtensor, ==, g_str_equal (type, C2G_BLOB_TYPE_Q_TENSOR));
      g_assert_cmpint (record.has_tensor, ==, g_str_equal (type, C2G_BLOB_TYPE_COUNTER));
      if (!record.has_content)
        continue;

      content = c2g_source_ref_bytes (source, record.content_offset, record.n_content_bytes,
                                      NULL, &error);
      g_assert_no_error (error);
      expected = golden_read (json_object_get_string_member (entry, "raw"));
      g_assert_true (g_bytes_equal (content, expected));
    }
}

static void
test_golden_others (void)
{
  golden_foreach ("non_tensor", check_golden_other);
}

/* Forms that a writer may choose freely, as bare tensors. The values are the bytes in the memory of
 * a little-endian machine. */
static const struct
{
  const char *name;
  const char *bytes;
  gsize       n_bytes;
  C2gDataType data_type;
  const char *values;
  gsize       n_values;
} forms[] = {
#define FORM(name, bytes, data_type, values) \
  {                                                                         \
    name, bytes, sizeof (bytes) - 1, data_type, values, sizeof (values) - 1 \
  }
  FORM ("packed dims", "\x0a\x02\x01\x02\x10\x06\x22\x02\x07\x08", C2G_DATA_TYPE_UINT8,
        "\x07\x08"),
  FORM ("dims among values", "\x08\x01\x10\x06\x22\x02\x07\x08\x08\x02", C2G_DATA_TYPE_UINT8,
        "\x07\x08"),
  FORM ("type at the end", "\x08\x02\x22\x02\x07\x08\x10\x07", C2G_DATA_TYPE_INT8, "\x07\x08"),
  FORM ("type twice", "\x08\x01\x10\x02\x10\x06\x22\x01\x07", C2G_DATA_TYPE_UINT8, "\x07"),
  FORM ("type unknown, then known", "\x08\x01\x10\x63\x10\x06\x22\x01\x07", C2G_DATA_TYPE_UINT8,
        "\x07"),
  FORM ("type known, then unknown", "\x08\x01\x10\x06\x10\x63\x22\x01\x07", C2G_DATA_TYPE_UINT8,
        "\x07"),
  FORM ("unpacked int32", "\x08\x03\x10\x02\x20\x01\x20\x80\x01\x20\xff\xff\xff\xff\x0f",
        C2G_DATA_TYPE_INT32, "\1\0\0\0\x80\0\0\0\xff\xff\xff\xff"),
  FORM ("unpacked int64", "\x08\x02\x10\x0a\x50\x01\x50\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        C2G_DATA_TYPE_INT64, "\1\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"),
  FORM ("unpacked double", "\x08\x01\x10\x0d\x49\1\2\3\4\5\6\7\x08", C2G_DATA_TYPE_DOUBLE,
        "\1\2\3\4\5\6\7\x08"),
  FORM ("unpacked, packed, unpacked",
        "\x08\x06\x10\x06\x20\x01\x20\x02\x22\x02\x03\x04\x22\x00\x20\x05\x20\x06",
        C2G_DATA_TYPE_UINT8, "\1\2\3\4\5\6"),
  FORM ("unpacked floats with a packed one between",
        "\x08\x03\x1d\1\2\3\4\x1a\x04\5\6\7\x08\x1d\x09\x0a\x0b\x0c",
        C2G_DATA_TYPE_FLOAT, "\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c"),
  FORM ("values of another type between", "\x08\x02\x10\x06\x20\x01\x1d\1\2\3\4\x20\x02",
        C2G_DATA_TYPE_UINT8, "\1\2"),
  FORM ("tags and numbers longer than needed",
        "\x88\x00\x82\x80\x00\x90\x00\x86\x00\xa2\x80\x00\x84\x00\x81\x80\x00\x02",
        C2G_DATA_TYPE_UINT8, "\1\2"),
  FORM ("unknown fields", "\x08\x01\xa0\x06\x01\xa2\x06\x01x\xa5\x06"
                          "abcd\xa1\x06"
                          "abcdefgh\x10\x06\x22\x01\x07",
        C2G_DATA_TYPE_UINT8, "\x07"),
  FORM ("bytes", "\x08\x02\x10\x06\x2a\x02\xff\x01", C2G_DATA_TYPE_UINT8, "\xff\x01"),
  FORM ("bytes twice", "\x08\x02\x10\x06\x2a\x03\1\2\3\x2a\x02\4\5", C2G_DATA_TYPE_UINT8, "\4\5"),
  FORM ("bytes of int8", "\x08\x02\x10\x07\x2a\x02\xff\x01", C2G_DATA_TYPE_INT8, "\xff\x01"),
  FORM ("bytes of bool", "\x08\x03\x10\x05\x2a\x03\xff\x01\x00", C2G_DATA_TYPE_BOOL, "\1\1\0"),
  FORM ("bytes of uint16", "\x08\x02\x10\x08\x2a\x04\1\2\3\4", C2G_DATA_TYPE_UINT16, "\1\2\3\4"),
  FORM ("bytes of int16", "\x08\x02\x10\x09\x2a\x04\1\2\3\4", C2G_DATA_TYPE_INT16, "\1\2\3\4"),
  FORM ("bytes of float16", "\x08\x02\x10\x0c\x2a\x04\1\2\3\4", C2G_DATA_TYPE_FLOAT16,
        "\1\2\3\4"),
  FORM ("old bytes", "\x08\x02\x10\x03\x2a\x02\xff\x01", C2G_DATA_TYPE_UINT8, "\xff\x01"),
  FORM ("upper halves", "\x08\x03\x10\x01\x6a\x06\x80\x3f\x00\xc0\x01\x02\x78\x01",
        C2G_DATA_TYPE_FLOAT, "\0\0\x80\x3f\0\0\x00\xc0\0\0\x01\x02"),
  FORM ("own bfloat16", "\x08\x02\x10\x64\x6a\x04\1\2\3\4", C2G_DATA_TYPE_BFLOAT16, "\1\2\3\4"),
  FORM ("own uint32", "\x08\x01\x10\x65\x6a\x04\1\2\3\4", C2G_DATA_TYPE_UINT32, "\1\2\3\4"),
  FORM ("own uint64", "\x08\x01\x10\x66\x6a\x08\1\2\3\4\5\6\7\x08", C2G_DATA_TYPE_UINT64,
        "\1\2\3\4\5\6\7\x08"),
  FORM ("a part", "\x08\x05\x10\x06\x22\x02\x07\x08\x5a\x04\x08\x02\x10\x04", C2G_DATA_TYPE_UINT8,
        "\0\0\7\x08\0"),
  FORM ("a segment in parts", "\x08\x05\x10\x06\x22\x02\x07\x08\x5a\x02\x10\x04\x5a\x02\x08\x02",
        C2G_DATA_TYPE_UINT8, "\0\0\7\x08\0"),
  FORM ("an empty part", "\x08\x03\x10\x06\x5a\x04\x08\x03\x10\x03", C2G_DATA_TYPE_UINT8,
        "\0\0\0"),
  FORM ("a scalar without a type", "\x1a\x04\1\2\3\4", C2G_DATA_TYPE_FLOAT, "\1\2\3\4"),
  FORM ("a zero-size tensor", "\x08\x03\x08\x00\x10\x0a", C2G_DATA_TYPE_INT64, ""),
  FORM ("the CPU", "\x08\x01\x42\x00\x42\x02\x08\x00\x1a\x04\1\2\3\4", C2G_DATA_TYPE_FLOAT,
        "\1\2\3\4"),
#undef FORM
};

static void
test_forms (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (C2gTensor) tensor = NULL;
        g_autoptr (GBytes) values = NULL;

        g_test_message ("%s", forms[i].name);
        tensor = record_read_bytes ((const guint8 *) forms[i].bytes, forms[i].n_bytes, way, &error);
        g_assert_no_error (error);
        g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, forms[i].data_type);
        values = c2g_tensor_dup_bytes (tensor, &error);
        g_assert_no_error (error);
        if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
          g_assert_cmpmem (g_bytes_get_data (values, NULL), g_bytes_get_size (values),
                           forms[i].values, forms[i].n_values);
      }
}

/* The fields of a blob in any order, and the tensor in pieces. */
static void
test_blob_forms (void)
{
  static const struct
  {
    const char *name;
    const char *bytes;
    gsize       n_bytes;
  } cases[] = {
#define FORM(name, bytes) { name, bytes, sizeof (bytes) - 1 }
    FORM ("as written", "\x0a\x01x\x12\x06Tensor\x1a\x08\x08\x02\x10\x06\x22\x02\x07\x08"),
    FORM ("tensor first", "\x1a\x08\x08\x02\x10\x06\x22\x02\x07\x08\x12\x06Tensor\x0a\x01x"),
    FORM ("another name first", "\x0a\x01y\x12\x02Te\x0a\x01x\x12\x06Tensor"
                                "\x1a\x08\x08\x02\x10\x06\x22\x02\x07\x08"),
    FORM ("in three pieces", "\x1a\x04\x22\x02\x07\x08\x0a\x01x\x1a\x02\x08\x02\x12\x06Tensor"
                             "\x1a\x02\x10\x06"),
    FORM ("dims in two pieces", "\x0a\x01x\x12\x06Tensor\x1a\x02\x08\x01"
                                "\x1a\x08\x08\x02\x10\x06\x22\x02\x07\x08"),
    FORM ("older name of the type",
          "\x0a\x01x\x12\x09TensorCPU\x1a\x08\x08\x02\x10\x06\x22\x02\x07\x08"),
    FORM ("with chunk 0 of 1", "\x0a\x01x\x12\x06Tensor\x30\x01\x38\x00"
                               "\x1a\x08\x08\x02\x10\x06\x22\x02\x07\x08"),
    FORM ("with unknown fields", "\xa2\x01\x01z\x0a\x01x\x12\x06Tensor"
                                 "\x1a\x08\x08\x02\x10\x06\x22\x02\x07\x08\xa2\x06\x00"),
#undef FORM
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
      {
        g_autoptr (GBytes) message = g_bytes_new (cases[i].bytes, cases[i].n_bytes);
        g_autoptr (C2gSource) source = record_new_source (message, way);
        g_auto (C2gBlobRecord) record = { NULL };
        g_autoptr (C2gTensor) tensor = NULL;
        g_autoptr (GError) error = NULL;

        g_test_message ("%s", cases[i].name);
        g_assert_true (record_scan (&record, source, message, &error));
        g_assert_no_error (error);
        g_assert_cmpstr (record.name, ==, "x");
        g_assert_true (c2g_blob_record_is_tensor (&record));
        g_assert_cmpuint (record.n_chunks, ==, 1);
        tensor = c2g_tensor_record_to_tensor (&record.tensor, source, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 2);
        g_assert_cmpint (c2g_tensor_get_int64 (tensor, 1, NULL), ==, 8);
      }
}

/* Content in chunks; names that are not UTF-8; no name. */
static void
test_blob_fields (void)
{
  g_autoptr (GBytes) message = g_bytes_new_static (BYTES ("\x0a\x03"
                                                          "a\xff"
                                                          "b\x12\x02My\x22\x03"
                                                          "abc\x30\x05\x38\x04"));
  g_autoptr (GBytes) empty = g_bytes_new_static (BYTES (""));
  g_autoptr (C2gSource) source = record_new_source (message, RECORD_FROM_MEMORY);
  g_autoptr (C2gSource) empty_source = record_new_source (empty, RECORD_FROM_MEMORY);
  g_auto (C2gBlobRecord) record = { NULL };
  g_auto (C2gBlobRecord) empty_record = { NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (record_scan (&record, source, message, &error));
  g_assert_no_error (error);
  g_assert_true (g_utf8_validate (record.name, -1, NULL));
  g_assert_cmpstr (record.type, ==, "My");
  g_assert_cmpuint (record.n_chunks, ==, 5);
  g_assert_cmpuint (record.chunk, ==, 4);
  g_assert_true (record.has_content);
  g_assert_cmpuint (record.content_offset, ==, RECORD_MARGIN + 11);
  g_assert_cmpuint (record.n_content_bytes, ==, 3);

  g_assert_true (record_scan (&empty_record, empty_source, empty, &error));
  g_assert_no_error (error);
  g_assert_null (empty_record.name);
  g_assert_null (empty_record.type);
  g_assert_false (empty_record.has_tensor);
}

static void
test_device (void)
{
  g_autoptr (GBytes) message = g_bytes_new_static (BYTES ("\x08\x01\x42\x04\x08\x01\x10\x03"
                                                          "\x1a\x04\1\2\3\4"));
  g_autoptr (C2gSource) source = record_new_source (message, RECORD_FROM_MEMORY);
  g_auto (C2gBlobRecord) record = { NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (record_scan (&record, source, message, &error));
  g_assert_no_error (error);
  g_assert_true (record.tensor.has_device);
  g_assert_cmpint (record.tensor.device_type, ==, C2G_DEVICE_TYPE_CUDA);
  g_assert_cmpint (record.tensor.device_index, ==, 3);
  g_assert_false (c2g_tensor_record_check_cpu (&record.tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "device 3 of type 1"));
}

static gboolean
collect_item (gint64    element,
              guint64   offset,
              gsize     n_bytes,
              gpointer  user_data,
              GError  **error)
{
  g_string_append_printf (user_data, "%" PRId64 ":%" PRIu64 "+%zu ", element, offset, n_bytes);
  if (n_bytes < 9)
    return TRUE;

  g_set_error_literal (error, C2G_ERROR, C2G_ERROR_TYPE, "No more of that");
  return FALSE;
}

/* Elements of types of the program are nested messages. */
static void
test_own_elements (void)
{
  static const struct
  {
    const char *bytes;
    gsize       n_bytes;
    const char *items;
    gboolean    fails;
  } cases[] = {
    { "\x08\x05\x10\x00\x32\x03"
      "abc\x32\x00\x3a\x01x\x32\x01z\x5a\x04\x08\x01\x10\x04",
      23, "1:9+3 2:14+0 3:19+1 ", FALSE },
    { "\x08\x03\x10\x00\x32\x00\x32\x09"
      "012345678\x32\x00",
      19, "0:9+0 1:11+9 ", TRUE },
    { "\x08\x03\x08\x00\x10\x00", 6, "", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
      {
        g_autoptr (GBytes) message = g_bytes_new (cases[i].bytes, cases[i].n_bytes);
        g_autoptr (C2gSource) source = record_new_source (message, way);
        g_auto (C2gBlobRecord) record = { NULL };
        g_autoptr (GString) items = g_string_new (NULL);
        g_autoptr (C2gTensor) tensor = NULL;
        g_autoptr (GError) error = NULL;

        g_assert_true (record_scan (&record, source, message, &error));
        g_assert_no_error (error);
        g_assert_cmpint (record.tensor.data_type, ==, C2G_DATA_TYPE_UNDEFINED);
        g_assert_cmpint (c2g_tensor_record_foreach (&record.tensor, source, collect_item, items,
                                                    &error),
                         ==, !cases[i].fails);
        if (cases[i].fails)
          g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
        g_assert_cmpstr (items->str, ==, cases[i].items);

        g_clear_error (&error);
        tensor = c2g_tensor_record_new_tensor (&record.tensor, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, record.tensor.n_elements);
        g_assert_null (c2g_tensor_get_type_meta (tensor));
      }
}

/* A tensor without elements need not have a type. */
static void
test_no_type (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = record_read_bytes (BYTES ("\x08\x03\x08\x00\x10\x00"), RECORD_FROM_MEMORY, &error);
  gsize n_dims;

  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_UNDEFINED);
  g_assert_cmpint (c2g_tensor_get_dims (tensor, &n_dims)[0], ==, 3);
  g_assert_cmpuint (n_dims, ==, 2);
}

static void
test_windows (void)
{
  static const C2gDataType types[] = {
    C2G_DATA_TYPE_BOOL,
    C2G_DATA_TYPE_UINT8,
    C2G_DATA_TYPE_INT8,
    C2G_DATA_TYPE_UINT16,
    C2G_DATA_TYPE_INT16,
    C2G_DATA_TYPE_FLOAT16,
    C2G_DATA_TYPE_INT32,
    C2G_DATA_TYPE_INT64,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      gsize n = 200003;
      g_autofree guint8 *items = NULL;
      g_autoptr (GBytes) message = record_new_varints (types[i], n, &items);

      for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (C2gTensor) tensor = record_read_message (message, way, &error);
          g_autoptr (GBytes) raw = NULL;

          g_assert_no_error (error);
          raw = c2g_tensor_dup_bytes (tensor, NULL);
          g_assert_cmpmem (g_bytes_get_data (raw, NULL), g_bytes_get_size (raw),
                           items, n * c2g_data_type_get_item_size (types[i]));
        }
    }
}

/* bfloat16 values become floats in place, for any number of them. */
static void
test_upper_halves (void)
{
  static const gsize counts[] = { 1, 2, 3, 255, 256, 257, 511, 513, 10000 };

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
      {
        gsize n = counts[i];
        g_autofree guint16 *halves = g_new (guint16, n);
        g_autoptr (GByteArray) array = g_byte_array_new ();
        g_autoptr (C2gTensor) tensor = NULL;
        g_autoptr (GError) error = NULL;
        const guint32 *bits;

        for (gsize j = 0; j < n; j++)
          halves[j] = GUINT16_TO_LE ((guint16) (j * 31 + 7));
        c2g_wire_put_tag (array, 1, 0);
        c2g_wire_put_varint (array, n);
        c2g_wire_put_bytes (array, 13, halves, n * sizeof *halves);
        c2g_wire_put_tag (array, 15, 0);
        c2g_wire_put_varint (array, 1);

        tensor = record_read_bytes (array->data, array->len, way, &error);
        g_assert_no_error (error);
        bits = c2g_tensor_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);
        for (gsize j = 0; j < n; j++)
          g_assert_cmpuint (bits[j], ==, (guint32) (guint16) (j * 31 + 7) << 16);
      }
}

static gsize
length_of_string (gsize i)
{
  if (i % 997 == 5)
    return 70000;
  if (i % 97 == 3)
    return 1000 + i % 50;

  return i % 7 == 0 ? 0 : i % 40;
}

/* Empty strings, short ones that share memory, and long ones; each outlives the others. */
static void
test_strings (void)
{
  gsize n = 5000;
  g_autoptr (GByteArray) array = g_byte_array_new ();
  g_autofree char *text = g_strnfill (70000, 'x');

  c2g_wire_put_tag (array, 1, 0);
  c2g_wire_put_varint (array, n);
  c2g_wire_put_tag (array, 2, 0);
  c2g_wire_put_varint (array, C2G_DATA_TYPE_STRING);
  for (gsize i = 0; i < n; i++)
    {
      text[0] = (char) i;
      c2g_wire_put_bytes (array, 6, text, length_of_string (i));
      if (i % 1000 == 0)
        c2g_wire_put_bytes (array, 7, "name", 4);
    }

  for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor = record_read_bytes (array->data, array->len, way, &error);
      GBytes **items;

      g_assert_no_error (error);
      items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_STRING, NULL);
      for (gsize i = 0; i < n; i++)
        {
          gsize n_bytes = 0;
          const char *data = items[i] == NULL ? NULL : g_bytes_get_data (items[i], &n_bytes);

          g_assert_cmpuint (n_bytes, ==, length_of_string (i));
          g_assert_cmpint (items[i] == NULL, ==, n_bytes == 0);
          if (n_bytes > 0)
            g_assert_cmpint (data[0], ==, (char) i);
          if (n_bytes > 1)
            g_assert_cmpint (data[n_bytes - 1], ==, 'x');
          g_clear_pointer (&items[i], g_bytes_unref);
        }
    }
}

/* Strings that the tensor had before are freed. */
static void
test_strings_replaced (void)
{
  g_autoptr (GBytes) message = g_bytes_new_static (BYTES ("\x08\x02\x10\x04\x32\x00\x32\x01x"));
  g_autoptr (C2gSource) source = record_new_source (message, RECORD_FROM_MEMORY);
  g_auto (C2gBlobRecord) record = { NULL };
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;
  GBytes **items;

  g_assert_true (record_scan (&record, source, message, &error));
  tensor = c2g_tensor_record_new_tensor (&record.tensor, NULL, &error);
  items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_STRING, &error);
  items[0] = g_bytes_new ("old", 3);
  items[1] = g_bytes_new ("older", 5);
  g_assert_true (c2g_tensor_record_read (&record.tensor, source, tensor, NULL, &error));
  g_assert_no_error (error);
  g_assert_null (items[0]);
  g_assert_cmpuint (g_bytes_get_size (items[1]), ==, 1);
}

/* The number of bytes reported to the job is that of the record. */
static void
check_job (const guint8 *data,
           gsize         n_bytes)
{
  g_autoptr (GBytes) message = g_bytes_new (data, n_bytes);

  for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
    {
      g_autoptr (C2gProgress) progress = c2g_progress_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      C2gJob job = { cancellable, progress };
      g_autoptr (C2gSource) source = record_new_source (message, way);
      g_auto (C2gBlobRecord) record = { NULL };
      g_autoptr (C2gTensor) tensor = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (record_scan (&record, source, message, &error));
      g_assert_no_error (error);
      tensor = c2g_tensor_record_to_tensor (&record.tensor, source, &job, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, record.tensor.n_value_bytes);
      g_assert_cmpuint (record.tensor.n_value_bytes, <, n_bytes);
      if (record.tensor.n_value_bytes == 0)
        continue;

      g_cancellable_cancel (cancellable);
      g_assert_null (c2g_tensor_record_to_tensor (&record.tensor, source, &job, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

static void
test_job (void)
{
  g_autofree guint8 *items = NULL;
  g_autoptr (GBytes) varints = record_new_varints (C2G_DATA_TYPE_INT64, 100000, &items);

  check_job (BYTES ("\x08\x03\x1d\1\2\3\4\x1a\x04\5\6\7\x08\x1d\x09\x0a\x0b\x0c"));
  check_job (BYTES ("\x08\x02\x10\x04\x32\x00\x32\x01x"));
  check_job (BYTES ("\x08\x03\x10\x06\x22\x02\x07\x08\x20\x01"));
  check_job (BYTES ("\x08\x02\x10\x0c\x2a\x04\1\2\3\4"));
  check_job (BYTES ("\x08\x03\x10\x01\x6a\x06\x80\x3f\x00\xc0\x01\x02\x78\x01"));
  check_job (BYTES ("\x08\x00"));
  check_job (g_bytes_get_data (varints, NULL), g_bytes_get_size (varints));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor-record/golden/tensors", test_golden_tensors);
  c2g_test_add_func ("/tensor-record/golden/chunks", test_golden_chunks);
  c2g_test_add_func ("/tensor-record/golden/nets", test_golden_nets);
  c2g_test_add_func ("/tensor-record/golden/hand-built", test_golden_hand_built);
  c2g_test_add_func ("/tensor-record/golden/others", test_golden_others);
  c2g_test_add_func ("/tensor-record/forms", test_forms);
  c2g_test_add_func ("/tensor-record/blob-forms", test_blob_forms);
  c2g_test_add_func ("/tensor-record/blob-fields", test_blob_fields);
  c2g_test_add_func ("/tensor-record/device", test_device);
  c2g_test_add_func ("/tensor-record/own-elements", test_own_elements);
  c2g_test_add_func ("/tensor-record/no-type", test_no_type);
  c2g_test_add_func ("/tensor-record/windows", test_windows);
  c2g_test_add_func ("/tensor-record/upper-halves", test_upper_halves);
  c2g_test_add_func ("/tensor-record/strings", test_strings);
  c2g_test_add_func ("/tensor-record/strings-replaced", test_strings_replaced);
  c2g_test_add_func ("/tensor-record/job", test_job);

  return record_run ();
}
