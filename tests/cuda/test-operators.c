/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/cuda/nets-utils.h"

/* Operators on a device give the same as on the CPU: numbers, indices and shapes. */

static const NetsCase elements[] = {
  { "X", "type: 'Scale' arg { name: 'scale' f: -1.7 }" },
  { "X", "type: 'Scale' arg { name: 'scale' f: 3 }", "X" },
  { "X", "type: 'Pow' arg { name: 'exponent' f: 2 }" },
  { "Z3 Z", "type: 'Pow'" },
  { "X", "type: 'Glu' arg { name: 'dim' i: 1 }" },
  { "E", "type: 'Glu' arg { name: 'dim' i: 1 }" },
  { "N", "type: 'ReplaceNaN' arg { name: 'value' f: 7 }" },
  { "N", "type: 'ReplaceNaN' arg { name: 'value' f: 7 }", "N" },
  { "D", "type: 'ReplaceNaN'" },
  { "B X Y", "type: 'Where'" },
  { "B2 X Y", "type: 'Where' arg { name: 'broadcast_on_rows' i: 1 }" },
  { "B3 i j", "type: 'Where' arg { name: 'broadcast_on_rows' i: 1 }" },
  { "B3 D D", "type: 'Conditional'" },
  { "B0 X Y", "type: 'Conditional'" },
  { "X c378 d378", "type: 'ElementwiseLinear'" },
  { "X c378 d378", "type: 'ElementwiseLinear'", "X" },
  { "X low", "type: 'ClipTensorByScaling' arg { name: 'threshold' f: 1.5 }" },
  { "X low high", "type: 'ClipTensorByScaling' arg { name: 'threshold' f: 1.5 }" },
  { "X", "type: 'NegateGradient'" },
  { "X", "type: 'NanCheck'" },
  { "X", "type: 'NanCheck'", "X" },
};

static void
test_elements (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    nets_check_case (&elements[i], "simple");
}

/* Every source type is converted to every other type. */
static void
test_cast (void)
{
  static const char *const sources[] = { "X", "O", "D", "H", "i", "l", "u", "B", "E", "S" };
  static const char *const targets[] = { "FLOAT", "DOUBLE", "FLOAT16", "INT32", "INT64",
                                         "INT16", "INT8",   "UINT8",   "UINT16", "BOOL" };

  for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (targets); k++)
      {
        g_autofree char *text =
          g_strdup_printf ("type: 'Cast' arg { name: 'to' s: '%s' }", targets[k]);
        const NetsCase test = { sources[i], text };

        nets_check_case (&test, "simple");
      }
  nets_check_case (&(NetsCase) { "H", "type: 'HalfToFloat'" }, "simple");
  nets_check_case (&(NetsCase) { "X", "type: 'FloatToHalf'" }, "simple");
}

static const NetsCase reductions[] = {
  { "X", "" },
  { "X", "arg { name: 'axes' ints: 1 }" },
  { "X", "arg { name: 'axes' ints: 0 ints: -1 } arg { name: 'keepdims' i: 0 }" },
  { "O", "arg { name: 'axes' ints: 0 ints: 2 ints: 3 }" },
  { "E", "arg { name: 'axes' ints: 0 }" },
  { "E", "arg { name: 'axes' ints: 1 }" },
  { "E2", "arg { name: 'axes' ints: 2 ints: 3 } arg { name: 'keepdims' i: 0 }" },
  { "S", "" },
  { "D", "arg { name: 'axes' ints: 1 }" },
};

static void
test_reductions (void)
{
  static const char *const types[] = { "ReduceSum", "ReduceMean", "ReduceMax",
                                       "ReduceMin", "ReduceL1",   "ReduceL2" };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (reductions); k++)
      {
        g_autofree char *text = g_strdup_printf ("type: '%s' %s", types[i], reductions[k].text);
        const NetsCase test = { reductions[k].inputs, text };

        /* ReduceL1 and ReduceL2 are not tested with doubles. */
        if (*test.inputs != 'D' || i < 4)
          nets_check_case (&test, "simple");
      }
}

