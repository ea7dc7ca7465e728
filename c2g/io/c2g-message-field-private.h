/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* How many bytes a value takes in the structure of a message, or in an array of it. */
gsize c2g_message_field_get_size   (const ProtobufCFieldDescriptor  *field);

/* The values that a message has for a field, one behind the other: of a field that is not
 * repeated one or none. */
gsize c2g_message_field_get_values (const ProtobufCFieldDescriptor  *field,
                                    const ProtobufCMessage          *message,
                                    const guint8                   **values);

/* One of them, which is a message. */
const ProtobufCMessage *c2g_message_field_get_message (const guint8 *values,
                                                       gsize         i);

G_END_DECLS
