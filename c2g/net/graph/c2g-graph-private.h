/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/def/c2g-net-def.h>
#include <c2g/def/c2g-operator-def.h>
#include <c2g/net/graph/c2g-optimize.h>
#include <c2g/net/operator/c2g-kernel-private.h>

G_BEGIN_DECLS

/* The data flow of a net in static single assignment form: each write to a blob makes a new
 * value. Blob names are assigned again when the graph is turned into a net. */

typedef struct _C2gGraphNode C2gGraphNode;

typedef struct
{
  char         *name;
  /* NULL for an input of the net. */
  C2gGraphNode *producer;
  /* Nodes that use the value, one entry for each use. */
  GPtrArray    *users;
  /* TRUE if the value must be in the blob of its name: it is an output of the net, or an operator
   * without known traits reads or writes it. */
  gboolean      is_fixed;
  /* TRUE for floats, and for the float16 that are there instead of floats. */
  gboolean      is_float;
  /* TRUE if the value is among the sources of the graph, or need not be: it was made from them. */
  gboolean      is_source;
  /* TRUE if the value is images that are NHWC now and were NCHW in the net. */
  gboolean      is_nhwc;
  /* TRUE if the value is float16 now and was float in the net. */
  gboolean      is_half;
  /* Used by passes: the value in the other layout or type, and the blob name in the new net. */
  gpointer      other;
  gpointer      place;
} C2gGraphValue;

struct _C2gGraphNode
{
  C2gOperatorDef *def;
  /* No traits and no role if the optimizer must leave the operator as it is. */
  C2gTraits       traits;
  C2gRole         role;
  /* Arrays of C2gGraphValue. */
  GPtrArray      *inputs;
  GPtrArray      *outputs;
};

typedef struct
{
  /* A copy; its operators are the definitions of the nodes. */
  C2gNetDef    *def;
  C2gWorkspace *workspace;
  /* The device of the net. Operators on others stay as they are. */
  C2gDevice    *device;
  /* In the order of the net. */
  GPtrArray    *nodes;
  GPtrArray    *values;
  /* Set of the names that the net writes or that the caller sets before each run. The present
   * content of such a blob is not a parameter. */
  GHashTable   *written;
  /* New parameters, in blobs that were created for the graph. */
  GPtrArray    *made;
  /* The parameters that passes asked for, or NULL if nobody wants to know them. Not owned. */
  GPtrArray    *sources;
} C2gGraph;

/* Works like c2g_net_def_optimize(), but the caller sets the blobs in GIVEN before each run, so
 * they are not parameters. Adds the parameters that the result depends on to SOURCES. Both may be
 * NULL. */
C2gNetDef     *c2g_net_def_optimize_for (C2gNetDef            *self,
                                         C2gWorkspace         *workspace,
                                         const char * const   *given,
                                         GPtrArray            *sources,
                                         C2gOptimizeFlags      flags,
                                         GError              **error);

/* A list of parameters, which remembers how they are when they are added. */
GPtrArray     *c2g_graph_sources_new    (void);
/* The blob holds a tensor of floats. Returns FALSE if nobody could find out later if they are the
 * same. */
gboolean       c2g_graph_sources_add    (GPtrArray            *self,
                                         C2gBlob              *blob);
/* Returns TRUE if all parameters are as they were then. */
gboolean       c2g_graph_sources_are_same (GPtrArray          *self);

/* Returns NULL for a net that the graph cannot represent: with control inputs, or nets in
 * arguments. */
C2gGraph      *c2g_graph_new            (C2gNetDef            *def,
                                         C2gWorkspace         *workspace,
                                         const char * const   *given);
void           c2g_graph_free           (C2gGraph       *self);

C2gGraphValue *c2g_graph_add_value      (C2gGraph       *self,
                                         const char     *name);
/* Inserts a node at the position, an operator of the type that has the role. */
C2gGraphNode  *c2g_graph_add_node       (C2gGraph       *self,
                                         guint           position,
                                         C2gRole         role);
/* Inserts a node with the type and the arguments of the other one, and without inputs and outputs. */
C2gGraphNode  *c2g_graph_add_node_like  (C2gGraph             *self,
                                         guint                 position,
                                         const C2gGraphNode   *like);
/* Turns the operator into one of the type that has the role. */
void           c2g_graph_set_role       (C2gGraphNode   *node,
                                         C2gRole         role);
/* Outputs that still have this node as producer then have none. */
void           c2g_graph_remove_node    (C2gGraph       *self,
                                         C2gGraphNode   *node);

