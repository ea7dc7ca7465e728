// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Streams, events, contexts and allocators of GPUs, or of the fake runtime.

import C2g from 'gi://C2g?version=1';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import System from 'system';

import {CPU, collect, equal, fails, newFloats, numbersOf, ok, record, run, test, throws} from './testing.js';

const MIB = 1 << 20;
// Too large for a Number to be exact.
const NO_LIMIT = 2n ** 64n - 1n;
const DONE = C2g.EventStatus.SUCCESS;
const CUDA = C2g.Device.parse('cuda:0');
const ABSENT = C2g.Device.parse('cuda:15');
const reporter = C2g.MemoryReporter.get_default();

function skip(reason) {
    print(`1..0 # SKIP ${reason}`);
    System.exit(0);
}

let C2gCuda;
try {
    C2gCuda = (await import('gi://C2gCuda?version=1')).default;
    C2g.Context.for_device(CUDA);
} catch (error) {
    skip(error.message);
}

function newFar(numbers, context = null) {
    const far = C2g.Tensor.new_for_device(CUDA);
    far.copy_from(newFloats(...numbers), context);
    return far;
}

function near(far) {
    return numbersOf(far.to_device(CPU));
}

// A device has a new wrapper object each time, so compare its text.
function place(thing) {
    return thing.get_device().to_string();
}

function includes(text, ...parts) {
    for (const part of parts)
        ok(text.includes(part), `“${part}” is not in “${text}”`);
}

test('23.1 constructors', () => {
    const stream = C2gCuda.Stream.new(CUDA);
    const handle = C2gCuda.Event.new(CUDA);
    const storage = C2gCuda.CachingAllocator.new(CUDA).allocate(8, null);
    const tensor = C2g.Tensor.new_from_storage(C2g.DataType.FLOAT, [2], storage, 0);
    for (const [kind, ...instances] of [
        [C2gCuda.AsyncAllocator, C2gCuda.AsyncAllocator.new(CUDA), C2gCuda.AsyncAllocator.new_with_limit(CUDA, MIB)],
        [C2gCuda.CachingAllocator, C2gCuda.CachingAllocator.new(CUDA)],
        [C2gCuda.Context, C2gCuda.Context.new(CUDA), C2gCuda.Context.new_for_stream(stream)],
        [C2gCuda.Event, C2gCuda.Event.new(CUDA), C2gCuda.Event.new_with_timing(CUDA),
            C2gCuda.Event.new_from_handle(CUDA, handle.get_handle())],
        [C2gCuda.IpcExport, C2gCuda.IpcExport.new(storage, null), C2gCuda.IpcExport.new_for_tensor(tensor, null)],
        [C2gCuda.PinnedAllocator, C2gCuda.PinnedAllocator.new(), new C2gCuda.PinnedAllocator()],
        [C2gCuda.Stream, stream, C2gCuda.Stream.new_with_priority(CUDA, -1),
            C2gCuda.Stream.new_from_handle(CUDA, stream.get_handle())],
    ]) {
        for (const instance of instances)
            ok(instance instanceof kind, kind.name);
    }
});

test('23.2 absent devices', () => {
    const kinds = [C2gCuda.Stream, C2gCuda.Event, C2gCuda.Context, C2gCuda.AsyncAllocator, C2gCuda.CachingAllocator];
    for (const kind of kinds) {
        includes(fails(C2g.Error.DEVICE, () => kind.new(ABSENT)), 'cuda:15');
        includes(fails(C2g.Error.DEVICE, () => kind.new(CPU)), 'cpu');
    }
    includes(fails(C2g.Error.DEVICE, () => C2g.Context.for_device(ABSENT)), 'cuda:15');
    includes(fails(C2g.Error.DEVICE, () => newFloats(1).to_device(ABSENT)), 'cuda:15');
    fails(C2g.Error.DEVICE, () => C2gCuda.Stream.new_from_handle(CPU, 0));
});

