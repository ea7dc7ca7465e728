// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// NVCaffe's memory.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import {collect, equal, fails, numbersOf, ok, run, test} from './testing.js';

const Head = C2g.SyncedHead;
const {FLOAT16, FLOAT, DOUBLE, INT32} = C2g.DataType;
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
    equal([memory.asum(C2g.DataType.UINT8, 4), memory.amax(C2g.DataType.UINT8, 4)], [394, 100]);
    equal(memory.sumsq(C2g.DataType.INT8, 1), 97 ** 2);
    fails(C2g.Error.RANGE, () => memory.asum(FLOAT, 2));
    memory.resize(2);
    equal([textOf(memory), memory.get_cpu_memory_use(true)], ['ab', 4]);
    memory.resize(8);
    equal([memory.get_head(), memory.get_cpu_memory_use(false)], [Head.UNINITIALIZED, 0]);
    const absent = C2g.SyncedMemory.new(4, C2g.Device.parse('cuda:1000'));
    fails(C2g.Error.DEVICE, () => absent.push(null));
    equal([absent.get_head(), absent.get_gpu_memory_use(false)], [Head.UNINITIALIZED, 0]);
});

// Creates a mixed tensor with these numbers. Nothing holds its memory, because the tensor that wrote it is
// collected.
function written(values, dataType = FLOAT) {
    const mixed = C2g.MixedTensor.new(dataType, [values.length], null);
    const mapping = mixed.ref_mutable_tensor(dataType, null).map(C2g.MapFlags.READ_WRITE);
    const items = dataType === DOUBLE ? new Float64Array(values) : new Float32Array(values);
    mapping.write(0, new GLib.Bytes(new Uint8Array(items.buffer)));
    mapping.unmap();
    collect();
    return mixed;
}

const read = (mixed, dataType) => numbersOf(mixed.ref_tensor(dataType, null));

test('24.3 mixed tensor', () => {
    const mixed = C2g.MixedTensor.new(FLOAT16, [2, 3], C2g.Device.parse('cuda:1'));
    equal([mixed.get_data_type(), mixed.get_dims(), mixed.get_n_elements()], [FLOAT16, [2, 3], 6]);
    equal(mixed.get_head(FLOAT16), Head.UNINITIALIZED);
    equal(read(mixed, DOUBLE), [0, 0, 0, 0, 0, 0]);
    equal([mixed.get_head(DOUBLE), mixed.get_head(FLOAT16)], [Head.AT_CPU, Head.UNINITIALIZED]);
    const named = new C2g.MixedTensor({name: 'conv1/data'});
    named.reshape([]);
    equal([named.get_dims(), named.get_n_elements()], [[], 1]);
    equal(read(named, FLOAT), [0]);
    equal(named.to_string().split('\n')[0], '[] of float');
    fails(C2g.Error.TYPE, () => C2g.MixedTensor.new(C2g.DataType.STRING, [1], null));
    fails(C2g.Error.SHAPE, () => C2g.MixedTensor.new(FLOAT, [-1], null));
    fails(C2g.Error.DEVICE, () => named.ref_tensor(FLOAT, C2g.Device.parse('cuda:1')));
});

test('24.4 conversions', () => {
    const values = [1 / 3, 1e300, -1e-300, -Infinity];
    const mixed = written(values, DOUBLE);
    const converted = [];
    mixed.connect('converted', (_, ...types) => converted.push(types));
    for (let i = 0; i < 3; i++)
        equal(read(mixed, FLOAT16), [0.333251953125, 65504, -0, -Infinity]);
    equal(converted, [[DOUBLE, FLOAT16]]);
    ok(mixed.is_valid(FLOAT16) && !mixed.is_valid(INT32));
    equal(read(mixed, INT32), [0, 2 ** 31 - 1, 0, -(2 ** 31)]);
    equal(read(mixed, DOUBLE), values);
});

