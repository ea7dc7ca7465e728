/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* A reference-counted, immutable message of c2g_wire_parse(). It keeps parts of a file that c2g
 * does not use, such as unknown fields, until they are written again. */
typedef struct _C2gMessageBox C2gMessageBox;

/* Takes ownership of the message. */
C2gMessageBox *c2g_message_box_new  (gpointer                message);
/* Both accept NULL. */
C2gMessageBox *c2g_message_box_ref  (C2gMessageBox          *self);
void           c2g_message_box_unref (C2gMessageBox         *self);
gconstpointer  c2g_message_box_peek (C2gMessageBox          *self);

/* Compares two messages of one type, bit by bit. */
gboolean       c2g_message_equal    (const ProtobufCMessage *message,
                                     const ProtobufCMessage *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gMessageBox, c2g_message_box_unref)

G_END_DECLS
