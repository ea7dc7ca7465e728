/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"
#include "gst-place.h"

#include <gst/base/gstbasesrc.h>

#include <fcntl.h>
#include <sys/stat.h>

/* c2gstore and c2gload: streams of tensors in files. */

static const char *const endings[] = {
#ifdef HAVE_LMDB
  "lmdb",
#endif
  "minidb", "npz", "safetensors"
};

static GstHarness *
new_store (const Place *place)
{
  GstElement *element = gst_element_factory_make ("c2gstore", NULL);
  GstHarness *harness;

  g_object_set (element, "location", place->path, NULL);
  watch_element (element);
  harness = gst_harness_new_with_element (element, "sink", NULL);
  gst_object_unref (element);
  gst_harness_set_src_caps_str (harness, "application/x-c2g-tensors, format=flexible");

  return harness;
}

static GstBuffer *
new_tensors (const char   *name,
             gint64        n,
             GstClockTime  time)
{
  GstBuffer *buffer = gst_buffer_new ();

  add_floats (buffer, name, n);
  GST_BUFFER_PTS (buffer) = time;
  return buffer;
}

/* Stores so many buffers: the n-th has a tensor of n + 1 elements. */
static void
store_many (const Place *place,
            guint        n)
{
  GstHarness *harness = new_store (place);

  for (guint i = 0; i < n; i++)
    g_assert_cmpint (gst_harness_push (harness, new_tensors ("a", i + 1, i * GST_SECOND)), ==, GST_FLOW_OK);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  free_harness (harness);
}

static GstHarness *
make_load (const Place *place)
{
  GstElement *element = gst_element_factory_make ("c2gload", NULL);
  GstHarness *harness;

  g_object_set (element, "location", place->path, NULL);
  watch_element (element);
  harness = gst_harness_new_with_element (element, NULL, "src");
  gst_object_unref (element);

  return harness;
}

static GstHarness *
new_load (const Place *place)
{
  GstHarness *harness = make_load (place);

  gst_harness_play (harness);
  return harness;
}

/* Nothing at the end of the stream. */
static GstBuffer *
pull (GstHarness *harness)
{
  GstBuffer *buffer = NULL;

  g_assert_true (gst_harness_pull_until_eos (harness, &buffer));
  return buffer;
}

static void
assert_floats (GstBuffer  *buffer,
               const char *name,
               gint64      n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_gst_buffer_get_tensor (buffer, name, &error);
  g_autoptr (C2gTensor) expected = new_floats (n);
  gboolean is_equal = FALSE;

  g_assert_no_error (error);
  g_assert_true (c2g_tensor_equal (tensor, expected, &is_equal, &error) && is_equal);
}

/* Names, values, shapes that change, and times. */
static void
test_formats (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      GstHarness *harness = new_store (&place);
      GstBuffer *buffer = new_tensors ("b/c", 3, 5);
      GstCaps *caps;

      add_floats (buffer, "ü b", 2);
      GST_BUFFER_DURATION (buffer) = 7;
      gst_harness_push (harness, buffer);
      gst_harness_push (harness, gst_buffer_new ());
      gst_harness_push (harness, new_tensors ("00000000/x", 4, GST_CLOCK_TIME_NONE));
      gst_harness_push_event (harness, gst_event_new_eos ());
      free_harness (harness);

      harness = new_load (&place);
      buffer = pull (harness);
      assert_floats (buffer, "b/c", 3);
      assert_floats (buffer, "ü b", 2);
      g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, 5);
      g_assert_cmpuint (GST_BUFFER_DURATION (buffer), ==, 7);
      gst_buffer_unref (buffer);
      buffer = pull (harness);
      assert_tensors (buffer, "00000000/x");
      assert_floats (buffer, "00000000/x", 4);
      g_assert_false (GST_BUFFER_PTS_IS_VALID (buffer));
      gst_buffer_unref (buffer);
      g_assert_null (pull (harness));
      caps = gst_pad_get_current_caps (harness->sinkpad);
      g_assert_true (gst_structure_has_field (gst_caps_get_structure (caps, 0), "tensor0"));
      gst_caps_unref (caps);
      free_harness (harness);
    }
}

/* One name is that of the record of the time, the other that of a chunk. The end that comes after the error leaves no
 * file. */
