/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "support/c2g-gst-rounds.h"

G_BEGIN_DECLS

#define C2G_TYPE_TENSOR_MUX (c2g_tensor_mux_get_type ())

G_DECLARE_FINAL_TYPE (C2gTensorMux, c2g_tensor_mux, C2G, TENSOR_MUX, C2gRounds)
GST_ELEMENT_REGISTER_DECLARE (c2gtensormux)

G_END_DECLS
