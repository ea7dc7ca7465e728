# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Writes models of Caffe to files, and computes Caffe's layers by their definitions, in NumPy."""

import math
import tempfile
import unittest
from pathlib import Path

import gi
import numpy

gi.require_version('C2g', '1')
from gi.repository import C2g, Gio, GLib  # noqa: E402

F = numpy.float32


def random_array(*shape):
    return numpy.random.default_rng(sum(shape) + len(shape)).uniform(-1, 1, shape).astype(F)


def new_tensor(array):
    data = GLib.Bytes.new(numpy.ascontiguousarray(array, F).tobytes())
    return C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, array.shape, data)


def read(tensor):
    return numpy.array(tensor, copy=True)


class Model:
    """A temporary folder with two files."""

    def __init__(self, text, blobs):
        self.folder = tempfile.TemporaryDirectory()
        self.text = Path(self.folder.name, 'deploy.prototxt')
        self.text.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.weights = Path(self.folder.name, 'net.caffemodel')
        if isinstance(blobs, Path):
            self.weights = blobs
            return
        workspace = C2g.Workspace()
        for name, array in ({'none/0': F([0])} | blobs).items():
            workspace.create_blob(name).set_object(new_tensor(array))
        workspace.save_checkpoint(Gio.File.new_for_path(str(self.weights)), None, None)

    def files(self):
        return Gio.File.new_for_path(str(self.text)), Gio.File.new_for_path(str(self.weights))

    def load(self, stages=None, level=0):
        text, weights = self.files()
        workspace = C2g.Workspace()
        return C2g.caffe_net_load(text, weights, workspace, stages, level, None), workspace

    def predict(self, *inputs):
        text, weights = self.files()
        predictor = C2g.Predictor.load_nets(weights, text, None, None, C2g.OptimizeFlags.ALL, None)
        return [read(tensor) for tensor in predictor.run([new_tensor(array) for array in inputs])]


def layer(kind, param='', more='', bottoms=('x',), tops=('y',)):
    names = ''.join(f' bottom: "{b}"' for b in bottoms) + ''.join(f' top: "{t}"' for t in tops)
    return f'layer {{ name: "l" type: "{kind}"{names} {param} {more} }}'


def text_of(layers, shapes):
    inputs = ''
    for name, shape in zip('xzw', shapes):
        dims = ' '.join(f'dim: {n}' for n in shape)
        inputs += f'input: "{name}" input_shape {{ {dims} }}\n'
    return inputs + layers


