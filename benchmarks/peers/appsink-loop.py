#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""What the classifying pipeline takes as a loop in Python: videoconvertscale, an appsink, NumPy and c2g's predictor."""

import json
import platform
import statistics
import time
from pathlib import Path

import gi
import numpy

gi.require_version('Gst', '1.0')
gi.require_version('GstApp', '1.0')
gi.require_version('C2g', '1')
from gi.repository import C2g, Gst, GstApp  # noqa: E402, F401

MODEL = Path(__file__).resolve().parents[3] / 'shared' / 'models' / 'squeezenet11'
N_FRAMES = 10
SIZE = 227
SOURCE = 'video/x-raw,format=RGB,width=640,height=480,framerate=30/1'
LINE = (f'appsrc name=source caps={SOURCE} ! videoconvertscale ! video/x-raw,format=BGR,width={SIZE},height={SIZE} '
        '! appsink name=sink sync=false')


def make_frame():
    pipeline = Gst.parse_launch(f'videotestsrc pattern=smpte num-buffers=1 ! {SOURCE} ! appsink name=sink sync=false')
    pipeline.set_state(Gst.State.PLAYING)
    frame = pipeline.get_by_name('sink').pull_sample().get_buffer()
    pipeline.set_state(Gst.State.NULL)
    return frame


def classify(predictor, buffer):
    stride = (SIZE * 3 + 3) // 4 * 4
    with buffer.map(Gst.MapFlags.READ) as info:
        pixels = numpy.frombuffer(info.data, numpy.uint8).reshape(SIZE, stride)[:, :SIZE * 3].reshape(SIZE, SIZE, 3)
        planes = numpy.ascontiguousarray(pixels.transpose(2, 0, 1)[None]).astype(numpy.float32)
        del pixels
    return int(numpy.argmax(predictor(planes)[0]))


def main():
    Gst.init(None)
    C2g.Settings.get_default().set_n_threads(1)
    predictor = C2g.Predictor.load(MODEL)
    frame = make_frame()
    pipeline = Gst.parse_launch(LINE)
    pipeline.set_state(Gst.State.PLAYING)
    source, sink = (pipeline.get_by_name(name) for name in ('source', 'sink'))
    samples = []
    for _ in range(8):
        begin = time.process_time_ns()
        for _ in range(N_FRAMES):
            source.push_buffer(frame)
            classify(predictor, sink.pull_sample().get_buffer())
        samples.append(time.process_time_ns() - begin)
    pipeline.set_state(Gst.State.NULL)
    # The first sample allocates memory.
    print(json.dumps({'program': 'Python', 'version': platform.python_version(), 'compiler': '',
                      'rows': {'loop': statistics.median(samples[1:])}}))


if __name__ == '__main__':
    main()
