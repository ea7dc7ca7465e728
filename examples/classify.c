/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Classifies pictures by a trained model: classify [MODEL]; without MODEL in the folder of the sources. */
#include <c2g/c2g.h>
#include <locale.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = g_file_new_for_path (argc > 1 ? argv[1] : "examples/models/digits");
  g_autoptr (C2gPredictor) predictor = NULL;

  setlocale (LC_ALL, "");
  /* Loads the weights once; the net can run any number of times. */
  predictor = c2g_predictor_load (folder, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  for (int digit = 0; error == NULL && digit < 10; digit++)
    {
      g_autofree char *path = g_strdup_printf ("pictures/%d.png", digit);
      g_autoptr (GFile) picture = g_file_get_child (folder, path);
      g_autoptr (C2gClassScore) best = c2g_predictor_classify_file (predictor, picture, NULL, &error);
      if (best != NULL)
        g_print ("%d.png: %s, %.1f %%\n", digit, c2g_class_score_get_label (best), 100 * c2g_class_score_get_score (best));
    }
  if (error != NULL)
    g_printerr ("classify: %s\n", error->message);
  return error != NULL;
}
