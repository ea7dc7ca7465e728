/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-model.h"
#include "c2g-model-form-private.h"
#include "output/c2g-entries.h"

#include <glib/gi18n.h>

#include <string.h>

/* Finds the files of a model named on the command line, and loads it. */

#define LMDB_FILE_NAME "data.mdb"

/* Suffixes of files that can hold the blobs of a Caffe model's layers. A pair of files with one of
 * them is a model of Caffe. */
static const char *const caffe_endings[] = { ".caffemodel", ".safetensors", ".minidb", NULL };

static gboolean
is_caffe_name (const char *name)
{
  for (gsize i = 0; caffe_endings[i] != NULL; i++)
    if (g_str_has_suffix (name, caffe_endings[i]))
      return TRUE;

  return FALSE;
}

/* Returns the two names of a pair "A,B", or NULL for a single name. An existing file with a comma in
 * its name is not split into two. */
static char **
split_pair (const char *argument,
            GFile      *file)
{
  const char *comma = strchr (argument, ',');
  char **pair;

  if (comma == NULL || g_file_query_exists (file, NULL))
    return NULL;

  pair = g_strsplit (argument, ",", 2);
  /* The order of the two files of a Caffe model does not matter. */
  if (is_caffe_name (pair[1]) && !is_caffe_name (pair[0]))
    {
      char *weights = pair[1];

      pair[1] = pair[0];
      pair[0] = weights;
    }
  return pair;
}

gboolean
c2g_model_is_caffe_pair (const char *argument)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argument);
  g_auto (GStrv) pair = split_pair (argument, file);

  return pair != NULL && is_caffe_name (pair[0]);
}

static gboolean
set_pair (C2gModel   *self,
          const char *argument,
          GFile      *file)
{
  g_auto (GStrv) pair = split_pair (argument, file);

  if (pair == NULL)
    return FALSE;
  self->init_net = g_file_new_for_commandline_arg (pair[0]);
  self->predict_net = g_file_new_for_commandline_arg (pair[1]);
  return TRUE;
}

/* Returns TRUE for a folder that is not an LMDB database. */
static gboolean
is_other_folder (GFile        *file,
                 GCancellable *cancellable)
{
  g_autoptr (GFile) data = g_file_get_child (file, LMDB_FILE_NAME);

  return !g_file_query_exists (data, cancellable) &&
         g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) ==
           G_FILE_TYPE_DIRECTORY;
}

static gboolean
open_file (C2gModel      *self,
           GFile         *file,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (C2gModelFile) model_file = c2g_open (file, NULL, cancellable, error);
  g_autoptr (C2gFileEntry) entry = NULL;

  if (model_file == NULL)
    return FALSE;
  switch (c2g_model_file_get_kind (model_file))
    {
    case C2G_MODEL_FILE_KIND_NET:
    case C2G_MODEL_FILE_KIND_NET_TEXT:
      self->predict_net = g_object_ref (file);
      return TRUE;
    case C2G_MODEL_FILE_KIND_MINIDB:
    case C2G_MODEL_FILE_KIND_LMDB:
      entry = c2g_model_file_lookup_entry (model_file, C2G_META_NET_DEF_BLOB);
      if (entry != NULL)
        {
          self->database = g_object_ref (file);
          return TRUE;
        }
      break;
    case C2G_MODEL_FILE_KIND_CAFFEMODEL:
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                   _("%s has the blobs of a net of Caffe; a model is that and its text, as in %s,%s"), self->name,
                   self->name, "deploy.prototxt");
      return FALSE;
    default:
      break;
    }

  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("%s is no model: neither a net nor a database with nets"), self->name);
  return FALSE;
}

/* Finds the two nets of a folder, or its only database. */
static gboolean
open_folder (C2gModel      *self,
             GFile         *folder,
             GCancellable  *cancellable,
             GError       **error)
{
  if (!c2g_predictor_find_files (folder, &self->init_net, &self->predict_net, cancellable, error))
    return FALSE;
  if (!g_file_equal (self->init_net, self->predict_net))
    return TRUE;
  self->database = g_steal_pointer (&self->init_net);
  g_clear_object (&self->predict_net);
  return TRUE;
}

C2gModel *
c2g_model_new (const char    *argument,
               GCancellable  *cancellable,
               GError       **error)
{
  g_autoptr (C2gModel) self = g_new0 (C2gModel, 1);
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argument);

  self->name = g_filename_display_name (argument);
  if (set_pair (self, argument, file))
    return g_steal_pointer (&self);
  return (is_other_folder (file, cancellable) ? open_folder : open_file) (self, file, cancellable, error)
           ? g_steal_pointer (&self)
           : NULL;
}

