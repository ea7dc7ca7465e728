# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators that fill their output: with given, constant, ranged and random values."""

from ops_testing import C2g, OpTestCase, new_op, new_tensor, numpy, random_array, run


def float32(*values):
    return numpy.array(values, dtype=numpy.float32)


class GivenFills(OpTestCase):
    def test_types(self):
        cases = [('GivenTensorFill', [1.5, -2.0], numpy.float32),
                 ('GivenTensorDoubleFill', [1.5, -2.0], numpy.float64),
                 ('GivenTensorBoolFill', [1, 0], bool),
                 ('GivenTensorInt16Fill', [-32768, 32767], numpy.int16),
                 ('GivenTensorIntFill', [-2**31, 2**31 - 1], numpy.int32),
                 ('GivenTensorInt64Fill', [-2**63, 2**63 - 1], numpy.int64)]
        for op_type, values, dtype in cases:
            with self.subTest(op_type):
                expected = numpy.array(values).astype(dtype).reshape(1, 2)
                self.check(op_type, [], [expected], shape=[1, 2], values=values)
                # The type is in the name, except for the first one.
                if op_type != 'GivenTensorFill':
                    self.check(op_type, [], [expected], shape=[1, 2], values=values, dtype=1)

    def test_dtype(self):
        self.check('GivenTensorFill', [], [numpy.array([3, 4], dtype=numpy.int32)], shape=[2], values=[3, 4],
                   dtype=int(C2g.DataType.INT32))

    def test_strings(self):
        found, = run('GivenTensorStringFill', [], shape=[2], values=['a', ''])
        self.assertEqual(list(found), ['a', ''])
        self.check('GivenTensorByteStringToUInt8Fill', [], [numpy.array([97, 98], dtype=numpy.uint8)], shape=[2],
                   values=['ab'])

    def test_like_input(self):
        x = random_array((2, 1))
        self.check('GivenTensorFill', [x], [float32(1, 2).reshape(2, 1)], values=[1.0, 2.0])
        self.check('GivenTensorFill', [x], [float32(1, 2).reshape(2, 1)], in_place={0: 0}, values=[1.0, 2.0])

    def test_empty(self):
        self.check('GivenTensorFill', [], [numpy.zeros((0, 3), dtype=numpy.float32)], shape=[0, 3])
        self.check('GivenTensorFill', [], [numpy.float32(7)], values=[7.0])

    def test_bad(self):
        error = C2g.Error
        for expected, op_type, arguments in [
                (error.INVALID_ARGUMENT, 'GivenTensorFill', {'shape': [3], 'values': [1.0]}),
                (error.INVALID_ARGUMENT, 'GivenTensorIntFill', {'shape': [1], 'values': [2**31]}),
                (error.INVALID_ARGUMENT, 'GivenTensorBoolFill', {'shape': [1], 'values': [2]}),
                (error.INVALID_ARGUMENT, 'GivenTensorFill', {'shape': [1], 'values': [1.0], 'dtype': 12}),
                (error.INVALID_ARGUMENT, 'ConstantFill', {'extra_shape': [1]}),
                (error.INVALID_ARGUMENT, 'ConstantFill', {'input_as_shape': True}),
                (error.INVALID_ARGUMENT, 'ConstantFill', {'value': 'x'}),
                (error.INVALID_ARGUMENT, 'ConstantFill', {'value': 256, 'dtype': 6, 'shape': [1]}),
                (error.SHAPE, 'ConstantFill', {'shape': [-1]}),
                (error.RANGE, 'ConstantFill', {'shape': [2**40, 2**40]}),
                (error.NOT_SUPPORTED, 'ConstantFill', {'shape': [1] * 33}),
                (error.TYPE, 'ConstantFill', {'shape': 3})]:
            with self.subTest(op_type, **arguments):
                self.assertFails(expected, op_type, [], **arguments)

    def test_int8(self):
        workspace = C2g.Workspace.new()
        for op_type, values, expected in [('Int8GivenTensorFill', 'ab', [97, 98]),
                                          ('Int8GivenIntTensorFill', [-5, 2**31 - 1], [-5, 2**31 - 1])]:
            op_def = new_op(op_type, [], ['y'], shape=[2], values=values, Y_scale=0.5, Y_zero_point=3)
            op = C2g.Operator.create(op_def, workspace)
            for _ in range(2):
                op.run()
            quantized = workspace.get_blob('y').get_object()
            self.assertEqual((quantized.get_scale(), quantized.get_zero_point()), (0.5, 3))
            self.assertEqual([quantized.get_tensor().get_int64(i) for i in range(2)], expected)
        with self.assertRaises(Exception):
            C2g.Operator.create(new_op('Int8GivenIntTensorFill', [], ['y'], shape=[1], values=[2**31]), workspace).run()


