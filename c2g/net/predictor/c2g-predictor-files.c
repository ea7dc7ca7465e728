/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-predictor.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Finds the files of a model in a folder, by their names. */

/* A model of Caffe has the blobs of the layers in one file and the net as text in another. */
#define CAFFE_WEIGHTS ".caffemodel"
#define CAFFE_TEXT    "deploy.prototxt"

static const char *const net_endings[] = { ".pb", ".pbtxt", ".prototxt", NULL };
static const char *const no_endings[] = { "", NULL };

static gboolean
has_ending (const char        *name,
            const char        *part,
            const char *const *endings)
{
  for (; *endings != NULL; endings++)
    {
      g_autofree char *ending = g_strconcat (part, *endings, NULL);

      if (g_str_has_suffix (name, ending))
        return TRUE;
    }
  return FALSE;
}

/* Shorter names come first: init_net.pb before quant_init_net.pb. Names of equal length are sorted. */
static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const char *first = *(const char *const *) a;
  const char *second = *(const char *const *) b;
  const gsize n_first = strlen (first);
  const gsize n_second = strlen (second);

  return n_first != n_second ? (n_first > n_second) - (n_first < n_second) : strcmp (first, second);
}

/* Lists the files in the folder whose names end with PART and one of the endings, the best match
 * first. */
static GPtrArray *
list_names (GFile              *folder,
            const char         *part,
            const char *const  *endings,
            GCancellable       *cancellable,
            GError            **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GFileEnumerator) files = NULL;
  GFileInfo *info = NULL;

  files = g_file_enumerate_children (folder, G_FILE_ATTRIBUTE_STANDARD_NAME, 0, cancellable, error);
  if (files == NULL)
    return NULL;
  do
    {
      const char *name;

      if (!g_file_enumerator_iterate (files, &info, NULL, cancellable, error))
        return NULL;
      name = info != NULL ? g_file_info_get_name (info) : NULL;
      if (name != NULL && has_ending (name, part, endings))
        g_ptr_array_add (names, g_strdup (name));
    }
  while (info != NULL);

  g_ptr_array_sort (names, compare_names);
  return g_steal_pointer (&names);
}

static GFile *
find_net (GFile         *folder,
          const char    *part,
          GCancellable  *cancellable,
          GError       **error)
{
  g_autoptr (GPtrArray) names = list_names (folder, part, net_endings, cancellable, error);
  g_autofree char *path = NULL;

  if (names == NULL)
    return NULL;
  if (names->len > 0)
    return g_file_get_child (folder, names->pdata[0]);

  path = g_file_get_parse_name (folder);
  return c2g_fail_null (error, C2G_ERROR_NOT_FOUND,
                        _("Folder “%s” has no %s.pb and no %s.pbtxt, nor a .caffemodel beside a %s, nor an LMDB database"),
                        path, part, part, CAFFE_TEXT);
}

/* Sets the error for several candidates of which none is preferred. */
static void
refuse_several (GFile      *folder,
                GPtrArray  *names,
                GFile      *text,
                GError    **error)
{
  g_autoptr (GFile) first = g_file_get_child (folder, names->pdata[0]);
  g_autofree char *weights_path = g_file_get_parse_name (first);
  g_autofree char *text_path = g_file_get_parse_name (text);
  g_autofree char *path = g_file_get_parse_name (folder);
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;

  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (shown, g_filename_display_name (names->pdata[i]));
  g_ptr_array_add (shown, NULL);
  list = g_strjoinv (_(", "), (char **) shown->pdata);
  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("Folder “%s” has several models of Caffe: %s; name one, as in %s,%s"), path, list, weights_path,
               text_path);
}

/* Returns TRUE and no files if the folder has no model of Caffe. */
static gboolean
find_caffe (GFile         *folder,
            GFile        **weights,
            GFile        **text,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (GPtrArray) names = list_names (folder, CAFFE_WEIGHTS, no_endings, cancellable, error);
  g_autoptr (GPtrArray) texts = NULL;
  g_autoptr (GFile) found = NULL;

  texts = names != NULL ? list_names (folder, CAFFE_TEXT, no_endings, cancellable, error) : NULL;
  if (texts == NULL)
    return FALSE;
  if (names->len == 0 || texts->len == 0)
    return TRUE;

  found = g_file_get_child (folder, texts->pdata[0]);
  if (names->len > 1)
    {
      refuse_several (folder, names, found, error);
      return FALSE;
    }
  *weights = g_file_get_child (folder, names->pdata[0]);
  *text = g_steal_pointer (&found);
  return TRUE;
}

/**
 * c2g_predictor_find_files:
 * @folder: a folder with a model
 * @init_net: (out) (transfer full): the net that fills blobs; for a model of Caffe, the file with
 *   the blobs of the layers
 * @predict_net: (out) (transfer full): the net to run; for a model of Caffe, its text
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Finds the files of a model, as [ctor@Predictor.load] does.
 *
 * A folder has `init_net.pb` and `predict_net.pb`, or files whose names end like that, with the
 * suffix `.pb`, `.pbtxt` or `.prototxt`. If there are several, the shortest name is used. Instead
 * the folder may have a model of Caffe: one `.caffemodel` and `deploy.prototxt`, or a longer name
 * that ends like that.
 *
 * Errors: `C2G_ERROR_NOT_FOUND` if a file is missing, `C2G_ERROR_INVALID_ARGUMENT` if there are
 * several `.caffemodel` files, and those of reading the folder.
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

  g_return_val_if_fail (G_IS_FILE (folder), FALSE);
  g_return_val_if_fail (init_net != NULL && predict_net != NULL, FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  *init_net = *predict_net = NULL;
  if (!find_caffe (folder, &init, &predict, cancellable, error))
    return FALSE;
  if (init == NULL)
    {
      init = find_net (folder, "init_net", cancellable, error);
      predict = init != NULL ? find_net (folder, "predict_net", cancellable, error) : NULL;
    }
  if (predict == NULL)
    return FALSE;

  *init_net = g_steal_pointer (&init);
  *predict_net = g_steal_pointer (&predict);
  return TRUE;
}