void
c2g_model_free (C2gModel *self)
{
  g_free (self->name);
  g_clear_object (&self->init_net);
  g_clear_object (&self->predict_net);
  g_clear_object (&self->database);
  g_free (self);
}

static char *
dup_child_argument (const char *folder,
                    GFile      *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return g_build_filename (folder, name, NULL);
}

static gboolean
is_caffe (C2gModel *self)
{
  g_autofree char *weights = self->init_net != NULL ? g_file_get_basename (self->init_net) : NULL;

  return weights != NULL && is_caffe_name (weights);
}

/* Returns the file names of both nets of a model; for other arguments the argument. */
static char **
list_nets (const char  *argument,
           GError     **error)
{
  g_autoptr (C2gModel) self = g_new0 (C2gModel, 1);
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argument);
  g_autoptr (GError) local_error = NULL;
  char **pair = split_pair (argument, file);

  if (pair != NULL)
    return pair;
  self->name = g_filename_display_name (argument);
  if (is_other_folder (file, NULL) &&
      !open_folder (self, file, NULL, &local_error) &&
      !g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }

  pair = g_new0 (char *, 3);
  if (self->database != NULL)
    pair[0] = dup_child_argument (argument, self->database);
  else if (self->predict_net == NULL)
    pair[0] = g_strdup (argument);
  else
    {
      pair[0] = dup_child_argument (argument, self->init_net);
      pair[1] = dup_child_argument (argument, self->predict_net);
    }
  return pair;
}

static void
add_files (GPtrArray  *all,
           const char *argument)
{
  g_auto (GStrv) files = list_nets (argument, NULL);

  /* On failure, adds the argument itself: opening the folder will report the error. */
  if (files == NULL)
    {
      g_ptr_array_add (all, g_strdup (argument));
      return;
    }
  g_ptr_array_add (all, g_strdup (files[0]));
  if (files[1] != NULL)
    g_ptr_array_add (all, is_caffe_name (files[0]) ? g_strjoinv (",", files) : g_strdup (files[1]));
}

char **
c2g_model_expand_files (char **arguments)
{
  GPtrArray *all = g_ptr_array_new ();

  for (; *arguments != NULL; arguments++)
    add_files (all, *arguments);
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_free (all, FALSE);
}

C2gModelFile *
c2g_model_open_blobs (const char      *argument,
                      C2gLoadOptions  *options,
                      GCancellable    *cancellable,
                      GError         **error)
{
  g_auto (GStrv) files = list_nets (argument, error);
  g_autoptr (GFile) file = files != NULL ? g_file_new_for_commandline_arg (files[0]) : NULL;

  return file != NULL ? c2g_open (file, options, cancellable, error) : NULL;
}

C2gModelFile *
c2g_model_open_file (const char    *argument,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (C2gModel) self = g_new0 (C2gModel, 1);
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argument);
  g_autoptr (C2gNetDef) net = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (!set_pair (self, argument, file) || !is_caffe (self))
    return c2g_model_open_blobs (argument, NULL, cancellable, error);

  net = c2g_model_load_net (self, cancellable, error);
  bytes = net != NULL ? c2g_net_def_to_bytes (net, error) : NULL;
  return bytes != NULL ? c2g_model_file_new_from_bytes (bytes, argument, error) : NULL;
}

static C2gNetDef *
load_net_file (GFile         *file,
               GCancellable  *cancellable,
               GError       **error)
{
  C2gNetDef *def = c2g_net_def_load_file (file, cancellable, error);
  g_autofree char *name = g_file_get_parse_name (file);

  if (def == NULL && strstr ((*error)->message, name) == NULL)
    g_prefix_error (error, "%s: ", name);
  return def;
}

C2gFileAccess
c2g_allow_get_file_access (const C2gAllowArguments *arguments)
{
  if (arguments->all)
    return C2G_FILE_ACCESS_ALL;
  return arguments->root_folder ? C2G_FILE_ACCESS_ROOT_FOLDER : C2G_FILE_ACCESS_MODEL;
}

void
c2g_allow_explain (const C2gAllowArguments  *arguments,
                   GError                  **error)
{
  g_autofree char *denied = NULL;

  if (!g_error_matches (*error, C2G_ERROR, C2G_ERROR_DENIED))
    return;
  denied = g_steal_pointer (&(*error)->message);
  (*error)->message = g_strdup_printf (
    arguments->root_folder ? _("%s; --allow-all-files lets the model use every file")
                           : _("%s; --allow-files lets the model use files below this folder, "
                               "--allow-all-files every file"),
    denied);
}

