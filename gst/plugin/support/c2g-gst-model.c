/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-model.h"

#include "c2g-gst-labels.h"

#include <glib/gi18n-lib.h>

/* Loads the model of c2ginference, and finds out which pictures it wants. */

/* The first input is the one for frames. */
static gboolean
find_form (C2gGstModel               *self,
           C2gModel                  *model,
           const C2gGstModelOptions  *options,
           GCancellable              *cancellable,
           GError                   **error)
{
  const char *input = c2g_predictor_get_inputs (self->predictor)[0];
  g_auto (C2gPictureArguments) arguments = { NULL };
  g_autoptr (C2gModelForm) form = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  C2gTensor *tensor;

  if (input == NULL)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED, _("The model has no input"));
      return FALSE;
    }
  c2g_picture_arguments_add (&arguments, &options->picture);
  if (!c2g_picture_arguments_read_mean (&arguments, error))
    return FALSE;
  blob = c2g_workspace_get_blob (c2g_predictor_get_workspace (self->predictor), input, NULL);
  tensor = blob != NULL && c2g_blob_is_tensor (blob, NULL) ? c2g_blob_get_tensor (blob, NULL) : NULL;
  form = c2g_model_form_new (c2g_model_get_net_file (model), &arguments, cancellable, error);
  if (form == NULL || !c2g_model_form_find (form, input, tensor, &self->form, error))
    return FALSE;
  self->guess = c2g_model_form_describe_guess (form, FALSE);
  self->conflict = g_strdup (c2g_model_form_get_conflict (form));
  if (!c2g_model_form_is_guessed (form, "channels"))
    self->known |= C2G_GST_SHAPE_CHANNELS;
  /* Bytes stay as they are. */
  if (!c2g_model_form_is_guessed (form, "mean") && self->form.data_type != C2G_DATA_TYPE_UINT8)
    self->known |= C2G_GST_SHAPE_RANGE;

  return TRUE;
}

gboolean
c2g_gst_model_load_labels (C2gModel       *model,
                           const char     *file_name,
                           char         ***labels,
                           GCancellable   *cancellable,
                           GError        **error)
{
  if (c2g_model_load_labels (model, file_name, labels, cancellable, error))
    return TRUE;
  if (file_name != NULL)
    g_prefix_error (error, _("The property “%s”: "), "labels");
  return FALSE;
}

C2gGstModel *
c2g_gst_model_new (const C2gGstModelOptions  *options,
                   GCancellable              *cancellable,
                   GError                   **error)
{
  g_autoptr (C2gGstModel) self = g_new0 (C2gGstModel, 1);
  g_autoptr (C2gModel) model = NULL;
  C2gDevice *device = NULL;

  if (options->model == NULL)
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                           _("There is no model; the property “model” names its folder or file"));
      return NULL;
    }
  if (options->device != NULL)
    {
      device = c2g_device_parse (options->device, error);
      if (device == NULL)
        {
          g_prefix_error (error, _("The property “%s”: "), "device");
          return NULL;
        }
    }

  model = c2g_model_new (options->model, cancellable, error);
  if (model == NULL)
    g_prefix_error (error, _("The property “%s”: "), "model");
  if (model == NULL || !c2g_gst_model_load_labels (model, options->labels, &self->labels, cancellable, error))
    return NULL;
  self->predictor = c2g_model_load (model, device, options->optimize, options->file_access,
                                    cancellable, error);
  if (self->predictor == NULL || !find_form (self, model, options, cancellable, error))
    return NULL;
  self->names = c2g_gst_labels_add_prefix (c2g_predictor_get_outputs (self->predictor), options->prefix);

  return g_steal_pointer (&self);
}

void
c2g_gst_model_free (C2gGstModel *self)
{
  g_clear_object (&self->predictor);
  g_strfreev (self->labels);
  g_strfreev (self->names);
  g_free (self->guess);
  g_free (self->conflict);
  g_free (self);
}

gboolean
c2g_gst_model_takes_picture (const C2gGstModel *self)
{
  return (self->form.width > 0 || (self->known & C2G_GST_SHAPE_CHANNELS) != 0) &&
         c2g_predictor_get_inputs (self->predictor)[1] == NULL;
}

gboolean
c2g_gst_model_try (C2gGstModel   *self,
                   gint64        *duration,
                   GCancellable  *cancellable,
                   GError       **error)
{
  g_autoptr (C2gTensor) input = NULL;
  gint64 dims[C2G_PICTURE_N_DIMS];

  *duration = 0;
  if (!c2g_gst_model_takes_picture (self) || self->form.width == 0)
    return TRUE;

  c2g_picture_form_get_dims (&self->form, dims);
  input = c2g_tensor_new_sized (dims, G_N_ELEMENTS (dims), NULL, error);
  if (input == NULL || !c2g_tensor_allocate (input, self->form.data_type, error) || !c2g_tensor_fill (input, 0, error))
    return FALSE;

  /* Runs twice and measures the second run, because the first one also allocates memory. */
  for (int i = 0; i < 2; i++)
    {
      const gint64 begin = g_get_monotonic_time ();
      guint n_outputs;
      g_autofree C2gTensor **outputs =
        c2g_predictor_run (self->predictor, &input, 1, &n_outputs, cancellable, error);

      if (outputs == NULL)
        return FALSE;
      *duration = g_get_monotonic_time () - begin;
    }

  return TRUE;
}

/* Returns the properties that say something of the shape of pictures; NULL if none is set. */
static char *
describe_options (const C2gPictureArguments *options)
{
  const struct
  {
    const char *name;
    const char *value;
  } properties[] = {
    { "preset", options->preset },
    { "size", options->size },
    { "channels", options->channels },
    { "order", options->order },
  };
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    if (properties[i].value != NULL)
      g_string_append_printf (text, "%s%s=%s", text->len > 0 ? " " : "", properties[i].name, properties[i].value);

  return text->len > 0 ? g_strdup (text->str) : NULL;
}

void
c2g_gst_model_explain (const C2gGstModel         *self,
                       const C2gGstModelOptions  *options,
                       GError                   **error)
{
  g_autofree char *made_by = describe_options (&options->picture);
  const C2gDataType types[] = { self->form.data_type, C2G_DATA_TYPE_UNDEFINED };
  g_autoptr (GstCaps) caps = c2g_gst_shape_new (&self->form, types, NULL, 0);
  g_autofree char *shape = c2g_gst_caps_describe (caps, NULL);

  if (!g_error_matches (*error, C2G_ERROR, C2G_ERROR_SHAPE) && !g_error_matches (*error, C2G_ERROR, C2G_ERROR_TYPE))
    return;
  if (g_error_matches (*error, C2G_ERROR, C2G_ERROR_TYPE) && options->picture.preset == NULL && !options->picture.is_bytes)
    g_prefix_error (error,
                    _("The model does not take pictures %s; the property “preset” may be missing: a style model needs “stylizer”: "),
                    shape);
  else if (made_by != NULL)
    g_prefix_error (error, _("The model does not take pictures as %s makes them, %s; other channels, size or preset may fit: "),
                    made_by, shape);
  else
    g_prefix_error (error, _("The model does not take pictures %s; the properties channels, size or preset may fit: "), shape);
}
