# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""A small net recognizes notes: audio becomes tensors, and tensors become names."""

import math
import tempfile
from pathlib import Path

import gi

gi.require_version('Gst', '1.0')
from gi.repository import Gst  # noqa: E402

RATE, N_SAMPLES = 8000, 800
NOTES = {'A4': 440, 'C5': 523.25, 'E5': 659.26}

# The first layer compares the samples with a sine and a cosine of each note. The second layer adds the squares of both,
# which gives the power of the note at any phase.
waves = [2 / N_SAMPLES * wave(2 * math.pi * pitch * i / RATE)
         for pitch in NOTES.values() for wave in (math.sin, math.cos) for i in range(N_SAMPLES)]
sums = [20 * (i // 2 == note) for note in range(len(NOTES)) for i in range(2 * len(NOTES))]


def fill(name, dims, values):
    return f'op {{ type: "GivenTensorFill" output: "{name}" arg {{ name: "shape" ints: {dims} }} arg {{ name: "values" floats: {values} }} }}\n'


def save_model(folder):
    n = len(NOTES)
    (folder / 'labels.txt').write_text('\n'.join(NOTES))
    (folder / 'init_net.pbtxt').write_text(
        fill('waves', [2 * n, N_SAMPLES], waves) + fill('sums', [n, 2 * n], sums) + fill('b', [2 * n], [0] * 2 * n) +
        fill('c', [n], [0] * n))
    (folder / 'predict_net.pbtxt').write_text('''
        external_input: ["samples", "waves", "b", "sums", "c"] external_output: "scores"
        op { type: "FC" input: "samples" input: "waves" input: "b" output: "parts" }
        op { type: "Sqr" input: "parts" output: "squares" }
        op { type: "FC" input: "squares" input: "sums" input: "c" output: "powers" }
        op { type: "Softmax" input: "powers" output: "scores" }''')


Gst.init(None)
with tempfile.TemporaryDirectory() as folder:
    save_model(Path(folder))
    # Plays one tone after the other, each for a tenth of a second.
    tones = [f'audiotestsrc freq={pitch} num-buffers=1 samplesperbuffer={N_SAMPLES} ! all.' for pitch in (523.25, 440, 659.26, 440)]
    pipeline = Gst.parse_launch(f'concat name=all ! audio/x-raw,rate={RATE},channels=1 ! c2gconvert '
                                f'! c2ginference model={folder} ! c2gdecode ! fakesink ' + ' '.join(tones))
    pipeline.set_state(Gst.State.PLAYING)
    wanted = Gst.MessageType.ELEMENT | Gst.MessageType.ERROR | Gst.MessageType.EOS
    while (message := pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, wanted)).type == Gst.MessageType.ELEMENT:
        print(message.get_structure().get_string('label'))
    pipeline.set_state(Gst.State.NULL)
assert message.type == Gst.MessageType.EOS, message.parse_error()
