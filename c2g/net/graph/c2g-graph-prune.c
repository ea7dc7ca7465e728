/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

/* Removes operators that do nothing or whose outputs are not used. */

static gboolean
is_wanted (const C2gGraphNode *node)
{
  gboolean is_wanted = (node->traits & C2G_TRAIT_PURE) == 0;

  for (guint i = 0; i < node->outputs->len; i++)
    {
      const C2gGraphValue *output = c2g_graph_output (node, i);

      is_wanted |= output->producer == node && (output->is_fixed || output->users->len > 0);
    }
  return is_wanted;
}

static void
replace_uses (C2gGraphValue *value,
              C2gGraphValue *other)
{
  while (value->users->len > 0)
    {
      C2gGraphNode *user = g_ptr_array_index (value->users, 0);

      for (guint i = 0; i < user->inputs->len; i++)
        if (c2g_graph_input (user, i) == value)
          {
            c2g_graph_set_input (user, i, other);
            break;
          }
    }
}

/* Bypasses an identity operator: users of its output read its input or, if the output is fixed,
 * the producer of the input writes the output directly. */
static void
short_cut (C2gGraphNode *node)
{
  C2gGraphValue *input = c2g_graph_input (node, 0);
  C2gGraphValue *output = c2g_graph_output (node, 0);
  guint index;

  if (!output->is_fixed)
    replace_uses (output, input);
  else if (c2g_graph_only_user (input) == node && input->producer != NULL &&
           g_ptr_array_find (input->producer->outputs, input, &index))
    c2g_graph_take_output (input->producer, index, output);
}

void
c2g_graph_prune (C2gGraph *self)
{
  for (guint i = self->nodes->len; i > 0; i--)
    {
      C2gGraphNode *node = g_ptr_array_index (self->nodes, i - 1);

      if ((node->traits & C2G_TRAIT_IDENTITY) != 0)
        short_cut (node);
      if (!is_wanted (node))
        c2g_graph_remove_node (self, node);
    }
}
