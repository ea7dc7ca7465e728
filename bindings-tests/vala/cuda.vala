// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Streams, events, contexts and allocators of GPUs, or of the fake runtime.

const uint64 MIB = 1 << 20;
const C2g.EventStatus DONE = C2g.EventStatus.SUCCESS;

C2g.Device device;
C2g.Device absent;
string program;

C2g.Tensor new_far (float[] numbers, C2g.Context? context = null) throws Error {
  var far = new C2g.Tensor.for_device (device);
  far.copy_from (new_floats (numbers), context);
  return far;
}

string near (C2g.Tensor far) throws Error {
  return numbers_of (far.to_device (cpu ()));
}

C2gCuda.CachingAllocator new_caching () throws Error {
  return (C2gCuda.CachingAllocator) new C2gCuda.CachingAllocator (device);
}

C2gCuda.AsyncAllocator new_async () throws Error {
  return (C2gCuda.AsyncAllocator) new C2gCuda.AsyncAllocator (device);
}

C2g.Allocator[] new_allocators () throws Error {
  return { new_async (), new_caching () };
}

void add_types () {
  add ("23.1 constructors", () => {
    var stream = new C2gCuda.Stream (device);
    var event = new C2gCuda.Event (device);
    var storage = new_caching ().allocate (8, null);
    var tensor = new C2g.Tensor.from_storage (C2g.DataType.FLOAT, { 2 }, storage, 0);
    assert_true (new C2gCuda.AsyncAllocator (device) is C2gCuda.AsyncAllocator);
    assert_true (new C2gCuda.AsyncAllocator.with_limit (device, MIB) is C2gCuda.AsyncAllocator);
    assert_true (new C2gCuda.CachingAllocator (device) is C2gCuda.CachingAllocator);
    assert_true (new C2gCuda.Context (device) is C2gCuda.Context);
    assert_true (new C2gCuda.Context.for_stream (stream) is C2gCuda.Context);
    assert_true (new C2gCuda.Event.with_timing (device) is C2gCuda.Event);
    assert_true (new C2gCuda.Event.from_handle (device, event.get_handle ()).is_foreign ());
    assert_true (new C2gCuda.IpcExport (storage, null) is C2gCuda.IpcExport);
    assert_true (new C2gCuda.IpcExport.for_tensor (tensor, null) is C2gCuda.IpcExport);
    assert_true (new C2gCuda.PinnedAllocator () is C2gCuda.PinnedAllocator);
    assert_true (!new C2gCuda.Stream.with_priority (device, -1).is_foreign ());
    assert_true (new C2gCuda.Stream.from_handle (device, stream.get_handle ()).is_foreign ());
  });

  add ("23.2 absent devices", () => {
    assert_true ("cuda:15" in fails (new C2g.Error.DEVICE (""), () => { new C2gCuda.Stream (absent); }));
    assert_true ("cuda:15" in fails (new C2g.Error.DEVICE (""), () => { new C2gCuda.Event (absent); }));
    assert_true ("cuda:15" in fails (new C2g.Error.DEVICE (""), () => { new C2gCuda.Context (absent); }));
    assert_true ("cuda:15" in fails (new C2g.Error.DEVICE (""), () => { new C2gCuda.AsyncAllocator (absent); }));
    assert_true ("cuda:15" in fails (new C2g.Error.DEVICE (""), () => { new C2gCuda.CachingAllocator (absent); }));
    assert_true ("cuda:15" in fails (new C2g.Error.DEVICE (""), () => { C2g.Context.for_device (absent); }));
    assert_true ("cuda:15" in fails (new C2g.Error.DEVICE (""), () => { new_floats ({ 1 }).to_device (absent); }));
    assert_true ("cpu" in fails (new C2g.Error.DEVICE (""), () => { new C2gCuda.Stream (cpu ()); }));
    assert_true ("cpu" in fails (new C2g.Error.DEVICE (""), () => { new C2gCuda.CachingAllocator (cpu ()); }));
    fails (new C2g.Error.DEVICE (""), () => { new C2gCuda.Stream.from_handle (cpu (), 0); });
  });

  add ("23.3 bare constructors", () => {
    foreach (var kind in new Type[] { typeof (C2gCuda.AsyncAllocator), typeof (C2gCuda.CachingAllocator) }) {
      var allocator = (C2g.Allocator) Object.new (kind);
      assert_true ("_new" in fails (new C2g.Error.NOT_SUPPORTED (""), () => { allocator.allocate (1, null); }));
      assert_true (allocator.trim (0) == 0);
    }
  });
}

