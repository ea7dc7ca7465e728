/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-protodb-private.h>
#include <c2g/io/message/c2g-tensor-record-private.h>

#include "tests/io/db-utils.h"
#include "tests/io/io-utils.h"

#include <errno.h>

/* A TensorProto with one float, optionally with a name. */
#define FLOATS      "\010\001\020\001\032\004\0\0\200?"
#define NAMED(name) FLOATS ":\001" name

#define BYTES(text) text, sizeof text - 1

static GBytes *
new_value (const char *data,
           gsize       n_bytes)
{
  return g_bytes_new (data, n_bytes);
}

#define VALUE(text) new_value (BYTES (text))

/* Takes ownership of the value. */
static gboolean
try_put_value (C2gDbTransaction  *transaction,
               const char        *key,
               GBytes            *value,
               GError           **error)
{
  g_autoptr (GBytes) key_bytes = db_bytes (key);
  g_autoptr (GBytes) taken = value;

  return c2g_db_transaction_put (transaction, key_bytes, taken, error);
}

static void
put_value (C2gDbTransaction *transaction,
           const char       *key,
           GBytes           *value)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (try_put_value (transaction, key, value, &error));
  g_assert_no_error (error);
}

static void
assert_refused (C2gDbTransaction *transaction,
                const char       *key,
                GBytes           *value,
                int               code,
                const char       *named)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (try_put_value (transaction, key, value, &error));
  g_assert_error (error, C2G_ERROR, code);
  g_assert_nonnull (strstr (error->message, named));
}

/* Returns the keys of a file, separated by spaces. */
static char *
read_keys (GFile *file)
{
  g_autoptr (C2gDb) db = db_open ("protodb", file, C2G_DB_MODE_READ);
  g_autoptr (C2gDbCursor) cursor = db_cursor (db);
  GString *text = g_string_new (NULL);

  while (c2g_db_cursor_is_valid (cursor))
    {
      g_autofree char *key = db_key (cursor);

      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", key);
      db_next (cursor);
    }

  return g_string_free (text, FALSE);
}

static void
assert_keys (GFile      *file,
             const char *expected)
{
  g_autofree char *keys = read_keys (file);

  g_assert_cmpstr (keys, ==, expected);
}

/* A tensor without a name gets the key as its name; a name must be equal to the key. */
static void
test_bytes (void)
{
  static const char expected[] = "\n\015" NAMED ("a") "\n\015" NAMED ("b") "\n\015" NAMED ("c");
  DbPlace place;

  db_place_init (&place);
  {
    g_autoptr (C2gDb) db = db_open ("protodb", place.file, C2G_DB_MODE_NEW);
    g_autoptr (C2gDbTransaction) transaction = db_begin (db);

    put_value (transaction, "a", VALUE (NAMED ("a")));
    put_value (transaction, "b", VALUE (FLOATS));
    g_assert_false (db_place_exists (&place));
    db_commit (transaction);
    put_value (transaction, "c", VALUE (FLOATS));
    db_commit (transaction);
  }
  db_place_assert (&place, expected, sizeof expected - 1);
  assert_keys (place.file, "a b c");
  db_place_clear (&place);
}

