/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/lmdb-peer.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes LMDB databases, which liblmdb must read like c2g. */

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static C2gDb *
open_db (const char *folder,
         const char *name,
         C2gDbMode   mode)
{
  g_autoptr (GError) error = NULL;
  C2gDb *db = lmdb_open (folder, name, mode, &error);

  g_assert_no_error (error);
  return db;
}

static void
put (C2gDbTransaction *transaction,
     guint             i,
     gsize             n_bytes)
{
  g_autoptr (GBytes) key = lmdb_make_key (i, 511);
  g_autoptr (GBytes) value = lmdb_make_value (i, n_bytes);
  g_autoptr (GError) error = NULL;

  c2g_db_transaction_put (transaction, key, value, &error);
  g_assert_no_error (error);
}

static void
commit (C2gDbTransaction *transaction)
{
  g_autoptr (GError) error = NULL;

  c2g_db_transaction_commit (transaction, &error);
  g_assert_no_error (error);
}

static void
put_and_commit (C2gDb *db,
                guint  begin,
                guint  end,
                gsize  n_bytes)
{
  g_autoptr (C2gDbTransaction) transaction = c2g_db_new_transaction (db, NULL);

  for (guint i = begin; i < end; i++)
    put (transaction, i, n_bytes);
  commit (transaction);
}

static guint64
get_size (const char *folder,
          const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, "data.mdb", NULL);
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_size;
}

static void
test_new (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", NULL);
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);

  /* In any order, and one key twice: the later record counts. */
  {
    g_autoptr (C2gDbTransaction) transaction = c2g_db_new_transaction (db, NULL);

    for (guint i = 0; i < 5000; i++)
      put (transaction, i * 7 % 5000, lmdb_value_size (i, 4096));
    put (transaction, 4999, 5000);
    g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    commit (transaction);
  }

  /* There is only the data file, and it is not much larger than its content. */
  g_assert_cmpuint (count_files (folder), ==, 1);
  g_assert_cmpuint (count_files (path), ==, 1);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 5000);

  /* Later records are added. */
  put_and_commit (db, 5000, 5100, 3);
  put_and_commit (db, 4000, 5050, 2000);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 5100);
  g_assert_true (c2g_db_close (db, NULL));

  lmdb_remove (folder);
}

/* Without a commit there is no database; a commit without records makes an empty one. */
static void
test_new_empty (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  C2gDb *db = open_db (folder, "db", C2G_DB_MODE_NEW);
  C2gDbTransaction *transaction = c2g_db_new_transaction (db, NULL);

  put (transaction, 1, 10);
  g_object_unref (transaction);
  g_assert_true (c2g_db_close (db, NULL));
  g_object_unref (db);
  g_assert_cmpuint (count_files (folder), ==, 0);

  db = open_db (folder, "db", C2G_DB_MODE_NEW);
  transaction = c2g_db_new_transaction (db, NULL);
  put (transaction, 1, 10);
  g_object_unref (db);
  g_object_unref (transaction);
  g_assert_cmpuint (count_files (folder), ==, 0);

  db = open_db (folder, "db", C2G_DB_MODE_NEW);
  put_and_commit (db, 0, 0, 0);
  g_object_unref (db);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 0);
  db = open_db (folder, "db", C2G_DB_MODE_WRITE);
  put_and_commit (db, 0, 10, 10);
  g_object_unref (db);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 10);

  lmdb_remove (folder);
}

