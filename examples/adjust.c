/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Changes a model so that it sees no sevens, and saves its parameters: adjust [MODEL [FILE]]. Each step needs the one before. */
#include <c2g/c2g.h>
#include <locale.h>

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = g_file_new_for_path (argc > 1 ? argv[1] : "examples/models/digits");
  g_autoptr (GFile) checkpoint = g_file_get_child (folder, "init_net.pb");
  g_autoptr (GFile) picture = g_file_get_child (folder, "pictures/7.png");
  g_autoptr (GFile) output = g_file_new_for_path (argc > 2 ? argv[2] : "/tmp/adjusted.minidb");
  g_autoptr (C2gPredictor) predictor = c2g_predictor_load (folder, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  gboolean is_loaded = predictor && c2g_predictor_load_parameters (predictor, checkpoint, NULL, &error);
  g_autoptr (C2gClassScore) before = is_loaded ? c2g_predictor_classify_file (predictor, picture, NULL, &error) : NULL;
  g_autoptr (C2gTensor) bias = before ? c2g_workspace_get_tensor (c2g_predictor_get_workspace (predictor), "fc_b", &error) : NULL;
  gboolean is_changed = bias && c2g_tensor_set_value (bias, 7, -100, &error); /* writes into the memory of the tensor */
  g_autoptr (C2gClassScore) after = is_changed ? c2g_predictor_classify_file (predictor, picture, NULL, &error) : NULL;
  if (after && c2g_predictor_save_parameters (predictor, output, NULL, &error))
    g_print ("before: %s\nafter: %s\n", c2g_class_score_get_label (before), c2g_class_score_get_label (after));
  else
    g_printerr ("adjust: %s\n", error->message);
  return error != NULL;
}
