#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Measures loading a file with one tensor by the safetensors package, in rows of the same names as those of bench-io."""

import json
import platform
import statistics
import tempfile
import time
from pathlib import Path

import numpy
import safetensors
import safetensors.numpy


def measure(function, *arguments):
    samples = []
    for _ in range(7):
        begin = time.process_time_ns()
        n = 0
        while n == 0 or time.process_time_ns() - begin < 10e6:
            function(*arguments)
            n += 1
        samples.append((time.process_time_ns() - begin) / n)
    return statistics.median(samples)


def load(path):
    return safetensors.numpy.load_file(path)


def main():
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'file.safetensors'
        safetensors.numpy.save_file({'tensor': numpy.ones(16 << 20, numpy.float32)}, path)
        rows['load-safetensors'] = measure(load, path)
    print(json.dumps({'program': 'safetensors', 'version': safetensors.__version__,
                      'compiler': f'Python {platform.python_version()}', 'rows': rows}))


if __name__ == '__main__':
    main()
