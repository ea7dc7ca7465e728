# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Statistics of axes and of channels."""

import itertools

import numpy

from ops_testing import C2g, OpTestCase, random_array
from windows import channels_last

SHAPES = [(2, 3, 7, 5), (1, 1, 1, 1), (4, 5), (2, 3, 9), (2, 3, 4, 5, 6), (3, 130, 9, 9)]


class Moments(OpTestCase):
    def test_axes(self):
        x = random_array((2, 3, 4, 5), low=-1, high=3)
        for n in range(5):
            for axes in itertools.combinations(range(4), n):
                for keep_dims in (0, 1):
                    with self.subTest(axes=axes, keep_dims=keep_dims):
                        taken = axes if axes else None
                        expected = [x.mean(axis=taken, keepdims=bool(keep_dims)),
                                    x.var(axis=taken, keepdims=bool(keep_dims))]
                        self.check('Moments', [x], expected, axes=list(reversed(axes)), keepdims=keep_dims)
        self.check('Moments', [x], [x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)], axes=[1])

    def test_shapes(self):
        for shape in ((), (1,), (7,), (300, 200)):
            x = random_array(shape)
            with self.subTest(shape=shape):
                self.check('Moments', [x], [x.mean(keepdims=True), x.var(keepdims=True)])

    def test_nothing(self):
        zeros = numpy.zeros((1, 3), dtype=numpy.float32)
        self.check('Moments', [random_array((0, 3))], [zeros, zeros], axes=[0])
        self.check('Moments', [random_array((0, 3))], [zeros[:, :0].T, zeros[:, :0].T], axes=[1])

    def test_far_from_zero(self):
        x = random_array((1000, 3)) + 1000
        self.check('Moments', [x], [x.mean(axis=0, dtype=numpy.float64).astype(numpy.float32),
                                    x.var(axis=0, dtype=numpy.float64).astype(numpy.float32)], axes=[0], keepdims=0)

    def test_faults(self):
        x = random_array((2, 3))
        self.assertFails(C2g.Error.SHAPE, 'Moments', [x], 2, axes=[2])
        self.assertFails(C2g.Error.RANGE, 'Moments', [x], 2, axes=[-1])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Moments', [x], 2, axes=[1, 1])
        self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, 'Moments', [x.astype(numpy.float64)], 2))


class Channels(OpTestCase):
    def check_orders(self, op_type, x, expected):
        self.check(op_type, [x], expected)
        self.check(op_type, [channels_last(x)], expected, order='NHWC')

    def test_sums(self):
        for shape in SHAPES:
            x = random_array(shape, low=-1, high=3)
            axes = (0, *range(2, x.ndim))
            double = x.astype(numpy.float64)
            with self.subTest(shape=shape):
                self.check_orders('ChannelStats', x, [double.sum(axis=axes).astype(numpy.float32),
                                                      (double ** 2).sum(axis=axes).astype(numpy.float32)])
                self.check_orders('BatchMoments', x, [double.mean(axis=axes).astype(numpy.float32),
                                                      (double ** 2).mean(axis=axes).astype(numpy.float32)])

    def test_nothing(self):
        zeros = numpy.zeros(3, dtype=numpy.float32)
        for op_type in ('ChannelStats', 'BatchMoments'):
            self.check_orders(op_type, random_array((0, 3, 4, 5)), [zeros, zeros])

    def test_backprop(self):
        for shape in SHAPES[:2] + SHAPES[3:] + [(0, 3, 4)]:
            x, gradient = random_array(shape, low=-1, high=3), random_array(shape, seed=2)
            mean, inverse = random_array((shape[1],), seed=3), random_array((shape[1],), seed=4)
            axes = (0, *range(2, x.ndim))
            each = (1, -1, *[1] * (x.ndim - 2))
            scale = ((x - mean.reshape(each)) * inverse.reshape(each) * gradient).sum(axis=axes, dtype=numpy.float64)
            bias = gradient.sum(axis=axes, dtype=numpy.float64)
            with self.subTest(shape=shape):
                self.check('ChannelBackpropStats', [x, mean, inverse, gradient],
                           [scale.astype(numpy.float32), bias.astype(numpy.float32)])

    def test_faults(self):
        x, channel = random_array((2, 3, 4)), random_array((3,))
        for op_type in ('ChannelStats', 'BatchMoments'):
            self.assertIn('input_0', self.assertFails(C2g.Error.SHAPE, op_type, [channel], 2))
            self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, op_type, [x.astype(numpy.float64)], 2))
        good = [x, channel, channel, x]
        for i, wrong in enumerate((random_array((2, 3)), random_array((4,)), random_array((2,)), x[:1])):
            inputs = list(good)
            inputs[i] = wrong
            self.assertFails(C2g.Error.SHAPE, 'ChannelBackpropStats', inputs, 2)
