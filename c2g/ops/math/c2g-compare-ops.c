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
  C2G_BINARY ("EQ", eq, NULL, "Whether elements are equal"),
  C2G_BINARY ("NE", ne, NULL, "Whether elements differ"),
  C2G_BINARY ("LT", lt, NULL, "Whether the first is less"),
  C2G_BINARY ("LE", le, NULL, "Whether the first is less or equal"),
  C2G_BINARY ("GT", gt, NULL, "Whether the first is greater"),
  C2G_BINARY ("GE", ge, NULL, "Whether the first is greater or equal"),
  C2G_BINARY ("And", and, "0>0", "Whether both are true"),
  C2G_BINARY ("Or", or, "0>0", "Whether either is true"),
  C2G_BINARY ("Xor", xor, "0>0", "Whether exactly one is true"),
  C2G_BINARY ("BitwiseAnd", bitwise_and, "0>0", "The bits that both have"),
  C2G_BINARY ("BitwiseOr", bitwise_or, "0>0", "The bits that either has"),
  C2G_BINARY ("BitwiseXor", bitwise_xor, "0>0", "The bits that only one has"),
};

C2G_OPS_FAMILY (compare);
