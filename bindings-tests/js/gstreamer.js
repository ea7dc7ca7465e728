// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Tensors in buffers of GStreamer.

import C2g from 'gi://C2g?version=1';
import C2gGst from 'gi://C2gGst?version=1';
import GLib from 'gi://GLib';
import Gst from 'gi://Gst?version=1.0';
import GstAudio from 'gi://GstAudio?version=1.0';
import GstVideo from 'gi://GstVideo?version=1.0';
import {equal, fails, newFloats, numbersOf, ok, run, test} from './testing.js';

Gst.init(null);

const {FLOAT} = C2g.DataType;

function newBuffer(...bytes) {
    return Gst.Buffer.new_wrapped(new Uint8Array(bytes));
}

test('26.1 tensor from buffer', () => {
    const buffer = Gst.Buffer.new_wrapped(new Uint8Array(new Float32Array([0, 1, 2]).buffer));
    const tensor = C2gGst.tensor_new_from_buffer(buffer, FLOAT, [3]);
    const other = C2gGst.tensor_new_from_memory(buffer.peek_memory(0), FLOAT, [1, 3]);
    equal(tensor.get_address(), other.get_address());
    ok(tensor.is_sealed());
    fails(C2g.Error.RANGE, () => C2gGst.tensor_new_from_buffer(buffer, FLOAT, [4]));
    tensor.set_value(0, 9);
    equal([numbersOf(tensor), numbersOf(other)], [[9, 1, 2], [0, 1, 2]]);
});

test('26.2 buffer from tensor', () => {
    const tensor = newFloats(1, 2, 3);
    const address = tensor.get_address();
    const buffer = C2gGst.buffer_new_from_tensor(tensor);
    ok(tensor.is_sealed());
    equal(buffer.get_size(), 12);
    tensor.set_value(0, 9);
    const back = C2gGst.tensor_new_from_buffer(buffer, FLOAT, [3]);
    equal([back.get_address(), numbersOf(back)], [address, [1, 2, 3]]);
});

test('26.13 foreign', () => {
    const owner = newFloats(1, 2);
    const tensor = C2g.Tensor.new_from_dlpack(owner.to_dlpack(0, null, 0), 0, null);
    const buffer = C2gGst.buffer_new_from_tensor(tensor);
    owner.set_value(0, 3);
    equal(numbersOf(C2gGst.tensor_new_from_buffer(buffer, FLOAT, [2])), [1, 2]);
});

test('26.3 busy', () => {
    const tensor = newFloats(1, 2);
    const sharer = newFloats(3, 4);
    sharer.share_data(tensor);
    fails(C2g.Error.BUSY, () => C2gGst.buffer_new_from_tensor(tensor));
    sharer.free_memory();
    equal(C2gGst.buffer_new_from_tensor(tensor).get_size(), 8);
});

test('26.4 media', () => {
    const video = new GstVideo.VideoInfo();
    video.set_format(GstVideo.VideoFormat.GRAY8, 4, 2);
    const frame = C2gGst.tensor_new_from_video_frame(newBuffer(0, 1, 2, 3, 4, 5, 6, 7), video);
    equal([frame.get_dims(), frame.get_value(7)], [[2, 4], 7]);
    video.set_format(GstVideo.VideoFormat.NV12, 4, 2);
    fails(C2g.Error.NOT_SUPPORTED, () =>
        C2gGst.tensor_new_from_video_frame(newBuffer(...Array(12).fill(0)), video));
    const audio = new GstAudio.AudioInfo();
    audio.set_format(GstAudio.AudioFormat.U8, 8000, 2, null);
    const samples = C2gGst.tensor_new_from_audio_buffer(newBuffer(1, 2, 3, 4), audio);
    equal([samples.get_dims(), numbersOf(samples)], [[2, 2], [1, 2, 3, 4]]);
});

