/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns BUFFER if nobody else holds it, otherwise a copy, which shares the memory that can be shared. Posts an error of
 * ELEMENT and returns NULL if there is no memory for the copy. */
GstBuffer *c2g_gst_copy_if_held       (GstElement *element,
                                       GstBuffer  *buffer);

/* The same. Takes ownership of BUFFER. */
GstBuffer *c2g_gst_copy_make_writable (GstElement *element,
                                       GstBuffer  *buffer);

G_END_DECLS
