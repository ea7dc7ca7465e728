# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs layers of Caffe with random parameters and sizes, and compares with NumPy by Caffe's definitions.

Batches have 0, 1 or 3 images. C2G_CAFFE_CASES is how many layers of each type there are, 12 if nobody says. With
C2G_CAFFE_OPENCV=1, OpenCV's importer runs them too, if it is there, as a second opinion.
"""

import math
import os
import random
import re
import unittest

import numpy

from caffe_testing import CaffeTestCase, F, Model, convolve, layer, pool, recur, text_of

try:
    import cv2
except ImportError:
    cv2 = None

N_CASES = int(os.environ.get('C2G_CAFFE_CASES', 12))
WANTS_OPENCV = os.environ.get('C2G_CAFFE_OPENCV') == '1'


class Draw(random.Random):
    """Creates random parameters and arrays for one layer."""

    def __init__(self, kind, seed):
        super().__init__(f'{kind} {seed}')
        self.n = (1, 3, 0)[seed % 3]
        self.numbers = numpy.random.default_rng(self.getrandbits(32))

    def array(self, *shape, low=-1, high=1):
        return self.numbers.uniform(low, high, shape).astype(F)

    def image(self, channels=None, least=1):
        return self.array(self.n, channels or self.randint(1, 4), *(self.randint(least, 7) for _ in 'hw'))

    def any_rank(self, least=2):
        return self.array(self.n, *(self.randint(1, 5) for _ in range(self.randint(least, 4) - 1)))

    def axis(self, x):
        """Returns an axis after the batch, counted from the front or from the end."""
        axis = self.randint(1, x.ndim - 1)
        return axis, self.choice((axis, axis - x.ndim))

    def pair(self, low, high):
        return self.randint(low, high), self.randint(low, high)


def spell(**pairs):
    return ' '.join(f'{name}_{end}: {value}' for name, pair in pairs.items() for end, value in zip('hw', pair))


def convolution(draw):
    group = draw.choice((1, 1, 2, 3))
    kernel, stride, pad, dilation = draw.pair(1, 3), draw.pair(1, 5), draw.choice(((0, 0), (0, 2), (1, 0), (2, 1))), draw.pair(1, 2)
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
    x = draw.array(draw.n, group * draw.randint(1, 2), *(r + draw.randint(0, 6) for r in reach))
    w = draw.array(group * draw.randint(1, 3), x.shape[1] // group, *kernel)
    b = draw.array(len(w))
    param = (f'num_output: {len(w)} group: {group} dilation: [{dilation[0]}, {dilation[1]}] {spell(kernel=kernel, stride=stride, pad=pad)}')
    return f'convolution_param {{ {param} }}', [x], [convolve(x, w, b, stride, pad, dilation, group)], [w, b]


def deconvolution(draw):
    group = draw.choice((1, 1, 2, 3))
    kernel, stride, dilation = draw.pair(1, 3), draw.pair(1, 4), draw.pair(1, 2)
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
    x = draw.image(2 * group, 2)
    pad = [draw.randint(0, (r - 1) // 2) for r in reach]
    w = draw.array(2 * group, draw.randint(1, 3), *kernel)
    b = draw.array(group * w.shape[1])
    y = numpy.zeros((len(x), len(b), *(s * (n - 1) + r for s, n, r in zip(stride, x.shape[2:], reach))))
    for i, j, k, m in numpy.ndindex(*x.shape[2:], *kernel):
        for g in range(group):
            top, left = i * stride[0] + k * dilation[0], j * stride[1] + m * dilation[1]
            own = slice(2 * g, 2 * g + 2)
            y[:, g * w.shape[1]:(g + 1) * w.shape[1], top, left] += x[:, own, i, j].astype(float) @ w[own, :, k, m]
    y = y[:, :, pad[0]:y.shape[2] - pad[0], pad[1]:y.shape[3] - pad[1]] + b[:, None, None]
    param = f'num_output: {len(b)} group: {group} dilation: [{dilation[0]}, {dilation[1]}] {spell(kernel=kernel, stride=stride, pad=pad)}'
    return f'convolution_param {{ {param} }}', [x], [y], [w, b]


def pooling(draw):
    method = draw.choice(('MAX', 'AVE'))
    kernel, stride = draw.pair(1, 4), draw.pair(1, 6)
    pad = [draw.choice((0, draw.randint(0, k - 1))) for k in kernel]
    x = draw.array(draw.n, 2, *(k + draw.randint(0, 7) for k in kernel))
    return f'pooling_param {{ pool: {method} {spell(kernel=kernel, stride=stride, pad=pad)} }}', [x], [pool(x, method, kernel, stride, pad)], []


def spp(draw):
    method, n_levels = draw.choice(('MAX', 'AVE')), draw.randint(1, 3)
    x = draw.array(draw.n, 2, *(4 * draw.randint(1, 3) + draw.randint(0, 1) * 3 for _ in 'hw'))
    levels = []
    for n in (2 ** i for i in range(n_levels)):
        kernel = [-(-length // n) for length in x.shape[2:]]
        levels.append(pool(x, method, kernel, kernel, [(k * n - length + 1) // 2 for k, length in zip(kernel, x.shape[2:])]))
    y = levels[0] if n_levels == 1 else numpy.concatenate([level.reshape(draw.n, math.prod(level.shape[1:])) for level in levels], 1)
    return f'spp_param {{ pool: {method} pyramid_height: {n_levels} }}', [x], [y], []


def lrn(draw):
    x, size, alpha, beta, k = draw.image(6), draw.choice((1, 3, 5)), draw.uniform(0.5, 2), draw.uniform(0.5, 1), draw.uniform(1, 2)
    half = size // 2
    if draw.random() < 0.5:
        squares = numpy.stack([(x[:, max(c - half, 0):c + half + 1].astype(float) ** 2).sum(1) for c in range(6)], 1)
        return f'lrn_param {{ local_size: {size} alpha: {alpha} beta: {beta} k: {k} }}', [x], [x * (k + alpha / size * squares) ** -beta], []
    # Caffe ignores k if it normalizes within a channel.
    squares = pool(x * x, 'AVE', (size, size), (1, 1), (half, half)) if size > 1 else x * x
    return (f'lrn_param {{ norm_region: WITHIN_CHANNEL local_size: {size} alpha: {alpha} beta: {beta} k: {k} }}', [x],
            [x * (1 + alpha * squares) ** -beta], [])


def eltwise(draw):
    x = draw.any_rank()
    inputs = [x] + [draw.array(*x.shape) for _ in range(draw.randint(1, 2))]
    operation = draw.choice(('PROD', 'SUM', 'MAX', 'COEFF'))
    if operation == 'COEFF':
        factors = [round(draw.uniform(-2, 2), 3) for _ in inputs]
        return f'eltwise_param {{ coeff: {factors} }}', inputs, [sum(a * b for a, b in zip(inputs, factors))], []
    function = {'PROD': numpy.prod, 'SUM': numpy.sum, 'MAX': numpy.max}[operation]
    return f'eltwise_param {{ operation: {operation} }}', inputs, [function(numpy.stack(inputs), axis=0)], []


def batch_norm(draw):
    x, factor, eps = 100 + draw.any_rank(), draw.choice((1, 999.98, 0)), draw.choice((1e-5, 1e-2))
    mean, variance = (100 + draw.array(x.shape[1])) * factor, (0.1 + abs(draw.array(x.shape[1]))) * (factor or 1)
    scale = F(1) / F(factor) if factor else F(0)
    shape = (-1, *[1] * (x.ndim - 2))
    mean, variance = mean.astype(F), variance.astype(F)
    y = (x - (mean * scale).reshape(shape).astype(float)) / numpy.sqrt((variance * scale).reshape(shape) + eps)
    return f'batch_norm_param {{ eps: {eps} }}', [x], [y], [mean, variance, F([factor])]


def along(draw, x):
    """Returns an axis, a number of axes after it, and the shape of these axes alone."""
    axis, spelled = draw.axis(x)
    n_axes = draw.randint(1, x.ndim - axis)
    return spelled, n_axes, (*x.shape[axis:axis + n_axes], *[1] * (x.ndim - axis - n_axes))


def scale(draw):
    x = draw.any_rank()
    axis, n_axes, shape = along(draw, x)
    s, b = draw.array(*shape), draw.array(*shape)
    return (f'scale_param {{ axis: {axis} num_axes: {n_axes} bias_term: true }}', [x], [x * s + b],
            [array.reshape(shape[:n_axes]) for array in (s, b)])


def bias(draw):
    x = draw.any_rank()
    axis, n_axes, shape = along(draw, x)
    b = draw.array(*shape)
    return f'bias_param {{ axis: {axis} num_axes: {n_axes} }}', [x], [x + b], [b.reshape(shape[:n_axes])]


def inner_product(draw):
    x = draw.any_rank()
    axis, spelled = draw.axis(x)
    n, k, is_turned = draw.randint(1, 5), math.prod(x.shape[axis:]), draw.random() < 0.5
    w, b = draw.array(n, k), draw.array(n)
    y = x.reshape(*x.shape[:axis], k).astype(float) @ w.T + b
    return (f'inner_product_param {{ num_output: {n} axis: {spelled} transpose: {str(is_turned).lower()} }}', [x], [y],
            [w.T if is_turned else w, b])


def softmax(draw):
    x = 9 * draw.any_rank()
    axis, spelled = draw.axis(x)
    powers = numpy.exp(x.astype(float) - x.max(axis, keepdims=True))
    return f'softmax_param {{ axis: {spelled} }}', [x], [powers / powers.sum(axis, keepdims=True)], []


def concat(draw):
    x = draw.any_rank()
    axis, spelled = draw.axis(x)
    other = draw.array(*x.shape[:axis], draw.randint(1, 4), *x.shape[axis + 1:])
    return f'concat_param {{ axis: {spelled} }}', [x, other], [numpy.concatenate([x, other], axis)], []


def slices(draw):
    sizes = [draw.randint(1, 4) for _ in range(draw.randint(2, 3))]
    x = draw.any_rank()
    axis, spelled = draw.axis(x)
    x = draw.array(*x.shape[:axis], sum(sizes), *x.shape[axis + 1:])
    points = list(numpy.cumsum(sizes)[:-1])
    return f'slice_param {{ axis: {spelled} {" ".join(f"slice_point: {point}" for point in points)} }}', [x], numpy.split(x, points, axis), []


def permute(draw):
    x = draw.any_rank()
    order = draw.sample(range(x.ndim), x.ndim)
    named = order[:draw.randint(0, x.ndim)]
    order = named + [axis for axis in range(x.ndim) if axis not in named]
    return f'permute_param {{ {" ".join(f"order: {axis}" for axis in named)} }}', [x], [x.transpose(order)], []


def tile(draw):
    x, times = draw.any_rank(), draw.randint(1, 3)
    axis, spelled = draw.axis(x)
    return f'tile_param {{ axis: {spelled} tiles: {times} }}', [x], [numpy.concatenate([x] * times, axis)], []


def flatten(draw):
    x = draw.any_rank()
    axis, spelled = draw.axis(x)
    end = draw.randint(axis, x.ndim - 1)
    shape = *x.shape[:axis], math.prod(x.shape[axis:end + 1]), *x.shape[end + 1:]
    return f'flatten_param {{ axis: {spelled} end_axis: {draw.choice((end, end - x.ndim))} }}', [x], [x.reshape(shape)], []


def reshape(draw):
    x = draw.any_rank()
    axis = draw.randint(1, x.ndim - 1)
    n_axes = draw.randint(0, x.ndim - axis)
    inside = math.prod(x.shape[axis:axis + n_axes])
    shape = *x.shape[:axis], 1, inside, *x.shape[axis + n_axes:]
    return f'reshape_param {{ shape {{ dim: 1 dim: {draw.choice((-1, inside))} }} axis: {axis} num_axes: {n_axes} }}', [x], [x.reshape(shape)], []


def reduction(draw):
    x, factor = draw.any_rank(), round(draw.uniform(-2, 2), 3)
    axis, spelled = draw.axis(x)
    name, function = draw.choice((('SUM', lambda rows: rows.sum(-1)), ('ASUM', lambda rows: abs(rows).sum(-1)),
                                  ('SUMSQ', lambda rows: (rows ** 2).sum(-1)), ('MEAN', lambda rows: rows.mean(-1))))
    rows = x.reshape(*x.shape[:axis], math.prod(x.shape[axis:])).astype(float)
    return f'reduction_param {{ operation: {name} axis: {spelled} coeff: {factor} }}', [x], [numpy.asarray(factor * function(rows))], []


def arg_max(draw):
    x, gives_values = draw.any_rank(), draw.random() < 0.5
    if draw.random() < 0.5:
        axis, spelled = draw.axis(x)
        top_k = draw.randint(1, x.shape[axis])
        places = numpy.argsort(-x, axis)[(slice(None),) * axis + (slice(0, top_k),)]
        y = numpy.take_along_axis(x, places, axis) if gives_values else places
        return f'argmax_param {{ axis: {spelled} top_k: {top_k} out_max_val: {str(gives_values).lower()} }}', [x], [y], []
    rows = x.reshape(len(x), math.prod(x.shape[1:]))
    top_k = draw.randint(1, rows.shape[1])
    places = numpy.argsort(-rows, 1)[:, :top_k]
    parts = [places, numpy.take_along_axis(rows, places, 1)] if gives_values else [places]
    y = numpy.stack(parts, 1).reshape(len(x), len(parts), top_k, *[1] * (x.ndim - 3))
    return f'argmax_param {{ top_k: {top_k} out_max_val: {str(gives_values).lower()} }}', [x], [y], []


def crop(draw):
    x = draw.image(least=2)
    axis = draw.randint(1, 3)
    sizes = [draw.randint(1, n) for n in x.shape[axis:]]
    offsets = [draw.randint(0, n - size) for n, size in zip(x.shape[axis:], sizes)]
    like = draw.array(draw.n, *x.shape[1:axis], *sizes)
    y = x[(..., *(slice(o, o + n) for o, n in zip(offsets, sizes)))]
    return f'crop_param {{ axis: {draw.choice((axis, axis - 4))} {" ".join(f"offset: {o}" for o in offsets)} }}', [x, like], [y], []


def mvn(draw):
    x, is_across, is_scaled = draw.image(least=2), draw.random() < 0.5, draw.random() < 0.5
    axes = (1, 2, 3) if is_across else (2, 3)
    y = x - x.mean(axes, dtype=float, keepdims=True)
    y = y / (x.std(axes, dtype=float, keepdims=True) + 1e-3) if is_scaled else y
    param = f'normalize_variance: {str(is_scaled).lower()} across_channels: {str(is_across).lower()} eps: 1e-3'
    return f'mvn_param {{ {param} }}', [x], [y], []


def normalize(draw):
    x, is_across, is_shared = draw.image(), draw.random() < 0.5, draw.random() < 0.5
    norm = numpy.sqrt((x.astype(float) ** 2).sum((1, 2, 3) if is_across else 1, keepdims=True) + 1e-3)
    factors = draw.array(1 if is_shared else x.shape[1])
    param = f'across_spatial: {str(is_across).lower()} channel_shared: {str(is_shared).lower()} eps: 1e-3'
    return f'norm_param {{ {param} }}', [x], [x / norm * factors[:, None, None]], [factors]


def embed(draw):
    rows, w, b = draw.any_rank(1), draw.array(7, draw.randint(1, 5)), None
    rows, b = numpy.floor(abs(rows) * 6.9), draw.array(w.shape[1])
    return f'embed_param {{ num_output: {len(b)} input_dim: 7 }}', [rows], [w[rows.astype(int)] + b], [w, b]


def roi_pooling(draw):
    x, sizes = draw.array(2, 3, *draw.pair(5, 12)), draw.pair(1, 4)
    corners = numpy.sort(numpy.random.default_rng(draw.randint(0, 99)).integers(-2, 28, (draw.n, 2, 2)), axis=1).reshape(draw.n, 4)
    rows = numpy.concatenate([numpy.arange(draw.n)[:, None] % 2, corners], 1).astype(F)
    y = numpy.zeros((draw.n, 3, *sizes))
    for i, (image, *box) in enumerate(rows):
        left, top, right, bottom = (math.floor(float(corner) / 2 + 0.5) if corner >= 0 else -math.floor(-float(corner) / 2 + 0.5) for corner in box)
        bins = F(max(bottom - top + 1, 1)) / F(sizes[0]), F(max(right - left + 1, 1)) / F(sizes[1])
        for p, q in numpy.ndindex(*sizes):
            a, b = (min(max(int(numpy.floor(F(p) * bins[0])) + top, 0), x.shape[2]), min(max(int(numpy.ceil(F(p + 1) * bins[0])) + top, 0), x.shape[2]))
            c, d = (min(max(int(numpy.floor(F(q) * bins[1])) + left, 0), x.shape[3]), min(max(int(numpy.ceil(F(q + 1) * bins[1])) + left, 0), x.shape[3]))
            if a < b and c < d:
                y[i, :, p, q] = x[int(image), :, a:b, c:d].max((1, 2))
    return f'roi_pooling_param {{ pooled_h: {sizes[0]} pooled_w: {sizes[1]} spatial_scale: 0.5 }}', [x, rows], [y], []


def prelu(draw):
    x, is_shared = draw.any_rank(), draw.random() < 0.5
    slopes = draw.array(1 if is_shared else x.shape[1])
    y = numpy.where(x > 0, x, x * slopes.reshape(-1, *[1] * (x.ndim - 2)))
    # In Caffe a slope that all channels share has no axes.
    return f'prelu_param {{ channel_shared: {str(is_shared).lower()} }}', [x], [y], [slopes.reshape(()) if is_shared else slopes]


def elements(draw):
    """A layer that computes each element by itself; its type comes first."""
    x, a, b, base = 3 * draw.any_rank(1), round(draw.uniform(0.1, 2), 3), round(draw.uniform(-1, 1), 3), draw.choice((-1, 2, 10))
    wide, log_base = x.astype(float), 1 if base == -1 else math.log(base)
    kind, param, y = draw.choice((
        ('AbsVal', '', abs(wide)), ('BNLL', '', numpy.log1p(numpy.exp(wide))), ('Sigmoid', '', 1 / (1 + numpy.exp(-wide))),
        ('TanH', '', numpy.tanh(wide)), ('ReLU', f'relu_param {{ negative_slope: {a} }}', numpy.where(wide > 0, wide, a * wide)),
        ('ReLU', '', numpy.maximum(wide, 0)), ('ELU', f'elu_param {{ alpha: {a} }}', numpy.where(wide > 0, wide, a * numpy.expm1(wide))),
        ('Power', f'power_param {{ power: 3 scale: {a} shift: {b} }}', (a * wide + b) ** 3),
        ('Exp', f'exp_param {{ base: {base} scale: {a} shift: {b} }}', numpy.exp(log_base * (a * wide + b))),
        ('Log', f'log_param {{ base: {base} scale: {a} shift: 9 }}', numpy.log(a * wide + 9) / log_base),
        ('Threshold', f'threshold_param {{ threshold: {b} }}', x > F(b)), ('Dropout', '', wide)))
    return kind, param, [x], [y], []


def recurrent(kind):
    def make(draw):
        n_steps, n, n_gates = draw.randint(1, 4), draw.randint(1, 4), 4 if kind == 'LSTM' else 1
        x, cont = draw.array(n_steps, draw.n, 3), draw.numbers.integers(0, 2, (n_steps, draw.n)).astype(F)
        blobs = [draw.array(n_gates * n, 3), draw.array(n_gates * n), draw.array(n_gates * n, n)]
        blobs += [draw.array(n, n), draw.array(n)] if kind == 'RNN' else []
        y = recur(kind, x, cont, blobs)[0].reshape(n_steps, draw.n, n)
        return f'recurrent_param {{ num_output: {n} }}', [x, cont], [y], blobs
    return make


LAYERS = {
    'ArgMax': arg_max, 'BatchNorm': batch_norm, 'Bias': bias, 'Concat': concat, 'Convolution': convolution, 'Crop': crop,
    'Deconvolution': deconvolution, 'Eltwise': eltwise, 'elements': elements, 'Embed': embed, 'Flatten': flatten,
    'InnerProduct': inner_product, 'LRN': lrn, 'LSTM': recurrent('LSTM'), 'MVN': mvn, 'Normalize': normalize, 'Permute': permute,
    'Pooling': pooling, 'PReLU': prelu, 'Reduction': reduction, 'Reshape': reshape, 'RNN': recurrent('RNN'), 'ROIPooling': roi_pooling,
    'Scale': scale, 'Slice': slices, 'Softmax': softmax, 'SPP': spp, 'Tile': tile,
}


def draw_model(kind, seed):
    """Returns the model, the inputs and the expected outputs."""
    draw = Draw(kind, seed)
    *kinds, param, inputs, expected, blobs = LAYERS[kind](draw)
    text = layer(*kinds or [kind], param, bottoms='xzw'[:len(inputs)], tops='abc'[:len(expected)])
    # The text has a batch of one image if the array has none.
    axis = 1 if kind in ('LSTM', 'RNN') else 0
    shapes = [[n or int(i == axis) for i, n in enumerate(array.shape)] for array in inputs]
    return Model(text_of(text, shapes), {f'l/{i}': blob for i, blob in enumerate(blobs)}), inputs, expected


class RandomLayers(CaffeTestCase):
    def test_layers(self):
        for kind in LAYERS:
            for seed in range(N_CASES):
                model, inputs, expected = draw_model(kind, seed)
                with self.subTest(kind=kind, seed=seed, text=model.text.read_text()):
                    self.assert_alike(model.predict(*inputs), expected)


# Layers that OpenCV 4.11 runs differently, or not at all: see doc/caffe-layers.md.
OPENCV_FAULTS = {
    'BatchNorm': None, 'Concat': None, 'Convolution': None, 'Crop': None, 'Deconvolution': r'dilation: \[(?!1, 1)', 'Eltwise': None,
    'elements': 'Log', 'Flatten': None, 'InnerProduct': 'transpose: true', 'LRN': r'lrn_param \{ local_size', 'MVN': 'normalize_variance: true',
    'Normalize': 'across_spatial: true channel_shared: false', 'ROIPooling': None, 'Slice': None, 'Softmax': None,
    # The stride may be larger than the kernel, and only one axis may have a margin.
    'Pooling': 'stride_[hw]: [2-6]|pad_h: 0 pad_w: [1-9]|pad_h: [1-9] pad_w: 0',
}


@unittest.skipUnless(cv2 and WANTS_OPENCV, 'needs OpenCV, and C2G_CAFFE_OPENCV=1')
class OpenCV(CaffeTestCase):
    def run_opencv(self, model, inputs):
        net = cv2.dnn.readNetFromCaffe(str(model.text), str(model.weights))
        for name, array in zip('xzw', inputs):
            net.setInput(numpy.ascontiguousarray(array, F), name)
        return net.forwardAndRetrieve(net.getUnconnectedOutLayersNames())[0]

    def test_second_opinion(self):
        n_compared = 0
        for kind, fault in OPENCV_FAULTS.items():
            for seed in range(N_CASES):
                model, inputs, _ = draw_model(kind, seed)
                text = model.text.read_text()
                if any(array.size == 0 for array in inputs) or (fault and re.search(fault, text)):
                    continue
                with self.subTest(kind=kind, seed=seed, text=text):
                    outputs = model.predict(*inputs)
                    # OpenCV has no tensors of one dimension, and scales before it subtracts the mean.
                    for output, other in zip(outputs, self.run_opencv(model, inputs), strict=True):
                        numpy.testing.assert_allclose(output, numpy.reshape(other, output.shape), rtol=1e-4, atol=1e-4)
                    n_compared += 1
        self.assertGreater(n_compared, len(OPENCV_FAULTS))


if __name__ == '__main__':
    unittest.main()
