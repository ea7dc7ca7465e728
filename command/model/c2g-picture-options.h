/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture-private.h"

G_BEGIN_DECLS

/* Returns the options of a command followed by those for pictures. */
GOptionEntry *c2g_picture_add_entries (const GOptionEntry  *entries,
                                       C2gPictureArguments *arguments);

/* Replaces a file name as mean, which is Caffe's mean image, by a number for each channel. */
gboolean c2g_picture_arguments_read_mean  (C2gPictureArguments        *self,
                                           GError                    **error);

G_END_DECLS
