/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define C2G_TYPE_PAY (c2g_pay_get_type ())

G_DECLARE_FINAL_TYPE (C2gPay, c2g_pay, C2G, PAY, GstBaseTransform)
GST_ELEMENT_REGISTER_DECLARE (c2gpay)

G_END_DECLS
