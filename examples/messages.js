// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Prints what a model sees in a video, by the messages of its pipeline: gjs -m messages.js [MODEL]

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gst from 'gi://Gst?version=1.0';
import System from 'system';

Gst.init(null);
const [model = Gio.File.new_for_uri(import.meta.url).get_parent().get_child('models/digits').get_path()] = ARGV;
const pipeline = Gst.parse_launch(`multifilesrc location="${model}/pictures/%d.png" stop-index=3 caps=image/png,framerate=1/1 ` +
    `! pngdec ! c2ginference model="${model}" preset=digits ! c2gdecode ! fakesink`);
const loop = new GLib.MainLoop(null, false);

// A watch brings the messages into the main loop: JavaScript hears no signal of another thread.
const bus = pipeline.get_bus();
bus.add_signal_watch();
bus.connect('message::element', (_bus, message) => {
    const found = message.get_structure();
    print(found.get_string('label'), found.get_value('score').toFixed(3));
});
bus.connect('message::eos', () => loop.quit());
bus.connect('message::error', (_bus, message) => {
    printerr(`messages: ${message.parse_error()[0].message}`);
    pipeline.set_state(Gst.State.NULL);
    System.exit(1);
});
pipeline.set_state(Gst.State.PLAYING);
loop.run();
pipeline.set_state(Gst.State.NULL);
