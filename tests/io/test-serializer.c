/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/serializer-utils.h"

#include <c2g/io/serializer/c2g-serializer-private.h>

/* Caffe2's own tests of serialization, which check the blob that was read. Elements of registered
 * types are in test-tensor-items.c. */

typedef struct
{
  C2gDataType data_type;
  gboolean    is_signed;
  int         number;
  /* The field with the values. */
  gsize       n_values_offset;
} SerializationCase;

#define SERIALIZATION_CASE(DATA_TYPE, is_signed, field)                           \
  {                                                                               \
    C2G_DATA_TYPE_##DATA_TYPE, is_signed, CAFFE2__TENSOR_PROTO__DATA_TYPE__##DATA_TYPE, \
      G_STRUCT_OFFSET (Caffe2__TensorProto, n_##field)                            \
  }

static const SerializationCase serialization_cases[] = {
  SERIALIZATION_CASE (BOOL, FALSE, int32_data),
  SERIALIZATION_CASE (DOUBLE, TRUE, double_data),
  SERIALIZATION_CASE (FLOAT, TRUE, float_data),
  SERIALIZATION_CASE (INT32, TRUE, int32_data),
  SERIALIZATION_CASE (INT8, TRUE, int32_data),
  SERIALIZATION_CASE (INT16, TRUE, int32_data),
  SERIALIZATION_CASE (UINT8, FALSE, int32_data),
  SERIALIZATION_CASE (UINT16, FALSE, int32_data),
  SERIALIZATION_CASE (INT64, TRUE, int64_data),
};

static double
value_of (const SerializationCase *test,
          gint64                   i)
{
  if (test->data_type == C2G_DATA_TYPE_BOOL)
    return i % 2;
  return test->is_signed ? (double) (i % 100 - 3) : (double) (40 * (i % 6));
}

static C2gBlob *
new_case (const SerializationCase *test,
          gint64                   n_rows)
{
  g_autoptr (C2gTensor) tensor = new_typed (test->data_type, C2G_TEST_DIMS (n_rows, 3));

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    g_assert_true (c2g_tensor_set_value (tensor, i, value_of (test, i), NULL));
  return new_blob_of (tensor);
}

static void
assert_message (const SerializationCase *test,
                GBytes                  *bytes,
                gint64                   n_rows)
{
  Caffe2__BlobProto *proto = parse_blob (bytes);
  Caffe2__TensorProto *tensor = proto->tensor;

  g_assert_cmpstr (proto->name, ==, "test");
  g_assert_cmpstr (proto->type, ==, "Tensor");
  g_assert_nonnull (tensor);
  g_assert_cmpuint (tensor->n_dims, ==, 2);
  g_assert_cmpint (tensor->dims[0], ==, n_rows);
  g_assert_cmpint (tensor->dims[1], ==, 3);
  g_assert_cmpint (tensor->data_type, ==, test->number);
  g_assert_cmpuint (tensor->n_float_data + tensor->n_int32_data + tensor->n_double_data +
                      tensor->n_int64_data + tensor->n_string_data,
                    ==, 3 * n_rows);
  g_assert_cmpuint (G_STRUCT_MEMBER (size_t, tensor, test->n_values_offset), ==, 3 * n_rows);
  g_assert_nonnull (tensor->segment);
  g_assert_cmpint (tensor->segment->begin, ==, 0);
  g_assert_cmpint (tensor->segment->end, ==, 3 * n_rows);
  caffe2__blob_proto__free_unpacked (proto, NULL);
}

static void
assert_case (const SerializationCase *test,
             C2gBlob                 *loaded,
             gint64                   n_rows)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_get_tensor (loaded, &error);

  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, test->data_type);
  g_assert_cmpuint (c2g_tensor_get_n_dims (tensor), ==, 2);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 0, NULL), ==, n_rows);
  g_assert_cmpint (c2g_tensor_get_dim (tensor, 1, NULL), ==, 3);
  for (gint64 i = 0; i < 3 * n_rows; i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, value_of (test, i));
}

/* TensorSerialization_bool … _int64. */
static void
test_tensors (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (serialization_cases); i++)
    {
      const SerializationCase *test = &serialization_cases[i];
      g_autoptr (C2gBlob) blob = new_case (test, 2);
      g_autoptr (GBytes) bytes = serialize (blob, "test");
      g_autoptr (C2gBlob) loaded = deserialize (bytes);

      g_test_message ("%s", c2g_data_type_get_name (test->data_type));
      assert_message (test, bytes, 2);
      assert_case (test, loaded, 2);
    }
}

