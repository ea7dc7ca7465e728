/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/memory/c2g-storage.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_TENSOR (c2g_tensor_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gTensor, c2g_tensor, C2G, TENSOR, GObject)

C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new              (void) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_for_device   (C2gDevice *device) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_sized        (const gint64  *dims,
                                        gsize          n_dims,
                                        C2gDevice     *device,
                                        GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_bytes   (C2gDataType    data_type,
                                        const gint64  *dims,
                                        gsize          n_dims,
                                        GBytes        *bytes,
                                        GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_storage (C2gDataType    data_type,
                                        const gint64  *dims,
                                        gsize          n_dims,
                                        C2gStorage    *storage,
                                        gsize          offset,
                                        GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_scalar       (C2gDataType   data_type,
                                        double        value,
                                        GError      **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gDataType   c2g_tensor_get_data_type          (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
C2gTypeMeta  *c2g_tensor_get_type_meta          (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
C2gDevice    *c2g_tensor_get_device             (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
C2gStorage   *c2g_tensor_get_storage            (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
const gint64 *c2g_tensor_get_dims               (C2gTensor *self,
                                                 gsize     *n_dims);
C2G_AVAILABLE_IN_ALL
gsize         c2g_tensor_get_n_dims             (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
gint64        c2g_tensor_get_dim                (C2gTensor  *self,
                                                 int         axis,
                                                 GError    **error);
C2G_AVAILABLE_IN_ALL
int           c2g_tensor_get_dim32              (C2gTensor  *self,
                                                 int         axis,
                                                 GError    **error);
C2G_AVAILABLE_IN_ALL
gint64        c2g_tensor_get_n_elements         (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
gsize         c2g_tensor_get_item_size          (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
gsize         c2g_tensor_get_n_bytes            (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
gsize         c2g_tensor_get_capacity           (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_tensor_get_keep_on_shrink     (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
void          c2g_tensor_set_keep_on_shrink     (C2gTensor *self,
                                                 gboolean   keep_on_shrink);
C2G_AVAILABLE_IN_ALL
guint64       c2g_tensor_get_max_keep_on_shrink (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
void          c2g_tensor_set_max_keep_on_shrink (C2gTensor *self,
                                                 guint64    n_bytes);

C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_is_allocated      (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_is_defined        (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_is_contiguous     (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_shares_data       (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
int      c2g_tensor_canonical_axis    (C2gTensor  *self,
                                       int         axis,
                                       GError    **error);
C2G_AVAILABLE_IN_ALL
gint64   c2g_tensor_size_from_dim     (C2gTensor  *self,
                                       int         axis,
                                       GError    **error);
C2G_AVAILABLE_IN_ALL
gint64   c2g_tensor_size_to_dim       (C2gTensor  *self,
                                       int         axis,
                                       GError    **error);
C2G_AVAILABLE_IN_ALL
gint64   c2g_tensor_size_between_dims (C2gTensor  *self,
                                       int         first_axis,
                                       int         second_axis,
                                       GError    **error);
C2G_AVAILABLE_IN_ALL
char    *c2g_tensor_to_string         (C2gTensor *self,
                                       gsize      max_elements) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_resize      (C2gTensor     *self,
                                 const gint64  *dims,
                                 gsize          n_dims,
                                 GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_resize_like (C2gTensor  *self,
                                 C2gTensor  *other,
                                 GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_reshape     (C2gTensor     *self,
                                 const gint64  *dims,
                                 gsize          n_dims,
                                 GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_extend      (C2gTensor   *self,
                                 gint64       n,
                                 double       growth_percent,
                                 C2gContext  *context,
                                 GError     **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_reserve     (C2gTensor     *self,
                                 const gint64  *dims,
                                 gsize          n_dims,
                                 GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_shrink      (C2gTensor  *self,
                                 gint64      outer_dim,
                                 GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_trim        (C2gTensor  *self,
                                 GError    **error);

C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_set_data_type (C2gTensor    *self,
                                   C2gDataType   data_type,
                                   GError      **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_allocate      (C2gTensor    *self,
                                   C2gDataType   data_type,
                                   GError      **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_allocate_meta (C2gTensor    *self,
                                   C2gTypeMeta  *meta,
                                   GError      **error);
C2G_AVAILABLE_IN_ALL
void     c2g_tensor_free_memory   (C2gTensor *self);

C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_share_data          (C2gTensor  *self,
                                           C2gTensor  *source,
                                           GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_share_bytes         (C2gTensor    *self,
                                           C2gDataType   data_type,
                                           GBytes       *bytes,
                                           GError      **error);
C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_share_external      (C2gTensor       *self,
                                           C2gDataType      data_type,
                                           gpointer         pointer,
                                           gsize            n_bytes,
                                           GDestroyNotify   destroy,
                                           gpointer         user_data,
                                           GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_share_external_meta (C2gTensor       *self,
                                           C2gTypeMeta     *meta,
                                           gpointer         pointer,
                                           gsize            n_bytes,
                                           GDestroyNotify   destroy,
                                           gpointer         user_data,
                                           GError         **error);
C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_seal                (C2gTensor  *self,
                                           GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_is_sealed           (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
void       c2g_tensor_swap                (C2gTensor *self,
                                           C2gTensor *other);
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_slice               (C2gTensor  *self,
                                           gint64      begin,
                                           gint64      end,
                                           GError    **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_copy_from (C2gTensor   *self,
                                 C2gTensor   *source,
                                 C2gContext  *context,
                                 GError     **error);
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_clone     (C2gTensor   *self,
                                 C2gContext  *context,
                                 GError     **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_to_device (C2gTensor  *self,
                                 C2gDevice  *device,
                                 GError    **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
guint64     c2g_tensor_get_address (C2gTensor *self);
C2G_AVAILABLE_IN_ALL
C2gMapping *c2g_tensor_map         (C2gTensor    *self,
                                    C2gMapFlags   flags,
                                    GError      **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
GBytes     *c2g_tensor_dup_bytes   (C2gTensor  *self,
                                    GError    **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
GBytes     *c2g_tensor_ref_bytes   (C2gTensor  *self,
                                    GError    **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean    c2g_tensor_set_bytes   (C2gTensor  *self,
                                    GBytes     *bytes,
                                    GError    **error);

C2G_AVAILABLE_IN_ALL
double    c2g_tensor_get_value   (C2gTensor     *self,
                                  gint64         index,
                                  GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_tensor_set_value   (C2gTensor     *self,
                                  gint64         index,
                                  double         value,
                                  GError       **error);
C2G_AVAILABLE_IN_ALL
gint64    c2g_tensor_get_int64   (C2gTensor     *self,
                                  gint64         index,
                                  GError       **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_tensor_set_int64   (C2gTensor     *self,
                                  gint64         index,
                                  gint64         value,
                                  GError       **error);
C2G_AVAILABLE_IN_ALL
void      c2g_tensor_get_element (C2gTensor     *self,
                                  gint64         index,
                                  GValue        *value);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_tensor_copy_element (C2gTensor    *self,
                                   gint64        index,
                                   GValue       *value,
                                   GError      **error);
C2G_AVAILABLE_IN_ALL
gboolean  c2g_tensor_set_element (C2gTensor     *self,
                                  gint64         index,
                                  const GValue  *value,
                                  GError       **error);
C2G_AVAILABLE_IN_ALL
C2gBlob  *c2g_tensor_dup_element (C2gTensor     *self,
                                  gint64         index,
                                  GError       **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gconstpointer c2g_tensor_data             (C2gTensor    *self,
                                           C2gDataType   data_type,
                                           GError      **error);
C2G_AVAILABLE_IN_ALL
gpointer      c2g_tensor_mutable_data     (C2gTensor    *self,
                                           C2gDataType   data_type,
                                           GError      **error);
C2G_AVAILABLE_IN_ALL
gconstpointer c2g_tensor_raw_data         (C2gTensor  *self,
                                           GError    **error);
C2G_AVAILABLE_IN_ALL
gpointer      c2g_tensor_raw_mutable_data (C2gTensor    *self,
                                           C2gTypeMeta  *meta,
                                           GError      **error);

G_END_DECLS
