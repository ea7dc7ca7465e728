/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* IEEE 754 binary16 and bfloat16 as bit patterns.  Rounding to nearest even;
 * finite values beyond ±65504 saturate, as NVCaffe does.
 */
guint16 c2g_float16_from_float   (float   value);
guint16 c2g_float16_from_double  (double  value);
float   c2g_float16_to_float     (guint16 bits);
guint16 c2g_bfloat16_from_float  (float   value);
guint16 c2g_bfloat16_from_double (double  value);
float   c2g_bfloat16_to_float    (guint16 bits);

G_END_DECLS
