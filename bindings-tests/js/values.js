// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Types, shapes, bytes, mappings, elements, blobs.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import GObject from 'gi://GObject';
import Gio from 'gi://Gio';
import {CPU, collect, equal, fails, floats, live, newFloats, newTensor, numbersOf, ok, record, run, test, throws}
    from './testing.js';

const LARGE = 2n ** 53n + 1n;
const READ_WRITE = C2g.MapFlags.READ | C2g.MapFlags.WRITE;

// An element type of JavaScript.
const Point = GObject.registerClass({Implements: [C2g.ElementObject]}, class Point extends GObject.Object {
    _init(x = 0) {
        super._init();
        this.x = x;
    }

    vfunc_copy() {
        return new Point(this.x);
    }

    vfunc_accept(value) {
        if (typeof value !== 'number')
            return false;
        this.x = value;
        return true;
    }
});

// An element that cannot be copied; with a tensor it can, and frees the tensor then.
const Stuck = GObject.registerClass({Implements: [C2g.ElementObject]}, class Stuck extends GObject.Object {
    vfunc_copy() {
        if (!this.tensor)
            return null;
        this.tensor.free_memory();
        return new Stuck();
    }
});

const text = string => new GLib.Bytes(new TextEncoder().encode(string));

const Label = GObject.registerClass(class Label extends GObject.Object {
    _init(label) {
        super._init();
        this.label = label;
    }
});

test('1.1 constructors', () => {
    const upstream = C2g.CpuAllocator.new();
    const storage = C2g.Storage.new(CPU, 8, null);
    const made = [
        [C2g.Blob, C2g.Blob.new()],
        [C2g.CpuAllocator, upstream], [C2g.CpuAllocator, C2g.CpuAllocator.new_aligned(4096)],
        [C2g.CpuContext, C2g.CpuContext.new()], [C2g.CpuContext, C2g.Context.for_device(CPU)],
        [C2g.Device, C2g.Device.new(C2g.DeviceType.CUDA, 1)], [C2g.Device, C2g.Device.parse('cuda:1')],
        [C2g.Event, C2g.Event.new(null)],
        [C2g.FailureCallbackAllocator, C2g.FailureCallbackAllocator.new(null, null)],
        [C2g.LimitingAllocator, C2g.LimitingAllocator.new(upstream, 1)],
        [C2g.LoggingAllocator, C2g.LoggingAllocator.new(upstream, Gio.MemoryOutputStream.new_resizable())],
        [C2g.Mapping, storage.map(C2g.MapFlags.READ)],
        [C2g.MemoryReporter, C2g.MemoryReporter.get_default()],
        [C2g.PoolAllocator, C2g.PoolAllocator.new(null)],
        [C2g.Settings, C2g.Settings.get_default()],
        [C2g.Storage, storage], [C2g.Storage, C2g.Storage.new_from_bytes(text('ab'))],
        [C2g.Tensor, C2g.Tensor.new()], [C2g.Tensor, C2g.Tensor.new_for_device(CPU)],
        [C2g.Tensor, C2g.Tensor.new_sized([2], CPU)],
        [C2g.Tensor, C2g.Tensor.new_from_bytes(C2g.DataType.UINT8, [2], text('ab'))],
        [C2g.Tensor, C2g.Tensor.new_from_storage(C2g.DataType.UINT8, [2], storage, 4)],
        [C2g.Tensor, C2g.Tensor.new_scalar(C2g.DataType.DOUBLE, 2.5)],
        [C2g.TrackingAllocator, C2g.TrackingAllocator.new(upstream)],
        [C2g.TypeMeta, C2g.TypeMeta.for_data_type(C2g.DataType.FLOAT)], [C2g.TypeMeta, C2g.TypeMeta.lookup('float')],
        [C2g.Workspace, C2g.Workspace.new()], [C2g.Workspace, C2g.Workspace.new_with_parent(null)],
    ];
    made.forEach(([kind, instance]) => ok(instance instanceof kind, kind.name));
});

test('1.2 bare constructors', () => {
    ok(new C2g.Event().get_device().equal(CPU));
    ok(new C2g.Tensor().device.equal(CPU));
    equal(new C2g.Blob().name, null);
    equal(new C2g.Workspace().root_folder, '.');
    equal(new C2g.CpuAllocator({alignment: 128}).get_alignment(), 128);
    equal(new C2g.LimitingAllocator({max_bytes: 100}).max_bytes, 100);
    for (const kind of [C2g.FailureCallbackAllocator, C2g.LoggingAllocator, C2g.PoolAllocator, C2g.TrackingAllocator]) {
        ok(new kind().upstream instanceof C2g.Allocator, kind.name);
        equal(new kind().allocate(10, null).get_n_bytes(), 10);
    }
});

test('1.3 without constructor', () => {
    const kinds = [C2g.AdaptorAllocator, C2g.Context, C2g.Device, C2g.Mapping, C2g.MemoryBlock, C2g.Storage,
        C2g.TypeMeta];
    for (const kind of kinds)
        throws(Error, () => new kind());
});

