/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-net.h>

#include <c2g/caffe/model/c2g-caffe-layer-private.h>
#include <c2g/caffe/model/c2g-caffe-net-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/load/c2g-content-kind-private.h>
#include <c2g/io/stream/c2g-name-private.h>
#include <c2g/io/stream/c2g-source-private.h>

/* Loads a Caffe model from its two files. The text describes the layers. From the other file only
 * the blobs are used; they are found by the names of the layers. */

/* Number of bytes that are examined to recognize a text. */
#define MAX_LOOK 256

static void
unref_blob (gpointer blob)
{
  g_clear_object (&blob);
}

/* Creates a workspace blob for each parameter and input that has a tensor. Everything that can fail
 * is done here. The result has NULL for the others. */
static GPtrArray *
make_blobs (C2gCaffeNet   *self,
            C2gWorkspace  *workspace,
            GError       **error)
{
  const char *const *names = c2g_net_def_get_external_inputs (self->net);
  g_autoptr (GPtrArray) blobs = g_ptr_array_new_with_free_func (unref_blob);

  for (; *names != NULL; names++)
    {
      C2gBlob *blob = NULL;

      if (c2g_workspace_has_blob (self->workspace, *names))
        {
          blob = c2g_workspace_create_local_blob (workspace, *names, error);
          if (blob == NULL)
            return NULL;
        }
      g_ptr_array_add (blobs, blob);
    }
  return g_steal_pointer (&blobs);
}

/* Puts the tensors into the workspace blobs. An input that the caller has filled keeps its content. */
static gboolean
give_blobs (C2gCaffeNet   *self,
            C2gWorkspace  *workspace,
            GError       **error)
{
  const char *const *names = c2g_net_def_get_external_inputs (self->net);
  g_autoptr (GPtrArray) blobs = make_blobs (self, workspace, error);

  for (gsize i = 0; blobs != NULL && i < blobs->len; i++)
    if (blobs->pdata[i] != NULL && (i >= self->n_inputs || c2g_blob_is_empty (blobs->pdata[i])))
      {
        g_autoptr (C2gBlob) source = c2g_workspace_get_blob (self->workspace, names[i], NULL);

        c2g_blob_set_object (blobs->pdata[i], G_OBJECT (c2g_blob_get_tensor (source, NULL)));
      }
  return blobs != NULL;
}

static GBytes *
read_text (GFile         *file,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_file (file, cancellable, error);
  const C2gJob job = { .cancellable = cancellable };

  return source != NULL ? c2g_source_ref_bytes (source, 0, c2g_source_get_n_bytes (source), &job, error) : NULL;
}

static gboolean
has_control_character (C2gSource *source)
{
  char data[MAX_LOOK];
  const gsize n_bytes = MIN (c2g_source_get_n_bytes (source), sizeof data);

  if (!c2g_source_read (source, 0, data, n_bytes, NULL, NULL))
    return FALSE;
  for (gsize i = 0; i < n_bytes; i++)
    if (g_ascii_iscntrl (data[i]) && !g_ascii_isspace (data[i]))
      return TRUE;

  return FALSE;
}

/* Returns TRUE if the file contains blobs, in any format. The first letters of a text can look like
 * such a format, so texts are ruled out first. */
static gboolean
has_blobs (GFile        *file,
           GCancellable *cancellable)
{
  g_autoptr (C2gSource) source = c2g_source_new_for_file (file, cancellable, NULL);
  C2gContentKind kind;

  return source != NULL && c2g_content_kind_guess (source, &kind, NULL) && kind != C2G_CONTENT_UNKNOWN &&
         kind != C2G_CONTENT_NET_TEXT && kind != C2G_CONTENT_FOREIGN && has_control_character (source);
}

