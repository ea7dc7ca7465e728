#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs a model of Caffe2 by ONNX Runtime: one cell of the table in each process.

  onnx-model.py write FOLDER                                     makes net.onnx of net.pbtxt and weights.safetensors
  onnx-model.py run FOLDER INPUT SHAPE N_THREADS OUTPUT          runs it

Running needs the package onnxruntime of PyPI, and writing onnx. An operator or an argument that is not known is an error.
"""

import json
import statistics
import sys
import time
from pathlib import Path

import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from torch_script import CAFFE_LEGACY_POOLING, IGNORED, list_weights, parse_text  # noqa: E402

MIN_WARM_UP_RUNS, WARM_UP_SECONDS = 3, 0.3
MIN_RUNS, SECONDS = 5, 0.7

# The newest version of the operators that all of these have in the same form.
OPSET = 13


class Writer:
    """The nodes of a graph. A blob that an operator changes in place becomes a new value."""

    def __init__(self, helper):
        self.helper = helper
        self.nodes = []
        self.values = {}
        self.constants = {}
        self.n_values = 0

    def value(self, blob):
        return self.values.get(blob, blob)

    def node(self, op_type, *inputs, **attributes):
        name = f'value{self.n_values}'
        self.n_values += 1
        self.nodes.append(self.helper.make_node(op_type, inputs, [name], **attributes))
        return name

    def constant(self, value, dtype=numpy.float32):
        name = f'constant{len(self.constants)}'
        self.constants[name] = numpy.array(value, dtype)
        return name

    def add(self, message):
        op_type, inputs = message['type'][0], [self.value(name) for name in message['input']]
        arguments = {argument['name'][0]: argument['s'][0] if argument['s'] else float((argument['i'] or argument['f'] or [0])[0])
                     for argument in message['arg'] if argument['name'][0] not in IGNORED | {'order'}}
        if op_type not in WRITERS:
            raise ValueError(f'the operator {op_type} is not known')
        self.values[message['output'][0]] = WRITERS[op_type](self, arguments, *inputs)
        if arguments:
            raise ValueError(f'{op_type}: the arguments {", ".join(arguments)} are not known')


def window(arguments):
    def pair(name, default):
        """An argument has one value for both sides, or one for the height and one for the width."""
        both = arguments.pop(name, default)
        return [int(arguments.pop(f'{name}_{side}', both)) for side in 'hw']
    return {'kernel_shape': pair('kernel', 1), 'strides': pair('stride', 1), 'pads': [int(arguments.pop('pad', 0))] * 4}


def pool_window(arguments):
    return {**window(arguments), 'ceil_mode': int(arguments.pop('legacy_pad', 0) == CAFFE_LEGACY_POOLING)}


def average_pool(writer, arguments, x):
    if arguments.pop('global_pooling', 0):
        arguments.clear()
        return writer.node('GlobalAveragePool', x)
    return writer.node('AveragePool', x, **pool_window(arguments))


def batch_norm(writer, arguments, *inputs):
    arguments.pop('is_test')
    return writer.node('BatchNormalization', *inputs, epsilon=arguments.pop('epsilon', 1e-5))


def clip(writer, arguments, x):
    return writer.node('Clip', x, *(writer.constant(arguments.pop(name)) for name in ('min', 'max')))


def conv(writer, arguments, *inputs):
    dilations = [int(arguments.pop('dilation', 1))] * 2
    return writer.node('Conv', *inputs, group=int(arguments.pop('group', 1)), dilations=dilations, **window(arguments))


def conv_transpose(writer, arguments, *inputs):
    return writer.node('ConvTranspose', *inputs, output_padding=[int(arguments.pop('adj', 0))] * 2, **window(arguments))


def identity(_writer, arguments, x):
    arguments.pop('is_test')
    return x


def pad_image(writer, arguments, x):
    if arguments.pop('mode') != 'reflect':
        raise ValueError('PadImage: only the mode reflect is known')
    sides = [int(arguments.pop(f'pad_{side}')) for side in 'tlbr']
    return writer.node('Pad', x, writer.constant([0, 0, *sides[:2], 0, 0, *sides[2:]], numpy.int64), mode='reflect')


def prelu(writer, _arguments, x, slope):
    """ONNX counts dimensions from the last one: slopes of channels are [C, 1, 1]."""
    return writer.node('PRelu', x, writer.node('Unsqueeze', slope, writer.constant([1, 2], numpy.int64)))


WRITERS = {
    'AveragePool': average_pool,
    'Clip': clip,
    'Concat': lambda writer, _, *inputs: writer.node('Concat', *inputs, axis=1),
    'Conv': conv,
    'ConvTranspose': conv_transpose,
    'Dropout': identity,
    'FC': lambda writer, _, x, *rest: writer.node('Gemm', writer.node('Flatten', x), *rest, transB=1),
    'MaxPool': lambda writer, arguments, x: writer.node('MaxPool', x, **pool_window(arguments)),
    'PRelu': prelu,
    'PadImage': pad_image,
    'Relu': lambda writer, _, x: writer.node('Relu', x),
    'Softmax': lambda writer, _, x: writer.node('Softmax', writer.node('Flatten', x), axis=1),
    'SpatialBN': batch_norm,
    'Sum': lambda writer, _, *inputs: writer.node('Sum', *inputs),
}


def read_weights(path):
    data = path.read_bytes()
    return {name: numpy.frombuffer(data, numpy.float32, int(numpy.prod(shape)), offset).reshape(shape)
            for name, offset, shape in list_weights(path)}


def write(folder):
    import onnx  # pylint: disable=import-outside-toplevel

    net = parse_text((folder / 'net.pbtxt').read_text())
    weights = read_weights(folder / 'weights.safetensors')
    writer = Writer(onnx.helper)
    for message in net['op']:
        writer.add(message)
    numbers = weights | writer.constants
    floats = onnx.TensorProto.FLOAT
    inputs = [onnx.helper.make_tensor_value_info(name, floats, None) for name in net['external_input'] if name not in weights]
    output = onnx.helper.make_tensor_value_info(writer.value(net['op'][-1]['output'][0]), floats, None)
    graph = onnx.helper.make_graph(writer.nodes, 'net', inputs, [output],
                                   [onnx.numpy_helper.from_array(array, name) for name, array in numbers.items()])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid('', OPSET)])
    model.ir_version = 8
    onnx.save(model, folder / 'net.onnx')


def memory_bytes(name):
    """Returns a number from Linux's status of this process."""
    line = next(line for line in Path('/proc/self/status').read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024


def sample(run, min_runs, seconds):
    samples = []
    start = end = time.perf_counter()
    while len(samples) < min_runs or end < start + seconds:
        before = end
        output = run()
        end = time.perf_counter()
        samples.append(end - before)
    return samples, output


def measure(folder, source, shape, n_threads, target):
    import onnxruntime  # pylint: disable=import-outside-toplevel

    begin, start = memory_bytes('VmRSS'), time.perf_counter()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads
    session = onnxruntime.InferenceSession(str(folder / 'net.onnx'), options, providers=['CPUExecutionProvider'])
    array = numpy.fromfile(source, numpy.float32).reshape(shape)
    feed = {session.get_inputs()[0].name: array}
    load = time.perf_counter() - start

    def run():
        return session.run(None, feed)[0]

    start = time.perf_counter()
    run()
    first = time.perf_counter() - start
    sample(run, MIN_WARM_UP_RUNS, WARM_UP_SECONDS)
    samples, output = sample(run, MIN_RUNS, SECONDS)
    peak = memory_bytes('VmHWM')
    target.write_bytes(numpy.ascontiguousarray(output).tobytes())
    print(json.dumps({'program': 'ONNX Runtime', 'version': onnxruntime.__version__, 'seconds': statistics.median(samples),
                      'least': min(samples), 'load': load, 'first': first, 'peak': peak, 'grown': peak - begin}))


def main():
    how, folder, *rest = sys.argv[1:]
    if how == 'write':
        write(Path(folder))
    else:
        source, shape, n_threads, target = rest
        measure(Path(folder), source, [int(word) for word in shape.split(',')], int(n_threads), Path(target))


if __name__ == '__main__':
    main()
