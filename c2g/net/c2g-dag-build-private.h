/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-dag-private.h>
#include <c2g/net/c2g-operator-private.h>

G_BEGIN_DECLS

/* Nodes for any thread, and for the one that runs the net. */
enum
{
  C2G_DAG_GROUP_ANY,
  C2G_DAG_GROUP_CALLER,
};

/* Which operators of a net have to wait for which others, nets in them included. */
C2gDag *c2g_dag_new_for_operators (C2gOperator **operators,
                                   guint         n_operators);

G_END_DECLS
