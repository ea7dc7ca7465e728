/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/load/c2g-folder-private.h>

/* Finds the files of a model in a folder, by their names. */

/* A model of Caffe has the blobs of the layers in one file and the net as text in another. */
#define CAFFE_WEIGHTS ".caffemodel"
#define CAFFE_TEXT    "deploy.prototxt"

static const char *const net_endings[] = { ".pb", ".pbtxt", ".prototxt", NULL };
static const char *const no_endings[] = { "", NULL };
static const char *const database_endings[] = { ".minidb", NULL };

static GFile *
find_net (GFile         *folder,
          const char    *part,
          GCancellable  *cancellable,
          GError       **error)
{
  g_autoptr (GPtrArray) names = c2g_folder_list_files (folder, part, net_endings, cancellable, error);
  g_autofree char *path = NULL;

  if (names == NULL)
    return NULL;
  if (names->len > 0)
    return g_file_get_child (folder, names->pdata[0]);

  path = g_file_get_parse_name (folder);
  return c2g_fail_null (error, C2G_ERROR_NOT_FOUND,
                        _("Folder “%s” has no %s.pb and no %s.pbtxt, nor a .caffemodel beside a %s, nor a .minidb or an LMDB database"),
                        path, part, part, CAFFE_TEXT);
}

/* Returns TRUE and no files if the folder has no model of Caffe. */
static gboolean
find_caffe (GFile         *folder,
            GFile        **weights,
            GFile        **text,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (GPtrArray) names = c2g_folder_list_files (folder, CAFFE_WEIGHTS, no_endings, cancellable, error);
  g_autoptr (GPtrArray) texts = NULL;
  g_autoptr (GFile) found = NULL;

  texts = names != NULL ? c2g_folder_list_files (folder, CAFFE_TEXT, no_endings, cancellable, error) : NULL;
  if (texts == NULL)
    return FALSE;
  if (names->len == 0 || texts->len == 0)
    return TRUE;

  found = g_file_get_child (folder, texts->pdata[0]);
  *weights = g_file_get_child (folder, names->pdata[0]);
  if (names->len > 1)
    {
      g_autofree char *weights_path = g_file_get_parse_name (*weights);
      g_autofree char *text_path = g_file_get_parse_name (found);
      g_autofree char *both = g_strdup_printf ("%s,%s", weights_path, text_path);

      c2g_folder_refuse (folder, names, both, error);
      return FALSE;
    }
  *text = g_steal_pointer (&found);
  return TRUE;
}

/**
 * c2g_predictor_find_files:
 * @folder: a folder with a model
 * @init_net: (out) (transfer full): the net that fills blobs; for a model of Caffe, the file with
 *   the blobs of the layers
 * @predict_net: (out) (transfer full): the net to run; for a model of Caffe, its text; for a
 *   database the same file as @init_net
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Finds the files of a model, as [ctor@Predictor.load] does.
 *
 * A folder has `init_net.pb` and `predict_net.pb`, or files whose names end like that, with the
 * suffix `.pb`, `.pbtxt` or `.prototxt`. If there are several, the shortest name is used. Instead
 * the folder may have a model of Caffe: one `.caffemodel` and `deploy.prototxt`, or a longer name
 * that ends like that; or one `.minidb`, which has all of a model.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if a file is missing, `C2G_ERROR_INVALID_ARGUMENT` if there are
 * several `.caffemodel` or `.minidb` files, and those of reading the folder.
 *
 * Returns: `TRUE` if both files exist
 */
gboolean
c2g_predictor_find_files (GFile         *folder,
                          GFile        **init_net,
                          GFile        **predict_net,
                          GCancellable  *cancellable,
                          GError       **error)
{
  g_autoptr (GFile) init = NULL;
  g_autoptr (GFile) predict = NULL;
  GError *local_error = NULL;

  g_return_val_if_fail (G_IS_FILE (folder), FALSE);
  g_return_val_if_fail (init_net != NULL && predict_net != NULL, FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  *init_net = *predict_net = NULL;
  if (!find_caffe (folder, &init, &predict, cancellable, error))
    return FALSE;
  if (init == NULL)
    {
      init = find_net (folder, "init_net", cancellable, &local_error);
      predict = init != NULL ? find_net (folder, "predict_net", cancellable, &local_error) : NULL;
    }
  if (g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NOT_FOUND))
    {
      g_clear_object (&init);
      init = c2g_folder_find_instead (folder, database_endings, cancellable, &local_error);
      g_set_object (&predict, init);
    }
  if (predict == NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }

  *init_net = g_steal_pointer (&init);
  *predict_net = g_steal_pointer (&predict);
  return TRUE;
}
