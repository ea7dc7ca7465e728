/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* Frames of GStreamer 1.28 with tensors: they are in a GstTensorMeta, and a group in the field
 * “tensors” of the caps describes them. */

gboolean      c2g_gst_tensor_meta_is_stream   (const GstStructure  *structure);

/* Reads the GstTensorMetas of a writable buffer and attaches their tensors. Tensors beyond the
 * given names are named after their ids. */
gboolean      c2g_gst_tensor_meta_read        (GstBuffer           *buffer,
                                               const char *const   *names,
                                               GError             **error);

/* Describes the tensors in a group named after the first id. There is an id for each tensor. */
GstStructure *c2g_gst_tensor_meta_describe    (GPtrArray           *tensors,
                                               const char *const   *ids,
                                               GError             **error);
/* Returns caps of frames with the described group under the requested name; NULL if downstream
 * wants another one. */
GstCaps      *c2g_gst_tensor_meta_choose_caps (GstCaps             *frames,
                                               const GstStructure  *described,
                                               GstCaps             *wanted);
/* Adds a GstTensorMeta with the tensors to a writable buffer. The caps say the order of dimensions. */
gboolean      c2g_gst_tensor_meta_write       (GstBuffer           *buffer,
                                               GPtrArray           *tensors,
                                               const char *const   *ids,
                                               GstCaps             *caps,
                                               GError             **error);

G_END_DECLS
