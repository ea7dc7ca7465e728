/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture-private.h"

G_BEGIN_DECLS

/* Reads the .modelinfo file that GStreamer 1.28 puts beside a model, with a group for each tensor. */

/* Loads the file beside the net, and gives its name for errors. Returns NULL without an error if there is none. */
GKeyFile *c2g_model_info_load     (GFile                *net,
                                   char                **name,
                                   GCancellable         *cancellable,
                                   GError              **error);

/* Parses the text of such a file. */
GKeyFile *c2g_model_info_parse    (const char           *text,
                                   GError              **error);

/* Returns the dimensions of an input, outermost first; unspecified ones are negative. *IS_BYTES is
 * TRUE if its elements are bytes. Returns NULL if the file does not describe the input. */
gint64   *c2g_model_info_dup_dims (GKeyFile             *self,
                                   const char           *input,
                                   gsize                *n_dims,
                                   gboolean             *is_bytes);
/* Sets options that are not set yet: the channels, which are RGB in GStreamer, and mean and scale
 * from the ranges of the input. Without ranges the values are 0 to 255. */
gboolean  c2g_model_info_fill     (GKeyFile             *self,
                                   const char           *input,
                                   gsize                 n_channels,
                                   C2gPictureArguments  *arguments,
                                   GError              **error);

G_END_DECLS
