/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-model.h"
#include "c2g-picture.h"

G_BEGIN_DECLS

/* The .modelinfo that GStreamer 1.28 has beside models: a group for each tensor. */

/* Loads the file beside the nets.  NULL without an error if there is none. */
GKeyFile *c2g_model_info_load     (C2gModel             *model,
                                   GCancellable         *cancellable,
                                   GError              **error);

/* Returns the dimensions of an input, the outermost first, of which those that are open are below 0, and whether
 * its elements are bytes.  NULL if nothing is known. */
gint64   *c2g_model_info_dup_dims (GKeyFile             *self,
                                   const char           *input,
                                   gsize                *n_dims,
                                   gboolean             *is_bytes);
/* Sets what is not set: the channels, which GStreamer orders as RGB, and mean and scale from the ranges of the
 * input.  Where it has none, they are 0 to 255. */
gboolean  c2g_model_info_fill     (GKeyFile             *self,
                                   const char           *input,
                                   C2gPictureArguments  *arguments,
                                   GError              **error);

G_END_DECLS
