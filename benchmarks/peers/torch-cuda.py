#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Measures blocks, reductions and copies on a GPU with PyTorch.

Prints rows as the programs of c2g do, under the same names. Blocks are taken and given back by a loop in C++ that
PyTorch compiles, or, where it cannot, in Python. Without PyTorch or a GPU it says so, and ends with 77.
"""

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

try:
    import torch
except ImportError as error:
    sys.exit(print(f'No PyTorch: {error}', file=sys.stderr) or 77)

N_SAMPLES = 9
SAMPLE_SECONDS = 0.03

BLOCKS = r'''
#include <c10/cuda/CUDACachingAllocator.h>
#include <chrono>
#include <vector>

/* Nanoseconds for one block of so many bytes, n times. */
double
take_and_give_back (int64_t n_bytes, int64_t n)
{
  const auto start = std::chrono::steady_clock::now ();

  for (int64_t i = 0; i < n; i++)
    c10::cuda::CUDACachingAllocator::raw_delete (c10::cuda::CUDACachingAllocator::raw_alloc (n_bytes));
  return std::chrono::duration<double, std::nano> (std::chrono::steady_clock::now () - start).count () / n;
}
'''


def cuda_headers():
    """Returns the folder of the toolkit, or of NVIDIA's packages for Python."""
    from torch.utils.cpp_extension import CUDA_HOME
    places = [Path(CUDA_HOME) / 'include'] if CUDA_HOME else []
    places += Path(torch.__file__).parents[1].glob('nvidia/*/include')
    return [str(place) for place in places if (place / 'cuda_runtime_api.h').exists()][:1]


def compile_blocks():
    from torch.utils.cpp_extension import load_inline
    with tempfile.TemporaryDirectory() as folder:
        module = load_inline('c2g_bench_blocks', BLOCKS, functions=['take_and_give_back'], build_directory=folder,
                             extra_include_paths=cuda_headers(),
                             extra_ldflags=[f'-L{Path(torch.__file__).parent / "lib"}', '-lc10_cuda'])
    return module.take_and_give_back


def take_in_python(n_bytes, n):
    start = time.perf_counter()
    for _ in range(n):
        torch.cuda.caching_allocator_delete(torch.cuda.caching_allocator_alloc(n_bytes))
    return (time.perf_counter() - start) * 1e9 / n


def find_blocks():
    try:
        return compile_blocks(), 'C++'
    except Exception as error:  # The compiler or a header may be missing, or differ from those that PyTorch was built with.
        print(f'PyTorch compiled no loop, its blocks are timed in Python: {error}'.splitlines()[0], file=sys.stderr)
        return take_in_python, 'Python'


def sample(run, n):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(n):
        run()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def measure(run):
    """Returns nanoseconds."""
    n = 1
    sample(run, 1)
    while sample(run, n) < SAMPLE_SECONDS:
        n *= 2
    return statistics.median(sample(run, n) for _ in range(N_SAMPLES)) * 1e9 / n


def measure_blocks(take):
    torch.cuda.init()
    rows = {'caching-hit': 4096, 'caching-hit-large': 17 << 20}
    for n_bytes in rows.values():
        take(n_bytes, 1000)
    return {name: statistics.median(take(n_bytes, 100000) for _ in range(N_SAMPLES)) for name, n_bytes in rows.items()}


def measure_reductions(side):
    x = torch.zeros(side, side, device='cuda')
    y = torch.zeros(side, side, device='cuda')
    flat_x, flat_y = x.view(-1), y.view(-1)
    runs = {
        'sum': lambda: x.sum(),
        'sum of rows': lambda: x.sum(1),
        'sum of columns': lambda: x.sum(0),
        'max': lambda: x.max(),
        'max of rows': lambda: torch.amax(x, 1),
        'arg max of rows': lambda: torch.argmax(x, 1),
        'dot': lambda: torch.dot(flat_x, flat_y),
        'softmax of rows': lambda: torch.softmax(x, 1),
        'Relu': lambda: torch.relu(x),
        'Add': lambda: x + y,
        'transpose': lambda: x.t().contiguous(),
        'float to float16': lambda: x.half(),
    }
    return {name: measure(run) for name, run in runs.items()}


def main():
    if not torch.cuda.is_available():
        return print('PyTorch finds no GPU', file=sys.stderr) or 77

    torch.set_grad_enabled(False)
    take, language = find_blocks()
    rows = measure_blocks(take) | measure_reductions(8192)
    print(json.dumps({'program': 'PyTorch', 'version': torch.__version__, 'blocks': language,
                      'rows': {name: {'ns': ns} for name, ns in rows.items()}}))
    return 0


if __name__ == '__main__':
    sys.exit(main())
