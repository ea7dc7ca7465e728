/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

/* For PRId64 and PRIu64: xgettext cannot read a message with GLib's format macros. */
#include <inttypes.h>

G_BEGIN_DECLS

/* Like <glib/gi18n-lib.h>, for a library without an initialization function. */
#define _(message)  c2g_gettext (message)
#define N_(message) (message)

const char *c2g_gettext (const char *message) G_GNUC_FORMAT (1);

G_END_DECLS
