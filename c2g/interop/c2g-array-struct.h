/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
guint64 c2g_tensor_to_array_struct (C2gTensor  *self,
                                    GError    **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void    c2g_array_struct_release   (guint64     array);

G_END_DECLS
