/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-caffe2.pb-c.h>
#include <c2g/net/c2g-argument.h>

G_BEGIN_DECLS

/* Takes a message of c2g_wire_parse(). */
C2gArgument            *c2g_argument_new_take (Caffe2__Argument *message);
const Caffe2__Argument *c2g_argument_peek     (C2gArgument      *self);

G_END_DECLS