test('26.5 meta', () => {
    const buffer = Gst.Buffer.new();
    const geometry = C2gGst.Geometry.new(640, 480, [2, 0, 10, 0, 4, 0]);
    ok(C2gGst.buffer_add_tensor(buffer, 'scores', newFloats(1, 2), geometry));
    ok(C2gGst.buffer_add_tensor(buffer, 'other', newFloats(3), null));
    equal(C2gGst.buffer_list_tensors(buffer), ['scores', 'other']);
    equal(numbersOf(C2gGst.buffer_get_tensor(buffer, 'scores')), [1, 2]);
    const found = C2gGst.buffer_get_geometry(buffer, 'scores');
    equal([found.get_width(), ...found.map_point(1, 1)], [640, 12, 4]);
    equal(C2gGst.buffer_get_geometry(buffer, 'other'), null);
    fails(C2g.Error.NOT_FOUND, () => C2gGst.buffer_get_tensor(buffer, 'none'));
    fails(C2g.Error.EXISTS, () => C2gGst.buffer_add_tensor(buffer, 'other', newFloats(3), null));
});

test('26.6 allocator', () => {
    const memory = C2gGst.Allocator.get_default().alloc(64, null);
    const [storage, offset] = C2gGst.memory_get_storage(memory);
    ok(storage.get_n_bytes() >= 64 && !storage.is_read_only());
    equal(offset, 0);
});

test('26.14 allocator over another', () => {
    const counting = C2g.TrackingAllocator.new(C2g.Allocator.get_default(C2g.Device.cpu()));
    const allocator = C2gGst.Allocator.new(C2g.LimitingAllocator.new(counting, 100));
    const memory = allocator.alloc(64, null);
    ok(counting.get_current_bytes() >= 64);
    equal(memory.copy(0, -1), null);
    ok(C2gGst.memory_get_storage(memory)[0].get_n_bytes() >= 64);
});

test('26.7 context', () => {
    const workspace = new C2g.Workspace();
    const context = C2gGst.context_new(workspace, true);
    equal(context.get_context_type(), C2gGst.CONTEXT_TYPE_WORKSPACE);
    equal(C2gGst.context_get_workspace(context), workspace);
    equal(C2gGst.context_get_workspace(Gst.Context.new('other', false)), null);
});

test('26.9 write', () => {
    const buffer = newBuffer(0, 0, 0, 0, 0, 0, 0, 0);
    const tensor = C2gGst.tensor_begin_write(buffer, FLOAT, [2]);
    tensor.set_value(1, 2.5);
    const mapping = tensor.map(C2g.MapFlags.READ);
    fails(C2g.Error.BUSY, () => C2gGst.tensor_end_write(tensor));
    mapping.unmap();
    const again = C2gGst.tensor_begin_write(buffer, FLOAT, [2]);
    equal(numbersOf(again), [0, 2.5]);
    ok(C2gGst.tensor_end_write(again));
});

test('26.11 appsink', () => {
    const pipeline = Gst.parse_launch('fakesrc num-buffers=1 sizetype=fixed sizemax=4 ! appsink name=sink');
    pipeline.set_state(Gst.State.PLAYING);
    const sample = pipeline.get_by_name('sink').emit('try-pull-sample', 10 * Gst.SECOND);
    pipeline.set_state(Gst.State.NULL);
    const buffer = sample.get_buffer();
    fails(C2g.Error.READ_ONLY, () => C2gGst.buffer_add_tensor(buffer, 'scores', newFloats(1), null));
    ok(C2gGst.buffer_add_tensor(buffer.copy_deep(), 'scores', newFloats(1), null));
});

// Returns elements of a pipeline that plays, the pipeline first.
function newPipeline(line, ...names) {
    const pipeline = Gst.parse_launch(line);
    pipeline.set_state(Gst.State.PLAYING);
    return [pipeline, ...names.map(name => pipeline.get_by_name(name))];
}

test('26.20 sink', () => {
    const [pipeline, sink] = newPipeline(
        'videotestsrc num-buffers=1 ! video/x-raw,width=4,height=2 ! videoconvert ' +
        '! c2gsink name=sink sync=false video-format=rgb', 'sink');
    const workspace = sink.emit('try-pull-tensors', 5 * Number(Gst.SECOND));
    equal(workspace.list_blobs(), ['frame']);
    const frame = workspace.get_tensor('frame');
    equal([frame.get_dims(), frame.is_sealed()], [[2, 4, 3], true]);
    equal(sink.emit('pull-tensors'), null);
    pipeline.set_state(Gst.State.NULL);
});

