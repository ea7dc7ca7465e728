/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/golden-utils.h"
#include "tests/io/record-utils.h"

#include <c2g/io/message/c2g-tensor-writer-private.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

static const C2gDataType types[] = {
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

static const struct
{
  gint64 dims[3];
  gsize  n_dims;
} shapes[] = {
  { { 0 }, 0 },
  { { 17 }, 1 },
  { { 300 }, 1 },
  { { 2, 3, 4 }, 3 },
  { { 0, 5 }, 2 },
  { { 3, 0, 2 }, 3 },
};

static void
fill (C2gTensor   *tensor,
      C2gDataType  data_type)
{
  gsize item_size = c2g_data_type_get_item_size (data_type);
  guint8 *items = c2g_tensor_mutable_data (tensor, data_type, NULL);
  gint64 n = c2g_tensor_get_n_elements (tensor);
  char text[100];

  memset (text, 'x', sizeof text);
  for (gint64 i = 0; i < n; i++)
    if (data_type == C2G_DATA_TYPE_STRING)
      ((GBytes **) (gpointer) items)[i] = i % 5 == 0 ? NULL : g_bytes_new (text, i % 100 + 1);
    else
      for (gsize j = 0; j < item_size; j++)
        items[i * item_size + j] = data_type == C2G_DATA_TYPE_BOOL ? i & 1
                                   : i % 3 == 0                    ? 0
                                                                   : g_test_rand_int ();
}

static C2gTensor *
new_tensor (C2gDataType   data_type,
            const gint64 *dims,
            gsize         n_dims)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_tensor_new_sized (dims, n_dims, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_allocate (tensor, data_type, &error));
  g_assert_no_error (error);
  fill (tensor, data_type);
  return tensor;
}

static C2gTensorPiece
whole (C2gTensor  *tensor,
       const char *name)
{
  return (C2gTensorPiece) {
    .tensor = tensor,
    .name = name,
    .end = c2g_tensor_get_n_elements (tensor),
  };
}

static GBytes *
write_to_memory (const C2gTensorPiece  *piece,
                 gsize                  n_bytes,
                 const C2gJob          *job,
                 GError               **error)
{
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (n_bytes);

  if (!c2g_tensor_piece_write (piece, sink, job, error))
    return NULL;

  g_assert_cmpuint (c2g_sink_get_position (sink), ==, n_bytes);
  return c2g_sink_steal_bytes (sink);
}

/* Nothing is written. */
static void
assert_refused (const C2gTensorPiece *piece,
                int                   code)
{
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_tensor_piece_write (piece, sink, NULL, &error));
  g_assert_error (error, C2G_ERROR, code);
  g_assert_cmpuint (c2g_sink_get_position (sink), ==, 0);
}

static GBytes *
write_to_stream (const C2gTensorPiece  *piece,
                 const C2gJob          *job,
                 GError               **error)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (C2gSink) sink = c2g_sink_new_for_stream (stream);

  if (!c2g_tensor_piece_write (piece, sink, job, error) ||
      !c2g_sink_commit (sink, NULL, error) ||
      !g_output_stream_close (stream, NULL, error))
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

/* Writes to a stream and to memory; the results must be equal. */
static GBytes *
write_piece (const C2gTensorPiece *piece)
{
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  C2gJob job = { NULL, progress };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) streamed = NULL;
  GBytes *bytes;
  gsize n_bytes;

  streamed = write_to_stream (piece, &job, &error);
  g_assert_no_error (error);
  n_bytes = g_bytes_get_size (streamed);
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, n_bytes);

  bytes = write_to_memory (piece, n_bytes, &job, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (streamed, bytes));
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, 2 * n_bytes);
  return bytes;
}

