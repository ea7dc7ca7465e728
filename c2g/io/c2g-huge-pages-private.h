/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Memory that has just been allocated is about to be written from end to end: asks the
 * system for it in large pieces.  Of a fresh block most of the time of reading goes into
 * getting its pages one by one. */
void c2g_huge_pages_prepare (gpointer memory,
                             gsize    n_bytes);

G_END_DECLS