static void
test_bad_names (void)
{
  static const char *const names[] = { "@time", "x#%0" };

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      const char *bad = names[i % G_N_ELEMENTS (names)];
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      g_autofree char *message = NULL;
      GstHarness *harness = new_store (&place);

      g_assert_cmpint (gst_harness_push (harness, new_tensors ("good", 2, 0)), ==, GST_FLOW_OK);
      g_assert_cmpint (gst_harness_push (harness, new_tensors (bad, 2, 1)), ==, GST_FLOW_ERROR);
      message = pop_error (harness->element);
      g_assert_true (message != NULL && strstr (message, bad) != NULL);
      gst_harness_push_event (harness, gst_event_new_eos ());
      g_assert_false (g_file_test (place.path, G_FILE_TEST_EXISTS));
      free_harness (harness);
    }
}

/* The next buffer has a tensor of so many elements. */
static void
assert_next (GstHarness *harness,
             gint64      n)
{
  g_autoptr (GstBuffer) buffer = pull (harness);

  assert_floats (buffer, "a", n);
}

static gboolean
flush (GstHarness *harness)
{
  GstSegment segment;
  gboolean is_done;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  is_done = gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (harness, gst_event_new_segment (&segment));

  return is_done;
}

/* A flush drops what was stored, also when the stream has ended; only a whole LMDB database is never replaced. */
static void
test_flush (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      const gboolean is_lmdb = g_strcmp0 (endings[i], "lmdb") == 0;
      g_autofree char *message = NULL;
      GstHarness *harness = new_store (&place);

      gst_harness_push (harness, new_tensors ("a", 1, 0));
      gst_harness_push (harness, new_tensors ("a", 2, 0));
      g_assert_true (flush (harness));
      gst_harness_push (harness, new_tensors ("a", 3, 0));
      gst_harness_push (harness, new_tensors ("a", 4, 0));
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      g_assert_true (flush (harness) == !is_lmdb);
      message = pop_error (harness->element);
      g_assert_true ((message != NULL) == is_lmdb);
      g_assert_true ((gst_harness_push (harness, new_tensors ("a", 5, 0)) == GST_FLOW_OK) == !is_lmdb);
      free_harness (harness);

      harness = new_load (&place);
      assert_next (harness, 3);
      assert_next (harness, 4);
      g_assert_null (pull (harness));
      free_harness (harness);
    }
}

/* A second end of the stream without tensors does not write the file again: another program may have moved it away. */
static void
test_second_end (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      g_autofree char *moved = g_strconcat (place.path, ".moved", NULL);
      GstHarness *harness = new_store (&place);

      gst_harness_push (harness, new_tensors ("a", 1, 0));
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      g_assert_cmpint (g_rename (place.path, moved), ==, 0);
      gst_harness_push_event (harness, gst_event_new_stream_start ("second"));
      gst_harness_push_event (harness, gst_event_new_eos ());
      free_harness (harness);
      g_assert_false (g_file_test (place.path, G_FILE_TEST_EXISTS));
      g_assert_cmpint (g_rename (moved, place.path), ==, 0);

      harness = new_load (&place);
      assert_next (harness, 1);
      g_assert_null (pull (harness));
      free_harness (harness);
    }
}

/* The tensors of a second stream are added. Pads of GStreamer 1.28 let it through, those of 1.22 do not. */
static void
test_second_stream (void)
{
  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      GstHarness *harness = new_store (&place);
      const gboolean is_added = minor >= 28;

      gst_harness_push (harness, new_tensors ("a", 1, 0));
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      gst_harness_push_event (harness, gst_event_new_stream_start ("second"));
      g_assert_true ((gst_harness_push (harness, new_tensors ("a", 2, 0)) == GST_FLOW_OK) == is_added);
      gst_harness_push_event (harness, gst_event_new_eos ());
      free_harness (harness);

      harness = new_load (&place);
      assert_next (harness, 1);
      if (is_added)
        assert_next (harness, 2);
      g_assert_null (pull (harness));
      free_harness (harness);
    }
}

