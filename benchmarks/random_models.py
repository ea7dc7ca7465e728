# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Writes nets of Caffe2 with the shapes of MobileNet v2 and ResNet-50, and with random weights.

A net is a folder with init_net.pbtxt, which fills the weights, and predict_net.pbtxt. Speed depends on shapes only, so the
weights need no training.
"""

import math

# Of a block of MobileNet v2: the factor of the inner channels, the channels, the repetitions, and the first stride. Table 2
# of Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks", 2018.
MOBILE_BLOCKS = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]

# Of a stage of ResNet-50: the inner channels, the repetitions, and the first stride. Table 1 of He et al., "Deep Residual
# Learning for Image Recognition", 2015.
RESNET_STAGES = [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]


def argument(name, value):
    if isinstance(value, (list, tuple)):
        return f'arg {{ name: "{name}" {" ".join(f"ints: {item}" for item in value)} }}'
    return f'arg {{ name: "{name}" {"f" if isinstance(value, float) else "i"}: {value} }}'


def operator(op_type, inputs, output, *words, **arguments):
    words = [f'type: "{op_type}"', *(f'input: "{name}"' for name in inputs), f'output: "{output}"', *words,
             *(argument(name, value) for name, value in arguments.items())]
    return f'op {{ {" ".join(words)} }}\n'


class Net:
    """A net that grows by one operator at a time; each method returns the name of the output."""

    def __init__(self, name):
        self.name = name
        self.init = ''
        self.predict = ''
        self.weights = []
        self.n_blobs = 0

    def fill(self, filler, *shape, **arguments):
        name = f'w{self.n_blobs}'
        self.n_blobs += 1
        self.weights.append(name)
        # With a seed of its own, each program that loads the net has the same weights.
        seed = f'device_option {{ random_seed: {len(self.weights)} }}'
        self.init += operator(filler, [], name, seed, shape=shape, **arguments)
        return name

    def add(self, op_type, *inputs, **arguments):
        name = f'b{self.n_blobs}'
        self.n_blobs += 1
        self.predict += operator(op_type, inputs, name, **arguments)
        return name

    def conv(self, x, n_in, n_out, kernel=1, stride=1, group=1, gain=1.0):
        """Convolution and batch normalization."""
        # He et al., "Delving Deep into Rectifiers", 2015: keeps the size of numbers from layer to layer.
        deviation = math.sqrt(2 * group / (n_in * kernel ** 2))
        filters = self.fill('GaussianFill', n_out, n_in // group, kernel, kernel, mean=0.0, std=deviation)
        x = self.add('Conv', x, filters, kernel=kernel, stride=stride, pad=kernel // 2, group=group)
        numbers = [self.fill('ConstantFill', n_out, value=value) for value in (gain, 0.0, 0.0, 1.0)]
        return self.add('SpatialBN', x, *numbers, is_test=1, epsilon=1e-5)

    def classify(self, x, n_in, n_out=1000):
        x = self.add('AveragePool', x, global_pooling=1)
        x = self.add('FC', x, self.fill('XavierFill', n_out, n_in), self.fill('ConstantFill', n_out, value=0.0))
        return self.add('Softmax', x)

    def write(self, folder, output):
        folder.mkdir(parents=True)
        (folder / 'init_net.pbtxt').write_text(f'name: "{self.name}_init"\n{self.init}')
        inputs = ''.join(f'external_input: "{name}"\n' for name in ['data', *self.weights])
        (folder / 'predict_net.pbtxt').write_text(
            f'name: "{self.name}"\n{inputs}external_output: "{output}"\n{self.predict}')


def relu6(net, x):
    return net.add('Clip', x, min=0.0, max=6.0)


def mobile_block(net, x, n_in, n_out, factor, stride):
    n_inner = factor * n_in
    y = x if factor == 1 else relu6(net, net.conv(x, n_in, n_inner))
    y = relu6(net, net.conv(y, n_inner, n_inner, kernel=3, stride=stride, group=n_inner))
    y = net.conv(y, n_inner, n_out)
    return net.add('Sum', x, y) if stride == 1 and n_in == n_out else y


def write_mobilenet(folder):
    """MobileNet v2, for images of 3 × 224 × 224."""
    net = Net('mobilenet_v2')
    n_in = 32
    x = relu6(net, net.conv('data', 3, n_in, kernel=3, stride=2))
    for factor, n_out, n_repeated, stride in MOBILE_BLOCKS:
        for i in range(n_repeated):
            x = mobile_block(net, x, n_in, n_out, factor, stride if i == 0 else 1)
            n_in = n_out
    x = relu6(net, net.conv(x, n_in, 1280))
    net.write(folder, net.classify(x, 1280))


def resnet_block(net, x, n_in, n_inner, stride):
    n_out = 4 * n_inner
    y = net.add('Relu', net.conv(x, n_in, n_inner))
    y = net.add('Relu', net.conv(y, n_inner, n_inner, kernel=3, stride=stride))
    # Small sums keep the numbers of a deep net without training in range.
    y = net.conv(y, n_inner, n_out, gain=0.5)
    if n_in != n_out:
        x = net.conv(x, n_in, n_out, stride=stride)
    return net.add('Relu', net.add('Sum', y, x))


def write_resnet(folder):
    """ResNet-50 with the strides in the 3 × 3 convolutions, for images of 3 × 224 × 224."""
    net = Net('resnet_50')
    n_in = 64
    x = net.add('Relu', net.conv('data', 3, n_in, kernel=7, stride=2))
    x = net.add('MaxPool', x, kernel=3, stride=2, pad=1)
    for n_inner, n_repeated, stride in RESNET_STAGES:
        for i in range(n_repeated):
            x = resnet_block(net, x, n_in, n_inner, stride if i == 0 else 1)
            n_in = 4 * n_inner
    net.write(folder, net.classify(x, n_in))
