/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/io/db-utils.h"

/* A record with a key and a value of one byte each, and its size. */
#define RECORD(key, value) "\1\0\0\0\1\0\0\0" key value
#define RECORD_BYTES       10

/* Returns the number of records before the end or the damage. */
static inline guint
count_records (C2gDb   *db,
               GError **error)
{
  g_autoptr (C2gDbCursor) cursor = c2g_db_new_cursor (db, error);
  guint n = 0;

  while (cursor != NULL && c2g_db_cursor_is_valid (cursor))
    {
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, NULL);
      g_autoptr (GBytes) value = c2g_db_cursor_dup_value (cursor, NULL);

      g_assert_nonnull (key);
      g_assert_nonnull (value);
      n++;
      if (!c2g_db_cursor_next (cursor, error))
        break;
    }

  /* After damage the cursor is at the end. */
  if (cursor != NULL)
    g_assert_false (c2g_db_cursor_is_valid (cursor));
  return n;
}
