# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators on two tensors, element by element."""

import numpy
from ops_testing import C2g, OpTestCase, random_array

NUMBERS = [numpy.float32, numpy.float64, numpy.int32, numpy.int64]
ARITHMETIC = {'Add': numpy.add, 'Sub': numpy.subtract, 'Mul': numpy.multiply, 'Div': numpy.divide}
COMPARISONS = {
    'EQ': numpy.equal, 'NE': numpy.not_equal, 'LT': numpy.less, 'LE': numpy.less_equal,
    'GT': numpy.greater, 'GE': numpy.greater_equal,
}
LOGIC = {'And': numpy.logical_and, 'Or': numpy.logical_or, 'Xor': numpy.logical_xor}
BITWISE = {'BitwiseAnd': numpy.bitwise_and, 'BitwiseOr': numpy.bitwise_or, 'BitwiseXor': numpy.bitwise_xor}

# Shapes that NumPy broadcasts.
PAIRS = [
    ((), ()), ((3,), ()), ((), (3,)), ((5,), (5,)), ((3, 5), (5,)), ((5,), (3, 5)), ((3, 5), (3, 1)),
    ((3, 1), (1, 5)), ((2, 3, 4, 5), (3, 1, 5)), ((2, 1, 4, 1), (3, 1, 5)), ((1, 1, 1), (2, 2)),
    ((0, 3), (3,)), ((0, 3), (1, 3)), ((2, 3, 4, 5, 2), (2, 1, 4, 1, 2)), ((67, 33), (33,)), ((67, 33), (67, 1)),
]

# Shapes, the axis argument of Caffe2's broadcasting, and the equivalent second shape for NumPy.
LEGACY = [
    ((2, 3, 4, 5), (), {}, ()),
    ((2, 3, 4, 5), (1,), {}, (1,)),
    ((2, 3, 4, 5), (5,), {}, (5,)),
    ((2, 3, 4, 5), (4, 5), {}, (4, 5)),
    ((2, 3, 4, 5), (3, 4), {'axis': 1}, (3, 4, 1)),
    ((2, 3, 4, 5), (2,), {'axis': 0}, (2, 1, 1, 1)),
    ((2, 3, 4, 5), (3,), {'axis': 1}, (3, 1, 1)),
    ((2, 3, 4, 5), (3, 1, 1), {}, (3, 1, 1)),
    ((2, 3, 4, 5), (2, 3, 4, 5), {}, (2, 3, 4, 5)),
    ((2, 3, 4, 5), (1, 1, 1, 1), {}, (1,)),
    ((2, 3, 4, 5), (3,), {'axis_str': 'C'}, (3, 1, 1)),
    ((2, 3, 4, 5), (5,), {'axis_str': 'C', 'order': 'NHWC'}, (5,)),
    ((2, 3, 4, 5), (2,), {'axis_str': 'N', 'order': 'NHWC'}, (2, 1, 1, 1)),
    ((0, 3, 2), (3,), {'axis': 1}, (3, 1)),
]


def operand(shape, dtype, seed, nonzero=False):
    x = random_array(shape, dtype, seed=seed)
    return numpy.where(x == 0, numpy.asarray(3, dtype=x.dtype), x).astype(dtype) if nonzero else x


def divide(a, b):
    """Divides like C: integers are rounded towards 0."""
    return numpy.trunc(a / b).astype(a.dtype) if a.dtype.kind == 'i' else a / b


