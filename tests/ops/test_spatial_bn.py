# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""SpatialBN."""

import numpy

from ops_testing import C2g, OpTestCase, random_array
from windows import channels_last

SHAPES = [(2, 3, 7, 5), (1, 1, 1, 2), (3, 4, 9), (2, 3, 3, 4, 5), (5, 7), (1, 130, 3, 3), (40, 3, 17, 19)]


def channels(values, x):
    return values.reshape(1, -1, *[1] * (x.ndim - 2))


def normalized(x, scale, bias, mean, variance, epsilon):
    x, mean, variance = x.astype(numpy.float64), channels(mean, x), channels(variance, x)
    return ((x - mean) / numpy.sqrt(variance + epsilon) * channels(scale, x) + channels(bias, x)).astype(numpy.float32)


def parameters(n):
    return (random_array((n,), seed=2), random_array((n,), seed=3), random_array((n,), seed=4),
            random_array((n,), seed=5, low=0.1, high=2))


def moments(x):
    axes = (0, *range(2, x.ndim))
    return x.mean(axis=axes, dtype=numpy.float64), x.var(axis=axes, dtype=numpy.float64)


class SpatialBN(OpTestCase):
    def check_orders(self, x, others, expected, **arguments):
        self.check('SpatialBN', [x, *others], expected, **arguments)
        expected = [channels_last(expected[0]), *expected[1:]]
        self.check('SpatialBN', [channels_last(x), *others], expected, order='NHWC', **arguments)

    def test_test(self):
        for shape in SHAPES + [(0, 3, 7, 5), (2, 3, 0, 5)]:
            x, others = random_array(shape), parameters(shape[1])
            for epsilon in (1e-5, 0.1):
                with self.subTest(shape=shape, epsilon=epsilon):
                    expected = [normalized(x, *others, epsilon)]
                    self.check_orders(x, others, expected, is_test=1, epsilon=epsilon)
                    self.check_orders(x, others, expected, is_test=1, epsilon=epsilon, in_place={0: 0})
            self.check_orders(x, others, [normalized(x, *others, 1e-5)], is_test=1)

    def test_train(self):
        for shape in SHAPES:
            x = random_array(shape, low=-1, high=3)
            scale, bias, running_mean, running_variance = parameters(shape[1])
            mean, variance = moments(x)
            n = x.size // shape[1]
            expected = [normalized(x, scale, bias, mean, variance, 0.01),
                        (0.7 * running_mean + 0.3 * mean).astype(numpy.float32),
                        (0.7 * running_variance + 0.3 * variance * n / (n - 1)).astype(numpy.float32),
                        mean.astype(numpy.float32), (1 / numpy.sqrt(variance + 0.01)).astype(numpy.float32)]
            for in_place in ({1: 3, 2: 4}, {0: 0, 1: 3, 2: 4}):
                with self.subTest(shape=shape, in_place=in_place):
                    self.check_orders(x, (scale, bias, running_mean, running_variance), expected, epsilon=0.01,
                                      momentum=0.7, in_place=in_place)

    def test_train_nothing(self):
        others = parameters(3)
        zeros = numpy.zeros(3, dtype=numpy.float32)
        self.check_orders(random_array((0, 3, 4, 5)), others,
                          [random_array((0, 3, 4, 5)), others[2], others[3], zeros, zeros], in_place={1: 3, 2: 4})

    def test_several_batches(self):
        x, more = random_array((2, 3, 4, 5)), random_array((2, 3, 4, 5), seed=9)
        both = numpy.concatenate([x, more])
        scale, bias, running_mean, running_variance = parameters(3)
        mean, variance = moments(both)
        sums = both.sum(axis=(0, 2, 3))
        square_sums = (both * both).sum(axis=(0, 2, 3))
        expected = [normalized(x, scale, bias, mean, variance, 1e-5),
                    (0.9 * running_mean + 0.1 * mean).astype(numpy.float32),
                    (0.9 * running_variance + 0.1 * variance * 80 / 79).astype(numpy.float32),
                    mean.astype(numpy.float32), (1 / numpy.sqrt(variance + 1e-5)).astype(numpy.float32)]
        others = (scale, bias, running_mean, running_variance, sums, square_sums)
        self.check_orders(x, others, expected, num_batches=2, in_place={1: 3, 2: 4})
        self.check_orders(x, others, expected, num_batches=2, in_place={1: 3, 2: 4, 3: 5, 4: 6})

    def test_faults(self):
        x, others = random_array((2, 3, 4, 5)), parameters(3)
        for i in range(4):
            wrong = list(others)
            wrong[i] = random_array((4,))
            with self.subTest(i=i):
                message = self.assertFails(C2g.Error.SHAPE, 'SpatialBN', [x, *wrong], is_test=1)
                self.assertIn(f'input_{i + 1}', message)
        for code, n_outputs, arguments in [
                (C2g.Error.INVALID_ARGUMENT, 5, {'is_test': 1}),
                (C2g.Error.INVALID_ARGUMENT, 1, {'is_test': 0}),
                (C2g.Error.INVALID_ARGUMENT, 5, {'is_test': 0}),
                (C2g.Error.INVALID_ARGUMENT, 5, {'num_batches': 2}),
                (C2g.Error.RANGE, 1, {'is_test': 1, 'epsilon': -1.0}),
                (C2g.Error.RANGE, 1, {'is_test': 1, 'momentum': 1.5}),
                (C2g.Error.RANGE, 1, {'is_test': 1, 'num_batches': 0})]:
            with self.subTest(**arguments):
                self.assertFails(code, 'SpatialBN', [x, *others], n_outputs, **arguments)
        self.assertFails(C2g.Error.SHAPE, 'SpatialBN', [random_array((3,)), *others], is_test=1)
        self.assertFails(C2g.Error.TYPE, 'SpatialBN', [x.astype(numpy.float64), *others], is_test=1)