test('1.4 data types', () => {
    const sizes = {UNDEFINED: 0, FLOAT: 4, INT32: 4, BYTE: 1, STRING: 8, BOOL: 1, UINT8: 1, INT8: 1, UINT16: 2,
        INT16: 2, INT64: 8, FLOAT16: 2, DOUBLE: 8, BFLOAT16: 2, UINT32: 4, UINT64: 8};
    for (const [member, size] of Object.entries(sizes)) {
        equal(C2g.DataType.get_item_size(C2g.DataType[member]), size, member);
        equal(C2g.DataType.get_name(C2g.DataType[member]), member.toLowerCase());
        equal(C2g.DataType.from_name(member.toLowerCase()), C2g.DataType[member]);
    }
    fails(C2g.Error.NOT_FOUND, () => C2g.DataType.from_name('Float'));
});

test('1.5 byte is uint8', () => {
    const tensor = newTensor([3], C2g.DataType.BYTE);
    equal(tensor.data_type, C2g.DataType.UINT8);
    equal(tensor.get_type_meta().get_name(), 'uint8');
});

test('1.7 devices', () => {
    const cuda = C2g.Device.parse('cuda:1');
    ok(cuda.equal(C2g.Device.new(C2g.DeviceType.CUDA, 1)));
    ok(!cuda.equal(C2g.Device.parse('cuda')));
    equal([cuda.to_string(), cuda.get_device_type(), cuda.get_index()], ['cuda:1', C2g.DeviceType.CUDA, 1]);
    fails(C2g.Error.INVALID_ARGUMENT, () => C2g.Device.parse('gpu'));
    fails(C2g.Error.RANGE, () => C2g.Device.parse('cpu:1'));
    equal(C2g.Device.count(C2g.DeviceType.CPU), 1);
    const info = C2g.DeviceInfo.new_for_device(C2g.Device.cpu());
    ok(info.get_total_bytes() > 0 && info.list_details().includes('processors'));
    fails(C2g.Error.DEVICE, () => C2g.DeviceInfo.new_for_device(C2g.Device.parse('cuda:1000')));
});

test('1.8 C only names', () => {
    const absent = {
        Blob: ['take_pointer', 'share_pointer', 'get_pointer', 'get_raw', 'release_pointer'],
        Context: ['copy_items', 'vfunc_copy_bytes'],
        Event: ['schedule'],
        Storage: ['share_external'],
        Tensor: ['data', 'mutable_data', 'raw_data', 'raw_mutable_data', 'share_external'],
    };
    for (const [kind, names] of Object.entries(absent))
        names.forEach(name => ok(!(name in C2g[kind].prototype), `${kind}.${name}`));
    for (const name of ['BlockFuncs', 'DeviceBackend', 'ElementFuncs'])
        ok(C2g[name]?.prototype === undefined, name);
});

test('2.1 round trip', () => {
    for (const [dims, n] of [[[], 1], [[0], 0], [[3, 0, 2], 0], [[1], 1], [[2, 3, 4], 24], [[2 ** 40], 2 ** 40]]) {
        const tensor = C2g.Tensor.new_sized(dims, null);
        equal(tensor.get_dims(), dims);
        equal([tensor.get_n_dims(), tensor.get_n_elements()], [dims.length, n]);
        ok(tensor.is_defined() && !tensor.is_allocated());
    }
    equal(new C2g.Tensor().get_dims(), []);
    ok(!new C2g.Tensor().is_defined());
});

test('2.2 axes', () => {
    const tensor = C2g.Tensor.new_sized([2, 3, 4, 5], null);
    equal([0, 3, -1, -4].map(axis => tensor.get_dim(axis)), [2, 5, 5, 2]);
    equal([tensor.size_from_dim(1), tensor.size_to_dim(2), tensor.size_between_dims(0, 3)], [60, 6, 12]);
    fails(C2g.Error.SHAPE, () => tensor.canonical_axis(-5));
});

test('2.3 resize and reshape', () => {
    const tensor = newFloats(1, 2, 3, 4, 5, 6);
    const address = tensor.get_address();
    tensor.reshape([2, 3]);
    tensor.resize([1, 3]);
    tensor.resize_like(C2g.Tensor.new_sized([3, 2], null));
    equal([tensor.get_dims(), tensor.get_address(), tensor.get_capacity()], [[3, 2], address, 24]);
    equal(numbersOf(tensor), [1, 2, 3, 4, 5, 6]);
    tensor.resize([7]);
    ok(!tensor.is_allocated());
});

