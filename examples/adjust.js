// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Changes a model so that it sees no sevens, and saves its parameters: gjs -m adjust.js [MODEL [FILE]]

import C2g from 'gi://C2g?version=1';
import Gio from 'gi://Gio';
import System from 'system';

try {
    const beside = Gio.File.new_for_uri(import.meta.url).get_parent().get_child('models/digits');
    const [model = beside.get_path(), file = '/tmp/adjusted.minidb'] = ARGV;
    const folder = Gio.File.new_for_path(model);
    const picture = folder.get_child('pictures/7.png');
    const predictor = C2g.Predictor.load(folder, null, null, C2g.OptimizeFlags.ALL, null);
    predictor.load_parameters(folder.get_child('init_net.pb'), null);
    print(`before: ${predictor.classify_file(picture, null).label}`);
    // Writes into the memory of the tensor.
    predictor.get_workspace().get_tensor('fc_b').set_value(7, -100);
    print(`after: ${predictor.classify_file(picture, null).label}`);
    predictor.save_parameters(Gio.File.new_for_path(file), null);
} catch (error) {
    printerr(`adjust: ${error.message}`);
    System.exit(1);
}
