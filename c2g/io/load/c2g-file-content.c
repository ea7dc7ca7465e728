/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-file-content-private.h>

#include <c2g/io/db/c2g-db-private.h>
#include <c2g/io/db/c2g-minidb-private.h>
#include <c2g/io/db/c2g-protodb-private.h>
#include <c2g/io/lmdb/c2g-lmdb-cursor-private.h>
#include <c2g/io/load/c2g-caffe-files-private.h>
#include <c2g/io/load/c2g-content-kind-private.h>
#include <c2g/io/load/c2g-foreign-private.h>
#include <c2g/io/numpy/c2g-numpy-private.h>
#include <c2g/io/safetensors/c2g-safetensors-private.h>
#include <c2g/io/stream/c2g-net-file-private.h>
#include <c2g/io/stream/c2g-scanner-private.h>
#include <c2g/io/wire/c2g-text-reader-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Opens a file of any kind: recognizes its format and calls the reader for it. C2gModelFile shows
 * the result. */

/* Name of the data file in the folder of an LMDB database. */
#define LMDB_FILE_NAME "data.mdb"

/* State while a file is examined. */
typedef struct
{
  C2gSource    *source;
  const char   *name;
  GCancellable *cancellable;
} Reading;

static gboolean
set_foreign (GError     **error,
             const char  *description)
{
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED, _("This is %s, not a file of Caffe2"),
                   description);
}

/* Returns the name of the file without folder and suffix, for content that has no name. */
static char *
dup_own_name (const char *file_name)
{
  char *base = g_path_get_basename (file_name);
  char *dot = strrchr (base, '.');

  if (dot != NULL && dot != base)
    *dot = '\0';
  return base;
}

/* Takes ownership of the cursor. A NULL cursor means that an error is set already. */
static gboolean
read_cursor (C2gFileContent  *self,
             C2gDbCursor     *cursor,
             GCancellable    *cancellable,
             GError         **error)
{
  if (cursor == NULL)
    return FALSE;

  self->entries = c2g_checkpoint_read_entries (cursor, cancellable, error);
  g_object_unref (cursor);
  return self->entries != NULL;
}

static gboolean
read_single (C2gFileContent  *self,
             const Reading   *reading,
             GError         **error)
{
  g_autofree char *own_name = dup_own_name (reading->name);

  if (self->kind == C2G_MODEL_FILE_KIND_NPY)
    self->entries = c2g_npy_read_entries (reading->source, own_name, error);
  else if (self->kind == C2G_MODEL_FILE_KIND_BINARYPROTO)
    self->entries = c2g_caffe_mean_read_entries (reading->source, own_name, error);
  else
    self->entries = c2g_single_read_entries (reading->source, own_name, error);
  return self->entries != NULL;
}

static gboolean
read_net (C2gFileContent  *self,
          const Reading   *reading,
          GError         **error)
{
  gboolean is_text = self->kind == C2G_MODEL_FILE_KIND_NET_TEXT;

  self->net = c2g_model_net_new (reading->source, is_text, reading->cancellable, error);
  if (self->net != NULL)
    self->entries = c2g_model_net_read_entries (self->net, error);
  return self->entries != NULL;
}

/* Another process may write meanwhile. Then both the result and an error are worthless, and this
 * fails with C2G_ERROR_BUSY. */
static gboolean
read_lmdb (C2gFileContent  *self,
           const Reading   *reading,
           GError         **error)
{
  g_autoptr (GError) local_error = NULL;
  gboolean is_read;

  self->kind = C2G_MODEL_FILE_KIND_LMDB;
  self->lmdb = c2g_lmdb_file_new (reading->source, error);
  if (self->lmdb == NULL)
    return FALSE;

  is_read = read_cursor (self, c2g_lmdb_cursor_new (self->lmdb, &local_error),
                         reading->cancellable, &local_error);
  if (!c2g_lmdb_file_is_current (self->lmdb, error))
    return FALSE;
  if (!is_read)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return is_read;
}

