// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// NVCaffe's memory.

void synced_memory () throws Error {
  var memory = new C2g.SyncedMemory (4, null);
  var heads = "";
  var handler = memory.head_changed.connect ((before, now) => { heads += "%d%d ".printf (before, now); });
  assert_true (memory.get_head () == C2g.SyncedHead.UNINITIALIZED);
  assert_true (memory.dup_bytes ().compare (new Bytes ({ 0, 0, 0, 0 })) == 0);
  assert_cmpstr (heads, CompareOperator.EQ, "01 ");
  assert_true (memory.is_cpu_head () && !memory.is_gpu_head ());
  memory.set_bytes (new Bytes ("abcd".data));
  assert_true (memory.dup_bytes ().compare (new Bytes ("abcd".data)) == 0);
  assert_cmpstr (heads, CompareOperator.EQ, "01 ");
  fails (new C2g.Error.SHAPE (""), () => { memory.set_bytes (new Bytes ("abc".data)); });
  assert_true (memory.dup_bytes ().compare (new Bytes ("abcd".data)) == 0);
  // The handler holds what this function has, the memory itself among it.
  memory.disconnect (handler);
}

void size_and_marks () throws Error {
  var memory = new C2g.SyncedMemory (4, C2g.Device.parse ("cuda:1"));
  assert_true (memory.get_n_bytes () == 4 && memory.n_bytes == 4 && memory.name == null);
  assert_cmpstr (memory.to_string (), CompareOperator.EQ, "4 bytes, uninitialized, invalid; cpu 0, cuda:1 0");
  memory.set_bytes (new Bytes ("abcd".data));
  assert_true (memory.is_valid ());
  memory.invalidate ();
  assert_false (memory.is_valid ());
  memory.validate ();
  assert_true (memory.is_valid ());
  memory.resize (2);
  assert_true (memory.dup_bytes ().compare (new Bytes ("ab".data)) == 0 && memory.get_cpu_memory_use (true) == 4);
  memory.resize (8);
  assert_true (memory.get_head () == C2g.SyncedHead.UNINITIALIZED && memory.get_cpu_memory_use (false) == 0);
  fails (new C2g.Error.RANGE (""), () => { memory.resize (size_t.MAX); });
  var absent = new C2g.SyncedMemory (4, C2g.Device.parse ("cuda:1000"));
  fails (new C2g.Error.DEVICE (""), () => { absent.push (null); });
  assert_true (absent.get_head () == C2g.SyncedHead.UNINITIALIZED);
}

int main (string[] args) {
  Test.init (ref args);
  add ("24.1 synced memory", synced_memory);
  add ("24.2 size and marks", size_and_marks);
  return Test.run ();
}