test('2.4 room', () => {
    const tensor = newFloats(1, 2);
    tensor.extend(2, 100, null);
    equal(numbersOf(tensor).slice(0, 2), [1, 2]);
    tensor.reserve([100]);
    tensor.shrink(1);
    equal([tensor.get_dims(), tensor.get_capacity()], [[1], 400]);
    tensor.trim();
    equal([numbersOf(tensor), tensor.get_capacity()], [[1], 4]);
    tensor.free_memory();
    equal([tensor.get_dims(), tensor.get_address()], [[1], 0]);
});

test('2.5 sharing', () => {
    const tensor = newFloats(1, 2, 3, 4);
    const other = C2g.Tensor.new_sized([2, 2], null);
    other.share_data(tensor);
    tensor.slice(1, 3).set_value(0, 20);
    equal(numbersOf(other), [1, 20, 3, 4]);
    ok(other.shares_data());
});

test('2.6 copies', () => {
    const tensor = newFloats(1, 2, 3);
    const copy = new C2g.Tensor();
    copy.copy_from(tensor, null);
    const others = [tensor.clone(null), tensor.to_device(CPU), copy];
    tensor.set_value(0, 9);
    others.forEach(other => equal(numbersOf(other), [1, 2, 3]));
    copy.swap(tensor);
    equal([numbersOf(copy), numbersOf(tensor)], [[9, 2, 3], [1, 2, 3]]);
});

test('3.1 in and out', () => {
    for (const [dataType, array] of [
        [C2g.DataType.FLOAT, new Float32Array([0.5, -2])], [C2g.DataType.DOUBLE, new Float64Array([0.1, 1e300])],
        [C2g.DataType.INT8, new Int8Array([-128, 127])], [C2g.DataType.UINT8, new Uint8Array([0, 255])],
        [C2g.DataType.INT16, new Int16Array([-32768, 1])], [C2g.DataType.UINT16, new Uint16Array([65535, 0])],
        [C2g.DataType.INT32, new Int32Array([-(2 ** 31), 1])], [C2g.DataType.UINT32, new Uint32Array([2 ** 32 - 1, 0])],
    ]) {
        const tensor = newTensor([2], dataType);
        tensor.set_bytes(new GLib.Bytes(new Uint8Array(array.buffer)));
        equal(tensor.dup_bytes().toArray(), new Uint8Array(array.buffer));
        equal([tensor.get_element(0), tensor.get_element(1)], array);
    }
    equal(newTensor([0]).dup_bytes().get_size(), 0);
});

test('3.2 lent bytes', () => {
    const before = live();
    const bytes = floats(1, 2, 3, 4);
    const tensor = C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, [2, 2], bytes);
    const other = C2g.Tensor.new_sized([4], null);
    other.share_bytes(C2g.DataType.FLOAT, bytes);
    equal(tensor.get_address(), other.get_address());
    equal(live(), before);
    tensor.set_value(0, 9);
    equal([numbersOf(tensor), numbersOf(other)], [[9, 2, 3, 4], [1, 2, 3, 4]]);
    // A typed array is accepted as bytes; it is copied once.
    const third = C2g.Tensor.new_from_bytes(C2g.DataType.INT8, [3], new Uint8Array([1, 2, 255]));
    equal(numbersOf(third), [1, 2, -1]);
});

test('3.3 views that never change', () => {
    const tensor = newFloats(1, 2);
    const view = tensor.ref_bytes();
    tensor.set_value(0, 9);
    equal(view.toArray(), floats(1, 2).toArray());
    equal(numbersOf(tensor), [9, 2]);
});

test('3.4 mapping', () => {
    const tensor = newFloats(1, 2);
    const mapping = tensor.map(READ_WRITE);
    equal([mapping.get_flags(), mapping.get_address(), mapping.get_n_bytes()], [READ_WRITE, tensor.get_address(), 8]);
    equal(mapping.get_data(), floats(1, 2).toArray());
    mapping.write(4, floats(7));
    equal(numbersOf(tensor), [1, 7]);
    equal(mapping.ref_bytes().toArray(), floats(1, 7).toArray());
    fails(C2g.Error.RANGE, () => mapping.write(5, floats(0)));
    fails(C2g.Error.READ_ONLY, () => tensor.map(C2g.MapFlags.READ).write(0, floats(0)));
    fails(C2g.Error.INVALID_ARGUMENT, () => tensor.map(0));
    fails(C2g.Error.INVALID_ARGUMENT, () => tensor.get_storage().map(0));
});

test('3.5 unmapped', () => {
    const mapping = newFloats(1, 2).map(READ_WRITE);
    mapping.unmap();
    mapping.unmap();
    equal([mapping.get_n_bytes(), mapping.get_address(), mapping.get_data().length], [0, 0, 0]);
    fails(C2g.Error.INVALID_ARGUMENT, () => mapping.ref_bytes());
    fails(C2g.Error.INVALID_ARGUMENT, () => mapping.write(0, floats(1)));
});

