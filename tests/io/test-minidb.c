/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-append-sink-private.h>
#include <c2g/io/db/c2g-minidb-private.h>

#include "tests/io/io-utils.h"
#include "tests/io/minidb-utils.h"

static void
test_bytes (void)
{
  DbPlace place;

  db_place_init (&place);
  {
    g_autoptr (C2gDb) db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
    g_autoptr (C2gDbTransaction) transaction = db_begin (db);

    db_put (transaction, "key", "v");
    db_put (transaction, "k", "a value");
    /* Keys may occur twice in a minidb. */
    db_put (transaction, "k", "w");
    db_commit (transaction);
  }
#define EXPECTED "\3\0\0\0\1\0\0\0keyv\1\0\0\0\7\0\0\0ka value" RECORD ("k", "w")
  db_place_assert (&place, EXPECTED, sizeof EXPECTED - 1);
  db_assert_records ("minidb", place.file, "key=v k=a value k=w");
  db_assert_records ("MiniDB", place.file, "key=v k=a value k=w");
  db_place_clear (&place);
}

/* The old file stays until the commit. */
static void
test_new (void)
{
  DbPlace place;

  db_place_init (&place);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gDb) db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
      g_autoptr (C2gDbTransaction) transaction = db_begin (db);

      db_put (transaction, "a", i == 0 ? "1" : "2");
      if (i == 0)
        g_assert_false (db_place_exists (&place));
      else
        db_assert_records ("minidb", place.file, "a=1");
      db_commit (transaction);
      db_assert_records ("minidb", place.file, i == 0 ? "a=1" : "a=2");
    }

  {
    g_autoptr (C2gDb) db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
    g_autoptr (C2gDbTransaction) transaction = db_begin (db);

    db_put (transaction, "b", "1");
  }
  db_assert_records ("minidb", place.file, "a=2");
  db_place_clear (&place);
}

static void
test_empty (void)
{
  DbPlace place;

  db_place_init (&place);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gDb) db = db_open ("minidb", place.file,
                                      i == 1 ? C2G_DB_MODE_WRITE : C2G_DB_MODE_NEW);
      g_autoptr (C2gDbTransaction) transaction = db_begin (db);

      db_commit (transaction);
      db_commit (transaction);
      db_assert_records ("minidb", place.file, "");
    }
  db_place_clear (&place);
}

/* Several transactions, with the same database object and with others. */
static void
test_several_commits (void)
{
  DbPlace place;

  db_place_init (&place);
  {
    g_autoptr (C2gDb) db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
    g_autoptr (C2gDbTransaction) first = db_begin (db);
    g_autoptr (C2gDbTransaction) second = db_begin (db);

    db_put (first, "a", "1");
    db_commit (first);
    db_commit (first);
    db_put (first, "b", "2");
    db_assert_put_fails (second, "x", "x", C2G_ERROR, C2G_ERROR_BUSY);
    g_assert_false (c2g_db_transaction_commit (second, NULL));
    db_commit (first);
    db_assert_records ("minidb", place.file, "a=1 b=2");

    db_put (second, "c", "3");
    g_clear_object (&second);
    db_assert_records ("minidb", place.file, "a=1 b=2");

    db_put (first, "d", "4");
    db_commit (first);
  }
  db_assert_records ("minidb", place.file, "a=1 b=2 d=4");
  db_place_clear (&place);
}

static void
test_close_gives_up (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;

  db_place_init (&place);
  db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
  transaction = db_begin (db);
  db_put (transaction, "a", "1");
  db_commit (transaction);
  db_put (transaction, "b", "2");
  db_close (db);
  db_assert_put_fails (transaction, "b", "2", C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_false (c2g_db_transaction_commit (transaction, NULL));
  db_assert_records ("minidb", place.file, "a=1");
  db_place_clear (&place);
}

/* A value larger than the sink's buffer is written before the commit. */
static void
test_append (void)
{
  g_autofree char *value = g_strnfill (200000, 'v');
  DbPlace place;

  db_place_init (&place);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (C2gDb) db = db_open ("minidb", place.file, C2G_DB_MODE_WRITE);
      g_autoptr (C2gDbTransaction) transaction = db_begin (db);
      GStatBuf status;

      db_put (transaction, "a", "1");
      db_commit (transaction);
      db_put (transaction, "b", value);
      if (i < 2)
        {
          g_assert_cmpint (g_stat (place.path, &status), ==, 0);
          g_assert_cmpint (status.st_size, >, 100000);
        }
      else
        db_commit (transaction);
    }

  {
    g_autoptr (C2gDb) db = db_open ("minidb", place.file, C2G_DB_MODE_READ);
    g_autoptr (C2gDbCursor) cursor = db_cursor (db);
    g_autofree char *got = NULL;

    for (guint i = 0; i < 3; i++, db_next (cursor))
      db_assert_at (cursor, "a");
    db_assert_at (cursor, "b");
    got = db_value (cursor);
    g_assert_cmpstr (got, ==, value);
    db_next (cursor);
    g_assert_false (c2g_db_cursor_is_valid (cursor));
  }
  db_place_clear (&place);
}

