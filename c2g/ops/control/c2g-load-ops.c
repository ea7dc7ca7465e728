/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/content/c2g-blob-io-private.h>
#include <c2g/io/db/c2g-db-reader.h>
#include <c2g/io/load/c2g-load-options-private.h>
#include <c2g/io/load/c2g-workspace-io.h>
#include <c2g/ops/support/c2g-database-private.h>

/* Load: reads blobs from databases: files from db or dbs, or DBReaders as inputs. Loads the blobs
 * that are named like the outputs, or all with load_all.
 * DBExists: output 0 (bool) is TRUE if the database exists.
 * CreateDB: output 0 is a reader of a database, or of shard shard_id of num_shards.
 *
 * The workspace's file rules decide which paths may be used. The rules are Caffe2's. Load and
 * CreateDB may be in a net on CUDA: Load copies to the device what it has read. DBExists runs on
 * the CPU only. */

typedef struct
{
  gboolean         absolute_path;
  const char      *db;
  const char      *db_type;
  const char      *add_prefix;
  const char      *strip_prefix;
  gboolean         load_all;
  gboolean         allow_incomplete;
  gboolean         keep_device;
  /* Paths of the databases; not used if there are inputs. */
  char           **dbs;
  /* All options but the files, which are added at the run. */
  C2gLoadOptions  *options;
} LoadState;

static gboolean
read_paths (C2gOperator  *op,
            LoadState    *self,
            GError      **error)
{
  self->dbs = c2g_operator_dup_strings (op, "dbs", error);
  if (self->dbs == NULL)
    return FALSE;
  if (c2g_operator_get_n_inputs (op) > 0)
    return TRUE;

  if (self->dbs[0] == NULL)
    {
      g_strfreev (self->dbs);
      self->dbs = g_new0 (char *, 2);
      self->dbs[0] = g_strdup (self->db);
    }
  if (!c2g_database_check_argument ("db_type", self->db_type, error))
    return FALSE;
  for (gsize i = 0; self->dbs[i] != NULL; i++)
    if (!c2g_database_check_argument ("db", self->dbs[i], error))
      return FALSE;
  return TRUE;
}

/* Sets the names to load. An empty list would load all blobs; load_run() handles that case. */
static gboolean
read_names (C2gOperator     *op,
            C2gLoadOptions  *options,
            GError         **error)
{
  g_auto (GStrv) sources = c2g_operator_dup_strings (op, "source_blob_names", error);

  if (sources == NULL)
    return FALSE;
  if (!c2g_load_options_get_load_all (options))
    c2g_load_options_set_names (options,
                                c2g_operator_def_get_outputs (c2g_operator_peek_def (op)));
  if (sources[0] == NULL)
    return TRUE;

  if (g_strv_length (sources) != c2g_operator_get_n_outputs (op))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("The argument “%s” has %u names for %u outputs"), "source_blob_names",
                     g_strv_length (sources), c2g_operator_get_n_outputs (op));
  c2g_load_options_set_source_names (options, (const char *const *) sources);
  return TRUE;
}

static gboolean
load_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  LoadState *self = state;
  C2gLoadOptions *options = c2g_load_options_new ();

  self->options = options;
  c2g_load_options_set_add_prefix (options, self->add_prefix);
  c2g_load_options_set_strip_prefix (options, self->strip_prefix);
  c2g_load_options_set_load_all (options, self->load_all);
  c2g_load_options_set_allow_incomplete (options, self->allow_incomplete);
  c2g_load_options_set_keep_device (options, self->keep_device);
  if (!self->keep_device)
    c2g_load_options_set_device (options, c2g_operator_get_device (op));

  return read_paths (op, self, error) && read_names (op, options, error);
}

static void
load_clear (gpointer state)
{
  LoadState *self = state;

  g_strfreev (self->dbs);
  g_clear_object (&self->options);
}

static C2gDb *
find_read_database (C2gOperator  *op,
                    guint         input,
                    GError      **error)
{
  C2gBlob *blob = c2g_operator_get_input (op, input);
  C2gDb *db = NULL;

  if (c2g_blob_is_type (blob, C2G_TYPE_DB_READER))
    db = c2g_db_reader_get_db (C2G_DB_READER (c2g_blob_get_object (blob)));
  if (db != NULL && c2g_db_get_file (db) != NULL)
    return db;

  return c2g_fail_null (error, C2G_ERROR_TYPE,
                        _("Input %u, “%s”, has no reader of a database in a file"), input,
                        c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[input]);
}