/* EmptyTensorSerialization_bool … _int64. */
static void
test_empty_tensors (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (serialization_cases); i++)
    {
      const SerializationCase *test = &serialization_cases[i];
      g_autoptr (C2gBlob) blob = new_case (test, 0);
      g_autoptr (GBytes) bytes = serialize (blob, "test");
      g_autoptr (C2gBlob) loaded = deserialize (bytes);

      g_test_message ("%s", c2g_data_type_get_name (test->data_type));
      assert_message (test, bytes, 0);
      assert_case (test, loaded, 0);
    }
}

/* BigTensorSerialization: in chunks of different sizes. */
static void
test_chunks (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (serialization_cases); i++)
    {
      const SerializationCase *test = &serialization_cases[i];
      g_autoptr (C2gBlob) blob = new_case (test, 1000);
      g_autoptr (C2gBlob) loaded = NULL;
      g_auto (Chunks) chunks = { NULL };

      chunks_init (&chunks, blob, "big", 700);
      g_assert_cmpuint (chunks.values->len, ==, 5);
      g_assert_cmpstr (chunks.keys->pdata[4], ==, "big#%4");
      loaded = chunks_read (&chunks);
      assert_case (test, loaded, 1000);
    }
}

static void
test_float16 (void)
{
  const gint64 n = 3000000;
  g_autoptr (C2gTensor) tensor = new_typed (C2G_DATA_TYPE_FLOAT16, C2G_TEST_DIMS (n));
  g_autoptr (C2gBlob) blob = new_blob_of (tensor);
  guint16 *items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT16, NULL);

  for (gint64 i = 0; i < n; i++)
    items[i] = (guint16) (i * 7);

  for (int as_bytes = 0; as_bytes < 2; as_bytes++)
    {
      C2gSerializeFlags flags = as_bytes ? C2G_SERIALIZE_FLOAT16_AS_BYTES : C2G_SERIALIZE_NONE;
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = c2g_test_serialize (blob, "fp16", flags, &error);
      Caffe2__BlobProto *proto;
      g_autoptr (C2gBlob) loaded = NULL;
      C2gTensor *read;

      g_assert_no_error (error);
      proto = parse_blob (bytes);
      g_assert_cmpuint (proto->tensor->n_int32_data, ==, as_bytes ? 0 : n);
      g_assert_cmpuint (proto->tensor->byte_data.len, ==, as_bytes ? 2 * n : 0);
      caffe2__blob_proto__free_unpacked (proto, NULL);

      loaded = deserialize (bytes);
      read = c2g_blob_get_tensor (loaded, NULL);
      g_assert_cmpint (c2g_tensor_get_n_elements (read), ==, n);
      g_assert_cmpint (memcmp (c2g_tensor_data (read, C2G_DATA_TYPE_FLOAT16, NULL), items, 2 * n),
                       ==, 0);
    }
}

/* CustomChunkSize, and related cases. */
static void
test_chunk_size (void)
{
  static const struct
  {
    gint64 n;
    gint64 chunk_size;
    guint  n_chunks;
  } cases[] = {
    { 1500000, 1500000, 1 },
    { 1500000, 1500000 / 2 + 1, 2 },
    { 1500000, C2G_NO_CHUNKING, 1 },
    { 1500000, C2G_DEFAULT_CHUNK_SIZE, 2 },
    { 1000001, C2G_DEFAULT_CHUNK_SIZE, 2 },
    { 1000000, C2G_DEFAULT_CHUNK_SIZE, 1 },
    { 0, C2G_DEFAULT_CHUNK_SIZE, 1 },
    { 0, C2G_NO_CHUNKING, 1 },
    { 0, 5, 1 },
    { 5, 1, 5 },
    { 5, 2, 3 },
    { 5, G_MAXINT64, 1 },
  };

  g_autoptr (C2gSerializer) serializer = c2g_serializer_lookup (C2G_TYPE_TENSOR, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) tensor = new_typed (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (cases[i].n));
      g_autoptr (C2gBlob) blob = NULL;
      g_autoptr (C2gBlob) loaded = NULL;
      g_auto (Chunks) chunks = { NULL };

      if (cases[i].n > 0)
        memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_UINT8, NULL), 7, cases[i].n);
      blob = new_blob_of (tensor);
      chunks_init (&chunks, blob, "x", cases[i].chunk_size);
      g_assert_cmpuint (chunks.values->len, ==, cases[i].n_chunks);
      g_assert_cmpuint (c2g_serializer_get_n_chunks (serializer, blob, cases[i].chunk_size), ==,
                        cases[i].n_chunks);
      g_assert_cmpstr (chunks.keys->pdata[0], ==, "x#%0");

      loaded = chunks_read (&chunks);
      g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (loaded, NULL)), ==,
                       cases[i].n);
      if (cases[i].n > 0)
        g_assert_cmpint (c2g_tensor_get_int64 (c2g_blob_get_tensor (loaded, NULL),
                                               cases[i].n - 1, NULL),
                         ==, 7);
    }
}

