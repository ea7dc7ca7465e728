// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// A small net recognizes notes: audio becomes tensors, and tensors become names.

import GLib from 'gi://GLib';
import Gst from 'gi://Gst?version=1.0';
import System from 'system';

const [RATE, N_SAMPLES] = [8000, 800];
const NOTES = {A4: 440, C5: 523.25, E5: 659.26};
const n = Object.keys(NOTES).length;
const array = (length, make) => Array.from({length}, (_, i) => make(i));

// The first layer compares the samples with a sine and a cosine of each note. The second layer adds the squares of both,
// which gives the power of the note at any phase.
const waves = Object.values(NOTES).flatMap(pitch => [Math.sin, Math.cos].flatMap(
    wave => array(N_SAMPLES, i => 2 / N_SAMPLES * wave(2 * Math.PI * pitch * i / RATE))));
const sums = array(n, note => array(2 * n, i => i >> 1 === note ? 20 : 0)).flat();

const fill = (name, dims, values) => `op { type: "GivenTensorFill" output: "${name}" ` +
    `arg { name: "shape" ints: [${dims}] } arg { name: "values" floats: [${values}] } }\n`;

const folder = GLib.dir_make_tmp('notes-XXXXXX');
const model = {
    'labels.txt': Object.keys(NOTES).join('\n'),
    'init_net.pbtxt': fill('waves', [2 * n, N_SAMPLES], waves) + fill('sums', [n, 2 * n], sums) +
        fill('b', [2 * n], array(2 * n, () => 0)) + fill('c', [n], array(n, () => 0)),
    'predict_net.pbtxt': `
        external_input: ["samples", "waves", "b", "sums", "c"] external_output: "scores"
        op { type: "FC" input: "samples" input: "waves" input: "b" output: "parts" }
        op { type: "Sqr" input: "parts" output: "squares" }
        op { type: "FC" input: "squares" input: "sums" input: "c" output: "powers" }
        op { type: "Softmax" input: "powers" output: "scores" }`,
};
for (const [name, text] of Object.entries(model))
    GLib.file_set_contents(`${folder}/${name}`, text);

// Plays one tone after the other, each for a tenth of a second.
Gst.init(null);
const tones = [523.25, 440, 659.26, 440].map(pitch => `audiotestsrc freq=${pitch} num-buffers=1 samplesperbuffer=${N_SAMPLES} ! all.`);
const pipeline = Gst.parse_launch(`concat name=all ! audio/x-raw,rate=${RATE},channels=1 ! c2gconvert ` +
    `! c2ginference model=${folder} ! c2gdecode ! fakesink ${tones.join(' ')}`);
const loop = new GLib.MainLoop(null, false);
const bus = pipeline.get_bus();
let status = 0;
bus.add_signal_watch();
bus.connect('message::element', (_bus, message) => print(message.get_structure().get_string('label')));
bus.connect('message::eos', () => loop.quit());
bus.connect('message::error', (_bus, message) => {
    status = 1;
    printerr(`notes: ${message.parse_error()[0].message}`);
    loop.quit();
});
pipeline.set_state(Gst.State.PLAYING);
loop.run();
pipeline.set_state(Gst.State.NULL);
for (const name in model)
    GLib.unlink(`${folder}/${name}`);
GLib.rmdir(folder);
System.exit(status);
