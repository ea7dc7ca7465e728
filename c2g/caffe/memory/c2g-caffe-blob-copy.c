/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob.h>
#include <c2g/caffe/memory/c2g-caffe-blob-private.h>

#include <c2g/core/c2g-tensor-private.h>

#include <string.h>

/* Copies between blobs, on the CPU.  The target keeps its type. */

G_DEFINE_ENUM_TYPE (C2gCaffePacking, c2g_caffe_packing,
                    G_DEFINE_ENUM_VALUE (C2G_CAFFE_PACKING_NCHW, "nchw"),
                    G_DEFINE_ENUM_VALUE (C2G_CAFFE_PACKING_NHWC, "nhwc"))

/* A picture is a matrix of channels times pixels in NCHW, and its transpose in NHWC. */
typedef struct
{
  gsize n_pictures;
  gsize n_rows;
  gsize n_columns;
} Matrices;

static void
transpose_matrix (char           *target,
                  const char     *source,
                  const Matrices *matrices,
                  gsize           item_size)
{
  for (gsize i = 0; i < matrices->n_rows; i++)
    for (gsize j = 0; j < matrices->n_columns; j++)
      memcpy (target + (j * matrices->n_rows + i) * item_size,
              source + (i * matrices->n_columns + j) * item_size, item_size);
}

static void
transpose_matrices (char           *target,
                    const char     *source,
                    const Matrices *matrices,
                    gsize           item_size)
{
  const gsize step = matrices->n_rows * matrices->n_columns * item_size;

  for (gsize i = 0; i < matrices->n_pictures; i++)
    transpose_matrix (target + i * step, source + i * step, matrices, item_size);
}

static gboolean
find_matrices (C2gCaffeBlob     *self,
               C2gCaffePacking   source_packing,
               Matrices         *matrices,
               GError          **error)
{
  const gint64 n_channels = c2g_caffe_blob_get_channels (self, error);
  gint64 n_pixels;

  if (n_channels < 0)
    return FALSE;

  n_pixels = c2g_caffe_blob_get_height (self, NULL) * c2g_caffe_blob_get_width (self, NULL);
  matrices->n_pictures = c2g_caffe_blob_get_num (self, NULL);
  matrices->n_rows = source_packing == C2G_CAFFE_PACKING_NCHW ? n_channels : n_pixels;
  matrices->n_columns = source_packing == C2G_CAFFE_PACKING_NCHW ? n_pixels : n_channels;
  return TRUE;
}

static gboolean
copy_part (C2gCaffeBlob       *self,
           C2gCaffeBlob       *source,
           C2gCaffePartIndex   index,
           GError            **error)
{
  g_autoptr (C2gMixedTensor) read = NULL;
  g_autoptr (C2gMixedTensor) written = NULL;

  if (c2g_caffe_blob_private (self)->parts[index].tensor == c2g_caffe_blob_private (source)->parts[index].tensor)
    return TRUE;

  read = c2g_caffe_blob_ref_elements (source, index, FALSE, error);
  if (read == NULL)
    return FALSE;
  written = c2g_caffe_blob_ref_elements (self, index, TRUE, error);
  return written != NULL && c2g_mixed_tensor_copy_from (written, read, error);
}

/* What is read stays as it is while something else is written, also in the same tensor. */
static gboolean
transpose_part (C2gCaffeBlob       *self,
                C2gCaffeBlob       *source,
                C2gCaffePartIndex   index,
                const Matrices     *matrices,
                GError            **error)
{
  C2gMixedTensor *tensor = c2g_caffe_blob_private (self)->parts[index].tensor;
  const C2gDataType type = c2g_mixed_tensor_get_data_type (tensor);
  g_autoptr (C2gTensor) read = NULL;
  g_autoptr (C2gTensor) written = NULL;

  read = c2g_caffe_blob_ref_tensor (source, index, type, NULL, FALSE, error);
  if (read == NULL)
    return FALSE;
  written = c2g_caffe_blob_ref_tensor (self, index, type, NULL, TRUE, error);
  if (written == NULL)
    return FALSE;

  transpose_matrices (c2g_tensor_address (written), c2g_tensor_address (read), matrices,
                      c2g_tensor_get_item_size (read));
  return TRUE;
}

/* Without matrices the order of the elements stays. */
static gboolean
copy_parts (C2gCaffeBlob    *self,
            C2gCaffeBlob    *source,
            C2gCaffeParts    parts,
            const Matrices  *matrices,
            GError         **error)
{
  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    if ((parts & 1u << i) != 0 &&
        !(matrices != NULL ? transpose_part (self, source, i, matrices, error)
                           : copy_part (self, source, i, error)))
      return FALSE;

  return TRUE;
}

static gboolean
check_same_shape (C2gCaffeBlob  *self,
                  C2gCaffeBlob  *source,
                  GError       **error)
{
  C2gCaffeBlobPrivate *priv = c2g_caffe_blob_private (source);

  return c2g_caffe_blob_check_shape (self, priv->dims, priv->n_dims, error);
}

/**
 * c2g_caffe_blob_copy_from:
 * @self: a blob
 * @source: a blob of the same shape
 * @parts: the parts to copy
 * @error: return location for an error
 *
 * Copies the data of another blob, its diff, or both.
 *
 * Each part keeps its type: the numbers are converted, see “Numbers” of [class@MixedTensor]. What the
 * two blobs share is left as it is.
 *
 * Fails with `C2G_ERROR_SHAPE` if the shapes differ, and as
 * [method@CaffeBlob.ref_mutable_data_tensor] does. If the diff fails, the data are copied already.
 *
 * Returns: whether all parts were copied
 */
gboolean
c2g_caffe_blob_copy_from (C2gCaffeBlob   *self,
                          C2gCaffeBlob   *source,
                          C2gCaffeParts   parts,
                          GError        **error)
{
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (source), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return check_same_shape (self, source, error) && copy_parts (self, source, parts, NULL, error);
}

/**
 * c2g_caffe_blob_repack_from:
 * @self: a blob
 * @source: a blob of the same shape
 * @parts: the parts to copy
 * @source_packing: the order of the elements in @source
 * @packing: the order that they get
 * @error: return location for an error
 *
 * Copies pictures, and changes the order in which they lie in memory.
 *
 * The dimensions are those of NCHW for both blobs. A blob of fewer than four dimensions counts as one
 * with dimensions of 1 behind them.
 *
 * Fails as [method@CaffeBlob.copy_from] does, and with `C2G_ERROR_SHAPE` if there are more than four
 * dimensions.
 *
 * Returns: whether all parts were copied
 */
gboolean
c2g_caffe_blob_repack_from (C2gCaffeBlob     *self,
                            C2gCaffeBlob     *source,
                            C2gCaffeParts     parts,
                            C2gCaffePacking   source_packing,
                            C2gCaffePacking   packing,
                            GError          **error)
{
  Matrices matrices;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (source), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return check_same_shape (self, source, error) &&
         find_matrices (self, source_packing, &matrices, error) &&
         copy_parts (self, source, parts, source_packing != packing ? &matrices : NULL, error);
}
