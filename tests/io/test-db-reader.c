/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-reader-private.h>

#include "tests/io/db-utils.h"
#include "tests/io/memory-db.h"

static C2gDbReader *
open_reader (const char *db_type,
             GFile      *file,
             guint       n_shards,
             guint       shard)
{
  g_autoptr (GError) error = NULL;
  C2gDbReader *reader = c2g_db_reader_open (db_type, file, n_shards, shard, NULL, &error);

  g_assert_no_error (error);
  return reader;
}

/* Returns the key of the next record; its value must be equal. */
static char *
read_key (C2gDbReader *reader)
{
  g_autoptr (GBytes) key = NULL;
  g_autoptr (GBytes) value = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_db_reader_read (reader, &key, &value, &error));
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (key, value));
  return db_text (key);
}

static void
assert_reads (C2gDbReader *reader,
              const char  *key)
{
  g_autofree char *got = read_key (reader);

  g_assert_cmpstr (got, ==, key);
}

static void
assert_read_fails (C2gDbReader *reader,
                   int          code,
                   const char  *named)
{
  GBytes *key = (GBytes *) "not NULL";
  GBytes *value = (GBytes *) "not NULL";
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_db_reader_read (reader, &key, &value, &error));
  g_assert_error (error, C2G_ERROR, code);
  g_assert_nonnull (strstr (error->message, named));
  g_assert_null (key);
  g_assert_null (value);
}

static void
test_read (void)
{
  static const char *const db_types[] = { "minidb", "memory" };

  for (gsize i = 0; i < G_N_ELEMENTS (db_types); i++)
    {
      DbPlace place;
      g_autoptr (C2gDbReader) reader = NULL;

      db_place_init (&place);
      db_fill (db_types[i], place.file);
      reader = open_reader (db_types[i], place.file, 1, 0);
      g_assert_cmpstr (c2g_db_get_db_type (c2g_db_reader_get_db (reader)), ==, db_types[i]);
      g_assert_cmpuint (c2g_db_reader_get_n_shards (reader), ==, 1);
      g_assert_cmpuint (c2g_db_reader_get_shard (reader), ==, 0);

      for (guint j = 0; j < 25; j++)
        {
          g_autofree char *key = g_strdup_printf ("%02u", j % 10);

          assert_reads (reader, key);
        }
      g_assert_true (c2g_db_reader_seek_to_first (reader, NULL));
      assert_reads (reader, "00");
      db_place_clear (&place);
    }
}

/* Caffe2's DBReaderShardedTest, with shards of every size. */
static void
test_shards (void)
{
  DbPlace place;

  db_place_init (&place);
  db_fill ("minidb", place.file);
  for (guint n_shards = 1; n_shards <= 10; n_shards++)
    for (guint shard = 0; shard < n_shards; shard++)
      {
        g_autoptr (C2gDbReader) reader = open_reader ("minidb", place.file, n_shards, shard);

        g_assert_cmpuint (c2g_db_reader_get_n_shards (reader), ==, n_shards);
        g_assert_cmpuint (c2g_db_reader_get_shard (reader), ==, shard);
        for (guint turn = 0; turn < 2; turn++)
          for (guint i = shard; i < 10; i += n_shards)
            {
              g_autofree char *key = g_strdup_printf ("%02u", i);

              assert_reads (reader, key);
            }
        g_assert_true (c2g_db_reader_seek_to_first (reader, NULL));
        g_free (read_key (reader));
      }
  db_place_clear (&place);
}

