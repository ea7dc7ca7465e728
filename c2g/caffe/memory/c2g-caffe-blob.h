/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/caffe/memory/c2g-mixed-tensor.h>
#include <c2g/caffe/memory/c2g-synced-memory.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_CAFFE_PACKING (c2g_caffe_packing_get_type ())
#define C2G_TYPE_CAFFE_PARTS   (c2g_caffe_parts_get_type ())
#define C2G_TYPE_CAFFE_BLOB    (c2g_caffe_blob_get_type ())

/**
 * C2gCaffeParts:
 * @C2G_CAFFE_PARTS_NONE: neither
 * @C2G_CAFFE_PARTS_DATA: the data
 * @C2G_CAFFE_PARTS_DIFF: the diff
 * @C2G_CAFFE_PARTS_BOTH: both
 *
 * The parts of a [class@CaffeBlob] that a call uses.
 */
typedef enum
{
  C2G_CAFFE_PARTS_NONE = 0,
  C2G_CAFFE_PARTS_DATA = 1 << 0,
  C2G_CAFFE_PARTS_DIFF = 1 << 1,
  C2G_CAFFE_PARTS_BOTH = C2G_CAFFE_PARTS_DATA | C2G_CAFFE_PARTS_DIFF,
} C2gCaffeParts;

/**
 * C2gCaffePacking:
 * @C2G_CAFFE_PACKING_NCHW: one channel after the other
 * @C2G_CAFFE_PACKING_NHWC: one pixel after the other, each with all of its channels
 *
 * The order of the elements of images in memory.
 */
typedef enum
{
  C2G_CAFFE_PACKING_NCHW,
  C2G_CAFFE_PACKING_NHWC,
} C2gCaffePacking;

C2G_AVAILABLE_IN_ALL
GType c2g_caffe_parts_get_type   (void);
C2G_AVAILABLE_IN_ALL
GType c2g_caffe_packing_get_type (void);

C2G_AVAILABLE_IN_ALL
G_DECLARE_DERIVABLE_TYPE (C2gCaffeBlob, c2g_caffe_blob, C2G, CAFFE_BLOB, GObject)

/**
 * C2gCaffeBlobClass:
 *
 * The class of blobs.
 */
struct _C2gCaffeBlobClass
{
  GObjectClass parent_class;

  /*< private >*/
  gpointer _reserved[8];
};

