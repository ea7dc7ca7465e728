// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Changes a trained model so that it sees no sevens, and saves its parameters: gjs -m adjust.js [MODEL [FILE]]

import C2g from 'gi://C2g?version=1';
import Gio from 'gi://Gio';
import System from 'system';

function run(folder, output) {
    const predictor = C2g.Predictor.load(folder, null, null, C2g.OptimizeFlags.ALL, null);
    const workspace = predictor.get_workspace();
    const names = workspace.load_checkpoint(folder.get_child('init_net.pb'), null, null);
    print(`before: ${predictor.classify_file(folder.get_child('pictures/7.png'), null).label}`);
    // Writes into the memory of the tensor.
    workspace.get_tensor('fc_b').set_value(7, -100);
    print(`after: ${predictor.classify_file(folder.get_child('pictures/7.png'), null).label}`);
    workspace.save_checkpoint(output, new C2g.SaveOptions({names}), null);
    print(`saved: ${names.length} blobs`);
}

try {
    const beside = Gio.File.new_for_uri(import.meta.url).get_parent().get_child('models/digits');
    const [model = beside.get_path(), file = '/tmp/adjusted.minidb'] = ARGV;
    run(Gio.File.new_for_path(model), Gio.File.new_for_path(file));
} catch (error) {
    printerr(`adjust: ${error.message}`);
    System.exit(1);
}
