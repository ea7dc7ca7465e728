/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-operator-private.h>
#include <c2g/net/run/c2g-net-private.h>

G_BEGIN_DECLS

/* Returns the class of nets for the type of the definition, or G_TYPE_INVALID with an error. */
GType    c2g_net_check_type   (C2gNetDef     *def,
                               GError       **error);

/* Checks a definition before operators are made: all operator types are known, and all inputs and
 * outputs come from somewhere. The error names everything that is missing. Without a workspace,
 * blobs of a workspace are not checked. */
gboolean c2g_net_check_def    (C2gNetDef     *def,
                               C2gWorkspace  *workspace,
                               GError       **error);

/* Lists the types of operators that are not known, for an error; NULL if all are. A definition may be NULL. */
char    *c2g_net_check_list_unknown (C2gNetDef * const *defs,
                                     gsize              n_defs);

/* Checks that each operator has an implementation on its device. The error names all that are
 * missing for one type of device. */
gboolean c2g_net_check_devices (C2gNetDef               *def,
                                const C2gOperatorPlace  *place,
                                GError                 **error);

/* Makes all checks that need no workspace, also of the operators against their schemas. */
gboolean c2g_net_check_alone  (C2gNetDef     *def,
                               GError       **error);

G_END_DECLS