void add_order () {
  add ("23.4 streams", () => {
    var stream = new C2gCuda.Stream (device);
    var other = new C2gCuda.Stream.with_priority (device, 100);
    assert_true (stream.get_device () == device && stream.device == device && !stream.is_foreign ());
    assert_true (stream.get_handle () != other.handle);
    var same = new C2gCuda.Stream.from_handle (device, stream.get_handle ());
    assert_true (same.get_handle () == stream.get_handle ());
    var message = fails (new C2g.Error.NOT_SUPPORTED (""), () => { new C2gCuda.Stream.from_handle (device, 2); });
    assert_true ("cudaStreamPerThread" in message);
    assert_true (stream.query () == DONE);
    var far = new_far ({ 1, 2 }, new C2gCuda.Context.for_stream (stream));
    assert_true (other.wait (stream) && other.finish ());
    assert_true (stream.query () == DONE && other.query () == DONE);
    assert_cmpstr (near (far), CompareOperator.EQ, "1 2");
  });

  add ("23.5 events", () => {
    var stream = new C2gCuda.Stream (device);
    var other = new C2gCuda.Stream (device);
    var start = new C2gCuda.Event.with_timing (device);
    var end = new C2gCuda.Event.with_timing (device);
    double milliseconds = -1;
    assert_true (start.get_device () == device && !start.is_foreign () && start.query () == DONE);
    fails (new C2g.Error.DEVICE (""), () => { end.get_elapsed (start, out milliseconds); });
    start.record (stream);
    var far = new_far ({ 1, 2 }, new C2gCuda.Context.for_stream (stream));
    end.record (stream);
    assert_true (end.wait (other) && end.finish ());
    assert_true (end.query () == DONE && start.query () == DONE);
    assert_true (end.get_elapsed (start, out milliseconds) && milliseconds >= 0);
    assert_true (new C2gCuda.Event.from_handle (device, end.handle).query () == DONE);
    var plain = new C2gCuda.Event (device);
    plain.record (stream);
    plain.finish ();
    fails (new C2g.Error.DEVICE (""), () => { plain.get_elapsed (start, out milliseconds); });
    assert_cmpstr (near (far), CompareOperator.EQ, "1 2");
  });

  add ("23.6 contexts", () => {
    var stream = new C2gCuda.Stream (device);
    var context = (C2gCuda.Context) new C2gCuda.Context.for_stream (stream);
    var other = (C2gCuda.Context) new C2gCuda.Context (device);
    assert_true (context.get_stream () == stream && context.stream == stream && other.stream != stream);
    assert_true (other.get_device () == device && C2g.Context.for_device (device) is C2gCuda.Context);
    other.set_tf32_products (true);
    other.tf32_convolutions = false;
    assert_true (other.tf32_products && !other.get_tf32_convolutions ());

    var far = new_far ({ 1, 2, 3 }, context);
    var event = new C2g.Event (device);
    context.record (event);
    assert_true (other.wait (event));
    var copy = far.clone (other);
    other.fill (far, 7);
    assert_true (other.finish () && event.is_finished ());
    assert_cmpstr (near (copy) + ", " + near (far), CompareOperator.EQ, "1 2 3, 7 7 7");
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => { context.record (new C2g.Event (cpu ())); });
  });

  add ("23.7 random numbers", () => {
    string[] drawn = {};
    var context = new C2gCuda.Context (device);
    for (int i = 0; i < 2; i++) {
      var far = new_far (new float[1000], context);
      context.seed (42);
      context.fill_uniform (far, -1, 1);
      context.finish ();
      drawn += near (far);
    }
    assert_cmpstr (drawn[0], CompareOperator.EQ, drawn[1]);
    foreach (var number in drawn[0].split (" "))
      assert_true (double.parse (number) >= -1 && double.parse (number) < 1);
    var normal = new_far (new float[1000], context);
    double sum = 0;
    context.fill_normal (normal, 5, 0.5);
    context.finish ();
    foreach (var number in near (normal).split (" "))
      sum += double.parse (number);
    assert_true (sum > 4800 && sum < 5200);
  });
}

