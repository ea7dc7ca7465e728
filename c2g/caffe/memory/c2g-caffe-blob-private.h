/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-caffe-blob.h>
#include <c2g/caffe/memory/c2g-mixed-tensor.h>
#include <c2g/core/memory/c2g-label-private.h>

G_BEGIN_DECLS

/* A reference from a blob to a mixed tensor. Several blobs may use the same tensor, which counts
 * them. */
typedef struct
{
  C2gMixedTensor *tensor;
  /* FALSE if the blob made the tensor itself. */
  gboolean        is_borrowed;
  /* TRUE if this blob locks the type: then nobody may write the tensor in another type. */
  gboolean        is_locked;
} C2gCaffePart;

/* Replaces the tensor, and takes a reference. */
void     c2g_caffe_part_use       (C2gCaffePart   *self,
                                   C2gMixedTensor *tensor,
                                   gboolean        is_borrowed,
                                   gboolean        is_locked);
void     c2g_caffe_part_clear     (C2gCaffePart   *self);
/* Returns TRUE if other blobs use the tensor too. */
gboolean c2g_caffe_part_is_shared (C2gCaffePart   *self);

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
  /* The types given to the constructor. */
  C2gDataType      types[C2G_CAFFE_N_PARTS];
  /* TRUE if both parts have the first of these types and must not be written in another one. */
  gboolean         is_locked;
  /* The labels of both parts are parts of this label. */
  C2gLabel        *label;
  C2gDevice       *device;

  gint64          *dims;
  gsize            n_dims;
  gint64           n_elements;
  /* Atomic. Made when first requested; dropped when the shape changes. */
  C2gSyncedMemory *gpu_shape;

  C2gCaffePart     parts[C2G_CAFFE_N_PARTS];
} C2gCaffeBlobPrivate;

C2gCaffeBlobPrivate *c2g_caffe_blob_private      (C2gCaffeBlob       *self);

/* Returns “data” or “diff”, for messages. */
const char          *c2g_caffe_part_name         (C2gCaffePartIndex   index);

/* Fails if PARTS is empty. */
gboolean             c2g_caffe_parts_check       (C2gCaffeParts       parts,
                                                  GError            **error);

/* Notifies that a part uses another tensor now. */
void                 c2g_caffe_blob_tell_part    (C2gCaffeBlob       *self,
                                                  C2gCaffePartIndex   index);

/* Returns the elements of a part as a mixed tensor with exactly as many elements as the blob: the
 * part's own tensor or, if that is larger, a tensor over its first elements. */
C2gMixedTensor      *c2g_caffe_blob_ref_elements (C2gCaffeBlob       *self,
                                                  C2gCaffePartIndex   index,
                                                  gboolean            to_write,
                                                  GError            **error);
/* Returns a tensor over the first elements of a larger one. The larger one is held as long as it
 * lives. */
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