class ConstantFills(OpTestCase):
    def test_types(self):
        cases = [(1, 2.5, numpy.float32), (2, -7, numpy.int32), (5, 1, bool), (6, 255, numpy.uint8),
                 (7, -128, numpy.int8), (8, 65535, numpy.uint16), (9, -32768, numpy.int16), (10, -2**63, numpy.int64),
                 (12, 2.5, numpy.float16), (13, 2.5, numpy.float64)]
        for dtype, value, expected in cases:
            with self.subTest(dtype=dtype):
                self.check('ConstantFill', [], [numpy.full((2, 3), value, dtype=expected)], shape=[2, 3], dtype=dtype,
                           value=value)
                self.check('ConstantFill', [], [numpy.zeros((2, 3), dtype=expected)], shape=[2, 3], dtype=dtype)
        found, = run('ConstantFill', [], shape=[2], dtype=4, value='xy')
        self.assertEqual(list(found), ['xy', 'xy'])

    def test_type_of_value(self):
        self.check('ConstantFill', [], [numpy.full(2, 5, dtype=numpy.int64)], shape=[2], value=5)
        self.check('ConstantFill', [], [numpy.full(2, 5, dtype=numpy.float32)], shape=[2], value=5.0)
        self.check('ConstantFill', [], [numpy.float32(0)])

    def test_shape_from_input(self):
        x = random_array((2, 3))
        self.check('ConstantFill', [x], [numpy.full((2, 3, 4), 1, dtype=numpy.float32)], value=1.0, extra_shape=[4])
        self.check('ConstantFill', [x], [numpy.full((2, 3), 1, dtype=numpy.float32)], in_place={0: 0}, value=1.0)
        for dtype in numpy.int32, numpy.int64:
            shape = numpy.array([2, 0, 3], dtype=dtype)
            self.check('ConstantFill', [shape], [numpy.zeros((2, 0, 3), dtype=numpy.float32)], input_as_shape=True)
            self.check('ConstantFill', [shape[:1]], [numpy.zeros((2, 2), dtype=numpy.float32)], input_as_shape=True,
                       extra_shape=[2])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ConstantFill', [x], shape=[1])
        self.assertFails(C2g.Error.TYPE, 'ConstantFill', [random_array(2)], input_as_shape=True)
        self.assertFails(C2g.Error.SHAPE, 'ConstantFill', [numpy.array([[2]])], input_as_shape=True)
        self.assertFails(C2g.Error.SHAPE, 'ConstantFill', [numpy.array([-2])], input_as_shape=True)

    def test_run_once(self):
        for run_once, expected in (1, 3), (0, 0):
            workspace = C2g.Workspace.new()
            op = C2g.Operator.create(new_op('ConstantFill', [], ['y'], shape=[1], run_once=run_once), workspace)
            op.run()
            workspace.get_blob('y').get_tensor().set_value(0, 3)
            op.run()
            self.assertEqual(workspace.get_blob('y').get_tensor().get_value(0), expected)

    def test_float16(self):
        self.check('Float16ConstantFill', [], [numpy.full((2, 2), 1.5, dtype=numpy.float16)], shape=[2, 2], value=1.5)

    def test_diagonal(self):
        for shape in (3, 3), (2, 5), (5, 2), (3, 3, 3), (1, 1, 1, 1), (0, 2):
            expected = numpy.zeros(shape, dtype=numpy.float32)
            step = shape[1] + 1 if len(shape) == 2 else sum(shape[0]**i for i in range(len(shape)))
            expected.reshape(-1)[::step] = 2
            self.check('DiagonalFill', [], [expected], shape=list(shape), value=2.0)
        self.check('DiagonalFill', [], [numpy.diag(numpy.full(2, 7, dtype=numpy.int64))], shape=[2, 2], value=7)
        self.check('DiagonalFill', [], [numpy.eye(2, dtype=bool)], shape=[2, 2], value=1, dtype=5)
        self.assertFails(C2g.Error.SHAPE, 'DiagonalFill', [], shape=[3])
        self.assertFails(C2g.Error.SHAPE, 'DiagonalFill', [], shape=[2, 2, 3])
        self.assertFails(C2g.Error.TYPE, 'DiagonalFill', [], shape=[2, 2], dtype=12)


