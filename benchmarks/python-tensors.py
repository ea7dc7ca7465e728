#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""What tensors take in Python: those of c2g, of NumPy and, where it is, of PyTorch, in one process."""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import timeit

import gi
import numpy

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

N_REPEATS = 7
N_IMPORTS = 21
LARGE = 16 << 20
SECONDS = 0.02
NET = '''external_input: 'x' external_input: 'w' external_input: 'b' external_output: 'y'
    op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'h' } op { type: 'Relu' input: 'h' output: 'y' }'''


def new_predictor(weights, bias):
    workspace = C2g.Workspace()
    workspace['w'], workspace['b'] = weights, bias
    return C2g.Predictor.create(None, C2g.NetDef.new_from_text(NET), workspace, None, C2g.OptimizeFlags.ALL)


def rows():
    """Yields the name of each row, and the function that it measures."""
    array = numpy.zeros((4, 4), 'float32')
    large = numpy.zeros(LARGE, 'float32')
    tensor, big = C2g.Tensor(array), C2g.Tensor(large)
    workspace, names = C2g.Workspace(), {'x': tensor}
    workspace['x'] = tensor
    data = big.dup_bytes()
    weights, bias, x = (numpy.zeros(shape, 'float32') for shape in ((10, 64), 10, (1, 64)))
    predictor = new_predictor(weights, bias)
    yield 'view c2g', lambda: numpy.asarray(tensor)
    yield 'view numpy', lambda: numpy.asarray(memoryview(array))
    yield 'take c2g', lambda: C2g.from_numpy(array)
    yield 'take numpy', lambda: numpy.from_dlpack(array)
    yield 'element c2g', lambda: tensor[1, 2]
    yield 'element numpy', lambda: array[1, 2]
    yield 'slice c2g', lambda: tensor[1]
    yield 'slice numpy', lambda: array[1]
    yield 'lookup c2g', lambda: workspace['x']
    yield 'lookup numpy', lambda: names['x']
    yield 'call c2g', lambda: tensor.get_n_elements()
    yield 'call numpy', lambda: GLib.Bytes.get_size(data)
    yield 'in copy c2g', lambda: C2g.from_numpy(large, copy=True)
    yield 'in copy numpy', lambda: large.copy()
    yield 'in bytes c2g', lambda: big.set_bytes(data)
    yield 'out copy c2g', lambda: big.dup_bytes()
    yield 'out view c2g', lambda: big.ref_bytes()
    yield 'predict c2g', lambda: predictor(x)
    yield 'predict numpy', lambda: numpy.maximum(x @ weights.T + bias, 0)
    if torch is not None:
        theirs, huge = torch.from_numpy(array), torch.from_numpy(large)
        yield 'view torch', lambda: theirs.numpy()
        yield 'take torch', lambda: torch.from_numpy(array)
        yield 'element torch', lambda: theirs[1, 2].item()
        yield 'slice torch', lambda: theirs[1]
        yield 'call torch', lambda: theirs.numel()
        yield 'in copy torch', lambda: huge.clone()
        layer, batch = torch.nn.Linear(64, 10).requires_grad_(False), torch.from_numpy(x)
        yield 'predict torch', lambda: torch.relu(layer(batch))


def measure(call):
    timer = timeit.Timer(call)
    n = max(1, int(SECONDS / max(timer.timeit(1), 1e-8)))
    return statistics.median(timer.repeat(N_REPEATS, n)) / n * 1e9


def measure_import(name, environment):
    """Returns what the imports of gi and a namespace take in a new interpreter."""
    require = "gi.require_version('C2g', '1'); " if name == 'C2g' else ''
    code = ('import time; begin = time.perf_counter_ns(); import gi; ' + require +
            f'from gi.repository import {name}; print(time.perf_counter_ns() - begin)')
    return int(subprocess.check_output([sys.executable, '-c', code], env=environment))


def measure_imports(*names):
    """Returns the medians of imports, in turns. All modules have byte code then, as those that are installed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name != 'PYTHONDONTWRITEBYTECODE'}
        environment['PYTHONPYCACHEPREFIX'] = folder
        turns = [[measure_import(name, environment) for name in names] for _ in range(1 + N_IMPORTS)]
    return [statistics.median(times) for times in zip(*turns[1:])]


results = {name: measure(call) for name, call in rows()}
results |= dict(zip(('import c2g', 'import gio'), measure_imports('C2g', 'Gio')))
print(json.dumps({'version': C2g.get_version_string(), 'python': f'Python {platform.python_version()}', 'numpy': numpy.__version__,
                  'torch': torch.__version__ if torch else None, 'rows': results}))
