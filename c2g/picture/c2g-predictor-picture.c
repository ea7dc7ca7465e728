/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/picture/c2g-predictor-picture.h>

#include <c2g/core/types/c2g-task-private.h>
#include <c2g/net/predictor/c2g-predictor-private.h>
#include <c2g/picture/c2g-model-form-private.h>
#include <c2g/picture/c2g-picture-options-private.h>
#include <c2g/picture/c2g-tensor-picture.h>

/* Finds out how a predictor wants pictures (size, mean, order of channels), from the files beside its
 * model and the shape of its input, and classifies picture files. */

/* Asks the files beside the model, and the tensor that the init net made for the input. */
static C2gModelForm *
find_form (C2gPredictor  *self,
           const char    *input,
           GCancellable  *cancellable,
           GError       **error)
{
  const C2gPictureArguments none = { NULL };
  g_autoptr (GFile) net = c2g_predictor_dup_net_file (self);
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/");
  g_autoptr (C2gModelForm) form = NULL;
  C2gPictureForm parsed;
  gsize i = 0;

  if (!c2g_predictor_check_model (self, error))
    return NULL;
  form = c2g_model_form_new (net != NULL ? net : nowhere, &none, cancellable, error);
  if (form == NULL)
    return NULL;
  while (input != NULL && self->inputs[i] != NULL && !g_str_equal (self->inputs[i], input))
    i++;
  if (self->inputs[i] == NULL)
    return c2g_fail_null (error, C2G_ERROR_NOT_FOUND, _("The model has no input “%s”"), input != NULL ? input : "");
  return c2g_model_form_find (form, self->inputs[i], self->patterns[i], &parsed, error) ? g_steal_pointer (&form) : NULL;
}

static C2gPictureOptions *
new_options (C2gModelForm *form)
{
  C2gPictureOptions *options = c2g_picture_options_new (NULL);

  c2g_picture_arguments_add (&options->arguments, c2g_model_form_get_arguments (form));
  return options;
}

/* Fails if nothing says how the model wants pictures: numbers that are guessed give nonsense. */
static C2gPictureOptions *
dup_said_options (C2gPredictor  *self,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_autoptr (C2gModelForm) form = find_form (self, NULL, cancellable, error);
  g_auto (GStrv) guesses = NULL;
  g_autofree char *names = NULL;

  if (form == NULL)
    return NULL;
  if (c2g_model_form_is_said (form))
    return new_options (form);
  guesses = c2g_model_form_dup_guesses (form);
  names = g_strjoinv (_(", "), guesses);
  return c2g_fail_null (error, C2G_ERROR_NOT_FOUND,
                        _("The model does not say how it wants pictures: nothing tells %s. Make the tensor by "
                          "PictureOptions with these, or with a preset, and classify that; or write the file %s, "
                          "as c2g run --save-form does"),
                        names, C2G_PICTURE_FORM_NAME);
}

/**
 * c2g_predictor_dup_picture_options:
 * @self: a predictor
 * @error: return location for an error
 *
 * Gets how the model wants pictures for its first input, as files beside it say.
 *
 * The first source is `model.ini`, which `c2g run --save-form` writes. Its keys are the properties of
 * [class@PictureOptions]:
 *
 * ```ini
 * [picture]
 * preset=imagenet
 * size=299x299
 * ```
 *
 * Without a preset there, the next ones are a `.modelinfo` of GStreamer and Caffe2's `value_info.json`,
 * and then the shape that the init net gives to the input; see [Running a model](command.html#running-a-model).
 * [method@Predictor.guess_picture_options] also fills in what none of them tells.
 *
 * A `model.ini` with a preset, size, mean, scale, channels or bytes is taken as complete: what the others do not tell
 * either has the default of [class@PictureOptions]. The other keys alone tell nothing. A file without the group
 * `[picture]` is an error, because its name may be wrong.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no `model.ini`, only a link, or one that tells nothing, and the others do not
 * tell everything; `C2G_ERROR_INVALID_ARGUMENT` for a key or a value that no picture has;
 * `C2G_ERROR_NOT_SUPPORTED` for another version of a `.modelinfo`; those of
 * [method@GLib.KeyFile.load_from_data] and [method@GLib.KeyFile.get_boolean]; `C2G_ERROR_RANGE` for
 * more than 16 MiB, and those of reading a file.
 *
 * Returns: (transfer full): new options
 */
C2gPictureOptions *
c2g_predictor_dup_picture_options (C2gPredictor  *self,
                                   GError       **error)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return dup_said_options (self, NULL, error);
}

/**
 * c2g_predictor_guess_picture_options:
 * @self: a predictor
 * @input: (nullable): the name of an input; `NULL` for the first one
 * @guessed: (out) (optional) (transfer full) (array zero-terminated=1): the names of the properties
 *   that nothing tells, such as `mean`
 * @error: return location for an error
 *
 * Gets how the model wants pictures, and guesses what nothing tells, as `c2g run` does.
 *
 * The sources are those of [method@Predictor.dup_picture_options]. With a wrong guess the model
 * answers nonsense, so look at @guessed: properties that are named there have a guess or their
 * default, and should be set.
 *
 * ```python
 * options, guessed = predictor.guess_picture_options()
 * if 'mean' in guessed:
 *     options.mean = '104,117,123'
 * ```
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no such input, and the others of
 * [method@Predictor.dup_picture_options].
 *
 * Returns: (transfer full): new options
 */
