/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-data-type.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_CONVERT_FLAGS (c2g_convert_flags_get_type ())

/**
 * C2gConvertFlags:
 * @C2G_CONVERT_NONE: a number that does not fit is an error
 * @C2G_CONVERT_SATURATE: a number that does not fit becomes one that does: integers lose what is
 *   behind the point and stop at the ends of their range, NaN is 0, and float16 stops at ±65504
 * @C2G_CONVERT_WRAP: as `SATURATE`, but between integers the lower bits stay: this is what the
 *   operator `Cast` does
 *
 * What becomes of numbers that the other element type does not have.
 *
 * Floating-point types round to the nearest in any case, ties to even. With `SATURATE` and `WRAP`,
 * what is too large for `FLOAT` and `BFLOAT16` becomes infinite, and every number but 0 is true,
 * NaN included.
 */
typedef enum
{
  C2G_CONVERT_NONE = 0,
  C2G_CONVERT_SATURATE = 1 << 0,
  C2G_CONVERT_WRAP = 1 << 1,
} C2gConvertFlags;

C2G_AVAILABLE_IN_ALL
GType      c2g_convert_flags_get_type (void);

C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_convert         (C2gTensor        *self,
                                       C2gDataType       data_type,
                                       C2gConvertFlags   flags,
                                       GError          **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_convert_from    (C2gTensor        *self,
                                       C2gTensor        *source,
                                       C2gConvertFlags   flags,
                                       GError          **error);

G_END_DECLS
