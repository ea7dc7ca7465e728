#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Measures a run of a small net by ONNX Runtime, in a row of the same name as that of python-tensors.py."""

import json
import statistics
import timeit

import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

N_REPEATS, N_CALLS = 7, 5000


def make_net():
    weights = [numpy_helper.from_array(numpy.zeros(shape, 'float32'), name) for name, shape in (('w', (10, 64)), ('b', 10))]
    nodes = [helper.make_node('Gemm', ['x', 'w', 'b'], ['h'], transB=1), helper.make_node('Relu', ['h'], ['y'])]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in 'xy')
    model = helper.make_model(helper.make_graph(nodes, 'net', [x], [y], weights), opset_imports=[helper.make_opsetid('', 13)])
    model.ir_version = 8
    return model.SerializeToString()


def main():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(make_net(), options, providers=['CPUExecutionProvider'])
    feed = {'x': numpy.zeros((1, 64), 'float32')}
    times = timeit.repeat(lambda: session.run(None, feed), repeat=N_REPEATS, number=N_CALLS)
    print(json.dumps({'program': 'ONNX Runtime', 'version': onnxruntime.__version__,
                      'rows': {'predict onnx': statistics.median(times) / N_CALLS * 1e9}}))


main()
