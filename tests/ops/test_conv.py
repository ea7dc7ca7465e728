# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Convolutions."""

import unittest

import numpy
import windows
from ops_testing import C2g, OpTestCase, new_array, new_op, new_tensor, random_array

# The engine beside the default one, if the library was built with it.
ENGINE = 'MKLDNN'
HAS_ENGINE = ENGINE in C2g.Operator.list_engines('Conv', C2g.DeviceType.CPU)

# Arguments that choose each of the ways to compute a convolution.
ENGINES = [{}]
if HAS_ENGINE:
    ENGINES += [{'engine': ENGINE}, {'engine': ENGINE, 'convolution_transform_strategy': 'PRECOMPUTE'}]

# Image, channels of a filter, number of filters, kernel, and other arguments.
CASES = [
    ((2, 3, 7, 5), 3, 4, (3, 3), {}),
    ((1, 1, 1, 1), 1, 1, (1, 1), {}),
    ((3, 5, 9, 7), 5, 6, (1, 1), {}),
    ((2, 4, 9, 7), 4, 3, (1, 1), {'strides': [2, 3]}),
    ((2, 4, 5, 7), 4, 3, (1, 1), {'pads': [1, 0, 0, 2]}),
    ((2, 3, 11, 8), 3, 5, (3, 2), {'strides': [2, 1], 'pads': [1, 0, 2, 3]}),
    ((2, 3, 11, 13), 3, 5, (3, 3), {'dilations': [2, 3], 'pads': [2, 3, 2, 3]}),
    ((2, 3, 11, 13), 3, 5, (3, 2), {'dilations': [3, 1], 'strides': [3, 2], 'pads': [0, 5, 4, 1]}),
    ((2, 6, 7, 5), 3, 4, (3, 3), {'group': 2, 'pads': [1, 1, 1, 1]}),
    ((2, 6, 7, 5), 2, 9, (2, 3), {'group': 3, 'strides': [1, 2]}),
    ((2, 6, 7, 5), 3, 4, (1, 1), {'group': 2}),
    ((2, 6, 7, 5), 1, 6, (3, 3), {'group': 6, 'pads': [1, 1, 1, 1]}),
    ((2, 5, 9, 8), 1, 10, (3, 2), {'group': 5, 'strides': [2, 2], 'pads': [0, 1, 2, 0]}),
    ((2, 5, 9, 8), 1, 5, (3, 3), {'group': 5, 'dilations': [2, 2], 'pads': [3, 2, 1, 4]}),
    ((1, 5, 2, 3), 1, 5, (1, 1), {'group': 5}),
    ((1, 3, 2, 2), 3, 2, (5, 7), {'pads': [2, 3, 2, 3]}),
    ((1, 2, 3, 3), 2, 2, (3, 3), {'pads': [5, 6, 7, 4], 'strides': [2, 3]}),
    ((0, 3, 7, 5), 3, 4, (3, 3), {}),
    ((0, 4, 7, 5), 1, 4, (3, 3), {'group': 4}),
    ((2, 3, 17), 3, 4, (5,), {'strides': [2], 'pads': [1, 3]}),
    ((2, 3, 17), 3, 4, (1,), {}),
    ((2, 4, 9), 1, 8, (3,), {'group': 4, 'dilations': [2]}),
    ((2, 2, 5, 6, 7), 2, 3, (3, 2, 3), {'strides': [1, 2, 2], 'pads': [1, 0, 1, 0, 1, 2]}),
    ((1, 4, 5, 4, 3), 2, 4, (2, 2, 2), {'group': 2, 'dilations': [2, 1, 2]}),
    ((1, 3, 5, 4, 3), 1, 3, (3, 3, 3), {'group': 3, 'pads': [1] * 6}),
    # With so many outputs and channels the im2col matrix has several parts.
    ((1, 70, 45, 47), 70, 3, (7, 7), {'pads': [3, 3, 3, 3]}),
    ((2, 64, 31, 33), 64, 40, (3, 3), {'pads': [1, 1, 1, 1]}),
]


def lists(kernel, arguments):
    """Returns the arguments by their names in ONNX."""
    return {'kernels': list(kernel), **arguments}


