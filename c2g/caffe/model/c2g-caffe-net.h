/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/core/workspace/c2g-workspace.h>
#include <c2g/def/c2g-net-def.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
C2gNetDef *c2g_caffe_net_load (GFile               *prototxt,
                               GFile               *weights,
                               C2gWorkspace        *workspace,
                               const char *const   *stages,
                               int                  level,
                               GCancellable        *cancellable,
                               GError             **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
