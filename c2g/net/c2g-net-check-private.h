/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-net-private.h>
#include <c2g/net/c2g-operator-private.h>

G_BEGIN_DECLS

/* The class of nets that the definition's type means; G_TYPE_INVALID with an error. */
GType    c2g_net_check_type   (C2gNetDef     *def,
                               GError       **error);

/* What can be told before an operator is made: whether all types are known, all inputs come
 * from somewhere, all outputs are made.  An error names all that is missing.  Without a
 * workspace what comes from there is not looked for. */
gboolean c2g_net_check_def    (C2gNetDef     *def,
                               C2gWorkspace  *workspace,
                               GError       **error);

/* Whether all operators are there for the devices that they are to run on.  An error names all
 * that are not there for one kind of device. */
gboolean c2g_net_check_devices (C2gNetDef               *def,
                                const C2gOperatorPlace  *place,
                                GError                 **error);

/* What can be told without a workspace: all of that, and whether operators keep to their
 * schemas. */
gboolean c2g_net_check_alone  (C2gNetDef     *def,
                               GError       **error);

G_END_DECLS
