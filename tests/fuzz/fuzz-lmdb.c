/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/c2g-lmdb-cursor-private.h>
#include <c2g/io/c2g-lmdb-verify-private.h>

static void
walk (C2gDbCursor *cursor,
      guint64      n_max)
{
  guint64 n = 0;

  for (; c2g_db_cursor_is_valid (cursor); n++)
    {
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, NULL);
      g_autoptr (GBytes) value = c2g_db_cursor_dup_value (cursor, NULL);

      /* All that is on the way was found to be in the file before. */
      g_assert_nonnull (key);
      g_assert_nonnull (value);
      if (!c2g_db_cursor_next (cursor, NULL))
        break;
    }

  /* A record takes ten bytes at least. */
  g_assert_cmpuint (n, <=, n_max);
}

/* A data.mdb: walked from the first record, from the one behind a key, and checked as it
 * is before liblmdb gets it. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         n_bytes)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, n_bytes);
  g_autoptr (GBytes) key = g_bytes_new (data, MIN (n_bytes, 12));
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "data.mdb");
  g_autoptr (C2gLmdbFile) file = c2g_lmdb_file_new (source, NULL);
  g_autoptr (C2gDbCursor) cursor = NULL;

  if (file == NULL)
    return 0;

  cursor = c2g_lmdb_cursor_new (file, NULL);
  if (cursor != NULL)
    {
      walk (cursor, n_bytes / 10);
      if (c2g_db_cursor_seek (cursor, key, NULL))
        walk (cursor, n_bytes / 10);
    }
  c2g_lmdb_verify (file, NULL, NULL);
  return 0;
}
