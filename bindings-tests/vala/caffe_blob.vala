// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// NVCaffe's blobs.

const C2g.DataType HALF = C2g.DataType.FLOAT16;
const C2g.DataType FLOAT = C2g.DataType.FLOAT;
const C2g.DataType DOUBLE = C2g.DataType.DOUBLE;
const C2g.DataType INT32 = C2g.DataType.INT32;
const C2g.CaffeParts DATA = C2g.CaffeParts.DATA;
const C2g.CaffeParts DIFF = C2g.CaffeParts.DIFF;
const C2g.CaffeParts BOTH = C2g.CaffeParts.BOTH;

/* Creates a blob with these data, and a diff with one number everywhere. */
C2g.CaffeBlob written (double[] data, double diff, C2g.DataType data_type, C2g.DataType diff_type) throws Error {
  var blob = new C2g.CaffeBlob (data_type, diff_type, { data.length }, null);
  for (int i = 0; i < data.length; i++)
    blob.set_value_at (DATA, { i }, data[i]);
  blob.fill_diff (diff);
  return blob;
}

void assert_data (C2g.CaffeBlob blob, string expected) throws Error {
  assert_cmpstr (numbers_of (blob.ref_data_tensor (DOUBLE, null)), CompareOperator.EQ, expected);
}

void assert_diff (C2g.CaffeBlob blob, string expected) throws Error {
  assert_cmpstr (numbers_of (blob.ref_diff_tensor (DOUBLE, null)), CompareOperator.EQ, expected);
}

void blob () throws Error {
  var blob = new C2g.CaffeBlob (HALF, FLOAT, { 2, 3 }, C2g.Device.parse ("cuda:1"));
  assert_true (blob.get_dims ().length == 2 && blob.get_dims ()[1] == 3 && blob.get_n_elements () == 6);
  assert_true (blob.data.get_data_type () == HALF && blob.diff.get_data_type () == FLOAT);
  assert_true (blob.get_data () == blob.data && blob.get_diff () == blob.diff && !blob.is_empty ());
  assert_true (blob.get_device () == C2g.Device.parse ("cuda:1") && blob.name == null);
  assert_data (blob, "0 0 0 0 0 0");
  blob.reshape ({ 2 }, BOTH);
  assert_cmpstr (blob.to_string ().split ("\n")[0], CompareOperator.EQ, "2 (2)");
  var typed = (C2g.CaffeBlob) Object.new (typeof (C2g.CaffeBlob), "name", "conv1", "data-type", HALF, "diff-type", FLOAT);
  assert_true (typed.data.get_data_type () == HALF && typed.diff.get_data_type () == FLOAT);
  fails (new C2g.Error.TYPE (""), () => { new C2g.CaffeBlob (FLOAT, C2g.DataType.STRING, { 1 }, null); });
  fails (new C2g.Error.SHAPE (""), () => { new C2g.CaffeBlob (FLOAT, FLOAT, { -1 }, null); });
}

void shape () throws Error {
  var blob = new C2g.CaffeBlob (FLOAT, FLOAT, { 2, 3, 4, 5 }, null);
  var n_reshaped = 0;
  var handler = blob.reshaped.connect (() => { n_reshaped++; });
  assert_true (blob.get_num () == 2 && blob.get_channels () == 3 && blob.get_height () == 4 && blob.get_width () == 5);
  assert_true (blob.canonical_axis (-1) == 3 && blob.get_dim (-1) == 5);
  assert_true (blob.count (1, 3) == 12 && blob.count (2, -1) == 20);
  assert_true (blob.offset ({ 1, 2, 3, 4 }) == 119 && blob.offset ({ 1 }) == 60);
  assert_cmpstr (blob.dup_shape_string (), CompareOperator.EQ, "2 3 4 5 (120)");
  assert_true (blob.ref_gpu_shape ().dup_bytes ().compare (new Bytes ({ 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0 })) == 0);
  fails (new C2g.Error.SHAPE (""), () => { blob.canonical_axis (4); });
  fails (new C2g.Error.SHAPE (""), () => { blob.count (3, 1); });
  fails (new C2g.Error.RANGE (""), () => { blob.offset ({ 2 }); });
  blob.reshape ({ 1, 1, 1, 1, 1 }, BOTH);
  fails (new C2g.Error.SHAPE (""), () => { blob.get_num (); });
  blob.reshape_like (new C2g.CaffeBlob (FLOAT, FLOAT, { 2, 3 }, null));
  assert_true (n_reshaped == 2);
  blob.reshape ({ 7 }, DATA);
  fails (new C2g.Error.SHAPE (""), () => { blob.ref_diff_tensor (FLOAT, null); });
  // The handler's closure holds the variables of this function, including the blob.
  blob.disconnect (handler);
}

void elements () throws Error {
  var blob = written ({ 1.0 / 3, 1e6 }, 2, DOUBLE, FLOAT);
  assert_cmpstr (numbers_of (blob.ref_data_tensor (HALF, null)), CompareOperator.EQ, "0.333252 65504");
  assert_cmpstr (numbers_of (blob.ref_data_tensor (INT32, null)), CompareOperator.EQ, "0 1e+06");
  assert_true (blob.data_at ({ 0 }) == 1.0 / 3 && blob.diff_at ({ 1 }) == 2);
  blob.set_value_at (BOTH, { 0 }, 5);
  blob.set_value_at (DIFF, { 1 }, 6);
  assert_data (blob, "5 1e+06");
  assert_diff (blob, "5 6");
  blob.ref_mutable_data_tensor (DOUBLE, null).set_value (1, 8);
  blob.ref_mutable_diff_tensor (HALF, null).set_value (0, 7);
  assert_true (blob.data_at ({ 1 }) == 8 && blob.diff_at ({ 0 }) == 7 && blob.diff.get_data_type () == HALF);
  fails (new C2g.Error.RANGE (""), () => { blob.data_at ({ 2 }); });
  fails (new C2g.Error.SHAPE (""), () => { blob.diff_at ({ 0, 0 }); });
}