class RangeFills(OpTestCase):
    def test_fill(self):
        self.check('RangeFill', [], [numpy.arange(6, dtype=numpy.float32).reshape(2, 3)], shape=[2, 3])

    def test_lengths(self):
        for lengths in [4, 3, 0, 1], [], [0]:
            expected = numpy.concatenate([numpy.arange(n) for n in lengths + [0]]).astype(numpy.int32)
            self.check('LengthsRangeFill', [numpy.array(lengths, dtype=numpy.int32)], [expected])
        self.assertFails(C2g.Error.RANGE, 'LengthsRangeFill', [numpy.array([2, -1], dtype=numpy.int32)])
        self.assertFails(C2g.Error.TYPE, 'LengthsRangeFill', [numpy.array([2])])
        self.assertFails(C2g.Error.SHAPE, 'LengthsRangeFill', [numpy.array([[2]], dtype=numpy.int32)])

    def test_range(self):
        for dtype in numpy.int32, numpy.int64, numpy.float32, numpy.float64:
            for arguments in [(5,), (0,), (-3,), (2, 7), (7, 2), (1, 10, 3), (10, 1, -4), (1, 10, -1), (3, 3, 2)]:
                with self.subTest(dtype=dtype, arguments=arguments):
                    inputs = [numpy.array(x, dtype=dtype) for x in arguments]
                    self.check('Range', inputs, [numpy.arange(*arguments, dtype=dtype)])
        inputs = [numpy.float32(x) for x in (0.5, 2.1, 0.25)]
        self.check('Range', inputs, [numpy.arange(0.5, 2.1, 0.25, dtype=numpy.float32)])

    def test_bad_range(self):
        limits = numpy.iinfo(numpy.int64)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Range', [numpy.int64(x) for x in (1, 2, 0)])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Range', [numpy.float32(x) for x in (1, 2, 0)])
        self.assertFails(C2g.Error.RANGE, 'Range', [numpy.int64(x) for x in (limits.min, limits.max, 1)])
        self.assertFails(C2g.Error.RANGE, 'Range', [numpy.int64(x) for x in (0, limits.min, -1)])
        self.assertFails(C2g.Error.RANGE, 'Range', [numpy.float32(x) for x in (0, numpy.inf, 1)])
        self.assertFails(C2g.Error.RANGE, 'Range', [numpy.float32(x) for x in (0, numpy.nan, 1)])
        self.assertFails(C2g.Error.TYPE, 'Range', [numpy.float32(1), numpy.float64(1)])
        self.assertFails(C2g.Error.TYPE, 'Range', [numpy.bool_(True)])
        self.assertFails(C2g.Error.SHAPE, 'Range', [numpy.zeros(2, dtype=numpy.float32)])


