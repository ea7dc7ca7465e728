/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/db/c2g-append-file-private.h>

#include <c2g/io/db/c2g-append-sink-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* The file of a minidb or protodb while it is written: transactions append records to it. */

struct _C2gAppendFile
{
  gatomicrefcount ref_count;

  GFile          *file;
  /* TRUE if the file exists with committed content, which has n_bytes bytes. */
  gboolean        exists;
  guint64         n_bytes;
  /* Identity of that file, or of a file that was there before; NULL if there was none. */
  char           *id;

  gboolean        is_closed;
  /* Sink for the next records. The first one is made when the file is opened, so that opening
   * fails if writing is impossible. */
  C2gSink        *sink;
  /* The transaction that has records which are not committed, or NULL. It is only compared. */
  gpointer        owner;
};

static char *
dup_id (GFile *file)
{
  g_autoptr (GFileInfo) info = NULL;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_ID_FILE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (info == NULL)
    return NULL;
  return g_strdup (g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_ID_FILE));
}

/* Returns FALSE with C2G_ERROR_BUSY if another process has replaced the file. */
static gboolean
check_same (C2gAppendFile  *self,
            GError        **error)
{
  g_autofree char *id = dup_id (self->file);
  g_autofree char *name = NULL;

  if (g_strcmp0 (id, self->id) == 0)
    return TRUE;

  name = g_file_get_parse_name (self->file);
  return c2g_fail (error, C2G_ERROR_BUSY, _("%s: Somebody else is writing to it"), name);
}

static gboolean
ensure_sink (C2gAppendFile  *self,
             GCancellable   *cancellable,
             GError        **error)
{
  if (self->sink == NULL && self->exists && !check_same (self, error))
    return FALSE;
  if (self->sink == NULL)
    self->sink = self->exists ? c2g_append_sink_new (self->file, self->n_bytes, error)
                              : c2g_sink_new_for_file (self->file, cancellable, error);
  return self->sink != NULL;
}

static C2gAppendFile *
new_file (GFile         *file,
          gboolean       exists,
          guint64        n_bytes,
          GCancellable  *cancellable,
          GError       **error)
{
  g_autoptr (C2gAppendFile) self = g_new0 (C2gAppendFile, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->file = g_object_ref (file);
  self->exists = exists;
  self->n_bytes = n_bytes;
  self->id = dup_id (file);
  return ensure_sink (self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

C2gAppendFile *
c2g_append_file_new (GFile         *file,
                     GCancellable  *cancellable,
                     GError       **error)
{
  return new_file (file, FALSE, 0, cancellable, error);
}

C2gAppendFile *
c2g_append_file_open (GFile    *file,
                      guint64   n_bytes,
                      GError  **error)
{
  return new_file (file, TRUE, n_bytes, NULL, error);
}

C2gAppendFile *
c2g_append_file_ref (C2gAppendFile *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
c2g_append_file_unref (C2gAppendFile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  c2g_append_file_close (self);
  g_clear_object (&self->file);
  g_free (self->id);
  g_free (self);
}

static void
drop_sink (C2gAppendFile *self)
{
  g_clear_pointer (&self->sink, c2g_sink_free);
  self->owner = NULL;
}

void
c2g_append_file_close (C2gAppendFile *self)
{
  drop_sink (self);
  self->is_closed = TRUE;
}

gboolean
c2g_append_file_claim (C2gAppendFile  *self,
                       gpointer        owner,
                       GError        **error)
{
  g_autofree char *name = NULL;

  if (!self->is_closed && (self->owner == NULL || self->owner == owner))
    return TRUE;

  name = g_file_get_parse_name (self->file);
  if (self->is_closed)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("%s: The database is closed"), name);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_BUSY,
                 _("%s: Another transaction has records that are not committed"), name);
  return FALSE;
}

gboolean
c2g_append_file_write (C2gAppendFile  *self,
                       gpointer        owner,
                       gconstpointer   data,
                       gsize           n_bytes,
                       GError        **error)
{
  if (!c2g_append_file_claim (self, owner, error))
    return FALSE;

  self->owner = owner;
  if (ensure_sink (self, NULL, error) && c2g_sink_write (self->sink, data, n_bytes, NULL, error))
    return TRUE;

  drop_sink (self);
  return FALSE;
}

/* An empty transaction changes nothing, except that it creates a new file. */
gboolean
c2g_append_file_commit (C2gAppendFile  *self,
                        gpointer        owner,
                        GError        **error)
{
  gboolean is_done;

  if (!c2g_append_file_claim (self, owner, error))
    return FALSE;
  if (self->owner == NULL && self->exists)
    return TRUE;

  /* Never replace a file that another process has created meanwhile, where none was before. A file that
   * was there is replaced, whoever wrote it last. */
  is_done = ensure_sink (self, NULL, error) &&
            (self->exists || self->id != NULL || check_same (self, error)) &&
            c2g_sink_commit (self->sink, NULL, error);
  if (is_done)
    {
      g_free (self->id);
      self->id = dup_id (self->file);
      self->exists = TRUE;
      self->n_bytes += c2g_sink_get_position (self->sink);
    }
  drop_sink (self);
  return is_done;
}

void
c2g_append_file_roll_back (C2gAppendFile *self,
                           gpointer       owner)
{
  if (self->owner == owner)
    drop_sink (self);
}