void arithmetic () throws Error {
  var blob = written ({ 1, -2, 3 }, 0.5, FLOAT, HALF);
  assert_true (blob.asum_data () == 6 && blob.sumsq_data () == 14 && blob.amax_data () == 3);
  assert_true (blob.asum_diff () == 1.5 && blob.sumsq_diff () == 0.75 && blob.amax_diff () == 0.5);
  blob.update ();
  assert_data (blob, "0.5 -2.5 2.5");
  blob.scale_data (2);
  blob.scale_diff (-4);
  assert_data (blob, "1 -5 5");
  assert_diff (blob, "-2 -2 -2");
  blob.fill_data (3);
  assert_data (blob, "3 3 3");
}

void copies () throws Error {
  var source = written ({ 1, 2, 3 }, 4, FLOAT, FLOAT);
  var target = written ({ 0, 0, 0 }, 0, HALF, DOUBLE);
  target.copy_from (source, DATA);
  assert_data (target, "1 2 3");
  assert_diff (target, "0 0 0");
  target.copy_from (source, DIFF);
  assert_diff (target, "4 4 4");
  fails (new C2g.Error.SHAPE (""), () => { target.copy_from (written ({ 1 }, 0, FLOAT, FLOAT), BOTH); });
  var pictures = written ({ 0, 1, 2, 3, 4, 5 }, 0, FLOAT, FLOAT);
  pictures.reshape ({ 1, 2, 1, 3 }, BOTH);
  var pixels = new C2g.CaffeBlob (FLOAT, FLOAT, { 1, 2, 1, 3 }, null);
  pixels.repack_from (pictures, DATA, C2g.CaffePacking.NCHW, C2g.CaffePacking.NHWC);
  assert_data (pixels, "0 3 1 4 2 5");
}

void sharing () throws Error {
  var bottom = written ({ 1, 2, 3, 4 }, 5, FLOAT, FLOAT);
  var top = new C2g.CaffeBlob (FLOAT, FLOAT, { 2, 2 }, null);
  var n_notified = 0;
  var handler = top.notify["data"].connect (() => { n_notified++; });
  top.share_data (bottom);
  top.share_data (bottom);
  top.share_diff (bottom);
  assert_true (n_notified == 1 && top.data == bottom.data);
  assert_true (top.ref_data_tensor (FLOAT, null).get_dims ().length == 2);
  top.set_value_at (DATA, { 1, 1 }, 9);
  assert_data (bottom, "1 2 3 9");
  assert_diff (top, "5 5 5 5");
  fails (new C2g.Error.INVALID_ARGUMENT (""), () => { bottom.share_data (top); });
  fails (new C2g.Error.INVALID_ARGUMENT (""), () => { top.share_tensor (DATA, top.diff); });
  top.reshape ({ 2 }, BOTH);
  assert_true (top.asum_data () == 3);
  top.reshape ({ 5 }, BOTH);
  assert_data (top, "0 0 0 0 0");
  assert_true (n_notified == 2);
  top.disconnect (handler);
}

void messages () throws Error {
  var blob = written ({ 1, 2, 3 }, 4, HALF, FLOAT);
  var proto = blob.to_proto (C2g.CaffeProtoFlags.DIFF | C2g.CaffeProtoFlags.BVLC);
  var other = new C2g.CaffeBlob (FLOAT, FLOAT, { 1 }, null);
  bool is_equal;
  blob.shape_equals (proto, out is_equal);
  assert_true (is_equal);
  other.shape_equals (proto, out is_equal);
  assert_false (is_equal);
  fails (new C2g.Error.SHAPE (""), () => { other.from_proto (proto, false); });
  other.from_proto (proto, true);
  assert_data (other, "1 2 3");
  assert_diff (other, "4 4 4");
  other.from_proto (blob.to_proto (C2g.CaffeProtoFlags.NONE), false);
  assert_true (other.data.get_data_type () == HALF);
  // The message has raw data without a type.
  var damaged = new Bytes ({ 0x3a, 3, 0x0a, 1, 2, 0x62, 4, 0, 0, 0, 0 });
  fails (new C2g.Error.CORRUPT (""), () => { blob.from_proto (damaged, true); });
  assert_data (blob, "1 2 3");
}

void locked_type () throws Error {
  var blob = new C2g.CaffeTBlob (HALF, { 2 }, null);
  assert_true (blob.get_data_type () == HALF);
  blob.fill_data (1);
  assert_data (blob, "1 1");
  assert_true ("float16" in fails (new C2g.Error.TYPE (""), () => { blob.ref_mutable_data_tensor (FLOAT, null); }));
  var plain = written ({ 1, 2 }, 0, FLOAT, FLOAT);
  fails (new C2g.Error.TYPE (""), () => { blob.share_data (plain); });
  plain.share_data (blob);
  fails (new C2g.Error.TYPE (""), () => { plain.ref_mutable_data_tensor (FLOAT, null); });
}

int main (string[] args) {
  Test.init (ref args);
  add ("25.1 blob", blob);
  add ("25.2 shape", shape);
  add ("25.3 elements", elements);
  add ("25.4 arithmetic", arithmetic);
  add ("25.5 copies", copies);
  add ("25.6 sharing", sharing);
  add ("25.7 messages", messages);
  add ("25.8 locked type", locked_type);
  return Test.run ();
}
