/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Changes a trained model so that it sees no sevens, and saves its parameters: adjust [MODEL [FILE]]; without MODEL
 * in the folder of the sources. */
#include <c2g/c2g.h>
#include <locale.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = g_file_new_for_path (argc > 1 ? argv[1] : "examples/models/digits");
  g_autoptr (GFile) checkpoint = g_file_get_child (folder, "init_net.pb");
  g_autoptr (GFile) picture = g_file_get_child (folder, "pictures/7.png");
  g_autoptr (GFile) output = g_file_new_for_path (argc > 2 ? argv[2] : "/tmp/adjusted.minidb");
  /* Each line goes on if the one before has worked. */
  g_autoptr (C2gPredictor) predictor = c2g_predictor_load (folder, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  C2gWorkspace *workspace = predictor ? c2g_predictor_get_workspace (predictor) : NULL;
  g_auto (GStrv) names = workspace ? c2g_workspace_load_checkpoint (workspace, checkpoint, NULL, NULL, &error) : NULL;
  g_autoptr (C2gClassScore) before = names ? c2g_predictor_classify_file (predictor, picture, NULL, &error) : NULL;
  g_autoptr (C2gTensor) bias = before ? c2g_workspace_get_tensor (workspace, "fc_b", &error) : NULL;
  /* Writes into the memory of the tensor. */
  gboolean is_changed = bias && c2g_tensor_set_value (bias, 7, -100, &error);
  g_autoptr (C2gClassScore) after = is_changed ? c2g_predictor_classify_file (predictor, picture, NULL, &error) : NULL;
  g_autoptr (C2gSaveOptions) options = g_object_new (C2G_TYPE_SAVE_OPTIONS, "names", names, NULL);

  setlocale (LC_ALL, "");
  if (after && c2g_workspace_save_checkpoint (workspace, output, options, NULL, &error))
    g_print ("before: %s\nafter: %s\nsaved: %u blobs\n", c2g_class_score_get_label (before),
             c2g_class_score_get_label (after), g_strv_length (names));
  else
    g_printerr ("adjust: %s\n", error->message);
  return error != NULL;
}
