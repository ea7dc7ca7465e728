/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-bridge.h"

/* c2gbridge with flexible streams of NNStreamer, whose tensors have headers. */

#define FLEXIBLE "other/tensors, format=(string)flexible, framerate=(fraction)30/1"
#define HEADER   128

/* Numbers of a header, by their place. */
enum
{
  MAGIC,
  VERSION,
  TYPE,
  DIMS,
  FORMAT = 19,
  MEDIA,
};

/* A header for bytes, with dimensions until one of 0. */
static void
fill_header (guint32       *header,
             guint32        type,
             const guint32 *dims)
{
  memset (header, 0, HEADER);
  header[MAGIC] = 0xfeedcced;
  header[VERSION] = 0xde001000;
  header[TYPE] = type;
  for (guint i = 0; dims[i] > 0; i++)
    header[DIMS + i] = dims[i];
  header[FORMAT] = 1;
  header[MEDIA] = 4;
}

/* A tensor of n × 2 bytes 0, 1, 2 … behind its header. */
static GstBuffer *
new_flexible (guint32 n)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, HEADER + 2 * n, NULL);
  guint32 header[HEADER / 4];
  GstMapInfo map;

  fill_header (header, 5, (const guint32[]) { n, 2, 0 });
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memcpy (map.data, header, HEADER);
  for (guint i = 0; i < 2 * n; i++)
    map.data[HEADER + i] = i;
  gst_buffer_unmap (buffer, &map);

  return buffer;
}

/* Tensors of a flexible stream lie over its memories, whose number and shapes change, and go back as the same
 * bytes. */
static void
test_flexible (void)
{
  GstHarness *harness = new_bridge (FLEXIBLE);
  GstHarness *back = gst_harness_new ("c2gbridge");

  gst_harness_set_caps_str (back, C2G_CAPS ", framerate=(fraction)30/1", FLEXIBLE);
  for (guint n = 1; n <= 16; n++)
    {
      GstBuffer *buffer = gst_buffer_new ();
      g_autoptr (GstBuffer) sent = NULL;
      g_autoptr (C2gTensor) tensor = NULL;
      g_autofree char *name = n == 1 ? g_strdup ("tensor") : g_strdup_printf ("tensor%u", n - 1);
      g_autofree char *dims = g_strdup_printf ("2 %u", n);

      for (guint i = 1; i <= n; i++)
        buffer = gst_buffer_append (buffer, new_flexible (i));
      sent = gst_buffer_ref (buffer);
      buffer = gst_harness_push_and_pull (harness, buffer);
      assert_tensor (buffer, name, C2G_DATA_TYPE_UINT8, dims);
      tensor = c2g_gst_buffer_get_tensor (buffer, name, NULL);
      g_assert_true (address_of (tensor) == (const guint8 *) address_of_memory (sent, n - 1) + HEADER);
      buffer = gst_harness_push_and_pull (back, buffer);
      g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, n);
      assert_same_bytes (buffer, sent);
      assert_caps_are (back, FLEXIBLE);
      gst_buffer_unref (buffer);
    }
  gst_harness_teardown (back);
  gst_harness_teardown (harness);
}