void           c2g_graph_add_input      (C2gGraphNode   *node,
                                         C2gGraphValue  *value);
void           c2g_graph_set_input      (C2gGraphNode   *node,
                                         guint           index,
                                         C2gGraphValue  *value);
/* Makes VALUE, which another node produced before, the output INDEX of this node. */
void           c2g_graph_take_output    (C2gGraphNode   *node,
                                         guint           index,
                                         C2gGraphValue  *value);

/* Inserts a node, of the type that has the role, that makes one value of the other. */
void           c2g_graph_convert        (C2gGraph       *self,
                                         guint           position,
                                         C2gRole         role,
                                         C2gGraphValue  *from,
                                         C2gGraphValue  *to);

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

/* Returns the only user of a value that need not be in a blob, or NULL. */
C2gGraphNode  *c2g_graph_only_user      (const C2gGraphValue *value);
/* Returns FALSE for NULL. */
gboolean       c2g_graph_has_role       (const C2gGraphNode  *node,
                                         C2gRole              role);
/* Returns TRUE if the argument "order" is NHWC. */
gboolean       c2g_graph_is_nhwc        (const C2gGraphNode  *node);
/* Returns TRUE if the operator has an engine of this name on the CPU. */
gboolean       c2g_graph_knows_engine   (C2gOperatorDef      *def,
                                         const char          *engine);
/* Returns TRUE if the definition asks for an engine that exists. */
gboolean       c2g_graph_has_engine     (const C2gGraphNode  *node);
/* Returns TRUE for a fused convolution that adds its last input. */
gboolean       c2g_graph_adds           (const C2gGraphNode  *node);

/* Returns TRUE if the value is a parameter: a float blob that the net does not write, on the CPU if
 * the net is. */
gboolean       c2g_graph_has_parameter  (C2gGraph       *self,
                                         C2gGraphValue  *value);
/* Returns the tensor of a parameter, or NULL if the value is none. What is made of its elements is
 * made anew when they change. */
C2gTensor     *c2g_graph_find_parameter (C2gGraph       *self,
                                         C2gGraphValue  *value);
/* Creates a parameter in a new blob of the workspace, named after NAME and SUFFIX. */
C2gGraphValue *c2g_graph_add_parameter  (C2gGraph       *self,
                                         const char     *name,
                                         const char     *suffix,
                                         C2gTensor     **tensor,
                                         GError        **error);
/* Puts a tensor into a new blob, as a parameter made of VALUE. */
C2gGraphValue *c2g_graph_put_parameter  (C2gGraph             *self,
                                         const C2gGraphValue  *value,
                                         const char           *suffix,
                                         C2gTensor            *tensor,
                                         GError              **error);
/* Removes the new parameters from the workspace: all of them, or only the unused ones. */
void           c2g_graph_drop_parameters (C2gGraph      *self,
                                          gboolean       are_all);
/* Returns NAME, or NAME with a number, such that neither the net nor the workspace uses it. */
char          *c2g_graph_find_name      (C2gGraph       *self,
                                         const char     *name);

/* Optimization passes. After a failure the graph can only be discarded. */
void           c2g_graph_prune          (C2gGraph       *self);
gboolean       c2g_graph_fold           (C2gGraph       *self,
                                         GError        **error);
/* Turns each SpatialBN that has no Conv before it into a depthwise 1x1 Conv. This pays only with
 * engines that are fast for such a Conv. */
gboolean       c2g_graph_fold_alone     (C2gGraph       *self,
                                         GError        **error);
/* Makes one Conv for each input of a Concat that only a Conv reads, and the Sum of them. This pays
 * only if c2g_graph_fuse() follows. */
gboolean       c2g_graph_split_concats  (C2gGraph       *self,
                                         GError        **error);
void           c2g_graph_fuse           (C2gGraph       *self);
gboolean       c2g_graph_lay_out        (C2gGraph       *self,
                                         GError        **error);
/* Makes operators of a device compute with float16. */
gboolean       c2g_graph_halve          (C2gGraph       *self,
                                         GError        **error);

/* Returns TRUE if there is an engine that is faster with NHWC. Without one c2g_graph_lay_out()
 * changes nothing. */
gboolean       c2g_graph_can_lay_out    (void);

/* Makes a net of the graph. With shares_memory, values that are not needed at the same time share
 * a blob; without is_ordered only in place. Returns NULL if blob names cannot express the graph. */
C2gNetDef     *c2g_graph_to_net_def     (C2gGraph       *self,
                                         gboolean        shares_memory,
                                         gboolean        is_ordered);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gGraph, c2g_graph_free)

G_END_DECLS
