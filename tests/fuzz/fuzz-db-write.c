/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/wire/c2g-wire-private.h>

#include <glib/gstdio.h>

#include <string.h>

/* Adds one record to an existing database. */

#define NEW_KEY "a new record"
/* Fields of BlobProto. */
#define TENSOR_FIELD 3

typedef struct
{
  guint64   n_records;
  gboolean  is_damaged;
  /* The keys and values of the records. */
  GChecksum *checksum;
} Contents;

static void
contents_clear (Contents *self)
{
  g_checksum_free (self->checksum);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Contents, contents_clear)

static void
add_bytes (GChecksum *checksum,
           GBytes    *bytes)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);
  guint64 length = n_bytes;

  g_checksum_update (checksum, (const guchar *) &length, sizeof length);
  if (n_bytes > 0)
    g_checksum_update (checksum, data, n_bytes);
}

/* Finds all records but the new one, and tells whether that is there. */
static gboolean
read_records (Contents    *self,
              C2gDbCursor *cursor,
              GError     **error)
{
  g_autoptr (GBytes) new_key = g_bytes_new_static (NEW_KEY, strlen (NEW_KEY));
  gboolean has_new = FALSE;

  while (c2g_db_cursor_is_valid (cursor))
    {
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, error);
      g_autoptr (GBytes) value = key == NULL ? NULL : c2g_db_cursor_dup_value (cursor, error);

      if (value == NULL)
        break;
      if (g_bytes_equal (key, new_key))
        has_new = TRUE;
      else
        {
          add_bytes (self->checksum, key);
          add_bytes (self->checksum, value);
          self->n_records++;
        }
      if (!c2g_db_cursor_next (cursor, error))
        break;
    }

  return has_new;
}

static gboolean
read_contents (Contents   *self,
               const char *type,
               GFile      *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDb) db = c2g_db_open (type, file, C2G_DB_MODE_READ, NULL, &error);
  g_autoptr (C2gDbCursor) cursor = db == NULL ? NULL : c2g_db_new_cursor (db, &error);
  gboolean has_new = FALSE;

  self->checksum = g_checksum_new (G_CHECKSUM_SHA256);
  if (cursor != NULL)
    has_new = read_records (self, cursor, &error);
  if (error != NULL)
    fuzz_check_error (error);
  self->is_damaged = error != NULL;
  return has_new;
}

/* Writes a message, or the message of the tensor in it if the database has only tensors. */
static GBytes *
new_value (const char *type)
{
  g_autoptr (C2gBlob) blob = fuzz_new_blob ();
  g_autoptr (GBytes) message = c2g_blob_serialize (blob, NEW_KEY, NULL);
  C2gWireReader fields;
  C2gWireField field;

  if (!g_str_equal (type, "protodb"))
    return g_steal_pointer (&message);

  c2g_wire_reader_init (&fields, g_bytes_get_data (message, NULL), g_bytes_get_size (message), 0);
  while (c2g_wire_reader_next (&fields, &field, NULL))
    if (field.number == TENSOR_FIELD)
      return g_bytes_new (field.data, field.n_bytes);

  g_assert_not_reached ();
}

static gboolean
add_record (const char  *type,
            GFile       *file,
            GError     **error)
{
  g_autoptr (C2gDb) db = c2g_db_open (type, file, C2G_DB_MODE_WRITE, NULL, error);
  g_autoptr (C2gDbTransaction) transaction = NULL;
  g_autoptr (GBytes) key = g_bytes_new_static (NEW_KEY, strlen (NEW_KEY));
  g_autoptr (GBytes) value = new_value (type);

  if (db != NULL)
    transaction = c2g_db_new_transaction (db, error);
  return transaction != NULL && c2g_db_transaction_put (transaction, key, value, error) &&
         c2g_db_transaction_commit (transaction, error) && c2g_db_close (db, error);
}

/* The old records stay, whether or not the new one was added. A damaged database does not
 * change. */
static void
check_type (const char *type,
            GFile      *file)
{
  g_auto (Contents) before = { 0 };
  g_auto (Contents) after = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean had_it, has_it, is_added;

  had_it = read_contents (&before, type, file);
  is_added = add_record (type, file, &error);
  has_it = read_contents (&after, type, file);

  if (!is_added)
    fuzz_check_error (error);
  g_assert_false (is_added && before.is_damaged);
  g_assert_true (after.is_damaged == before.is_damaged);
  g_assert_true (has_it == (had_it || is_added));
  g_assert_cmpuint (after.n_records, ==, before.n_records);
  g_assert_cmpstr (g_checksum_get_string (after.checksum), ==,
                   g_checksum_get_string (before.checksum));
}

static void
write_file (const char *path,
            GBytes     *bytes)
{
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);

  g_assert_true (g_file_set_contents_full (path, data == NULL ? "" : data, n_bytes,
                                           G_FILE_SET_CONTENTS_NONE, 0666, NULL));
}

/* The lock belongs to the old file. */
static GFile *
make_lmdb (GBytes *bytes)
{
  g_autofree char *folder = g_build_filename (fuzz_get_folder (), "lmdb", NULL);
  g_autofree char *data = g_build_filename (folder, "data.mdb", NULL);
  g_autofree char *lock = g_build_filename (folder, "lock.mdb", NULL);

  g_mkdir (folder, 0777);
  g_remove (lock);
  write_file (data, bytes);
  return g_file_new_for_path (folder);
}

void
fuzz_one (GBytes *bytes)
{
  static const char *const types[] = { "minidb", "protodb" };
  g_autoptr (GFile) lmdb = make_lmdb (bytes);

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GFile) file = g_file_new_build_filename (fuzz_get_folder (), types[i], NULL);

      write_file (g_file_peek_path (file), bytes);
      check_type (types[i], file);
    }
  check_type ("lmdb", lmdb);
}
