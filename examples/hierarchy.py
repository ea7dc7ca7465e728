#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Workspace, blob, tensor, storage: all of the hierarchy in one go."""

import array
import sys

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402


def on_reallocated(tensor, old_capacity, new_capacity):
    print(f'reallocated: {old_capacity} -> {new_capacity} bytes')


def run():
    # A workspace owns blobs and finds them by name.
    workspace = C2g.Workspace()
    blob = workspace.create_blob('weights')

    # A blob holds anything; here it makes itself hold a tensor on the CPU.
    weights = blob.ensure_tensor(None)
    weights.resize([2, 3])
    weights.allocate(C2g.DataType.FLOAT)
    weights.set_bytes(GLib.Bytes.new(array.array('f', [1, 2, 3, 4, 5, 6]).tobytes()))
    print(f'{blob.get_name()}: {weights.to_string(6)}')

    # A tensor that needs more room gets another block, and says so.
    weights.connect('reallocated', on_reallocated)
    weights.resize([4, 3])
    C2g.CpuContext.new().fill(weights, 0.5)

    # Two tensors over one storage: what one writes, the other sees.
    view = workspace.create_blob('view').ensure_tensor(None)
    view.resize([12])
    view.share_data(weights)
    view.set_value(0, 10)
    print(f'weights[0] = {weights.get_value(0):g}')

    # Whatever depends on data is an error that says what was expected.
    try:
        weights.reshape([5])
    except GLib.Error as error:
        if not error.matches(C2g.Error.quark(), C2g.Error.SHAPE):
            raise
        print(f'error: {error.message}')

    # Who has how much memory, by name.
    labels = workspace.create_blob('labels').ensure_tensor(None)
    labels.resize([4])
    labels.allocate(C2g.DataType.INT64)
    print(C2g.MemoryReporter.get_default().dup_report(), end='')


try:
    run()
except GLib.Error as error:
    sys.exit(f'hierarchy: {error.message}')
