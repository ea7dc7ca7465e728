/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* A message of c2g_wire_parse() that several share, and that does not change.  It holds what
 * a file has and nobody asks for, unknown fields among it, until it is written again. */
typedef struct _C2gMessageBox C2gMessageBox;

/* Takes the message. */
C2gMessageBox *c2g_message_box_new  (gpointer                message);
/* Both take NULL for nothing. */
C2gMessageBox *c2g_message_box_ref  (C2gMessageBox          *self);
void           c2g_message_box_unref (C2gMessageBox         *self);
gconstpointer  c2g_message_box_peek (C2gMessageBox          *self);

/* Whether two messages of one type say the same, to the bit. */
gboolean       c2g_message_equal    (const ProtobufCMessage *message,
                                     const ProtobufCMessage *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gMessageBox, c2g_message_box_unref)

G_END_DECLS
