/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <protobuf-c/protobuf-c.h>
#include <glib.h>

G_BEGIN_DECLS

/* Parses protobuf's text format. C2G_ERROR_CORRUPT names line and column. Free with
 * c2g_wire_free(). */
ProtobufCMessage *c2g_text_parse      (const ProtobufCMessageDescriptor  *descriptor,
                                       const char                        *text,
                                       gsize                              n_bytes,
                                       GError                           **error);

/* Returns TRUE if the bytes look like text of such a message and not like a binary message. */
gboolean          c2g_text_looks_like (const ProtobufCMessageDescriptor  *descriptor,
                                       const guint8                      *data,
                                       gsize                              n_bytes);

/* Returns text that c2g_text_parse() reads back as the same message, except for the bits of a NaN. It
 * must be freed. */
char             *c2g_text_print      (const ProtobufCMessage            *message);

G_END_DECLS
