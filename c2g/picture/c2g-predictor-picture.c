/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/picture/c2g-predictor-picture.h>

#include <c2g/net/predictor/c2g-predictor-private.h>
#include <c2g/picture/c2g-picture-options-private.h>
#include <c2g/picture/c2g-tensor-picture.h>

/* Pictures for models that say how they want them. */

/**
 * c2g_predictor_dup_picture_options:
 * @self: a predictor
 * @error: return location for an error
 *
 * Gets how the model wants pictures, from the file `model.ini` in its folder.
 *
 * `c2g run --save-form` writes the file, and `c2g run` and `c2ginference` read it. Its keys are the
 * properties of [class@PictureOptions]:
 *
 * ```ini
 * [picture]
 * preset=imagenet
 * size=299x299
 * ```
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if there is no such file, or only a link;
 * `C2G_ERROR_INVALID_ARGUMENT` for a key or a value that no picture has; those of
 * [method@GLib.KeyFile.load_from_data] and [method@GLib.KeyFile.get_boolean]; `C2G_ERROR_RANGE` for
 * more than 16 MiB, and those of [func@GLib.file_get_contents].
 *
 * Returns: (transfer full): new options
 */
C2gPictureOptions *
c2g_predictor_dup_picture_options (C2gPredictor  *self,
                                   GError       **error)
{
  g_autoptr (C2gPictureOptions) options = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  text = c2g_predictor_load_text (self, C2G_PICTURE_FORM_NAME, error);
  if (text == NULL)
    return NULL;
  options = c2g_picture_options_new (NULL);
  if (c2g_picture_arguments_parse (&options->arguments, text, error))
    return g_steal_pointer (&options);
  g_prefix_error (error, "%s: ", C2G_PICTURE_FORM_NAME);
  return NULL;
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
  g_autoptr (C2gPictureOptions) options = NULL;
  g_autoptr (C2gTensor) picture = NULL;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  options = c2g_predictor_dup_picture_options (self, error);
  if (options != NULL)
    picture = c2g_tensor_new_from_picture (file, options, cancellable, error);
  return picture != NULL ? c2g_predictor_classify (self, picture, cancellable, error) : NULL;
}
