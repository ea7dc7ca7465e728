/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/io-utils.h"

#include <glib/gstdio.h>

static const C2gDataType data_types[] = {
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_STRING,
  C2G_DATA_TYPE_BOOL,
  C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_INT8,
  C2G_DATA_TYPE_UINT16,
  C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_BFLOAT16,
  C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_UINT64,
};

/* Makes a blob with a tensor of strings, or of numbers from -1 or 0 on. */
static C2gBlob *
new_blob (C2gDataType   data_type,
          const gint64 *dims,
          gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gBlob *blob = c2g_blob_new ();
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);

  g_assert_no_error (error);
  c2g_tensor_resize (tensor, dims, n_dims, &error);
  g_assert_no_error (error);
  c2g_tensor_allocate (tensor, data_type, &error);
  g_assert_no_error (error);

  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    if (data_type == C2G_DATA_TYPE_STRING)
      {
        g_auto (GValue) value = G_VALUE_INIT;

        g_value_init (&value, G_TYPE_STRING);
        g_value_take_string (&value, g_strnfill (i, 'x'));
        c2g_tensor_set_element (tensor, i, &value, &error);
        g_assert_no_error (error);
      }
    else
      {
        gboolean is_signed = data_type == C2G_DATA_TYPE_FLOAT || data_type == C2G_DATA_TYPE_INT8 ||
                             data_type == C2G_DATA_TYPE_INT16 || data_type == C2G_DATA_TYPE_INT64;

        c2g_tensor_set_value (tensor, i,
                              data_type == C2G_DATA_TYPE_BOOL ? i % 2 : i - is_signed, &error);
        g_assert_no_error (error);
      }

  return blob;
}

static void
assert_equal_tensors (C2gTensor *a,
                      C2gTensor *b)
{
  g_autofree char *a_text = c2g_tensor_to_string (a, G_MAXSIZE);
  g_autofree char *b_text = c2g_tensor_to_string (b, G_MAXSIZE);

  g_assert_cmpstr (a_text, ==, b_text);
}

static void
round_trip (C2gBlob *blob)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "name", &error);
  g_autoptr (GBytes) again = NULL;
  g_autoptr (C2gBlob) loaded = c2g_blob_new ();

  g_assert_no_error (error);
  c2g_blob_deserialize (loaded, bytes, &error);
  g_assert_no_error (error);
  if (c2g_blob_is_tensor (blob, NULL))
    assert_equal_tensors (c2g_blob_get_tensor (blob, NULL), c2g_blob_get_tensor (loaded, NULL));

  again = c2g_blob_serialize (loaded, "name", &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, again));
}

static void
test_tensors (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (data_types); i++)
    {
      g_autoptr (C2gBlob) scalar = new_blob (data_types[i], NULL, 0);
      g_autoptr (C2gBlob) matrix = new_blob (data_types[i], C2G_TEST_DIMS (3, 5));
      g_autoptr (C2gBlob) empty = new_blob (data_types[i], C2G_TEST_DIMS (3, 0));

      g_test_message ("%s", c2g_data_type_get_name (data_types[i]));
      round_trip (scalar);
      round_trip (matrix);
      round_trip (empty);
    }
}

static void
round_trip_value (GValue *value)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();

  c2g_blob_set_value (blob, value);
  round_trip (blob);
  g_value_unset (value);
}

static void
test_values (void)
{
  GValue value = G_VALUE_INIT;

  g_value_set_static_string (g_value_init (&value, G_TYPE_STRING), "text");
  round_trip_value (&value);
  g_value_set_static_string (g_value_init (&value, G_TYPE_STRING), "");
  round_trip_value (&value);
  g_value_take_boxed (g_value_init (&value, G_TYPE_BYTES), g_bytes_new ("a\0b", 3));
  round_trip_value (&value);
  g_value_set_int64 (g_value_init (&value, G_TYPE_INT64), G_MININT64);
  round_trip_value (&value);
  g_value_set_int (g_value_init (&value, G_TYPE_INT), -3);
  round_trip_value (&value);
  g_value_set_uint64 (g_value_init (&value, G_TYPE_UINT64), G_MAXINT64);
  round_trip_value (&value);
}