static void
test_strings (void)
{
  static const char *const contents[] = { "Hello world", "" };

  for (gsize i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      gsize n_bytes = strlen (contents[i]);
      g_autoptr (C2gBlob) blob = c2g_blob_new ();
      g_autoptr (C2gBlob) loaded = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_auto (GValue) value = G_VALUE_INIT;
      g_auto (GValue) read = G_VALUE_INIT;
      g_auto (Chunks) chunks = { NULL };
      Caffe2__BlobProto *proto;

      g_value_set_static_string (g_value_init (&value, G_TYPE_STRING), contents[i]);
      c2g_blob_set_value (blob, &value);
      bytes = serialize (blob, "my_string");
      proto = parse_blob (bytes);
      g_assert_cmpstr (proto->type, ==, "std::string");
      g_assert_cmpstr (proto->name, ==, "my_string");
      g_assert_true (proto->has_content);
      g_assert_cmpmem (proto->content.data, proto->content.len, contents[i], n_bytes);
      g_assert_false (proto->has_content_num_chunks);
      caffe2__blob_proto__free_unpacked (proto, NULL);

      loaded = deserialize (bytes);
      c2g_blob_get_value (loaded, &read);
      g_assert_true (G_VALUE_HOLDS (&read, G_TYPE_BYTES));
      g_assert_cmpmem (g_bytes_get_data (g_value_get_boxed (&read), NULL),
                       g_bytes_get_size (g_value_get_boxed (&read)), contents[i], n_bytes);

      chunks_init (&chunks, blob, "my_string", 1);
      g_assert_cmpuint (chunks.keys->len, ==, 1);
      g_assert_cmpstr (chunks.keys->pdata[0], ==, "my_string");
    }
}

static void
test_q_tensor (void)
{
  for (int is_signed = 0; is_signed < 2; is_signed++)
    {
      g_autoptr (C2gQTensor) tensor = c2g_q_tensor_new (C2G_TEST_DIMS (30), 5, is_signed, NULL);
      g_autoptr (C2gBlob) blob = new_blob_of (tensor);
      g_autoptr (C2gBlob) loaded = NULL;
      g_autoptr (GBytes) bytes = NULL;
      C2gQTensor *read;

      for (gint64 i = 0; i < 30; i++)
        for (guint plane = 0; plane < 5 + (guint) is_signed; plane++)
          c2g_q_tensor_set_bit (tensor, plane, i, (i + plane) % 3 == 0, NULL);
      c2g_q_tensor_set_scale (tensor, 2.0);
      c2g_q_tensor_set_bias (tensor, 1.5);

      bytes = serialize (blob, "test");
      loaded = deserialize (bytes);
      read = C2G_Q_TENSOR (c2g_blob_get_object (loaded));
      g_assert_true (read != tensor);
      g_assert_cmpuint (c2g_q_tensor_get_precision (read), ==, 5);
      g_assert_cmpint (c2g_q_tensor_is_signed (read), ==, is_signed);
      g_assert_cmpfloat (c2g_q_tensor_get_scale (read), ==, 2.0);
      g_assert_cmpfloat (c2g_q_tensor_get_bias (read), ==, 1.5);
      g_assert_cmpint (c2g_q_tensor_get_n_elements (read), ==, 30);
      for (gint64 i = 0; i < 30; i++)
        for (guint plane = 0; plane < 5 + (guint) is_signed; plane++)
          g_assert_cmpint (c2g_q_tensor_get_bit (read, plane, i, NULL), ==, (i + plane) % 3 == 0);
    }
}

