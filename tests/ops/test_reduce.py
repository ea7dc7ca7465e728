# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Reductions."""

import itertools
import math

import numpy
from ops_testing import C2g, OpTestCase, random_array

NUMBERS = [numpy.float32, numpy.float64, numpy.int32, numpy.int64]

REDUCTIONS = {
    'ReduceSum': (numpy.sum, NUMBERS),
    'ReduceMean': (numpy.mean, NUMBERS[:2]),
    'ReduceMax': (numpy.max, NUMBERS),
    'ReduceMin': (numpy.min, NUMBERS),
    'ReduceL1': (lambda x, **arguments: numpy.sum(numpy.abs(x), **arguments), NUMBERS[:2]),
    'ReduceL2': (lambda x, **arguments: numpy.sqrt(numpy.sum(x * x, **arguments)), NUMBERS[:2]),
}
SHAPES = [(), (1,), (7,), (100,), (3, 5), (3, 1, 5), (2, 3, 4, 5), (2, 67, 3)]


def all_axes(n_dims):
    for n in range(n_dims + 1):
        yield from itertools.combinations(range(n_dims), n)


def reduced(function, x, **arguments):
    return numpy.asarray(function(x, **arguments)).astype(x.dtype)


class Reduce(OpTestCase):
    def test_axes(self):
        for op_type, (function, dtypes) in REDUCTIONS.items():
            for dtype in dtypes:
                for shape in SHAPES if dtype == numpy.float32 else SHAPES[2:7:2]:
                    x = random_array(shape, dtype)
                    for axes in all_axes(len(shape)):
                        with self.subTest(op_type=op_type, dtype=dtype, shape=shape, axes=axes):
                            self.check_axes(op_type, function, x, axes)

    def check_axes(self, op_type, function, x, axes):
        """Without axes, all axes are reduced."""
        arguments = {'axes': list(axes)} if axes else {}
        axis = axes if axes else None
        self.check(op_type, [x], [reduced(function, x, axis=axis, keepdims=True)], **arguments)
        self.check(op_type, [x], [reduced(function, x, axis=axis)], keepdims=0, **arguments)

    def test_negative_axes(self):
        x = random_array((2, 3, 4))
        self.check('ReduceSum', [x], [x.sum(axis=(0, 2))], axes=[-1, 0], keepdims=0)
        self.check('ReduceSum', [x], [x.sum(axis=2)], axes=[2, -1], keepdims=0)

    def test_empty(self):
        for shape, axes in [((0,), [0]), ((3, 0), [1]), ((0, 3), [0]), ((3, 0, 2), [1])]:
            x = numpy.zeros(shape, dtype=numpy.float32)
            rest = numpy.zeros([n for i, n in enumerate(shape) if i not in axes], dtype=numpy.float32)
            for op_type in ['ReduceSum', 'ReduceMean', 'ReduceL1', 'ReduceL2']:
                self.check(op_type, [x], [rest], axes=axes, keepdims=0)
            self.check('ReduceMax', [x], [numpy.float32(rest - numpy.inf)], axes=axes, keepdims=0)
            self.check('ReduceMin', [x], [numpy.float32(rest + numpy.inf)], axes=axes, keepdims=0)
        x = numpy.zeros((0, 3), dtype=numpy.float32)
        self.check('ReduceSum', [x], [numpy.zeros((0, 1), dtype=numpy.float32)], axes=[1])

    def test_infinities(self):
        x = numpy.array([-numpy.inf] * 40, dtype=numpy.float32)
        self.check('ReduceMax', [x], [x[:1]])
        self.check('ReduceMin', [-x], [-x[:1]])

    def test_errors(self):
        x = random_array((2, 3))
        for axes in [[2], [-3], [0, 2 ** 40]]:
            with self.subTest(axes=axes):
                self.assertFails(C2g.Error.SHAPE, 'ReduceSum', [x], axes=axes)
        self.assertFails(C2g.Error.TYPE, 'ReduceSum', [x.astype(numpy.uint8)])
        self.assertFails(C2g.Error.TYPE, 'ReduceL2', [x.astype(numpy.int32)])
        self.assertFails(C2g.Error.TYPE, 'ReduceSum', [x], axes=1)


