/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_Q_TENSOR (c2g_q_tensor_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gQTensor, c2g_q_tensor, C2G, Q_TENSOR, GObject)

C2G_AVAILABLE_IN_ALL
C2gQTensor   *c2g_q_tensor_new            (const gint64  *dims,
                                           gsize          n_dims,
                                           guint          precision,
                                           gboolean       is_signed,
                                           GError       **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
const gint64 *c2g_q_tensor_get_dims       (C2gQTensor *self,
                                           gsize      *n_dims);
C2G_AVAILABLE_IN_ALL
gint64        c2g_q_tensor_get_n_elements (C2gQTensor *self);
C2G_AVAILABLE_IN_ALL
guint         c2g_q_tensor_get_precision  (C2gQTensor *self);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_q_tensor_is_signed      (C2gQTensor *self);
C2G_AVAILABLE_IN_ALL
gsize         c2g_q_tensor_get_n_bytes    (C2gQTensor *self);
C2G_AVAILABLE_IN_ALL
double        c2g_q_tensor_get_scale      (C2gQTensor *self);
C2G_AVAILABLE_IN_ALL
void          c2g_q_tensor_set_scale      (C2gQTensor *self,
                                           double      scale);
C2G_AVAILABLE_IN_ALL
double        c2g_q_tensor_get_bias       (C2gQTensor *self);
C2G_AVAILABLE_IN_ALL
void          c2g_q_tensor_set_bias       (C2gQTensor *self,
                                           double      bias);

C2G_AVAILABLE_IN_ALL
int           c2g_q_tensor_get_bit        (C2gQTensor  *self,
                                           guint        plane,
                                           gint64       index,
                                           GError     **error);
C2G_AVAILABLE_IN_ALL
gboolean      c2g_q_tensor_set_bit        (C2gQTensor  *self,
                                           guint        plane,
                                           gint64       index,
                                           gboolean     value,
                                           GError     **error);
C2G_AVAILABLE_IN_ALL
double        c2g_q_tensor_get_value      (C2gQTensor  *self,
                                           gint64       index,
                                           GError     **error);
C2G_AVAILABLE_IN_ALL
GBytes       *c2g_q_tensor_dup_bytes      (C2gQTensor  *self,
                                           GError     **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean      c2g_q_tensor_set_bytes      (C2gQTensor  *self,
                                           GBytes      *bytes,
                                           GError     **error);

G_END_DECLS
