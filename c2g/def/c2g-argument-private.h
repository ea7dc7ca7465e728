/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/def/c2g-argument.h>
#include <c2g/def/c2g-net-def.h>
#include <c2g/io/wire/c2g-caffe2.pb-c.h>

G_BEGIN_DECLS

struct _C2gArgument
{
  /* The first member: a list of arguments in a message is a list of these. */
  Caffe2__Argument  message;
  gatomicrefcount   ref_count;

  /* The string with a NUL at the end, made when first asked for. Atomic. */
  char             *text;
  /* The parsed net, made when first asked for. Atomic. */
  C2gNetDef        *net;
};

/* Takes ownership of the message, whose memory becomes the argument: no pointer to the message
 * is valid afterwards. c2g_wire_parse() leaves room for the other members behind it. */
C2gArgument            *c2g_argument_new_take      (Caffe2__Argument *message);
/* Returns the message, which belongs to the argument. */
const Caffe2__Argument *c2g_argument_peek          (C2gArgument      *self);

/* Describes the kind for a sentence, for example "an integer". */
const char             *c2g_argument_kind_describe (C2gArgumentKind   kind);

G_END_DECLS
