/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Prints a table of the times of a net's operators. */
void c2g_profile_print    (C2gNetBenchmark *benchmark,
                           gboolean         has_colour);
/* Adds the member "operators". */
void c2g_profile_add_json (C2gNetBenchmark *benchmark,
                           JsonBuilder     *builder);

G_END_DECLS
