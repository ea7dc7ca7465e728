/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* Reading and writing the messages of definitions.  For c2g_wire_free(). */
ProtobufCMessage *c2g_def_io_parse_bytes (const ProtobufCMessageDescriptor  *descriptor,
                                          GBytes                            *bytes,
                                          GError                           **error);
ProtobufCMessage *c2g_def_io_parse_text  (const ProtobufCMessageDescriptor  *descriptor,
                                          const char                        *text,
                                          GError                           **error);
/* Binary or text, by the content; errors begin with the name of the file. */
ProtobufCMessage *c2g_def_io_load        (const ProtobufCMessageDescriptor  *descriptor,
                                          GFile                             *file,
                                          GCancellable                      *cancellable,
                                          GError                           **error);
gboolean          c2g_def_io_save        (const ProtobufCMessage            *message,
                                          GFile                             *file,
                                          gboolean                           is_text,
                                          GCancellable                      *cancellable,
                                          GError                           **error);

G_END_DECLS
