/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_SOUND_OPTIONS (c2g_sound_options_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gSoundOptions, c2g_sound_options, C2G, SOUND_OPTIONS, GObject)

C2G_AVAILABLE_IN_ALL
C2gSoundOptions *c2g_sound_options_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
