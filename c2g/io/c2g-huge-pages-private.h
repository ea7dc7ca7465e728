/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Fresh memory of many megabytes that is about to be filled: the kernel gives it out in
 * pages of two megabytes, if it has them, instead of 4096 bytes, each of which takes longer
 * to get than to fill.  Only advice: nothing depends on it.
 */
void c2g_huge_pages_advise (gconstpointer data,
                            gsize         n_bytes);

G_END_DECLS
