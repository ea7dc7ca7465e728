// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Tensors in buffers of GStreamer.

const C2g.DataType FLOAT = C2g.DataType.FLOAT;
const C2g.DataType UINT8 = C2g.DataType.UINT8;

Gst.Buffer new_buffer (uint8[] bytes) {
  return new Gst.Buffer.wrapped (bytes);
}

void tensor_from_buffer () throws Error {
  var buffer = new_buffer ({ 0, 1, 2, 3, 4, 5 });
  var tensor = C2gGst.tensor_new_from_buffer (buffer, UINT8, { 2, 3 });
  var other = C2gGst.tensor_new_from_memory (buffer.peek_memory (0), UINT8, { 6 });
  assert_true (tensor.get_address () == other.get_address () && tensor.is_sealed ());
  fails (new C2g.Error.RANGE (""), () => { C2gGst.tensor_new_from_buffer (buffer, UINT8, { 7 }); });
  buffer = null;
  assert_true (tensor.get_value (5) == 5);
  tensor.set_value (0, 9);
  assert_true (tensor.get_value (0) == 9 && other.get_value (0) == 0);
}

void buffer_from_tensor () throws Error {
  var tensor = new_floats ({ 1, 2, 3 });
  var address = tensor.get_address ();
  var buffer = C2gGst.buffer_new_from_tensor (tensor);
  assert_true (tensor.is_sealed () && buffer.get_size () == 12);
  tensor.set_value (0, 9);
  var back = C2gGst.tensor_new_from_buffer (buffer, FLOAT, { 3 });
  assert_true (back.get_address () == address && back.get_value (0) == 1);
}

void foreign () throws Error {
  var owner = new_floats ({ 1, 2 });
  var tensor = new C2g.Tensor.from_dlpack (owner.to_dlpack (0, null, 0), 0, null);
  var buffer = C2gGst.buffer_new_from_tensor (tensor);
  owner.set_value (0, 3);
  assert_true (C2gGst.tensor_new_from_buffer (buffer, FLOAT, { 2 }).get_value (0) == 1);
}

void busy () throws Error {
  var tensor = new_floats ({ 1, 2 });
  var sharer = new_floats ({ 3, 4 });
  sharer.share_data (tensor);
  fails (new C2g.Error.BUSY (""), () => { C2gGst.buffer_new_from_tensor (tensor); });
  sharer.free_memory ();
  assert_true (C2gGst.buffer_new_from_tensor (tensor).get_size () == 8);
}

void media () throws Error {
  var video = new Gst.Video.Info ();
  video.set_format (Gst.Video.Format.GRAY8, 4, 2);
  var frame = C2gGst.tensor_new_from_video_frame (new_buffer ({ 0, 1, 2, 3, 4, 5, 6, 7 }), video);
  assert_true (frame.get_dims ().length == 2 && frame.get_value (7) == 7);
  video.set_format (Gst.Video.Format.I420, 4, 2);
  var planes = new_buffer (new uint8[12]);
  fails (new C2g.Error.NOT_SUPPORTED (""), () => { C2gGst.tensor_new_from_video_frame (planes, video); });
  var audio = new Gst.Audio.Info ();
  assert_true (audio.from_caps (Gst.Caps.from_string (
    "audio/x-raw, format=U8, rate=8000, channels=2, layout=interleaved, channel-mask=(bitmask)3")));
  var samples = C2gGst.tensor_new_from_audio_buffer (new_buffer ({ 1, 2, 3, 4 }), audio);
  assert_true (samples.get_dims ()[1] == 2 && samples.get_value (3) == 4);
}

void meta () throws Error {
  var buffer = new Gst.Buffer ();
  double matrix[] = { 2, 0, 10, 0, 4, 0 };
  var geometry = new C2gGst.Geometry (640, 480, matrix);
  assert_true (C2gGst.buffer_add_tensor (buffer, "scores", new_floats ({ 1, 2 }), geometry));
  assert_true (C2gGst.buffer_add_tensor (buffer, "other", new_floats ({ 3 }), null));
  assert_cmpstr (string.joinv (" ", C2gGst.buffer_list_tensors (buffer)), CompareOperator.EQ, "scores other");
  assert_true (C2gGst.buffer_get_tensor (buffer, "scores").get_value (1) == 2);
  double x, y;
  C2gGst.buffer_get_geometry (buffer, "scores").map_point (1, 1, out x, out y);
  assert_true (x == 12 && y == 4 && C2gGst.buffer_get_geometry (buffer, "other") == null);
  fails (new C2g.Error.NOT_FOUND (""), () => { C2gGst.buffer_get_tensor (buffer, "none"); });
  fails (new C2g.Error.EXISTS (""), () => {
    C2gGst.buffer_add_tensor (buffer, "other", new_floats ({ 3 }), null);
  });
}

