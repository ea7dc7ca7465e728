/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/io-utils.h"
#include "tests/io/lmdb-utils.h"

#include <c2g/io/c2g-lmdb-writer-private.h>

#include <json-glib/json-glib.h>

#include <inttypes.h>
#include <unistd.h>

/* Reading LMDB databases, all of which are made here or by Caffe2: liblmdb is not needed. */

static const guint32 page_sizes[] = { 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536 };

/* Files of Caffe2 */

static char *
find_shared (void)
{
  char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "shared", NULL);

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return path;
  g_free (path);
  g_test_skip ("../shared is not there");
  return NULL;
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
                 const char *shared,
                 const char *name)
{
  g_autofree char *path = g_build_filename (shared, "golden", "manifest.json", NULL);
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
  g_autofree char *shared = find_shared ();
  g_autofree char *path = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (C2gDbCursor) cursor = NULL;
  JsonArray *records;

  if (shared == NULL)
    return;
  path = g_build_filename (shared, "golden", "ckpt.lmdb", NULL);
  records = find_checkpoint (parser, shared, "ckpt.lmdb");
  cursor = open_cursor ("lmdb", path);

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

/* The same checkpoint is in both. */
static void
test_golden_minidb (void)
{
  g_autofree char *shared = find_shared ();
  g_autofree char *path = NULL;
  g_autofree char *minidb_path = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (C2gDbCursor) minidb = NULL;
  guint n = 0;

  if (shared == NULL)
    return;
  path = g_build_filename (shared, "golden", "ckpt.lmdb", "data.mdb", NULL);
  minidb_path = g_build_filename (shared, "golden", "ckpt.minidb", NULL);
  cursor = open_cursor ("LMDB", path);
  minidb = open_cursor ("minidb", minidb_path);

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
  g_autofree char *shared = find_shared ();
  g_autofree char *path = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GError) error = NULL;

  if (shared == NULL)
    return;
  path = g_build_filename (shared, "models", "lenet_lmdb", "LeNet_params", NULL);
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

/* To a key, right before it and right behind it; then on from there. */
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

/* Writes the bytes to the data.mdb of a new folder. */
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

/* Nothing but the data is needed, and nothing is left beside it. */
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

/* A file that becomes shorter while it is read is an error, and no fault. */
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

/* Two transactions later, others may have used pages again. */
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

/* Damage */

typedef struct
{
  guint64 offset;
  gsize   n_bytes;
  guint64 value;
} Patch;

static GBytes *
apply (GBytes       *bytes,
       const Patch  *patches,
       guint         n_patches)
{
  gsize n_bytes = g_bytes_get_size (bytes);
  guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), n_bytes);

  for (guint i = 0; i < n_patches; i++)
    {
      guint64 value = GUINT64_TO_LE (patches[i].value);

      memcpy (data + patches[i].offset, &value, patches[i].n_bytes);
    }
  return g_bytes_new_take (data, n_bytes);
}

static void
assert_refused (GBytes       *bytes,
                const char   *name,
                const Patch  *patches,
                guint         n_patches,
                C2gError      code)
{
  g_autoptr (GBytes) patched = apply (bytes, patches, n_patches);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (lmdb_walk_bytes (patched, &error), ==, -1);
  g_test_message ("%s: %s", name, error->message);
  g_assert_error (error, C2G_ERROR, (int) code);
  if (code == C2G_ERROR_CORRUPT)
    g_assert_nonnull (strstr (error->message, "page"));
}

/* The same in both meta pages. */
static void
assert_meta_refused (GBytes      *bytes,
                     const char  *name,
                     guint64      offset,
                     gsize        n_bytes,
                     guint64      value,
                     C2gError     code)
{
  const Patch patches[] = { { offset, n_bytes, value }, { 512 + offset, n_bytes, value } };

  assert_refused (bytes, name, patches, 2, code);
}

