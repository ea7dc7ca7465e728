/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/lmdb-peer.h"

/* c2g reads databases written by liblmdb like liblmdb itself. */

/* Checks that both find the same key for any searched key. */
static void
assert_same_seek (const char *folder,
                  const char *name,
                  guint       n_seeks)
{
  MDB_env *env = lmdb_open_env (folder, name, MDB_RDONLY | MDB_NOLOCK);
  MDB_txn *transaction = lmdb_peer_begin (env, MDB_RDONLY);
  g_autoptr (C2gDb) db = lmdb_open (folder, name, C2G_DB_MODE_READ, NULL);
  g_autoptr (C2gDbCursor) cursor = c2g_db_new_cursor (db, NULL);
  MDB_cursor *peer;
  MDB_dbi database;

  g_assert_cmpint (mdb_dbi_open (transaction, NULL, 0, &database), ==, 0);
  g_assert_cmpint (mdb_cursor_open (transaction, database, &peer), ==, 0);

  for (guint i = 0; i < n_seeks; i++)
    {
      g_autofree char *text = g_strdup_printf ("blob/%0*d", g_test_rand_int_range (0, 9),
                                               g_test_rand_int_range (0, 30000));
      g_autoptr (GBytes) wanted = g_bytes_new (text, strlen (text));
      g_autoptr (GError) error = NULL;
      MDB_val mdb_key = { strlen (text), text };
      MDB_val mdb_value;
      int status = mdb_cursor_get (peer, &mdb_key, &mdb_value, MDB_SET_RANGE);

      c2g_db_cursor_seek (cursor, wanted, &error);
      g_assert_no_error (error);
      g_assert_cmpint (c2g_db_cursor_is_valid (cursor), ==, status == 0);
      if (status == 0)
        {
          g_autoptr (GBytes) key = g_bytes_new_static (mdb_key.mv_data, mdb_key.mv_size);
          g_autoptr (GBytes) value = g_bytes_new_static (mdb_value.mv_data, mdb_value.mv_size);

          lmdb_assert_at (cursor, key, value);
        }
    }

  mdb_cursor_close (peer);
  mdb_txn_abort (transaction);
  mdb_env_close (env);
}

static void
test_peer (void)
{
  for (guint kind = 0; kind < 2; kind++)
    {
      g_autofree char *folder = lmdb_new_folder ();
      g_autoptr (GRand) random = g_rand_new_with_seed (kind);

      for (guint i = 0; i < 4; i++)
        {
          lmdb_fill_with_peer (folder, random, kind, 20);
          g_test_message ("%u records", lmdb_assert_same (folder, "db", 0));
        }
      assert_same_seek (folder, "db", 2000);
      lmdb_remove (folder);
    }
}

/* All records are deleted again. */
static void
test_peer_deletes (void)
{
  g_autofree char *folder = lmdb_new_folder ();

  for (guint rest = 300; rest > 0; rest /= 4)
    {
      MDB_env *env = lmdb_open_env (folder, "db", 0);
      MDB_txn *transaction = lmdb_peer_begin (env, 0);

      for (guint i = 0; i < 300; i++)
        {
          g_autoptr (GBytes) key = lmdb_make_key (i, 511);
          g_autoptr (GBytes) value = lmdb_make_value (i, lmdb_value_size (i, 4096));

          if (i < rest / 4)
            lmdb_peer_put (transaction, key, value);
          else
            lmdb_peer_delete (transaction, key);
        }
      g_assert_cmpint (mdb_txn_commit (transaction), ==, 0);
      mdb_env_close (env);
      g_assert_cmpuint (lmdb_assert_same (folder, "db", 0), ==, rest / 4);
    }

  lmdb_remove (folder);
}

/* Large values that shrink in place, and a database in a single file. */
static void
test_peer_values (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  MDB_env *env = lmdb_open_env (folder, "single", MDB_NOSUBDIR);
  MDB_txn *transaction = lmdb_peer_begin (env, 0);

  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (GBytes) key = lmdb_make_key (i, 100);
      g_autoptr (GBytes) large = lmdb_make_value (i, 40000);
      g_autoptr (GBytes) smaller = lmdb_make_value (i, 20000 + i * 400);

      lmdb_peer_put (transaction, key, large);
      lmdb_peer_put (transaction, key, smaller);
    }
  g_assert_cmpint (mdb_txn_commit (transaction), ==, 0);
  mdb_env_close (env);

  g_assert_cmpuint (lmdb_assert_same (folder, "single", MDB_NOSUBDIR), ==, 40);
  lmdb_remove (folder);
}

static void
test_peer_kinds (void)
{
  static const guint flags[] = { MDB_DUPSORT, MDB_REVERSEKEY, MDB_DUPSORT | MDB_DUPFIXED };
  g_autofree char *folder = lmdb_new_folder ();
  g_autoptr (GBytes) key = lmdb_make_key (1, 100);
  g_autoptr (GBytes) value = lmdb_make_value (1, 100);
  MDB_env *env;
  MDB_txn *transaction;
  MDB_dbi database;

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      g_autofree char *name = g_strdup_printf ("flags-%u", i);
      g_autoptr (GError) error = NULL;

      env = lmdb_open_env (folder, name, 0);
      transaction = lmdb_peer_begin (env, 0);
      g_assert_cmpint (mdb_dbi_open (transaction, NULL, MDB_CREATE | flags[i], &database), ==, 0);
      lmdb_peer_put (transaction, key, value);
      g_assert_cmpint (mdb_txn_commit (transaction), ==, 0);
      mdb_env_close (env);

      g_assert_null (lmdb_open (folder, name, C2G_DB_MODE_READ, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
    }

  lmdb_remove (folder);
}

/* A named database is a record of the unnamed one. */
static void
test_peer_named (void)
{
  g_autofree char *folder = lmdb_new_folder ();
  g_autofree char *path = g_build_filename (folder, "db", NULL);
  g_autoptr (GError) error = NULL;
  MDB_env *env;
  MDB_txn *transaction;
  MDB_dbi database;

  g_assert_cmpint (g_mkdir (path, 0777), ==, 0);
  g_assert_cmpint (mdb_env_create (&env), ==, 0);
  g_assert_cmpint (mdb_env_set_maxdbs (env, 1), ==, 0);
  g_assert_cmpint (mdb_env_open (env, path, 0, 0666), ==, 0);
  transaction = lmdb_peer_begin (env, 0);
  g_assert_cmpint (mdb_dbi_open (transaction, "inner", MDB_CREATE, &database), ==, 0);
  g_assert_cmpint (mdb_txn_commit (transaction), ==, 0);
  mdb_env_close (env);

  g_assert_null (lmdb_open (folder, "db", C2G_DB_MODE_READ, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "“inner”"));

  lmdb_remove (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/lmdb-peer/many", test_peer);
  c2g_test_add_func ("/lmdb-peer/deletes", test_peer_deletes);
  c2g_test_add_func ("/lmdb-peer/values", test_peer_values);
  c2g_test_add_func ("/lmdb-peer/kinds", test_peer_kinds);
  c2g_test_add_func ("/lmdb-peer/named", test_peer_named);

  return c2g_test_run ();
}