static void
test_cursor (void)
{
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  g_autoptr (GBytes) value = NULL;
  g_autoptr (GBytes) key = db_bytes ("a");
  g_auto (C2gDbValue) located = { .source = NULL };
  g_auto (C2gScanner) scanner = { .source = NULL };
  g_auto (C2gTensorRecord) record = { .name = NULL };
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) error = NULL;

  db_place_init (&place);
  db_place_write (&place, "\n\015" NAMED ("a") "\n\015" NAMED ("b"), 30);
  db = db_open ("ProtoDB", place.file, C2G_DB_MODE_READ);
  cursor = db_cursor (db);
  db_assert_at (cursor, "a");
  g_assert_false (c2g_db_cursor_supports_seek (cursor));
  g_assert_false (c2g_db_cursor_seek (cursor, key, NULL));
  db_next (cursor);
  db_assert_at (cursor, "b");
  value = c2g_db_cursor_dup_value (cursor, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (value, NULL), g_bytes_get_size (value), NAMED ("b"), 13);

  /* The values are read into a tensor directly from the file. */
  g_assert_true (c2g_db_cursor_locate_value (cursor, &located, &error));
  g_assert_cmpuint (located.offset, ==, 17);
  g_assert_cmpuint (located.n_bytes, ==, 13);
  c2g_scanner_init (&scanner, located.source);
  c2g_tensor_record_scan (&record, &scanner, located.offset, located.n_bytes, &error);
  g_assert_no_error (error);
  tensor = c2g_tensor_record_to_tensor (&record, located.source, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, NULL), ==, 1);

  db_next (cursor);
  g_assert_false (c2g_db_cursor_is_valid (cursor));
  g_assert_true (c2g_db_cursor_seek_to_first (cursor, &error));
  db_assert_at (cursor, "a");
  db_place_clear (&place);
}

static void
test_append (void)
{
  DbPlace place;

  db_place_init (&place);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gDb) db = db_open ("protodb", place.file, C2G_DB_MODE_WRITE);
      g_autoptr (C2gDbTransaction) transaction = db_begin (db);
      g_autoptr (C2gDbTransaction) other = db_begin (db);

      put_value (transaction, i == 0 ? "a" : "b", VALUE (FLOATS));
      assert_refused (other, "x", VALUE (FLOATS), C2G_ERROR_BUSY, place.path);
      db_commit (transaction);

      /* "a" exists already; "z" is free again after the rollback. */
      assert_refused (other, "a", VALUE (FLOATS), C2G_ERROR_EXISTS, "“a”");
      put_value (other, "z", VALUE (FLOATS));
      assert_refused (other, "z", VALUE (FLOATS), C2G_ERROR_EXISTS, "“z”");
      g_clear_object (&other);
      assert_keys (place.file, i == 0 ? "a" : "a b");
    }
  db_place_clear (&place);
}

static void
test_refused (void)
{
  DbPlace place;
  g_autofree char *long_key = g_strnfill (C2G_SCANNER_WINDOW + 1, 'k');
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;
  /* A chunk of a checkpoint, and a string as a blob. */
  g_autoptr (GBytes) blob = io_new_chunk ("fc_w", 4, 0, 4);
  static const char string_blob[] = "\n\001s\022\013std::string\042\001x";

  db_place_init (&place);
  db = db_open ("protodb", place.file, C2G_DB_MODE_NEW);
  transaction = db_begin (db);
  assert_refused (transaction, "b", VALUE (NAMED ("a")), C2G_ERROR_INVALID_ARGUMENT,
                  "another name");
  assert_refused (transaction, "fc_w", g_bytes_ref (blob), C2G_ERROR_INVALID_ARGUMENT, "“fc_w”");
  assert_refused (transaction, "s", VALUE (string_blob), C2G_ERROR_INVALID_ARGUMENT, "“s”");
  assert_refused (transaction, "a", VALUE ("no message"), C2G_ERROR_INVALID_ARGUMENT, "“a”");
  assert_refused (transaction, "a", VALUE ("\010\002\020\001\032\004\0\0\200?"),
                  C2G_ERROR_INVALID_ARGUMENT, "“a”");
  assert_refused (transaction, "", VALUE (FLOATS), C2G_ERROR_INVALID_ARGUMENT, "“”");
  assert_refused (transaction, "a", VALUE (""), C2G_ERROR_INVALID_ARGUMENT, "“a”");
  assert_refused (transaction, "\377", VALUE (FLOATS), C2G_ERROR_INVALID_ARGUMENT, "UTF-8");
  assert_refused (transaction, long_key, VALUE (FLOATS), C2G_ERROR_RANGE, "“kkk");

  put_value (transaction, "a", VALUE (FLOATS));
  db_commit (transaction);
  assert_keys (place.file, "a");
  db_place_clear (&place);
}

