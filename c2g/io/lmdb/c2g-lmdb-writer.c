/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-writer-private.h>

#include <c2g/io/stream/c2g-size-signal-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

#include <gio/gio.h>

#include <errno.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Writes records with liblmdb, one transaction for each call. */

/* Minimum room for growth in the map. The map only reserves addresses, so a generous size costs
 * nothing. */
#define MIN_EXTRA_BYTES (1u << 20)

/* A process must not open a file twice with liblmdb: closing one environment drops the file locks
 * of both. c2g opens a file for one transaction only, so one lock for all writes is enough. Private
 * files have no locks, and most data goes to them, so they do not take this lock. */
static GMutex write_lock;

static int
get_error_code (int status)
{
  switch (status)
    {
    case ENOMEM:
      return C2G_ERROR_NO_MEMORY;
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_PANIC:
      return C2G_ERROR_CORRUPT;
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
    case MDB_INCOMPATIBLE:
      return C2G_ERROR_NOT_SUPPORTED;
    case MDB_BAD_VALSIZE:
    case MDB_MAP_FULL:
    case MDB_TXN_FULL:
      return C2G_ERROR_RANGE;
    default:
      return C2G_ERROR_FAILED;
    }
}

static gboolean
set_status (int      status,
            GError **error)
{
  /* Positive values are errno codes of the system. */
  if (status > 0 && status != ENOMEM)
    g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (status), g_strerror (status));
  else
    g_set_error (error, C2G_ERROR, get_error_code (status),
                 _("LMDB: %s"), mdb_strerror (status));
  return FALSE;
}

static int
put_records (MDB_txn             *transaction,
             const C2gLmdbRecord *records,
             gsize                n_records)
{
  MDB_dbi database;
  int status = mdb_dbi_open (transaction, NULL, 0, &database);

  for (gsize i = 0; i < n_records && status == 0; i++)
    {
      gsize n_key_bytes;
      gsize n_value_bytes;
      gconstpointer key = g_bytes_get_data (records[i].key, &n_key_bytes);
      gconstpointer value = g_bytes_get_data (records[i].value, &n_value_bytes);
      MDB_val mdb_key = { n_key_bytes, (gpointer) key };
      MDB_val mdb_value = { n_value_bytes, (gpointer) value };

      status = mdb_put (transaction, database, &mdb_key, &mdb_value, 0);
    }

  return status;
}

static int
try_write (MDB_env             *env,
           const C2gLmdbRecord *records,
           gsize                n_records)
{
  MDB_txn *transaction;
  int status = mdb_txn_begin (env, NULL, 0, &transaction);

  if (status != 0)
    return status;

  status = put_records (transaction, records, n_records);
  if (status != 0)
    {
      mdb_txn_abort (transaction);
      return status;
    }

  return mdb_txn_commit (transaction);
}

/* Estimates how much the file may grow, so that usually the first try succeeds. */
static gsize
guess_extra_bytes (const C2gLmdbRecord *records,
                   gsize                n_records)
{
  gsize n_bytes = MIN_EXTRA_BYTES;

  for (gsize i = 0; i < n_records; i++)
    {
      gsize n = g_bytes_get_size (records[i].key) + g_bytes_get_size (records[i].value);

      /* Pages may be only half full, and large values take whole pages. */
      if (n > (G_MAXSIZE / 8 - n_bytes) / 2)
        break;
      n_bytes += 2 * n + 64;
    }

  return n_bytes;
}

static gsize
get_file_size (MDB_env *env)
{
  mdb_filehandle_t fd;
  struct stat status;

  return mdb_env_get_fd (env, &fd) == 0 && fstat (fd, &status) == 0 ? (gsize) status.st_size : 0;
}

static gboolean
get_map_size (MDB_env *env,
              gsize    n_extra,
              gsize   *n_bytes)
{
  /* Round to 64 KiB, a multiple of every memory page size. */
  if (!g_size_checked_add (n_bytes, get_file_size (env), n_extra) ||
      !g_size_checked_add (n_bytes, *n_bytes, 0xffff))
    return FALSE;
  *n_bytes &= ~(gsize) 0xffff;
  return TRUE;
}

