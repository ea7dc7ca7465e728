/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g-gst/c2g-gst-audio-private.h>

/* The element types of audio samples. */

static const struct
{
  GstAudioFormat format;
  C2gDataType    data_type;
} types[] = {
  { GST_AUDIO_FORMAT_S8, C2G_DATA_TYPE_INT8 },
  { GST_AUDIO_FORMAT_U8, C2G_DATA_TYPE_UINT8 },
  { GST_AUDIO_FORMAT_S16, C2G_DATA_TYPE_INT16 },
  { GST_AUDIO_FORMAT_U16, C2G_DATA_TYPE_UINT16 },
  { GST_AUDIO_FORMAT_S32, C2G_DATA_TYPE_INT32 },
  { GST_AUDIO_FORMAT_U32, C2G_DATA_TYPE_UINT32 },
  { GST_AUDIO_FORMAT_F32, C2G_DATA_TYPE_FLOAT },
  { GST_AUDIO_FORMAT_F64, C2G_DATA_TYPE_DOUBLE },
};

C2gDataType
c2g_gst_audio_get_data_type (GstAudioFormat format)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].format == format)
      return types[i].data_type;

  return C2G_DATA_TYPE_UNDEFINED;
}

GstAudioFormat
c2g_gst_audio_get_format (C2gDataType data_type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].data_type == data_type)
      return types[i].format;

  return GST_AUDIO_FORMAT_UNKNOWN;
}
