/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/caffe/model/c2g-caffe-net-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/db/c2g-db-reader.h>
#include <c2g/io/load/c2g-caffe-files-private.h>
#include <c2g/io/load/c2g-content-kind-private.h>
#include <c2g/io/stream/c2g-name-private.h>

/* Makes predictors from files: two nets, a database of Caffe2's exporter, or a model of Caffe. */

/* Lets the model read files in this folder, and resolves its relative paths there. */
static void
set_model_folder (const C2gPredictorFiles *files,
                  GFile                   *folder)
{
  if (folder != NULL && g_file_peek_path (folder) != NULL)
    c2g_workspace_set_model_folder (files->workspace, g_file_peek_path (folder));
}

/* Remembers the file of the net, or the database, of a predictor; which may be NULL. */
static C2gPredictor *
set_file (C2gPredictor *self,
          GFile        *file)
{
  if (self != NULL)
    self->file = g_object_ref (file);
  return self;
}

static C2gNetDef *
load_net (GFile         *file,
          GCancellable  *cancellable,
          GError       **error)
{
  C2gNetDef *def = c2g_net_def_load_file (file, cancellable, error);
  g_autofree char *name = g_file_get_parse_name (file);

  if (def == NULL)
    {
      c2g_caffe_explain_text (name, error);
      c2g_name_prefix_error (name, error);
    }
  return def;
}

static C2gContentKind
guess_kind (GFile        *file,
            GCancellable *cancellable)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_file (file, cancellable, NULL);
  C2gContentKind kind;

  return source != NULL && c2g_content_kind_guess (source, &kind, NULL) ? kind : C2G_CONTENT_UNKNOWN;
}

/* Returns TRUE if the file may hold the blobs of a Caffe net: any of these kinds, beside the text
 * of the net. */
static gboolean
has_caffe_blobs (GFile        *file,
                 GCancellable *cancellable)
{
  const C2gContentKind kind = guess_kind (file, cancellable);

  return kind == C2G_CONTENT_CAFFEMODEL || kind == C2G_CONTENT_SAFETENSORS || kind == C2G_CONTENT_MINIDB;
}

/* Loads a model of Caffe: the blobs of the layers, and the text of the net. */
static C2gPredictor *
load_caffe (const C2gPredictorFiles  *files,
            GFile                    *weights,
            GFile                    *prototxt,
            GCancellable             *cancellable,
            GError                  **error)
{
  C2gPredictorSource source = {
    .workspace = files->workspace,
    .device = files->device,
    .flags = files->flags,
    .home = files->home,
  };
  const C2gCaffeFiles caffe_files = { prototxt, weights };
  g_autoptr (C2gNetDef) def = NULL;
  g_autofree const char **inputs = NULL;
  gsize n_inputs;

  def = c2g_caffe_net_load_files (&caffe_files, files->workspace, &n_inputs, cancellable, error);
  if (def == NULL)
    return NULL;
  inputs = g_memdup2 (c2g_net_def_get_external_inputs (def), (n_inputs + 1) * sizeof *inputs);
  inputs[n_inputs] = NULL;
  source.predict_net = def;
  source.inputs = inputs;
  return set_file (c2g_predictor_new_from (&source, cancellable, error), prototxt);
}

static gboolean
has_inputs (C2gNetDef *net)
{
  for (gsize i = 0; i < c2g_net_def_get_n_operators (net); i++)
    if (c2g_operator_def_get_inputs (c2g_net_def_get_operator (net, i))[0] != NULL)
      return TRUE;

  return FALSE;
}

/* Improves the error if the two nets were swapped: the net that fills blobs has no inputs, the
 * other one has. */
static void
explain_order (C2gNetDef  *init,
               C2gNetDef  *predict,
               GError    **error)
{
  if (error != NULL && *error != NULL && (*error)->domain == C2G_ERROR && has_inputs (init) && !has_inputs (predict))
    g_prefix_error (error, _("The nets are swapped, the one that fills blobs comes first: "));
}

static C2gPredictor *
load_nets (const C2gPredictorFiles  *files,
           GFile                    *init_net,
           GFile                    *predict_net,
           GCancellable             *cancellable,
           GError                  **error)
{
  C2gPredictorSource source = {
    .workspace = files->workspace,
    .device = files->device,
    .flags = files->flags,
    .home = files->home,
  };
  g_autoptr (C2gNetDef) init = NULL;
  g_autoptr (C2gNetDef) predict = NULL;
  g_autoptr (GFile) folder = NULL;
  C2gPredictor *self;

  if (has_caffe_blobs (init_net, cancellable) || has_caffe_blobs (predict_net, cancellable))
    return load_caffe (files, init_net, predict_net, cancellable, error);
  init = load_net (init_net, cancellable, error);
  predict = init != NULL ? load_net (predict_net, cancellable, error) : NULL;
  if (predict == NULL)
    return NULL;

  folder = g_file_get_parent (init_net);
  set_model_folder (files, folder);
  source.init_nets[0] = init;
  source.predict_net = predict;
  self = c2g_predictor_new_from (&source, cancellable, error);
  if (self == NULL)
    explain_order (init, predict, error);
  return set_file (self, predict_net);
}