void allocator () throws Error {
  var memory = C2gGst.Allocator.get_default ().alloc (64, null);
  size_t offset;
  unowned var storage = C2gGst.memory_get_storage (memory, out offset);
  assert_true (storage.get_n_bytes () >= 64 && offset == 0);
}

void allocator_over () throws Error {
  var counting = new C2g.TrackingAllocator (C2g.Allocator.get_default (C2g.Device.cpu ()));
  var allocator = new C2gGst.Allocator (new C2g.LimitingAllocator (counting, 100));
  var memory = allocator.alloc (64, null);
  assert_true (((C2g.TrackingAllocator) counting).get_current_bytes () >= 64);
  assert_null (memory.copy (0, -1));
  assert_true (C2gGst.memory_get_storage (memory, null).get_n_bytes () >= 64);
}

void context () throws Error {
  var workspace = new C2g.Workspace ();
  var context = C2gGst.context_new (workspace, true);
  assert_cmpstr (context.get_context_type (), CompareOperator.EQ, C2gGst.CONTEXT_TYPE_WORKSPACE);
  assert_true (C2gGst.context_get_workspace (context) == workspace);
  assert_null (C2gGst.context_get_workspace (new Gst.Context ("other", false)));
}

void writing () throws Error {
  var buffer = new_buffer (new uint8[8]);
  var tensor = C2gGst.tensor_begin_write (buffer, FLOAT, { 2 });
  fails (new C2g.Error.READ_ONLY (""), () => { C2gGst.tensor_begin_write (buffer, FLOAT, { 2 }); });
  tensor.set_value (1, 2.5);
  var mapping = tensor.map (C2g.MapFlags.READ);
  fails (new C2g.Error.BUSY (""), () => { C2gGst.tensor_end_write (tensor); });
  mapping.unmap ();
  var again = C2gGst.tensor_begin_write (buffer, FLOAT, { 2 });
  assert_true (again.get_value (1) == 2.5 && C2gGst.tensor_end_write (again));
}

// An element that doubles the floats of each buffer in place.
class Doubler : Gst.Base.Transform {
  static construct {
    set_static_metadata ("Doubler", "Filter", "Doubles numbers", "c2g");
    add_pad_template (new Gst.PadTemplate ("sink", Gst.PadDirection.SINK, Gst.PadPresence.ALWAYS, new Gst.Caps.any ()));
    add_pad_template (new Gst.PadTemplate ("src", Gst.PadDirection.SRC, Gst.PadPresence.ALWAYS, new Gst.Caps.any ()));
  }

  public override Gst.FlowReturn transform_ip (Gst.Buffer buffer) {
    try {
      var numbers = C2gGst.tensor_begin_write (buffer, FLOAT, { (int64) (buffer.get_size () / 4) });
      numbers.scale (2);
      C2gGst.tensor_end_write (numbers);
    } catch (Error error) {
      return Gst.FlowReturn.ERROR;
    }
    return Gst.FlowReturn.OK;
  }
}

double first_of (Gst.Element sink) throws Error {
  Gst.Sample sample;
  Signal.emit_by_name (sink, "try-pull-sample", 10 * Gst.SECOND, out sample);
  return C2gGst.tensor_new_from_buffer (sample.get_buffer (), FLOAT, { 2 }).get_value (0);
}

// The element changes a buffer in place: both branches of the tee are compared.
void element () throws Error {
  var pipeline = Gst.parse_launch ("appsrc name=source ! tee name=tee ! queue ! appsink name=left tee. ! queue name=queue") as Gst.Pipeline;
  var doubler = new Doubler ();
  var right = Gst.ElementFactory.make ("appsink", "right");
  var left = pipeline.get_by_name ("left");
  var source = pipeline.get_by_name ("source");
  pipeline.add_many (doubler, right);
  assert_true (pipeline.get_by_name ("queue").link_many (doubler, right));
  pipeline.set_state (Gst.State.PLAYING);
  var buffer = C2gGst.buffer_new_from_tensor (new_floats ({ 1, 2 }));
  Gst.FlowReturn flow;
  Signal.emit_by_name (source, "push-buffer", buffer, out flow);
  assert_true (first_of (left) == 1 && first_of (right) == 2);
  pipeline.set_state (Gst.State.NULL);
}

// A pipeline that plays until this object is freed.
class Player {
  public Gst.Bin pipeline;

  public Player (string line) throws Error {
    pipeline = (Gst.Bin) Gst.parse_launch (line);
    pipeline.set_state (Gst.State.PLAYING);
  }

  ~Player () {
    pipeline.set_state (Gst.State.NULL);
  }

  public Gst.Element get (string name) {
    return pipeline.get_by_name (name);
  }

