/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/def/c2g-meta-net-def.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

struct _C2gMetaNetDef
{
  GObject                       parent_instance;
  _Alignas (gint64) Caffe2__MetaNetDef message;
};

G_END_DECLS