/* Reads a file of Caffe2 and writes it again. */
static void
check_golden_file (const char *file)
{
  g_autoptr (GBytes) message = golden_read (file);
  g_autoptr (C2gSource) source = record_new_source (message, RECORD_FROM_MEMORY);
  g_auto (C2gBlobRecord) record = { NULL };
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GBytes) written = NULL;
  g_autoptr (GError) error = NULL;
  C2gTensorPiece piece;

  g_test_message ("%s", file);
  g_assert_true (record_scan (&record, source, message, &error));
  g_assert_no_error (error);
  tensor = c2g_tensor_record_to_tensor (&record.tensor, source, NULL, &error);
  g_assert_no_error (error);

  piece = whole (tensor, record.name);
  piece.begin = record.tensor.begin;
  piece.end = record.tensor.end;
  piece.float16_as_bytes = strstr (file, "as_bytes") != NULL;
  written = write_piece (&piece);
  g_assert_cmpmem (g_bytes_get_data (written, NULL), g_bytes_get_size (written),
                   g_bytes_get_data (message, NULL), g_bytes_get_size (message));
}

static void
check_golden_entry (JsonObject *entry)
{
  check_golden_file (json_object_get_string_member (entry, "file"));
}

static void
check_golden_list (JsonArray *list)
{
  for (guint i = 0; i < json_array_get_length (list); i++)
    check_golden_entry (json_array_get_object_element (list, i));
}

static void
check_golden_chunks (JsonObject *entry)
{
  check_golden_list (json_object_get_array_member (entry, "chunks"));
}

static void
check_golden_net (JsonObject *entry)
{
  check_golden_list (json_object_get_array_member (entry, "blobs"));
}

static void
test_golden (void)
{
  golden_foreach ("tensors", check_golden_entry);
  golden_foreach ("chunked", check_golden_chunks);
  golden_foreach ("nets", check_golden_net);
}

/* protobuf-c can read the message, and would write the same bytes. */
static void
check_with_protobuf (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) packed = NULL;
  ProtobufCMessage *message;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  message = c2g_wire_parse (&caffe2__blob_proto__descriptor, data, n_bytes, 0, &error);
  g_assert_no_error (error);
  packed = c2g_wire_serialize (message, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (packed, NULL), g_bytes_get_size (packed), data, n_bytes);
  c2g_wire_free (message);
}

static void
check_round_trip (C2gTensor *tensor,
                  GBytes    *bytes)
{
  g_autoptr (GBytes) expected = golden_raw (tensor);

  for (RecordWay way = 0; way < RECORD_N_WAYS; way++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) loaded = record_read_message (bytes, way, &error);
      g_autoptr (GBytes) raw = NULL;
      gsize n_dims, n_loaded_dims;
      const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

      g_assert_no_error (error);
      g_assert_cmpint (c2g_tensor_get_data_type (loaded), ==, c2g_tensor_get_data_type (tensor));
      g_assert_cmpmem (c2g_tensor_get_dims (loaded, &n_loaded_dims),
                       n_loaded_dims * sizeof (gint64), dims, n_dims * sizeof (gint64));
      raw = golden_raw (loaded);
      g_assert_true (g_bytes_equal (raw, expected));
    }
}

static void
test_round_trip (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (shapes); j++)
      {
        g_autoptr (C2gTensor) tensor = new_tensor (types[i], shapes[j].dims, shapes[j].n_dims);
        C2gTensorPiece piece = whole (tensor, "a/b_c");

        for (piece.float16_as_bytes = FALSE; piece.float16_as_bytes <= TRUE;
             piece.float16_as_bytes++)
          {
            g_autoptr (GBytes) bytes = write_piece (&piece);

            check_with_protobuf (bytes);
            check_round_trip (tensor, bytes);
          }
      }
}

