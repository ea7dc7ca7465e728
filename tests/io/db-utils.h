/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <string.h>

/* A temporary folder, and a file in it that need not exist. */
typedef struct
{
  char  *folder;
  char  *path;
  GFile *file;
} DbPlace;

static inline void
db_place_init (DbPlace *self)
{
  self->folder = g_dir_make_tmp ("c2g-db-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  self->path = g_build_filename (self->folder, "database", NULL);
  self->file = g_file_new_for_path (self->path);
}

/* Checks that there are no other files in the folder. */
static inline void
db_place_clear (DbPlace *self)
{
  g_remove (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_object_unref (self->file);
  g_free (self->path);
  g_free (self->folder);
}

static inline void
db_place_write (DbPlace       *self,
                gconstpointer  data,
                gsize          n_bytes)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (self->path, data, n_bytes, &error);
  g_assert_no_error (error);
}

static inline GBytes *
db_place_read (DbPlace *self)
{
  g_autoptr (GError) error = NULL;
  char *data;
  gsize n_bytes;

  g_file_get_contents (self->path, &data, &n_bytes, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (data, n_bytes);
}

static inline void
db_place_assert (DbPlace       *self,
                 gconstpointer  data,
                 gsize          n_bytes)
{
  g_autoptr (GBytes) bytes = db_place_read (self);

  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), data, n_bytes);
}

static inline gboolean
db_place_exists (DbPlace *self)
{
  return g_file_test (self->path, G_FILE_TEST_EXISTS);
}

static inline GBytes *
db_bytes (const char *text)
{
  return g_bytes_new (text, strlen (text));
}

static inline C2gDb *
db_open (const char *db_type,
         GFile      *file,
         C2gDbMode   mode)
{
  g_autoptr (GError) error = NULL;
  C2gDb *db = c2g_db_open (db_type, file, mode, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (C2G_IS_DB (db));
  return db;
}

/* Checks that opening fails. TEXT must be in the message; NULL means any message. */
static inline void
db_assert_open_fails (const char *db_type,
                      GFile      *file,
                      C2gDbMode   mode,
                      GQuark      domain,
                      int         code,
                      const char *named)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_db_open (db_type, file, mode, NULL, &error));
  g_assert_error (error, domain, code);
  if (named != NULL)
    g_assert_nonnull (strstr (error->message, named));
}

static inline C2gDbTransaction *
db_begin (C2gDb *db)
{
  g_autoptr (GError) error = NULL;
  C2gDbTransaction *transaction = c2g_db_new_transaction (db, &error);

  g_assert_no_error (error);
  return transaction;
}

static inline gboolean
db_try_put (C2gDbTransaction  *transaction,
            const char        *key,
            const char        *value,
            GError           **error)
{
  g_autoptr (GBytes) key_bytes = db_bytes (key);
  g_autoptr (GBytes) value_bytes = db_bytes (value);

  return c2g_db_transaction_put (transaction, key_bytes, value_bytes, error);
}

static inline void
db_put (C2gDbTransaction *transaction,
        const char       *key,
        const char       *value)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (db_try_put (transaction, key, value, &error));
  g_assert_no_error (error);
}

static inline void
db_assert_put_fails (C2gDbTransaction *transaction,
                     const char       *key,
                     const char       *value,
                     GQuark            domain,
                     int               code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (db_try_put (transaction, key, value, &error));
  g_assert_error (error, domain, code);
}

static inline void
db_commit (C2gDbTransaction *transaction)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_db_transaction_commit (transaction, &error));
  g_assert_no_error (error);
}

static inline void
db_close (C2gDb *db)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_db_close (db, &error));
  g_assert_no_error (error);
}

static inline C2gDbCursor *
db_cursor (C2gDb *db)
{
  g_autoptr (GError) error = NULL;
  C2gDbCursor *cursor = c2g_db_new_cursor (db, &error);

  g_assert_no_error (error);
  g_assert_true (C2G_IS_DB_CURSOR (cursor));
  return cursor;
}

static inline char *
db_text (GBytes *bytes)
{
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static inline char *
db_key (C2gDbCursor *cursor)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, &error);

  g_assert_no_error (error);
  return db_text (key);
}

static inline char *
db_value (C2gDbCursor *cursor)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) value = c2g_db_cursor_dup_value (cursor, &error);

  g_assert_no_error (error);
  return db_text (value);
}

static inline void
db_next (C2gDbCursor *cursor)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_db_cursor_next (cursor, &error));
  g_assert_no_error (error);
}

static inline void
db_assert_at (C2gDbCursor *cursor,
              const char  *key)
{
  g_autofree char *got = NULL;

  g_assert_true (c2g_db_cursor_is_valid (cursor));
  got = db_key (cursor);
  g_assert_cmpstr (got, ==, key);
}

/* Returns all records of a file as "key=value key=value". */
static inline char *
db_read_all (const char *db_type,
             GFile      *file)
{
  g_autoptr (C2gDb) db = db_open (db_type, file, C2G_DB_MODE_READ);
  g_autoptr (C2gDbCursor) cursor = db_cursor (db);
  GString *text = g_string_new (NULL);

  while (c2g_db_cursor_is_valid (cursor))
    {
      g_autofree char *key = db_key (cursor);
      g_autofree char *value = db_value (cursor);

      g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " " : "", key, value);
      db_next (cursor);
    }

  return g_string_free (text, FALSE);
}

static inline void
db_assert_records (const char *db_type,
                   GFile      *file,
                   const char *expected)
{
  g_autofree char *records = db_read_all (db_type, file);

  g_assert_cmpstr (records, ==, expected);
}

/* Makes a database with the records "00" to "09", as in Caffe2's own tests. */
static inline void
db_fill (const char *db_type,
         GFile      *file)
{
  g_autoptr (C2gDb) db = db_open (db_type, file, C2G_DB_MODE_NEW);
  g_autoptr (C2gDbTransaction) transaction = db_begin (db);

  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *key = g_strdup_printf ("%02u", i);

      db_put (transaction, key, key);
    }
  db_commit (transaction);
  db_close (db);
}

/* Checks what Caffe2 requires of a cursor that can seek, on a database made by db_fill(). */
static inline void
db_seek (C2gDbCursor *cursor,
         const char  *key)
{
  g_autoptr (GBytes) bytes = db_bytes (key);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_db_cursor_seek (cursor, bytes, &error));
  g_assert_no_error (error);
}

static inline void
db_check_cursor (C2gDbCursor *cursor)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *value = NULL;

  g_assert_true (c2g_db_cursor_seek_to_first (cursor, &error));
  g_assert_no_error (error);
  db_assert_at (cursor, "00");
  value = db_value (cursor);
  g_assert_cmpstr (value, ==, "00");
  db_next (cursor);
  db_assert_at (cursor, "01");
  db_next (cursor);
  db_assert_at (cursor, "02");
  g_assert_true (c2g_db_cursor_seek_to_first (cursor, &error));
  db_assert_at (cursor, "00");

  g_assert_true (c2g_db_cursor_supports_seek (cursor));
  db_seek (cursor, "05");
  db_assert_at (cursor, "05");
  db_seek (cursor, "07.5");
  db_assert_at (cursor, "08");
  db_seek (cursor, "11");
  g_assert_false (c2g_db_cursor_is_valid (cursor));
  db_seek (cursor, "");
  db_assert_at (cursor, "00");
}

/* Limits the size of files of this process, which stands for a full disk. */
static inline void
db_limit_files (gsize n_bytes)
{
  struct rlimit limit = { n_bytes, n_bytes };

  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}
