# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators on sequences that are stored one after the other, and on padding, compared with NumPy."""

from ops_testing import C2g, OpTestCase, numpy, random_array, run

LENGTHS = (3, 0, 2, 1), (0, 0), (), (7,), (1, 1, 1), (0, 5)
INTEGERS = numpy.int32, numpy.int64


def split(x, lengths):
    """Returns the rows of each sequence."""
    ends = numpy.cumsum(lengths, dtype=int)
    return [x[end - length:end] for end, length in zip(ends, lengths)]


def stack(rows, like):
    return numpy.stack(rows) if rows else numpy.zeros((0,) + like.shape[1:], like.dtype)


def largest(rows):
    return rows.max(0) if len(rows) else rows.sum(0)


def mean(rows):
    return rows.sum(0) / max(len(rows), 1)


class Lengths(OpTestCase):
    def cases(self):
        for values in LENGTHS:
            for dtype in INTEGERS:
                for inner in ((), (1,), (5,), (2, 3)):
                    lengths = numpy.array(values, dtype=dtype)
                    yield lengths, random_array((sum(values),) + inner), inner

    def check_joined(self, op_type, join, weighted=False):
        for lengths, x, inner in self.cases():
            weights = random_array(x.shape[:1], seed=2)
            rows = weights.reshape((-1,) + (1,) * len(inner)) * x if weighted else x
            expected = stack([join(part) for part in split(rows, lengths)], x)
            inputs = [x, weights, lengths] if weighted else [x, lengths]
            self.check(op_type, inputs, [expected.astype(numpy.float32)])

    def test_sum(self):
        self.check_joined('LengthsSum', lambda rows: rows.sum(0))

    def test_mean(self):
        self.check_joined('LengthsMean', mean)

    def test_max(self):
        self.check_joined('LengthsMax', largest)

    def test_weighted_sum(self):
        self.check_joined('LengthsWeightedSum', lambda rows: rows.sum(0), weighted=True)

    def check_sparse(self, op_type, join, weighted=False):
        for lengths, _, inner in self.cases():
            for dtype in INTEGERS:
                for element in (numpy.float32,) if join is largest else (numpy.float32, numpy.float16):
                    n = int(lengths.sum())
                    x = random_array((4,) + inner).astype(element)
                    indices = numpy.random.RandomState(3).randint(0, 4, size=n).astype(dtype)
                    weights = random_array((n,), seed=2)
                    rows = x[indices].astype(numpy.float32)
                    if weighted:
                        rows = weights.reshape((-1,) + (1,) * len(inner)) * rows
                    expected = stack([join(part) for part in split(rows, lengths)], rows)
                    inputs = [x, weights, indices, lengths] if weighted else [x, indices, lengths]
                    self.check(op_type, inputs, [expected.astype(numpy.float32)])

    def test_sparse_sum(self):
        self.check_sparse('SparseLengthsSum', lambda rows: rows.sum(0))

    def test_sparse_mean(self):
        self.check_sparse('SparseLengthsMean', mean)

    def test_sparse_max(self):
        self.check_sparse('SparseLengthsMax', largest)

    def test_sparse_weighted_sum(self):
        self.check_sparse('SparseLengthsWeightedSum', lambda rows: rows.sum(0), weighted=True)

    def test_sparse_weighted_mean(self):
        self.check_sparse('SparseLengthsWeightedMean', mean, weighted=True)

    def test_other_ways(self):
        for values in LENGTHS:
            for dtype in INTEGERS:
                lengths = numpy.array(values, dtype=dtype)
                ends = numpy.cumsum(lengths, dtype=numpy.int32)
                begins = (ends - lengths).astype(numpy.int32)
                ids = numpy.repeat(numpy.arange(len(values), dtype=numpy.int32), lengths)
                self.check('LengthsToSegmentIds', [lengths], [ids])
                self.check('LengthsToRanges', [lengths],
                           [numpy.stack([begins, lengths.astype(numpy.int32)], axis=1)])
                self.check('LengthsToOffsets', [lengths], [begins])
                self.check('LengthsToOffsets', [lengths],
                           [numpy.append(begins, numpy.int32(lengths.sum()))], include_last_offset=1)
                shortened = len(numpy.trim_zeros(numpy.array(values), 'b'))
                self.check('SegmentIdsToLengths', [ids.astype(dtype)],
                           [lengths[:shortened].astype(numpy.int32)])
                self.check('SegmentIdsToLengths', [ids.astype(dtype), numpy.zeros((len(values), 2))],
                           [lengths.astype(numpy.int32)])

    def test_errors(self):
        x = random_array((4, 2))
        for lengths in ((3, 2), (5, -1), (3,), (2 ** 62, 2 ** 62)):
            message = self.assertFails(C2g.Error.RANGE, 'LengthsSum', [x, numpy.array(lengths)])
            self.assertIn('“input_1”', message)
        for index in (-1, 4):
            message = self.assertFails(C2g.Error.RANGE, 'SparseLengthsSum',
                                       [x, numpy.array([0, index]), numpy.array([2])])
            self.assertIn(f'“input_1”, has the index {index} at 1', message)
        self.assertFails(C2g.Error.TYPE, 'LengthsSum', [x.astype(numpy.float16), numpy.array([4])])
        self.assertFails(C2g.Error.TYPE, 'SparseLengthsSum', [x.astype(float), numpy.array([0]), numpy.array([1])])
        self.assertFails(C2g.Error.RANGE, 'SegmentIdsToLengths', [numpy.array([1, 0])])


