# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Casts from one element type to another."""

import unittest

import numpy
from ops_testing import C2g, DATA_TYPES, GLib, OpTestCase, random_array

INTEGERS = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'int64']
FLOATS = ['float16', 'float32', 'float64']


def saturate(x, name):
    """Returns numbers as a type of integers; those without a defined result are left out."""
    info = numpy.iinfo(name)
    expected = [0 if numpy.isnan(item) else int(min(max(float(item), info.min), info.max)) for item in x.flat]
    return numpy.array([min(max(item, info.min), info.max) for item in expected], dtype=name).reshape(x.shape)


class Cast(OpTestCase):
    def test_small_numbers(self):
        for source in DATA_TYPES:
            for target, number in DATA_TYPES.items():
                for shape in [(3, 7), (), (0, 2), (1025,)]:
                    with self.subTest(source=source, target=target, shape=shape):
                        x = random_array(shape, numpy.dtype(source), low=0, high=2)
                        expected = x.astype(target)
                        self.check('Cast', [x], [expected], to=int(number))

    def test_names(self):
        x = random_array((5,), low=-3, high=3)
        self.check('Cast', [x], [x.astype(numpy.int32)], to='int32')
        self.check('Cast', [x], [x.astype(numpy.float64)], to='DOUBLE')
        self.check('Cast', [x], [x.astype(numpy.float16)], to='FLOAT16')

    def test_integers_wrap(self):
        x = numpy.array([0, -1, 127, 128, 255, 256, 65535, 65536, 2 ** 31, -2 ** 31, 2 ** 40 + 7, -2 ** 63],
                        dtype=numpy.int64)
        for target in INTEGERS:
            self.check('Cast', [x], [x.astype(target)], to=int(DATA_TYPES[target]))
        self.check('Cast', [x], [x != 0], to=int(DATA_TYPES['bool']))

    def test_numbers_saturate(self):
        x = numpy.array([0, -0.5, 0.9, -1, -1.5, 127, 128, 255.5, 256, 1e5, -1e5, 2147483648, -2147483648, 3e9,
                         9.2e18, 9.3e18, -1e30, numpy.inf, -numpy.inf, numpy.nan], dtype=numpy.float64)
        for source in ['float32', 'float64']:
            for target in INTEGERS:
                with self.subTest(source=source, target=target):
                    self.check('Cast', [x.astype(source)], [saturate(x.astype(source), target)],
                               to=int(DATA_TYPES[target]))

    def test_half(self):
        x = numpy.array([0, 1, -1.5, 65504, 65519, 1e5, -1e9, 6e-8, numpy.inf, -numpy.inf, numpy.nan],
                        dtype=numpy.float32)
        half = numpy.where(numpy.isfinite(x), numpy.clip(x, -65504, 65504), x).astype(numpy.float16)
        self.check('Cast', [x], [half], to=int(DATA_TYPES['float16']))
        self.check('FloatToHalf', [x], [half])
        self.check('FloatToHalf', [x], [half], clip=0)
        # Caffe2 1.8.1 does the same where it was built for AVX2.
        clipped = numpy.where(numpy.isnan(x), 65504, numpy.clip(x, -65504, 65504)).astype(numpy.float16)
        self.check('FloatToHalf', [x], [clipped], clip=1)
        self.check('HalfToFloat', [half], [half.astype(numpy.float32)])
        big = numpy.array([10 ** 6, -10 ** 6], dtype=numpy.int32)
        self.check('Cast', [big], [numpy.array([65504, -65504], dtype=numpy.float16)], to=int(DATA_TYPES['float16']))
        self.check('FloatToHalf', [half], [half])
        self.assertFails(C2g.Error.TYPE, 'FloatToHalf', [big])
        self.assertFails(C2g.Error.TYPE, 'HalfToFloat', [x])

    def test_half_rounds_once(self):
        ties = (2 * numpy.arange(1024, 2048, dtype=numpy.float64) + 1) / 2048
        x = numpy.concatenate([ties, ties + 2 ** -45, ties - 2 ** -45])
        x = numpy.concatenate([x * scale for scale in [1, -1, 2 ** 14, 2.0 ** -15, 2.0 ** -20]])
        expected = numpy.clip(x, -65504, 65504).astype(numpy.float16)
        self.check('Cast', [x], [expected], rtol=0, atol=0, to=int(DATA_TYPES['float16']))

    def test_errors(self):
        x = random_array((3,))
        for code, arguments in [(C2g.Error.INVALID_ARGUMENT, {'to': 0}), (C2g.Error.TYPE, {'to': 77}),
                                (C2g.Error.TYPE, {'to': -1}), (C2g.Error.NOT_SUPPORTED, {'to': 'string'})]:
            with self.subTest(**arguments):
                self.assertFails(code, 'Cast', [x], **arguments)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Cast', [x])
        self.assertFails(C2g.Error.TYPE, 'Cast', [numpy.array(['a', 'b'])], to='float')


