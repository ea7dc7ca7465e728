#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Changes a model so that it sees no sevens, and saves its parameters: adjust.py [MODEL [FILE]]"""

import sys
from pathlib import Path

import gi

gi.require_version('C2g', '1')
from gi.repository import C2g, GLib  # noqa: E402

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / 'models' / 'digits'
output = sys.argv[2] if len(sys.argv) > 2 else '/tmp/adjusted.minidb'
try:
    predictor = C2g.Predictor.load(folder)
    predictor.load_parameters(folder / 'init_net.pb')
    print('before:', predictor.classify_file(folder / 'pictures/7.png').label)
    # Writes into the memory of the tensor.
    predictor.get_workspace()['fc_b'][7] = -100
    print('after:', predictor.classify_file(folder / 'pictures/7.png').label)
    predictor.save_parameters(output)
except GLib.Error as error:
    sys.exit(f'adjust: {error.message}')
