/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/def/c2g-argument.h>
#include <c2g/def/c2g-device-option-private.h>
#include <c2g/def/c2g-net-def.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

struct _C2gNetDef
{
  GObject                       parent_instance;
  _Alignas (gint64) Caffe2__NetDef message;
};

/* Gets the device, see c2g_device_option_resolve(). */
gboolean     c2g_net_def_resolve_device (C2gNetDef       *self,
                                         C2gDevice      **device,
                                         GError         **error);

G_END_DECLS
