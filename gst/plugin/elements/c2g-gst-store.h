/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasesink.h>

G_BEGIN_DECLS

#define C2G_TYPE_STORE (c2g_store_get_type ())

G_DECLARE_FINAL_TYPE (C2gStore, c2g_store, C2G, STORE, GstBaseSink)
GST_ELEMENT_REGISTER_DECLARE (c2gstore)

G_END_DECLS
