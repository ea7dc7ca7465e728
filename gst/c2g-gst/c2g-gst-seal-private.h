/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>

G_BEGIN_DECLS

/* Seals a tensor before it is given to others. Fails with C2G_ERROR_BUSY if other tensors may write
 * to its memory. */
gboolean c2g_gst_seal (C2gTensor  *tensor,
                       GError    **error);

G_END_DECLS
