/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

/* A program watches the workspace of a pipeline that plays: names, sizes and signals, in its main loop. */

#define N_FRAMES 20

typedef struct
{
  C2gWorkspace *workspace;
  GMainLoop    *loop;
  GPtrArray    *frames;
  GPtrArray    *checksums;
  guint         n_blobs;
  guint         n_outputs;
  guint         n_pulled;
} Watcher;

static char *
make_checksum (C2gTensor *frame)
{
  g_autoptr (GError) error = NULL;
  const guint8 *data = c2g_tensor_data (frame, C2G_DATA_TYPE_UINT8, &error);

  g_assert_no_error (error);

  return g_compute_checksum_for_data (G_CHECKSUM_MD5, data, c2g_tensor_get_n_elements (frame));
}

/* A snapshot is sealed when the program hears of it. */
static void
changed_cb (C2gBlob *blob,
            GType    old_type,
            GType    new_type,
            gpointer data)
{
  Watcher *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = c2g_blob_dup_name (blob);
  g_autoptr (C2gTensor) tensor = c2g_workspace_get_tensor (self->workspace, name, &error);

  g_assert_no_error (error);
  g_assert_true (g_main_context_is_owner (NULL));
  g_assert_true (c2g_tensor_is_sealed (tensor));
  if (g_str_equal (name, "softmax"))
    {
      g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 10);
      self->n_outputs++;
      return;
    }
  g_assert_cmpstr (name, ==, C2G_GST_FRAME);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 32 * 32);
  g_ptr_array_add (self->checksums, make_checksum (tensor));
  g_ptr_array_add (self->frames, g_steal_pointer (&tensor));
}

static void
items_changed_cb (GListModel *list,
                  guint       position,
                  guint       n_removed,
                  guint       n_added,
                  gpointer    data)
{
  Watcher *self = data;

  g_assert_true (g_main_context_is_owner (NULL));
  g_assert_cmpuint (n_removed, ==, 0);
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (C2gBlob) blob = g_list_model_get_item (list, i);

      g_signal_connect (blob, "changed", G_CALLBACK (changed_cb), data);
    }
  self->n_blobs += n_added;
}

static void
new_tensors_cb (GstElement *sink,
                gpointer    data)
{
  Watcher *self = data;

  for (;;)
    {
      g_autoptr (C2gWorkspace) workspace = NULL;

      g_signal_emit_by_name (sink, "try-pull-tensors", (guint64) 0, &workspace);
      if (workspace == NULL)
        return;
      g_assert_true (workspace == self->workspace);
      self->n_pulled++;
    }
}

static gboolean
message_cb (GstBus     *bus,
            GstMessage *message,
            gpointer    loop)
{
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  g_assert_no_error (error);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    g_main_loop_quit (loop);

  return G_SOURCE_CONTINUE;
}

static GstElement *
new_pipeline (void)
{
  g_autofree char *model = digits ();
  g_autofree char *line =
    g_strdup_printf ("videotestsrc pattern=snow num-buffers=%d ! " GRAY_CAPS " ! queue ! " DIGITS_LINE
                     " ! queue ! c2gsink name=sink sync=false",
                     N_FRAMES, model);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  g_assert_no_error (error);

  return gst_object_ref_sink (pipeline);
}

static void
play (Watcher *self)
{
  GstElement *pipeline = new_pipeline ();
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstContext) context = c2g_gst_context_new (self->workspace, TRUE);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_element_set_context (pipeline, context);
  g_signal_connect (sink, "new-tensors", G_CALLBACK (new_tensors_cb), self);
  gst_bus_add_watch (bus, message_cb, self->loop);
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), !=, GST_STATE_CHANGE_FAILURE);
  g_main_loop_run (self->loop);
  gst_bus_remove_watch (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* The program hears of every frame once, in its own thread, and what it keeps stays as it was while the
 * streaming threads go on. */
static void
test_playing (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GPtrArray) frames = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checksums = g_ptr_array_new_with_free_func (g_free);
  Watcher self = { .workspace = workspace, .loop = loop, .frames = frames, .checksums = checksums };

  g_signal_connect (workspace, "items-changed", G_CALLBACK (items_changed_cb), &self);
  play (&self);

  g_assert_cmpuint (self.n_pulled, ==, N_FRAMES);
  g_assert_cmpuint (self.n_blobs, ==, 2);
  g_assert_cmpuint (self.n_outputs, ==, N_FRAMES);
  g_assert_cmpuint (frames->len, ==, N_FRAMES);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (workspace)), ==, 2);
  for (guint i = 0; i < frames->len; i++)
    {
      g_autofree char *checksum = make_checksum (frames->pdata[i]);

      g_assert_cmpstr (checksum, ==, checksums->pdata[i]);
      g_assert_true (i == 0 || !g_str_equal (checksum, checksums->pdata[i - 1]));
    }
}

int
main (int argc,
      char *argv[])
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/watch/playing", test_playing);

  return run_gst_tests ();
}
