/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-cursor-private.h>
#include <c2g/io/db/c2g-db-cursor.h>

#include <c2g/io/db/c2g-db-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-vfunc-private.h>

/**
 * C2gDbCursor:
 *
 * A position in a database, from which records are read one after the other.
 *
 * A new cursor is at the first record. Behind the last record, and in an empty database, it is
 * at no record and [method@DbCursor.is_valid] is false.
 *
 * ```python
 * cursor = db.new_cursor()
 * while cursor.is_valid():
 *     print(cursor.dup_key().get_data(), cursor.dup_value().get_size())
 *     cursor.next()
 * ```
 *
 * A database that is sorted by its keys can be searched with [method@DbCursor.seek].
 *
 * ## Threads
 *
 * A cursor belongs to one thread at a time; several cursors of a database can be used in
 * several threads.
 */

typedef struct
{
  C2gDb *db;
} C2gDbCursorPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gDbCursor, c2g_db_cursor, G_TYPE_OBJECT)

static void
c2g_db_cursor_finalize (GObject *object)
{
  C2gDbCursorPrivate *priv = c2g_db_cursor_get_instance_private (C2G_DB_CURSOR (object));

  g_clear_object (&priv->db);

  G_OBJECT_CLASS (c2g_db_cursor_parent_class)->finalize (object);
}

static void
c2g_db_cursor_class_init (C2gDbCursorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = c2g_db_cursor_finalize;
}

static void
c2g_db_cursor_init (C2gDbCursor *self)
{
}

static gboolean
check_open (C2gDbCursor  *self,
            GError      **error)
{
  C2gDbCursorPrivate *priv = c2g_db_cursor_get_instance_private (self);

  return priv->db == NULL || c2g_db_check_open (priv->db, error);
}

static gboolean
check_valid (C2gDbCursor  *self,
             GError      **error)
{
  if (!check_open (self, error))
    return FALSE;
  if (c2g_db_cursor_is_valid (self))
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("The cursor stands on no record of the database"));
}

/**
 * c2g_db_new_cursor: (virtual new_cursor)
 * @self: a database
 * @error: return location for an error
 *
 * Makes a cursor at the first record.
 *
 * Sets `C2G_ERROR_INVALID_ARGUMENT` if the database is closed, `C2G_ERROR_NOT_SUPPORTED` if it
 * was opened for writing and its type cannot be read then, and `C2G_ERROR_CORRUPT` if the
 * first record is damaged.
 *
 * Returns: (transfer full): a cursor
 */
