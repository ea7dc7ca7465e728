// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Messages, serializers, databases, and whole files.

Bytes bytes_of (string text) {
  return new Bytes (text.data);
}

string text_of (Bytes bytes) {
  return ((string) bytes.get_data ()).substring (0, (long) bytes.get_size ());
}

C2g.Blob new_blob (Object content) {
  var blob = new C2g.Blob ();
  blob.set_object (content);
  return blob;
}

// A temporary folder for a test.
class Folder {
  string path;

  public Folder () throws Error {
    path = DirUtils.make_tmp ("c2g-vala-XXXXXX");
  }

  public File file (string name) {
    return File.new_for_path (Path.build_filename (path, name));
  }

  public void remove () throws Error {
    var folder = Dir.open (path);
    unowned string? name;
    while ((name = folder.read_name ()) != null)
      FileUtils.unlink (Path.build_filename (path, name));
    assert_cmpint (DirUtils.remove (path), CompareOperator.EQ, 0);
  }
}

C2g.Workspace new_workspace () throws Error {
  var workspace = new C2g.Workspace ();
  workspace.create_blob ("w").set_object (new_floats ({ 1, 2, 3 }));
  workspace.create_blob ("b").set_object (new_floats ({ 4 }));
  return workspace;
}

void assert_has (C2g.Workspace workspace, string name, string numbers) throws Error {
  assert_cmpstr (numbers_of (workspace.get_tensor (name)), CompareOperator.EQ, numbers);
}

void assert_cancelled (Provoke provoke) {
  try {
    provoke ();
  } catch (IOError.CANCELLED error) {
    return;
  } catch (Error error) {
    Test.message ("%s", error.message);
  }
  assert_not_reached ();
}

class Words : Object {
  public string[] words;

  public Words (string[] words) {
    this.words = words;
  }
}

class WordsSerializer : C2g.Serializer {
  public override uint get_n_chunks (C2g.Blob blob, int64 chunk_size) {
    return chunk_size == C2g.NO_CHUNKING ? 1 : ((Words) blob.get_object ()).words.length;
  }

  public override Bytes serialize_content (C2g.Blob blob, uint chunk, uint n_chunks) throws Error {
    unowned var words = (Words) blob.get_object ();
    if (n_chunks > 1)
      return bytes_of (words.words[chunk]);
    return bytes_of (string.joinv ("\n", words.words));
  }

  public override bool deserialize_content (C2g.Blob blob, Bytes content, uint chunk, uint n_chunks) throws Error {
    string[] words = {};
    if (chunk > 0)
      words = ((Words) blob.get_object ()).words;
    foreach (unowned string word in text_of (content).split ("\n"))
      words += word;
    blob.set_object (new Words (words));
    return true;
  }
}

