// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Changes a model so that it sees no sevens, and saves its parameters: adjust [MODEL [FILE]]; MODEL is examples/models/digits.

void run (File folder, File output) throws Error {
  var predictor = new C2g.Predictor.load (folder);
  predictor.load_parameters (folder.get_child ("init_net.pb"));
  print ("before: %s\n", predictor.classify_file (folder.get_child ("pictures/7.png")).label);
  // Writes into the memory of the tensor.
  predictor.get_workspace ()["fc_b"][7] = -100;
  print ("after: %s\n", predictor.classify_file (folder.get_child ("pictures/7.png")).label);
  predictor.save_parameters (output);
}

int main (string[] args) {
  Intl.setlocale ();
  try {
    run (File.new_for_path (args.length > 1 ? args[1] : "examples/models/digits"),
         File.new_for_path (args.length > 2 ? args[2] : "/tmp/adjusted.minidb"));
  } catch (Error error) {
    printerr ("adjust: %s\n", error.message);
    return 1;
  }
  return 0;
}
