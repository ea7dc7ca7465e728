/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

G_BEGIN_DECLS

typedef struct _C2gArgument    C2gArgument;
typedef struct _C2gNetDef      C2gNetDef;
typedef struct _C2gOperatorDef C2gOperatorDef;

G_END_DECLS
