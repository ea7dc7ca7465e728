#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Classifies pictures by a trained model: classify.py [MODEL]"""

import sys
from pathlib import Path

import gi

gi.require_version('C2g', '1')
gi.require_version('GdkPixbuf', '2.0')
import numpy  # noqa: E402
from gi.repository import C2g, GdkPixbuf, GLib  # noqa: E402

SIZE = 8


def read_picture(path):
    # The model takes grey pixels from 0 to 1. The pictures are grey, so any channel will do.
    pixbuf = GdkPixbuf.Pixbuf.new_from_file_at_scale(str(path), SIZE, SIZE, False)
    strides = pixbuf.get_rowstride(), pixbuf.get_n_channels()
    pixels = numpy.ndarray((1, 1, SIZE, SIZE), numpy.uint8, pixbuf.get_pixels(), strides=(0, 0, *strides))
    return pixels.astype(numpy.float32) / 255


def run(folder):
    # Loads the weights once; the net can run any number of times.
    predictor = C2g.Predictor.load(folder)
    net = predictor.get_net()
    inputs, outputs = predictor.get_inputs(), predictor.get_outputs()
    print(f'{net.get_name()}: {net.get_n_operators()} operators, {", ".join(inputs)} -> {", ".join(outputs)}')

    labels = (folder / 'labels.txt').read_text().split()
    for digit in range(len(labels)):
        path = folder / 'pictures' / f'{digit}.png'
        probabilities = predictor(read_picture(path))[0]
        best = probabilities.argmax()
        print(f'{path.name}: {labels[best]}, {100 * probabilities[best]:.1f} %')


try:
    run(Path(sys.argv[1] if len(sys.argv) > 1 else 'examples/models/digits'))
except (GLib.Error, OSError) as error:
    sys.exit(f'classify: {error}')