  public C2g.Workspace? pull () {
    C2g.Workspace? workspace = null;
    var sink = get ("sink");
    Signal.emit_by_name (sink, "try-pull-tensors", 5 * Gst.SECOND, out workspace);
    return workspace;
  }

  public void push (C2g.Tensor tensor) {
    Gst.FlowReturn flow;
    var src = get ("src");
    Signal.emit_by_name (src, "push-tensor", tensor, out flow);
    assert_true (flow == OK);
  }
}

void sink () throws Error {
  var player = new Player ("videotestsrc num-buffers=1 ! video/x-raw,width=4,height=2 ! videoconvert " +
                           "! c2gsink name=sink sync=false video-format=rgb");
  var workspace = player.pull ();
  var frame = workspace.get_tensor ("frame");
  assert_true (frame.get_n_elements () == 24 && frame.is_sealed ());
  assert_null (player.pull ());
}

void src () throws Error {
  var player = new Player ("c2gsrc name=src ! c2gsink name=sink sync=false");
  var workspace = new C2g.Workspace ();
  var from = player["src"];
  var to = player["sink"];
  Gst.FlowReturn flow;
  Gst.Sample sample;

  player.push (new_floats ({ 1, 2 }));
  workspace.create_blob ("a").set_object (new_floats ({ 3 }));
  Signal.emit_by_name (from, "push-workspace", workspace, out flow);
  assert_true (flow == OK);
  Signal.emit_by_name (to, "pull-sample", out sample);
  assert_cmpstr (string.joinv (" ", C2gGst.sample_list_tensors (sample)), CompareOperator.EQ, "tensor");
  assert_cmpstr (numbers_of (C2gGst.sample_get_tensor (sample, "tensor")), CompareOperator.EQ, "1 2");
  fails (new C2g.Error.NOT_FOUND (""), () => { C2gGst.sample_get_tensor (sample, "a"); });
  assert_cmpstr (numbers_of (player.pull ().get_tensor ("a")), CompareOperator.EQ, "3");
  Signal.emit_by_name (from, "push-tensor", null, out flow);
  assert_true (flow == ERROR);
}

void new_tensors () throws Error {
  var player = new Player ("c2gsrc name=src ! c2gsink name=sink sync=false");
  var loop = new MainLoop ();
  var element = player["sink"];

  Signal.connect_swapped (element, "new-tensors", (Callback) MainLoop.quit, loop);
  player.push (new_floats ({ 5 }));
  loop.run ();
  assert_cmpstr (numbers_of (player.pull ().get_tensor ("tensor")), CompareOperator.EQ, "5");
}

void workspace () throws Error {
  var player = new Player ("c2gsrc name=src video-format=gray8 ! c2gsink name=sink sync=false");
  var workspace = new C2g.Workspace ();
  uint8[] pixels = { 0, 1, 2, 3, 4, 5, 6, 7 };

  var element = player["sink"];
  element.set ("workspace", workspace);
  player.push (new C2g.Tensor.from_bytes (UINT8, { 2, 4 }, new Bytes (pixels)));
  assert_true (player.pull () == workspace);
  assert_cmpstr (numbers_of (workspace.get_tensor ("frame")), CompareOperator.EQ, "0 1 2 3 4 5 6 7");
}

void convert () throws Error {
  var player = new Player ("videotestsrc pattern=white num-buffers=1 ! video/x-raw,format=RGB,width=8,height=4 " +
                           "! c2gconvert size=4x2 channels=GRAY scale=1/2 type=float16 ! c2gsink name=sink sync=false");
  var element = player["sink"];
  Gst.Sample sample;
  double x, y;

  Signal.emit_by_name (element, "pull-sample", out sample);
  var tensor = C2gGst.sample_get_tensor (sample, "tensor");
  assert_true (tensor.get_data_type () == FLOAT16);
  assert_cmpstr (numbers_of (tensor), CompareOperator.EQ, "127.5 127.5 127.5 127.5 127.5 127.5 127.5 127.5");
  C2gGst.buffer_get_geometry (sample.get_buffer (), "tensor").map_point (4, 1, out x, out y);
  assert_true (x == 8 && y == 2);
}

void as_bytes () throws Error {
  var player = new Player ("c2gsrc name=src ! c2gpay ! c2gdepay ! c2gsink name=sink sync=false");

  player.push (new_floats ({ 1, 9 }));
  assert_cmpstr (numbers_of (player.pull ().get_tensor ("tensor")), CompareOperator.EQ, "1 9");
}

