/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-operator-def-private.h>

#include <c2g/net/c2g-def-io-private.h>

/* Conversion of single operators from and to messages. */

static gpointer
new_take (ProtobufCMessage *message)
{
  return c2g_operator_def_new_take ((Caffe2__OperatorDef *) message);
}

static void
get_message (gpointer          self,
             ProtobufCMessage *message,
             GPtrArray        *owned)
{
  c2g_operator_def_get_message (self, (Caffe2__OperatorDef *) message, owned);
}

static const C2gDefClass def_class = { &caffe2__operator_def__descriptor, new_take, get_message };

/**
 * c2g_operator_def_new_from_bytes:
 * @bytes: a binary message
 * @error: return location for an error
 *
 * Reads an operator.
 *
 * Damaged bytes are `C2G_ERROR_CORRUPT`, with the place.
 *
 * Returns: (transfer full): a new operator
 */
C2gOperatorDef *
c2g_operator_def_new_from_bytes (GBytes  *bytes,
                                 GError **error)
{
  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_new_from_bytes (&def_class, bytes, error);
}

/**
 * c2g_operator_def_new_from_text:
 * @text: an operator in protobuf's text format
 * @error: return location for an error
 *
 * Reads an operator.
 *
 * Invalid text is `C2G_ERROR_CORRUPT`, with line and column.
 *
 * Returns: (transfer full): a new operator
 */
C2gOperatorDef *
c2g_operator_def_new_from_text (const char  *text,
                                GError     **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_new_from_text (&def_class, text, error);
}

/**
 * c2g_operator_def_to_bytes:
 * @self: an operator
 * @error: return location for an error
 *
 * Writes the operator as a binary message.
 *
 * Returns: (transfer full): the message; `NULL` with `C2G_ERROR_RANGE` if it would be larger than
 *   the format allows, or with `C2G_ERROR_NO_MEMORY`
 */
GBytes *
c2g_operator_def_to_bytes (C2gOperatorDef  *self,
                           GError         **error)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_def_io_to_bytes (&def_class, self, error);
}

/**
 * c2g_operator_def_to_text:
 * @self: a definition
 *
 * Writes the definition in protobuf's text format.
 *
 * Returns: (transfer full): the text
 */
char *
c2g_operator_def_to_text (C2gOperatorDef *self)
{
  g_return_val_if_fail (C2G_IS_OPERATOR_DEF (self), NULL);

  return c2g_def_io_to_text (&def_class, self);
}
