#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Workspace, blob, tensor, storage: the whole hierarchy in one program."""

import sys

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402


def on_reallocated(tensor, old_capacity, new_capacity):
    print(f'reallocated: {old_capacity} -> {new_capacity} bytes')


def run():
    # A workspace owns blobs and finds them by name. A blob holds anything; this one holds a tensor on the CPU.
    workspace = C2g.Workspace()
    workspace['weights'] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    weights = workspace['weights']
    print(f'weights: {weights.to_string(6)}')

    # A tensor that needs more room gets another block, and emits a signal.
    weights.connect('reallocated', on_reallocated)
    weights.resize([4, 3])
    C2g.CpuContext.new().fill(weights, 0.5)

    # Two tensors share one storage, so a write to one changes both.
    workspace['view'] = weights[:]
    workspace['view'][0, 0] = 10
    print(f'weights[0] = {weights[0, 0]:g}')

    # An error says what was expected.
    try:
        weights.reshape([5])
    except GLib.Error as error:
        if not error.matches(C2g.Error.quark(), C2g.Error.SHAPE):
            raise
        print(f'error: {error.message}')

    # The report lists memory by the names of blobs.
    workspace.create_tensor('labels', C2g.DataType.INT64, [4])
    print(C2g.MemoryReporter.get_default().dup_report(), end='')


try:
    run()
except GLib.Error as error:
    sys.exit(f'hierarchy: {error.message}')
