// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Runs a model on pictures as a video, and prints where its output is largest: video [MODEL [PRESET PICTURES]];
// without MODEL in the folder of the sources

void show (Gst.Sample sample) throws Error {
  var name = C2gGst.sample_list_tensors (sample)[0];
  var output = C2gGst.sample_get_tensor (sample, name);
  int64 best = 0;

  for (int64 i = 1; i < output.get_n_elements (); i++) {
    if (output.get_value (i) > output.get_value (best)) {
      best = i;
    }
  }
  print ("%s: %.3f at %d\n", name, output.get_value (best), (int) best);
}

void run (string model, string preset, string pictures) throws Error {
  var pipeline = (Gst.Pipeline) Gst.parse_launch (
    @"multifilesrc location=\"$pictures\" caps=image/png,framerate=1/1 ! pngdec " +
    @"! c2ginference model=\"$model\" preset=$preset ! c2gsink name=sink sync=false");
  var sink = (Gst.App.Sink) pipeline.get_by_name ("sink");
  Gst.Sample? sample = null;

  var is_playing = pipeline.set_state (Gst.State.PLAYING) != Gst.StateChangeReturn.FAILURE;
  while (is_playing && (sample = sink.pull_sample ()) != null) {
    show (sample);
  }

  var message = pipeline.get_bus ().pop_filtered (Gst.MessageType.ERROR);
  pipeline.set_state (Gst.State.NULL);
  if (message != null) {
    Error error;
    message.parse_error (out error, null);
    throw error;
  }
}

int main (string[] args) {
  Gst.init (ref args);
  var model = args.length > 1 ? args[1] : "examples/models/digits";
  try {
    run (model, args.length > 3 ? args[2] : "digits", args.length > 3 ? args[3] : model + "/pictures/%d.png");
  } catch (Error error) {
    printerr ("video: %s\n", error.message);
    return 1;
  }
  return 0;
}