class ReduceDims(OpTestCase):
    FUNCTIONS = {'Sum': numpy.sum, 'Mean': numpy.mean, 'Max': numpy.max}

    def test_dims(self):
        for name, function in self.FUNCTIONS.items():
            for shape in [(), (7,), (3, 5), (4, 3, 5), (2, 3, 4, 5)]:
                x = random_array(shape)
                for n in range(len(shape) + 1):
                    with self.subTest(name=name, shape=shape, n=n):
                        front = reduced(function, x, axis=tuple(range(n)))
                        back = reduced(function, x, axis=tuple(range(len(shape) - n, len(shape))))
                        self.check(f'ReduceFront{name}', [x], [front], num_reduce_dim=n)
                        self.check(f'ReduceBack{name}', [x], [back], num_reduce_dim=n)
        x = random_array((4, 3, 5), numpy.int64)
        self.check('ReduceFrontSum', [x], [x.sum(axis=0)])
        self.check('ReduceBackMean', [x], [numpy.trunc(x.sum(axis=2) / 5).astype(numpy.int64)])

    def test_lengths(self):
        x = random_array((4, 3, 5))
        front_lengths = random_array((15,), numpy.int32, low=0, high=0.4)
        back_lengths = random_array((12,), numpy.int32, low=0, high=0.5)
        for name, function in self.FUNCTIONS.items():
            rows = x.reshape(4, 15)
            front = [function(rows[:n, i]) if n else 0 for i, n in enumerate(front_lengths)]
            back = [function(x.reshape(12, 5)[i, :n]) if n else 0 for i, n in enumerate(back_lengths)]
            front, back = (numpy.array(item, dtype=numpy.float32) for item in [front, back])
            self.check(f'ReduceFront{name}', [x, front_lengths], [front.reshape(3, 5)])
            self.check(f'ReduceBack{name}', [x, back_lengths], [back.reshape(4, 3)])

    def test_empty(self):
        for name in self.FUNCTIONS:
            x = numpy.zeros((0, 3), dtype=numpy.float32)
            self.check(f'ReduceFront{name}', [x], [numpy.zeros(3, dtype=numpy.float32)])
            self.check(f'ReduceBack{name}', [x], [numpy.zeros(0, dtype=numpy.float32)])
            lengths = numpy.zeros(3, dtype=numpy.int32)
            self.check(f'ReduceFront{name}', [x, lengths], [numpy.zeros(3, dtype=numpy.float32)])

    def test_errors(self):
        x = random_array((4, 3))
        self.assertFails(C2g.Error.SHAPE, 'ReduceFrontSum', [x], num_reduce_dim=3)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ReduceBackMax', [x], num_reduce_dim=-1)
        lengths = numpy.array([1, 2, 3], dtype=numpy.int32)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ReduceFrontSum', [x, lengths], num_reduce_dim=2)
        self.assertFails(C2g.Error.SHAPE, 'ReduceBackSum', [x, lengths])
        self.assertFails(C2g.Error.TYPE, 'ReduceFrontSum', [x, lengths.astype(numpy.int64)])
        for bad in [-1, 5]:
            lengths[1] = bad
            message = self.assertFails(C2g.Error.RANGE, 'ReduceFrontSum', [x, lengths])
            self.assertIn('“input_1”', message)
        self.assertFails(C2g.Error.SHAPE, 'ReduceFrontSum', [random_array(()), lengths])


