/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/ops/op-cases.h"

/* Operators on strings: they report errors, and allocate nothing in their second run. */

#define TEXTS STRINGS ("x", "3", "'abc', '', 'ab'")

static const OpFailure failures[] = {
  { "type", FLOATS ("x", "2"),
    "type: 'StringEquals' input: 'x' output: 'y' arg { name: 'text' s: 'a' }",
    C2G_ERROR_TYPE, "“x”" },
  { "prefix-negative", TEXTS,
    "type: 'StringPrefix' input: 'x' output: 'y' arg { name: 'length' i: -1 }",
    C2G_ERROR_RANGE, "“length” is -1" },
  { "suffix-huge", TEXTS,
    "type: 'StringSuffix' input: 'x' output: 'y' "
    "arg { name: 'length' i: 9223372036854775807 }",
    C2G_ERROR_RANGE, "“length”" },
  { "starts-argument", TEXTS,
    "type: 'StringStartsWith' input: 'x' output: 'y' arg { name: 'prefix' i: 3 }",
    C2G_ERROR_TYPE, "“prefix”" },
  { "join-axis", TEXTS,
    "type: 'StringJoin' input: 'x' output: 'y' arg { name: 'axis' i: 1 }",
    C2G_ERROR_SHAPE, "“x”" },
  { "join-axes", TEXTS,
    "type: 'StringJoin' input: 'x' output: 'y' arg { name: 'axis' i: -1 }",
    C2G_ERROR_RANGE, "“axis” is -1" },
  { "join-none", STRINGS ("x", "0, 3", ""),
    "type: 'StringJoin' input: 'x' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "join-three", STRINGS ("x", "1, 1, 1", "'a'"),
    "type: 'StringJoin' input: 'x' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "no-data", "",
    "type: 'StringEndsWith' input: 'empty' output: 'y' arg { name: 'suffix' s: 'a' }",
    C2G_ERROR_TYPE, "empty" },
};

static const OpRepeated repeated[] = {
  { TEXTS,
    "type: 'StringStartsWith' input: 'x' output: 'y' arg { name: 'prefix' s: 'ab' }" },
  { TEXTS,
    "type: 'StringEndsWith' input: 'x' output: 'y' arg { name: 'suffix' s: 'ab' }" },
  { TEXTS,
    "type: 'StringEquals' input: 'x' output: 'y' arg { name: 'text' s: 'ab' }" },
};

OP_CASES_MAIN ("string")
