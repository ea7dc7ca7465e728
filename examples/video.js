// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// A trained model tells what is in a video: gjs -m video.js [MODEL]

import 'gi://C2g?version=1';
import GLib from 'gi://GLib';
import Gst from 'gi://Gst?version=1.0';
import System from 'system';

Gst.init(null);
const model = ARGV[0] ?? 'examples/models/digits';
const pipeline = Gst.parse_launch(
    `multifilesrc location=${model}/pictures/%d.png stop-index=9 caps=image/png,framerate=1/1 ! pngdec ` +
    `! c2ginference model=${model} preset=digits ! c2gsink name=sink sync=false`);
const sink = pipeline.get_by_name('sink');
const loop = new GLib.MainLoop(null, false);

// The signal comes in the main loop, once for all frames that came meanwhile.
sink.connect('new-tensors', () => {
    let workspace;
    while ((workspace = sink.emit('try-pull-tensors', 0)) !== null) {
        const scores = workspace.get_tensor('softmax');
        const values = Array.from({length: scores.get_n_elements()}, (_, i) => scores.get_value(i));
        const best = values.indexOf(Math.max(...values));
        print(`${best} ${(100 * values[best]).toFixed(1)} %`);
    }
});
const bus = pipeline.get_bus();
bus.add_signal_watch();
bus.connect('message::eos', () => loop.quit());
let status = 0;
bus.connect('message::error', (_bus, message) => {
    status = 1;
    printerr(`video: ${message.parse_error()[0].message}`);
    loop.quit();
});
pipeline.set_state(Gst.State.PLAYING);
loop.run();
pipeline.set_state(Gst.State.NULL);
System.exit(status);
