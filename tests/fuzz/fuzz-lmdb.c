/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/lmdb/c2g-lmdb-cursor-private.h>
#include <c2g/io/lmdb/c2g-lmdb-verify-private.h>
#include <c2g/io/load/c2g-file-content-private.h>

/* A record takes at least ten bytes. */
#define MIN_RECORD_BYTES 10
/* Number of keys that the target looks up. */
#define MAX_KEYS 32

static GPtrArray *
read_entries (C2gSource  *source,
              GError    **error)
{
  g_autoptr (C2gLmdbFile) file = c2g_lmdb_file_new (source, error);
  g_autoptr (C2gDbCursor) cursor = file == NULL ? NULL : c2g_lmdb_cursor_new (file, error);

  return cursor == NULL ? NULL : c2g_checkpoint_read_entries (cursor, NULL, error);
}

/* Remembers the first keys, up to the first error. */
static GPtrArray *
list_keys (C2gDbCursor *cursor)
{
  GPtrArray *keys = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  while (c2g_db_cursor_is_valid (cursor) && keys->len < MAX_KEYS)
    {
      GBytes *key = c2g_db_cursor_dup_key (cursor, NULL);

      if (key == NULL)
        break;
      g_ptr_array_add (keys, key);
      if (!c2g_db_cursor_next (cursor, NULL))
        break;
    }

  return keys;
}

/* Looks up a key. In a damaged database any later record may be found. */
static void
check_seek (C2gDbCursor *cursor,
            GBytes      *key,
            gboolean     is_sound)
{
  g_autoptr (GBytes) found = NULL;
  g_autoptr (GError) error = NULL;

  if (!c2g_db_cursor_seek (cursor, key, &error))
    {
      fuzz_check_error (error);
      g_assert_false (is_sound);
      return;
    }

  g_assert_true (c2g_db_cursor_is_valid (cursor) || !is_sound);
  if (!c2g_db_cursor_is_valid (cursor))
    return;
  found = c2g_db_cursor_dup_key (cursor, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_bytes_compare (found, key), >=, 0);
  g_assert_true (!is_sound || g_bytes_equal (found, key));
}

/* Walks from the last of the keys on, and beyond the end. */
static void
check_walk (C2gDbCursor *cursor,
            guint64      max_records,
            gboolean     is_sound)
{
  g_autoptr (GError) error = NULL;

  fuzz_walk (cursor, max_records, &error);
  if (is_sound)
    g_assert_no_error (error);
}

/* Reads a data.mdb: walks from the first record and from some keys, and makes the check that is
 * needed before liblmdb may open the file. */
void
fuzz_one (GBytes *bytes)
{
  guint64 max_records = g_bytes_get_size (bytes) / MIN_RECORD_BYTES;
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "data.mdb");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gLmdbFile) file = c2g_lmdb_file_new (source, &error);
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GPtrArray) keys = NULL;
  gboolean is_sound;

  if (file != NULL)
    cursor = c2g_lmdb_cursor_new (file, &error);
  if (cursor == NULL)
    {
      fuzz_check_error (error);
      return;
    }

  is_sound = c2g_lmdb_verify (file, NULL, &error);
  if (!is_sound)
    fuzz_check_error (error);
  keys = list_keys (cursor);
  for (guint i = 0; i < keys->len; i++)
    check_seek (cursor, keys->pdata[i], is_sound);
  check_walk (cursor, max_records, is_sound);
  fuzz_cursor (cursor, max_records);
  fuzz_reader (bytes, read_entries);
}
