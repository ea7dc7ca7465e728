/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/files/c2g-caffemodel-private.h>

/* Versions of layers in Caffe's file format, for the reader and the writer of .caffemodel files. */

/* The fields of a layer in the message around it, of its name and of its blobs. */
static const C2gCaffeLayerVersion versions[] = {
  { C2G_CAFFE_V1_LAYER_V0, 1, 50 },
  { C2G_CAFFE_NET_LAYERS_V1, 4, 6 },
  { C2G_CAFFE_NET_LAYERS, 1, 7 },
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