def windows(x, kernel, stride, pad, dilation=(1, 1), fill=0.0, ceil=False):
    """Yields the place and the elements of each of Caffe's windows over the last two axes."""
    height, width = x.shape[2:]
    sizes = []
    for n, k, s, p, d in zip((height, width), kernel, stride, pad, dilation):
        whole = n + 2 * p - (d * (k - 1) + 1)
        out = (math.ceil(whole / s) if ceil else whole // s) + 1
        if ceil and any(pad) and (out - 1) * s >= n + p:
            out -= 1
        sizes.append(out)
    return sizes


def convolve(x, w, b, stride, pad, dilation=(1, 1), group=1):
    n, c, height, width = x.shape
    out_h, out_w = windows(x, w.shape[2:], stride, pad, dilation)
    padded = numpy.pad(x, ((0, 0), (0, 0), (pad[0],) * 2, (pad[1],) * 2)).astype(float)
    y = numpy.zeros((n, len(w), out_h, out_w))
    per = len(w) // group
    for o in range(len(w)):
        g = o // per
        part = padded[:, g * c // group:(g + 1) * c // group]
        for i in range(out_h):
            for j in range(out_w):
                rows = i * stride[0] + dilation[0] * numpy.arange(w.shape[2])
                columns = j * stride[1] + dilation[1] * numpy.arange(w.shape[3])
                y[:, o, i, j] = (part[:, :, rows][:, :, :, columns] * w[o]).sum((1, 2, 3)) + b[o]
    return y


def pool(x, method, kernel, stride, pad):
    n, c, height, width = x.shape
    out_h, out_w = windows(x, kernel, stride, pad, ceil=True)
    y = numpy.zeros((n, c, out_h, out_w))
    for i in range(out_h):
        for j in range(out_w):
            top, left = i * stride[0] - pad[0], j * stride[1] - pad[1]
            bottom, right = min(top + kernel[0], height + pad[0]), min(left + kernel[1], width + pad[1])
            size = (bottom - top) * (right - left)
            part = x[:, :, max(top, 0):min(bottom, height), max(left, 0):min(right, width)].astype(float)
            if method == 'AVE':
                # Caffe divides 0 by 0 if a window has no elements.
                y[:, :, i, j] = part.sum((2, 3)) / size if part.size else 0
            else:
                y[:, :, i, j] = part.max((2, 3)) if part.shape[2] * part.shape[3] else -numpy.finfo(F).max
    return y


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def recur(kind, x, cont, blobs, static=None, states=None):
    """Computes Caffe's recurrent layers step by step. Returns the tops, and the states after the last step."""
    blobs = [blob.astype(float) for blob in blobs]
    (w, b), rest = blobs[:2], blobs[2:]
    outside = x.reshape(*x.shape[:2], w.shape[1]) @ w.T + b
    if static is not None:
        outside = outside + static.reshape(len(static), -1) @ rest.pop(0).T
    n = rest[0].shape[1]
    hidden, cells = states or (numpy.zeros((x.shape[1], n)),) * 2
    results = []
    for gates, goes_on in zip(outside, cont[:, :, None]):
        gates = gates + goes_on * hidden @ rest[0].T
        if kind == 'LSTM':
            enter, forget, leave, new = numpy.split(gates, 4, axis=1)
            cells = goes_on * sigmoid(forget) * cells + sigmoid(enter) * numpy.tanh(new)
            hidden = sigmoid(leave) * numpy.tanh(cells)
            results.append(hidden)
        else:
            hidden = numpy.tanh(gates)
            results.append(numpy.tanh(hidden @ rest[1].T + rest[2]))
    return numpy.array(results), hidden[None], cells[None]


def squeezenet():
    """Returns the text of SqueezeNet 1.1."""
    parts = ['input: "data" input_shape { dim: 1 dim: 3 dim: 227 dim: 227 }']

    def add(kind, name, bottoms, top=None, param=''):
        names = ''.join(f' bottom: "{bottom}"' for bottom in bottoms)
        parts.append(f'layer {{ name: "{name}" type: "{kind}"{names} top: "{top or name}" {param} }}')
        return top or name

    def convolve_and_rectify(name, bottom, n, kernel, more=''):
        top = add('Convolution', name, [bottom], param=f'convolution_param {{ num_output: {n} kernel_size: {kernel} {more} }}')
        return add('ReLU', f'relu_{name}', [top], top)

    top = convolve_and_rectify('conv1', 'data', 64, 3, 'stride: 2')
    for i, n in enumerate((16, 16, 32, 32, 48, 48, 64, 64), 2):
        if i in (2, 4, 6):
            top = add('Pooling', f'pool{i - 1}', [top], param='pooling_param { pool: MAX kernel_size: 3 stride: 2 }')
        squeezed = convolve_and_rectify(f'fire{i}/squeeze1x1', top, n, 1)
        tops = [convolve_and_rectify(f'fire{i}/expand{k}x{k}', squeezed, 4 * n, k, f'pad: {k // 2}') for k in (1, 3)]
        top = add('Concat', f'fire{i}/concat', tops)
    top = add('Dropout', 'drop9', [top], top, 'dropout_param { dropout_ratio: 0.5 }')
    top = convolve_and_rectify('conv10', top, 1000, 1)
    top = add('Pooling', 'pool10', [top], param='pooling_param { pool: AVE global_pooling: true }')
    add('Softmax', 'prob', [top])
    return '\n'.join(parts)


class CaffeTestCase(unittest.TestCase):
    def assert_alike(self, outputs, expected):
        for output, wanted in zip(outputs, expected, strict=True):
            self.assertEqual(output.shape, wanted.shape)
            numpy.testing.assert_allclose(output, wanted, rtol=1e-5, atol=1e-5)

    def check(self, layers, expected, *inputs, shapes=None, **blobs):
        blobs = {name.replace('_', '/'): array for name, array in blobs.items()}
        model = Model(text_of(layers, shapes or [x.shape for x in inputs]), blobs)
        self.assert_alike(model.predict(*inputs), expected if isinstance(expected, list) else [expected])

    def fails(self, code, text, *words, blobs=None):
        model = Model(text, blobs or {})
        with self.assertRaises(GLib.Error) as caught:
            model.load()
        message = caught.exception.message
        self.assertTrue(caught.exception.matches(C2g.Error.quark(), code), message)
        for word in words:
            self.assertIn(word, message)
        return message