static void
test_metas (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  guint64 root = c2g_lmdb_get_uint64 ((const guint8 *) g_bytes_get_data (bytes, NULL) + 128);
  guint64 n_pages = g_bytes_get_size (bytes) / 512;

  /* A root, branches and leaves. */
  g_assert_cmpuint (((const guint8 *) g_bytes_get_data (bytes, NULL))[94], ==, 3);
  assert_meta_refused (bytes, "mark", 16, 4, 0, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "version", 20, 4, 2, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "big-endian", 16, 4, 0xdec0efbe, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "32 bits", 12, 8, 0x1beefc0de, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "32 bits, big-endian", 12, 8, 0x1000000dec0efbe,
                       C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "kind", 10, 2, 4, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "no page size", 40, 4, 0, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "small page size", 40, 4, 256, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "odd page size", 40, 4, 513, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "large page size", 40, 4, 0x20000, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "flags of free pages", 44, 2, 0x0c, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "several values", 92, 2, 4, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "reverse keys", 92, 2, 2, C2G_ERROR_NOT_SUPPORTED);
  assert_meta_refused (bytes, "no depth", 94, 2, 0, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "depth 1", 94, 2, 1, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "more depth", 94, 2, 4, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "depth 33", 94, 2, 33, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "overflow pages", 112, 8, G_MAXUINT64, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "fewer overflow pages", 112, 8, 3, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "more entries", 120, 8, 101, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "fewer entries", 120, 8, 99, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "no entries", 120, 8, 0, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "no root", 128, 8, G_MAXUINT64, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "root 1", 128, 8, 1, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "root beyond", 128, 8, n_pages, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "root far beyond", 128, 8, G_MAXUINT64 / 512 + 1, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "another root", 128, 8, root - 1, C2G_ERROR_CORRUPT);
  assert_meta_refused (bytes, "last page", 136, 8, root - 1, C2G_ERROR_CORRUPT);
}

/* LMDB 1.0 has longer headers. */
static void
test_later_version (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 1);
  const Patch patches[] = { { 16, 8, 0 }, { 24, 4, 0xbeefc0de }, { 28, 4, 2 } };

  assert_refused (bytes, "LMDB 1.0", patches, 3, C2G_ERROR_NOT_SUPPORTED);
}

/* The newer state counts; where its root is damaged, the one before. */
static void
test_older_state (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  const Patch damages[] = {
    { 512 + 128, 8, 1 },
    { 512 + 94, 2, 1 },
    { 512 + 16, 4, 0 },
    { 512 + 0, 8, 7 },
    { 512 + 40, 4, 0 },
    { 512 + 136, 8, 1 },
  };
  const Patch newer_first[] = { { 144, 8, 8 }, { 128, 8, 1 } };
  const Patch empty[] = { { 512 + 94, 2, 0 }, { 512 + 120, 8, 0 }, { 512 + 128, 8, G_MAXUINT64 } };
  g_autoptr (GBytes) first = apply (bytes, newer_first, 2);
  g_autoptr (GBytes) second = apply (bytes, empty, 3);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autoptr (GBytes) damaged = apply (bytes, &damages[i], 1);

      g_assert_cmpint (lmdb_walk_bytes (damaged, &error), ==, 100);
      g_assert_no_error (error);
    }

  g_assert_cmpint (lmdb_walk_bytes (first, &error), ==, 100);
  g_assert_no_error (error);
  g_assert_cmpint (lmdb_walk_bytes (second, &error), ==, 0);
  g_assert_no_error (error);
}

/* Where a node of a page begins, from the start of the file. */
static guint64
find_node (GBytes  *bytes,
           guint64  page,
           guint    i)
{
  const guint8 *data = (const guint8 *) g_bytes_get_data (bytes, NULL) + page * 512;

  return page * 512 + c2g_lmdb_get_uint16 (data + 16 + 2 * i);
}

static guint64
find_root (GBytes *bytes)
{
  return c2g_lmdb_get_uint64 ((const guint8 *) g_bytes_get_data (bytes, NULL) + 128);
}

static guint64
find_child (GBytes  *bytes,
            guint64  page,
            guint    i)
{
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  return c2g_lmdb_get_uint64 (data + find_node (bytes, page, i)) &
         G_GUINT64_CONSTANT (0xffffffffffff);
}

static void
assert_patch_refused (GBytes      *bytes,
                      const char  *name,
                      guint64      offset,
                      gsize        n_bytes,
                      guint64      value)
{
  const Patch patch = { offset, n_bytes, value };

  assert_refused (bytes, name, &patch, 1, C2G_ERROR_CORRUPT);
}