static void
test_q_tensor (void)
{
  g_autoptr (C2gQTensor) tensor = c2g_q_tensor_new (C2G_TEST_DIMS (2, 5), 3, TRUE, NULL);
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gBlob) loaded = c2g_blob_new ();
  g_autoptr (GBytes) bytes = NULL;

  c2g_q_tensor_set_scale (tensor, 0.25);
  c2g_q_tensor_set_bias (tensor, 7);
  c2g_q_tensor_set_bit (tensor, 3, 4, TRUE, NULL);
  c2g_q_tensor_set_bit (tensor, 1, 4, TRUE, NULL);
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  round_trip (blob);

  bytes = c2g_blob_serialize (blob, "q", NULL);
  g_assert_true (c2g_blob_deserialize (loaded, bytes, NULL));
  g_assert_cmpfloat (c2g_q_tensor_get_value (C2G_Q_TENSOR (c2g_blob_get_object (loaded)), 4, NULL),
                     ==, 6.5);
}

static void
test_unwritable (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gTensor) unallocated = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, NULL);
  g_autoptr (GObject) object = g_object_new (C2G_TYPE_WORKSPACE, NULL);
  g_auto (GValue) value = G_VALUE_INIT;
  GError *error = NULL;

  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  c2g_blob_set_object (blob, object);
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  c2g_blob_set_object (blob, G_OBJECT (unallocated));
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);

  g_value_set_uint64 (g_value_init (&value, G_TYPE_UINT64), G_MAXUINT64);
  c2g_blob_set_value (blob, &value);
  g_assert_null (c2g_blob_serialize (blob, "x", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_clear_error (&error);
}

/* The tensor stays the same object, and does not share memory with others any more. */
static void
test_identity (void)
{
  g_autoptr (C2gBlob) source = io_new_floats (4);
  g_autoptr (C2gBlob) target = io_new_floats (2);
  g_autoptr (GBytes) bytes = c2g_blob_serialize (source, "x", NULL);
  C2gTensor *tensor = c2g_blob_get_tensor (target, NULL);

  g_assert_true (c2g_blob_deserialize (target, bytes, NULL));
  g_assert_true (c2g_blob_get_tensor (target, NULL) == tensor);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 4);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 3, NULL), ==, 3);
}

static void
test_partial (void)
{
  g_autoptr (GBytes) bytes = io_new_chunk ("x", 6, 2, 4);
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor;
  static const double expected[] = { 0, 0, 2, 3, 0, 0 };

  c2g_blob_deserialize (blob, bytes, &error);
  g_assert_no_error (error);
  tensor = c2g_blob_get_tensor (blob, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpfloat (c2g_tensor_get_value (tensor, i, NULL), ==, expected[i]);
}

/* Messages that are complete but invalid, and bytes of a TensorProto. */
static void
test_refused (void)
{
  static const struct
  {
    const char *name;
    const char *bytes;
    gsize       n_bytes;
    C2gError    code;
  } cases[] = {
    { "two values for three", "\x08\x03\x10\x02\x22\x02\x01\x02", 8, C2G_ERROR_CORRUPT },
    { "values of another type", "\x08\x01\x10\x0d\x22\x01\x01", 7, C2G_ERROR_CORRUPT },
    { "negative dimension",
      "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x01", 13, C2G_ERROR_SHAPE },
    { "dimensions of 2^64",
      "\x08\x80\x80\x80\x80\x10\x08\x80\x80\x80\x80\x10\x10\x01", 14, C2G_ERROR_RANGE },
    { "2^60 elements of eight bytes",
      "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x40\x10\x0d", 12, C2G_ERROR_RANGE },
    { "2^40 elements and no value", "\x08\x80\x80\x80\x80\x80\x20\x10\x01", 9, C2G_ERROR_CORRUPT },
    { "one element of 2^40",
      "\x08\x80\x80\x80\x80\x80\x20\x10\x01\x1a\x04zzzz\x5a\x04\x08\x00\x10\x01",
      21, C2G_ERROR_RANGE },
    { "segment beyond the end",
      "\x08\x01\x10\x01\x1a\x04zzzz\x5a\x04\x08\x01\x10\x02", 16, C2G_ERROR_CORRUPT },
    { "segment turned round", "\x08\x02\x10\x01\x5a\x04\x08\x01\x10\x00", 10, C2G_ERROR_CORRUPT },
    { "another device", "\x08\x00\x10\x01\x42\x04\x08\x01\x10\x7f", 10, C2G_ERROR_DEVICE },
    { "no element without a type", "\x08\x01\x10\x00", 4, C2G_ERROR_CORRUPT },
    { "elements without a type", "\x08\x01\x10\x00\x32\x00", 6, C2G_ERROR_NOT_SUPPORTED },
    { "unknown format", "\x08\x01\x10\x01\x78\x07", 6, C2G_ERROR_NOT_SUPPORTED },
    { "half a float16", "\x08\x01\x10\x0c\x2a\x03zzz", 9, C2G_ERROR_CORRUPT },
    { "not a message", "hello, world", 12, C2G_ERROR_CORRUPT },
    { "nothing", "", 0, C2G_ERROR_NOT_SUPPORTED },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].bytes, cases[i].n_bytes);
      g_autoptr (C2gBlob) blob = io_new_floats (3);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].name);
      g_assert_false (c2g_blob_deserialize (blob, bytes, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (blob, NULL)), ==, 3);
    }
}

