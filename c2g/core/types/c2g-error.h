/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_ERROR (c2g_error_get_type ())
#define C2G_ERROR      (c2g_error_quark ())

/**
 * C2gError:
 * @C2G_ERROR_FAILED: something failed that no other code names
 * @C2G_ERROR_INVALID_ARGUMENT: a value that no call of this kind accepts
 * @C2G_ERROR_SHAPE: dimensions do not fit each other, or are not known yet
 * @C2G_ERROR_TYPE: a wrong or unknown element or content type
 * @C2G_ERROR_RANGE: an index, a size or a product of sizes is out of range
 * @C2G_ERROR_NO_MEMORY: memory could not be allocated
 * @C2G_ERROR_NOT_SUPPORTED: the operation is not possible for this kind of thing
 * @C2G_ERROR_DEVICE: a device, its driver or its library is absent or failed
 * @C2G_ERROR_READ_ONLY: memory that must not be written
 * @C2G_ERROR_BUSY: something else still uses what must be unused
 * @C2G_ERROR_CORRUPT: a file or message is damaged
 * @C2G_ERROR_EXISTS: the name is taken
 * @C2G_ERROR_NOT_FOUND: nothing of this name or type is known
 * @C2G_ERROR_DENIED: a file that the workspace does not let its nets use
 *
 * The errors of c2g.
 *
 * Messages are for people and say what was expected and what came. More codes may
 * be added: take one that you do not know for `C2G_ERROR_FAILED`.
 */
typedef enum
{
  C2G_ERROR_FAILED,
  C2G_ERROR_INVALID_ARGUMENT,
  C2G_ERROR_SHAPE,
  C2G_ERROR_TYPE,
  C2G_ERROR_RANGE,
  C2G_ERROR_NO_MEMORY,
  C2G_ERROR_NOT_SUPPORTED,
  C2G_ERROR_DEVICE,
  C2G_ERROR_READ_ONLY,
  C2G_ERROR_BUSY,
  C2G_ERROR_CORRUPT,
  C2G_ERROR_EXISTS,
  C2G_ERROR_NOT_FOUND,
  C2G_ERROR_DENIED,
} C2gError;

C2G_AVAILABLE_IN_ALL
GType  c2g_error_get_type (void);
C2G_AVAILABLE_IN_ALL
GQuark c2g_error_quark    (void);

G_END_DECLS
