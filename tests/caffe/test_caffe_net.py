# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs models of Caffe, and compares each layer with NumPy by Caffe's definitions."""

import math
import os
import re
import tempfile
import time
import unittest
from pathlib import Path

import numpy

from caffe_testing import C2g, CaffeTestCase, F, Gio, GLib, Model, convolve, layer, new_tensor, pool, random_array, read, recur, squeezenet, text_of

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT.parent / 'shared' / 'models'
LENET = """name: "LeNet" input: "data" input_dim: 1 input_dim: 1 input_dim: 28 input_dim: 28
%s
layer { name: "conv1" type: "Convolution" bottom: "data" top: "conv1" convolution_param { num_output: 20 kernel_size: 5 } }
layer { name: "pool1" type: "Pooling" bottom: "conv1" top: "pool1" pooling_param { kernel_size: 2 stride: 2 } }
layer { name: "conv2" type: "Convolution" bottom: "pool1" top: "conv2" convolution_param { num_output: 50 kernel_size: 5 } }
layers { name: "pool2" type: POOLING bottom: "conv2" top: "pool2" pooling_param { pool: MAX kernel_size: 2 stride: 2 } }
layers { layer { name: "ip1" type: "innerproduct" num_output: 500 } bottom: "pool2" top: "ip1" }
layer { name: "relu1" type: "ReLU" bottom: "ip1" top: "ip1" }
layer { name: "ip2" type: "InnerProduct" bottom: "ip1" top: "ip2" inner_product_param { num_output: 10 } }
%s
"""
SOFTMAX = 'layer { name: "prob" type: "Softmax" bottom: "ip2" top: "prob" }'
DATA = 'layer { name: "d" type: "Data" top: "data" top: "label" include { phase: TRAIN } data_param { source: "x" } }'
LOSS = """layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip2" bottom: "label" top: "loss" }
layer { name: "acc" type: "Accuracy" bottom: "ip2" bottom: "label" top: "acc" include { phase: TEST } }"""


