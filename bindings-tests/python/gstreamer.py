# Copyright 2026 The c2g authors
# SPDX-License-Identifier: LGPL-2.1-or-later

"""Tensors in buffers of GStreamer."""

import gc
import os
import struct
import tempfile
import threading
import unittest

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstAudio', '1.0')
gi.require_version('GstBase', '1.0')
gi.require_version('GstVideo', '1.0')
gi.require_version('C2gGst', '1')
from gi.repository import C2gGst, Gio, GLib, Gst, GstAudio, GstBase, GstVideo  # noqa: E402

from c2g_testing import C2g, TestCase, new_floats, numbers_of  # noqa: E402

Gst.init(None)

UINT8 = C2g.DataType.UINT8
FLOAT = C2g.DataType.FLOAT


def new_buffer(data):
    return Gst.Buffer.new_wrapped(data)


def new_pipeline(line, *names):
    """Returns a pipeline that plays, and elements of it."""
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    return pipeline, [pipeline.get_by_name(name) for name in names]


class Doubler(GstBase.BaseTransform):
    """An element that doubles the floats of each buffer in place."""

    __gstmetadata__ = ('Doubler', 'Filter', 'Doubles numbers', 'c2g')
    __gsttemplates__ = tuple(
        Gst.PadTemplate.new(name, direction, Gst.PadPresence.ALWAYS, Gst.Caps.new_any())
        for name, direction in (('sink', Gst.PadDirection.SINK), ('src', Gst.PadDirection.SRC)))

    def do_transform_ip(self, buffer):
        try:
            numbers = C2gGst.tensor_begin_write(buffer, FLOAT, [buffer.get_size() // 4])
            numbers.scale(2)
            C2gGst.tensor_end_write(numbers)
        except GLib.Error as error:
            Gst.error(error.message)
            return Gst.FlowReturn.ERROR
        return Gst.FlowReturn.OK


class Buffers(TestCase):
    def test_26_1_tensor_from_buffer(self):
        buffer = new_buffer(struct.pack('=6f', *range(6)))
        tensor = C2gGst.tensor_new_from_buffer(buffer, FLOAT, [2, 3])
        other = C2gGst.tensor_new_from_memory(buffer.peek_memory(0), FLOAT, [6])
        self.assertEqual(tensor.get_address(), other.get_address())
        self.assertTrue(tensor.is_sealed())
        self.assertFails(C2g.Error.RANGE, C2gGst.tensor_new_from_buffer, buffer, FLOAT, [7])
        del buffer
        gc.collect()
        self.assertEqual(numbers_of(tensor), [0, 1, 2, 3, 4, 5])
        tensor.set_value(0, 9)
        self.assertEqual((numbers_of(tensor)[0], numbers_of(other)[0]), (9, 0))

    def test_26_2_buffer_from_tensor(self):
        tensor = new_floats(1, 2, 3)
        address = tensor.get_address()
        buffer = C2gGst.buffer_new_from_tensor(tensor)
        self.assertTrue(tensor.is_sealed())
        self.assertEqual(buffer.extract_dup(0, buffer.get_size()), struct.pack('=3f', 1, 2, 3))
        tensor.set_value(0, 9)
        del tensor
        back = C2gGst.tensor_new_from_buffer(buffer, FLOAT, [3])
        self.assertEqual((back.get_address(), numbers_of(back)), (address, [1, 2, 3]))
        # Lists and names go where tensors and element types go.
        buffer = C2gGst.buffer_new_from_tensor([1.0, 2.0])
        self.assertEqual(numbers_of(C2gGst.tensor_new_from_buffer(buffer, 'float32', 2)), [1, 2])

    def test_26_3_busy(self):
        tensor = new_floats(1, 2)
        sharer = new_floats(3, 4)
        sharer.share_data(tensor)
        self.assertFails(C2g.Error.BUSY, C2gGst.buffer_new_from_tensor, tensor)
        sharer.free_memory()
        mapping = tensor.map(C2g.MapFlags.WRITE)
        self.assertFails(C2g.Error.BUSY, C2gGst.buffer_new_from_tensor, tensor)
        mapping.unmap()
        self.assertEqual(C2gGst.buffer_new_from_tensor(tensor).get_size(), 8)

    def test_26_4_media(self):
        video = GstVideo.VideoInfo()
        video.set_format(GstVideo.VideoFormat.RGB, 4, 2)
        tensor = C2gGst.tensor_new_from_video_frame(new_buffer(bytes(range(24))), video)
        self.assertEqual((tensor.get_dims(), tensor.get_value(23)), ([2, 4, 3], 23))
        video.set_format(GstVideo.VideoFormat.I420, 4, 2)
        self.assertFails(C2g.Error.NOT_SUPPORTED, C2gGst.tensor_new_from_video_frame, new_buffer(bytes(12)), video)
        audio = GstAudio.AudioInfo()
        audio.set_format(GstAudio.AudioFormat.S16LE, 8000, 2, None)
        tensor = C2gGst.tensor_new_from_audio_buffer(new_buffer(struct.pack('<6h', *range(6))), audio)
        self.assertEqual((tensor.get_dims(), numbers_of(tensor)), ([3, 2], [0, 1, 2, 3, 4, 5]))

    def test_26_5_meta(self):
        buffer = Gst.Buffer.new()
        geometry = C2gGst.Geometry.new(640, 480, [2, 0, 10, 0, 4, 0])
        self.assertTrue(C2gGst.buffer_add_tensor(buffer, 'scores', new_floats(1, 2), geometry))
        self.assertTrue(C2gGst.buffer_add_tensor(buffer, 'other', new_floats(3), None))
        copy = buffer.copy_deep()
        del buffer
        gc.collect()
        self.assertEqual(C2gGst.buffer_list_tensors(copy), ['scores', 'other'])
        first, second = (C2gGst.buffer_get_tensor(copy, 'scores') for _ in range(2))
        self.assertIsNot(first, second)
        self.assertEqual((numbers_of(first), first.get_address()), ([1, 2], second.get_address()))
        found = C2gGst.buffer_get_geometry(copy, 'scores')
        self.assertEqual((found.get_width(), found.get_height(), *found.map_point(1, 1)), (640, 480, 12, 4))
        self.assertIsNone(C2gGst.buffer_get_geometry(copy, 'other'))
        self.assertFails(C2g.Error.NOT_FOUND, C2gGst.buffer_get_tensor, copy, 'none')
        self.assertFails(C2g.Error.EXISTS, C2gGst.buffer_add_tensor, copy, 'other', new_floats(3), None)

    def test_26_6_allocator(self):
        memory = C2gGst.Allocator.get_default().alloc(64, None)
        storage, offset = C2gGst.memory_get_storage(memory)
        self.assertEqual((offset, storage.is_read_only()), (0, False))
        self.assertGreaterEqual(storage.get_n_bytes(), 64)
        self.assertEqual(C2gGst.memory_get_storage(Gst.Allocator.find('SystemMemory').alloc(8, None)), (None, 0))

    def test_26_14_allocator_over(self):
        counting = C2g.TrackingAllocator.new(C2g.Allocator.get_default(C2g.Device.cpu()))
        allocator = C2gGst.Allocator.new(C2g.LimitingAllocator.new(counting, 100))
        memory = allocator.alloc(64, None)
        self.assertGreaterEqual(counting.get_current_bytes(), 64)
        self.assertIsNone(memory.copy(0, -1))
        storage, offset = C2gGst.memory_get_storage(memory)
        self.assertEqual((offset, storage.is_read_only()), (0, False))
        del memory, storage
        gc.collect()
        self.assertEqual(counting.get_current_bytes(), 0)

    def test_26_7_context(self):
        workspace = C2g.Workspace()
        context = C2gGst.context_new(workspace, True)
        self.assertEqual(context.get_context_type(), C2gGst.CONTEXT_TYPE_WORKSPACE)
        self.assertIs(C2gGst.context_get_workspace(context), workspace)
        self.assertIsNone(C2gGst.context_get_workspace(Gst.Context.new('other', False)))

    def test_26_13_foreign(self):
        owner = new_floats(1, 2)
        buffer = C2gGst.buffer_new_from_tensor(C2g.from_dlpack(owner))
        owner.set_value(0, 3)
        self.assertEqual(numbers_of(C2gGst.tensor_new_from_buffer(buffer, FLOAT, [2])), [1, 2])

    def test_26_8_numpy(self):
        try:
            import numpy
        except ImportError:
            raise unittest.SkipTest('no NumPy')
        buffer = new_buffer(bytes(range(6)))
        array = numpy.asarray(C2gGst.tensor_new_from_buffer(buffer, UINT8, [2, 3]))
        del buffer
        gc.collect()
        self.assertEqual((array.tolist(), array.flags.writeable), ([[0, 1, 2], [3, 4, 5]], False))

    def test_26_9_write(self):
        buffer = new_buffer(bytes(8))
        tensor = C2gGst.tensor_begin_write(buffer, FLOAT, [2])
        self.assertFails(C2g.Error.READ_ONLY, C2gGst.tensor_begin_write, buffer, FLOAT, [2])
        tensor.set_value(1, 2.5)
        self.assertTrue(C2gGst.tensor_end_write(tensor))
        self.assertEqual(struct.unpack('=2f', buffer.extract_dup(0, 8)), (0, 2.5))
        other = C2gGst.tensor_begin_write(buffer, FLOAT, [2])
        mapping = other.map(C2g.MapFlags.READ)
        self.assertFails(C2g.Error.BUSY, C2gGst.tensor_end_write, other)
        mapping.unmap()
        self.assertTrue(C2gGst.tensor_end_write(C2gGst.tensor_begin_write(buffer, FLOAT, [2])))

    def test_26_12_write_numpy(self):
        try:
            import numpy
        except ImportError:
            raise unittest.SkipTest('no NumPy')
        buffer = new_buffer(bytes(8))
        tensor = C2gGst.tensor_begin_write(buffer, FLOAT, [2])
        array = numpy.asarray(tensor)
        array += 3
        self.assertFails(C2g.Error.BUSY, C2gGst.tensor_end_write, tensor)
        del array
        gc.collect()
        self.assertEqual(struct.unpack('=2f', buffer.extract_dup(0, 8)), (3, 3))

    def test_26_10_element(self):
        pipeline = Gst.parse_launch('appsrc name=source ! tee name=tee ! queue ! appsink name=left tee. ! queue name=queue')
        doubler, right = Doubler(), Gst.ElementFactory.make('appsink')
        pipeline.add(doubler)
        pipeline.add(right)
        self.assertTrue(pipeline.get_by_name('queue').link(doubler) and doubler.link(right))
        pipeline.set_state(Gst.State.PLAYING)
        source, left = (pipeline.get_by_name(name) for name in ('source', 'left'))
        source.emit('push-buffer', new_buffer(struct.pack('=2f', 1, 2)))
        samples = [sink.emit('try-pull-sample', 10 * Gst.SECOND) for sink in (left, right)]
        pipeline.set_state(Gst.State.NULL)
        self.assertEqual([struct.unpack('=2f', sample.get_buffer().extract_dup(0, 8)) for sample in samples],
                         [(1, 2), (2, 4)])

    def test_26_11_appsink(self):
        pipeline = Gst.parse_launch('fakesrc num-buffers=1 sizetype=fixed sizemax=4 ! appsink name=sink')
        pipeline.set_state(Gst.State.PLAYING)
        sample = pipeline.get_by_name('sink').emit('try-pull-sample', 10 * Gst.SECOND)
        pipeline.set_state(Gst.State.NULL)
        buffer = sample.get_buffer()
        self.assertFails(C2g.Error.READ_ONLY, C2gGst.buffer_add_tensor, buffer, 'scores', new_floats(1), None)
        copy = buffer.copy_deep()
        self.assertTrue(C2gGst.buffer_add_tensor(copy, 'scores', new_floats(1), None))
        self.assertEqual(copy.get_size(), 4)

    def test_26_20_sink(self):
        pipeline, (sink,) = new_pipeline(
            'videotestsrc num-buffers=2 ! video/x-raw,width=4,height=2 ! videoconvert '
            '! c2gsink name=sink sync=false video-format=rgb', 'sink')
        while (workspace := sink.emit('try-pull-tensors', 5 * Gst.SECOND)) is not None:
            last = workspace
        self.assertEqual(last.list_blobs(), ['frame'])
        frame = last.get_tensor('frame')
        self.assertEqual((frame.get_dims(), frame.is_sealed()), ([2, 4, 3], True))
        self.assertIsNone(sink.emit('pull-tensors'))
        pipeline.set_state(Gst.State.NULL)

    def test_26_21_src(self):
        pipeline, (src, sink) = new_pipeline('c2gsrc name=src framerate=2/1 ! c2gsink name=sink sync=false', 'src', 'sink')
        self.assertEqual(src.emit('push-tensor', new_floats(1, 2)), Gst.FlowReturn.OK)
        workspace = C2g.Workspace()
        workspace.create_blob('a').set_object(new_floats(3))
        workspace.create_blob('b').set_object(new_floats(4))
        self.assertEqual(src.emit('push-workspace', workspace), Gst.FlowReturn.OK)
        src.emit('end-of-stream')
        first, second = (sink.emit('pull-sample') for _ in range(2))
        self.assertEqual(C2gGst.sample_list_tensors(first), ['tensor'])
        self.assertEqual(numbers_of(C2gGst.sample_get_tensor(first, 'tensor')), [1, 2])
        self.assertEqual(first.get_caps().get_structure(0).get_name(), C2gGst.CAPS_TENSORS)
        self.assertEqual(C2gGst.sample_list_tensors(second), ['a', 'b'])
        self.assertEqual(second.get_buffer().pts, Gst.SECOND // 2)
        self.assertFails(C2g.Error.NOT_FOUND, C2gGst.sample_get_tensor, second, 'tensor')
        pipeline.set_state(Gst.State.NULL)
        pipeline.set_state(Gst.State.PLAYING)
        self.assertEqual(src.emit('push-tensor', None), Gst.FlowReturn.ERROR)
        self.assertIn('nothing to push', pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR).parse_error()[0].message)
        pipeline.set_state(Gst.State.NULL)

    def test_26_22_new_tensors(self):
        # The signal is emitted in the main context, so its handler can end the loop.
        pipeline, (src, sink) = new_pipeline('c2gsrc name=src ! c2gsink name=sink sync=false', 'src', 'sink')
        loop = GLib.MainLoop()
        threads = set()
        sink.connect('new-tensors', lambda _sink: (threads.add(threading.get_ident()), loop.quit()))
        src.emit('push-tensor', new_floats(5))
        loop.run()
        self.assertEqual(threads, {threading.get_ident()})
        self.assertEqual(sink.emit('try-pull-tensors', 0).get_tensor('tensor').get_value(0), 5)
        pipeline.set_state(Gst.State.NULL)

    def test_26_23_workspace(self):
        workspace = C2g.Workspace()
        pipeline, (src, sink) = new_pipeline(
            'c2gsrc name=src video-format=gray8 ! c2gsink name=sink sync=false', 'src', 'sink')
        pipeline.set_context(C2gGst.context_new(workspace, False))
        self.assertIs(sink.get_property('workspace'), workspace)
        changes = []
        workspace.create_blob('frame').connect('changed', lambda *_: changes.append(1))
        src.emit('push-tensor', C2g.Tensor.new_from_bytes(UINT8, [2, 4], GLib.Bytes.new(bytes(range(8)))))
        self.assertIs(sink.emit('pull-tensors'), workspace)
        self.assertEqual(numbers_of(workspace.get_tensor('frame')), list(range(8)))
        self.assertEqual(len(changes), 1)
        pipeline.set_state(Gst.State.NULL)

    def test_26_24_convert(self):
        pipeline, (sink,) = new_pipeline(
            'videotestsrc pattern=white num-buffers=1 ! video/x-raw,format=RGB,width=8,height=4 '
            '! c2gconvert size=4x4 letterbox=true channels=GRAY scale=1/2 order=NHWC ! c2gsink name=sink sync=false', 'sink')
        sample = sink.emit('pull-sample')
        tensor = C2gGst.sample_get_tensor(sample, 'tensor')
        self.assertEqual(tensor.get_dims(), [1, 4, 4, 1])
        self.assertEqual(numbers_of(tensor), [57] * 4 + [127.5] * 8 + [57] * 4)
        geometry = C2gGst.buffer_get_geometry(sample.get_buffer(), 'tensor')
        self.assertEqual(tuple(geometry.map_point(4, 3)), (8, 4))
        self.assertIn('layout=(string)nhwc', sample.get_caps().to_string())
        pipeline.set_state(Gst.State.NULL)

        pipeline, (sink,) = new_pipeline(
            'audiotestsrc wave=silence num-buffers=1 samplesperbuffer=10 ! audio/x-raw,format=S16LE,channels=2 '
            '! c2gconvert mean=-1 type=float16 ! c2gsink name=sink sync=false', 'sink')
        tensor = sink.emit('pull-tensors').get_tensor('tensor')
        self.assertEqual((tensor.get_dims(), tensor.get_data_type()), ([2, 10], C2g.DataType.FLOAT16))
        self.assertEqual(numbers_of(tensor), [1] * 20)
        pipeline.set_state(Gst.State.NULL)

    def test_26_25_bytes(self):
        pipeline, (src, sink) = new_pipeline('c2gsrc name=src ! c2gpay ! appsink name=sink sync=false', 'src', 'sink')
        for n in range(3):
            src.emit('push-tensor', new_floats(n, 9))
        buffers = [sink.emit('pull-sample').get_buffer() for _ in range(3)]
        pipeline.set_state(Gst.State.NULL)
        first, second, third = (buffer.extract_dup(0, buffer.get_size()) for buffer in buffers)
        damaged = second[:-1] + bytes([second[-1] ^ 1])

        pipeline, (src, sink) = new_pipeline(
            'appsrc name=src caps=application/x-c2g-stream ! c2gdepay ! c2gsink name=sink sync=false', 'src', 'sink')
        src.emit('push-buffer', Gst.Buffer.new_wrapped(first + damaged + third))
        src.emit('end-of-stream')
        found = [numbers_of(sink.emit('pull-tensors').get_tensor('tensor')) for _ in range(2)]
        self.assertEqual(found, [[0, 9], [2, 9]])
        self.assertIsNone(sink.emit('pull-tensors'))
        pipeline.set_state(Gst.State.NULL)

    def test_26_26_decode(self):
        pipeline, (src,) = new_pipeline('c2gsrc name=src ! c2gdecode mode=ssd ! fakesink', 'src')
        rows = new_floats(0, 3, 0.5, 0.25, 0.5, 0.75, 1)
        rows.reshape([1, 1, 1, 7])
        src.emit('push-tensor', rows)
        found = pipeline.get_bus().timed_pop_filtered(5 * Gst.SECOND, Gst.MessageType.ELEMENT).get_structure()
        self.assertEqual(found.get_name(), 'c2g-detection')
        self.assertEqual(found.get_uint('index'), (True, 3))
        self.assertEqual([found.get_value(name) for name in ('score', 'x', 'y', 'width', 'height')],
                         [0.5, 0.25, 0.5, 0.5, 0.5])
        pipeline.set_state(Gst.State.NULL)

    def test_26_27_streams(self):
        pipeline = Gst.parse_launch(
            'c2gsrc name=a ! mux.sink_0  c2gsrc name=b ! mux.sink_1  c2gtensormux name=mux '
            '! c2gtensorbatch size=2 ! tee name=tee ! queue ! c2gsink name=batches sync=false '
            'tee. ! queue ! c2gtensordemux tensors=second/tensor rows=true ! c2gsink name=rows sync=false')
        a, b, mux, batches, rows = (pipeline.get_by_name(name) for name in ('a', 'b', 'mux', 'batches', 'rows'))
        mux.get_static_pad('sink_1').set_property('prefix', 'second/')
        self.assertEqual(mux.get_static_pad('sink_1').get_property('prefix'), 'second/')
        pipeline.set_state(Gst.State.PLAYING)
        for n in range(3):
            a.emit('push-tensor', new_floats(n))
            b.emit('push-tensor', new_floats(n, 9))
        for source in a, b:
            source.emit('end-of-stream')

        whole, rest = (batches.emit('pull-tensors') for _ in range(2))
        self.assertEqual(numbers_of(whole.get_tensor('tensor')), [0, 1])
        self.assertEqual(numbers_of(whole.get_tensor('second/tensor')), [0, 9, 1, 9])
        self.assertEqual(numbers_of(rest.get_tensor('second/tensor')), [2, 9])
        self.assertIsNone(batches.emit('pull-tensors'))
        found = [numbers_of(rows.emit('pull-tensors').get_tensor('second/tensor')) for _ in range(6)]
        self.assertEqual(found, [[0], [9], [1], [9], [2], [9]])
        pipeline.set_state(Gst.State.NULL)

    def test_26_30_nnstreamer(self):
        caps = 'other/tensors,format=static,num_tensors=2,types=uint8.float32,dimensions=3:2:1:1.2,framerate=0/1'
        pipeline, (src, sink) = new_pipeline(
            f'appsrc name=src caps={caps} ! c2gbridge names=bytes,floats ! tee name=tee '
            'tee. ! queue ! c2gsink name=sink sync=false '
            'tee. ! queue ! c2gbridge ! other/tensors,format=flexible ! c2gbridge ! fakesink', 'src', 'sink')
        buffer = Gst.Buffer.new_wrapped(bytes(range(6)))
        buffer.append_memory(Gst.Buffer.new_wrapped(struct.pack('2f', 1, 9)).get_memory(0))
        src.emit('push-buffer', buffer)
        src.emit('end-of-stream')
        workspace = sink.emit('pull-tensors')
        self.assertEqual(workspace.get_tensor('bytes').get_dims(), [1, 1, 2, 3])
        self.assertEqual(numbers_of(workspace.get_tensor('bytes')), list(range(6)))
        self.assertEqual(numbers_of(workspace.get_tensor('floats')), [1, 9])
        message = pipeline.get_bus().timed_pop_filtered(5 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        self.assertEqual(message.type, Gst.MessageType.EOS)
        pipeline.set_state(Gst.State.NULL)

    @unittest.skipUnless(Gst.ElementFactory.find('c2goverlay'), 'Pango was not found')
    def test_26_28_overlay(self):
        pipeline, (src, sink) = new_pipeline(
            'appsrc name=src caps=video/x-raw,format=GRAY8,width=8,height=8,framerate=1/1 ! c2goverlay line-width=1 '
            '! c2gsink name=sink sync=false', 'src', 'sink')
        buffer = new_buffer(bytes(64))
        GstVideo.buffer_add_video_region_of_interest_meta(buffer, 'c2g-detection', 2, 2, 4, 3)
        src.emit('push-buffer', buffer)
        pixels = numbers_of(sink.emit('pull-tensors').get_tensor('frame'))
        self.assertEqual([i for i in range(64) if pixels[i]], [18, 19, 20, 21, 26, 29, 34, 35, 36, 37])
        pipeline.set_state(Gst.State.NULL)

    def test_26_29_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f'{folder}/stream.npz'
            pipeline, (src,) = new_pipeline(f'c2gsrc name=src framerate=2/1 ! c2gstore location={path}', 'src')
            for n in range(3):
                src.emit('push-tensor', new_floats(n, 9))
            self.assertFalse(os.path.exists(path))
            src.emit('end-of-stream')
            pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS)
            pipeline.set_state(Gst.State.NULL)

            workspace = C2g.Workspace()
            workspace.load_checkpoint(Gio.File.new_for_path(path), None, None)
            self.assertEqual(numbers_of(workspace.get_tensor('00000001/tensor')), [1, 9])
            self.assertEqual(numbers_of(workspace.get_tensor('00000001/@time')), [Gst.SECOND // 2, Gst.SECOND // 2])

            pipeline, (sink,) = new_pipeline(f'c2gload location={path} ! c2gsink name=sink sync=false', 'sink')
            for n in range(3):
                sample = sink.emit('pull-sample')
                self.assertEqual(numbers_of(C2gGst.sample_get_tensor(sample, 'tensor')), [n, 9])
                self.assertEqual(sample.get_buffer().pts, n * Gst.SECOND // 2)
            self.assertIsNone(sink.emit('pull-sample'))
            pipeline.set_state(Gst.State.NULL)


if __name__ == '__main__':
    unittest.main()