/* The bytes are exactly those of Caffe2 since 2018: field numbers, tags and values written by hand. */
static void
test_int8_bytes (void)
{
  static const guint8 expected[] = {
    /* clang-format off */
    0x0a, 1, 'q', 0x12, 13, 'I', 'n', 't', '8', 'T', 'e', 'n', 's', 'o', 'r', 'C', 'P', 'U',
    0x2a, 36,
    0x08, 2, 0x08, 1,
    0x10, 8,
    0x19, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f,
    0x21, 0, 0, 0, 0, 0, 0, 0x60, 0x40,
    0x28, 0,
    0x32, 3, 1, 0xc8, 1,
    0x3a, 1, 'q',
    0x40, 6,
    /* clang-format on */
  };
  g_autoptr (C2gTensor) tensor = new_typed (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (2, 1));
  g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (tensor, 0.5, 128);
  g_autoptr (C2gBlob) blob = new_blob_of (quantized);
  g_autoptr (GBytes) bytes = NULL;

  c2g_tensor_set_int64 (tensor, 0, 1, NULL);
  c2g_tensor_set_int64 (tensor, 1, 200, NULL);
  bytes = serialize (blob, "q");
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected,
                   sizeof expected);
}

static void
assert_int8_message (GBytes *bytes,
                     int     number,
                     size_t  n_values)
{
  Caffe2__BlobProto *proto = parse_blob (bytes);
  Caffe2__QTensorProto *message = proto->qtensor;

  g_assert_cmpstr (proto->type, ==, "Int8TensorCPU");
  g_assert_cmpint (message->precision, ==, 8);
  g_assert_false (message->is_signed);
  g_assert_true (message->has_data_type);
  g_assert_cmpint (message->data_type, ==, number);
  g_assert_cmpuint (message->n_data, ==, n_values);
  g_assert_cmpfloat (message->scale, ==, (double) 0.1f);
  g_assert_cmpfloat (message->bias, ==, -5);
  caffe2__blob_proto__free_unpacked (proto, NULL);
}

static void
test_int8 (void)
{
  static const C2gDataType data_types[] = { C2G_DATA_TYPE_UINT8, C2G_DATA_TYPE_INT32 };
  static const gint64 counts[] = { 0, 1, 100000 };

  for (gsize i = 0; i < G_N_ELEMENTS (data_types) * G_N_ELEMENTS (counts); i++)
    {
      C2gDataType data_type = data_types[i % G_N_ELEMENTS (data_types)];
      gint64 n = counts[i / G_N_ELEMENTS (data_types)];
      g_autoptr (C2gTensor) tensor = new_typed (data_type, C2G_TEST_DIMS (n, 2));
      g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (tensor, 0.1f, -5);
      g_autoptr (C2gBlob) blob = new_blob_of (quantized);
      g_autoptr (C2gBlob) loaded = NULL;
      g_autoptr (GBytes) bytes = NULL;
      C2gInt8Tensor *read;
      g_autofree char *text = NULL;
      g_autofree char *read_text = NULL;

      for (gint64 j = 0; j < 2 * n; j++)
        c2g_tensor_set_int64 (tensor, j, data_type == C2G_DATA_TYPE_UINT8 ? j % 256 : j - 77777,
                              NULL);
      bytes = serialize (blob, "q");
      assert_int8_message (bytes, (int) data_type, 2 * n);
      loaded = deserialize (bytes);
      read = C2G_INT8_TENSOR (c2g_blob_get_object (loaded));
      g_assert_true (read != quantized);
      g_assert_cmpfloat (c2g_int8_tensor_get_scale (read), ==, 0.1f);
      g_assert_cmpint (c2g_int8_tensor_get_zero_point (read), ==, -5);
      text = c2g_tensor_to_string (tensor, G_MAXSIZE);
      read_text = c2g_tensor_to_string (c2g_int8_tensor_get_tensor (read), G_MAXSIZE);
      g_assert_cmpstr (text, ==, read_text);
    }
}