test('3.6 storage', () => {
    const storage = C2g.Storage.new(CPU, 64, null);
    equal([storage.get_n_bytes(), storage.use_count(), storage.get_n_views()], [64, 1, 0]);
    const tensor = C2g.Tensor.new_from_storage(C2g.DataType.FLOAT, [2], storage, 56);
    equal([storage.use_count(), tensor.get_address()], [2, storage.get_address() + 56]);
    const mapping = storage.map(C2g.MapFlags.WRITE);
    mapping.write(56, floats(1, 2));
    equal(numbersOf(tensor), [1, 2]);
    fails(C2g.Error.BUSY, () => storage.reset());
    mapping.unmap();
    tensor.free_memory();
    ok(storage.reset());
    equal([storage.get_n_bytes(), storage.get_address()], [0, 0]);
    const lent = C2g.Storage.new_from_bytes(text('abcd'));
    equal([lent.is_read_only(), lent.get_allocator()], [true, null]);
    fails(C2g.Error.READ_ONLY, () => lent.map(C2g.MapFlags.WRITE));
});

test('3.7 seal', () => {
    const tensor = newTensor([2]);
    tensor.set_bytes(floats(1, 2));
    const sharer = newTensor([2]);
    sharer.share_data(tensor);
    const mapping = tensor.map(C2g.MapFlags.WRITE);
    fails(C2g.Error.BUSY, () => tensor.seal());
    mapping.unmap();
    ok(tensor.seal() && tensor.is_sealed() && sharer.is_sealed());
    fails(C2g.Error.READ_ONLY, () => tensor.get_storage().map(C2g.MapFlags.WRITE));
    sharer.set_value(0, 5);
    equal([numbersOf(tensor), numbersOf(sharer)], [[1, 2], [5, 2]]);
});

test('3.8 foreign', () => {
    const owner = newFloats(1, 2);
    const tensor = C2g.Tensor.new_from_dlpack(owner.to_dlpack(0, null, 0), 0, null);
    const view = tensor.ref_bytes();
    owner.set_value(0, 3);
    equal([numbersOf(tensor), view.compare(new GLib.Bytes(floats(1, 2)))], [[3, 2], 0]);
    ok(tensor.seal() && tensor.is_sealed());
    owner.set_value(0, 4);
    equal(numbersOf(tensor), [3, 2]);
});

// Maps each error code to a call that fails with it.
const PROVOKE = {
    FAILED: () => C2g.Tensor.new_sized([1], null).dup_bytes(),
    INVALID_ARGUMENT: () => C2g.Device.parse('nowhere'),
    SHAPE: () => new C2g.Tensor().resize([-1]),
    TYPE: () => new C2g.Blob().get_tensor(),
    RANGE: () => new C2g.Tensor().resize([2 ** 40, 2 ** 40]),
    NO_MEMORY: () => C2g.Storage.new(CPU, 2 ** 52, null),
    NOT_SUPPORTED: () => new C2g.Blob().deserialize(text('\x0a\x01x\x12\x06Secret')),
    DEVICE: () => C2g.Storage.new(C2g.Device.parse('cuda:1023'), 8, null),
    READ_ONLY: () => C2g.Storage.new_from_bytes(text('a')).map(C2g.MapFlags.WRITE),
    BUSY: () => {
        const tensor = newTensor([1]);
        tensor.get_storage().reset();
    },
    CORRUPT: () => new C2g.Blob().deserialize(new GLib.Bytes(new Uint8Array(40).fill(255))),
    EXISTS: () => C2g.TypeMeta.register('float', 4),
    NOT_FOUND: () => new C2g.Workspace().get_blob('nobody'),
};

test('4.1 codes', () => {
    for (const [code, provoke] of Object.entries(PROVOKE))
        ok(fails(C2g.Error[code], provoke).length > 0, code);
});

test('4.2 domain', () => {
    try {
        C2g.Device.parse('nowhere');
    } catch (error) {
        ok(error instanceof C2g.Error && error instanceof GLib.Error);
        equal([error.domain, error.code], [C2g.Error.quark(), C2g.Error.INVALID_ARGUMENT]);
    }
});

test('4.3 messages', () => {
    const tensor = newFloats(1, 2, 3);
    const message = fails(C2g.Error.SHAPE, () => tensor.reshape([7]));
    ok(message.includes('[3]') && message.includes('[7]'), message);
    const workspace = new C2g.Workspace();
    workspace.create_blob('fc_w');
    ok(fails(C2g.Error.NOT_FOUND, () => workspace.get_blob('fc_x')).includes('“fc_x” in the workspace, but “fc_w”; did you mean “fc_w”?'));
});

test('4.4 nothing changes', () => {
    const tensor = newFloats(1, 2, 3);
    const address = tensor.get_address();
    for (const [method, ...args] of [['resize', [-1]], ['resize', [2 ** 40, 2 ** 40]], ['reshape', [4]],
        ['extend', -1, 0, null], ['set_bytes', floats(1)], ['slice', 2, 4]]) {
        // Not a function for each call, because SpiderMonkey keeps some functions that are called often at a place.
        let failed = false;
        try {
            tensor[method](...args);
        } catch (error) {
            failed = error instanceof C2g.Error;
        }
        ok(failed, method);
        equal([tensor.get_dims(), tensor.get_address(), numbersOf(tensor)], [[3], address, [1, 2, 3]]);
    }
});

