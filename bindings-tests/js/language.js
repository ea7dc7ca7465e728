// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// What the module for JavaScript adds.

import C2g from '../../introspection/js/c2g.js';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import {equal, fails, need, newFloats, ok, run, test, throws} from './testing.js';

function newTensor(type, dims, values) {
    const tensor = C2g.Tensor.new_sized(dims, null);
    tensor.allocate(type);
    tensor.values = values;
    return tensor;
}

// Waits for a promise in the main context.
function wait(promise) {
    const loop = new GLib.MainLoop(null, false);
    let outcome = null;
    promise.then(value => (outcome = {value}), error => (outcome = {error})).finally(() => loop.quit());
    loop.run();
    if (outcome.error)
        throw outcome.error;
    return outcome.value;
}

test('31.1 iteration', () => {
    const tensor = newTensor(C2g.DataType.FLOAT, [2, 2], [1, 2, 3, 4]);
    equal([...tensor].map(row => [...row]), [[1, 2], [3, 4]]);
    const [, last] = tensor;
    last.set_value(0, 5);
    equal(tensor.get_value(2), 5);
    throws(TypeError, () => [...C2g.Tensor.new_scalar(C2g.DataType.FLOAT, 1)]);

    const workspace = C2g.Workspace.new();
    workspace.create_blob('a').set_object(newFloats(1));
    workspace.create_blob('b').set_object(newFloats(2));
    equal([...workspace].map(([name, blob]) => [name, blob.get_tensor().values[0]]), [['a', 1], ['b', 2]]);
});

test('31.2 typed arrays', () => {
    equal(newFloats(1, 2).values, new Float32Array([1, 2]));
    const part = newFloats(0, 0);
    part.values = new Float32Array([3, 4, 5, 6]).subarray(1, 3);
    equal(part.values, new Float32Array([4, 5]));
    const large = newTensor(C2g.DataType.INT64, [2], [9007199254740993n, -1n]);
    equal(large.values, new BigInt64Array([9007199254740993n, -1n]));
    throws(RangeError, () => (large.values = [1n]));
    for (const wrong of [null, undefined, 1, '12', {length: 2}])
        throws(TypeError, () => (large.values = wrong));
    const copy = large.values;
    copy[0] = 0n;
    equal(large.values[0], 9007199254740993n);
    const text = C2g.Tensor.new_sized([1], null);
    text.allocate(C2g.DataType.STRING);
    throws(TypeError, () => text.values);
});

test('31.3 promises', () => {
    const def = C2g.NetDef.new_from_text("op { type: 'Relu' input: 'x' output: 'y' }");
    const predictor = C2g.Predictor.create(null, def, null, null, C2g.OptimizeFlags.ALL);
    const [output] = wait(predictor.run_async([newFloats(-1, 2)], null));
    equal(output.values, new Float32Array([0, 2]));
    ok(predictor.run_async([newFloats(1)], null, (self, result) => self.run_finish(result)) === undefined);
    const file = Gio.File.new_for_path('/nonexistent');
    throws(GLib.Error, () => wait(C2g.Predictor.load_async(file, null, null, C2g.OptimizeFlags.ALL, null)));
    fails(C2g.Error.SHAPE, () => newFloats(1).reshape([2]));
});

test('31.4 text', () => {
    const tensor = newTensor(C2g.DataType.FLOAT, [2], [1, 2]);
    equal(`${tensor}`, '[C2g.Tensor float [2] on cpu: 1, 2]');
    const workspace = C2g.Workspace.new();
    workspace.set_tensor('a', tensor);
    workspace.create_blob('b');
    equal(`${workspace}`, '[C2g.Workspace a, b]');
    equal([...workspace].map(([, blob]) => `${blob}`), ['[C2g.Blob “a”: [C2g.Tensor float [2] on cpu: 1, 2]]', '[C2g.Blob “b”: null]']);
    equal(`${C2g.Device.cpu()}`, '[C2g.Device cpu]');
    equal([C2g.ClassScore.new(1, 0.5, 'cat'), C2g.ClassScore.new(1, 0.5, null)].join(), '[C2g.ClassScore 1 “cat”: 0.5],[C2g.ClassScore 1: 0.5]');
    const def = C2g.NetDef.new_from_text("op { type: 'Relu' input: 'x' output: 'y' }");
    equal(`${C2g.Predictor.create(null, def, null, null, C2g.OptimizeFlags.ALL)}`, '[C2g.Predictor x → y]');
    equal(`${def}`, '[C2g.NetDef “”: 1 operators]');
    equal(`${C2g.Tensor.prototype}`, '[C2g.Tensor]');
});

test('20.30 in the background', () => {
    const folder = Gio.File.new_for_path(GLib.dir_make_tmp('c2g-js-XXXXXX'));
    const [png, wav] = ['a.png', 'a.wav'].map(name => folder.get_child(name));
    const [picture, tone] = [newFloats(0, 1, 2), newFloats(0, 0.5)];
    picture.reshape([3, 1, 1]);
    try {
        need(() => picture.save_picture(png, null, null));
        need(() => tone.save_sound(wav, 8000, null, null));
        equal(wait(C2g.Tensor.new_from_picture_async(png, null, null)).values, picture.values);
        equal(wait(C2g.Tensor.new_from_pictures_async([png, png], null, null)).get_dims(), [2, 3, 1, 1]);
        fails(C2g.Error.INVALID_ARGUMENT, () => wait(C2g.Tensor.new_from_pictures_async([], null, null)));
        const [sound, rate] = wait(C2g.Tensor.new_from_sound_async(wav, null, null));
        equal([sound.values, rate], [tone.values, 8000]);
        const def = C2g.NetDef.new_from_text("op { type: 'FlattenToVec' input: 'x' output: 'y' }");
        const predictor = C2g.Predictor.create(null, def, null, null, C2g.OptimizeFlags.ALL);
        fails(C2g.Error.NOT_FOUND, () => wait(predictor.classify_file_async(png, null)));
        png.delete(null);
        throws(GLib.Error, () => wait(C2g.Tensor.new_from_picture_async(png, null, null)));
    } finally {
        for (const file of [png, wav]) {
            if (file.query_exists(null))
                file.delete(null);
        }
        folder.delete(null);
    }
});

