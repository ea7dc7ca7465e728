/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/io/lmdb-utils.h"

#include <lmdb.h>

/* Helpers for comparing c2g with liblmdb. */

static inline MDB_env *
lmdb_open_env (const char *folder,
               const char *name,
               guint       flags)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  MDB_env *env;

  if (!(flags & (MDB_RDONLY | MDB_NOSUBDIR)))
    g_mkdir (path, 0777);
  g_assert_cmpint (mdb_env_create (&env), ==, 0);
  g_assert_cmpint (mdb_env_set_mapsize (env, 1 << 30), ==, 0);
  g_assert_cmpint (mdb_env_open (env, path, flags, 0666), ==, 0);
  return env;
}

static inline void
lmdb_peer_put (MDB_txn *transaction,
               GBytes  *key,
               GBytes  *value)
{
  MDB_val mdb_key = { g_bytes_get_size (key), (gpointer) g_bytes_get_data (key, NULL) };
  MDB_val mdb_value = { g_bytes_get_size (value), (gpointer) g_bytes_get_data (value, NULL) };
  MDB_dbi database;

  g_assert_cmpint (mdb_dbi_open (transaction, NULL, 0, &database), ==, 0);
  g_assert_cmpint (mdb_put (transaction, database, &mdb_key, &mdb_value, 0), ==, 0);
}

static inline void
lmdb_peer_delete (MDB_txn *transaction,
                  GBytes  *key)
{
  MDB_val mdb_key = { g_bytes_get_size (key), (gpointer) g_bytes_get_data (key, NULL) };
  MDB_dbi database;
  int status;

  g_assert_cmpint (mdb_dbi_open (transaction, NULL, 0, &database), ==, 0);
  status = mdb_del (transaction, database, &mdb_key, NULL);
  g_assert_true (status == 0 || status == MDB_NOTFOUND);
}

static inline MDB_txn *
lmdb_peer_begin (MDB_env *env,
                 guint    flags)
{
  MDB_txn *transaction;

  g_assert_cmpint (mdb_txn_begin (env, NULL, flags, &transaction), ==, 0);
  return transaction;
}

/* Checks that c2g and liblmdb see the same records in the same order, and that c2g's stricter check
 * before writing accepts a file of liblmdb. */
static inline guint
lmdb_assert_same (const char *folder,
                  const char *name,
                  guint       env_flags)
{
  MDB_env *env = lmdb_open_env (folder, name, MDB_RDONLY | MDB_NOLOCK | env_flags);
  MDB_txn *transaction = lmdb_peer_begin (env, MDB_RDONLY);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDb) db = lmdb_open (folder, name, C2G_DB_MODE_READ, &error);
  g_autoptr (C2gDb) writer = NULL;
  g_autoptr (C2gDbCursor) cursor = NULL;
  MDB_cursor *peer;
  MDB_dbi database;
  MDB_val mdb_key;
  MDB_val mdb_value;
  guint n = 0;

  g_assert_no_error (error);
  writer = lmdb_open (folder, name, C2G_DB_MODE_WRITE, &error);
  g_assert_no_error (error);
  cursor = c2g_db_new_cursor (db, &error);
  g_assert_no_error (error);
  g_assert_cmpint (mdb_dbi_open (transaction, NULL, 0, &database), ==, 0);
  g_assert_cmpint (mdb_cursor_open (transaction, database, &peer), ==, 0);

  for (; mdb_cursor_get (peer, &mdb_key, &mdb_value, MDB_NEXT) == 0; n++)
    {
      g_autoptr (GBytes) key = g_bytes_new_static (mdb_key.mv_data, mdb_key.mv_size);
      g_autoptr (GBytes) value = g_bytes_new_static (mdb_value.mv_data, mdb_value.mv_size);

      lmdb_assert_at (cursor, key, value);
      c2g_db_cursor_next (cursor, &error);
      g_assert_no_error (error);
    }
  g_assert_false (c2g_db_cursor_is_valid (cursor));

  mdb_cursor_close (peer);
  mdb_txn_abort (transaction);
  mdb_env_close (env);
  return n;
}

static inline gsize
lmdb_peer_key_bytes (guint i,
                     guint kind)
{
  return kind == 0 ? 511 : 20 + i % 100;
}

/* Writes thousands of keys in many transactions with deletions, so that pages are reused and trees
 * are merged and split. Keys of 511 bytes make deep trees. */
static inline void
lmdb_fill_with_peer (const char *folder,
                     GRand      *random,
                     guint       kind,
                     guint       n_transactions)
{
  MDB_env *env = lmdb_open_env (folder, "db", MDB_NOSYNC);

  for (guint i = 0; i < n_transactions; i++)
    {
      MDB_txn *transaction = lmdb_peer_begin (env, 0);

      for (guint j = 0; j < 150; j++)
        {
          guint k = g_rand_int_range (random, 0, 20000);
          g_autoptr (GBytes) key = lmdb_make_key (k, lmdb_peer_key_bytes (k, kind));
          g_autoptr (GBytes) value = lmdb_make_value (i, lmdb_value_size (k + i, 4096));

          if (g_rand_int_range (random, 0, 3) == 0)
            lmdb_peer_delete (transaction, key);
          else
            lmdb_peer_put (transaction, key, value);
        }
      g_assert_cmpint (mdb_txn_commit (transaction), ==, 0);
    }

  mdb_env_close (env);
}
