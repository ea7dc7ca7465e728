// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// NVCaffe's memory.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import {equal, fails, ok, run, test} from './testing.js';

const Head = C2g.SyncedHead;
const text = string => new GLib.Bytes(new TextEncoder().encode(string));
const textOf = memory => new TextDecoder().decode(memory.dup_bytes().toArray());

test('24.1 synced memory', () => {
    const memory = C2g.SyncedMemory.new(4, null);
    const heads = [];
    memory.connect('head-changed', (_, ...change) => heads.push(change));
    equal(memory.get_head(), Head.UNINITIALIZED);
    equal(textOf(memory), '\0\0\0\0');
    equal(heads, [[Head.UNINITIALIZED, Head.AT_CPU]]);
    ok(memory.is_cpu_head() && !memory.is_gpu_head());
    memory.set_bytes(text('abcd'));
    equal(textOf(memory), 'abcd');
    equal(heads.length, 1);
    fails(C2g.Error.SHAPE, () => memory.set_bytes(text('abc')));
    equal(textOf(memory), 'abcd');
});

test('24.2 size and marks', () => {
    const memory = new C2g.SyncedMemory({n_bytes: 4, name: 'data', device: C2g.Device.parse('cuda:1')});
    equal([memory.get_n_bytes(), memory.n_bytes, memory.name], [4, 4, 'data']);
    equal(memory.to_string(), 'data: 4 bytes, uninitialized, invalid; cpu 0, cuda:1 0');
    memory.set_bytes(text('abcd'));
    ok(memory.is_valid());
    memory.invalidate();
    ok(!memory.is_valid());
    memory.validate();
    ok(memory.is_valid());
    memory.resize(2);
    equal([textOf(memory), memory.get_cpu_memory_use(true)], ['ab', 4]);
    memory.resize(8);
    equal([memory.get_head(), memory.get_cpu_memory_use(false)], [Head.UNINITIALIZED, 0]);
    const absent = C2g.SyncedMemory.new(4, C2g.Device.parse('cuda:1000'));
    fails(C2g.Error.DEVICE, () => absent.push(null));
    equal([absent.get_head(), absent.get_gpu_memory_use(false)], [Head.UNINITIALIZED, 0]);
});

run();
