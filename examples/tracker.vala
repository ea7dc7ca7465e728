// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// An element of GStreamer that holds a tensor across frames: the track of a bright spot.

class Tracker : Gst.Base.Transform {
  private Gst.Video.Info info;
  // A row for each frame: the column and the row of the spot.
  private C2g.Tensor track;

  static construct {
    var caps = Gst.Caps.from_string ("video/x-raw, format=GRAY8");
    add_pad_template (new Gst.PadTemplate ("sink", Gst.PadDirection.SINK, Gst.PadPresence.ALWAYS, caps));
    add_pad_template (new Gst.PadTemplate ("src", Gst.PadDirection.SRC, Gst.PadPresence.ALWAYS, caps));
    set_static_metadata ("Tracker", "Filter/Analyzer/Video", "Tracks a bright spot", "The c2g authors");
  }

  // Works in place, because tensors are attached to the buffer of the frame itself.
  construct {
    set_in_place (true);
  }

  public override bool set_caps (Gst.Caps input, Gst.Caps output) {
    info = new Gst.Video.Info ();
    return info.from_caps (input);
  }

  public override bool start () {
    try {
      track = new C2g.Tensor.sized ({ 0, 2 }, null);
    } catch (Error error) {
      return false;
    }
    return true;
  }

  // Adds the middle of the bright pixels, weighted by how bright they are. The end of this method releases the tensor over
  // the frame: nothing can be attached to a buffer while a tensor holds it.
  private void append (Gst.Buffer buffer) throws Error {
    var frame = C2gGst.tensor_new_from_video_frame (buffer, info);
    unowned var dims = frame.get_dims ();
    double sum = 0, x = 0, y = 0;

    for (int64 i = 0; i < frame.get_n_elements (); i++) {
      double value = frame.get_value (i);
      if (value < 128) {
        continue;
      }
      sum += value;
      x += value * (i % dims[1]);
      y += value * (i / dims[1]);
    }

    // Takes memory for more rows than one, so that the track is seldom moved.
    track.extend (1, 100, null);
    track.allocate (FLOAT);
    int64 last = track.get_n_elements ();
    track.set_value (last - 2, sum > 0 ? x / sum : -1);
    track.set_value (last - 1, sum > 0 ? y / sum : -1);
  }

  public override Gst.FlowReturn transform_ip (Gst.Buffer buffer) {
    try {
      append (buffer);
      // An attached tensor stays read-only, so the element attaches a copy and keeps its own.
      C2gGst.buffer_add_tensor (buffer, "track", track.clone (null), null);
    } catch (Error error) {
      post_message (new Gst.Message.error (this, error, ""));
      return Gst.FlowReturn.ERROR;
    }
    return Gst.FlowReturn.OK;
  }
}

void run () throws Error {
  var pipeline = (Gst.Pipeline) Gst.parse_launch (
    "videotestsrc pattern=ball motion=sweep animation-mode=frames num-buffers=41 " +
    "! video/x-raw,format=GRAY8,width=64,height=48 ! tracker ! c2gsink name=sink sync=false");
  var sink = pipeline.get_by_name ("sink");
  C2g.Workspace? workspace;
  C2g.Tensor? track = null;

  pipeline.set_state (Gst.State.PLAYING);
  while (true) {
    Signal.emit_by_name (sink, "pull-tensors", out workspace);
    if (workspace == null) {
      break;
    }
    track = workspace.get_tensor ("track");
  }
  var message = pipeline.get_bus ().pop_filtered (Gst.MessageType.ERROR);
  pipeline.set_state (Gst.State.NULL);
  if (message != null) {
    Error error;
    message.parse_error (out error, null);
    throw error;
  }
  for (int64 i = 0; track != null && i < track.get_dim (0); i += 10) {
    print ("%.0f, %.0f\n", track.get_value (2 * i), track.get_value (2 * i + 1));
  }
}

int main (string[] args) {
  Gst.init (ref args);
  Gst.Element.register (null, "tracker", Gst.Rank.NONE, typeof (Tracker));
  try {
    run ();
  } catch (Error error) {
    printerr ("tracker: %s\n", error.message);
    return 1;
  }
  return 0;
}
