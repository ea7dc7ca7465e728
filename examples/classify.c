/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Classifies pictures by a trained model: classify [MODEL] */
#include <c2g/c2g.h>
#include <locale.h>

static gboolean
run (const char *folder, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  /* Loads the weights once; the net can run any number of times. */
  g_autoptr (C2gPredictor) predictor = c2g_predictor_load (file, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, error);
  g_autoptr (C2gPictureOptions) options = c2g_picture_options_new ("digits");

  for (int digit = 0; predictor != NULL && digit < 10; digit++)
    {
      g_autofree char *path = g_strdup_printf ("pictures/%d.png", digit);
      g_autoptr (GFile) picture_file = g_file_get_child (file, path);
      g_autoptr (C2gTensor) picture = c2g_tensor_new_from_picture (picture_file, options, NULL, error);
      g_autoptr (C2gClassScore) best = picture ? c2g_predictor_classify (predictor, picture, NULL, error) : NULL;
      if (best == NULL)
        return FALSE;
      g_print ("%d.png: %s, %.1f %%\n", digit, c2g_class_score_get_label (best), 100 * c2g_class_score_get_score (best));
    }
  return predictor != NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  setlocale (LC_ALL, "");
  if (!run (argc > 1 ? argv[1] : "examples/models/digits", &error))
    g_printerr ("classify: %s\n", error->message);
  return error != NULL;
}
