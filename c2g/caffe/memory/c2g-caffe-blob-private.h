/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-caffe-blob.h>
#include <c2g/caffe/memory/c2g-caffe-part-private.h>
#include <c2g/core/memory/c2g-label-private.h>

G_BEGIN_DECLS

/* The bit of a part in C2gCaffeParts. */
typedef enum
{
  C2G_CAFFE_DATA,
  C2G_CAFFE_DIFF,
  C2G_CAFFE_N_PARTS,
} C2gCaffePartIndex;

typedef struct
{
  char            *name;
  /* The types that the constructor is given. */
  C2gDataType      types[C2G_CAFFE_N_PARTS];
  /* TRUE if both parts have the first of the types, and nobody can write another one. */
  gboolean         is_locked;
  /* The whole of the labels of both parts. */
  C2gLabel        *label;
  C2gDevice       *device;

  gint64          *dims;
  gsize            n_dims;
  gint64           n_elements;
  /* Atomic; made when somebody asks for it, and dropped when the shape changes. */
  C2gSyncedMemory *gpu_shape;

  C2gCaffePart     parts[C2G_CAFFE_N_PARTS];
} C2gCaffeBlobPrivate;

C2gCaffeBlobPrivate *c2g_caffe_blob_private      (C2gCaffeBlob       *self);

/* “data” or “diff”, for messages: a tensor of others may have no name. */
const char          *c2g_caffe_part_name         (C2gCaffePartIndex   index);

/* Fails if no part is meant. */
gboolean             c2g_caffe_parts_check       (C2gCaffeParts       parts,
                                                  GError            **error);

/* Has the memory of both parts reported under another name, as long as there is one. */
void                 c2g_caffe_blob_set_label    (C2gCaffeBlob       *self,
                                                  C2gLabel           *label);

/* Tells that a part is another tensor. */
void                 c2g_caffe_blob_tell_part    (C2gCaffeBlob       *self,
                                                  C2gCaffePartIndex   index);

/* Finds the elements of a part as a mixed tensor of exactly the blob's size.  It is the part's own
 * tensor, or, where that is larger, a tensor over its first elements. */
C2gMixedTensor      *c2g_caffe_blob_ref_elements (C2gCaffeBlob       *self,
                                                  C2gCaffePartIndex   index,
                                                  gboolean            to_write,
                                                  GError            **error);
/* A tensor over the first elements of a larger one; while it lives, the larger one is held. */
C2gMixedTensor      *c2g_caffe_blob_ref_first    (C2gCaffeBlob       *self,
                                                  C2gCaffePartIndex   index,
                                                  const gint64       *dims,
                                                  gsize               n_dims,
                                                  gboolean            to_write,
                                                  GError            **error);
C2gTensor           *c2g_caffe_blob_ref_tensor   (C2gCaffeBlob       *self,
                                                  C2gCaffePartIndex   index,
                                                  C2gDataType         data_type,
                                                  C2gDevice          *device,
                                                  gboolean            to_write,
                                                  GError            **error);

/* Fails with C2G_ERROR_SHAPE unless both have the same dimensions. */
gboolean             c2g_caffe_blob_check_shape  (C2gCaffeBlob       *self,
                                                  const gint64       *dims,
                                                  gsize               n_dims,
                                                  GError            **error);

G_END_DECLS