/* Only one transaction writes at a time. */
static void
test_two_writers (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;

  db_place_init (&place);
  db_place_write (&place, RECORD ("a", "1"), RECORD_BYTES);
  db = db_open ("minidb", place.file, C2G_DB_MODE_WRITE);
  db_assert_open_fails ("minidb", place.file, C2G_DB_MODE_WRITE, C2G_ERROR, C2G_ERROR_BUSY,
                        place.path);

  transaction = db_begin (db);
  db_put (transaction, "b", "2");
  db_commit (transaction);

  /* Now the other one can write. */
  {
    g_autoptr (C2gDb) other = db_open ("minidb", place.file, C2G_DB_MODE_WRITE);
    g_autoptr (C2gDbTransaction) other_transaction = db_begin (other);

    db_put (other_transaction, "c", "3");
    db_commit (other_transaction);
  }
  db_assert_put_fails (transaction, "d", "4", C2G_ERROR, C2G_ERROR_BUSY);
  db_assert_records ("minidb", place.file, "a=1 b=2 c=3");
  db_place_clear (&place);
}

/* Neither database existed when they were opened. */
static void
test_two_makers (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDb) other = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;
  g_autoptr (C2gDbTransaction) other_transaction = NULL;
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  db = db_open ("minidb", place.file, C2G_DB_MODE_WRITE);
  other = db_open ("minidb", place.file, C2G_DB_MODE_WRITE);
  transaction = db_begin (db);
  other_transaction = db_begin (other);
  db_put (transaction, "a", "1");
  db_put (other_transaction, "b", "2");
  db_commit (transaction);

  g_assert_false (c2g_db_transaction_commit (other_transaction, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  db_assert_records ("minidb", place.file, "a=1");

  /* A transaction does not append to a new file of the same length instead of the old one. */
  {
    g_autoptr (C2gDb) newer = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
    g_autoptr (C2gDbTransaction) newer_transaction = db_begin (newer);

    db_put (newer_transaction, "c", "3");
    db_commit (newer_transaction);
  }
  db_assert_put_fails (transaction, "d", "4", C2G_ERROR, C2G_ERROR_BUSY);
  db_assert_records ("minidb", place.file, "c=3");
  db_place_clear (&place);
}

static void
test_refused (void)
{
  static const struct
  {
    gsize n_key_bytes;
    gsize n_value_bytes;
    int   code;
  } refused[] = {
    { 0, 1, C2G_ERROR_INVALID_ARGUMENT },
    { 1, 0, C2G_ERROR_INVALID_ARGUMENT },
    { 0, 0, C2G_ERROR_INVALID_ARGUMENT },
    { 1, (gsize) G_MAXINT32 + 1, C2G_ERROR_RANGE },
    { (gsize) G_MAXINT32 + 1, 1, C2G_ERROR_RANGE },
    { G_MAXSIZE, G_MAXSIZE, C2G_ERROR_RANGE },
  };
  /* Only the beginning of an invalid key is read. */
  static const char data[100] = "key";
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;

  db_place_init (&place);
  db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
  transaction = db_begin (db);
  db_put (transaction, "a", "1");
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GBytes) key = g_bytes_new_static (data, refused[i].n_key_bytes);
      g_autoptr (GBytes) value = g_bytes_new_static (data, refused[i].n_value_bytes);
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_db_transaction_put (transaction, key, value, &error));
      g_assert_error (error, C2G_ERROR, refused[i].code);
      g_assert_nonnull (strstr (error->message, refused[i].n_key_bytes == 0 ? "“”" : "“k"));
    }

  db_put (transaction, "b", "2");
  db_commit (transaction);
  db_assert_records ("minidb", place.file, "a=1 b=2");
  db_place_clear (&place);
}

