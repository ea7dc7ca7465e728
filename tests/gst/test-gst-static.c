/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gst-harness.h"

/* A program that has the plugin in itself, and finds none elsewhere. */

GST_PLUGIN_STATIC_DECLARE (c2g);

static void
test_static (void)
{
  g_autoptr (GstPlugin) plugin = NULL;
  GstHarness *harness;
  GstBuffer *frame;

  g_assert_null (gst_element_factory_find ("c2ginference"));
  GST_PLUGIN_STATIC_REGISTER (c2g);
  plugin = gst_registry_find_plugin (gst_registry_get (), "c2g");
  g_assert_nonnull (plugin);
  g_assert_null (gst_plugin_get_filename (plugin));

  harness = new_gray_harness ();
  frame = gst_harness_push_and_pull (harness, new_gray (0));
  assert_tensors (frame, "softmax");
  gst_buffer_unref (frame);
  gst_harness_teardown (harness);
}

int
main (int   argc,
      char *argv[])
{
  /* The registry of the other tests knows the plugin in its folder. */
  g_autofree char *registry = g_strconcat (g_getenv ("GST_REGISTRY"), "-static", NULL);

  g_setenv ("GST_REGISTRY", registry, TRUE);
  g_unsetenv ("GST_PLUGIN_PATH");
  gst_registry_fork_set_enabled (FALSE);
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add_gst_func ("/gst/static", test_static);

  return run_gst_tests ();
}