/* Messages in the form of later versions of Caffe2. */
static void
test_newer (void)
{
  static const struct
  {
    const char *name;
    const char *bytes;
    gsize       n_bytes;
    C2gDataType data_type;
    double      second;
  } cases[] = {
    { "float as bfloat16",
      "\x08\x02\x10\x01\x6a\x04\x80\x3f\x00\xc0\x78\x01", 12, C2G_DATA_TYPE_FLOAT, -2 },
    { "int16 as bytes", "\x08\x02\x10\x09\x2a\x04\x01\x00\xfe\xff", 10, C2G_DATA_TYPE_INT16, -2 },
    { "bool as bytes", "\x08\x02\x10\x05\x2a\x02\x00\x07", 8, C2G_DATA_TYPE_BOOL, 1 },
    { "uint8 that overflows", "\x08\x02\x10\x06\x22\x03\x01\x80\x02", 9, C2G_DATA_TYPE_UINT8, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].bytes, cases[i].n_bytes);
      g_autoptr (C2gBlob) blob = c2g_blob_new ();
      g_autoptr (GError) error = NULL;
      C2gTensor *tensor;

      g_test_message ("%s", cases[i].name);
      c2g_blob_deserialize (blob, bytes, &error);
      g_assert_no_error (error);
      tensor = c2g_blob_get_tensor (blob, NULL);
      g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, cases[i].data_type);
      g_assert_cmpfloat (c2g_tensor_get_value (tensor, 1, NULL), ==, cases[i].second);
    }
}

static void
check_damaged (GBytes   *damaged,
               gpointer  user_data)
{
  g_autoptr (C2gBlob) blob = io_new_floats (3);
  C2gTensor *tensor = c2g_blob_get_tensor (blob, NULL);
  g_autoptr (GError) error = NULL;

  if (c2g_blob_deserialize (blob, damaged, &error))
    {
      g_assert_no_error (error);
      return;
    }

  g_assert_nonnull (error);
  g_assert_true (c2g_blob_get_tensor (blob, NULL) == tensor);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 3);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 2, NULL), ==, 2);
}

