/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-inputs.h"
#include "output/c2g-entries.h"
#include "output/c2g-output.h"

#include <glib/gi18n.h>

#include <string.h>

/* Reads the inputs of a model from pictures and tensor files, for run and graph. */

/* Endings of tensor files; all other files are read as pictures. */
static const char *const tensor_endings[] = { ".npy",         ".npz",    ".pb",
                                              ".safetensors", ".minidb", ".lmdb" };

static gboolean
is_tensor_file (const char *file)
{
  for (gsize i = 0; i < G_N_ELEMENTS (tensor_endings); i++)
    if (g_str_has_suffix (file, tensor_endings[i]))
      return TRUE;
  return FALSE;
}

/* Reads the only tensor of the file, or the one with the input's name. */
static C2gTensor *
read_tensor (const char    *argument,
             const char    *input,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argument);
  g_autoptr (C2gModelFile) model_file = c2g_open (file, NULL, cancellable, error);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  C2gTensor *tensor;

  if (model_file == NULL)
    return NULL;
  entries = c2g_entries_new (model_file);
  if (entries->len == 1)
    input = c2g_file_entry_get_name (entries->pdata[0]);
  blob = c2g_model_file_load_blob (model_file, input, cancellable, error);
  if (blob == NULL)
    return NULL;
  tensor = c2g_blob_get_tensor (blob, error);
  if (tensor != NULL)
    return g_object_ref (tensor);

  g_prefix_error (error, _("Blob “%s”: "), input);
  g_prefix_error (error, "%s: ", c2g_model_file_get_file_name (model_file));
  return NULL;
}

static C2gTensor *
read_file (C2gInputs             *self,
           const C2gPictureForm  *form,
           const char            *file,
           const char            *input,
           GCancellable          *cancellable,
           GError               **error)
{
  g_autoptr (GFile) picture = NULL;

  if (is_tensor_file (file))
    return read_tensor (file, input, cancellable, error);
  self->has_pictures = TRUE;
  picture = g_file_new_for_commandline_arg (file);
  return c2g_picture_read (form, picture, cancellable, error);
}

/* Formats a list of names, such as "“data”, “scale”". */
static char *
list_names (const char *const *names)
{
  g_autofree char *list = g_strjoinv ("”, “", (char **) names);

  return g_strdup_printf ("“%s”", list);
}

/* Sets *name to the NAME of "NAME=FILE", and to NULL for "FILE". Fails if the model has no such
 * input. */
static gboolean
split_argument (const char         *argument,
                const char *const  *inputs,
                char              **name,
                GError            **error)
{
  const char *equals = strchr (argument, '=');
  g_autofree char *first = equals != NULL ? g_strndup (argument, equals - argument) : NULL;
  g_autofree char *list = NULL;

  *name = NULL;
  if (first == NULL)
    return TRUE;
  if (g_strv_contains (inputs, first))
    {
      *name = g_steal_pointer (&first);
      return TRUE;
    }
  /* The whole argument may be the name of a file that contains “=”. */
  if (g_file_test (argument, G_FILE_TEST_EXISTS))
    return TRUE;

  list = list_names (inputs);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND, _("The model has no input “%s”, but %s"),
               first, list);
  return FALSE;
}

/* Finds the form of pictures for an input. Called before inputs are filled, because their shapes are
 * used. */
static gboolean
find_form (C2gInputs       *self,
           const char      *input,
           C2gPictureForm  *form,
           GError         **error)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (c2g_predictor_get_workspace (self->predictor), input, NULL);
  C2gTensor *tensor = blob != NULL && c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;

  return c2g_model_form_find (self->model_form, input, tensor, form, error);
}

static gboolean
add_arguments (C2gInputs          *self,
               const char *const  *inputs,
               char              **arguments,
               GCancellable       *cancellable,
               GError            **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();

  for (char **argument = arguments; argument != NULL && *argument != NULL; argument++)
    {
      g_autofree char *name = NULL;
      C2gPictureForm form;
      C2gTensor *tensor = NULL;

      if (!split_argument (*argument, inputs, &name, error))
        return FALSE;
      if (name == NULL)
        {
          g_ptr_array_add (files, *argument);
          continue;
        }
      if (find_form (self, name, &form, error))
        tensor = read_file (self, &form, *argument + strlen (name) + 1, name, cancellable, error);
      if (tensor == NULL)
        return FALSE;
      g_hash_table_replace (self->named, g_steal_pointer (&name), tensor);
    }

  g_ptr_array_add (files, NULL);
  self->files = g_strdupv ((char **) files->pdata);
  return TRUE;
}

/* Returns TRUE if the input has no content yet: its blob is empty, or has a single zero. Init
 * nets of exported models fill inputs with it, to make the blobs. */
static gboolean
is_missing (C2gBlob *blob)
{
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor;

  if (c2g_blob_is_empty (blob) || !c2g_blob_is_tensor (blob, NULL))
    return c2g_blob_is_empty (blob);
  tensor = c2g_blob_get_tensor (blob, NULL);
  if (c2g_tensor_get_n_elements (tensor) != 1)
    return FALSE;
  near = c2g_tensor_to_device (tensor, c2g_device_cpu (), NULL);
  return near != NULL && c2g_tensor_get_value (near, 0, &error) == 0 && error == NULL;
}

static gboolean
fail_missing (const char  *input,
              GError     **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("There is nothing for the input “%s”; give it as %s=FILE"), input, input);
  return FALSE;
}

/* Chooses the input for files without a name, the first that has no tensor, and checks that all
 * others have one. */
