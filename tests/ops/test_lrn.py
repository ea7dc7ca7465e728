# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Local response normalization."""

import itertools

import numpy

from ops_testing import C2g, OpTestCase, random_array
from windows import channels_last

CASES = [
    ((2, 7, 5, 3), {'size': 5, 'alpha': 1e-4, 'beta': 0.75}),
    ((2, 7, 5, 3), {'size': 3, 'alpha': 2.0, 'beta': 0.5, 'bias': 2.0}),
    ((1, 3, 4, 5), {'size': 11, 'alpha': 0.7, 'beta': 1.3, 'bias': 0.5}),
    ((1, 1, 1, 1), {'size': 1, 'alpha': 0.5, 'beta': 0.75}),
    ((3, 6, 2, 3), {'size': 4, 'alpha': 0.5, 'beta': 0.75}),
    ((2, 33, 11), {'size': 5, 'alpha': 3.0, 'beta': 0.25}),
    ((0, 7, 5, 3), {'size': 5, 'alpha': 1e-4, 'beta': 0.75}),
    ((1, 64, 40, 40), {'size': 5, 'alpha': 1e-2, 'beta': 0.75}),
]


def lrn(x, size, alpha, beta, bias=1.0):
    square = x.astype(numpy.float64) ** 2
    scale = numpy.zeros_like(square)
    for channel in range(x.shape[1]):
        first = channel - (size - 1) // 2
        seen = square[:, max(first, 0):first + size]
        scale[:, channel] = bias + alpha / size * seen.sum(axis=1)
    return (x * scale ** -beta).astype(numpy.float32), scale.astype(numpy.float32)


WITHIN = [
    ((2, 3, 7, 5), {'size': 3, 'alpha': 2.0, 'beta': 0.75}),
    ((2, 3, 7, 5), {'size': 5, 'alpha': 5e-5, 'beta': 0.75, 'bias': 2.0}),
    ((1, 2, 4, 9), {'size': 11, 'alpha': 0.7, 'beta': 1.3}),
    ((1, 1, 1, 1), {'size': 1, 'alpha': 0.5, 'beta': 0.5}),
    ((2, 3, 6), {'size': 3, 'alpha': 0.5, 'beta': 0.75}),
    ((1, 2, 3, 5, 4), {'size': 3, 'alpha': 0.5, 'beta': 0.75}),
    ((0, 3, 7, 5), {'size': 3, 'alpha': 2.0, 'beta': 0.75}),
    ((1, 64, 40, 40), {'size': 5, 'alpha': 1e-2, 'beta': 0.75}),
]


def lrn_within(x, size, alpha, beta, bias=1.0):
    square = x.astype(numpy.float64) ** 2
    scale = numpy.zeros_like(square)
    for at in itertools.product(*map(range, x.shape[2:])):
        seen = square[(..., *[slice(max(i - (size - 1) // 2, 0), i - (size - 1) // 2 + size) for i in at])]
        scale[(..., *at)] = bias + alpha / size ** len(at) * seen.sum(axis=tuple(range(2, x.ndim)))
    return (x * scale ** -beta).astype(numpy.float32), scale.astype(numpy.float32)


class Lrn(OpTestCase):
    def test_within_channel(self):
        for shape, arguments in WITHIN:
            x = random_array(shape, low=-3, high=3)
            y, scale = lrn_within(x, **arguments)
            with self.subTest(shape=shape, **arguments):
                arguments = arguments | {'norm_region': 'WITHIN_CHANNEL'}
                self.check('LRN', [x], [y], **arguments)
                self.check('LRN', [x], [y, scale], **arguments)
                x, y, scale = channels_last(x), channels_last(y), channels_last(scale)
                self.check('LRN', [x], [y, scale], order='NHWC', **arguments)
        x = random_array((1, 3, 2, 2))
        for size in (2 ** 31 - 1, 2 ** 31 - 2):
            y, scale = lrn_within(x, size, 2.0, 0.75)
            self.check('LRN', [x], [y, scale], size=size, alpha=2.0, beta=0.75, norm_region='WITHIN_CHANNEL')
        y, _ = lrn(x, 3, 2.0, 0.75)
        self.check('LRN', [x], [y], size=3, alpha=2.0, beta=0.75, norm_region='ACROSS_CHANNELS')
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'LRN', [x], size=3, norm_region='BESIDE')
        self.assertFails(C2g.Error.SHAPE, 'LRN', [random_array((1, 2, 2, 2, 2, 2))], size=3,
                         norm_region='WITHIN_CHANNEL')

    def test_cases(self):
        for shape, arguments in CASES:
            x = random_array(shape, low=-3, high=3)
            y, scale = lrn(x, **arguments)
            with self.subTest(shape=shape, **arguments):
                self.check('LRN', [x], [y], **arguments)
                self.check('LRN', [x], [y, scale], **arguments)
                x, y, scale = channels_last(x), channels_last(y), channels_last(scale)
                self.check('LRN', [x], [y], order='NHWC', **arguments)
                self.check('LRN', [x], [y, scale], order='NHWC', **arguments)

    def test_huge_size(self):
        x = random_array((1, 3, 2, 2))
        for size in (2 ** 31 - 1, 2 ** 31 - 2):
            y, scale = lrn(x, size, 2.0, 0.75)
            self.check('LRN', [x], [y, scale], size=size, alpha=2.0, beta=0.75)
            self.check('LRN', [channels_last(x)], [channels_last(y)], size=size, alpha=2.0, beta=0.75, order='NHWC')

    def test_faults(self):
        x = random_array((2, 3, 4, 5))
        for size in (0, -1, 2 ** 40):
            with self.subTest(size=size):
                self.assertIn('size', self.assertFails(C2g.Error.RANGE, 'LRN', [x], size=size))
        self.assertFails(C2g.Error.RANGE, 'LRN', [x])
        self.assertIn('input_0', self.assertFails(C2g.Error.SHAPE, 'LRN', [random_array((3, 4))], size=3))
        self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, 'LRN', [x.astype(numpy.float64)], size=3))
