// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// NVCaffe's blobs.

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import {equal, fails, numbersOf, ok, run, test} from './testing.js';

const {FLOAT16, FLOAT, DOUBLE, INT32} = C2g.DataType;
const {DATA, DIFF, BOTH} = C2g.CaffeParts;
const {NCHW, NHWC} = C2g.CaffePacking;
const Flags = C2g.CaffeProtoFlags;

// Creates a blob with these data, and a diff with one number everywhere.
function written(data, diff = 0, dataType = FLOAT, diffType = FLOAT) {
    const blob = C2g.CaffeBlob.new(dataType, diffType, [data.length], null);
    data.forEach((value, i) => blob.set_value_at(DATA, [i], value));
    blob.fill_diff(diff);
    return blob;
}

const dataOf = (blob, type = DOUBLE) => numbersOf(blob.ref_data_tensor(type, null));
const diffOf = (blob, type = DOUBLE) => numbersOf(blob.ref_diff_tensor(type, null));

test('25.1 blob', () => {
    const blob = C2g.CaffeBlob.new(FLOAT16, FLOAT, [2, 3], C2g.Device.parse('cuda:1'));
    equal([blob.get_dims(), blob.get_n_elements(), blob.is_empty()], [[2, 3], 6, false]);
    equal([blob.data.get_data_type(), blob.diff.get_data_type()], [FLOAT16, FLOAT]);
    ok(blob.get_data() === blob.data && blob.get_diff() === blob.diff);
    ok(blob.get_device().equal(C2g.Device.parse('cuda:1')) && blob.get_name() === null);
    equal([dataOf(blob), diffOf(blob)], [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]);
    const named = new C2g.CaffeBlob({name: 'conv1'});
    ok(named.is_empty());
    named.reshape([2], BOTH);
    equal(diffOf(named, FLOAT16), [0, 0]);
    ok(C2g.MemoryReporter.get_default().dup_report().includes('conv1/diff/float16@cpu'));
    equal(named.to_string().split('\n').slice(0, 2), ['2 (2)', 'data: [2] of float']);
    const typed = new C2g.CaffeBlob({name: 'conv1', data_type: FLOAT16, diff_type: FLOAT});
    equal([typed.data.get_data_type(), typed.diff.get_data_type()], [FLOAT16, FLOAT]);
    equal([typed.data_type, typed.diff_type], [FLOAT16, FLOAT]);
    fails(C2g.Error.TYPE, () => C2g.CaffeBlob.new(FLOAT, C2g.DataType.STRING, [1], null));
    fails(C2g.Error.SHAPE, () => C2g.CaffeBlob.new(FLOAT, FLOAT, [-1], null));
});

test('25.2 shape', () => {
    const blob = C2g.CaffeBlob.new(FLOAT, FLOAT, [2, 3, 4, 5], null);
    const reshaped = [];
    blob.connect('reshaped', () => reshaped.push(blob.get_dims()));
    equal([blob.get_num(), blob.get_channels(), blob.get_height(), blob.get_width()], [2, 3, 4, 5]);
    equal([blob.canonical_axis(-1), blob.get_dim(-1), blob.count(1, 3), blob.count(2, -1)], [3, 5, 12, 20]);
    equal([blob.offset([1, 2, 3, 4]), blob.offset([1])], [119, 60]);
    equal(blob.dup_shape_string(), '2 3 4 5 (120)');
    equal(new Int32Array(blob.ref_gpu_shape().dup_bytes().toArray().buffer), [2, 3, 4, 5]);
    fails(C2g.Error.SHAPE, () => blob.canonical_axis(4));
    fails(C2g.Error.SHAPE, () => blob.get_dim(-5));
    fails(C2g.Error.SHAPE, () => blob.count(3, 1));
    fails(C2g.Error.RANGE, () => blob.offset([2]));
    blob.reshape([1, 1, 1, 1, 1], BOTH);
    fails(C2g.Error.SHAPE, () => blob.get_num());
    blob.reshape_like(C2g.CaffeBlob.new(FLOAT, FLOAT, [2, 3], null));
    equal(reshaped, [[1, 1, 1, 1, 1], [2, 3]]);
    blob.reshape([7], DATA);
    fails(C2g.Error.SHAPE, () => blob.ref_diff_tensor(FLOAT, null));
});

test('25.3 elements', () => {
    const blob = written([Math.PI, 1e6], 2, DOUBLE);
    equal(dataOf(blob, FLOAT16), [3.140625, 65504]);
    equal([dataOf(blob), dataOf(blob, INT32)], [[Math.PI, 1e6], [3, 1000000]]);
    equal([blob.data_at([1]), blob.diff_at([1])], [1e6, 2]);
    blob.set_value_at(BOTH, [0], 5);
    blob.set_value_at(DIFF, [1], 6);
    equal([dataOf(blob), diffOf(blob)], [[5, 1e6], [5, 6]]);
    const data = blob.ref_mutable_data_tensor(DOUBLE, null);
    const diff = blob.ref_mutable_diff_tensor(FLOAT16, null);
    data.set_value(1, 8);
    diff.set_value(0, 7);
    equal([blob.data_at([1]), blob.diff_at([0]), blob.diff.get_data_type()], [8, 7, FLOAT16]);
    // The collector runs at an unknown time, so run it now.
    data.free_memory();
    diff.free_memory();
    fails(C2g.Error.RANGE, () => blob.data_at([2]));
    fails(C2g.Error.SHAPE, () => blob.diff_at([0, 0]));
});