/* Returns the number of records before the end or the damage. */
static guint
count_records (C2gSource  *source,
               GError    **error)
{
  g_autoptr (C2gDbCursor) cursor = c2g_protodb_cursor_new (source, error);
  guint n = 0;

  while (cursor != NULL && c2g_db_cursor_is_valid (cursor))
    {
      g_autoptr (GBytes) key = c2g_db_cursor_dup_key (cursor, NULL);
      g_autoptr (GBytes) value = c2g_db_cursor_dup_value (cursor, NULL);

      g_assert_nonnull (key);
      g_assert_nonnull (value);
      n++;
      if (!c2g_db_cursor_next (cursor, error))
        break;
    }

  if (cursor != NULL)
    g_assert_false (c2g_db_cursor_is_valid (cursor));
  return n;
}

static void
test_damaged (void)
{
  static const struct
  {
    const char *data;
    gsize       n_bytes;
    guint       n_records;
    gboolean    is_damaged;
  } files[] = {
    { BYTES (""), 0, FALSE },
    { BYTES ("\n"), 0, TRUE },
    { BYTES ("\n\0"), 1, FALSE },
    { BYTES ("\n\1"), 0, TRUE },
    { BYTES ("\n\015" NAMED ("a")), 1, FALSE },
    { BYTES ("\n\014" NAMED ("a")), 0, TRUE },
    { BYTES ("\n\016" NAMED ("a")), 0, TRUE },
    { BYTES ("\n\015" NAMED ("a") "\n"), 1, TRUE },
    { BYTES ("\n\015" NAMED ("a") "\n\177"), 1, TRUE },
    /* A length of 2³⁵ − 1, one that does not end, and a number in place of one. */
    { BYTES ("\n\377\377\377\377\177" FLOATS), 0, TRUE },
    { BYTES ("\n\377\377\377\377\377\377\377\377\377\377" FLOATS), 0, TRUE },
    { BYTES ("\010\1"), 0, TRUE },
    /* Unknown fields are skipped; names of the wrong wire type are errors. */
    { BYTES ("\022\1x\n\015" NAMED ("a") "\030\1"), 1, FALSE },
    { BYTES ("\n\2\070\1"), 0, TRUE },
    { BYTES ("\n\3:\5a"), 0, TRUE },
    /* If there are several names, the last one counts; without a name the key is empty. */
    { BYTES ("\n\6:\1a:\1b"), 1, FALSE },
    { BYTES ("\n\12" FLOATS), 1, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (files[i].data, files[i].n_bytes);
      g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "bytes");
      g_autoptr (GError) error = NULL;

      g_test_message ("%zu", i);
      g_assert_cmpuint (count_records (source, &error), ==, files[i].n_records);
      if (files[i].is_damaged)
        g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      else
        g_assert_no_error (error);
    }
}

static void
test_append_to_damaged (void)
{
  DbPlace place;

  db_place_init (&place);
  db_place_write (&place, "\n\015" NAMED ("a") "\n", 16);
  db_assert_open_fails ("protodb", place.file, C2G_DB_MODE_WRITE, C2G_ERROR, C2G_ERROR_CORRUPT,
                        place.path);
  db_place_assert (&place, "\n\015" NAMED ("a") "\n", 16);
  db_place_clear (&place);
}

static void
check_damaged (GBytes   *bytes,
               gpointer  user_data)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_bytes (bytes, "bytes");
  g_autoptr (GError) error = NULL;
  guint *n_damaged = user_data;

  count_records (source, &error);
  if (error != NULL)
    {
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      (*n_damaged)++;
    }
}

static void
test_every_byte (void)
{
  static const char data[] = "\n\015" NAMED ("a") "\n\015" NAMED ("b") "\n\015" NAMED ("c");
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, sizeof data - 1);
  guint n_damaged = 0;

  io_damage (bytes, check_damaged, &n_damaged);
  g_assert_cmpuint (n_damaged, >, 40);
}