C2gDbCursor *
c2g_db_new_cursor (C2gDb   *self,
                   GError **error)
{
  C2gDbClass *klass;
  C2gDbCursor *cursor;
  C2gDbCursorPrivate *priv;

  g_return_val_if_fail (C2G_IS_DB (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_db_check_open (self, error))
    return NULL;
  klass = C2G_DB_GET_CLASS (self);
  if (klass->new_cursor == NULL)
    {
      c2g_vfunc_fail_not_implemented (self, "new_cursor()", error);
      return NULL;
    }

  cursor = klass->new_cursor (self, error);
  if (!c2g_vfunc_check_result (self, cursor != NULL, "new_cursor()", error))
    return NULL;

  priv = c2g_db_cursor_get_instance_private (cursor);
  g_set_object (&priv->db, self);
  return cursor;
}

/**
 * c2g_db_exists:
 * @db_type: a name that is known
 * @file: where it would be
 *
 * Checks whether there is a database of a type.
 *
 * It exists if it can be opened and its first record, if any, can be read. Note that a
 * `minidb` has no magic bytes that tell it from other files.
 *
 * Returns: `TRUE` if there is one
 */
gboolean
c2g_db_exists (const char *db_type,
               GFile      *file)
{
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;

  g_return_val_if_fail (db_type != NULL, FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  db = c2g_db_open (db_type, file, C2G_DB_MODE_READ, NULL, NULL);
  if (db != NULL)
    cursor = c2g_db_new_cursor (db, NULL);
  return cursor != NULL;
}

/**
 * c2g_db_cursor_supports_seek: (virtual supports_seek)
 * @self: a cursor
 *
 * Checks whether the cursor can go to a key.
 *
 * Returns: `TRUE` if [method@DbCursor.seek] works
 */
gboolean
c2g_db_cursor_supports_seek (C2gDbCursor *self)
{
  C2gDbCursorClass *klass;

  g_return_val_if_fail (C2G_IS_DB_CURSOR (self), FALSE);

  klass = C2G_DB_CURSOR_GET_CLASS (self);
  return klass->supports_seek != NULL && klass->seek != NULL && klass->supports_seek (self);
}

/**
 * c2g_db_cursor_seek: (virtual seek)
 * @self: a cursor
 * @key: a key
 * @error: return location for an error
 *
 * Goes to the record with a key or, if there is none, to the one with the next higher key.
 *
 * Behind the last key the cursor is at no record; this is no error. Keys are compared as
 * bytes; the empty one comes before all others. Sets `C2G_ERROR_NOT_SUPPORTED` if the database
 * is not sorted.
 *
 * Returns: `TRUE` if the cursor has moved
 */
gboolean
c2g_db_cursor_seek (C2gDbCursor  *self,
                    GBytes       *key,
                    GError      **error)
{
  g_return_val_if_fail (C2G_IS_DB_CURSOR (self), FALSE);
  g_return_val_if_fail (key != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_open (self, error))
    return FALSE;
  if (!c2g_db_cursor_supports_seek (self))
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("%s cannot seek a key: the database is not sorted"),
                     G_OBJECT_TYPE_NAME (self));

  return c2g_vfunc_check_result (self, C2G_DB_CURSOR_GET_CLASS (self)->seek (self, key, error),
                                 "seek()", error);
}

/**
 * c2g_db_cursor_seek_to_first: (virtual seek_to_first)
 * @self: a cursor
 * @error: return location for an error
 *
 * Goes to the first record.
 *
 * In an empty database the cursor is at no record; this is no error. Sets `C2G_ERROR_CORRUPT`
 * if the record is damaged.
 *
 * Returns: `TRUE` if the cursor has moved
 */
gboolean
c2g_db_cursor_seek_to_first (C2gDbCursor  *self,
                             GError      **error)
{
  C2gDbCursorClass *klass;

  g_return_val_if_fail (C2G_IS_DB_CURSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_open (self, error))
    return FALSE;
  klass = C2G_DB_CURSOR_GET_CLASS (self);
  if (klass->seek_to_first == NULL)
    return c2g_vfunc_fail_not_implemented (self, "seek_to_first()", error);

  return c2g_vfunc_check_result (self, klass->seek_to_first (self, error), "seek_to_first()", error);
}

/**
 * c2g_db_cursor_next: (virtual next)
 * @self: a cursor
 * @error: return location for an error
 *
 * Goes to the record after this one.
 *
 * After the last record the cursor is at no record; this is no error. Sets `C2G_ERROR_RANGE`
 * if it is at none already, and `C2G_ERROR_CORRUPT` if the next record is damaged; then the
 * cursor is at no record.
 *
 * Returns: `TRUE` if the cursor has moved
 */
gboolean
c2g_db_cursor_next (C2gDbCursor  *self,
                    GError      **error)
{
  C2gDbCursorClass *klass;

  g_return_val_if_fail (C2G_IS_DB_CURSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!check_valid (self, error))
    return FALSE;
  klass = C2G_DB_CURSOR_GET_CLASS (self);
  if (klass->next == NULL)
    return c2g_vfunc_fail_not_implemented (self, "next()", error);

  return c2g_vfunc_check_result (self, klass->next (self, error), "next()", error);
}

/**
 * c2g_db_cursor_is_valid: (virtual is_valid)
 * @self: a cursor
 *
 * Checks whether the cursor is at a record.
 *
 * Returns: `TRUE` if there is a key and a value
 */
gboolean
c2g_db_cursor_is_valid (C2gDbCursor *self)
{
  C2gDbCursorClass *klass;

  g_return_val_if_fail (C2G_IS_DB_CURSOR (self), FALSE);

  klass = C2G_DB_CURSOR_GET_CLASS (self);
  return check_open (self, NULL) && klass->is_valid != NULL && klass->is_valid (self);
}

/**
 * c2g_db_cursor_dup_key: (virtual dup_key)
 * @self: a cursor
 * @error: return location for an error
 *
 * Reads the key of the record.
 *
 * Sets `C2G_ERROR_RANGE` if the cursor is at no record.
 *
 * Returns: (transfer full): the key
 */
GBytes *
c2g_db_cursor_dup_key (C2gDbCursor  *self,
                       GError      **error)
{
  C2gDbCursorClass *klass;
  GBytes *key;

  g_return_val_if_fail (C2G_IS_DB_CURSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_valid (self, error))
    return NULL;
  klass = C2G_DB_CURSOR_GET_CLASS (self);
  if (klass->dup_key == NULL)
    {
      c2g_vfunc_fail_not_implemented (self, "dup_key()", error);
      return NULL;
    }

  key = klass->dup_key (self, error);
  return c2g_vfunc_check_result (self, key != NULL, "dup_key()", error) ? key : NULL;
}

/**
 * c2g_db_cursor_dup_value: (virtual dup_value)
 * @self: a cursor
 * @error: return location for an error
 *
 * Reads the value of the record.
 *
 * Sets `C2G_ERROR_RANGE` if the cursor is at no record, and `C2G_ERROR_NO_MEMORY` if the value
 * is too large.
 *
 * Returns: (transfer full): the value
 */
GBytes *
c2g_db_cursor_dup_value (C2gDbCursor  *self,
                         GError      **error)
{
  C2gDbCursorClass *klass;
  GBytes *value;

  g_return_val_if_fail (C2G_IS_DB_CURSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_valid (self, error))
    return NULL;
  klass = C2G_DB_CURSOR_GET_CLASS (self);
  if (klass->dup_value == NULL)
    {
      c2g_vfunc_fail_not_implemented (self, "dup_value()", error);
      return NULL;
    }

  value = klass->dup_value (self, error);
  return c2g_vfunc_check_result (self, value != NULL, "dup_value()", error) ? value : NULL;
}

static gboolean
read_value (C2gDbCursor  *self,
            C2gDbValue   *value,
            GError      **error)
{
  C2gDbCursorPrivate *priv = c2g_db_cursor_get_instance_private (self);
  g_autoptr (GBytes) bytes = c2g_db_cursor_dup_value (self, error);
  g_autofree char *name = NULL;

  if (bytes == NULL)
    return FALSE;

  name = priv->db != NULL ? c2g_db_dup_name (priv->db) : g_strdup (G_OBJECT_TYPE_NAME (self));
  value->source = c2g_source_new_for_bytes (bytes, name);
  value->offset = 0;
  value->n_bytes = g_bytes_get_size (bytes);
  return TRUE;
}

gboolean
c2g_db_cursor_locate_value (C2gDbCursor  *self,
                            C2gDbValue   *value,
                            GError      **error)
{
  const C2gDbCursorFuncs *funcs = C2G_DB_CURSOR_GET_CLASS (self)->funcs;

  *value = (C2gDbValue) { .source = NULL };
  if (funcs == NULL)
    return read_value (self, value, error);

  return check_valid (self, error) && funcs->locate_value (self, value, error);
}

C2gScanner *
c2g_db_cursor_peek_scanner (C2gDbCursor *self)
{
  const C2gDbCursorFuncs *funcs = C2G_DB_CURSOR_GET_CLASS (self)->funcs;

  return funcs != NULL && funcs->peek_scanner != NULL ? funcs->peek_scanner (self) : NULL;
}

void
c2g_db_value_clear (C2gDbValue *self)
{
  g_clear_pointer (&self->source, c2g_source_unref);
}