/* Swaps the two files if the caller gave them in the wrong order; their content tells. */
static gboolean
put_in_order (GFile         **text,
              GFile         **weights,
              GCancellable   *cancellable,
              GError        **error)
{
  g_autofree char *name = NULL;

  if (!has_blobs (*text, cancellable))
    return TRUE;
  if (g_file_query_file_type (*weights, 0, cancellable) == G_FILE_TYPE_REGULAR && !has_blobs (*weights, cancellable))
    {
      GFile *file = *text;

      *text = *weights;
      *weights = file;
      return TRUE;
    }

  name = g_file_get_parse_name (*text);
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("%s is no text of a net; a model of Caffe is one file with blobs and its text, as in net.caffemodel,%s"),
                   name, "deploy.prototxt");
}

C2gNetDef *
c2g_caffe_net_load_files (const C2gCaffeFiles  *files,
                          C2gWorkspace         *workspace,
                          gsize                *n_inputs,
                          GCancellable         *cancellable,
                          GError              **error)
{
  GFile *prototxt = files->prototxt;
  GFile *weights = files->weights;
  g_auto (C2gCaffeNet) net = { 0 };
  g_autoptr (C2gModelFile) file = NULL;
  g_autoptr (GBytes) text = NULL;
  gconstpointer data;
  gsize n_bytes;

  if (!put_in_order (&prototxt, &weights, cancellable, error))
    return NULL;
  file = c2g_model_file_open (weights, NULL, cancellable, error);
  text = file != NULL ? read_text (prototxt, cancellable, error) : NULL;
  if (text == NULL)
    return NULL;

  net.text_name = g_file_get_parse_name (prototxt);
  data = g_bytes_get_data (text, &n_bytes);
  if (c2g_prototxt_parse (&net.text, data, n_bytes, cancellable, error))
    {
      c2g_caffe_net_init (&net, file, cancellable);
      net.has_values = workspace != NULL;
      if (c2g_caffe_net_translate (&net, files->stages, files->level, error) &&
          (workspace == NULL || give_blobs (&net, workspace, error)))
        {
          *n_inputs = net.n_inputs;
          return g_steal_pointer (&net.net);
        }
    }
  c2g_name_prefix_error (net.text_name, error);
  return NULL;
}

/**
 * c2g_caffe_net_load:
 * @prototxt: the text of a net of Caffe
 * @weights: a `.caffemodel`, or another file with blobs that are named after layers
 * @workspace: (nullable): the workspace for the parameters, and for inputs with a known shape but
 *   no data; `NULL` makes only the net, and reads only the shapes of the weights, and the blobs of
 *   BatchNorm
 * @stages: (nullable) (array zero-terminated=1): the stages for the rules of layers
 * @level: the level for the rules of layers, usually 0; the level in the text is ignored
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Translates a net of Caffe to c2g's operators.
 *
 * The net has the layers of the phase `TEST`. Layers that are only for training are left out, and
 * the blobs of data layers become inputs of the net. Layers of all versions of Caffe are read, also
 * mixed in one text. See [the list of layers](caffe-layers.html). The two files may be given in any
 * order.
 *
 * Fails with `C2G_ERROR_NOT_SUPPORTED` for layers of unknown types, all of which are named;
 * `C2G_ERROR_CORRUPT` if the text is invalid; `C2G_ERROR_NOT_FOUND` if a blob is missing;
 * `C2G_ERROR_SHAPE` if its shape does not fit the layer; and with the errors of
 * [ctor@ModelFile.open]. Messages name the file, the line and the layer. After a failure the
 * workspace has not changed. Inputs in the workspace that have data keep it.
 *
 * Returns: (transfer full): the net. Its external inputs are first those that the program must
 *   give, then the parameters
 */
C2gNetDef *
c2g_caffe_net_load (GFile              *prototxt,
                    GFile              *weights,
                    C2gWorkspace       *workspace,
                    const char *const  *stages,
                    int                 level,
                    GCancellable       *cancellable,
                    GError            **error)
{
  const C2gCaffeFiles files = { prototxt, weights, stages, level };
  gsize n_inputs;

  g_return_val_if_fail (G_IS_FILE (prototxt), NULL);
  g_return_val_if_fail (G_IS_FILE (weights), NULL);
  g_return_val_if_fail (workspace == NULL || C2G_IS_WORKSPACE (workspace), NULL);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  return c2g_caffe_net_load_files (&files, workspace, &n_inputs, cancellable, error);
}
