// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Makes many calls of each class, and tells what memory each of them leaves behind: gjs -m flat-memory.js [N_CALLS]
//
// Rows that begin with “gjs” have nothing of c2g: they show what the language itself leaves. The last row leaks on
// purpose. The program fails if a call of c2g leaves more than half a byte, or if that leak is not seen.

import C2g from 'gi://C2g?version=1';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import System from 'system';

const N_ROUNDS = 4;
const PAGE = 4096;
const CONTROL = 'a leak on purpose';
const nCalls = Number(ARGV[0] ?? 100000);
const kept = [];

const bytes = new GLib.Bytes(new Uint8Array(24));
const pixels = new GLib.Bytes(new Uint8Array(12));
const tensor = C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, [2, 3], bytes);
const workspace = new C2g.Workspace();
workspace.set_tensor('x', tensor);
const options = new C2g.PictureOptions({channels: 'BGR'});
const text = "op { type: 'Relu' input: 'x' output: 'y' }";
const predictor = C2g.Predictor.create(null, C2g.NetDef.new_from_text(text), null, null, C2g.OptimizeFlags.ALL);
const file = Gio.File.new_for_path(GLib.dir_make_tmp('c2g-flat-XXXXXX')).get_child('a.minidb');
const value = new GObject.Value();
value.init(GObject.TYPE_OBJECT);
value.set_object(tensor);

function fail() {
    try {
        tensor.reshape([7]);
    } catch (error) {
        return error;
    }
    return null;
}

function map() {
    tensor.map(C2g.MapFlags.READ).unmap();
}

function saveAndLoad() {
    workspace.save_checkpoint(file, null, null);
    new C2g.Workspace().load_checkpoint(file, null, null);
}

// The name, the call, and how many times fewer it is made.
const classes = [
    ['gjs: Gio.File.new_for_path', () => Gio.File.new_for_path('/'), 1],
    ['gjs: new GLib.Bytes', () => new GLib.Bytes(new Uint8Array(3)), 1],
    ['gjs: a value with an object', () => value.get_object(), 1],
    ['construct', () => C2g.Tensor.new_sized([2, 3], null), 1],
    ['from bytes', () => C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, [2, 3], bytes), 1],
    ['to bytes', () => tensor.dup_bytes(), 1],
    ['slice', () => tensor.slice(0, 1), 1],
    ['element', () => tensor.get_value(1), 1],
    ['set element', () => tensor.set_value(1, 2), 1],
    ['dims', () => tensor.get_dims(), 1],
    ['to string', () => tensor.to_string(10), 10],
    ['map', map, 1],
    ['workspace get', () => workspace.get_tensor('x'), 1],
    ['workspace set', () => workspace.set_tensor('y', tensor), 1],
    ['blob value', () => workspace.get_blob('x').value, 1],
    ['error', fail, 1],
    ['predictor', () => predictor.run([tensor], null), 5],
    ['pixels', () => C2g.Tensor.new_from_pixels(pixels, 2, 2, 6, 3, options), 1],
    ['definition', () => C2g.NetDef.new_from_text(text), 1],
    ['file', saveAndLoad, 100],
    [CONTROL, () => kept.push(new Uint8Array(64)), 1],
];

function resident() {
    const [, contents] = GLib.file_get_contents('/proc/self/statm');
    return Number(new TextDecoder().decode(contents).split(' ')[1]) * PAGE;
}

// Returns the bytes that a call leaves: the smallest growth of several rounds, after one that warms up.
function measure(call, n) {
    const grown = [];
    for (let round = 0; round < N_ROUNDS; round++) {
        const before = resident();
        for (let i = 0; i < n; i++)
            call();
        System.gc();
        grown.push(resident() - before);
    }
    return Math.min(...grown.slice(1)) / n;
}

const leaks = [];
for (const [name, call, cost] of classes) {
    const n = Math.floor(nCalls / cost / N_ROUNDS);
    const left = measure(call, n);
    // A few pages are noise of the allocator.
    const isLeak = left > 0.5 && left * n > 4 * PAGE;
    if (isLeak && !name.startsWith('gjs'))
        leaks.push(name);
    print(`${isLeak ? 'LEAK' : 'flat'} ${left.toFixed(2).padStart(8)} bytes a call  ${name}`);
}
file.delete(null);
file.get_parent().delete(null);
if (leaks.join() !== CONTROL)
    System.exit(1);