void decode () throws Error {
  var player = new Player ("c2gsrc name=src ! c2gdecode mode=ssd ! fakesink");
  var rows = new_floats ({ 0, 3, 0.5f, 0.25f, 0.5f, 0.75f, 1 });

  rows.reshape ({ 1, 1, 1, 7 });
  player.push (rows);
  var message = player.pipeline.get_bus ().timed_pop_filtered (5 * Gst.SECOND, ELEMENT);
  unowned var found = message.get_structure ();
  uint index = 0;
  assert_true (found.has_name ("c2g-detection"));
  assert_true (found.get_uint ("index", out index) && index == 3);
  double[] expected = { 0.5, 0.25, 0.5, 0.5, 0.5 };
  string[] names = { "score", "x", "y", "width", "height" };
  for (int i = 0; i < names.length; i++) {
    double value = 0;
    assert_true (found.get_double (names[i], out value) && value == expected[i]);
  }
}

void streams () throws Error {
  var player = new Player ("c2gsrc name=src ! tee name=tee ! queue ! mux.sink_0  tee. ! queue ! mux.sink_1 " +
                           "c2gtensormux name=mux sink_1::prefix=second/ ! c2gtensorbatch size=2 ! tee name=batches " +
                           "! queue ! c2gtensordemux rows=true tensors=second/tensor ! fakesink " +
                           "batches. ! queue ! c2gsink name=sink sync=false");

  player.push (new_floats ({ 1, 9 }));
  player.push (new_floats ({ 2 }));
  var batch = player.pull ();
  assert_cmpstr (numbers_of (batch.get_tensor ("tensor")), CompareOperator.EQ, "1 9 2");
  assert_cmpstr (numbers_of (batch.get_tensor ("second/tensor")), CompareOperator.EQ, "1 9 2");
}

void nnstreamer () throws Error {
  string[] formats = { "static", "flexible" };

  foreach (var format in formats) {
    var player = new Player ("c2gsrc name=src ! c2gbridge ! other/tensors,format=" + format +
                             " ! c2gbridge names=x ! c2gsink name=sink sync=false");

    player.push (new_floats ({ 1, 9 }));
    assert_cmpstr (numbers_of (player.pull ().get_tensor ("x")), CompareOperator.EQ, "1 9");
  }
}

void overlay () throws Error {
  if (Gst.ElementFactory.find ("c2goverlay") == null) {
    return;
  }
  var player = new Player ("appsrc name=src caps=video/x-raw,format=GRAY8,width=8,height=8,framerate=1/1 " +
                           "! c2goverlay line-width=1 ! c2gsink name=sink sync=false");
  var buffer = new_buffer (new uint8[64]);
  Gst.FlowReturn result;

  Gst.Video.buffer_add_video_region_of_interest_meta (buffer, "c2g-detection", 2, 2, 4, 3);
  Signal.emit_by_name (player["src"], "push-buffer", buffer, out result);
  var frame = player.pull ().get_tensor ("frame");
  int n = 0;
  for (int i = 0; i < 64; i++) {
    n += frame.get_value (i) != 0 ? 1 : 0;
  }
  assert_true (n == 10 && frame.get_value (18) != 0 && frame.get_value (27) == 0);
}

void in_files () throws Error {
  var folder = DirUtils.make_tmp ("c2g-XXXXXX");
  var path = Path.build_filename (folder, "stream.minidb");
  var writer = new Player (@"c2gsrc name=src ! c2gstore location=$path");
  Gst.FlowReturn result;

  writer.push (new_floats ({ 1, 9 }));
  Signal.emit_by_name (writer["src"], "end-of-stream", out result);
  writer.pipeline.get_bus ().timed_pop_filtered (Gst.CLOCK_TIME_NONE, EOS);
  writer = null;

  var reader = new Player (@"c2gload location=$path ! c2gsink name=sink sync=false");
  assert_cmpstr (numbers_of (reader.pull ().get_tensor ("tensor")), CompareOperator.EQ, "1 9");
  FileUtils.remove (path);
  DirUtils.remove (folder);
}

int main (string[] args) {
  Gst.init (ref args);
  Test.init (ref args);

  add ("26.1 tensor from buffer", tensor_from_buffer);
  add ("26.2 buffer from tensor", buffer_from_tensor);
  add ("26.3 busy", busy);
  add ("26.13 foreign", foreign);
  add ("26.4 media", media);
  add ("26.5 meta", meta);
  add ("26.6 allocator", allocator);
  add ("26.14 allocator over another", allocator_over);
  add ("26.7 context", context);
  add ("26.9 write", writing);
  add ("26.10 element", element);
  add ("26.20 sink", sink);
  add ("26.21 src", src);
  add ("26.22 new-tensors", new_tensors);
  add ("26.23 workspace", workspace);
  add ("26.24 convert", convert);
  add ("26.25 bytes", as_bytes);
  add ("26.26 decode", decode);
  add ("26.27 streams", streams);
  add ("26.30 nnstreamer", nnstreamer);
  add ("26.28 overlay", overlay);
  add ("26.29 files", in_files);
  return Test.run ();
}
