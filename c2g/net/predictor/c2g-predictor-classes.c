/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-model-text-private.h>
#include <c2g/net/predictor/c2g-predictor-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <math.h>

/* Finds the best classes in an output, and their names in the file labels.txt beside the model. */

GFile *
c2g_predictor_dup_net_file (C2gPredictor *self)
{
  g_autofree char *path = self->file == NULL ? c2g_workspace_dup_model_folder (self->workspace) : NULL;
  g_autoptr (GFile) folder = path != NULL ? g_file_new_for_path (path) : NULL;

  if (self->file != NULL)
    return g_object_ref (self->file);
  return folder != NULL ? g_file_get_child (folder, "predict_net") : NULL;
}

static char **
load_labels (C2gPredictor *self)
{
  g_autoptr (GFile) net = c2g_predictor_dup_net_file (self);
  g_autoptr (GFile) file = net != NULL ? c2g_model_text_find (net, C2G_LABELS_NAME) : NULL;
  char *text = file != NULL ? c2g_model_text_load (file, NULL, NULL) : NULL;

  return text != NULL ? c2g_model_text_split_labels (text) : NULL;
}

/**
 * c2g_predictor_get_labels:
 * @self: a predictor
 *
 * Gets the names of the classes, as `c2g run` finds them.
 *
 * They are the lines of the file `labels.txt` beside the net or the database of the model, or in the
 * folder of an LMDB database. The first call reads it.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the names; `NULL` if there is no
 *   such file
 */
const char * const *
c2g_predictor_get_labels (C2gPredictor *self)
{
  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);

  if (g_once_init_enter (&self->are_labels_read))
    {
      self->labels = load_labels (self);
      g_once_init_leave (&self->are_labels_read, 1);
    }
  return (const char *const *) self->labels;
}

typedef struct
{
  gint64 index;
  double score;
} Class;

/* Sorts descending, with NaN last; equal scores by index. */
static int
compare_classes (gconstpointer a,
                 gconstpointer b)
{
  const Class *first = a;
  const Class *second = b;

  if (!isnan (first->score) != !isnan (second->score))
    return isnan (first->score) ? 1 : -1;
  if (first->score < second->score)
    return 1;
  if (first->score > second->score)
    return -1;
  return first->index < second->index ? -1 : 1;
}

/* Returns the number of classes in scores [K], [N, K] or [N, K, 1, 1]; 0 for other shapes. */
static gint64
count_classes (C2gTensor *scores,
               gint64    *n_rows)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (scores, &n_dims);

  *n_rows = n_dims < 2 ? 1 : dims[0];
  for (gsize i = 2; i < n_dims; i++)
    if (dims[i] != 1)
      return 0;
  return n_dims > 0 ? dims[MIN (n_dims - 1, 1)] : 0;
}

/* Returns the classes of a row, best first. */
static GArray *
sort_row (C2gTensor *scores,
          gint64     row,
          GError   **error)
{
  g_autoptr (GArray) classes = g_array_new (FALSE, FALSE, sizeof (Class));
  g_autofree char *text = NULL;
  gint64 n_rows;
  const gint64 n_classes = count_classes (scores, &n_rows);

  if (n_classes == 0)
    {
      text = c2g_tensor_to_string (scores, 0);
      return c2g_fail_null (error, C2G_ERROR_SHAPE, _("Expected scores of classes, [N, K], got %s"), text);
    }
  if (row < 0 || row >= n_rows)
    return c2g_fail_null (error, C2G_ERROR_RANGE, _("Expected a row below %" PRId64 ", got %" PRId64), n_rows, row);

  for (gint64 i = 0; i < n_classes; i++)
    {
      GError *local_error = NULL;
      const Class class = { i, c2g_tensor_get_value (scores, row * n_classes + i, &local_error) };

      if (local_error != NULL)
        {
          g_propagate_error (error, local_error);
          return NULL;
        }
      g_array_append_val (classes, class);
    }
  g_array_sort (classes, compare_classes);
  return g_steal_pointer (&classes);
}

/**
 * c2g_predictor_list_classes:
 * @self: a predictor
 * @scores: an output with a score for each class, `[N, K]`
 * @row: the picture of the batch, from 0
 * @n_max: the largest number of classes to list; 0 for all of them
 * @n_classes: (out): number of classes
 * @error: return location for an error
 *
 * Lists the best classes in an output, with their names, best first.
 *
 * Names are those of [method@Predictor.get_labels].
 *
 * ```python
 * scores, = predictor.run([picture])
 * for found in predictor.list_classes(scores, 0, 5):
 *     print(found.label, found.score)
 * ```
 *
 * Returns: (transfer full) (array length=n_classes): the classes; in C
 *   `g_auto (C2gClassScoreList)` frees them
 */
