/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst-allocator.h>
#include <c2g-gst/c2g-gst-geometry.h>
#include <c2g-gst/c2g-gst-hold-private.h>
#include <c2g-gst/c2g-gst-seal-private.h>

G_BEGIN_DECLS

/* Type and shape of a tensor over foreign bytes. */
typedef struct
{
  C2gDataType   data_type;
  const gint64 *dims;
  gsize         n_dims;
} C2gGstShape;

/* Creates a read-only tensor over the bytes. They are copied if they are not aligned, or if HOLD
 * (may be NULL; a part of HOLDER) would leave a pool without buffers. Takes ownership of HOLDER and
 * calls RELEASE with it when the bytes are not needed any more. */
C2gTensor *c2g_gst_tensor_new_over (const C2gGstShape  *shape,
                                    gpointer            data,
                                    gsize               n_bytes,
                                    GDestroyNotify      release,
                                    gpointer            holder,
                                    const C2gGstHold   *hold,
                                    GError            **error);

/* Creates a tensor in memory of its own. The caller fills BYTES, and then seals the tensor. */
C2gTensor *c2g_gst_tensor_new_room (const C2gGstShape  *shape,
                                    gsize               n_bytes,
                                    gpointer           *bytes,
                                    GError            **error);

/* Returns a GstMemory over a part of a sealed storage. */
GstMemory *c2g_gst_memory_new (C2gStorage  *storage,
                               gsize        offset,
                               gsize        n_bytes);

/* Sets the error about a tensor that is not one of NAMES. */
void c2g_gst_set_no_tensor (const char         *name,
                            const char *const  *names,
                            GError            **error);

/* Returns the geometry for a frame that was scaled by these factors. */
C2gGstGeometry *c2g_gst_geometry_scale (C2gGstGeometry *self,
                                        double          x,
                                        double          y);

G_END_DECLS
