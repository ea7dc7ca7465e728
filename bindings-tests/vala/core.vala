// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Types, tensors, blobs, workspaces, memory, allocators, lifetimes, threads.

/* An element type written in Vala. */
class Point : Object, C2g.ElementObject {
  public double x { get; set; }

  public C2g.ElementObject? copy () {
    var other = new Point ();
    other.x = x;
    return other;
  }

  public bool accept (Value value) {
    if (!value.holds (typeof (double)))
      return false;
    x = (double) value;
    return true;
  }
}

/* An element that cannot be copied; with a tensor it can, and frees the tensor then. */
class Stuck : Object, C2g.ElementObject {
  public unowned C2g.Tensor? tensor;

  public C2g.ElementObject? copy () {
    if (tensor == null)
      return null;
    tensor.free_memory ();
    return new Stuck ();
  }

  public bool accept (Value value) {
    return false;
  }
}

async void tune_in_background (File file) throws Error {
  var settings = C2g.Settings.get_default ();
  bool is_refused = false;
  assert_true (yield settings.save_tuning_async (file, null));
  assert_true (yield settings.load_tuning_async (file, null));
  FileUtils.set_contents (file.get_path (), "something else");
  try {
    yield settings.load_tuning_async (file, null);
  } catch (C2g.Error.CORRUPT error) {
    is_refused = true;
  }
  assert_true (is_refused);
  file.delete ();
}

class Label : Object {
  public string text { get; construct; }

  public Label (string text) {
    Object (text: text);
  }
}

class Counting : C2g.Allocator {
  public size_t n_bytes;

  public override C2g.Storage allocate (size_t n_bytes, C2g.Context? context) throws Error {
    var storage = base.allocate (n_bytes, context);
    this.n_bytes += n_bytes;
    return storage;
  }

  public override void released (uint64 address, size_t n_bytes) {
    this.n_bytes -= n_bytes;
  }
}

class Upstream : C2g.Allocator {
  public C2g.Allocator upstream;
  public string mode = "";
  public C2g.Tensor? tensor;
  public uint n_released;

  public Upstream (C2g.Allocator upstream) {
    this.upstream = upstream;
  }

  public override C2g.Storage allocate (size_t n_bytes, C2g.Context? context) throws Error {
    switch (mode) {
      case "less": return upstream.allocate (n_bytes - 1, context);
      case "read-only": return new C2g.Storage.from_bytes (new Bytes (new uint8[n_bytes]));
      case "in use": return tensor.get_storage ();
      case "error": throw new C2g.Error.DEVICE ("my own reason");
      case "foreign": throw new IOError.BUSY ("busy");
      default: return upstream.allocate (n_bytes, context);
    }
  }

  public override void released (uint64 address, size_t n_bytes) {
    n_released++;
  }

  public override size_t trim (size_t keep_bytes) {
    return upstream.trim (keep_bytes);
  }
}

class Hearing : C2g.AdaptorAllocator {
  public uint n_released;

  public Hearing (C2g.Allocator? upstream) {
    Object (upstream: upstream);
  }

  public override void released (uint64 address, size_t n_bytes) {
    n_released++;
  }
}

void add_types () {
  add ("1.1 constructors", () => {
    var upstream = new C2g.CpuAllocator ();
    var storage = new C2g.Storage (cpu (), 8, null);
    assert_true (new C2g.CpuAllocator.aligned (4096).get_alignment () == 4096);
    assert_true (new C2g.CpuContext ().get_device () == cpu ());
    assert_true (C2g.Context.for_device (cpu ()) is C2g.CpuContext);
    assert_true (new C2g.Device (C2g.DeviceType.CUDA, 1).equal (C2g.Device.parse ("cuda:1")));
    assert_true (new C2g.Event (null).query () == C2g.EventStatus.INITIALIZED);
    assert_true (new C2g.FailureCallbackAllocator (null, null).upstream is C2g.Allocator);
    assert_true (((C2g.LimitingAllocator) new C2g.LimitingAllocator (upstream, 1)).upstream == upstream);
    assert_true (new C2g.LoggingAllocator (null, null).output_stream == null);
    assert_true (new C2g.PoolAllocator (null) is C2g.PoolAllocator);
    assert_true (new C2g.TrackingAllocator (null) is C2g.TrackingAllocator);
    assert_true (storage.map (C2g.MapFlags.READ).get_n_bytes () == 8);
    assert_true (new C2g.Storage.from_bytes (new Bytes ({ 1 })).is_read_only ());
    assert_true (new C2g.Tensor.for_device (cpu ()).device == cpu ());
    assert_true (new C2g.Tensor.from_bytes (C2g.DataType.UINT8, { 2 }, new Bytes ({ 1, 2 })).get_value (1) == 2);
    assert_true (new C2g.Tensor.from_storage (C2g.DataType.UINT8, { 2 }, storage, 4).get_capacity () == 4);
    assert_true (new C2g.Tensor.scalar (C2g.DataType.DOUBLE, 2.5).get_value (0) == 2.5);
    assert_true (C2g.TypeMeta.for_gtype (typeof (double)) == C2g.TypeMeta.lookup ("double"));
    assert_null (new C2g.Workspace ().parent);
    assert_null (new C2g.Workspace.with_parent (null).get_parent ());
    assert_null (new C2g.Blob ().name);
  });

  add ("1.4 data types", () => {
    foreach (unowned string name in new string[] { "float", "int32", "byte", "string", "bool", "int64", "bfloat16" })
      assert_cmpstr (C2g.DataType.from_name (name).get_name (), CompareOperator.EQ, name);
    assert_true (C2g.DataType.STRING.get_item_size () == 8);
    fails (new C2g.Error.NOT_FOUND (""), () => { C2g.DataType.from_name ("Float"); });
  });

  add ("1.5 byte is uint8", () => {
    assert_true (new_tensor ({ 3 }, C2g.DataType.BYTE).data_type == C2g.DataType.UINT8);
  });

  add ("1.7 devices", () => {
    assert_true (C2g.Device.parse ("cpu") == cpu ());
    assert_cmpstr (C2g.Device.parse ("cuda").to_string (), CompareOperator.EQ, "cuda:0");
    fails (new C2g.Error.RANGE (""), () => { C2g.Device.parse ("cpu:1"); });
    assert_true (C2g.Device.count (C2g.DeviceType.CPU) == 1);
    var info = new C2g.DeviceInfo.for_device (cpu ());
    assert_true (info.get_total_bytes () > 0 && "processors" in info.list_details ());
  });
}