C2gClassScore **
c2g_predictor_list_classes (C2gPredictor  *self,
                            C2gTensor     *scores,
                            gint64         row,
                            guint          n_max,
                            guint         *n_classes,
                            GError       **error)
{
  const char *const *labels;
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (GArray) classes = NULL;
  C2gClassScore **list;
  gint64 n_labels;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (C2G_IS_TENSOR (scores), NULL);
  g_return_val_if_fail (n_classes != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *n_classes = 0;
  near = c2g_tensor_ref_on_cpu (scores, error);
  classes = near != NULL ? sort_row (near, row, error) : NULL;
  if (classes == NULL)
    return NULL;

  labels = c2g_predictor_get_labels (self);
  n_labels = labels != NULL ? g_strv_length ((char **) labels) : 0;
  *n_classes = n_max > 0 ? MIN (n_max, classes->len) : classes->len;
  list = g_new0 (C2gClassScore *, *n_classes + 1);
  for (guint i = 0; i < *n_classes; i++)
    {
      const Class *class = &g_array_index (classes, Class, i);

      list[i] = c2g_class_score_new (class->index, class->score,
                                     class->index < n_labels ? labels[class->index] : NULL);
    }
  return list;
}

C2gClassScore *
c2g_predictor_find_best (C2gPredictor  *self,
                         C2gTensor    **outputs,
                         guint          n_outputs,
                         GError       **error)
{
  g_autofree C2gClassScore **best = NULL;
  gint64 n_rows;
  guint n;

  if (n_outputs == 0)
    return c2g_fail_null (error, C2G_ERROR_NOT_FOUND, _("The model has no output"));
  if (count_classes (outputs[0], &n_rows) > 0 && n_rows > 1)
    return c2g_fail_null (error, C2G_ERROR_SHAPE,
                          _("Expected scores of one picture, got those of %" PRId64 "; there is classify_batch() for several"),
                          n_rows);
  best = c2g_predictor_list_classes (self, outputs[0], 0, 1, &n, error);
  return best != NULL ? best[0] : NULL;
}

static C2gClassScore **
find_best_of_rows (C2gPredictor  *self,
                   C2gTensor    **outputs,
                   guint          n_outputs,
                   guint         *n_classes,
                   GError       **error)
{
  g_autoptr (C2gTensor) near = NULL;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 n_rows;

  if (n_outputs == 0)
    return c2g_fail_null (error, C2G_ERROR_NOT_FOUND, _("The model has no output"));
  near = c2g_tensor_ref_on_cpu (outputs[0], error);
  if (near == NULL)
    return NULL;

  /* Scores of a wrong shape are the error of the first row. */
  if (count_classes (near, &n_rows) == 0)
    n_rows = 1;
  for (gint64 row = 0; row < n_rows; row++)
    {
      guint n;
      g_autofree C2gClassScore **best = c2g_predictor_list_classes (self, near, row, 1, &n, error);

      if (best == NULL)
        return NULL;
      g_ptr_array_add (found, best[0]);
    }

  *n_classes = found->len;
  g_ptr_array_add (found, NULL);
  g_ptr_array_set_free_func (found, NULL);
  return (C2gClassScore **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}

/**
 * c2g_predictor_classify:
 * @self: a predictor
 * @picture: the tensor for the first input, such as a picture
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs the model, and finds the best class in its first output.
 *
 * This is [method@Predictor.run] and [method@Predictor.list_classes] in one, for a single picture.
 * For several ones there is [method@Predictor.classify_batch].
 *
 * Errors: those of the two, `C2G_ERROR_NOT_FOUND` if the model has no output, and
 * `C2G_ERROR_SHAPE` if it has the scores of several pictures.
 *
 * Returns: (transfer full): the class with the highest score
 */
C2gClassScore *
c2g_predictor_classify (C2gPredictor  *self,
                        C2gTensor     *picture,
                        GCancellable  *cancellable,
                        GError       **error)
{
  g_autofree C2gTensor **outputs = NULL;
  guint n;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (C2G_IS_TENSOR (picture), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  outputs = c2g_predictor_run (self, &picture, 1, &n, cancellable, error);
  return outputs != NULL ? c2g_predictor_find_best (self, outputs, n, error) : NULL;
}

/**
 * c2g_predictor_classify_batch:
 * @self: a predictor
 * @pictures: the tensor for the first input, such as pictures in the order NCHW
 * @n_pictures: (out): number of pictures
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Runs the model once on several pictures, and finds the best class of each.
 *
 * ```python
 * batch = C2g.Tensor.new_from_pictures(['cat.jpg', 'dog.jpg'], predictor.dup_picture_options())
 * for found in predictor.classify_batch(batch):
 *     print(found.label, found.score)
 * ```
 *
 * Errors: those of [method@Predictor.run] and [method@Predictor.list_classes], and
 * `C2G_ERROR_NOT_FOUND` if the model has no output.
 *
 * Returns: (transfer full) (array length=n_pictures): the class with the highest score of each
 *   picture; in C `g_auto (C2gClassScoreList)` frees them
 */
C2gClassScore **
c2g_predictor_classify_batch (C2gPredictor  *self,
                              C2gTensor     *pictures,
                              guint         *n_pictures,
                              GCancellable  *cancellable,
                              GError       **error)
{
  g_autofree C2gTensor **outputs = NULL;
  guint n;

  g_return_val_if_fail (C2G_IS_PREDICTOR (self), NULL);
  g_return_val_if_fail (C2G_IS_TENSOR (pictures), NULL);
  g_return_val_if_fail (n_pictures != NULL, NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  *n_pictures = 0;
  outputs = c2g_predictor_run (self, &pictures, 1, &n, cancellable, error);
  return outputs != NULL ? find_best_of_rows (self, outputs, n, n_pictures, error) : NULL;
}
