/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-samples.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* Converts audio samples to float tensors, for c2gconvert. */

struct _C2gGstSamples
{
  GstAudioInfo info;
  gboolean     is_by_sample;
  float        mean;
  float        scale;
};

C2gGstSamples *
c2g_gst_samples_new (const C2gPictureForm *form,
                     const GstAudioInfo   *info)
{
  C2gGstSamples *self = g_new (C2gGstSamples, 1);

  *self = (C2gGstSamples) { *info, form->is_nhwc, form->mean[0], form->scale[0] };

  return self;
}

void
c2g_gst_samples_free (C2gGstSamples *self)
{
  g_free (self);
}

gsize
c2g_gst_samples_get_dims (C2gGstSamples *self,
                          GstBuffer     *buffer,
                          gint64        *dims)
{
  const gint64 n_samples = gst_buffer_get_size (buffer) / GST_AUDIO_INFO_BPF (&self->info);

  dims[self->is_by_sample ? 0 : 1] = n_samples;
  dims[self->is_by_sample ? 1 : 0] = GST_AUDIO_INFO_CHANNELS (&self->info);

  return 2;
}

/* Samples may be unaligned in the memory of a buffer. */
static float
read_sample (const C2gGstSamples *self,
             const guint8        *data,
             gsize                position)
{
  gint16 number;
  float value;

  if (GST_AUDIO_INFO_FORMAT (&self->info) == GST_AUDIO_FORMAT_S16)
    {
      memcpy (&number, data + position * sizeof number, sizeof number);
      return number / 32768.0f;
    }
  memcpy (&value, data + position * sizeof value, sizeof value);

  return value;
}

static void
fill (const C2gGstSamples *self,
      const GstMapInfo    *map,
      float               *to)
{
  const gsize n_channels = GST_AUDIO_INFO_CHANNELS (&self->info);
  const gsize n_samples = map->size / GST_AUDIO_INFO_BPF (&self->info);
  const gsize row = self->is_by_sample ? n_channels : 1;
  const gsize column = self->is_by_sample ? 1 : n_samples;

  for (gsize c = 0; c < n_channels; c++)
    for (gsize i = 0; i < n_samples; i++)
      to[i * row + c * column] =
        (read_sample (self, map->data, i * n_channels + c) - self->mean) * self->scale;
}

gboolean
c2g_gst_samples_convert (C2gGstSamples  *self,
                         GstBuffer      *buffer,
                         C2gTensor      *tensor,
                         GError        **error)
{
  gint64 dims[2];
  const gsize n_dims = c2g_gst_samples_get_dims (self, buffer, dims);
  gboolean is_allocated;
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_BUSY,
                           _("The buffer cannot be mapped as samples of audio"));
      return FALSE;
    }
  /* Without samples the tensor has no memory. */
  is_allocated = c2g_tensor_resize (tensor, dims, n_dims, error) &&
                 c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, error);
  if (is_allocated)
    fill (self, &map, c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  gst_buffer_unmap (buffer, &map);

  return is_allocated;
}
