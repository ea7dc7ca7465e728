/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the columns of the terminal; 0 if it is not a terminal or its size is not known. */
gsize    c2g_terminal_get_width  (int fd);
/* Returns TRUE if output may have colours: for a terminal, unless the user has disabled them. */
gboolean c2g_terminal_has_colour (int fd);
/* Returns TRUE if a line can be overwritten by the next one. */
gboolean c2g_terminal_can_redraw (int fd);

G_END_DECLS