static void
test_branches (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  guint64 root = find_root (bytes);
  guint64 branch = find_child (bytes, root, 0);
  guint64 next = find_child (bytes, root, 1);

  assert_patch_refused (bytes, "number", 512 * branch, 8, branch + 1);
  assert_patch_refused (bytes, "leaf for branch", 512 * branch + 10, 2, 2);
  assert_patch_refused (bytes, "both", 512 * branch + 10, 2, 3);
  assert_patch_refused (bytes, "empty", 512 * branch + 12, 2, 16);
  assert_patch_refused (bytes, "one child", 512 * branch + 12, 2, 18);
  assert_patch_refused (bytes, "odd", 512 * branch + 12, 2, 21);
  assert_patch_refused (bytes, "crossed", 512 * branch + 12, 2, 500);
  assert_patch_refused (bytes, "no upper end", 512 * branch + 14, 2, 513);
  assert_patch_refused (bytes, "cycle", find_node (bytes, branch, 1), 6, branch);
  assert_patch_refused (bytes, "cycle to the root", find_node (bytes, branch, 1), 6, root);
  assert_patch_refused (bytes, "branch twice", find_node (bytes, root, 1), 6, branch);
  assert_patch_refused (bytes, "leaf twice", find_node (bytes, branch, 1), 6,
                        find_child (bytes, branch, 0));
  assert_patch_refused (bytes, "leaf of another", find_node (bytes, branch, 0), 6,
                        find_child (bytes, next, 0));
  assert_patch_refused (bytes, "meta", find_node (bytes, branch, 1), 6, 0);
  assert_patch_refused (bytes, "beyond", find_node (bytes, branch, 1), 6, 1 << 30);
  assert_patch_refused (bytes, "far beyond", find_node (bytes, branch, 1), 6,
                        G_GUINT64_CONSTANT (0xffffffffffff));
  assert_patch_refused (bytes, "node in the header", 512 * branch + 18, 2, 4);
  assert_patch_refused (bytes, "node behind", 512 * branch + 18, 2, 512);
  assert_patch_refused (bytes, "node far behind", 512 * branch + 18, 2, 0xfffe);
  assert_patch_refused (bytes, "key behind", find_node (bytes, branch, 1) + 6, 2, 504);
  assert_patch_refused (bytes, "key order", find_node (bytes, branch, 1) + 8, 1, 'z');
}

static void
test_leaves (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  guint64 leaf = find_child (bytes, find_child (bytes, find_root (bytes), 0), 1);
  guint64 first = find_node (bytes, leaf, 0);
  guint64 second = find_node (bytes, leaf, 1);
  const Patch database = { second + 4, 2, 2 };
  const Patch many = { second + 4, 2, 4 };

  assert_refused (bytes, "database", &database, 1, C2G_ERROR_NOT_SUPPORTED);
  assert_refused (bytes, "many values", &many, 1, C2G_ERROR_NOT_SUPPORTED);
  assert_patch_refused (bytes, "unknown kind", second + 4, 2, 8);
  assert_patch_refused (bytes, "leaf of many", 512 * leaf + 10, 2, 0x22);
  assert_patch_refused (bytes, "overflow for leaf", 512 * leaf + 10, 2, 4);
  assert_patch_refused (bytes, "no key", second + 6, 2, 0);
  assert_patch_refused (bytes, "key behind", second + 6, 2, 0xffff);
  assert_patch_refused (bytes, "value behind", second, 4, 0xffffffff);
  assert_patch_refused (bytes, "value a bit behind", first, 4,
                        512 - first % 512 - 8 + 1);
  assert_patch_refused (bytes, "order", second + 8, 1, 'a');
  assert_patch_refused (bytes, "same twice", 512 * leaf + 18, 2, first % 512);
  assert_patch_refused (bytes, "before the page", first + 8, 1, 'a' - 1);
  assert_patch_refused (bytes, "behind the page", second + 8, 1, 'z');
}

/* The number of a record whose value has pages of its own, and of these the first. */
static guint64
find_big (GBytes  *bytes,
          guint64 *node)
{
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  guint64 branch = find_child (bytes, find_root (bytes), 0);

  for (guint i = 0;; i++)
    {
      guint64 leaf = find_child (bytes, branch, i);
      guint n_nodes = (c2g_lmdb_get_uint16 (data + 512 * leaf + 12) - 16) / 2;

      for (guint j = 0; j < n_nodes; j++)
        {
          *node = find_node (bytes, leaf, j);
          if (c2g_lmdb_get_uint16 (data + *node + 4) == 1)
            return c2g_lmdb_get_uint64 (data + *node + 8 +
                                        c2g_lmdb_get_uint16 (data + *node + 6));
        }
    }
}