/* Uses the files of the readers. Their positions do not matter: files are read from the start. */
static gboolean
find_read_files (C2gOperator     *op,
                 GListStore      *files,
                 C2gLoadOptions  *options,
                 GError         **error)
{
  const char *db_type = NULL;

  for (guint i = 0; i < c2g_operator_get_n_inputs (op); i++)
    {
      C2gDb *db = find_read_database (op, i, error);

      if (db == NULL)
        return FALSE;
      g_list_store_append (files, c2g_db_get_file (db));
      db_type = i == 0 || g_strcmp0 (db_type, c2g_db_get_db_type (db)) == 0
                  ? c2g_db_get_db_type (db)
                  : NULL;
    }

  c2g_load_options_set_db_type (options, db_type);
  return TRUE;
}

/* Returns the first file, and puts the others into the options. */
static GFile *
find_files (C2gOperator  *op,
            LoadState    *self,
            GError      **error)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  GFile *first;

  if (c2g_operator_get_n_inputs (op) == 0)
    {
      c2g_load_options_set_db_type (self->options, self->db_type);
      for (gsize i = 0; self->dbs[i] != NULL; i++)
        {
          g_autoptr (GFile) file = c2g_database_find_file (op, self->dbs[i], self->absolute_path,
                                                           C2G_FILE_USE_READ, error);

          if (file == NULL)
            return NULL;
          g_list_store_append (files, file);
        }
    }
  else if (!find_read_files (op, files, self->options, error))
    return NULL;

  first = g_list_model_get_item (G_LIST_MODEL (files), 0);
  g_list_store_remove (files, 0);
  c2g_load_options_take_files (self->options, G_LIST_MODEL (g_steal_pointer (&files)));
  return first;
}

/* Puts loaded content into the operator's own output blobs. The workspace may have other blobs
 * under the names by now. */
static gboolean
put_blobs (C2gOperator   *op,
           C2gWorkspace  *workspace,
           C2gWorkspace  *loaded,
           char         **names,
           GError       **error)
{
  g_autoptr (GPtrArray) blobs = g_ptr_array_new_with_free_func (g_object_unref);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      int output = c2g_operator_find_output (op, names[i]);
      C2gBlob *blob = output >= 0 ? g_object_ref (c2g_operator_get_output (op, output))
                                  : c2g_workspace_create_blob (workspace, names[i], error);

      if (blob == NULL)
        return FALSE;
      g_ptr_array_add (blobs, blob);
    }

  for (guint i = 0; i < blobs->len; i++)
    {
      g_autoptr (C2gBlob) from = c2g_workspace_get_blob (loaded, names[i], NULL);

      if (from != NULL && !c2g_blob_is_empty (from))
        c2g_blob_take_loaded (blobs->pdata[i], from);
    }
  return TRUE;
}

/* With load_all the outputs only tell which blobs must be in the file. */
static gboolean
check_outputs (C2gOperator   *op,
               C2gWorkspace  *loaded,
               GFile         *file,
               GError       **error)
{
  const char *const *outputs = c2g_operator_def_get_outputs (c2g_operator_peek_def (op));
  g_autofree char *name = NULL;

  for (gsize i = 0; outputs[i] != NULL; i++)
    if (!c2g_workspace_has_blob (loaded, outputs[i]))
      {
        name = g_file_get_parse_name (file);
        return c2g_fail (error, C2G_ERROR_NOT_FOUND, _("%s: Output %zu, “%s”, is not there"), name,
                         i, outputs[i]);
      }

  return TRUE;
}

static gboolean
load_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  LoadState *self = state;
  gboolean load_all = c2g_load_options_get_load_all (self->options);
  g_autoptr (C2gWorkspace) workspace = c2g_operator_ref_workspace (op, error);
  g_autoptr (C2gWorkspace) loaded = NULL;
  g_autoptr (GFile) file = NULL;
  g_auto (GStrv) names = NULL;
  g_auto (C2gFileRules) rules = { 0 };

  if (workspace == NULL)
    return FALSE;
  file = find_files (op, self, error);
  if (file == NULL)
    return FALSE;

  /* Nothing to load. An empty list of names would mean all blobs. */
  if (!load_all && c2g_operator_get_n_outputs (op) == 0)
    return TRUE;

  loaded = c2g_workspace_new ();
  c2g_workspace_get_file_rules (workspace, &rules);
  c2g_workspace_set_file_rules (loaded, &rules);
  names = c2g_workspace_load_checkpoint (loaded, file, self->options,
                                         c2g_operator_get_cancellable (op), error);
  return names != NULL && (!load_all || check_outputs (op, loaded, file, error)) &&
         put_blobs (op, workspace, loaded, names, error);
}

