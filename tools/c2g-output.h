/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the command prints, with g_print() and by these functions: buffered, in the
 * locale's characters, and with an eye on whether it can be written. */
void     c2g_output_begin     (void);
/* As they are. */
void     c2g_output_bytes     (gconstpointer data,
                               gsize         n_bytes);
/* Tells whether nobody reads the output any more, or it cannot be written. */
gboolean c2g_output_is_broken (void);
/* Writes what is left; says why, if it could not all be written, but for a reader who
 * has gone away. */
gboolean c2g_output_end       (void);

/* One line on standard error. */
void c2g_output_error (const char *message);

G_END_DECLS
