/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/def/c2g-net-def.h>

G_BEGIN_DECLS

#define C2G_TYPE_OPTIMIZE_FLAGS (c2g_optimize_flags_get_type ())

/**
 * C2gOptimizeFlags:
 * @C2G_OPTIMIZE_NONE: the net as it is
 * @C2G_OPTIMIZE_PRUNE: without operators that do nothing, such as a Dropout that is not
 *   training, and those whose outputs nobody reads
 * @C2G_OPTIMIZE_FOLD: with SpatialBN in the filters and biases of the Conv before it
 * @C2G_OPTIMIZE_FUSE: with Relu and Sum in the Conv before them, as ConvFusion
 * @C2G_OPTIMIZE_LAYOUT: with the engine and the order of images that suit this machine
 * @C2G_OPTIMIZE_MEMORY: with one blob for several tensors that are not needed at the same
 *   time
 * @C2G_OPTIMIZE_ALL: all of these
 * @C2G_OPTIMIZE_HALF: with float16 between the inputs and the outputs, on CUDA devices; the CPU
 *   ignores it. It is not in %C2G_OPTIMIZE_ALL, because results have about three digits only
 *
 * Optimizations that make a net faster or smaller.
 *
 * %C2G_OPTIMIZE_FUSE together with %C2G_OPTIMIZE_LAYOUT also replaces a Concat of channels and the
 * convolution after it by one convolution for each input and sums, which adds blobs with parts of
 * the filters, “…_part”, to the workspace, and rounds results in another way.
 */
typedef enum
{
  C2G_OPTIMIZE_NONE = 0,
  C2G_OPTIMIZE_PRUNE = 1 << 0,
  C2G_OPTIMIZE_FOLD = 1 << 1,
  C2G_OPTIMIZE_FUSE = 1 << 2,
  C2G_OPTIMIZE_LAYOUT = 1 << 3,
  C2G_OPTIMIZE_MEMORY = 1 << 4,
  C2G_OPTIMIZE_ALL = 0x1f,
  C2G_OPTIMIZE_HALF = 1 << 5,
} C2gOptimizeFlags;

C2G_AVAILABLE_IN_ALL
GType      c2g_optimize_flags_get_type (void);

C2G_AVAILABLE_IN_ALL
C2gNetDef *c2g_net_def_optimize        (C2gNetDef         *self,
                                        C2gWorkspace      *workspace,
                                        C2gOptimizeFlags   flags,
                                        GError           **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