static void
test_damaged (void)
{
  static const C2gDataType some[] = { C2G_DATA_TYPE_FLOAT, C2G_DATA_TYPE_INT8, C2G_DATA_TYPE_STRING,
                                      C2G_DATA_TYPE_INT64, C2G_DATA_TYPE_UINT32 };
  g_autoptr (C2gQTensor) q_tensor = c2g_q_tensor_new (C2G_TEST_DIMS (2, 5), 3, TRUE, NULL);
  g_autoptr (C2gBlob) q_blob = c2g_blob_new ();
  g_autoptr (GBytes) q_bytes = NULL;
  g_autoptr (GBytes) chunk = io_new_chunk ("x", 6, 2, 4);

  for (gsize i = 0; i < G_N_ELEMENTS (some); i++)
    {
      g_autoptr (C2gBlob) blob = new_blob (some[i], C2G_TEST_DIMS (2, 3));
      g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "name", NULL);

      io_damage (bytes, check_damaged, NULL);
    }

  c2g_blob_set_object (q_blob, G_OBJECT (q_tensor));
  q_bytes = c2g_blob_serialize (q_blob, "q", NULL);
  io_damage (q_bytes, check_damaged, NULL);
  io_damage (chunk, check_damaged, NULL);
}

/* A stream that cannot seek, and one that fails after a number of bytes. */
#define TEST_TYPE_PIPE (test_pipe_get_type ())
G_DECLARE_FINAL_TYPE (TestPipe, test_pipe, TEST, PIPE, GInputStream)

struct _TestPipe
{
  GInputStream  parent_instance;

  GInputStream *content;
  gssize        n_until_failure;
};

G_DEFINE_FINAL_TYPE (TestPipe, test_pipe, G_TYPE_INPUT_STREAM)

static gssize
test_pipe_read (GInputStream  *stream,
                void          *buffer,
                gsize          n_bytes,
                GCancellable  *cancellable,
                GError       **error)
{
  TestPipe *self = TEST_PIPE (stream);
  gssize n_read;

  if (self->n_until_failure == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "broken");
      return -1;
    }

  /* Returns few bytes at a time, like a pipe. */
  n_bytes = MIN (n_bytes, 1000);
  if (self->n_until_failure > 0)
    n_bytes = MIN (n_bytes, (gsize) self->n_until_failure);
  n_read = g_input_stream_read (self->content, buffer, n_bytes, cancellable, error);
  if (self->n_until_failure > 0)
    self->n_until_failure -= n_read;
  return n_read;
}

static void
test_pipe_finalize (GObject *object)
{
  g_clear_object (&TEST_PIPE (object)->content);

  G_OBJECT_CLASS (test_pipe_parent_class)->finalize (object);
}

static void
test_pipe_class_init (TestPipeClass *klass)
{
  G_INPUT_STREAM_CLASS (klass)->read_fn = test_pipe_read;
  G_OBJECT_CLASS (klass)->finalize = test_pipe_finalize;
}

static void
test_pipe_init (TestPipe *self)
{
  self->n_until_failure = -1;
}

static GInputStream *
new_pipe (GBytes *bytes,
          gssize  n_until_failure)
{
  TestPipe *pipe = g_object_new (TEST_TYPE_PIPE, NULL);

  pipe->content = g_memory_input_stream_new_from_bytes (bytes);
  pipe->n_until_failure = n_until_failure;
  return G_INPUT_STREAM (pipe);
}

/* Makes a tensor of n elements with equal bytes, or of empty strings. */
static C2gTensor *
new_repeated (C2gDataType data_type,
              gint64      n)
{
  C2gTensor *tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (n), NULL, NULL);

  g_assert_true (c2g_tensor_allocate (tensor, data_type, NULL));
  if (n > 0 && data_type != C2G_DATA_TYPE_STRING)
    memset (c2g_tensor_mutable_data (tensor, data_type, NULL), 1, c2g_tensor_get_n_bytes (tensor));
  return tensor;
}

