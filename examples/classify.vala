// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Classifies pictures by a trained model: classify [MODEL]; without MODEL in the folder of the sources

void run (File folder) throws Error {
  // Loads the weights once; the net can run any number of times.
  var predictor = new C2g.Predictor.load (folder);
  for (int digit = 0; digit < 10; digit++) {
    var best = predictor.classify_file (folder.get_child ("pictures/%d.png".printf (digit)));
    print ("%d.png: %s, %.1f %%\n", digit, best.label, 100 * best.score);
  }
}

int main (string[] args) {
  Intl.setlocale ();

  try {
    run (File.new_for_path (args.length > 1 ? args[1] : "examples/models/digits"));
  } catch (Error error) {
    printerr ("classify: %s\n", error.message);
    return 1;
  }

  return 0;
}
