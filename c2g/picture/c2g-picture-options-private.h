/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/picture/c2g-picture-options.h>
#include <c2g/picture/c2g-picture-private.h>

G_BEGIN_DECLS

struct _C2gPictureOptions
{
  GObject             parent_instance;

  C2gPictureArguments arguments;
};

/* Parses the options; default ones for NULL. */
gboolean c2g_picture_options_get_form (C2gPictureOptions  *self,
                                       C2gPictureForm     *form,
                                       GError            **error);

G_END_DECLS
