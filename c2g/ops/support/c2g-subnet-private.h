/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-kernel-private.h>
#include <c2g/net/run/c2g-net.h>

G_BEGIN_DECLS

/* Nets inside of operators. */

/* Finds the net in an argument. Sets *def to NULL and returns TRUE if the argument is missing and
 * not required. */
gboolean    c2g_subnet_find_def  (C2gOperator   *op,
                                  const char    *name,
                                  gboolean       is_required,
                                  C2gNetDef    **def,
                                  GError       **error);
/* Creates a net on a workspace, which may differ from the operator's. It runs on the operator's
 * device unless its definition names another one. */
C2gNet     *c2g_subnet_new       (C2gOperator   *op,
                                  C2gNetDef     *def,
                                  C2gWorkspace  *workspace,
                                  GError       **error);
/* Runs the net. Cancelling the outer net cancels it too. */
gboolean    c2g_subnet_run       (C2gOperator   *op,
                                  C2gNet        *net,
                                  GError       **error);

/* Reads a condition, an input of one element: a bool, or an integer where 0 is FALSE. */
gboolean    c2g_subnet_condition (C2gOperator   *op,
                                  guint          input,
                                  gboolean      *is_true,
                                  GError       **error);

G_END_DECLS