void add_messages () {
  add ("8.8 tensors by name", () => {
    var workspace = new C2g.Workspace ();
    var tensor = workspace.create_tensor ("x", C2g.DataType.FLOAT, { 2, 3 });
    assert_cmpuint ((uint) tensor.get_n_bytes (), CompareOperator.EQ, 24);
    assert_true (workspace.get_tensor ("x") == tensor);
    fails (new C2g.Error.SHAPE (""), () => workspace.create_tensor ("y", C2g.DataType.FLOAT, { -1 }));
    fails (new C2g.Error.NOT_FOUND (""), () => workspace.get_tensor ("y"));
    workspace["y"] = tensor;
    assert_true (workspace["y"] == tensor);
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => workspace[""] = tensor);
  });

  add ("15.1 streams", () => {
    var output = new MemoryOutputStream.resizable ();
    var blob = new_blob (new_floats ({ 1, 2, 3 }));
    blob.serialize_to_stream ("name", C2g.SerializeFlags.NONE, output, null);
    output.close ();
    var message = output.steal_as_bytes ();
    assert_true (message.compare (blob.serialize ("name")) == 0);
    var loaded = new C2g.Blob ();
    loaded.deserialize_from_stream (new MemoryInputStream.from_bytes (message), null, null);
    assert_cmpstr (numbers_of (loaded.get_tensor ()), CompareOperator.EQ, "1 2 3");
  });

  add ("15.2 files with a blob", () => {
    var folder = new Folder ();
    var output = folder.file ("x.pb").create (FileCreateFlags.NONE);
    new_blob (new_floats ({ 1, 2, 3 })).serialize_to_stream ("name", C2g.SerializeFlags.NONE, output);
    output.close ();
    var loaded = new C2g.Blob ();
    loaded.deserialize_from_stream (folder.file ("x.pb").read (), C2g.Device.cpu (), null);
    assert_cmpstr (numbers_of (loaded.get_tensor ()), CompareOperator.EQ, "1 2 3");
    folder.remove ();
  });

  add ("15.3 chunks", () => {
    string keys = "";
    Bytes[] chunks = {};
    new_blob (new_floats ({ 0, 1, 2, 3, 4 })).serialize_chunks ("name", 2, C2g.SerializeFlags.NONE, (key, value) => {
      keys += key + " ";
      chunks += value;
      return true;
    });
    assert_cmpstr (keys, CompareOperator.EQ, "name#%0 name#%1 name#%2 ");
    var loaded = new C2g.Blob ();
    loaded.deserialize_chunks ({ chunks[2], chunks[0], chunks[1] }, null);
    assert_cmpstr (numbers_of (loaded.get_tensor ()), CompareOperator.EQ, "0 1 2 3 4");
    fails (new C2g.Error.CORRUPT (""), () => loaded.deserialize_chunks ({ chunks[0], chunks[1] }, null));
  });

  add ("15.4 chunks that are not wanted", () => {
    int n = 0;
    assert_cancelled (() => new_blob (new_floats ({ 1, 2, 3 })).serialize_chunks ("name", 1, C2g.SerializeFlags.NONE,
                                                                                  () => ++n < 0));
    assert_cmpint (n, CompareOperator.EQ, 1);
  });

  add ("15.6 Int8 tensors", () => {
    var tensor = new_tensor ({ 2 }, C2g.DataType.UINT8);
    tensor.set_bytes (new Bytes ({ 0, 255 }));
    var quantized = (C2g.Int8Tensor) Object.new (typeof (C2g.Int8Tensor), tensor: tensor, scale: 0.5, zero_point: 128);
    var loaded = new C2g.Blob ();
    loaded.deserialize (new_blob (quantized).serialize ("name"));
    unowned var read = (C2g.Int8Tensor) loaded.get_object ();
    assert_true (read.scale == 0.5 && read.zero_point == 128 && read.get_value (1) == 63.5);
  });

  add ("15.7 own serializer", () => {
    var loaded = new C2g.Blob ();
    loaded.deserialize (new_blob (new Words ({ "eins", "zwei" })).serialize ("name"));
    assert_cmpstr (string.joinv (" ", ((Words) loaded.get_object ()).words), CompareOperator.EQ, "eins zwei");
  });

  add ("15.8 own serializer, chunks", () => {
    Bytes[] chunks = {};
    new_blob (new Words ({ "a", "b", "c" })).serialize_chunks ("name", 1, C2g.SerializeFlags.NONE, (key, value) => {
      chunks += value;
      return true;
    });
    assert_cmpint (chunks.length, CompareOperator.EQ, 3);
    var loaded = new C2g.Blob ();
    loaded.deserialize_chunks (chunks, null);
    assert_cmpstr (string.joinv (" ", ((Words) loaded.get_object ()).words), CompareOperator.EQ, "a b c");
  });
}

void fill (File file, int n) throws Error {
  var db = C2g.Db.open ("minidb", file, C2g.DbMode.NEW);
  var transaction = db.new_transaction ();
  for (int i = 0; i < n; i++)
    transaction.put (bytes_of (i.to_string ()), bytes_of ("value " + i.to_string ()));
  transaction.commit ();
  db.close ();
}

void add_databases () {
  add ("16.1 databases", () => {
    var folder = new Folder ();
    fill (folder.file ("x.minidb"), 3);
    var db = C2g.Db.open ("minidb", folder.file ("x.minidb"), C2g.DbMode.READ);
    string records = "";
    for (var cursor = db.new_cursor (); cursor.is_valid (); cursor.next ())
      records += text_of (cursor.dup_key ()) + "=" + text_of (cursor.dup_value ()) + " ";
    assert_cmpstr (records, CompareOperator.EQ, "0=value 0 1=value 1 2=value 2 ");
    db.close ();
    folder.remove ();
  });

  add ("16.4 errors of databases", () => {
    var folder = new Folder ();
    fails (new C2g.Error.NOT_FOUND (""), () => C2g.Db.open ("leveldb", folder.file ("x"), C2g.DbMode.READ));
    var db = C2g.Db.open ("minidb", folder.file ("x.minidb"), C2g.DbMode.NEW);
    var transaction = db.new_transaction ();
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => transaction.put (bytes_of ("name"), bytes_of ("")));
    db.close ();
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => db.new_cursor ());
    folder.remove ();
  });

  add ("16.8 readers of databases", () => {
    var folder = new Folder ();
    fill (folder.file ("x.minidb"), 10);
    var reader = new C2g.DbReader.open ("minidb", folder.file ("x.minidb"), 3, 1);
    string keys = "";
    for (int i = 0; i < 4; i++) {
      Bytes key, value;
      reader.read (out key, out value);
      keys += text_of (key) + " ";
    }
    assert_cmpstr (keys, CompareOperator.EQ, "1 4 7 1 ");
    reader.get_db ().close ();
    folder.remove ();
  });
}

