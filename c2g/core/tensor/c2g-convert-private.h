/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-compute.h>
#include <c2g/core/tensor/c2g-tensor-convert.h>
#include <c2g/core/types/c2g-data-type.h>

G_BEGIN_DECLS

/* The index of a type of numbers in tables. Slots of other types are unused. */
#define C2G_CONVERT_SLOT(type) \
  ((type) < C2G_DATA_TYPE_BFLOAT16 ? (type) : (type) - C2G_DATA_TYPE_BFLOAT16 + 14)
#define C2G_N_CONVERT_SLOTS 17

/* Returns TRUE for the integer types; a boolean is not an integer here. */
gboolean c2g_convert_is_integer  (C2gDataType       type);

/* Converts a row of elements on the CPU. Both types are numeric, and both arrays are aligned and do
 * not overlap. Without a flag, a number that does not fit makes it return FALSE with the position
 * of the number, and nothing is written. */
gboolean c2g_convert_items       (C2gDataType       to,
                                  gpointer          target,
                                  C2gDataType       from,
                                  gconstpointer     source,
                                  gsize             n,
                                  C2gConvertFlags   flags,
                                  gsize            *position);

/* Converts without a check: a number that does not fit wraps with C2G_CONVERT_WRAP, otherwise it
 * saturates. */
void     c2g_convert_all         (C2gDataType       to,
                                  gpointer          target,
                                  C2gDataType       from,
                                  gconstpointer     source,
                                  gsize             n,
                                  C2gConvertFlags   flags);

/* Returns the position of the first element that does not fit into the other type; n if all fit. */
gsize    c2g_convert_find_unfit  (C2gDataType       to,
                                  C2gDataType       from,
                                  gconstpointer     source,
                                  gsize             n);

/* Returns the range of numbers that fit into the first type; NULL if every number of the second
 * type fits. */
const C2gComputeRange *
         c2g_convert_find_range  (C2gDataType       to,
                                  C2gDataType       from);

/* Returns TRUE if the device has all functions that a conversion needs. */
gboolean c2g_tensor_is_converted_on (C2gDevice       *device);

G_END_DECLS