static gboolean
read_entries (C2gFileContent  *self,
              const Reading   *reading,
              GError         **error)
{
  switch (self->kind)
    {
    case C2G_MODEL_FILE_KIND_BLOB:
    case C2G_MODEL_FILE_KIND_TENSOR:
    case C2G_MODEL_FILE_KIND_NPY:
    case C2G_MODEL_FILE_KIND_BINARYPROTO:
      return read_single (self, reading, error);

    case C2G_MODEL_FILE_KIND_NET:
    case C2G_MODEL_FILE_KIND_NET_TEXT:
      return read_net (self, reading, error);

    case C2G_MODEL_FILE_KIND_MINIDB:
      return read_cursor (self, c2g_minidb_cursor_new (reading->source, error),
                          reading->cancellable, error);

    case C2G_MODEL_FILE_KIND_PROTODB:
      return read_cursor (self, c2g_protodb_cursor_new (reading->source, error),
                          reading->cancellable, error);

    case C2G_MODEL_FILE_KIND_LMDB:
      return read_lmdb (self, reading, error);

    case C2G_MODEL_FILE_KIND_SAFETENSORS:
      self->entries = c2g_safetensors_read_entries (reading->source, &self->metadata, error);
      return self->entries != NULL;

    case C2G_MODEL_FILE_KIND_NPZ:
      self->entries = c2g_npz_read_entries (reading->source, error);
      return self->entries != NULL;

    case C2G_MODEL_FILE_KIND_CAFFEMODEL:
      self->entries = c2g_caffemodel_read_entries (reading->source, &self->net_name, &self->metadata, error);
      return self->entries != NULL;

    case C2G_MODEL_FILE_KIND_UNKNOWN:
    case C2G_MODEL_FILE_KIND_DB:
      break;
    }

  g_assert_not_reached ();
}

static gboolean
is_text (C2gSource *source)
{
  g_auto (C2gScanner) scanner = { 0 };
  const guint8 *data;
  gsize n_bytes;

  c2g_scanner_init (&scanner, source);
  data = c2g_scanner_look (&scanner, 0, C2G_SCANNER_WINDOW, &n_bytes, NULL);

  return data != NULL && c2g_text_is_readable (data, n_bytes);
}

/* If the content does not tell the kind, the file is empty or damaged. Then its suffix selects
 * the reader that gives a good error. */
static gboolean
find_kind_by_name (C2gFileContent  *self,
                   const Reading   *reading,
                   GError         **error)
{
  static const struct
  {
    const char       *ending;
    C2gModelFileKind  kind;
  } endings[] = {
    { ".minidb", C2G_MODEL_FILE_KIND_MINIDB },
    { ".safetensors", C2G_MODEL_FILE_KIND_SAFETENSORS },
    { ".npy", C2G_MODEL_FILE_KIND_NPY },
    { ".npz", C2G_MODEL_FILE_KIND_NPZ },
    { ".caffemodel", C2G_MODEL_FILE_KIND_CAFFEMODEL },
    { ".binaryproto", C2G_MODEL_FILE_KIND_BINARYPROTO },
  };
  gboolean is_empty = c2g_source_get_n_bytes (reading->source) == 0;

  /* An empty file is valid only as a minidb. */
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (reading->name, endings[i].ending) &&
        (!is_empty || endings[i].kind == C2G_MODEL_FILE_KIND_MINIDB))
      {
        self->kind = endings[i].kind;
        return TRUE;
      }

  if (is_empty)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("The file is empty"));
  else if (is_text (reading->source))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT, _("This is text, and neither a net nor a file of arrays"));
  else
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                         _("Neither a blob, a tensor, a net, a checkpoint nor a file of arrays"));
  return FALSE;
}