test('5.1 notify', () => {
    const tensor = C2g.Tensor.new_sized([2], null);
    const dataType = record(tensor, 'notify::data-type');
    const device = record(tensor, 'notify::device');
    tensor.allocate(C2g.DataType.FLOAT);
    tensor.allocate(C2g.DataType.FLOAT);
    tensor.allocate(C2g.DataType.INT32);
    equal([dataType.length, tensor.data_type, tensor.dataType], [2, C2g.DataType.INT32, C2g.DataType.INT32]);
    tensor.swap(C2g.Tensor.new_for_device(C2g.Device.parse('cuda')));
    equal([device.length, tensor.device.to_string()], [1, 'cuda:0']);
});

test('5.2 reallocated', () => {
    const tensor = C2g.Tensor.new_sized([2], null);
    const heard = record(tensor, 'reallocated');
    tensor.allocate(C2g.DataType.FLOAT);
    equal(heard, []);
    tensor.resize([100]);
    tensor.allocate(C2g.DataType.FLOAT);
    tensor.free_memory();
    equal(heard, [[8, 0], [0, 400], [400, 0]]);
});

test('5.3 resized', () => {
    const tensor = new C2g.Tensor();
    const heard = record(tensor, 'resized');
    tensor.resize([2, 3]);
    tensor.resize([2, 3]);
    tensor.reshape([3, 2]);
    equal(heard.length, 2);
});

test('5.4 changed', () => {
    const blob = new C2g.Blob();
    const heard = record(blob, 'changed');
    let nValues = 0;
    blob.connect('notify::value', () => nValues++);
    blob.set_value('text');
    blob.ensure_tensor(null);
    blob.reset();
    equal(heard.map(([from, to]) => `${from?.name} ${to?.name}`),
        ['undefined gchararray', 'gchararray C2gTensor', 'C2gTensor undefined']);
    equal(nValues, 3);
});

test('6.1 exact integers', () => {
    const tensor = newTensor([2], C2g.DataType.INT64);
    tensor.set_int64(0, LARGE);
    tensor.set_element(1, -LARGE);
    // JavaScript's numbers are rounded; exact integers are read as bytes.
    equal(new BigInt64Array(tensor.dup_bytes().toArray().buffer), [LARGE, -LARGE]);
    tensor.set_int64(0, Number.MIN_SAFE_INTEGER);
    equal(tensor.get_int64(0), Number.MIN_SAFE_INTEGER);
});

test('6.2 numbers', () => {
    for (const [dataType, given, kept] of [[C2g.DataType.INT32, 2, 2], [C2g.DataType.FLOAT16, 65519, 65504],
        [C2g.DataType.BFLOAT16, 1.005, 1.0078125], [C2g.DataType.BOOL, 1, 1]]) {
        const tensor = newTensor([1], dataType);
        tensor.set_value(0, given);
        equal([tensor.get_value(0), C2g.Tensor.new_scalar(dataType, given).get_value(0)], [kept, kept]);
    }
    for (const [dataType, given] of [[C2g.DataType.INT8, 128], [C2g.DataType.INT32, 2.5], [C2g.DataType.FLOAT, 1e300],
        [C2g.DataType.FLOAT16, 1e6], [C2g.DataType.BOOL, 7]]) {
        fails(C2g.Error.RANGE, () => newTensor([1], dataType).set_value(0, given));
        fails(C2g.Error.RANGE, () => newTensor([1], dataType).set_element(0, given));
        fails(C2g.Error.RANGE, () => C2g.Tensor.new_scalar(dataType, given));
        fails(C2g.Error.RANGE, () => C2g.CpuContext.new().fill(newTensor([1], dataType), given));
    }
});

test('6.3 strings', () => {
    const tensor = newTensor([3], C2g.DataType.STRING);
    ['grün 绿', '', new GLib.Bytes(new Uint8Array([255, 0, 254]))].forEach((value, i) => tensor.set_element(i, value));
    equal([tensor.get_element(0), tensor.get_element(1)], ['grün 绿', '']);
    equal(tensor.get_element(2).toArray(), [255, 0, 254]);
    fails(C2g.Error.TYPE, () => tensor.dup_bytes());
});

test('6.4 booleans', () => {
    const tensor = newTensor([2], C2g.DataType.BOOL);
    tensor.set_element(0, true);
    tensor.set_element(1, 0);
    equal([tensor.get_element(0), tensor.get_element(1)], [true, false]);
});

