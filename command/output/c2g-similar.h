/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Finds names of C2gFileEntry that are similar to a name, the most similar first. Returns how
 * many. */
guint c2g_similar_names (GPtrArray   *entries,
                         const char  *name,
                         const char **similar,
                         guint        max_similar);

G_END_DECLS