class RandomFills(OpTestCase):
    N = 20000

    def draw(self, op_type, inputs=(), shape=(N,), **arguments):
        if not inputs:
            arguments['shape'] = list(shape)
        return run(op_type, list(inputs), **arguments)[0]

    def test_uniform(self):
        found = self.draw('UniformFill', min=-2.0, max=3.0)
        self.assertTrue(found.min() >= -2 and found.max() < 3)
        self.assertAlmostEqual(found.mean(), 0.5, delta=0.1)
        self.assertAlmostEqual(found.std(), 5 / 12**0.5, delta=0.1)
        self.assertTrue(self.draw('UniformFill').max() < 1)

    def test_uniform_int(self):
        found = self.draw('UniformIntFill', min=-2, max=3)
        self.assertEqual(found.dtype, numpy.int32)
        self.assertEqual(set(found), set(range(-2, 4)))
        limits = numpy.iinfo(numpy.int32)
        found = self.draw('UniformIntFill', min=int(limits.min), max=int(limits.max))
        self.assertAlmostEqual(found.mean() / 2**31, 0, delta=0.1)

    def test_bounds_of_inputs(self):
        x = numpy.zeros((3, 1000), dtype=numpy.float32)
        found = self.draw('UniformFill', [x, numpy.float32(2), float32(3)])
        self.assertEqual(found.shape, x.shape)
        self.assertTrue(found.min() >= 2 and found.max() < 3)
        found = self.draw('UniformIntFill', [x, numpy.int32(2), numpy.int32(2)])
        self.assertEqual(set(found.flat), {2})
        self.assertEqual(self.draw('UniformFill', [x, numpy.float32(3), numpy.float32(2)]).shape, (0, 1000))
        shape = numpy.array([4, 5])
        self.assertEqual(self.draw('UniformFill', [shape, numpy.float32(0), numpy.float32(2)],
                                   input_as_shape=True).shape, (4, 5))
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'UniformFill', [x, numpy.float32(0), numpy.float32(1)], min=0.0)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'UniformFill', [x, numpy.float32(0)])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'UniformFill', [], shape=[1], min=1.0, max=1.0)
        self.assertFails(C2g.Error.SHAPE, 'UniformFill', [x, x, x])
        self.assertFails(C2g.Error.TYPE, 'UniformIntFill', [x, numpy.float32(0), numpy.float32(1)])
        self.assertFails(C2g.Error.RANGE, 'UniformIntFill', [], shape=[1], max=2**31)

    def test_float16(self):
        found = self.draw('Float16UniformFill', min=-1.0, max=1.0)
        self.assertEqual(found.dtype, numpy.float16)
        self.assertTrue(found.min() >= -1 and found.max() <= 1)
        self.assertAlmostEqual(found.astype(float).std(), 2 / 12**0.5, delta=0.05)

    def test_gaussian(self):
        found = self.draw('GaussianFill', mean=2.0, std=3.0)
        self.assertAlmostEqual(found.mean(), 2, delta=0.1)
        self.assertAlmostEqual(found.std(), 3, delta=0.1)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'GaussianFill', [], shape=[1], std=0.0)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'GaussianFill', [], shape=[1], std=-1.0)

    def test_weights(self):
        shape = (40, 20, 5, 5)
        xavier = self.draw('XavierFill', shape=shape)
        self.assertAlmostEqual(abs(xavier).max(), (3 / 500)**0.5, delta=1e-3)
        glorot = self.draw('GlorotUniformFill', shape=shape)
        self.assertAlmostEqual(abs(glorot).max(), (6 / 1500)**0.5, delta=1e-3)
        msra = self.draw('MSRAFill', shape=shape)
        self.assertAlmostEqual(msra.std(), (2 / 1000)**0.5, delta=2e-3)
        for op_type in 'XavierFill', 'GlorotUniformFill', 'MSRAFill':
            self.assertEqual(self.draw(op_type, shape=(0, 3)).shape, (0, 3))
            self.assertFails(C2g.Error.SHAPE, op_type, [])

    def test_unique(self):
        for dtype, name in (2, numpy.int32), (10, numpy.int64):
            found = self.draw('UniqueUniformFill', shape=(4, 25), min=-50, max=49, dtype=dtype)
            self.assertEqual(found.dtype, name)
            self.assertEqual(sorted(found.flat), list(range(-50, 50)))
        self.assertEqual(len(set(self.draw('UniqueUniformFill', shape=(1000,), max=10**9))), 1000)
        found = self.draw('UniqueUniformFill', shape=(100,), min=-2**61, max=2**61, dtype=10)
        self.assertEqual(len(set(found)), 100)

    def test_avoided(self):
        x = numpy.zeros(6, dtype=numpy.float32)
        avoided = numpy.array([3, 9, 0, 4], dtype=numpy.int32)
        found, = run('UniqueUniformFill', [x, avoided], max=9)
        self.assertEqual(sorted(found), [1, 2, 5, 6, 7, 8])
        for code, bad, top in [(C2g.Error.INVALID_ARGUMENT, avoided, 8), (C2g.Error.RANGE, avoided[1:2], 8),
                               (C2g.Error.INVALID_ARGUMENT, numpy.array([3, 3], dtype=numpy.int32), 20),
                               (C2g.Error.TYPE, avoided.astype(numpy.int64), 20)]:
            with self.subTest(bad=bad, top=top):
                self.assertFails(code, 'UniqueUniformFill', [x, bad], max=top)

    def test_every_order(self):
        seen = {tuple(self.draw('UniqueUniformFill', shape=(3,), max=2)) for _ in range(200)}
        self.assertEqual(len(seen), 6)

    def test_seed(self):
        draws = []
        for _ in range(2):
            workspace = C2g.Workspace.new()
            op = C2g.Operator.create(new_op('UniformFill', [], ['y'], shape=[4]), workspace)
            op.get_context().seed(7)
            op.run()
            draws.append([workspace.get_blob('y').get_tensor().get_value(i) for i in range(4)])
        self.assertEqual(draws[0], draws[1])
