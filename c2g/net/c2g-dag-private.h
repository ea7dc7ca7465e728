/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Nodes that follow each other with nothing to wait for between them. */
typedef struct
{
  const guint *nodes;
  guint        n_nodes;
  /* Chains that may begin when this one is over. */
  const guint *children;
  guint        n_children;
  /* How many chains must be over before this one begins. */
  guint        n_parents;
  /* That of all its nodes. */
  guint        group;
} C2gChain;

/* Which steps of a sequence have to wait for which others, from what they read and write. */
typedef struct _C2gDag C2gDag;

C2gDag         *c2g_dag_new         (void);
void            c2g_dag_free        (C2gDag        *self);

/* The next step of the sequence; only nodes of one group are in a chain. */
guint           c2g_dag_add_node    (C2gDag        *self,
                                     guint          group);
/* What the last node reads and writes; all reads come before the writes. */
void            c2g_dag_add_read    (C2gDag        *self,
                                     gconstpointer  thing);
void            c2g_dag_add_write   (C2gDag        *self,
                                     gconstpointer  thing);
/* Finds the chains, when all nodes are there. */
void            c2g_dag_finish      (C2gDag        *self);

guint           c2g_dag_get_n_nodes (const C2gDag  *self);
/* In the order of their first nodes. */
const C2gChain *c2g_dag_get_chains  (const C2gDag  *self,
                                     guint         *n_chains);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gDag, c2g_dag_free)

G_END_DECLS