static const NetsCase more_reductions[] = {
  { "i", "type: 'ReduceSum' arg { name: 'axes' ints: 1 }" },
  { "l", "type: 'ReduceMax' arg { name: 'axes' ints: 0 ints: 2 }" },
  { "i", "type: 'ReduceMean' arg { name: 'axes' ints: 2 }" },
  { "X", "type: 'ReduceFrontSum' arg { name: 'num_reduce_dim' i: 2 }" },
  { "X", "type: 'ReduceFrontMean'" },
  { "X", "type: 'ReduceFrontMax' arg { name: 'num_reduce_dim' i: 3 }" },
  { "X", "type: 'ReduceBackSum' arg { name: 'num_reduce_dim' i: 4 }" },
  { "X", "type: 'ReduceBackMean' arg { name: 'num_reduce_dim' i: 2 }" },
  { "O", "type: 'ReduceBackMax'" },
  { "O", "type: 'ReduceBackMax' arg { name: 'num_reduce_dim' i: 0 }" },
  { "E", "type: 'ReduceFrontMax'" },
  { "E2", "type: 'ReduceBackMax' arg { name: 'num_reduce_dim' i: 2 }" },
  { "X", "type: 'SumElements'" },
  { "X", "type: 'SumElements' arg { name: 'average' i: 1 }" },
  { "E", "type: 'SumElements' arg { name: 'average' i: 1 }" },
  { "i", "type: 'SumElementsInt'" },
  { "O", "type: 'SumSqrElements'" },
  { "O", "type: 'SumSqrElements' arg { name: 'average' i: 1 }" },
  { "O", "type: 'LpNorm' arg { name: 'p' i: 1 }" },
  { "O", "type: 'LpNorm' arg { name: 'p' i: 2 } arg { name: 'average' i: 1 }" },
  { "E", "type: 'LpNorm' arg { name: 'p' i: 2 } arg { name: 'average' i: 1 }" },
  { "T", "type: 'RowwiseMax'" },
  { "l", "type: 'ColwiseMax'" },
  { "E3", "type: 'ColwiseMax'" },
  { "X", "type: 'ArgMax'" },
  { "X", "type: 'ArgMin' arg { name: 'axis' i: 1 }" },
  { "i", "type: 'ArgMax' arg { name: 'axis' i: 0 } arg { name: 'keepdims' i: 0 }" },
  { "D", "type: 'ArgMin' arg { name: 'axis' i: -2 }" },
  { "ties", "type: 'ArgMax'" },
  { "E", "type: 'ArgMax' arg { name: 'axis' i: 0 }" },
  { "E3", "type: 'ArgMax' arg { name: 'axis' i: 1 }" },
  { "M labels", "type: 'Accuracy'" },
  { "M labels", "type: 'Accuracy' arg { name: 'top_k' i: 3 }" },
};

static void
test_more_reductions (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (more_reductions); i++)
    nets_check_case (&more_reductions[i], "simple");
}

static const NetsCase moves[] = {
  { "X at", "type: 'Gather'" },
  { "l at64", "type: 'Gather'" },
  { "u at", "type: 'Gather'" },
  { "X back", "type: 'Gather'" },
  { "X none", "type: 'Gather'" },
  { "E2 at", "type: 'Gather'" },
  { "X at64", "type: 'BatchGather'" },
  { "T at", "type: 'Gather' arg { name: 'axis' i: 2 }" },
  { "X own", "type: 'Gather' arg { name: 'axis' i: 1 } arg { name: 'match_outer' i: 1 }" },
  { "X", "type: 'Slice' arg { name: 'starts' ints: 0 ints: 1 ints: 2 ints: 3 }"
         " arg { name: 'ends' ints: -1 ints: 4 ints: -2 ints: 8 }" },
  { "X", "type: 'Slice' arg { name: 'starts' ints: 1 } arg { name: 'ends' ints: 2 }" },
  { "l", "type: 'Slice' arg { name: 'starts' ints: 0 ints: 2 } arg { name: 'ends' ints: -1 ints: 5 }" },
  { "u", "type: 'Slice' arg { name: 'starts' ints: 0 ints: 0 ints: 1 }"
         " arg { name: 'ends' ints: 3 ints: 4 ints: 2 }" },
  { "S", "type: 'Slice'" },
  { "X", "type: 'Slice' arg { name: 'starts' ints: 1 } arg { name: 'ends' ints: 1 }" },
  { "X starts ends", "type: 'Slice'" },
  { "X", "type: 'Tile' arg { name: 'tiles' i: 3 } arg { name: 'axis' i: 1 }" },
  { "u three", "type: 'Tile'" },
  { "D three one", "type: 'Tile'" },
  { "E", "type: 'Tile' arg { name: 'tiles' i: 3 }" },
  { "X", "type: 'Tile' arg { name: 'tiles' i: 0 }" },
  { "X", "type: 'Shape'" },
  { "X", "type: 'Shape' arg { name: 'axes' ints: 2 ints: -1 ints: 2 }" },
  { "S", "type: 'Shape'" },
  { "X", "type: 'Size'" },
  { "E", "type: 'Size'" },
  { "E", "type: 'IsEmpty'" },
  { "X", "type: 'HasElements'" },
  { "X", "type: 'Reshape' arg { name: 'shape' ints: 4 ints: -1 }", "result old" },
  { "X shape", "type: 'Reshape'", "result old" },
  { "X shape32", "type: 'Reshape'", "X old" },
  { "X Y", "type: 'ResizeLike'" },
};

