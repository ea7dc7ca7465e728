/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib.h>

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/def/c2g-operator-def.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
gboolean         c2g_operator_register_gradient (const char          *op_type,
                                                 const char          *gradient_type,
                                                 const char * const  *inputs,
                                                 const char * const  *outputs,
                                                 GError             **error);
C2G_AVAILABLE_IN_ALL
C2gOperatorDef  *c2g_operator_def_make_gradient (C2gOperatorDef      *self,
                                                 const char * const  *output_gradients,
                                                 GError             **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