static void
test_looks_like (void)
{
  static const struct
  {
    const char *data;
    gsize       n_bytes;
    guint64     n_file_bytes;
    gboolean    expected;
  } files[] = {
    { BYTES ("\n\015" NAMED ("a")), 15, TRUE },
    { BYTES ("\n\015" NAMED ("a")), 14, FALSE },
    { BYTES ("\n\015" NAMED ("a") "\n\015" NAMED ("b")), 30, TRUE },
    { BYTES ("\n\015" NAMED ("a") "\022"), 30, FALSE },
    /* A scalar, and only the beginning of a large file. */
    { BYTES ("\n\010\020\001\032\004\0\0\200?"), 10, TRUE },
    { BYTES ("\n\200\200\200\001\010\200"), 3 << 20, TRUE },
    { BYTES ("\n\200\200\200\001\010\200"), 1 << 20, FALSE },
    /* A blob, a net, a lone tensor, a minidb and less. */
    { BYTES ("\n\001a\022\006Tensor"), 11, FALSE },
    { BYTES ("\n\003net\022\001x"), 8, FALSE },
    { BYTES (NAMED ("a")), 13, FALSE },
    { BYTES ("\n\0\0\0\1\0\0\0name"), 100, FALSE },
    { BYTES ("\n\001\010"), 3, FALSE },
    { BYTES ("\n\015"), 15, FALSE },
    { BYTES ("\n\377\377\377\377\377\377\377\377\377\377"), 100, FALSE },
    { BYTES ("\n"), 1, FALSE },
    { BYTES (""), 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_test_message ("%zu", i);
      g_assert_cmpint (c2g_protodb_looks_like ((const guint8 *) files[i].data, files[i].n_bytes,
                                               files[i].n_file_bytes),
                       ==, files[i].expected);
    }
}

/* Runs in a process with a file size limit. */
static void
test_full_disk (void)
{
  g_autoptr (GByteArray) large = g_byte_array_new ();
  g_autofree char *floats = g_malloc0 (100000);
  DbPlace place;
  g_autoptr (C2gDb) db = NULL;
  g_autoptr (C2gDbTransaction) transaction = NULL;
  g_autoptr (C2gDbTransaction) other = NULL;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }

  /* A tensor of 25 000 floats. */
  g_byte_array_append (large, (const guint8 *) "\010\250\303\001\020\001", 6);
  c2g_wire_put_bytes (large, 3, floats, 100000);

  db_place_init (&place);
  db_place_write (&place, "\n\015" NAMED ("a"), 15);
  db_limit_files (30000);
  db = db_open ("protodb", place.file, C2G_DB_MODE_WRITE);
  transaction = db_begin (db);
  put_value (transaction, "b", VALUE (FLOATS));
  {
    g_autoptr (GError) error = NULL;
    GBytes *value = g_byte_array_free_to_bytes (g_steal_pointer (&large));

    g_assert_false (try_put_value (transaction, "c", value, &error));
    g_assert_error (error, G_IO_ERROR, (int) g_io_error_from_errno (EFBIG));
  }
  assert_keys (place.file, "a");
  assert_refused (transaction, "d", VALUE (FLOATS), C2G_ERROR_FAILED, "given up");

  /* Another transaction can put the record after the rollback. */
  other = db_begin (db);
  put_value (other, "b", VALUE (FLOATS));
  db_commit (other);
  assert_keys (place.file, "a b");
  db_place_clear (&place);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/protodb/bytes", test_bytes);
  c2g_test_add_func ("/protodb/cursor", test_cursor);
  c2g_test_add_func ("/protodb/append", test_append);
  c2g_test_add_func ("/protodb/refused", test_refused);
  c2g_test_add_func ("/protodb/damaged", test_damaged);
  c2g_test_add_func ("/protodb/append-to-damaged", test_append_to_damaged);
  c2g_test_add_func ("/protodb/every-byte", test_every_byte);
  c2g_test_add_func ("/protodb/looks-like", test_looks_like);
  c2g_test_add_func ("/protodb/full-disk", test_full_disk);

  return c2g_test_run ();
}
