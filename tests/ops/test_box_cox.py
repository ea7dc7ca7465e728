# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""BatchBoxCox."""

import numpy

from ops_testing import C2g, OpTestCase, random_array


def box_cox(x, powers, shifts):
    base = numpy.maximum(x.astype(numpy.float64) + shifts, 1e-6)
    safe = numpy.where(powers == 0, 1, powers)
    return numpy.where(powers == 0, numpy.log(base), (base ** powers - 1) / safe).astype(x.dtype)


class BoxCox(OpTestCase):
    def test_shapes(self):
        for dtype in (numpy.float32, numpy.float64):
            for shape in ((5, 3), (1, 1), (4, 2, 3), (6,), (0, 3), (3, 0)):
                n = int(numpy.prod(shape[1:]))
                x = random_array(shape, dtype, low=0.1, high=3)
                powers, shifts = random_array((n,), dtype, seed=2), random_array((n,), dtype, seed=3)
                if n > 0:
                    powers[0] = 0
                expected = box_cox(x.reshape(shape[0], n), powers, shifts).reshape(shape)
                with self.subTest(shape=shape, dtype=dtype):
                    self.check('BatchBoxCox', [x, powers, shifts], [expected])
                    self.check('BatchBoxCox', [x, powers, shifts], [expected], min_block_size=0, in_place={0: 0})

    def test_faults(self):
        x, column = random_array((2, 3)), random_array((3,))
        self.assertIn('input_1', self.assertFails(C2g.Error.SHAPE, 'BatchBoxCox', [x, column[:2], column]))
        self.assertIn('input_2', self.assertFails(C2g.Error.SHAPE, 'BatchBoxCox', [x, column, column[:2]]))
        self.assertIn('input_1', self.assertFails(C2g.Error.TYPE, 'BatchBoxCox',
                                                  [x, column.astype(numpy.float64), column]))
        self.assertIn('input_0', self.assertFails(C2g.Error.TYPE, 'BatchBoxCox',
                                                  [random_array((2, 3), numpy.int32), column, column]))
