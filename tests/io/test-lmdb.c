/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/io-utils.h"
#include "tests/io/lmdb-utils.h"

#include <c2g/io/lmdb/c2g-lmdb-verify-private.h>
#include <c2g/io/lmdb/c2g-lmdb-writer-private.h>

#include <json-glib/json-glib.h>

#include <inttypes.h>
#include <unistd.h>

/* Reads LMDB databases, made here or by Caffe2; liblmdb is not needed. */

static const guint32 page_sizes[] = { 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536 };

/* Files of Caffe2 */

static char *
golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "golden", name, NULL);
}

static C2gDbCursor *
open_cursor (const char *db_type,
             const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDb) db = c2g_db_open (db_type, file, C2G_DB_MODE_READ, NULL, &error);
  C2gDbCursor *cursor;

  g_assert_no_error (error);
  cursor = c2g_db_new_cursor (db, &error);
  g_assert_no_error (error);
  return cursor;
}

static JsonArray *
find_checkpoint (JsonParser *parser,
                 const char *name)
{
  g_autofree char *path = golden_path ("manifest.json");
  g_autoptr (GError) error = NULL;
  JsonArray *checkpoints;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  checkpoints =
    json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)),
                                  "checkpoints");
  for (guint i = 0; i < json_array_get_length (checkpoints); i++)
    {
      JsonObject *checkpoint = json_array_get_object_element (checkpoints, i);

      if (g_str_equal (json_object_get_string_member (checkpoint, "file"), name))
        return json_object_get_array_member (checkpoint, "records_in_db_order");
    }

  g_assert_not_reached ();
}

static guint64
hash_bytes (GBytes *bytes)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);

  for (gsize i = 0; i < n_bytes; i++)
    hash = (hash ^ data[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

static void
test_golden (void)
{
  g_autofree char *path = golden_path ("ckpt.lmdb");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (C2gDbCursor) cursor = open_cursor ("lmdb", path);
  JsonArray *records = find_checkpoint (parser, "ckpt.lmdb");

  for (guint i = 0; i < json_array_get_length (records); i++)
    {
      JsonObject *record = json_array_get_object_element (records, i);
      g_autoptr (GBytes) value = lmdb_read_value (cursor);
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, NULL);
      g_autofree char *name = g_strndup (g_bytes_get_data (key, NULL), g_bytes_get_size (key));
      g_autofree char *hash = g_strdup_printf ("%016" PRIx64, hash_bytes (value));

      g_assert_cmpstr (name, ==, json_object_get_string_member (record, "key"));
      g_assert_cmpuint (g_bytes_get_size (value), ==,
                        json_object_get_int_member (record, "value_bytes"));
      g_assert_cmpstr (hash, ==, json_object_get_string_member (record, "value_fnv1a64"));
      lmdb_assert_next (cursor);
    }
  g_assert_false (c2g_db_cursor_is_valid (cursor));
}

/* The same checkpoint in both formats. */
static void
test_golden_minidb (void)
{
  g_autofree char *path = golden_path ("ckpt.lmdb/data.mdb");
  g_autofree char *minidb_path = golden_path ("ckpt.minidb");
  g_autoptr (C2gDbCursor) cursor = open_cursor ("LMDB", path);
  g_autoptr (C2gDbCursor) minidb = open_cursor ("minidb", minidb_path);
  guint n = 0;

  for (; c2g_db_cursor_is_valid (minidb); n++)
    {
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (minidb, NULL);
      g_autoptr (GBytes) value = c2g_db_cursor_dup_value (minidb, NULL);
      g_autoptr (GError) error = NULL;

      c2g_db_cursor_seek (cursor, key, &error);
      g_assert_no_error (error);
      lmdb_assert_at (cursor, key, value);
      lmdb_assert_next (minidb);
    }
  g_assert_cmpuint (n, ==, 17);
}

static void
test_model (void)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "..", "shared", "models", "lenet_lmdb", "LeNet_params", NULL);
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("../shared/models is not there");
      return;
    }
  cursor = open_cursor ("lmdb", path);
  g_assert_cmpint (lmdb_walk (cursor, &error), ==, 8);
  g_assert_no_error (error);
}

/* Files made here */

static void
assert_records (GBytes  *bytes,
                guint32  page_size,
                guint    n_records)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) cursor = lmdb_open_bytes (bytes, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < n_records; i++)
    {
      g_autoptr (GBytes) key = lmdb_make_key (i, page_size < 2048 ? 100 : 511);
      g_autoptr (GBytes) value = lmdb_make_value (i, lmdb_value_size (i, page_size));

      lmdb_assert_at (cursor, key, value);
      lmdb_assert_next (cursor);
    }
  g_assert_false (c2g_db_cursor_is_valid (cursor));
}

static void
test_page_sizes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (page_sizes); i++)
    {
      guint n_records = page_sizes[i] < 4096 ? 2000 : 500;
      g_autoptr (GBytes) bytes = lmdb_build (page_sizes[i], n_records);

      g_test_message ("%u: %zu bytes", page_sizes[i], g_bytes_get_size (bytes));
      assert_records (bytes, page_sizes[i], n_records);
    }
}

