/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <c2g-gst/c2g-gst.h>

GST_PLUGIN_STATIC_DECLARE (c2g);

/* The elements are in the program itself. */
int
main (int    argc,
      char **argv)
{
  g_autoptr (GstPlugin) plugin = NULL;
  g_autoptr (GstElement) element = NULL;

  gst_init (&argc, &argv);
  GST_PLUGIN_STATIC_REGISTER (c2g);
  plugin = gst_registry_find_plugin (gst_registry_get (), "c2g");
  element = gst_element_factory_make ("c2ginference", NULL);
  if (plugin == NULL || gst_plugin_get_filename (plugin) != NULL || element == NULL)
    return 1;

  g_print ("c2g %s\n", c2g_get_version_string ());
  return 0;
}