test('6.5 boxed', () => {
    const tensor = C2g.Tensor.new_sized([2], null);
    tensor.allocate_meta(C2g.TypeMeta.for_gtype(GLib.Date.$gtype));
    tensor.set_element(0, GLib.Date.new_dmy(3, 4, 2020));
    equal([tensor.get_element(0).get_year(), tensor.get_element(1)], [2020, null]);
    equal(tensor.clone(null).get_element(0).get_day(), 3);
    tensor.set_element(0, null);
    equal(tensor.get_element(0), null);
});

test('6.12 element type', () => {
    const tensor = C2g.Tensor.new_sized([2], null);
    tensor.allocate_meta(C2g.TypeMeta.for_gtype(Point.$gtype));
    equal([tensor.get_element(0).x, tensor.get_element(1).x], [0, 0]);
    tensor.set_element(0, 2.5);
    fails(C2g.Error.TYPE, () => tensor.set_element(0, 'text'));
    const given = new Point();
    tensor.set_element(1, given);
    ok(tensor.get_element(1) === given);
    const copied = tensor.clone(null);
    tensor.get_element(0).x = 7;
    equal([copied.get_element(0).x, copied.get_element(1).x], [2.5, 0]);
    ok(copied.get_element(1) !== given);
});

test('6.13 another type', () => {
    const tensor = newFloats(1, -2.5, 1e6);
    const flags = C2g.ConvertFlags;
    equal(numbersOf(tensor.convert(C2g.DataType.DOUBLE, flags.NONE)), [1, -2.5, 1e6]);
    equal(numbersOf(tensor.convert(C2g.DataType.FLOAT16, flags.SATURATE)), [1, -2.5, 65504]);
    equal(numbersOf(tensor.convert(C2g.DataType.UINT8, flags.WRAP)), [1, 0, 255]);
    const message = fails(C2g.Error.RANGE, () => tensor.convert(C2g.DataType.FLOAT16, flags.NONE));
    ok(message.includes('Element 2 is 1000000'), message);
    const target = newTensor([1], C2g.DataType.INT16);
    target.fill(7);
    fails(C2g.Error.RANGE, () => target.convert_from(tensor, flags.NONE));
    equal(numbersOf(target), [7]);
    ok(target.convert_from(tensor, flags.SATURATE));
    equal(numbersOf(target), [1, -2, 32767]);
});

test('6.14 whole tensors', () => {
    const [x, y] = [newFloats(1, -2, 3), newFloats(10, 20, 30)];
    equal([x.dot(y), x.asum(), x.amax(), x.sumsq()], [60, 6, 3, 14]);
    ok(y.axpy(2, x) && y.axpby(1, x, 0.5) && y.scale(-1));
    equal(numbersOf(y), [-7, -6, -21]);
    ok(y.fill(NaN));
    equal([y.asum(), y.amax()], [NaN, NaN]);
    const copy = y.clone(null);
    equal([y.equal(copy), y.equal(x)], [true, false]);
    equal([y.allclose(copy, 0, 0, true), y.allclose(copy, 0, 0, false)], [true, false]);
    fails(C2g.Error.SHAPE, () => x.axpy(1, newFloats(1)));
    fails(C2g.Error.TYPE, () => x.dot(newTensor([3], C2g.DataType.DOUBLE)));
});

test('6.15 element without copy', () => {
    const tensor = C2g.Tensor.new_sized([2], null);
    tensor.allocate_meta(C2g.TypeMeta.for_gtype(Stuck.$gtype));
    const first = tensor.get_element(0);
    const copy = new C2g.Tensor();
    fails(C2g.Error.FAILED, () => tensor.clone(null));
    tensor.reserve([100]);
    tensor.trim();
    ok(tensor.get_element(0) === first);
    first.tensor = tensor;
    tensor.set_element(1, null);
    fails(C2g.Error.BUSY, () => copy.copy_from(tensor, null));
    ok(!tensor.is_allocated());
    first.tensor = null;
});

test('6.16 axes and pictures', () => {
    const tensor = newFloats(0, 1, 2, 3, 4, 5);
    tensor.reshape([2, 3]);
    for (const axes of [[1, 0], [-1, 0], null]) {
        const turned = tensor.transpose(axes);
        equal([turned.get_dims(), numbersOf(turned)], [[3, 2], [0, 3, 1, 4, 2, 5]]);
    }
    fails(C2g.Error.SHAPE, () => tensor.transpose([0]));
    fails(C2g.Error.INVALID_ARGUMENT, () => tensor.transpose([0, 0]));
    const pixels = tensor.convert(C2g.DataType.UINT8, C2g.ConvertFlags.NONE);
    const planes = pixels.normalize(C2g.DataType.FLOAT16, -1, 0, [0, 1, 2], [0.5]);
    equal([planes.get_dims(), numbersOf(planes)], [[3, 2], [0, 1.5, 0, 1.5, 0, 1.5]]);
    fails(C2g.Error.INVALID_ARGUMENT, () => pixels.normalize(C2g.DataType.FLOAT, 1, 0, [1, 2], null));
    fails(C2g.Error.TYPE, () => tensor.normalize(C2g.DataType.FLOAT, 1, 0, null, null));
});