/* A failed transaction has written pages behind the last valid one. Cut them off, because the disk
 * may be full. A transaction is open meanwhile, so that no other process writes there. */
static void
restore_size (MDB_env *env,
              gsize    n_bytes)
{
  MDB_txn *transaction;
  MDB_envinfo info;
  MDB_stat tree;
  mdb_filehandle_t fd;

  if (get_file_size (env) <= n_bytes || mdb_txn_begin (env, NULL, 0, &transaction) != 0)
    return;

  if (mdb_env_info (env, &info) == 0 && mdb_env_stat (env, &tree) == 0 &&
      mdb_env_get_fd (env, &fd) == 0 &&
      ftruncate (fd, MAX (n_bytes, (info.me_last_pgno + 1) * tree.ms_psize)) != 0)
    g_debug ("Cannot shorten an LMDB database: %s", g_strerror (errno));
  mdb_txn_abort (transaction);
}

/* If only a part of a page could be written, liblmdb returns EIO. Most often the disk is full: then
 * return ENOSPC. */
static int
explain_status (MDB_env *env,
                int      status,
                gsize    n_bytes)
{
  mdb_filehandle_t fd;
  struct statvfs disk;

  if (status == EIO && mdb_env_get_fd (env, &fd) == 0 && fstatvfs (fd, &disk) == 0 &&
      disk.f_bavail <= n_bytes / disk.f_frsize)
    return ENOSPC;
  return status;
}

/* Writes in one transaction. If the map is too small, tries again with a larger one; a failed try
 * has not changed the database. */
static gboolean
write_growing (MDB_env              *env,
               const C2gLmdbRecord  *records,
               gsize                 n_records,
               GError              **error)
{
  gsize n_before = get_file_size (env);
  gsize n_extra = guess_extra_bytes (records, n_records);
  int status;

  do
    {
      gsize n_bytes;

      if (!get_map_size (env, n_extra, &n_bytes))
        return set_status (ENOMEM, error);
      status = mdb_env_set_mapsize (env, n_bytes);
      if (status == 0)
        status = try_write (env, records, n_records);
      n_extra *= 2;
    }
  while ((status == MDB_MAP_FULL || status == MDB_MAP_RESIZED) && n_extra < G_MAXSIZE / 4);

  if (status == 0)
    return TRUE;
  set_status (explain_status (env, status, n_extra), error);
  restore_size (env, n_before);
  return FALSE;
}

static gboolean
open_and_write (const char           *path,
                C2gLmdbWriteFlags     flags,
                const C2gLmdbRecord  *records,
                gsize                 n_records,
                GError              **error)
{
  guint mdb_flags = 0;
  MDB_env *env;
  int status;
  gboolean is_written;

  if (flags & C2G_LMDB_WRITE_FILE)
    mdb_flags |= MDB_NOSUBDIR;
  if (flags & C2G_LMDB_WRITE_PRIVATE)
    mdb_flags |= MDB_NOLOCK | MDB_NOSYNC;

  status = mdb_env_create (&env);
  if (status != 0)
    return set_status (status, error);

  /* Without this, liblmdb takes the map size from the file. It may exceed the limits of this
   * process, or be wrong in a damaged file. */
  status = mdb_env_set_mapsize (env, MIN_EXTRA_BYTES);
  if (status == 0)
    status = mdb_env_open (env, path, mdb_flags, 0666);
  is_written = status == 0 ? write_growing (env, records, n_records, error)
                           : set_status (status, error);
  mdb_env_close (env);
  return is_written;
}

gboolean
c2g_lmdb_check_writer (GError **error)
{
  return TRUE;
}

gboolean
c2g_lmdb_write (const char           *path,
                C2gLmdbWriteFlags     flags,
                const C2gLmdbRecord  *records,
                gsize                 n_records,
                GError              **error)
{
  gboolean is_private = (flags & C2G_LMDB_WRITE_PRIVATE) != 0;
  C2gSizeSignal size_signal;
  gboolean is_written;

  if (!is_private)
    g_mutex_lock (&write_lock);
  c2g_size_signal_block (&size_signal);
  is_written = open_and_write (path, flags, records, n_records, error);
  c2g_size_signal_unblock (&size_signal);
  if (!is_private)
    g_mutex_unlock (&write_lock);

  return is_written;
}
