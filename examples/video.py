#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""A trained model tells what is in a video: video.py [MODEL]"""

import sys

import gi

gi.require_version('C2g', '1')
gi.require_version('Gst', '1.0')
from gi.repository import C2g, Gst  # noqa: E402, F401

Gst.init(None)
model = sys.argv[1] if len(sys.argv) > 1 else 'examples/models/digits'
pipeline = Gst.parse_launch(
    f'multifilesrc location={model}/pictures/%d.png stop-index=9 caps=image/png,framerate=1/1 ! pngdec '
    f'! c2ginference model={model} preset=digits ! c2gsink name=sink sync=false')
sink = pipeline.get_by_name('sink')
is_playing = pipeline.set_state(Gst.State.PLAYING) != Gst.StateChangeReturn.FAILURE

# Each workspace has the tensors of one frame: the outputs of the model, and the frame itself.
while is_playing and (workspace := sink.emit('pull-tensors')) is not None:
    scores = workspace['softmax'].numpy().flatten()
    best = scores.argmax()
    print(f'{best} {100 * scores[best]:.1f} %')

error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
pipeline.set_state(Gst.State.NULL)
if error is not None:
    sys.exit(f'video: {error.parse_error().gerror.message}')
