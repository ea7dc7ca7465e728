#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Measures sums, updates and conversions with NumPy, in rows of the same names as those of bench-numbers."""

import json
import os
import platform

# NumPy uses one thread, like the other programs. It reads the variable when it is loaded.
os.environ['OPENBLAS_NUM_THREADS'] = '1'

import numpy  # noqa: E402
from peer_timing import measure  # noqa: E402

LENGTHS = {'SMALL': 262144, 'LARGE': 4194304}


def axpy(x, y, room):
    numpy.multiply(x, x.dtype.type(0.001), out=room)
    numpy.add(y, room, out=y)


def scale(x, y, room):
    numpy.multiply(y, y.dtype.type(-1), out=y)


def asum(x, y, room):
    return numpy.abs(x, out=room).sum()


def amax(x, y, room):
    return numpy.abs(x, out=room).max()


def dot(x, y, room):
    return numpy.dot(x, y)


def convert(x, y, room):
    numpy.copyto(y, x, casting='same_kind')


def main():
    rows = {}
    for length, n in LENGTHS.items():
        for name, dtype in (('float', numpy.float32), ('double', numpy.float64)):
            arrays = [numpy.ones(n, dtype) for _ in range(3)]
            for function in (axpy, scale, asum, amax, dot):
                rows[f'{function.__name__}-{name}-{length}'] = measure(function, *arrays)
        floats, halves = numpy.ones(n, numpy.float32), numpy.ones(n, numpy.float16)
        rows[f'convert-to_float16-{length}'] = measure(convert, floats, halves, None)
        rows[f'convert-from_float16-{length}'] = measure(convert, halves, floats, None)
    print(json.dumps({'program': 'NumPy', 'version': numpy.__version__,
                      'compiler': f'Python {platform.python_version()}', 'rows': rows}))


if __name__ == '__main__':
    main()
