/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <c2g-gst/c2g-gst.h>

/* The elements are found, and the library works. */
int
main (int    argc,
      char **argv)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_scalar (C2G_DATA_TYPE_FLOAT, 1, NULL);
  g_autoptr (GstElement) element = NULL;
  g_autoptr (GstBuffer) buffer = NULL;

  gst_init (&argc, &argv);
  element = gst_element_factory_make ("c2ginference", NULL);
  buffer = c2g_gst_buffer_new_from_tensor (tensor, NULL);
  if (element == NULL || buffer == NULL)
    return 1;

  g_print ("c2g %s\n", c2g_get_version_string ());
  return 0;
}
