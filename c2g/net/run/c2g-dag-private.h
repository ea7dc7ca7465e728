/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <c2g/net/operator/c2g-operator-private.h>

G_BEGIN_DECLS

/* A sequence of nodes where each depends only on the one before it, so that one thread runs them
 * without waiting. */
typedef struct
{
  const guint *nodes;
  guint        n_nodes;
  /* Chains that wait for this one. */
  const guint *children;
  guint        n_children;
  /* Number of chains that must end before this one starts. */
  guint        n_parents;
  /* Group of all nodes of the chain. */
  guint        group;
} C2gChain;

/* A dependency graph. It finds which steps of a sequence wait for which others from the things
 * that each step reads and writes. */
typedef struct _C2gDag C2gDag;

C2gDag         *c2g_dag_new         (void);
void            c2g_dag_free        (C2gDag        *self);

/* Adds the next step of the sequence. All nodes of a chain are of the same group. */
guint           c2g_dag_add_node    (C2gDag        *self,
                                     guint          group);
/* Notes what the last node reads and writes. All reads of a node must be added before its
 * writes. */
void            c2g_dag_add_read    (C2gDag        *self,
                                     gconstpointer  thing);
void            c2g_dag_add_write   (C2gDag        *self,
                                     gconstpointer  thing);
/* Computes the chains. To be called once, after the last node. */
void            c2g_dag_finish      (C2gDag        *self);

/* The chains are ordered by their first nodes. */
const C2gChain *c2g_dag_get_chains  (const C2gDag  *self,
                                     guint         *n_chains);

/* Groups of nodes: ANY runs in any thread, CALLER only in the thread that runs the net. */
enum
{
  C2G_DAG_GROUP_ANY,
  C2G_DAG_GROUP_CALLER,
};

/* Builds the dependency graph of the operators of a net, with the nets in their arguments. */
C2gDag *c2g_dag_new_for_operators (C2gOperator **operators,
                                   guint         n_operators);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gDag, c2g_dag_free)

G_END_DECLS
