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
 * @C2G_CONVERT_SATURATE: a number that does not fit becomes the nearest one that does: integers
 *   lose their fraction and stop at the ends of their range, NaN becomes 0, and float16 stops at
 *   ±65504
 * @C2G_CONVERT_WRAP: like `SATURATE`, except that conversions between integers keep the lower bits,
 *   as in the operator `Cast`
 *
 * The treatment of numbers that do not fit into the other element type.
 *
 * Floating-point types round to nearest, ties to even. With `SATURATE` and `WRAP`, numbers too
 * large for `FLOAT` and `BFLOAT16` become infinite, and every number other than 0, NaN included,
 * becomes `TRUE` as a boolean.
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
