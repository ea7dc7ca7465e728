/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/stream/c2g-source-private.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* Returns TRUE if bytes that parsed as this message look more like another message type. */
gboolean c2g_def_kind_is_doubtful (const ProtobufCMessage            *message,
                                   GBytes                            *bytes);

/* Improves the error for a damaged file: if the file is valid as something else, the error says
 * so. BYTES are the content of the source. */
void     c2g_def_kind_explain     (const ProtobufCMessageDescriptor  *expected,
                                   C2gSource                         *source,
                                   GBytes                            *bytes,
                                   GError                           **error);

G_END_DECLS
