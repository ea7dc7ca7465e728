// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// What tensors take in JavaScript, in rows of the same names as those of python-tensors.py.

import GLib from 'gi://GLib';
import System from 'system';
import C2g from '../introspection/js/c2g.js';

const N_REPEATS = 7;
const LARGE = 16 << 20;
const MICROSECONDS = 20000;
const NET = `external_input: 'x' external_input: 'w' external_input: 'b' external_output: 'y'
    op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'h' } op { type: 'Relu' input: 'h' output: 'y' }`;

function zeros(...shape) {
    const tensor = C2g.Tensor.new_sized(shape, null);
    tensor.allocate(C2g.DataType.FLOAT);
    tensor.fill(0);
    return tensor;
}

function newPredictor() {
    const workspace = new C2g.Workspace();
    workspace.create_blob('w').set_object(zeros(10, 64));
    workspace.create_blob('b').set_object(zeros(10));
    return C2g.Predictor.create(null, C2g.NetDef.new_from_text(NET), workspace, null, C2g.OptimizeFlags.ALL);
}

// Returns the nanoseconds of N calls; what they left is collected afterwards.
function time(call, n) {
    const begin = GLib.get_monotonic_time();
    for (let i = 0; i < n; i++)
        call();
    const end = GLib.get_monotonic_time();
    System.gc();
    return (end - begin) * 1000;
}

function measure(call) {
    let n = 1;
    while (time(call, n) < MICROSECONDS * 1000)
        n *= 2;
    const times = Array.from({length: N_REPEATS}, () => time(call, n) / n);
    return times.sort((a, b) => a - b)[N_REPEATS >> 1];
}

const [tensor, big, workspace, input] = [zeros(4, 4), zeros(LARGE), new C2g.Workspace(), zeros(1, 64)];
workspace.create_blob('x').set_object(tensor);
const [bytes, numbers, predictor] = [big.dup_bytes(), new Float32Array(LARGE), newPredictor()];

const rows = {
    'view': () => tensor.values,
    'element': () => tensor.dup_element(6).value,
    'slice': () => tensor.slice(1, 2),
    'lookup': () => workspace.get_tensor('x'),
    'call': () => tensor.get_n_elements(),
    'in copy': () => {
        big.values = numbers;
    },
    'in bytes': () => big.set_bytes(bytes),
    'out values': () => big.values,
    'out copy': () => big.dup_bytes(),
    'out view': () => big.ref_bytes(),
    'predict': () => predictor.run([input], null),
};
const results = Object.entries(rows).map(([name, call]) => [`${name} gjs`, measure(call)]);
// A number such as 17402 is the version 1.74.2.
const versions = [System.version / 10000, System.version / 100 % 100, System.version % 100].map(Math.floor);
print(JSON.stringify({version: C2g.get_version_string(), gjs: versions.join('.'), rows: Object.fromEntries(results)}));
