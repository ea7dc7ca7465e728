/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/picture/c2g-value-info-private.h>

/* Reads the bytes as value_info.json. */
void
fuzz_one (GBytes *bytes)
{
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);
  g_autofree char *text = g_strndup (data != NULL ? data : "", n_bytes);
  g_autoptr (GHashTable) shapes = c2g_value_info_parse (text);
  GHashTableIter iter;
  gpointer input, value;

  g_hash_table_iter_init (&iter, shapes);
  while (g_hash_table_iter_next (&iter, &input, &value))
    {
      const C2gInputShape *shape = value;

      /* Each dimension has at least a digit in the text, and each name its quotes. */
      g_assert_cmpuint (shape->n_dims, <, n_bytes);
      g_assert_cmpuint (strlen (input), <, n_bytes);
      for (gsize i = 0; i < shape->n_dims; i++)
        g_assert_cmpint (shape->dims[i], !=, G_MININT64);
    }
}