/* A new database is only made where nothing exists, not even a dangling link. */
static void
test_exists (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *file = g_build_filename (folder, "file", NULL);
  g_autofree char *empty = g_build_filename (folder, "empty", NULL);
  g_autofree char *dangling = g_build_filename (folder, "dangling", NULL);
  const char *names[] = { "file", "empty", "dangling", "" };

  g_assert_true (g_file_set_contents (file, "abc", 3, NULL));
  g_assert_cmpint (g_mkdir (empty, 0777), ==, 0);
  g_assert_cmpint (symlink ("nowhere", dangling), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (lmdb_open (folder, names[i], C2G_DB_MODE_NEW, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
    }

  g_assert_cmpuint (count_files (folder), ==, 3);
  g_assert_cmpuint (count_files (empty), ==, 0);
  lmdb_remove (folder);
}

/* Something appears at the path before the commit: it is kept. */
static void
test_exists_later (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);
  g_autoptr (C2gDbTransaction) transaction = c2g_db_new_transaction (db, NULL);

  put (transaction, 1, 10);
  g_assert_true (g_file_set_contents (path, "abc", 3, NULL));
  g_assert_false (c2g_db_transaction_commit (transaction, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_false (c2g_db_transaction_commit (transaction, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_cmpuint (count_files (folder), ==, 1);

  /* Another transaction can still create the database. */
  g_assert_cmpint (g_remove (path), ==, 0);
  put_and_commit (db, 0, 3, 3);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 3);

  lmdb_remove (folder);
}

static void
test_bad_folder (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *file = g_build_filename (folder, "file", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, "abc", 3, NULL));
  g_assert_null (lmdb_open (folder, "absent/db", C2G_DB_MODE_NEW, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (lmdb_open (folder, "file/db", C2G_DB_MODE_NEW, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_clear_error (&error);
  g_assert_null (lmdb_open (folder, "", C2G_DB_MODE_WRITE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  /* The superuser can write to every folder, so the test is skipped. */
  g_assert_cmpint (g_chmod (folder, 0555), ==, 0);
  if (g_access (folder, W_OK) != 0)
    {
      g_assert_null (lmdb_open (folder, "db", C2G_DB_MODE_NEW, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
    }
  g_assert_cmpint (g_chmod (folder, 0755), ==, 0);

  g_assert_cmpuint (count_files (folder), ==, 1);
  lmdb_remove (folder);
}

static void
test_no_path (void)
{
  g_autoptr (GFile) file = g_file_new_for_uri ("resource:///no/db");
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_db_open ("lmdb", file, C2G_DB_MODE_NEW, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

static void
assert_not_put (C2gDbTransaction *transaction,
                const char       *letter,
                gsize             n_bytes,
                C2gError          code)
{
  g_autofree char *text = g_strnfill (n_bytes, *letter);
  g_autoptr (GBytes) key = g_bytes_new (text, n_bytes);
  g_autoptr (GBytes) value = lmdb_make_value (1, 10);
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_db_transaction_put (transaction, key, value, &error));
  g_assert_error (error, C2G_ERROR, (int) code);
  if (n_bytes > 0)
    g_assert_nonnull (strstr (error->message, letter));
}

/* A refused record changes nothing. */
static void
test_keys (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *longest = g_strnfill (511, 'k');
  g_autoptr (GBytes) key = g_bytes_new (longest, 511);
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);
  /* Refused because of its size, without being read. */
  g_autoptr (GBytes) too_large = g_bytes_new_static (longest, (gsize) G_MAXUINT32 + 1);
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);
  g_autoptr (C2gDbTransaction) transaction = c2g_db_new_transaction (db, NULL);
  g_autoptr (GError) error = NULL;

  assert_not_put (transaction, "a", 0, C2G_ERROR_INVALID_ARGUMENT);
  assert_not_put (transaction, "aaaa", 512, C2G_ERROR_RANGE);
  assert_not_put (transaction, "bbbb", 1 << 20, C2G_ERROR_RANGE);
  g_assert_false (c2g_db_transaction_put (transaction, key, too_large, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_true (c2g_db_transaction_put (transaction, key, nothing, &error));
  g_assert_no_error (error);
  commit (transaction);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 1);

  lmdb_remove (folder);
}

static void
test_write (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  C2gDb *db = open_db (folder, "db", C2G_DB_MODE_WRITE);

  /* If nothing exists, this creates a new database. */
  put_and_commit (db, 0, 100, 200);
  g_object_unref (db);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 100);

  for (guint i = 0; i < 20; i++)
    {
      db = open_db (folder, i % 2 ? "db" : "db/data.mdb", C2G_DB_MODE_WRITE);
      put_and_commit (db, i * 10, i * 10 + 200, i * i * 100);
      put_and_commit (db, 0, 0, 0);
      g_object_unref (db);
      g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, i * 10 + 200);
    }

  lmdb_remove (folder);
}

/* A file that is not called data.mdb has its lock beside it. */
static void
test_write_file (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  MDB_env *env = lmdb_open_env (folder, "single", MDB_NOSUBDIR);
  g_autoptr (C2gDb) db = NULL;

  mdb_env_close (env);
  db = open_db (folder, "single", C2G_DB_MODE_WRITE);
  put_and_commit (db, 0, 100, 200);
  g_assert_cmpuint (lmdb_assert_same (folder, "single", MDB_NOSUBDIR), ==, 100);
  g_assert_cmpuint (count_files (folder), ==, 2);

  lmdb_remove (folder);
}

/* A database that is open for writing can be read, up to the last commit before the cursor was
 * made. */
static void
test_cursors (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);
  g_autoptr (C2gDbTransaction) transaction = c2g_db_new_transaction (db, NULL);
  g_autoptr (GBytes) key = lmdb_make_key (1, 100);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) before = c2g_db_new_cursor (db, &error);
  g_autoptr (C2gDbCursor) after = NULL;

  g_assert_no_error (error);
  put (transaction, 1, 100);
  commit (transaction);
  put (transaction, 2, 100);
  after = c2g_db_new_cursor (db, &error);
  g_assert_no_error (error);

  g_assert_false (c2g_db_cursor_is_valid (before));
  g_assert_true (c2g_db_cursor_seek_to_first (before, &error));
  g_assert_true (c2g_db_cursor_seek (before, key, &error));
  g_assert_false (c2g_db_cursor_is_valid (before));
  g_assert_cmpint (lmdb_walk (after, &error), ==, 1);
  g_assert_no_error (error);

  lmdb_remove (folder);
}

/* A reader sees the state at the time of opening. Later it may report that the state is gone, but
 * never shows another one. */
static void
test_snapshot (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);
  guint n_good = 0;

  put_and_commit (db, 0, 500, 300);
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (C2gDb) reader = open_db (folder, "db", C2G_DB_MODE_READ);
      g_autoptr (C2gDbCursor) cursor = c2g_db_new_cursor (reader, NULL);
      g_autoptr (GError) error = NULL;
      int n;

      for (guint j = 0; j < i; j++)
        put_and_commit (db, j * 50, j * 50 + 60, 1000 + 100 * i);

      n = lmdb_walk (cursor, &error);
      if (n < 0)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
      else
        g_assert_cmpint (n, ==, 500);
      n_good += n > 0;
    }

  g_assert_cmpuint (n_good, ==, 2);
  lmdb_remove (folder);
}

/* More data than is kept in memory */

static void
test_batches (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", NULL);
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);
  g_autoptr (C2gDbTransaction) transaction = c2g_db_new_transaction (db, NULL);

  for (guint i = 0; i < 40; i++)
    put (transaction, i, 1000000 + i);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  commit (transaction);
  g_assert_cmpuint (count_files (folder), ==, 1);

  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 40);
  g_assert_cmpuint (get_size (folder, "db"), <, 42000000);
  lmdb_remove (folder);
}

/* Rollback also discards batches; a database that another transaction writes is not affected. */
static void
test_given_up (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);
  C2gDbTransaction *first = c2g_db_new_transaction (db, NULL);
  g_autoptr (C2gDbTransaction) second = c2g_db_new_transaction (db, NULL);
  g_autoptr (C2gDbTransaction) third = c2g_db_new_transaction (db, NULL);
  g_autoptr (GError) error = NULL;

  put (second, 1000, 10);
  put (third, 2000, 10);
  for (guint i = 0; i < 20; i++)
    put (first, i, 1000000);
  g_assert_false (c2g_db_transaction_commit (second, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
  g_object_unref (first);
  g_assert_cmpuint (count_files (folder), ==, 0);

  commit (third);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 1);
  lmdb_remove (folder);
}

/* A small map has to grow several times. */
static void
test_growth (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  MDB_env *env = lmdb_open_env (folder, "db", 0);
  g_autoptr (C2gDb) db = NULL;

  mdb_env_close (env);
  db = open_db (folder, "db", C2G_DB_MODE_WRITE);
  for (guint i = 0; i < 6; i++)
    put_and_commit (db, i * 100, i * 100 + 100, 1 << 3 * i);
  /* Values that take two pages and nearly fit into one. */
  put_and_commit (db, 1000, 3000, 4090);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 2600);

  lmdb_remove (folder);
}

/* Limits of the system */

static gboolean
write_limited (C2gDb   *db,
               guint64  max_bytes,
               GError **error)
{
  g_autoptr (C2gDbTransaction) transaction = c2g_db_new_transaction (db, error);
  struct rlimit old_limit;
  struct rlimit limit;
  gboolean is_done = TRUE;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old_limit), ==, 0);
  limit = old_limit;
  limit.rlim_cur = max_bytes;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  for (guint i = 0; i < 30 && is_done; i++)
    {
      g_autoptr (GBytes) key = lmdb_make_key (i, 100);
      g_autoptr (GBytes) value = lmdb_make_value (i, 1000000);

      is_done = c2g_db_transaction_put (transaction, key, value, error);
    }
  is_done = is_done && c2g_db_transaction_commit (transaction, error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old_limit), ==, 0);
  return is_done;
}

