/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-minidb-private.h>

#include "tests/io/io-utils.h"
#include "tests/io/minidb-utils.h"

#include <errno.h>

/* Damaged files and full disks. */

/* A database that cannot be read cannot be appended to. */
static void
test_append_to_damaged (void)
{
  static const struct
  {
    const char *data;
    gsize       n_bytes;
  } damaged[] = {
    { RECORD ("a", "1") "\1", RECORD_BYTES + 1 },
    { RECORD ("a", "1") "\1\0\0", RECORD_BYTES + 3 },
    { RECORD ("a", "1") "\1\0\0\0", RECORD_BYTES + 4 },
    { RECORD ("a", "1") RECORD ("b", ""), 2 * RECORD_BYTES - 1 },
    { "\0\0\0\0\1\0\0\0a", 9 },
  };
  DbPlace place;

  db_place_init (&place);
  for (gsize i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      db_place_write (&place, damaged[i].data, damaged[i].n_bytes);
      db_assert_open_fails ("minidb", place.file, C2G_DB_MODE_WRITE, C2G_ERROR, C2G_ERROR_CORRUPT,
                            place.path);
      db_place_assert (&place, damaged[i].data, damaged[i].n_bytes);
    }
  db_place_clear (&place);
}

static void
test_damaged (void)
{
  static const struct
  {
    const char *data;
    gsize       n_bytes;
    guint       n_records;
    gboolean    is_damaged;
    /* Text that the error must contain. */
    const char *named;
  } files[] = {
    { "", 0, 0, FALSE, NULL },
    { "\1", 1, 0, FALSE, NULL },
    { "\1\0\0", 3, 0, FALSE, NULL },
    { "\1\0\0\0", 4, 0, TRUE, "offset 0" },
    { "\1\0\0\0\1\0\0", 7, 0, TRUE, "offset 0" },
    { "\1\0\0\0\1\0\0\0", 8, 0, TRUE, "offset 0" },
    { RECORD ("a", ""), 9, 0, TRUE, "1 are left" },
    { RECORD ("a", "b"), 10, 1, FALSE, NULL },
    { RECORD ("a", "b") "\1\2\3", 13, 1, FALSE, NULL },
    { RECORD ("a", "b") "\1\2\3\4", 14, 1, TRUE, "offset 10" },
    { RECORD ("a", "b") RECORD ("a", ""), 19, 1, TRUE, "offset 10" },
    /* Invalid lengths. */
    { "\0\0\0\0\1\0\0\0ab", 10, 0, TRUE, "a key of 0" },
    { "\1\0\0\0\0\0\0\0ab", 10, 0, TRUE, "a value of 0" },
    { "\377\377\377\377\1\0\0\0ab", 10, 0, TRUE, "a key of -1" },
    { "\1\0\0\0\377\377\377\377ab", 10, 0, TRUE, "a value of -1" },
    { "\0\0\0\200\0\0\0\200ab", 10, 0, TRUE, "-2147483648" },
    { "\377\377\377\177\377\377\377\177ab", 10, 0, TRUE, "2147483647" },
    { "\2\0\0\0\1\0\0\0ab", 10, 0, TRUE, "2 are left" },
    { "\1\0\0\0\2\0\0\0ab", 10, 0, TRUE, "2 are left" },
    { "\377\377\377\177\1\0\0\0ab", 10, 0, TRUE, "2 are left" },
    { "\1\0\0\0\377\377\377\177ab", 10, 0, TRUE, "2 are left" },
  };
  DbPlace place;

  db_place_init (&place);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gDb) db = NULL;

      db_place_write (&place, files[i].data, files[i].n_bytes);
      db = db_open ("minidb", place.file, C2G_DB_MODE_READ);
      g_assert_cmpuint (count_records (db, &error), ==, files[i].n_records);
      if (files[i].is_damaged)
        {
          g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
          g_assert_nonnull (strstr (error->message, files[i].named));
        }
      else
        g_assert_no_error (error);

      g_assert_cmpint (c2g_db_exists ("minidb", place.file), ==,
                       files[i].n_records > 0 || !files[i].is_damaged);
    }
  db_place_clear (&place);
}

