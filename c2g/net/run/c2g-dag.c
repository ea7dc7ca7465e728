/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-dag-private.h>

/* A dependency graph of steps, and its division into chains that one thread can run. */

/* Limit on the steps that search for a longer path to a parent. It bounds the time for large
 * nets. */
#define MAX_STEPS 4096

#define NO_NODE G_MAXUINT

typedef struct
{
  GArray *parents;
  guint   n_children;
  guint   group;
  /* The last child that was found, and the chain of the node. */
  guint   child;
  guint   chain;
  /* The last node of which this node was found to be an ancestor. */
  guint   ancestor_of;
} Node;

/* Nodes that used a thing last. */
typedef struct
{
  guint   writer;
  /* Nodes that have read the thing since it was written. */
  GArray *readers;
} Thing;

struct _C2gDag
{
  GArray     *nodes;
  GHashTable *things;

  GArray     *chains;
  guint      *chain_nodes;
  guint      *chain_children;
};

static void
node_clear (gpointer data)
{
  Node *self = data;

  g_array_unref (self->parents);
}

static void
thing_free (gpointer data)
{
  Thing *self = data;

  g_array_unref (self->readers);
  g_free (self);
}

C2gDag *
c2g_dag_new (void)
{
  C2gDag *self = g_new0 (C2gDag, 1);

  self->nodes = g_array_new (FALSE, TRUE, sizeof (Node));
  g_array_set_clear_func (self->nodes, node_clear);
  self->things = g_hash_table_new_full (NULL, NULL, NULL, thing_free);
  self->chains = g_array_new (FALSE, TRUE, sizeof (C2gChain));
  return self;
}

void
c2g_dag_free (C2gDag *self)
{
  g_array_unref (self->nodes);
  g_hash_table_unref (self->things);
  g_array_unref (self->chains);
  g_free (self->chain_nodes);
  g_free (self->chain_children);
  g_free (self);
}

static Node *
get_node (const C2gDag *self,
          guint         node)
{
  return &g_array_index (self->nodes, Node, node);
}

guint
c2g_dag_add_node (C2gDag *self,
                  guint   group)
{
  Node node = { .parents = g_array_new (FALSE, FALSE, sizeof (guint)), .group = group };

  node.child = NO_NODE;
  node.ancestor_of = NO_NODE;
  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

static Thing *
ensure_thing (C2gDag        *self,
              gconstpointer  key)
{
  Thing *thing = g_hash_table_lookup (self->things, key);

  if (thing == NULL)
    {
      thing = g_new0 (Thing, 1);
      thing->writer = NO_NODE;
      thing->readers = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (self->things, (gpointer) key, thing);
    }

  return thing;
}

static void
add_parent (C2gDag *self,
            guint   parent)
{
  guint last = self->nodes->len - 1;

  if (parent == NO_NODE || parent == last || get_node (self, parent)->child == last)
    return;

  get_node (self, parent)->child = last;
  g_array_append_val (get_node (self, last)->parents, parent);
}

void
c2g_dag_add_read (C2gDag        *self,
                  gconstpointer  key)
{
  Thing *thing = ensure_thing (self, key);
  guint last = self->nodes->len - 1;

  add_parent (self, thing->writer);
  g_array_append_val (thing->readers, last);
}

void
c2g_dag_add_write (C2gDag        *self,
                   gconstpointer  key)
{
  Thing *thing = ensure_thing (self, key);

  add_parent (self, thing->writer);
  for (guint i = 0; i < thing->readers->len; i++)
    add_parent (self, g_array_index (thing->readers, guint, i));

  thing->writer = self->nodes->len - 1;
  g_array_set_size (thing->readers, 0);
}

static guint
get_first_parent (const Node *node)
{
  guint first = NO_NODE;

  for (guint i = 0; i < node->parents->len; i++)
    first = MIN (first, g_array_index (node->parents, guint, i));
  return first;
}

/* Marks the ancestors of the node's parents. Nodes before the first parent are skipped, since
 * they cannot be parents. */
static void
mark_ancestors (C2gDag *self,
                guint   index,
                GArray *stack)
{
  const Node *node = get_node (self, index);
  guint first = get_first_parent (node);

  g_array_set_size (stack, 0);
  g_array_append_vals (stack, node->parents->data, node->parents->len);
  for (guint n_steps = 0; stack->len > 0 && n_steps < MAX_STEPS;)
    {
      guint last = g_array_index (stack, guint, stack->len - 1);
      GArray *parents = get_node (self, last)->parents;

      g_array_set_size (stack, stack->len - 1);
      n_steps += 1 + parents->len;
      for (guint i = 0; i < parents->len; i++)
        {
          guint parent = g_array_index (parents, guint, i);

          if (parent < first || get_node (self, parent)->ancestor_of == index)
            continue;
          get_node (self, parent)->ancestor_of = index;
          g_array_append_val (stack, parent);
        }
    }
}

/* Transitive reduction: drops a parent that is also an ancestor of another parent. A search that
 * reaches the limit of steps leaves some edges in; they cost time but change no result. */
static void
drop_needless_parents (C2gDag *self)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->nodes->len; i++)
    {
      GArray *parents = get_node (self, i)->parents;

      if (parents->len < 2)
        continue;
      mark_ancestors (self, i, stack);
      for (guint j = parents->len; j > 0; j--)
        if (get_node (self, g_array_index (parents, guint, j - 1))->ancestor_of == i)
          g_array_remove_index (parents, j - 1);
    }
}