void add_loading () {
  add ("17.1 load all", () => {
    var folder = new Folder ();
    new_workspace ().save_checkpoint (folder.file ("x.minidb"));
    var workspace = new C2g.Workspace ();
    assert_cmpint (workspace.load_checkpoint (folder.file ("x.minidb")).length, CompareOperator.EQ, 2);
    assert_has (workspace, "w", "1 2 3");
    assert_cmpint (new C2g.Workspace ().load_checkpoint (folder.file (".")).length, CompareOperator.EQ, 2);
    folder.remove ();
  });

  add ("17.2 load with options", () => {
    var folder = new Folder ();
    new_workspace ().save_checkpoint (folder.file ("x.minidb"));
    var workspace = new C2g.Workspace ();
    var options = new C2g.LoadOptions () { source_names = { "b" }, names = { "x" } };
    assert_cmpstr (new C2g.LoadOptions () { strip_prefix = "net/", add_prefix = "my/" }.dup_name ("a/net/w"), CompareOperator.EQ, "my/w");
    workspace.load_checkpoint (folder.file ("x.minidb"), options);
    assert_has (workspace, "x", "4");
    assert_cmpint (workspace.list_blobs ().length, CompareOperator.EQ, 1);
    folder.remove ();
  });

  add ("17.4 loads that fail", () => {
    var folder = new Folder ();
    new_workspace ().save_checkpoint (folder.file ("x.minidb"));
    var workspace = new C2g.Workspace ();
    var options = new C2g.LoadOptions () { names = { "w", "absent" } };
    var message = fails (new C2g.Error.NOT_FOUND (""), () => workspace.load_checkpoint (folder.file ("x.minidb"), options));
    assert_true (message.contains ("absent"));
    assert_cmpint (workspace.list_blobs ().length, CompareOperator.EQ, 0);
    folder.remove ();
  });

  add ("17.5 entries", () => {
    var folder = new Folder ();
    new_workspace ().save_checkpoint (folder.file ("x.minidb"));
    var model_file = new C2g.ModelFile.open (folder.file ("x.minidb"));
    string entries = "";
    foreach (unowned C2g.FileEntry entry in model_file.list_entries ())
      entries += "%s %d %d; ".printf (entry.get_name (), (int) entry.get_dims ()[0], (int) entry.get_n_bytes ());
    assert_cmpstr (entries, CompareOperator.EQ, "w 3 12; b 1 4; ");
    assert_true (model_file.lookup_entry ("b").get_device ().to_string () == "cpu");
    assert_true (model_file.lookup_entry ("c") == null && model_file.verify (null));
    assert_cmpstr (numbers_of (model_file.load_blob ("b").get_tensor ()), CompareOperator.EQ, "4");
    var net = "op { type: 'ConstantFill' output: 'c' arg { name: 'shape' ints: 1000000000 } arg { name: 'value' f: 2 } }";
    var entry = new C2g.ModelFile.from_bytes (new Bytes (net.data), "net.pbtxt").lookup_entry ("c");
    assert_true (entry.is_constant () && !model_file.lookup_entry ("b").is_constant ());
    assert_cmpstr (numbers_of (entry.load_constant ()), CompareOperator.EQ, "2");
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => model_file.lookup_entry ("b").load_constant ());
    folder.remove ();
  });

  add ("17.6 load in the background", () => {
    var folder = new Folder ();
    new_workspace ().save_checkpoint (folder.file ("x.minidb"));
    var workspace = new C2g.Workspace ();
    var options = new C2g.LoadOptions () { progress = new C2g.Progress () };
    var loop = new MainLoop ();
    uint64 n_bytes = 0;
    int n_names = 0;
    options.progress.changed.connect ((done, total) => n_bytes = done);
    workspace.load_checkpoint_async.begin (folder.file ("x.minidb"), options, null, (source, result) => {
      try {
        n_names = workspace.load_checkpoint_async.end (result).length;
      } catch (Error error) {
        Test.message ("%s", error.message);
      }
      loop.quit ();
    });
    loop.run ();
    assert_cmpint (n_names, CompareOperator.EQ, 2);
    assert_true (n_bytes == 16);
    assert_has (workspace, "b", "4");
    folder.remove ();
  });

  add ("17.7 cancelled loads", () => {
    var folder = new Folder ();
    new_workspace ().save_checkpoint (folder.file ("x.minidb"));
    var workspace = new C2g.Workspace ();
    var cancellable = new Cancellable ();
    var options = new C2g.LoadOptions () { progress = new C2g.Progress () };
    options.progress.changed.connect (() => cancellable.cancel ());
    assert_cancelled (() => workspace.load_checkpoint (folder.file ("x.minidb"), options, cancellable));
    assert_cmpint (workspace.list_blobs ().length, CompareOperator.EQ, 0);
    folder.remove ();
  });
}

