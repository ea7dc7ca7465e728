/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Columns of the terminal behind a file descriptor; 0 if it is none, or does not say. */
gsize    c2g_terminal_get_width  (int fd);
/* Tells whether to print in bold there: for people who look, and did not ask for none. */
gboolean c2g_terminal_has_colour (int fd);
/* Tells whether a line there can be written over by the next. */
gboolean c2g_terminal_can_redraw (int fd);

G_END_DECLS