static void
test_moves (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++)
    nets_check_case (&moves[i], "simple");
}

static const NetsCase products[] = {
  { "M M2", "type: 'MatMul'" },
  { "M M3", "type: 'MatMul' arg { name: 'trans_b' i: 1 }" },
  { "M2 M", "type: 'MatMul' arg { name: 'trans_a' i: 1 } arg { name: 'trans_b' i: 1 }" },
  { "T M2", "type: 'MatMul' arg { name: 'axis_a' i: 2 }" },
  { "T T2", "type: 'BatchMatMul'" },
  { "T T", "type: 'BatchMatMul' arg { name: 'trans_b' i: 1 }" },
  { "T M2", "type: 'BatchMatMul' arg { name: 'broadcast' i: 1 }" },
  { "T T3", "type: 'BatchMatMul' arg { name: 'broadcast' i: 1 }" },
  { "E3 T2", "type: 'BatchMatMul'" },
};

static void
test_products (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (products); i++)
    nets_check_case (&products[i], "simple");
}

static const NetsCase sequences[] = {
  { "lengths3", "type: 'LengthsToSegmentIds'" },
  { "lengths5", "type: 'LengthsToSegmentIds'" },
  { "long_lengths", "type: 'LengthsToSegmentIds'" },
  { "no_lengths", "type: 'LengthsToSegmentIds'" },
  { "lengths3", "type: 'LengthsToRanges'" },
  { "lengths64", "type: 'LengthsToRanges'" },
  { "no_lengths", "type: 'LengthsToRanges'" },
  { "lengths5", "type: 'LengthsToOffsets'" },
  { "lengths3", "type: 'LengthsToOffsets' arg { name: 'include_last_offset' i: 1 }" },
  { "no_lengths", "type: 'LengthsToOffsets' arg { name: 'include_last_offset' i: 1 }" },
  { "no_lengths", "type: 'LengthsToOffsets'" },
  { "ids", "type: 'SegmentIdsToLengths'" },
  { "ids64", "type: 'SegmentIdsToLengths'" },
  { "ids M", "type: 'SegmentIdsToLengths'" },
  { "none", "type: 'SegmentIdsToLengths'" },
  { "none T", "type: 'SegmentIdsToLengths'" },
  { "lengths3", "type: 'LengthsRangeFill'" },
  { "long_lengths", "type: 'LengthsRangeFill'" },
  { "no_lengths", "type: 'LengthsRangeFill'" },
  { "T lengths4", "type: 'LengthsTile'" },
  { "T lengths64", "type: 'LengthsTile'" },
  { "H lengths4", "type: 'LengthsTile'" },
  { "u lengths64", "type: 'LengthsTile'" },
  { "at64 long_lengths", "type: 'LengthsTile'" },
  { "E no_lengths", "type: 'LengthsTile'" },
  { "E3 lengths4", "type: 'LengthsTile'" },
  { "T lengths3 two_rows", "type: 'LengthsGather'" },
  { "H lengths3 ids64", "type: 'LengthsGather'" },
  { "u lengths64 two_rows", "type: 'LengthsGather'" },
  { "T lengths3 none", "type: 'LengthsGather'" },
  { "E no_lengths none", "type: 'LengthsGather'" },
  { "E3 lengths3 two_rows", "type: 'LengthsGather'" },
  { "lengths3 T", "type: 'PackSegments'" },
  { "lengths64 H", "type: 'PackSegments' arg { name: 'pad_minf' i: 1 }" },
  { "lengths3 T", "type: 'PackSegments' arg { name: 'pad_minf' i: 1 }" },
  { "lengths3 weights", "type: 'PackSegments' arg { name: 'max_length' i: 1 }" },
  { "lengths3 weights", "type: 'PackSegments' arg { name: 'max_length' i: 0 }" },
  { "lengths64 u", "type: 'PackSegments' arg { name: 'max_length' i: 4 }"
                   " arg { name: 'return_presence_mask' i: 1 }",
    "result mask" },
  { "no_lengths E", "type: 'PackSegments' arg { name: 'return_presence_mask' i: 1 }", "result mask" },
  { "lengths3 E3", "type: 'PackSegments'" },
  { "lengths4 T", "type: 'UnpackSegments'" },
  { "lengths64 H", "type: 'UnpackSegments' arg { name: 'max_length' i: 5 }" },
  { "lengths4 u", "type: 'UnpackSegments'" },
  { "lengths4 P", "type: 'UnpackSegments'" },
  { "T lengths3", "type: 'PackRNNSequence'" },
  { "H lengths64", "type: 'PackRNNSequence'" },
  { "weights lengths3", "type: 'PackRNNSequence'" },
  { "E no_lengths", "type: 'PackRNNSequence'" },
  { "T lengths5", "type: 'UnpackRNNSequence'" },
  { "H lengths5", "type: 'UnpackRNNSequence'" },
  { "T lengths5", "type: 'ReversePackedSegs'" },
  { "H lengths5", "type: 'ReversePackedSegs'" },
  { "E3 no_lengths", "type: 'ReversePackedSegs'" },
  { "three weights", "type: 'PackSegments' arg { name: 'max_length' i: 9 }" },
  { "ones E3", "type: 'PackSegments' arg { name: 'max_length' i: 4611686018427387904 }" },
  { "ones wide_empty", "type: 'UnpackSegments'" },
  { "many_empty many_lengths", "type: 'PackRNNSequence'" },
  { "many_steps many_lengths", "type: 'UnpackRNNSequence'" },
  { "many_steps many_lengths", "type: 'ReversePackedSegs'" },
};

