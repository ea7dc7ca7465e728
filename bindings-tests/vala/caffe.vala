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
  // The handler's closure holds the variables of this function, including the memory itself.
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
  assert_true (memory.asum (C2g.DataType.UINT8, 4) == 394 && memory.amax (C2g.DataType.UINT8, 4) == 100);
  assert_true (memory.sumsq (C2g.DataType.INT8, 1) == 97 * 97);
  fails (new C2g.Error.RANGE (""), () => { memory.asum (FLOAT, 2); });
  memory.resize (2);
  assert_true (memory.dup_bytes ().compare (new Bytes ("ab".data)) == 0 && memory.get_cpu_memory_use (true) == 4);
  memory.resize (8);
  assert_true (memory.get_head () == C2g.SyncedHead.UNINITIALIZED && memory.get_cpu_memory_use (false) == 0);
  memory.resize (size_t.MAX);
  fails (new C2g.Error.NO_MEMORY (""), () => { memory.dup_bytes (); });
  var absent = new C2g.SyncedMemory (4, C2g.Device.parse ("cuda:1000"));
  fails (new C2g.Error.DEVICE (""), () => { absent.push (null); });
  assert_true (absent.get_head () == C2g.SyncedHead.UNINITIALIZED);
}

const C2g.DataType HALF = C2g.DataType.FLOAT16;
const C2g.DataType FLOAT = C2g.DataType.FLOAT;
const C2g.DataType DOUBLE = C2g.DataType.DOUBLE;
const C2g.DataType INT32 = C2g.DataType.INT32;

/* Creates a mixed tensor with these numbers. */
C2g.MixedTensor written (double[] values, C2g.DataType type) throws Error {
  var mixed = new C2g.MixedTensor (type, { values.length }, null);
  var tensor = mixed.ref_mutable_tensor (type, null);
  for (int i = 0; i < values.length; i++)
    tensor.set_value (i, values[i]);
  return mixed;
}

string read_as (C2g.MixedTensor mixed, C2g.DataType type) throws Error {
  return numbers_of (mixed.ref_tensor (type, null));
}

void mixed_tensor () throws Error {
  var mixed = new C2g.MixedTensor (HALF, { 2, 3 }, C2g.Device.parse ("cuda:1"));
  assert_true (mixed.get_data_type () == HALF && mixed.get_n_elements () == 6);
  assert_true (mixed.get_dims ().length == 2 && mixed.get_dims ()[1] == 3 && mixed.name == null);
  assert_true (mixed.get_head (HALF) == C2g.SyncedHead.UNINITIALIZED);
  assert_cmpstr (read_as (mixed, DOUBLE), CompareOperator.EQ, "0 0 0 0 0 0");
  assert_true (mixed.get_head (DOUBLE) == C2g.SyncedHead.AT_CPU);
  assert_true (mixed.to_string ().has_prefix ("[2, 3] of float16"));
  fails (new C2g.Error.TYPE (""), () => { new C2g.MixedTensor (C2g.DataType.STRING, { 1 }, null); });
  fails (new C2g.Error.SHAPE (""), () => { new C2g.MixedTensor (FLOAT, { -1 }, null); });
  fails (new C2g.Error.DEVICE (""), () => { mixed.ref_tensor (FLOAT, C2g.Device.parse ("cuda:0")); });
}

void conversions () throws Error {
  var mixed = written ({ 1.0 / 3, 1e300, -1e-300 }, DOUBLE);
  int n_converted = 0;
  var handler = mixed.converted.connect ((from, to) => { n_converted++; });
  for (int i = 0; i < 3; i++) {
    var halves = mixed.ref_tensor (HALF, null);
    assert_true (halves.get_value (0) == 0.333251953125 && halves.get_value (1) == 65504);
  }
  assert_cmpint (n_converted, CompareOperator.EQ, 1);
  mixed.disconnect (handler);
  assert_true (mixed.is_valid (HALF) && !mixed.is_valid (INT32));
  assert_cmpstr (read_as (mixed, INT32), CompareOperator.EQ, "0 2.14748e+09 0");
  var doubles = mixed.ref_tensor (DOUBLE, null);
  assert_true (doubles.get_value (0) == 1.0 / 3 && doubles.get_value (1) == 1e300 && doubles.get_value (2) == -1e-300);
}

