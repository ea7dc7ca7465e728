/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

#include <gst/check/gstharness.h>
#include <string.h>
#include <zlib.h>

/* c2gpay and c2gdepay: tensors as bytes, whole, in pieces and damaged. */

#define HEADER 48

static void
add (GstBuffer  *buffer,
     const char *name,
     C2gTensor  *tensor)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_gst_buffer_add_tensor (buffer, name, tensor, NULL, &error));
  g_assert_no_error (error);
}

/* A buffer with a tensor of n floats at the second n. */
static GstBuffer *
new_tensors (guint n)
{
  g_autoptr (C2gTensor) tensor = new_floats (n);
  GstBuffer *buffer = gst_buffer_new ();

  add (buffer, "x", tensor);
  GST_BUFFER_PTS (buffer) = n * GST_SECOND;
  GST_BUFFER_DURATION (buffer) = GST_SECOND;

  return buffer;
}

/* Takes buffer. */
static GBytes *
pay (GstBuffer *buffer)
{
  GstHarness *harness = gst_harness_new ("c2gpay");
  GstBuffer *frame;
  gpointer data;
  gsize n_bytes;

  gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors");
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  frame = gst_harness_pull (harness);
  gst_buffer_extract_dup (frame, 0, -1, &data, &n_bytes);
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);

  return g_bytes_new_take (data, n_bytes);
}

/* The end of a stream tells that no buffer had a tensor, and only then. */
static void
test_nothing (void)
{
  for (guint i = 0; i < 3; i++)
    {
      GstHarness *harness = gst_harness_new ("c2gpay");
      GstBus *bus = watch_element (harness->element);

      /* The first stream has no buffers, the second one without tensors, the third one with and without. */
      gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors");
      if (i >= 1)
        g_assert_cmpint (gst_harness_push (harness, gst_buffer_new_allocate (NULL, 4, NULL)), ==, GST_FLOW_OK);
      if (i == 2)
        g_assert_cmpint (gst_harness_push (harness, new_tensors (1)), ==, GST_FLOW_OK);
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      g_assert_cmpuint (count_messages (bus, GST_MESSAGE_WARNING, "*without a tensor"), ==, i == 1 ? 1 : 0);
      free_harness (harness);
    }
}

static GByteArray *
new_stream (guint n_frames)
{
  GByteArray *stream = g_byte_array_new ();

  for (guint i = 0; i < n_frames; i++)
    {
      g_autoptr (GBytes) frame = pay (new_tensors (i + 1));

      g_byte_array_append (stream, g_bytes_get_data (frame, NULL), g_bytes_get_size (frame));
    }

  return stream;
}

static GstHarness *
new_depay (void)
{
  GstHarness *harness = gst_harness_new ("c2gdepay");

  gst_harness_set_src_caps_str (harness, "application/x-c2g-stream");
  return harness;
}

static GstFlowReturn
push_bytes (GstHarness    *harness,
            gconstpointer  data,
            gsize          n_bytes)
{
  return gst_harness_push (harness, gst_buffer_new_memdup (data, n_bytes));
}

/* Returns how many tensors of n floats have come, as bits. */
static guint
pull_all (GstHarness *harness)
{
  guint found = 0;
  GstBuffer *buffer;

  gst_harness_push_event (harness, gst_event_new_eos ());
  while ((buffer = gst_harness_try_pull (harness)) != NULL)
    {
      g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, "x", NULL);
      const gint64 n = c2g_tensor_get_n_elements (tensor);

      g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, n * GST_SECOND);
      g_assert_cmpfloat (c2g_tensor_get_value (tensor, n - 1, NULL), ==, n - 1);
      found |= 1u << (n - 1);
      gst_buffer_unref (buffer);
    }

  return found;
}

static guint
depay (const GByteArray *stream)
{
  GstHarness *harness = new_depay ();
  guint found;

  g_assert_cmpint (push_bytes (harness, stream->data, stream->len), ==, GST_FLOW_OK);
  found = pull_all (harness);
  gst_harness_teardown (harness);

  return found;
}

