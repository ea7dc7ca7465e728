/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One step of n units of a sequence; gates are 4 n numbers: input, forget, output and candidate.
 * cells_after may be cells. */
void c2g_lstm_row (const float *gates,
                   float        forget_bias,
                   const float *cells,
                   float       *hidden_after,
                   float       *cells_after,
                   gint64       n);

G_END_DECLS