/* All types, several tensors in one memory, and what headers may say besides. */
static void
test_flexible_headers (void)
{
  GstHarness *harness = new_bridge (FLEXIBLE);
  GstBuffer *buffer = gst_buffer_new ();

  for (guint i = 0; i < G_N_ELEMENTS (nns_types); i++)
    {
      GstBuffer *one = gst_buffer_new_allocate (NULL, HEADER + 6 * nns_types[i].item_size, NULL);
      guint32 header[HEADER / 4];

      gst_buffer_memset (one, 0, 0, -1);
      fill_header (header, i, (const guint32[]) { 3, 2, 1, 1, 1, 1, 0 });
      header[VERSION] += i;
      header[FORMAT] = i % 2;
      header[MEDIA] = i;
      gst_buffer_fill (one, 0, header, HEADER);
      buffer = gst_buffer_append (buffer, one);
    }
  gst_buffer_replace_all_memory (buffer, gst_buffer_get_all_memory (buffer));
  buffer = gst_harness_push_and_pull (harness, buffer);
  for (guint i = 0; i < G_N_ELEMENTS (nns_types); i++)
    {
      g_autofree char *name = g_strdup_printf ("tensor%u", i);

      assert_tensor (buffer, name, nns_types[i].data_type, "1 1 2 3");
    }
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

/* A buffer of a flexible stream has a memory for each tensor, so there are not more of them. */
static void
test_flexible_many (void)
{
  GstHarness *harness = gst_harness_new ("c2gbridge");
  GstBuffer *buffer = gst_buffer_new ();

  for (guint i = 0; i < 17; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      add_floats (buffer, name, 1);
    }
  gst_harness_set_caps_str (harness, C2G_CAPS, FLEXIBLE);
  g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_NOT_NEGOTIATED);
  gst_harness_teardown (harness);

  buffer = gst_buffer_new ();
  for (guint i = 0; i < 257; i++)
    {
      GstBuffer *one = new_flexible (1);

      buffer = gst_buffer_append (buffer, one);
    }
  assert_refused (new_bridge (FLEXIBLE), buffer);
}

/* Each number of a header that is wrong. */
static void
test_hostile_headers (void)
{
  static const struct
  {
    guint place;
    guint32 value;
  } cases[] = {
    { MAGIC, 0 },
    { MAGIC, 0xf00dc0de },
    { VERSION, 0 },
    { VERSION, 0xde002000 },
    { VERSION, 0xdf001000 },
    { TYPE, 11 },
    { TYPE, 0xffffffff },
    { TYPE, 7 },
    { DIMS, 0 },
    { DIMS, 3 },
    { DIMS, 5 },
    { DIMS, 0xffffffff },
    { DIMS + 1, 0 },
    { DIMS + 1, 0x80000000 },
    { DIMS + 2, 2 },
    { DIMS + 3, 1 },
    { DIMS + 15, 1 },
    { FORMAT, 2 },
    { FORMAT, 0xffffffff },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GstBuffer) sound = new_flexible (4);
      GstBuffer *buffer = new_guarded (HEADER + 8);
      GstMapInfo map;

      g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
      gst_buffer_extract (sound, 0, map.data, -1);
      memcpy (map.data + 4 * cases[i].place, &cases[i].value, 4);
      gst_buffer_unmap (buffer, &map);
      assert_refused (new_bridge (FLEXIBLE), buffer);
    }
}

/* Bytes at random, and sound ones that are cut. */
static void
test_random_headers (void)
{
  for (guint i = c2g_test_count_rounds (500); i > 0; i--)
    {
      g_autoptr (GstBuffer) sound = gst_buffer_append (new_flexible (4), new_flexible (7));
      const gsize n_bytes = gst_buffer_get_size (sound);
      const gsize n_left = g_test_rand_int_range (0, n_bytes);
      GstHarness *harness = new_bridge (FLEXIBLE);
      GstBuffer *buffer = new_guarded (n_left);
      GstFlowReturn flow;
      GstMapInfo map;

      g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
      gst_buffer_extract (sound, 0, map.data, n_left);
      for (guint k = n_left > 0 ? i % 4 : 0; k > 0; k--)
        map.data[g_test_rand_int_range (0, n_left)] ^= 1 << g_test_rand_int_range (0, 8);
      gst_buffer_unmap (buffer, &map);
      flow = gst_harness_push (harness, buffer);
      g_assert_true (flow == GST_FLOW_ERROR || n_left > HEADER);
      gst_harness_teardown (harness);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_gst_func ("/gst/flexible", test_flexible);
  add_gst_func ("/gst/flexible/headers", test_flexible_headers);
  add_gst_func ("/gst/flexible/many", test_flexible_many);
  add_gst_func ("/gst/flexible/hostile-headers", test_hostile_headers);
  add_gst_func ("/gst/flexible/random-headers", test_random_headers);

  return run_gst_tests ();
}
