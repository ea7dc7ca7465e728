/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>
#include <c2g/core/c2g-workspace.h>
#include <c2g/net/c2g-net-def.h>
#include <c2g/net/c2g-operator-def.h>

G_BEGIN_DECLS

/* What a net computes, without the names of its blobs: each time that an operator writes a
 * blob there is a new value (static single assignment).  Names come back at the end, when
 * the graph is made a net again. */

typedef struct _C2gGraphNode C2gGraphNode;

/* What is known of operators of a type, which makes it safe to change a net around them. */
typedef enum
{
  /* Nothing: it may look at blobs by their names, or remember what it saw. */
  C2G_TRAIT_NONE = 0,
  /* Outputs depend on inputs alone, and may be other blobs than these. */
  C2G_TRAIT_PURE = 1 << 0,
  /* The first output has float elements, whatever the inputs have. */
  C2G_TRAIT_FLOAT = 1 << 1,
  /* The first output has elements of the type of the first input. */
  C2G_TRAIT_SAME_TYPE = 1 << 2,
  /* All inputs have one shape, which is that of the first output, and no element of it
   * depends on others than those at its place. */
  C2G_TRAIT_ELEMENTWISE = 1 << 3,
  /* The first input and the output are images, in an order that an argument tells. */
  C2G_TRAIT_IMAGES = 1 << 4,
  /* Input 1 are filters of such images. */
  C2G_TRAIT_FILTERS = 1 << 5,
  /* The first output is the first input. */
  C2G_TRAIT_IDENTITY = 1 << 6,
} C2gTraits;

typedef struct
{
  char         *name;
  /* NULL if it comes from outside. */
  C2gGraphNode *producer;
  /* Nodes, as often as they use it. */
  GPtrArray    *users;
  /* Whether it has to be in the blob of its name: the net's output, or something that an
   * operator of which nothing is known reads or writes. */
  gboolean      is_fixed;
  gboolean      is_float;
  /* Whether it is images with the channels last, which were first in the net. */
  gboolean      is_nhwc;
  /* Of the passes: the value in the other order; where it is in the emitted net. */
  gpointer      other_order;
  gpointer      place;
} C2gGraphValue;

struct _C2gGraphNode
{
  C2gOperatorDef *def;
  C2gTraits       traits;
  /* Of C2gGraphValue. */
  GPtrArray      *inputs;
  GPtrArray      *outputs;
};

typedef struct
{
  /* A copy, of which the operators are those of the nodes. */
  C2gNetDef    *def;
  C2gWorkspace *workspace;
  /* In the order of the net. */
  GPtrArray    *nodes;
  GPtrArray    *values;
  /* Names that the net writes. */
  GHashTable   *written;
  /* Values in blobs that were made for the graph. */
  GPtrArray    *made;
} C2gGraph;

C2gTraits      c2g_graph_find_traits    (C2gOperatorDef *def);

/* NULL if the net has what no graph can tell: control inputs, nets within operators. */
C2gGraph      *c2g_graph_new            (C2gNetDef      *def,
                                         C2gWorkspace   *workspace);
void           c2g_graph_free           (C2gGraph       *self);

C2gGraphValue *c2g_graph_add_value      (C2gGraph       *self,
                                         const char     *name);
/* Becomes the node at that position; the definition is consumed. */
C2gGraphNode  *c2g_graph_add_node       (C2gGraph       *self,
                                         guint           position,
                                         C2gOperatorDef *def);
/* Its outputs have no producer any more, or the one that was made theirs. */
void           c2g_graph_remove_node    (C2gGraph       *self,
                                         C2gGraphNode   *node);

void           c2g_graph_add_input      (C2gGraphNode   *node,
                                         C2gGraphValue  *value);
void           c2g_graph_set_input      (C2gGraphNode   *node,
                                         guint           index,
                                         C2gGraphValue  *value);
/* The output of another node becomes that of this one. */
void           c2g_graph_take_output    (C2gGraphNode   *node,
                                         guint           index,
                                         C2gGraphValue  *value);

static inline C2gGraphValue *
c2g_graph_input (const C2gGraphNode *node,
                 guint               index)
{
  return index < node->inputs->len ? g_ptr_array_index (node->inputs, index) : NULL;
}

static inline C2gGraphValue *
c2g_graph_output (const C2gGraphNode *node,
                  guint               index)
{
  return index < node->outputs->len ? g_ptr_array_index (node->outputs, index) : NULL;
}

/* The node that alone uses a value which need not be in a blob; NULL if there is none. */
C2gGraphNode  *c2g_graph_only_user      (const C2gGraphValue *value);
gboolean       c2g_graph_is_type        (const C2gGraphNode  *node,
                                         const char          *op_type);
/* Whether it says that channels come last. */
gboolean       c2g_graph_is_nhwc        (const C2gGraphNode  *node);
/* Whether it asks for an engine that there is. */
gboolean       c2g_graph_has_engine     (const C2gGraphNode  *node);
/* Whether it is a convolution that adds its last input. */
gboolean       c2g_graph_adds           (const C2gGraphNode  *node);

/* What has been learned: float elements of a blob that the net does not write; NULL if the
 * value is none. */
C2gTensor     *c2g_graph_find_parameter (C2gGraph       *self,
                                         C2gGraphValue  *value);
/* A new one, in a blob of the workspace with a name like the one given. */
C2gGraphValue *c2g_graph_add_parameter  (C2gGraph       *self,
                                         const char     *name,
                                         const char     *suffix,
                                         C2gTensor     **tensor,
                                         GError        **error);
/* Takes all of them out of the workspace again, or those that are not used. */
void           c2g_graph_drop_parameters (C2gGraph      *self,
                                          gboolean       are_all);
/* One that nothing in the net and nothing in the workspace has: the name itself, or one
 * like it. */
char          *c2g_graph_find_name      (C2gGraph       *self,
                                         const char     *name);

/* The passes; they change the graph or leave it. */
void           c2g_graph_prune          (C2gGraph       *self);
gboolean       c2g_graph_fold           (C2gGraph       *self,
                                         GError        **error);
/* What has no Conv to be folded into becomes one; good with engines that are fast with it. */
gboolean       c2g_graph_fold_alone     (C2gGraph       *self,
                                         GError        **error);
void           c2g_graph_fuse           (C2gGraph       *self);
gboolean       c2g_graph_lay_out        (C2gGraph       *self,
                                         GError        **error);

/* Whether there is an engine for which the layout would be changed. */
gboolean       c2g_graph_can_lay_out    (void);

/* A net of the graph.  Where shares_memory, values that are not needed at the same time are in
 * the same blob; if operators do not run in their order, in place alone.  NULL if no names can
 * tell what the graph computes. */
C2gNetDef     *c2g_graph_to_net_def     (C2gGraph       *self,
                                         gboolean        shares_memory,
                                         gboolean        is_ordered);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gGraph, c2g_graph_free)

G_END_DECLS
