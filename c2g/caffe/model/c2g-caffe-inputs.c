/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layer-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Registers the blobs of a net of Caffe, each of which only one layer or input may make, and adds
 * the inputs, which are at the beginning of the text or in a layer of type Input. */

/* Field of old texts with four dimensions for each input. */
#define OLD_SHAPE "input_dim"
#define OLD_DIMS  4

const char *
c2g_caffe_net_add_blob (C2gCaffeNet  *self,
                        const char   *name,
                        GError      **error)
{
  char *kept = g_string_chunk_insert_const (self->strings, name);

  if (g_hash_table_insert (self->blobs, kept, kept))
    return kept;
  return c2g_fail_null (error, C2G_ERROR_EXISTS, _("The top “%s” is made twice"), name);
}

/* Adds an input of the net, with its shape if the text has one. */
static gboolean
add_input (C2gCaffeNet  *self,
           const char   *text_name,
           GArray       *dims,
           GError      **error)
{
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gBlob) blob = NULL;
  const char *name = c2g_caffe_net_add_blob (self, text_name, error);

  if (name == NULL)
    return FALSE;
  g_hash_table_add (self->inputs, (char *) name);
  g_ptr_array_add (self->input_order, (char *) name);
  if (dims->len == 0)
    return TRUE;

  tensor = c2g_tensor_new_sized ((const gint64 *) dims->data, dims->len, NULL, error);
  if (tensor == NULL || !c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_FLOAT, error))
    return FALSE;
  blob = c2g_workspace_create_blob (self->workspace, name, error);
  if (blob != NULL)
    c2g_blob_set_object (blob, G_OBJECT (tensor));
  return blob != NULL;
}

/* Returns the shape of input I: from a message, or from four numbers in old texts. A single shape
 * may be for all inputs. */
static GArray *
get_shape (C2gCaffeNet *self,
           GPtrArray   *shapes,
           GArray      *old_dims,
           guint        i)
{
  GArray *dims;

  if (shapes->len > 0)
    return c2g_prototxt_list_ints (&self->text, shapes->pdata[MIN (i, shapes->len - 1)], "dim");

  dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (old_dims->len >= OLD_DIMS)
    g_array_append_vals (dims, &g_array_index (old_dims, gint64, OLD_DIMS * MIN (i, old_dims->len / OLD_DIMS - 1)),
                         OLD_DIMS);
  return dims;
}

gboolean
c2g_caffe_net_add_inputs (C2gCaffeNet       *self,
                          GPtrArray         *names,
                          C2gPrototxtField  *message,
                          const char        *shape_field,
                          gboolean           is_shared,
                          GError           **error)
{
  g_autoptr (GPtrArray) shapes = c2g_prototxt_list_messages (&self->text, message, shape_field);
  g_autoptr (GArray) old_dims = c2g_prototxt_list_ints (&self->text, message, OLD_SHAPE);
  const guint n_names = names->len - 1;
  const guint n_shapes = shapes->len > 0 ? shapes->len : old_dims->len / OLD_DIMS;
  const gboolean has_shapes = shapes->len > 0 || old_dims->len > 0;

  if (has_shapes && n_shapes < n_names && !(is_shared && n_shapes == 1))
    {
      c2g_prototxt_fail (&self->text, c2g_prototxt_find (message, shapes->len > 0 ? shape_field : OLD_SHAPE),
                         _("each input needs a shape, or none"));
      return c2g_prototxt_check (&self->text, error);
    }
  for (guint i = 0; i < n_names; i++)
    {
      g_autoptr (GArray) dims = get_shape (self, shapes, old_dims, i);

      if (!add_input (self, names->pdata[i], dims, error))
        return FALSE;
    }
  return TRUE;
}
