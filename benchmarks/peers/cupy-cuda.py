#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Measures reductions on a GPU with CuPy.

Prints rows as the programs of c2g do, under the same names. Without CuPy or a GPU it says so, and ends with 77.
"""

import json
import statistics
import sys
import time

try:
    import cupy
except ImportError as error:
    sys.exit(print(f'No CuPy: {error}', file=sys.stderr) or 77)

N_SAMPLES = 9
SAMPLE_SECONDS = 0.03
SIDE = 8192


def sample(run, n):
    cupy.cuda.Device().synchronize()
    start = time.perf_counter()
    for _ in range(n):
        run()
    cupy.cuda.Device().synchronize()
    return time.perf_counter() - start


def measure(run):
    """Returns nanoseconds."""
    n = 1
    sample(run, 1)
    while sample(run, n) < SAMPLE_SECONDS:
        n *= 2
    return statistics.median(sample(run, n) for _ in range(N_SAMPLES)) * 1e9 / n


def main():
    if not cupy.cuda.is_available():
        return print('CuPy finds no GPU', file=sys.stderr) or 77

    x = cupy.zeros((SIDE, SIDE), dtype=cupy.float32)
    y = cupy.zeros((SIDE, SIDE), dtype=cupy.float32)
    flat_x, flat_y = x.ravel(), y.ravel()
    runs = {
        'sum': lambda: x.sum(),
        'sum of rows': lambda: x.sum(axis=1),
        'sum of columns': lambda: x.sum(axis=0),
        'max': lambda: x.max(),
        'max of rows': lambda: x.max(axis=1),
        'arg max of rows': lambda: x.argmax(axis=1),
        'dot': lambda: flat_x.dot(flat_y),
    }
    rows = {name: {'ns': measure(run)} for name, run in runs.items()}
    print(json.dumps({'program': 'CuPy', 'version': cupy.__version__, 'rows': rows}))
    return 0


if __name__ == '__main__':
    sys.exit(main())