static void
find_children (C2gDag *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      GArray *parents = get_node (self, i)->parents;

      for (guint j = 0; j < parents->len; j++)
        {
          Node *parent = get_node (self, g_array_index (parents, guint, j));

          parent->n_children++;
          parent->child = i;
        }
    }
}

static gboolean
is_only_child_of (C2gDag *self,
                  guint   index,
                  guint   parent)
{
  const Node *node = get_node (self, index);

  return get_node (self, parent)->n_children == 1 && node->parents->len == 1 &&
         node->group == get_node (self, parent)->group;
}

/* Adds the chain that begins with the node INDEX. Returns the number of its nodes. */
static guint
add_chain (C2gDag *self,
           guint   index,
           guint  *nodes)
{
  C2gChain chain = { .nodes = nodes, .group = get_node (self, index)->group };

  chain.n_parents = get_node (self, index)->parents->len;
  for (;;)
    {
      Node *node = get_node (self, index);

      nodes[chain.n_nodes++] = index;
      node->chain = self->chains->len;
      if (node->n_children != 1 || !is_only_child_of (self, node->child, index))
        break;
      index = node->child;
    }

  chain.n_children = get_node (self, index)->n_children;
  g_array_append_val (self->chains, chain);
  return chain.n_nodes;
}

static void
find_chains (C2gDag *self)
{
  guint *nodes = self->chain_nodes = g_new (guint, self->nodes->len + 1);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      GArray *parents = get_node (self, i)->parents;

      if (parents->len != 1 || !is_only_child_of (self, i, g_array_index (parents, guint, 0)))
        nodes += add_chain (self, i, nodes);
    }
}

static void
link_chains (C2gDag *self)
{
  guint **ends = g_new (guint *, self->chains->len + 1);
  guint n_children = 0;

  for (guint i = 0; i < self->chains->len; i++)
    n_children += g_array_index (self->chains, C2gChain, i).n_children;
  self->chain_children = g_new (guint, n_children + 1);

  n_children = 0;
  for (guint i = 0; i < self->chains->len; i++)
    {
      C2gChain *chain = &g_array_index (self->chains, C2gChain, i);

      ends[i] = self->chain_children + n_children;
      chain->children = ends[i];
      n_children += chain->n_children;
    }

  for (guint i = 0; i < self->chains->len; i++)
    {
      const C2gChain *chain = &g_array_index (self->chains, C2gChain, i);
      GArray *parents = get_node (self, chain->nodes[0])->parents;

      for (guint j = 0; j < parents->len; j++)
        *ends[get_node (self, g_array_index (parents, guint, j))->chain]++ = i;
    }
  g_free (ends);
}

void
c2g_dag_finish (C2gDag *self)
{
  drop_needless_parents (self);
  find_children (self);
  find_chains (self);
  link_chains (self);
}

const C2gChain *
c2g_dag_get_chains (const C2gDag *self,
                    guint        *n_chains)
{
  *n_chains = self->chains->len;
  return (const C2gChain *) (gconstpointer) self->chains->data;
}