static gboolean
is_lmdb (GFile *file)
{
  g_autoptr (GFile) data = g_file_get_child (file, "data.mdb");

  return g_file_query_exists (data, NULL);
}

/* Puts a reader of the database into the workspace; the net that loads the parameters reads from
 * that blob. */
static gboolean
put_reader (C2gWorkspace  *workspace,
            GFile         *file,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (C2gDbReader) reader = NULL;
  g_autoptr (C2gBlob) blob = NULL;

  reader = c2g_db_reader_open (is_lmdb (file) ? "lmdb" : "minidb", file, 1, 0, cancellable, error);
  if (reader == NULL)
    return FALSE;
  blob = c2g_workspace_create_local_blob (workspace, C2G_PREDICTOR_DB_READER_BLOB, error);
  if (blob == NULL)
    return FALSE;

  c2g_blob_set_object (blob, G_OBJECT (reader));
  return TRUE;
}

/* A database without a description of a model has only blobs. */
static void
explain_checkpoint (GFile   *file,
                    GError **error)
{
  g_autofree char *name = NULL;

  if (error == NULL || !g_error_matches (*error, C2G_ERROR, C2G_ERROR_NOT_FOUND))
    return;
  name = g_file_get_parse_name (file);
  g_clear_error (error);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND,
               _("%s has no blob “%s” with the nets of a model; a checkpoint of blobs is loaded "
                  "into a workspace, or by load_parameters() into a predictor that has the nets"),
               name,
               C2G_META_NET_DEF_BLOB);
}

static C2gPredictor *
load_database (const C2gPredictorFiles  *files,
               GCancellable             *cancellable,
               GError                  **error)
{
  g_autoptr (C2gMetaNetDef) meta = c2g_meta_net_def_load_file (files->file, cancellable, error);
  C2gPredictorSource source = {
    .workspace = files->workspace,
    .device = files->device,
    .flags = files->flags,
    .home = files->home,
  };
  g_autoptr (GFile) folder = NULL;
  C2gPredictor *self;

  if (meta == NULL)
    {
      explain_checkpoint (files->file, error);
      return NULL;
    }
  folder = is_lmdb (files->file) ? g_object_ref (files->file) : g_file_get_parent (files->file);
  set_model_folder (files, folder);
  source.init_nets[0] = c2g_meta_net_def_get_net (meta, C2G_GLOBAL_INIT_NET);
  source.init_nets[1] = c2g_meta_net_def_get_net (meta, C2G_PREDICT_INIT_NET);
  source.predict_net = c2g_meta_net_def_get_net (meta, C2G_PREDICT_NET);
  source.inputs = c2g_meta_net_def_get_blobs (meta, C2G_INPUT_BLOBS);
  source.outputs = c2g_meta_net_def_get_blobs (meta, C2G_OUTPUT_BLOBS);
  if (source.predict_net == NULL)
    return c2g_fail_null (error, C2G_ERROR_NOT_FOUND, _("The model has no net “%s”"),
                          C2G_PREDICT_NET);

  if (!put_reader (files->workspace, files->file, cancellable, error))
    return NULL;
  self = c2g_predictor_new_from (&source, cancellable, error);
  c2g_workspace_remove_blob (files->workspace, C2G_PREDICTOR_DB_READER_BLOB);
  return set_file (self, files->file);
}

static C2gPredictor *
load_folder (const C2gPredictorFiles  *files,
             GCancellable             *cancellable,
             GError                  **error)
{
  C2gPredictorFiles database = *files;
  g_autoptr (GFile) init = NULL;
  g_autoptr (GFile) predict = NULL;

  if (!c2g_predictor_find_files (files->file, &init, &predict, cancellable, error))
    return NULL;
  if (!g_file_equal (init, predict))
    return load_nets (files, init, predict, cancellable, error);
  database.file = init;
  return load_database (&database, cancellable, error);
}

/* Refuses a single file. A model needs two, and the error says which. The text of a Caffe net fails
 * to load as a net with its own message. */
static C2gPredictor *
refuse_half (GFile           *file,
             C2gContentKind   kind,
             GCancellable    *cancellable,
             GError         **error)
{
  g_autofree char *name = g_file_get_parse_name (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) other = NULL;
  g_autofree char *other_name = NULL;
  g_autoptr (C2gNetDef) net = NULL;
  gboolean is_init;

  if (kind == C2G_CONTENT_CAFFEMODEL)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("%s has the blobs of a net of Caffe; a model is that and its text, as in %s,%s"),
                          name, name, "deploy.prototxt");
  net = load_net (file, cancellable, error);
  if (net == NULL)
    return NULL;
  is_init = !has_inputs (net);
  other = g_file_get_child (folder, is_init ? "predict_net.pb" : "init_net.pb");
  other_name = g_file_get_parse_name (other);
  return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                        _("%s is one net; a model is two, one that fills blobs and one that runs: load the folder of "
                          "both, or both by load_nets(), or by c2g run as in %s,%s"),
                        name, is_init ? name : other_name, is_init ? other_name : name);
}

