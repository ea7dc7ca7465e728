# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""LayerNorm."""

import numpy

from ops_testing import C2g, OpTestCase, random_array

SHAPES = [(3, 5), (1, 1), (2, 3, 5), (4, 2, 33, 3), (0, 4), (300, 700)]


def layer_norm(x, axis=1, epsilon=1e-5, scale=None, shift=None):
    axis %= x.ndim
    n = int(numpy.prod(x.shape[axis:]))
    rows = x.astype(numpy.float64).reshape(x.size // n, n)
    mean = rows.mean(axis=1, keepdims=True)
    deviation = numpy.sqrt(rows.var(axis=1, keepdims=True) + epsilon)
    y = (rows - mean) / deviation
    if scale is not None:
        y = y * scale.ravel() + shift.ravel()
    statistics = (*x.shape[:axis], 1)
    return [y.reshape(x.shape).astype(x.dtype), mean.reshape(statistics).astype(x.dtype),
            deviation.reshape(statistics).astype(x.dtype)]


class LayerNorm(OpTestCase):
    def test_shapes(self):
        for dtype in (numpy.float32, numpy.float64):
            for shape in SHAPES:
                x = random_array(shape, dtype, low=-1, high=3)
                for axis in {1, -1, 0} if x.size else {1}:
                    with self.subTest(shape=shape, axis=axis, dtype=dtype):
                        self.check('LayerNorm', [x], layer_norm(x, axis), axis=axis)
                        self.check('LayerNorm', [x], layer_norm(x, axis, 0.1), axis=axis, epsilon=0.1)
                        tail = x.shape[axis:] if axis >= 0 else x.shape[-1:]
                        scale, shift = random_array(tail, dtype, seed=2), random_array(tail, dtype, seed=3)
                        self.check('LayerNorm', [x, scale, shift], layer_norm(x, axis, scale=scale, shift=shift),
                                   axis=axis, elementwise_affine=1)
                with self.subTest(shape=shape, dtype=dtype):
                    self.check('LayerNorm', [x], layer_norm(x))

    def test_rows_of_one(self):
        """A row of one element equals its mean, so the result is exactly 0."""
        x = random_array((64, 1), high=1000)
        zeros = numpy.zeros((64, 1), numpy.float32)
        self.check('LayerNorm', [x], [zeros, x, numpy.full((64, 1), numpy.sqrt(1e-5), numpy.float32)], atol=0)

    def test_far_from_0(self):
        """The bias keeps its precision even if the mean is many deviations large."""
        x = (random_array((4, 256)) + 5000).astype(numpy.float32)
        shift = numpy.full(256, 1e-3, numpy.float32)
        scale = numpy.full(256, 1e-4, numpy.float32)
        self.check('LayerNorm', [x, scale, shift], layer_norm(x, scale=scale, shift=shift), elementwise_affine=1,
                   rtol=1e-3)

    def test_rows_of_nothing(self):
        self.check('LayerNorm', [random_array((3, 0))],
                   [random_array((3, 0)), numpy.zeros((3, 1), numpy.float32),
                    numpy.full((3, 1), 0.1, numpy.float32)], epsilon=0.01)

    def test_faults(self):
        x = random_array((3, 4))
        for axis in (2, -3):
            self.assertIn('input_0', self.assertFails(C2g.Error.SHAPE, 'LayerNorm', [x], 3, axis=axis))
        self.assertFails(C2g.Error.SHAPE, 'LayerNorm', [random_array((4,))], 3, axis=0)
        self.assertFails(C2g.Error.RANGE, 'LayerNorm', [x], 3, epsilon=-1.0)
        self.assertFails(C2g.Error.RANGE, 'LayerNorm', [x], 3, elementwise_affine=1)
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'LayerNorm', [x, x, x], 3, elementwise_affine=1))
        self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, 'LayerNorm', [random_array((3, 4), numpy.int32)], 3))