/* The chunks together give the original tensor. */
static void
test_chunks (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (types[i], C2G_TEST_DIMS (10, 10));
      g_autoptr (C2gTensor) loaded = NULL;
      g_autoptr (GBytes) expected = golden_raw (tensor);
      g_autoptr (GBytes) raw = NULL;
      g_autoptr (GError) error = NULL;

      for (gint64 end = 100; end > 0; end = MAX (end - 7, 0))
        {
          C2gTensorPiece piece = whole (tensor, "x");
          g_autoptr (GBytes) bytes = NULL;
          g_autoptr (C2gSource) source = NULL;
          g_auto (C2gBlobRecord) record = { NULL };

          piece.begin = MAX (end - 7, 0);
          piece.end = end;
          bytes = write_piece (&piece);
          source = record_new_source (bytes, RECORD_FROM_MEMORY);
          g_assert_true (record_scan (&record, source, bytes, &error));
          g_assert_no_error (error);
          g_assert_cmpint (record.tensor.begin, ==, piece.begin);
          g_assert_cmpint (record.tensor.end, ==, end);
          if (loaded == NULL)
            loaded = c2g_tensor_record_new_tensor (&record.tensor, NULL, &error);
          g_assert_true (c2g_tensor_record_read (&record.tensor, source, loaded, NULL, &error));
          g_assert_no_error (error);
        }

      raw = golden_raw (loaded);
      g_assert_true (g_bytes_equal (raw, expected));
    }
}

/* The bytes are exactly those of Caffe2. */
static void
test_bytes (void)
{
  C2gDevice *cuda = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 3, NULL);
  const struct
  {
    const char *name;
    C2gDataType data_type;
    C2gDevice  *device;
    gboolean    as_bytes;
    gint64      n;
    const char *bytes;
    gsize       n_bytes;
  } cases[] = {
#define CASE(name, data_type, device, as_bytes, n, bytes) \
  { name, C2G_DATA_TYPE_##data_type, device, as_bytes, n, bytes, sizeof (bytes) - 1 }
    CASE ("float", FLOAT, NULL, FALSE, 1,
          "\x0a\x01x\x12\x06Tensor\x1a\x13\x08\x01\x10\x01\x1a\x04\0\0\0\0\x3a\x01x\x5a\x04"
          "\x08\x00\x10\x01"),
    CASE ("on the CPU", FLOAT, c2g_device_cpu (), FALSE, 0,
          "\x0a\x01x\x12\x06Tensor\x1a\x0d\x08\x00\x10\x01\x3a\x01x\x5a\x04\x08\x00\x10\x00"),
    CASE ("of a device", INT64, cuda, FALSE, 1,
          "\x0a\x01x\x12\x06Tensor\x1a\x16\x08\x01\x10\x0a\x3a\x01x\x42\x04\x08\x01\x10\x03"
          "\x52\x01\0\x5a\x04\x08\x00\x10\x01"),
    CASE ("float16", FLOAT16, NULL, FALSE, 1,
          "\x0a\x01x\x12\x06Tensor\x1a\x10\x08\x01\x10\x0c\x22\x01\0\x3a\x01x\x5a\x04"
          "\x08\x00\x10\x01"),
    CASE ("float16 as bytes", FLOAT16, NULL, TRUE, 1,
          "\x0a\x01x\x12\x06Tensor\x1a\x11\x08\x01\x10\x0c\x2a\x02\0\0\x3a\x01x\x5a\x04"
          "\x08\x00\x10\x01"),
    CASE ("no float16 as bytes", FLOAT16, NULL, TRUE, 0,
          "\x0a\x01x\x12\x06Tensor\x1a\x0f\x08\x00\x10\x0c\x2a\x00\x3a\x01x\x5a\x04"
          "\x08\x00\x10\x00"),
    CASE ("string", STRING, NULL, FALSE, 1,
          "\x0a\x01x\x12\x06Tensor\x1a\x0f\x08\x01\x10\x04\x32\x00\x3a\x01x\x5a\x04"
          "\x08\x00\x10\x01"),
    CASE ("own", UINT32, NULL, FALSE, 1,
          "\x0a\x01x\x12\x06Tensor\x1a\x13\x08\x01\x10\x65\x3a\x01x\x5a\x04\x08\x00\x10\x01"
          "\x6a\x04\0\0\0\0"),
#undef CASE
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (cases[i].data_type, &cases[i].n, 1);
      C2gTensorPiece piece = whole (tensor, "x");
      g_autoptr (GBytes) bytes = NULL;

      g_test_message ("%s", cases[i].name);
      piece.device = cases[i].device;
      piece.float16_as_bytes = cases[i].as_bytes;
      bytes = write_piece (&piece);
      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                       cases[i].bytes, cases[i].n_bytes);
    }
}