test('23.3 bare constructors', () => {
    for (const kind of [C2gCuda.AsyncAllocator, C2gCuda.CachingAllocator]) {
        const allocator = new kind();
        includes(fails(C2g.Error.NOT_SUPPORTED, () => allocator.allocate(1, null)), '_new');
        equal([allocator.trim(0), allocator.get_peak_bytes()], [0, 0]);
    }
});

test('23.4 streams', () => {
    const stream = C2gCuda.Stream.new(CUDA), other = C2gCuda.Stream.new_with_priority(CUDA, 100);
    equal([place(stream), stream.device.to_string()], ['cuda:0', 'cuda:0']);
    ok(stream.get_handle() !== other.handle);
    ok(!stream.is_foreign());
    const same = C2gCuda.Stream.new_from_handle(CUDA, stream.get_handle());
    equal([same.get_handle(), same.is_foreign()], [stream.get_handle(), true]);
    includes(fails(C2g.Error.NOT_SUPPORTED, () => C2gCuda.Stream.new_from_handle(CUDA, 2)), 'cudaStreamPerThread');
    equal(stream.query(), DONE);
    const far = newFar([1, 2], C2gCuda.Context.new_for_stream(stream));
    ok(other.wait(stream));
    ok(other.finish());
    equal([stream.query(), other.query()], [DONE, DONE]);
    equal(near(far), [1, 2]);
});

test('23.5 events', () => {
    const stream = C2gCuda.Stream.new(CUDA), other = C2gCuda.Stream.new(CUDA);
    const start = C2gCuda.Event.new_with_timing(CUDA), end = C2gCuda.Event.new_with_timing(CUDA);
    equal([place(start), start.is_foreign(), start.query()], ['cuda:0', false, DONE]);
    fails(C2g.Error.DEVICE, () => end.get_elapsed(start));
    start.record(stream);
    const far = newFar([1, 2], C2gCuda.Context.new_for_stream(stream));
    end.record(stream);
    ok(end.wait(other));
    ok(end.finish());
    equal([end.query(), start.query()], [DONE, DONE]);
    const [, milliseconds] = end.get_elapsed(start);
    ok(milliseconds >= 0);
    const same = C2gCuda.Event.new_from_handle(CUDA, end.handle);
    equal([same.get_handle(), same.is_foreign(), same.query()], [end.get_handle(), true, DONE]);
    const plain = C2gCuda.Event.new(CUDA);
    plain.record(stream);
    plain.finish();
    fails(C2g.Error.DEVICE, () => plain.get_elapsed(start));
    equal(near(far), [1, 2]);
});

test('23.6 contexts', () => {
    const stream = C2gCuda.Stream.new(CUDA);
    const context = C2gCuda.Context.new_for_stream(stream), other = C2gCuda.Context.new(CUDA);
    equal([context.get_stream(), context.stream, place(other)], [stream, stream, 'cuda:0']);
    ok(other.get_stream() !== stream);
    ok(C2g.Context.for_device(CUDA) instanceof C2gCuda.Context);
    for (const wanted of [true, false]) {
        other.set_tf32_products(wanted);
        other.tf32_convolutions = wanted;
        equal([other.tf32_products, other.get_tf32_convolutions()], [wanted, wanted]);
    }

    const far = newFar([1, 2, 3], context), event = C2g.Event.new(CUDA);
    context.record(event);
    ok(other.wait(event));
    const copy = far.clone(other);
    other.fill(far, 7);
    ok(other.finish());
    ok(event.is_finished());
    equal([near(copy), near(far)], [[1, 2, 3], [7, 7, 7]]);
    fails(C2g.Error.INVALID_ARGUMENT, () => context.record(C2g.Event.new(CPU)));
});