test('25.4 arithmetic', () => {
    const blob = written([1, -2, 3], 0.5, FLOAT, FLOAT16);
    equal([blob.asum_data(), blob.sumsq_data(), blob.amax_data()], [6, 14, 3]);
    equal([blob.asum_diff(), blob.sumsq_diff(), blob.amax_diff()], [1.5, 0.75, 0.5]);
    blob.update();
    equal([dataOf(blob), diffOf(blob)], [[0.5, -2.5, 2.5], [0.5, 0.5, 0.5]]);
    blob.scale_data(2);
    blob.scale_diff(-4);
    equal([dataOf(blob), diffOf(blob)], [[1, -5, 5], [-2, -2, -2]]);
    blob.fill_data(1);
    blob.fill_diff(2 ** -16);
    blob.update();
    equal([blob.data_at([2]), blob.data.get_data_type()], [1 - 2 ** -16, FLOAT]);
});

test('25.5 copies', () => {
    const source = written([1, 2, 3], 4);
    const target = written([0, 0, 0], 0, FLOAT16, DOUBLE);
    target.copy_from(source, DATA);
    equal([dataOf(target), diffOf(target)], [[1, 2, 3], [0, 0, 0]]);
    target.copy_from(source, DIFF);
    equal([diffOf(target), target.data.get_data_type()], [[4, 4, 4], FLOAT16]);
    // SpiderMonkey keeps a function that was called, with all that it captured.
    fails(C2g.Error.SHAPE, () => written([1]).copy_from(written([1, 2]), BOTH));
    const pictures = written([0, 1, 2, 3, 4, 5]);
    pictures.reshape([1, 2, 1, 3], BOTH);
    const pixels = C2g.CaffeBlob.new(FLOAT, FLOAT, [1, 2, 1, 3], null);
    pixels.repack_from(pictures, DATA, NCHW, NHWC);
    equal(dataOf(pixels), [0, 3, 1, 4, 2, 5]);
});

test('25.6 sharing', () => {
    const bottom = written([1, 2, 3, 4], 5);
    const top = C2g.CaffeBlob.new(FLOAT, FLOAT, [2, 2], null);
    let nNotified = 0;
    top.connect('notify::data', () => nNotified++);
    top.share_data(bottom);
    top.share_data(bottom);
    top.share_diff(bottom);
    equal(nNotified, 1);
    ok(top.data === bottom.data);
    equal(top.ref_data_tensor(FLOAT, null).get_dims(), [2, 2]);
    top.set_value_at(DATA, [1, 1], 9);
    equal([dataOf(bottom), diffOf(top)], [[1, 2, 3, 9], [5, 5, 5, 5]]);
    fails(C2g.Error.INVALID_ARGUMENT, () => bottom.share_data(top));
    fails(C2g.Error.INVALID_ARGUMENT, () => top.share_tensor(DATA, top.diff));
    fails(C2g.Error.SHAPE, () => top.share_data(written([1])));
    top.reshape([2], BOTH);
    equal([top.asum_data(), dataOf(bottom)], [3, [1, 2, 3, 9]]);
    top.reshape([5], BOTH);
    equal([dataOf(top), nNotified], [[0, 0, 0, 0, 0], 2]);
});

test('25.7 messages', () => {
    const blob = written([1, 2, 3], 4, FLOAT16);
    const other = new C2g.CaffeBlob();
    const proto = blob.to_proto(Flags.DIFF);
    ok(blob.shape_equals(proto) && !other.shape_equals(proto));
    fails(C2g.Error.SHAPE, () => other.from_proto(proto, false));
    other.from_proto(proto, true);
    equal([dataOf(other), diffOf(other), other.data.get_data_type()], [[1, 2, 3], [4, 4, 4], FLOAT16]);
    other.from_proto(blob.to_proto(Flags.DIFF | Flags.BVLC), false);
    equal([dataOf(other), diffOf(other), other.data.get_data_type()], [[1, 2, 3], [4, 4, 4], FLOAT]);
    fails(C2g.Error.NOT_SUPPORTED, () => written([1], 0, C2g.DataType.INT8).to_proto(Flags.NONE));
    // The message has raw data without a type.
    const damaged = new GLib.Bytes(new Uint8Array([0x3a, 3, 0x0a, 1, 2, 0x62, 4, 0, 0, 0, 0]));
    fails(C2g.Error.CORRUPT, () => blob.from_proto(damaged, true));
    equal([dataOf(blob), blob.data.get_data_type()], [[1, 2, 3], FLOAT16]);
});

test('25.8 locked type', () => {
    const blob = C2g.CaffeTBlob.new(FLOAT16, [2], null);
    ok(blob instanceof C2g.CaffeBlob);
    equal([blob.get_data_type(), new C2g.CaffeTBlob().get_data_type()], [FLOAT16, FLOAT]);
    blob.fill_data(1);
    equal(dataOf(blob), [1, 1]);
    ok(fails(C2g.Error.TYPE, () => blob.ref_mutable_data_tensor(FLOAT, null)).includes('float16'));
    fails(C2g.Error.TYPE, () => blob.share_data(written([1, 2])));
    const plain = written([1, 2]);
    plain.share_data(blob);
    fails(C2g.Error.TYPE, () => plain.ref_mutable_data_tensor(FLOAT, null));
    fails(C2g.Error.TYPE, () => C2g.CaffeTBlob.new(C2g.DataType.STRING, [1], null));
});

run();
