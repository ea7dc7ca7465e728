/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-reader-private.h>
#include <c2g/io/db/c2g-db-reader.h>

#include <c2g/io/db/c2g-db-cursor-private.h>
#include <c2g/io/db/c2g-db-private.h>

#include <c2g/core/types/c2g-error-private.h>

/**
 * C2gDbReader:
 *
 * Reads the records of a database in an endless cycle, for several threads.
 *
 * After the last record the first one comes again, which suits training data. Several readers
 * can share the records of a database: of @n_shards readers, the one with number @shard
 * returns every @n_shards-th record, starting at record @shard.
 *
 * ```python
 * reader = C2g.DbReader.open('minidb', file, 1, 0, None)
 * key, value = reader.read()[1:]
 * ```
 *
 * A reader can be the content of a blob. As in Caffe2 it is saved as the path of the database
 * and, if that can seek, the key of the next record. The records and the shards are not saved.
 * Loading it opens the database.
 *
 * ## Threads
 *
 * All functions can be called from any thread; no two threads get the same record until
 * the first one comes again. The functions of the cursor run in one thread at a time, and
 * must not use the reader.
 */

struct _C2gDbReader
{
  GObject      parent_instance;

  C2gDb       *db;
  guint        n_shards;
  guint        shard;

  /* Protects the cursor. THREAD is the thread that holds the lock. */
  GMutex       lock;
  GThread     *thread;

  /* The cursor is at the next record, unless FAILURE is set. */
  C2gDbCursor *cursor;
  GError      *failure;
};

G_DEFINE_FINAL_TYPE (C2gDbReader, c2g_db_reader, G_TYPE_OBJECT)

/* Locks the cursor until end(). Fails if code of the cursor uses the reader: it would wait for
 * itself. */
static gboolean
begin (C2gDbReader  *self,
       GError      **error)
{
  if (self->cursor == NULL)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The reader has no database"));
  if (!c2g_db_check_open (self->db, error))
    return FALSE;
  if (g_atomic_pointer_get (&self->thread) == g_thread_self ())
    return c2g_fail (error, C2G_ERROR_BUSY, _("%s uses the reader that uses it"),
                     G_OBJECT_TYPE_NAME (self->cursor));

  g_mutex_lock (&self->lock);
  g_atomic_pointer_set (&self->thread, g_thread_self ());
  return TRUE;
}

static void
end (C2gDbReader *self)
{
  g_atomic_pointer_set (&self->thread, NULL);
  g_mutex_unlock (&self->lock);
}

static void
prefix_name (C2gDbReader  *self,
             GError      **error)
{
  g_autofree char *name = c2g_db_dup_name (self->db);

  g_prefix_error (error, "%s: ", name);
}

/* Moves to the first record of the shard. There may be none. */
static gboolean
go_to_first (C2gDbReader  *self,
             GError      **error)
{
  if (!c2g_db_cursor_seek_to_first (self->cursor, error))
    return FALSE;

  for (guint i = 0; i < self->shard && c2g_db_cursor_is_valid (self->cursor); i++)
    if (!c2g_db_cursor_next (self->cursor, error))
      return FALSE;

  return TRUE;
}

/* Moves to the next record of the shard. Behind the last one it begins again with the first. */
static gboolean
go_to_next (C2gDbReader  *self,
            GError      **error)
{
  for (guint i = 0; i < self->n_shards; i++)
    {
      if (!c2g_db_cursor_next (self->cursor, error))
        return FALSE;
      if (!c2g_db_cursor_is_valid (self->cursor))
        return go_to_first (self, error);
    }

  return TRUE;
}

/* Takes the next record without reading its value, so that other threads need not wait. An error
 * of the record after it is kept for the next call. */
static gboolean
take_record (C2gDbReader  *self,
             GBytes      **key,
             C2gDbValue   *value,
             GError      **error)
{
  g_autoptr (GBytes) taken = NULL;

  if (self->failure != NULL)
    {
      g_propagate_error (error, g_error_copy (self->failure));
      return FALSE;
    }
  if (!c2g_db_cursor_is_valid (self->cursor))
    return c2g_fail (error, C2G_ERROR_RANGE, _("The database has no record for shard %u of %u"),
                     self->shard, self->n_shards);

  taken = c2g_db_cursor_dup_key (self->cursor, error);
  if (taken == NULL || !c2g_db_cursor_locate_value (self->cursor, value, error))
    return FALSE;

  go_to_next (self, &self->failure);
  *key = g_steal_pointer (&taken);
  return TRUE;
}

