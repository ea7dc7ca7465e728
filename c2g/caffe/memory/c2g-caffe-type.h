/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-data-type.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
C2gDataType c2g_data_type_from_caffe (int           number,
                                      GError      **error);
C2G_AVAILABLE_IN_ALL
int         c2g_data_type_to_caffe   (C2gDataType   data_type);

G_END_DECLS
