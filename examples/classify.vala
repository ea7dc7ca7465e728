// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Classifies pictures by a trained model: classify [MODEL]

const int SIZE = 8;

C2g.Tensor read_picture (string path) throws Error {
  // The model takes grey pixels from 0 to 1. The pictures are grey, so any channel will do.
  var pixbuf = new Gdk.Pixbuf.from_file_at_scale (path, SIZE, SIZE, false);
  unowned uint8[] pixels = pixbuf.get_pixels_with_length ();
  var values = new float[SIZE * SIZE];
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      values[y * SIZE + x] = pixels[y * pixbuf.rowstride + x * pixbuf.n_channels] / 255f;
  unowned uint8[] bytes = (uint8[]) values;
  bytes.length = (int) (values.length * sizeof (float));
  return new C2g.Tensor.from_bytes (C2g.DataType.FLOAT, { 1, 1, SIZE, SIZE }, new Bytes (bytes));
}

void run (string folder) throws Error {
  // Loads the weights once; the net can run any number of times.
  var predictor = new C2g.Predictor.load (File.new_for_path (folder), null, null, C2g.OptimizeFlags.ALL, null);
  var net = predictor.get_net ();
  print ("%s: %u operators, %s -> %s\n", net.get_name (), net.get_n_operators (),
         string.joinv (", ", predictor.get_inputs ()), string.joinv (", ", predictor.get_outputs ()));

  string text;
  FileUtils.get_contents (folder + "/labels.txt", out text);
  string[] labels = text.strip ().split ("\n");
  for (int digit = 0; digit < labels.length; digit++) {
    var picture = read_picture ("%s/pictures/%d.png".printf (folder, digit));
    var probabilities = predictor.run ({ picture }, null)[0];
    int best = 0;
    for (int i = 1; i < labels.length; i++)
      if (probabilities.get_value (i) > probabilities.get_value (best))
        best = i;
    print ("%d.png: %s, %.1f %%\n", digit, labels[best], 100 * probabilities.get_value (best));
  }
}

int main (string[] args) {
  Intl.setlocale ();

  try {
    run (args.length > 1 ? args[1] : "examples/models/digits");
  } catch (Error error) {
    printerr ("classify: %s\n", error.message);
    return 1;
  }

  return 0;
}
