/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-blob.h>
#include <c2g/io/load/c2g-caffe-files-private.h>

/* Saves a blob of Caffe in other file formats, as the tensor of its data. */

/* Returns the data in the type that was written last. */
static C2gTensor *
ref_data (C2gCaffeBlob  *blob,
          GError       **error)
{
  return c2g_caffe_blob_ref_data_tensor (blob, c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_data (blob)), NULL,
                                         error);
}

static C2gTensor *
ref_diff (C2gCaffeBlob  *blob,
          GError       **error)
{
  return c2g_caffe_blob_ref_diff_tensor (blob, c2g_mixed_tensor_get_data_type (c2g_caffe_blob_get_diff (blob)), NULL,
                                         error);
}

gboolean
c2g_caffe_save_item_has_blob (const C2gSaveItem *item)
{
  GObject *object = c2g_blob_get_object (item->blob);

  return object != NULL && C2G_IS_CAFFE_BLOB (object);
}

gboolean
c2g_caffe_save_item_take_data (C2gSaveItem  *item,
                               gboolean      has_diff,
                               GError      **error)
{
  g_autoptr (C2gCaffeBlob) blob = g_object_ref (C2G_CAFFE_BLOB (c2g_blob_get_object (item->blob)));
  g_autoptr (C2gTensor) data = ref_data (blob, error);

  if (data != NULL && has_diff)
    item->diff = ref_diff (blob, error);
  if (data == NULL || (has_diff && item->diff == NULL))
    return FALSE;

  c2g_blob_set_object (item->blob, G_OBJECT (data));
  return TRUE;
}
