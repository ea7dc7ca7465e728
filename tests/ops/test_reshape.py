# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Operators that change the shape or the order of the axes, join tensors, or split them."""

import itertools

from ops_testing import C2g, OpTestCase, numpy, random_array

DTYPES = [numpy.float32, numpy.float64, numpy.float16, numpy.int8, numpy.int16, numpy.int32, numpy.int64, bool]


def int32(*values):
    return numpy.array(values, dtype=numpy.int32)


class Shapes(OpTestCase):
    def test_shape(self):
        x = random_array((2, 0, 5))
        self.check('Shape', [x], [numpy.array([2, 0, 5])])
        self.check('Shape', [x], [numpy.array([5, 2])], axes=[2, 0])
        self.check('Shape', [numpy.float32(1)], [numpy.zeros(0, dtype=numpy.int64)])
        self.assertFails(C2g.Error.SHAPE, 'Shape', [x], axes=[3])

    def test_size(self):
        for shape in (), (0,), (2, 3):
            x = random_array(shape)
            self.check('Size', [x], [numpy.int64(x.size)])
            self.check('HasElements', [x], [numpy.bool_(x.size > 0)])
            self.check('IsEmpty', [x], [numpy.bool_(x.size == 0)])

    def test_reshape(self):
        x = random_array((4, 6, 2))
        old = numpy.array(x.shape)
        for shape in [8, 6], [48], [0, 12], [0, 0, -1], [-1, 2], [2, 2, 2, -1, 2], [0, 3, 4, 1], [48, -1]:
            wanted = [n or x.shape[i] for i, n in enumerate(shape)]
            with self.subTest(shape=shape):
                expected = x.reshape(wanted)
                self.check('Reshape', [x], [expected, old], shape=shape)
                self.check('Reshape', [x], [expected], shape=shape)
                self.check('Reshape', [x], [expected, old], in_place={0: 0}, shape=shape)
                for dtype in numpy.int32, numpy.int64:
                    self.check('Reshape', [x, numpy.array(shape, dtype=dtype)], [expected, old.astype(dtype)])

    def test_reshape_empty(self):
        x = random_array((0, 6))
        self.check('Reshape', [x], [x.reshape(0, 2, 3)], shape=[0, 2, 3])
        self.check('Reshape', [x], [x.reshape(0, 5)], shape=[-1, 5])
        self.check('Reshape', [x], [x.reshape(3, 0)], shape=[3, -1])
        self.check('Reshape', [numpy.float32(3)], [numpy.float32([3]), numpy.zeros(0, dtype=numpy.int64)], shape=[1])
        self.check('Reshape', [numpy.float32([3])], [numpy.float32(3), numpy.array([1])], shape=[])
        self.check('Reshape', [x], [x], shape=[0, -1])
        self.check('Reshape', [x], [x.reshape(0, 2, 3)], shape=[0, 2, -1])
        self.assertFails(C2g.Error.SHAPE, 'Reshape', [x], 2, shape=[0, 4, -1])

    def test_bad_reshape(self):
        x = random_array((4, 6))
        for shape in [5, 5], [-1, 5], [-1, -1], [-2, 12], [25], [0, 0, 2]:
            with self.subTest(shape=shape):
                message = self.assertFails(C2g.Error.SHAPE, 'Reshape', [x], 2, shape=shape)
                self.assertIn('“input_0”', message)
        self.assertFails(C2g.Error.RANGE, 'Reshape', [x], 2, shape=[2**62, 2**62])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Reshape', [x], 2)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Reshape', [x, int32(24)], 2, shape=[24])
        self.assertFails(C2g.Error.TYPE, 'Reshape', [x, numpy.float32([24])], 2)
        self.assertFails(C2g.Error.SHAPE, 'Reshape', [x, numpy.array([[24]])], 2)
        self.assertFails(C2g.Error.NOT_SUPPORTED, 'Reshape', [x], 2, shape=[24] + [1] * 40)

    def test_strings(self):
        x = numpy.array(['a', '', 'c', 'd'], dtype=object)
        self.check('Reshape', [x], [x.reshape(2, 2)], shape=[2, 2])
        self.check('Transpose', [x.reshape(2, 2)], [x.reshape(2, 2).T])
        self.check('Concat', [x, x[:1]], [numpy.concatenate([x, x[:1]])], axis=0)
        self.check('Split', [x], [x[:1], x[1:]], axis=0, split=[1, 3])

    def test_resize_like(self):
        x = random_array((4, 6))
        self.check('ResizeLike', [x, numpy.zeros((3, 8), dtype=bool)], [x.reshape(3, 8)])
        self.assertFails(C2g.Error.SHAPE, 'ResizeLike', [x, random_array((5,))])

    def test_flatten(self):
        x = random_array((2, 3, 4))
        for axis, shape in [(0, (1, 24)), (1, (2, 12)), (2, (6, 4)), (3, (24, 1)), (-1, (6, 4))]:
            self.check('Flatten', [x], [x.reshape(shape)], axis=axis)
            self.check('Flatten', [x], [x.reshape(shape)], in_place={0: 0}, axis=axis)
        self.check('Flatten', [x], [x.reshape(2, 12)])
        self.check('Flatten', [x[:0]], [x[:0].reshape(0, 12)])
        self.check('FlattenToVec', [x], [x.reshape(-1)])
        self.check('FlattenToVec', [x[:0]], [x[:0].reshape(0)])
        self.assertFails(C2g.Error.SHAPE, 'Flatten', [x], axis=4)
        self.assertFails(C2g.Error.SHAPE, 'Flatten', [x], axis=-4)
        self.assertFails(C2g.Error.SHAPE, 'FlattenToVec', [numpy.float32(1)])

    def test_dims_of_one(self):
        x = random_array((2, 3))
        for dims in [0], [2], [0, 1], [3, 0, 0], []:
            expected = x
            for axis in sorted(set(dims)):
                expected = numpy.expand_dims(expected, axis)
            for in_place in None, {0: 0}:
                self.check('ExpandDims', [x], [expected], in_place=in_place, dims=dims)
                self.check('Squeeze', [expected], [x], in_place=in_place, dims=dims)
        self.assertFails(C2g.Error.SHAPE, 'ExpandDims', [x], dims=[3])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ExpandDims', [x], dims=[-1])
        self.assertFails(C2g.Error.SHAPE, 'Squeeze', [x], dims=[0])
        self.assertFails(C2g.Error.SHAPE, 'Squeeze', [x], dims=[7])

    def test_first_dims(self):
        x = random_array((6, 5))
        self.check('PrependDim', [x], [x.reshape(2, 3, 5)], dim_size=2)
        self.check('PrependDim', [x], [x.reshape(2, 3, 5)], in_place={0: 0}, dim_size=2)
        self.check('MergeDim', [x.reshape(2, 3, 5)], [x])
        self.check('MergeDim', [x.reshape(2, 3, 5)], [x], in_place={0: 0})
        self.assertFails(C2g.Error.SHAPE, 'PrependDim', [x], dim_size=4)
        self.assertFails(C2g.Error.SHAPE, 'PrependDim', [numpy.float32(1)], dim_size=1)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'PrependDim', [x], dim_size=0)
        self.assertFails(C2g.Error.SHAPE, 'MergeDim', [x[0]])