C2gPictureOptions *
c2g_predictor_guess_picture_options (C2gPredictor   *self,
                                     const char     *input,
                                     char         ***guessed,
                                     GError        **error)
{
  g_autoptr (C2gModelForm) form = NULL;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  form = find_form (self, input, NULL, error);
  if (guessed != NULL)
    *guessed = form != NULL ? c2g_model_form_dup_guesses (form) : NULL;
  return form != NULL ? new_options (form) : NULL;
}

static C2gTensor *
read_picture (C2gPredictor  *self,
              GFile         *file,
              GCancellable  *cancellable,
              GError       **error)
{
  g_autoptr (C2gPictureOptions) options = dup_said_options (self, cancellable, error);

  return options != NULL ? c2g_tensor_new_from_picture (file, options, cancellable, error) : NULL;
}

/**
 * c2g_predictor_classify_file:
 * @self: a predictor
 * @file: a picture in a format that GdkPixbuf reads, such as PNG or JPEG
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Reads a picture as the model wants it, and finds its best class.
 *
 * This is [method@Predictor.dup_picture_options], [ctor@Tensor.new_from_picture] and
 * [method@Predictor.classify] in one, with their errors.
 *
 * ```python
 * best = predictor.classify_file('cat.jpg')
 * print(best.label, best.score)
 * ```
 *
 * Returns: (transfer full): the class with the highest score
 */
C2gClassScore *
c2g_predictor_classify_file (C2gPredictor  *self,
                             GFile         *file,
                             GCancellable  *cancellable,
                             GError       **error)
{
  g_autoptr (C2gTensor) picture = NULL;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  picture = read_picture (self, file, cancellable, error);
  return picture != NULL ? c2g_predictor_classify (self, picture, cancellable, error) : NULL;
}

typedef struct
{
  C2gPredictor *predictor;
  GFile        *file;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *self = data;

  g_object_unref (self->predictor);
  g_object_unref (self->file);
  g_free (self);
}

static gpointer
read_in_thread (gpointer       data,
                GCancellable  *cancellable,
                GError       **error)
{
  Reading *self = data;

  return read_picture (self->predictor, self->file, cancellable, error);
}

static void
ran_cb (GObject      *source,
        GAsyncResult *result,
        gpointer      data)
{
  C2gPredictor *self = C2G_PREDICTOR (source);
  g_autoptr (GTask) task = data;
  g_autofree C2gTensor **outputs = NULL;
  C2gClassScore *best = NULL;
  GError *error = NULL;
  guint n;

  outputs = c2g_predictor_run_finish (self, result, &n, &error);
  if (outputs != NULL)
    best = c2g_predictor_find_best (self, outputs, n, &error);
  if (best != NULL)
    g_task_return_pointer (task, best, g_object_unref);
  else
    g_task_return_error (task, error);
}

/* The run waits for its turn. */
static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (C2gTensor) picture = c2g_task_finish (read_in_thread, result, &error);

  if (picture == NULL)
    g_task_return_error (task, error);
  else
    {
      C2gPredictor *self = g_task_get_source_object (task);
      GCancellable *cancellable = g_task_get_cancellable (task);

      c2g_predictor_run_async (self, &picture, 1, cancellable, ran_cb, g_steal_pointer (&task));
    }
}

/**
 * c2g_predictor_classify_file_async:
 * @self: a predictor
 * @file: a picture in a format that GdkPixbuf reads, such as PNG or JPEG
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when the class is found
 * @user_data: data for @callback
 *
 * Reads a picture and finds its best class in other threads, see [method@Predictor.classify_file].
 *
 * Runs of one predictor wait for each other, as with [method@Predictor.run_async].
 *
 * ```python
 * best = await predictor.classify_file_async('cat.jpg')
 * ```
 */
void
c2g_predictor_classify_file_async (C2gPredictor        *self,
                                   GFile               *file,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  GTask *task;
  Reading *reading;

  g_return_if_fail (C2G_IS_PREDICTOR (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, c2g_predictor_classify_file_async);
  reading = g_new (Reading, 1);
  reading->predictor = g_object_ref (self);
  reading->file = g_object_ref (file);
  c2g_task_start (read_in_thread, reading, reading_free, cancellable, read_cb, task);
}

/**
 * c2g_predictor_classify_file_finish:
 * @self: a predictor
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Takes the result of [method@Predictor.classify_file_async].
 *
 * Errors: those of [method@Predictor.classify_file].
 *
 * Returns: (transfer full): the class with the highest score
 */
C2gClassScore *
c2g_predictor_classify_file_finish (C2gPredictor  *self,
                                    GAsyncResult  *result,
                                    GError       **error)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, c2g_predictor_classify_file_async), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