void add_tensors () {
  add ("32.1 elements and blobs", () => {
    var tensor = new C2g.Tensor.sized ({ 3 });
    tensor.allocate (C2g.DataType.FLOAT);
    tensor[0] = 1;
    tensor[1] = 2;
    tensor[2] = tensor[0] + tensor[1];
    double sum = 0;
    foreach (double x in tensor)
      sum += x;
    assert_true (sum == 6 && tensor.size == 3);
    fails (new C2g.Error.RANGE (""), () => tensor[3] = 1);

    var workspace = new C2g.Workspace ();
    workspace.create_blob ("x").set_object (tensor.clone ());
    assert_true ("x" in workspace && !("y" in workspace));
    assert_true (workspace["x"][2] == 3);
    fails (new C2g.Error.NOT_FOUND (""), () => workspace["y"].trim ());
  });

  add ("2.1 round trip", () => {
    int64[] none = {};
    assert_true (new C2g.Tensor.sized (none, null).get_dims ().length == 0);
    assert_true (new C2g.Tensor.sized (none, null).get_n_elements () == 1);
    assert_true (new C2g.Tensor.sized ({ 3, 0, 2 }, null).get_n_elements () == 0);
    var large = new C2g.Tensor.sized ({ 1, 1099511627776 }, null);
    assert_true (large.get_dims ()[1] == 1099511627776 && large.get_n_dims () == 2);
  });

  add ("2.3 resize and reshape", () => {
    var tensor = new_floats ({ 1, 2, 3, 4, 5, 6 });
    tensor.reshape ({ 2, 3 });
    tensor.resize ({ 1, 3 });
    tensor.resize_like (new C2g.Tensor.sized ({ 3, 2 }, null));
    assert_cmpstr (numbers_of (tensor), CompareOperator.EQ, "1 2 3 4 5 6");
  });

  add ("2.4 room", () => {
    var tensor = new_floats ({ 1, 2 });
    tensor.extend (2, 100, null);
    tensor.reserve ({ 100 });
    tensor.shrink (1);
    assert_true (tensor.get_capacity () == 400);
    tensor.trim ();
    assert_cmpstr (numbers_of (tensor), CompareOperator.EQ, "1");
    tensor.free_memory ();
    assert_true (tensor.get_address () == 0);
  });

  add ("2.5 sharing", () => {
    var tensor = new_floats ({ 1, 2, 3 });
    var other = new C2g.Tensor.sized ({ 3, 1 }, null);
    other.share_data (tensor);
    tensor.slice (1, 2).set_value (0, 20);
    assert_cmpstr (numbers_of (other), CompareOperator.EQ, "1 20 3");
  });

  add ("2.6 copies", () => {
    var tensor = new_floats ({ 1, 2 });
    var clone = tensor.clone (null);
    tensor.set_value (0, 9);
    assert_cmpstr (numbers_of (clone), CompareOperator.EQ, "1 2");
    clone.copy_from (tensor, null);
    assert_cmpstr (numbers_of (clone.to_device (cpu ())), CompareOperator.EQ, "9 2");
  });

  add ("3.1 in and out", () => {
    var tensor = new_floats ({ 1.5f, 2 });
    assert_true (tensor.dup_bytes ().compare (floats ({ 1.5f, 2 })) == 0);
    assert_true (new_tensor ({ 0 }).dup_bytes ().get_size () == 0);
  });

  add ("3.2 lent bytes", () => {
    var bytes = floats ({ 1, 2 });
    var tensor = new C2g.Tensor.from_bytes (C2g.DataType.FLOAT, { 2 }, bytes);
    assert_true (tensor.get_storage ().is_read_only ());
    tensor.set_value (0, 9);
    assert_true (bytes.compare (floats ({ 1, 2 })) == 0);
  });

  add ("3.3 views that never change", () => {
    var tensor = new_floats ({ 1, 2 });
    var view = tensor.ref_bytes ();
    tensor.set_value (0, 9);
    assert_true (view.compare (floats ({ 1, 2 })) == 0);
  });

  add ("3.4 mapping", () => {
    var tensor = new_floats ({ 1, 2 });
    var mapping = tensor.map (C2g.MapFlags.READ | C2g.MapFlags.WRITE);
    // In Vala the data is the memory itself, not a copy.
    unowned uint8[] data = mapping.get_data ();
    assert_true (data.length == 8);
    ((float[]) data)[1] = 7;
    mapping.write (0, floats ({ 5 }));
    assert_cmpstr (numbers_of (tensor), CompareOperator.EQ, "5 7");
    fails (new C2g.Error.RANGE (""), () => { mapping.write (5, floats ({ 0 })); });
    fails (new C2g.Error.READ_ONLY (""), () => { tensor.map (C2g.MapFlags.READ).write (0, floats ({ 0 })); });
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => { tensor.map (0); });
  });

  add ("3.5 unmapped", () => {
    var mapping = new_floats ({ 1, 2 }).map (C2g.MapFlags.READ);
    mapping.unmap ();
    mapping.unmap ();
    assert_true (mapping.get_n_bytes () == 0 && mapping.get_data () == null);
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => { mapping.ref_bytes (); });
  });

  add ("3.6 storage", () => {
    var storage = new C2g.Storage (cpu (), 64, null);
    assert_true (storage.is_unique () && storage.use_count () == 1 && storage.get_n_views () == 0);
    var tensor = new C2g.Tensor.from_storage (C2g.DataType.FLOAT, { 2 }, storage, 56);
    fails (new C2g.Error.BUSY (""), () => { storage.reset (); });
    tensor.free_memory ();
    assert_true (storage.reset () && storage.get_n_bytes () == 0);
    assert_null (new C2g.Storage.from_bytes (new Bytes ({ 1 })).get_allocator ());
  });

  add ("3.7 seal", () => {
    var tensor = new_tensor ({ 2 });
    tensor.set_value (0, 1);
    var sharer = new_tensor ({ 2 });
    sharer.share_data (tensor);
    var mapping = tensor.map (C2g.MapFlags.WRITE);
    fails (new C2g.Error.BUSY (""), () => { tensor.seal (); });
    mapping.unmap ();
    assert_true (tensor.seal () && tensor.is_sealed () && sharer.is_sealed ());
    sharer.set_value (0, 5);
    assert_true (tensor.get_value (0) == 1 && !sharer.is_sealed ());
  });

  add ("3.8 foreign", () => {
    var owner = new C2g.Tensor.scalar (C2g.DataType.UINT8, 1);
    var tensor = new C2g.Tensor.from_dlpack (owner.to_dlpack (0, null, 0), 0, null);
    var view = tensor.ref_bytes ();
    owner.set_value (0, 2);
    assert_true (view.compare (new Bytes ({ 1 })) == 0 && tensor.get_value (0) == 2);
    assert_true (tensor.seal () && tensor.is_sealed ());
    owner.set_value (0, 3);
    assert_true (tensor.get_value (0) == 2);
  });

  add ("6.1 exact integers", () => {
    var tensor = new_tensor ({ 2 }, C2g.DataType.INT64);
    int64 large = (1LL << 53) + 1;
    tensor.set_int64 (0, large);
    tensor.set_element (1, -large);
    assert_true (tensor.get_int64 (0) == large && (int64) tensor.get_element (1) == -large);
  });

  add ("6.2 numbers", () => {
    C2g.DataType[] types = { C2g.DataType.INT32, C2g.DataType.FLOAT, C2g.DataType.FLOAT16, C2g.DataType.BOOL };
    double[] numbers = { 2.5, 1e300, 1e6, 7 };
    for (int i = 0; i < types.length; i++) {
      var tensor = new_tensor ({ 1 }, types[i]);
      fails (new C2g.Error.RANGE (""), () => tensor.set_value (0, numbers[i]));
      fails (new C2g.Error.RANGE (""), () => tensor.set_element (0, numbers[i]));
      fails (new C2g.Error.RANGE (""), () => new C2g.Tensor.scalar (types[i], numbers[i]));
    }
  });

  add ("6.3 strings", () => {
    var tensor = new_tensor ({ 2 }, C2g.DataType.STRING);
    tensor.set_element (0, "grün 绿");
    tensor.set_element (1, new Bytes ({ 255, 0 }));
    assert_cmpstr ((string) tensor.get_element (0), CompareOperator.EQ, "grün 绿");
    assert_true (((Bytes) tensor.get_element (1)).get_size () == 2);
  });

  add ("6.4 booleans", () => {
    var tensor = new_tensor ({ 1 }, C2g.DataType.BOOL);
    tensor.set_element (0, true);
    assert_true ((bool) tensor.get_element (0));
  });

  add ("6.5 boxed", () => {
    var tensor = new C2g.Tensor.sized ({ 2 }, null);
    tensor.allocate_meta (C2g.TypeMeta.for_gtype (typeof (Bytes)));
    tensor.set_element (0, new Bytes ({ 1, 2, 3 }));
    assert_true (((Bytes) tensor.clone (null).get_element (0)).get_size () == 3);
    tensor.set_element (0, (Bytes) null);
    assert_null ((Bytes?) tensor.get_element (0));
  });

  add ("6.6 objects", () => {
    var tensor = new C2g.Tensor.sized ({ 1 }, null);
    tensor.allocate_meta (C2g.TypeMeta.for_gtype (typeof (Label)));
    tensor.set_element (0, new Label ("kept"));
    assert_cmpstr (((Label) tensor.get_element (0)).text, CompareOperator.EQ, "kept");
    fails (new C2g.Error.TYPE (""), () => { tensor.set_element (0, new Object ()); });
  });

  add ("6.12 element type", () => {
    var tensor = new C2g.Tensor.sized ({ 2 }, null);
    tensor.allocate_meta (C2g.TypeMeta.for_gtype (typeof (Point)));
    assert_true (((Point) tensor.get_element (1)).x == 0);
    tensor.set_element (0, 2.5);
    fails (new C2g.Error.TYPE (""), () => { tensor.set_element (0, "text"); });
    var copied = tensor.clone (null);
    ((Point) tensor.get_element (0)).x = 7;
    assert_true (((Point) copied.get_element (0)).x == 2.5);
  });

  add ("6.13 another type", () => {
    var tensor = new_floats ({ 1, -2.5f, 1e6f });
    var half = tensor.convert (C2g.DataType.FLOAT16, C2g.ConvertFlags.SATURATE);
    assert_true (half.get_data_type () == C2g.DataType.FLOAT16);
    assert_cmpstr (numbers_of (half), CompareOperator.EQ, "1 -2.5 65504");
    assert_cmpstr (numbers_of (tensor.convert (C2g.DataType.UINT8, C2g.ConvertFlags.WRAP)), CompareOperator.EQ, "1 0 255");
    var message = fails (new C2g.Error.RANGE (""), () => {
      tensor.convert (C2g.DataType.FLOAT16, C2g.ConvertFlags.NONE);
    });
    assert_true ("Element 2 is 1000000" in message);
    var target = new_tensor ({ 1 }, C2g.DataType.INT16);
    target.fill (7);
    fails (new C2g.Error.RANGE (""), () => { target.convert_from (tensor, C2g.ConvertFlags.NONE); });
    assert_cmpstr (numbers_of (target), CompareOperator.EQ, "7");
    target.convert_from (tensor, C2g.ConvertFlags.SATURATE);
    assert_cmpstr (numbers_of (target), CompareOperator.EQ, "1 -2 32767");
  });

  add ("6.14 whole tensors", () => {
    var x = new_floats ({ 1, -2, 3 });
    var y = new_floats ({ 10, 20, 30 });
    assert_true (x.dot (y) == 60 && x.asum () == 6 && x.amax () == 3 && x.sumsq () == 14);
    y.axpy (2, x);
    y.axpby (1, x, 0.5);
    y.scale (-1);
    assert_cmpstr (numbers_of (y), CompareOperator.EQ, "-7 -6 -21");
    y.fill (double.NAN);
    assert_true (y.amax ().is_nan ());
    var copy = y.clone (null);
    bool answer;
    y.equal (copy, out answer);
    assert_true (answer);
    y.equal (x, out answer);
    assert_false (answer);
    y.allclose (copy, 0, 0, true, out answer);
    assert_true (answer);
    y.allclose (copy, 0, 0, false, out answer);
    assert_false (answer);
    fails (new C2g.Error.SHAPE (""), () => { x.axpy (1, new_floats ({ 1 })); });
    fails (new C2g.Error.TYPE (""), () => { x.dot (new_tensor ({ 3 }, C2g.DataType.DOUBLE)); });
  });

  add ("6.15 element without copy", () => {
    var tensor = new C2g.Tensor.sized ({ 2 }, null);
    tensor.allocate_meta (C2g.TypeMeta.for_gtype (typeof (Stuck)));
    var first = (Stuck) tensor.get_element (0);
    var copy = new C2g.Tensor ();
    fails (new C2g.Error.FAILED (""), () => { tensor.clone (null); });
    tensor.reserve ({ 100 });
    tensor.trim ();
    assert_true ((Stuck) tensor.get_element (0) == first);
    first.tensor = tensor;
    tensor.set_element (1, (Stuck?) null);
    fails (new C2g.Error.BUSY (""), () => { copy.copy_from (tensor, null); });
    assert_true (!tensor.is_allocated ());
  });

  add ("6.16 axes and pictures", () => {
    var tensor = new_floats ({ 0, 1, 2, 3, 4, 5 });
    tensor.reshape ({ 2, 3 });
    assert_cmpstr (numbers_of (tensor.transpose ({ 1, 0 })), CompareOperator.EQ, "0 3 1 4 2 5");
    assert_cmpstr (numbers_of (tensor.transpose (null)), CompareOperator.EQ, "0 3 1 4 2 5");
    fails (new C2g.Error.SHAPE (""), () => { tensor.transpose ({ 0 }); });
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => { tensor.transpose ({ 0, 0 }); });
    var pixels = tensor.convert (C2g.DataType.UINT8);
    var planes = pixels.normalize (C2g.DataType.FLOAT16, -1, 0, { 0, 1, 2 }, { 0.5 });
    assert_cmpstr (numbers_of (planes), CompareOperator.EQ, "0 1.5 0 1.5 0 1.5");
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => { pixels.normalize (C2g.DataType.FLOAT, 1, 0, { 1, 2 }, null); });
    fails (new C2g.Error.TYPE (""), () => { tensor.normalize (C2g.DataType.FLOAT, 1, 0, null, null); });
  });

  add ("6.17 what types hold", () => {
    assert_true (C2g.DataType.FLOAT16.get_min () == -65504 && C2g.DataType.FLOAT16.get_max () == 65504);
    assert_true (C2g.DataType.DOUBLE.contains (C2g.DataType.INT32) && !C2g.DataType.DOUBLE.contains (C2g.DataType.INT64));
    assert_true (C2g.DataType.FLOAT16.promote (C2g.DataType.BFLOAT16) == C2g.DataType.FLOAT);
    assert_true (C2g.DataType.from_caffe (2) == C2g.DataType.FLOAT16 && C2g.DataType.FLOAT16.to_caffe () == 2);
    fails (new C2g.Error.NOT_FOUND (""), () => { C2g.DataType.from_caffe (6); });
  });

  add ("6.11 boxed elements are counted", () => {
    var tensor = new C2g.Tensor.sized ({ 1 }, null);
    tensor.allocate_meta (C2g.TypeMeta.for_gtype (typeof (C2g.Storage)));
    var storage = new C2g.Storage (cpu (), 1000, null);
    tensor.set_element (0, storage);
    for (var i = 0; i < 100; i++)
      assert_true (((C2g.Storage) tensor.get_element (0)).get_n_bytes () == 1000);
    assert_true (storage.use_count () == 2);
  });

  add ("6.7 registered", () => {
    unowned C2g.TypeMeta meta = C2g.TypeMeta.register ("point of the Vala tests", 12);
    var tensor = new C2g.Tensor.sized ({ 2 }, null);
    tensor.allocate_meta (meta);
    tensor.set_element (1, new Bytes (new uint8[12]));
    assert_true (((Bytes) tensor.get_element (1)).get_size () == 12);
    fails (new C2g.Error.EXISTS (""), () => { C2g.TypeMeta.register ("point of the Vala tests", 12); });
  });

  add ("6.8 wrong elements", () => {
    var tensor = new_floats ({ 1 });
    fails (new C2g.Error.RANGE (""), () => { tensor.get_value (1); });
    fails (new C2g.Error.TYPE (""), () => { tensor.set_element (0, "text"); });
    assert_true (tensor.get_element (1).holds (typeof (void*)));
  });

  add ("6.10 nan", () => {
    var tensor = new_floats ({ 1 });
    tensor.set_bytes (new Bytes ({ 0xb0, 0xe0, 0xf1, 0xff }));
    assert_true (tensor.get_value (0).is_nan () && ((float) tensor.get_element (0)).is_nan ());
  });
}

