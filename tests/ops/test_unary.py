# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Functions of one element."""

import math

import numpy
from ops_testing import C2g, OpTestCase, random_array

SHAPES = [(), (1,), (7,), (0, 3), (3, 5, 7), (1000,), (2, 3, 4, 5, 6)]

SIGMOID = lambda x: 1 / (1 + numpy.exp(-x))  # noqa: E731
ERF = numpy.vectorize(math.erf, otypes=[float])

# Name, reference, and the interval of the tested inputs.
FUNCTIONS = {
    'Abs': (numpy.abs, -3, 3),
    'Acos': (numpy.arccos, -1, 1),
    'Asin': (numpy.arcsin, -1, 1),
    'Atan': (numpy.arctan, -9, 9),
    'Cbrt': (numpy.cbrt, -9, 9),
    'Ceil': (numpy.ceil, -9, 9),
    'Cos': (numpy.cos, -9, 9),
    'Cosh': (numpy.cosh, -9, 9),
    'Cube': (lambda x: x ** 3, -3, 3),
    'Erf': (ERF, -3, 3),
    'Exp': (numpy.exp, -80, 80),
    'Floor': (numpy.floor, -9, 9),
    'Log': (numpy.log, 0.001, 9),
    'Negative': (numpy.negative, -3, 3),
    'Reciprocal': (numpy.reciprocal, 0.1, 9),
    'Relu': (lambda x: numpy.maximum(x, 0), -3, 3),
    'Rsqrt': (lambda x: 1 / numpy.sqrt(x), 0.001, 9),
    'Sigmoid': (SIGMOID, -30, 30),
    'Sign': (numpy.sign, -3, 3),
    'Sin': (numpy.sin, -9, 9),
    'Sinh': (numpy.sinh, -9, 9),
    'Softplus': (lambda x: numpy.log1p(numpy.exp(x)), -30, 30),
    'Softsign': (lambda x: x / (1 + numpy.abs(x)), -9, 9),
    'Sqr': (numpy.square, -3, 3),
    'Sqrt': (numpy.sqrt, 0, 9),
    'Swish': (lambda x: x * SIGMOID(x), -30, 30),
    'Tan': (numpy.tan, -1.5, 1.5),
    'Tanh': (numpy.tanh, -9, 9),
}

EDGES = numpy.array([0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 1e-40, 88.7, 88.73, -87.3, -103.9, -105, 1e30],
                    dtype=numpy.float32)


def reference(function, x):
    """Computes the reference in double precision."""
    with numpy.errstate(all='ignore'):
        return function(x.astype(numpy.float64)).astype(numpy.float32)


def elu(x, alpha):
    return numpy.where(x > 0, x, alpha * numpy.expm1(x))


class Unary(OpTestCase):
    def check_function(self, op_type, function, x, **arguments):
        expected = [reference(function, x)]
        self.check(op_type, [x], expected, **arguments)
        self.check(op_type, [x], expected, in_place={0: 0}, **arguments)

    def test_functions(self):
        for op_type, (function, low, high) in FUNCTIONS.items():
            for shape in SHAPES:
                with self.subTest(op_type=op_type, shape=shape):
                    self.check_function(op_type, function, random_array(shape, low=low, high=high))

    def test_exact(self):
        """Permits an error of two units in the last place, also near 0."""
        for op_type in ['Exp', 'Sigmoid', 'Tanh']:
            for scale in [1e-6, 1e-3, 1, 10]:
                with self.subTest(op_type=op_type, scale=scale):
                    x = random_array((4099,), low=-scale, high=scale)
                    expected = reference(FUNCTIONS[op_type][0], x)
                    self.check(op_type, [x], [expected], rtol=4e-7, atol=0)

    def test_edges(self):
        for op_type in ['Abs', 'Exp', 'Negative', 'Sigmoid', 'Softplus', 'Sqr', 'Tanh']:
            function = FUNCTIONS[op_type][0]
            if op_type == 'Softplus':
                function = lambda x: numpy.maximum(x, 0) + numpy.log1p(numpy.exp(-numpy.abs(x)))  # noqa: E731
            with self.subTest(op_type=op_type):
                self.check(op_type, [EDGES], [reference(function, EDGES)], atol=1e-44)

    def test_integers(self):
        for dtype in [numpy.int32, numpy.int64, numpy.float64]:
            for op_type, function in [('Negative', numpy.negative), ('Sign', numpy.sign), ('Cube', lambda x: x ** 3)]:
                with self.subTest(dtype=dtype, op_type=op_type):
                    x = random_array((3, 7), dtype)
                    self.check(op_type, [x], [function(x)])
        lowest = numpy.array([numpy.iinfo(numpy.int32).min], dtype=numpy.int32)
        self.check('Negative', [lowest], [lowest])
        # Overflow wraps around: 2000000³ modulo 2³².
        self.check('Cube', [numpy.array([3, -2, 2000000], dtype=numpy.int32)],
                   [numpy.array([27, -8, 991952896], dtype=numpy.int32)])

    def test_not(self):
        x = random_array((3, 7), bool)
        self.check('Not', [x], [~x])
        self.check('Not', [x], [~x], in_place={0: 0})

    def test_is_nan(self):
        for dtype in [numpy.float32, numpy.float64]:
            x = EDGES.astype(dtype)
            self.check('IsNaN', [x], [numpy.isnan(x).astype(numpy.uint8)])

    def test_types(self):
        message = self.assertFails(C2g.Error.TYPE, 'Relu', [numpy.zeros(3, dtype=numpy.int32)])
        self.assertIn('“input_0”', message)
        self.assertIn('int32', message)
        message = self.assertFails(C2g.Error.TYPE, 'Negative', [numpy.zeros(3, dtype=numpy.uint8)])
        self.assertIn('float, int32, int64, double', message)
        self.assertFails(C2g.Error.TYPE, 'Not', [numpy.zeros(3, dtype=numpy.float32)])
        self.assertFails(C2g.Error.TYPE, 'IsNaN', [numpy.zeros(3, dtype=numpy.int32)])