/* A file size limit stands for a full disk. */
static void
test_full (void)
{
  static const guint64 limits[] = { 0, 100, 5000, 12288, 500000, 9000000, 20000000, 30000000 };
  g_autofree char *folder = lmdb_new_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);
      g_autoptr (GError) error = NULL;

      g_assert_false (write_limited (db, limits[i], &error));
      g_test_message ("%s", error->message);
      g_assert_true (error->domain == G_IO_ERROR);
      g_clear_object (&db);
      g_assert_cmpuint (count_files (folder), ==, 0);
    }

  lmdb_remove (folder);
}

/* An existing database does not change. */
static void
test_full_write (void)
{
  static const guint64 limits[] = { 0, 8192, 500000, 9000000, 20000000 };
  g_autofree char *folder = lmdb_new_folder ();
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);
  guint64 n_bytes;

  put_and_commit (db, 0, 50, 100);
  n_bytes = get_size (folder, "db");
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autoptr (C2gDb) writer = open_db (folder, "db", C2G_DB_MODE_WRITE);
      g_autoptr (C2gDbCursor) cursor = NULL;
      g_autoptr (GBytes) value = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_false (write_limited (writer, limits[i], &error));
      g_assert_true (error->domain == G_IO_ERROR);
      g_assert_cmpuint (get_size (folder, "db"), ==, n_bytes);
      g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 50);
      cursor = c2g_db_new_cursor (writer, NULL);
      value = c2g_db_cursor_dup_value (cursor, NULL);
      g_assert_cmpuint (g_bytes_get_size (value), ==, 100);
    }

  put_and_commit (db, 50, 60, 100);
  g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, 60);
  lmdb_remove (folder);
}

