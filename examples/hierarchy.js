// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Workspace, blob, tensor, storage: the whole hierarchy in one program. Run it with gjs -m.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import System from 'system';

function run() {
    // A workspace owns blobs and finds them by name.
    const workspace = new C2g.Workspace();
    const blob = workspace.create_blob('weights');

    // A blob holds anything; here it gets a tensor on the CPU.
    const weights = blob.ensure_tensor(null);
    weights.resize([2, 3]);
    weights.allocate(C2g.DataType.FLOAT);
    weights.set_bytes(new GLib.Bytes(new Uint8Array(new Float32Array([1, 2, 3, 4, 5, 6]).buffer)));
    print(`${blob.name}: ${weights.to_string(6)}`);

    // A tensor that needs more room gets another block, and emits a signal.
    weights.connect('reallocated', (_tensor, oldCapacity, newCapacity) => {
        print(`reallocated: ${oldCapacity} -> ${newCapacity} bytes`);
    });
    weights.resize([4, 3]);
    C2g.CpuContext.new().fill(weights, 0.5);

    // Two tensors share one storage, so a write to one changes both.
    const view = workspace.create_blob('view').ensure_tensor(null);
    view.resize([12]);
    view.share_data(weights);
    view.set_value(0, 10);
    print(`weights[0] = ${weights.get_value(0)}`);

    // An error says what was expected.
    try {
        weights.reshape([5]);
    } catch (error) {
        if (!error.matches?.(C2g.Error, C2g.Error.SHAPE))
            throw error;
        print(`error: ${error.message}`);
    }

    // The report lists memory by the names of blobs.
    const labels = workspace.create_blob('labels').ensure_tensor(null);
    labels.resize([4]);
    labels.allocate(C2g.DataType.INT64);
    print(C2g.MemoryReporter.get_default().dup_report().trimEnd());
}

try {
    run();
} catch (error) {
    printerr(`hierarchy: ${error.message}`);
    System.exit(1);
}
