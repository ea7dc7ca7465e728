/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-source-private.h>

G_BEGIN_DECLS

/* The kind of content of a file, judged by its bytes. */
typedef enum
{
  C2G_CONTENT_UNKNOWN,
  C2G_CONTENT_BLOB,
  C2G_CONTENT_TENSOR,
  C2G_CONTENT_NET,
  C2G_CONTENT_NET_TEXT,
  C2G_CONTENT_MINIDB,
  C2G_CONTENT_LMDB,
  C2G_CONTENT_PROTODB,
  C2G_CONTENT_SAFETENSORS,
  C2G_CONTENT_NPY,
  C2G_CONTENT_NPZ,
  C2G_CONTENT_CAFFEMODEL,
  C2G_CONTENT_CAFFE_MEAN,
  /* A known format that c2g does not read. */
  C2G_CONTENT_FOREIGN,
} C2gContentKind;

/* Reads only the beginning and the field tags, not large values. */
gboolean c2g_content_kind_guess (C2gSource       *source,
                                 C2gContentKind  *kind,
                                 GError         **error);

G_END_DECLS
