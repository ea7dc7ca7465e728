/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/ops/support/c2g-binary-loop-private.h>

/* Comparisons and logic, element by element with broadcasting (see c2g-binary-loop-private.h).
 *
 * EQ, NE, LT, LE, GT, GE: a == b and so on, of float, double, int32, int64 or bool; gives bool.
 * And, Or, Xor: of bool. BitwiseAnd, BitwiseOr, BitwiseXor: of bool, int32 or int64.
 *
 * The logical and bitwise operators may be in place of the first input. On CUDA kernels/binary.cu
 * computes all of them. */

#define DEFINE_COMPARISON(name, NAME, operator)                                                    \
  C2G_DEFINE_BINARY_LOOP (name##_floats, , float, guint8, x operator y)                            \
  C2G_DEFINE_BINARY_LOOP (name##_doubles, , double, guint8, x operator y)                          \
  C2G_DEFINE_BINARY_LOOP (name##_int32s, , gint32, guint8, x operator y)                           \
  C2G_DEFINE_BINARY_LOOP (name##_int64s, , gint64, guint8, x operator y)                           \
  C2G_DEFINE_BINARY_LOOP (name##_bools, , guint8, guint8, x operator y)                            \
                                                                                                   \
  static const C2gBinaryLoop name##_loops[C2G_N_LOOPS] = {                                         \
    [C2G_DATA_TYPE_FLOAT] = name##_floats,                                                         \
    [C2G_DATA_TYPE_DOUBLE] = name##_doubles,                                                       \
    [C2G_DATA_TYPE_INT32] = name##_int32s,                                                         \
    [C2G_DATA_TYPE_INT64] = name##_int64s,                                                         \
    [C2G_DATA_TYPE_BOOL] = name##_bools,                                                           \
  };                                                                                               \
                                                                                                   \
  C2G_DEFINE_BINARY_RUN (name, NAME, C2G_DATA_TYPE_BOOL)

#define DEFINE_LOGIC(name, NAME, expression)                                                       \
  C2G_DEFINE_BINARY_LOOP (name##_bools, , guint8, guint8, expression)                              \
                                                                                                   \
  static const C2gBinaryLoop name##_loops[C2G_N_LOOPS] = {                                         \
    [C2G_DATA_TYPE_BOOL] = name##_bools,                                                           \
  };                                                                                               \
                                                                                                   \
  C2G_DEFINE_BINARY_RUN (name, NAME, C2G_DATA_TYPE_UNDEFINED)

#define DEFINE_BITWISE(name, NAME, operator)                                                       \
  C2G_DEFINE_BINARY_LOOP (name##_bools, , guint8, guint8, x operator y)                            \
  C2G_DEFINE_BINARY_LOOP (name##_int32s, , gint32, gint32, x operator y)                           \
  C2G_DEFINE_BINARY_LOOP (name##_int64s, , gint64, gint64, x operator y)                           \
                                                                                                   \
  static const C2gBinaryLoop name##_loops[C2G_N_LOOPS] = {                                         \
    [C2G_DATA_TYPE_BOOL] = name##_bools,                                                           \
    [C2G_DATA_TYPE_INT32] = name##_int32s,                                                         \
    [C2G_DATA_TYPE_INT64] = name##_int64s,                                                         \
  };                                                                                               \
                                                                                                   \
  C2G_DEFINE_BINARY_RUN (name, NAME, C2G_DATA_TYPE_UNDEFINED)

DEFINE_COMPARISON (eq, EQ, ==)
DEFINE_COMPARISON (ne, NE, !=)
DEFINE_COMPARISON (lt, LT, <)
DEFINE_COMPARISON (le, LE, <=)
DEFINE_COMPARISON (gt, GT, >)
DEFINE_COMPARISON (ge, GE, >=)

DEFINE_LOGIC (and, AND, x && y)
DEFINE_LOGIC (or, OR, x || y)
DEFINE_LOGIC (xor, XOR, !x != !y)

DEFINE_BITWISE (bitwise_and, BITWISE_AND, &)
DEFINE_BITWISE (bitwise_or, BITWISE_OR, |)
DEFINE_BITWISE (bitwise_xor, BITWISE_XOR, ^)

static const C2gKernel kernels[] = {
  C2G_BINARY ("EQ", eq, NULL, "Compares elements: equal", .traits = C2G_TRAIT_PURE),
  C2G_BINARY ("NE", ne, NULL, "Compares elements: not equal", .traits = C2G_TRAIT_PURE),
  C2G_BINARY ("LT", lt, NULL, "Compares elements: less than", .traits = C2G_TRAIT_PURE),
  C2G_BINARY ("LE", le, NULL, "Compares elements: less than or equal", .traits = C2G_TRAIT_PURE),
  C2G_BINARY ("GT", gt, NULL, "Compares elements: greater than", .traits = C2G_TRAIT_PURE),
  C2G_BINARY ("GE", ge, NULL, "Compares elements: greater than or equal", .traits = C2G_TRAIT_PURE),
  C2G_BINARY ("And", and, "0>0", "Logical and", .traits = C2G_TRAITS_SAME_TYPE),
  C2G_BINARY ("Or", or, "0>0", "Logical or", .traits = C2G_TRAITS_SAME_TYPE),
  C2G_BINARY ("Xor", xor, "0>0", "Logical exclusive or", .traits = C2G_TRAITS_SAME_TYPE),
  C2G_BINARY ("BitwiseAnd", bitwise_and, "0>0", "Bitwise and", .traits = C2G_TRAITS_SAME_TYPE),
  C2G_BINARY ("BitwiseOr", bitwise_or, "0>0", "Bitwise or", .traits = C2G_TRAITS_SAME_TYPE),
  C2G_BINARY ("BitwiseXor", bitwise_xor, "0>0", "Bitwise exclusive or", .traits = C2G_TRAITS_SAME_TYPE),
};

C2G_OPS_FAMILY (compare);