class Reduction(OpTestCase):
    def test_sums(self):
        for shape in [(), (5,), (3, 5, 7), (100, 11)]:
            x = random_array(shape)
            self.check('SumElements', [x], [numpy.sum(x)])
            self.check('SumElements', [x], [numpy.mean(x)], average=1)
            self.check('SumSqrElements', [x], [numpy.sum(x * x)])
            self.check('SumSqrElements', [x], [numpy.mean(x * x)], average=1)
            integers = random_array(shape, numpy.int32)
            self.check('SumElementsInt', [integers], [numpy.sum(integers, dtype=numpy.int32)])
        nothing = numpy.zeros((0, 3), dtype=numpy.float32)
        for op_type in ['SumElements', 'SumSqrElements']:
            for average in [0, 1]:
                self.check(op_type, [nothing], [numpy.float32(0)], average=average)
        self.assertFails(C2g.Error.TYPE, 'SumElementsInt', [nothing])

    def test_lp_norm(self):
        x = random_array((77,))
        for arguments, expected in [({}, numpy.sum(x * x)), ({'p': 1}, numpy.sum(numpy.abs(x))),
                                    ({'average': 1}, numpy.mean(x * x)), ({'p': 1, 'average': 1}, numpy.mean(abs(x)))]:
            self.check('LpNorm', [x], [expected.reshape(1)], **arguments)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'LpNorm', [x], p=3)

    def test_max(self):
        for dtype in NUMBERS:
            for shape in [(2, 3, 5), (1, 40, 37), (0, 2, 3)]:
                x = random_array(shape, dtype)
                self.check('RowwiseMax', [x], [x.max(axis=2)])
                self.check('ColwiseMax', [x], [x.max(axis=1)])
        self.assertFails(C2g.Error.SHAPE, 'RowwiseMax', [random_array((2, 3))])

    def test_arg(self):
        for op_type, function in [('ArgMax', numpy.argmax), ('ArgMin', numpy.argmin)]:
            for dtype in NUMBERS:
                for shape in [(1,), (7,), (3, 5), (2, 3, 4, 5)]:
                    # The elements include equal ones.
                    x = numpy.round(random_array(shape, dtype, low=-3, high=3))
                    for axis in range(-1, len(shape)):
                        with self.subTest(op_type=op_type, dtype=dtype, shape=shape, axis=axis):
                            expected = numpy.asarray(function(x, axis=axis))
                            self.check(op_type, [x], [expected], axis=axis, keepdims=0)
                            self.check(op_type, [x], [numpy.expand_dims(expected, axis)], axis=axis)
        x = numpy.zeros((0, 3), dtype=numpy.float32)
        self.check('ArgMax', [x], [numpy.zeros((0, 1), dtype=numpy.int64)])
        self.check('ArgMax', [x], [numpy.zeros((1, 3), dtype=numpy.int64)], axis=0)
        self.assertFails(C2g.Error.SHAPE, 'ArgMax', [random_array((3,))], axis=1)
        self.assertFails(C2g.Error.SHAPE, 'ArgMax', [random_array(())])
        self.assertFails(C2g.Error.TYPE, 'ArgMax', [numpy.zeros(3, dtype=numpy.uint8)])

    def test_accuracy(self):
        scores = numpy.round(random_array((40, 7), low=-3, high=3))
        labels = random_array((40,), numpy.int32, low=0, high=0.6)
        order = numpy.argsort(-scores, axis=1, kind='stable')
        for top_k in [1, 2, 5, 7, 100]:
            correct = [label in row[:top_k] for label, row in zip(labels, order)]
            self.check('Accuracy', [scores, labels], [numpy.float32(numpy.mean(correct))], top_k=top_k)
        self.check('Accuracy', [scores[:0], labels[:0]], [numpy.float32(0)])
        for bad in [-1, 7]:
            labels[3] = bad
            message = self.assertFails(C2g.Error.RANGE, 'Accuracy', [scores, labels])
            self.assertIn(f'is {bad}', message)
        self.assertFails(C2g.Error.SHAPE, 'Accuracy', [scores, labels[:5]])
        self.assertFails(C2g.Error.SHAPE, 'Accuracy', [scores[0], labels])
        self.assertFails(C2g.Error.TYPE, 'Accuracy', [scores, labels.astype(numpy.int64)])