static void
assert_start_fails (const char *factory,
                    const char *location,
                    const char *pattern)
{
  GstElement *element = new_element (factory);
  g_autofree char *message = NULL;

  g_object_set (element, "location", location, NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  message = pop_error (element);
  g_assert_true (message != NULL && g_pattern_match_simple (pattern, message));
  free_element (element);
}

/* One of two elements that write to one file would win without a word. When the first has stopped, the second may. */
static void
test_two (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      g_autofree char *around = g_build_filename (place.folder, "x", "..", name, NULL);
      GstHarness *harness = new_store (&place);

      assert_start_fails ("c2gstore", around, "*Another*");
      gst_harness_push (harness, new_tensors ("a", 1, 0));
      assert_start_fails ("c2gstore", place.path, "*Another*");
      free_harness (harness);
      store_many (&place, 1);
      harness = new_load (&place);
      assert_next (harness, 1);
      free_harness (harness);
    }
}

/* The file beside the one that an element writes. */
static char *
lock_of (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *lock_name = g_strdup_printf (".%s.c2gstore", name);

  return g_build_filename (folder, lock_name, NULL);
}

/* Symbolic links and relative paths are other names for one file, which need not be there yet. */
static void
test_other_names (void)
{
  g_auto (Place) place = new_place ("stream.npz");
  g_autofree char *link = g_build_filename (place.folder, "link.npz", NULL);
  g_autofree char *far_link = g_build_filename (place.folder, "far-link.npz", NULL);
  g_autofree char *folder = g_build_filename (place.folder, "folder", NULL);
  g_autofree char *inside = g_build_filename (folder, "stream.npz", NULL);
  g_autofree char *before = g_get_current_dir ();

  g_assert_cmpint (symlink ("stream.npz", link), ==, 0);
  g_assert_cmpint (symlink (link, far_link), ==, 0);
  g_assert_cmpint (symlink (".", folder), ==, 0);
  g_assert_cmpint (g_chdir (place.folder), ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      GstHarness *harness = new_store (&place);

      assert_start_fails ("c2gstore", link, "*Another*");
      assert_start_fails ("c2gstore", far_link, "*Another*");
      assert_start_fails ("c2gstore", inside, "*Another*");
      assert_start_fails ("c2gstore", "stream.npz", "*Another*");
      free_harness (harness);
      store_many (&(Place) { NULL, far_link }, 1);
      g_assert_true (g_file_test (place.path, G_FILE_TEST_IS_REGULAR));
    }
  g_assert_cmpint (g_chdir (before), ==, 0);
  g_assert_cmpint (g_remove (link) | g_remove (far_link) | g_remove (folder), ==, 0);
}

/* A file is replaced under one of its names, so two elements may write to two hard links. */
static void
test_hard_links (void)
{
  g_auto (Place) place = new_place ("stream.npz");
  g_autofree char *link_path = g_build_filename (place.folder, "link.npz", NULL);
  Place other = { place.folder, link_path };
  GstHarness *harness;

  store_many (&place, 1);
  g_assert_cmpint (link (place.path, link_path), ==, 0);
  harness = new_store (&place);
  gst_harness_push (harness, new_tensors ("a", 1, 0));
  store_many (&other, 2);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  free_harness (harness);
  for (guint n = 1; n <= 2; n++)
    {
      harness = new_load (n == 1 ? &place : &other);
      for (guint i = 1; i <= n; i++)
        assert_next (harness, i);
      g_assert_null (pull (harness));
      free_harness (harness);
    }
  g_assert_cmpint (g_remove (link_path), ==, 0);
}

#define LOCATION "C2G_TEST_LOCATION"

/* One of the elements is in another process. */
static void
test_processes (void)
{
  g_autofree char *lock = NULL;
  GstHarness *harness;
  Place place;

  if (g_test_subprocess ())
    {
      assert_start_fails ("c2gstore", g_getenv (LOCATION), "*Another*");
      return;
    }

  place = new_place ("stream.npz");
  lock = lock_of (place.path);
  g_setenv (LOCATION, place.path, TRUE);
  harness = new_store (&place);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  free_harness (harness);
  g_unsetenv (LOCATION);

  /* The lock file of a process that was killed, without a lock. */
  g_assert_true (g_file_set_contents (lock, "", 0, NULL));
  store_many (&place, 1);
  clear_place (&place);
}

