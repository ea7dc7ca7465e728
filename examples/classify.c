/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Classifies pictures by a trained model: classify [MODEL] */
#include <c2g/c2g.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <locale.h>

#define SIZE 8

/* The model takes grey pixels from 0 to 1. The pictures are grey, so any channel will do. */
static C2gTensor *
read_picture (const char *path, GError **error)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new_from_file_at_scale (path, SIZE, SIZE, FALSE, error);
  float *data = NULL;

  if (pixbuf != NULL && c2g_tensor_resize (tensor, (gint64[]) { 1, 1, SIZE, SIZE }, 4, error))
    data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, error);
  if (data == NULL)
    return NULL;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      data[y * SIZE + x] = gdk_pixbuf_read_pixels (pixbuf)[y * gdk_pixbuf_get_rowstride (pixbuf) +
                                                           x * gdk_pixbuf_get_n_channels (pixbuf)] /
                           255.0f;
  return g_steal_pointer (&tensor);
}

static gboolean
classify (C2gPredictor *predictor, const char *folder, int digit, char **labels, GError **error)
{
  g_autofree char *path = g_strdup_printf ("%s/pictures/%d.png", folder, digit);
  g_autoptr (C2gTensor) picture = read_picture (path, error);
  g_autofree C2gTensor **outputs = NULL;
  guint n_outputs;
  const float *data = NULL;
  guint best = 0;

  if (picture != NULL)
    outputs = c2g_predictor_run (predictor, &picture, 1, &n_outputs, NULL, error);
  if (outputs == NULL)
    return FALSE;
  /* This model has one output. */
  data = c2g_tensor_data (outputs[0], C2G_DATA_TYPE_FLOAT, error);
  if (data == NULL)
    return FALSE;
  for (guint i = 1; i < g_strv_length (labels); i++)
    if (data[i] > data[best])
      best = i;
  g_print ("%d.png: %s, %.1f %%\n", digit, labels[best], 100 * data[best]);
  return TRUE;
}

static gboolean
run (const char *folder, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autofree char *labels_path = g_build_filename (folder, "labels.txt", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) labels = NULL;
  g_autofree char *inputs = NULL;
  g_autofree char *outputs = NULL;

  /* Loads the weights once; the net can run any number of times. */
  g_autoptr (C2gPredictor) predictor = c2g_predictor_load (file, NULL, NULL, C2G_OPTIMIZE_ALL,
                                                           NULL, error);
  if (predictor == NULL || !g_file_get_contents (labels_path, &text, NULL, error))
    return FALSE;
  C2gNet *net = c2g_predictor_get_net (predictor);
  inputs = g_strjoinv (", ", (char **) c2g_predictor_get_inputs (predictor));
  outputs = g_strjoinv (", ", (char **) c2g_predictor_get_outputs (predictor));
  g_print ("%s: %u operators, %s -> %s\n", c2g_net_get_name (net), c2g_net_get_n_operators (net), inputs, outputs);

  labels = g_strsplit (g_strstrip (text), "\n", -1);
  for (int digit = 0; labels[digit] != NULL; digit++)
    if (!classify (predictor, folder, digit, labels, error))
      return FALSE;
  return TRUE;
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
