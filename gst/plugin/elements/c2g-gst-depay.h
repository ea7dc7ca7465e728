/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbaseparse.h>

G_BEGIN_DECLS

#define C2G_TYPE_DEPAY (c2g_depay_get_type ())

G_DECLARE_FINAL_TYPE (C2gDepay, c2g_depay, C2G, DEPAY, GstBaseParse)
GST_ELEMENT_REGISTER_DECLARE (c2gdepay)

G_END_DECLS
