/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The progress of work, shown as one line. */
typedef struct
{
  const char *title;
  guint64     n_bytes_done;
  /* 0 if the total is not known yet. */
  guint64     n_bytes_total;
  /* Time since the work began, in microseconds. */
  gint64      elapsed;
} C2gBar;

/* Formats at most max_width columns. Escape sequences for colours do not count. */
char *c2g_bar_to_string (const C2gBar *self,
                         gsize         max_width,
                         gboolean      is_utf8,
                         gboolean      has_colour);

G_END_DECLS