class Binary(OpTestCase):
    def check_pair(self, op_type, function, a, b, other=None, **arguments):
        expected = function(a, b if other is None else b.reshape(other))
        expected = numpy.asarray(expected)
        self.check(op_type, [a, b], [expected], **arguments)
        return expected

    def test_arithmetic(self):
        for op_type, function in ARITHMETIC.items():
            function = divide if op_type == 'Div' else function
            for dtype in NUMBERS:
                for first, second in PAIRS:
                    with self.subTest(op_type=op_type, dtype=dtype, first=first, second=second):
                        a = operand(first, dtype, 1)
                        b = operand(second, dtype, 2, nonzero=op_type == 'Div')
                        expected = self.check_pair(op_type, function, a, b)
                        if expected.shape == first:
                            self.check(op_type, [a, b], [expected], in_place={0: 0})
                        if expected.shape == second:
                            self.check(op_type, [a, b], [expected], in_place={0: 1})

    def test_legacy(self):
        for op_type, function in ARITHMETIC.items():
            for first, second, arguments, other in LEGACY:
                with self.subTest(op_type=op_type, first=first, second=second, **arguments):
                    a = operand(first, numpy.float32, 1)
                    b = operand(second, numpy.float32, 2, nonzero=True)
                    expected = self.check_pair(op_type, function, a, b, other, broadcast=1, **arguments)
                    self.check(op_type, [a, b], [expected], in_place={0: 0}, broadcast=1, **arguments)

    def test_same_input_twice(self):
        x = random_array((3, 5))
        self.check('Mul', [x, x], [x * x])

    def test_wrap_around(self):
        largest = numpy.array([2 ** 31 - 1], dtype=numpy.int32)
        lowest = numpy.array([-2 ** 31], dtype=numpy.int32)
        one = numpy.array([1], dtype=numpy.int32)
        self.check('Add', [largest, one], [lowest])
        self.check('Sub', [lowest, one], [largest])
        self.check('Mul', [largest, largest], [one])
        self.check('Div', [lowest, -one], [lowest])

    def test_divide_by_zero(self):
        for dtype in [numpy.int32, numpy.int64]:
            a, b = numpy.ones(3, dtype=dtype), numpy.array([2, 0, 1], dtype=dtype)
            message = self.assertFails(C2g.Error.RANGE, 'Div', [a, b])
            self.assertIn('“input_1”', message)
            self.assertIn('Element 1', message)
        zero = numpy.zeros(1, dtype=numpy.float32)
        self.check('Div', [zero + 1, zero], [zero + numpy.inf])

    def test_pow(self):
        for first, second in PAIRS:
            with self.subTest(first=first, second=second):
                a = random_array(first, low=0.1, high=3)
                self.check_pair('Pow', numpy.power, a, random_array(second, seed=2, low=-2, high=2))
        for first, second, arguments, other in LEGACY:
            with self.subTest(first=first, second=second, **arguments):
                a = random_array(first, low=0.1, high=3)
                b = random_array(second, seed=2, low=-2, high=2)
                self.check_pair('Pow', numpy.power, a, b, other, broadcast=1, **arguments)
        for exponent in [-1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 2.7]:
            for shape in [(3, 7), (0,), ()]:
                with self.subTest(exponent=exponent, shape=shape):
                    x = random_array(shape, low=0.1, high=3)
                    expected = [numpy.power(x, numpy.float32(exponent))]
                    self.check('Pow', [x], expected, exponent=exponent)
                    self.check('Pow', [x], expected, in_place={0: 0}, exponent=exponent)
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Pow', [random_array((3,))])
        self.assertIn('“exponent”', message)

    def test_comparisons(self):
        for op_type, function in COMPARISONS.items():
            for dtype in NUMBERS + [bool]:
                for first, second in PAIRS:
                    with self.subTest(op_type=op_type, dtype=dtype, first=first, second=second):
                        a, b = operand(first, dtype, 1), operand(second, dtype, 2)
                        if a.shape == b.shape and a.size > 1:
                            b.flat[::2] = a.flat[::2]
                        self.check_pair(op_type, function, a, b)
            a, b = random_array((2, 3, 4)), random_array((3,), seed=2)
            self.check_pair(op_type, function, a, b, (3, 1), broadcast=1, axis=1)
        nan = numpy.array([numpy.nan], dtype=numpy.float32)
        self.check('EQ', [nan, nan], [numpy.array([False])])
        self.check('NE', [nan, nan], [numpy.array([True])])

    def test_logic(self):
        for op_type, function in {**LOGIC, **BITWISE}.items():
            for dtype in [bool] if op_type in LOGIC else [bool, numpy.int32, numpy.int64]:
                for first, second in PAIRS:
                    with self.subTest(op_type=op_type, dtype=dtype, first=first, second=second):
                        a, b = operand(first, dtype, 1), operand(second, dtype, 2)
                        expected = self.check_pair(op_type, function, a, b)
                        if expected.shape == first:
                            self.check(op_type, [a, b], [expected], in_place={0: 0})

    def test_bad_shapes(self):
        def fails(code, first, second, **arguments):
            return self.assertFails(code, 'Add', [random_array(first), random_array(second)], **arguments)

        message = fails(C2g.Error.SHAPE, (2, 3), (2,))
        self.assertIn('“input_1”', message)
        self.assertIn('[2, 3]', message)
        fails(C2g.Error.SHAPE, (0, 3), (2, 3))
        fails(C2g.Error.SHAPE, (3,), (2, 3), broadcast=1)
        fails(C2g.Error.SHAPE, (2, 3, 4), (3,), broadcast=1)
        fails(C2g.Error.SHAPE, (2, 1), (2, 3), broadcast=1)
        fails(C2g.Error.RANGE, (2, 3, 4), (4,), broadcast=1, axis=3)
        fails(C2g.Error.RANGE, (2, 3, 4), (4,), broadcast=1, axis=-2)
        fails(C2g.Error.RANGE, (2, 3, 4), (3, 4), broadcast=1, axis=2)

    def test_bad_in_place(self):
        for op_type in ['Add', 'Mul']:
            self.assertFails(C2g.Error.SHAPE, op_type, [random_array((3,)), random_array((2, 3))], in_place={0: 0})
            self.assertFails(C2g.Error.SHAPE, op_type, [random_array((2, 3)), random_array((3,))], in_place={0: 1})

    def test_bad_arguments(self):
        a, b = random_array((2, 3)), random_array((3,))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Add', [a, b], broadcast=1, axis=1, axis_str='C')
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Add', [a, b], broadcast=1, axis_str='X')
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Add', [a, b], broadcast=1, axis_str='CH')
        self.assertFails(C2g.Error.RANGE, 'Add', [a, b], broadcast=1, axis=2 ** 40)
        self.assertFails(C2g.Error.TYPE, 'Add', [a, b], broadcast='yes')

    def test_bad_types(self):
        ints = numpy.zeros(3, dtype=numpy.int32)
        message = self.assertFails(C2g.Error.TYPE, 'Add', [ints, ints.astype(numpy.float32)])
        self.assertIn('“input_1”', message)
        self.assertFails(C2g.Error.TYPE, 'Add', [ints.astype(numpy.uint8)] * 2)
        self.assertFails(C2g.Error.TYPE, 'And', [ints, ints])
        self.assertFails(C2g.Error.TYPE, 'Pow', [ints, ints])
        self.assertFails(C2g.Error.TYPE, 'BitwiseAnd', [ints.astype(numpy.float32)] * 2)