void add_tensors () {
  add ("23.8 there and back", () => {
    var tensor = new_floats ({ 1, 2, 3, 4 });
    tensor.reshape ({ 2, 2 });
    var far = tensor.to_device (device);
    assert_true (far.device == device && far.get_address () != tensor.get_address ());
    assert_true (far.to_device (cpu ()).get_n_dims () == 2);
    assert_cmpstr (near (far) + ", " + near (far.slice (1, 2)), CompareOperator.EQ, "1 2 3 4, 3 4");
    far.extend (1, 50, null);
    assert_true (far.get_n_elements () == 6 && near (far).has_prefix ("1 2 3 4"));
    var strings = new C2g.Tensor.sized ({ 1 }, device);
    fails (new C2g.Error.NOT_SUPPORTED (""), () => { strings.allocate (C2g.DataType.STRING); });
  });

  add ("23.9 what the processor does not reach", () => {
    var far = new_far ({ 1 });
    assert_true ("cuda:0" in fails (new C2g.Error.DEVICE (""), () => { far.get_value (0); }));
    assert_true ("cuda:0" in fails (new C2g.Error.DEVICE (""), () => { far.map (C2g.MapFlags.READ); }));
  });

  add ("23.10 blobs", () => {
    var reporter = C2g.MemoryReporter.get_default ();
    var workspace = new C2g.Workspace ();
    workspace.create_blob ("far").set_object (new_far ({ 1, 2 }));
    var block = reporter.list_blocks (device)[0];
    assert_cmpstr (block.get_name (), CompareOperator.EQ, "far");
    assert_true (block.get_device () == device && block.get_n_bytes () == 8);
    assert_true (reporter.get_current_bytes (device) == 8);

    var path = Path.build_filename (DirUtils.make_tmp ("c2g-cuda-XXXXXX"), "far.minidb");
    var file = File.new_for_path (path);
    workspace.save_checkpoint (file, null, null);
    foreach (var keep_device in new bool[] { false, true }) {
      var loaded = new C2g.Workspace ();
      var options = new C2g.LoadOptions ();
      options.keep_device = keep_device;
      loaded.load_checkpoint (file, options, null);
      var tensor = loaded.get_blob ("far").get_tensor ();
      assert_true (tensor.device == (keep_device ? device : cpu ()));
      assert_cmpstr (near (tensor), CompareOperator.EQ, "1 2");
    }
    file.delete ();
    DirUtils.remove (Path.get_dirname (path));
  });

  add ("23.11 nets", () => {
    var workspace = new C2g.Workspace ();
    workspace.create_blob ("x").set_object (new_floats ({ -1, 0, 2 }));
    foreach (unowned string kind in new string[] { "simple", "dag" }) {
      var net = workspace.create_net (new C2g.NetDef.from_text (
        @"name: 'net' type: '$kind' device_option { device_type: 1 }"
        + "op { type: 'CopyCPUToGPU' input: 'x' output: 'far' }"
        + "op { type: 'Relu' input: 'far' output: 'far' }"
        + "op { type: 'Add' input: 'far' input: 'far' output: 'sum' }"
        + "op { type: 'CopyGPUToCPU' input: 'sum' output: 'near' }"), true);
      net.run (null);
      assert_cmpstr (numbers_of (workspace.get_blob ("near").get_tensor ()), CompareOperator.EQ, "0 0 4");
      assert_true (workspace.get_blob ("sum").get_tensor ().device == device);
    }
    var absent_net = new C2g.NetDef.from_text (
      "op { type: 'Relu' input: 'x' output: 'y' device_option { device_type: 1 cuda_gpu_id: 15 } }");
    var message = fails (new C2g.Error.DEVICE (""), () => { workspace.run_net_once (absent_net, null); });
    assert_true ("cuda:15" in message);
  });

  add ("23.25 graphs", () => {
    var workspace = new C2g.Workspace ();
    var stats = C2g.StatRegistry.get_default ();
    workspace.create_blob ("x").set_object (new_far ({ -1, 0, 2 }));
    var net = workspace.create_net (new C2g.NetDef.from_text (
      "device_option { device_type: 1 } op { type: 'Relu' input: 'x' output: 'y' }"), false);
    assert_true (!net.device_graph);
    net.device_graph = true;
    var before = stats.get_value ("net/graph_runs");
    for (var i = 0; i < 4; i++) {
      workspace.get_blob ("x").get_tensor ().copy_from (new_floats ({ -1, i, 2 }));
      net.run (null);
      assert_cmpstr (near (workspace.get_blob ("y").get_tensor ()), CompareOperator.EQ, @"0 $i 2");
    }
    assert_true (net.get_device_graph () && stats.get_value ("net/graph_runs") - before == 2);
    net.set_device_graph (false);
    assert_true (!net.device_graph);
  });

  add ("23.29 half", () => {
    var init = new C2g.NetDef.from_text (
      "op { type: 'GivenTensorFill' output: 'w' arg { name: 'shape' ints: 1 ints: 3 }" +
      "     arg { name: 'values' floats: 1 floats: 2 floats: 1 } }" +
      "op { type: 'ConstantFill' output: 'b' arg { name: 'shape' ints: 1 } arg { name: 'value' f: 2049 } }");
    var predict = new C2g.NetDef.from_text (
      "external_input: 'x' external_input: 'w' external_input: 'b' op { type: 'FC' input: 'x' input: 'w' input: 'b' output: 'y' }");
    var x = new_floats ({ 1, 2, 3 });
    x.reshape ({ 1, 3 });
    C2g.OptimizeFlags[] flags = { C2g.OptimizeFlags.ALL, C2g.OptimizeFlags.HALF };
    string[] expected = { "2057", "2056" };
    var saved = new Bytes[2];
    // There is no 2049 in float16.
    for (var i = 0; i < 2; i++) {
      FileIOStream stream;
      var predictor = new C2g.Predictor.create (init, predict, null, device, flags[i]);
      var y = predictor.run ({ x })[0];
      var file = File.new_tmp ("c2g-XXXXXX", out stream);
      assert_cmpstr (near (y), CompareOperator.EQ, expected[i]);
      assert_true (y.get_data_type () == C2g.DataType.FLOAT);
      assert_true (predictor.get_net ().get_n_operators () == (i == 0 ? 1 : 3));
      assert_true (predictor.save (file));
      saved[i] = file.load_bytes (null, null);
      file.delete ();
      assert_true (predictor.optimize (C2g.OptimizeFlags.NONE));
      assert_true (predictor.get_net ().get_n_operators () == 1);
    }
    assert_true (saved[0].compare (saved[1]) == 0);
  });
}