static void
test_sequences (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sequences); i++)
    nets_check_case (&sequences[i], "simple");
}

/* Padding takes no memory of the device but that of the output. */
static void
test_padding (void)
{
  const gsize n_bytes = (gsize) 32 << 20;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *text = g_strdup_printf (
    "device_option { device_type: 1 cuda_gpu_id: 0 } "
    "op { type: 'CopyCPUToGPU' input: 'three' output: 'n' } "
    "op { type: 'CopyCPUToGPU' input: 'weights' output: 'x' } "
    "op { type: 'PackSegments' input: 'n' input: 'x' output: 'y' "
    "arg { name: 'max_length' i: %zu } }",
    n_bytes / sizeof (float));
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gNetDef) def = c2g_net_def_new_from_text (text, &error);
  gsize n_free, n_total;

  g_assert_no_error (error);
  nets_add_inputs (workspace);
  g_assert_cmpint (cudaMemGetInfo (&n_free, &n_total), ==, cudaSuccess);
  on_fake (fake_cuda_set_memory_limit, 0, n_total - n_free + 2 * n_bytes);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  on_fake (fake_cuda_set_memory_limit, 0, G_MAXSIZE / 2);
  g_assert_no_error (error);
}

/* Lengths and segments that do not fit are found on the CPU, wherever the operator runs. */
static void
test_sequence_errors (void)
{
  static const NetsCase wrong[] = {
    { "bad_lengths", "type: 'LengthsToSegmentIds'" },
    { "at64", "type: 'LengthsToSegmentIds'" },
    { "M", "type: 'LengthsToRanges'" },
    { "bad_lengths", "type: 'LengthsToRanges'" },
    { "huge_lengths", "type: 'LengthsToOffsets'" },
    { "bad_lengths", "type: 'LengthsToOffsets'" },
    { "rows", "type: 'SegmentIdsToLengths'" },
    { "back", "type: 'SegmentIdsToLengths'" },
    { "ids T", "type: 'SegmentIdsToLengths'" },
    { "bad_lengths", "type: 'LengthsRangeFill'" },
    { "lengths64", "type: 'LengthsRangeFill'" },
    { "T bad_lengths", "type: 'LengthsTile'" },
    { "T lengths3", "type: 'LengthsTile'" },
    { "T lengths3 bad_rows", "type: 'LengthsGather'" },
    { "T bad_lengths two_rows", "type: 'LengthsGather'" },
    { "M lengths3 two_rows", "type: 'LengthsGather'" },
    { "bad_lengths T", "type: 'PackSegments'" },
    { "lengths3 M", "type: 'PackSegments'" },
    { "long_lengths T", "type: 'UnpackSegments'" },
    { "bad_lengths T", "type: 'UnpackSegments'" },
    { "M lengths3", "type: 'PackRNNSequence'" },
    { "T bad_lengths", "type: 'PackRNNSequence'" },
    { "T lengths4", "type: 'UnpackRNNSequence'" },
    { "M lengths5", "type: 'ReversePackedSegs'" },
    { "T lengths4", "type: 'ReversePackedSegs'" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    nets_check_alike (&wrong[i]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_clean_func ("/cuda/operators/elements", test_elements);
  add_clean_func ("/cuda/operators/cast", test_cast);
  add_clean_func ("/cuda/operators/reductions", test_reductions);
  add_clean_func ("/cuda/operators/more-reductions", test_more_reductions);
  add_clean_func ("/cuda/operators/moves", test_moves);
  add_clean_func ("/cuda/operators/products", test_products);
  add_clean_func ("/cuda/operators/sequences", test_sequences);
  add_clean_func ("/cuda/operators/padding", test_padding);
  add_clean_func ("/cuda/operators/sequence-errors", test_sequence_errors);

  return run_on_device ();
}
