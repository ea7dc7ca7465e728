/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/c2g-checkpoint-private.h>
#include <c2g/io/c2g-lmdb-cursor-private.h>
#include <c2g/io/c2g-lmdb-verify-private.h>

/* A record takes ten bytes at least. */
#define MIN_RECORD_BYTES 10

static GPtrArray *
read_entries (C2gSource  *source,
              GError    **error)
{
  g_autoptr (C2gLmdbFile) file = c2g_lmdb_file_new (source, error);
  g_autoptr (C2gDbCursor) cursor = file == NULL ? NULL : c2g_lmdb_cursor_new (file, error);

  return cursor == NULL ? NULL : c2g_checkpoint_read_entries (cursor, NULL, error);
}

/* From the record behind a key on. */
static void
check_seek (C2gDbCursor *cursor,
            GBytes      *bytes)
{
  gsize n_bytes = MIN (g_bytes_get_size (bytes), 12);
  g_autoptr (GBytes) key = g_bytes_new_from_bytes (bytes, 0, n_bytes);
  g_autoptr (GBytes) found = NULL;
  g_autoptr (GError) error = NULL;

  if (!c2g_db_cursor_seek (cursor, key, &error))
    {
      fuzz_check_error (error);
      return;
    }
  if (!c2g_db_cursor_is_valid (cursor))
    return;

  found = c2g_db_cursor_dup_key (cursor, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_bytes_compare (found, key), >=, 0);
  fuzz_cursor (cursor, g_bytes_get_size (bytes) / MIN_RECORD_BYTES);
}

/* A data.mdb: walked from the first record, from the one behind a key, and checked as it
 * is before liblmdb gets it. */
void
fuzz_one (GBytes *bytes)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "data.mdb");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gLmdbFile) file = c2g_lmdb_file_new (source, &error);
  g_autoptr (C2gDbCursor) cursor = NULL;

  if (file != NULL)
    cursor = c2g_lmdb_cursor_new (file, &error);
  if (cursor == NULL)
    {
      fuzz_check_error (error);
      return;
    }

  fuzz_cursor (cursor, g_bytes_get_size (bytes) / MIN_RECORD_BYTES);
  check_seek (cursor, bytes);
  fuzz_reader (bytes, read_entries);
  if (!c2g_lmdb_verify (file, NULL, &error))
    fuzz_check_error (error);
}
