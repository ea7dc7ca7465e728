/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

/* Registers the operators of all files in this folder. */

#define REGISTER(name) c2g_ops_register_##name ();

void
c2g_ops_register_all (void)
{
  C2G_OPS_FILES (REGISTER)
}
