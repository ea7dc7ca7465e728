/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/memory-db.h"

#include <string.h>

const char *memory_db_failing;
const char *memory_db_confused;
guint memory_db_n_closed;
void (*memory_db_hook) (const char *name);

/* Maps a path to sorted keys and values, so that a database can be opened again. */
static GHashTable *stores;

struct _MemoryDb
{
  C2gDb  parent_instance;

  /* The elements are Records, in the order of the keys. */
  GTree *records;
};

G_DEFINE_FINAL_TYPE (MemoryDb, memory_db, C2G_TYPE_DB)

#define MEMORY_TYPE_CURSOR (memory_cursor_get_type ())
G_DECLARE_FINAL_TYPE (MemoryCursor, memory_cursor, MEMORY, CURSOR, C2gDbCursor)

struct _MemoryCursor
{
  C2gDbCursor  parent_instance;

  GTree       *records;
  GTreeNode   *node;
};

G_DEFINE_FINAL_TYPE (MemoryCursor, memory_cursor, C2G_TYPE_DB_CURSOR)

#define MEMORY_TYPE_TRANSACTION (memory_transaction_get_type ())
G_DECLARE_FINAL_TYPE (MemoryTransaction, memory_transaction, MEMORY, TRANSACTION, C2gDbTransaction)

struct _MemoryTransaction
{
  C2gDbTransaction  parent_instance;

  GTree            *records;
  GPtrArray        *waiting;
};

G_DEFINE_FINAL_TYPE (MemoryTransaction, memory_transaction, C2G_TYPE_DB_TRANSACTION)

/* Returns TRUE if the virtual function should continue. */
static gboolean
starts (const char  *name,
        GError     **error)
{
  if (memory_db_hook != NULL)
    memory_db_hook (name);
  if (g_strcmp0 (memory_db_failing, name) == 0)
    return FALSE;
  if (g_strcmp0 (memory_db_confused, name) == 0)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_SHAPE, "Beside a success");
  return TRUE;
}

static int
compare_keys (gconstpointer a,
              gconstpointer b,
              gpointer      user_data)
{
  return g_bytes_compare (a, b);
}

static GTree *
new_records (void)
{
  return g_tree_new_full (compare_keys, NULL, (GDestroyNotify) g_bytes_unref,
                          (GDestroyNotify) g_bytes_unref);
}

static gboolean
memory_db_open_file (C2gDb         *db,
                     GFile         *file,
                     C2gDbMode      mode,
                     GCancellable  *cancellable,
                     GError       **error)
{
  MemoryDb *self = MEMORY_DB (db);
  const char *path = g_file_peek_path (file);
  GTree *records;

  if (!starts ("open_file()", error))
    return FALSE;

  if (stores == NULL)
    stores = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                    (GDestroyNotify) g_tree_unref);
  records = g_hash_table_lookup (stores, path);
  if (records == NULL && mode == C2G_DB_MODE_READ)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s is not there", path);
      return FALSE;
    }
  if (records == NULL || mode == C2G_DB_MODE_NEW)
    {
      records = new_records ();
      g_hash_table_insert (stores, g_strdup (path), records);
    }

  self->records = g_tree_ref (records);
  return TRUE;
}

static C2gDbCursor *
memory_db_new_cursor (C2gDb   *db,
                      GError **error)
{
  MemoryCursor *cursor;

  if (!starts ("new_cursor()", error))
    return NULL;

  cursor = g_object_new (MEMORY_TYPE_CURSOR, NULL);
  cursor->records = g_tree_ref (MEMORY_DB (db)->records);
  cursor->node = g_tree_node_first (cursor->records);
  return C2G_DB_CURSOR (cursor);
}

static C2gDbTransaction *
memory_db_new_transaction (C2gDb   *db,
                           GError **error)
{
  MemoryTransaction *transaction;

  if (!starts ("new_transaction()", error))
    return NULL;

  transaction = g_object_new (MEMORY_TYPE_TRANSACTION, NULL);
  transaction->records = g_tree_ref (MEMORY_DB (db)->records);
  return C2G_DB_TRANSACTION (transaction);
}

static gboolean
memory_db_close (C2gDb   *db,
                 GError **error)
{
  memory_db_n_closed++;
  return starts ("close()", error);
}

static void
memory_db_finalize (GObject *object)
{
  g_clear_pointer (&MEMORY_DB (object)->records, g_tree_unref);

  G_OBJECT_CLASS (memory_db_parent_class)->finalize (object);
}

static void
memory_db_class_init (MemoryDbClass *klass)
{
  C2gDbClass *db_class = C2G_DB_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = memory_db_finalize;

  db_class->open_file = memory_db_open_file;
  db_class->new_cursor = memory_db_new_cursor;
  db_class->new_transaction = memory_db_new_transaction;
  db_class->close = memory_db_close;
}