static void
test_int8_unwritable (void)
{
  g_autoptr (C2gTensor) floats = new_typed (C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (2));
  g_autoptr (C2gTensor) untyped = c2g_tensor_new_sized (C2G_TEST_DIMS (0), NULL, NULL);
  g_autoptr (C2gTensor) unallocated = new_typed (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (0));
  C2gTensor *tensors[] = { floats, untyped, unallocated };

  c2g_tensor_resize (unallocated, C2G_TEST_DIMS (5), NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (tensors[i], 1, 0);
      g_autoptr (C2gBlob) blob = new_blob_of (quantized);
      g_autoptr (GError) error = NULL;

      g_assert_null (c2g_blob_serialize (blob, "q", &error));
      g_assert_nonnull (error);
      g_assert_true (error->domain == C2G_ERROR);
      if (i < 2)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
    }
}

/* Parts of a QTensorProto with one element. */
#define ONE     "\0\0\0\0\0\0\xf0\x3f"
#define ZERO    "\0\0\0\0\0\0\0\0"
#define HALF    "\0\0\0\0\0\0\xe0\x3f"
#define BEYOND  "\0\0\0\0\0\0\xf0\x7e"
#define NO_REAL "\0\0\0\0\0\0\xf8\x7f"
#define HEAD    "\x08\x01\x10\x08\x19" ONE "\x21"
#define TAIL    "\x28\0\x32\x01\x01\x40\x06"
#define INT8    "Int8TensorCPU"

typedef struct
{
  const char *name;
  const char *type;
  const char *body;
  gsize       n_bytes;
  C2gError    code;
} QCase;

#define Q_CASE(name, type, body, code)        \
  {                                           \
    name, type, body, sizeof (body) - 1, code \
  }

static GBytes *
new_q_message (const QCase *test)
{
  GByteArray *message = g_byte_array_new ();

  c2g_wire_put_bytes (message, 2, test->type, strlen (test->type));
  c2g_wire_put_bytes (message, 5, test->body, test->n_bytes);
  return g_byte_array_free_to_bytes (message);
}

static void
assert_refused (GBytes   *bytes,
                C2gError  code)
{
  g_autoptr (C2gBlob) blob = io_new_floats (3);
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_blob_deserialize (blob, bytes, &error));
  g_assert_error (error, C2G_ERROR, (int) code);
  g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)), ==, 3);
}