/* An element that has lost its lock does not remove the lock of the next one. */
static void
test_removed_lock (void)
{
  g_auto (Place) place = new_place ("stream.npz");
  g_autofree char *lock = lock_of (place.path);
  GstHarness *first = new_store (&place);
  GstHarness *second;

  g_assert_cmpint (g_remove (lock), ==, 0);
  second = new_store (&place);
  free_harness (first);
  assert_start_fails ("c2gstore", place.path, "*Another*");
  free_harness (second);
  g_assert_false (g_file_test (lock, G_FILE_TEST_EXISTS));
}

/* A flush does not give the file to an element that waits for it. */
static void
test_flush_keeps_lock (void)
{
  g_auto (Place) place = new_place ("stream.npz");
  g_autofree char *lock = lock_of (place.path);
  GstHarness *harness = new_store (&place);
  const int fd = g_open (lock, O_RDONLY, 0);
  struct stat data;

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (flush (harness));
  g_assert_cmpint (fstat (fd, &data), ==, 0);
  g_assert_cmpuint (data.st_nlink, ==, 1);
  close (fd);
  free_harness (harness);
}

/* The name of a file may have as many bytes as file systems take. */
static void
test_long_name (void)
{
  g_autofree char *stem = g_strnfill (255 - strlen (".npz"), 'x');
  g_autofree char *name = g_strconcat (stem, ".npz", NULL);
  g_auto (Place) place = new_place (name);
  GstHarness *harness;

  harness = new_store (&place);
  assert_start_fails ("c2gstore", place.path, "*Another*");
  g_assert_cmpint (gst_harness_push (harness, new_tensors ("a", 1, 0)), ==, GST_FLOW_OK);
  free_harness (harness);
}

static void
test_no_location (void)
{
  GstElement *element = new_element ("c2gstore");
  g_autofree char *message = NULL;

  gst_util_set_object_arg (G_OBJECT (element), "format", "npz");
  g_object_set (element, "location", "", NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), ==, GST_STATE_CHANGE_FAILURE);
  message = pop_error (element);
  g_assert_nonnull (message);
  free_element (element);
}

/* Nothing is written beside a lock that is no file. */
static void
test_strange_locks (void)
{
  g_auto (Place) place = new_place ("stream.npz");
  g_autofree char *lock = lock_of (place.path);

  g_assert_cmpint (symlink (place.path, lock), ==, 0);
  assert_start_fails ("c2gstore", place.path, "*links*");
  g_assert_false (g_file_test (place.path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_remove (lock), ==, 0);
}

static char *
read_file (const Place *place,
           gsize       *n)
{
  g_autoptr (GError) error = NULL;
  char *data;

  g_assert_true (g_file_get_contents (place->path, &data, n, &error));
  g_assert_no_error (error);
  return data;
}

/* A stream that does not end leaves the file as it was, or none. */
static void
test_unfinished (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      g_autofree char *before = NULL, *after = NULL;
      GstHarness *harness;
      gsize n_before, n_after;

      if (g_strcmp0 (endings[i], "lmdb") != 0)
        {
          store_many (&place, 2);
          before = read_file (&place, &n_before);
        }
      harness = new_store (&place);
      gst_harness_push (harness, new_tensors ("z", 9, 0));
      free_harness (harness);
      if (before != NULL)
        {
          after = read_file (&place, &n_after);
          g_assert_cmpmem (before, n_before, after, n_after);
        }
      else
        g_assert_false (g_file_test (place.path, G_FILE_TEST_EXISTS));
    }
}

/* A stream may end without any tensor. */
static void
test_empty (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      g_autoptr (GstMessage) warning = NULL;
      GstHarness *harness = new_store (&place);

      gst_harness_push (harness, gst_buffer_new ());
      g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
      warning = gst_bus_pop_filtered (GST_ELEMENT_BUS (harness->element), GST_MESSAGE_WARNING);
      g_assert_nonnull (warning);
      free_harness (harness);
      harness = new_load (&place);
      g_assert_null (pull (harness));
      free_harness (harness);
    }
}

/* The n-th buffer has a tensor of n elements, and comes a second after the one before. */
static void
handoff_cb (GstElement *sink,
            GstBuffer  *buffer,
            GstPad     *pad,
            int        *n)
{
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, *n * GST_SECOND);
  assert_floats (buffer, "a", ++*n);
}

