# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators that copy or select: slices, tiles, rows selected by indices, and top k."""

import os
import tempfile

from ops_testing import C2g, GLib, OpTestCase, new_op, new_tensor, numpy, random_array, run

INDEX_TYPES = [numpy.int32, numpy.int64]


def int32(*values):
    return numpy.array(values, dtype=numpy.int32)


class Copies(OpTestCase):
    COPIES = ['Copy', 'CopyCPUToGPU', 'CopyGPUToCPU', 'CopyFromCPUInput', 'EnsureCPUOutput', 'EnsureDense',
              'StopGradient', 'Alias']

    def test_copies(self):
        for op_type in self.COPIES:
            for shape in (0, 3), (1,), (2, 3, 4):
                for dtype in numpy.float32, numpy.int64, bool:
                    x = random_array(shape, dtype=dtype)
                    self.check(op_type, [x], [x])
        for op_type in 'EnsureDense', 'StopGradient', 'Alias':
            self.check(op_type, [random_array((3,))], [random_array((3,))], in_place={0: 0})
        words = numpy.array(['a', '', 'long' * 99], dtype=object)
        self.check('Copy', [words], [words])
        self.check('CopyOnDeviceLike', [words, words[:1]], [words])
        self.assertFails(C2g.Error.SHAPE, 'EnsureDense', [numpy.float32(1)])

    def test_memory(self):
        for op_type in self.COPIES:
            workspace = C2g.Workspace.new()
            workspace.create_blob('x').set_object(new_tensor(random_array((3,))))
            C2g.Operator.create(new_op(op_type, ['x'], ['y']), workspace).run()
            x, y = (workspace.get_blob(name).get_tensor() for name in 'xy')
            self.assertEqual(x.get_address() == y.get_address(), op_type == 'Alias', op_type)

    def test_no_data(self):
        workspace = C2g.Workspace.new()
        workspace.create_blob('x')
        for op_type in self.COPIES + ['Print', 'EnforceFinite']:
            op = C2g.Operator.create(new_op(op_type, ['x'], ['y'][:op_type not in ('Print', 'EnforceFinite')]),
                                     workspace)
            if op_type != 'Print':
                with self.assertRaises(GLib.Error):
                    op.run()

    def test_print_to_file(self):
        with tempfile.TemporaryDirectory() as folder:
            workspace = C2g.Workspace.new()
            workspace.set_root_folder(folder)
            workspace.create_blob('a/x').set_object(new_tensor(int32(1, 2, 3)))
            op = C2g.Operator.create(new_op('Print', ['a/x'], [], to_file=1, limit=2, every_n=2), workspace)
            for _ in range(3):
                op.run()
            with open(os.path.join(folder, 'a_x.log')) as file:
                self.assertEqual(file.read(), 'Tensor a/x of type int32. Dims: (3,): 1,2\n' * 2)
            del op
            workspace.set_root_folder(os.path.join(folder, 'missing'))
            op = C2g.Operator.create(new_op('Print', ['a/x'], [], to_file=1), workspace)
            with self.assertRaises(GLib.Error):
                op.run()
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Print', [int32(1)], 0, every_n=0)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Print', [int32(1)], 0, limit=-1)

    def test_enforce_finite(self):
        for dtype in numpy.float32, numpy.float64:
            run('EnforceFinite', [random_array((3, 4), dtype=dtype)], 0)
            run('EnforceFinite', [random_array((0,), dtype=dtype)], 0)
            for bad in numpy.nan, numpy.inf, -numpy.inf:
                x = numpy.array([1, bad], dtype=dtype)
                self.assertIn('“input_0”', self.assertFails(C2g.Error.RANGE, 'EnforceFinite', [x], 0))
        self.assertFails(C2g.Error.TYPE, 'EnforceFinite', [int32(1)], 0)


