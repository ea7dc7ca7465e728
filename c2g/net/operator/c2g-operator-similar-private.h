/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the type that was meant by an unknown one, or NULL. It is the one of TYPES whose name has
 * other capitals, or else the one that another framework calls so, or else the first of TYPES, in order
 * of the alphabet, that is one slip away. A name of up to three letters is near others by chance, so
 * only its capitals may differ. TYPES ends with NULL and may have any order. */
const char *c2g_operator_similar_find (const char *const *types,
                                       const char        *op_type);

G_END_DECLS