void add_errors_and_signals () {
  add ("4.1 codes", () => {
    fails (new C2g.Error.FAILED (""), () => { new C2g.Tensor.sized ({ 1 }, null).dup_bytes (); });
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => { C2g.Device.parse ("nowhere"); });
    fails (new C2g.Error.SHAPE (""), () => { new C2g.Tensor ().resize ({ -1 }); });
    fails (new C2g.Error.TYPE (""), () => { new C2g.Blob ().get_tensor (); });
    fails (new C2g.Error.RANGE (""), () => { new C2g.Tensor ().resize ({ 1LL << 40, 1LL << 40 }); });
    fails (new C2g.Error.NO_MEMORY (""), () => { new C2g.Storage (cpu (), (size_t) (1LL << 60), null); });
    fails (new C2g.Error.NOT_SUPPORTED (""), () => {
      new C2g.Blob ().deserialize (new Bytes ("\x0a\x01x\x12\x06Secret".data));
    });
    fails (new C2g.Error.DEVICE (""), () => { new C2g.Storage (C2g.Device.parse ("cuda:1023"), 8, null); });
    fails (new C2g.Error.READ_ONLY (""), () => {
      new C2g.Storage.from_bytes (new Bytes ({ 1 })).map (C2g.MapFlags.WRITE);
    });
    fails (new C2g.Error.BUSY (""), () => { new_tensor ({ 1 }).get_storage ().reset (); });
    fails (new C2g.Error.CORRUPT (""), () => { new C2g.Blob ().deserialize (new Bytes ({ 255, 255, 255 })); });
    fails (new C2g.Error.EXISTS (""), () => { C2g.TypeMeta.register ("float", 4); });
    fails (new C2g.Error.NOT_FOUND (""), () => { new C2g.Workspace ().get_blob ("nobody"); });
  });

  add ("4.2 domain", () => {
    try {
      C2g.Device.parse ("nowhere");
      assert_not_reached ();
    } catch (C2g.Error.INVALID_ARGUMENT error) {
      assert_cmpstr (error.domain.to_string (), CompareOperator.EQ, "c2g-error-quark");
    }
  });

  add ("5.1 notify", () => {
    var tensor = new C2g.Tensor.sized ({ 2 }, null);
    int n = 0;
    tensor.notify["data-type"].connect (() => n++);
    tensor.allocate (C2g.DataType.FLOAT);
    tensor.allocate (C2g.DataType.FLOAT);
    assert_cmpint (n, CompareOperator.EQ, 1);
  });

  add ("5.2 reallocated", () => {
    var tensor = new C2g.Tensor.sized ({ 2 }, null);
    var heard = new StringBuilder ();
    tensor.reallocated.connect ((old_capacity, new_capacity) => {
      heard.append ("%llu->%llu ".printf (old_capacity, new_capacity));
    });
    tensor.allocate (C2g.DataType.FLOAT);
    tensor.resize ({ 100 });
    tensor.allocate (C2g.DataType.FLOAT);
    assert_cmpstr (heard.str, CompareOperator.EQ, "8->0 0->400 ");
  });

  add ("5.3 resized", () => {
    var tensor = new C2g.Tensor ();
    int n = 0;
    tensor.resized.connect (() => n++);
    tensor.resize ({ 2, 3 });
    tensor.resize ({ 2, 3 });
    assert_cmpint (n, CompareOperator.EQ, 1);
  });

  add ("5.4 changed", () => {
    var blob = new C2g.Blob ();
    Type last = Type.INVALID;
    int n_values = 0;
    blob.changed.connect ((old_type, new_type) => { last = new_type; });
    blob.notify["value"].connect (() => n_values++);
    blob.ensure_tensor (null);
    assert_true (last == typeof (C2g.Tensor) && blob.content_type == last && n_values == 1);
  });

  add ("5.5 workspace signals", () => {
    var workspace = new C2g.Workspace ();
    int n = 0;
    workspace.blob_added.connect (() => n++);
    workspace.blob_removed.connect (() => n--);
    workspace.create_blob ("a");
    workspace.create_blob ("b");
    workspace.remove_blob ("a");
    assert_cmpint (n, CompareOperator.EQ, 1);
  });

  add ("5.7 pressure", () => {
    var limiting = new C2g.LimitingAllocator (null, 100);
    uint64 wanted = 0;
    limiting.pressure.connect ((n_bytes) => { wanted = n_bytes; });
    fails (new C2g.Error.NO_MEMORY (""), () => { limiting.allocate (101, null); });
    assert_true (wanted == 101);
  });
}

