/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/db/c2g-minidb-private.h>
#include <c2g/io/load/c2g-file-content-private.h>

static GPtrArray *
read_entries (C2gSource  *source,
              GError    **error)
{
  g_autoptr (C2gDbCursor) cursor = c2g_minidb_cursor_new (source, error);

  return cursor == NULL ? NULL : c2g_checkpoint_read_entries (cursor, NULL, error);
}

/* Reads Caffe2's own kind of database. An empty file is a valid one. */
void
fuzz_one (GBytes *bytes)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "input");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) cursor = c2g_minidb_cursor_new (source, &error);

  /* A record takes at least two bytes. */
  if (cursor != NULL)
    fuzz_cursor (cursor, g_bytes_get_size (bytes) / 2);
  else
    fuzz_check_error (error);
  fuzz_reader (bytes, read_entries);
}
