/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-optimize.h>

#include <c2g/def/c2g-net-def-private.h>
#include <c2g/net/graph/c2g-graph-private.h>
#include <c2g/net/run/c2g-net-check-private.h>
#include <c2g/net/run/c2g-net-private.h>

/* c2g_net_def_optimize(): builds the graph, runs the passes that the flags allow, and makes a net
 * again. */

G_DEFINE_FLAGS_TYPE (C2gOptimizeFlags, c2g_optimize_flags,
                     G_DEFINE_ENUM_VALUE (C2G_OPTIMIZE_NONE, "none"),
                     G_DEFINE_ENUM_VALUE (C2G_OPTIMIZE_PRUNE, "prune"),
                     G_DEFINE_ENUM_VALUE (C2G_OPTIMIZE_FOLD, "fold"),
                     G_DEFINE_ENUM_VALUE (C2G_OPTIMIZE_FUSE, "fuse"),
                     G_DEFINE_ENUM_VALUE (C2G_OPTIMIZE_LAYOUT, "layout"),
                     G_DEFINE_ENUM_VALUE (C2G_OPTIMIZE_MEMORY, "memory"),
                     G_DEFINE_ENUM_VALUE (C2G_OPTIMIZE_ALL, "all"),
                     G_DEFINE_ENUM_VALUE (C2G_OPTIMIZE_HALF, "half"))

static gboolean
run_passes (C2gGraph          *graph,
            C2gOptimizeFlags   flags,
            GError           **error)
{
  if ((flags & C2G_OPTIMIZE_HALF) != 0)
    return c2g_graph_halve (graph, error);
  if ((flags & C2G_OPTIMIZE_PRUNE) != 0)
    c2g_graph_prune (graph);
  if ((flags & C2G_OPTIMIZE_FOLD) != 0 && !c2g_graph_fold (graph, error))
    return FALSE;
  if ((flags & C2G_OPTIMIZE_FOLD) != 0 && (flags & C2G_OPTIMIZE_LAYOUT) != 0 &&
      c2g_graph_can_lay_out () && !c2g_graph_fold_alone (graph, error))
    return FALSE;
  if ((flags & C2G_OPTIMIZE_FUSE) != 0 && (flags & C2G_OPTIMIZE_LAYOUT) != 0 &&
      c2g_graph_can_lay_out () && !c2g_graph_split_concats (graph, error))
    return FALSE;
  if ((flags & C2G_OPTIMIZE_FUSE) != 0)
    c2g_graph_fuse (graph);
  return (flags & C2G_OPTIMIZE_LAYOUT) == 0 || c2g_graph_lay_out (graph, error);
}

/* Returns those of the flags that are for the device of the net. */
static C2gOptimizeFlags
choose_flags (C2gNetDef        *def,
              C2gOptimizeFlags  flags)
{
  C2gDevice *device = NULL;

  if (!c2g_net_def_resolve_device (def, &device, NULL))
    return C2G_OPTIMIZE_NONE;
  if (device == NULL || device == c2g_device_cpu ())
    return flags & ~C2G_OPTIMIZE_HALF;
  return (flags & C2G_OPTIMIZE_HALF) != 0 ? flags & (C2G_OPTIMIZE_HALF | C2G_OPTIMIZE_MEMORY)
                                          : C2G_OPTIMIZE_NONE;
}

C2gNetDef *
c2g_net_def_optimize_for (C2gNetDef          *self,
                          C2gWorkspace       *workspace,
                          const char * const *given,
                          GPtrArray          *sources,
                          C2gOptimizeFlags    flags,
                          GError            **error)
{
  g_autoptr (C2gGraph) graph = NULL;
  C2gNetDef *def = NULL;

  flags = choose_flags (self, flags);
  graph = flags != C2G_OPTIMIZE_NONE ? c2g_graph_new (self, workspace, given) : NULL;
  if (graph != NULL)
    {
      GType type = c2g_net_check_type (self, error);

      graph->sources = sources;
      if (type == G_TYPE_INVALID || !run_passes (graph, flags, error))
        {
          c2g_graph_drop_parameters (graph, TRUE);
          return NULL;
        }
      /* On a device values only share a blob in place. */
      def = c2g_graph_to_net_def (graph, (flags & C2G_OPTIMIZE_MEMORY) != 0,
                                  type == c2g_simple_net_get_type () &&
                                    graph->device == c2g_device_cpu ());
      if (def == NULL)
        c2g_graph_drop_parameters (graph, TRUE);
    }
  return def != NULL ? def : c2g_net_def_copy (self);
}

/**
 * c2g_net_def_optimize:
 * @self: a net
 * @workspace: the workspace that it will run in, with its parameters
 * @flags: the allowed optimizations
 * @error: return location for an error
 *
 * Makes a net that computes the same outputs, but faster or with less memory.
 *
 * The outputs are those that the net declares or, if it does not, those of its last operator.
 * All other blobs that the net writes may be missing, have other contents or other names; a
 * net that changes parameters in place must declare them as outputs.
 * Values may differ from those of the old net by rounding.
 *
 * Parameters, such as filters, are taken from the workspace as they are now. Parameters
 * computed from them are put into new blobs of the workspace. The old blobs stay, and changing
 * them has an effect only where the new net reads them itself.
 *
 * Operators that the library does not know, and those that are not on the CPU, are not
 * changed, and their inputs and outputs keep their blobs. A net with control inputs, or with
 * nets in arguments of operators, stays as it is.
 *
 * `C2G_OPTIMIZE_HALF` is for a net whose device is not the CPU, and changes operators on that device.
 * The others are for the CPU; `C2G_OPTIMIZE_MEMORY` goes with both.
 *
 * Errors: `C2G_ERROR_NO_MEMORY`, and those of blobs that cannot be made.
 *
 * Returns: (transfer full): a new net
 */
C2gNetDef *
c2g_net_def_optimize (C2gNetDef         *self,
                      C2gWorkspace      *workspace,
                      C2gOptimizeFlags   flags,
                      GError           **error)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), NULL);
  g_return_val_if_fail (C2G_IS_WORKSPACE (workspace), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_net_def_optimize_for (self, workspace, NULL, NULL, flags, error);
}
