#!/usr/bin/env python3
# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""An element of GStreamer that holds a tensor across frames: their running average."""

import gi

gi.require_version('C2g', '1')
gi.require_version('C2gGst', '1')
gi.require_version('GstBase', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import C2g, C2gGst, GLib, Gst, GstBase, GstVideo  # noqa: E402

Gst.init(None)
CAPS = Gst.Caps.from_string('video/x-raw, format=GRAY8')


class Average(GstBase.BaseTransform):
    """Attaches the running average of the frames, in which the newest has a weight of a quarter."""

    __gstmetadata__ = ('Average', 'Filter/Analyzer/Video', 'Attaches a running average', 'The c2g authors')
    __gsttemplates__ = (Gst.PadTemplate.new('sink', Gst.PadDirection.SINK, Gst.PadPresence.ALWAYS, CAPS),
                        Gst.PadTemplate.new('src', Gst.PadDirection.SRC, Gst.PadPresence.ALWAYS, CAPS))

    def do_set_caps(self, caps, _output):
        self.info = GstVideo.VideoInfo.new_from_caps(caps)
        self.average = None
        return True

    # Works in place, because tensors are attached to the buffer of the frame itself.
    def do_transform_ip(self, buffer):
        try:
            # This makes a copy, and releases the frame at once: nothing can be attached to a buffer while a tensor holds it.
            values = C2gGst.tensor_new_from_video_frame(buffer, self.info).convert('float')
            if self.average is None:
                self.average = values
            else:
                self.average.axpby(0.25, values, 0.75)
            # An attached tensor stays read-only, so the element attaches a copy and keeps its own.
            C2gGst.buffer_add_tensor(buffer, 'average', self.average.copy(), None)
        except GLib.Error as error:
            self.post_message(Gst.Message.new_error(self, error, ''))
            return Gst.FlowReturn.ERROR
        return Gst.FlowReturn.OK


# The video is white and black in turn.
average = Average()
source = Gst.parse_bin_from_description(
    'videotestsrc pattern=blink num-buffers=6 ! capsfilter caps=video/x-raw,width=8,height=8', True)
sink = Gst.ElementFactory.make('c2gsink', None)
sink.set_property('sync', False)
pipeline = Gst.Pipeline()
for element in (source, average, sink):
    pipeline.add(element)
Gst.Element.link_many(source, average, sink)

pipeline.set_state(Gst.State.PLAYING)
while (workspace := sink.emit('pull-tensors')) is not None:
    print(*(f'{name} {workspace[name].numpy().flat[0]:.1f}' for name in ('frame', 'average')), sep=', ')
pipeline.set_state(Gst.State.NULL)
