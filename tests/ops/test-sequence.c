/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/ops/op-cases.h"

/* Operators on sequences and masks: they report errors, and allocate nothing in their second
 * run. */

#define ROWS FLOATS ("x", "4, 3")
#define LIST INDICES ("n", "3", "2, 0, 2")
#define STEPS FLOATS ("x", "1, 2, 3") FLOATS ("l", "1, 2, 12") INDICES ("n", "2", "1, 5")

static const OpFailure failures[] = {
  { "sum-more", ROWS INDICES ("n", "2", "3, 2"),
    "type: 'LengthsSum' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has lengths with the sum 5, expected 4" },
  { "sum-negative", ROWS INDICES ("n", "2", "5, -1"),
    "type: 'LengthsSum' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has the length -1 at 1" },
  { "sum-huge", ROWS LONG_INDICES ("n", "2", "9223372036854775807, 9223372036854775807"),
    "type: 'LengthsSum' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has the length 9223372036854775807 at 1" },
  { "mean-more", ROWS INDICES ("n", "2", "3, 2"),
    "type: 'LengthsMean' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has lengths with the sum 5, expected 4" },
  { "mean-negative", ROWS INDICES ("n", "2", "5, -1"),
    "type: 'LengthsMean' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has the length -1 at 1" },
  { "mean-huge", ROWS LONG_INDICES ("n", "2", "9223372036854775807, 9223372036854775807"),
    "type: 'LengthsMean' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has the length 9223372036854775807 at 1" },
  { "max-more", ROWS INDICES ("n", "2", "3, 2"),
    "type: 'LengthsMax' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has lengths with the sum 5, expected 4" },
  { "max-negative", ROWS INDICES ("n", "2", "5, -1"),
    "type: 'LengthsMax' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has the length -1 at 1" },
  { "max-huge", ROWS LONG_INDICES ("n", "2", "9223372036854775807, 9223372036854775807"),
    "type: 'LengthsMax' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has the length 9223372036854775807 at 1" },
  { "sum-matrix", ROWS INDICES ("n", "1, 2", "2, 2"),
    "type: 'LengthsSum' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_SHAPE, "“n”" },
  { "sum-type", ROWS,
    "type: 'LengthsSum' input: 'x' input: 'x' output: 'y'",
    C2G_ERROR_TYPE, "“x”" },
  { "sum-scalar", FLOATS ("x", "") LIST,
    "type: 'LengthsSum' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "sum-double", LIST,
    "type: 'LengthsSum' input: 'n' input: 'n' output: 'y'",
    C2G_ERROR_TYPE, "“n”" },
  { "weights", ROWS LIST FLOATS ("w", "3"),
    "type: 'LengthsWeightedSum' input: 'x' input: 'w' input: 'n' output: 'y'",
    C2G_ERROR_SHAPE, "“w”, has the shape [3], expected 4 elements" },
  { "sparse-index", ROWS INDICES ("i", "4", "0, 1, 4, 2") LIST,
    "type: 'SparseLengthsSum' input: 'x' input: 'i' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“i”, has the index 4 at 2" },
  { "sparse-negative", ROWS INDICES ("i", "4", "0, -1, 3, 2") LIST,
    "type: 'SparseLengthsMax' input: 'x' input: 'i' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“i”, has the index -1 at 1" },
  { "sparse-more", ROWS INDICES ("i", "3", "0, 1, 2") LIST,
    "type: 'SparseLengthsMean' input: 'x' input: 'i' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has lengths with the sum 4, expected 3" },
  { "sparse-weights", ROWS INDICES ("i", "4", "0, 1, 2, 3") FLOATS ("w", "3") LIST,
    "type: 'SparseLengthsWeightedSum' input: 'x' input: 'w' input: 'i' input: 'n' "
    "output: 'y'",
    C2G_ERROR_SHAPE, "“w”" },
  { "ids-huge", LONG_INDICES ("n", "1", "4611686018427387904"),
    "type: 'LengthsToSegmentIds' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "4611686018427387904 elements" },
  { "ids-memory", LONG_INDICES ("n", "1", "1152921504606846976"),
    "type: 'LengthsToSegmentIds' input: 'n' output: 'y'",
    C2G_ERROR_NO_MEMORY, "" },
  { "ranges-huge", LONG_INDICES ("n", "1", "4611686018427387904"),
    "type: 'LengthsToRanges' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has lengths with the sum 4611686018427387904" },
  { "offsets-negative", INDICES ("n", "2", "1, -2147483648"),
    "type: 'LengthsToOffsets' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”, has the length -2147483648 at 1" },
  { "segments-order", INDICES ("i", "2", "1, 0"),
    "type: 'SegmentIdsToLengths' input: 'i' output: 'y'",
    C2G_ERROR_RANGE, "“i”, has the segment 0 at 1" },
  { "segments-negative", INDICES ("i", "1", "-1"),
    "type: 'SegmentIdsToLengths' input: 'i' output: 'y'",
    C2G_ERROR_RANGE, "“i”, has the segment -1 at 0" },
  { "segments-huge", LONG_INDICES ("i", "1", "9223372036854775807"),
    "type: 'SegmentIdsToLengths' input: 'i' output: 'y'",
    C2G_ERROR_RANGE, "" },
  { "segments-data", INDICES ("i", "1", "4") ROWS,
    "type: 'SegmentIdsToLengths' input: 'i' input: 'x' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "pack-sum", ROWS INDICES ("n", "2", "3, 2"),
    "type: 'PackSegments' input: 'n' input: 'x' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "pack-huge", ROWS LONG_INDICES ("n", "2", "9223372036854775807, 9223372036854775807"),
    "type: 'PackRNNSequence' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_RANGE, "“n”" },
  { "unpack-width", FLOATS ("x", "2, 2, 3") INDICES ("n", "2", "3, 1"),
    "type: 'UnpackSegments' input: 'n' input: 'x' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "reverse-long", FLOATS ("x", "3, 2, 4") INDICES ("n", "2", "4, 1"),
    "type: 'ReversePackedSegs' input: 'x' input: 'n' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "mask-rows", ROWS TRUTHS ("m", "3", "1, 0, 1"),
    "type: 'BooleanMask' input: 'x' input: 'm' output: 'y'",
    C2G_ERROR_SHAPE, "“m”, has the shape [3], expected [4]" },
  { "mask-type", ROWS,
    "type: 'BooleanMask' input: 'x' input: 'x' output: 'y'",
    C2G_ERROR_TYPE, "“x”" },
  { "mask-lengths", LIST TRUTHS ("m", "3", "1, 0, 1"),
    "type: 'BooleanMaskLengths' input: 'n' input: 'm' output: 'y'",
    C2G_ERROR_SHAPE, "“m”, has the shape [3], expected [4]" },
  { "unmask-odd", ROWS TRUTHS ("m", "1", "1"),
    "type: 'BooleanUnmask' input: 'm' input: 'x' input: 'm' output: 'y'",
    C2G_ERROR_INVALID_ARGUMENT, "got 3" },
  { "unmask-none", TRUTHS ("m", "2", "1, 0") FLOATS ("x", "1"),
    "type: 'BooleanUnmask' input: 'm' input: 'x' output: 'y'",
    C2G_ERROR_RANGE, "“m”, is false at 1" },
  { "unmask-few", TRUTHS ("m", "2", "1, 1") FLOATS ("x", "1"),
    "type: 'BooleanUnmask' input: 'm' input: 'x' output: 'y'",
    C2G_ERROR_SHAPE, "“x”" },
  { "unmask-type", TRUTHS ("m", "1", "0") TRUTHS ("k", "1", "1") FLOATS ("x", "0") INDICES ("i", "1", "3"),
    "type: 'BooleanUnmask' input: 'm' input: 'x' input: 'k' input: 'i' output: 'y'",
    C2G_ERROR_TYPE, "“i”" },
  { "sequence-mask-mode", ROWS,
    "type: 'SequenceMask' input: 'x' output: 'y' arg { name: 'mode' s: 'none' }",
    C2G_ERROR_INVALID_ARGUMENT, "“none”, expected sequence" },
  { "sequence-mask-lengths", ROWS LIST,
    "type: 'SequenceMask' input: 'x' input: 'n' output: 'y' "
    "arg { name: 'mode' s: 'sequence' }",
    C2G_ERROR_SHAPE, "“n”" },
  { "sequence-mask-axis", ROWS,
    "type: 'SequenceMask' input: 'x' output: 'y' arg { name: 'mode' s: 'upper' } "
    "arg { name: 'axis' i: 9 }",
    C2G_ERROR_SHAPE, "“x”" },
  { "gru-gates", STEPS INDICES ("t", "1", "0"),
    "type: 'GRUUnit' input: 'x' input: 'l' input: 'n' input: 't' output: 'y'",
    C2G_ERROR_SHAPE, "“l”, has the shape [1, 2, 12], expected [1, 2, 3 × 3]" },
  { "lstm-step", STEPS INDICES ("t", "0", ""),
    "type: 'LSTMUnit' input: 'x' input: 'x' input: 'l' input: 'n' input: 't' "
    "output: 'y' output: 'z'",
    C2G_ERROR_SHAPE, "“t”" },
  { "lstm-lengths", STEPS INDICES ("t", "1", "0"),
    "type: 'LSTMUnit' input: 'x' input: 'x' input: 'l' input: 't' input: 't' "
    "output: 'y' output: 'z'",
    C2G_ERROR_SHAPE, "“t”" },
  { "ctc-length", FLOATS ("x", "3, 2, 4") INDICES ("n", "2", "1, 4"),
    "type: 'CTCGreedyDecoder' input: 'x' input: 'n' output: 'y' output: 'z'",
    C2G_ERROR_RANGE, "“n”, has the length 4 at 1, expected one from 0 to 3" },
  { "ctc-negative", FLOATS ("x", "3, 2, 4") INDICES ("n", "2", "-1, 3"),
    "type: 'CTCBeamSearchDecoder' input: 'x' input: 'n' output: 'y' output: 'z'",
    C2G_ERROR_RANGE, "“n”, has the length -1 at 0, expected one from 0 to 3" },
  { "ctc-width", FLOATS ("x", "3, 2, 4"),
    "type: 'CTCBeamSearchDecoder' input: 'x' output: 'y' output: 'z' "
    "arg { name: 'beam_width' i: 0 }",
    C2G_ERROR_RANGE, "“beam_width” is 0" },
};

static const OpRepeated repeated[] = {
  { ROWS LIST,
    "type: 'LengthsSum' input: 'x' input: 'n' output: 'y'" },
  { ROWS LIST,
    "type: 'LengthsMean' input: 'x' input: 'n' output: 'y'" },
  { ROWS LIST,
    "type: 'LengthsMax' input: 'x' input: 'n' output: 'y'" },
  { ROWS LIST FLOATS ("w", "4"),
    "type: 'LengthsWeightedSum' input: 'x' input: 'w' input: 'n' output: 'y'" },
  { ROWS LIST INDICES ("i", "4", "3, 0, 0, 1"),
    "type: 'SparseLengthsSum' input: 'x' input: 'i' input: 'n' output: 'y'" },
  { ROWS LIST INDICES ("i", "4", "3, 0, 0, 1"),
    "type: 'SparseLengthsMax' input: 'x' input: 'i' input: 'n' output: 'y'" },
  { ROWS LIST INDICES ("i", "4", "3, 0, 0, 1") FLOATS ("w", "4"),
    "type: 'SparseLengthsWeightedMean' input: 'x' input: 'w' input: 'i' input: 'n' "
    "output: 'y'" },
  { LIST,
    "type: 'LengthsToSegmentIds' input: 'n' output: 'y'" },
  { LIST,
    "type: 'LengthsToRanges' input: 'n' output: 'y'" },
  { LIST,
    "type: 'LengthsToOffsets' input: 'n' output: 'y'" },
  { INDICES ("i", "4", "0, 0, 1, 3"),
    "type: 'SegmentIdsToLengths' input: 'i' output: 'y'" },
  { ROWS LIST,
    "type: 'PackSegments' input: 'n' input: 'x' output: 'y' output: 'z' "
    "arg { name: 'return_presence_mask' i: 1 }" },
  { ROWS LIST,
    "type: 'PackRNNSequence' input: 'x' input: 'n' output: 'y'" },
  { FLOATS ("x", "3, 2, 4") INDICES ("n", "2", "3, 1"),
    "type: 'UnpackRNNSequence' input: 'x' input: 'n' output: 'y'" },
  { FLOATS ("x", "2, 3, 4") INDICES ("n", "2", "3, 1"),
    "type: 'UnpackSegments' input: 'n' input: 'x' output: 'y'" },
  { FLOATS ("x", "3, 2, 4") INDICES ("n", "2", "3, 1"),
    "type: 'ReversePackedSegs' input: 'x' input: 'n' output: 'y'" },
  { ROWS TRUTHS ("m", "4", "1, 0, 1, 1"),
    "type: 'BooleanMask' input: 'x' input: 'm' output: 'y' output: 'z'" },
  { LIST TRUTHS ("m", "4", "1, 0, 1, 1"),
    "type: 'BooleanMaskLengths' input: 'n' input: 'm' output: 'y'" },
  { TRUTHS ("m", "3", "1, 0, 1") TRUTHS ("k", "3", "0, 1, 0") FLOATS ("x", "2") FLOATS ("z", "1"),
    "type: 'BooleanUnmask' input: 'm' input: 'x' input: 'k' input: 'z' output: 'y'" },
  { ROWS INDICES ("n", "4", "1, 2, 3, 0"),
    "type: 'SequenceMask' input: 'x' input: 'n' output: 'y' "
    "arg { name: 'mode' s: 'sequence' }" },
  { STEPS FLOATS ("k", "1, 2, 9") INDICES ("t", "1", "0"),
    "type: 'GRUUnit' input: 'x' input: 'k' input: 'n' input: 't' output: 'y'" },
  { STEPS INDICES ("t", "1", "0"),
    "type: 'LSTMUnit' input: 'x' input: 'x' input: 'l' input: 'n' input: 't' "
    "output: 'y' output: 'z'" },
  { FLOATS ("x", "3, 2, 4") INDICES ("n", "2", "1, 3"),
    "type: 'CTCGreedyDecoder' input: 'x' input: 'n' output: 'y' output: 'z'" },
  { FLOATS ("x", "3, 2, 4") INDICES ("n", "2", "1, 3"),
    "type: 'CTCBeamSearchDecoder' input: 'x' input: 'n' output: 'y' output: 'z'" },
};

static void
test_repeated (void)
{
  op_case_check_repeated (repeated, G_N_ELEMENTS (repeated));
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  op_case_add_failures ("/sequence/failure/", failures, G_N_ELEMENTS (failures));
  c2g_test_add_func ("/sequence/repeated", test_repeated);

  return c2g_test_run ();
}