static gboolean
find_kind (C2gFileContent  *self,
           const Reading   *reading,
           GError         **error)
{
  static const C2gModelFileKind kinds[] = {
    [C2G_CONTENT_BLOB] = C2G_MODEL_FILE_KIND_BLOB,
    [C2G_CONTENT_TENSOR] = C2G_MODEL_FILE_KIND_TENSOR,
    [C2G_CONTENT_NET] = C2G_MODEL_FILE_KIND_NET,
    [C2G_CONTENT_NET_TEXT] = C2G_MODEL_FILE_KIND_NET_TEXT,
    [C2G_CONTENT_MINIDB] = C2G_MODEL_FILE_KIND_MINIDB,
    [C2G_CONTENT_LMDB] = C2G_MODEL_FILE_KIND_LMDB,
    [C2G_CONTENT_PROTODB] = C2G_MODEL_FILE_KIND_PROTODB,
    [C2G_CONTENT_SAFETENSORS] = C2G_MODEL_FILE_KIND_SAFETENSORS,
    [C2G_CONTENT_NPY] = C2G_MODEL_FILE_KIND_NPY,
    [C2G_CONTENT_NPZ] = C2G_MODEL_FILE_KIND_NPZ,
    [C2G_CONTENT_CAFFEMODEL] = C2G_MODEL_FILE_KIND_CAFFEMODEL,
    [C2G_CONTENT_CAFFE_MEAN] = C2G_MODEL_FILE_KIND_BINARYPROTO,
  };
  C2gContentKind kind;

  if (!c2g_content_kind_guess (reading->source, &kind, error))
    return FALSE;

  if (kind == C2G_CONTENT_UNKNOWN)
    return find_kind_by_name (self, reading, error);
  if (kind == C2G_CONTENT_FOREIGN)
    return set_foreign (error, c2g_foreign_describe (reading->source));

  self->kind = kinds[kind];
  return TRUE;
}

