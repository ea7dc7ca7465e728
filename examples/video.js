// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Runs a model on pictures as a video, and prints where its output is largest: gjs -m video.js [MODEL PRESET PICTURES]

import C2g from 'gi://C2g?version=1';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gst from 'gi://Gst?version=1.0';
import System from 'system';

Gst.init(null);
const digits = Gio.File.new_for_uri(import.meta.url).get_parent().get_child('models/digits').get_path();
const [model, preset, pictures] = ARGV.length > 2 ? ARGV : [digits, 'digits', `${digits}/pictures/%d.png`];
const pipeline = Gst.parse_launch(`multifilesrc location="${pictures}" caps=image/png,framerate=1/1 ! pngdec ` +
    `! c2ginference model="${model}" preset=${preset} ! c2gsink name=sink sync=false`);
const sink = pipeline.get_by_name('sink');
const loop = new GLib.MainLoop(null, false);

// The signal is emitted in the main loop, once for all frames since the last time.
sink.connect('new-tensors', () => {
    for (let workspace; (workspace = sink.emit('try-pull-tensors', 0)) !== null;) {
        const name = workspace.list_blobs().find(each => each !== 'frame');
        // An output may be of bytes, too, as that of a style.
        const output = workspace.get_tensor(name).convert(C2g.DataType.FLOAT, C2g.ConvertFlags.NONE);
        const values = new Float32Array(output.dup_bytes().toArray().slice().buffer);
        const best = values.reduce((found, value, i) => value > values[found] ? i : found, 0);
        print(`${name}: ${values[best].toFixed(3)} at ${best}`);
    }
});
const bus = pipeline.get_bus();
bus.add_signal_watch();
bus.connect('message::eos', () => loop.quit());
bus.connect('message::error', (_bus, message) => {
    printerr(`video: ${message.parse_error()[0].message}`);
    pipeline.set_state(Gst.State.NULL);
    System.exit(1);
});
pipeline.set_state(Gst.State.PLAYING);
loop.run();
pipeline.set_state(Gst.State.NULL);
