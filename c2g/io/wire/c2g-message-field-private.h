/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* Size of a value in a message struct, or in an array of a repeated field. */
gsize c2g_message_field_get_size   (const ProtobufCFieldDescriptor  *field);

/* Returns the number of values of a field and their array. A field that is not repeated has one
 * or none. */
gsize c2g_message_field_get_values (const ProtobufCFieldDescriptor  *field,
                                    const ProtobufCMessage          *message,
                                    const guint8                   **values);

/* Returns value I, which is a submessage. */
const ProtobufCMessage *c2g_message_field_get_message (const guint8 *values,
                                                       gsize         i);

G_END_DECLS
