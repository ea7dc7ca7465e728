/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-data-type.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_fill     (C2gTensor  *self,
                              double      value,
                              GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_scale    (C2gTensor  *self,
                              double      alpha,
                              GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_axpy     (C2gTensor  *self,
                              double      alpha,
                              C2gTensor  *x,
                              GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_axpby    (C2gTensor  *self,
                              double      alpha,
                              C2gTensor  *x,
                              double      beta,
                              GError    **error);

C2G_AVAILABLE_IN_ALL
double   c2g_tensor_dot      (C2gTensor  *self,
                              C2gTensor  *other,
                              GError    **error);
C2G_AVAILABLE_IN_ALL
double   c2g_tensor_asum     (C2gTensor  *self,
                              GError    **error);
C2G_AVAILABLE_IN_ALL
double   c2g_tensor_amax     (C2gTensor  *self,
                              GError    **error);
C2G_AVAILABLE_IN_ALL
double   c2g_tensor_sumsq    (C2gTensor  *self,
                              GError    **error);

C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_transpose (C2gTensor    *self,
                                 const int    *axes,
                                 gsize         n_axes,
                                 GError      **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_normalize (C2gTensor     *self,
                                 C2gDataType    data_type,
                                 int            axis,
                                 int            new_axis,
                                 const double  *means,
                                 gsize          n_means,
                                 const double  *scales,
                                 gsize          n_scales,
                                 GError       **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_equal    (C2gTensor  *self,
                              C2gTensor  *other,
                              gboolean   *equal,
                              GError    **error);
C2G_AVAILABLE_IN_ALL
gboolean c2g_tensor_allclose (C2gTensor  *self,
                              C2gTensor  *other,
                              double      rtol,
                              double      atol,
                              gboolean    equal_nan,
                              gboolean   *close,
                              GError    **error);

G_END_DECLS
