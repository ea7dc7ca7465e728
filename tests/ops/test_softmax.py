# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Softmax and related operators."""

import numpy

from ops_testing import C2g, OpTestCase, random_array

SHAPES = [(3, 5), (1, 1), (2, 1000), (7, 33), (0, 4), (4, 0), (2, 3, 5), (2, 17, 1, 1), (3, 2, 5, 7), (300, 3)]


def rows(x, axis):
    axis %= x.ndim
    n = int(numpy.prod(x.shape[axis:]))
    return x.astype(numpy.float64).reshape(x.size // n if n else 0, n)


def softmax(x, axis=1):
    y = rows(x, axis)
    if y.size == 0:
        return x
    y = numpy.exp(y - y.max(axis=1, keepdims=True))
    return (y / y.sum(axis=1, keepdims=True)).reshape(x.shape).astype(numpy.float32)


def log_softmax(x, axis=1):
    y = rows(x, axis)
    if y.size == 0:
        return x
    y = y - y.max(axis=1, keepdims=True)
    return (y - numpy.log(numpy.exp(y).sum(axis=1, keepdims=True))).reshape(x.shape).astype(numpy.float32)


def gradient(y, dy, axis=1):
    a, b = rows(y, axis), rows(dy, axis)
    return ((b - (a * b).sum(axis=1, keepdims=True)) * a).reshape(y.shape).astype(numpy.float32)


class Softmax(OpTestCase):
    def test_shapes(self):
        for shape in SHAPES:
            x = random_array(shape, low=-9, high=9)
            for axis in {1, -1, 0, x.ndim - 1}:
                with self.subTest(shape=shape, axis=axis):
                    self.check('Softmax', [x], [softmax(x, axis)], axis=axis)
                    self.check('LogSoftmax', [x], [log_softmax(x, axis)], axis=axis)
            with self.subTest(shape=shape):
                self.check('Softmax', [x], [softmax(x)])
                self.check('Softmax', [x], [softmax(x)], in_place={0: 0})
                self.check('LogSoftmax', [x], [log_softmax(x)], in_place={0: 0})

    def test_one_dimension(self):
        x = random_array((9,))
        self.check('Softmax', [x], [softmax(x, 0)], axis=0)

    def test_large_numbers(self):
        x = numpy.array([[1e4, 1e4 + 1, -1e4], [-1e38, 1e38, 0], [-100, -101, -102]], dtype=numpy.float32)
        self.check('Softmax', [x], [softmax(x)])
        self.check('LogSoftmax', [x], [log_softmax(x)])

    def test_gradient(self):
        for shape in SHAPES:
            y, dy = softmax(random_array(shape)), random_array(shape, seed=2)
            with self.subTest(shape=shape):
                self.check('SoftmaxGradient', [y, dy], [gradient(y, dy)])
                self.check('SoftmaxGradient', [y, dy], [gradient(y, dy)], in_place={0: 0})
                self.check('SoftmaxGradient', [y, dy], [gradient(y, dy)], in_place={0: 1})

    def test_faults(self):
        x = random_array((3, 4))
        for op_type in ('Softmax', 'LogSoftmax'):
            for axis in (2, -3, 2 ** 31 - 1, -2 ** 31):
                with self.subTest(op_type=op_type, axis=axis):
                    message = self.assertFails(C2g.Error.SHAPE, op_type, [x], axis=axis)
                    self.assertIn('input_0', message)
            self.assertFails(C2g.Error.SHAPE, op_type, [random_array((4,))])
            self.assertFails(C2g.Error.TYPE, op_type, [random_array((3, 4), numpy.int32)])
            self.assertFails(C2g.Error.RANGE, op_type, [x], axis=2 ** 31)
        message = self.assertFails(C2g.Error.SHAPE, 'SoftmaxGradient', [x, random_array((4, 3))])
        self.assertIn('input_1', message)
