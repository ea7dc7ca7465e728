// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Caffe's files and models.

File weights;
File text;

void write_text (string kind) throws Error {
  var content = "input: 'x' input_shape { dim: 1 dim: 2 } " +
                "layer { name: 'l' type: '%s' bottom: 'x' top: 'y' bias_param { axis: 1 } }".printf (kind);
  text.replace_contents (content.data, null, false, FileCreateFlags.NONE, null);
}

void there_and_back () throws Error {
  var workspace = new C2g.Workspace ();
  var tensor = workspace.create_tensor ("l/0", C2g.DataType.FLOAT, { 2 });
  tensor.set_value (0, 0);
  tensor.set_value (1, 10);
  workspace.save_checkpoint (weights, null, null);
  var file = new C2g.ModelFile.open (weights, null, null);
  assert_true (file.get_kind () == C2g.ModelFileKind.CAFFEMODEL);
  assert_cmpstr (file.list_entries ()[0].get_name (), CompareOperator.EQ, "l/0");
  assert_true (file.load_blob ("l/0", null).get_tensor ().get_value (1) == 10);
  workspace.create_tensor ("plain", C2g.DataType.FLOAT, { 2 }).set_value (0, 1);
  fails (new C2g.Error.NOT_SUPPORTED (""), () => { workspace.save_checkpoint (weights, null, null); });
  var options = new C2g.SaveOptions ();
  options.skip_unsupported = true;
  workspace.save_checkpoint (weights, options, null);
  assert_cmpstr (string.joinv (" ", new C2g.Workspace ().load_checkpoint (weights, null, null)), CompareOperator.EQ, "l/0");
}

void net () throws Error {
  write_text ("Bias");
  var workspace = new C2g.Workspace ();
  var given = workspace.create_tensor ("x", C2g.DataType.FLOAT, { 1, 2 });
  var definition = C2g.caffe_net_load (text, weights, workspace, null, 0, null);
  assert_true (workspace.get_tensor ("x") == given);
  assert_cmpstr (string.joinv (" ", definition.get_external_inputs ()), CompareOperator.EQ, "x l/0");
  assert_cmpstr (string.joinv (" ", definition.get_external_outputs ()), CompareOperator.EQ, "y");
  var predictor = new C2g.Predictor.load_nets (weights, text, null, null, C2g.OptimizeFlags.ALL, null);
  var x = new C2g.Workspace ().create_tensor ("x", C2g.DataType.FLOAT, { 1, 2 });
  x.set_value (0, 1);
  x.set_value (1, 2);
  var outputs = predictor.run ({ x }, null);
  assert_true (outputs.length == 1 && outputs[0].get_value (0) == 1 && outputs[0].get_value (1) == 12);
  write_text ("Magic");
  fails (new C2g.Error.NOT_SUPPORTED (""), () => { C2g.caffe_net_load (text, weights, workspace, null, 0, null); });
  write_text ("Bias' top: 'z");
  fails (new C2g.Error.CORRUPT (""), () => { C2g.caffe_net_load (text, weights, workspace, null, 0, null); });
}

void blobs () throws Error {
  var workspace = new C2g.Workspace ();
  var blob = new C2g.CaffeBlob (C2g.DataType.FLOAT, C2g.DataType.FLOAT, { 2 });
  blob.ref_mutable_data_tensor (C2g.DataType.FLOAT, null).fill (5);
  blob.ref_mutable_diff_tensor (C2g.DataType.FLOAT, null).fill (7);
  workspace.create_blob ("l/0").set_object (blob);
  var save_options = new C2g.SaveOptions ();
  save_options.caffe_diff = true;
  workspace.save_checkpoint (weights, save_options, null);
  assert_true (new C2g.ModelFile.open (weights, null, null).load_blob ("l/0", null).get_tensor ().get_value (1) == 5);
  var options = new C2g.LoadOptions ();
  options.caffe_blobs = true;
  var read = (C2g.CaffeBlob) new C2g.ModelFile.open (weights, options, null).load_blob ("l/0", null).get_object ();
  assert_true (read.ref_data_tensor (C2g.DataType.FLOAT, null).get_value (1) == 5);
  assert_true (read.ref_diff_tensor (C2g.DataType.FLOAT, null).get_value (1) == 7);
}

void found () throws Error {
  write_text ("Bias");
  File init, predict;
  assert_true (C2g.Predictor.find_files (weights.get_parent (), out init, out predict, null));
  assert_true (init.equal (weights) && predict.equal (text));
  var definition = C2g.caffe_net_load (predict, init);
  assert_cmpstr (string.joinv (" ", definition.get_external_inputs ()), CompareOperator.EQ, "x l/0");
  assert_true (new C2g.ModelFile.open (weights, null, null).get_net_name () == null);
}

int main (string[] args) {
  Test.init (ref args);
  string folder;
  try {
    folder = DirUtils.make_tmp ("c2g-XXXXXX");
  } catch (Error error) {
    return 1;
  }
  weights = File.new_build_filename (folder, "l.caffemodel");
  text = File.new_build_filename (folder, "deploy.prototxt");
  add ("27.1 there and back", there_and_back);
  add ("27.2 net", net);
  add ("27.3 blobs", blobs);
  add ("27.4 found", found);
  var result = Test.run ();
  FileUtils.remove (weights.get_path ());
  FileUtils.remove (text.get_path ());
  DirUtils.remove (folder);
  return result;
}
