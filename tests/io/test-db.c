/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-db-cursor-private.h>

#include "tests/io/db-utils.h"
#include "tests/io/memory-db.h"

/* A class that implements no virtual function. */
#define BARE_TYPE_DB (bare_db_get_type ())
G_DECLARE_FINAL_TYPE (BareDb, bare_db, BARE, DB, C2gDb)

struct _BareDb
{
  C2gDb parent_instance;
};

G_DEFINE_FINAL_TYPE (BareDb, bare_db, C2G_TYPE_DB)

static void
bare_db_class_init (BareDbClass *klass)
{
}

static void
bare_db_init (BareDb *self)
{
}

#define BARE_TYPE_CURSOR (bare_cursor_get_type ())
G_DECLARE_FINAL_TYPE (BareCursor, bare_cursor, BARE, CURSOR, C2gDbCursor)

struct _BareCursor
{
  C2gDbCursor parent_instance;

  gboolean    is_valid;
};

G_DEFINE_FINAL_TYPE (BareCursor, bare_cursor, C2G_TYPE_DB_CURSOR)

static gboolean
bare_cursor_is_valid (C2gDbCursor *cursor)
{
  return BARE_CURSOR (cursor)->is_valid;
}

static void
bare_cursor_class_init (BareCursorClass *klass)
{
  C2G_DB_CURSOR_CLASS (klass)->is_valid = bare_cursor_is_valid;
}

static void
bare_cursor_init (BareCursor *self)
{
}

#define BARE_TYPE_TRANSACTION (bare_transaction_get_type ())
G_DECLARE_FINAL_TYPE (BareTransaction, bare_transaction, BARE, TRANSACTION, C2gDbTransaction)

struct _BareTransaction
{
  C2gDbTransaction parent_instance;
};

G_DEFINE_FINAL_TYPE (BareTransaction, bare_transaction, C2G_TYPE_DB_TRANSACTION)

static void
bare_transaction_class_init (BareTransactionClass *klass)
{
}

static void
bare_transaction_init (BareTransaction *self)
{
}

static void
test_types (void)
{
  static const struct
  {
    const char *db_type;
    GType     (*get_type) (void);
    int         code;
  } refused[] = {
    { "minidb", memory_db_get_type, C2G_ERROR_EXISTS },
    { "MiniDB", memory_db_get_type, C2G_ERROR_EXISTS },
    { "memory", memory_db_get_type, C2G_ERROR_EXISTS },
    { "memory", bare_db_get_type, C2G_ERROR_EXISTS },
    { "", memory_db_get_type, C2G_ERROR_INVALID_ARGUMENT },
    { "other", c2g_db_get_type, C2G_ERROR_TYPE },
    { "other", c2g_workspace_get_type, C2G_ERROR_TYPE },
  };
  g_auto (GStrv) types = NULL;
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere");

  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (c2g_db_register (refused[i].db_type, refused[i].get_type (), &error));
      g_assert_error (error, C2G_ERROR, refused[i].code);
      g_assert_false (c2g_db_register (refused[i].db_type, refused[i].get_type (), NULL));
    }
  g_assert_false (c2g_db_register ("other", G_TYPE_INVALID, NULL));

  types = c2g_db_list_types ();
  g_assert_true (g_strv_contains ((const char *const *) types, "minidb"));
  g_assert_true (g_strv_contains ((const char *const *) types, "memory"));
  g_assert_false (g_strv_contains ((const char *const *) types, "other"));
  g_assert_false (g_strv_contains ((const char *const *) types, "MiniDB"));
  for (gsize i = 1; types[i] != NULL; i++)
    g_assert_cmpstr (types[i - 1], <, types[i]);

  db_assert_open_fails ("leveldb", file, C2G_DB_MODE_READ, C2G_ERROR, C2G_ERROR_NOT_FOUND,
                        "leveldb");
}