class Norm(OpTestCase):
    def test_normalize(self):
        for shape in [(7,), (3, 5), (2, 3, 40), (2, 5, 3, 4), (1, 1), (0, 3), (3, 0)]:
            for axis in range(-1, len(shape)):
                with self.subTest(shape=shape, axis=axis):
                    x = random_array(shape)
                    l2 = numpy.maximum(numpy.sqrt(numpy.sum(x * x, axis=axis, keepdims=True)), 1e-12)
                    l1 = numpy.sum(numpy.abs(x), axis=axis, keepdims=True)
                    for op_type, lengths in [('Normalize', l2), ('NormalizeL1', l1)]:
                        self.check(op_type, [x], [x / lengths], axis=axis)
                        self.check(op_type, [x], [x / lengths], in_place={0: 0}, axis=axis)
        zero = numpy.zeros((2, 3), dtype=numpy.float32)
        for op_type in ['Normalize', 'NormalizeL1']:
            self.check(op_type, [zero], [zero])
            self.assertFails(C2g.Error.SHAPE, op_type, [zero], axis=2)

    def test_normalize_epsilon(self):
        for shape, axis in [((2, 3, 40), 2), ((2, 5, 3, 4), 1), ((0, 3), 1)]:
            x = random_array(shape)
            for scale, epsilon in [(1, 0.5), (1e-6, 1e-10), (0, 1e-10)]:
                with self.subTest(shape=shape, scale=scale, epsilon=epsilon):
                    near = (scale * x).astype(numpy.float32)
                    length = numpy.sqrt(numpy.sum(near.astype(float) ** 2, axis=axis, keepdims=True) + epsilon)
                    self.check('Normalize', [near], [(near / length).astype(numpy.float32)], axis=axis, epsilon=epsilon)
        # The expected value is near zero: 1e-6 divided by the root of 1e-12 + 1e-10.
        near = numpy.float32([[1e-6]])
        self.check('Normalize', [near], [numpy.float32([[0.0995037]])], epsilon=1e-10)
        self.check('Normalize', [near], [numpy.float32([[1]])])
        self.assertFails(C2g.Error.RANGE, 'Normalize', [near], epsilon=-1.0)

    def test_dot_product(self):
        for shape in [(), (7,), (3, 5), (3, 100), (2, 3, 4)]:
            x, y = random_array(shape), random_array(shape, seed=2)
            rows = shape[0] if shape else 1
            self.check('DotProduct', [x, y], [numpy.sum((x * y).reshape(rows, -1), axis=1)])
        x = random_array((3, 0))
        self.check('DotProduct', [x, x], [numpy.zeros(0, dtype=numpy.float32)])
        message = self.assertFails(C2g.Error.SHAPE, 'DotProduct', [random_array((3, 2)), random_array((2, 3))])
        self.assertIn('“input_1”', message)

    def test_sinusoid(self):
        for dtype in [numpy.int32, numpy.int64]:
            for shape, arguments in [((4, 3), {}), ((4, 1), {'embedding_size': 7}), ((0, 3), {}), ((3, 0), {}),
                                     ((5, 2), {'embedding_size': 8, 'alpha': 50.0, 'amplitude': 0.5})]:
                with self.subTest(dtype=dtype, shape=shape, **arguments):
                    positions = random_array(shape, dtype, low=0, high=3)
                    size = arguments.get('embedding_size', 100)
                    k = numpy.arange(size)
                    first = positions[:, :1].astype(float) if positions.size else positions.astype(float)
                    angle = first[..., None] / arguments.get('alpha', 10000) ** (k / size)
                    waves = arguments.get('amplitude', 1) * numpy.sin(angle + k % 2 * math.pi / 2)
                    expected = numpy.broadcast_to(waves, shape + (size,)).astype(numpy.float32)
                    self.check('SinusoidPositionEncoding', [positions], [expected], **arguments)
        positions = numpy.zeros((2, 3), dtype=numpy.int32)
        for arguments in [{'embedding_size': 0}, {'embedding_size': -5}, {'alpha': 0.0}, {'alpha': float('nan')}]:
            self.assertFails(C2g.Error.INVALID_ARGUMENT, 'SinusoidPositionEncoding', [positions], **arguments)
        self.assertFails(C2g.Error.SHAPE, 'SinusoidPositionEncoding', [positions[0]])
        self.assertFails(C2g.Error.TYPE, 'SinusoidPositionEncoding', [positions.astype(numpy.float32)])
