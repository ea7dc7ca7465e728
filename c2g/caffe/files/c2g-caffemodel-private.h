/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/load/c2g-caffe-files-private.h>

G_BEGIN_DECLS

/* Field numbers of NetParameter, of the three versions of a layer, and of BlobProto. */
enum
{
  C2G_CAFFE_NET_NAME = 1,
  C2G_CAFFE_NET_LAYERS_V1 = 2,
  C2G_CAFFE_NET_LAYERS = 100,

  C2G_CAFFE_V1_LAYER_V0 = 1,
  C2G_CAFFE_V1_LAYER_TYPE = 5,

  C2G_CAFFE_SHAPE_DIM = 1,
  C2G_CAFFE_BLOB_NUM = 1,
  C2G_CAFFE_BLOB_CHANNELS = 2,
  C2G_CAFFE_BLOB_HEIGHT = 3,
  C2G_CAFFE_BLOB_WIDTH = 4,
  C2G_CAFFE_BLOB_DATA = 5,
  C2G_CAFFE_BLOB_SHAPE = 7,
  C2G_CAFFE_BLOB_DOUBLE_DATA = 8,
  C2G_CAFFE_BLOB_RAW_TYPE = 10,
  C2G_CAFFE_BLOB_RAW_DATA = 12,
};

/* Each version of layers has its own field numbers for the name and the blobs. */
typedef struct
{
  guint32 layer;
  guint32 name;
  guint32 blobs;
} C2gCaffeLayerVersion;

/* Returns the version of the layers in that field of a net, or NULL. */
const C2gCaffeLayerVersion *c2g_caffe_layer_version      (guint32 number);
/* Returns version 0, whose layers are inside layers of version 1. */
const C2gCaffeLayerVersion *c2g_caffe_layer_version_zero (void);

/* Metadata key for the net without the elements of its blobs, in base64. */
#define C2G_CAFFEMODEL_METADATA "caffe.net"
/* Limit on that net. If it is larger, only its blobs are read. */
#define C2G_CAFFEMODEL_MAX_NET_BYTES (16u << 20)

G_END_DECLS
