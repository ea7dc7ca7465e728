/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <c2g/core/device/c2g-context.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_CPU_CONTEXT (c2g_cpu_context_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gCpuContext, c2g_cpu_context, C2G, CPU_CONTEXT, C2gContext)

C2G_AVAILABLE_IN_ALL
C2gContext *c2g_cpu_context_new (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