static C2gPredictor *
load_file (const C2gPredictorFiles  *files,
           GCancellable             *cancellable,
           GError                  **error)
{
  const C2gContentKind kind = guess_kind (files->file, cancellable);
  g_autofree char *name = g_file_get_parse_name (files->file);
  C2gPredictor *self;

  if (kind == C2G_CONTENT_CAFFEMODEL || kind == C2G_CONTENT_NET || kind == C2G_CONTENT_NET_TEXT)
    return refuse_half (files->file, kind, cancellable, error);
  self = load_database (files, cancellable, error);
  if (self == NULL)
    c2g_caffe_explain_text (name, error);
  return self;
}

C2gPredictor *
c2g_predictor_new_from_files (const C2gPredictorFiles  *files,
                              GCancellable             *cancellable,
                              GError                  **error)
{
  /* c2g_predictor_find_files() gives a database as both nets. */
  if (files->predict_net != NULL && !g_file_equal (files->file, files->predict_net))
    return load_nets (files, files->file, files->predict_net, cancellable, error);
  if (g_file_query_file_type (files->file, 0, cancellable) == G_FILE_TYPE_DIRECTORY && !is_lmdb (files->file))
    return load_folder (files, cancellable, error);
  return load_file (files, cancellable, error);
}

/**
 * c2g_predictor_load_nets: (constructor)
 * @init_net: a file with the net that fills blobs
 * @predict_net: a file with the net to run
 * @parent: (nullable): a workspace whose blobs the nets may read
 * @device: (nullable): the device on which all operators run; `NULL` keeps those in the definitions
 * @flags: the allowed optimizations: `C2G_OPTIMIZE_ALL` is best for most programs,
 *   `C2G_OPTIMIZE_NONE` keeps every intermediate blob of the net
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Makes a predictor from two files, in binary or as text.
 *
 * A model of Caffe is given as its `.caffemodel`, or a `.safetensors` or minidb file with those
 * blobs, and its `.prototxt`, in any order: see [func@caffe_net_load]. The same file twice, as
 * [func@Predictor.find_files] gives a database, is loaded as by [ctor@Predictor.load].
 *
 * The nets may read files below the folder of the first one, and no others, unless
 * [property@Workspace:file-access] of @parent is set. Relative paths begin in that folder, or in
 * the folder above.
 *
 * Errors: those of [ctor@NetDef.load_file] and [ctor@Predictor.create].
 *
 * Returns: (transfer full): a predictor
 */
C2gPredictor *
c2g_predictor_load_nets (GFile             *init_net,
                         GFile             *predict_net,
                         C2gWorkspace      *parent,
                         C2gDevice         *device,
                         C2gOptimizeFlags   flags,
                         GCancellable      *cancellable,
                         GError           **error)
{
  g_autoptr (C2gWorkspace) workspace = NULL;
  C2gPredictorFiles files = { init_net, predict_net, .device = device, .flags = flags };

  g_return_val_if_fail (G_IS_FILE (init_net), NULL);
  g_return_val_if_fail (G_IS_FILE (predict_net), NULL);
  g_return_val_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  workspace = c2g_predictor_new_workspace (parent);
  files.workspace = workspace;
  return c2g_predictor_new_from_files (&files, cancellable, error);
}

/**
 * c2g_predictor_load: (constructor)
 * @file: a folder with nets, or a database
 * @parent: (nullable): a workspace whose blobs the nets may read
 * @device: (nullable): the device on which all operators run; `NULL` keeps those in the definitions
 * @flags: the allowed optimizations: `C2G_OPTIMIZE_ALL` is best for most programs,
 *   `C2G_OPTIMIZE_NONE` keeps every intermediate blob of the net
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Makes a predictor from a model.
 *
 * A folder has two files or one minidb, see [func@Predictor.find_files]. A database (minidb or LMDB) has a
 * predictor exported by Caffe2: the description of the model and its parameters.
 *
 * The nets may read files below the folder, or below that of the database, and no others, unless
 * [property@Workspace:file-access] of @parent is set.
 *
 * Errors: those of [func@Predictor.find_files], [ctor@MetaNetDef.load_file],
 * [ctor@NetDef.load_file] and [ctor@Predictor.create].
 *
 * Returns: (transfer full): a predictor
 */
C2gPredictor *
c2g_predictor_load (GFile             *file,
                    C2gWorkspace      *parent,
                    C2gDevice         *device,
                    C2gOptimizeFlags   flags,
                    GCancellable      *cancellable,
                    GError           **error)
{
  g_autoptr (C2gWorkspace) workspace = NULL;
  C2gPredictorFiles files = { file, .device = device, .flags = flags };

  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (parent == NULL || C2G_IS_WORKSPACE (parent), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  workspace = c2g_predictor_new_workspace (parent);
  files.workspace = workspace;
  return c2g_predictor_new_from_files (&files, cancellable, error);
}
