/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include "formats/c2g-gst-nns-shape.h"

/* Outermost dimensions of 1 may be written or not. */
static void
assert_same (const C2gGstNnsShape *shape,
             const C2gGstNnsShape *expected)
{
  guint32 dims[C2G_GST_NNS_MAX_DIMS];
  guint32 expected_dims[C2G_GST_NNS_MAX_DIMS];

  c2g_gst_nns_shape_get_dims (shape, dims);
  c2g_gst_nns_shape_get_dims (expected, expected_dims);
  g_assert_cmpuint (c2g_gst_nns_shape_type (shape), ==, c2g_gst_nns_shape_type (expected));
  for (guint i = 0; i < C2G_GST_NNS_MAX_DIMS; i++)
    g_assert_cmpuint (MAX (dims[i], 1), ==, MAX (expected_dims[i], 1));
}

/* All caps that are written for shapes are read as the same shapes. */
static void
write_back (GArray *shapes)
{
  g_autoptr (GstCaps) all = c2g_gst_nns_shapes_to_caps (shapes);

  for (guint i = 0; i < gst_caps_get_size (all); i++)
    {
      g_autoptr (GstCaps) caps = gst_caps_copy_nth (all, i);
      g_autoptr (GArray) again = NULL;

      if (c2g_gst_nns_is_flexible (gst_caps_get_structure (caps, 0)))
        continue;
      again = c2g_gst_nns_shapes_parse (caps, NULL);
      g_assert_nonnull (again);
      g_assert_cmpuint (again->len, ==, shapes->len);
      for (guint j = 0; j < shapes->len; j++)
        assert_same (&g_array_index (again, C2gGstNnsShape, j), &g_array_index (shapes, C2gGstNnsShape, j));
    }
}

/* Reads the lines of the bytes as fields of NNStreamer's caps: the number of tensors, their types and their dimensions.
 * GStreamer's own parser is left out. */
void
fuzz_one (GBytes *bytes)
{
  static gsize is_ready;
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);
  g_autofree char *text = g_strndup (data != NULL ? data : "", n_bytes);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 4);
  const guint n_lines = g_strv_length (lines);
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GArray) shapes = NULL;
  g_autoptr (GError) error = NULL;

  if (g_once_init_enter (&is_ready))
    {
      gst_init (NULL, NULL);
      g_once_init_leave (&is_ready, TRUE);
    }
  if (n_lines < 3 || !g_utf8_validate (text, -1, NULL))
    return;

  if (*lines[0] == '\0')
    caps = gst_caps_new_simple ("other/tensor", "type", G_TYPE_STRING, lines[1], "dimension", G_TYPE_STRING, lines[2], NULL);
  else
    caps = gst_caps_new_simple ("other/tensors", "format", G_TYPE_STRING, "static",
                                "num_tensors", G_TYPE_INT, (int) g_ascii_strtoll (lines[0], NULL, 10),
                                "types", G_TYPE_STRING, lines[1], "dimensions", G_TYPE_STRING, lines[2], NULL);
  shapes = c2g_gst_nns_shapes_parse (caps, &error);
  if (shapes == NULL)
    fuzz_check_error (error);
  else
    write_back (shapes);
}
