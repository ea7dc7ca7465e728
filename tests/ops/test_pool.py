# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Pooling."""

import itertools
import math

import numpy

from ops_testing import C2g, OpTestCase, random_array
from windows import channels_last

SAME, CAFFE = 2, 3
LOWEST = -numpy.finfo(numpy.float32).max
# The axes of images with one, two and three dimensions.
WINDOW = {1: (2,), 2: (2, 3), 3: (2, 3, 4)}

# Image, kernel, and other arguments.
CASES = [
    ((2, 3, 7, 5), (3, 3), {}),
    ((1, 1, 1, 1), (1, 1), {}),
    ((2, 3, 8, 9), (2, 2), {'strides': [2, 2]}),
    ((2, 3, 9, 8), (3, 2), {'strides': [2, 3], 'pads': [1, 0, 2, 1]}),
    ((1, 4, 13, 11), (3, 3), {'strides': [2, 2], 'pads': [1, 1, 1, 1]}),
    ((1, 2, 6, 7), (1, 1), {'strides': [3, 2]}),
    ((3, 5, 4, 4), (4, 4), {}),
    ((1, 2, 3, 3), (7, 6), {'pads': [3, 4, 5, 2]}),
    ((0, 3, 7, 5), (3, 3), {}),
    ((2, 3, 17), (3,), {'strides': [2], 'pads': [2, 1]}),
    ((2, 3, 17), (17,), {}),
    ((2, 2, 5, 6, 7), (3, 2, 3), {'strides': [1, 2, 2], 'pads': [1, 0, 1, 0, 1, 2]}),
    ((1, 40, 33, 37), (3, 3), {'strides': [2, 2]}),
    ((9, 65, 6, 6), (2, 3), {'strides': [2, 2]}),
]


def geometry(size, kernel, strides, pads, legacy_pad):
    """Returns the number of outputs and the begin of the first window, in each dimension."""
    n = len(kernel)
    result = []
    for i in range(n):
        head, tail = pads[i], pads[n + i]
        if legacy_pad == SAME:
            out = math.ceil(size[i] / strides[i])
            head = int(((out - 1) * strides[i] + kernel[i] - size[i]) / 2)
        elif legacy_pad == CAFFE:
            out = math.ceil((size[i] + 2 * head - kernel[i]) / strides[i]) + 1
            if head > 0 and (out - 1) * strides[i] >= size[i] + head:
                out -= 1
        else:
            out = (size[i] + head + tail - kernel[i]) // strides[i] + 1
        result.append((out, head))
    return result


def pool(x, kernel, function, strides=None, pads=None, legacy_pad=0, divisor=None):
    """Computes each window by itself. `function` reduces its elements; `divisor` replaces its size, if given."""
    n = len(kernel)
    strides, pads = strides or [1] * n, pads or [0] * 2 * n
    places = geometry(x.shape[2:], kernel, strides, pads, legacy_pad)
    y = numpy.zeros((*x.shape[:2], *[out for out, _ in places]))
    for at in itertools.product(*[range(out) for out, _ in places]):
        slices = []
        for o, (_, head), k, s, size in zip(at, places, kernel, strides, x.shape[2:]):
            begin = o * s - head
            slices.append(slice(max(begin, 0), min(begin + k, size)))
        seen = x[(slice(None), slice(None), *slices)].astype(numpy.float64)
        value = function(seen, WINDOW[n]) if divisor is None else seen.sum(axis=WINDOW[n]) / divisor
        y[(slice(None), slice(None), *at)] = value
    return y.astype(numpy.float32)


def caffe_pool(x, is_average, kernel, strides, pads):
    """Computes pooling as Caffe defines it: one pad for each axis, and a window without elements has no average."""
    size = x.shape[2:]
    outs = [math.ceil((n + 2 * p - k) / s) + 1 for n, k, s, p in zip(size, kernel, strides, pads)]
    if any(pads):
        outs = [out - ((out - 1) * s >= n + p) for out, n, s, p in zip(outs, size, strides, pads)]
    y = numpy.full((*x.shape[:2], *outs), 0.0 if is_average else LOWEST)
    for at in itertools.product(*map(range, outs)):
        begins = [a * s - p for a, s, p in zip(at, strides, pads)]
        ends = [min(b + k, n + p) for b, k, n, p in zip(begins, kernel, size, pads)]
        divisor = math.prod(e - b for b, e in zip(begins, ends))
        seen = x[(..., *[slice(max(b, 0), min(e, n)) for b, e, n in zip(begins, ends, size)])].astype(numpy.float64)
        if math.prod(seen.shape[2:]) > 0:
            y[(..., *at)] = seen.sum(axis=(2, 3)) / divisor if is_average else seen.max(axis=(2, 3))
    return y.astype(numpy.float32)