static void
test_few (void)
{
  for (guint n = 0; n < 60; n++)
    {
      g_autoptr (GBytes) bytes = lmdb_build (512, n);

      assert_records (bytes, 512, n);
    }
}

static void
assert_seek (C2gDbCursor *cursor,
             GBytes      *key,
             guint        expected,
             guint        n_records)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) expected_key = lmdb_make_key (expected, 100);
  g_autoptr (GBytes) value = lmdb_make_value (expected, lmdb_value_size (expected, 512));
  gboolean has_moved = c2g_db_cursor_seek (cursor, key, &error);

  g_assert_no_error (error);
  g_assert_true (has_moved);
  if (expected < n_records)
    lmdb_assert_at (cursor, expected_key, value);
  else
    g_assert_false (c2g_db_cursor_is_valid (cursor));
}

/* Seeks to a key, just before it and just after it, and continues from there. */
static void
test_seek (void)
{
  const guint n_records = 1500;
  g_autoptr (GBytes) bytes = lmdb_build (512, n_records);
  g_autoptr (C2gDbCursor) cursor = lmdb_open_bytes (bytes, NULL);
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);
  g_autoptr (GBytes) last = g_bytes_new_static ("c", 1);

  g_assert_true (c2g_db_cursor_supports_seek (cursor));
  for (guint i = 0; i < n_records; i++)
    {
      g_autoptr (GBytes) key = lmdb_make_key (i * 7 % n_records, 100);
      gsize n_bytes;
      const char *data = g_bytes_get_data (key, &n_bytes);
      g_autofree char *longer = g_strdup_printf ("%.*s%c", (int) n_bytes, data, 1);
      g_autoptr (GBytes) behind = g_bytes_new (longer, n_bytes + 1);
      g_autoptr (GBytes) before = g_bytes_new (data, n_bytes - 1);

      assert_seek (cursor, key, i * 7 % n_records, n_records);
      assert_seek (cursor, before, i * 7 % n_records, n_records);
      assert_seek (cursor, behind, i * 7 % n_records + 1, n_records);
      if (c2g_db_cursor_is_valid (cursor))
        lmdb_assert_next (cursor);
    }

  assert_seek (cursor, nothing, 0, n_records);
  assert_seek (cursor, last, n_records, n_records);
  assert_seek (cursor, nothing, 0, n_records);
}