void add_allocators () {
  add ("23.12 stream-ordered allocator", () => {
    var allocator = new_async ();
    var context = new C2gCuda.Context (device);
    var heard = 0;
    assert_true (allocator.get_device () == device && allocator.max_bytes == uint64.MAX);
    assert_true (allocator.get_release_threshold () == uint64.MAX);
    var storage = allocator.allocate ((size_t) MIB, context);
    assert_true (storage.get_n_bytes () == MIB && storage.get_device () == device);
    assert_true (allocator.used_bytes >= MIB && allocator.reserved_bytes >= allocator.used_bytes);
    storage.reset ();
    context.finish ();
    assert_true (allocator.get_used_bytes () == 0);
    assert_true (allocator.peak_used_bytes >= MIB && allocator.peak_bytes >= MIB);
    assert_true (allocator.trim (0) >= MIB && allocator.get_reserved_bytes () == 0);
    allocator.reset_peaks ();
    assert_true (allocator.get_peak_bytes () == 0 && allocator.get_peak_used_bytes () == 0);

    allocator.notify["release-threshold"].connect (() => { heard++; });
    assert_true (allocator.set_release_threshold (MIB) && heard == 1);
    assert_true (allocator.get_release_threshold () == MIB);
    var small = (C2gCuda.AsyncAllocator) new C2gCuda.AsyncAllocator.with_limit (device, MIB);
    assert_true (small.get_max_bytes () == MIB);
    assert_true ("cuda:0" in fails (new C2g.Error.NO_MEMORY (""), () => { small.allocate ((size_t) 1 << 40, null); }));
  });

  add ("23.13 caching allocator", () => {
    var reporter = C2g.MemoryReporter.get_default ();
    var before = reporter.get_cached_bytes (device);
    var allocator = new_caching ();
    var storage = allocator.allocate (1000, null);
    var address = storage.get_address ();
    assert_true (allocator.requested_bytes == 1000 && allocator.allocated_bytes == 1024);
    assert_true (allocator.active_bytes == 1024 && allocator.n_active == 1);
    assert_true (allocator.n_allocated == 1 && allocator.n_segments == 1);
    assert_true (reporter.get_current_bytes (device) == 1000);
    storage.reset ();
    assert_true (allocator.n_allocated == 0 && allocator.get_allocated_bytes () == 0);
    assert_true (allocator.peak_allocated_bytes == 1024 && allocator.n_cached >= 1);
    var cached = allocator.get_cached_bytes ();
    assert_true (cached == allocator.peak_bytes);
    assert_true (reporter.get_cached_bytes (device) == before + cached);
    storage = allocator.allocate (1000, null);
    assert_true (storage.get_address () == address);
    storage.reset ();
    assert_true (allocator.trim (0) == cached && allocator.cached_bytes == 0 && allocator.n_segments == 0);
    allocator.reset_peaks ();
    assert_true (allocator.peak_bytes == 0 && allocator.peak_allocated_bytes == 0);
    var managed = (C2gCuda.CachingAllocator) new C2gCuda.CachingAllocator.managed (device);
    storage = managed.allocate (8, null);
    assert_true (storage.get_device () == device);
    storage.reset ();
    assert_true (managed.trim (0) > 0);
  });

  add ("23.26 snapshot", () => {
    FileIOStream stream;
    var allocator = new_caching ();
    var storage = allocator.allocate (1000, null);
    var file = File.new_tmp ("c2g-XXXXXX", out stream);
    uint8[] data;
    assert_true (allocator.save_snapshot (file, null));
    file.load_contents (null, out data, null);
    file.delete ();
    // Protocol 2 with a dictionary.
    assert_true (data.length > 100 && data[0] == 0x80 && data[1] == 2 && data[2] == '}');
    try {
      allocator.save_snapshot (File.new_for_path ("/proc/none/memory"), null);
      assert_not_reached ();
    } catch (IOError.NOT_FOUND error) {
      assert_true ("/proc/none" in error.message);
    }
    assert_true (storage.get_n_bytes () == 1000);
  });

  add ("23.27 history", () => {
    FileIOStream stream;
    var allocator = new_caching ();
    var file = File.new_tmp ("c2g-XXXXXX", out stream);
    uint8[] data;
    allocator.save_snapshot (file, null);
    file.load_contents (null, out data, null);
    var n_bytes = data.length;
    allocator.history_max_entries = 10;
    assert_true (allocator.get_history_max_entries () == 10);
    allocator.allocate (1000, null).reset ();
    allocator.trim (0);
    allocator.save_snapshot (file, null);
    file.load_contents (null, out data, null);
    file.delete ();
    // Six events.
    assert_true (data.length > n_bytes + 600);
  });

  add ("23.28 expandable segments", () => {
    var allocator = (C2gCuda.CachingAllocator) new C2gCuda.CachingAllocator.expandable (device);
    assert_true (allocator.expandable_segments && !new_caching ().has_expandable_segments ());
    for (var n = 4; n < 40; n += 4)
      allocator.allocate ((size_t) (n * MIB), null).reset ();
    assert_true (allocator.peak_bytes < 48 * MIB && allocator.n_segments == 1);
  });

  add ("23.14 limits", () => {
    var allocator = new_caching ();
    var heard = 0;
    var retried = 0;
    uint64 pressure = 0;
    allocator.notify["max-bytes"].connect (() => { heard++; });
    allocator.pressure.connect ((n_bytes) => { pressure = n_bytes; });
    allocator.retried.connect (() => { retried++; });
    assert_true (allocator.max_bytes == uint64.MAX && allocator.max_fraction == 1);
    allocator.set_max_bytes (32 * MIB);
    allocator.max_bytes = 32 * MIB;
    var kept = allocator.allocate ((size_t) (24 * MIB), null);
    var message = fails (new C2g.Error.NO_MEMORY (""), () => { allocator.allocate ((size_t) (16 * MIB), null); });
    assert_true ((32 * MIB).to_string () in message);
    assert_true (heard == 1 && pressure == 16 * MIB && retried == allocator.n_retries);
    assert_true (allocator.n_ooms == 1);
    kept.reset ();
    // Cached memory is freed to make room.
    allocator.allocate ((size_t) (30 * MIB), null).reset ();
    assert_true (retried == allocator.n_retries);
    allocator.trim (0);
    allocator.set_max_bytes (uint64.MAX);
    allocator.max_fraction = 0;
    fails (new C2g.Error.NO_MEMORY (""), () => { allocator.allocate (1, null); });
    assert_true (allocator.get_max_fraction () == 0);
  });

  add ("23.15 pinned allocator", () => {
    var allocator = (C2gCuda.PinnedAllocator) new C2gCuda.PinnedAllocator ();
    var heard = 0;
    assert_true (allocator.get_device () == cpu () && allocator.max_bytes == uint64.MAX);
    var storage = allocator.allocate (1000, null);
    assert_true (storage.get_device () == cpu () && allocator.allocated_bytes >= 1000);
    assert_true (allocator.active_bytes == allocator.allocated_bytes);
    storage.reset ();
    var cached = allocator.cached_bytes;
    assert_true (allocator.allocated_bytes == 0 && cached >= 1000);
    assert_true (allocator.peak_bytes == cached && allocator.trim (0) == cached);
    allocator.reset_peak ();
    assert_true (allocator.peak_bytes == 0 && allocator.cached_bytes == 0);
    allocator.notify["max-bytes"].connect (() => { heard++; });
    allocator.set_max_bytes (0);
    fails (new C2g.Error.NO_MEMORY (""), () => { allocator.allocate (1, null); });
    assert_true (heard == 1);
  });

  add ("23.16 stacks", () => {
    foreach (var lowest in new_allocators ()) {
      var stream = new MemoryOutputStream.resizable ();
      var tracking = (C2g.TrackingAllocator) new C2g.TrackingAllocator (lowest);
      var limiting = new C2g.LimitingAllocator (tracking, 1000);
      var allocator = new C2g.LoggingAllocator (limiting, stream);
      assert_true (allocator.get_device () == device);
      var storage = allocator.allocate (600, null);
      assert_true (tracking.get_current_bytes () == 600);
      fails (new C2g.Error.NO_MEMORY (""), () => { allocator.allocate (401, null); });
      storage.reset ();
      assert_true (tracking.get_current_bytes () == 0 && tracking.get_peak_bytes () == 600);
      stream.close ();
      var log = (string) stream.steal_data ();
      assert_true (log.split ("cuda:0").length == 4);
    }
  });

  add ("23.17 default", () => {
    var allocator = new_caching ();
    C2g.Allocator.set_default (device, allocator);
    assert_true (C2g.Allocator.get_default (device) == allocator);
    var far = new_far ({ 1, 2 });
    C2g.Allocator.set_default (device, null);
    assert_true (allocator.n_allocated == 1 && far.get_storage ().get_allocator () == allocator);
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => { C2g.Allocator.set_default (cpu (), allocator); });
    far = null;
    assert_true (allocator.n_allocated == 0);
  });

  add ("23.18 other streams", () => {
    foreach (var allocator in new_allocators ()) {
      var context = new C2gCuda.Context (device);
      var other = new C2gCuda.Context (device);
      var storage = allocator.allocate ((size_t) MIB, context);
      storage.record_use (other);
      storage.reset ();
      allocator.allocate ((size_t) MIB, context).reset ();
      assert_true (context.finish () && other.finish ());
    }
  });
}