static C2gPredictor *
load (C2gModel          *self,
      C2gDevice         *device,
      C2gOptimizeFlags   flags,
      C2gFileAccess      file_access,
      GCancellable      *cancellable,
      GError           **error)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gNetDef) def = NULL;
  g_autoptr (GFile) folder = NULL;

  c2g_workspace_set_file_access (parent, file_access);
  if (self->database != NULL)
    return c2g_predictor_load (self->database, parent, device, flags, cancellable, error);
  if (self->init_net != NULL)
    return c2g_predictor_load_nets (self->init_net, self->predict_net, parent, device, flags,
                                    cancellable, error);

  def = load_net_file (self->predict_net, cancellable, error);
  if (def == NULL)
    return NULL;
  folder = g_file_get_parent (self->predict_net);
  if (folder != NULL)
    c2g_workspace_set_model_folder (parent, g_file_peek_path (folder));
  return c2g_predictor_create (NULL, def, parent, device, flags, error);
}

/* Returns TRUE if the message says already which file is meant. */
static gboolean
names_file (const GError   *error,
            const C2gModel *self)
{
  GFile *const files[] = { self->init_net, self->predict_net };

  if (strstr (error->message, self->name) != NULL)
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = files[i] != NULL ? g_file_get_parse_name (files[i]) : NULL;

      if (name != NULL && g_str_has_prefix (error->message, name))
        return TRUE;
    }
  return FALSE;
}

C2gPredictor *
c2g_model_load (C2gModel          *self,
                C2gDevice         *device,
                C2gOptimizeFlags   flags,
                C2gFileAccess      file_access,
                GCancellable      *cancellable,
                GError           **error)
{
  g_autoptr (GError) local_error = NULL;
  C2gPredictor *predictor = load (self, device, flags, file_access, cancellable, &local_error);

  if (predictor != NULL)
    return predictor;
  if (!g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
      !names_file (local_error, self))
    g_prefix_error (&local_error, "%s: ", self->name);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

C2gNetDef *
c2g_model_load_caffe (C2gModel      *self,
                      C2gWorkspace  *workspace,
                      GCancellable  *cancellable,
                      GError       **error)
{
  if (is_caffe (self))
    return c2g_caffe_net_load (self->predict_net, self->init_net, workspace, NULL, 0, cancellable, error);

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("%s is no model of Caffe, which is a .caffemodel and a .prototxt"), self->name);
  return NULL;
}

C2gNetDef *
c2g_model_load_net (C2gModel      *self,
                    GCancellable  *cancellable,
                    GError       **error)
{
  g_autoptr (C2gMetaNetDef) meta = NULL;
  C2gNetDef *def;

  if (is_caffe (self))
    return c2g_model_load_caffe (self, NULL, cancellable, error);
  if (self->database == NULL)
    return load_net_file (self->predict_net, cancellable, error);

  meta = c2g_meta_net_def_load_file (self->database, cancellable, error);
  if (meta == NULL)
    return NULL;
  def = c2g_meta_net_def_get_net (meta, C2G_PREDICT_NET);
  if (def != NULL)
    return g_object_ref (def);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("%s: The model has no net “%s”"),
               self->name, C2G_PREDICT_NET);
  return NULL;
}

C2gModelFile *
c2g_model_open_weights (C2gModel      *self,
                        GCancellable  *cancellable,
                        GError       **error)
{
  GFile *file = self->database != NULL ? self->database : self->init_net;

  return file != NULL ? c2g_open (file, NULL, cancellable, error) : NULL;
}

GFile *
c2g_model_get_net_file (C2gModel *self)
{
  return self->database != NULL ? self->database : self->predict_net;
}

gboolean
c2g_model_load_labels (C2gModel        *self,
                       const char      *file_name,
                       char          ***labels,
                       GCancellable    *cancellable,
                       GError         **error)
{
  g_autoptr (GFile) file = NULL;
  char *text;

  *labels = NULL;
  if (file_name != NULL)
    file = g_file_new_for_commandline_arg (file_name);
  else
    file = c2g_model_text_find (c2g_model_get_net_file (self), C2G_LABELS_NAME);
  if (file == NULL)
    return TRUE;
  text = c2g_model_text_load (file, cancellable, error);
  if (text != NULL)
    *labels = c2g_model_text_split_labels (text);
  return text != NULL;
}