static void
check_damaged (GBytes   *bytes,
               gpointer  user_data)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "bytes");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) cursor = c2g_minidb_cursor_new (source, &error);
  guint *n_damaged = user_data;

  while (error == NULL && c2g_db_cursor_is_valid (cursor))
    {
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, &error);
      g_autoptr (GBytes) value = c2g_db_cursor_dup_value (cursor, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (g_bytes_get_size (key), >, 0);
      g_assert_cmpuint (g_bytes_get_size (value), >, 0);
      c2g_db_cursor_next (cursor, &error);
    }

  if (error != NULL)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      (*n_damaged)++;
    }
}

static void
test_every_byte (void)
{
  g_autoptr (GBytes) bytes = NULL;
  guint n_damaged = 0;
  DbPlace place;

  db_place_init (&place);
  db_fill ("minidb", place.file);
  bytes = db_place_read (&place);
  io_damage (bytes, check_damaged, &n_damaged);
  g_assert_cmpuint (n_damaged, >, 100);
  db_place_clear (&place);
}

#define N_LIMIT_BYTES 100000

/* Runs in a process with a file size limit. */
static void
fail_to_write (C2gDbMode mode)
{
  g_autofree char *value = g_strnfill (N_LIMIT_BYTES, 'v');
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;
  g_autoptr (C2gDbTransaction) other = NULL;

  db_place_init (&place);
  db_place_write (&place, RECORD ("a", "1"), RECORD_BYTES);
  db_limit_files (N_LIMIT_BYTES);
  db = db_open ("minidb", place.file, mode);
  transaction = db_begin (db);
  db_put (transaction, "b", "2");
  db_assert_put_fails (transaction, "c", value, G_IO_ERROR,
                       (int) g_io_error_from_errno (EFBIG));
  db_place_assert (&place, RECORD ("a", "1"), RECORD_BYTES);

  /* The transaction has lost a record and must not be committed. */
  db_assert_put_fails (transaction, "d", "4", C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_false (c2g_db_transaction_commit (transaction, NULL));
  db_place_assert (&place, RECORD ("a", "1"), RECORD_BYTES);

  other = db_begin (db);
  db_put (other, "e", "5");
  db_commit (other);
  db_assert_records ("minidb", place.file, mode == C2G_DB_MODE_NEW ? "e=5" : "a=1 e=5");
  db_place_clear (&place);
}

static void
test_full_disk (void)
{
  if (g_test_subprocess ())
    {
      fail_to_write (C2G_DB_MODE_WRITE);
      fail_to_write (C2G_DB_MODE_NEW);
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* Records are collected and written with the commit. */
static void
test_full_disk_at_commit (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }

  db_place_init (&place);
  db_place_write (&place, RECORD ("a", "1"), RECORD_BYTES);
  db = db_open ("minidb", place.file, C2G_DB_MODE_WRITE);
  transaction = db_begin (db);
  db_put (transaction, "b", "2");
  db_limit_files (RECORD_BYTES + 3);
  g_assert_false (c2g_db_transaction_commit (transaction, &error));
  g_assert_error (error, G_IO_ERROR, (int) g_io_error_from_errno (EFBIG));
  db_place_assert (&place, RECORD ("a", "1"), RECORD_BYTES);
  db_place_clear (&place);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/minidb-damage/append-to-damaged", test_append_to_damaged);
  c2g_test_add_func ("/minidb-damage/damaged", test_damaged);
  c2g_test_add_func ("/minidb-damage/every-byte", test_every_byte);
  c2g_test_add_func ("/minidb-damage/full-disk", test_full_disk);
  c2g_test_add_func ("/minidb-damage/full-disk-at-commit", test_full_disk_at_commit);

  return c2g_test_run ();
}
