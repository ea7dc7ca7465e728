# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Writes a model of Caffe2 as TorchScript.

Of a folder with net.pbtxt and weights.safetensors it makes net.torchscript and weights.list, which
says where in that file each weight lies. An operator or an argument that it does not know is an error.
"""

import json
import re
import struct
from collections import defaultdict

CAFFE_LEGACY_POOLING = 3

# Arguments that do not matter when a net runs on a processor.
IGNORED = {'cudnn_exhaustive_search', 'exhaustive_search', 'ratio', 'shared_buffer', 'use_cudnn'}


def parse(tokens):
    """Parses a message in protobuf's text format into lists of values by field name."""
    message = defaultdict(list)
    for token in tokens:
        if token == '}':
            break
        name = token.rstrip(':')
        value = next(tokens)
        message[name].append(parse(tokens) if value == '{' else value.strip('"'))
    return message


def parse_text(text):
    return parse(iter(re.findall(r'"[^"]*"|[{}]|[^\s{}"]+', text)))


def identifier(blob):
    return re.sub(r'\W', '_', blob)


class Operator:
    def __init__(self, message, weights):
        self.op_type = message['type'][0]
        self.inputs = [f'self.{identifier(name)}' if name in weights else identifier(name)
                       for name in message['input']]
        self.output = identifier(message['output'][0])
        self.arguments = {argument['name'][0]: (argument['i'] or argument['f'] or argument['s'])[0]
                          for argument in message['arg'] if argument['name'][0] not in IGNORED}
        if self.arguments.pop('order', 'NCHW') != 'NCHW':
            raise ValueError(f'{self.op_type}: only the order NCHW is known')

    def take(self, name, default=None):
        return self.arguments.pop(name, default)

    def take_pair(self, name, default):
        """An argument has one value for both sides, or one for the height and one for the width."""
        both = self.take(name, default)
        return f'[{self.take(f"{name}_h", both)}, {self.take(f"{name}_w", both)}]'

    def write(self):
        if self.op_type not in WRITERS:
            raise ValueError(f'the operator {self.op_type} is not known')
        code = WRITERS[self.op_type](self, *self.inputs)
        if self.arguments:
            raise ValueError(f'{self.op_type}: the arguments {", ".join(self.arguments)} are not known')
        return f'    {self.output} = {code}\n'


def average_pool(op, x):
    if op.take('global_pooling', '0') == '1':
        op.arguments.clear()
        return f'torch.adaptive_avg_pool2d({x}, [1, 1])'
    return f'torch.avg_pool2d({x}, {pool_window(op)}, count_include_pad=False)'


def batch_norm(op, x, scale, bias, mean, variance):
    if op.take('is_test') != '1':
        raise ValueError('SpatialBN: only the test mode is known')
    return f'torch.batch_norm({x}, {scale}, {bias}, {mean}, {variance}, False, 0., {op.take("epsilon", "1e-5")}, False)'


def clip(op, x):
    return f'torch.clamp({x}, {op.take("min")}, {op.take("max")})'


def conv(op, x, w, b=None):
    # The kernel size is also the shape of the weights.
    op.take_pair('kernel', 0)
    stride, pad, dilation = op.take_pair('stride', 1), op.take_pair('pad', 0), op.take_pair('dilation', 1)
    return f'torch.conv2d({x}, {w}, {b}, {stride}, {pad}, {dilation}, {op.take("group", 1)})'


def conv_transpose(op, x, w, b=None):
    op.take_pair('kernel', 0)
    stride, pad, adj = op.take_pair('stride', 1), op.take_pair('pad', 0), op.take_pair('adj', 0)
    return f'torch.conv_transpose2d({x}, {w}, {b}, {stride}, {pad}, {adj})'


def dropout(op, x):
    if op.take('is_test') != '1':
        raise ValueError('Dropout: only the test mode is known')
    return x


def max_pool(op, x):
    window = pool_window(op)
    return f'torch.max_pool2d({x}, {window})'


def pad_image(op, x):
    if op.take('mode') != 'reflect':
        raise ValueError('PadImage: only the mode reflect is known')
    return f'torch.reflection_pad2d({x}, [{", ".join(op.take(f"pad_{side}") for side in "lrtb")}])'


def pool_window(op):
    legacy = int(op.take('legacy_pad', 0))
    if legacy not in (0, CAFFE_LEGACY_POOLING):
        raise ValueError(f'{op.op_type}: legacy_pad {legacy} is not known')
    kernel, stride, pad = op.take_pair('kernel', 0), op.take_pair('stride', 1), op.take_pair('pad', 0)
    return f'{kernel}, {stride}, {pad}, ceil_mode={legacy == CAFFE_LEGACY_POOLING}'


WRITERS = {
    'AveragePool': average_pool,
    'Clip': clip,
    'Concat': lambda op, *xs: f'torch.cat([{", ".join(xs)}], 1)',
    'Conv': conv,
    'ConvTranspose': conv_transpose,
    'Dropout': dropout,
    'FC': lambda op, x, w, b: f'torch.linear(torch.flatten({x}, 1), {w}, {b})',
    'MaxPool': max_pool,
    'PRelu': lambda op, x, slope: f'torch.prelu({x}, {slope})',
    'PadImage': pad_image,
    # The output is in place if it is so in the net.
    'Relu': lambda op, x: f'torch.relu{"_" if op.output == x else ""}({x})',
    'Softmax': lambda op, x: f'torch.softmax(torch.flatten({x}, 1), 1)',
    'SpatialBN': batch_norm,
    'Sum': lambda op, *xs: ' + '.join(xs),
}


def list_weights(path):
    """Returns the name of each weight, the offset of its floats, and its shape."""
    with path.open('rb') as file:
        n_bytes, = struct.unpack('<Q', file.read(8))
        header = json.loads(file.read(n_bytes))
    header.pop('__metadata__', None)
    for name, entry in header.items():
        if entry['dtype'] != 'F32':
            raise ValueError(f'{name} is of {entry["dtype"]}, expected floats')
        yield name, 8 + n_bytes + entry['data_offsets'][0], entry['shape']


def write(folder):
    net = parse_text((folder / 'net.pbtxt').read_text())
    weights = list(list_weights(folder / 'weights.safetensors'))
    names = {name for name, _, _ in weights}
    inputs = [identifier(name) for name in net['external_input'] if name not in names]
    operators = [Operator(message, names) for message in net['op']]
    script = f'def forward(self, {", ".join(inputs)}):\n'
    script += ''.join(op.write() for op in operators) + f'    return {operators[-1].output}\n'
    (folder / 'net.torchscript').write_text(script)
    (folder / 'weights.list').write_text(''.join(
        f'{identifier(name)} {offset} {" ".join(map(str, shape))}\n' for name, offset, shape in weights))