test('26.21 src', () => {
    const [pipeline, src, sink] = newPipeline('c2gsrc name=src ! c2gsink name=sink sync=false', 'src', 'sink');
    equal(src.emit('push-tensor', newFloats(1, 2)), Gst.FlowReturn.OK);
    const workspace = new C2g.Workspace();
    workspace.create_blob('a').set_object(newFloats(3));
    equal(src.emit('push-workspace', workspace), Gst.FlowReturn.OK);
    src.emit('end-of-stream');
    const first = sink.emit('pull-sample');
    equal(C2gGst.sample_list_tensors(first), ['tensor']);
    equal(numbersOf(C2gGst.sample_get_tensor(first, 'tensor')), [1, 2]);
    const second = sink.emit('pull-sample');
    fails(C2g.Error.NOT_FOUND, () => C2gGst.sample_get_tensor(second, 'tensor'));
    equal(C2gGst.sample_list_tensors(second), ['a']);
    pipeline.set_state(Gst.State.NULL);
    pipeline.set_state(Gst.State.PLAYING);
    equal(src.emit('push-tensor', null), Gst.FlowReturn.ERROR);
    pipeline.set_state(Gst.State.NULL);
});

// Signals of a streaming thread never reach JavaScript. This one is emitted in the main context.
test('26.22 new-tensors', () => {
    const [pipeline, src, sink] = newPipeline('c2gsrc name=src ! c2gsink name=sink sync=false', 'src', 'sink');
    const loop = new GLib.MainLoop(null, false);
    sink.connect('new-tensors', () => loop.quit());
    src.emit('push-tensor', newFloats(5));
    loop.run();
    equal(numbersOf(sink.emit('try-pull-tensors', 0).get_tensor('tensor')), [5]);
    pipeline.set_state(Gst.State.NULL);
});

test('26.23 workspace', () => {
    const workspace = new C2g.Workspace();
    const [pipeline, src, sink] = newPipeline(
        'c2gsrc name=src video-format=gray8 ! c2gsink name=sink sync=false', 'src', 'sink');
    pipeline.set_context(C2gGst.context_new(workspace, false));
    equal(sink.workspace, workspace);
    const bytes = new GLib.Bytes(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7]));
    src.emit('push-tensor', C2g.Tensor.new_from_bytes(C2g.DataType.UINT8, [2, 4], bytes));
    equal(sink.emit('pull-tensors'), workspace);
    equal(numbersOf(workspace.get_tensor('frame')), [0, 1, 2, 3, 4, 5, 6, 7]);
    pipeline.set_state(Gst.State.NULL);
});

test('26.24 convert', () => {
    const [pipeline, sink] = newPipeline(
        'videotestsrc pattern=white num-buffers=1 ! video/x-raw,format=RGB,width=8,height=4 ' +
        '! c2gconvert size=4x4 letterbox=true channels=GRAY scale=1/2 order=NHWC ! c2gsink name=sink sync=false', 'sink');
    const sample = sink.emit('pull-sample');
    const tensor = C2gGst.sample_get_tensor(sample, 'tensor');
    equal(tensor.get_dims(), [1, 4, 4, 1]);
    equal(numbersOf(tensor), [...Array(4).fill(57), ...Array(8).fill(127.5), ...Array(4).fill(57)]);
    equal(C2gGst.buffer_get_geometry(sample.get_buffer(), 'tensor').map_point(4, 3), [8, 4]);
    pipeline.set_state(Gst.State.NULL);
});

test('26.25 bytes', () => {
    const [pipeline, src, sink] = newPipeline(
        'c2gsrc name=src ! c2gpay ! c2gdepay ! c2gsink name=sink sync=false', 'src', 'sink');
    src.emit('push-tensor', newFloats(1, 9));
    equal(numbersOf(sink.emit('pull-tensors').get_tensor('tensor')), [1, 9]);
    pipeline.set_state(Gst.State.NULL);
});