/* Types, ranks, empty tensors, names and times come as they went. */
static void
test_round_trip (void)
{
  static const C2gDataType types[] = { C2G_DATA_TYPE_FLOAT,   C2G_DATA_TYPE_DOUBLE, C2G_DATA_TYPE_FLOAT16,
                                       C2G_DATA_TYPE_UINT8,   C2G_DATA_TYPE_INT16,  C2G_DATA_TYPE_INT32,
                                       C2G_DATA_TYPE_INT64,   C2G_DATA_TYPE_BOOL };
  GstHarness *harness = gst_harness_new_parse ("c2gpay ! c2gdepay");
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstCaps) caps = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *name = g_strdup_printf ("ä%u", i);
      g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (C2G_TEST_DIMS (i, 2), NULL, NULL);

      g_assert_true (c2g_tensor_allocate (tensor, types[i], NULL));
      for (gint64 k = 0; k < 2 * i; k++)
        g_assert_true (c2g_tensor_set_value (tensor, k, k % 2, NULL));
      add (buffer, name, tensor);
    }
  GST_BUFFER_PTS (buffer) = 5;
  gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors");
  buffer = gst_harness_push_and_pull (harness, buffer);

  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 5);
  g_assert_false (GST_BUFFER_DURATION_IS_VALID (buffer));
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *name = g_strdup_printf ("ä%u", i);
      g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, name, NULL);

      g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, types[i]);
      g_assert_cmpint (c2g_tensor_get_dim (tensor, 0, NULL), ==, i);
      for (gint64 k = 0; k < 2 * i; k++)
        g_assert_cmpfloat (c2g_tensor_get_value (tensor, k, NULL), ==, k % 2);
    }
  gst_buffer_unref (buffer);

  caps = gst_pad_get_current_caps (harness->sinkpad);
  text = gst_caps_to_string (caps);
  g_assert_nonnull (strstr (text, "tensor7"));
  gst_harness_teardown (harness);
}

/* Frames of more tensors than a buffer has memories for: caps do not name each of them. */
static void
test_many (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gpay ! c2gdepay");
  g_autoptr (C2gTensor) one = new_floats (1);
  g_autoptr (C2gTensor) last = NULL;
  g_autoptr (GstCaps) caps = NULL;
  GstBuffer *buffer = gst_buffer_new ();
  GstBuffer *more;

  for (guint i = 0; i < 4096; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      add (buffer, name, one);
    }
  more = gst_buffer_copy (buffer);
  add (more, "more", one);
  gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors");
  buffer = gst_harness_push_and_pull (harness, buffer);
  last = c2g_gst_buffer_get_tensor (buffer, "4095", NULL);
  g_assert_nonnull (last);
  caps = gst_pad_get_current_caps (harness->sinkpad);
  g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps, 0), "format"), ==, "flexible");
  g_assert_cmpuint (g_quark_try_string ("tensor64"), ==, 0);
  gst_buffer_unref (buffer);
  g_assert_cmpint (gst_harness_push (harness, more), ==, GST_FLOW_ERROR);
  gst_harness_teardown (harness);
}

/* The time at which bytes came wins over that of the sender. */
static void
test_times (void)
{
  g_autoptr (GBytes) frame = pay (new_tensors (7));
  GstHarness *harness = new_depay ();
  GstBuffer *buffer = gst_buffer_new_wrapped_bytes (frame);

  g_assert_cmpint (gst_harness_push (harness, gst_buffer_copy (buffer)), ==, GST_FLOW_OK);
  GST_BUFFER_PTS (buffer) = GST_SECOND;
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  for (guint i = 0; i < 2; i++)
    {
      buffer = gst_harness_pull (harness);
      g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, (i == 0 ? 7 : 1) * GST_SECOND);
      gst_buffer_unref (buffer);
    }
  gst_harness_teardown (harness);
}

/* Buffers without tensors are left out, and one that says no time has none. */
static void
test_without (void)
{
  GstHarness *harness = gst_harness_new_parse ("c2gpay ! c2gdepay");
  GstBuffer *buffer = new_tensors (2);

  gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors");
  GST_BUFFER_PTS (buffer) = GST_CLOCK_TIME_NONE;
  g_assert_cmpint (gst_harness_push (harness, new_bytes (3)), ==, GST_FLOW_OK);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  buffer = gst_harness_pull (harness);
  g_assert_false (GST_BUFFER_PTS_IS_VALID (buffer));
  gst_buffer_unref (buffer);
  g_assert_null (gst_harness_try_pull (harness));
  gst_harness_teardown (harness);
}

