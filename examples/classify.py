#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Classifies pictures by a trained model: classify.py [MODEL]"""

import sys
from pathlib import Path

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402


def run(folder):
    # Loads the weights once; the net can run any number of times.
    predictor = C2g.Predictor.load(folder)
    for path in sorted((folder / 'pictures').iterdir()):
        best = predictor.classify_file(path)
        print(f'{path.name}: {best.label}, {100 * best.score:.1f} %')


try:
    run(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / 'models' / 'digits')
except (GLib.Error, OSError) as error:
    sys.exit(f'classify: {error}')
