/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/def/c2g-argument.h>
#include <c2g/def/c2g-device-option-private.h>
#include <c2g/def/c2g-operator-def.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

struct _C2gOperatorDef
{
  GObject                       parent_instance;
  _Alignas (gint64) Caffe2__OperatorDef message;
};

/* Returns the first argument of that name without a reference, or NULL. */
C2gArgument         *c2g_operator_def_find           (C2gOperatorDef       *self,
                                                      const char           *name);
/* Returns the arguments without references. The array is valid until SELF changes. */
C2gArgument *const *c2g_operator_def_peek_arguments (C2gOperatorDef       *self,
                                                     gsize                *n_arguments);
/* Gets the device, see c2g_device_option_resolve(). */
gboolean             c2g_operator_def_resolve_device (C2gOperatorDef       *self,
                                                      C2gDevice           **device,
                                                      GError              **error);

G_END_DECLS