/* The element starts again, from the beginning. */
static void
test_again (void)
{
  g_auto (Place) place = new_place ("stream.NPZ");
  g_autofree char *line = g_strdup_printf ("c2gload location=%s ! fakesink name=sink signal-handoffs=true", place.path);
  g_autoptr (GstElement) pipeline = gst_object_ref_sink (gst_parse_launch (line, NULL));
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  int n;

  store_many (&place, 12);
  g_signal_connect (sink, "handoff", G_CALLBACK (handoff_cb), &n);
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (GstMessage) message = NULL;

      n = 0;
      gst_element_set_state (pipeline, GST_STATE_PLAYING);
      message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
      g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
      g_assert_cmpint (n, ==, 12);
      gst_element_set_state (pipeline, GST_STATE_READY);
    }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static void
save (const Place  *place,
      C2gWorkspace *workspace)
{
  g_autoptr (GFile) file = g_file_new_for_path (place->path);
  g_autoptr (GError) error = NULL;

  c2g_workspace_save_checkpoint (workspace, file, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* Files of c2gstore are checkpoints as all others, and may be converted. */
static void
test_checkpoint (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      g_auto (Place) converted = new_place ("converted.npz");
      g_autoptr (GFile) file = g_file_new_for_path (place.path);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;
      GstHarness *harness;

      store_many (&place, 2);
      names = c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_strv_length (names), ==, 4);
      g_assert_true (c2g_workspace_has_blob (workspace, "00000000/a"));
      g_assert_true (c2g_workspace_has_blob (workspace, "00000001/@time"));

      save (&converted, workspace);
      harness = new_load (&converted);
      assert_next (harness, 1);
      assert_next (harness, 2);
      g_assert_null (pull (harness));
      free_harness (harness);
    }
}

/* A .npy has one tensor, and an error is better than the loss of others. */
static void
test_single (void)
{
  g_auto (Place) place = new_place ("single.npy");
  g_autofree char *message = NULL;
  GstHarness *harness = new_store (&place);
  GstBuffer *buffer;

  gst_harness_push (harness, new_tensors ("a", 3, 0));
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  free_harness (harness);
  harness = new_load (&place);
  buffer = pull (harness);
  assert_floats (buffer, "single", 3);
  gst_buffer_unref (buffer);
  free_harness (harness);

  harness = new_store (&place);
  gst_harness_push (harness, new_tensors ("a", 1, 0));
  gst_harness_push (harness, new_tensors ("a", 1, 0));
  g_assert_false (gst_harness_push_event (harness, gst_event_new_eos ()));
  message = pop_error (harness->element);
  g_assert_nonnull (message);
  free_harness (harness);
}

static void
put (C2gWorkspace *workspace,
     const char   *name,
     GObject      *content)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, &error);

  g_assert_no_error (error);
  c2g_blob_set_object (blob, content);
}

/* Tensors without a number come first, and are one buffer; others come by their numbers. Times may be any tensor. */
static void
test_other_files (void)
{
  static const char *const names[] = {
    "100000000/c", "00000002/a", "1/x", "w", "99999999/b", "00000002/@time", "0000002/y", "99999999/@time", "00000002"
  };
  static const char *const expected[] = { "w 1/x 0000002/y 00000002", "a", "b @time", "c" };
  g_auto (Place) place = new_place ("other.npz");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gTensor) floats = new_floats (2);
  g_autoptr (C2gTensor) times = c2g_tensor_new_sized (C2G_TEST_DIMS (2), NULL, NULL);
  gint64 *values = c2g_tensor_mutable_data (times, C2G_DATA_TYPE_INT64, NULL);
  GstHarness *harness;

  values[0] = -5;
  values[1] = 3;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    put (workspace, names[i], G_OBJECT (g_strcmp0 (names[i], "00000002/@time") == 0 ? times : floats));
  save (&place, workspace);

  harness = new_load (&place);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      GstBuffer *buffer = pull (harness);
      g_auto (GStrv) found = c2g_gst_buffer_list_tensors (buffer);
      g_auto (GStrv) wanted = g_strsplit (expected[i], " ", -1);

      g_assert_cmpuint (g_strv_length (found), ==, g_strv_length (wanted));
      for (char **name = wanted; *name != NULL; name++)
        g_assert_true (g_strv_contains ((const char *const *) found, *name));
      g_assert_false (GST_BUFFER_PTS_IS_VALID (buffer));
      g_assert_true ((GST_BUFFER_DURATION (buffer) == 3) == (i == 1));
      gst_buffer_unref (buffer);
    }
  g_assert_null (pull (harness));
  free_harness (harness);
}