void holders () throws Error {
  var mixed = written ({ 1 }, FLOAT);
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "1");
  C2g.Tensor? writer = mixed.ref_mutable_tensor (FLOAT, null);
  assert_true (mixed.is_held ());
  writer.set_value (0, 2);
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "2");
  writer.set_value (0, 3);
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "3");
  var message = fails (new C2g.Error.BUSY (""), () => { mixed.ref_mutable_tensor (HALF, null); });
  assert_true (message.contains ("float"));
  fails (new C2g.Error.BUSY (""), () => { mixed.set_data_type (DOUBLE); });
  writer = null;
  assert_false (mixed.is_held ());
  mixed.ref_mutable_tensor (HALF, null).set_value (0, 4);
  assert_cmpstr (read_as (mixed, FLOAT), CompareOperator.EQ, "4");
  assert_true (mixed.get_data_type () == HALF);
  C2g.Tensor? tensor = new C2g.Tensor.scalar (INT32, 5);
  var other = new C2g.MixedTensor (FLOAT, { 1 }, null);
  other.set_tensor (tensor);
  tensor.set_value (0, 6);
  assert_cmpstr (read_as (other, HALF), CompareOperator.EQ, "6");
  assert_true (other.is_held () && other.get_dims ().length == 0);
  fails (new C2g.Error.BUSY (""), () => { other.set_tensor (tensor); });
  tensor = null;
  assert_false (other.is_held ());
}

void foreign () throws Error {
  var owner = new C2g.Tensor.scalar (FLOAT, 1);
  var mixed = new C2g.MixedTensor (FLOAT, { 1 }, null);
  C2g.Tensor? tensor = new C2g.Tensor.from_dlpack (owner.to_dlpack (0, null, 0), 0, null);
  mixed.set_tensor (tensor);
  tensor = null;
  owner.set_value (0, 2);
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "2");
  owner.set_value (0, 3);
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "3");
  assert_true (mixed.is_held () && !mixed.is_valid (HALF));
  mixed.set_data_type (HALF);
  owner.set_value (0, 4);
  assert_cmpstr (read_as (mixed, DOUBLE), CompareOperator.EQ, "3");
  assert_false (mixed.is_held ());
}

void readers () throws Error {
  var mixed = written ({ 1 }, FLOAT);
  var halves = mixed.ref_tensor (HALF, null);
  var floats = mixed.ref_tensor (FLOAT, null);
  mixed.ref_mutable_tensor (FLOAT, null).set_value (0, 2);
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "2");
  assert_true (halves.get_value (0) == 1 && floats.get_value (0) == 1);
  assert_true (halves.get_storage ().is_read_only () && floats.get_storage ().is_read_only ());
  halves.set_value (0, 5);
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "2");
}

void arithmetic_and_shapes () throws Error {
  var mixed = written ({ 1, -2, 3, -4 }, FLOAT);
  assert_true (mixed.asum () == 10 && mixed.amax () == 4 && mixed.sumsq () == 30);
  mixed.scale (0.5);
  assert_cmpstr (read_as (mixed, DOUBLE), CompareOperator.EQ, "0.5 -1 1.5 -2");
  mixed.axpy (2, written ({ 1, 2, 3, 4 }, HALF));
  assert_cmpstr (read_as (mixed, DOUBLE), CompareOperator.EQ, "2.5 3 7.5 6");
  mixed.axpy (-2, written ({ 1, 2, 3, 4 }, INT32));
  mixed.set_data_type (INT32);
  assert_cmpstr (read_as (mixed, FLOAT), CompareOperator.EQ, "0 -1 1 -2");
  mixed.fill (7);
  assert_true (mixed.invalidate_others () && !mixed.is_valid (FLOAT));
  mixed.reshape ({ 2, 1 });
  assert_cmpstr (read_as (mixed, FLOAT), CompareOperator.EQ, "7 7");
  mixed.reshape ({ 5 });
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "0 0 0 0 0");
  assert_true (mixed.get_cpu_memory_use (HALF) == 10 && mixed.get_cpu_memory_use (DOUBLE) == 0);
  mixed.copy_from (written ({ 1.5, 2.5, -3.5, 1e12, 0 }, DOUBLE));
  assert_cmpstr (read_as (mixed, HALF), CompareOperator.EQ, "1 2 -3 65504 0");
  fails (new C2g.Error.SHAPE (""), () => { mixed.copy_from (written ({ 1 }, FLOAT)); });
  assert_true (mixed.copy_from (mixed) && mixed.trim ());
  assert_true (mixed.get_cpu_memory_use (INT32) == 20 && mixed.get_cpu_memory_use (HALF) == 0);
}

int main (string[] args) {
  Test.init (ref args);
  add ("24.1 synced memory", synced_memory);
  add ("24.2 size and marks", size_and_marks);
  add ("24.3 mixed tensor", mixed_tensor);
  add ("24.4 conversions", conversions);
  add ("24.5 holders", holders);
  add ("24.6 readers", readers);
  add ("24.10 foreign", foreign);
  add ("24.7 arithmetic and shapes", arithmetic_and_shapes);
  return Test.run ();
}
