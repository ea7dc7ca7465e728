#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Runs a model on pictures as a video, and prints where its output is largest: video.py [MODEL PRESET PICTURES]"""

import sys
from pathlib import Path

import gi

gi.require_version('C2g', '1')
gi.require_version('Gst', '1.0')
from gi.repository import C2g, Gst  # noqa: E402, F401

Gst.init(None)
digits = Path(__file__).parent / 'models' / 'digits'
model, preset, pictures = sys.argv[1:4] if len(sys.argv) > 3 else (digits, 'digits', digits / 'pictures/%d.png')
pipeline = Gst.parse_launch(f'multifilesrc location="{pictures}" caps=image/png,framerate=1/1 ! pngdec '
                            f'! c2ginference model="{model}" preset={preset} ! c2gsink name=sink sync=false')
sink = pipeline.get_by_name('sink')
pipeline.set_state(Gst.State.PLAYING)

# Each workspace has the tensors of one frame: the output of the model, and the frame itself. Nothing comes at the end of the
# stream, and if the pipeline fails.
while (workspace := sink.emit('pull-tensors')) is not None:
    name = next((name for name in workspace.list_blobs() if name != 'frame'), None)
    if name is None:
        sys.exit('video: The model has no output')
    values = workspace[name].numpy().flatten()
    print(f'{name}: {values.max():.3f} at {values.argmax()}')

error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
pipeline.set_state(Gst.State.NULL)
if error is not None:
    sys.exit(f'video: {error.parse_error().gerror.message}')