test('24.5 holders', () => {
    const mixed = written([1]);
    equal(read(mixed, FLOAT16), [1]);
    let writer = mixed.ref_mutable_tensor(FLOAT, null);
    ok(mixed.is_held());
    for (const value of [2, 3]) {
        writer.set_value(0, value);
        equal([read(mixed, FLOAT16), read(mixed, FLOAT)], [[value], [value]]);
    }
    ok(fails(C2g.Error.BUSY, () => mixed.ref_mutable_tensor(FLOAT16, null)).includes('float'));
    fails(C2g.Error.BUSY, () => mixed.set_data_type(DOUBLE));
    // The collector runs at an unknown time, so run it now.
    writer.free_memory();
    writer = null;
    ok(!mixed.is_held());
    mixed.ref_mutable_tensor(FLOAT16, null).set_value(0, 4);
    equal([read(mixed, FLOAT), mixed.get_data_type()], [[4], FLOAT16]);
    const tensor = C2g.Tensor.new_scalar(INT32, 5);
    const other = new C2g.MixedTensor();
    other.set_tensor(tensor);
    tensor.set_value(0, 6);
    equal([read(other, FLOAT16), other.get_dims(), other.is_held()], [[6], [], true]);
    fails(C2g.Error.BUSY, () => other.set_tensor(tensor));
    fails(C2g.Error.TYPE, () => other.set_tensor(new C2g.Tensor()));
});

test('24.10 foreign', () => {
    const owner = C2g.Tensor.new_scalar(FLOAT, 1);
    const mixed = new C2g.MixedTensor();
    mixed.set_tensor(C2g.Tensor.new_from_dlpack(owner.to_dlpack(0, null, 0), 0, null));
    collect();
    for (const value of [2, 3]) {
        owner.set_value(0, value);
        equal([read(mixed, FLOAT16), read(mixed, DOUBLE)], [[value], [value]]);
    }
    ok(mixed.is_held() && !mixed.is_valid(FLOAT16));
    mixed.set_data_type(FLOAT16);
    owner.set_value(0, 4);
    equal([read(mixed, DOUBLE), mixed.is_held()], [[3], false]);
});

test('24.6 readers', () => {
    const mixed = written([1]);
    const tensors = [FLOAT16, FLOAT].map(dataType => mixed.ref_tensor(dataType, null));
    mixed.ref_mutable_tensor(FLOAT, null).set_value(0, 2);
    equal(read(mixed, FLOAT16), [2]);
    equal(tensors.map(numbersOf), [[1], [1]]);
    ok(tensors.every(tensor => tensor.get_storage().is_read_only()));
    tensors[0].set_value(0, 5);
    equal([numbersOf(tensors[0]), read(mixed, FLOAT16)], [[5], [2]]);
});

test('24.7 arithmetic and shapes', () => {
    const mixed = written([1, -2, 3, -4]);
    equal([mixed.asum(), mixed.amax(), mixed.sumsq()], [10, 4, 30]);
    mixed.scale(0.5);
    equal(read(mixed, FLOAT), [0.5, -1, 1.5, -2]);
    mixed.axpy(2, written([1, 2, 3, 4], DOUBLE));
    equal(read(mixed, FLOAT), [2.5, 3, 7.5, 6]);
    mixed.axpy(-2, written([1, 2, 3, 4]));
    mixed.set_data_type(INT32);
    equal([read(mixed, FLOAT), mixed.get_data_type()], [[0, -1, 1, -2], INT32]);
    mixed.fill(1e10);
    ok(mixed.invalidate_others() && !mixed.is_valid(FLOAT));
    mixed.reshape([2, 1]);
    equal([read(mixed, INT32), mixed.get_cpu_memory_use(INT32)], [[2 ** 31 - 1, 2 ** 31 - 1], 16]);
    mixed.reshape([5]);
    equal([read(mixed, INT32), read(mixed, FLOAT16)], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]);
    equal([INT32, FLOAT16, DOUBLE].map(type => mixed.get_cpu_memory_use(type)), [20, 10, 0]);
    mixed.copy_from(written([1.5, 2.5, -3.5, 1e12, 0], DOUBLE));
    equal([read(mixed, FLOAT16), mixed.get_data_type()], [[1, 2, -3, 65504, 0], INT32]);
    ok(mixed.trim());
    equal([mixed.get_cpu_memory_use(INT32), mixed.get_cpu_memory_use(FLOAT16)], [20, 0]);
});

run();