class Transposes(OpTestCase):
    def test_all_axes(self):
        x = random_array((2, 3, 1, 4, 5))
        for axes in itertools.permutations(range(5)):
            self.check('Transpose', [x], [x.transpose(axes)], axes=list(axes))

    def test_types(self):
        for dtype in DTYPES:
            x = random_array((3, 37, 20), dtype=dtype)
            for axes in (0, 2, 1), (2, 1, 0), (1, 0, 2):
                self.check('Transpose', [x], [x.transpose(axes)], axes=list(axes))

    def test_sizes(self):
        for shape in (), (1,), (7,), (0, 3), (3, 0, 5), (1, 1, 1), (65, 33), (1, 100), (16, 16), (2,) * 12:
            x = random_array(shape)
            self.check('Transpose', [x], [x.T])

    def test_bad(self):
        x = random_array((2, 3))
        for axes in [0, 0], [0, 2], [-1, 0], [2**40, 0]:
            self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Transpose', [x], axes=axes)
        self.assertFails(C2g.Error.SHAPE, 'Transpose', [x], axes=[0, 1, 2])

    def test_orders(self):
        for shape in (2, 3, 4, 5), (1, 3, 17, 19), (2, 64, 8, 8), (2, 3, 7), (2, 3, 4, 5, 6), (0, 3, 4, 4):
            x = random_array(shape)
            y = numpy.moveaxis(x, 1, -1)
            self.check('NCHW2NHWC', [x], [y])
            self.check('NHWC2NCHW', [y], [x])
        self.assertFails(C2g.Error.SHAPE, 'NCHW2NHWC', [random_array((2, 3))])

    def test_channel_shuffle(self):
        for shape in (2, 6, 4, 5), (2, 6, 3), (1, 6), (0, 6, 2, 2):
            for group in 1, 2, 3, 6:
                x = random_array(shape)
                y = x.reshape(shape[0], group, 6 // group, -1).swapaxes(1, 2) if x.size else x
                self.check('ChannelShuffle', [x], [y.reshape(shape)], group=group)
                last, moved = numpy.moveaxis(x, 1, -1), numpy.moveaxis(y.reshape(shape), 1, -1)
                self.check('ChannelShuffle', [last], [moved], group=group, order='NHWC')
        self.assertFails(C2g.Error.SHAPE, 'ChannelShuffle', [random_array((2, 5, 3, 3))], group=2)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ChannelShuffle', [random_array((2, 5, 3, 3))], group=0)
        self.assertFails(C2g.Error.SHAPE, 'ChannelShuffle', [random_array((5,))], group=1)


class Concats(OpTestCase):
    def test_concat(self):
        for axis in 0, 1, 2, -1, -3:
            for dtype in DTYPES:
                inputs = []
                for i, n in enumerate([3, 1, 0, 5]):
                    shape = [2, 3, 4]
                    shape[axis] = n
                    inputs.append(random_array(shape, dtype=dtype, seed=i))
                expected = numpy.concatenate(inputs, axis)
                self.check('Concat', inputs, [expected, int32(3, 1, 0, 5)], axis=axis)
                self.check('Concat', inputs, [expected], axis=axis)

    def test_orders(self):
        inputs = [random_array((2, 3, 4, n)) for n in (1, 2)]
        for op_type in 'Concat', 'DepthConcat':
            self.check(op_type, inputs, [numpy.concatenate(inputs, 3), int32(1, 2)], order='NHWC')
            inputs_1 = [numpy.moveaxis(x, 3, 1) for x in inputs]
            self.check(op_type, inputs_1, [numpy.concatenate(inputs_1, 1), int32(1, 2)], order='NCHW')
            self.check(op_type, inputs_1, [numpy.concatenate(inputs_1, 1), int32(1, 2)])

    def test_new_axis(self):
        inputs = [random_array((2, 3), seed=i) for i in range(4)]
        for axis in 0, 1, 2, -1:
            expected = numpy.stack(inputs, axis)
            self.check('Concat', inputs, [expected, int32(1, 1, 1, 1)], axis=axis, add_axis=True)
            self.check('Split', [expected], inputs, axis=axis, add_axis=True)

    def test_empty(self):
        x = random_array((0, 3))
        self.check('Concat', [x, x], [random_array((0, 6)), int32(3, 3)], axis=1)
        self.check('Concat', [x], [x, int32(0)], axis=0)
        self.check('Split', [x], [x, x], axis=0)

    def test_bad_concat(self):
        x = random_array((2, 3))
        self.assertIn('“input_1”', self.assertFails(C2g.Error.SHAPE, 'Concat', [x, random_array((3, 3))], 2, axis=1))
        self.assertFails(C2g.Error.SHAPE, 'Concat', [x, random_array((2,))], 2, axis=1)
        self.assertFails(C2g.Error.SHAPE, 'Concat', [x, random_array((2, 4))], 2, axis=1, add_axis=1)
        self.assertFails(C2g.Error.TYPE, 'Concat', [x, random_array((2, 3), dtype=numpy.int32)], 2, axis=1)
        for axis in 2, -3, 2**40:
            self.assertFails(C2g.Error.SHAPE, 'Concat', [x, x], 2, axis=axis)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Concat', [x, x], 2, axis=1, order='NCHW')
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Concat', [x, x], 2, order='WHCN')

    def test_split(self):
        for axis in 0, 1, 2, -1:
            shape = [2, 3, 4]
            shape[axis] = 9
            x = random_array(shape)
            for split in [2, 3, 4], [0, 9, 0], [9], [1] * 9:
                expected = numpy.split(x, numpy.cumsum(split)[:-1], axis)
                self.check('Split', [x], expected, axis=axis, split=split)
                for dtype in numpy.int32, numpy.int64:
                    self.check('Split', [x, numpy.array(split, dtype=dtype)], expected, axis=axis)
            self.check('Split', [x], numpy.split(x, 3, axis), axis=axis)
        x = random_array((2, 3, 4, 6))
        self.check('DepthSplit', [x], numpy.split(x, 2, 3), order='NHWC')
        self.check('Split', [x], numpy.split(x, 3, 1), order='NCHW')

    def test_bad_split(self):
        x = random_array((2, 9))
        self.assertFails(C2g.Error.SHAPE, 'Split', [x], 2, axis=1)
        self.assertFails(C2g.Error.SHAPE, 'Split', [x], 2, axis=1, split=[4, 4])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Split', [x], 2, axis=1, split=[4, 4, 1])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Split', [x], 2, axis=1, split=[-1, 10])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Split', [x], 2, axis=1, split=[2**62, 2**62])
        self.assertFails(C2g.Error.RANGE, 'Split', [x, int32(-1, 10)], 2, axis=1)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Split', [x, int32(4, 5)], 2, axis=1, split=[4, 5])
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Split', [x, int32(9)], 2, axis=1)
        self.assertFails(C2g.Error.SHAPE, 'Split', [x], 1, axis=1, add_axis=1)
        self.assertFails(C2g.Error.SHAPE, 'Split', [x], 2, axis=2)
        self.assertFails(C2g.Error.SHAPE, 'Split', [numpy.float32(1)], 1, axis=0)

    def test_arguments(self):
        for op_type, own in (('Concat', {'add_axis'}), ('DepthConcat', {'add_axis'}), ('Split', {'add_axis', 'split'}),
                             ('DepthSplit', {'add_axis', 'split'}), ('SplitByLengths', {'use_scaling_lengths'})):
            schema = C2g.OperatorSchema.lookup(op_type)
            self.assertEqual(set(schema.list_arguments(C2g.ArgumentUse.READ)), {'axis', 'order'} | own, op_type)

    def test_split_by_lengths(self):
        x = random_array((9, 2))
        self.check('SplitByLengths', [x, int32(2, 1, 6, 0)], [x[:3], x[3:]], axis=0)
        self.check('SplitByLengths', [x.T, int32(2, 7)], [x.T[:, :2], x.T[:, 2:]], axis=1)
        self.check('SplitByLengths', [x, int32(1, 2)], [x[:3], x[3:]], axis=0, use_scaling_lengths=1)
        self.assertFails(C2g.Error.SHAPE, 'SplitByLengths', [x, int32(1, 2)], 2, axis=0)
        self.assertFails(C2g.Error.SHAPE, 'SplitByLengths', [x, int32(1, 3)], 2, axis=0, use_scaling_lengths=1)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'SplitByLengths', [x, int32(1, 2, 6)], 2, axis=0)
        self.assertFails(C2g.Error.INVALID_ARGUMENT, 'SplitByLengths', [x, int32()], 2, axis=0)