static void
test_no_records (void)
{
  DbPlace place;
  g_autoptr (C2gDbReader) reader = NULL;
  g_autoptr (C2gDbReader) empty = NULL;
  g_autoptr (C2gDbReader) bare = g_object_new (C2G_TYPE_DB_READER, NULL);
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  db_fill ("minidb", place.file);
  reader = open_reader ("minidb", place.file, 12, 11);
  assert_read_fails (reader, C2G_ERROR_RANGE, "shard 11 of 12");
  assert_read_fails (reader, C2G_ERROR_RANGE, place.path);

  db_place_write (&place, "", 0);
  empty = open_reader ("minidb", place.file, 1, 0);
  assert_read_fails (empty, C2G_ERROR_RANGE, place.path);
  g_assert_true (c2g_db_reader_seek_to_first (empty, NULL));

  g_assert_null (c2g_db_reader_open ("minidb", place.file, 3, 3, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (c2g_db_reader_for_db (c2g_db_reader_get_db (empty), 0, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_clear_error (&error);

  g_assert_null (c2g_db_reader_get_db (bare));
  assert_read_fails (bare, C2G_ERROR_INVALID_ARGUMENT, "no database");
  g_assert_false (c2g_db_reader_seek_to_first (bare, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  db_place_clear (&place);
}

static void
test_closed (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbReader) reader = NULL;
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  db_fill ("minidb", place.file);
  db = db_open ("minidb", place.file, C2G_DB_MODE_READ);
  reader = c2g_db_reader_for_db (db, 1, 0, &error);
  g_assert_no_error (error);
  assert_reads (reader, "00");
  db_close (db);
  assert_read_fails (reader, C2G_ERROR_INVALID_ARGUMENT, place.path);
  g_assert_false (c2g_db_reader_seek_to_first (reader, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  /* The message contains the path once. */
  g_assert_true (g_str_has_prefix (error->message, place.path));
  g_assert_null (strstr (error->message + 1, place.path));
  g_clear_error (&error);
  g_assert_null (c2g_db_reader_for_db (db, 1, 0, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  db_place_clear (&place);
}

/* The records before the damage are read, then the error is returned until the reader starts again. */
static void
test_damaged (void)
{
  DbPlace place;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (C2gDbReader) reader = NULL;
  g_autoptr (C2gDbReader) shard = NULL;
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  db_fill ("minidb", place.file);
  bytes = db_place_read (&place);
  db_place_write (&place, g_bytes_get_data (bytes, NULL), 29);
  reader = open_reader ("minidb", place.file, 1, 0);
  for (guint i = 0; i < 2; i++)
    {
      assert_reads (reader, "00");
      assert_reads (reader, "01");
      assert_read_fails (reader, C2G_ERROR_CORRUPT, "offset 24");
      assert_read_fails (reader, C2G_ERROR_CORRUPT, place.path);
      g_assert_true (c2g_db_reader_seek_to_first (reader, NULL));
    }

  g_assert_null (c2g_db_reader_open ("minidb", place.file, 3, 2, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  db_place_clear (&place);
}

/* A value that cannot be read is skipped. */
static void
test_shortened (void)
{
  DbPlace place;
  g_autoptr (C2gDbReader) reader = NULL;

  db_place_init (&place);
  db_fill ("minidb", place.file);
  reader = open_reader ("minidb", place.file, 1, 0);
  assert_reads (reader, "00");
  g_assert_cmpint (truncate (place.path, 23), ==, 0);
  assert_read_fails (reader, C2G_ERROR_CORRUPT, place.path);
  db_place_clear (&place);
}

static void
test_seek (void)
{
  DbPlace place;
  g_autoptr (C2gDbReader) reader = NULL;
  g_autoptr (C2gDbReader) unsorted = NULL;
  g_autoptr (GBytes) fifth = db_bytes ("05");
  g_autoptr (GBytes) between = db_bytes ("07.5");
  g_autoptr (GBytes) behind = db_bytes ("11");
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  db_fill ("memory", place.file);
  reader = open_reader ("memory", place.file, 1, 0);
  g_assert_true (c2g_db_reader_seek (reader, fifth, NULL));
  assert_reads (reader, "05");
  assert_reads (reader, "06");
  g_assert_true (c2g_db_reader_seek (reader, between, NULL));
  assert_reads (reader, "08");
  g_assert_true (c2g_db_reader_seek (reader, behind, NULL));
  assert_reads (reader, "00");

  db_fill ("minidb", place.file);
  unsorted = open_reader ("minidb", place.file, 1, 0);
  g_assert_false (c2g_db_reader_seek (unsorted, fifth, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, place.path));
  assert_reads (unsorted, "00");
  db_place_clear (&place);
}

static C2gDbReader *hooked;

static void
use_reader (const char *name)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (c2g_db_reader_seek_to_first (hooked, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_BUSY);
}

static void
test_used_within (void)
{
  DbPlace place;

  db_place_init (&place);
  db_fill ("memory", place.file);
  hooked = open_reader ("memory", place.file, 1, 0);
  memory_db_hook = use_reader;
  assert_reads (hooked, "00");
  memory_db_hook = NULL;
  assert_reads (hooked, "01");
  g_assert_finalize_object (hooked);
  db_place_clear (&place);
}

#define N_THREADS 8
#define N_READS   250

static gpointer
read_some (gpointer data)
{
  C2gDbReader *reader = data;
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < N_READS; i++)
    g_ptr_array_add (keys, read_key (reader));
  return keys;
}

/* Each record is read by one thread only, and again after a restart. */
static void
test_threads (void)
{
  static const char *const db_types[] = { "minidb", "memory" };

  for (gsize i = 0; i < G_N_ELEMENTS (db_types); i++)
    {
      g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autoptr (C2gDbReader) reader = NULL;
      GThread *threads[N_THREADS];
      GHashTableIter iter;
      gpointer count;
      DbPlace place;

      db_place_init (&place);
      {
        g_autoptr (C2gDb) db = db_open (db_types[i], place.file, C2G_DB_MODE_NEW);
        g_autoptr (C2gDbTransaction) transaction = db_begin (db);

        for (guint j = 0; j < N_THREADS * N_READS / 2; j++)
          {
            g_autofree char *key = g_strdup_printf ("%u", j);

            db_put (transaction, key, key);
          }
        db_commit (transaction);
      }

      reader = open_reader (db_types[i], place.file, 1, 0);
      for (guint j = 0; j < N_THREADS; j++)
        threads[j] = g_thread_new ("reader", read_some, reader);
      for (guint j = 0; j < N_THREADS; j++)
        {
          g_autoptr (GPtrArray) keys = g_thread_join (threads[j]);

          for (guint k = 0; k < keys->len; k++)
            {
              gsize n = GPOINTER_TO_SIZE (g_hash_table_lookup (counts, keys->pdata[k]));

              g_hash_table_insert (counts, g_strdup (keys->pdata[k]), GSIZE_TO_POINTER (n + 1));
            }
        }

      g_assert_cmpuint (g_hash_table_size (counts), ==, N_THREADS * N_READS / 2);
      g_hash_table_iter_init (&iter, counts);
      while (g_hash_table_iter_next (&iter, NULL, &count))
        g_assert_cmpuint (GPOINTER_TO_SIZE (count), ==, 2);
      db_place_clear (&place);
    }
}

static gpointer
walk (gpointer data)
{
  g_autoptr (C2gDbCursor) cursor = db_cursor (data);
  gsize n = 0;

  while (c2g_db_cursor_is_valid (cursor))
    {
      g_autofree char *value = db_value (cursor);

      db_assert_at (cursor, value);
      db_next (cursor);
      n++;
    }
  return GSIZE_TO_POINTER (n);
}

/* One database with a cursor in each thread. */
static void
test_cursors_in_threads (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  GThread *threads[N_THREADS];

  db_place_init (&place);
  db_fill ("minidb", place.file);
  db = db_open ("minidb", place.file, C2G_DB_MODE_READ);
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("cursor", walk, db);
  for (guint i = 0; i < N_THREADS; i++)
    g_assert_cmpuint (GPOINTER_TO_SIZE (g_thread_join (threads[i])), ==, 10);
  db_place_clear (&place);
}

static GBytes *
save_reader (C2gDbReader *reader)
{
  g_autoptr (GError) error = NULL;
  GBytes *message = c2g_db_reader_to_message (reader, "saved", &error);

  g_assert_no_error (error);
  return message;
}

/* The message is that of Caffe2, with the key if the database can seek. */
static void
test_message (void)
{
  static const struct
  {
    const char *db_type;
    const char *key_field;
    const char *next;
  } cases[] = {
    { "minidb", "", "00" },
    { "memory", "\"\00205", "05" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gDbReader) reader = NULL;
      g_autoptr (C2gDbReader) loaded = NULL;
      g_autoptr (GBytes) message = NULL;
      g_autofree char *expected = NULL;
      g_autoptr (GError) error = NULL;
      DbPlace place;

      db_place_init (&place);
      db_fill (cases[i].db_type, place.file);
      reader = open_reader (cases[i].db_type, place.file, 1, 0);
      for (guint j = 0; j < 5; j++)
        g_free (read_key (reader));

      message = save_reader (reader);
      expected = g_strdup_printf ("\n\005saved\022%c%s\032\006%s%s", (int) strlen (place.path),
                                  place.path, cases[i].db_type, cases[i].key_field);
      g_assert_cmpmem (g_bytes_get_data (message, NULL), g_bytes_get_size (message),
                       expected, strlen (expected));

      loaded = c2g_db_reader_from_message (message, NULL, &error);
      g_assert_no_error (error);
      assert_reads (loaded, cases[i].next);
      db_place_clear (&place);
    }
}

static void
test_bad_messages (void)
{
  static const struct
  {
    const char *data;
    int         code;
  } cases[] = {
    { "", C2G_ERROR_CORRUPT },
    { "\n\005saved", C2G_ERROR_CORRUPT },
    { "\022\001/", C2G_ERROR_CORRUPT },
    { "\032\006minidb", C2G_ERROR_CORRUPT },
    { "\022\001/\032", C2G_ERROR_CORRUPT },
    { "\022\001/\032\100minidb", C2G_ERROR_CORRUPT },
    { "\020\001\032\006minidb", C2G_ERROR_CORRUPT },
    { "\022\001/\032\006minidb\040\001", C2G_ERROR_CORRUPT },
    { "\022\001/\032\004lmd\337", C2G_ERROR_CORRUPT },
    { "\022\001/\032\007leveldb", C2G_ERROR_NOT_FOUND },
  };
  static const char with_null[] = "\022\002/\0\032\006minidb";
  g_autoptr (GBytes) null_bytes = g_bytes_new_static (with_null, sizeof with_null - 1);
  g_autoptr (C2gDbReader) bare = g_object_new (C2G_TYPE_DB_READER, NULL);
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) message = db_bytes (cases[i].data);
      g_autoptr (GError) own_error = NULL;

      g_assert_null (c2g_db_reader_from_message (message, NULL, &own_error));
      g_assert_error (own_error, C2G_ERROR, cases[i].code);
      g_assert_true (g_utf8_validate (own_error->message, -1, NULL));
    }

  g_assert_null (c2g_db_reader_from_message (null_bytes, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_clear_error (&error);
  g_assert_null (c2g_db_reader_to_message (bare, "bare", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
}

/* Messages with a key for a database that cannot seek, with a missing database, and with unknown or
 * repeated fields. */
static void
test_other_messages (void)
{
  DbPlace place;
  g_autofree char *with_key = NULL;
  g_autofree char *twice = NULL;
  g_autoptr (GBytes) message = NULL;
  g_autoptr (GBytes) second = NULL;
  g_autoptr (C2gDbReader) loaded = NULL;
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  with_key = g_strdup_printf ("\022%c%s\032\006minidb\"\00205", (int) strlen (place.path),
                              place.path);
  message = db_bytes (with_key);
  g_assert_null (c2g_db_reader_from_message (message, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  db_fill ("minidb", place.file);
  g_assert_null (c2g_db_reader_from_message (message, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);

  db_fill ("memory", place.file);
  twice = g_strdup_printf ("\022\001/%s\032\006memory\"\00206\170\001", with_key);
  second = db_bytes (twice);
  loaded = c2g_db_reader_from_message (second, NULL, &error);
  g_assert_no_error (error);
  assert_reads (loaded, "06");
  db_place_clear (&place);
}

/* A reader in a blob, as in Caffe2's DBReaderTest. */
static void
test_blob (void)
{
  DbPlace place;
  g_autoptr (C2gBlob) blob = c2g_blob_new ();
  g_autoptr (C2gBlob) loaded = c2g_blob_new ();
  g_autoptr (C2gDbReader) reader = NULL;
  g_autoptr (GBytes) key = db_bytes ("05");
  g_autoptr (GBytes) message = NULL;
  g_autofree char *expected = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_place;

  db_place_init (&place);
  db_fill ("memory", place.file);
  reader = open_reader ("memory", place.file, 1, 0);
  g_assert_true (c2g_db_reader_seek (reader, key, NULL));
  c2g_blob_set_object (blob, G_OBJECT (reader));
  message = c2g_blob_serialize (blob, "saved", &error);
  g_assert_no_error (error);

  n_place = strlen (place.path);
  expected = g_strdup_printf ("\n\005saved\022\010DBReader\"%c"
                              "\n\005saved\022%c%s\032\006memory\"\00205",
                              (int) (7 + 2 + n_place + 8 + 4), (int) n_place, place.path);
  g_assert_cmpmem (g_bytes_get_data (message, NULL), g_bytes_get_size (message),
                   expected, strlen (expected));

  g_assert_true (c2g_blob_deserialize (loaded, message, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_blob_is_type (loaded, C2G_TYPE_DB_READER));
  assert_reads (C2G_DB_READER (c2g_blob_get_object (loaded)), "05");
  assert_reads (C2G_DB_READER (c2g_blob_get_object (loaded)), "06");

  /* If the database is gone, the blob does not change. */
  db_fill ("minidb", place.file);
  g_clear_object (&reader);
  reader = open_reader ("minidb", place.file, 1, 0);
  c2g_blob_set_object (blob, G_OBJECT (reader));
  g_clear_pointer (&message, g_bytes_unref);
  message = c2g_blob_serialize (blob, "saved", &error);
  g_assert_no_error (error);
  g_remove (place.path);
  g_assert_false (c2g_blob_deserialize (loaded, message, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_reads (C2G_DB_READER (c2g_blob_get_object (loaded)), "07");
  db_place_clear (&place);
}

/* Blobs whose type is DBReader but whose content is invalid. */
static void
test_bad_blobs (void)
{
  static const struct
  {
    const char *data;
    int         code;
  } cases[] = {
    { "\n\001x\022\010DBReader", C2G_ERROR_CORRUPT },
    { "\n\001x\022\010DBReader\"\001x", C2G_ERROR_CORRUPT },
    { "\n\001x\022\010DBReader\"\014\022\001/\032\007leveldb", C2G_ERROR_NOT_FOUND },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) message = db_bytes (cases[i].data);
      g_autoptr (C2gBlob) blob = c2g_blob_new ();
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_blob_deserialize (blob, message, &error));
      g_assert_error (error, C2G_ERROR, cases[i].code);
      g_assert_true (c2g_blob_is_empty (blob));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  memory_db_register ();

  c2g_test_add_func ("/db-reader/read", test_read);
  c2g_test_add_func ("/db-reader/shards", test_shards);
  c2g_test_add_func ("/db-reader/no-records", test_no_records);
  c2g_test_add_func ("/db-reader/closed", test_closed);
  c2g_test_add_func ("/db-reader/damaged", test_damaged);
  c2g_test_add_func ("/db-reader/shortened", test_shortened);
  c2g_test_add_func ("/db-reader/seek", test_seek);
  c2g_test_add_func ("/db-reader/used-within", test_used_within);
  c2g_test_add_func ("/db-reader/threads", test_threads);
  c2g_test_add_func ("/db-reader/cursors-in-threads", test_cursors_in_threads);
  c2g_test_add_func ("/db-reader/blob", test_blob);
  c2g_test_add_func ("/db-reader/bad-blobs", test_bad_blobs);
  c2g_test_add_func ("/db-reader/message", test_message);
  c2g_test_add_func ("/db-reader/bad-messages", test_bad_messages);
  c2g_test_add_func ("/db-reader/other-messages", test_other_messages);

  return c2g_test_run ();
}