/* Small pages hold only small keys. */
static void
test_small_pages (void)
{
  static const guint32 page_sizes[] = { 512, 1024, 2048, 8192, 32768 };
  static const gsize max_keys[] = { 230, 486, 511, 511, 511 };
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", "data.mdb", NULL);

  mdb_env_close (lmdb_open_env (folder, "db", 0));
  for (guint i = 0; i < G_N_ELEMENTS (page_sizes); i++)
    {
      g_autoptr (GBytes) bytes = lmdb_build (page_sizes[i], 300);
      g_autofree char *longest = g_strnfill (max_keys[i], 'x');
      g_autoptr (GBytes) key = g_bytes_new (longest, max_keys[i]);
      g_autoptr (C2gDb) db = NULL;
      g_autoptr (C2gDbTransaction) transaction = NULL;

      lmdb_write_file (path, bytes);
      db = open_db (folder, "db", C2G_DB_MODE_WRITE);
      transaction = c2g_db_new_transaction (db, NULL);
      assert_not_put (transaction, "aaaa", max_keys[i] + 1, C2G_ERROR_RANGE);
      for (guint j = 0; j < 300; j++)
        {
          g_autoptr (GBytes) own_key = lmdb_make_key (j * 3, max_keys[i]);
          g_autoptr (GBytes) value = lmdb_make_value (j, lmdb_value_size (j, page_sizes[i]));

          g_assert_true (c2g_db_transaction_put (transaction, own_key, value, NULL));
        }
      g_assert_true (c2g_db_transaction_put (transaction, key, key, NULL));
      commit (transaction);
      g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), >, 500);
    }

  lmdb_remove (folder);
}

