# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators that Caffe has as layers and Caffe2 lacks, against what Caffe's sources define."""

import numpy

from ops_testing import C2g, OpTestCase, random_array
from windows import channels_last

F = numpy.float32


class Crop(OpTestCase):
    def check_crop(self, x, like, axis=2, offset=()):
        offsets = list(offset) if len(offset) > 1 else list(offset or [0]) * (x.ndim - axis)
        whole = [slice(None)] * axis
        expected = x[(*whole, *[slice(o, o + n) for o, n in zip(offsets, like[axis:])])]
        with self.subTest(shape=x.shape, like=like, axis=axis, offset=offset):
            self.check('Crop', [x, numpy.zeros(like, F)], [expected], axis=axis, offset=list(offset))

    def test_offsets(self):
        x = random_array((2, 3, 7, 5))
        for like, axis, offset in [
                ((2, 3, 7, 5), 2, ()), ((9, 9, 4, 3), 2, ()), ((9, 9, 4, 3), 2, (2,)), ((9, 9, 4, 3), 2, (3, 1)),
                ((9, 2, 1, 5), 1, (1, 6, 0)), ((1, 1, 1, 1), 0, (1, 2, 6, 4)), ((9, 9, 9, 2), 3, (3,)),
                ((2, 3, 0, 5), 2, (7, 0))]:
            self.check_crop(x, like, axis, offset)
        self.check_crop(random_array((0, 3, 7, 5)), (0, 3, 2, 2), 2, (5, 3))
        self.check_crop(random_array((5, 4), dtype=numpy.int64), (2, 3), 0, (3, 1))
        self.check('Crop', [x, numpy.zeros((4, 2), numpy.int64).reshape(1, 1, 4, 2)], [x[:, :, :4, :2]])
        self.check('Crop', [x, numpy.zeros((1, 1, 4, 2), F)], [x[..., 1:3]], axis=-1, offset=[1])

    def test_faults(self):
        x, like = random_array((2, 3, 7, 5)), random_array((2, 3, 4, 3))
        for code, arguments in [
                (C2g.Error.SHAPE, {'offset': [4, 0]}), (C2g.Error.SHAPE, {'offset': [-1]}),
                (C2g.Error.SHAPE, {'offset': [2 ** 62]}), (C2g.Error.SHAPE, {'axis': 4}),
                (C2g.Error.INVALID_ARGUMENT, {'offset': [0, 0, 0]}),
                (C2g.Error.INVALID_ARGUMENT, {'axis': 1, 'offset': [0, 0]})]:
            with self.subTest(**arguments):
                self.assertFails(code, 'Crop', [x, like], **arguments)
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'Crop', [x, like[0]]))
        self.assertFails(C2g.Error.SHAPE, 'Crop', [like, x])


class ArgMax(OpTestCase):
    def expect(self, x, axis=None, top_k=1, out_max_val=0):
        """Of equal elements the last ones come first, as pairs with their indices do."""
        rows = x.reshape(len(x), int(numpy.prod(x.shape[1:]))) if axis is None else numpy.moveaxis(x, axis, -1)
        indices = rows.shape[-1] - 1 - numpy.argsort(-rows[..., ::-1], axis=-1, kind='stable')[..., :top_k]
        values = numpy.take_along_axis(rows, indices, axis=-1)
        if axis is not None:
            return numpy.moveaxis(values if out_max_val else indices, -1, axis).astype(F)
        parts = numpy.stack([indices, values], axis=1) if out_max_val else indices[:, None]
        return parts.reshape(*parts.shape, *[1] * (x.ndim - 3)).astype(F)

    def test_largest(self):
        for shape in ((3, 7), (2, 3, 5), (2, 3, 4, 5), (5,), (0, 3, 2, 2), (2, 1, 1, 3, 2)):
            for arguments in ({}, {'out_max_val': 1}):
                for axis in (None, *range(len(shape))):
                    n = numpy.prod(shape[1:], dtype=int) if axis is None else shape[axis]
                    for top_k in {1, 2, n}:
                        if not 1 <= top_k <= n:
                            continue
                        given = arguments | ({} if axis is None else {'axis': axis}) | {'top_k': int(top_k)}
                        for x in (random_array(shape), numpy.round(2 * random_array(shape)).astype(F)):
                            with self.subTest(shape=shape, **given):
                                self.check('CaffeArgMax', [x], [self.expect(x, **given)], **given)
        # By hand: the last of two equal elements.
        x = F([[1, 3, 2, 3]])
        self.check('CaffeArgMax', [x], [F([[[3, 1]]])], top_k=2)
        self.check('CaffeArgMax', [x], [F([[[3, 1], [3, 3]]])], top_k=2, out_max_val=1)
        self.check('CaffeArgMax', [x], [F([[3, 3]])], top_k=2, out_max_val=1, axis=-1)

    def test_faults(self):
        x = random_array((2, 3))
        self.assertFails(C2g.Error.RANGE, 'CaffeArgMax', [x], top_k=0)
        self.assertFails(C2g.Error.SHAPE, 'CaffeArgMax', [x], top_k=4)
        self.assertFails(C2g.Error.SHAPE, 'CaffeArgMax', [x], top_k=3, axis=0)
        self.assertFails(C2g.Error.SHAPE, 'CaffeArgMax', [x], axis=2)
        self.assertFails(C2g.Error.SHAPE, 'CaffeArgMax', [F(1)])
        self.assertFails(C2g.Error.TYPE, 'CaffeArgMax', [x.astype(float)])


class Mvn(OpTestCase):
    def expect(self, x, across_channels=0, normalize_variance=1, epsilon=1e-9):
        axes = tuple(range(1 if across_channels else 2, x.ndim))
        distances = x - x.mean(axis=axes, keepdims=True, dtype=float)
        if normalize_variance:
            distances /= numpy.sqrt(numpy.mean(distances ** 2, axis=axes, keepdims=True)) + epsilon
        return distances.astype(F)

    def test_normalized(self):
        for shape in ((2, 3, 7, 5), (1, 1, 1, 1), (2, 3, 11), (0, 3, 4, 4), (3, 4, 2, 3, 5), (1, 7, 40, 33)):
            for arguments in ({}, {'across_channels': 1}, {'normalize_variance': 0}, {'epsilon': 0.5},
                              {'across_channels': 1, 'normalize_variance': 0}):
                for offset in (0, 1000):
                    x = random_array(shape) + F(offset)
                    y = self.expect(x, **arguments)
                    with self.subTest(shape=shape, offset=offset, **arguments):
                        self.check('MVN', [x], [y], **arguments)
                        self.check('MVN', [x], [y], in_place={0: 0}, **arguments)
                        self.check('MVN', [channels_last(x)], [channels_last(y)], order='NHWC', **arguments)

    def test_constant(self):
        # The mean is exact, or the rest over the default epsilon would be anything.
        for value in (0.1, 1000.1, -3e7):
            x = numpy.full((2, 3, 64, 67), value, F)
            self.check('MVN', [x], [numpy.zeros_like(x)], rtol=0, atol=0)

    def test_faults(self):
        self.assertFails(C2g.Error.RANGE, 'MVN', [random_array((2, 3, 4, 5))], epsilon=-1.0)
        self.assertFails(C2g.Error.SHAPE, 'MVN', [random_array((3,))])
        self.assertFails(C2g.Error.TYPE, 'MVN', [random_array((2, 3, 4), dtype=numpy.int32)])