/* More values than fit into a block; strings of all sizes, also across the end of a block. */
static void
test_large (void)
{
  static const gsize sizes[] = { 0, 1, 127, 128, 16383, 16384, 32767, 32768, 131000, 131072, 200000 };
  g_autofree char *text = g_strnfill (200000, 'x');
  g_autoptr (C2gTensor) strings = new_tensor (C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (200));
  GBytes **items = c2g_tensor_mutable_data (strings, C2G_DATA_TYPE_STRING, NULL);
  g_autoptr (GBytes) string_bytes = NULL;
  C2gTensorPiece piece = whole (strings, "strings");

  for (gsize i = 0; i < 200; i++)
    {
      g_clear_pointer (&items[i], g_bytes_unref);
      items[i] = g_bytes_new (text, sizes[i % G_N_ELEMENTS (sizes)]);
    }
  string_bytes = write_piece (&piece);
  check_with_protobuf (string_bytes);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i += c2g_test_is_quick () ? 4 : 1)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (types[i], C2G_TEST_DIMS (100001));
      C2gTensorPiece part = whole (tensor, "large");
      g_autoptr (GBytes) bytes = write_piece (&part);

      check_with_protobuf (bytes);
      check_round_trip (tensor, bytes);
    }
}

/* Elements of types of the program are messages. */
static void
test_own_elements (void)
{
  g_autoptr (GError) error = NULL;
  C2gTypeMeta *meta = c2g_type_meta_register ("TestOwn", 16, &error);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (3), NULL, &error);
  g_autoptr (GBytes) first = g_bytes_new_static ("abc", 3);
  g_autoptr (GBytes) second = g_bytes_new_static ("", 0);
  GBytes *items[] = { first, second };
  C2gTensorPiece piece;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_true (c2g_tensor_allocate_meta (tensor, meta, &error));
  g_assert_no_error (error);
  piece = whole (tensor, "x");
  piece.begin = 1;
  g_assert_null (write_to_memory (&piece, 0, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
  g_assert_nonnull (strstr (error->message, "TestOwn"));

  piece.items = items;
  bytes = write_piece (&piece);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                   "\x0a\x01x\x12\x06Tensor\x1a\x14\x08\x03\x10\x00\x32\x03"
                   "abc\x32\x00\x3a\x01x\x5a\x04\x08\x01\x10\x03",
                   33);
}

/* A tensor with only a shape, as Caffe2 writes it; without elements that is valid. */
static void
test_no_type (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) empty = c2g_tensor_new_sized (C2G_TEST_DIMS (0), NULL, &error);
  g_autoptr (C2gTensor) shapeless = c2g_tensor_new ();
  g_autoptr (C2gTensor) bare = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, &error);
  C2gTensorPiece piece = whole (empty, "x");
  g_autoptr (GBytes) bytes = write_piece (&piece);

  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                   "\x0a\x01x\x12\x06Tensor\x1a\x0d\x08\x00\x10\x00\x3a\x01x\x5a\x04"
                   "\x08\x00\x10\x00",
                   26);

  piece = (C2gTensorPiece) { .tensor = shapeless, .name = "x" };
  assert_refused (&piece, C2G_ERROR_TYPE);

  piece = whole (bare, "x");
  assert_refused (&piece, C2G_ERROR_TYPE);
}