def each(kernel, arguments):
    """Returns the same arguments with one name for each axis."""
    strides = arguments.get('strides', [1, 1])
    dilations = arguments.get('dilations', [1, 1])
    pads = arguments.get('pads', [0, 0, 0, 0])
    return {'kernel_h': kernel[0], 'kernel_w': kernel[1], 'stride_h': strides[0], 'stride_w': strides[1],
            'dilation_h': dilations[0], 'dilation_w': dilations[1], 'group': arguments.get('group', 1),
            'pad_t': pads[0], 'pad_l': pads[1], 'pad_b': pads[2], 'pad_r': pads[3]}


class Conv(OpTestCase):
    def check_orders(self, x, w, bias, expected, **arguments):
        inputs = [x, w] if bias is None else [x, w, bias]
        # Sums of this many numbers may nearly cancel out.
        atol = max(1e-5, 5e-8 * w[0].size)
        self.check('Conv', inputs, [expected], atol=atol, **arguments)
        inputs[:2] = [windows.channels_last(x), windows.channels_last(w)]
        for engine in ENGINES:
            self.check('Conv', inputs, [windows.channels_last(expected)], atol=atol, order='NHWC', **engine,
                       **arguments)

    def test_lists(self):
        for shape, n_in, n_out, kernel, arguments in CASES:
            x = random_array(shape)
            w = random_array((n_out, n_in, *kernel), seed=2)
            bias = random_array((n_out,), seed=3)
            for b in (bias, None):
                with self.subTest(shape=shape, kernel=kernel, bias=b is not None, **arguments):
                    expected = windows.conv(x, w, b, **arguments)
                    self.check_orders(x, w, b, expected, **lists(kernel, arguments))

    def test_names(self):
        for n, op_type in enumerate(('Conv1D', 'Conv2D', 'Conv3D'), 1):
            x = random_array((2, 3, *[5] * n))
            w = random_array((4, 3, *[2] * n), seed=2)
            self.check(op_type, [x, w], [windows.conv(x, w)], kernels=[2] * n)
            for engine in ENGINES:
                self.check(op_type, [windows.channels_last(x), windows.channels_last(w)],
                           [windows.channels_last(windows.conv(x, w))], kernels=[2] * n, order='NHWC', **engine)

    def test_one_by_one(self):
        for shape, n_in, n_out, kernel, arguments in CASES[:17]:
            with self.subTest(shape=shape, kernel=kernel, **arguments):
                x = random_array(shape)
                w = random_array((n_out, n_in, *kernel), seed=2)
                expected = windows.conv(x, w, **arguments)
                self.check_orders(x, w, None, expected, **each(kernel, arguments))

    def test_one_for_both(self):
        x = random_array((2, 3, 11, 9))
        w = random_array((4, 3, 3, 3), seed=2)
        expected = windows.conv(x, w, strides=[2, 2], pads=[1, 1, 1, 1])
        self.check_orders(x, w, None, expected, kernel=3, stride=2, pad=1)
        expected = windows.conv(x, w, dilations=[2, 2])
        self.check_orders(x, w, None, expected, kernel=3, dilation=2)

    def test_legacy_valid(self):
        x = random_array((2, 3, 11, 9))
        w = random_array((4, 3, 3, 4), seed=2)
        expected = windows.conv(x, w, strides=[3, 2])
        self.check_orders(x, w, None, expected, kernels=[3, 4], strides=[3, 2], legacy_pad=1)

    def test_legacy_same(self):
        for size, kernel, stride, pads in [
                ((11, 9), (3, 4), [1, 1], [1, 1, 1, 2]),
                ((11, 8), (3, 3), [2, 2], [1, 0, 1, 1]),
                ((7, 8), (1, 2), [1, 3], [0, 0, 0, 0]),
                ((4, 7), (1, 1), [2, 2], [0, 0, 0, 0])]:
            with self.subTest(size=size, kernel=kernel, stride=stride):
                x = random_array((2, 3, *size))
                w = random_array((4, 3, *kernel), seed=2)
                expected = windows.conv(x, w, strides=stride, pads=pads)
                self.assertEqual(expected.shape[2:], tuple(-(-n // s) for n, s in zip(size, stride)))
                self.check_orders(x, w, None, expected, kernels=list(kernel), strides=stride, legacy_pad=2)

    def test_legacy_caffe(self):
        # The last window of Caffe reaches beyond the image.
        x = random_array((1, 2, 6, 7))
        w = random_array((3, 2, 3, 3), seed=2)
        expected = windows.conv(x, w, strides=[2, 2], pads=[0, 0, 2, 0])
        self.check_orders(x, w, None, expected, kernel=3, stride=2, legacy_pad=3)
        expected = windows.conv(x, w, strides=[2, 2], pads=[1, 1, 2, 1])
        self.check_orders(x, w, None, expected, kernel=3, stride=2, pad=1, legacy_pad=3)
        # Caffe drops the last window if it would begin beyond the image.
        x = random_array((1, 2, 4, 5))
        w = random_array((3, 2, 2, 2), seed=2)
        expected = windows.conv(x, w, strides=[3, 3], pads=[1, 1, 1, 1])
        self.check_orders(x, w, None, expected, kernel=2, stride=3, pad=1, legacy_pad=3)

    def test_threads(self):
        settings = C2g.Settings.get_default()
        self.addCleanup(settings.set_n_threads, settings.get_n_threads())
        x = random_array((5, 6, 9, 7))
        for group in (1, 2, 6):
            w = random_array((12, 6 // group, 3, 3), seed=2)
            expected = windows.conv(x, w, group=group)
            for n_threads in (1, 2, 4):
                settings.set_n_threads(n_threads)
                self.check_orders(x, w, None, expected, kernel=3, group=group)


RELU, SUM, SUM_RELU = 1, 2, 3


class ConvFusion(OpTestCase):
    def check_fusion(self, x, w, bias, extra, expected, fusion_type, **arguments):
        inputs = [array for array in (x, w, bias, extra) if array is not None]
        places = [None] if extra is None else [None, {0: len(inputs) - 1}]
        atol = max(1e-5, 5e-8 * w[0].size)
        for in_place in places:
            self.check('ConvFusion', inputs, [expected], atol=atol, in_place=in_place, fusion_type=fusion_type,
                       **arguments)

    def check_orders(self, x, w, bias, extra, fusion_type, max=None, **arguments):
        expected = windows.conv(x, w, bias, **arguments)
        if extra is not None:
            expected = expected + extra
        if fusion_type != SUM:
            expected = numpy.clip(expected, 0, max)
        arguments['kernels'] = list(w.shape[2:])
        if max is not None:
            arguments['max'] = max
        self.check_fusion(x, w, bias, extra, expected, fusion_type, **arguments)
        last = [None if array is None else windows.channels_last(array) for array in (x, w, extra, expected)]
        for engine in ENGINES:
            self.check_fusion(last[0], last[1], bias, last[2], last[3], fusion_type, order='NHWC', **engine,
                              **arguments)

    def test_lists(self):
        for shape, n_in, n_out, kernel, arguments in CASES:
            x = random_array(shape)
            w = random_array((n_out, n_in, *kernel), seed=2)
            like = windows.conv(x, w, **arguments)
            extra = random_array(like.shape, seed=4)
            for bias in (random_array((n_out,), seed=3), None):
                for fusion_type in (RELU, SUM, SUM_RELU):
                    with self.subTest(shape=shape, kernel=kernel, bias=bias is not None, fusion_type=fusion_type,
                                      **arguments):
                        self.check_orders(x, w, bias, None if fusion_type == RELU else extra, fusion_type,
                                          **arguments)
                        if fusion_type != SUM:
                            self.check_orders(x, w, bias, None if fusion_type == RELU else extra, fusion_type,
                                              max=0.5, **arguments)

    def test_errors(self):
        x, w, bias = random_array((2, 3, 5, 7)), random_array((4, 3, 3, 3)), random_array((4,))
        extra = random_array((2, 4, 3, 5))
        for fusion_type in (-1, 0, 4, 1 << 32):
            message = self.assertFails(C2g.Error.RANGE, 'ConvFusion', [x, w, bias], kernel=3,
                                       fusion_type=fusion_type)
            self.assertIn(f'“fusion_type” is {fusion_type}', message)
        for fusion_type, inputs in [(RELU, [x, w, bias, extra]), (SUM, [x, w]), (SUM_RELU, [x, w])]:
            message = self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ConvFusion', inputs, kernel=3,
                                       fusion_type=fusion_type)
            self.assertIn(f'{len(inputs)} inputs', message)
        for shape in [(2, 4, 3, 4), (1, 4, 3, 5), (4, 3, 5), (4,)]:
            message = self.assertFails(C2g.Error.SHAPE, 'ConvFusion', [x, w, bias, random_array(shape)], kernel=3,
                                       fusion_type=SUM)
            self.assertIn('“input_3”', message)
            self.assertIn('[2, 4, 3, 5]', message)
        self.assertFails(C2g.Error.TYPE, 'ConvFusion', [x, w, extra.astype(numpy.float64)], kernel=3,
                         fusion_type=SUM)
        self.assertFails(C2g.Error.SHAPE, 'ConvFusion', [x, w, extra], kernel=3, fusion_type=RELU)
        self.assertFails(C2g.Error.SHAPE, 'ConvFusion', [x, w, bias], kernel=3, fusion_type=SUM)

    def test_in_place(self):
        """The output cannot be in place of the bias, X or the filters."""
        x, w, extra = random_array((2, 3, 5, 7)), random_array((4, 3, 3, 3)), random_array((2, 4, 3, 5))
        bias = random_array((4,))
        for fusion_type, inputs, place in [(RELU, [x, w, bias], 2), (SUM, [x, w, bias, extra], 2),
                                           (SUM, [x, w, extra], 0), (SUM, [x, w, extra], 1)]:
            message = self.assertFails(C2g.Error.INVALID_ARGUMENT, 'ConvFusion', inputs, in_place={0: place},
                                       kernel=3, fusion_type=fusion_type)
            self.assertIn(f'“input_{place}”', message)


@unittest.skipUnless(HAS_ENGINE, f'The engine {ENGINE} is not there')
class Engine(OpTestCase):
    def make(self, arrays, op_type='Conv', **arguments):
        """Returns an operator without a net, and its workspace."""
        workspace = C2g.Workspace.new()
        for i, array in enumerate(arrays):
            workspace.create_blob(str(i)).set_object(new_tensor(array))
        names = [str(i) for i in range(len(arrays))]
        if 'kernels' not in arguments:
            arguments.setdefault('kernel', 3)
        op = new_op(op_type, names, ['Y'], **{'engine': ENGINE, 'order': 'NHWC', **arguments})
        return C2g.Operator.create(op, workspace), workspace

    def give(self, workspace, name, array):
        workspace.get_blob(name).set_object(new_tensor(array))

    def run_op(self, op, workspace):
        op.run()
        return new_array(workspace.get_blob('Y').get_tensor())

    def conv(self, x, w, **arguments):
        first = [numpy.moveaxis(array, -1, 1) for array in (x, w)]
        return windows.channels_last(windows.conv(*first, **arguments))

    def test_taken(self):
        x, w = random_array((2, 7, 5, 3)), random_array((4, 3, 3, 3))
        self.assertEqual(self.make([x, w])[0].get_engine(), ENGINE)
        self.assertEqual(self.make([x, w], legacy_pad=2)[0].get_engine(), ENGINE)

    def test_left_to_the_default(self):
        x, w = random_array((2, 3, 7, 5)), random_array((4, 3, 3, 3))
        self.assertEqual(self.make([x, w], order='NCHW')[0].get_engine(), '')
        self.assertEqual(self.make([x, w], kernels=[3, 3, 3])[0].get_engine(), '')

    def test_strategy(self):
        x, w = random_array((2, 7, 5, 3)), random_array((4, 3, 3, 3))
        message = self.assertFails(C2g.Error.INVALID_ARGUMENT, 'Conv', [x, w], engine=ENGINE, order='NHWC', kernel=3,
                                   convolution_transform_strategy='LATER')
        self.assertIn('“LATER”', message)

    def test_filters_that_change(self):
        x, w, bias = random_array((2, 7, 5, 3)), random_array((4, 3, 3, 3)), random_array((4,))
        op, workspace = self.make([x, w, bias])
        for seed in range(3):
            self.assertClose(self.run_op(op, workspace), self.conv(x, w) + bias)
            w = random_array((4, 3, 3, 3), seed=seed)
            self.give(workspace, '1', w)
            self.assertClose(self.run_op(op, workspace), self.conv(x, w) + bias)
            bias = random_array((4,), seed=seed)
            self.give(workspace, '2', bias)

    def test_filters_of_other_shapes(self):
        for strategy in ('COMPUTE', 'PRECOMPUTE'):
            op, workspace = self.make([random_array((2, 7, 5, 3)), random_array((4, 3, 3, 3))],
                                      convolution_transform_strategy=strategy)
            for n_in, n_out in [(3, 4), (3, 2), (5, 2), (3, 4)]:
                x, w = random_array((2, 7, 5, n_in)), random_array((n_out, 3, 3, n_in))
                self.give(workspace, '0', x)
                self.give(workspace, '1', w)
                self.assertClose(self.run_op(op, workspace), self.conv(x, w))

    def test_images_of_other_shapes(self):
        for arguments in ({}, {'strides': [2, 2]}, {'kernel': 1}, {'group': 6}):
            size = arguments.get('kernel', 3)
            w = random_array((6, size, size, 6 // arguments.get('group', 1)))
            others = {key: value for key, value in arguments.items() if key != 'kernel'}
            op, workspace = self.make([random_array((2, 7, 5, 6)), w],
                                      convolution_transform_strategy='PRECOMPUTE', **arguments)
            for shape in [(1, 7, 5, 6), (16, 7, 5, 6), (0, 7, 5, 6), (3, 9, 8, 6), (2, 3, 3, 6), (2, 33, 35, 6)]:
                with self.subTest(shape=shape, **arguments):
                    x = random_array(shape)
                    self.give(workspace, '0', x)
                    self.assertClose(self.run_op(op, workspace), self.conv(x, w, **others))

    def test_numbers(self):
        for n in (0, 1, 3, 16):
            for group, n_in, n_out in [(1, 8, 17), (2, 8, 6), (8, 8, 8), (4, 4, 8)]:
                x, w = random_array((n, 13, 9, n_in)), random_array((n_out, 3, 3, n_in // group))
                arguments = {'strides': [1, 2], 'dilations': [2, 1], 'pads': [1, 0, 2, 3], 'group': group}
                expected = self.conv(x, w, **arguments)
                extra = random_array(expected.shape)
                sums = {'kernel': 3, 'order': 'NHWC', 'engine': ENGINE, **arguments}
                with self.subTest(n=n, group=group):
                    self.check('Conv', [x, w], [expected], **sums)
                    for in_place in (None, {0: 2}):
                        self.check('ConvFusion', [x, w, extra], [numpy.maximum(expected + extra, 0)],
                                   in_place=in_place, fusion_type=SUM_RELU, **sums)


class OldEngine(OpTestCase):
    def test_default_instead(self):
        """XNNPACK was an engine; nets that ask for it are run by the default kernels."""
        x, w, bias = random_array((2, 7, 5, 3)), random_array((4, 3, 3, 3)), random_array((4,))
        old = {'engine': 'XNNPACK', 'order': 'NHWC', 'convolution_transform_strategy': 'PRECOMPUTE'}
        first = [numpy.moveaxis(array, -1, 1) for array in (x, w)]
        self.check('Conv', [x, w, bias], [windows.channels_last(windows.conv(*first)) + bias], kernel=3, **old)
        self.check('MaxPool', [x], [x.max(axis=(1, 2), keepdims=True)], global_pooling=1, engine='XNNPACK', order='NHWC')
        rows = x.reshape(14, 15)
        self.check('FC', [rows, rows, rows[:, 0].copy()], [rows @ rows.T + rows[:, 0]], atol=1e-5,
                   engine='XNNPACK', convolution_transform_strategy='PRECOMPUTE')


LOCAL = [
    ((1, 1, 1, 1), 1, (1, 1), {}),
    ((2, 3, 5, 7), 4, (3, 3), {}),
    ((3, 3, 5, 7), 4, (2, 3), {'strides': [2, 1], 'pads': [1, 0, 0, 2]}),
    ((2, 3, 7, 6), 2, (3, 2), {'dilations': [2, 3]}),
    ((2, 4, 5, 4), 6, (3, 2), {'group': 2}),
    ((0, 3, 5, 7), 4, (3, 3), {}),
    ((2, 3, 9), 4, (5,), {'strides': [2], 'pads': [1, 3]}),
    ((2, 2, 3, 4, 3), 3, (2, 3, 2), {'pads': [1, 0, 0, 0, 1, 1]}),
]


class LocallyConnected(OpTestCase):
    def test_lists(self):
        for shape, n_out, kernel, arguments in LOCAL:
            n = len(kernel)
            x = random_array(shape)
            places = windows.out_size(windows.padded(x, arguments.get('pads', [0] * 2 * n)), kernel,
                                      arguments.get('strides', [1] * n), arguments.get('dilations', [1] * n))
            w = random_array((*places, n_out, shape[1] // arguments.get('group', 1), *kernel), seed=2)
            for bias in (random_array((*places, n_out), seed=3), None):
                with self.subTest(shape=shape, kernel=kernel, bias=bias is not None, **arguments):
                    rest = [] if bias is None else [bias]
                    expected = windows.locally_connected(x, w, bias, **arguments)
                    self.check('LC', [x, w, *rest], [expected], kernels=list(kernel), **arguments)
                    x_last, w_last = windows.channels_last(x), w.transpose(
                        *range(n + 1), *range(n + 2, 2 * n + 2), n + 1)
                    self.check('LC', [x_last, w_last, *rest], [windows.channels_last(expected)],
                               kernels=list(kernel), order='NHWC', **arguments)

    def test_errors(self):
        x, w = random_array((2, 3, 5, 7)), random_array((3, 5, 4, 3, 3, 3))
        for shape in [(3, 4, 4, 3, 3, 3), (3, 5, 4, 2, 3, 3), (5, 4, 3, 3, 3), (3, 5, 0, 3, 3, 3), (4, 3, 3, 3)]:
            message = self.assertFails(C2g.Error.SHAPE, 'LC', [x, random_array(shape)], kernel=3)
            self.assertIn('“input_1”', message)
        for shape in [(4,), (3, 5, 3), (4, 3, 5)]:
            message = self.assertFails(C2g.Error.SHAPE, 'LC', [x, w, random_array(shape)], kernel=3)
            self.assertIn('“input_2”', message)
        self.assertFails(C2g.Error.SHAPE, 'LC', [x, w], kernel=3, group=2)


TRANSPOSED = [
    ((1, 1, 1, 1), 1, (1, 1), {}),
    ((2, 3, 5, 7), 4, (3, 3), {}),
    ((2, 3, 5, 7), 4, (2, 3), {'strides': [2, 3]}),
    ((2, 3, 5, 7), 4, (4, 4), {'strides': [2, 2], 'pads': [1, 1, 1, 1]}),
    ((2, 3, 5, 4), 2, (3, 4), {'strides': [3, 1], 'pads': [2, 0, 1, 3], 'adjs': [2, 1]}),
    ((2, 6, 5, 4), 3, (3, 2), {'strides': [2, 2], 'group': 2, 'adjs': [1, 2]}),
    ((2, 6, 4, 5), 1, (3, 3), {'strides': [1, 2], 'group': 6, 'pads': [1, 0, 1, 2]}),
    ((0, 3, 5, 7), 4, (3, 3), {}),
    ((2, 3, 9), 4, (5,), {'strides': [2], 'pads': [1, 3]}),
    ((1, 2, 3, 4, 3), 3, (2, 3, 2), {'strides': [2, 1, 3], 'pads': [0, 1, 0, 1, 0, 2], 'adjs': [1, 0, 2]}),
    ((2, 3, 3, 5), 2, (3, 2), {'dilations': [2, 3]}),
    ((2, 3, 4, 3), 2, (2, 3), {'dilations': [3, 2], 'strides': [2, 3], 'pads': [1, 0, 2, 1], 'adjs': [1, 2]}),
    ((1, 4, 6), 3, (3,), {'dilations': [2], 'strides': [5], 'group': 2}),
    ((1, 2, 3, 2, 3), 3, (2, 2, 3), {'dilations': [2, 1, 2], 'strides': [1, 2, 3]}),
    # The matrix has several parts.
    ((1, 3, 41, 67), 90, (5, 4), {'strides': [2, 2]}),
]


class ConvTranspose(OpTestCase):
    def test_lists(self):
        for shape, n_out, kernel, arguments in TRANSPOSED:
            group = arguments.get('group', 1)
            x = random_array(shape)
            w = random_array((shape[1], n_out, *kernel), seed=2)
            for bias in (random_array((n_out * group,), seed=3), None):
                with self.subTest(shape=shape, kernel=kernel, bias=bias is not None, **arguments):
                    rest = [] if bias is None else [bias]
                    expected = windows.conv_transpose(x, w, bias, **arguments)
                    self.check('ConvTranspose', [x, w, *rest], [expected], kernels=list(kernel), **arguments)
                    x_last, w_last = windows.channels_last(x), windows.channels_last(w)
                    self.check('ConvTranspose', [x_last, w_last, *rest], [windows.channels_last(expected)],
                               kernels=list(kernel), order='NHWC', **arguments)

    def test_one_by_one(self):
        x, w, bias = random_array((2, 3, 5, 7)), random_array((3, 4, 3, 2), seed=2), random_array((4,), seed=3)
        expected = windows.conv_transpose(x, w, bias, [2, 3], [1, 0, 1, 1], [1, 2])
        self.check('ConvTranspose', [x, w, bias], [expected], kernel_h=3, kernel_w=2, stride_h=2, stride_w=3,
                   pad_t=1, pad_l=0, pad_b=1, pad_r=1, adj_h=1, adj_w=2)
        # A line of 3 inputs, 2 taps and a dilation of 5 gives 8 outputs.
        line, taps = numpy.float32([[[1, 2, 3]]]), numpy.float32([[[1, 10]]])
        self.check('ConvTranspose', [line, taps], [numpy.float32([[[1, 2, 3, 0, 0, 10, 20, 30]]])], kernels=[2],
                   dilations=[5])

    def test_legacy(self):
        x, w = random_array((2, 3, 5, 7)), random_array((3, 4, 3, 3), seed=2)
        expected = windows.conv_transpose(x, w, strides=[2, 2])
        for legacy_pad in (1, 2):
            self.check('ConvTranspose', [x, w], [expected], kernel=3, stride=2, legacy_pad=legacy_pad)
        self.assertFails(C2g.Error.NOT_SUPPORTED, 'ConvTranspose', [x, w], kernel=3, legacy_pad=3)

    def test_errors(self):
        x, w = random_array((2, 3, 5, 7)), random_array((3, 4, 3, 3), seed=2)
        self.assertFails(C2g.Error.RANGE, 'ConvTranspose', [x, w], kernel=3, stride=2, adj=3)
        self.assertFails(C2g.Error.RANGE, 'ConvTranspose', [x, w], kernel=3, adj=-1)
        self.assertFails(C2g.Error.SHAPE, 'ConvTranspose', [x, w], kernel=3, pad=4)
        self.assertFails(C2g.Error.SHAPE, 'ConvTranspose', [x, w], kernel=3, group=2)
        self.assertFails(C2g.Error.SHAPE, 'ConvTranspose', [x, w[:2]], kernel=3)
        self.assertFails(C2g.Error.SHAPE, 'ConvTranspose', [x, w, random_array((3,))], kernel=3)
        self.assertFails(C2g.Error.SHAPE, 'ConvTranspose', [x, w], kernel=2)
