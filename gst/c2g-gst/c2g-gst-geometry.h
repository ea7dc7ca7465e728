/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_GST_INSIDE) && !defined (C2G_GST_COMPILATION)
# error "Only <c2g-gst/c2g-gst.h> can be included directly."
#endif

#include <c2g/c2g.h>

G_BEGIN_DECLS

#define C2G_GST_TYPE_GEOMETRY (c2g_gst_geometry_get_type ())

typedef struct _C2gGstGeometry C2gGstGeometry;

C2G_AVAILABLE_IN_ALL
GType           c2g_gst_geometry_get_type   (void);

C2G_AVAILABLE_IN_ALL
C2gGstGeometry *c2g_gst_geometry_new        (guint           width,
                                             guint           height,
                                             const double   *matrix) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gGstGeometry *c2g_gst_geometry_ref        (C2gGstGeometry *self);
C2G_AVAILABLE_IN_ALL
void            c2g_gst_geometry_unref      (C2gGstGeometry *self);

C2G_AVAILABLE_IN_ALL
guint           c2g_gst_geometry_get_width  (C2gGstGeometry *self);
C2G_AVAILABLE_IN_ALL
guint           c2g_gst_geometry_get_height (C2gGstGeometry *self);

C2G_AVAILABLE_IN_ALL
void            c2g_gst_geometry_map_point  (C2gGstGeometry *self,
                                             double          x,
                                             double          y,
                                             double         *source_x,
                                             double         *source_y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gGstGeometry, c2g_gst_geometry_unref)

G_END_DECLS
