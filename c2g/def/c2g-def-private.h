/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>
#include <protobuf-c/protobuf-c.h>

G_BEGIN_DECLS

/* The beginning of each definition: an object, followed by the struct of its protobuf message.
 *
 * A definition owns its message. Where the message contains the message of another definition,
 * for example an operator in a net, it points into that object and holds a reference to it. So
 * the message is complete at all times, and the functions below work on any definition: they
 * follow the descriptor of the message.
 *
 * Some messages have members of 64 bits, which a machine of 32 bits may align to 8 bytes. All
 * messages are aligned like that, so that they have the same offset in every definition. */
typedef struct
{
  GObject                    parent_instance;
  _Alignas (gint64) ProtobufCMessage message;
} C2gDef;

/* Makes a definition of a message and takes ownership of it. Texts become valid UTF-8. */
gpointer          c2g_def_new_take     (gpointer                  message);
/* Copies a definition with all definitions in it. Arguments do not change, so they are shared. */
gpointer          c2g_def_copy         (gpointer                  self);
/* Compares two definitions. In them, a text or number that is not set equals one that is empty
 * or zero. */
gboolean          c2g_def_equal        (gpointer                  self,
                                        gpointer                  other);
/* The finalize() of all definitions. */
void              c2g_def_finalize     (GObject                  *object);

/* Returns the definition of a message inside another definition. */
gpointer          c2g_def_of           (gpointer                  message);
/* Frees a message inside a definition, or drops the reference to its definition. Accepts NULL. */
void              c2g_def_free_message (gpointer                  message);
/* Returns the text, or frees it and returns one that is valid UTF-8. Accepts NULL. */
char             *c2g_def_take_text    (char                     *text);
/* Returns TRUE for messages inside definitions that stay as they were in the file, bit by bit. */
gboolean          c2g_def_is_verbatim  (const ProtobufCMessage   *message);

/* Compares two messages of one type, bit by bit. */
gboolean          c2g_message_equal    (const ProtobufCMessage   *message,
                                        const ProtobufCMessage   *other);

G_END_DECLS
