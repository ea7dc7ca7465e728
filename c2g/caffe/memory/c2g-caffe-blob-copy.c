/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob-private.h>
#include <c2g/caffe/memory/c2g-caffe-blob.h>

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>
#include <c2g/core/tensor/c2g-tensor-math.h>

/* Copies between blobs, on the device of the source, and converts between NCHW and NHWC. The target
 * keeps its type. */

G_DEFINE_ENUM_TYPE (C2gCaffePacking, c2g_caffe_packing,
                    G_DEFINE_ENUM_VALUE (C2G_CAFFE_PACKING_NCHW, "nchw"),
                    G_DEFINE_ENUM_VALUE (C2G_CAFFE_PACKING_NHWC, "nhwc"))

/* The dimensions in memory order, and the permutation of the axes to the other order. */
typedef struct
{
  gint64     dims[4];
  const int *axes;
} Turn;

static gboolean
find_turn (C2gCaffeBlob     *self,
           C2gCaffePacking   source_packing,
           Turn             *turn,
           GError          **error)
{
  static const int to_nhwc[] = { 0, 2, 3, 1 }, to_nchw[] = { 0, 3, 1, 2 };
  const gint64 n = c2g_caffe_blob_get_num (self, error);
  const gint64 c = c2g_caffe_blob_get_channels (self, NULL);
  const gint64 h = c2g_caffe_blob_get_height (self, NULL);
  const gint64 w = c2g_caffe_blob_get_width (self, NULL);

  *turn = source_packing == C2G_CAFFE_PACKING_NCHW ? (Turn) { { n, c, h, w }, to_nhwc }
                                                   : (Turn) { { n, h, w, c }, to_nchw };
  return n >= 0;
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

/* Converts one part between NCHW and NHWC. The source is held, because it may be the same part as
 * the target. */
static gboolean
turn_part (C2gCaffeBlob       *self,
           C2gCaffeBlob       *source,
           C2gCaffePartIndex   index,
           const Turn         *turn,
           GError            **error)
{
  g_autoptr (C2gMixedTensor) elements = c2g_caffe_blob_ref_elements (source, index, FALSE, error);
  g_autoptr (C2gTensor) read = elements != NULL ? c2g_mixed_tensor_ref_written (elements, error) : NULL;
  g_autoptr (C2gTensor) turned = NULL;
  g_autoptr (C2gMixedTensor) written = NULL;

  if (read == NULL || !c2g_tensor_reshape (read, turn->dims, G_N_ELEMENTS (turn->dims), error))
    return FALSE;
  turned = c2g_tensor_transpose (read, turn->axes, G_N_ELEMENTS (turn->dims), error);
  if (turned == NULL)
    return FALSE;
  written = c2g_caffe_blob_ref_elements (self, index, TRUE, error);
  return written != NULL && c2g_mixed_tensor_copy_in (written, turned, error);
}

/* Copies the given parts. TURN changes the order of the axes; NULL keeps it. */
static gboolean
copy_parts (C2gCaffeBlob    *self,
            C2gCaffeBlob    *source,
            C2gCaffeParts    parts,
            const Turn      *turn,
            GError         **error)
{
  for (gsize i = 0; i < C2G_CAFFE_N_PARTS; i++)
    if ((parts & 1u << i) != 0 &&
        !(turn != NULL ? turn_part (self, source, i, turn, error) : copy_part (self, source, i, error)))
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
 * Each part keeps its type: the numbers are converted, see “Numbers” of [class@MixedTensor]. A part
 * that the two blobs share is not copied.
 *
 * Fails with `C2G_ERROR_SHAPE` if the shapes differ, and as
 * [method@CaffeBlob.ref_mutable_data_tensor] does. If copying the diff fails, the data have been
 * copied already.
 *
 * Returns: `TRUE` if all parts were copied
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
 * @packing: the order of the elements in @self
 * @error: return location for an error
 *
 * Copies images, and changes the order of their elements in memory.
 *
 * Both blobs have the dimensions of NCHW. If there are fewer than four, 1 is added behind them.
 *
 * Fails as [method@CaffeBlob.copy_from] does, with `C2G_ERROR_SHAPE` if there are more than four
 * dimensions, and with `G_IO_ERROR_CANCELLED` if the net that called this is cancelled.
 *
 * Returns: `TRUE` if all parts were copied
 */
gboolean
c2g_caffe_blob_repack_from (C2gCaffeBlob     *self,
                            C2gCaffeBlob     *source,
                            C2gCaffeParts     parts,
                            C2gCaffePacking   source_packing,
                            C2gCaffePacking   packing,
                            GError          **error)
{
  gboolean has_turn;
  Turn turn;

  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (self), FALSE);
  g_return_val_if_fail (C2G_IS_CAFFE_BLOB (source), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  has_turn = source_packing != packing && !c2g_caffe_blob_is_empty (self);
  return check_same_shape (self, source, error) && find_turn (self, source_packing, &turn, error) &&
         copy_parts (self, source, parts, has_turn ? &turn : NULL, error);
}
