/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends the names that are similar to a mistyped one to an error message, which it consumes, the
 * most similar first. Returns the message. */
char *c2g_similar_add (char              *message,
                       const char *const *names,
                       const char        *name);

G_END_DECLS