/* Files of other programs without magic bytes are recognized only after reading has failed. */
static gboolean
explain_foreign (const Reading  *reading,
                 GError        **error)
{
  const char *description;

  if (error == NULL || (*error)->domain != C2G_ERROR ||
      g_error_matches (*error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    return FALSE;
  description = c2g_foreign_describe (reading->source);
  if (description == NULL)
    return FALSE;
  g_clear_error (error);
  return set_foreign (error, description);
}

gboolean
c2g_file_content_read_source (C2gFileContent  *self,
                              C2gSource       *source,
                              const char      *name,
                              GCancellable    *cancellable,
                              GError         **error)
{
  const Reading reading = { source, name, cancellable };

  *self = (C2gFileContent) { 0 };
  if (find_kind (self, &reading, error) && read_entries (self, &reading, error))
    return TRUE;
  c2g_caffe_explain_text (name, error);
  return explain_foreign (&reading, error);
}

static C2gSource *
open_source (GFile           *file,
             C2gLoadOptions  *options,
             GCancellable    *cancellable,
             GError         **error)
{
  return options != NULL && c2g_load_options_get_memory_map (options)
           ? c2g_source_new_mapped (file, cancellable, error)
           : c2g_source_new_for_file (file, cancellable, error);
}

/* Reads a folder. ERROR has been set because it is a folder, and stays if there is no database in
 * it. */
static gboolean
read_folder (C2gFileContent  *self,
             GFile           *folder,
             C2gLoadOptions  *options,
             GCancellable    *cancellable,
             GError         **error)
{
  g_autoptr (GFile) file = c2g_net_file_get_child (folder, LMDB_FILE_NAME);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (C2gSource) source = open_source (file, options, cancellable, &local_error);
  const Reading reading = { source, "", cancellable };

  if (source == NULL && g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return FALSE;

  g_clear_error (error);
  if (source != NULL)
    return read_lmdb (self, &reading, error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

/* Reads a database of a type that the program has registered. */
static gboolean
read_db (C2gFileContent  *self,
         GFile           *file,
         const char      *db_type,
         GCancellable    *cancellable,
         GError         **error)
{
  g_autoptr (C2gDb) db = c2g_db_open (db_type, file, C2G_DB_MODE_READ, cancellable, error);

  self->kind = C2G_MODEL_FILE_KIND_DB;
  return db != NULL && read_cursor (self, c2g_db_new_cursor (db, error), cancellable, error);
}

/* Maps the built-in database types. */
static gboolean
kind_of_db_type (const char       *db_type,
                 C2gModelFileKind *kind)
{
  static const struct
  {
    const char       *db_type;
    C2gModelFileKind  kind;
  } types[] = {
    { "minidb", C2G_MODEL_FILE_KIND_MINIDB },
    { "lmdb", C2G_MODEL_FILE_KIND_LMDB },
    { "protodb", C2G_MODEL_FILE_KIND_PROTODB },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (db_type, types[i].db_type))
      {
        *kind = types[i].kind;
        return TRUE;
      }

  return FALSE;
}

/* Improves the error of a file that is damaged as this type of database: if it looks like another
 * kind, the error says so. */
static void
explain_kind (const Reading  *reading,
              const char     *db_type,
              GError        **error)
{
  g_autoptr (GEnumClass) names = g_type_class_ref (C2G_TYPE_MODEL_FILE_KIND);
  C2gFileContent found = { 0 };

  if (error == NULL || !g_error_matches (*error, C2G_ERROR, C2G_ERROR_CORRUPT) ||
      !find_kind (&found, reading, NULL))
    return;

  if (g_strcmp0 (g_enum_get_value (names, found.kind)->value_nick, db_type) == 0)
    return;
  g_clear_error (error);
  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
               _("This is no database of type “%s”, it looks like %s; as that it is opened where "
                 "no type of database is given"),
               db_type, g_enum_get_value (names, found.kind)->value_nick);
}

static gboolean
read_as_db (C2gFileContent  *self,
            const Reading   *reading,
            const char      *db_type,
            GError         **error)
{
  if (read_entries (self, reading, error))
    return TRUE;

  explain_kind (reading, db_type, error);
  return FALSE;
}

/* For a model of Caffe: renames blobs as Caffe2 does, and makes blobs of Caffe, if the options ask
 * for it. */
static void
heed_options (C2gFileContent *self,
              C2gLoadOptions *options)
{
  const gboolean is_model = self->kind == C2G_MODEL_FILE_KIND_CAFFEMODEL;

  if (options == NULL || !(is_model || self->kind == C2G_MODEL_FILE_KIND_BINARYPROTO))
    return;
  if (is_model && c2g_load_options_get_caffe2_names (options))
    c2g_caffemodel_rename (self->entries);
  if (c2g_load_options_get_caffe_blobs (options))
    c2g_caffe_make_blobs (self->entries);
}

gboolean
c2g_file_content_read_file (C2gFileContent  *self,
                            GFile           *file,
                            const char      *name,
                            C2gLoadOptions  *options,
                            GCancellable    *cancellable,
                            GError         **error)
{
  const char *db_type = options == NULL ? NULL : c2g_load_options_get_db_type (options);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (C2gSource) source = NULL;
  Reading reading = { NULL, name, cancellable };

  *self = (C2gFileContent) { 0 };
  if (db_type != NULL)
    db_type = c2g_db_get_canonical_type (db_type);
  if (db_type != NULL && !kind_of_db_type (db_type, &self->kind))
    return read_db (self, file, db_type, cancellable, error);

  source = open_source (file, options, cancellable, &local_error);
  reading.source = source;
  if (source != NULL && db_type != NULL)
    return read_as_db (self, &reading, db_type, error);
  if (source != NULL)
    {
      if (!c2g_file_content_read_source (self, source, name, cancellable, error))
        return FALSE;
      heed_options (self, options);
      return TRUE;
    }

  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY) &&
      (db_type == NULL || self->kind == C2G_MODEL_FILE_KIND_LMDB) &&
      read_folder (self, file, options, cancellable, &local_error))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

void
c2g_file_content_clear (C2gFileContent *self)
{
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->metadata, g_hash_table_unref);
  g_clear_pointer (&self->net_name, g_free);
  g_clear_pointer (&self->net, c2g_model_net_unref);
  g_clear_pointer (&self->lmdb, c2g_lmdb_file_unref);
}