void add_saving () {
  add ("18.1 kinds of files", () => {
    var folder = new Folder ();
    foreach (unowned string name in new string[] { "x.minidb", "x.safetensors", "x.npz" }) {
      new_workspace ().save_checkpoint (folder.file (name));
      var loaded = new C2g.Workspace ();
      loaded.load_checkpoint (folder.file (name));
      assert_has (loaded, "w", "1 2 3");
      assert_has (loaded, "b", "4");
    }
    folder.remove ();
  });

  add ("18.3 save with options", () => {
    var folder = new Folder ();
    var options = new C2g.SaveOptions () { names = { "w" }, new_names = { "x" }, chunk_size = 2, n_threads = 2 };
    new_workspace ().save_checkpoint (folder.file ("x.minidb"), options);
    var loaded = new C2g.Workspace ();
    loaded.load_checkpoint (folder.file ("x.minidb"));
    assert_has (loaded, "x", "1 2 3");
    options.set_device ("w", C2g.Device.parse ("cuda:7"));
    new_workspace ().save_checkpoint (folder.file ("y.minidb"), options);
    var entry = new C2g.ModelFile.open (folder.file ("y.minidb")).lookup_entry ("x");
    assert_cmpstr (entry.get_device ().to_string (), CompareOperator.EQ, "cuda:7");
    folder.remove ();
  });

  add ("18.4 bytes of a checkpoint", () => {
    var content = new_workspace ().save_checkpoint_to_bytes (null);
    var workspace = new C2g.Workspace ();
    new C2g.ModelFile.from_bytes (content, "x.minidb").load (workspace);
    assert_has (workspace, "w", "1 2 3");
  });

  add ("18.5 saves that fail", () => {
    var folder = new Folder ();
    var workspace = new_workspace ();
    fails (new C2g.Error.INVALID_ARGUMENT (""), () => workspace.save_checkpoint (folder.file ("x.txt")));
    workspace.create_blob ("empty").ensure_tensor (null);
    fails (new C2g.Error.FAILED (""), () => workspace.save_checkpoint (folder.file ("x.minidb")));
    folder.remove ();
  });

  add ("18.6 save in the background", () => {
    var folder = new Folder ();
    var workspace = new_workspace ();
    var options = new C2g.SaveOptions () { progress = new C2g.Progress () };
    var loop = new MainLoop ();
    uint64 n_bytes = 0;
    bool is_saved = false;
    options.progress.changed.connect ((done, total) => n_bytes = done);
    workspace.save_checkpoint_async.begin (folder.file ("x.minidb"), options, null, (source, result) => {
      try {
        is_saved = workspace.save_checkpoint_async.end (result);
      } catch (Error error) {
        Test.message ("%s", error.message);
      }
      loop.quit ();
    });
    loop.run ();
    assert_true (is_saved && n_bytes == 16);
    folder.remove ();
  });

  add ("18.7 cancelled saves", () => {
    var folder = new Folder ();
    var workspace = new_workspace ();
    var cancellable = new Cancellable ();
    cancellable.cancel ();
    assert_cancelled (() => workspace.save_checkpoint (folder.file ("x.minidb"), null, cancellable));
    folder.remove ();
  });

  add ("18.8 own serializer in a checkpoint", () => {
    var folder = new Folder ();
    var workspace = new_workspace ();
    workspace.create_blob ("words").set_object (new Words ({ "a", "b" }));
    workspace.save_checkpoint (folder.file ("x.minidb"), new C2g.SaveOptions () { chunk_size = 1, n_threads = 4 });
    var loaded = new C2g.Workspace ();
    loaded.load_checkpoint (folder.file ("x.minidb"));
    unowned var words = (Words) loaded.get_blob ("words").get_object ();
    assert_cmpstr (string.joinv (" ", words.words), CompareOperator.EQ, "a b");
    folder.remove ();
  });
}

int main (string[] args) {
  Test.init (ref args);
  try {
    C2g.Serializer.register (typeof (Words), "vala.Words", new WordsSerializer ());
  } catch (Error error) {
    assert_not_reached ();
  }
  add_messages ();
  add_databases ();
  add_loading ();
  add_saving ();
  return Test.run ();
}
