/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/ops/op-cases.h"

/* Optimizers: they report errors, and allocate nothing in their second run. */

#define STATES FLOATS ("w", "3, 4") FLOATS ("h", "3, 4") FLOATS ("d", "3, 4")
#define OTHERS FLOATS ("f", "3, 4") FLOATS ("s", "3") FLOATS ("r", "1") FLOATS ("k", "1")
#define ROWS STATES OTHERS FLOATS ("g", "2, 4")
#define COUNT LONG_INDICES ("t", "1", "7")
#define AT INDICES ("i", "2", "2, 0")

static const OpFailure failures[] = {
  { "adagrad-shape", ROWS,
    "type: 'Adagrad' input: 'w' input: 'h' input: 'g' input: 'r' output: 'w' "
    "output: 'h'",
    C2G_ERROR_SHAPE, "“g”, has the shape [2, 4], expected 12 elements" },
  { "adagrad-rate", ROWS,
    "type: 'Adagrad' input: 'w' input: 'h' input: 'd' input: 's' output: 'w' "
    "output: 'h'",
    C2G_ERROR_SHAPE, "“s”" },
  { "adagrad-type", ROWS AT,
    "type: 'Adagrad' input: 'w' input: 'h' input: 'd' input: 'i' output: 'w' "
    "output: 'h'",
    C2G_ERROR_TYPE, "“i”" },
  { "adam-iteration", ROWS INDICES ("t", "1", "7"),
    "type: 'Adam' input: 'w' input: 'h' input: 'd' input: 'f' input: 'r' input: 't' "
    "output: 'w' output: 'h' output: 'd'",
    C2G_ERROR_TYPE, "“t”" },
  { "adam-no-iteration", ROWS LONG_INDICES ("t", "0", ""),
    "type: 'Adam' input: 'w' input: 'h' input: 'd' input: 'f' input: 'r' input: 't' "
    "output: 'w' output: 'h' output: 'd'",
    C2G_ERROR_SHAPE, "“t”" },
  { "wngrad-divisor", ROWS,
    "type: 'Wngrad' input: 'w' input: 's' input: 'd' input: 'r' output: 'w' output: 's'",
    C2G_ERROR_SHAPE, "“s”" },
  { "sparse-elsewhere", ROWS AT,
    "type: 'SparseAdagrad' input: 'w' input: 'h' input: 'i' input: 'g' input: 'r' "
    "output: 'y' output: 'h'",
    C2G_ERROR_INVALID_ARGUMENT, "“y”" },
  { "sparse-decay", ROWS AT,
    "type: 'SparseAdagrad' input: 'w' input: 'h' input: 'i' input: 'g' input: 'r' "
    "output: 'w' output: 'h' arg { name: 'decay' f: 0.5 }",
    C2G_ERROR_RANGE, "“decay”" },
  { "sparse-index", ROWS INDICES ("i", "2", "0, 3"),
    "type: 'SparseAdagrad' input: 'w' input: 'h' input: 'i' input: 'g' input: 'r' "
    "output: 'w' output: 'h'",
    C2G_ERROR_RANGE, "“i”, has the index 3 at 1" },
  { "sparse-negative", ROWS LONG_INDICES ("i", "2", "-9223372036854775808, 0"),
    "type: 'SparseAdadelta' input: 'w' input: 'h' input: 'd' input: 'i' input: 'g' "
    "input: 'r' output: 'w' output: 'h' output: 'd'",
    C2G_ERROR_RANGE, "“i”, has the index -9223372036854775808 at 0" },
  { "sparse-gradients", ROWS COUNT INDICES ("i", "3", "0, 1, 2"),
    "type: 'SparseAdam' input: 'w' input: 'h' input: 'd' input: 'i' input: 'g' "
    "input: 'r' input: 't' output: 'w' output: 'h' output: 'd'",
    C2G_ERROR_SHAPE, "“g”" },
  { "sparse-scalar", FLOATS ("w", "") FLOATS ("h", "") FLOATS ("g", "") FLOATS ("r", "1") INDICES ("i", "", "0"),
    "type: 'SparseAdagrad' input: 'w' input: 'h' input: 'i' input: 'g' input: 'r' "
    "output: 'w' output: 'h'",
    C2G_ERROR_SHAPE, "“w”" },
  { "row-wise-moments", ROWS AT,
    "type: 'RowWiseSparseAdagrad' input: 'w' input: 'h' input: 'i' input: 'g' "
    "input: 'r' output: 'w' output: 'h'",
    C2G_ERROR_SHAPE, "“h”, has the shape [3, 4], expected 3 elements" },
  { "row-wise-adam", ROWS COUNT AT,
    "type: 'RowWiseSparseAdam' input: 'w' input: 'h' input: 'd' input: 'i' input: 'g' "
    "input: 'r' input: 't' output: 'w' output: 'h' output: 'd'",
    C2G_ERROR_SHAPE, "“d”" },
  { "momentum-moments", ROWS AT,
    "type: 'SparseMomentumSGDUpdate' input: 'g' input: 's' input: 'r' input: 'w' "
    "input: 'i' output: 'g' output: 's' output: 'w'",
    C2G_ERROR_SHAPE, "“s”" },
  { "wngrad-index", ROWS INDICES ("i", "2", "3, 0"),
    "type: 'SparseWngrad' input: 'w' input: 'k' input: 'i' input: 'g' input: 'r' "
    "output: 'w' output: 'k'",
    C2G_ERROR_RANGE, "“i”" },
  { "rate-policy", COUNT,
    "type: 'LearningRate' input: 't' output: 'y' arg { name: 'base_lr' f: 1 } "
    "arg { name: 'policy' s: 'none' }",
    C2G_ERROR_INVALID_ARGUMENT, "“none”" },
  { "rate-step", COUNT,
    "type: 'LearningRate' input: 't' output: 'y' arg { name: 'base_lr' f: 1 } "
    "arg { name: 'policy' s: 'step' } arg { name: 'gamma' f: 1 } "
    "arg { name: 'stepsize' i: 0 }",
    C2G_ERROR_RANGE, "“stepsize” is 0" },
  { "rate-sum", COUNT,
    "type: 'LearningRate' input: 't' output: 'y' arg { name: 'base_lr' f: 1 } "
    "arg { name: 'policy' s: 'alter' } "
    "arg { name: 'active_period' i: 9223372036854775807 } "
    "arg { name: 'inactive_period' i: 9223372036854775807 }",
    C2G_ERROR_RANGE, "“active_period” is 9223372036854775807," },
  { "rate-missing", COUNT,
    "type: 'LearningRate' input: 't' output: 'y' arg { name: 'policy' s: 'fixed' }",
    C2G_ERROR_INVALID_ARGUMENT, "base_lr" },
  { "rate-type", ROWS,
    "type: 'LearningRate' input: 'r' output: 'y' arg { name: 'base_lr' f: 1 } "
    "arg { name: 'policy' s: 'fixed' }",
    C2G_ERROR_TYPE, "“r”" },
  { "adaption", ROWS,
    "type: 'LearningRateAdaption' input: 'r' input: 'w' input: 'g' output: 'y'",
    C2G_ERROR_SHAPE, "“g”" },
};