/* A stream comes in pieces of any size. */
static void
test_pieces (void)
{
  g_autoptr (GByteArray) stream = new_stream (5);

  for (guint i = 0; i < 50; i++)
    {
      GstHarness *harness = new_depay ();
      gsize n_bytes;

      for (gsize begin = 0; begin < stream->len; begin += n_bytes)
        {
          n_bytes = g_test_rand_int_range (1, 4 * i + 2);
          n_bytes = MIN (n_bytes, stream->len - begin);
          g_assert_cmpint (push_bytes (harness, stream->data + begin, n_bytes), ==, GST_FLOW_OK);
        }
      g_assert_cmpuint (pull_all (harness), ==, 31);
      gst_harness_teardown (harness);
    }
}

/* A flush in the middle of a frame forgets it, and the next frames come at once. */
static void
test_flush (void)
{
  g_autoptr (GByteArray) stream = new_stream (5);
  GstHarness *harness = new_depay ();
  GstSegment segment;

  g_assert_cmpint (push_bytes (harness, stream->data, 60), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (harness));
  gst_harness_push_event (harness, gst_event_new_flush_start ());
  gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
  g_assert_cmpint (push_bytes (harness, stream->data, stream->len), ==, GST_FLOW_OK);
  g_assert_cmpuint (pull_all (harness), ==, 31);
  gst_harness_teardown (harness);
}

static GstEvent *
new_seek (double rate)
{
  return gst_event_new_seek (rate, GST_FORMAT_BYTES, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, 0);
}

/* Frames are found forwards only. */
static void
test_backwards (void)
{
  GstHarness *harness = new_depay ();

  g_assert_false (gst_harness_push_upstream_event (harness, new_seek (-1)));
  g_assert_true (gst_harness_push_upstream_event (harness, new_seek (1)));
  gst_harness_teardown (harness);
}

/* Whatever byte of a frame is wrong, the frames before and behind it are read. */
static void
test_damaged (void)
{
  g_autoptr (GByteArray) stream = new_stream (3);
  g_autoptr (GBytes) first = pay (new_tensors (1));
  g_autoptr (GBytes) second = pay (new_tensors (2));

  for (gsize i = 0; i < g_bytes_get_size (second); i++)
    {
      guint8 *byte = &stream->data[g_bytes_get_size (first) + i];
      const guint8 former = *byte;

      *byte ^= 1 << g_test_rand_int_range (0, 8);
      g_assert_cmpuint (depay (stream), ==, 5);
      *byte = former;
    }
  g_assert_cmpuint (depay (stream), ==, 7);
}

/* Bytes are missing: at the beginning, in the middle and at the end. */
static void
test_cut (void)
{
  g_autoptr (GByteArray) stream = new_stream (4);
  const gsize quarter = stream->len / 4;

  g_byte_array_remove_range (stream, stream->len - 7, 7);
  g_byte_array_remove_range (stream, quarter + HEADER, 20);
  g_byte_array_remove_range (stream, 0, 5);
  g_assert_cmpuint (depay (stream), ==, 4);
}

static void
write_crc (guint8 *header)
{
  GST_WRITE_UINT32_LE (header + 44, crc32_z (0, header, 44));
}

/* A header tells of more bytes than may be, or than there are. */
static void
test_sizes (void)
{
  static const guint64 sizes[] = { 0, 1, 4096, G_MAXINT, G_MAXUINT32, G_MAXUINT64 - HEADER + 1, G_MAXUINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GByteArray) stream = new_stream (3);

      GST_WRITE_UINT64_LE (stream->data + 16, sizes[i]);
      write_crc (stream->data);
      g_assert_cmpuint (depay (stream), ==, 6);
    }
}

/* max-size bounds what is kept of a stream. */
static void
test_max_size (void)
{
  g_autoptr (GByteArray) stream = new_stream (3);
  GstHarness *harness = new_depay ();

  g_object_set (harness->element, "max-size", (guint64) 1, NULL);
  g_assert_cmpint (push_bytes (harness, stream->data, stream->len), ==, GST_FLOW_OK);
  g_assert_cmpuint (pull_all (harness), ==, 0);
  gst_harness_teardown (harness);
}

typedef struct
{
  GstElement *element;
  int         is_done;
} Changes;

static gpointer
change_size (gpointer data)
{
  Changes *changes = data;

  while (!g_atomic_int_get (&changes->is_done))
    for (guint64 size = 0; size <= 1 << 20; size += 1 << 20)
      g_object_set (changes->element, "max-size", size, NULL);

  return NULL;
}