static void
test_ends (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) cursor = lmdb_open_bytes (bytes, &error);
  g_auto (C2gDbValue) value = { NULL };

  lmdb_assert_next (cursor);
  g_assert_false (c2g_db_cursor_is_valid (cursor));
  g_assert_false (c2g_db_cursor_next (cursor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (c2g_db_cursor_dup_key (cursor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_false (c2g_db_cursor_locate_value (cursor, &value, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);

  g_assert_true (c2g_db_cursor_seek_to_first (cursor, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_db_cursor_is_valid (cursor));
}

static gpointer
walk_thread (gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) cursor = c2g_db_new_cursor (data, &error);
  int n;

  g_assert_no_error (error);
  n = lmdb_walk (cursor, &error);
  g_assert_no_error (error);
  return GINT_TO_POINTER (n);
}

/* Writes the bytes to data.mdb in a new folder. */
static char *
write_folder (GBytes *bytes)
{
  char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "data.mdb", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  return folder;
}

static void
test_threads (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (4096, 1000);
  g_autofree char *folder = write_folder (bytes);
  g_autoptr (C2gDb) db = lmdb_open (folder, "", C2G_DB_MODE_READ, NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("walk", walk_thread, db);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (threads[i])), ==, 1000);

  lmdb_remove (folder);
}

/* Only the data file is needed, and reading leaves no other file. */
static void
test_folder (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (1024, 100);
  g_autofree char *folder = write_folder (bytes);
  g_autofree char *path = g_build_filename (folder, "data.mdb", NULL);
  g_autofree char *other = g_build_filename (folder, "other.name", NULL);
  const char *names[] = { "", "data.mdb", "other.name" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gDb) db = NULL;
      g_autoptr (C2gDbCursor) cursor = NULL;

      if (i == 2)
        g_assert_cmpint (g_rename (path, other), ==, 0);
      db = lmdb_open (folder, names[i], C2G_DB_MODE_READ, &error);
      g_assert_no_error (error);
      cursor = c2g_db_new_cursor (db, &error);
      g_assert_no_error (error);
      g_assert_cmpint (lmdb_walk (cursor, &error), ==, 100);
    }

  g_assert_cmpint (g_remove (other), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
assert_no_database (const char *folder,
                    const char *name,
                    GQuark      domain,
                    int         code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDb) db = lmdb_open (folder, name, C2G_DB_MODE_READ, &error);

  g_assert_error (error, domain, code);
  g_assert_null (db);
}

static void
test_no_database (void)
{
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);
  g_autofree char *folder = write_folder (nothing);
  g_autofree char *path = g_build_filename (folder, "data.mdb", NULL);

  assert_no_database (folder, "absent", G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_no_database (folder, "", C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_cmpint (g_remove (path), ==, 0);
  assert_no_database (folder, "", G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpint (g_mkdir (path, 0777), ==, 0);
  assert_no_database (folder, "", G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);

  lmdb_remove (folder);
}

/* A file that becomes shorter while it is read gives an error and no crash. */
static void
test_shrinks (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 300);
  g_autofree char *folder = write_folder (bytes);
  g_autofree char *path = g_build_filename (folder, "data.mdb", NULL);
  g_autoptr (C2gDb) db = lmdb_open (folder, "", C2G_DB_MODE_READ, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) cursor = c2g_db_new_cursor (db, NULL);

  g_assert_cmpint (truncate (path, g_bytes_get_size (bytes) / 2), ==, 0);
  g_assert_cmpint (lmdb_walk (cursor, &error), ==, -1);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_assert_false (c2g_db_cursor_is_valid (cursor));

  lmdb_remove (folder);
}

/* After two more transactions, pages may have been reused. */
static void
test_changes (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 300);
  g_autofree char *folder = write_folder (bytes);
  g_autofree char *path = g_build_filename (folder, "data.mdb", NULL);
  g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (C2gDb) db = lmdb_open (folder, "", C2G_DB_MODE_READ, NULL);

  for (guint64 transaction = 6; transaction <= 7; transaction++)
    {
      g_autoptr (C2gDbCursor) cursor = c2g_db_new_cursor (db, NULL);
      g_autoptr (GError) error = NULL;
      FILE *file = g_fopen (path, "r+b");

      lmdb_set_uint64 (data + 144 + transaction % 2 * 512, transaction);
      g_assert_cmpuint (fwrite (data, 1024, 1, file), ==, 1);
      fclose (file);
      if (transaction == 6)
        g_assert_cmpint (lmdb_walk (cursor, &error), ==, 300);
      else
        {
          g_assert_cmpint (lmdb_walk (cursor, &error), ==, -1);
          g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
        }
    }

  lmdb_remove (folder);
}

/* An error in pages that were reused is not reported as damage. */
static void
test_changes_while_verified (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 300);
  g_autofree char *folder = write_folder (bytes);
  g_autofree char *path = g_build_filename (folder, "data.mdb", NULL);
  g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autoptr (GFile) location = g_file_new_for_path (path);
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (C2gLmdbFile) lmdb_file = NULL;
  g_autoptr (GError) error = NULL;

  for (guint page = 0; page < 2; page++)
    lmdb_set_uint64 (data + page * 512 + 64, 5);
  g_assert_true (g_file_set_contents (path, (char *) data, g_bytes_get_size (bytes), NULL));
  source = c2g_source_new_for_file (location, NULL, &error);
  g_assert_no_error (error);
  lmdb_file = c2g_lmdb_file_new (source, &error);
  g_assert_no_error (error);

  for (guint64 transaction = 5; transaction <= 7; transaction += 2)
    {
      FILE *file = g_fopen (path, "r+b");

      lmdb_set_uint64 (data + 144 + 512, transaction);
      g_assert_cmpuint (fwrite (data, 1024, 1, file), ==, 1);
      fclose (file);
      g_assert_false (c2g_lmdb_verify (lmdb_file, NULL, &error));
      g_assert_error (error, C2G_ERROR, (transaction == 5 ? C2G_ERROR_CORRUPT : C2G_ERROR_BUSY));
      g_clear_error (&error);
    }

  lmdb_remove (folder);
}

/* Without liblmdb writing fails with an error that says so. */
static void
test_no_writer (void)
{
  g_autofree char *folder = NULL;

  if (c2g_lmdb_check_writer (NULL))
    {
      g_test_skip ("c2g was built with liblmdb");
      return;
    }

  folder = lmdb_new_folder ();
  for (C2gDbMode mode = C2G_DB_MODE_WRITE; mode <= C2G_DB_MODE_NEW; mode++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gDb) db = lmdb_open (folder, "new", mode, &error);

      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_null (db);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/lmdb/golden", test_golden);
  c2g_test_add_func ("/lmdb/golden-minidb", test_golden_minidb);
  c2g_test_add_func ("/lmdb/model", test_model);
  c2g_test_add_func ("/lmdb/page-sizes", test_page_sizes);
  c2g_test_add_func ("/lmdb/few", test_few);
  c2g_test_add_func ("/lmdb/seek", test_seek);
  c2g_test_add_func ("/lmdb/ends", test_ends);
  c2g_test_add_func ("/lmdb/threads", test_threads);
  c2g_test_add_func ("/lmdb/folder", test_folder);
  c2g_test_add_func ("/lmdb/no-database", test_no_database);
  c2g_test_add_func ("/lmdb/shrinks", test_shrinks);
  c2g_test_add_func ("/lmdb/changes", test_changes);
  c2g_test_add_func ("/lmdb/changes-while-verified", test_changes_while_verified);
  c2g_test_add_func ("/lmdb/no-writer", test_no_writer);

  return c2g_test_run ();
}
