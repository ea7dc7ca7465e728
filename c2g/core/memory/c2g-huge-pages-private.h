/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Asks for huge pages for memory that was just allocated and will be written completely.
 * Otherwise page faults take most of the time of reading into a fresh block. */
void c2g_huge_pages_prepare (gpointer memory,
                             gsize    n_bytes);

G_END_DECLS