/* A limit that changes between two looks at a header lets nothing be read behind the bytes that have come. */
static void
test_max_size_changes (void)
{
  g_autoptr (GBytes) frame = pay (new_tensors (1000));
  GstHarness *harness = new_depay ();
  Changes changes = { harness->element };
  GThread *thread = g_thread_new (NULL, change_size, &changes);

  for (guint i = c2g_test_count_rounds (20000); i > 0; i--)
    g_assert_cmpint (push_bytes (harness, g_bytes_get_data (frame, NULL), 60), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (harness));
  g_atomic_int_set (&changes.is_done, TRUE);
  g_thread_join (thread);
  gst_harness_teardown (harness);
}

/* Headers that tell of all the rest, each with bytes that are not theirs. */
static void
test_false_headers (void)
{
  g_autoptr (GByteArray) stream = g_byte_array_new ();
  g_autoptr (GByteArray) last = new_stream (1);
  const guint n = 20000;

  g_byte_array_set_size (stream, n * HEADER);
  for (guint i = 0; i < n; i++)
    {
      guint8 *header = stream->data + i * HEADER;

      memcpy (header, last->data, HEADER);
      GST_WRITE_UINT64_LE (header + 16, (guint64) (n - i - 1) * HEADER);
      write_crc (header);
    }
  g_byte_array_append (stream, last->data, last->len);
  g_assert_cmpuint (depay (stream), ==, 1);
}

/* A damaged frame whose payload looks like beginnings of frames, in small pieces: leaving it out takes no more
 * time for each byte the more there are. */
static void
test_false_magic (void)
{
  static const guint8 magic[] = { 0x93, 'C', '2', 'G', 'T', 'N', 'S', '\n' };
  g_autoptr (GByteArray) stream = new_stream (1);
  g_autoptr (GByteArray) last = new_stream (1);
  GstHarness *harness = new_depay ();

  g_byte_array_set_size (stream, HEADER);
  for (guint i = 0; i < 8 * 1024 * 1024 / sizeof magic; i++)
    g_byte_array_append (stream, magic, sizeof magic);
  GST_WRITE_UINT64_LE (stream->data + 16, stream->len - HEADER);
  write_crc (stream->data);
  g_byte_array_append (stream, last->data, last->len);
  for (gsize i = 0; i < stream->len; i += 4096)
    g_assert_cmpint (push_bytes (harness, stream->data + i, MIN (stream->len - i, 4096)), ==, GST_FLOW_OK);
  g_assert_cmpuint (pull_all (harness), ==, 1);
  gst_harness_teardown (harness);
}

static void
test_version (void)
{
  g_autoptr (GByteArray) stream = new_stream (1);
  GstHarness *harness = new_depay ();

  stream->data[8] = 2;
  write_crc (stream->data);
  g_assert_cmpint (push_bytes (harness, stream->data, stream->len), ==, GST_FLOW_ERROR);
  gst_harness_teardown (harness);
}

/* Makes the CRCs of a frame right that has been changed. */
static void
sign (GByteArray *frame)
{
  GST_WRITE_UINT64_LE (frame->data + 16, frame->len - HEADER);
  GST_WRITE_UINT32_LE (frame->data + 40, crc32_z (0, frame->data + HEADER, frame->len - HEADER));
  write_crc (frame->data);
}

/* A part of a tensor of 2^40 bytes: no memory is taken for it. */
static void
test_tells_of_much (void)
{
  /* name, type, and a tensor: dims: 2^38, data_type: float, float_data: one, segment: 0 to 1 */
  static const char message[] = "\x0a\x01x\x12\x06Tensor\x1a\x14"
                                "\x08\x80\x80\x80\x80\x80\x08\x10\x01\x1d\0\0\x80\x3f\x5a\x04\x08\0\x10\x01";
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (GByteArray) stream = new_stream (1);
  g_autoptr (GByteArray) next = new_stream (2);

  g_byte_array_set_size (stream, HEADER + 4);
  GST_WRITE_UINT32_LE (stream->data + HEADER, sizeof message - 1);
  g_byte_array_append (stream, (const guint8 *) message, sizeof message - 1);
  sign (stream);
  g_byte_array_append (stream, next->data, next->len);
  c2g_memory_reporter_reset_peak (reporter);
  g_assert_cmpuint (depay (stream), ==, 3);
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, NULL), <, 1000);
}

