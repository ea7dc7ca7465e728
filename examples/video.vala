// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// A trained model tells what is in a video: video [MODEL]

void show (Gst.Sample sample) throws Error {
  var scores = C2gGst.sample_get_tensor (sample, "softmax");
  int64 best = 0;

  for (int64 i = 1; i < scores.get_n_elements (); i++) {
    if (scores.get_value (i) > scores.get_value (best)) {
      best = i;
    }
  }
  print ("%d %.1f %%\n", (int) best, 100 * scores.get_value (best));
}

void run (string model) throws Error {
  var pipeline = (Gst.Pipeline) Gst.parse_launch (
    @"multifilesrc location=$model/pictures/%d.png stop-index=9 caps=image/png,framerate=1/1 ! pngdec " +
    @"! c2ginference model=$model preset=digits ! c2gsink name=sink sync=false");
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
  try {
    run (args.length > 1 ? args[1] : "examples/models/digits");
  } catch (Error error) {
    printerr ("video: %s\n", error.message);
    return 1;
  }
  return 0;
}
