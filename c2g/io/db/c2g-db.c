/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-private.h>
#include <c2g/io/db/c2g-db.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-vfunc-private.h>

/**
 * C2gDb:
 *
 * A file or a folder with records. A record is a key and a value, both bytes.
 *
 * Caffe2 keeps checkpoints and training data in databases. There are several types, each
 * known under a name:
 *
 * - `minidb`: records one behind the other, in the order in which they were put. It can only
 *   be read from the first to the last.
 * - `protodb`: the same for tensors, whose names are the keys. It cannot hold checkpoints.
 * - `lmdb`: an LMDB database, which is a folder with a file `data.mdb`. Keys are unique,
 *   sorted, and have at most 511 bytes.
 * - others that a program registers with [func@Db.register].
 *
 * ```c
 * g_autoptr (C2gDb) db =
 *   c2g_db_open ("minidb", file, C2G_DB_MODE_READ, NULL, &error);
 * g_autoptr (C2gDbCursor) cursor = c2g_db_new_cursor (db, &error);
 *
 * while (c2g_db_cursor_is_valid (cursor))
 *   {
 *     g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, &error);
 *     g_autoptr (GBytes) value = c2g_db_cursor_dup_value (cursor, &error);
 *
 *     if (!c2g_db_cursor_next (cursor, &error))
 *       break;
 *   }
 * ```
 *
 * ```python
 * db = C2g.Db.open('minidb', file, C2g.DbMode.NEW, None)
 * transaction = db.new_transaction()
 * transaction.put(GLib.Bytes.new(b'key'), GLib.Bytes.new(b'value'))
 * transaction.commit()
 * db.close()
 * ```
 *
 * A new `minidb` or `protodb` appears under its name at the first commit, complete and on the
 * disk; until then an old file stays. Later records, by the same database or by one opened
 * with `C2G_DB_MODE_WRITE`, are appended. If that fails, the file does not change; a crash of
 * the machine may leave an incomplete record at the end.
 *
 * A new `lmdb` appears in the same way, but it never replaces a file: if the name exists, the
 * error is `C2G_ERROR_EXISTS`. It is read without a lock and without liblmdb, so that a
 * damaged file is safe to read. A reader sees the state at the time of opening, whatever
 * others write. If so much has been written since then that LMDB may have reused its pages,
 * the error is `C2G_ERROR_BUSY`, and it has to be opened again. Writing needs liblmdb
 * (`C2G_ERROR_NOT_SUPPORTED` without it) and waits for other programs that write. New records
 * stay in memory until the commit, which is atomic. `C2G_DB_MODE_WRITE` first checks all
 * pages, because liblmdb trusts damaged ones; it cannot check what other programs write later.
 *
 * ## Subclassing
 *
 * A database in any language derives from this class, [class@DbCursor] and
 * [class@DbTransaction], and is registered under a name. A method that it does not implement
 * gives `C2G_ERROR_NOT_SUPPORTED`; if one fails without an error, c2g sets an error that names
 * the class.
 *
 * ```python
 * class Memory(C2g.Db):
 *     def do_open_file(self, file, mode, cancellable):
 *         self.records = []
 *         return True
 *
 *     def do_new_cursor(self):
 *         return MemoryCursor(self.records)
 *
 *     def do_new_transaction(self):
 *         return MemoryTransaction(self.records)
 *
 * C2g.Db.register('memory', Memory)
 * ```
 *
 * ## Threads
 *
 * A database can be read in several threads, each with a cursor of its own. It is written
 * and closed in one thread at a time.
 */

/* Maximum number of key bytes in a message. */
#define MAX_SHOWN 80

/* States of a database, in this order. */
enum
{
  NOT_OPEN,
  OPEN,
  CLOSED,
};

typedef struct
{
  char      *db_type;
  GFile     *file;
  C2gDbMode  mode;

  /* Atomic. */
  int        state;
} C2gDbPrivate;

G_DEFINE_ENUM_TYPE (C2gDbMode, c2g_db_mode,
                    G_DEFINE_ENUM_VALUE (C2G_DB_MODE_READ, "read"),
                    G_DEFINE_ENUM_VALUE (C2G_DB_MODE_WRITE, "write"),
                    G_DEFINE_ENUM_VALUE (C2G_DB_MODE_NEW, "new"))

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (C2gDb, c2g_db, G_TYPE_OBJECT)

char *
c2g_db_display_key (GBytes *key)
{
  gsize n_bytes;
  const char *data = g_bytes_get_data (key, &n_bytes);
  g_autofree char *text = g_utf8_make_valid (data != NULL ? data : "", MIN (n_bytes, MAX_SHOWN));

  return g_strconcat (text, n_bytes > MAX_SHOWN ? "…" : "", NULL);
}

gboolean
c2g_db_check_record (GBytes  *key,
                     GBytes  *value,
                     GError **error)
{
  gsize n_key_bytes = g_bytes_get_size (key);
  gsize n_value_bytes = g_bytes_get_size (value);
  g_autofree char *name = NULL;

  if (n_key_bytes > 0 && n_key_bytes <= G_MAXINT32 &&
      n_value_bytes > 0 && n_value_bytes <= G_MAXINT32)
    return TRUE;

  name = c2g_db_display_key (key);
  if (n_key_bytes == 0 || n_value_bytes == 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The record with key “%s” has a key of %zu and a value of %zu bytes, "
                   "and neither may be empty"),
                 name, n_key_bytes, n_value_bytes);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("The record with key “%s” has a key of %zu and a value of %zu bytes, "
                   "expected at most %d for each"),
                 name, n_key_bytes, n_value_bytes, G_MAXINT32);
  return FALSE;
}

