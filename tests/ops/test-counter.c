/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/ops/op-cases.h"

/* Operators on counters, booleans and iterations: they report errors, and allocate nothing in their
 * second run. */

#define COUNTER "op { type: 'CreateCounter' output: 'c' arg { name: 'init_count' i: 5 } } "
#define TRUTH "op { type: 'CreateAtomicBool' output: 'b' } "
#define MUTEX "op { type: 'CreateMutex' output: 'm' } "

static const OpFailure failures[] = {
  { "counter-negative", "",
    "type: 'CreateCounter' output: 'c' arg { name: 'init_count' i: -1 }",
    C2G_ERROR_INVALID_ARGUMENT, "“init_count” is -1" },
  { "count-tensor", FLOATS ("x", "1"),
    "type: 'CountUp' input: 'x' output: 'y'",
    C2G_ERROR_TYPE, "“x”" },
  { "count-empty", "",
    "type: 'CountDown' input: 'empty' output: 'y'",
    C2G_ERROR_TYPE, "“empty”" },
  { "count-truth", TRUTH,
    "type: 'RetrieveCount' input: 'b' output: 'y'",
    C2G_ERROR_TYPE, "“b”" },
  { "reset-negative", COUNTER,
    "type: 'ResetCounter' input: 'c' arg { name: 'init_count' i: -5 }",
    C2G_ERROR_INVALID_ARGUMENT, "“init_count” is -5" },
  { "truth-counter", COUNTER,
    "type: 'CheckAtomicBool' input: 'c' output: 'y'",
    C2G_ERROR_TYPE, "“c”" },
  { "truth-two", TRUTH TRUTHS ("x", "2", "1, 1"),
    "type: 'ConditionalSetAtomicBool' input: 'b' input: 'x'",
    C2G_ERROR_SHAPE, "“x”" },
  { "iter-elsewhere", LONG_INDICES ("i", "1", "1"),
    "type: 'Iter' input: 'i' output: 'j'",
    C2G_ERROR_INVALID_ARGUMENT, "“j”" },
  { "iter-type", FLOATS ("i", "1"),
    "type: 'Iter' input: 'i' output: 'i'",
    C2G_ERROR_TYPE, "“i”, has 1 elements of type float" },
  { "iter-two", LONG_INDICES ("i", "2", "1, 2"),
    "type: 'Iter' output: 'i'",
    C2G_ERROR_TYPE, "“i”, has 2 elements" },
  { "iter-negative", LONG_INDICES ("i", "1", "-1"),
    "type: 'Iter' input: 'i' output: 'i'",
    C2G_ERROR_RANGE, "“i”, is -1" },
  { "iter-last", MUTEX LONG_INDICES ("i", "1", "9223372036854775807"),
    "type: 'AtomicIter' input: 'm' input: 'i' output: 'i'",
    C2G_ERROR_RANGE, "“i”, is 9223372036854775807" },
  { "atomic-iter-mutex", COUNTER LONG_INDICES ("i", "1", "1"),
    "type: 'AtomicIter' input: 'c' input: 'i' output: 'i'",
    C2G_ERROR_TYPE, "“c”" },
  { "fetch-add-type", MUTEX FLOATS ("i", "1") LONG_INDICES ("k", "1", "1"),
    "type: 'AtomicFetchAdd' input: 'm' input: 'i' input: 'k' output: 'i' output: 'j'",
    C2G_ERROR_TYPE, "“i”" },
};

static const OpRepeated repeated[] = {
  { "", "type: 'CreateCounter' output: 'c'" },
  { COUNTER, "type: 'ResetCounter' input: 'c' output: 'y'" },
  { COUNTER, "type: 'ResetCounter' input: 'c'" },
  { COUNTER, "type: 'CountUp' input: 'c' output: 'y'" },
  { COUNTER, "type: 'CountDown' input: 'c' output: 'y'" },
  { COUNTER, "type: 'CheckCounterDone' input: 'c' output: 'y'" },
  { COUNTER, "type: 'RetrieveCount' input: 'c' output: 'y'" },
  { "", "type: 'CreateAtomicBool' output: 'b'" },
  { TRUTH TRUTHS ("x", "1", "1"), "type: 'ConditionalSetAtomicBool' input: 'b' input: 'x'" },
  { TRUTH, "type: 'CheckAtomicBool' input: 'b' output: 'y'" },
  { "", "type: 'Iter' output: 'i'" },
  { MUTEX LONG_INDICES ("i", "1", "1"),
    "type: 'AtomicIter' input: 'm' input: 'i' output: 'i'" },
  { MUTEX LONG_INDICES ("i", "1", "1") LONG_INDICES ("k", "1", "1"),
    "type: 'AtomicFetchAdd64' input: 'm' input: 'i' input: 'k' output: 'i' output: 'j'" },
};

OP_CASES_MAIN ("counter")