static void
test_q_refused (void)
{
  static const QCase cases[] = {
    Q_CASE ("nothing", INT8, "", C2G_ERROR_CORRUPT),
    Q_CASE ("without precision", INT8, "\x08\x01\x19" ONE "\x21" ZERO TAIL, C2G_ERROR_CORRUPT),
    Q_CASE ("without scale", INT8, "\x08\x01\x10\x08\x21" ZERO TAIL, C2G_ERROR_CORRUPT),
    Q_CASE ("without bias", INT8, "\x08\x01\x10\x08\x19" ONE TAIL, C2G_ERROR_CORRUPT),
    Q_CASE ("without sign", INT8, HEAD ZERO "\x32\x01\x01\x40\x06", C2G_ERROR_CORRUPT),
    Q_CASE ("half a zero point", INT8, HEAD HALF TAIL, C2G_ERROR_CORRUPT),
    Q_CASE ("a huge zero point", INT8, HEAD BEYOND TAIL, C2G_ERROR_CORRUPT),
    Q_CASE ("no zero point", INT8, HEAD NO_REAL TAIL, C2G_ERROR_CORRUPT),
    Q_CASE ("a huge scale", INT8, "\x08\x01\x10\x08\x19" BEYOND "\x21" ZERO TAIL,
            C2G_ERROR_CORRUPT),
    Q_CASE ("float", INT8, HEAD ZERO "\x28\0\x32\x01\x01\x40\x01", C2G_ERROR_NOT_SUPPORTED),
    Q_CASE ("several groups", INT8, HEAD ZERO TAIL "\x60\x01", C2G_ERROR_NOT_SUPPORTED),
    Q_CASE ("several scales", INT8, HEAD ZERO TAIL "\x49" ONE, C2G_ERROR_NOT_SUPPORTED),
    Q_CASE ("no value", INT8, HEAD ZERO "\x28\0\x40\x06", C2G_ERROR_CORRUPT),
    Q_CASE ("a value of no elements", INT8, "\x08\0\x10\x08\x19" ONE "\x21" ZERO TAIL,
            C2G_ERROR_CORRUPT),
    Q_CASE ("two values", INT8, HEAD ZERO "\x28\0\x32\x02\x01\x02\x40\x06", C2G_ERROR_CORRUPT),
    Q_CASE ("two values, not packed", INT8, HEAD ZERO "\x28\0\x30\x01\x30\x02\x40\x06",
            C2G_ERROR_CORRUPT),
    Q_CASE ("two values, in two ways", INT8, HEAD ZERO TAIL "\x30\x02", C2G_ERROR_CORRUPT),
    Q_CASE ("an open value", INT8, HEAD ZERO "\x28\0\x32\x01\x80\x40\x06", C2G_ERROR_CORRUPT),
    Q_CASE ("an endless value", INT8,
            HEAD ZERO "\x28\0\x32\x0b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x40\x06",
            C2G_ERROR_CORRUPT),
    Q_CASE ("a value of a wrong kind", INT8, HEAD ZERO "\x28\0\x35\x01\0\0\0\x40\x06",
            C2G_ERROR_CORRUPT),
    Q_CASE ("precision of a wrong kind", INT8, "\x12\0", C2G_ERROR_CORRUPT),
    Q_CASE ("scale of a wrong kind", INT8, "\x18\0", C2G_ERROR_CORRUPT),
    Q_CASE ("name of a wrong kind", INT8, "\x38\0", C2G_ERROR_CORRUPT),
    Q_CASE ("an open dimension", INT8, "\x0a\x01\x80", C2G_ERROR_CORRUPT),
    Q_CASE ("2^40 elements", INT8,
            "\x08\x80\x80\x80\x80\x80\x20\x10\x08\x19" ONE "\x21" ZERO TAIL, C2G_ERROR_CORRUPT),
    Q_CASE ("-1 elements", INT8,
            "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x08\x19" ONE "\x21" ZERO TAIL,
            C2G_ERROR_SHAPE),
    Q_CASE ("precision 0", "QTensor", "\x08\x01\x10\x00\x19" ONE "\x21" ZERO TAIL,
            C2G_ERROR_CORRUPT),
    Q_CASE ("2^40 elements of one bit", "QTensor",
            "\x08\x80\x80\x80\x80\x80\x20\x10\x01\x19" ONE "\x21" ZERO TAIL, C2G_ERROR_CORRUPT),
    Q_CASE ("precision 53", "QTensor",
            "\x08\x01\x10\x35\x19" ONE "\x21" ZERO
            "\x28\0\x32\x35"
            "01234567890123456789012345678901234567890123456789012",
            C2G_ERROR_RANGE),
    Q_CASE ("an unknown type", "QTensorCUDA", HEAD ZERO TAIL, C2G_ERROR_NOT_SUPPORTED),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = new_q_message (&cases[i]);

      g_test_message ("%s", cases[i].name);
      assert_refused (bytes, cases[i].code);
    }
}

static void
test_q_missing (void)
{
  g_autoptr (GBytes) none = g_bytes_new_static ("\x12\x0d" INT8, 15);
  g_autoptr (GBytes) two = g_bytes_new_static ("\x12\x0d" INT8 "\x2a\0\x2a\0", 19);

  assert_refused (none, C2G_ERROR_CORRUPT);
  assert_refused (two, C2G_ERROR_NOT_SUPPORTED);
}

/* Messages that protobuf allows but nobody writes. */
static void
test_q_accepted (void)
{
  static const QCase cases[] = {
    Q_CASE ("one value", INT8, HEAD ZERO TAIL, 0),
    Q_CASE ("not packed", INT8, HEAD ZERO "\x28\0\x30\x01\x40\x06", 0),
    Q_CASE ("no type is int32", INT8, HEAD ZERO "\x28\0\x32\x01\x01", 0),
    Q_CASE ("one group, said so", INT8, HEAD ZERO TAIL "\x60\0", 0),
    Q_CASE ("packed dimensions", INT8, "\x0a\x01\x01\x10\x08\x19" ONE "\x21" ZERO TAIL, 0),
    Q_CASE ("an unknown field", INT8, HEAD ZERO TAIL "\x78\x01", 0),
    Q_CASE ("twice, the last one counts", INT8, HEAD BEYOND "\x21" ZERO TAIL, 0),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = new_q_message (&cases[i]);
      g_autoptr (C2gBlob) blob = NULL;
      C2gInt8Tensor *quantized;

      g_test_message ("%s", cases[i].name);
      blob = deserialize (bytes);
      quantized = C2G_INT8_TENSOR (c2g_blob_get_object (blob));
      g_assert_cmpint (c2g_tensor_get_n_elements (c2g_int8_tensor_get_tensor (quantized)), ==, 1);
      g_assert_cmpfloat (c2g_int8_tensor_get_value (quantized, 0, NULL), ==, 1);
    }
}