def new_tensor(array):
    return C2g.Tensor.new_from_bytes(DATA_TYPES[array.dtype.name], list(array.shape), GLib.Bytes.new(array.tobytes()))


def array_of(tensor, name):
    return numpy.frombuffer(tensor.dup_bytes().get_data(), dtype=name)


class Convert(unittest.TestCase):
    """Tensors are converted like NumPy's astype(), where its result is defined."""

    def check(self, array, name, expected=None, flags=C2g.ConvertFlags.SATURATE):
        with numpy.errstate(all='ignore'):
            expected = array.astype(name) if expected is None else expected
        got = array_of(new_tensor(array).convert(DATA_TYPES[name], flags), name)
        numpy.testing.assert_array_equal(got, expected)

    def test_float16(self):
        bits = numpy.arange(2 ** 16, dtype=numpy.uint16)
        halves = bits.view(numpy.float16)
        self.check(halves, 'float32')
        self.check(halves, 'float64')
        for name in INTEGERS:
            self.check(halves, name, saturate(halves, name))
        # The bits are equal, except that a NaN becomes quiet.
        there = new_tensor(halves).convert(C2g.DataType.FLOAT, C2g.ConvertFlags.NONE)
        back = array_of(there.convert(C2g.DataType.FLOAT16, C2g.ConvertFlags.NONE), 'uint16')
        numpy.testing.assert_array_equal(back, numpy.where(numpy.isnan(halves), bits | 0x200, bits))

    def test_to_float16(self):
        random = numpy.random.default_rng(1)
        for name, bits in [('float32', numpy.uint32), ('float64', numpy.uint64)]:
            x = random.integers(0, numpy.iinfo(bits).max, 1 << 20, dtype=bits).view(name)
            near = (random.standard_normal(1 << 20) * 2.0 ** random.integers(-30, 18, 1 << 20)).astype(name)
            for array in [x, near]:
                clipped = numpy.where(numpy.isinf(array), array, numpy.clip(array, -65504, 65504))
                with numpy.errstate(all='ignore'):
                    self.check(array, 'float16', clipped.astype(numpy.float16))
        self.check(random.integers(0, 2 ** 32, 1 << 20, dtype=numpy.uint32).view(numpy.float32), 'float64')
        self.check(random.integers(0, 2 ** 63, 1 << 20).view(numpy.float64), 'float32')

    def test_integers(self):
        random = numpy.random.default_rng(2)
        for source in INTEGERS:
            x = random.integers(numpy.iinfo(source).min, numpy.iinfo(source).max, 5000, dtype=source)
            for target in INTEGERS:
                info = numpy.iinfo(target)
                self.check(x, target, flags=C2g.ConvertFlags.WRAP)
                clipped = [min(max(int(item), info.min), info.max) for item in x]
                self.check(x, target, numpy.array(clipped, dtype=target))
            for target in ['float32', 'float64']:
                self.check(x, target)
