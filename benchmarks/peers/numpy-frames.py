#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Measures how NumPy converts a scaled frame to floats: planes of red, green and blue, minus their mean, times a scale."""

import json
import platform
import statistics
import time

import numpy


# This is the fastest of several ways.
def normalize(frame, mean, scale):
    planes = numpy.ascontiguousarray(frame.transpose(2, 0, 1)).astype(numpy.float32)
    planes -= mean
    planes *= scale
    return planes


def main():
    frame = numpy.arange(224 * 224 * 3, dtype=numpy.uint32).astype(numpy.uint8).reshape(224, 224, 3)
    mean = numpy.array([123.675, 116.28, 103.53], numpy.float32).reshape(3, 1, 1)
    scale = 1 / numpy.array([58.395, 57.12, 57.375], numpy.float32).reshape(3, 1, 1)
    samples = []
    for _ in range(7):
        begin = time.process_time_ns()
        n = 0
        while n == 0 or time.process_time_ns() - begin < 10e6:
            normalize(frame, mean, scale)
            n += 1
        samples.append((time.process_time_ns() - begin) / n)
    print(json.dumps({'program': 'NumPy', 'version': numpy.__version__, 'compiler': f'Python {platform.python_version()}',
                      'rows': {'normalize': statistics.median(samples)}}))


if __name__ == '__main__':
    main()
