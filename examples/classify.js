// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Classifies pictures by a trained model: gjs -m classify.js [MODEL]

import C2g from 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import GdkPixbuf from 'gi://GdkPixbuf?version=2.0';
import Gio from 'gi://Gio';
import System from 'system';

const SIZE = 8;

function readPicture(path) {
    // The model takes grey pixels from 0 to 1. The pictures are grey, so any channel will do.
    const pixbuf = GdkPixbuf.Pixbuf.new_from_file_at_scale(path, SIZE, SIZE, false);
    const pixels = pixbuf.get_pixels();
    const values = new Float32Array(SIZE * SIZE);
    for (let y = 0; y < SIZE; y++) {
        for (let x = 0; x < SIZE; x++)
            values[y * SIZE + x] = pixels[y * pixbuf.rowstride + x * pixbuf.n_channels] / 255;
    }
    const bytes = new GLib.Bytes(new Uint8Array(values.buffer));
    return C2g.Tensor.new_from_bytes(C2g.DataType.FLOAT, [1, 1, SIZE, SIZE], bytes);
}

function run(folder) {
    // Loads the weights once; the net can run any number of times.
    const predictor = C2g.Predictor.load(Gio.File.new_for_path(folder), null, null, C2g.OptimizeFlags.ALL, null);
    const net = predictor.get_net();
    const [inputs, outputs] = [predictor.get_inputs(), predictor.get_outputs()];
    print(`${net.get_name()}: ${net.get_n_operators()} operators, ${inputs.join(', ')} -> ${outputs.join(', ')}`);

    const [, text] = GLib.file_get_contents(`${folder}/labels.txt`);
    const labels = new TextDecoder().decode(text).trim().split('\n');
    for (let digit = 0; digit < labels.length; digit++) {
        const [probabilities] = predictor.run([readPicture(`${folder}/pictures/${digit}.png`)], null);
        const values = labels.map((_label, i) => probabilities.get_value(i));
        const best = values.indexOf(Math.max(...values));
        print(`${digit}.png: ${labels[best]}, ${(100 * values[best]).toFixed(1)} %`);
    }
}

try {
    run(ARGV[0] ?? 'examples/models/digits');
} catch (error) {
    printerr(`classify: ${error.message}`);
    System.exit(1);
}
