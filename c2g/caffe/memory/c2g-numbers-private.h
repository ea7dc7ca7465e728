/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

/* Arithmetic with tensors of all types of numbers, where they are.  The core computes with pairs of one
 * floating-point type. Two such types become the wider one for that, all others become doubles. */

/* The type that a number stands for, if its elements are numbers. */
C2gTypeMeta *c2g_numbers_find_type (C2gDataType   data_type,
                                    GError      **error);

/* One of c2g_tensor_asum(), c2g_tensor_sumsq() and c2g_tensor_amax(). */
typedef double (*C2gNumbersFunc) (C2gTensor  *tensor,
                                  GError    **error);

/* The result of a function for a tensor. */
double   c2g_numbers_measure (C2gTensor       *self,
                              C2gNumbersFunc   func,
                              GError         **error);
/* Sets the elements to those of another tensor, which saturate. */
gboolean c2g_numbers_copy    (C2gTensor       *self,
                              gpointer         source,
                              GError         **error);
/* Sets every element to a number, which saturates. */
gboolean c2g_numbers_fill    (C2gTensor       *self,
                              double           value,
                              GError         **error);
/* Adds factor times a tensor of the same shape; without one, multiplies by the factor. */
gboolean c2g_numbers_update  (C2gTensor       *self,
                              double           factor,
                              C2gTensor       *x,
                              GError         **error);

G_END_DECLS