test('6.17 what types hold', () => {
    const {FLOAT, FLOAT16, BFLOAT16, DOUBLE, INT32, INT64, UNDEFINED} = C2g.DataType;
    equal([C2g.DataType.get_min(FLOAT16), C2g.DataType.get_max(FLOAT16)], [-65504, 65504]);
    equal([C2g.DataType.contains(DOUBLE, INT32), C2g.DataType.contains(DOUBLE, INT64)], [true, false]);
    equal([C2g.DataType.promote(FLOAT16, BFLOAT16), C2g.DataType.promote(INT64, FLOAT)], [FLOAT, UNDEFINED]);
    equal([C2g.DataType.from_caffe(2), C2g.DataType.to_caffe(FLOAT16), C2g.DataType.to_caffe(INT64)], [FLOAT16, 2, -1]);
    fails(C2g.Error.NOT_FOUND, () => C2g.DataType.from_caffe(6));
});

test('6.11 boxed elements are counted', () => {
    const tensor = C2g.Tensor.new_sized([1], null);
    tensor.allocate_meta(C2g.TypeMeta.for_gtype(C2g.Storage.$gtype));
    tensor.set_element(0, C2g.Storage.new(CPU, 1000, null));
    for (let i = 0; i < 100; i++)
        equal(tensor.dup_element(0).value.get_n_bytes(), 1000);
    const kept = tensor.dup_element(0).value;
    collect();
    tensor.free_memory();
    equal([kept.use_count(), kept.get_n_bytes()], [1, 1000]);
});

test('6.6 objects', () => {
    const tensor = C2g.Tensor.new_sized([2], null);
    tensor.allocate_meta(C2g.TypeMeta.for_gtype(Label.$gtype));
    const label = new Label('kept');
    tensor.set_element(0, label);
    ok(tensor.get_element(0) === label);
    equal([tensor.get_element(0).label, tensor.get_element(1)], ['kept', null]);
    fails(C2g.Error.TYPE, () => tensor.set_element(1, new GObject.Object()));
});

test('6.7 registered', () => {
    const meta = C2g.TypeMeta.register('point of the JavaScript tests', 12);
    equal([meta.get_item_size(), meta.is_plain()], [12, true]);
    const tensor = C2g.Tensor.new_sized([2], null);
    tensor.allocate_meta(meta);
    tensor.set_element(1, text('123456789abc'));
    equal(tensor.get_element(1).toArray(), text('123456789abc').toArray());
    fails(C2g.Error.RANGE, () => tensor.set_element(0, text('short')));
    fails(C2g.Error.EXISTS, () => C2g.TypeMeta.register('point of the JavaScript tests', 12));
});

test('6.8 wrong elements', () => {
    const tensor = newFloats(1, 2);
    fails(C2g.Error.RANGE, () => tensor.get_value(2));
    fails(C2g.Error.RANGE, () => tensor.set_value(-1, 0));
    fails(C2g.Error.TYPE, () => tensor.set_element(0, 'text'));
    fails(C2g.Error.TYPE, () => tensor.set_element(0, null));
    equal(tensor.get_element(2), null);
    equal(numbersOf(tensor), [1, 2]);
});

test('6.9 text', () => {
    equal(newFloats(1, 2, 3).to_string(2), 'float [3] on cpu: 1, 2, …');
});

// SpiderMonkey would take the bits of this NaN for a pointer to an object.
test('6.10 nan', () => {
    const float = [0xb0, 0xe0, 0xf1, 0xff];
    const tensor = newTensor([1]);
    tensor.set_bytes(new Uint8Array(float));
    ok(Number.isNaN(tensor.get_value(0)) && Number.isNaN(tensor.get_element(0)));
    const double = newTensor([1], C2g.DataType.DOUBLE);
    double.set_bytes(new Uint8Array([0, 0, 0, 0, 0x16, 0x3c, 0xfe, 0xff]));
    ok(Number.isNaN(double.get_value(0)) && Number.isNaN(double.get_element(0)));

    const name = [10, 1, 97];
    const argument = (...fields) => {
        const bytes = [42, name.length + fields.length, ...name, ...fields];
        return C2g.OperatorDef.new_from_bytes(new Uint8Array(bytes)).get_argument('a');
    };
    ok(Number.isNaN(argument(0x15, ...float).get_float()));
    ok(argument(0x2d, ...float).get_floats().every(Number.isNaN));
});

test('7.1 values', () => {
    const blob = new C2g.Blob();
    for (const [value, name] of [[3, 'gint'], [-2.5, 'gdouble'], ['grün 绿', 'gchararray'], [true, 'gboolean'],
        [2 ** 40, 'gdouble']]) {
        blob.set_value(value);
        equal([blob.get_value(), blob.content_type.name], [value, name]);
    }
    blob.set_value(2n ** 40n);
    equal([blob.get_value(), blob.content_type.name], [2 ** 40, 'gint64']);
});

