/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <math.h>

#include <glib.h>

G_BEGIN_DECLS

/* The number, or the one NaN that every language knows.  SpiderMonkey keeps its pointers in
 * negative NaNs, and gjs hands it numbers as they come: one of a file would be an object. */
static inline double
c2g_with_plain_nan (double value)
{
  return isnan (value) ? (double) NAN : value;
}

G_END_DECLS