/* A tensor of no elements and no type is none. */
static void
test_no_type (void)
{
  static const char message[] = "\x0a\x01x\x12\x06Tensor\x1a\x04\x08\0\x10\0";
  g_autoptr (GByteArray) stream = new_stream (1);

  g_byte_array_set_size (stream, HEADER + 4);
  GST_WRITE_UINT32_LE (stream->data + HEADER, sizeof message - 1);
  g_byte_array_append (stream, (const guint8 *) message, sizeof message - 1);
  sign (stream);
  g_assert_cmpuint (depay (stream), ==, 0);
}

/* Frames with payloads that were changed at random, and signed: each is read, or left out. */
static void
test_random (void)
{
  g_autoptr (GByteArray) good = new_stream (1);
  const guint n = c2g_test_count_rounds (2000);
  GstHarness *harness = new_depay ();

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GByteArray) frame = g_byte_array_new ();
      GstBuffer *buffer;

      g_byte_array_append (frame, good->data, good->len);
      for (guint k = 0; k < 1 + i % 4; k++)
        frame->data[g_test_rand_int_range (HEADER, frame->len)] = g_test_rand_int ();
      if (i % 5 == 0)
        g_byte_array_set_size (frame, g_test_rand_int_range (HEADER, frame->len));
      GST_WRITE_UINT32_LE (frame->data + 12, i % 7 == 0 ? (guint32) g_test_rand_int () : 1);
      sign (frame);
      g_assert_cmpint (push_bytes (harness, frame->data, frame->len), ==, GST_FLOW_OK);
      while ((buffer = gst_harness_try_pull (harness)) != NULL)
        gst_buffer_unref (buffer);
    }
  g_assert_cmpint (push_bytes (harness, good->data, good->len), ==, GST_FLOW_OK);
  g_assert_cmpuint (pull_all (harness), ==, 1);
  gst_harness_teardown (harness);
}

/* Pipelines */

#define N_SENT 5

static GstElement *
start (const char *line)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), !=, GST_STATE_CHANGE_FAILURE);
  return pipeline;
}

static void
stop (GstElement *pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* Sends tensors of 1 to N_SENT floats. */
static void
send_all (GstElement *pipeline)
{
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  GstFlowReturn flow;

  for (gint64 n = 1; n <= N_SENT; n++)
    {
      g_autoptr (C2gTensor) tensor = new_floats (n);

      g_signal_emit_by_name (source, "push-tensor", tensor, &flow);
      g_assert_cmpint (flow, ==, GST_FLOW_OK);
    }
  g_signal_emit_by_name (source, "end-of-stream", &flow);
}

static void
receive_all (GstElement *pipeline)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  for (gint64 n = 1; n <= N_SENT; n++)
    {
      g_autoptr (C2gWorkspace) workspace = NULL;
      g_autoptr (C2gBlob) blob = NULL;
      g_autoptr (C2gTensor) expected = new_floats (n);

      g_signal_emit_by_name (sink, "pull-tensors", &workspace);
      g_assert_nonnull (workspace);
      blob = c2g_workspace_lookup_blob (workspace, "tensor");
      g_assert_true (c2g_test_equal (c2g_blob_get_tensor (blob, NULL), expected));
    }
}

static void
wait_for_end (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message =
    gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
}

/* The element that GStreamer's other plugins may have. Says why the test does nothing without it. */
static gboolean
has_element (const char *name)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);

  if (factory == NULL)
    g_test_skip_printf ("There is no %s", name);
  return factory != NULL;
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "tensors", NULL);
  g_autofree char *out = g_strdup_printf ("c2gsrc name=source ! c2gpay ! filesink location=%s", path);
  g_autofree char *in =
    g_strdup_printf ("filesrc location=%s blocksize=11 ! c2gdepay ! c2gsink name=sink sync=false", path);
  GstElement *pipeline = start (out);

  send_all (pipeline);
  wait_for_end (pipeline);
  stop (pipeline);
  pipeline = start (in);
  receive_all (pipeline);
  stop (pipeline);
  g_assert_cmpint (unlink (path) | rmdir (folder), ==, 0);
}

