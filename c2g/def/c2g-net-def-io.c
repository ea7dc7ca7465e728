/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-net-def-private.h>

#include <c2g/def/c2g-def-io-private.h>
#include <c2g/def/c2g-def-private.h>

/* Converts nets from and to messages and files, and compares them. */

/**
 * c2g_net_def_equal:
 * @self: a net
 * @other: another one
 *
 * Compares two nets.
 *
 * A text that is not set equals an empty one; the order of names, arguments and operators
 * counts.
 *
 * Returns: true if they are equal
 */
gboolean
c2g_net_def_equal (C2gNetDef *self,
                   C2gNetDef *other)
{
  g_return_val_if_fail (C2G_IS_NET_DEF (self), FALSE);
  g_return_val_if_fail (C2G_IS_NET_DEF (other), FALSE);

  return c2g_def_equal (self, other);
}

/**
 * c2g_net_def_new_from_bytes:
 * @bytes: a binary message
 * @error: return location for an error
 *
 * Reads a net.
 *
 * Damaged bytes are `C2G_ERROR_CORRUPT`, with the place.
 *
 * Returns: (transfer full): a new net
 */

/**
 * c2g_net_def_new_from_text:
 * @text: a net in protobuf's text format
 * @error: return location for an error
 *
 * Reads a net.
 *
 * Invalid text is `C2G_ERROR_CORRUPT`, with line and column.
 *
 * Returns: (transfer full): a new net
 */

/**
 * c2g_net_def_load_file: (constructor)
 * @file: a file
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Reads a net from a file, in binary or as text.
 *
 * The format is detected from the content. A damaged file, or one with something else in it,
 * is `C2G_ERROR_CORRUPT`; one that cannot be read is an error of GIO.
 *
 * Returns: (transfer full): a new net
 */

/**
 * c2g_net_def_load_file_async:
 * @file: a file
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the net has been read
 * @user_data: for @callback
 *
 * Reads a net from a file in another thread, see [ctor@NetDef.load_file].
 */

/**
 * c2g_net_def_load_file_finish:
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes reading that was started with [func@NetDef.load_file_async].
 *
 * Errors: those of [ctor@NetDef.load_file].
 *
 * Returns: (transfer full): a new net
 */

/**
 * c2g_net_def_to_bytes:
 * @self: a net
 * @error: return location for an error
 *
 * Writes the net as a binary message.
 *
 * Returns: (transfer full): the message; `NULL` with `C2G_ERROR_RANGE` if it would be larger than
 *   the format allows, or with `C2G_ERROR_NO_MEMORY`
 */

/**
 * c2g_net_def_to_text:
 * @self: a net
 *
 * Writes the net in protobuf's text format.
 *
 * Numbers are read back exactly as they were; only the sign of a NaN is kept.
 *
 * Returns: (transfer full): the text
 */

/**
 * c2g_net_def_save_file:
 * @self: a net
 * @file: a file
 * @is_text: whether to write protobuf's text format
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Writes the net into a file.
 *
 * The file is replaced as a whole: if writing fails, it keeps its old content. Errors are
 * those of GIO, and those of [method@NetDef.to_bytes].
 *
 * Returns: whether the file has been written
 */

/**
 * c2g_net_def_save_file_async:
 * @self: a net
 * @file: a file
 * @is_text: whether to write protobuf's text format
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async) (closure user_data): called when the file has been written
 * @user_data: for @callback
 *
 * Writes the net into a file in another thread, see [method@NetDef.save_file].
 *
 * The file gets the net as it is now. The net may be changed meanwhile.
 */

/**
 * c2g_net_def_save_file_finish:
 * @self: a net
 * @result: the result of the callback
 * @error: return location for an error
 *
 * Finishes writing that was started with [method@NetDef.save_file_async].
 *
 * Errors: those of [method@NetDef.save_file].
 *
 * Returns: whether the file has been written
 */

C2G_DEFINE_DEF_IO (C2gNetDef, net_def, NET_DEF, c2g_def_io_load_file)