static gboolean
match (C2gInputs          *self,
       C2gWorkspace       *workspace,
       const char *const  *inputs,
       GError            **error)
{
  for (gsize i = 0; inputs[i] != NULL; i++)
    {
      g_autoptr (C2gBlob) blob = NULL;

      if (g_hash_table_contains (self->named, inputs[i]))
        continue;
      if (self->files[0] != NULL && self->name == NULL)
        {
          self->name = g_strdup (inputs[i]);
          continue;
        }
      blob = c2g_workspace_get_blob (workspace, inputs[i], error);
      if (blob == NULL)
        return FALSE;
      if (is_missing (blob))
        return fail_missing (inputs[i], error);
    }

  if (self->files[0] == NULL || self->name != NULL)
    return TRUE;
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("There is no input left for %s"), self->files[0]);
  return FALSE;
}

C2gInputs *
c2g_inputs_new (C2gPredictor               *predictor,
                C2gModel                   *model,
                char                      **arguments,
                const C2gPictureArguments  *options,
                GCancellable               *cancellable,
                GError                    **error)
{
  g_autoptr (C2gInputs) self = g_new0 (C2gInputs, 1);
  const char *const *inputs = c2g_predictor_get_inputs (predictor);

  self->predictor = g_object_ref (predictor);
  self->model_form = c2g_model_form_new (c2g_model_get_net_file (model), options, cancellable, error);
  if (self->model_form == NULL)
    return NULL;
  self->named = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  if (add_arguments (self, inputs, arguments, cancellable, error) &&
      match (self, c2g_predictor_get_workspace (predictor), inputs, error) &&
      find_form (self, self->name != NULL ? self->name : inputs[0] != NULL ? inputs[0]
                                                                           : "",
                 &self->form, error))
    return g_steal_pointer (&self);
  return NULL;
}

gboolean
c2g_inputs_check_data (C2gInputs  *self,
                       GError    **error)
{
  const char *const *inputs = c2g_predictor_get_inputs (self->predictor);

  for (; *inputs != NULL; inputs++)
    {
      g_autoptr (C2gBlob) blob = NULL;
      C2gTensor *tensor;

      if (g_hash_table_contains (self->named, *inputs) || g_strcmp0 (self->name, *inputs) == 0)
        continue;
      blob = c2g_workspace_get_blob (c2g_predictor_get_workspace (self->predictor), *inputs, error);
      tensor = blob != NULL && c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;
      if (tensor != NULL && c2g_tensor_get_n_elements (tensor) > 0 && !c2g_tensor_is_allocated (tensor))
        return fail_missing (*inputs, error);
    }
  return TRUE;
}

void
c2g_inputs_free (C2gInputs *self)
{
  g_object_unref (self->predictor);
  g_clear_pointer (&self->named, g_hash_table_unref);
  g_strfreev (self->files);
  g_clear_pointer (&self->model_form, c2g_model_form_free);
  g_free (self->name);
  g_clear_object (&self->tensor);
  g_free (self);
}

void
c2g_inputs_explain (C2gInputs  *self,
                    GError    **error)
{
  const char *conflict = self->has_pictures ? c2g_model_form_get_conflict (self->model_form) : NULL;
  g_autofree char *message = NULL;

  if (!self->has_pictures || !g_error_matches (*error, C2G_ERROR, C2G_ERROR_SHAPE))
    return;
  message = g_steal_pointer (&(*error)->message);
  if (conflict != NULL)
    (*error)->message =
      g_strdup_printf (_("%s. --size, --channels and --order set the shape of pictures. %s"), message, conflict);
  else
    (*error)->message = g_strdup_printf (_("%s. --size, --channels and --order set the shape of pictures"), message);
}

void
c2g_inputs_warn (C2gInputs *self)
{
  g_autofree char *message =
    self->has_pictures ? c2g_model_form_describe_guess (self->model_form, TRUE) : NULL;
  const char *conflict = self->has_pictures ? c2g_model_form_get_conflict (self->model_form) : NULL;

  if (message != NULL)
    c2g_output_error (message);
  if (conflict != NULL)
    c2g_output_error (conflict);
}

gsize
c2g_inputs_get_n_runs (C2gInputs *self)
{
  return MAX (g_strv_length (self->files), 1);
}

static gboolean
set_input (C2gInputs   *self,
           const char  *name,
           C2gTensor   *tensor,
           GError     **error)
{
  C2gWorkspace *workspace = c2g_predictor_get_workspace (self->predictor);
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, name, error);
  C2gDevice *device =
    c2g_net_get_input_device (c2g_predictor_get_net (self->predictor), name);
  C2gTensor *own = NULL;

  if (blob != NULL)
    own = c2g_blob_ensure_tensor (blob, device != NULL ? device : c2g_device_cpu (), error);
  return own != NULL && c2g_tensor_copy_from (own, tensor, NULL, error);
}

gboolean
c2g_inputs_read (C2gInputs     *self,
                 gsize          run,
                 GCancellable  *cancellable,
                 GError       **error)
{
  if (self->name == NULL)
    return TRUE;

  g_clear_object (&self->tensor);
  self->tensor = read_file (self, &self->form, self->files[run], self->name, cancellable, error);
  return self->tensor != NULL;
}

gboolean
c2g_inputs_apply (C2gInputs  *self,
                  GError    **error)
{
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  g_hash_table_iter_init (&iter, self->named);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (!set_input (self, name, value, error))
      return FALSE;
  return self->name == NULL || set_input (self, self->name, self->tensor, error);
}