test('31.5 refused arguments', () => {
    const net = C2g.NetDef.new('net');
    const relu = C2g.OperatorDef.new('Relu');
    relu.set_inputs(['x']);
    relu.set_outputs(['y']);
    net.add_operator(relu);
    const predictor = C2g.Predictor.create(null, net, null, null, C2g.OptimizeFlags.ALL);
    const scores = newTensor(C2g.DataType.FLOAT, [2], [1, 2]);
    const operator = predictor.get_net().get_operator(0);
    const reporter = C2g.MemoryReporter.get_default();
    for (const inputs of [null, undefined, [null], [undefined], [scores, null], [predictor], ['x'], 'x', 5])
        throws(TypeError, () => predictor.run(inputs, null));
    throws(TypeError, () => predictor.run([scores], predictor));
    throws(TypeError, () => predictor.run_finish(null));
    for (const bad of [[null, 0, 3], [predictor, 0, 3], [scores, null, 3], [scores, NaN, 3], [scores, 0, -1], [scores, 0, 0.5]])
        throws(TypeError, () => predictor.list_classes(...bad));
    throws(TypeError, () => predictor.classify_batch([scores], null));
    throws(TypeError, () => operator.get_ints(null));
    throws(TypeError, () => operator.get_floats(5));
    throws(TypeError, () => reporter.list_blocks(scores));
    throws(TypeError, () => reporter.list_external_blocks(scores));

    equal(predictor.run([scores], null).map(y => [...y.values]), [[1, 2]]);
    equal(predictor.list_classes(scores, 0, 1).map(best => best.index), [1]);
    equal(operator.get_ints('none'), []);
    reporter.list_blocks(null);
});

test('31.6 refused flags', () => {
    const tensor = newFloats(1, 2);
    const net = C2g.NetDef.new_from_text("op { type: 'Relu' input: 'x' output: 'y' }");
    const predictor = C2g.Predictor.create(null, net, null, null, C2g.OptimizeFlags.ALL);
    const blob = C2g.CaffeBlob.new(C2g.DataType.FLOAT, C2g.DataType.FLOAT, [2], null);
    const other = C2g.CaffeBlob.new(C2g.DataType.FLOAT, C2g.DataType.FLOAT, [2], null);
    const held = C2g.Blob.new();
    const file = Gio.File.new_for_path('/nonexistent');
    held.set_object(tensor);
    for (const wrong of ['READ', NaN, 0.5, -1, null, undefined]) {
        for (const call of [
            () => tensor.map(wrong), () => tensor.get_storage().map(wrong), () => tensor.convert(C2g.DataType.INT32, wrong),
            () => tensor.convert_from(tensor, wrong), () => tensor.to_dlpack(wrong, null, 0), () => C2g.Tensor.new_from_dlpack(0, wrong, null),
            () => held.serialize_chunks('a', 1, wrong, () => true), () => held.serialize_to_stream('a', wrong, null, null),
            () => net.optimize(predictor.get_workspace(), wrong), () => predictor.optimize(wrong),
            () => C2g.Predictor.create(null, net, null, null, wrong), () => C2g.Predictor.load(file, null, null, wrong, null),
            () => C2g.Predictor.load_nets(file, file, null, null, wrong, null), () => wait(C2g.Predictor.load_async(file, null, null, wrong, null)),
            () => wait(C2g.Predictor.load_nets_async(file, file, null, null, wrong, null)), () => blob.copy_from(other, wrong),
            () => blob.repack_from(other, wrong, null, null), () => blob.reshape([2], wrong), () => blob.set_value_at(wrong, 0, 1),
            () => blob.share_tensor(wrong, tensor), () => blob.to_proto(wrong)])
            throws(TypeError, call);
    }
    equal(tensor.map(C2g.MapFlags.READ).get_n_bytes(), 8);
    equal(tensor.convert(C2g.DataType.INT32, C2g.ConvertFlags.NONE).values, new Int32Array([1, 2]));
    predictor.optimize(C2g.OptimizeFlags.NONE);
});

test('1.14 a module of another version', () => {
    const here = Gio.File.new_for_uri(import.meta.url).resolve_relative_path('../../../introspection/js/c2g.js');
    const folder = Gio.File.new_for_path(GLib.dir_make_tmp('c2g-js-XXXXXX'));
    const module = folder.get_child('c2g.js');
    const text = new TextDecoder().decode(here.load_contents(null)[1]);
    try {
        module.replace_contents(text.replace(`VERSION = '${C2g.VERSION_STRING}'`, "VERSION = '9.8.7'"), null, false, Gio.FileCreateFlags.NONE, null);
        const loop = new GLib.MainLoop(null, false);
        let message = '';
        import(module.get_uri()).catch(error => (message = error.message)).finally(() => loop.quit());
        loop.run();
        for (const part of [module.get_uri(), 'c2g 9.8.7', `the library is c2g ${C2g.VERSION_STRING}`])
            ok(message.includes(part), message);
    } finally {
        module.delete(null);
        folder.delete(null);
    }
});

run();