test('23.7 random numbers', () => {
    const zeros = new Array(1000).fill(0);
    const draw = () => {
        const context = C2gCuda.Context.new(CUDA);
        const far = newFar(zeros, context);
        context.seed(42);
        context.fill_uniform(far, -1, 1);
        context.finish();
        return near(far);
    };
    const drawn = draw();
    equal(draw(), drawn);
    ok(drawn.every(x => x >= -1 && x < 1));
    const context = C2gCuda.Context.new(CUDA), far = newFar(zeros, context);
    context.fill_normal(far, 5, 0.5);
    context.finish();
    const mean = near(far).reduce((sum, x) => sum + x, 0) / 1000;
    ok(mean > 4.8 && mean < 5.2);
});

test('23.8 there and back', () => {
    const tensor = newFloats(1, 2, 3, 4);
    tensor.reshape([2, 2]);
    const far = tensor.to_device(CUDA);
    equal([place(far), far.get_dims()], ['cuda:0', [2, 2]]);
    ok(far.get_address() !== tensor.get_address());
    equal([far.to_device(CPU).get_dims(), near(far), near(far.slice(1, 2))], [[2, 2], [1, 2, 3, 4], [3, 4]]);
    far.extend(1, 50, null);
    equal([far.get_dims(), near(far).slice(0, 4)], [[3, 2], [1, 2, 3, 4]]);
    fails(C2g.Error.NOT_SUPPORTED, () => C2g.Tensor.new_sized([1], CUDA).allocate(C2g.DataType.STRING));
});

test('23.9 what the processor does not reach', () => {
    const far = newFar([1]);
    for (const reach of [() => far.get_value(0), () => far.map(C2g.MapFlags.READ),
        () => far.get_storage().map(C2g.MapFlags.READ)])
        includes(fails(C2g.Error.DEVICE, reach), 'cuda:0');
});

test('23.10 blobs', () => {
    const workspace = new C2g.Workspace();
    workspace.create_blob('far').set_object(newFar([1, 2]));
    const [block] = reporter.list_blocks(CUDA);
    equal([block.get_name(), place(block), block.get_n_bytes()], ['far', 'cuda:0', 8]);
    equal(reporter.get_current_bytes(CUDA), 8);

    const folder = GLib.Dir.make_tmp('c2g-cuda-XXXXXX');
    const file = Gio.File.new_for_path(`${folder}/far.minidb`);
    workspace.save_checkpoint(file, null, null);
    for (const [keepDevice, device] of [[false, 'cpu'], [true, 'cuda:0']]) {
        const loaded = new C2g.Workspace();
        loaded.load_checkpoint(file, new C2g.LoadOptions({keepDevice}), null);
        const tensor = loaded.get_blob('far').get_object();
        equal([place(tensor), near(tensor)], [device, [1, 2]]);
    }
    file.delete(null);
    GLib.rmdir(folder);
});

test('23.11 nets', () => {
    const workspace = new C2g.Workspace();
    workspace.create_blob('x').set_object(newFloats(-1, 0, 2));
    for (const kind of ['simple', 'dag']) {
        const net = workspace.create_net(C2g.NetDef.new_from_text(`
            name: 'net' type: '${kind}' device_option { device_type: 1 }
            op { type: 'CopyCPUToGPU' input: 'x' output: 'far' }
            op { type: 'Relu' input: 'far' output: 'far' }
            op { type: 'Add' input: 'far' input: 'far' output: 'sum' }
            op { type: 'CopyGPUToCPU' input: 'sum' output: 'near' }`), true);
        net.run(null);
        equal(numbersOf(workspace.get_blob('near').get_object()), [0, 0, 4]);
        equal(place(workspace.get_blob('sum').get_object()), 'cuda:0');
    }
    for (const [index, part] of [[0, '“x”'], [15, 'cuda:15']]) {
        const def = C2g.NetDef.new_from_text(`op { type: 'Relu' input: 'x' output: 'y'
            device_option { device_type: 1 cuda_gpu_id: ${index} } }`);
        includes(fails(C2g.Error.DEVICE, () => workspace.run_net_once(def, null)), part);
    }
});

