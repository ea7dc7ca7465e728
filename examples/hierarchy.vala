// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Workspace, blob, tensor, storage: the whole hierarchy in one program.

void run () throws Error {
  // A workspace owns blobs and finds them by name.
  var workspace = new C2g.Workspace ();
  var blob = workspace.create_blob ("weights");

  // A blob holds anything; here it gets a tensor on the CPU.
  var weights = blob.ensure_tensor (null);
  weights.resize ({ 2, 3 });
  weights.allocate (C2g.DataType.FLOAT);
  float numbers[] = { 1, 2, 3, 4, 5, 6 };
  unowned uint8[] bytes = (uint8[]) numbers;
  bytes.length = (int) (numbers.length * sizeof (float));
  weights.set_bytes (new Bytes (bytes));
  print ("%s: %s\n", blob.get_name (), weights.to_string (6));

  // A tensor that needs more room gets another block, and emits a signal.
  weights.reallocated.connect ((tensor, old_capacity, new_capacity) => {
    print ("reallocated: %llu -> %llu bytes\n", old_capacity, new_capacity);
  });
  weights.resize ({ 4, 3 });
  new C2g.CpuContext ().fill (weights, 0.5);

  // Two tensors share one storage, so a write to one changes both.
  var view = workspace.create_blob ("view").ensure_tensor (null);
  view.resize ({ 12 });
  view.share_data (weights);
  view.set_value (0, 10);
  print ("weights[0] = %g\n", weights.get_value (0));

  // An error says what was expected.
  try {
    weights.reshape ({ 5 });
  } catch (C2g.Error.SHAPE error) {
    print ("error: %s\n", error.message);
  }

  // The report lists memory by the names of blobs.
  var labels = workspace.create_blob ("labels").ensure_tensor (null);
  labels.resize ({ 4 });
  labels.allocate (C2g.DataType.INT64);
  print ("%s", C2g.MemoryReporter.get_default ().dup_report ());
}

int main () {
  Intl.setlocale ();

  try {
    run ();
  } catch (Error error) {
    printerr ("hierarchy: %s\n", error.message);
    return 1;
  }

  return 0;
}