def largest(seen, axes):
    return seen.max(axis=axes)


def average(seen, axes):
    return seen.mean(axis=axes)


class Pool(OpTestCase):
    def check_orders(self, op_type, x, expected, **arguments):
        self.check(op_type, [x], [expected], **arguments)
        self.check(op_type, [channels_last(x)], [channels_last(expected)], order='NHWC', **arguments)

    def test_windows(self):
        for shape, kernel, arguments in CASES:
            x = random_array(shape, low=-3, high=-1)
            with self.subTest(shape=shape, kernel=kernel, **arguments):
                self.check_orders('MaxPool', x, pool(x, kernel, largest, **arguments), kernels=list(kernel),
                                  **arguments)
                self.check_orders('AveragePool', x, pool(x, kernel, average, **arguments), kernels=list(kernel),
                                  **arguments)
                self.check_orders('AveragePool', x,
                                  pool(x, kernel, average, divisor=numpy.prod(kernel), **arguments),
                                  kernels=list(kernel), count_include_pad=1, **arguments)

    def test_legacy_pad(self):
        for size, kernel, stride, pad in itertools.product((4, 5, 6, 7, 8, 13), (2, 3), (1, 2), (0, 1)):
            x = random_array((2, 3, size, size + 1))
            for legacy_pad in (SAME, CAFFE):
                if legacy_pad == SAME and pad != 0:
                    continue
                arguments = {'strides': [stride, stride], 'pads': [pad] * 4, 'legacy_pad': legacy_pad}
                given = {'kernel': kernel, 'stride': stride, 'legacy_pad': legacy_pad}
                if pad != 0:
                    given['pad'] = pad
                with self.subTest(size=size, **given):
                    for op_type, function in (('MaxPool', largest), ('AveragePool', average)):
                        self.check_orders(op_type, x, pool(x, (kernel, kernel), function, **arguments), **given)

    def check_caffe(self, x, kernel, strides, pads):
        arguments = {'kernels': list(kernel), 'strides': list(strides), 'pads': [*pads, *pads]}
        # Caffe rounds the number of windows up, and drops windows that begin behind the image only if there are pads.
        arguments |= {'ceil_mode': 1, 'count_include_pad': 1} if any(pads) else {'legacy_pad': CAFFE}
        with self.subTest(shape=x.shape, **arguments):
            self.check_orders('MaxPool', x, caffe_pool(x, False, kernel, strides, pads), **arguments)
            self.check_orders('AveragePool', x, caffe_pool(x, True, kernel, strides, pads), **arguments)

    def test_caffe(self):
        for size, kernel, strides in itertools.product(
                ((8, 8), (7, 5), (1, 9), (4, 13)), ((3, 3), (2, 3), (1, 2)), ((1, 1), (2, 2), (3, 1), (4, 5))):
            for pads in ((0, 0), (1, 1), (1, 0), (0, 2)):
                grows = all(n + 2 * p >= k for n, k, p in zip(size, kernel, pads))
                if grows and all(p < k for p, k in zip(pads, kernel)):
                    self.check_caffe(random_array((2, 3, *size), low=-2, high=-1), kernel, strides, pads)
        self.check_caffe(random_array((0, 3, 8, 8)), (3, 3), (2, 2), (1, 1))

    def test_caffe_average_with_pads(self):
        # The last of 5 windows covers 2 × 2 of the 10 × 10 padded pixels, and 1 × 1 of the image.
        x = numpy.ones((1, 1, 8, 8), numpy.float32)
        arguments = {'kernel': 3, 'stride': 2, 'pad': 1, 'count_include_pad': 1, 'ceil_mode': 1}
        edge = numpy.array([2 / 3, 1, 1, 1, 1 / 2], numpy.float32)
        self.check_orders('AveragePool', x, numpy.outer(edge, edge)[None, None], **arguments)
        self.check_caffe(random_array((2, 3, 8, 8)), (3, 3), (2, 2), (1, 1))

    def test_nothing_seen(self):
        # The windows begin at 0, 3 and 6, the last one behind the image of 5.
        x = numpy.zeros((1, 1, 5), numpy.float32)
        self.check_orders('MaxPool', x, numpy.float32([[[0, 0, LOWEST]]]), kernels=[1], strides=[3], legacy_pad=CAFFE)
        self.check_orders('AveragePool', x + 1, numpy.float32([[[1, 1, 0]]]), kernels=[1], strides=[3],
                          legacy_pad=CAFFE)

    def test_ceil_mode(self):
        x = random_array((1, 2, 5, 5))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'MaxPool', [x], kernel=2, ceil_mode=1, legacy_pad=CAFFE)
        self.check_orders('MaxPool', x, x.max(axis=(2, 3), keepdims=True), global_pooling=1, ceil_mode=1)

    def test_global(self):
        for shape in ((2, 3, 7, 5), (1, 1, 1, 1), (2, 3, 17), (3, 70, 13, 13), (2, 2, 3, 4, 5), (0, 3, 7, 5)):
            x = random_array(shape)
            flat = x.reshape(*shape[:2], int(numpy.prod(shape[2:])))
            shape = (*shape[:2], *[1] * len(shape[2:]))
            with self.subTest(shape=shape):
                self.check_orders('MaxPool', x, flat.max(axis=2).reshape(shape), global_pooling=1)
                self.check_orders('AveragePool', x, flat.mean(axis=2).reshape(shape), global_pooling=1)
                # Files may have a kernel argument without a value.
                self.check_orders('AveragePool', x, flat.mean(axis=2).reshape(shape), global_pooling=1, kernel=0)

    def test_channels(self):
        """With the channels last, 32, 8, 4 or 1 of them are computed at a time."""
        for n_channels in (1, 4, 7, 8, 13, 31, 32, 33, 47, 79):
            x = random_array((2, n_channels, 6, 5), low=-3, high=-1)
            with self.subTest(n_channels=n_channels):
                self.check_orders('MaxPool', x, pool(x, (3, 2), largest, strides=[2, 1], pads=[1, 0, 1, 1]),
                                  kernels=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])
                self.check_orders('AveragePool', x, pool(x, (3, 2), average, strides=[2, 1], pads=[1, 0, 1, 1]),
                                  kernels=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])

    def test_nan(self):
        """NaN is less than all numbers. The maximum of a window of NaNs alone is minus infinity."""
        for n_channels in (1, 4, 8, 32):
            x = numpy.full((1, n_channels, 2, 4), numpy.nan, dtype=numpy.float32)
            x[:, :, 1, 1] = -7
            expected = numpy.full((1, n_channels, 1, 2), -7, dtype=numpy.float32)
            expected[:, :, :, 1] = -numpy.inf
            self.check_orders('MaxPool', x, expected, kernel=2, stride=2)

    def test_names(self):
        for n in (1, 2, 3):
            x = random_array((2, 3, *[5] * n))
            kernel = [2] * n
            self.check_orders(f'MaxPool{n}D', x, pool(x, kernel, largest), kernels=kernel)
            self.check_orders(f'AveragePool{n}D', x, pool(x, kernel, average), kernels=kernel)

    def test_infinite(self):
        x = numpy.full((1, 1, 3, 3), -numpy.inf, dtype=numpy.float32)
        self.check_orders('MaxPool', x, x[:, :, :2, :2], kernel=2)

    def test_threads(self):
        settings = C2g.Settings.get_default()
        self.addCleanup(settings.set_n_threads, settings.get_n_threads())
        x = random_array((3, 5, 23, 31))
        for n_threads in (1, 2, 4):
            settings.set_n_threads(n_threads)
            self.check_orders('MaxPool', x, pool(x, (3, 2), largest), kernels=[3, 2])
            self.check_orders('AveragePool', x, pool(x, (3, 2), average), kernels=[3, 2])

    def test_faults(self):
        x = random_array((2, 3, 7, 5))
        for code, arguments in [
                (C2g.Error.INVALID_ARGUMENT, {}),
                (C2g.Error.RANGE, {'kernel': 0}),
                (C2g.Error.RANGE, {'kernel': -1}),
                (C2g.Error.RANGE, {'kernel': 2 ** 40}),
                (C2g.Error.RANGE, {'kernel': 2, 'stride': 0}),
                (C2g.Error.RANGE, {'kernel': 2, 'pad': -1}),
                (C2g.Error.RANGE, {'kernel': 2, 'pad': 2}),
                (C2g.Error.RANGE, {'kernels': [3, 2], 'pads': [0, 0, 2, 2]}),
                (C2g.Error.NOT_SUPPORTED, {'kernel': 2, 'dilation': 2}),
                (C2g.Error.SHAPE, {'kernel': 6}),
                (C2g.Error.SHAPE, {'kernels': [2, 2, 2]}),
                (C2g.Error.SHAPE, {'kernels': [2]}),
                (C2g.Error.INVALID_ARGUMENT, {'global_pooling': 1, 'stride': 2}),
                (C2g.Error.RANGE, {'kernel': 2, 'legacy_pad': 4})]:
            for op_type in ('MaxPool', 'AveragePool'):
                with self.subTest(op_type=op_type, **arguments):
                    self.assertFails(code, op_type, [x], **arguments)
        self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, 'MaxPool', [x.astype(numpy.float64)], kernel=2))
        self.assertFails(C2g.Error.SHAPE, 'MaxPool', [random_array((3, 5))], global_pooling=1)
