# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators that resize pictures."""

from ops_testing import C2g, OpTestCase, numpy, random_array

SHAPES = [(2, 3, 5, 7), (1, 1, 1, 1), (0, 2, 4, 4), (1, 2, 4, 6)]


def last(x):
    return numpy.moveaxis(x, 1, -1)


class Pads(OpTestCase):
    def test_pad(self):
        modes = [('constant', {'constant_values': 2}), ('edge', {}), ('reflect', {})]
        for shape in SHAPES:
            for mode, options in modes:
                if mode == 'reflect' and min(shape) < 4 and 0 not in shape:
                    continue
                for t, l, b, r in (1, 2, 3, 0), (0, 0, 0, 0), (2, 2, 2, 2):
                    x = random_array(shape)
                    expected = numpy.pad(x, [(0, 0), (0, 0), (t, b), (l, r)], mode=mode, **options)
                    arguments = {'pad_t': t, 'pad_l': l, 'pad_b': b, 'pad_r': r, 'mode': mode, 'value': 2.0}
                    self.check('PadImage', [x], [expected], **arguments)
                    self.check('PadImage', [last(x)], [last(expected)], order='NHWC', **arguments)

    def test_reflect(self):
        x = random_array((2, 2, 4, 5))
        expected = numpy.pad(x, [(0, 0), (0, 0), (3, 2), (1, 4)], mode='reflect')
        self.check('PadImage', [x], [expected], pads=[3, 1, 2, 4], mode='reflect')

    def test_crop(self):
        x = random_array((2, 3, 6, 7))
        for mode in 'constant', 'edge', 'reflect':
            self.check('PadImage', [x], [x[:, :, 1:-2, 3:-1]], pad_t=-1, pad_l=-3, pad_b=-2, pad_r=-1, mode=mode)
        self.check('PadImage', [x], [x[:, :, 1:-1, 1:-1]], pad=-1)
        expected = numpy.pad(x[:, :, 2:], [(0, 0), (0, 0), (0, 1), (0, 0)])
        self.check('PadImage', [x], [expected], pad_t=-2, pad_b=1)

    def test_bad(self):
        x = random_array((1, 1, 3, 3))
        self.assertFails(C2g.Error.SHAPE, 'PadImage', [x], pad_t=-2, pad_b=-2)
        self.assertFails(C2g.Error.SHAPE, 'PadImage', [x], pad=3, mode='reflect')
        self.assertFails(C2g.Error.SHAPE, 'PadImage', [x[:, :, :0]], pad=1, mode='edge')
        self.assertFails(C2g.Error.SHAPE, 'PadImage', [x[0]], pad=1)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'PadImage', [x], mode='wrap')
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'PadImage', [x], pads=[1, 2])
        self.assertFails(C2g.Error.RANGE, 'PadImage', [x], pads=[2**62, 2**62, 2**62, 2**62])
        self.assertFails(C2g.Error.RANGE, 'PadImage', [x], pad=2**40)
        self.assertFails(C2g.Error.TYPE, 'PadImage', [x.astype(numpy.int32)], pad=1)

    def test_empty(self):
        self.check('PadImage', [random_array((1, 1, 0, 0))], [numpy.full((1, 1, 2, 2), 3, dtype=numpy.float32)], pad=1,
                   value=3.0)