void add_blobs_and_workspaces () {
  add ("7.1 values", () => {
    var blob = new C2g.Blob ();
    blob.set_value (3);
    assert_true ((int) blob.get_value () == 3 && blob.content_type == typeof (int));
    blob.set_value ("text");
    assert_cmpstr ((string) blob.get_value (), CompareOperator.EQ, "text");
    blob.set_value (2.5);
    assert_true ((double) blob.get_value () == 2.5);
  });

  add ("7.2 boxed and objects", () => {
    var blob = new C2g.Blob ();
    blob.set_value (new Bytes ({ 1, 2 }));
    assert_true (((Bytes) blob.get_value ()).get_size () == 2 && blob.get_n_bytes () == 2);
    var label = new Label ("model");
    blob.set_object (label);
    assert_true (blob.get_object () == label && (Object) blob.get_value () == label);
  });

  add ("7.3 nothing", () => {
    var blob = new C2g.Blob ();
    blob.set_value (1);
    blob.set_value (null);
    assert_true (blob.is_empty () && blob.get_object () == null && blob.content_type == Type.INVALID);
    assert_true (blob.get_value ().holds (typeof (void*)));
  });

  add ("7.4 ensure", () => {
    var blob = new C2g.Blob ();
    bool is_new;
    assert_true (blob.ensure (typeof (int), out is_new) && is_new);
    assert_true (blob.ensure (typeof (int), out is_new) && !is_new);
    fails (new C2g.Error.TYPE (""), () => { blob.ensure (typeof (Bytes), null); });
    assert_true (blob.ensure_tensor (null) == blob.get_tensor () && blob.is_tensor (null));
  });

  add ("7.5 move, swap, steal", () => {
    var first = new C2g.Blob ();
    var second = new C2g.Blob ();
    var tensor = first.ensure_tensor (null);
    first.swap (second);
    first.move_from (second);
    assert_true (first.steal_object () == tensor && first.steal_object () == null);
  });

  add ("7.7 serialized", () => {
    var blob = new C2g.Blob ();
    var other = new C2g.Blob ();
    blob.set_object (new_floats ({ 1, 2 }));
    other.deserialize (blob.serialize ("weights"));
    assert_cmpstr (numbers_of (other.get_tensor ()), CompareOperator.EQ, "1 2");
  });

  add ("7.9 boxed content is counted", () => {
    var blob = new C2g.Blob ();
    var storage = new C2g.Storage (cpu (), 1000, null);
    blob.set_value (storage);
    for (var i = 0; i < 100; i++)
      assert_true (((C2g.Storage) blob.get_value ()).get_n_bytes () == 1000);
    assert_true (storage.use_count () == 2);
  });

  add ("8.1 names", () => {
    var workspace = new C2g.Workspace ();
    var blob = workspace.create_blob ("data");
    assert_true (workspace.get_blob ("data") == blob && workspace.has_blob ("data"));
    assert_true (workspace.lookup_blob ("data") == blob && workspace.lookup_blob ("Data") == null);
    assert_cmpstr (string.joinv (" ", workspace.list_blobs ()), CompareOperator.EQ, "data");
    assert_true (workspace.remove_blob ("data") && !workspace.remove_blob ("data"));
    assert_cmpstr (blob.name, CompareOperator.EQ, "data");
  });

  add ("8.2 parents", () => {
    var parent = new C2g.Workspace ();
    var child = new C2g.Workspace.with_parent (parent);
    assert_true (child.parent == parent && child.get_parent () == parent);
    var above = parent.create_blob ("a");
    assert_true (child.get_blob ("a") == above && child.create_local_blob ("a") != above);
  });

  add ("8.3 mapping", () => {
    var other = new C2g.Workspace ();
    var workspace = new C2g.Workspace ();
    other.create_blob ("a").set_object (new_floats ({ 5 }));
    workspace.add_blob_mapping (other, { "b" }, { "a" }, false);
    workspace.add_blob_mapping (other, { "a" }, null, false);
    workspace.copy_forwarded_tensors (null);
    assert_cmpstr (string.joinv (" ", workspace.list_local_blobs ()), CompareOperator.EQ, "b a");
  });

  add ("8.4 rename", () => {
    var workspace = new C2g.Workspace ();
    workspace.create_blob ("old").set_object (new_tensor ({ 10 }));
    workspace.rename_blob ("old", "new");
    var blocks = C2g.MemoryReporter.get_default ().list_blocks (null);
    assert_cmpstr (blocks[0].get_name (), CompareOperator.EQ, "new");
    fails (new C2g.Error.NOT_FOUND (""), () => { workspace.rename_blob ("old", "newer"); });
  });

  add ("8.6 list model", () => {
    var workspace = new C2g.Workspace ();
    ListModel model = workspace;
    var mirror = new List<Object> ();
    model.items_changed.connect ((position, removed, added) => {
      for (uint i = 0; i < removed; i++)
        mirror.delete_link (mirror.nth (position));
      for (uint i = 0; i < added; i++)
        mirror.insert (model.get_item (position + i), (int) (position + i));
    });
    foreach (unowned string name in new string[] { "a", "b", "c" })
      workspace.create_blob (name);
    workspace.remove_blob ("b");
    assert_cmpuint (mirror.length (), CompareOperator.EQ, model.get_n_items ());
    assert_cmpstr (((C2g.Blob) mirror.nth_data (1)).name, CompareOperator.EQ, "c");
  });

  add ("8.7 other thread", () => {
    var workspace = new C2g.Workspace ();
    unowned Thread<void> here = Thread.self<void> ();
    int n_here = 0;
    assert_cmpuint (workspace.get_n_items (), CompareOperator.EQ, 0);
    workspace.items_changed.connect ((position, removed, added) => {
      assert_true (Thread.self<void> () == here);
      n_here += (int) added - (int) removed;
    });
    new Thread<void> ("creator", () => {
      try {
        for (int i = 0; i < 100; i++)
          workspace.create_blob (i.to_string ());
      } catch (Error error) {
        assert_not_reached ();
      }
    }).join ();
    assert_cmpint (n_here, CompareOperator.EQ, 0);
    while (n_here < 100)
      MainContext.default ().iteration (true);
    assert_cmpuint (workspace.get_n_items (), CompareOperator.EQ, 100);
  });
}

