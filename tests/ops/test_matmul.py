# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Products of matrices."""

import numpy
from ops_testing import C2g, OpTestCase, random_array


def cut(x, axis):
    rows = int(numpy.prod(x.shape[:axis]))
    return x.reshape(rows, x.size // rows if rows else int(numpy.prod(x.shape[axis:])))


class FullyConnected(OpTestCase):
    def test_fc(self):
        for x_shape, w_shape, axis, axis_w in [
                ((1, 1), (1, 1), 1, 1),
                ((5, 7), (3, 7), 1, 1),
                ((1, 70), (300, 70), 1, 1),
                ((2, 3, 4, 5), (6, 60), 1, 1),
                ((2, 3, 4, 5), (6, 3, 4, 5), 1, 1),
                ((2, 3, 4, 5), (7, 2, 4, 5), 2, 2),
                ((2, 3, 4, 5), (14, 5), -1, -1),
                ((2, 3), (4, 6), 0, 1),
                ((0, 7), (3, 7), 1, 1),
                ((4, 0), (3, 0), 1, 1),
                ((4, 7), (0, 7), 1, 1),
                ((65, 129), (67, 129), 1, 1)]:
            with self.subTest(x=x_shape, w=w_shape, axis=axis):
                x, w = random_array(x_shape), random_array(w_shape, seed=2)
                a = cut(x, axis % x.ndim)
                b = cut(w, axis_w % w.ndim)
                bias = random_array((b.shape[0],), seed=3)
                expected = a.astype(float) @ b.T.astype(float) + bias
                expected = expected.reshape(*x.shape[:axis % x.ndim], -1 if expected.size else b.shape[0])
                expected = expected.astype(numpy.float32)
                self.check('FC', [x, w, bias], [expected], axis=axis, axis_w=axis_w)
                transposed = numpy.ascontiguousarray(b.T)
                self.check('FCTransposed', [x, transposed, bias], [expected], axis=axis)

    def test_fc_shapes(self):
        x, w, bias = random_array((5, 7)), random_array((3, 6)), random_array((3,))
        self.assertIn('“input_1”', self.assertFails(C2g.Error.SHAPE, 'FC', [x, w, bias]))
        w = random_array((3, 7))
        for shape in [(4,), (1, 3), ()]:
            message = self.assertFails(C2g.Error.SHAPE, 'FC', [x, w, random_array(shape)])
            self.assertIn('“input_2”', message)
        for axis in (2, -3, 2**31 - 1, -2**31):
            message = self.assertFails(C2g.Error.SHAPE, 'FC', [x, w, bias], axis=axis)
            self.assertIn(str(axis), message)
        self.assertFails(C2g.Error.SHAPE, 'FC', [random_array(()), w, bias])
        self.assertFails(C2g.Error.RANGE, 'FC', [x, w, bias], axis=2**31)


class MatMul(OpTestCase):
    def test_matmul(self):
        for m, k, n in [(1, 1, 1), (5, 7, 3), (1, 9, 4), (9, 4, 1), (0, 3, 2), (3, 0, 2), (3, 2, 0), (65, 67, 129)]:
            for trans_a in (0, 1):
                for trans_b in (0, 1):
                    with self.subTest(m=m, k=k, n=n, trans_a=trans_a, trans_b=trans_b):
                        a = random_array((k, m) if trans_a else (m, k))
                        b = random_array((n, k) if trans_b else (k, n), seed=2)
                        expected = (a.T if trans_a else a) @ (b.T if trans_b else b)
                        self.check('MatMul', [a, b], [expected], trans_a=trans_a, trans_b=trans_b)

    def test_axes(self):
        a, b = random_array((2, 3, 4)), random_array((2, 2, 5), seed=2)
        expected = a.reshape(6, 4) @ b.reshape(4, 5)
        self.check('MatMul', [a, b], [expected], axis_a=2, axis_b=2)
        self.check('MatMul', [a, b], [expected], axis_a=-1, axis_b=-1)

    def test_like(self):
        a, b = random_array((6, 4)), random_array((4, 5), seed=2)
        like = numpy.zeros((3, 2, 5), dtype=numpy.int64)
        self.check('MatMul', [a, b, like], [(a @ b).reshape(3, 2, 5)])
        message = self.assertFails(C2g.Error.SHAPE, 'MatMul', [a, b, like[1:]])
        self.assertIn('“input_2”', message)

    def test_shapes(self):
        a, b = random_array((5, 7)), random_array((6, 3))
        self.assertIn('“input_1”', self.assertFails(C2g.Error.SHAPE, 'MatMul', [a, b]))
        self.assertFails(C2g.Error.SHAPE, 'MatMul', [a, random_array((7, 3))], axis_a=2)
        self.assertFails(C2g.Error.SHAPE, 'MatMul', [random_array((7,)), random_array((7, 3))])
        self.assertFails(C2g.Error.TYPE, 'MatMul', [a, random_array((7, 3), numpy.float64)])


class BatchMatMul(OpTestCase):
    def check_product(self, a_batch, b_batch, m, k, n, **arguments):
        for trans_a in (0, 1):
            for trans_b in (0, 1):
                with self.subTest(a=a_batch, b=b_batch, m=m, k=k, n=n, trans_a=trans_a, trans_b=trans_b):
                    a = random_array((*a_batch, m, k))
                    b = random_array((*b_batch, k, n), seed=2)
                    expected = a @ b
                    a = numpy.swapaxes(a, -1, -2) if trans_a else a
                    b = numpy.swapaxes(b, -1, -2) if trans_b else b
                    self.check('BatchMatMul', [a, b], [expected], trans_a=trans_a, trans_b=trans_b, **arguments)

    def test_same(self):
        for batch in [(), (1,), (3,), (2, 3), (0,), (2, 0), (1, 2, 1, 3, 1, 2)]:
            for sizes in [(1, 1, 1), (5, 7, 3), (1, 4, 5), (2, 0, 3)]:
                self.check_product(batch, batch, *sizes)

    def test_broadcast(self):
        for a, b in [((), (3,)), ((3,), ()), ((2, 3), (3,)), ((2, 1), (3,)), ((1, 3), (2, 1)),
                     ((2, 3), (1, 1)), ((4, 1, 3), (2, 1)), ((0,), (1,)), ((1,), (0, 3))]:
            for sizes in [(5, 7, 3), (1, 1, 1)]:
                self.check_product(a, b, *sizes, broadcast=1)
        self.check_product((2, 1), (3,), 66, 65, 67, broadcast=1)

    def test_vectors(self):
        a, b = random_array((4,)), random_array((4,), seed=2)
        self.check('BatchMatMul', [a, b], [(a @ b).reshape(1)])
        for batch in [(), (3,), (2, 3)]:
            matrices = random_array((*batch, 4, 5))
            others = numpy.swapaxes(matrices, -1, -2)
            self.check('BatchMatMul', [a, matrices], [a @ matrices])
            self.check('BatchMatMul', [a, others], [a @ matrices], trans_b=1)
            self.check('BatchMatMul', [others, a], [others @ a])
            self.check('BatchMatMul', [matrices, a], [others @ a], trans_a=1)

    def test_shapes(self):
        a = random_array((2, 5, 7))
        for shape in [(2, 6, 3), (3, 7, 3), (7, 3), (1, 7, 3), (6,), ()]:
            with self.subTest(shape=shape):
                message = self.assertFails(C2g.Error.SHAPE, 'BatchMatMul', [a, random_array(shape)])
                self.assertIn('“input_1”', message)
        self.assertFails(C2g.Error.SHAPE, 'BatchMatMul', [a, random_array((3, 7, 3))], broadcast=1)
