/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst-allocator.h>
#include <c2g-gst/c2g-gst-hold-private.h>

G_BEGIN_DECLS

/* The type and shape of a tensor over the bytes of others. */
typedef struct
{
  C2gDataType   data_type;
  const gint64 *dims;
  gsize         n_dims;
} C2gGstShape;

/* A read-only tensor over bytes, which are copied if they are not aligned, or if hold, which may be
 * NULL and a part of holder, would starve a pool.  Takes holder, and calls release with it once
 * nobody needs the bytes. */
C2gTensor *c2g_gst_tensor_new_over (const C2gGstShape  *shape,
                                    gpointer            data,
                                    gsize               n_bytes,
                                    GDestroyNotify      release,
                                    gpointer            holder,
                                    const C2gGstHold   *hold,
                                    GError            **error);

/* Seals a tensor that is about to be given to others; BUSY if other tensors may write to it. */
gboolean   c2g_gst_seal       (C2gTensor   *tensor,
                               GError     **error);
/* Memory over a part of a sealed storage. */
GstMemory *c2g_gst_memory_new (C2gStorage  *storage,
                               gsize        offset,
                               gsize        n_bytes);

G_END_DECLS