class Slices(OpTestCase):
    def test_slice(self):
        x = random_array((4, 5, 6))
        cases = [([1], [3]), ([0, 1], [-1, 4]), ([0, 0, 2], [-1, -1, 5]), ([1, 2, 3], [2, 4, -2]), ([-3], [-1]),
                 ([0], [99]), ([99], [99]), ([2], [2]), ([], []), ([0, 1, 0], [-1, 2, -1])]
        for starts, ends in cases:
            with self.subTest(starts=starts, ends=ends):
                slices = []
                for start, end, dim in zip(starts, ends, x.shape):
                    slices.append(slice(start + dim + 1 if start < 0 else start, end + dim + 1 if end < 0 else end))
                expected = x[tuple(slices)]
                self.check('Slice', [x], [expected], starts=starts, ends=ends)
                for dtype in INDEX_TYPES:
                    bounds = [numpy.array(bounds, dtype=dtype) for bounds in (starts, ends)]
                    self.check('Slice', [x, *bounds], [expected])

    def test_odd_slices(self):
        self.check('Slice', [numpy.float32(3)], [numpy.float32(3)])
        empty = random_array((0, 5))
        self.check('Slice', [empty], [random_array((0, 2))], starts=[0, 1], ends=[-1, 3])
        x = random_array((4, 5), dtype=numpy.int8)
        self.check('Slice', [x], [x[:, 1:3]], starts=[0, 1], ends=[-1, 3])
        words = numpy.array(['a', 'b', 'c'], dtype=object)
        self.check('Slice', [words], [words[1:]], starts=[1], ends=[-1])

    def test_bad_slices(self):
        x = random_array((4, 5))
        for starts, ends in ([3], [2]), ([-6], [2]), ([0], [-6]), ([0, 0, 0], [1, 1, 1]):
            self.assertFails(C2g.Error.SHAPE, 'Slice', [x], starts=starts, ends=ends)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Slice', [x], starts=[1], ends=[1, 2])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Slice', [x, int32(1)])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Slice', [x, int32(1), int32(2)], starts=[1], ends=[2])
        self.assertFails(C2g.Error.SHAPE, 'Slice', [x, int32(1), int32(2, 3)])
        self.assertFails(C2g.Error.TYPE, 'Slice', [x, x[0], x[0]])

    def test_tile(self):
        for shape in (2, 3, 4), (0, 3, 1), (1, 1, 1):
            x = random_array(shape)
            for axis in 0, 1, 2, -1:
                for tiles in 1, 3, 0:
                    repeats = [1, 1, 1]
                    repeats[axis] = tiles
                    expected = numpy.tile(x, repeats)
                    self.check('Tile', [x], [expected], tiles=tiles, axis=axis)
                    self.check('Tile', [x, int32(tiles), int32(axis)], [expected])
                    self.check('Tile', [x, numpy.int64(tiles)], [expected], axis=axis)
        x = random_array((2, 3))
        for code, arguments in [(C2g.Error.RANGE, {'tiles': -1}), (C2g.Error.RANGE, {'tiles': 2**62}),
                                (C2g.Error.SHAPE, {'axis': 2}), (C2g.Error.SHAPE, {'axis': -3})]:
            self.assertFails(code, 'Tile', [x], **arguments)
        self.assertFails(C2g.Error.SHAPE, 'Tile', [x, int32(1, 2)])

    def test_lengths_tile(self):
        x = random_array((4, 3))
        for lengths in [0, 1, 3, 2], [0, 0, 0, 0]:
            self.check('LengthsTile', [x, int32(*lengths)], [numpy.repeat(x, lengths, axis=0)])
        self.assertFails(C2g.Error.SHAPE, 'LengthsTile', [x, int32(1, 2)])
        self.assertFails(C2g.Error.RANGE, 'LengthsTile', [x, int32(1, 2, 3, -1)])


