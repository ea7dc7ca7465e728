#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""A network of two layers that learns XOR on mixed precision.

The weights are floats, so that small steps are not lost. The layers read them as float16, which each
blob converts from the floats when they have changed. All else is computed as doubles.
"""

import math
import sys

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402

FLOAT, FLOAT16 = C2g.DataType.FLOAT, C2g.DataType.FLOAT16
DATA, DIFF = C2g.CaffeParts.DATA, C2g.CaffeParts.DIFF

SAMPLES = [((0, 0), 0), ((0, 1), 1), ((1, 0), 1), ((1, 1), 0)]
N_HIDDEN = 4
N_STEPS = 200
RATE = 0.1


def new_weights(n):
    # The data are float, the gradients only float16.
    weights = C2g.CaffeBlob.new(FLOAT, FLOAT16, [n], None)
    for i in range(n):
        weights.set_value_at(DATA, [i], math.sin(i + 1))
    return weights


def read_halves(weights):
    return weights.ref_data_tensor(FLOAT16, None).tolist()


def step(weights, gradients):
    for i, gradient in enumerate(gradients):
        weights.set_value_at(DIFF, [i], RATE * gradient)
    weights.update()


def train(hidden, output):
    """Does a forward and a backward pass, and returns the loss."""
    w, v = read_halves(hidden), read_halves(output)
    dw, dv = [0] * len(w), [0] * len(v)
    loss = 0
    for (a, b), wanted in SAMPLES:
        # Two weights and a bias for each hidden number, one weight and a bias for the result.
        h = [math.tanh(w[3 * j] * a + w[3 * j + 1] * b + w[3 * j + 2]) for j in range(N_HIDDEN)]
        error = v[N_HIDDEN] - wanted
        for j in range(N_HIDDEN):
            error += v[j] * h[j]
        loss += error * error / 2

        dv[N_HIDDEN] += error
        for j in range(N_HIDDEN):
            dv[j] += error * h[j]
            slope = error * v[j] * (1 - h[j] * h[j])
            dw[3 * j] += slope * a
            dw[3 * j + 1] += slope * b
            dw[3 * j + 2] += slope

    step(hidden, dw)
    step(output, dv)
    return loss


def run():
    hidden, output = new_weights(3 * N_HIDDEN), new_weights(N_HIDDEN + 1)
    for i in range(N_STEPS + 1):
        loss = train(hidden, output)
        if i % 40 == 0:
            print(f'step {i}: loss {loss:.4f}')

    data = hidden.get_data()
    for data_type in FLOAT, FLOAT16:
        print(f'{C2g.DataType.get_name(data_type)}: {data.get_cpu_memory_use(data_type)} bytes')


try:
    run()
except GLib.Error as error:
    sys.exit(f'mixed-precision: {error.message}')