class Packing(OpTestCase):
    def test_pack(self):
        x = random_array((6, 2))
        lengths = numpy.array([3, 0, 2, 1], dtype=numpy.int32)
        packed = numpy.zeros((3, 4, 2), numpy.float32)
        for i, rows in enumerate(split(x, lengths)):
            packed[:len(rows), i] = rows
        self.check('PackRNNSequence', [x, lengths], [packed])
        self.check('UnpackRNNSequence', [packed, lengths], [x])
        self.check('PackSegments', [lengths, x], [packed.swapaxes(0, 1)])
        self.check('UnpackSegments', [lengths, packed.swapaxes(0, 1)], [x])

    def test_reverse(self):
        for dtype in (numpy.float32, numpy.float64, numpy.int32, numpy.int64, bool):
            for shape, lengths in (((4, 3, 2), (4, 0, 3)), ((1, 1, 5), (1,)), ((5, 2, 1), (2, 5)),
                                   ((0, 2, 3), (0, 0)), ((3, 0, 2), ()), ((3, 2, 0), (1, 3))):
                x = random_array(shape, dtype=dtype)
                for integer in INTEGERS:
                    expected = x.copy()
                    for i, length in enumerate(lengths):
                        expected[:length, i] = x[:length, i][::-1]
                    self.check('ReversePackedSegs', [x, numpy.array(lengths, dtype=integer)], [expected])

    def test_reverse_errors(self):
        x = random_array((3, 2, 4))
        for lengths in ((4, 1), (1, 1, 1), (1,)):
            message = self.assertFails(C2g.Error.SHAPE, 'ReversePackedSegs', [x, numpy.array(lengths)])
            self.assertIn('“input_0”', message)
        self.assertFails(C2g.Error.RANGE, 'ReversePackedSegs', [x, numpy.array([1, -1])])


class Masks(OpTestCase):
    def test_sequence_mask(self):
        x = random_array((5, 4))
        i, j = numpy.indices(x.shape)
        for mode, filled in (('upper', j > i), ('lower', j < i), ('upperdiag', j >= i),
                             ('lowerdiag', j <= i)):
            self.check('SequenceMask', [x], [numpy.where(filled, numpy.float32(-9), x)], mode=mode,
                       fill_val=-9.0)
        lengths = numpy.array([0, 4, 9, 1, 2], dtype=numpy.int32)
        self.check('SequenceMask', [x, lengths], [numpy.where(j >= lengths[:, None], 0, x)],
                   mode='sequence', grad=True)
        self.check('SequenceMask', [x, lengths],
                   [numpy.where(abs(j - lengths[:, None]) > 1, numpy.float32(-numpy.inf), x)],
                   mode='window', radius=1, in_place={0: 0})

    def test_boolean_mask(self):
        for dtype in (numpy.float32, numpy.int64, numpy.uint8, bool):
            for shape in ((7,), (7, 3), (4, 2, 3), (0,), (0, 3), (5, 0)):
                x = random_array(shape, dtype=dtype)
                for mask in (random_array(shape[:1], dtype=bool, seed=2), numpy.ones(shape[:1], bool),
                             numpy.zeros(shape[:1], bool)):
                    self.check('BooleanMask', [x, mask], [x[mask], numpy.flatnonzero(mask).astype(numpy.int64)])
                    self.check('BooleanMask', [x, mask], [x[mask]])

    def test_boolean_mask_strings(self):
        x = numpy.array(['a', '', 'bc'], dtype=object)
        found, = run('BooleanMask', [x, numpy.array([True, False, True])])
        self.assertEqual(list(found), ['a', 'bc'])

    def test_mask_lengths(self):
        for values in LENGTHS:
            for dtype in INTEGERS:
                lengths = numpy.array(values, dtype=dtype)
                mask = random_array((sum(values),), dtype=bool)
                expected = [part.sum() for part in split(mask, lengths)]
                self.check('BooleanMaskLengths', [lengths, mask], [numpy.array(expected, dtype=dtype)])

    def test_unmask(self):
        for dtype in (numpy.float32, numpy.int32, numpy.int64, bool):
            for n in (0, 1, 9):
                x = random_array((n,), dtype=dtype)
                owner = numpy.random.RandomState(4).randint(0, 3, size=n)
                inputs = []
                for i in range(3):
                    inputs += [owner == i, x[owner == i]]
                self.check('BooleanUnmask', inputs, [x])

    def test_unmask_first_counts(self):
        self.check('BooleanUnmask', [numpy.array([True, False]), numpy.array([1.5]),
                                     numpy.array([False, True]), numpy.array([2.5])], [numpy.array([1.5, 2.5])])

    def test_errors(self):
        x = random_array((3,))
        self.assertFails(C2g.Error.SHAPE, 'BooleanMask', [x, numpy.array([True])])
        self.assertFails(C2g.Error.TYPE, 'BooleanMask', [x, x])
        self.assertFails(C2g.Error.SHAPE, 'BooleanMaskLengths', [numpy.array([2]), numpy.array([True])])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'BooleanUnmask', [numpy.array([True]), x, x])
        self.assertFails(C2g.Error.RANGE, 'BooleanUnmask', [numpy.array([True, False]), x[:1]])
        self.assertFails(C2g.Error.SHAPE, 'BooleanUnmask', [numpy.array([True, True]), x[:1]])
        self.assertFails(C2g.Error.SHAPE, 'BooleanUnmask', [numpy.array([True]), x])