class Gathers(OpTestCase):
    def test_gather(self):
        x = random_array((5, 3, 4))
        for dtype in INDEX_TYPES:
            for indices in numpy.array([4, 0, 0, 2], dtype=dtype), numpy.array([[1], [3]], dtype=dtype), dtype(2):
                self.check('Gather', [x, indices], [x[indices]])
                for column in x[:, 0, 0], random_array((5,), dtype=numpy.int16):
                    self.check('Gather', [column, indices], [column[indices]])
        for axis in 1, 2, -1:
            self.check('Gather', [x, int32(2, 0)], [numpy.take(x, [2, 0], axis)], axis=axis)
        self.check('Gather', [x, int32(-1)], [x[[-1]]])
        self.check('Gather', [x, int32(-1)], [x[:, [-1]]], axis=1, wrap_indices=1)

    def test_empty(self):
        x = random_array((0, 3))
        self.check('Gather', [x, numpy.zeros(0, dtype=numpy.int32)], [x])
        self.check('Gather', [random_array((4, 3)), numpy.zeros(0, dtype=numpy.int64)], [x])

    def test_batch_gather(self):
        x = random_array((2, 5, 3))
        for indices in int32(4, 0, 4), int32(1).reshape(1, 1):
            self.check('BatchGather', [x, indices], [x[:, indices]])
        indices = numpy.array([[0, 4, 1], [3, 3, 2]])
        expected = numpy.stack([x[i][indices[i]] for i in range(2)])
        self.check('BatchGather', [x, indices], [expected], match_outer=1)
        self.check('BatchGather', [x[:, :, 0], indices], [expected[:, :, 0]], match_outer=1)
        self.assertFails(C2g.Error.RANGE, 'BatchGather', [x, int32(-1)])
        self.assertFails(C2g.Error.SHAPE, 'BatchGather', [x, indices[:1]], match_outer=1)

    def test_bad(self):
        x = random_array((5, 3))
        for bad in 5, -6, 2**31 - 1:
            self.assertIn('“input_1”', self.assertFails(C2g.Error.RANGE, 'Gather', [x, int32(0, bad)]))
        self.assertFails(C2g.Error.TYPE, 'Gather', [x, x])
        self.assertFails(C2g.Error.SHAPE, 'Gather', [x, int32(0)], axis=2)
        self.assertFails(C2g.Error.SHAPE, 'Gather', [numpy.float32(1), int32(0)])

    def test_ranges(self):
        x = random_array((6,))
        ranges = [[[0, 1], [2, 2]], [[4, 1], [5, 1]], [[0, 0], [9, 0]]]
        for dtype in INDEX_TYPES:
            self.check('GatherRanges', [x, numpy.array(ranges, dtype=dtype)], [x[[0, 2, 3, 4, 5]], int32(3, 2, 0)])
        self.check('GatherRanges', [x, numpy.zeros((0, 1, 2), dtype=numpy.int32)], [x[:0], int32()])
        for bad in [0, 7], [6, 1], [-1, 2], [0, -1]:
            self.assertFails(C2g.Error.RANGE, 'GatherRanges', [x, int32(*bad).reshape(1, 1, 2)], 2)
        self.assertFails(C2g.Error.RANGE, 'GatherRanges', [x, numpy.array([[[2**63 - 1, 2**63 - 1]]])], 2)
        self.assertFails(C2g.Error.SHAPE, 'GatherRanges', [x, int32(1, 2)], 2)
        self.assertFails(C2g.Error.SHAPE, 'GatherRanges', [x, numpy.zeros((1, 0, 2), dtype=numpy.int32)], 2)
        self.assertFails(C2g.Error.SHAPE, 'GatherRanges', [x.reshape(2, 3), int32(0, 1).reshape(1, 1, 2)], 2)

    def test_lengths_gather(self):
        x = random_array((6, 2))
        for indices in [2, 0, 2], [], [1]:
            rows = [r for i in indices for r in ([0, 1, 2], [], [3, 4, 5])[i]]
            self.check('LengthsGather', [x, int32(3, 0, 3), int32(*indices)], [x[rows]])
        self.assertFails(C2g.Error.RANGE, 'LengthsGather', [x, int32(3, 3), int32(2)])
        self.assertFails(C2g.Error.RANGE, 'LengthsGather', [x, int32(7, -1), int32(0)])
        self.assertFails(C2g.Error.SHAPE, 'LengthsGather', [x, int32(3, 4), int32(0)])

    def test_scatter_assign(self):
        for dtype in numpy.float32, numpy.int64, numpy.uint8:
            x, slices = random_array((5, 3), dtype=dtype), random_array((2, 3), dtype=dtype, seed=2)
            expected = x.copy()
            expected[[4, 1]] = slices
            for index_type in INDEX_TYPES:
                indices = numpy.array([4, 1], dtype=index_type)
                self.check('ScatterAssign', [x, indices, slices], [expected], in_place={0: 0})
        x = random_array((5, 3))
        slices = x[:2]
        place = {'in_place': {0: 0}}
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ScatterAssign', [x, int32(4, 1), slices])
        self.assertFails(C2g.Error.RANGE, 'ScatterAssign', [x, int32(4, 5), slices], **place)
        self.assertFails(C2g.Error.SHAPE, 'ScatterAssign', [x, int32(4), slices], **place)
        self.assertFails(C2g.Error.TYPE, 'ScatterAssign', [x, int32(4, 1), slices.astype(numpy.float64)], **place)


