/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/lmdb/c2g-lmdb-store-private.h>

#include <c2g/io/lmdb/c2g-lmdb-draft-private.h>
#include <c2g/io/lmdb/c2g-lmdb-verify-private.h>
#include <c2g/io/stream/c2g-net-file-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <errno.h>
#include <unistd.h>

#include <glib/gstdio.h>

/* The destination of transactions: an existing LMDB database, or a draft of a new one. */

struct _C2gLmdbStore
{
  gatomicrefcount    ref_count;

  /* Name for messages, and path for liblmdb. folder_fd is -1, except for a new database that must
   * stay in a folder: then that folder is open and the path goes through the descriptor, so that
   * nobody can replace it by a link. */
  char              *name;
  char              *path;
  int                folder_fd;
  C2gLmdbWriteFlags  flags;
  gsize              max_key;

  /* Atomic. TRUE once the database exists. */
  int                is_there;

  /* A new database before its first commit, and the transaction that has written to it. */
  C2gLmdbDraft      *draft;
  gconstpointer      owner;
};

static C2gLmdbStore *
new_store (GFile   *file,
           GError **error)
{
  g_autoptr (C2gLmdbStore) self = g_new0 (C2gLmdbStore, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->name = g_file_get_parse_name (file);
  self->path = g_file_get_path (file);
  self->max_key = C2G_LMDB_MAX_KEY_BYTES;
  self->folder_fd = -1;

  if (self->path != NULL)
    return c2g_lmdb_check_writer (error) ? g_steal_pointer (&self) : NULL;

  return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                        _("%s: An LMDB database can be written only where the system has a path for it"),
                        self->name);
}

static gboolean
hold_folder (C2gLmdbStore  *self,
             GFile         *file,
             GError       **error)
{
  g_autofree char *name = NULL;

  if (!c2g_net_file_is_confined (file))
    return TRUE;

  self->folder_fd = c2g_net_file_open_folder (file);
  if (self->folder_fd < 0)
    return c2g_set_errno (error, self->name, errno);
  name = g_path_get_basename (self->path);
  g_free (self->path);
  self->path = g_strdup_printf ("/proc/self/fd/%d/%s", self->folder_fd, name);
  return TRUE;
}

static gboolean
make_draft (C2gLmdbStore  *self,
            GError       **error)
{
  self->draft = c2g_lmdb_draft_new (self->path, self->name, error);
  return self->draft != NULL;
}

