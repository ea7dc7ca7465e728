/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob-private.h>

#include "blob-utils.h"

/* Names that are stored in the blob itself, and longer ones. */
static void
test_names (void)
{
  g_autoptr (C2gBlob) blob = c2g_blob_new_named ("");

  for (gsize length = C2G_BLOB_N_INLINE_CHARS - 3; length < C2G_BLOB_N_INLINE_CHARS + 3; length++)
    {
      g_autofree char *name = g_strnfill (length, 'x');
      g_autoptr (C2gBlob) other = c2g_blob_new_named (name);
      g_autofree char *other_name = c2g_blob_dup_name (other);
      g_autofree char *renamed = NULL;
      g_autofree char *again = NULL;

      g_assert_cmpstr (other_name, ==, name);
      c2g_blob_set_name (blob, name);
      renamed = c2g_blob_dup_name (blob);
      g_assert_cmpstr (renamed, ==, name);
      c2g_blob_set_name (other, "short");
      c2g_blob_set_name (other, name);
      again = c2g_blob_get_name (other);
      g_assert_cmpstr (again, ==, name);
    }
}

/* Returns how many live bytes are reported under a name; NULL means blocks without a name. */
static gsize
count_named_bytes (const char *name)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  C2gMemoryBlock **blocks;
  gsize n_bytes = 0;
  guint n_blocks;

  blocks = c2g_memory_reporter_list_blocks (reporter, NULL, &n_blocks);
  for (gsize i = 0; i < n_blocks; i++)
    {
      if (g_strcmp0 (c2g_memory_block_get_name (blocks[i]), name) == 0)
        n_bytes += c2g_memory_block_get_n_bytes (blocks[i]);
      c2g_memory_block_unref (blocks[i]);
    }
  g_free (blocks);

  return n_bytes;
}

static void
test_labels (void)
{
  g_autoptr (C2gBlob) first = c2g_blob_new_named ("first");
  g_autoptr (C2gBlob) second = c2g_blob_new_named ("second");
  g_autoptr (C2gBlob) unnamed = c2g_blob_new ();
  g_autoptr (C2gTensor) tensor = new_allocated (16);
  C2gTensor *other;

  g_assert_cmpuint (count_named_bytes (NULL), ==, 64);

  /* A tensor that is put into the blob gets its name, and so do later allocations. */
  c2g_blob_set_object (first, G_OBJECT (tensor));
  g_assert_cmpuint (count_named_bytes ("first"), ==, 64);
  other = c2g_blob_ensure_tensor (second, NULL, NULL);
  g_assert_true (c2g_tensor_resize (other, C2G_TEST_DIMS (4), NULL));
  g_assert_true (c2g_tensor_allocate (other, C2G_DATA_TYPE_FLOAT, NULL));
  g_assert_cmpuint (count_named_bytes ("second"), ==, 16);

  /* Renaming the blob renames all its memory. */
  c2g_blob_set_name (first, "third");
  g_assert_cmpuint (count_named_bytes ("first"), ==, 0);
  g_assert_cmpuint (count_named_bytes ("third"), ==, 64);

  c2g_blob_swap (first, second);
  g_assert_cmpuint (count_named_bytes ("third"), ==, 16);
  g_assert_cmpuint (count_named_bytes ("second"), ==, 64);
  c2g_blob_move_from (unnamed, first);
  g_assert_cmpuint (count_named_bytes ("third"), ==, 0);
  g_assert_cmpuint (count_named_bytes (NULL), ==, 16);

  /* A tensor in two blobs has the name of the last one, and only that one removes the name. */
  c2g_blob_set_object (first, G_OBJECT (tensor));
  g_assert_cmpuint (count_named_bytes ("third"), ==, 64);
  c2g_blob_reset (second);
  g_assert_cmpuint (count_named_bytes ("third"), ==, 64);
  c2g_blob_reset (first);
  g_assert_cmpuint (count_named_bytes ("third"), ==, 0);
  g_assert_cmpuint (count_named_bytes (NULL), ==, 80);

  /* The memory keeps the name of a freed blob. */
  c2g_blob_set_object (second, G_OBJECT (tensor));
  g_assert_finalize_object (g_steal_pointer (&second));
  g_assert_cmpuint (count_named_bytes ("second"), ==, 64);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/blob/names", test_names);
  c2g_test_add_func ("/blob/labels", test_labels);

  return c2g_test_run ();
}