class OneHots(OpTestCase):
    def test_one_hot(self):
        for indices in [2, 0, 3], []:
            self.check('OneHot', [numpy.array(indices, dtype=numpy.int64), numpy.int64(4)],
                       [numpy.eye(4, dtype=numpy.float32)[numpy.array(indices, dtype=int)]])
        self.assertFails(C2g.Error.RANGE, 'OneHot', [numpy.array([4]), numpy.int64(4)])
        self.assertFails(C2g.Error.RANGE, 'OneHot', [numpy.array([-1]), numpy.int64(4)])
        self.assertFails(C2g.Error.RANGE, 'OneHot', [numpy.array([0]), numpy.int64(0)])
        self.assertFails(C2g.Error.RANGE, 'OneHot', [numpy.zeros(2**10, dtype=numpy.int64), numpy.int64(2**60)])

    def test_segment_one_hot(self):
        expected = numpy.float32([[1, 0, 1], [0, 0, 0], [0, 1, 0]])
        self.check('SegmentOneHot', [int32(2, 0, 1), numpy.array([0, 2, 1]), numpy.int64(3)], [expected])
        self.assertFails(C2g.Error.SHAPE, 'SegmentOneHot', [int32(2, 2), numpy.array([0, 2, 1]), numpy.int64(3)])

    def test_batch_one_hot(self):
        for dtype in INDEX_TYPES:
            x = numpy.array([[2, 3], [4, 1], [2, 5]], dtype=dtype)
            values = numpy.array([2, 4, 1, 3, 5], dtype=dtype)
            expected = numpy.array([[1, 0, 0, 1, 0], [0, 1, 1, 0, 0], [1, 0, 0, 0, 1]], dtype=dtype)
            self.check('BatchOneHot', [x, int32(2, 3), values], [expected])
            self.check('BatchOneHot', [x[:0], int32(2, 3), values], [expected[:0]])
        self.assertFails(C2g.Error.SHAPE, 'BatchOneHot', [x, int32(2, 2), values])
        self.assertFails(C2g.Error.SHAPE, 'BatchOneHot', [x, int32(5), values])
        self.assertFails(C2g.Error.TYPE, 'BatchOneHot', [x, int32(2, 3), values.astype(numpy.int32)])

    def test_buckets(self):
        x = numpy.float32([[2, 3], [4, 1], [2, 5]])
        boundaries = numpy.float32([0.1, 2.5, 1, 3.1, 4.5])
        expected = numpy.float32([[0, 1, 0, 0, 1, 0, 0], [0, 0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0, 1]])
        self.check('BatchBucketOneHot', [x, int32(2, 3), boundaries], [expected])
        self.check('BatchBucketOneHot', [x[:0], int32(2, 3), boundaries], [expected[:0]])
        self.assertFails(C2g.Error.SHAPE, 'BatchBucketOneHot', [x, int32(5, 0), boundaries])
        self.assertFails(C2g.Error.SHAPE, 'BatchBucketOneHot', [x, int32(2, 2), boundaries])