/* After a kill at any moment there is nothing or everything */

#define N_KILLED_RECORDS 40

static int
write_until_killed (const char *folder)
{
  g_autoptr (C2gDb) db = open_db (folder, "db", C2G_DB_MODE_NEW);

  put_and_commit (db, 0, N_KILLED_RECORDS, 300000);
  return 0;
}

static void
test_killed (void)
{
  guint n_whole = 0;

  for (guint i = c2g_test_count_rounds (40); i > 0; i--)
    {
      g_autofree char *folder = lmdb_new_folder ();
      g_autofree char *path = g_build_filename (folder, "db", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GSubprocess) child =
        g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error,
                          g_get_prgname (), "--write", folder, NULL);

      g_assert_no_error (error);
      g_usleep (g_test_rand_int_range (0, 150000));
      g_subprocess_force_exit (child);
      g_subprocess_wait (child, NULL, &error);
      g_assert_no_error (error);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        {
          g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, N_KILLED_RECORDS);
          n_whole++;
        }
      lmdb_remove (folder);
    }

  g_test_message ("%u were written before", n_whole);
}

int
main (int    argc,
      char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--write"))
    return write_until_killed (argv[2]);

  g_test_init (&argc, &argv, NULL);
  g_set_prgname (argv[0]);

  c2g_test_add_func ("/lmdb-write/new", test_new);
  c2g_test_add_func ("/lmdb-write/new/empty", test_new_empty);
  c2g_test_add_func ("/lmdb-write/new/exists", test_exists);
  c2g_test_add_func ("/lmdb-write/new/exists-later", test_exists_later);
  c2g_test_add_func ("/lmdb-write/new/bad-folder", test_bad_folder);
  c2g_test_add_func ("/lmdb-write/new/no-path", test_no_path);
  c2g_test_add_func ("/lmdb-write/keys", test_keys);
  c2g_test_add_func ("/lmdb-write/write", test_write);
  c2g_test_add_func ("/lmdb-write/write/file", test_write_file);
  c2g_test_add_func ("/lmdb-write/cursors", test_cursors);
  c2g_test_add_func ("/lmdb-write/snapshot", test_snapshot);
  c2g_test_add_func ("/lmdb-write/batches", test_batches);
  c2g_test_add_func ("/lmdb-write/given-up", test_given_up);
  c2g_test_add_func ("/lmdb-write/growth", test_growth);
  c2g_test_add_func ("/lmdb-write/full", test_full);
  c2g_test_add_func ("/lmdb-write/full/write", test_full_write);
  c2g_test_add_func ("/lmdb-write/small-pages", test_small_pages);
  c2g_test_add_func ("/lmdb-write/killed", test_killed);

  return c2g_test_run ();
}
