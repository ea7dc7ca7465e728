#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Changes a trained model so that it sees no sevens, and saves its parameters: adjust.py [MODEL [FILE]]"""

import sys
from pathlib import Path

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402


def run(folder, output):
    predictor = C2g.Predictor.load(folder)
    workspace = predictor.get_workspace()
    names = workspace.load_checkpoint(folder / 'init_net.pb')
    print('before:', predictor.classify_file(folder / 'pictures/7.png').label)
    # Writes into the memory of the tensor.
    workspace['fc_b'][7] = -100
    print('after:', predictor.classify_file(folder / 'pictures/7.png').label)
    workspace.save_checkpoint(output, C2g.SaveOptions(names=names))
    print('saved:', len(names), 'blobs')


try:
    run(Path(sys.argv[1] if sys.argv[1:] else Path(__file__).parent / 'models' / 'digits'), (sys.argv[2:] or ['/tmp/adjusted.minidb'])[0])
except (GLib.Error, OSError) as error:
    sys.exit(f'adjust: {error}')