typedef struct
{
  GstElement *element;
  C2gAllocator *allocator;
  GAsyncQueue *calls;
} Stop;

/* Stops reading as a flush does, and then gives the memory. */
static gboolean
stop_cb (C2gAllocator *allocator,
         guint64       n_bytes,
         guint         n_tries,
         gpointer      data)
{
  Stop *stop = data;

  c2g_limiting_allocator_set_max_bytes (C2G_LIMITING_ALLOCATOR (stop->allocator), G_MAXUINT64);
  g_assert_true (GST_BASE_SRC_GET_CLASS (stop->element)->unlock (GST_BASE_SRC (stop->element)));
  g_async_queue_push (stop->calls, stop);

  return TRUE;
}

/* When reading stops within a buffer and goes on, the buffer is whole. */
static void
test_stop (void)
{
  g_auto (Place) place = new_place ("stop.minidb");
  g_autoptr (C2gAllocator) limiting = c2g_limiting_allocator_new (NULL, 0);
  g_autoptr (GAsyncQueue) calls = g_async_queue_new ();
  Stop stop = { NULL, limiting, calls };
  g_autoptr (C2gAllocator) failing = c2g_failure_callback_allocator_new (limiting, stop_cb, &stop, NULL);
  GstHarness *harness = new_store (&place);
  GstBuffer *buffer = new_tensors ("a", 1, 0);

  add_floats (buffer, "b", 1000);
  add_floats (buffer, "c", 1000);
  gst_harness_push (harness, buffer);
  g_assert_true (gst_harness_push_event (harness, gst_event_new_eos ()));
  free_harness (harness);

  c2g_limiting_allocator_set_max_bytes (C2G_LIMITING_ALLOCATOR (limiting), 1000);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), failing, NULL));
  harness = make_load (&place);
  stop.element = harness->element;
  gst_harness_play (harness);
  g_async_queue_pop (calls);
  g_assert_true (gst_element_send_event (harness->element, gst_event_new_flush_start ()));
  g_assert_true (gst_element_send_event (harness->element, gst_event_new_flush_stop (TRUE)));
  buffer = pull (harness);
  assert_tensors (buffer, "a b c");
  gst_buffer_unref (buffer);
  g_assert_null (pull (harness));
  free_harness (harness);
  g_assert_true (c2g_allocator_set_default (c2g_device_cpu (), NULL, NULL));
}

static void
test_errors (void)
{
  g_auto (Place) place = new_place ("list.minidb");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "text", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("text", 4);
  g_auto (GValue) value = G_VALUE_INIT;
  g_autofree char *path = g_build_filename (place.path, "x.npz", NULL);
  g_autofree char *lock = NULL;
  g_autofree char *vanished = NULL;
  g_autofree char *no_tensor = NULL;
  g_autofree char *internal = NULL;
  GstHarness *harness;

  assert_start_fails ("c2gstore", NULL, "*location*");
  assert_start_fails ("c2gstore", "/tmp/stream.txt", "*stream.txt*");
  assert_start_fails ("c2gstore", "/nowhere/stream.minidb", "/nowhere/stream.minidb: The folder /nowhere does not exist");
  assert_start_fails ("c2gstore", "/nowhere/stream.npz", "/nowhere/stream.npz: The folder /nowhere does not exist");
  assert_start_fails ("c2gload", NULL, "*location*");
  assert_start_fails ("c2gload", "/nowhere/stream.minidb", "*nowhere*");

  /* The folder may vanish before the stream ends. */
  g_assert_cmpint (g_mkdir (place.path, 0700), ==, 0);
  harness = new_store (&(Place) { NULL, path });
  gst_harness_push (harness, new_tensors ("a", 1, 0));
  lock = lock_of (path);
  g_assert_cmpint (g_remove (lock) | g_rmdir (place.path), ==, 0);
  g_assert_false (gst_harness_push_event (harness, gst_event_new_eos ()));
  vanished = pop_error (harness->element);
  g_assert_true (g_pattern_match_simple ("*list.minidb*", vanished));
  free_harness (harness);

  /* A database may hold other content than tensors. */
  g_value_init (&value, G_TYPE_BYTES);
  g_value_set_boxed (&value, bytes);
  c2g_blob_set_value (blob, &value);
  save (&place, workspace);
  harness = new_load (&place);
  g_assert_null (pull (harness));
  no_tensor = pop_error (harness->element);
  g_assert_true (g_pattern_match_simple ("*text*", no_tensor));
  /* The base class has a message of its own. */
  internal = pop_error (harness->element);
  free_harness (harness);
}