test('23.25 graphs', () => {
    const workspace = new C2g.Workspace(), stats = C2g.StatRegistry.get_default();
    workspace.create_blob('x').set_object(newFar([-1, 0, 2]));
    const net = workspace.create_net(C2g.NetDef.new_from_text(
        "device_option { device_type: 1 } op { type: 'Relu' input: 'x' output: 'y' }"), false);
    equal(net.get_device_graph(), false);
    net.device_graph = true;
    const before = stats.get_value('net/graph_runs');
    for (const i of [0, 1, 2, 3]) {
        workspace.get_blob('x').get_object().copy_from(newFloats(-1, i, 2), null);
        net.run(null);
        equal(near(workspace.get_blob('y').get_object()), [0, i, 2]);
    }
    equal([net.get_device_graph(), stats.get_value('net/graph_runs') - before], [true, 2]);
    net.set_device_graph(false);
    equal(net.device_graph, false);
});

test('23.29 half', () => {
    const init = C2g.NetDef.new_from_text(
        "op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 1 ints: 3 }" +
        "     arg { name: 'values' floats: 1 floats: 2 floats: 1 } }" +
        "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 2049 } }");
    const predict = C2g.NetDef.new_from_text(
        "external_input: 'x' external_input: 'w' external_input: 'b' op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' }");
    const x = newFloats(1, 2, 3), saved = [];
    x.reshape([1, 3]);
    // There is no 2049 in float16.
    for (const [flags, expected, n] of [[C2g.OptimizeFlags.ALL, 2057, 1], [C2g.OptimizeFlags.HALF, 2056, 3]]) {
        const predictor = C2g.Predictor.create(init, predict, null, CUDA, flags), [y] = predictor.run([x], null);
        const [file, stream] = Gio.File.new_tmp('c2g-XXXXXX');
        stream.close(null);
        equal([near(y), y.get_data_type()], [[expected], C2g.DataType.FLOAT]);
        equal(predictor.get_net().get_n_operators(), n);
        ok(predictor.save(file, null));
        saved.push(file.load_contents(null)[1].join());
        file.delete(null);
        ok(predictor.optimize(C2g.OptimizeFlags.NONE));
        equal(predictor.get_net().get_n_operators(), 1);
    }
    equal(saved[0], saved[1]);
});

test('23.12 stream-ordered allocator', () => {
    const allocator = C2gCuda.AsyncAllocator.new(CUDA), context = C2gCuda.Context.new(CUDA);
    equal(place(allocator), 'cuda:0');
    const storage = allocator.allocate(MIB, context);
    equal([storage.get_n_bytes(), place(storage)], [MIB, 'cuda:0']);
    ok(allocator.get_used_bytes() >= MIB);
    ok(allocator.get_reserved_bytes() >= allocator.get_used_bytes());
    storage.reset();
    context.finish();
    equal(allocator.used_bytes, 0);
    ok(allocator.get_peak_used_bytes() >= MIB && allocator.get_peak_bytes() >= MIB);
    ok(allocator.trim(0) >= MIB);
    equal(allocator.get_reserved_bytes(), 0);
    allocator.reset_peaks();
    equal([allocator.get_peak_bytes(), allocator.get_peak_used_bytes()], [0, 0]);

    const heard = record(allocator, 'notify::release-threshold');
    ok(allocator.set_release_threshold(MIB));
    equal([heard.length, allocator.release_threshold], [1, MIB]);
    const small = C2gCuda.AsyncAllocator.new_with_limit(CUDA, MIB);
    equal(small.get_max_bytes(), MIB);
    includes(fails(C2g.Error.NO_MEMORY, () => small.allocate(2 ** 40, null)), 'cuda:0');
});