static void
memory_db_init (MemoryDb *self)
{
}

static gboolean
memory_cursor_supports_seek (C2gDbCursor *cursor)
{
  return starts ("supports_seek()", NULL);
}

static gboolean
memory_cursor_seek (C2gDbCursor  *cursor,
                    GBytes       *key,
                    GError      **error)
{
  MemoryCursor *self = MEMORY_CURSOR (cursor);

  if (!starts ("seek()", error))
    return FALSE;
  self->node = g_tree_lower_bound (self->records, key);
  return TRUE;
}

static gboolean
memory_cursor_seek_to_first (C2gDbCursor  *cursor,
                             GError      **error)
{
  MemoryCursor *self = MEMORY_CURSOR (cursor);

  if (!starts ("seek_to_first()", error))
    return FALSE;
  self->node = g_tree_node_first (self->records);
  return TRUE;
}

static gboolean
memory_cursor_next (C2gDbCursor  *cursor,
                    GError      **error)
{
  MemoryCursor *self = MEMORY_CURSOR (cursor);

  if (!starts ("next()", error))
    return FALSE;
  self->node = g_tree_node_next (self->node);
  return TRUE;
}

static gboolean
memory_cursor_is_valid (C2gDbCursor *cursor)
{
  return MEMORY_CURSOR (cursor)->node != NULL;
}

static GBytes *
memory_cursor_dup_key (C2gDbCursor  *cursor,
                       GError      **error)
{
  if (!starts ("dup_key()", error))
    return NULL;
  return g_bytes_ref (g_tree_node_key (MEMORY_CURSOR (cursor)->node));
}

static GBytes *
memory_cursor_dup_value (C2gDbCursor  *cursor,
                         GError      **error)
{
  if (!starts ("dup_value()", error))
    return NULL;
  return g_bytes_ref (g_tree_node_value (MEMORY_CURSOR (cursor)->node));
}

static void
memory_cursor_finalize (GObject *object)
{
  g_clear_pointer (&MEMORY_CURSOR (object)->records, g_tree_unref);

  G_OBJECT_CLASS (memory_cursor_parent_class)->finalize (object);
}

static void
memory_cursor_class_init (MemoryCursorClass *klass)
{
  C2gDbCursorClass *cursor_class = C2G_DB_CURSOR_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = memory_cursor_finalize;

  cursor_class->supports_seek = memory_cursor_supports_seek;
  cursor_class->seek = memory_cursor_seek;
  cursor_class->seek_to_first = memory_cursor_seek_to_first;
  cursor_class->next = memory_cursor_next;
  cursor_class->is_valid = memory_cursor_is_valid;
  cursor_class->dup_key = memory_cursor_dup_key;
  cursor_class->dup_value = memory_cursor_dup_value;
}

static void
memory_cursor_init (MemoryCursor *self)
{
}

static gboolean
memory_transaction_put (C2gDbTransaction  *transaction,
                        GBytes            *key,
                        GBytes            *value,
                        GError           **error)
{
  MemoryTransaction *self = MEMORY_TRANSACTION (transaction);

  if (!starts ("put()", error))
    return FALSE;
  g_ptr_array_add (self->waiting, g_bytes_ref (key));
  g_ptr_array_add (self->waiting, g_bytes_ref (value));
  return TRUE;
}

static gboolean
memory_transaction_commit (C2gDbTransaction  *transaction,
                           GError           **error)
{
  MemoryTransaction *self = MEMORY_TRANSACTION (transaction);

  if (!starts ("commit()", error))
    return FALSE;
  for (guint i = 0; i < self->waiting->len; i += 2)
    g_tree_insert (self->records, g_bytes_ref (self->waiting->pdata[i]),
                   g_bytes_ref (self->waiting->pdata[i + 1]));
  g_ptr_array_set_size (self->waiting, 0);
  return TRUE;
}

static void
memory_transaction_finalize (GObject *object)
{
  MemoryTransaction *self = MEMORY_TRANSACTION (object);

  g_clear_pointer (&self->records, g_tree_unref);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);

  G_OBJECT_CLASS (memory_transaction_parent_class)->finalize (object);
}

static void
memory_transaction_class_init (MemoryTransactionClass *klass)
{
  C2gDbTransactionClass *transaction_class = C2G_DB_TRANSACTION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = memory_transaction_finalize;

  transaction_class->put = memory_transaction_put;
  transaction_class->commit = memory_transaction_commit;
}

static void
memory_transaction_init (MemoryTransaction *self)
{
  self->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
}

void
memory_db_register (void)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (c2g_db_register ("memory", MEMORY_TYPE_DB, &error));
      g_assert_no_error (error);
      g_once_init_leave (&once, 1);
    }
}