class CaffeNet(CaffeTestCase):
    @unittest.skipUnless(MODELS.exists(), 'the models are not there')
    def test_lenet(self):
        """Reads layers of three versions in one text; the training net gives the scores."""
        images = []
        for i in range(10):
            data = (MODELS / 'lenet_lmdb' / 'imgs' / f'{i}.bmp').read_bytes()
            begin, width, height = (int.from_bytes(data[at:at + 4], 'little') for at in (10, 18, 22))
            images.append(numpy.frombuffer(data[begin:begin + width * height], numpy.uint8).reshape(height, width)[::-1])
        images = numpy.stack(images)[:, None].astype(F) / 256
        weights = MODELS / 'caffe_lenet' / 'lenet_iter_9000.caffemodel'
        digits = [7, 2, 1, 0, 4, 1, 4, 9, 5, 9]
        output, = Model(LENET % ('', SOFTMAX), weights).predict(images)
        self.assertEqual(list(output.argmax(axis=1)), digits)
        numpy.testing.assert_allclose(output.sum(axis=1), numpy.ones(10), rtol=1e-5)
        text = (LENET % (DATA.replace('TRAIN', 'TEST'), LOSS)).replace('input_dim: 1 input_dim: 1 input_dim: 28 input_dim: 28', '')
        output, = Model(text.replace('input: "data"', ''), weights).predict(images)
        self.assertEqual(list(output.argmax(axis=1)), digits)

    @unittest.skipUnless(MODELS.exists(), 'the models are not there')
    def test_squeezenet(self):
        """SqueezeNet 1.1 of Caffe gives the same as the net of Caffe2, with as many operators except for Softmax."""
        folder = MODELS / 'squeezenet11'
        nets = [Gio.File.new_for_path(str(folder / f'{name}_net.pb')) for name in ('init', 'predict')]
        workspace = C2g.Workspace()
        workspace.run_net_once(C2g.NetDef.load_file(nets[0], None), None)
        blobs = {f'{name[:-2]}/{"wb".index(name[-1])}': read(workspace.get_tensor(name))
                 for name in workspace.list_blobs() if name.endswith(('_w', '_b'))}
        model = Model(squeezenet(), blobs)
        x = numpy.fromfile(folder / 'flower_input_1x3x227x227.f32', F).reshape(1, 3, 227, 227)
        expected = C2g.Predictor.load_nets(*nets, None, None, C2g.OptimizeFlags.ALL, None).run([new_tensor(x)])
        self.assert_alike(model.predict(x), [read(tensor) for tensor in expected])
        n_operators = C2g.NetDef.load_file(nets[1], None).get_n_operators()
        # Softmax is between two Transpose operators, and Dropout becomes no operator.
        self.assertEqual(model.load()[0].get_n_operators(), n_operators + 2 - 1)

    def test_convolution(self):
        x, b = random_array(2, 4, 9, 7), random_array(6)
        for w, group, stride, pad, dilation, param in [
                (random_array(6, 4, 3, 3), 1, (1, 1), (0, 0), (1, 1), 'kernel_size: 3'),
                (random_array(6, 4, 2, 3), 1, (2, 3), (0, 2), (1, 1), 'kernel_h: 2 kernel_w: 3 stride_h: 2 stride_w: 3 pad_w: 2'),
                (random_array(6, 2, 3, 3), 2, (1, 1), (1, 1), (2, 2), 'kernel_size: 3 pad: 1 dilation: 2 group: 2'),
                (random_array(6, 4, 1, 1), 1, (3, 3), (0, 0), (1, 1), 'kernel_size: [1, 1]; stride: 3')]:
            with self.subTest(param=param):
                text = layer('Convolution', f'convolution_param {{ num_output: 6 {param} }}')
                self.check(text, convolve(x, w, b, stride, pad, dilation, group), x, l_0=w, l_1=b)
                text = layer('Convolution', f'convolution_param {{ num_output: 6 bias_term: false {param} }}')
                self.check(text, convolve(x, w, 0 * b, stride, pad, dilation, group), x, l_0=w)
        self.check(layer('Convolution', 'convolution_param { num_output: 6 kernel_size: 3 }'), numpy.zeros((0, 6, 7, 5)),
                   x[:0], shapes=[x.shape], l_0=random_array(6, 4, 3, 3), l_1=b.reshape(1, 1, 1, 6))

    def test_convolution_of_other_axes(self):
        """If the shape of the input is unknown, the weights tell the number of axes."""
        x, w, b = random_array(2, 3, 7), random_array(4, 3, 2), random_array(4)
        y = sum(numpy.einsum('ncl,oc->nol', x[:, :, i:i + 6], w[:, :, i]) for i in range(2)) + b[:, None]
        conv = layer('Convolution', 'convolution_param { num_output: 4 kernel_size: 2 }')
        self.check(conv, y, x, l_0=w, l_1=b)
        self.assert_alike(Model('input: "x" ' + conv, {'l/0': w, 'l/1': b}).predict(x), [y])
        for shape in (2, 3, 7, 7), (2, 3):
            self.fails(C2g.Error.SHAPE, text_of(conv, [shape]), 'Line 2', 'axes', blobs={'l/0': w, 'l/1': b})
        self.fails(C2g.Error.SHAPE, 'input: "x"\n' + conv, 'Line 2', 'axes', blobs={'l/0': w[:, :, 0], 'l/1': b})

    def test_deconvolution(self):
        x, w, b = random_array(1, 2, 3, 4), random_array(2, 3, 3, 2), random_array(3)
        y = numpy.zeros((1, 3, 2 * 2 + 3, 3 * 2 + 2))
        for i in range(3):
            for j in range(4):
                y[:, :, 2 * i:2 * i + 3, 2 * j:2 * j + 2] += numpy.einsum('nc,cohw->nohw', x[:, :, i, j], w)
        y += b[:, None, None]
        param = 'convolution_param { num_output: 3 kernel_h: 3 kernel_w: 2 stride: 2 }'
        self.check(layer('Deconvolution', param), y, x, l_0=w, l_1=b)

    def test_pooling(self):
        for size, kernel, stride, pad in [((8, 8), (3, 3), (2, 2), (1, 1)), ((7, 5), (2, 3), (2, 1), (0, 1)),
                                          ((6, 6), (3, 3), (2, 2), (0, 0)), ((5, 6), (1, 2), (1, 2), (0, 1)),
                                          # If one axis has a margin, windows that begin behind the image are dropped on
                                          # both axes.
                                          ((5, 6), (1, 2), (3, 2), (0, 1)), ((4, 7), (2, 3), (5, 4), (1, 0)), ((6, 5), (2, 2), (5, 7), (0, 1)),
                                          # Without a margin they are kept: a stride may be larger than a kernel.
                                          ((6, 5), (2, 2), (5, 4), (0, 0)), ((5, 5), (1, 1), (3, 7), (0, 0)), ((2, 3), (3, 4), (2, 2), (0, 0))]:
            x = random_array(2, 3, *size)
            for method in 'MAX', 'AVE':
                with self.subTest(size=size, kernel=kernel, method=method):
                    param = (f'pooling_param {{ pool: {method} kernel_h: {kernel[0]} kernel_w: {kernel[1]} stride_h: {stride[0]} '
                             f'stride_w: {stride[1]} pad_h: {pad[0]} pad_w: {pad[1]} }}')
                    self.check(layer('Pooling', param), pool(x, method, kernel, stride, pad), x)
        x = random_array(2, 3, 4, 5)
        self.check(layer('Pooling', 'pooling_param { pool: 1 global_pooling: true }'), x.mean((2, 3), keepdims=True), x)
        self.check(layer('Pooling', 'pooling_param { global_pooling: true }'), x.max((2, 3), keepdims=True), x)

    def test_average_8x8(self):
        """Kernel 3, stride 2, padding 1: here the divisor depends on count_include_pad."""
        x = random_array(1, 1, 8, 8)
        y = pool(x, 'AVE', (3, 3), (2, 2), (1, 1))
        self.assertEqual(y.shape, (1, 1, 5, 5))
        self.check(layer('Pooling', 'pooling_param { pool: AVE kernel_size: 3 stride: 2 pad: 1 }'), y, x)

    def test_softmax_sums_to_1(self):
        """At each place the sum is 1."""
        for shape, axis in [((2, 5, 3, 4), 1), ((2, 5), 1), ((2, 5, 1, 1), 1), ((2, 5, 3, 4), -1), ((3, 4, 2), 0)]:
            x = random_array(*shape)
            y = numpy.exp(x) / numpy.exp(x).sum(axis, keepdims=True)
            with self.subTest(shape=shape, axis=axis):
                self.check(layer('Softmax', f'softmax_param {{ axis: {axis} }}'), y, x)
                output, = Model(text_of(layer('Softmax', f'softmax_param {{ axis: {axis} }}'), [shape]), {}).predict(x)
                numpy.testing.assert_allclose(output.sum(axis), numpy.ones_like(x.sum(axis)), rtol=1e-6)
                self.check(layer('Softmax', f'softmax_param {{ axis: {axis} }}', tops=('x',)), y, x)

    def test_batch_norm_factors(self):
        """The sums are divided by the third blob. It is 0 in a net that has not been trained."""
        x, mean, variance = random_array(2, 3, 4, 5), random_array(3), abs(random_array(3)) + 1
        shape = (3, 1, 1)
        for factor in (999.98, 1, 0):
            scale = 0 if factor == 0 else 1 / factor
            y = (x - (mean * scale).reshape(shape)) / numpy.sqrt((variance * scale).reshape(shape) + 1e-5)
            with self.subTest(factor=factor):
                self.check(layer('BatchNorm', 'param { lr_mult: 0 } batch_norm_param { use_global_stats: true }'), y, x,
                           l_0=mean, l_1=variance, l_2=F([factor]))

    def test_batch_norm_far_from_0(self):
        """The mean is subtracted before anything is scaled, as in Caffe, because it may be large."""
        x, mean, variance = (random_array(2, 3, 4, 5) + 1000).astype(F), F([1000, 1000, 1000]), abs(random_array(3)) + 1
        y = (x - 1000) / numpy.sqrt(variance.reshape(3, 1, 1) + 1e-5)
        self.check(layer('BatchNorm'), y, x, l_0=mean, l_1=variance, l_2=F([1]))

    def test_batch_norm_five_blobs(self):
        x, mean, variance = random_array(2, 3, 4, 5), random_array(3), abs(random_array(3)) + 1
        shape = (3, 1, 1)
        gamma, beta = random_array(3) + 2, random_array(3)
        y = (x - mean.reshape(shape)) / numpy.sqrt(variance.reshape(shape) + 1e-3) * gamma.reshape(shape) + beta.reshape(shape)
        self.check(layer('BatchNorm', 'batch_norm_param { scale_bias: true eps: 1e-3 }', tops=('x',)), y, x,
                   l_0=mean, l_1=variance, l_2=F([1]), l_3=gamma, l_4=beta)

    def test_batch_norm_of_nvcaffe(self):
        """With five blobs the third is not used, and eps is at least 1e-5, as in cuDNN. The first versions had another order."""
        x, mean, variance = random_array(2, 3, 4, 5), random_array(3), abs(random_array(3)) / 1e4
        gamma, beta, shape = random_array(3) + 2, random_array(3), (3, 1, 1)
        y = (x - mean.reshape(shape)) / numpy.sqrt(variance.reshape(shape) + 1e-5) * gamma.reshape(shape) + beta.reshape(shape)
        for factor in 0, 1, 999.98:
            with self.subTest(factor=factor):
                param = 'batch_norm_param { scale_bias: true eps: 1e-9 use_global_stats: false }'
                self.check(layer('BatchNorm', param), y, x, l_0=mean, l_1=variance, l_2=F([factor]), l_3=gamma, l_4=beta)
                self.check(layer('BatchNorm'), y, x, l_0=gamma, l_1=beta, l_2=mean, l_3=variance, l_4=F([factor]))
        y = (x - mean.reshape(shape)) / numpy.sqrt(variance.reshape(shape) + 1e-9)
        self.check(layer('BatchNorm', 'batch_norm_param { eps: 1e-9 }'), y, x, l_0=mean, l_1=variance, l_2=F([1]))

    def test_batch_norm_of_nothing(self):
        empty = numpy.zeros((0,), F)
        self.fails(C2g.Error.SHAPE, text_of(layer('BatchNorm'), [(2, 0, 4, 5)]), 'one channel',
                   blobs={'l/0': empty, 'l/1': empty, 'l/2': F([1])})

    def test_inner_product(self):
        x, w, b = random_array(3, 2, 2, 3), random_array(4, 12), random_array(4)
        y = x.reshape(3, 12) @ w.T
        param = 'inner_product_param { num_output: 4 %s }'
        self.check(layer('InnerProduct', param % ''), y + b, x, l_0=w, l_1=b)
        self.check(layer('InnerProduct', param % ''), y + b, x, l_0=w.reshape(1, 1, 4, 12), l_1=b.reshape(1, 1, 1, 4))
        self.check(layer('InnerProduct', param % 'bias_term: false'), y, x, l_0=w)
        self.check(layer('InnerProduct', 'inner_product_param { num_output: 1 bias_term: false }'), y[:, :1], x, l_0=w[:1])
        self.check(layer('InnerProduct', param % 'transpose: true'), y + b, x, l_0=numpy.ascontiguousarray(w.T), l_1=b)
        w = random_array(4, 3)
        self.check(layer('InnerProduct', param % 'axis: -1'), x @ w.T + b, x, l_0=w, l_1=b)

    def test_scale_and_bias(self):
        x, z = random_array(2, 3, 4, 5), random_array(3, 4)
        s, b = random_array(3), random_array(3)
        self.check(layer('Scale', 'scale_param { bias_term: true }'), x * s[:, None, None] + b[:, None, None], x, l_0=s, l_1=b)
        self.check(layer('Scale', 'scale_param { bias_term: true }', tops=('x',)), x * s[:, None, None] + b[:, None, None], x,
                   l_0=s, l_1=b)
        self.check(layer('Bias'), x + b[:, None, None], x, l_0=b)
        self.check(layer('Bias', 'bias_param { axis: -1 }'), x + random_array(5), x, l_0=random_array(5))
        self.check(layer('Scale', 'scale_param { axis: 0 num_axes: 2 }'), x * random_array(2, 3)[:, :, None, None], x,
                   l_0=random_array(2, 3))
        self.check(layer('Scale', bottoms='xz'), x * z[:, :, None], x, z)

    def test_elements(self):
        x = random_array(2, 3, 4)
        for kind, param, y in [
                ('AbsVal', '', abs(x)), ('BNLL', '', numpy.log1p(numpy.exp(x))), ('Sigmoid', '', 1 / (1 + numpy.exp(-x))),
                ('TanH', '', numpy.tanh(x)), ('ReLU', '', numpy.maximum(x, 0)),
                ('ReLU', 'relu_param { negative_slope: 0.1 }', numpy.where(x > 0, x, F(0.1) * x)),
                ('ELU', 'elu_param { alpha: 2 }', numpy.where(x > 0, x, 2 * (numpy.exp(x) - 1))),
                ('Power', 'power_param { power: 2 scale: 0.5 shift: 3 }', (3 + x / 2) ** 2), ('Power', '', x),
                ('Power', 'power_param { scale: 0 shift: 3 }', 0 * x + 3),
                ('Exp', 'exp_param { base: 2 scale: 3 shift: 0.5 }', 2 ** (0.5 + 3 * x.astype(float))),
                ('Exp', '', numpy.exp(x)), ('Exp', 'exp_param { base: 1 scale: 3 }', 0 * x + 1),
                ('Clip', 'clip_param { min: -0.5 max: 0.25 }', numpy.clip(x, -0.5, 0.25)), ('Swish', '', x / (1 + numpy.exp(-x))),
                ('Swish', 'swish_param { beta: - 2 }', x / (1 + numpy.exp(2 * x))), ('Log', 'log_param { base: 10 shift: 2 }', numpy.log10(2 + x)),
                ('Log', 'log_param { scale: 0.5 shift: 2 }', numpy.log(2 + x / 2)),
                ('Threshold', 'threshold_param { threshold: 0.25 }', (x > 0.25).astype(F)),
                ('Dropout', '', x), ('Dropout', 'dropout_param { dropout_ratio: 0.25 scale_train: false }', 0.75 * x),
                ('PReLU', '', numpy.where(x > 0, x, x * F([0.5, -1, 2])[:, None]))]:
            blobs = {'l_0': F([0.5, -1, 2])} if kind == 'PReLU' else {}
            with self.subTest(kind=kind, param=param):
                self.check(layer(kind, param), y, x, **blobs)
                # A layer that changes nothing becomes no operator, so a net of it alone computes nothing.
                if y is not x:
                    self.check(layer(kind, param, tops=('x',)), y, x, **blobs)
        for base in 1, 0, -2:
            self.fails(C2g.Error.NOT_SUPPORTED, text_of(layer('Log', f'log_param {{ base: {base} }}'), [x.shape]), 'Line 2', 'base')
        self.check(layer('PReLU', 'prelu_param { channel_shared: true }'), numpy.where(x > 0, x, x / 2), x, l_0=F([0.5]))

    def test_eltwise(self):
        x, z, w = random_array(2, 3), random_array(2, 3) + 1, random_array(2, 3) * 2
        for param, y in [('', x + z + w), ('operation: MAX', numpy.maximum(x, numpy.maximum(z, w))), ('operation: PROD', x * z * w),
                         ('operation: 1 coeff: 1 coeff: -2 coeff: 0.5', x - 2 * z + w / 2), ('coeff: [1, 1, 1]', x + z + w)]:
            with self.subTest(param=param):
                self.check(layer('Eltwise', f'eltwise_param {{ {param} }}', bottoms='xzw'), y, x, z, w)

    def test_axes(self):
        x = random_array(2, 6, 4, 3)
        z = random_array(2, 1, 4, 3)
        self.check(layer('Concat', bottoms='xz'), numpy.concatenate([x, z], 1), x, z)
        self.check(layer('Concat', 'concat_param { axis: -4 }', bottoms='xz'), numpy.concatenate([x, x], 0), x, x)
        self.check(layer('Slice', tops='ab'), [x[:, :3], x[:, 3:]], x)
        self.check(layer('Slice', 'slice_param { slice_point: 1 slice_point: 3 }', tops='abc'), [x[:, :1], x[:, 1:3], x[:, 3:]], x)
        self.check(layer('Slice', 'slice_param { slice_dim: 0 }', tops='ab'), [x[:1], x[1:]], x)
        self.check(layer('Split', tops='ab'), [x, x], x)
        self.check(layer('Permute', 'permute_param { order: 0 order: 2 }'), x.transpose(0, 2, 1, 3), x)
        self.check(layer('Tile', 'tile_param { axis: 2 tiles: 3 }'), numpy.tile(x, (1, 1, 3, 1)), x)
        self.check(layer('Flatten'), x.reshape(2, 72), x)
        self.check(layer('Flatten', 'flatten_param { axis: 1 end_axis: 2 }'), x.reshape(2, 24, 3), x)
        self.check(layer('Flatten', 'flatten_param { axis: -2 }'), x.reshape(2, 6, 12), x)
        for param, shape in [('shape { dim: 0 dim: -1 }', (2, 72)), ('shape { dim: 3 dim: -1 } axis: 1 num_axes: 1', (2, 3, 2, 4, 3)),
                             ('shape { dim: 1 } axis: 1 num_axes: 0', (2, 1, 6, 4, 3)), ('shape { dim: 1 } axis: -1', (2, 6, 4, 3, 1)),
                             ('shape { dim: -1 } axis: 2', (2, 6, 12)), ('shape { dim: 0 dim: 24 } num_axes: 3', (2, 24, 3))]:
            with self.subTest(param=param):
                self.check(layer('Reshape', f'reshape_param {{ {param} }}'), x.reshape(shape), x)
        self.check(layer('Flatten'), numpy.zeros((5, 72)) + 1, numpy.ones((5, 6, 4, 3), F), shapes=[x.shape])
        for what in ['Flatten', 'flatten_param { axis: 3 end_axis: 1 }'], *(
                ['Reshape', f'reshape_param {{ shape {{ dim: 8 }} axis: {axis} num_axes: {n} }}']
                for axis, n in [(1, 2**63 - 1), (32767, 2**63 - 101), (1, 4), (1, -2), (5, 0)]):
            self.fails(C2g.Error.NOT_SUPPORTED, text_of(layer(*what), [x.shape]), 'axes')
        self.check(layer('Crop', 'crop_param { offset: 1 }', bottoms='xz'), x[:, :, 1:3, 1:3], x, random_array(9, 9, 2, 2))

    def test_reduction(self):
        x = random_array(2, 3, 4)
        for name, function in [('SUM', lambda a, axes: a.sum(axes)), ('ASUM', lambda a, axes: abs(a).sum(axes)),
                               ('SUMSQ', lambda a, axes: (a ** 2).sum(axes)), ('MEAN', lambda a, axes: a.mean(axes))]:
            for axis in (0, 1, -1):
                axes = tuple(range(axis % 3, 3))
                with self.subTest(name=name, axis=axis):
                    param = f'reduction_param {{ operation: {name} axis: {axis} coeff: 1.5 }}'
                    self.check(layer('Reduction', param), numpy.asarray(1.5 * function(x, axes)), x)

    def test_recurrent(self):
        """Sequences begin inside the batch; there may be a static input, and initial states."""
        for kind, n_gates, param in ('LSTM', 4, 'recurrent_param { num_output: 3 %s }'), ('RNN', 1, 'recurrent_param { num_output: 3 %s }'):
            for shape in (5, 2, 4), (1, 3, 2, 2), (3, 1, 4):
                x, static = random_array(*shape), random_array(shape[1], 2, 3)
                cont = numpy.random.default_rng(len(kind)).integers(0, 2, shape[:2]).astype(F)
                w, b, w_static, w_hidden = (3 * random_array(*dims) for dims in ((3 * n_gates, 4), (3 * n_gates,), (3 * n_gates, 6), (3 * n_gates, 3)))
                behind = [] if kind == 'LSTM' else [random_array(3, 3), random_array(3)]
                with self.subTest(kind=kind, shape=shape):
                    blobs = [w, b, w_hidden, *behind]
                    self.check(layer(kind, param % '', bottoms='xz'), recur(kind, x, cont, blobs)[0], x, cont,
                               **{f'l_{i}': blob for i, blob in enumerate(blobs)})
                    blobs = [w, b, w_static, w_hidden, *behind]
                    named = {f'l/{i}': blob for i, blob in enumerate(blobs)}
                    self.check(layer(kind, param % '', bottoms='xzw'), recur(kind, x, cont, blobs, static)[0], x, cont, static, **named)
                    n_states = 2 if kind == 'LSTM' else 1
                    states = [random_array(1, shape[1], 3), random_array(1, shape[1], 3) / 2]
                    expected = recur(kind, x, cont, blobs, static, [state[0] for state in states])[:1 + n_states]
                    text = ''.join(f'input: "{name}" input_shape {{ {" ".join(f"dim: {n}" for n in array.shape)} }}\n'
                                   for name, array in zip('xcshk', (x, cont, static, *states[:n_states])))
                    text += layer(kind, param % 'expose_hidden: true', bottoms='xcshk'[:3 + n_states], tops='abd'[:1 + n_states])
                    outputs = Model(text, named).predict(x, cont, static, *states[:n_states])
                    for output, wanted in zip(outputs, expected, strict=True):
                        self.assertEqual(output.shape, wanted.shape)
                        numpy.testing.assert_allclose(output, wanted, rtol=1e-5, atol=1e-5)
        x = text_of(layer('LSTM', 'recurrent_param { num_output: 3 }', bottoms='xz'), [(5, 2, 4), (5, 2)])
        blobs = {'l/0': random_array(12, 4), 'l/1': random_array(12), 'l/2': random_array(12, 3)}
        self.fails(C2g.Error.SHAPE, x.replace('num_output: 3', 'num_output: 4'), 'num_output', blobs=blobs)
        self.fails(C2g.Error.SHAPE, x.replace('dim: 5 dim: 2\n', 'dim: 2 dim: 5\n').replace('dim: 5 dim: 2 }', 'dim: 2 dim: 5 }'), '[5, 2]', blobs=blobs)
        self.fails(C2g.Error.NOT_SUPPORTED, x.replace('top: "y"', 'top: "y" top: "h"'), 'recurrent', blobs=blobs)

    def test_pyramid(self):
        for size, method, n_levels in ((9, 11), 'MAX', 3), ((8, 13), 'AVE', 3), ((5, 4), 'MAX', 1), ((4, 4), 'AVE', 2):
            x = random_array(2, 3, *size)
            levels = []
            for n in (2 ** i for i in range(n_levels)):
                kernel = [-(-length // n) for length in size]
                pad = [(k * n - length + 1) // 2 for k, length in zip(kernel, size)]
                levels.append(pool(x, method, kernel, kernel, pad))
            expected = levels[0] if n_levels == 1 else numpy.concatenate([level.reshape(2, -1) for level in levels], 1)
            with self.subTest(size=size, method=method):
                self.check(layer('SPP', f'spp_param {{ pyramid_height: {n_levels} pool: {method} }}'), expected, x)
        x = text_of(layer('SPP', 'spp_param { pyramid_height: 9 }'), [(1, 1, 8, 8)])
        self.fails(C2g.Error.RANGE, x, 'pad')
        self.fails(C2g.Error.NOT_SUPPORTED, x.replace('9', '0'), 'pyramid')

    def test_rows(self):
        x, z = random_array(4, 2, 3), random_array(4, 5)
        self.check(layer('BatchReindex', bottoms='xz'), x[[3, 0, 3]], x, F([3, 0, 3]))
        self.check(layer('Filter', bottoms='xzw', tops='ab'), [x[[1, 2]], z[[1, 2]]], x, z, F([0, 1, 0.5, 0]).reshape(4, 1, 1, 1))
        self.check(layer('Filter', bottoms='xz', tops='a'), x[:0], x, F([0, 0, 0, 0]))

    def test_others(self):
        x, w, b = random_array(2, 6, 3, 4), random_array(5, 3), random_array(3)
        self.check(layer('Embed', 'embed_param { num_output: 3 input_dim: 5 }'), w[[[4, 0], [2, 2]]] + b, F([[4, 0], [2, 2]]), l_0=w, l_1=b)
        self.check(layer('Parameter', bottoms=()) + 'layer { name: "s" type: "Eltwise" bottom: "x" bottom: "y" top: "z" }', x + x, x, l_0=x)
        squares = numpy.stack([(x[:, max(c - 1, 0):c + 2] ** 2).sum(1) for c in range(6)], 1)
        self.check(layer('LRN', 'lrn_param { local_size: 3 alpha: 0.6 beta: 0.75 k: 2 }'), x * (2 + 0.2 * squares) ** -0.75, x)
        mean, deviation = x.mean((2, 3), keepdims=True), x.std((2, 3), keepdims=True)
        self.check(layer('MVN'), (x - mean) / (deviation + 1e-9), x)
        self.check(layer('MVN', 'mvn_param { normalize_variance: false }'), x - mean, x)
        norm = numpy.sqrt((x ** 2).sum(1, keepdims=True) + 1e-10)
        scale = random_array(6)
        self.check(layer('Normalize', 'norm_param { across_spatial: false channel_shared: false }'),
                   x / norm * scale[:, None, None], x, l_0=scale)
        norm = numpy.sqrt((x ** 2).sum((1, 2, 3), keepdims=True) + 1e-10)
        self.check(layer('Normalize'), x / norm * 20, x, l_0=F([20]))
        rows = x.reshape(2, -1)
        self.check(layer('ArgMax', 'argmax_param { axis: 1 }'), x.argmax(1)[:, None], x)
        self.check(layer('ArgMax'), rows.argmax(1).reshape(2, 1, 1, 1), x)

    def test_ssd(self):
        """Tests boxes at each place, the better of two overlapping boxes, and an empty result."""
        x, z = random_array(1, 8, 2, 2), random_array(1, 3, 20, 20)
        text = layer('PriorBox', 'prior_box_param { min_size: 4 aspect_ratio: 2 flip: false variance: 0.1 }', bottoms='xz')
        root = math.sqrt(2)
        boxes = [[cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2] for cy in (5, 15) for cx in (5, 15)
                 for w, h in ((4, 4), (4 * root, 4 / root))]
        boxes = numpy.array(boxes).reshape(1, 1, -1) / 20
        self.check(text, numpy.concatenate([boxes, 0 * boxes + 0.1], 1), x, z)
        text = layer('DetectionOutput', '''detection_output_param { num_classes: 2 code_type: CENTER_SIZE keep_top_k: 5
          nms_param { nms_threshold: 0.5 top_k: 10 } confidence_threshold: 0.3 }''', bottoms='xzw')
        priors = F([[0.1, 0.1, 0.5, 0.5, 0.12, 0.1, 0.5, 0.5, 0.6, 0.6, 0.9, 0.9], [0.1] * 12])[None]
        for scores, rows in [([0.1, 0.9, 0.2, 0.8, 0.6, 0.4], [[0, 1, 0.9, 0.1, 0.1, 0.5, 0.5], [0, 1, 0.4, 0.6, 0.6, 0.9, 0.9]]),
                             ([1, 0, 1, 0, 1, 0], [[-1] * 7])]:
            self.check(text, F(rows)[None, None], numpy.zeros((1, 12), F), F([scores]), priors)

    def test_sharing(self):
        """A blob that two layers share by name is one blob, though the file has it twice."""
        x, w = random_array(2, 3), random_array(3, 3)
        text = ('layer { name: "a" type: "InnerProduct" bottom: "x" top: "h" param { name: "w" } inner_product_param { num_output: 3 '
                'bias_term: false } } layer { name: "b" type: "InnerProduct" bottom: "h" top: "y" param { name: "w" } '
                'inner_product_param { num_output: 3 bias_term: false } }')
        self.check(text, x @ w.T @ w.T, x, a_0=w, b_0=0 * w)
        self.check(text, x @ w.T @ w.T, x, a_0=w)

    def test_sharing_by_batch_norm(self):
        x, mean, variance = random_array(2, 3, 4, 5), random_array(3), abs(random_array(3)) + 1
        params = ' '.join(f'param {{ name: "{name}" lr_mult: 0 }}' for name in 'mvf')
        text = ''.join(layer('BatchNorm', params, bottoms=a, tops=b).replace('"l"', f'"{name}"') for name, a, b in ('axh', 'bhy'))
        y = x
        for _ in range(2):
            y = (y - mean.reshape(3, 1, 1)) / numpy.sqrt(variance.reshape(3, 1, 1) + 1e-5)
        self.check(text, y, x, a_0=2 * mean, a_1=2 * variance, a_2=F([2]), b_0=0 * mean, b_1=variance, b_2=F([1]))

    def test_sharing_of_shapes(self):
        """Shared blobs have equal shapes, or as many elements if the layer permits another shape."""
        x, w = random_array(2, 3, 1, 1), random_array(3, 3)
        text = text_of('layer { name: "a" type: "Convolution" bottom: "x" top: "h" param { name: "w" } convolution_param { num_output: 3 '
                       'kernel_size: 1 bias_term: false } }\nlayer { name: "b" type: "InnerProduct" bottom: "h" top: "y" '
                       'param { name: "w" %s } inner_product_param { num_output: 3 bias_term: false } }', [x.shape])
        blobs = {'a/0': w.reshape(3, 3, 1, 1), 'b/0': 0 * w}
        output, = Model(text % 'share_mode: PERMISSIVE', blobs).predict(x)
        self.assert_alike([output], [x[:, :, 0, 0] @ w.T @ w.T])
        old = (text % '').replace('layer {', 'layers {').replace('"Convolution"', 'CONVOLUTION').replace('"InnerProduct"', 'INNER_PRODUCT')
        old = old.replace('param { name: "w"  }', 'param: "w" blob_share_mode: PERMISSIVE')
        self.assert_alike(Model(old, blobs).predict(x), [output])
        self.fails(C2g.Error.SHAPE, text % '', 'Line 3', 'layer “b”', 'b/0', 'a/0', blobs=blobs)
        blobs['b/0'] = w[:2]
        self.fails(C2g.Error.SHAPE, text % 'share_mode: 1', 'Line 3', 'layer “b”', blobs=blobs)

    def test_padding_of_version_0(self):
        x, w, b = random_array(1, 2, 5, 5), random_array(3, 2, 3, 3), random_array(3)
        text = ('layers { layer { name: "p" type: "padding" pad: 1 } bottom: "x" top: "q" } layers { layer { name: "l" type: "conv" '
                'num_output: 3 kernelsize: 3 biasterm: true stride: 2 } bottom: "q" top: "y" } layers { layer { name: "r" type: "relu" } '
                'bottom: "y" top: "y" }')
        self.check(text, numpy.maximum(convolve(x, w, b, (2, 2), (1, 1)), 0), x, l_0=w, l_1=b)

    def test_padding_layers(self):
        """As in Caffe, the pads of a Padding layer replace those of the layer after it, which is a convolution or a pool of
        version 0.
        """
        x, w, b = random_array(1, 2, 6, 6), random_array(2, 2, 3, 3), random_array(2)
        padded = ('layer { name: "a" type: "AbsVal" bottom: "x" top: "a" } '
                  'layers { layer { name: "p" type: "padding" pad: 1 } bottom: "a" top: "q" }\n')
        layers = ('layers { layer { name: "l" type: "conv" num_output: 2 kernelsize: 3 stride: 2 pad: 2 } bottom: "q" top: "y" } '
                  'layers { layer { name: "m" type: "pool" kernelsize: 3 stride: 2 pool: MAX } bottom: "q" top: "z" }')
        expected = [convolve(abs(x), w, b, (2, 2), (1, 1)), pool(abs(x), 'MAX', (3, 3), (2, 2), (1, 1))]
        # The output of the padding layer is no output of the net.
        self.check(padded + layers, expected, x, l_0=w, l_1=b)
        # If its name is used again, that blob has no margin.
        relu = 'layers { layer { name: "r" type: "relu" } bottom: "q" top: "q" }'
        expected[1] = numpy.maximum(expected[1], 0)
        self.check(padded + layers.replace('top: "z"', 'top: "q"') + relu, expected, x, l_0=w, l_1=b)
        for wrong in (relu, layer('Softmax', bottoms='q'), 'layers { name: "l" type: POOLING bottom: "q" top: "y" pooling_param { kernel_size: 3 } }',
                      layer('Convolution', 'convolution_param { num_output: 2 kernel_size: 3 }', bottoms='q'),
                      'layers { layer { name: "s" type: "padding" pad: 1 } bottom: "q" top: "y" }'):
            with self.subTest(wrong=wrong):
                self.fails(C2g.Error.NOT_SUPPORTED, text_of(padded, [x.shape]) + wrong, 'Line 3', 'padding layer', blobs={'l/0': w, 'l/1': b})

    def test_counts(self):
        """Each type has fixed numbers of bottoms and tops, as in Caffe; the error names the expected numbers."""
        for kind, bottoms, tops, expected in [
                ('ReLU', 'xz', 'y', '2 bottoms and 1 tops, expected 1 and 1'), ('ReLU', 'x', 'yw', '1 bottoms and 2 tops, expected 1 and 1'),
                ('Eltwise', 'x', 'y', 'expected 2 to 4096 and 1'), ('Concat', '', 'y', 'expected 1 to 4096 and 1'),
                ('Scale', 'xzx', 'y', 'expected 1 to 2 and 1'), ('Convolution', 'xz', 'y', 'expected 1 to 4096 and 2'),
                ('Softmax', 'x', '', 'expected 1 and 1'), ('Crop', 'x', 'y', 'expected 2 and 1'), ('Parameter', 'x', 'y', 'expected 0 and 1'),
                ('DetectionOutput', 'xz', 'y', 'expected 3 and 1'), ('LSTM', 'x', 'y', 'expected 2 to 4096 and 1 to 4096')]:
            with self.subTest(kind=kind):
                self.fails(C2g.Error.CORRUPT, text_of(layer(kind, bottoms=bottoms, tops=tops), [(2, 3, 4, 4)] * 2),
                           'Line 3', f'layer “l” ({kind})', expected)

    def test_sums_of_other_shapes(self):
        """Caffe's Eltwise does not broadcast."""
        for operation in 'SUM', 'PROD', 'MAX', 'SUM coeff: 2 coeff: 1':
            text = layer('Eltwise', f'eltwise_param {{ operation: {operation} }}', bottoms='xz')
            for shape in (3,), (1, 3), (2, 1), (2, 3, 1):
                with self.subTest(operation=operation, shape=shape):
                    self.fails(C2g.Error.SHAPE, text_of(text, [(2, 3), shape]), 'Line 3', 'Eltwise')

    def test_level(self):
        """The caller's level replaces that of the text; the stages of both count."""
        text = text_of('state { level: 1 stage: "s" } ' + layer('AbsVal', more='include { min_level: 1 stage: "s" }') +
                       layer('Exp', more='include { max_level: 0 stage: "s" stage: "t" }', tops='z'), [(2,)])
        for level, stages, outputs in (0, ['t'], ['z']), (1, None, ['y']), (2, ['t'], ['y']):
            net, _ = Model(text, {}).load(stages, level)
            self.assertEqual(net.get_external_outputs(), outputs)

    def test_inputs_of_the_workspace(self):
        """The content of an input stays; parameters are replaced, and a failure changes nothing."""
        ip = layer('InnerProduct', 'inner_product_param { num_output: 3 bias_term: false }')
        model, wrong = (Model(text_of(text, [(2, 3)]), {'l/0': numpy.eye(3, dtype=F)}) for text in (ip, ip + layer('ReLU', bottoms='q')))
        workspace = C2g.Workspace()
        x = new_tensor(F([[1, 2, 3]]))
        workspace.create_blob('x').set_object(x)
        workspace.create_blob('l/0').set_object(new_tensor(F([7])))
        self.assertRaises(GLib.Error, C2g.caffe_net_load, *wrong.files(), workspace, None, 0, None)
        self.assertEqual(sorted(workspace.list_blobs()), ['l/0', 'x'])
        numpy.testing.assert_array_equal(read(workspace.get_tensor('l/0')), [7])
        net = C2g.caffe_net_load(*model.files(), workspace, None, 0, None)
        self.assertIs(workspace.get_tensor('x'), x)
        workspace.run_net_once(net, None)
        numpy.testing.assert_array_equal(read(workspace.get_tensor('y')), [[1, 2, 3]])

    def test_inputs_of_a_parent(self):
        """A blob of the parent with the name of an input stays the input, whether or not the text gives a shape."""
        parent = C2g.Workspace()
        parent.create_blob('x').set_object(new_tensor(F([5, 5])))
        for head in 'input: "x"\n', 'input: "x" input_shape { dim: 2 }\n':
            model = Model(head + layer('AbsVal'), {})
            predictor = C2g.Predictor.load_nets(*model.files(), parent, None, C2g.OptimizeFlags.ALL, None)
            self.assertEqual(predictor.get_inputs(), ['x'])
            numpy.testing.assert_array_equal(read(predictor.run([new_tensor(F([-1, 2]))])[0]), [1, 2])
            numpy.testing.assert_array_equal(read(parent.get_tensor('x')), [5, 5])

    def test_shapes_of_inputs(self):
        """As in Caffe, each input of a text has a shape, or none has; a layer may give one to all."""
        add = layer('Eltwise', bottoms='xz')
        shape = '{ dim: 2 dim: 3 }'
        for text in (f'input: "x" input: "z" input_shape {shape}\n', 'input: "x" input: "z" ' + 'input_dim: 1 ' * 7,
                     f'layer {{ type: "Input" top: "x" top: "z" top: "w" input_param {{ shape {shape} shape {shape} }} }}\n'):
            with self.subTest(text=text):
                self.fails(C2g.Error.CORRUPT, text + add, 'Line 1', 'shape')
        model = Model(f'layer {{ type: "Input" top: "x" top: "z" input_param {{ shape {shape} }} }} {add}', {})
        _, workspace = model.load()
        self.assertEqual([workspace.get_tensor(name).get_dims() for name in 'xz'], [[2, 3], [2, 3]])
        dims = 'input_dim: 1 input_dim: 3 input_dim: 1 input_dim: 2'
        model = Model(f'layer {{ type: "Input" top: "x" top: "z" input_param {{ {dims} }} }} {add}', {})
        _, workspace = model.load()
        self.assertEqual([workspace.get_tensor(name).get_dims() for name in 'xz'], [[1, 3, 1, 2]] * 2)

    def test_fields_of_the_table(self):
        """The table of types must have all fields that are read, or they would be reported as unknown."""
        sources = [path.read_text() for path in (ROOT / 'c2g' / 'caffe' / 'model').glob('c2g-caffe-*.c')]
        asked = set(re.findall(r'c2g_prototxt_\w+ \((?:text|&self->net->text), self->param, "(\w+)"', ''.join(sources)))
        table = (ROOT / 'c2g' / 'caffe' / 'model' / 'c2g-caffe-layer-types.c').read_text()
        self.assertEqual(asked - set(re.findall(r'\w+', table)), set())
        self.assertGreater(len(asked), 30)

    def test_rules(self):
        text = text_of('''layer { name: "a" type: "AbsVal" bottom: "x" top: "y" include { stage: "s" min_level: 1 } }
          layer { name: "b" type: "Exp" bottom: "x" top: "y" exclude { stage: "s" } }
          layer { name: "c" type: "Log" bottom: "x" top: "y" include { phase: TRAIN } }''', [(2,)])
        model = Model(text, {})
        self.assertEqual(model.load()[0].get_operator(0).get_op_type(), 'Exp')
        self.assertEqual(model.load(['s'], 1)[0].get_operator(0).get_op_type(), 'Abs')
        self.assertRaises(GLib.Error, model.load, ['s'], 0)

    def test_syntax(self):
        """Tests forms that real files have: brackets, separators, quotes, a byte order mark, numbers of enums."""
        text = b'''\xef\xbb\xbf# a remark
          input: 'x'; input_shape < dim: 0x2, dim: 02 >  force_backward: false
          layer { name: "l" "1" type: 'Pow' "er"; bottom: "x" top: "y" power_param: { power: 1 power: 2, scale: - 1.0 shift:-  0, fork { deep { er: 1 } } } }
          layers < name: 'r' type: 18, bottom: ["y"], top: 'z' >'''
        x = F([[1, -2], [3, 4]])
        output, = Model(text, {}).predict(x)
        numpy.testing.assert_allclose(output, x ** 2)

    def test_typing_errors(self):
        head = 'input: "x"\n'
        good = 'layer { name: "l" type: "ReLU" bottom: "x" top: "y" '
        for text, words in [
                (good + 'relu_param { negative_slope: "a" } }', ('Line 2', 'number')), (good, ('Line 2', 'bracket')),
                (good + 'relu_param: 3 }', ('Line 2', "'{'")), (good + '} }', ('Line 2',)), (good + 'relu_param { negative_slope: 010 } }', ('Line 2', 'number')),
                (good + 'relu_param { negative_slope: - - 1 } }', ('Line 2',)), (good + 'relu_param { negative_slope: -', ('Line 2',)),
                ('input_dim: 08', ('Line 2', 'integer')),  (good + 'x }', ('Line 2',)),
                (good + 'relu_param { negative_slope: 1..2 } }', ('Line 2', 'number')), ('layer: 3', ("Line 2", "'{'")),
                ('layer { name: "l }', ('Line 2', 'string')), (good + '\n\n bottom: }', ('Line 4',)),
                ('layer { type: "Pooling" bottom: "x" top: "y" pooling_param { pool: MEDIAN } }', ('Line 2', 'value')),
                ('layer { type: "Pooling" bottom: "x" top: "y" pooling_param { kernel_size: 1.5 } }', ('Line 2', 'integer')),
                ('a { ' * 200, ('inside each other',)), (good + 'include { phase: 7 } }', ('Line 2', 'value'))]:
            with self.subTest(text=text):
                self.assertIn('deploy.prototxt', self.fails(C2g.Error.CORRUPT, head + text, *words))

    def test_rounding_down(self):
        """BVLC's Caffe has round_mode, others have ceil_mode."""
        x = random_array(1, 1, 6, 6)
        for field in 'round_mode: FLOOR', 'ceil_mode: false':
            y, = Model(text_of(layer('Pooling', f'pooling_param {{ kernel_size: 3 stride: 2 {field} }}'), [x.shape]), {}).predict(x)
            numpy.testing.assert_array_equal(y, [[[[x[0, 0, 2 * i:2 * i + 3, 2 * j:2 * j + 3].max() for j in range(2)]
                                                   for i in range(2)]]])

    def test_parameter_in_place(self):
        """A layer in place does not change a parameter, so each run gives the same."""
        text = ('layer { name: "p" type: "Parameter" top: "p" parameter_param { shape { dim: 2 } } }\n'
                'layer { name: "q" type: "Power" bottom: "p" top: "p" power_param { scale: 2 } }\n'
                'layer { name: "s" type: "Eltwise" bottom: "x" bottom: "p" top: "y" }')
        model = Model(text_of(text, [(2,)]), {'p/0': F([1, 3])})
        text, weights = model.files()
        predictor = C2g.Predictor.load_nets(weights, text, None, None, C2g.OptimizeFlags.ALL, None)
        for _ in range(2):
            self.assertEqual(list(numpy.asarray(predictor.run([C2g.from_dlpack(F([0, 1]))])[0])), [2, 7])

    def test_inputs_stay(self):
        """No layer in place writes into the caller's input, however many operators it becomes."""
        blobs = {'l/0': F([20]), 'm/0': random_array(12, 4), 'm/1': random_array(12), 'm/2': random_array(12, 3)}
        for kind, param, bottoms, tops, shapes in [
                ('Flatten', '', 'x', 'x', [(2, 3, 4, 4)]), ('Reshape', 'reshape_param { shape { dim: 0 dim: -1 } }', 'x', 'x', [(2, 3, 4, 4)]),
                ('Normalize', '', 'x', 'x', [(2, 3, 4, 4)]), ('Concat', '', 'xz', 'x', [(2, 3), (2, 3)]),
                ('Split', '', 'x', 'xa', [(2, 3)]), ('Filter', '', 'xz', 'x', [(2, 3), (2,)]),
                ('SPP', 'spp_param { pyramid_height: 1 }', 'x', 'x', [(1, 2, 4, 4)]),
                ('SPP', 'spp_param { pyramid_height: 2 }', 'x', 'x', [(1, 2, 4, 4)]),
                ('LSTM', 'recurrent_param { num_output: 3 }', 'xz', 'x', [(2, 3, 4), (2, 3)])]:
            inputs = [1 + abs(random_array(*shape)) for shape in shapes]
            model = Model(text_of(layer(kind, param, bottoms=bottoms, tops=tops), shapes).replace('"l" type: "LSTM"', '"m" type: "LSTM"'), blobs)
            with self.subTest(kind=kind, param=param):
                net, workspace = model.load()
                for name, array in zip('xz', inputs):
                    workspace.get_blob(name).set_object(new_tensor(array))
                workspace.run_net_once(net, None)
                for name, array in zip('xz', inputs):
                    numpy.testing.assert_array_equal(read(workspace.get_tensor(name)), array)

    def test_product_in_place(self):
        """A bottom may be a factor again after the first product has replaced it."""
        text = layer('ReLU', tops='a') + '\n' + layer('Eltwise', 'eltwise_param { operation: PROD }', bottoms='azaa', tops='a')
        y, = Model(text_of(text, [(2,), (2,)]), {}).predict(F([2, 3]), F([5, 7]))
        self.assertEqual(list(y), [40, 189])

    def test_softmax_of_another_size(self):
        """The text has a height and width of 1, and the picture is larger."""
        x = random_array(1, 3, 2, 2)
        y, = Model(text_of(layer('Softmax'), [(1, 3, 1, 1)]), {}).predict(x)
        numpy.testing.assert_allclose(y.sum(axis=1), numpy.ones((1, 2, 2)), rtol=1e-5)

    def test_axes_that_are_not_there(self):
        """Axes that do not exist are errors, even if their numbers overflow."""
        for kind, param in (('Flatten', 'flatten_param { axis: 2000000000 }'), ('Flatten', 'flatten_param { axis: 2 }'),
                            ('Flatten', 'flatten_param { end_axis: 9223372036854775807 }'),
                            ('Reduction', 'reduction_param { axis: 2 }'), ('Softmax', 'softmax_param { axis: -3 }')):
            with self.subTest(kind=kind, param=param):
                self.fails(C2g.Error.RANGE, text_of(layer(kind, param), [(2, 3)]), 'Line 2', 'axis')

    def test_many_layers(self):
        """Converts 100 000 layers to as many operators."""
        n = 100000
        text = ''.join(f'layer {{ name: "{i}" type: "ReLU" bottom: "{i}" top: "{i + 1}" }}\n' for i in range(n))
        net, _ = Model('input: "0" input_shape { dim: 2 }\n' + text, {}).load()
        self.assertEqual(net.get_n_operators(), n)
        self.assertEqual(net.get_external_outputs(), [str(n)])

    def test_faults(self):
        x = 'input: "x" input_shape { dim: 2 dim: 3 }\n'
        ip = layer('InnerProduct', 'inner_product_param { num_output: 4 }')
        self.fails(C2g.Error.NOT_FOUND, x + ip, 'net.caffemodel', 'l/0', 'Line 2', 'layer “l”', 'deploy.prototxt')
        self.fails(C2g.Error.SHAPE, x + ip, 'Line 2', 'layer “l”', blobs={'l/0': random_array(4, 5), 'l/1': random_array(4)})
        self.fails(C2g.Error.NOT_SUPPORTED, x + layer('Magic') + '\n' + layer('Wand'), '2 layers', 'Magic', 'line 3', 'Wand')
        circle = layer('ReLU', bottoms='a', tops='b') + layer('ReLU', bottoms='b', tops='a')
        self.fails(C2g.Error.NOT_FOUND, x + circle, 'No layer before it makes the bottom “a”')
        self.fails(C2g.Error.EXISTS, x + layer('ReLU') + layer('ReLU'), '“y”')
        self.fails(C2g.Error.EXISTS, x + layer('Split', tops='aa'), '“a”')
        self.fails(C2g.Error.EXISTS, x + layer('Split', tops='ax'), '“x”')
        self.fails(C2g.Error.CORRUPT, 'input: "x" input_shape: 4\n' + layer('ReLU'), 'Line 1', "'{'")
        self.fails(C2g.Error.CORRUPT, layer('Input', 'input_param { shape: 4 }', bottoms='', tops='x') + layer('ReLU'), 'Line 1', "'{'")
        self.fails(C2g.Error.CORRUPT, x + layer('ReLU', 'include: 4'), 'Line 2', "'{'")
        prior = 'prior_box_param { min_size: 4 offset: nan }'
        self.fails(C2g.Error.RANGE, text_of(layer('PriorBox', prior, bottoms='xz'), [(1, 3, 2, 2)] * 2), 'offset')
        self.fails(C2g.Error.SHAPE, text_of(layer('PriorBox', prior.replace('nan', '0'), bottoms='xz'), [(1, 3, 2, 2), (1, 3, 0, 0)]), 'height')
        self.fails(C2g.Error.CORRUPT, x, 'no layers')
        self.fails(C2g.Error.NOT_SUPPORTED, 'input: "x"\n' + layer('Softmax'), 'shape of “x”')
        self.fails(C2g.Error.NOT_SUPPORTED, x + layer('Pooling', 'pooling_param { pool: STOCHASTIC kernel_size: 2 }'), 'STOCHASTIC')
        self.fails(C2g.Error.INVALID_ARGUMENT, x + layer('Pooling'), 'kernel_size')
        workspace = C2g.Workspace()
        text, weights = Model(x + ip, {}).files()
        self.assertRaises(GLib.Error, C2g.caffe_net_load, text, weights, workspace, None, 0, None)
        self.assertEqual(workspace.list_blobs(), [])

    def test_data_made_twice(self):
        """As in Caffe, an input cannot have the name of another input, or of a top."""
        data = layer('Data', bottoms='', tops='x')
        for text in ('input: "x" input: "x" ' + layer('ReLU'), 'input: "x" ' + data + layer('ReLU'),
                     data + layer('Input', bottoms='', tops='zx') + layer('ReLU'),
                     'input: "x" ' + layer('ReLU') + layer('Input', bottoms='', tops='y')):
            with self.subTest(text=text):
                self.fails(C2g.Error.EXISTS, text, 'is made twice')
        self.fails(C2g.Error.EXISTS, 'input: "x"\n' + layer('ReLU') + layer('MemoryData', bottoms='', tops='zy'), 'Line 2', '“y”')

    def test_silence(self):
        """A bottom of Silence is no output. Silence may also read a top of a layer that is left out."""
        text = layer('Slice', tops='abc') + layer('SoftmaxWithLoss', bottoms='ax', tops=['loss'])
        silence = layer('Silence', bottoms=['b', 'x', 'loss'], tops='')
        for more, outputs in ('', 'abc'), (silence, 'ac'), (layer('ReLU', bottoms='b', tops='b') + silence, 'ac'):
            net, _ = Model(text_of(text + more, [(3, 3)]), {}).load()
            self.assertEqual(net.get_external_outputs(), list(outputs))

    def test_blobs_of_other_shapes(self):
        """The text and the weights must agree, even if the shape of the input is unknown."""
        for kind, param, blobs in [
                ('Convolution', 'convolution_param { num_output: 3 kernel_size: 3 }', {'l/0': random_array(4, 2, 3, 3), 'l/1': random_array(4)}),
                ('Convolution', 'convolution_param { kernel_size: 3 bias_term: false }', {'l/0': random_array(4, 2, 3, 3)}),
                ('Convolution', 'convolution_param { num_output: 4 kernel_size: 5 bias_term: false }', {'l/0': random_array(4, 2, 3, 3)}),
                ('Deconvolution', 'convolution_param { num_output: 4 kernel_size: 3 group: 2 bias_term: false }', {'l/0': random_array(4, 4, 3, 3)}),
                ('InnerProduct', 'inner_product_param { num_output: 3 bias_term: false }', {'l/0': random_array(4, 6)}),
                ('InnerProduct', 'inner_product_param { num_output: 6 bias_term: false transpose: true }', {'l/0': random_array(6, 4)}),
                ('Embed', 'embed_param { num_output: 3 input_dim: 5 bias_term: false }', {'l/0': random_array(5, 4)}),
                ('Embed', 'embed_param { num_output: 4 input_dim: 6 bias_term: false }', {'l/0': random_array(5, 4)}),
                ('Parameter', 'parameter_param { shape { dim: 2 dim: 4 } }', {'l/0': random_array(2, 3)}),
                ('Scale', '', {'l/0': random_array(2, 3)}), ('Bias', 'bias_param { num_axes: 2 }', {'l/0': random_array(1, 2, 3, 4)})]:
            with self.subTest(kind=kind, param=param):
                bottoms = 'x' if kind != 'Parameter' else ''
                self.fails(C2g.Error.SHAPE, 'input: "x"\n' + layer(kind, param, bottoms=bottoms), 'Line 2', 'layer “l”', blobs=blobs)
        self.fails(C2g.Error.NOT_SUPPORTED, 'input: "x"\n' + layer('Convolution', 'convolution_param { num_output: 4 kernel_size: 3 group: 3 }'),
                   'groups', blobs={'l/0': random_array(4, 2, 3, 3)})

    def test_names(self):
        """A blob of the text may have the name of a weight, and layers may have no names."""
        x, w = random_array(2, 3), random_array(3, 3)
        text = layer('InnerProduct', 'inner_product_param { num_output: 3 bias_term: false }', bottoms=['l/0'], tops=['l/bias'])
        self.check(text_of(text, [x.shape]).replace('"x"', '"l/0"'), x @ w.T, x, shapes=[], l_0=w)
        power = 'layer { type: "Power" bottom: "%s" top: "%s" power_param { shift: %d } }'
        self.check(power % ('x', 'a', 1) + power % ('a', 'b', 20), x + 21, x)
        text = layer('Convolution', 'convolution_param { num_output: 3 kernel_size: 1 bias_term: false }', bottoms='xz', tops='ab')
        model = Model(text_of(text, [(1, 2, 3, 3)] * 2), {'l/0': random_array(3, 2, 1, 1)})
        self.assertEqual(model.load()[0].get_external_inputs(), ['x', 'z', 'l/0'])

    def test_types_are_exact(self):
        """Each version has its own names of types; Caffe tells capitals from small letters."""
        names = 'bottom: "x" top: "y"'
        for text in (f'layer {{ type: "ReLU" {names} }}', f'layers {{ type: RELU {names} }}', f'layers {{ type: 18 {names} }}',
                     f'layers {{ layer {{ type: "relu" }} {names} }}'):
            self.check(text, numpy.maximum(random_array(2, 3), 0), random_array(2, 3))
        for text in (f'layer {{ type: "RELU" {names} }}', f'layer {{ type: "relu" {names} }}', f'layer {{ type: "18" {names} }}',
                     f'layers {{ type: ReLU {names} }}', f'layers {{ type: RE_LU {names} }}', f'layers {{ type: 40 {names} }}',
                     f'layers {{ layer {{ type: "RELU" }} {names} }}', f'layers {{ layer {{ type: "power" }} {names} }}'):
            with self.subTest(text=text):
                self.fails(C2g.Error.NOT_SUPPORTED, 'input: "x"\n' + text, '1 layers')

    def told(self, function):
        """Records the library's messages about fields that it ignored."""
        with tempfile.TemporaryFile() as told:
            stderr = os.dup(2)
            os.dup2(told.fileno(), 2)
            try:
                function()
            finally:
                os.dup2(stderr, 2)
                os.close(stderr)
            told.seek(0)
            return [line for line in told.read().decode().splitlines() if 'left out' in line]

    def test_unknown_fields(self):
        """A known field is not reported as unknown: it is used, changes nothing, or makes the layer fail."""
        lrn = 'lrn_param { norm_region: WITHIN_CHANNEL k: 2 magic: 3 }'
        self.assertEqual(self.told(lambda: self.fails(C2g.Error.NOT_FOUND, text_of(layer('Convolution', 'convolution_param { kernel_size: 3 pad: 1 }'), [(1, 2, 3, 3)]))), [])
        line, = self.told(Model(text_of(layer('LRN', lrn), [(1, 2, 3, 3)]), {}).load)
        self.assertIn('deploy.prototxt:2: Layer “l”: the field “magic”', line)

    def test_wrong_names_of_fields(self):
        """If a required field is missing, the error names unknown fields: it may be misspelt."""
        blobs = {'l/0': random_array(6, 4, 3, 3), 'l/1': random_array(6)}
        param = 'convolution_param { num_output: 6 group: 1 bias_term: true weight_filler { type: "xavier" } pad: 1\n kernelsize: 3 }'
        message = self.fails(C2g.Error.INVALID_ARGUMENT, text_of(layer('Convolution', param), [(1, 4, 9, 9)]), blobs=blobs)
        self.assertTrue(message.endswith('kernel_size is missing; nothing reads its field “kernelsize” in line 3'), message)
        message = self.fails(C2g.Error.INVALID_ARGUMENT, text_of(layer('Pooling', 'pooling_param { kernel: 2 stride: 2 }'), [(1, 4, 9, 9)]))
        self.assertTrue(message.endswith('kernel_size is missing; nothing reads its field “kernel” in line 2'), message)
        message = self.fails(C2g.Error.INVALID_ARGUMENT, text_of(layer('Pooling', 'pooling_param { kernel_size: -2 }'), [(1, 4, 9, 9)]))
        self.assertTrue(message.endswith('kernel_size cannot be -2'), message)

    def test_many_unknown_fields(self):
        """Only some fields are named, and finding the line of a later one takes no longer."""
        fields = ''.join(f'magic_{i}: 1\n' for i in range(200000))
        begin = time.monotonic()
        message = self.fails(C2g.Error.INVALID_ARGUMENT, text_of(layer('Pooling', f'pooling_param {{\n{fields} }}'), [(1, 4, 9, 9)]))
        self.assertIn('its field “magic_49” in line 52; nor 199950 more', message)
        lines = self.told(Model(text_of(layer('LRN', f'lrn_param {{\n{fields} }}'), [(1, 2, 3, 3)]), {}).load)
        self.assertEqual(len(lines), 51)
        self.assertIn('prototxt:52: Layer “l”: the field “magic_49”', lines[-2])
        self.assertIn('prototxt: 199950 more fields', lines[-1])
        self.assertLess(time.monotonic() - begin, 20)

    def test_files_in_any_order(self):
        """The text and the weights can be given in any order. Two files of one kind give an error that explains what a model is."""
        model = Model(text_of(layer('Power', 'power_param { shift: 1 }'), [(2, 3)]), {})
        text, weights = model.files()
        load = lambda a, b: C2g.caffe_net_load(a, b, C2g.Workspace(), None, 0, None)  # noqa: E731
        predict = lambda a, b: C2g.Predictor.load_nets(a, b, None, None, C2g.OptimizeFlags.ALL, None)  # noqa: E731
        for function in load, predict:
            for pair in (text, weights), (weights, text):
                function(*pair)
            for pair, words in [((weights, weights), 'a model is that and its text, as in' if function == predict else
                                 'is no text of a net; a model of Caffe is one file with blobs and its text'),
                                ((text, text), 'together with its .caffemodel, as in net.caffemodel,deploy.prototxt')]:
                with self.subTest(words=words), self.assertRaises(GLib.Error) as caught:
                    function(*pair)
                self.assertIn(words, caught.exception.message)
        with self.assertRaises(GLib.Error) as caught:
            predict(weights, text).run([])
        self.assertEqual(caught.exception.message, 'Nothing was given for the input “x”')

    def test_half_a_model(self):
        """Loads only the blobs, and nets of Caffe2 in the wrong order."""
        with tempfile.TemporaryDirectory() as folder:
            weights = Gio.File.new_for_path(os.path.join(folder, 'net.caffemodel'))
            workspace = C2g.Workspace()
            workspace.create_blob('l/0').set_object(C2g.from_dlpack(F([1, 2])))
            workspace.save_checkpoint(weights, None, None)
            with self.assertRaises(GLib.Error) as caught:
                C2g.Predictor.load(weights, None, None, C2g.OptimizeFlags.ALL, None)
            self.assertTrue(caught.exception.matches(C2g.Error.quark(), C2g.Error.NOT_SUPPORTED))
            self.assertIn('has the blobs of a net of Caffe; a model is that and its text, as in ', caught.exception.message)
            init, predict = (Gio.File.new_for_path(os.path.join(folder, name)) for name in ('init_net.pb', 'predict_net.pb'))
            fill = C2g.OperatorDef.new('ConstantFill')
            fill.add_output('w')
            fill.set_ints('shape', [2])
            add = C2g.OperatorDef.new('Add')
            for name in 'x', 'w':
                add.add_input(name)
            add.add_output('y')
            for file, op in (init, fill), (predict, add):
                net = C2g.NetDef.new('net')
                net.add_operator(op)
                for name in op.get_inputs():
                    net.add_external_input(name)
                net.save_file(file, False, None)
            C2g.Predictor.load_nets(init, predict, None, None, C2g.OptimizeFlags.ALL, None)
            with self.assertRaises(GLib.Error) as caught:
                C2g.Predictor.load_nets(predict, init, None, None, C2g.OptimizeFlags.ALL, None)
            self.assertIn('The nets are swapped, the one that fills blobs comes first: ', caught.exception.message)
            text = Gio.File.new_for_path(os.path.join(folder, 'deploy.prototxt'))
            text.replace_contents(b'input: "data"', None, False, 0, None)
            for file, message in (predict, 'is one net; a model is two'), (text, 'a net of Caffe is opened together with its .caffemodel'):
                with self.assertRaises(GLib.Error) as caught:
                    C2g.Predictor.load(file, None, None, C2g.OptimizeFlags.ALL, None)
                self.assertIn(message, caught.exception.message)

    def test_manual(self):
        """The manual lists every type, and what it is converted to."""
        table = (ROOT / 'c2g' / 'caffe' / 'model' / 'c2g-caffe-layer-types.c').read_text()
        rows = dict(re.findall(r'^\| `(\w+)` \| (.*?) \|', (ROOT / 'doc' / 'caffe-layers.md').read_text(), re.M))
        types = set(re.findall(r'^  \{ "(\w+)", (?:"\w+_param"|NULL),', table, re.M))
        self.assertEqual(types, {name for name, becomes in rows.items() if becomes != 'unknown'})


if __name__ == '__main__':
    unittest.main()
