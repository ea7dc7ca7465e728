/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstpushsrc.h>

G_BEGIN_DECLS

#define C2G_TYPE_LOAD (c2g_load_get_type ())

G_DECLARE_FINAL_TYPE (C2gLoad, c2g_load, C2G, LOAD, GstPushSrc)
GST_ELEMENT_REGISTER_DECLARE (c2gload)

G_END_DECLS