void add_memory () {
  add ("9.2 random", () => {
    var context = C2g.Context.for_device (cpu ());
    var first = new_tensor ({ 100 });
    var second = new_tensor ({ 100 });
    context.seed (42);
    context.fill_uniform (first, -1, 1);
    context.seed (42);
    context.fill_uniform (second, -1, 1);
    assert_true (first.dup_bytes ().compare (second.dup_bytes ()) == 0);
    context.fill_normal (second, 0, 1);
    assert_true (first.dup_bytes ().compare (second.dup_bytes ()) != 0);
  });

  add ("9.3 events", () => {
    var context = new C2g.CpuContext ();
    var event = new C2g.Event (null);
    context.record (event);
    fails (new C2g.Error.BUSY (""), () => { context.record (event); });
    assert_true (event.finish () && event.query () == C2g.EventStatus.SUCCESS);
    event.reset ();
    event.set_finished ("the cable broke");
    assert_cmpstr (event.dup_error_message (), CompareOperator.EQ, "the cable broke");
  });

  add ("10.1 numbers", () => {
    var reporter = C2g.MemoryReporter.get_default ();
    var total = reporter.get_total_bytes (cpu ());
    var tensor = new_tensor ({ 100 });
    assert_true (reporter.get_total_bytes (null) == total + 400);
    assert_true (reporter.get_current_bytes (null) >= tensor.get_n_bytes ());
  });

  add ("10.5 external", () => {
    var reporter = C2g.MemoryReporter.get_default ();
    var external = reporter.get_external_bytes (null);
    var current = reporter.get_current_bytes (null);
    var workspace = new C2g.Workspace ();
    try {
      var tensor = new C2g.Tensor.from_bytes (C2g.DataType.FLOAT, { 1000 }, new Bytes (new uint8[4000]));
      workspace.create_blob ("frame").set_object (tensor);
    } catch (Error error) {
      assert_not_reached ();
    }
    assert_true (reporter.get_external_bytes (cpu ()) == external + 4000);
    assert_true (reporter.get_current_bytes (null) == current);
    assert_true ("frame" in workspace.dup_report () && "external" in workspace.dup_report ());
    workspace.clear ();
    assert_true (reporter.get_external_bytes (null) == external);
  });

  add ("10.2 blocks", () => {
    var workspace = new C2g.Workspace ();
    workspace.create_blob ("weights").set_object (new_tensor ({ 1000 }));
    var blocks = C2g.MemoryReporter.get_default ().list_blocks (cpu ());
    assert_cmpint (blocks.length, CompareOperator.EQ, 1);
    assert_true (blocks[0].get_n_bytes () == 4000 && blocks[0].get_device () == cpu ());
    assert_true ("weights" in C2g.MemoryReporter.get_default ().dup_report ());
  });

  add ("10.4 settings", () => {
    var settings = C2g.Settings.get_default ();
    settings.keep_on_shrink = false;
    var tensor = new_tensor ({ 100 });
    tensor.resize ({ 50 });
    settings.keep_on_shrink = true;
    assert_false (tensor.is_allocated ());
  });

  add ("10.6 tuning", () => {
    var settings = C2g.Settings.get_default ();
    var folder = File.new_for_path (DirUtils.make_tmp ("c2g-vala-XXXXXX"));
    var file = folder.get_child ("tuning");
    settings.tune = true;
    assert_true (settings.tune && settings.save_tuning (file) && settings.load_tuning (file));
    settings.tune = false;
    FileUtils.set_contents (file.get_path (), "something else");
    fails (new C2g.Error.CORRUPT (""), () => { settings.load_tuning (file); });
    file.delete ();
    folder.delete ();
  });

  add ("10.7 tuning in the background", () => {
    var folder = File.new_for_path (DirUtils.make_tmp ("c2g-vala-XXXXXX"));
    var loop = new MainLoop ();
    tune_in_background.begin (folder.get_child ("tuning"), (_, result) => {
      try {
        tune_in_background.end (result);
      } catch (GLib.Error error) {
        assert_not_reached ();
      }
      loop.quit ();
    });
    loop.run ();
    folder.delete ();
  });

  add ("11.1 stack", () => {
    var tracking = (C2g.TrackingAllocator) new C2g.TrackingAllocator (null);
    var pool = (C2g.PoolAllocator) new C2g.PoolAllocator (tracking);
    var limiting = (C2g.LimitingAllocator) new C2g.LimitingAllocator (pool, 1000);
    var storage = limiting.allocate (600, null);
    fails (new C2g.Error.NO_MEMORY (""), () => { limiting.allocate (401, null); });
    assert_true (limiting.get_used_bytes () == 600 && tracking.get_n_blocks () == 1);
    storage.reset ();
    assert_true (pool.get_cached_bytes () >= 600 && limiting.trim (0) >= 600);
  });

  add ("11.2 failure callback", () => {
    var limiting = (C2g.LimitingAllocator) new C2g.LimitingAllocator (null, 100);
    uint last = 0;
    var allocator = new C2g.FailureCallbackAllocator (limiting, (self, n_bytes, n_tries) => {
      last = n_tries;
      limiting.max_bytes = 500;
      return true;
    });
    assert_true (allocator.allocate (400, null).get_n_bytes () == 400 && last == 1);
  });

  add ("11.3 log", () => {
    var stream = new MemoryOutputStream.resizable ();
    var allocator = (C2g.LoggingAllocator) new C2g.LoggingAllocator (null, stream);
    allocator.allocate (10, null).reset ();
    assert_true (allocator.check ());
    stream.close ();
    var log = (string) stream.steal_data ();
    assert_true ("allocate" in log && "release" in log);
  });

  add ("11.5 default", () => {
    var tracking = (C2g.TrackingAllocator) new C2g.TrackingAllocator (null);
    C2g.Allocator.set_default (cpu (), tracking);
    assert_true (C2g.Allocator.get_default (cpu ()) == tracking);
    var tensor = new_tensor ({ 100 });
    C2g.Allocator.set_default (cpu (), null);
    assert_true (tracking.get_current_bytes () == 400);
    tensor.free_memory ();
    assert_true (tracking.get_current_bytes () == 0);
  });

  add ("12.1 chain up", () => {
    var allocator = new Counting ();
    var storage = allocator.allocate (1000, null);
    assert_true (allocator.n_bytes == 1000 && storage.use_count () == 1);
    storage = null;
    assert_true (allocator.n_bytes == 0);
  });

  add ("12.2 upstream", () => {
    var pool = new C2g.PoolAllocator (null);
    var allocator = new Upstream (pool);
    var storage = allocator.allocate (1000, null);
    assert_true (storage.get_allocator () == pool);
    storage = null;
    assert_true (allocator.n_released == 1 && allocator.trim (0) >= 1000);
  });

  add ("12.3 default", () => {
    var allocator = new Counting ();
    C2g.Allocator.set_default (cpu (), allocator);
    var tensor = new_tensor ({ 100 });
    var clone = tensor.clone (null);
    C2g.Allocator.set_default (cpu (), null);
    assert_true (allocator.n_bytes == 800 && !clone.shares_data ());
    tensor = null;
    clone = null;
    assert_true (allocator.n_bytes == 0);
  });

  add ("12.5 refused", () => {
    var allocator = new Upstream (new C2g.CpuAllocator ());
    allocator.tensor = new_tensor ({ 1000 });
    foreach (unowned string mode in new string[] { "less", "read-only", "in use" }) {
      allocator.mode = mode;
      var message = fails (new C2g.Error.FAILED (""), () => { allocator.allocate (1000, null); });
      assert_true ("Upstream" in message);
    }
    assert_true (allocator.n_released == 0);
  });

  add ("12.6 own errors", () => {
    var allocator = new Upstream (new C2g.CpuAllocator ());
    allocator.mode = "error";
    fails (new C2g.Error.DEVICE (""), () => { allocator.allocate (10, null); });
    allocator.mode = "foreign";
    try {
      allocator.allocate (10, null);
      assert_not_reached ();
    } catch (IOError.BUSY error) {
      assert_cmpstr (error.message, CompareOperator.EQ, "busy");
    }
  });

  add ("12.10 adaptor", () => {
    var pool = new C2g.PoolAllocator (new C2g.CpuAllocator.aligned (128));
    var allocator = new Hearing (pool);
    var storage = allocator.allocate (1000, null);
    assert_true (allocator.upstream == pool && storage.get_allocator () == pool);
    assert_true (allocator.get_alignment () == 128 && allocator.n_released == 0);
    storage = null;
    assert_true (allocator.n_released == 1 && allocator.trim (0) >= 1000);
    assert_true (new Hearing (null).upstream is C2g.CpuAllocator);
  });

  add ("13.2 mapping outlives tensor", () => {
    C2g.Mapping mapping = new_floats ({ 1, 2 }).map (C2g.MapFlags.READ);
    var bytes = mapping.ref_bytes ();
    mapping.unmap ();
    assert_true (bytes.compare (floats ({ 1, 2 })) == 0);
  });

  add ("22.1 there and back", () => {
    var tensor = new_floats ({ 1, 2, 3 });
    C2g.DlpackFlags[] all = { 0, C2g.DlpackFlags.VERSIONED };
    foreach (var flags in all) {
      var back = new C2g.Tensor.from_dlpack (tensor.to_dlpack (flags, null, 0), flags, null);
      assert_true (back.get_address () == tensor.get_address ());
      back.set_value (1, 42);
      assert_true (tensor.get_value (1) == 42);
    }
  });

  add ("22.2 not taken", () => {
    var reporter = C2g.MemoryReporter.get_default ();
    var n_blocks = reporter.get_n_blocks (null);
    var tensor = new_floats ({ 1 });
    var managed = tensor.to_dlpack (C2g.DlpackFlags.VERSIONED, cpu (), -1);
    tensor = null;
    assert_true (reporter.get_n_blocks (null) == n_blocks + 1);
    C2g.dlpack_release (managed, C2g.DlpackFlags.VERSIONED);
    assert_true (reporter.get_n_blocks (null) == n_blocks);
    tensor = new_floats ({ 1 });
    var array = tensor.to_array_struct ();
    tensor = null;
    assert_true (reporter.get_n_blocks (null) == n_blocks + 1);
    C2g.array_struct_release (array);
    assert_true (reporter.get_n_blocks (null) == n_blocks);
  });

  add ("22.3 errors", () => {
    var tensor = new_tensor ({ 2 }, C2g.DataType.STRING);
    assert_true ("string" in fails (new C2g.Error.TYPE (""), () => { tensor.to_dlpack (0, null, 0); }));
    fails (new C2g.Error.SHAPE (""), () => { new C2g.Tensor ().to_dlpack (0, null, 0); });
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => { new_floats ({ 1 }).to_dlpack (0, null, 7); });
    assert_true (C2g.dlpack_get_stream (cpu (), null) == 0);
  });

  add ("14.1 workspace", () => {
    var workspace = new C2g.Workspace ();
    Thread<void>[] threads = {};
    for (int t = 0; t < 4; t++) {
      var kind = t;
      threads += new Thread<void> ("worker", () => {
        for (int i = 0; i < 2000; i++) {
          var name = (i % 5).to_string ();
          try {
            if (kind % 2 == 0)
              workspace.create_blob (name);
            else
              workspace.remove_blob (name);
            workspace.get_blob (name);
          } catch (C2g.Error.NOT_FOUND error) {
          } catch (Error error) {
            assert_not_reached ();
          }
        }
      });
    }
    foreach (var thread in threads)
      thread.join ();
    assert_cmpuint (workspace.list_blobs ().length, CompareOperator.LE, 5);
  });

  add ("14.4 tensors of one name", () => {
    var workspace = new C2g.Workspace ();
    Thread<void>[] threads = {};
    for (int t = 0; t < 4; t++) {
      var kind = t;
      threads += new Thread<void> ("worker", () => {
        for (int i = 0; i < 300; i++) {
          try {
            if (kind < 2)
              workspace.create_tensor ("x", C2g.DataType.FLOAT, { 1 + i % 50 }).set_value (0, i);
            else if (kind == 2)
              workspace.remove_blob ("x");
            else
              workspace.save_checkpoint_to_bytes (null);
          } catch (Error error) {
            assert_not_reached ();
          }
        }
      });
    }
    foreach (var thread in threads)
      thread.join ();
  });
}

int main (string[] args) {
  Test.init (ref args);
  add_types ();
  add_tensors ();
  add_errors_and_signals ();
  add_blobs_and_workspaces ();
  add_memory ();
  return Test.run ();
}