static void
test_write_only (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
  g_assert_null (c2g_db_new_cursor (db, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  db_place_clear (&place);
}

static void
test_no_seek (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GBytes) key = db_bytes ("a");
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  db_fill ("minidb", place.file);
  db = db_open ("minidb", place.file, C2G_DB_MODE_READ);
  cursor = db_cursor (db);
  g_assert_false (c2g_db_cursor_supports_seek (cursor));
  g_assert_false (c2g_db_cursor_seek (cursor, key, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  db_assert_at (cursor, "00");
  db_next (cursor);
  db_assert_at (cursor, "01");
  g_assert_true (c2g_db_cursor_seek_to_first (cursor, NULL));
  db_assert_at (cursor, "00");
  db_place_clear (&place);
}

static void
test_locate (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (C2gDbValue) value = { .source = NULL };
  char data[2];

  db_place_init (&place);
  db_fill ("minidb", place.file);
  db = db_open ("minidb", place.file, C2G_DB_MODE_READ);
  cursor = db_cursor (db);
  db_next (cursor);
  g_assert_true (c2g_db_cursor_locate_value (cursor, &value, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (value.offset, ==, 12 + 8 + 2);
  g_assert_cmpuint (value.n_bytes, ==, 2);

  /* The value outlives the database. */
  db_close (db);
  g_clear_object (&cursor);
  g_clear_object (&db);
  g_assert_true (c2g_source_read (value.source, value.offset, data, 2, NULL, &error));
  g_assert_cmpmem (data, 2, "01", 2);
  db_place_clear (&place);
}

/* Keys larger than a window, and many records. */
static void
test_large (void)
{
  const gsize n_key_bytes = 3 * C2G_SCANNER_WINDOW + 1;
  g_autofree char *long_key = g_strnfill (n_key_bytes, 'k');
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;

  db_place_init (&place);
  {
    g_autoptr (C2gDb) new_db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
    g_autoptr (C2gDbTransaction) transaction = db_begin (new_db);

    db_put (transaction, long_key, "1");
    for (guint i = 0; i < 10000; i++)
      {
        g_autofree char *key = g_strdup_printf ("%u", i);
        g_autofree char *value = g_strnfill (1 + i % 1000, 'a' + i % 26);

        db_put (transaction, key, value);
      }
    db_commit (transaction);
  }

  db = db_open ("minidb", place.file, C2G_DB_MODE_READ);
  cursor = db_cursor (db);
  db_assert_at (cursor, long_key);
  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u", i);

      db_next (cursor);
      db_assert_at (cursor, key);
      if (i % 997 == 0)
        {
          g_autofree char *value = db_value (cursor);

          g_assert_cmpuint (strlen (value), ==, 1 + i % 1000);
          g_assert_cmpint (value[0], ==, 'a' + i % 26);
        }
    }
  db_next (cursor);
  g_assert_false (c2g_db_cursor_is_valid (cursor));
  db_place_clear (&place);
}

/* Files that were given to Caffe2. */
static void
test_golden (void)
{
  static const struct
  {
    const char *name;
    guint       n_records;
    gboolean    is_damaged;
  } files[] = {
    { "empty", 0, FALSE },
    { "dup_blob", 2, FALSE },
    { "key_no_chunk", 1, FALSE },
    { "missing_chunk", 20, FALSE },
    { "not_proto", 1, FALSE },
    { "trail3", 45, FALSE },
    { "trunc_value", 44, TRUE },
    { "zero_key", 21, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_strconcat (files[i].name, ".minidb", NULL);
      g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "golden", "minidb_edge",
                                                     name, NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (C2gDb) db = NULL;
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", name);
      db = db_open ("minidb", file, C2G_DB_MODE_READ);
      g_assert_cmpuint (count_records (db, &error), ==, files[i].n_records);
      if (files[i].is_damaged)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      else
        g_assert_no_error (error);
    }
}

/* Copying the records of a database of Caffe2 gives the same bytes. */
static void
test_copy_golden (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "golden", "ckpt.minidb", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GBytes) expected = NULL;
  DbPlace place;

  db_place_init (&place);
  {
    g_autoptr (C2gDb) old_db = db_open ("minidb", file, C2G_DB_MODE_READ);
    g_autoptr (C2gDb) new_db = db_open ("minidb", place.file, C2G_DB_MODE_NEW);
    g_autoptr (C2gDbCursor) cursor = db_cursor (old_db);
    g_autoptr (C2gDbTransaction) transaction = db_begin (new_db);

    for (; c2g_db_cursor_is_valid (cursor); db_next (cursor))
      {
        g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, NULL);
        g_autoptr (GBytes) value = c2g_db_cursor_dup_value (cursor, NULL);

        g_assert_true (c2g_db_transaction_put (transaction, key, value, NULL));
      }
    db_commit (transaction);
  }

  expected = g_file_load_bytes (file, NULL, NULL, NULL);
  db_place_assert (&place, g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
  db_place_clear (&place);
}

static void
test_looks_like (void)
{
  static const struct
  {
    const char *data;
    gsize       n_bytes;
    gboolean    expected;
  } files[] = {
    { RECORD ("a", "b"), 10, TRUE },
    { RECORD ("a", ""), 9, TRUE },
    { "\3\0\0\0\1\0\0\0ke", 10, TRUE },
    { RECORD ("\1", "b"), 10, FALSE },
    /* A name may have any characters if the blob has the same name. */
    { RECORD ("\1", "\n\1\1"), 12, TRUE },
    { RECORD ("\1", "\n\1\1"), 11, FALSE },
    { RECORD ("\1", "\n\1\2"), 12, FALSE },
    { RECORD ("\1", "\n\0\1"), 12, FALSE },
    { RECORD ("\1", "\n\2\1#"), 13, FALSE },
    { "\4\0\0\0\3\0\0\0\1#%0\n\1\1", 15, TRUE },
    { "\4\0\0\0\3\0\0\0\1a%0\n\1\1", 15, FALSE },
    { "\0\0\0\0\1\0\0\0ab", 10, FALSE },
    { "\1\0\0\0\0\0\0\0ab", 10, FALSE },
    { "\1\0\1\0\1\0\0\0ab", 10, FALSE },
    { "\1\0\0\0\1\0\0", 7, FALSE },
    { "", 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    g_assert_cmpint (c2g_minidb_looks_like ((const guint8 *) files[i].data, files[i].n_bytes), ==,
                     files[i].expected);
}

/* Paths that cannot be files. */
static void
test_places (void)
{
  DbPlace place;
  g_autoptr (GFile) folder = NULL;
  g_autoptr (GFile) below = NULL;

  db_place_init (&place);
  folder = g_file_new_for_path (place.folder);
  db_assert_open_fails ("minidb", folder, C2G_DB_MODE_READ, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY,
                        place.folder);
  db_assert_open_fails ("minidb", folder, C2G_DB_MODE_WRITE, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY,
                        place.folder);
  db_assert_open_fails ("minidb", folder, C2G_DB_MODE_NEW, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY,
                        place.folder);

  db_assert_open_fails ("minidb", place.file, C2G_DB_MODE_READ, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                        place.path);
  below = g_file_get_child (place.file, "below");
  db_assert_open_fails ("minidb", below, C2G_DB_MODE_WRITE, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                        place.path);
  db_assert_open_fails ("minidb", below, C2G_DB_MODE_NEW, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                        place.path);

  g_assert_cmpint (mkfifo (place.path, 0600), ==, 0);
  db_assert_open_fails ("minidb", place.file, C2G_DB_MODE_READ, G_IO_ERROR,
                        G_IO_ERROR_NOT_REGULAR_FILE, place.path);
  db_assert_open_fails ("minidb", place.file, C2G_DB_MODE_WRITE, G_IO_ERROR,
                        G_IO_ERROR_NOT_REGULAR_FILE, place.path);
  db_place_clear (&place);
}

static void
test_read_only (void)
{
  DbPlace place;

  if (geteuid () == 0)
    {
      g_test_skip ("Who may do everything is not stopped by a folder");
      return;
    }

  db_place_init (&place);
  db_fill ("minidb", place.file);
  g_assert_cmpint (chmod (place.folder, 0500), ==, 0);
  g_assert_cmpint (chmod (place.path, 0400), ==, 0);
  db_assert_open_fails ("minidb", place.file, C2G_DB_MODE_NEW, G_IO_ERROR,
                        G_IO_ERROR_PERMISSION_DENIED, place.path);
  db_assert_open_fails ("minidb", place.file, C2G_DB_MODE_WRITE, G_IO_ERROR,
                        G_IO_ERROR_PERMISSION_DENIED, place.path);
  g_assert_cmpint (chmod (place.folder, 0700), ==, 0);
  db_place_clear (&place);
}

static void
test_not_on_this_machine (void)
{
  g_autoptr (GFile) file = g_file_new_for_uri ("nowhere:///database");
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_append_sink_new (file, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/minidb/bytes", test_bytes);
  c2g_test_add_func ("/minidb/new", test_new);
  c2g_test_add_func ("/minidb/empty", test_empty);
  c2g_test_add_func ("/minidb/several-commits", test_several_commits);
  c2g_test_add_func ("/minidb/close-gives-up", test_close_gives_up);
  c2g_test_add_func ("/minidb/append", test_append);
  c2g_test_add_func ("/minidb/two-writers", test_two_writers);
  c2g_test_add_func ("/minidb/two-makers", test_two_makers);
  c2g_test_add_func ("/minidb/refused", test_refused);
  c2g_test_add_func ("/minidb/write-only", test_write_only);
  c2g_test_add_func ("/minidb/no-seek", test_no_seek);
  c2g_test_add_func ("/minidb/locate", test_locate);
  c2g_test_add_func ("/minidb/large", test_large);
  c2g_test_add_func ("/minidb/golden", test_golden);
  c2g_test_add_func ("/minidb/copy-golden", test_copy_golden);
  c2g_test_add_func ("/minidb/looks-like", test_looks_like);
  c2g_test_add_func ("/minidb/places", test_places);
  c2g_test_add_func ("/minidb/read-only", test_read_only);
  c2g_test_add_func ("/minidb/not-on-this-machine", test_not_on_this_machine);

  return c2g_test_run ();
}