class Resizes(OpTestCase):
    def test_nearest(self):
        for shape in SHAPES:
            for scales in (2.0, 2.0), (1.0, 3.0), (0.5, 1.5), (2.5, 0.75), (1.0, 1.0):
                x = random_array(shape)
                scales = numpy.float32(scales)
                height, width = (int(numpy.float32(n) * s) for n, s in zip(shape[2:], scales))
                rows = [min(int(numpy.float32(y) / scales[0]), shape[2] - 1) for y in range(height)]
                columns = [min(int(numpy.float32(y) / scales[1]), shape[3] - 1) for y in range(width)]
                expected = x[:, :, rows][:, :, :, columns]
                arguments = {'height_scale': float(scales[0]), 'width_scale': float(scales[1])}
                self.check('ResizeNearest', [x], [expected], **arguments)
                self.check('ResizeNearest', [x, scales], [expected])
                self.check('ResizeNearest', [last(x)], [last(expected)], order='NHWC', **arguments)

    def test_bilinear(self):
        for shape in SHAPES:
            for scales in (1.0, 1.0), (2.0, 3.0), (0.5, 1.5):
                x = random_array(shape)
                scales = numpy.float32(scales)
                expected = x
                for axis, scale in zip((2, 3), scales):
                    n = shape[axis]
                    m = int(numpy.float32(n) * scale)
                    exact = numpy.arange(m) * ((n - 1) / (m - 1) if m > 1 else 0)
                    first = numpy.minimum(exact.astype(int), max(n - 1, 0))
                    second = numpy.minimum(first + 1, max(n - 1, 0))
                    share = (exact - first).reshape([-1 if i == axis else 1 for i in range(4)])
                    expected = (numpy.take(expected, first, axis) * (1 - share) +
                                numpy.take(expected, second, axis) * share)
                expected = expected.astype(numpy.float32)
                self.check('UpsampleBilinear', [x], [expected], height_scale=float(scales[0]),
                           width_scale=float(scales[1]))
                self.check('UpsampleBilinear', [x, scales], [expected])

    def test_bad(self):
        x = random_array((1, 1, 3, 3))
        for op_type in 'ResizeNearest', 'UpsampleBilinear':
            for scale in 0.0, -1.0, float('nan'), float('inf'):
                self.assertFails(C2g.Error.INVALID_ARGUMENT, op_type, [x], width_scale=scale)
                self.assertFails(C2g.Error.INVALID_ARGUMENT, op_type, [x, numpy.float32([1, scale])])
            self.assertFails(C2g.Error.SHAPE, op_type, [x], width_scale=2e9)
            self.assertFails(C2g.Error.SHAPE, op_type, [x[0]])
            self.assertFails(C2g.Error.SHAPE, op_type, [x, numpy.float32([1])])
            self.assertFails(C2g.Error.TYPE, op_type, [x.astype(numpy.float64)])
        self.assertFails(C2g.Error.NOT_SUPPORTED, 'UpsampleBilinear', [x], order='NHWC')


class Spaces(OpTestCase):
    def to_batch(self, x, block, pad):
        x = numpy.pad(x, [(0, 0), (0, 0), (pad, pad), (pad, pad)])
        n, c, h, w = x.shape
        x = x.reshape(n, c, h // block, block, w // block, block).transpose(3, 5, 0, 1, 2, 4)
        return x.reshape(n * block * block, c, h // block, w // block)

    def test_both(self):
        for shape, block, pad in [((2, 3, 4, 6), 2, 0), ((1, 2, 4, 4), 2, 1), ((2, 1, 7, 4), 3, 1),
                                  ((1, 1, 3, 3), 1, 0), ((0, 1, 4, 4), 2, 0)]:
            x = random_array(shape)
            batch = self.to_batch(x, block, pad)
            self.check('SpaceToBatch', [x], [batch], block_size=block, pad=pad)
            self.check('BatchToSpace', [batch], [x], block_size=block, pad=pad)

    def test_bad(self):
        x = random_array((1, 1, 3, 4))
        self.assertFails(C2g.Error.SHAPE, 'SpaceToBatch', [x])
        self.assertFails(C2g.Error.SHAPE, 'SpaceToBatch', [x[0]])
        self.assertFails(C2g.Error.SHAPE, 'BatchToSpace', [x])
        self.assertFails(C2g.Error.SHAPE, 'BatchToSpace', [random_array((4, 1, 1, 1))], pad=2)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'SpaceToBatch', [x], block_size=0)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'SpaceToBatch', [x], pad=-1)
        self.assertFails(C2g.Error.NOT_SUPPORTED, 'SpaceToBatch', [x], order='NHWC')
        self.check('SpaceToBatch', [x[:, :, :0, :0]], [numpy.zeros((4, 1, 1, 1), dtype=numpy.float32)], pad=1)


class Integrals(OpTestCase):
    def test_integral(self):
        for shape in SHAPES:
            x = random_array(shape)
            expected = numpy.pad(x.cumsum(2).cumsum(3), [(0, 0), (0, 0), (1, 0), (1, 0)])
            self.check('IntegralImage', [x], [expected])
            gradient = random_array(expected.shape, seed=2)
            self.check('IntegralImageGradient', [x, gradient], [gradient[:, :, :-1, :-1].cumsum(2).cumsum(3)])
        self.assertFails(C2g.Error.SHAPE, 'IntegralImage', [x[0]])
        self.assertFails(C2g.Error.SHAPE, 'IntegralImageGradient', [x, x])
        self.assertFails(C2g.Error.TYPE, 'IntegralImage', [x.astype(numpy.int32)])