test('26.26 decode', () => {
    const [pipeline, src] = newPipeline('c2gsrc name=src ! c2gdecode mode=ssd ! fakesink', 'src');
    const rows = newFloats(0, 3, 0.5, 0.25, 0.5, 0.75, 1);
    rows.reshape([1, 1, 1, 7]);
    src.emit('push-tensor', rows);
    const message = pipeline.get_bus().timed_pop_filtered(5 * Number(Gst.SECOND), Gst.MessageType.ELEMENT);
    const found = message.get_structure();
    equal(found.get_name(), 'c2g-detection');
    equal(found.get_uint('index'), [true, 3]);
    equal(['score', 'x', 'y', 'width', 'height'].map(name => found.get_double(name)[1]), [0.5, 0.25, 0.5, 0.5, 0.5]);
    pipeline.set_state(Gst.State.NULL);
});

test('26.27 streams', () => {
    const [pipeline, a, b, sink] = newPipeline(
        'c2gsrc name=a ! mux.sink_0  c2gsrc name=b ! mux.sink_1  c2gtensormux name=mux sink_1::prefix=second/ ' +
        '! c2gtensorbatch size=2 stack=true ! c2gtensordemux rows=true tensors=tensor+second/tensor ' +
        '! c2gsink name=sink sync=false', 'a', 'b', 'sink');
    for (let n = 0; n < 3; n++) {
        a.emit('push-tensor', newFloats(n));
        b.emit('push-tensor', newFloats(n, 9));
    }
    for (const source of [a, b])
        source.emit('end-of-stream');
    for (let n = 0; n < 3; n++) {
        const workspace = sink.emit('pull-tensors');
        equal(numbersOf(workspace.get_tensor('tensor')), [n]);
        equal(numbersOf(workspace.get_tensor('second/tensor')), [n, 9]);
    }
    equal(sink.emit('pull-tensors'), null);
    pipeline.set_state(Gst.State.NULL);
});

test('26.30 nnstreamer', () => {
    for (const format of ['static', 'flexible']) {
        const [pipeline, src, sink] = newPipeline(
            `c2gsrc name=src ! c2gbridge ! other/tensors,format=${format} ! c2gbridge names=x ! c2gsink name=sink sync=false`,
            'src', 'sink');
        src.emit('push-tensor', newFloats(1, 9));
        equal(numbersOf(sink.emit('pull-tensors').get_tensor('x')), [1, 9]);
        pipeline.set_state(Gst.State.NULL);
    }
});

test('26.28 overlay', () => {
    if (Gst.ElementFactory.find('c2goverlay') === null)
        return;
    const [pipeline, src, sink] = newPipeline(
        'appsrc name=src caps=video/x-raw,format=GRAY8,width=8,height=8,framerate=1/1 ! c2goverlay line-width=1 ' +
        '! c2gsink name=sink sync=false', 'src', 'sink');
    const buffer = newBuffer(...Array(64).fill(0));
    GstVideo.buffer_add_video_region_of_interest_meta(buffer, 'c2g-detection', 2, 2, 4, 3);
    src.emit('push-buffer', buffer);
    const pixels = numbersOf(sink.emit('pull-tensors').get_tensor('frame'));
    equal([...pixels.keys()].filter(i => pixels[i] !== 0), [18, 19, 20, 21, 26, 29, 34, 35, 36, 37]);
    pipeline.set_state(Gst.State.NULL);
});

test('26.29 files', () => {
    const folder = GLib.dir_make_tmp('c2g-XXXXXX');
    const path = `${folder}/stream.safetensors`;
    let [pipeline, src] = newPipeline(`c2gsrc name=src ! c2gstore location=${path}`, 'src');
    src.emit('push-tensor', newFloats(1, 9));
    src.emit('push-tensor', newFloats(2, 9));
    src.emit('end-of-stream');
    pipeline.get_bus().timed_pop_filtered(600 * Number(Gst.SECOND), Gst.MessageType.EOS);
    pipeline.set_state(Gst.State.NULL);

    let sink;
    [pipeline, sink] = newPipeline(`c2gload location=${path} ! c2gsink name=sink sync=false`, 'sink');
    equal(numbersOf(sink.emit('pull-tensors').get_tensor('tensor')), [1, 9]);
    equal(numbersOf(sink.emit('pull-tensors').get_tensor('tensor')), [2, 9]);
    equal(sink.emit('pull-tensors'), null);
    pipeline.set_state(Gst.State.NULL);
    GLib.unlink(path);
    GLib.rmdir(folder);
});

run();
