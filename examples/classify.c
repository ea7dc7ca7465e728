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
  gboolean is_good = predictor != NULL;

  for (int digit = 0; is_good && digit < 10; digit++)
    {
      g_autofree char *path = g_strdup_printf ("%s/pictures/%d.png", folder, digit);
      g_autoptr (GFile) picture_file = g_file_new_for_path (path);
      g_autoptr (C2gTensor) picture = c2g_tensor_new_from_picture (picture_file, options, NULL, error);
      g_autofree C2gTensor **outputs = NULL;
      g_autofree C2gClassScore **best = NULL;
      guint n;

      if (picture != NULL)
        outputs = c2g_predictor_run (predictor, &picture, 1, &n, NULL, error);
      if (outputs != NULL)
        best = c2g_predictor_list_classes (predictor, outputs[0], 0, 1, &n, error);
      is_good = best != NULL;
      if (!is_good)
        break;
      g_print ("%d.png: %s, %.1f %%\n", digit, c2g_class_score_get_label (best[0]),
               100 * c2g_class_score_get_score (best[0]));
      g_object_unref (best[0]);
    }
  return is_good;
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
