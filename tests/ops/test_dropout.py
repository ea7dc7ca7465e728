# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Dropout."""

import numpy

from ops_testing import C2g, OpTestCase, random_array, run


class Dropout(OpTestCase):
    def test_test(self):
        for shape in ((3, 5), (), (0, 4), (2, 3, 5, 7)):
            for dtype in (numpy.float32, numpy.int32):
                x = random_array(shape, dtype)
                with self.subTest(shape=shape, dtype=dtype):
                    self.check('Dropout', [x], [x], is_test=1)
                    self.check('Dropout', [x], [x], is_test=1, ratio=0.9, in_place={0: 0})

    def test_train(self):
        x = random_array((30, 40), low=1, high=2)
        for ratio in (0.0, 0.25, 0.5, 0.75):
            for in_place in (None, {0: 0}):
                with self.subTest(ratio=ratio, in_place=in_place):
                    y, mask = run('Dropout', [x], 2, ratio=ratio, in_place=in_place)
                    self.assertEqual(mask.dtype, bool)
                    self.assertClose(y, numpy.where(mask, x / numpy.float32(1 - ratio), 0).astype(numpy.float32))
                    self.assertAlmostEqual(mask.mean(), 1 - ratio, delta=0.06)

    def test_train_nothing(self):
        y, mask = run('Dropout', [random_array((0, 3))], 2)
        self.assertEqual(y.shape, (0, 3))
        self.assertEqual(mask.shape, (0, 3))

    def test_faults(self):
        x = random_array((3, 4))
        for ratio in (-0.1, 1.0, 2.0, float('nan')):
            with self.subTest(ratio=ratio):
                self.assertIn('ratio', self.assertFails(C2g.Error.RANGE, 'Dropout', [x], 2, ratio=ratio))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Dropout', [x], 1)
        self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, 'Dropout', [random_array((3,), numpy.int32)], 2))