class TopKs(OpTestCase):
    def expect(self, x, k, axis=-1):
        axis %= x.ndim
        n = x.shape[axis]
        order = numpy.argsort(-x, axis=axis, kind='stable')
        order = numpy.take(order, range(min(k, n)), axis)
        values = numpy.take_along_axis(x, order, axis)
        flat = numpy.take_along_axis(numpy.arange(x.size).reshape(x.shape), order, axis)
        padding = [(0, 0)] * x.ndim
        padding[axis] = (0, max(k - n, 0))
        return [numpy.pad(values, padding), numpy.pad(order, padding, constant_values=-1),
                numpy.pad(flat, padding, constant_values=-1).reshape(-1)]

    def test_top_k(self):
        for shape in (7,), (3, 5), (2, 3, 40), (0, 5), (2, 1):
            for k in 1, 2, 5, 50:
                for x in random_array(shape), numpy.round(random_array(shape, seed=3) * 2):
                    expected = self.expect(x, k)
                    self.check('TopK', [x], expected[:2], k=k)
                    self.check('TopK', [x], expected, k=k)
        x = random_array((4, 5, 6))
        for axis in 0, 1, 2, -2:
            self.check('TopK', [x], self.expect(x, 3, axis), k=3, axis=axis)
        self.check('TopK', [x, int32(2)], self.expect(x, 2))

    def test_bad_top_k(self):
        x = random_array((3, 4))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'TopK', [x], 2)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'TopK', [x], 2, k=-1)
        self.assertFails(C2g.Error.RANGE, 'TopK', [x, int32(0)], 2)
        self.assertFails(C2g.Error.SHAPE, 'TopK', [x], 2, k=1, axis=2)
        self.assertFails(C2g.Error.TYPE, 'TopK', [x.astype(numpy.int32)], 2, k=1)
        self.assertFails(C2g.Error.RANGE, 'TopK', [x], 2, k=2**62)

    def test_flexible(self):
        x = random_array((2, 3, 5))
        k = numpy.array([1, 5, 2, 3, 1, 4])
        rows = [self.expect(row, n) for row, n in zip(x.reshape(6, 5), k)]
        expected = [numpy.concatenate([row[i] for row in rows]) for i in (0, 1)]
        self.check('FlexibleTopK', [x, k.reshape(2, 3, 1)], expected)
        self.assertFails(C2g.Error.RANGE, 'FlexibleTopK', [x, k + 1], 2)
        self.assertFails(C2g.Error.RANGE, 'FlexibleTopK', [x, k - 1], 2)
        self.assertFails(C2g.Error.SHAPE, 'FlexibleTopK', [x, k[1:]], 2)


