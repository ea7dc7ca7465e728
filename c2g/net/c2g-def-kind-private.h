/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-source-private.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* Whether bytes that were read as a message are rather another one, which is read so, too. */
gboolean c2g_def_kind_is_doubtful (const ProtobufCMessage            *message,
                                   GBytes                            *bytes);

/* Where a file was found damaged as the message that was expected, but is sound as something
 * else, the error says that instead.  The bytes are those of the source. */
void     c2g_def_kind_explain     (const ProtobufCMessageDescriptor  *expected,
                                   C2gSource                         *source,
                                   GBytes                            *bytes,
                                   GError                           **error);

G_END_DECLS
