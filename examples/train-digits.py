#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Trains the net in examples/models/digits, and writes it together with its pictures.

  train-digits.py [DIGITS.CSV.GZ [FOLDER]]

The data is in Debian's package python3-sklearn: 1797 pictures of handwritten digits, 8 × 8
pixels of 0 to 16. The package need not be installed; this is enough:

  apt-get download python3-sklearn
  dpkg-deb --extract python3-sklearn_*.deb sklearn

A fifth of the pictures is held out and never trained with; ten of these, one of each digit,
are written as PNG. Random numbers are seeded: one machine always writes the same files, but
on another one the last digits of the weights may differ, since NumPy may use another library
to multiply matrices.
"""

import gzip
import struct
import sys
import zlib
from pathlib import Path

import gi
import numpy

gi.require_version('C2g', '1')
from gi.repository import C2g  # noqa: E402

DATA = '/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz'
FOLDER = Path(__file__).parent / 'models' / 'digits'
LABELS = 'zero one two three four five six seven eight nine'.split()

EPOCHS = 40
BATCH = 32
RATE = 2e-3
# The fraction of the pictures that are moved.
SHIFTED = 0.3
# Each pixel becomes a square of this size in the picture file, with 8 bits.
MAGNIFICATION = 4
WHITE = 255


# Layers: each keeps the data for its backward pass, and the gradients of its parameters.

class Conv:
    """A convolution of 3 × 3 with a border of one zero, as a product of matrices."""

    def __init__(self, chance, n_in, n_out):
        self.w = chance.randn(n_out, n_in, 3, 3) * numpy.sqrt(2 / (9 * n_in))
        self.b = numpy.zeros(n_out)

    def forward(self, x):
        n, channels, height, width = x.shape
        padded = numpy.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = numpy.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
        self.columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * height * width, channels * 9)
        self.shape = x.shape
        y = self.columns @ self.w.reshape(len(self.w), -1).T + self.b
        return y.reshape(n, height, width, -1).transpose(0, 3, 1, 2)

    def backward(self, dy):
        n, channels, height, width = self.shape
        dy = dy.transpose(0, 2, 3, 1).reshape(-1, len(self.w))
        self.dw = (dy.T @ self.columns).reshape(self.w.shape)
        self.db = dy.sum(0)
        columns = (dy @ self.w.reshape(len(self.w), -1)).reshape(n, height, width, channels, 3, 3)
        dx = numpy.zeros((n, channels, height + 2, width + 2))
        for i in range(3):
            for j in range(3):
                dx[:, :, i:i + height, j:j + width] += columns[..., i, j].transpose(0, 3, 1, 2)
        return dx[:, :, 1:-1, 1:-1]


class Relu:
    def forward(self, x):
        self.positive = x > 0
        return x * self.positive

    def backward(self, dy):
        return dy * self.positive


class MaxPool:
    """Maximum pooling of 2 × 2."""

    def forward(self, x):
        n, channels, height, width = x.shape
        self.shape = x.shape
        squares = x.reshape(n, channels, height // 2, 2, width // 2, 2).transpose(0, 1, 2, 4, 3, 5)
        squares = squares.reshape(n, channels, height // 2, width // 2, 4)
        self.where = squares.argmax(-1)
        return squares.max(-1)

    def backward(self, dy):
        n, channels, height, width = self.shape
        squares = (self.where[..., None] == numpy.arange(4)) * dy[..., None]
        squares = squares.reshape(n, channels, height // 2, width // 2, 2, 2)
        return squares.transpose(0, 1, 2, 4, 3, 5).reshape(self.shape)


class FC:
    def __init__(self, chance, n_in, n_out):
        self.w = chance.randn(n_out, n_in) * numpy.sqrt(1 / n_in)
        self.b = numpy.zeros(n_out)

    def forward(self, x):
        self.shape = x.shape
        self.x = x.reshape(len(x), -1)
        return self.x @ self.w.T + self.b

    def backward(self, dy):
        self.dw = dy.T @ self.x
        self.db = dy.sum(0)
        return (dy @ self.w).reshape(self.shape)


class Adam:
    """Steps of the optimizer for the parameters of layers."""

    def __init__(self, layers):
        self.layers = [layer for layer in layers if hasattr(layer, 'w')]
        self.moments = [[numpy.zeros((2,) + getattr(layer, name).shape) for name in 'wb'] for layer in self.layers]
        self.n_steps = 0

    def step(self, rate):
        self.n_steps += 1
        for layer, moments in zip(self.layers, self.moments):
            for name, (first, second) in zip('wb', moments):
                gradient = getattr(layer, 'd' + name)
                first += 0.1 * (gradient - first)
                second += 0.001 * (gradient ** 2 - second)
                mean = first / (1 - 0.9 ** self.n_steps)
                spread = second / (1 - 0.999 ** self.n_steps)
                parameter = getattr(layer, name)
                parameter -= rate * mean / (numpy.sqrt(spread) + 1e-8)


def softmax(x):
    x = numpy.exp(x - x.max(1, keepdims=True))
    return x / x.sum(1, keepdims=True)


def predict(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return softmax(x)


def shift(chance, x):
    """Returns pictures moved by up to a pixel in each direction, so that the net learns to ignore that."""
    padded = numpy.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    rows, columns = numpy.where(chance.rand(len(x)) < SHIFTED, chance.randint(0, 3, (2, len(x))), 1)
    return numpy.stack([p[:, i:i + 8, j:j + 8] for p, i, j in zip(padded, rows, columns)])


def train(chance, x, digits):
    layers: list = [Conv(chance, 1, 12), Relu(), MaxPool(), Conv(chance, 12, 24), Relu(), MaxPool(), FC(chance, 96, 10)]
    adam = Adam(layers)
    for epoch in range(EPOCHS):
        order = chance.permutation(len(x))
        for begin in range(0, len(x), BATCH):
            batch = order[begin:begin + BATCH]
            gradient = predict(layers, shift(chance, x[batch]))
            gradient[numpy.arange(len(batch)), digits[batch]] -= 1
            gradient /= len(batch)
            for layer in reversed(layers):
                gradient = layer.backward(gradient)
            # Small steps at the end.
            adam.step(RATE * (1 - epoch / EPOCHS))
    return layers


# Writing

def operator(op_type, inputs, outputs, **arguments):
    op = C2g.OperatorDef.new(op_type)
    op.set_inputs(inputs)
    op.set_outputs(outputs)
    for name, value in arguments.items():
        op.set_int(name, value)
    return op


def fill(name, values):
    op = operator('GivenTensorFill', [], [name])
    op.set_ints('shape', values.shape)
    op.set_floats('values', values.astype(numpy.float32).ravel().tolist())
    return op


def make_init_net(layers):
    net = C2g.NetDef.new('digits_init')
    names = iter(('conv1', 'conv2', 'fc'))
    for layer in layers:
        if hasattr(layer, 'w'):
            name = next(names)
            net.add_operator(fill(name + '_w', layer.w))
            net.add_operator(fill(name + '_b', layer.b))
            net.add_external_output(name + '_w')
            net.add_external_output(name + '_b')
    return net


def make_predict_net():
    net = C2g.NetDef.new('digits')
    net.set_external_inputs(['data', 'conv1_w', 'conv1_b', 'conv2_w', 'conv2_b', 'fc_w', 'fc_b'])
    net.set_external_outputs(['softmax'])
    below = 'data'
    for name, pool in (('conv1', 'pool1'), ('conv2', 'pool2')):
        net.add_operator(operator('Conv', [below, name + '_w', name + '_b'], [name], kernel=3, pad=1))
        net.add_operator(operator('Relu', [name], [name]))
        net.add_operator(operator('MaxPool', [name], [pool], kernel=2, stride=2))
        below = pool
    net.add_operator(operator('FC', [below, 'fc_w', 'fc_b'], ['fc']))
    net.add_operator(operator('Softmax', ['fc'], ['softmax']))
    return net


def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def png(pixels):
    """Returns a grey picture as a PNG file."""
    height, width = pixels.shape
    rows = b''.join(b'\0' + row.tobytes() for row in pixels)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 0, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows, 9)) + chunk(b'IEND', b''))


def write_pictures(folder, x, digits):
    """Writes the first picture of each digit."""
    folder.mkdir(parents=True, exist_ok=True)
    for digit in range(10):
        picture = x[numpy.flatnonzero(digits == digit)[0], 0]
        pixels = numpy.rint(picture * WHITE).astype(numpy.uint8).repeat(MAGNIFICATION, 0).repeat(MAGNIFICATION, 1)
        (folder / f'{digit}.png').write_bytes(png(pixels))


def main():
    data = sys.argv[1] if len(sys.argv) > 1 else DATA
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else FOLDER

    table = numpy.loadtxt(gzip.open(data, 'rt'), delimiter=',')
    x = table[:, :64].reshape(-1, 1, 8, 8) / 16
    digits = table[:, 64].astype(int)

    chance = numpy.random.RandomState(1)
    order = chance.permutation(len(x))
    held_out, others = order[:len(x) // 5], order[len(x) // 5:]
    layers = train(chance, x[others], digits[others])
    right = (predict(layers, x[held_out]).argmax(1) == digits[held_out]).sum()
    print(f'{right} of {len(held_out)} held-out pictures are recognized: {100 * right / len(held_out):.1f} %')

    write_pictures(folder / 'pictures', x[held_out], digits[held_out])
    make_init_net(layers).save_file(folder / 'init_net.pb', False)
    make_predict_net().save_file(folder / 'predict_net.pb', False)
    (folder / 'labels.txt').write_text('\n'.join(LABELS) + '\n')


if __name__ == '__main__':
    main()
