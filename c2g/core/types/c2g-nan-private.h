/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <math.h>

#include <glib.h>

G_BEGIN_DECLS

/* Returns the value, or a plain NaN for any NaN. SpiderMonkey stores pointers in negative NaNs,
 * and gjs passes numbers to it unchanged: so a NaN from a file could be taken for an object. */
static inline double
c2g_with_plain_nan (double value)
{
  return isnan (value) ? (double) NAN : value;
}

G_END_DECLS
