/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-kernel-private.h>
#include <c2g/net/c2g-net.h>

G_BEGIN_DECLS

/* Nets in operators. */

/* The net that an argument is.  True with NULL if there is no such argument and none is
 * required. */
gboolean    c2g_subnet_find_def  (C2gOperator   *op,
                                  const char    *name,
                                  gboolean       is_required,
                                  C2gNetDef    **def,
                                  GError       **error);
/* A net on a workspace, which need not be that of the operator.  It runs where the operator
 * does unless it says something else. */
C2gNet     *c2g_subnet_new       (C2gOperator   *op,
                                  C2gNetDef     *def,
                                  C2gWorkspace  *workspace,
                                  GError       **error);
/* Cancelled with the net that the operator is in. */
gboolean    c2g_subnet_run       (C2gOperator   *op,
                                  C2gNet        *net,
                                  GError       **error);

/* Whether an input, of one element, is true: a bool, or an integer that is not 0. */
gboolean    c2g_subnet_condition (C2gOperator   *op,
                                  guint          input,
                                  gboolean      *is_true,
                                  GError       **error);

G_END_DECLS
