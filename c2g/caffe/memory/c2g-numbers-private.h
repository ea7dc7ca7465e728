/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

/* Arithmetic on tensors of any two numeric types, on the device where they are. The core supports
 * only pairs of one floating-point type. So two floating-point types are computed in the wider one,
 * all other pairs in double. */

/* Returns the element type of a data type; C2G_ERROR_TYPE if it is not numeric. */
C2gTypeMeta *c2g_numbers_find_type (C2gDataType   data_type,
                                    GError      **error);

/* One of c2g_tensor_asum(), c2g_tensor_sumsq() and c2g_tensor_amax(). */
typedef double (*C2gNumbersFunc) (C2gTensor  *tensor,
                                  GError    **error);

/* Calls a function on a tensor of a type that the function supports, and returns its result. */
double   c2g_numbers_measure (C2gTensor       *self,
                              C2gNumbersFunc   func,
                              GError         **error);
/* Copies the elements of another tensor. Numbers that do not fit are clamped. */
gboolean c2g_numbers_copy    (C2gTensor       *self,
                              gpointer         source,
                              GError         **error);
/* Sets all elements to a number, which is clamped if it does not fit. */
gboolean c2g_numbers_fill    (C2gTensor       *self,
                              double           value,
                              GError         **error);
/* Computes self += factor * x, or self *= factor if x is NULL. */
gboolean c2g_numbers_update  (C2gTensor       *self,
                              double           factor,
                              C2gTensor       *x,
                              GError         **error);

G_END_DECLS
