// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Code that the test programs share. A test's name begins with the number of its case in cases.md.

delegate void Case () throws Error;
delegate void Provoke () throws Error;

unowned C2g.Device cpu () {
  return C2g.Device.cpu ();
}

// Checks that every test frees all its memory.
class Entry {
  Case run;

  public Entry (owned Case run) {
    this.run = (owned) run;
  }

  public void call () {
    var reporter = C2g.MemoryReporter.get_default ();
    var n_blocks = reporter.get_n_blocks (null);
    var n_bytes = reporter.get_current_bytes (null);
    try {
      run ();
    } catch (Error error) {
      Test.message ("%s", error.message);
      Test.fail ();
    }
    // A thread may drop its references a moment after it has reported that it is done.
    for (int i = 0; i < 1000 && reporter.get_n_blocks (null) != n_blocks; i++)
      Thread.usleep (1000);
    assert_true (reporter.get_n_blocks (null) == n_blocks && reporter.get_current_bytes (null) == n_bytes);
    uint64 sum = 0;
    foreach (unowned C2g.MemoryBlock block in reporter.list_blocks (null))
      sum += block.get_n_bytes ();
    assert_true (sum == n_bytes);
  }
}

List<Entry> entries;

void add (string path, owned Case run) {
  var entry = new Entry ((owned) run);
  Test.add_data_func ("/" + path, entry.call);
  entries.append ((owned) entry);
}

string fails (C2g.Error wanted, Provoke provoke) {
  try {
    provoke ();
  } catch (Error error) {
    if (error.domain != wanted.domain || error.code != wanted.code)
      Test.message ("%s %d: %s", error.domain.to_string (), error.code, error.message);
    assert_true (error.domain == wanted.domain);
    assert_cmpint (error.code, CompareOperator.EQ, wanted.code);
    return error.message;
  }
  assert_not_reached ();
}

Bytes floats (float[] numbers) {
  unowned uint8[] bytes = (uint8[]) numbers;
  bytes.length = (int) (numbers.length * sizeof (float));
  return new Bytes (bytes);
}

C2g.Tensor new_tensor (int64[] dims, C2g.DataType data_type = C2g.DataType.FLOAT) throws Error {
  var tensor = new C2g.Tensor.sized (dims, cpu ());
  tensor.allocate (data_type);
  return tensor;
}

C2g.Tensor new_floats (float[] numbers) throws Error {
  var tensor = new_tensor ({ numbers.length });
  tensor.set_bytes (floats (numbers));
  return tensor;
}

string numbers_of (C2g.Tensor tensor) throws Error {
  var text = new StringBuilder ();
  for (int64 i = 0; i < tensor.get_n_elements (); i++)
    text.append_printf ("%s%g", i == 0 ? "" : " ", tensor.get_value (i));
  return text.str;
}
