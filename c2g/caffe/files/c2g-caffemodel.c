/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/files/c2g-caffemodel-private.h>

/* Tables about Caffe's file format, for the reader and the writer of .caffemodel files: versions of
 * layers, and numbers of element types. */

/* The fields of a layer in the message around it, of its name and of its blobs. */
static const C2gCaffeLayerVersion versions[] = {
  { C2G_CAFFE_V1_LAYER_V0, 1, 50 },
  { C2G_CAFFE_NET_LAYERS_V1, 4, 6 },
  { C2G_CAFFE_NET_LAYERS, 1, 7 },
};

/* The types by the number that NVCaffe writes into BlobProto.raw_data_type. */
static const C2gDataType types[] = {
  C2G_DATA_TYPE_DOUBLE,
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_UINT32,
  C2G_DATA_TYPE_BOOL,
};

const C2gCaffeLayerVersion *
c2g_caffe_layer_version (guint32 number)
{
  /* A layer of version 0 is inside one of version 1, and no field of the net. */
  for (gsize i = 1; i < G_N_ELEMENTS (versions); i++)
    if (versions[i].layer == number)
      return &versions[i];

  return NULL;
}

const C2gCaffeLayerVersion *
c2g_caffe_layer_version_zero (void)
{
  return &versions[0];
}

gboolean
c2g_caffe_type_from_number (guint64      number,
                            C2gDataType *data_type)
{
  if (number >= G_N_ELEMENTS (types))
    return FALSE;

  *data_type = types[number];
  return TRUE;
}

gboolean
c2g_caffe_type_to_number (C2gDataType  data_type,
                          guint       *number)
{
  for (*number = 0; *number < G_N_ELEMENTS (types); (*number)++)
    if (types[*number] == data_type)
      return TRUE;

  return FALSE;
}