test('23.13 caching allocator', () => {
    const before = reporter.get_cached_bytes(CUDA), allocator = C2gCuda.CachingAllocator.new(CUDA);
    const storage = allocator.allocate(1000, null), address = storage.get_address();
    equal([allocator.get_requested_bytes(), allocator.get_allocated_bytes()], [1000, 1024]);
    equal([allocator.get_active_bytes(), allocator.get_n_active()], [1024, 1]);
    equal([allocator.get_n_allocated(), allocator.get_n_segments()], [1, 1]);
    equal(reporter.get_current_bytes(CUDA), 1000);
    storage.reset();
    equal([allocator.get_n_allocated(), allocator.get_allocated_bytes()], [0, 0]);
    equal(allocator.peak_allocated_bytes, 1024);
    ok(allocator.get_n_cached() >= 1);
    const cached = allocator.get_cached_bytes();
    equal([cached, reporter.get_cached_bytes(CUDA) - before], [allocator.get_peak_bytes(), cached]);
    const again = allocator.allocate(1000, null);
    equal(again.get_address(), address);
    again.reset();
    equal(allocator.trim(0), cached);
    equal([allocator.get_cached_bytes(), allocator.get_n_segments()], [0, 0]);
    allocator.reset_peaks();
    equal([allocator.get_peak_bytes(), allocator.get_peak_allocated_bytes()], [0, 0]);
    const managed = C2gCuda.CachingAllocator.new_managed(CUDA), shared = managed.allocate(8, null);
    equal(shared.get_device().to_string(), 'cuda:0');
    shared.reset();
    ok(managed.trim(0) > 0);
});

test('23.26 snapshot', () => {
    const allocator = C2gCuda.CachingAllocator.new(CUDA), storage = allocator.allocate(1000, null);
    const [file, stream] = Gio.File.new_tmp('c2g-XXXXXX');
    stream.close(null);
    ok(allocator.save_snapshot(file, null));
    const text = new TextDecoder('latin1').decode(file.load_contents(null)[1]);
    file.delete(null);
    for (const part of ['segments', 'active_allocated', 'inactive', 'device_traces'])
        ok(text.includes(part));
    ok(!text.includes('active_pending_free'));
    throws(Gio.IOErrorEnum, () => allocator.save_snapshot(Gio.File.new_for_path('/proc/none/memory'), null));
    storage.reset();
});

test('23.27 history', () => {
    const allocator = C2gCuda.CachingAllocator.new(CUDA), heard = record(allocator, 'notify::history-max-entries');
    equal(allocator.get_history_max_entries(), 0);
    allocator.history_max_entries = 10;
    allocator.set_history_max_entries(10);
    equal([allocator.history_max_entries, heard.length], [10, 1]);
    allocator.allocate(1000, null).reset();
    const [file, stream] = Gio.File.new_tmp('c2g-XXXXXX');
    stream.close(null);
    ok(allocator.save_snapshot(file, null));
    const text = new TextDecoder('latin1').decode(file.load_contents(null)[1]);
    file.delete(null);
    for (const part of ['segment_alloc', 'free_requested', 'free_completed', 'snapshot', 'time_us'])
        ok(text.includes(part));
});

test('23.28 expandable segments', () => {
    const allocator = C2gCuda.CachingAllocator.new_expandable(CUDA);
    equal([allocator.expandable_segments, allocator.has_expandable_segments()], [true, true]);
    for (let n = 4; n < 40; n += 4)
        allocator.allocate(n * MIB, null).reset();
    ok(allocator.peak_bytes < 48 * MIB);
    equal(allocator.n_segments, 1);
    equal(allocator.trim(0), allocator.peak_bytes);
});