void add_sharing () {
  add ("23.19 streams of others", () => {
    var stream = new C2gCuda.Stream (device);
    var context = new C2gCuda.Context.for_stream (stream);
    var far = new_far ({ 1, 2, 3 }, context);
    assert_true (C2g.dlpack_get_stream (device, context) == stream.get_handle ());
    foreach (var flags in new C2g.DlpackFlags[] { 0, C2g.DlpackFlags.VERSIONED }) {
      var managed = far.to_dlpack (flags, null, (int64) stream.get_handle ());
      var back = new C2g.Tensor.from_dlpack (managed, flags, context);
      assert_true (back.device == device && back.get_address () == far.get_address ());
      context.fill (back, 7);
      context.finish ();
    }
    assert_cmpstr (near (far), CompareOperator.EQ, "7 7 7");
    assert_true (far.lend_to_stream ((int64) stream.get_handle ()));
    var message = fails (new C2g.Error.DEVICE (""), () => { C2g.dlpack_get_stream (device, new C2g.CpuContext ()); });
    assert_true ("cuda:0" in message);
  });

  add ("23.20 between devices", () => {
    if (C2g.Device.count (C2g.DeviceType.CUDA) < 2) {
      Test.skip ("There is one device only");
      return;
    }
    var second = C2g.Device.parse ("cuda:1");
    var context = new C2gCuda.Context (device);
    var other = (C2gCuda.Context) new C2gCuda.Context (second);
    var far = new_far ({ 1, 2 }, context);
    var farther = new C2g.Tensor.for_device (second);
    var event = new C2g.Event (device);
    context.record (event);
    assert_true (other.wait (event));
    farther.copy_from (far, other);
    other.finish ();
    assert_true (farther.device == second);
    assert_cmpstr (near (farther), CompareOperator.EQ, "1 2");
    var done = new C2gCuda.Event (second);
    var stream = new C2gCuda.Stream (device);
    done.record (other.stream);
    assert_true (done.wait (stream) && stream.finish ());
  });
}