test('7.2 boxed and objects', () => {
    const blob = new C2g.Blob();
    blob.set_value(text('ab'));
    equal([blob.get_value().toArray(), blob.get_n_bytes()], [text('ab').toArray(), 2]);
    blob.set_value(C2g.Device.parse('cuda:1'));
    ok(blob.get_value().equal(C2g.Device.parse('cuda:1')));
    const label = new Label('model');
    blob.set_value(label);
    ok(blob.get_value() === label && blob.get_object() === label);
});

test('7.9 boxed content is counted', () => {
    const blob = new C2g.Blob();
    blob.set_value(C2g.Storage.new(CPU, 1000, null));
    for (let i = 0; i < 100; i++)
        equal(blob.value.get_n_bytes(), 1000);
    const kept = blob.value;
    collect();
    blob.reset();
    equal([kept.use_count(), kept.get_n_bytes()], [1, 1000]);
});

test('7.3 nothing', () => {
    const blob = new C2g.Blob();
    for (const empty of [() => {}, () => blob.set_value(null), () => blob.set_object(null), () => blob.reset()]) {
        empty();
        equal([blob.is_empty(), blob.get_value(), blob.content_type, blob.get_object()], [true, null, null, null]);
        blob.set_value(1);
    }
});

test('7.4 ensure', () => {
    const blob = new C2g.Blob();
    equal(blob.ensure(GObject.TYPE_INT), [true, true]);
    equal(blob.ensure(GObject.TYPE_INT), [true, false]);
    fails(C2g.Error.TYPE, () => blob.ensure(GLib.Bytes.$gtype));
    const tensor = blob.ensure_tensor(null);
    ok(blob.ensure_tensor(null) === tensor && blob.get_tensor() === tensor);
    ok(blob.is_tensor(null) && blob.is_type(C2g.Tensor.$gtype) && !blob.is_tensor(C2g.Device.parse('cuda')));
});

test('7.5 move, swap, steal', () => {
    const [first, second] = [new C2g.Blob(), new C2g.Blob()];
    const tensor = first.ensure_tensor(null);
    first.swap(second);
    ok(first.is_empty() && second.get_object() === tensor);
    first.move_from(second);
    ok(second.is_empty() && first.get_object() === tensor);
    ok(first.steal_object() === tensor);
    equal([first.is_empty(), first.steal_object()], [true, null]);
});

test('7.6 sizes', () => {
    const blob = new C2g.Blob();
    blob.set_object(newTensor([10]));
    equal(blob.get_n_bytes(), 40);
    blob.set_value('abc');
    equal(blob.get_n_bytes(), 3);
});

test('7.7 serialized', () => {
    const [blob, other] = [new C2g.Blob(), new C2g.Blob()];
    blob.set_object(newFloats(1, 2, 3));
    other.deserialize(blob.serialize('weights'));
    equal(numbersOf(other.get_tensor()), [1, 2, 3]);
});

test('7.8 quantized', () => {
    const tensor = C2g.QTensor.new([30], 3, false);
    tensor.set_scale(0.5);
    tensor.set_bit(2, 7, true);
    equal([tensor.get_dims(), tensor.get_n_bytes(), tensor.get_value(7)], [[30], 12, 2]);
});

test('22.1 there and back', () => {
    const tensor = newFloats(1, 2, 3);
    for (const flags of [0, C2g.DlpackFlags.VERSIONED]) {
        const back = C2g.Tensor.new_from_dlpack(tensor.to_dlpack(flags, null, 0), flags, null);
        equal(back.get_address(), tensor.get_address());
        back.set_value(1, 42);
        equal(numbersOf(tensor), [1, 42, 3]);
    }
});

test('22.2 not taken', () => {
    const before = live();
    const tensor = newFloats(1);
    const managed = tensor.to_dlpack(C2g.DlpackFlags.VERSIONED, CPU, -1);
    tensor.free_memory();
    ok(live()[0] === before[0] + 1);
    C2g.dlpack_release(managed, C2g.DlpackFlags.VERSIONED);
    equal(live(), before);
    const other = newFloats(1);
    const array = other.to_array_struct();
    other.free_memory();
    ok(live()[0] === before[0] + 1);
    C2g.array_struct_release(array);
    equal(live(), before);
});

test('22.3 errors', () => {
    const tensor = newTensor([2], C2g.DataType.STRING);
    ok(fails(C2g.Error.TYPE, () => tensor.to_dlpack(0, null, 0)).includes('string'));
    fails(C2g.Error.SHAPE, () => new C2g.Tensor().to_dlpack(0, null, 0));
    fails(C2g.Error.INVALID_ARGUMENT, () => newFloats(1).to_dlpack(0, null, 7));
    equal(C2g.dlpack_get_stream(CPU, null), 0);
});

run();