/* Nothing is written beyond 2 GiB; measuring does not read the elements. */
static void
test_too_large (void)
{
  g_autoptr (GError) error = NULL;
  static const gint64 n = (gint64) 600 << 20;
  g_autoptr (C2gTensor) floats = c2g_tensor_new_sized (&n, 1, NULL, &error);
  g_autoptr (C2gTensor) strings = new_tensor (C2G_DATA_TYPE_STRING, C2G_TEST_DIMS (3));
  g_autofree char *name = g_strnfill (70000, 'x');
  GBytes **items = c2g_tensor_mutable_data (strings, C2G_DATA_TYPE_STRING, NULL);
  static float one_float;
  C2gTensorPiece piece;

  g_assert_true (c2g_tensor_share_external (floats, C2G_DATA_TYPE_FLOAT, &one_float,
                                            n * sizeof (float), NULL, NULL, &error));
  g_assert_no_error (error);
  piece = whole (floats, "x");
  assert_refused (&piece, C2G_ERROR_RANGE);
  /* Too large only because of its names. */
  piece.end = ((gint64) G_MAXINT - 20) / 4;
  assert_refused (&piece, C2G_ERROR_RANGE);

  for (gsize i = 0; i < 3; i++)
    {
      g_clear_pointer (&items[i], g_bytes_unref);
      items[i] = g_bytes_new_static (name, (gsize) 1 << 30);
    }
  piece = whole (strings, "x");
  assert_refused (&piece, C2G_ERROR_RANGE);

  piece = whole (strings, name);
  piece.end = 0;
  assert_refused (&piece, C2G_ERROR_RANGE);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  C2gJob job = { cancellable, NULL };

  g_cancellable_cancel (cancellable);
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (types[i], C2G_TEST_DIMS (1000));
      C2gTensorPiece piece = whole (tensor, "x");
      g_autoptr (GError) error = NULL;

      g_assert_null (write_to_memory (&piece, 0, &job, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&error);
      g_assert_null (write_to_stream (&piece, &job, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

/* Every nonzero byte of a bool is written as 1. */
static void
test_odd_bools (void)
{
  g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_BOOL, C2G_TEST_DIMS (200));
  guint8 *items = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_BOOL, NULL);
  C2gTensorPiece piece = whole (tensor, "x");
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gTensor) loaded = NULL;
  g_autoptr (GError) error = NULL;
  const guint8 *loaded_items;

  for (gsize i = 0; i < 200; i++)
    items[i] = i % 4 == 0 ? 0 : i;
  bytes = write_piece (&piece);
  loaded = record_read_message (bytes, RECORD_FROM_MEMORY, &error);
  g_assert_no_error (error);
  loaded_items = c2g_tensor_data (loaded, C2G_DATA_TYPE_BOOL, NULL);
  for (gsize i = 0; i < 200; i++)
    g_assert_cmpuint (loaded_items[i], ==, i % 4 != 0);
}

/* Not more dimensions are written than can be read. */
static void
test_dims (void)
{
  gint64 dims[1025];

  for (gsize i = 0; i < G_N_ELEMENTS (dims); i++)
    dims[i] = 1;
  for (gsize n_dims = 1024; n_dims <= 1025; n_dims++)
    {
      g_autoptr (C2gTensor) tensor = new_tensor (C2G_DATA_TYPE_FLOAT, dims, n_dims);
      C2gTensorPiece piece = whole (tensor, "x");
      g_autoptr (GError) error = NULL;

      if (n_dims > 1024)
        assert_refused (&piece, C2G_ERROR_RANGE);
      else
        {
          g_autoptr (GBytes) bytes = write_piece (&piece);
          g_autoptr (C2gTensor) loaded = record_read_message (bytes, RECORD_FROM_MEMORY, &error);

          g_assert_no_error (error);
          g_assert_cmpuint (c2g_tensor_get_n_dims (loaded), ==, n_dims);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/tensor-writer/golden", test_golden);
  c2g_test_add_func ("/tensor-writer/round-trip", test_round_trip);
  c2g_test_add_func ("/tensor-writer/chunks", test_chunks);
  c2g_test_add_func ("/tensor-writer/bytes", test_bytes);
  c2g_test_add_func ("/tensor-writer/large", test_large);
  c2g_test_add_func ("/tensor-writer/own-elements", test_own_elements);
  c2g_test_add_func ("/tensor-writer/no-type", test_no_type);
  c2g_test_add_func ("/tensor-writer/too-large", test_too_large);
  c2g_test_add_func ("/tensor-writer/cancelled", test_cancelled);
  c2g_test_add_func ("/tensor-writer/dims", test_dims);
  c2g_test_add_func ("/tensor-writer/odd-bools", test_odd_bools);

  return record_run ();
}