/* Writes to a stream, and reads from streams that can and cannot seek. */
static void
test_streams (void)
{
  static const gint64 counts[] = { 0, 5, 200000 };

  for (gsize i = 0; i < G_N_ELEMENTS (data_types) * G_N_ELEMENTS (counts); i++)
    {
      C2gDataType data_type = data_types[i % G_N_ELEMENTS (data_types)];
      gint64 n = counts[i / G_N_ELEMENTS (data_types)];
      g_autoptr (C2gTensor) tensor = new_repeated (data_type, n);
      g_autoptr (C2gBlob) blob = c2g_blob_new ();
      g_autoptr (GOutputStream) output = g_memory_output_stream_new_resizable ();
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GBytes) written = NULL;
      g_autoptr (GInputStream) seekable = NULL;
      g_autoptr (GInputStream) pipe = NULL;
      g_autoptr (GError) error = NULL;

      c2g_blob_set_object (blob, G_OBJECT (tensor));
      bytes = c2g_blob_serialize (blob, "name", &error);
      g_assert_no_error (error);
      c2g_blob_serialize_to_stream (blob, "name", C2G_SERIALIZE_NONE, output, NULL, &error);
      g_assert_no_error (error);
      g_assert_false (g_output_stream_is_closed (output));
      g_assert_true (g_output_stream_close (output, NULL, NULL));
      written = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (output));
      g_assert_true (g_bytes_equal (bytes, written));

      seekable = g_memory_input_stream_new_from_bytes (bytes);
      pipe = new_pipe (bytes, -1);
      for (int j = 0; j < 2; j++)
        {
          g_autoptr (C2gBlob) loaded = c2g_blob_new ();
          g_autoptr (GBytes) again = NULL;
          char byte;

          c2g_blob_deserialize_from_stream (loaded, j == 0 ? seekable : pipe, NULL, NULL, &error);
          g_assert_no_error (error);
          again = c2g_blob_serialize (loaded, "name", &error);
          g_assert_true (g_bytes_equal (bytes, again));
          g_assert_cmpint (g_input_stream_read (j == 0 ? seekable : pipe, &byte, 1, NULL, NULL),
                           ==, 0);
        }
    }
}

/* Reading begins at the current position of the stream. */
static void
test_stream_offset (void)
{
  g_autoptr (C2gBlob) blob = io_new_floats (50000);
  g_autoptr (C2gBlob) loaded = c2g_blob_new ();
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "name", NULL);
  g_autoptr (GInputStream) stream = g_memory_input_stream_new ();
  g_autoptr (GError) error = NULL;

  g_memory_input_stream_add_data (G_MEMORY_INPUT_STREAM (stream), "12345", 5, NULL);
  g_memory_input_stream_add_bytes (G_MEMORY_INPUT_STREAM (stream), bytes);
  g_assert_cmpint (g_input_stream_skip (stream, 5, NULL, NULL), ==, 5);
  c2g_blob_deserialize_from_stream (loaded, stream, NULL, NULL, &error);
  g_assert_no_error (error);
  assert_equal_tensors (c2g_blob_get_tensor (blob, NULL), c2g_blob_get_tensor (loaded, NULL));
  g_assert_cmpint (g_seekable_tell (G_SEEKABLE (stream)), ==, 5 + g_bytes_get_size (bytes));
}