// The part of the other process: it finds 3 in the memory, and writes 4.
int use_elsewhere (string text) throws Error {
  var handle = new Bytes (Base64.decode (text));
  var context = new C2gCuda.Context (device);
  var tensor = C2gCuda.ipc_open_tensor (handle, context);
  assert_cmpstr (near (tensor), CompareOperator.EQ, "3 3");
  assert_true (C2gCuda.ipc_open_storage (handle, context).get_n_bytes () == 8);
  assert_true (context.fill (tensor, 4) && context.finish ());
  return 0;
}

void add_processes () {
  add ("23.21 other process", () => {
    var context = new C2gCuda.Context (device);
    var storage = new_caching ().allocate (8, context);
    var far = new C2g.Tensor.from_storage (C2g.DataType.FLOAT, { 2 }, storage, 0);
    context.fill (far, 3);
    var export = new C2gCuda.IpcExport.for_tensor (far, context);
    var handle = export.get_handle ();
    var wrong = new Bytes ("handle".data);
    assert_true (export.get_storage ().get_address () == far.get_address ());
    fails (new C2g.Error.NOT_SUPPORTED (""), () => { C2gCuda.ipc_open_storage (handle, context); });
    fails (new C2g.Error.NOT_SUPPORTED (""), () => { C2gCuda.ipc_open_tensor (handle, context); });
    fails (new C2g.Error.CORRUPT (""), () => { C2gCuda.ipc_open_storage (wrong, context); });
    fails (new C2g.Error.CORRUPT (""), () => { C2gCuda.ipc_open_tensor (wrong, context); });
    var text = Base64.encode (handle.get_data ());
    assert_true (new Subprocess (SubprocessFlags.NONE, program, text).wait_check ());
    assert_cmpstr (near (far), CompareOperator.EQ, "4 4");
  });
}

int main (string[] args) {
  program = args[0];
  Test.init (ref args);
  try {
    device = C2g.Device.parse ("cuda:0");
    absent = C2g.Device.parse ("cuda:15");
    C2g.Context.for_device (device);
    if (args.length > 1)
      return use_elsewhere (args[1]);
  } catch (Error error) {
    print ("1..0 # SKIP %s\n", error.message);
    return 0;
  }
  add_types ();
  add_order ();
  add_tensors ();
  add_allocators ();
  add_sharing ();
  add_processes ();
  return Test.run ();
}