static void
test_modes (void)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (C2G_TYPE_DB_MODE);

  g_assert_cmpuint (klass->n_values, ==, 3);
  g_assert_cmpstr (g_enum_get_value (klass, C2G_DB_MODE_WRITE)->value_nick, ==, "write");
}

static void
test_open (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/open");
  g_autoptr (GFile) other = g_file_new_for_path ("/nowhere");
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDb) db = db_open ("memory", file, C2G_DB_MODE_WRITE);

  g_assert_cmpstr (c2g_db_get_db_type (db), ==, "memory");
  g_assert_true (c2g_db_get_file (db) == file);
  g_assert_cmpint (c2g_db_get_mode (db), ==, C2G_DB_MODE_WRITE);

  g_cancellable_cancel (cancelled);
  g_assert_null (c2g_db_open ("memory", file, C2G_DB_MODE_READ, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_assert_true (c2g_db_exists ("memory", file));
  g_assert_false (c2g_db_exists ("memory", other));
  g_assert_false (c2g_db_exists ("leveldb", file));
}

/* Records become visible with the commit. */
static void
test_transactions (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/transactions");
  g_autoptr (C2gDb) db = db_open ("memory", file, C2G_DB_MODE_NEW);
  g_autoptr (C2gDbTransaction) transaction = db_begin (db);
  g_autoptr (C2gDb) reader = NULL;
  g_autoptr (GError) error = NULL;

  db_put (transaction, "b", "2");
  db_put (transaction, "a", "1");
  db_assert_records ("memory", file, "");
  db_commit (transaction);
  db_assert_records ("memory", file, "a=1 b=2");
  db_put (transaction, "c", "3");
  db_commit (transaction);
  db_assert_records ("memory", file, "a=1 b=2 c=3");

  reader = db_open ("memory", file, C2G_DB_MODE_READ);
  g_assert_null (c2g_db_new_transaction (reader, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_READ_ONLY);
  g_assert_nonnull (strstr (error->message, "/transactions"));
}

/* Caffe2's DBSeekTest. */
static void
test_seek (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/seek");
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GBytes) key = db_bytes ("05");
  g_autoptr (GError) error = NULL;

  db_fill ("memory", file);
  db = db_open ("memory", file, C2G_DB_MODE_READ);
  cursor = db_cursor (db);
  db_check_cursor (cursor);

  memory_db_failing = "supports_seek()";
  g_assert_false (c2g_db_cursor_supports_seek (cursor));
  g_assert_false (c2g_db_cursor_seek (cursor, key, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  memory_db_failing = NULL;
}

static void
test_end (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/end");
  g_autoptr (C2gDb) db = db_open ("memory", file, C2G_DB_MODE_NEW);
  g_autoptr (C2gDbCursor) cursor = db_cursor (db);
  g_auto (C2gDbValue) value = { .source = NULL };

  /* The database is empty. */
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_done;

      g_assert_false (c2g_db_cursor_is_valid (cursor));
      is_done = i == 0   ? c2g_db_cursor_next (cursor, &error)
                : i == 1 ? c2g_db_cursor_dup_key (cursor, &error) != NULL
                : i == 2 ? c2g_db_cursor_dup_value (cursor, &error) != NULL
                         : c2g_db_cursor_locate_value (cursor, &value, &error);
      g_assert_false (is_done);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
    }
  g_assert_true (c2g_db_cursor_seek_to_first (cursor, NULL));
  g_assert_false (c2g_db_cursor_is_valid (cursor));
}

/* A database that cannot locate values returns them in memory. */
static void
test_locate (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/locate");
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (C2gDbValue) value = { .source = NULL };
  char data[2];

  db_fill ("memory", file);
  db = db_open ("memory", file, C2G_DB_MODE_READ);
  cursor = db_cursor (db);
  db_next (cursor);
  g_assert_true (c2g_db_cursor_locate_value (cursor, &value, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (value.n_bytes, ==, 2);
  g_assert_cmpstr (c2g_source_get_name (value.source), ==, "/locate");

  /* The value stays valid after the cursor is freed. */
  db_next (cursor);
  g_assert_true (c2g_source_read (value.source, value.offset, data, 2, NULL, &error));
  g_assert_cmpmem (data, 2, "01", 2);

  memory_db_failing = "dup_value()";
  c2g_db_value_clear (&value);
  g_assert_false (c2g_db_cursor_locate_value (cursor, &value, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_null (value.source);
  memory_db_failing = NULL;
}

/* Calls one of all functions of a database, by number. Returns its result. */
static gboolean
ask (guint              what,
     C2gDb             *db,
     C2gDbCursor       *cursor,
     C2gDbTransaction  *transaction,
     GError           **error)
{
  g_autoptr (GBytes) bytes = db_bytes ("05");
  g_autoptr (GObject) object = NULL;
  g_autoptr (GBytes) got = NULL;

  switch (what)
    {
    case 0:
      object = (GObject *) c2g_db_new_cursor (db, error);
      return object != NULL;
    case 1:
      object = (GObject *) c2g_db_new_transaction (db, error);
      return object != NULL;
    case 2:
      return c2g_db_cursor_seek (cursor, bytes, error);
    case 3:
      return c2g_db_cursor_seek_to_first (cursor, error);
    case 4:
      return c2g_db_cursor_next (cursor, error);
    case 5:
      got = c2g_db_cursor_dup_key (cursor, error);
      return got != NULL;
    case 6:
      got = c2g_db_cursor_dup_value (cursor, error);
      return got != NULL;
    case 7:
      return c2g_db_transaction_put (transaction, bytes, bytes, error);
    default:
      return c2g_db_transaction_commit (transaction, error);
    }
}

#define N_ASKED 9

/* The virtual functions by the same numbers, and their classes. */
static const struct
{
  const char *vfunc;
  const char *class_name;
} asked[N_ASKED] = {
  { "new_cursor()", "MemoryDb" },
  { "new_transaction()", "MemoryDb" },
  { "seek()", "MemoryCursor" },
  { "seek_to_first()", "MemoryCursor" },
  { "next()", "MemoryCursor" },
  { "dup_key()", "MemoryCursor" },
  { "dup_value()", "MemoryCursor" },
  { "put()", "MemoryTransaction" },
  { "commit()", "MemoryTransaction" },
};

/* A virtual function returns FALSE or NULL without an error. */
static void
test_no_reason (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/reason");
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;

  db_fill ("memory", file);
  db = db_open ("memory", file, C2G_DB_MODE_WRITE);
  cursor = db_cursor (db);
  transaction = db_begin (db);

  for (guint i = 0; i < N_ASKED; i++)
    {
      g_autoptr (GError) error = NULL;

      memory_db_failing = asked[i].vfunc;
      g_assert_false (ask (i, db, cursor, transaction, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
      g_assert_nonnull (strstr (error->message, asked[i].vfunc));
      g_assert_nonnull (strstr (error->message, asked[i].class_name));
      g_assert_false (ask (i, db, cursor, transaction, NULL));
      memory_db_failing = NULL;
      g_assert_true (ask (i, db, cursor, transaction, NULL));
    }

  memory_db_failing = "open_file()";
  db_assert_open_fails ("memory", file, C2G_DB_MODE_READ, C2G_ERROR, C2G_ERROR_FAILED, "MemoryDb");
  memory_db_failing = NULL;
}

/* A virtual function succeeds but sets an error. */
static void
test_confused (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/confused");
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;

  db_fill ("memory", file);
  db = db_open ("memory", file, C2G_DB_MODE_WRITE);
  cursor = db_cursor (db);
  transaction = db_begin (db);

  for (guint i = 0; i < N_ASKED; i++)
    {
      g_autoptr (GError) error = NULL;

      memory_db_confused = asked[i].vfunc;
      g_assert_true (ask (i, db, cursor, transaction, &error));
      g_assert_no_error (error);
    }
  memory_db_confused = NULL;
}

static void
test_not_implemented (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/bare");
  g_autoptr (C2gDbCursor) cursor = g_object_new (BARE_TYPE_CURSOR, NULL);
  g_autoptr (C2gDbTransaction) transaction = g_object_new (BARE_TYPE_TRANSACTION, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_db_register ("bare", BARE_TYPE_DB, &error));
  db_assert_open_fails ("bare", file, C2G_DB_MODE_READ, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                        "BareDb");

  BARE_CURSOR (cursor)->is_valid = TRUE;
  for (guint i = 2; i < N_ASKED; i++)
    {
      g_autoptr (GError) own_error = NULL;

      g_assert_false (ask (i, NULL, cursor, transaction, &own_error));
      g_assert_error (own_error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (own_error->message, "Bare"));
    }
  g_assert_false (c2g_db_cursor_supports_seek (cursor));
}

static void
test_close (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/close");
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;
  guint n_closed;

  db_fill ("memory", file);
  db = db_open ("memory", file, C2G_DB_MODE_WRITE);
  cursor = db_cursor (db);
  transaction = db_begin (db);

  n_closed = memory_db_n_closed;
  db_close (db);
  db_close (db);
  g_assert_cmpuint (memory_db_n_closed, ==, n_closed + 1);

  g_assert_false (c2g_db_cursor_is_valid (cursor));
  for (guint i = 0; i < N_ASKED; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (ask (i, db, cursor, transaction, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "/close: "));
    }
}

static void
test_close_fails (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/close");
  g_autoptr (C2gDb) db = db_open ("memory", file, C2G_DB_MODE_NEW);
  g_autoptr (GError) error = NULL;

  memory_db_failing = "close()";
  g_assert_false (c2g_db_close (db, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_true (c2g_db_close (db, NULL));
  g_assert_null (c2g_db_new_cursor (db, NULL));
  memory_db_failing = NULL;
}

/* Cursors and transactions keep a reference to their database. */
static void
test_dispose (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/dispose");
  C2gDb *db = db_open ("memory", file, C2G_DB_MODE_NEW);
  C2gDbTransaction *transaction = db_begin (db);
  C2gDbCursor *cursor = db_cursor (db);
  guint n_closed = memory_db_n_closed;

  g_object_unref (db);
  db_put (transaction, "a", "1");
  db_commit (transaction);
  g_object_unref (transaction);
  g_assert_true (c2g_db_cursor_seek_to_first (cursor, NULL));
  db_assert_at (cursor, "a");

  g_object_run_dispose (G_OBJECT (db));
  g_assert_false (c2g_db_cursor_is_valid (cursor));
  g_assert_cmpuint (memory_db_n_closed, ==, n_closed);

  g_object_add_weak_pointer (G_OBJECT (db), (gpointer *) &db);
  g_assert_finalize_object (cursor);
  g_assert_null (db);
}

static void
test_never_opened (void)
{
  g_autoptr (C2gDb) db = g_object_new (MEMORY_TYPE_DB, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_db_get_db_type (db));
  g_assert_null (c2g_db_get_file (db));
  g_assert_null (c2g_db_new_cursor (db, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_true (c2g_db_close (db, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  memory_db_register ();

  c2g_test_add_func ("/db/types", test_types);
  c2g_test_add_func ("/db/modes", test_modes);
  c2g_test_add_func ("/db/open", test_open);
  c2g_test_add_func ("/db/transactions", test_transactions);
  c2g_test_add_func ("/db/seek", test_seek);
  c2g_test_add_func ("/db/end", test_end);
  c2g_test_add_func ("/db/locate", test_locate);
  c2g_test_add_func ("/db/no-reason", test_no_reason);
  c2g_test_add_func ("/db/confused", test_confused);
  c2g_test_add_func ("/db/not-implemented", test_not_implemented);
  c2g_test_add_func ("/db/close", test_close);
  c2g_test_add_func ("/db/close-fails", test_close_fails);
  c2g_test_add_func ("/db/dispose", test_dispose);
  c2g_test_add_func ("/db/never-opened", test_never_opened);

  return c2g_test_run ();
}