C2G_AVAILABLE_IN_ALL
C2gCaffeBlob    *c2g_caffe_blob_new                     (C2gDataType      data_type,
                                                         C2gDataType      diff_type,
                                                         const gint64    *dims,
                                                         gsize            n_dims,
                                                         C2gDevice       *device,
                                                         GError         **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gMixedTensor  *c2g_caffe_blob_get_data                (C2gCaffeBlob    *self);
C2G_AVAILABLE_IN_ALL
C2gMixedTensor  *c2g_caffe_blob_get_diff                (C2gCaffeBlob    *self);
C2G_AVAILABLE_IN_ALL
C2gDevice       *c2g_caffe_blob_get_device              (C2gCaffeBlob    *self);
C2G_AVAILABLE_IN_ALL
const char      *c2g_caffe_blob_get_name                (C2gCaffeBlob    *self);
C2G_AVAILABLE_IN_ALL
char            *c2g_caffe_blob_to_string               (C2gCaffeBlob    *self) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_reshape                 (C2gCaffeBlob    *self,
                                                         const gint64    *dims,
                                                         gsize            n_dims,
                                                         C2gCaffeParts    parts,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_reshape_like            (C2gCaffeBlob    *self,
                                                         C2gCaffeBlob    *other,
                                                         GError         **error);

C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_share_data              (C2gCaffeBlob    *self,
                                                         C2gCaffeBlob    *other,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_share_diff              (C2gCaffeBlob    *self,
                                                         C2gCaffeBlob    *other,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_share_tensor            (C2gCaffeBlob    *self,
                                                         C2gCaffeParts    part,
                                                         C2gMixedTensor  *tensor,
                                                         GError         **error);

C2G_AVAILABLE_IN_ALL
const gint64    *c2g_caffe_blob_get_dims                (C2gCaffeBlob    *self,
                                                         gsize           *n_dims);
C2G_AVAILABLE_IN_ALL
gint64           c2g_caffe_blob_get_n_elements          (C2gCaffeBlob    *self);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_is_empty                (C2gCaffeBlob    *self);
C2G_AVAILABLE_IN_ALL
int              c2g_caffe_blob_canonical_axis          (C2gCaffeBlob    *self,
                                                         int              axis,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gint64           c2g_caffe_blob_get_dim                 (C2gCaffeBlob    *self,
                                                         int              axis,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gint64           c2g_caffe_blob_count                   (C2gCaffeBlob    *self,
                                                         int              start_axis,
                                                         int              end_axis,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gint64           c2g_caffe_blob_offset                  (C2gCaffeBlob    *self,
                                                         const gint64    *indices,
                                                         gsize            n_indices,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gint64           c2g_caffe_blob_get_num                 (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gint64           c2g_caffe_blob_get_channels            (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gint64           c2g_caffe_blob_get_height              (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gint64           c2g_caffe_blob_get_width               (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
char            *c2g_caffe_blob_dup_shape_string        (C2gCaffeBlob    *self) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gSyncedMemory *c2g_caffe_blob_ref_gpu_shape           (C2gCaffeBlob    *self,
                                                         GError         **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gTensor       *c2g_caffe_blob_ref_data_tensor         (C2gCaffeBlob    *self,
                                                         C2gDataType      data_type,
                                                         C2gDevice       *device,
                                                         GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor       *c2g_caffe_blob_ref_diff_tensor         (C2gCaffeBlob    *self,
                                                         C2gDataType      data_type,
                                                         C2gDevice       *device,
                                                         GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor       *c2g_caffe_blob_ref_mutable_data_tensor (C2gCaffeBlob    *self,
                                                         C2gDataType      data_type,
                                                         C2gDevice       *device,
                                                         GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor       *c2g_caffe_blob_ref_mutable_diff_tensor (C2gCaffeBlob    *self,
                                                         C2gDataType      data_type,
                                                         C2gDevice       *device,
                                                         GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
double           c2g_caffe_blob_data_at                 (C2gCaffeBlob    *self,
                                                         const gint64    *indices,
                                                         gsize            n_indices,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
double           c2g_caffe_blob_diff_at                 (C2gCaffeBlob    *self,
                                                         const gint64    *indices,
                                                         gsize            n_indices,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_set_value_at            (C2gCaffeBlob    *self,
                                                         C2gCaffeParts    parts,
                                                         const gint64    *indices,
                                                         gsize            n_indices,
                                                         double           value,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_copy_from               (C2gCaffeBlob    *self,
                                                         C2gCaffeBlob    *source,
                                                         C2gCaffeParts    parts,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_repack_from             (C2gCaffeBlob    *self,
                                                         C2gCaffeBlob    *source,
                                                         C2gCaffeParts    parts,
                                                         C2gCaffePacking  source_packing,
                                                         C2gCaffePacking  packing,
                                                         GError         **error);

C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_update                  (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_fill_data               (C2gCaffeBlob    *self,
                                                         double           value,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_fill_diff               (C2gCaffeBlob    *self,
                                                         double           value,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_scale_data              (C2gCaffeBlob    *self,
                                                         double           factor,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean         c2g_caffe_blob_scale_diff              (C2gCaffeBlob    *self,
                                                         double           factor,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
double           c2g_caffe_blob_asum_data               (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
double           c2g_caffe_blob_asum_diff               (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
double           c2g_caffe_blob_sumsq_data              (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
double           c2g_caffe_blob_sumsq_diff              (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
double           c2g_caffe_blob_amax_data               (C2gCaffeBlob    *self,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
double           c2g_caffe_blob_amax_diff               (C2gCaffeBlob    *self,
                                                         GError         **error);

C2G_AVAILABLE_IN_ALL
gconstpointer    c2g_caffe_blob_data                    (C2gCaffeBlob    *self,
                                                         C2gDataType      data_type,
                                                         C2gDevice       *device,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gconstpointer    c2g_caffe_blob_diff                    (C2gCaffeBlob    *self,
                                                         C2gDataType      data_type,
                                                         C2gDevice       *device,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gpointer         c2g_caffe_blob_mutable_data            (C2gCaffeBlob    *self,
                                                         C2gDataType      data_type,
                                                         C2gDevice       *device,
                                                         GError         **error);
C2G_AVAILABLE_IN_ALL
gpointer         c2g_caffe_blob_mutable_diff            (C2gCaffeBlob    *self,
                                                         C2gDataType      data_type,
                                                         C2gDevice       *device,
                                                         GError         **error);

G_END_DECLS
