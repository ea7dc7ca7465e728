/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The command and the plugin for GStreamer compile this file, too. */
#include <glib.h>

G_BEGIN_DECLS

/* The shape of an input, as a file beside the model gives it. Open dimensions are negative, and others may be, too. */
typedef struct
{
  gint64   *dims;
  gsize     n_dims;
  gboolean  is_bytes;
  /* TRUE if the file is a .modelinfo. */
  gboolean  is_info;
} C2gInputShape;

void        c2g_input_shape_free (gpointer    self);

/* Reads value_info.json, in which Caffe2 describes inputs: {"data": [1, [1, 3, 227, 227]]}, a data type and dimensions.
 * Returns shapes by the names of inputs. Reading ends at the first thing that is not understood, because other
 * programs write the file, and it is only a hint. */
GHashTable *c2g_value_info_parse (const char *text);

G_END_DECLS