static void
check_damaged (GBytes   *damaged,
               gpointer  user_data)
{
  g_autoptr (C2gBlob) blob = io_new_floats (3);
  g_autoptr (GError) error = NULL;

  if (c2g_blob_deserialize (blob, damaged, &error))
    {
      g_assert_no_error (error);
      return;
    }

  g_assert_nonnull (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)), ==, 3);
}

static void
test_damaged (void)
{
  g_autoptr (C2gTensor) tensor = new_typed (C2G_DATA_TYPE_UINT8, C2G_TEST_DIMS (2, 3));
  g_autoptr (C2gInt8Tensor) quantized = c2g_int8_tensor_new (tensor, 0.5, 7);
  g_autoptr (C2gQTensor) q_tensor = c2g_q_tensor_new (C2G_TEST_DIMS (9), 3, TRUE, NULL);
  gpointer objects[] = { quantized, q_tensor };

  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_UINT8, NULL), 0x90, 6);
  for (gsize i = 0; i < G_N_ELEMENTS (objects); i++)
    {
      g_autoptr (C2gBlob) blob = new_blob_of (objects[i]);
      g_autoptr (GBytes) bytes = serialize (blob, "name");

      io_damage (bytes, check_damaged, NULL);
    }
}

static void
test_keys (void)
{
  static const struct
  {
    const char *key;
    const char *name;
  } names[] = {
    { "x", "x" },
    { "x#%0", "x" },
    { "x#%12", "x" },
    { "x#%0#%1", "x" },
    { "a/b#c%d#%7", "a/b#c%d" },
    { "x#", "x#" },
    { "\xc3\xa4#%0", "ä" },
    { "#%0", NULL },
    { "", NULL },
  };
  g_autoptr (C2gSerializer) tensors = c2g_serializer_lookup (C2G_TYPE_TENSOR, NULL);
  g_autoptr (C2gSerializer) strings = c2g_serializer_lookup (G_TYPE_STRING, NULL);
  g_autofree char *tensor_key = c2g_serializer_dup_key (tensors, "x", 0, 1);
  g_autofree char *string_key = c2g_serializer_dup_key (strings, "x", 0, 1);
  g_autofree char *chunk_key = c2g_serializer_dup_key (strings, "x", 3, 12);

  g_assert_cmpstr (tensor_key, ==, "x#%0");
  g_assert_cmpstr (string_key, ==, "x");
  g_assert_cmpstr (chunk_key, ==, "x#%3");

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GBytes) key = g_bytes_new (names[i].key, strlen (names[i].key));
      g_autoptr (GError) error = NULL;
      g_autofree char *name = c2g_serializer_name_of_key (key, &error);

      g_assert_cmpstr (name, ==, names[i].name);
      if (names[i].name == NULL)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/serializer/tensors", test_tensors);
  c2g_test_add_func ("/serializer/empty-tensors", test_empty_tensors);
  c2g_test_add_func ("/serializer/chunks", test_chunks);
  c2g_test_add_func ("/serializer/float16", test_float16);
  c2g_test_add_func ("/serializer/chunk-size", test_chunk_size);
  c2g_test_add_func ("/serializer/strings", test_strings);
  c2g_test_add_func ("/serializer/q-tensor", test_q_tensor);
  c2g_test_add_func ("/serializer/int8-bytes", test_int8_bytes);
  c2g_test_add_func ("/serializer/int8", test_int8);
  c2g_test_add_func ("/serializer/int8-unwritable", test_int8_unwritable);
  c2g_test_add_func ("/serializer/q-refused", test_q_refused);
  c2g_test_add_func ("/serializer/q-missing", test_q_missing);
  c2g_test_add_func ("/serializer/q-accepted", test_q_accepted);
  c2g_test_add_func ("/serializer/damaged", test_damaged);
  c2g_test_add_func ("/serializer/keys", test_keys);

  return c2g_test_run ();
}