class Sequences(OpTestCase):
    def test_unique(self):
        for dtype in INDEX_TYPES:
            for values in [5, 3, 5, 5, -1, 3], [], [7]:
                x = numpy.array(values, dtype=dtype)
                unique, inverse = numpy.unique(x, return_inverse=True)
                self.check('Unique', [x], [unique, inverse.astype(numpy.int32)])
                self.check('Unique', [x], [unique])
        self.assertFails(C2g.Error.SHAPE, 'Unique', [int32(1).reshape(1, 1)])
        self.assertFails(C2g.Error.TYPE, 'Unique', [numpy.float32([1])])

    def test_duplicates(self):
        cases = [(numpy.float32([1, 2, 1, numpy.nan, numpy.nan, 2, 1]), [2, 5, 6]),
                 (numpy.float64([0.0, -0.0]), [1]),
                 (int32(3, 3, 3), [1, 2]),
                 (numpy.array([2**40, 0, 2**40]), [2]),
                 (numpy.array(['a', '', 'b', 'a', ''], dtype=object), [3, 4]),
                 (numpy.array([], dtype=object), [])]
        for x, expected in cases:
            self.check('FindDuplicateElements', [x], [numpy.array(expected, dtype=numpy.int64)])
        self.assertFails(C2g.Error.TYPE, 'FindDuplicateElements', [numpy.array([True])])
        self.assertFails(C2g.Error.SHAPE, 'FindDuplicateElements', [int32(1).reshape(1, 1)])

    def test_remove_blocks(self):
        x = random_array((5, 2, 3))
        for dtype in INDEX_TYPES:
            for indices in [4, 0, 4], [2], [0, 1, 2, 3, 4]:
                self.check('RemoveDataBlocks', [x, numpy.array(indices, dtype=dtype)], [numpy.delete(x, indices, 0)])
        self.check('RemoveDataBlocks', [x, numpy.zeros(0)], [x])
        self.assertFails(C2g.Error.RANGE, 'RemoveDataBlocks', [x, int32(5)])
        self.assertFails(C2g.Error.RANGE, 'RemoveDataBlocks', [x, int32(-1)])

    def test_merge(self):
        for dtype in INDEX_TYPES:
            inputs = [int32(2, 0, 1), numpy.array([7, 3, 9], dtype=dtype), int32(1, 0, 2),
                      numpy.array([3, 1, 9], dtype=dtype)]
            expected = [int32(2, 0, 2), numpy.array([3, 7, 1, 9], dtype=dtype)]
            self.check('MergeIdLists', inputs, expected)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'MergeIdLists', inputs[:3], 2)
        self.assertFails(C2g.Error.SHAPE, 'MergeIdLists', inputs[:2] + [int32(3)] + inputs[3:], 2)
        self.assertFails(C2g.Error.SHAPE, 'MergeIdLists', [int32(2, 2)] + inputs[1:2], 2)
        self.assertFails(C2g.Error.TYPE, 'MergeIdLists', inputs[:3] + [int32(3, 1, 9)], 2)

    def test_hash(self):
        for bits in 32, 64:
            dtype = numpy.dtype(f'int{bits}')
            x = numpy.array([0, 1, -1, 255, 12345678, -2**31, 2**31 - 1], dtype=dtype)
            for seed, modulo in (0, 100000), (7, 97), (-3, 2**31 - 1):
                expected = []
                for value in x.tolist():
                    hashed = seed * 0xdeadbeef
                    for byte in value.to_bytes(bits // 8, 'little', signed=True):
                        hashed = hashed * 65537 + (byte - 256 if byte > 127 else byte)
                    hashed &= 2**bits - 1
                    hashed -= 2**bits if hashed >> (bits - 1) else 0
                    expected.append(hashed % modulo)
                self.check('IndexHash', [x], [numpy.array(expected, dtype=dtype)], seed=seed, modulo=modulo)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'IndexHash', [x])
        self.assertFails(C2g.Error.TYPE, 'IndexHash', [int32(1)], modulo=2**31)

    def test_lengths_split(self):
        expected = int32(1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1)
        self.check('LengthsSplit', [int32(3, 4, 5)], [expected], n_split=5)
        self.check('LengthsSplit', [int32(3, 4, 5), int32(5)], [expected])
        self.check('LengthsSplit', [int32(0, 7)], [int32(0, 0, 4, 3)], n_split=2)
        self.check('LengthsSplit', [int32()], [int32()], n_split=2)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'LengthsSplit', [int32(3)])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'LengthsSplit', [int32(3), int32(0)])
        self.assertFails(C2g.Error.RANGE, 'LengthsSplit', [int32(-3)], n_split=1)
