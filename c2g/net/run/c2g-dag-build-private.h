/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-operator-private.h>
#include <c2g/net/run/c2g-dag-private.h>

G_BEGIN_DECLS

/* Groups of nodes: ANY runs in any thread, CALLER only in the thread that runs the net. */
enum
{
  C2G_DAG_GROUP_ANY,
  C2G_DAG_GROUP_CALLER,
};

/* Builds the dependency graph of the operators of a net, with the nets in their arguments. */
C2gDag *c2g_dag_new_for_operators (C2gOperator **operators,
                                   guint         n_operators);

G_END_DECLS
