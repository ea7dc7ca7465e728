/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-error-private.h>

/* The error domain of c2g, and errors of the system, which are of the domain G_IO_ERROR. */

G_DEFINE_ENUM_TYPE (C2gError, c2g_error,
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_FAILED, "failed"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_INVALID_ARGUMENT, "invalid-argument"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_SHAPE, "shape"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_TYPE, "type"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_RANGE, "range"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_NO_MEMORY, "no-memory"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_NOT_SUPPORTED, "not-supported"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_DEVICE, "device"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_READ_ONLY, "read-only"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_BUSY, "busy"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_CORRUPT, "corrupt"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_EXISTS, "exists"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_NOT_FOUND, "not-found"),
                    G_DEFINE_ENUM_VALUE (C2G_ERROR_DENIED, "denied"))

/**
 * c2g_error_quark:
 *
 * Gets the domain of the errors of c2g.
 *
 * Returns: the domain
 */
G_DEFINE_QUARK (c2g-error-quark, c2g_error)

gboolean
c2g_set_errno (GError     **error,
               const char  *name,
               int          code)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", name, g_strerror (code));
  return FALSE;
}