static const OpRepeated repeated[] = {
  { ROWS,
    "type: 'Adagrad' input: 'w' input: 'h' input: 'd' input: 'r' output: 'w' "
    "output: 'h'" },
  { ROWS,
    "type: 'Adagrad' input: 'w' input: 'h' input: 'd' input: 'r' output: 'x' "
    "output: 'y' output: 'z' output: 'q'" },
  { ROWS,
    "type: 'Adadelta' input: 'w' input: 'h' input: 'd' input: 'f' input: 'r' "
    "output: 'x' output: 'y' output: 'z'" },
  { ROWS COUNT,
    "type: 'Adam' input: 'w' input: 'h' input: 'd' input: 'f' input: 'r' input: 't' "
    "output: 'x' output: 'y' output: 'z' output: 'q'" },
  { ROWS,
    "type: 'MomentumSGDUpdate' input: 'w' input: 'h' input: 'r' input: 'd' output: 'w' "
    "output: 'h' output: 'd'" },
  { ROWS,
    "type: 'RmsProp' input: 'w' input: 'h' input: 'd' input: 'r' output: 'x' "
    "output: 'y' output: 'z'" },
  { ROWS,
    "type: 'Wngrad' input: 'w' input: 'r' input: 'd' input: 'r' output: 'x' output: 'y' "
    "output: 'z' output: 'q'" },
  { ROWS AT,
    "type: 'SparseAdagrad' input: 'w' input: 'h' input: 'i' input: 'g' input: 'r' "
    "output: 'w' output: 'h'" },
  { ROWS AT,
    "type: 'RowWiseSparseAdagrad' input: 'w' input: 's' input: 'i' input: 'g' "
    "input: 'r' output: 'w' output: 's'" },
  { ROWS AT,
    "type: 'SparseAdadelta' input: 'w' input: 'h' input: 'd' input: 'i' input: 'g' "
    "input: 'r' output: 'w' output: 'h' output: 'd'" },
  { ROWS COUNT AT,
    "type: 'SparseAdam' input: 'w' input: 'h' input: 'd' input: 'i' input: 'g' "
    "input: 'r' input: 't' output: 'w' output: 'h' output: 'd' output: 'q'" },
  { ROWS COUNT AT,
    "type: 'RowWiseSparseAdam' input: 'w' input: 'h' input: 's' input: 'i' input: 'g' "
    "input: 'r' input: 't' output: 'w' output: 'h' output: 's' output: 'q'" },
  { ROWS AT,
    "type: 'SparseMomentumSGDUpdate' input: 'g' input: 'h' input: 'r' input: 'w' "
    "input: 'i' output: 'g' output: 'h' output: 'w'" },
  { ROWS AT,
    "type: 'SparseWngrad' input: 'w' input: 'k' input: 'i' input: 'g' input: 'r' "
    "output: 'w' output: 'k'" },
  { ROWS,
    "type: 'LearningRateAdaption' input: 'r' input: 'w' input: 'h' output: 'y'" },
  { COUNT,
    "type: 'LearningRate' input: 't' output: 'y' arg { name: 'base_lr' f: 1 } "
    "arg { name: 'policy' s: 'cosine' } arg { name: 't_mult' f: 2 }" },
};

OP_CASES_MAIN ("optimizer")
