# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""GroupNorm and InstanceNorm."""

import numpy

from ops_testing import C2g, OpTestCase, random_array
from windows import channels_last

SHAPES = [(2, 6, 7, 5), (1, 6, 1, 2), (3, 6, 9), (2, 12, 3, 4, 5), (0, 6, 3, 4), (1, 132, 20, 30), (2, 6)]


def group_norm(x, scale, bias, n_groups, epsilon=1e-5):
    groups = x.astype(numpy.float64).reshape(x.shape[0], n_groups, int(numpy.prod(x.shape[1:])) // n_groups)
    mean = groups.mean(axis=2)
    inverse = 1 / numpy.sqrt(groups.var(axis=2) + epsilon)
    y = ((groups - mean[..., None]) * inverse[..., None]).reshape(x.shape)
    shape = (1, -1, *[1] * (x.ndim - 2))
    y = y * scale.reshape(shape) + bias.reshape(shape)
    return [array.astype(numpy.float32) for array in (y, mean, inverse)]


class Norm(OpTestCase):
    def check_orders(self, op_type, inputs, expected, **arguments):
        for n in (1, 2, 3):
            self.check(op_type, inputs, expected[:n], **arguments)
        self.check(op_type, inputs, expected, in_place={0: 0}, **arguments)
        inputs = [channels_last(inputs[0]), *inputs[1:]]
        expected = [channels_last(expected[0]), *expected[1:]]
        for n in (1, 2, 3):
            self.check(op_type, inputs, expected[:n], order='NHWC', **arguments)
        self.check(op_type, inputs, expected, order='NHWC', in_place={0: 0}, **arguments)

    def test_group_norm(self):
        for shape in SHAPES:
            x = random_array(shape, low=-1, high=3)
            scale, bias = random_array((shape[1],), seed=2), random_array((shape[1],), seed=3)
            for n_groups in (1, 2, 3, shape[1]):
                with self.subTest(shape=shape, n_groups=n_groups):
                    expected = group_norm(x, scale, bias, n_groups, 0.01)
                    self.check_orders('GroupNorm', [x, scale, bias], expected, group=n_groups, epsilon=0.01)

    def test_default_groups(self):
        x = random_array((2, 64, 3, 3))
        scale, bias = random_array((64,), seed=2), random_array((64,), seed=3)
        self.check('GroupNorm', [x, scale, bias], group_norm(x, scale, bias, 32))

    def test_instance_norm(self):
        for shape in SHAPES[:-1]:
            x = random_array(shape, low=-1, high=3)
            scale, bias = random_array((shape[1],), seed=2), random_array((shape[1],), seed=3)
            with self.subTest(shape=shape):
                self.check_orders('InstanceNorm', [x, scale, bias], group_norm(x, scale, bias, shape[1]))
                self.check_orders('InstanceNorm', [x, scale, bias], group_norm(x, scale, bias, shape[1], 0.1),
                                  epsilon=0.1)

    def test_far_from_0(self):
        """The bias keeps its precision even if the mean is thousands of deviations large."""
        x = (random_array((2, 4, 8, 8)) + 8000).astype(numpy.float32)
        scale = numpy.zeros(4, dtype=numpy.float32) + numpy.float32(1e-3)
        bias = numpy.array([1e-3, -2e-3, 0, 1], dtype=numpy.float32)
        for op_type, n_groups in (('InstanceNorm', 4), ('GroupNorm', 2)):
            for order in ('NCHW', 'NHWC'):
                y = group_norm(x, scale, bias, n_groups)[0]
                inputs = [x, scale, bias] if order == 'NCHW' else [channels_last(x), scale, bias]
                arguments = {'group': n_groups} if op_type == 'GroupNorm' else {}
                # A mean in float is off by 2⁻¹¹ / 2 at most, and the deviation is 0.6.
                with self.subTest(op_type=op_type, order=order):
                    self.check(op_type, inputs, [y if order == 'NCHW' else channels_last(y)], order=order, rtol=0,
                               atol=1e-6, **arguments)

    def test_faults(self):
        x, one, other = random_array((2, 6, 3, 3)), random_array((6,)), random_array((5,))
        for op_type in ('GroupNorm', 'InstanceNorm'):
            arguments = {'group': 2} if op_type == 'GroupNorm' else {}
            self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, op_type, [x, other, one], **arguments))
            self.assertIn('input_2', self.assertFails(C2g.Error.SHAPE, op_type, [x, one, other], **arguments))
            self.assertIn('input_0', self.assertFails(C2g.Error.SHAPE, op_type, [one, one, one], **arguments))
            self.assertFails(C2g.Error.TYPE, op_type, [x.astype(numpy.float64), one, one], **arguments)
            self.assertFails(C2g.Error.RANGE, op_type, [x, one, one], epsilon=-1.0, **arguments)
        for group in (0, -2, 2 ** 33):
            self.assertIn('group', self.assertFails(C2g.Error.RANGE, 'GroupNorm', [x, one, one], group=group))
        self.assertIn('input_0', self.assertFails(C2g.Error.SHAPE, 'GroupNorm', [x, one, one], group=4))
