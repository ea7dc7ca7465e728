#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs a model that torch_script.py has written, with PyTorch on a device: one cell of the table in each process.

  torch-cuda-model.py eager|traced FOLDER INPUT SHAPE N_THREADS OUTPUT DEVICE

"eager" runs the operators one by one, "traced" what torch.jit.trace() and freeze() make of them. The input is brought to
the device each time, and the result back, as c2g does; numbers are floats of 32 bits all the way. Without PyTorch or the
device it says so, and ends with 77.
"""

import json
import statistics
import sys
import time
from pathlib import Path
from types import SimpleNamespace

try:
    import torch
except ImportError as error:
    sys.exit(print(f'No PyTorch: {error}', file=sys.stderr) or 77)

MIN_WARM_UP_RUNS, WARM_UP_SECONDS = 5, 0.3
MIN_RUNS, SECONDS = 7, 0.7


def read_floats(data, offset, dims):
    n = 1
    for dim in dims:
        n *= dim
    return torch.frombuffer(data, dtype=torch.float32, count=n, offset=offset).reshape(dims)


def read_weights(folder, device):
    data = bytearray((folder / 'weights.safetensors').read_bytes())
    weights = {}
    for line in (folder / 'weights.list').read_text().splitlines():
        name, offset, *dims = line.split()
        # Copies are aligned.
        weights[name] = read_floats(data, int(offset), [int(dim) for dim in dims]).clone().to(device)
    return SimpleNamespace(**weights)


class Functions:
    """Returns one value for a parameter that TorchScript has for each axis."""

    def __getattr__(self, name):
        return getattr(torch if hasattr(torch, name) else torch.nn.functional, name)


def load(folder, device):
    """Runs the script as Python, because TorchScript is a part of Python."""
    names = {'torch': Functions()}
    exec((folder / 'net.torchscript').read_text(), names)  # pylint: disable=exec-used
    weights = read_weights(folder, device)
    return lambda x: names['forward'](weights, x)


class Model(torch.nn.Module):
    """Returns a module that can be traced and frozen."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def sample(run, min_runs, seconds):
    samples = []
    start = end = time.perf_counter()
    while len(samples) < min_runs or end < start + seconds:
        before = end
        output = run()
        end = time.perf_counter()
        samples.append(end - before)
    return samples, output


def main():
    how, folder, source, shape, n_threads, target, device = sys.argv[1:]
    if device.startswith('cuda') and not torch.cuda.is_available():
        return print('PyTorch finds no GPU', file=sys.stderr) or 77

    torch.set_grad_enabled(False)
    torch.set_num_threads(int(n_threads))
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    data = bytearray(Path(source).read_bytes())
    near = read_floats(data, 0, [int(word) for word in shape.split(',')])
    forward = load(Path(folder), device)
    if how == 'traced':
        forward = torch.jit.freeze(torch.jit.trace(Model(forward).eval(), near.to(device)))

    def run():
        return forward(near.to(device)).cpu()

    sample(run, MIN_WARM_UP_RUNS, WARM_UP_SECONDS)
    samples, output = sample(run, MIN_RUNS, SECONDS)
    Path(target).write_bytes(output.contiguous().numpy().tobytes())
    print(json.dumps({'program': 'PyTorch', 'version': torch.__version__, 'seconds': statistics.median(samples)}))
    return 0


if __name__ == '__main__':
    sys.exit(main())