gboolean
c2g_db_reader_dup_next_key (C2gDbReader  *self,
                            GBytes      **key,
                            GError      **error)
{
  gboolean is_searched;

  *key = NULL;
  if (!begin (self, error))
    return FALSE;
  is_searched = c2g_db_cursor_supports_seek (self->cursor) &&
                c2g_db_cursor_is_valid (self->cursor);
  if (is_searched)
    *key = c2g_db_cursor_dup_key (self->cursor, error);
  end (self);

  return !is_searched || *key != NULL;
}

static void
c2g_db_reader_finalize (GObject *object)
{
  C2gDbReader *self = C2G_DB_READER (object);

  g_clear_object (&self->cursor);
  g_clear_object (&self->db);
  g_clear_error (&self->failure);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (c2g_db_reader_parent_class)->finalize (object);
}

static void
c2g_db_reader_class_init (C2gDbReaderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_db_reader_finalize;
}

static void
c2g_db_reader_init (C2gDbReader *self)
{
  g_mutex_init (&self->lock);
  self->n_shards = 1;
}

static gboolean
check_shard (guint    n_shards,
             guint    shard,
             GError **error)
{
  if (shard < n_shards)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("There is no shard %u of %u: the first one is number 0"), shard, n_shards);
}

/**
 * c2g_db_reader_open: (constructor)
 * @db_type: a name that is known: `minidb`, or what [func@Db.list_types] gives
 * @file: where the database is
 * @n_shards: how many readers share the records; 1 for a single reader
 * @shard: which of them this one is, from 0 on
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Opens a database and makes a reader of it.
 *
 * Sets `C2G_ERROR_RANGE` if there is no such shard, and what [func@Db.open] sets.
 *
 * Returns: (transfer full): a reader, at its first record
 */
C2gDbReader *
c2g_db_reader_open (const char    *db_type,
                    GFile         *file,
                    guint          n_shards,
                    guint          shard,
                    GCancellable  *cancellable,
                    GError       **error)
{
  g_autoptr (C2gDb) db = NULL;

  g_return_val_if_fail (db_type != NULL, NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_shard (n_shards, shard, error))
    return NULL;

  db = c2g_db_open (db_type, file, C2G_DB_MODE_READ, cancellable, error);
  return db != NULL ? c2g_db_reader_for_db (db, n_shards, shard, error) : NULL;
}

/**
 * c2g_db_reader_for_db: (constructor)
 * @db: a database
 * @n_shards: how many readers share the records; 1 for a single reader
 * @shard: which of them this one is, from 0 on
 * @error: return location for an error
 *
 * Makes a reader of a database that is open.
 *
 * Sets `C2G_ERROR_RANGE` if there is no such shard, and what [method@Db.new_cursor] sets.
 *
 * Returns: (transfer full): a reader, at its first record
 */