static void
test_stream_errors (void)
{
  g_autoptr (C2gBlob) blob = io_new_floats (5000);
  g_autoptr (C2gBlob) target = io_new_floats (3);
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "name", NULL);
  g_autoptr (GInputStream) broken = new_pipe (bytes, 3000);
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
  g_autoptr (GOutputStream) output = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) full = g_memory_output_stream_new (g_malloc (9), 9, NULL, g_free);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GError *error = NULL;

  g_assert_false (c2g_blob_deserialize_from_stream (target, broken, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
  g_clear_error (&error);
  g_assert_false (c2g_blob_serialize_to_stream (blob, "x", C2G_SERIALIZE_NONE, full, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_clear_error (&error);

  g_cancellable_cancel (cancellable);
  g_assert_false (c2g_blob_deserialize_from_stream (target, stream, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (c2g_blob_serialize_to_stream (blob, "x", C2G_SERIALIZE_NONE, output, cancellable,
                                                &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_cmpint (c2g_tensor_get_n_elements (c2g_blob_get_tensor (target, NULL)), ==, 3);
}

static void
check_damaged_stream (GBytes   *damaged,
                      gpointer  user_data)
{
  g_autoptr (GInputStream) seekable = g_memory_input_stream_new_from_bytes (damaged);
  g_autoptr (GInputStream) pipe = new_pipe (damaged, -1);
  g_autoptr (C2gBlob) expected = io_new_floats (3);
  gboolean is_whole = c2g_blob_deserialize (expected, damaged, NULL);

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (C2gBlob) blob = io_new_floats (3);
      g_autoptr (GError) error = NULL;
      gboolean success;

      success = c2g_blob_deserialize_from_stream (blob, i == 0 ? seekable : pipe, NULL, NULL, &error);
      g_assert_cmpint (success, ==, is_whole);
      g_assert_cmpint (success, ==, error == NULL);
    }
}

static void
test_damaged_streams (void)
{
  g_autoptr (C2gBlob) blob = new_blob (C2G_DATA_TYPE_INT8, C2G_TEST_DIMS (2, 3));
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "name", NULL);

  io_damage (bytes, check_damaged_stream, NULL);
}

/* Writes to a file and reads it with GIO's streams. */
static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-blob-io-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "blob.pb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) output = NULL;
  g_autoptr (GFileInputStream) input = NULL;
  g_autoptr (C2gBlob) blob = io_new_floats (100000);
  g_autoptr (C2gBlob) loaded = c2g_blob_new ();
  GError *error = NULL;

  output = g_file_create (file, G_FILE_CREATE_NONE, NULL, &error);
  g_assert_no_error (error);
  c2g_blob_serialize_to_stream (blob, "name", C2G_SERIALIZE_NONE, G_OUTPUT_STREAM (output), NULL,
                                &error);
  g_assert_no_error (error);
  g_assert_true (g_output_stream_close (G_OUTPUT_STREAM (output), NULL, &error));
  g_assert_no_error (error);

  input = g_file_read (file, NULL, &error);
  g_assert_no_error (error);
  c2g_blob_deserialize_from_stream (loaded, G_INPUT_STREAM (input), NULL, NULL, &error);
  g_assert_no_error (error);
  assert_equal_tensors (c2g_blob_get_tensor (blob, NULL), c2g_blob_get_tensor (loaded, NULL));

  g_assert_true (g_file_delete (file, NULL, NULL));
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* The given device is used for streams and chunks; it must exist. */
static void
test_device (void)
{
  g_autoptr (C2gBlob) blob = io_new_floats (10);
  g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, "name", NULL);
  C2gDevice *devices[] = { c2g_device_cpu (), c2g_device_new (C2G_DEVICE_TYPE_CUDA, 99, NULL) };

  for (gsize i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
      g_autoptr (C2gBlob) from_stream = c2g_blob_new ();
      g_autoptr (C2gBlob) from_chunks = c2g_blob_new ();
      g_autoptr (GError) error = NULL;

      g_assert_true (c2g_blob_deserialize_from_stream (from_stream, stream, devices[i], NULL,
                                                       &error) == (i == 0));
      g_assert_true (c2g_blob_is_tensor (from_stream, NULL) == (i == 0));
      if (i == 1)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
      g_clear_error (&error);
      g_assert_true (c2g_blob_deserialize_chunks (from_chunks, &bytes, 1, devices[i], &error) ==
                     (i == 0));
      g_assert_true (c2g_blob_is_tensor (from_chunks, NULL) == (i == 0));
      if (i == 1)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_DEVICE);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/blob-io/tensors", test_tensors);
  c2g_test_add_func ("/blob-io/values", test_values);
  c2g_test_add_func ("/blob-io/q-tensor", test_q_tensor);
  c2g_test_add_func ("/blob-io/unwritable", test_unwritable);
  c2g_test_add_func ("/blob-io/identity", test_identity);
  c2g_test_add_func ("/blob-io/partial", test_partial);
  c2g_test_add_func ("/blob-io/refused", test_refused);
  c2g_test_add_func ("/blob-io/newer", test_newer);
  c2g_test_add_func ("/blob-io/damaged", test_damaged);
  c2g_test_add_func ("/blob-io/streams", test_streams);
  c2g_test_add_func ("/blob-io/stream-offset", test_stream_offset);
  c2g_test_add_func ("/blob-io/stream-errors", test_stream_errors);
  c2g_test_add_func ("/blob-io/damaged-streams", test_damaged_streams);
  c2g_test_add_func ("/blob-io/files", test_files);
  c2g_test_add_func ("/blob-io/device", test_device);

  return c2g_test_run ();
}