static void
c2g_db_dispose (GObject *object)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (C2G_DB (object));

  g_atomic_int_set (&priv->state, CLOSED);

  G_OBJECT_CLASS (c2g_db_parent_class)->dispose (object);
}

static void
c2g_db_finalize (GObject *object)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (C2G_DB (object));

  g_clear_object (&priv->file);
  g_free (priv->db_type);

  G_OBJECT_CLASS (c2g_db_parent_class)->finalize (object);
}

static void
c2g_db_class_init (C2gDbClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = c2g_db_dispose;
  object_class->finalize = c2g_db_finalize;

  /**
   * C2gDbClass::open_file:
   * @self: a database
   * @file: where it is
   * @mode: what it is opened for
   * @cancellable: (nullable): a cancellable
   * @error: return location for an error
   *
   * Opens a database.
   *
   * Called once, by [func@Db.open], before anything else.
   *
   * Returns: `TRUE` if it is open
   */
}

static void
c2g_db_init (C2gDb *self)
{
}

char *
c2g_db_dup_name (C2gDb *self)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (self);

  return priv->file != NULL ? g_file_get_parse_name (priv->file)
                            : g_strdup (G_OBJECT_TYPE_NAME (self));
}

gboolean
c2g_db_check_open (C2gDb   *self,
                   GError **error)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (self);
  int state = g_atomic_int_get (&priv->state);
  g_autofree char *name = NULL;

  if (state == OPEN)
    return TRUE;

  name = c2g_db_dup_name (self);
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   state == CLOSED ? _("%s: The database is closed")
                                   : _ ("%s: The database has not been opened"),
                   name);
}

gboolean
c2g_db_fail_not_readable (C2gDb   *self,
                          GError **error)
{
  g_autofree char *name = c2g_db_dup_name (self);

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("%s: The database was opened for writing and cannot be read at the same time"),
                   name);
}

static gboolean
open_file (C2gDb         *self,
           GCancellable  *cancellable,
           GError       **error)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (self);
  C2gDbClass *klass = C2G_DB_GET_CLASS (self);
  gboolean is_open;

  if (klass->open_file == NULL)
    return c2g_vfunc_fail_not_implemented (self, "open_file()", error);

  is_open = klass->open_file (self, priv->file, priv->mode, cancellable, error);
  if (!c2g_vfunc_check_result (self, is_open, "open_file()", error))
    return FALSE;

  g_atomic_int_set (&priv->state, OPEN);
  return TRUE;
}

/**
 * c2g_db_open:
 * @db_type: a name that [func@Db.list_types] gives, such as `minidb`, or Caffe2's name for it
 * @file: where it is
 * @mode: what it is opened for
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Opens a database.
 *
 * With `C2G_DB_MODE_NEW` an old file stays until the first commit. Sets `C2G_ERROR_NOT_FOUND`
 * if the type is unknown, `C2G_ERROR_CORRUPT` if the database is damaged, and errors of the
 * system if the file cannot be opened.
 *
 * Returns: (transfer full): the database
 */
C2gDb *
c2g_db_open (const char    *db_type,
             GFile         *file,
             C2gDbMode      mode,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (C2gDb) self = NULL;
  C2gDbPrivate *priv;
  GType gtype;

  g_return_val_if_fail (db_type != NULL, NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (mode >= C2G_DB_MODE_READ && mode <= C2G_DB_MODE_NEW, NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  gtype = c2g_db_lookup_type (db_type, error);
  if (gtype == G_TYPE_INVALID)
    return NULL;

  self = g_object_new (gtype, NULL);
  priv = c2g_db_get_instance_private (self);
  priv->db_type = g_strdup (db_type);
  priv->file = g_object_ref (file);
  priv->mode = mode;

  return open_file (self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * c2g_db_get_db_type:
 * @self: a database
 *
 * Gets the name that the database was opened with.
 *
 * Returns: (nullable): the name of its type, or `NULL` if it was not made by
 *   [func@Db.open]
 */
const char *
c2g_db_get_db_type (C2gDb *self)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (self);

  g_return_val_if_fail (C2G_IS_DB (self), NULL);

  return priv->db_type;
}

/**
 * c2g_db_get_file:
 * @self: a database
 *
 * Gets where the database is.
 *
 * Returns: (transfer none) (nullable): the file, or `NULL` if it was not made by
 *   [func@Db.open]
 */
GFile *
c2g_db_get_file (C2gDb *self)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (self);

  g_return_val_if_fail (C2G_IS_DB (self), NULL);

  return priv->file;
}

/**
 * c2g_db_get_mode:
 * @self: a database
 *
 * Gets what the database was opened for.
 *
 * Returns: the mode
 */
C2gDbMode
c2g_db_get_mode (C2gDb *self)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (self);

  g_return_val_if_fail (C2G_IS_DB (self), C2G_DB_MODE_READ);

  return priv->mode;
}

/**
 * c2g_db_close: (virtual close)
 * @self: a database
 * @error: return location for an error
 *
 * Closes the database.
 *
 * Uncommitted records are discarded. Cursors and transactions of the database become invalid:
 * their methods give `C2G_ERROR_INVALID_ARGUMENT`. Closing it a second time does nothing.
 * Disposing of a database closes it too, but [vfunc@Db.close] is called only here.
 *
 * Returns: `TRUE` if all went well; the database is closed in any case
 */
gboolean
c2g_db_close (C2gDb   *self,
              GError **error)
{
  C2gDbPrivate *priv = c2g_db_get_instance_private (self);
  C2gDbClass *klass;

  g_return_val_if_fail (C2G_IS_DB (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  klass = C2G_DB_GET_CLASS (self);
  if (!g_atomic_int_compare_and_exchange (&priv->state, OPEN, CLOSED) || klass->close == NULL)
    return TRUE;

  return c2g_vfunc_check_result (self, klass->close (self, error), "close()", error);
}
