/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-kernel-private.h>

G_BEGIN_DECLS

/* One a family: each registers what its file has. */

void c2g_ops_register_batch_matmul (void);
void c2g_ops_register_conv (void);
void c2g_ops_register_conv_transpose (void);
void c2g_ops_register_fc (void);
void c2g_ops_register_lc (void);
void c2g_ops_register_matmul (void);

G_END_DECLS