test('23.14 limits', () => {
    const allocator = C2gCuda.CachingAllocator.new(CUDA);
    const [heard, fractions] = ['max-bytes', 'max-fraction'].map(name => record(allocator, `notify::${name}`));
    const [pressure, retried] = ['pressure', 'retried'].map(name => record(allocator, name));
    equal(allocator.get_max_fraction(), 1);
    allocator.set_max_bytes(32 * MIB);
    allocator.max_bytes = 32 * MIB;
    const kept = allocator.allocate(24 * MIB, null);
    includes(fails(C2g.Error.NO_MEMORY, () => allocator.allocate(16 * MIB, null)), `${32 * MIB}`);
    equal([heard.length, pressure, retried.length], [1, [[16 * MIB]], allocator.get_n_retries()]);
    equal(allocator.get_n_ooms(), 1);
    kept.reset();
    // Cached memory is freed to make room.
    allocator.allocate(30 * MIB, null).reset();
    equal(retried.length, allocator.get_n_retries());
    allocator.trim(0);
    allocator.set_max_bytes(NO_LIMIT);
    allocator.set_max_fraction(0);
    fails(C2g.Error.NO_MEMORY, () => allocator.allocate(1, null));
    equal([fractions.length, allocator.max_fraction], [1, 0]);
});

test('23.15 pinned allocator', () => {
    const allocator = new C2gCuda.PinnedAllocator();
    equal(place(allocator), 'cpu');
    const storage = allocator.allocate(1000, null);
    equal([place(storage), reporter.get_current_bytes(CPU)], ['cpu', 1000]);
    ok(allocator.get_allocated_bytes() >= 1000);
    equal(allocator.get_active_bytes(), allocator.allocated_bytes);
    storage.reset();
    equal(allocator.get_allocated_bytes(), 0);
    const cached = allocator.get_cached_bytes();
    ok(cached >= 1000);
    equal([allocator.get_peak_bytes(), allocator.trim(0)], [cached, cached]);
    allocator.reset_peak();
    equal([allocator.get_peak_bytes(), allocator.get_cached_bytes()], [0, 0]);
    const heard = record(allocator, 'notify::max-bytes');
    allocator.set_max_bytes(0);
    equal([allocator.get_max_bytes(), heard.length], [0, 1]);
    fails(C2g.Error.NO_MEMORY, () => allocator.allocate(1, null));
});

test('23.16 stacks', () => {
    for (const kind of [C2gCuda.AsyncAllocator, C2gCuda.CachingAllocator]) {
        const stream = Gio.MemoryOutputStream.new_resizable();
        const tracking = C2g.TrackingAllocator.new(kind.new(CUDA));
        const allocator = C2g.LoggingAllocator.new(C2g.LimitingAllocator.new(tracking, 1000), stream);
        equal(place(allocator), 'cuda:0');
        const storage = allocator.allocate(600, null);
        equal(tracking.get_current_bytes(), 600);
        fails(C2g.Error.NO_MEMORY, () => allocator.allocate(401, null));
        storage.reset();
        equal([tracking.get_current_bytes(), tracking.get_peak_bytes()], [0, 600]);
        stream.close(null);
        const log = new TextDecoder().decode(stream.steal_as_bytes().get_data());
        const lines = log.split('\n').filter(line => line.includes('cuda:0'));
        equal(lines.map(line => line.match(/allocate|fail|release/)[0]), ['allocate', 'fail', 'release']);
    }
});

test('23.17 default', () => {
    const allocator = C2gCuda.CachingAllocator.new(CUDA);
    let far;
    C2g.Allocator.set_default(CUDA, allocator);
    try {
        equal(C2g.Allocator.get_default(CUDA), allocator);
        far = newFar([1, 2]);
    } finally {
        C2g.Allocator.set_default(CUDA, null);
    }
    equal([allocator.get_n_allocated(), far.get_storage().get_allocator()], [1, allocator]);
    fails(C2g.Error.INVALID_ARGUMENT, () => C2g.Allocator.set_default(CPU, allocator));
    far = null;
    collect();
    equal(allocator.get_n_allocated(), 0);
});

