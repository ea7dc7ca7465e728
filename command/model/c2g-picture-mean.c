/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-picture-options.h"
#include "output/c2g-entries.h"

#include <glib/gi18n.h>

/* Reads the mean of a model of Caffe, which stores the mean of the training images as an image,
 * in a .binaryproto file. As in Caffe's classification program, only the mean of each channel is
 * used. */

#define MEAN_ENDING ".binaryproto"

static C2gTensor *
load_image (const char  *argument,
            GError     **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argument);
  g_autoptr (C2gModelFile) model_file = c2g_open (file, NULL, NULL, error);
  g_autoptr (GPtrArray) entries = model_file != NULL ? c2g_entries_new (model_file) : NULL;
  g_autoptr (C2gBlob) blob = NULL;
  C2gTensor *tensor;

  if (entries == NULL || !c2g_entries_check (model_file, entries, error))
    return NULL;
  blob = c2g_model_file_load_blob (model_file, c2g_file_entry_get_name (entries->pdata[0]), NULL, error);
  tensor = blob != NULL ? c2g_blob_get_tensor (blob, error) : NULL;
  return tensor != NULL ? c2g_tensor_convert (tensor, C2G_DATA_TYPE_DOUBLE, C2G_CONVERT_SATURATE, error) : NULL;
}

/* Returns the number of channels of an image [1, C, H, W] or [C, H, W], and the number of elements
 * of each; 0 for another shape. */
static gint64
count_channels (C2gTensor *tensor,
                gint64    *n_pixels)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);

  *n_pixels = 0;
  if (n_dims == 4 && dims[0] == 1)
    dims++, n_dims--;
  if (n_dims != 3 || c2g_tensor_get_n_elements (tensor) == 0 || dims[0] > C2G_PICTURE_MAX_CHANNELS)
    return 0;
  *n_pixels = dims[1] * dims[2];
  return dims[0];
}

static char *
describe_means (const double *values,
                gint64        n_channels,
                gint64        n_pixels)
{
  GString *text = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (gint64 i = 0; i < n_channels; i++)
    {
      double sum = 0;

      for (gint64 k = 0; k < n_pixels; k++)
        sum += *values++;
      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", g_ascii_formatd (number, sizeof number, "%.9g", sum / n_pixels));
    }
  return g_string_free (text, FALSE);
}

gboolean
c2g_picture_arguments_read_mean (C2gPictureArguments  *self,
                                 GError              **error)
{
  g_autoptr (C2gTensor) image = NULL;
  gint64 n_channels, n_pixels;

  if (self->mean == NULL || !g_str_has_suffix (self->mean, MEAN_ENDING))
    return TRUE;
  image = load_image (self->mean, error);
  if (image == NULL)
    return FALSE;
  n_channels = count_channels (image, &n_pixels);
  if (n_channels == 0)
    {
      g_autofree char *text = c2g_tensor_to_string (image, 0);

      g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE, _("%s: Expected the mean of images, [1, C, H, W], got %s"),
                   self->mean, text);
      return FALSE;
    }

  g_free (self->mean);
  self->mean = describe_means (c2g_tensor_data (image, C2G_DATA_TYPE_DOUBLE, NULL), n_channels, n_pixels);
  return TRUE;
}
