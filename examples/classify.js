// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Classifies pictures by a trained model: gjs -m classify.js [MODEL]

import C2g from 'gi://C2g?version=1';
import Gio from 'gi://Gio';
import System from 'system';

function run(folder) {
    // Loads the weights once; the net can run any number of times.
    const predictor = C2g.Predictor.load(folder, null, null, C2g.OptimizeFlags.ALL, null);
    for (let digit = 0; digit < 10; digit++) {
        const best = predictor.classify_file(folder.get_child(`pictures/${digit}.png`), null);
        print(`${digit}.png: ${best.label}, ${(100 * best.score).toFixed(1)} %`);
    }
}

try {
    const beside = Gio.File.new_for_uri(import.meta.url).get_parent().get_child('models/digits');
    run(ARGV.length > 0 ? Gio.File.new_for_path(ARGV[0]) : beside);
} catch (error) {
    printerr(`classify: ${error.message}`);
    System.exit(1);
}