static void
test_values (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 100);
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  guint64 node;
  guint64 page = find_big (bytes, &node);
  guint64 place = node + 8 + c2g_lmdb_get_uint16 (data + node + 6);
  const Patch reused[] = { { 112, 8, 2 }, { 512 + 112, 8, 2 } };

  assert_patch_refused (bytes, "in no page", place, 8, 0);
  assert_patch_refused (bytes, "in a meta page", place, 8, 1);
  assert_patch_refused (bytes, "in the leaf", place, 8, node / 512);
  assert_patch_refused (bytes, "within another", place, 8, page + 1);
  assert_patch_refused (bytes, "beyond", place, 8, g_bytes_get_size (bytes) / 512);
  assert_patch_refused (bytes, "far beyond", place, 8, G_MAXUINT64);
  assert_patch_refused (bytes, "too long", node, 4, 0xffffffff);
  assert_patch_refused (bytes, "no pages", 512 * page + 12, 4, 0);
  assert_patch_refused (bytes, "too many pages", 512 * page + 12, 4, 0xffffffff);
  assert_patch_refused (bytes, "number", 512 * page, 8, page + 1);
  /* Records could all have the same large value otherwise. */
  assert_refused (bytes, "more than there are", reused, 2, C2G_ERROR_CORRUPT);
}

/* Whatever comes of it, it ends, and an error is one that it can be. */
static void
assert_sane (GBytes   *bytes,
             gpointer  user_data)
{
  int *n_good = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GBytes) key = lmdb_make_key (17, 100);
  int n = lmdb_walk_bytes (bytes, &error);

  if (n < 0)
    g_assert_true (error->domain == C2G_ERROR && (error->code == C2G_ERROR_CORRUPT ||
                                                  error->code == C2G_ERROR_NOT_SUPPORTED));
  else
    ++*n_good;
  g_assert_cmpint (n, <=, 1000);

  cursor = lmdb_open_bytes (bytes, NULL);
  if (cursor != NULL && c2g_db_cursor_seek (cursor, key, NULL))
    lmdb_walk (cursor, NULL);
}

/* A small one with all there can be: two levels, large values. */
static void
test_damage (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 24);
  int n_good = 0;

  io_damage (bytes, assert_sane, &n_good);
  g_test_message ("%zu bytes, %d of the damaged files could be read", g_bytes_get_size (bytes),
                  n_good);
}

static void
test_random_damage (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 120);
  gsize n_bytes = g_bytes_get_size (bytes);
  int n_good = 0;

  for (guint i = 0; i < 20000; i++)
    {
      guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), n_bytes);
      g_autoptr (GBytes) damaged = NULL;

      for (int j = g_test_rand_int_range (1, 6); j > 0; j--)
        data[g_test_rand_int_range (0, n_bytes)] = (guint8) g_test_rand_int ();
      damaged = g_bytes_new_take (data, n_bytes);
      assert_sane (damaged, &n_good);
    }
}

/* At every page, right beside it and within. */
static void
test_truncated (void)
{
  g_autoptr (GBytes) bytes = lmdb_build (512, 300);

  for (gsize n = 0; n < g_bytes_get_size (bytes); n += n % 512 == 0 || n % 512 == 511 ? 1 : 255)
    {
      g_autoptr (GBytes) cut = g_bytes_new (g_bytes_get_data (bytes, NULL), n);
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (lmdb_walk_bytes (cut, &error), ==, -1);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
    }
}

/* Without liblmdb nothing is written, and that is said. */
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
  c2g_test_add_func ("/lmdb/metas", test_metas);
  c2g_test_add_func ("/lmdb/later-version", test_later_version);
  c2g_test_add_func ("/lmdb/older-state", test_older_state);
  c2g_test_add_func ("/lmdb/branches", test_branches);
  c2g_test_add_func ("/lmdb/leaves", test_leaves);
  c2g_test_add_func ("/lmdb/values", test_values);
  c2g_test_add_func ("/lmdb/damage", test_damage);
  c2g_test_add_func ("/lmdb/random-damage", test_random_damage);
  c2g_test_add_func ("/lmdb/truncated", test_truncated);
  c2g_test_add_func ("/lmdb/no-writer", test_no_writer);

  return c2g_test_run ();
}
