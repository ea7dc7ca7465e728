/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Frames of GStreamer 1.28 that carry tensors: a GstTensorMeta has them, and the field “tensors” of the caps has
 * a group that describes them. */

gboolean      c2g_gst_tensor_meta_is_stream   (const GstStructure  *structure);

/* Attaches the tensors that the metas of a writable buffer have.  Those without a name keep their ids. */
gboolean      c2g_gst_tensor_meta_read        (GstBuffer           *buffer,
                                               const char *const   *names,
                                               GError             **error);

/* Describes tensors in a group that is called as the first one.  There are as many ids. */
GstStructure *c2g_gst_tensor_meta_describe    (GPtrArray           *tensors,
                                               const char *const   *ids,
                                               GError             **error);
/* Chooses caps of frames with the described group, called as the one that is wanted; NULL if no such are. */
GstCaps      *c2g_gst_tensor_meta_choose_caps (GstCaps             *frames,
                                               const GstStructure  *described,
                                               GstCaps             *wanted);
/* Attaches a meta with the tensors, in the order of dimensions that the caps say, to a writable buffer. */
gboolean      c2g_gst_tensor_meta_write       (GstBuffer           *buffer,
                                               GPtrArray           *tensors,
                                               const char *const   *ids,
                                               GstCaps             *caps,
                                               GError             **error);

G_END_DECLS