/* DBExists */

typedef struct
{
  const char *db;
  const char *db_type;
  gboolean    absolute_path;
  int         n_shards;
  int         shard;
} DatabaseState;

static gboolean
exists_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  DatabaseState *self = state;

  return c2g_database_check_argument ("db_name", self->db, error) &&
         c2g_database_check_argument ("db_type", self->db_type, error);
}

static gboolean
exists_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  DatabaseState *self = state;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) local_error = NULL;
  C2gTensor *output;

  file = c2g_database_find_file (op, self->db, self->absolute_path, C2G_FILE_USE_LOOK,
                                 &local_error);
  if (file == NULL && !g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  output = c2g_operator_output (op, 0, NULL, 0, C2G_DATA_TYPE_BOOL, error);
  if (output == NULL)
    return FALSE;

  *(guint8 *) c2g_tensor_address (output) =
    file != NULL && c2g_db_exists (self->db_type, file) ? 1 : 0;
  return TRUE;
}

/* CreateDB */

static gboolean
create_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  DatabaseState *self = state;

  if (!c2g_database_check_argument ("db", self->db, error) ||
      !c2g_database_check_argument ("db_type", self->db_type, error))
    return FALSE;

  if (self->n_shards > 0 && self->shard >= 0 && self->shard < self->n_shards)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("There is no shard %d of %d"), self->shard,
                   self->n_shards);
}

static gboolean
create_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  DatabaseState *self = state;
  g_autoptr (C2gDbReader) reader = NULL;
  g_autoptr (GFile) file = NULL;

  file = c2g_database_find_file (op, self->db, FALSE, C2G_FILE_USE_READ, error);
  if (file == NULL)
    return FALSE;
  reader = c2g_db_reader_open (self->db_type, file, self->n_shards, self->shard,
                               c2g_operator_get_cancellable (op), error);
  if (reader == NULL)
    return FALSE;

  c2g_blob_set_object (c2g_operator_get_output (op, 0), G_OBJECT (reader));
  return TRUE;
}

static const C2gKernel kernels[] = {
  { "Load", NULL, 0, C2G_MANY, 0, C2G_MANY, NULL,
    C2G_ARGS (C2G_ARG_STRING (LoadState, db, "db", ""),
              C2G_ARG_STRING (LoadState, db_type, "db_type", ""),
              C2G_ARG_BOOLEAN (LoadState, absolute_path, "absolute_path", FALSE),
              C2G_ARG_STRING (LoadState, add_prefix, "add_prefix", ""),
              C2G_ARG_STRING (LoadState, strip_prefix, "strip_prefix", ""),
              C2G_ARG_BOOLEAN (LoadState, load_all, "load_all", FALSE, C2G_ADDS_OUTPUTS),
              C2G_ARG_BOOLEAN (LoadState, allow_incomplete, "allow_incomplete", FALSE),
              C2G_ARG_BOOLEAN (LoadState, keep_device, "keep_device", FALSE),
              C2G_ARG_READ ("dbs source_blob_names"), C2G_ARG_IGNORED ("shape"),
              C2G_ARG_REFUSED ("db_options=")),
    sizeof (LoadState), load_set_up, load_run, load_clear, NULL,
    "Loads blobs from databases: files, or readers that are inputs",
    .is_for_devices = TRUE },
  { "DBExists", NULL, 0, 0, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_STRING (DatabaseState, db, "db_name", "", C2G_REQUIRED),
              C2G_ARG_STRING (DatabaseState, db_type, "db_type", "", C2G_REQUIRED),
              C2G_ARG_BOOLEAN (DatabaseState, absolute_path, "absolute_path", FALSE)),
    sizeof (DatabaseState), exists_set_up, exists_run, NULL, NULL, "Tells if there is a database",
    .infer = exists_run },
  { "CreateDB", NULL, 0, 0, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_STRING (DatabaseState, db, "db", "", C2G_REQUIRED),
              C2G_ARG_STRING (DatabaseState, db_type, "db_type", "leveldb"),
              C2G_ARG_INT (DatabaseState, n_shards, "num_shards", 1),
              C2G_ARG_INT (DatabaseState, shard, "shard_id", 0)),
    sizeof (DatabaseState), create_set_up, create_run, NULL, NULL, "Opens a database for reading",
    .infer = c2g_operator_infer_nothing,
    .is_for_devices = TRUE },
};

C2G_OPS_FAMILY (load);