test('23.18 other streams', () => {
    for (const kind of [C2gCuda.AsyncAllocator, C2gCuda.CachingAllocator]) {
        const allocator = kind.new(CUDA), contexts = [C2gCuda.Context.new(CUDA), C2gCuda.Context.new(CUDA)];
        const storage = allocator.allocate(MIB, contexts[0]);
        storage.record_use(contexts[1]);
        storage.reset();
        allocator.allocate(MIB, contexts[0]).reset();
        for (const context of contexts)
            ok(context.finish());
    }
});

test('23.19 streams of others', () => {
    const stream = C2gCuda.Stream.new(CUDA), context = C2gCuda.Context.new_for_stream(stream);
    const far = newFar([1, 2, 3], context);
    equal(C2g.dlpack_get_stream(CUDA, context), stream.get_handle());
    for (const flags of [0, C2g.DlpackFlags.VERSIONED]) {
        const managed = far.to_dlpack(flags, null, stream.get_handle());
        const back = C2g.Tensor.new_from_dlpack(managed, flags, context);
        equal([place(back), back.get_address()], ['cuda:0', far.get_address()]);
        context.fill(back, 7);
        context.finish();
    }
    equal(near(far), [7, 7, 7]);
    // The memory goes back when the work is done that was queued so far.
    collect();
    context.finish();
    ok(far.lend_to_stream(stream.get_handle()));
    includes(fails(C2g.Error.DEVICE, () => C2g.dlpack_get_stream(CUDA, new C2g.CpuContext())), 'cuda:0');
});

test('23.20 between devices', () => {
    if (C2g.Device.count(C2g.DeviceType.CUDA) < 2)
        return;

    const second = C2g.Device.parse('cuda:1');
    const context = C2gCuda.Context.new(CUDA), other = C2gCuda.Context.new(second);
    const far = newFar([1, 2], context), event = C2g.Event.new(CUDA), farther = C2g.Tensor.new_for_device(second);
    context.record(event);
    ok(other.wait(event));
    farther.copy_from(far, other);
    other.finish();
    equal([place(farther), near(farther)], ['cuda:1', [1, 2]]);
    const done = C2gCuda.Event.new(second), stream = C2gCuda.Stream.new(CUDA);
    done.record(other.get_stream());
    ok(done.wait(stream));
    ok(stream.finish());
});

// The part of the other process: it finds 3 in the memory, and writes 4.
function useElsewhere(text) {
    const handle = new GLib.Bytes(GLib.base64_decode(text)), context = C2gCuda.Context.new(CUDA);
    const tensor = C2gCuda.ipc_open_tensor(handle, context);
    equal([tensor.get_dims(), near(tensor)], [[2], [3, 3]]);
    equal(C2gCuda.ipc_open_storage(handle, context).get_n_bytes(), 8);
    context.fill(tensor, 4);
    context.finish();
}

test('23.21 other process', () => {
    const context = C2gCuda.Context.new(CUDA), allocator = C2gCuda.CachingAllocator.new(CUDA);
    const far = C2g.Tensor.new_from_storage(C2g.DataType.FLOAT, [2], allocator.allocate(8, context), 0);
    context.fill(far, 3);
    const made = C2gCuda.IpcExport.new_for_tensor(far, context), handle = made.get_handle();
    equal(made.get_storage().get_address(), far.get_address());
    for (const open of [C2gCuda.ipc_open_storage, C2gCuda.ipc_open_tensor]) {
        fails(C2g.Error.NOT_SUPPORTED, () => open(handle, context));
        fails(C2g.Error.CORRUPT, () => open(new GLib.Bytes('handle'), context));
    }
    const gjs = GLib.file_read_link('/proc/self/exe');
    const child = [gjs, '-m', System.programPath, GLib.base64_encode(handle.toArray())];
    ok(Gio.Subprocess.new(child, Gio.SubprocessFlags.NONE).wait_check(null));
    equal(near(far), [4, 4]);
});

if (System.programArgs.length > 0)
    useElsewhere(System.programArgs[0]);
else
    run();