class Activation(OpTestCase):
    check_function = Unary.check_function

    def test_arguments(self):
        selu = (1.6732632423543772, 1.0507009873554805)
        cases = [
            ('LeakyRelu', {}, lambda x: numpy.where(x > 0, x, 0.01 * x)),
            ('LeakyRelu', {'alpha': 0.3}, lambda x: numpy.where(x > 0, x, 0.3 * x)),
            ('Elu', {}, lambda x: elu(x, 1)),
            ('Elu', {'alpha': 0.3}, lambda x: elu(x, 0.3)),
            ('Selu', {}, lambda x: selu[1] * elu(x, selu[0])),
            ('Selu', {'alpha': 1.0, 'scale': 2.0}, lambda x: 2 * elu(x, 1)),
            ('Clip', {}, lambda x: x),
            ('Clip', {'min': -1.5}, lambda x: numpy.maximum(x, -1.5)),
            ('Clip', {'min': -1.5, 'max': 2.0}, lambda x: numpy.clip(x, -1.5, 2)),
            ('Scale', {}, lambda x: x),
            ('Scale', {'scale': -2.5}, lambda x: -2.5 * x),
            ('Gelu', {}, lambda x: x * (1 + ERF(x / math.sqrt(2))) / 2),
            ('Gelu', {'fast_gelu': True},
             lambda x: x / 2 * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))),
        ]
        for op_type, arguments, function in cases:
            for shape in SHAPES[1:]:
                with self.subTest(op_type=op_type, arguments=arguments, shape=shape):
                    self.check_function(op_type, function, random_array(shape, low=-5, high=5), **arguments)

    def test_clip_edges(self):
        self.check('Clip', [EDGES], [numpy.clip(EDGES, -1, 1)], min=-1.0, max=1.0)

    def test_bad_arguments(self):
        x = random_array((3,))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Selu', [x], scale=1.0)
        self.assertFails(C2g.Error.TYPE, 'Elu', [x], alpha='much')

    def test_not_a_number(self):
        x = numpy.array([numpy.nan, -1, 2, numpy.nan], dtype=numpy.float32)
        for op_type, expected in (('Relu', [numpy.nan, 0, 2, numpy.nan]), ('Clip', [numpy.nan, -0.5, 1, numpy.nan])):
            arguments = {'min': -0.5, 'max': 1.0} if op_type == 'Clip' else {}
            self.check(op_type, [x], [numpy.array(expected, dtype=numpy.float32)], **arguments)

    def test_prelu(self):
        for shape, axis, arguments in [((2, 3), 1, {}), ((4, 5, 7), 1, {}), ((2, 3, 5, 4), 1, {}),
                                       ((2, 5, 4, 3), 3, {'order': 'NHWC'}), ((7,), 0, {'order': 'NHWC'}),
                                       ((0, 3, 5), 1, {}), ((2, 3, 0), 1, {})]:
            for shared in [False, True]:
                with self.subTest(shape=shape, shared=shared, **arguments):
                    x = random_array(shape)
                    slopes = random_array((1 if shared else shape[axis],), seed=2)
                    all_slopes = slopes.reshape([-1] + [1] * (len(shape) - axis - 1))
                    expected = [numpy.where(x > 0, x, all_slopes * x)]
                    self.check('PRelu', [x, slopes], expected, **arguments)
                    self.check('PRelu', [x, slopes], expected, in_place={0: 0}, **arguments)
        self.assertFails(C2g.Error.SHAPE, 'PRelu', [random_array((2, 3, 4)), random_array((4,))])
        self.assertFails(C2g.Error.SHAPE, 'PRelu', [random_array((4,)), random_array((4,))])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'PRelu', [random_array((4,)), random_array((1,))], order='CNHW')

    def test_glu(self):
        for shape, dim in [((6,), -1), ((3, 4), 1), ((2, 6, 5), 1), ((4, 3), 0), ((2, 0, 3), 1), ((0, 4), -1)]:
            with self.subTest(shape=shape, dim=dim):
                x = random_array(shape, low=-3, high=3)
                value, gate = numpy.split(x, 2, axis=dim)
                self.check('Glu', [x], [value * SIGMOID(gate)], dim=dim)
        self.assertFails(C2g.Error.SHAPE, 'Glu', [random_array((3, 5))])
        self.assertFails(C2g.Error.SHAPE, 'Glu', [random_array((3, 4))], dim=2)