/* An error of the element or a stream that ends: nothing else comes of a damaged file. */
static void
test_damaged (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat ("stream.", endings[i], NULL);
      g_auto (Place) place = new_place (name);
      g_autofree char *inner = g_build_filename (place.path, "data.mdb", NULL);
      Place data = { NULL, g_strcmp0 (endings[i], "lmdb") == 0 ? inner : place.path };
      g_autofree char *good = NULL;
      gsize n;

      store_many (&place, 3);
      good = read_file (&data, &n);
      for (guint j = c2g_test_count_rounds (60); j > 0; j--)
        {
          g_autofree char *bad = g_memdup2 (good, n);
          gsize n_left = g_test_rand_int_range (0, 3) == 0 ? (gsize) g_test_rand_int_range (0, n) : n;
          GstElement *element = new_element ("c2gload");
          g_autoptr (GstElement) sink = gst_object_ref_sink (gst_element_factory_make ("fakesink", NULL));
          g_autoptr (GstElement) pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
          g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
          g_autoptr (GstMessage) message = NULL;

          for (int k = 0; k < 3 && n_left > 0; k++)
            bad[g_test_rand_int_range (0, n_left)] ^= 1 << g_test_rand_int_range (0, 8);
          g_assert_true (g_file_set_contents (data.path, bad, n_left, NULL));
          g_object_set (element, "location", place.path, NULL);
          gst_bin_add_many (GST_BIN (pipeline), element, sink, NULL);
          g_assert_true (gst_element_link (element, sink));
          gst_object_unref (element);
          g_object_set (sink, "sync", FALSE, NULL);
          gst_element_set_state (pipeline, GST_STATE_PLAYING);
          message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
          g_assert_nonnull (message);
          gst_element_set_state (pipeline, GST_STATE_NULL);
        }
    }
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/store/formats", test_formats);
  add_gst_func ("/gst/store/bad-names", test_bad_names);
  add_gst_func ("/gst/store/flush", test_flush);
  add_gst_func ("/gst/store/second-end", test_second_end);
  add_gst_func ("/gst/store/second-stream", test_second_stream);
  add_gst_func ("/gst/store/unfinished", test_unfinished);
  add_gst_func ("/gst/store/two", test_two);
  add_gst_func ("/gst/store/other-names", test_other_names);
  add_gst_func ("/gst/store/hard-links", test_hard_links);
  add_gst_func ("/gst/store/processes", test_processes);
  add_gst_func ("/gst/store/strange-locks", test_strange_locks);
  add_gst_func ("/gst/store/removed-lock", test_removed_lock);
  add_gst_func ("/gst/store/flush-keeps-lock", test_flush_keeps_lock);
  add_gst_func ("/gst/store/long-name", test_long_name);
  add_gst_func ("/gst/store/no-location", test_no_location);
  add_gst_func ("/gst/store/empty", test_empty);
  add_gst_func ("/gst/store/again", test_again);
  add_gst_func ("/gst/store/checkpoint", test_checkpoint);
  add_gst_func ("/gst/store/single", test_single);
  add_gst_func ("/gst/store/other-files", test_other_files);
  add_gst_func ("/gst/store/stop", test_stop);
  add_gst_func ("/gst/store/errors", test_errors);
  add_gst_func ("/gst/store/damaged", test_damaged);

  return run_gst_tests ();
}
