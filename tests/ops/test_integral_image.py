# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Integral images, and their gradient."""

import numpy

from ops_testing import C2g, OpTestCase, random_array

SHAPES = [(1, 1, 1, 1), (2, 3, 5, 7), (3, 2, 1, 9), (0, 3, 4, 5), (1, 2, 0, 3), (2, 1, 60, 70)]


class IntegralImage(OpTestCase):
    def test_image(self):
        for shape in SHAPES:
            x = random_array(shape)
            expected = numpy.zeros((*shape[:2], shape[2] + 1, shape[3] + 1))
            expected[:, :, 1:, 1:] = x.astype(numpy.float64).cumsum(axis=2).cumsum(axis=3)
            with self.subTest(shape=shape):
                self.check('IntegralImage', [x], [expected.astype(numpy.float32)])

    def test_gradient(self):
        for shape in SHAPES:
            x = random_array(shape)
            gradient = random_array((*shape[:2], shape[2] + 1, shape[3] + 1), seed=2)
            expected = gradient.astype(numpy.float64).cumsum(axis=2).cumsum(axis=3)[:, :, :-1, :-1]
            with self.subTest(shape=shape):
                self.check('IntegralImageGradient', [x, gradient], [expected.astype(numpy.float32)])

    def test_faults(self):
        x = random_array((1, 2, 3, 4))
        self.assertIn('input_0', self.assertFails(C2g.Error.SHAPE, 'IntegralImage', [x[0]]))
        self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, 'IntegralImage', [x.astype(numpy.float64)]))
        for shape in ((1, 2, 3, 4), (1, 2, 4), (1, 1, 4, 5), (2, 2, 4, 5)):
            with self.subTest(shape=shape):
                message = self.assertFails(C2g.Error.SHAPE, 'IntegralImageGradient', [x, random_array(shape)])
                self.assertIn('input_1', message)