/* A source of an empty file has its own error. */
static void
test_empty_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "nothing", NULL);
  g_autofree char *line = g_strdup_printf ("filesrc location=%s ! c2gdepay ! c2gsink sync=false", path);
  g_autoptr (GstBus) bus = NULL;
  GstElement *pipeline;

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  pipeline = start (line);
  bus = gst_element_get_bus (pipeline);
  wait_for_error (bus, "No valid frames found before end of stream");
  stop (pipeline);
  g_assert_cmpint (unlink (path) | rmdir (folder), ==, 0);
}

/* Sends to a receiver that says at which port it listens. */
static void
check_port (const char *in,
            const char *property,
            const char *out)
{
  GstElement *receiver = start (in);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (receiver), "network");
  g_autofree char *line = NULL;
  GstElement *sender;
  int port;

  /* It listens before it waits for bytes. */
  do
    {
      g_object_get (source, property, &port, NULL);
      g_thread_yield ();
    }
  while (port <= 0);
  line = g_strdup_printf ("c2gsrc name=source ! c2gpay ! %s port=%d", out, port);
  sender = start (line);
  send_all (sender);
  receive_all (receiver);
  wait_for_end (sender);
  stop (sender);
  stop (receiver);
}

static void
test_tcp (void)
{
  if (has_element ("tcpserversrc"))
    check_port ("tcpserversrc name=network host=127.0.0.1 port=0 ! c2gdepay ! c2gsink name=sink sync=false",
                "current-port", "tcpclientsink host=127.0.0.1");
}

/* Shared memory, of which the receiver makes buffers. */
static void
test_shm (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "socket", NULL);
  g_autofree char *out = g_strdup_printf ("c2gsrc name=source ! c2gpay ! shmsink socket-path=%s", path);
  g_autofree char *in =
    g_strdup_printf ("shmsrc socket-path=%s ! c2gdepay ! c2gsink name=sink sync=false", path);

  if (has_element ("shmsink"))
    {
      GstElement *sender = start (out);
      GstElement *receiver;

      while (!g_file_test (path, G_FILE_TEST_EXISTS))
        g_thread_yield ();
      receiver = start (in);
      send_all (sender);
      receive_all (receiver);
      stop (receiver);
      stop (sender);
    }
  g_assert_cmpint (rmdir (folder), ==, 0);
}

/* Datagrams are smaller than frames, and may be lost: RTP puts them together. */
static void
test_rtp (void)
{
  if (has_element ("rtpgstpay") && has_element ("udpsrc"))
    check_port ("udpsrc name=network address=127.0.0.1 port=0 "
                "caps=application/x-rtp,media=application,clock-rate=90000,encoding-name=X-GST "
                "! rtpgstdepay ! c2gdepay ! c2gsink name=sink sync=false",
                "port", "rtpgstpay ! udpsink host=127.0.0.1");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst/wire/round-trip", test_round_trip);
  add_gst_func ("/gst/wire/nothing", test_nothing);
  add_gst_func ("/gst/wire/many", test_many);
  add_gst_func ("/gst/wire/times", test_times);
  add_gst_func ("/gst/wire/without", test_without);
  add_gst_func ("/gst/wire/pieces", test_pieces);
  add_gst_func ("/gst/wire/flush", test_flush);
  add_gst_func ("/gst/wire/backwards", test_backwards);
  add_gst_func ("/gst/wire/damaged", test_damaged);
  add_gst_func ("/gst/wire/cut", test_cut);
  add_gst_func ("/gst/wire/sizes", test_sizes);
  add_gst_func ("/gst/wire/max-size", test_max_size);
  add_gst_func ("/gst/wire/max-size-changes", test_max_size_changes);
  add_gst_func ("/gst/wire/false-headers", test_false_headers);
  add_gst_func ("/gst/wire/false-magic", test_false_magic);
  add_gst_func ("/gst/wire/version", test_version);
  add_gst_func ("/gst/wire/tells-of-much", test_tells_of_much);
  add_gst_func ("/gst/wire/no-type", test_no_type);
  add_gst_func ("/gst/wire/random", test_random);
  add_gst_func ("/gst/wire/file", test_file);
  add_gst_func ("/gst/wire/empty-file", test_empty_file);
  add_gst_func ("/gst/wire/tcp", test_tcp);
  add_gst_func ("/gst/wire/shm", test_shm);
  add_gst_func ("/gst/wire/rtp", test_rtp);

  return run_gst_tests ();
}
