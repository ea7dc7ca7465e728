// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Caffe's files and models.

import C2g from 'gi://C2g?version=1';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import {equal, fails, numbersOf, run, test} from './testing.js';

const folder = GLib.Dir.make_tmp('c2g-XXXXXX');
const [weights, text] = ['l.caffemodel', 'deploy.prototxt'].map(name => Gio.File.new_for_path(`${folder}/${name}`));
const {FLOAT} = C2g.DataType;

function write(kind) {
    const content = 'input: "x" input_shape { dim: 1 dim: 2 } ' +
        `layer { name: "l" type: "${kind}" bottom: "x" top: "y" bias_param { axis: 1 } }`;
    text.replace_contents(new TextEncoder().encode(content), null, false, 0, null);
}

test('27.1 there and back', () => {
    const workspace = new C2g.Workspace();
    const tensor = workspace.create_tensor('l/0', FLOAT, [2]);
    tensor.set_value(0, 0);
    tensor.set_value(1, 10);
    workspace.save_checkpoint(weights, null, null);
    const file = C2g.ModelFile.open(weights, null, null);
    equal(file.get_kind(), C2g.ModelFileKind.CAFFEMODEL);
    equal(file.list_entries().map(entry => entry.get_name()), ['l/0']);
    equal(numbersOf(file.load_blob('l/0', null).get_tensor()), [0, 10]);
    workspace.create_tensor('plain', FLOAT, [2]).set_value(0, 1);
    fails(C2g.Error.NOT_SUPPORTED, () => workspace.save_checkpoint(weights, null, null));
    workspace.save_checkpoint(weights, new C2g.SaveOptions({skipUnsupported: true}), null);
    equal(new C2g.Workspace().load_checkpoint(weights, null, null), ['l/0']);
});

test('27.2 net', () => {
    write('Bias');
    const workspace = new C2g.Workspace();
    const given = workspace.create_tensor('x', FLOAT, [1, 2]);
    const net = C2g.caffe_net_load(text, weights, workspace, null, 0, null);
    equal(workspace.get_tensor('x') === given, true);
    equal([net.get_external_inputs(), net.get_external_outputs()], [['x', 'l/0'], ['y']]);
    const predictor = C2g.Predictor.load_nets(weights, text, null, null, C2g.OptimizeFlags.ALL, null);
    const x = new C2g.Workspace().create_tensor('x', FLOAT, [1, 2]);
    x.set_value(0, 1);
    x.set_value(1, 2);
    equal(predictor.run([x], null).map(numbersOf), [[1, 12]]);
    write('Magic');
    fails(C2g.Error.NOT_SUPPORTED, () => C2g.caffe_net_load(text, weights, workspace, null, 0, null));
    write('Bias" top: "z');
    fails(C2g.Error.CORRUPT, () => C2g.caffe_net_load(text, weights, workspace, null, 0, null));
});

test('27.3 blobs', () => {
    const workspace = new C2g.Workspace();
    const blob = C2g.CaffeBlob.new(FLOAT, FLOAT, [2], null);
    blob.ref_mutable_data_tensor(FLOAT, null).fill(5);
    blob.ref_mutable_diff_tensor(FLOAT, null).fill(7);
    workspace.create_blob('l/0').set_object(blob);
    workspace.save_checkpoint(weights, new C2g.SaveOptions({caffeDiff: true}), null);
    equal(numbersOf(C2g.ModelFile.open(weights, null, null).load_blob('l/0', null).get_tensor()), [5, 5]);
    const read = C2g.ModelFile.open(weights, new C2g.LoadOptions({caffeBlobs: true}), null).load_blob('l/0', null).get_object();
    equal(numbersOf(read.ref_data_tensor(FLOAT, null)), [5, 5]);
    equal(numbersOf(read.ref_diff_tensor(FLOAT, null)), [7, 7]);
});

test('27.4 found', () => {
    write('Bias');
    const [found, init, predict] = C2g.Predictor.find_files(Gio.File.new_for_path(folder), null);
    equal([found, init.equal(weights), predict.equal(text)], [true, true, true]);
    equal(C2g.caffe_net_load(predict, init, null, null, 0, null).get_external_inputs(), ['x', 'l/0']);
    equal(C2g.ModelFile.open(weights, null, null).get_net_name(), null);
    weights.delete(null);
    text.delete(null);
    GLib.rmdir(folder);
});

run();