C2gDbReader *
c2g_db_reader_for_db (C2gDb    *db,
                      guint     n_shards,
                      guint     shard,
                      GError  **error)
{
  g_autoptr (C2gDbReader) self = NULL;

  g_return_val_if_fail (C2G_IS_DB (db), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_shard (n_shards, shard, error))
    return NULL;

  self = g_object_new (C2G_TYPE_DB_READER, NULL);
  self->db = g_object_ref (db);
  self->n_shards = n_shards;
  self->shard = shard;
  self->cursor = c2g_db_new_cursor (db, error);
  if (self->cursor == NULL || !go_to_first (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * c2g_db_reader_get_db:
 * @self: a reader
 *
 * Gets what the records are read from.
 *
 * Returns: (transfer none) (nullable): the database, or `NULL` if the reader was not made
 *   by [ctor@DbReader.open] or [ctor@DbReader.for_db]
 */
C2gDb *
c2g_db_reader_get_db (C2gDbReader *self)
{
  g_return_val_if_fail (C2G_IS_DB_READER (self), NULL);

  return self->db;
}

/**
 * c2g_db_reader_get_n_shards:
 * @self: a reader
 *
 * Gets how many readers share the records.
 *
 * Returns: a number, at least 1
 */
guint
c2g_db_reader_get_n_shards (C2gDbReader *self)
{
  g_return_val_if_fail (C2G_IS_DB_READER (self), 1);

  return self->n_shards;
}

/**
 * c2g_db_reader_get_shard:
 * @self: a reader
 *
 * Gets which of the readers that share the records this one is.
 *
 * Returns: a number, from 0 on
 */
guint
c2g_db_reader_get_shard (C2gDbReader *self)
{
  g_return_val_if_fail (C2G_IS_DB_READER (self), 0);

  return self->shard;
}

/**
 * c2g_db_reader_read:
 * @self: a reader
 * @key: (out) (transfer full): return location for the key
 * @value: (out) (transfer full): return location for the value
 * @error: return location for an error
 *
 * Reads the next record and moves on.
 *
 * After the last record of the shard the first one comes again. Sets `C2G_ERROR_RANGE` if the
 * shard has no records, and `C2G_ERROR_CORRUPT` if the database is damaged; that error stays
 * until [method@DbReader.seek_to_first] is called. If it fails, @key and @value are `NULL`.
 *
 * Returns: `TRUE` if there is a record
 */
gboolean
c2g_db_reader_read (C2gDbReader  *self,
                    GBytes      **key,
                    GBytes      **value,
                    GError      **error)
{
  g_autoptr (GBytes) taken = NULL;
  g_auto (C2gDbValue) place = { .source = NULL };
  gboolean is_taken;

  g_return_val_if_fail (C2G_IS_DB_READER (self), FALSE);
  g_return_val_if_fail (key != NULL, FALSE);
  g_return_val_if_fail (value != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  *key = NULL;
  *value = NULL;
  if (!begin (self, error))
    return FALSE;
  is_taken = take_record (self, &taken, &place, error);
  end (self);

  if (is_taken)
    *value = c2g_source_ref_bytes (place.source, place.offset, place.n_bytes, NULL, error);
  if (*value == NULL)
    {
      prefix_name (self, error);
      return FALSE;
    }

  *key = g_steal_pointer (&taken);
  return TRUE;
}

/**
 * c2g_db_reader_seek:
 * @self: a reader
 * @key: a key
 * @error: return location for an error
 *
 * Moves to the record with a key or with the next higher key.
 *
 * If there is none, it moves to the first record. A reader of a shard then returns every
 * @n_shards-th record from there. Sets `C2G_ERROR_NOT_SUPPORTED` if the database is not
 * sorted.
 *
 * Returns: `TRUE` if it is done
 */
gboolean
c2g_db_reader_seek (C2gDbReader  *self,
                    GBytes       *key,
                    GError      **error)
{
  gboolean is_done;

  g_return_val_if_fail (C2G_IS_DB_READER (self), FALSE);
  g_return_val_if_fail (key != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!begin (self, error))
    return FALSE;
  is_done = c2g_db_cursor_seek (self->cursor, key, error) &&
            (c2g_db_cursor_is_valid (self->cursor) || go_to_first (self, error));
  if (is_done)
    g_clear_error (&self->failure);
  end (self);

  if (!is_done)
    prefix_name (self, error);
  return is_done;
}

/**
 * c2g_db_reader_seek_to_first:
 * @self: a reader
 * @error: return location for an error
 *
 * Moves to the first record of the shard.
 *
 * Sets `C2G_ERROR_CORRUPT` if that is damaged.
 *
 * Returns: `TRUE` if it is done
 */
gboolean
c2g_db_reader_seek_to_first (C2gDbReader  *self,
                             GError      **error)
{
  gboolean is_done;

  g_return_val_if_fail (C2G_IS_DB_READER (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!begin (self, error))
    return FALSE;
  is_done = go_to_first (self, error);
  if (is_done)
    g_clear_error (&self->failure);
  end (self);

  if (!is_done)
    prefix_name (self, error);
  return is_done;
}