C2gLmdbStore *
c2g_lmdb_store_new (GFile   *file,
                    GError **error)
{
  g_autoptr (C2gLmdbStore) self = new_store (file, error);

  if (self == NULL || !hold_folder (self, file, error) || !make_draft (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* liblmdb opens either a folder, in which it creates lock.mdb too, or with MDB_NOSUBDIR a single
 * file, whose lock file is called differently. */
static void
set_path (C2gLmdbStore *self,
          GFile        *file,
          GFile        *data)
{
  g_autofree char *name = g_file_get_basename (file);
  char *path;

  if (!g_file_equal (file, data))
    return;
  if (!g_str_equal (name, "data.mdb"))
    self->flags = C2G_LMDB_WRITE_FILE;
  else
    {
      path = g_path_get_dirname (self->path);
      g_free (self->path);
      self->path = path;
    }
}

static gboolean
check_data (C2gLmdbStore  *self,
            GFile         *data,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_file (data, cancellable, error);
  g_autoptr (C2gLmdbFile) lmdb_file = NULL;

  if (source == NULL)
    return FALSE;
  lmdb_file = c2g_lmdb_file_new (source, error);
  if (lmdb_file == NULL || !c2g_lmdb_verify (lmdb_file, cancellable, error))
    {
      g_prefix_error (error, "%s: ", self->name);
      return FALSE;
    }

  self->max_key = c2g_lmdb_file_get_max_key (lmdb_file);
  return g_access (g_file_peek_path (data), R_OK | W_OK) == 0 || c2g_set_errno (error, self->name, errno);
}

C2gLmdbStore *
c2g_lmdb_store_open (GFile         *file,
                     GFile         *data,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (C2gLmdbStore) self = new_store (file, error);

  if (self == NULL)
    return NULL;
  /* liblmdb opens data and lock file by path and follows links. So links are checked here. */
  if (c2g_net_file_is_confined (file))
    {
      c2g_set_errno (error, self->name, EPERM);
      return NULL;
    }
  if (!check_data (self, data, cancellable, error))
    return NULL;

  set_path (self, file, data);
  g_atomic_int_set (&self->is_there, TRUE);
  return g_steal_pointer (&self);
}

C2gLmdbStore *
c2g_lmdb_store_ref (C2gLmdbStore *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
c2g_lmdb_store_unref (C2gLmdbStore *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->draft, c2g_lmdb_draft_free);
  if (self->folder_fd >= 0)
    close (self->folder_fd);
  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

gboolean
c2g_lmdb_store_is_there (C2gLmdbStore *self)
{
  return g_atomic_int_get (&self->is_there);
}

gsize
c2g_lmdb_store_get_max_key (C2gLmdbStore *self)
{
  return self->max_key;
}

static gboolean
write_draft (C2gLmdbStore         *self,
             gconstpointer         owner,
             const C2gLmdbRecord  *records,
             gsize                 n_records,
             GError              **error)
{
  if (self->owner != NULL && self->owner != owner)
    return c2g_fail (error, C2G_ERROR_BUSY,
                     _("%s: Another transaction has records that are not committed"), self->name);

  /* A rollback may have discarded the draft. */
  if (self->draft == NULL && !make_draft (self, error))
    return FALSE;

  self->owner = owner;
  if (c2g_lmdb_write (c2g_lmdb_draft_get_path (self->draft),
                      C2G_LMDB_WRITE_FILE | C2G_LMDB_WRITE_PRIVATE, records, n_records, error))
    return TRUE;
  g_prefix_error (error, "%s: ", self->name);
  return FALSE;
}

gboolean
c2g_lmdb_store_write_batch (C2gLmdbStore         *self,
                            gconstpointer         owner,
                            const C2gLmdbRecord  *records,
                            gsize                 n_records,
                            GError              **error)
{
  if (write_draft (self, owner, records, n_records, error))
    return TRUE;

  c2g_lmdb_store_roll_back (self, owner);
  return FALSE;
}

static gboolean
publish (C2gLmdbStore         *self,
         gconstpointer         owner,
         const C2gLmdbRecord  *records,
         gsize                 n_records,
         GError              **error)
{
  gboolean is_done = write_draft (self, owner, records, n_records, error) &&
                     c2g_lmdb_draft_publish (self->draft, error);

  /* This frees the draft; a published one stays on the disk. */
  c2g_lmdb_store_roll_back (self, owner);
  if (is_done)
    g_atomic_int_set (&self->is_there, TRUE);
  return is_done;
}

gboolean
c2g_lmdb_store_commit (C2gLmdbStore         *self,
                       gconstpointer         owner,
                       const C2gLmdbRecord  *records,
                       gsize                 n_records,
                       GError              **error)
{
  if (!g_atomic_int_get (&self->is_there))
    return publish (self, owner, records, n_records, error);
  if (n_records == 0)
    return TRUE;

  if (c2g_lmdb_write (self->path, self->flags, records, n_records, error))
    return TRUE;
  g_prefix_error (error, "%s: ", self->name);
  return FALSE;
}

void
c2g_lmdb_store_roll_back (C2gLmdbStore  *self,
                          gconstpointer  owner)
{
  if (owner != NULL && self->owner != owner)
    return;

  self->owner = NULL;
  g_clear_pointer (&self->draft, c2g_lmdb_draft_free);
}
