/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/model/c2g-caffe-layer-private.h>

#include <c2g/core/tensor/c2g-tensor-convert.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/* Makes blobs of the file parameters of the net. If several layers give a blob the same name, they
 * share the parameter of the first one. */

static gboolean
has_blob (C2gCaffeLayer *self,
          guint          i)
{
  g_autofree char *name = g_strdup_printf ("%s/%u", self->name, i);
  g_autoptr (C2gFileEntry) entry = c2g_model_file_lookup_entry (self->net->weights, name);

  return entry != NULL;
}

gboolean
c2g_caffe_layer_has_blobs (C2gCaffeLayer *self,
                           guint          n)
{
  return has_blob (self, n - 1) && !has_blob (self, n);
}

/* Returns the field that names blob I: a message in version 2, the name itself in version 1. */
static C2gPrototxtField *
get_param (C2gCaffeLayer *self,
           const char    *field,
           guint          i)
{
  g_autoptr (GPtrArray) params = c2g_prototxt_list (self->field, field);

  return i < params->len ? params->pdata[i] : NULL;
}

/* Returns the name under which the layer shares blob I, or NULL. */
static const char *
get_shared_name (C2gCaffeLayer *self,
                 guint          i)
{
  C2gPrototxtField *param = get_param (self, "param", i);
  const char *name = param == NULL         ? NULL
                     : param->word != NULL ? param->word
                                           : c2g_prototxt_get_word (&self->net->text, param, "name", NULL);

  return name != NULL && *name != '\0' ? name : NULL;
}

static gboolean
is_permissive (C2gCaffeLayer *self,
               guint          i)
{
  static const char *const modes[] = { "STRICT", "PERMISSIVE", NULL };
  C2gPrototxtField *old = get_param (self, "blob_share_mode", i);

  return (old != NULL && g_strcmp0 (old->word, "PERMISSIVE") == 0) ||
         c2g_prototxt_get_enum (&self->net->text, get_param (self, "param", i), "share_mode", modes, 0) == 1;
}

static gboolean
have_equal_dims (C2gFileEntry *a,
                 C2gFileEntry *b)
{
  gsize n_a, n_b;
  const gint64 *dims = c2g_file_entry_get_dims (a, &n_a);
  const gint64 *others = c2g_file_entry_get_dims (b, &n_b);

  return c2g_shape_equal (dims, n_a, others, n_b);
}

/* Returns the name in the file of blob I; for a shared blob that of the first layer. If the layer
 * also has a blob of its own with another shape, which Caffe permits in some modes, *OTHER is that
 * one. */
static const char *
find_blob (C2gCaffeLayer  *self,
           guint           i,
           C2gFileEntry  **other,
           GError        **error)
{
  g_autofree char *own = g_strdup_printf ("%s/%u", self->name, i);
  const char *shared = get_shared_name (self, i);
  const char *name = shared != NULL ? g_hash_table_lookup (self->net->shared, shared) : NULL;
  g_autoptr (C2gFileEntry) entry = NULL;
  g_autoptr (C2gFileEntry) first = NULL;

  if (name == NULL)
    {
      name = g_string_chunk_insert (self->net->strings, own);
      if (shared != NULL)
        g_hash_table_insert (self->net->shared, (char *) shared, (char *) name);
      return name;
    }
  entry = c2g_model_file_lookup_entry (self->net->weights, own);
  first = c2g_model_file_lookup_entry (self->net->weights, name);
  if (entry == NULL || first == NULL || have_equal_dims (entry, first))
    return name;
  if (is_permissive (self, i) && c2g_file_entry_get_n_elements (entry) == c2g_file_entry_get_n_elements (first))
    {
      *other = g_steal_pointer (&entry);
      return name;
    }
  return c2g_fail_null (error, C2G_ERROR_SHAPE,
                        _("The blob “%s” is shared with “%s”, which has another shape"), own, name);
}

/* Loads the blob found by find_blob() as floats. */
static C2gTensor *
load_blob (C2gCaffeLayer  *self,
           const char     *name,
           C2gFileEntry   *other,
           GError        **error)
{
  g_autoptr (C2gBlob) blob = c2g_model_file_load_blob (self->net->weights, name, self->net->cancellable, error);
  g_autoptr (C2gTensor) tensor = NULL;
  C2gTensor *found = blob != NULL ? c2g_blob_get_tensor (blob, error) : NULL;
  const gint64 *dims;
  gsize n_dims;

  if (found == NULL)
    return NULL;
  tensor = c2g_tensor_get_data_type (found) == C2G_DATA_TYPE_FLOAT
             ? g_object_ref (found)
             : c2g_tensor_convert (found, C2G_DATA_TYPE_FLOAT, C2G_CONVERT_SATURATE, error);
  if (tensor == NULL || other == NULL)
    return g_steal_pointer (&tensor);
  dims = c2g_file_entry_get_dims (other, &n_dims);
  return c2g_tensor_reshape (tensor, dims, n_dims, error) ? g_steal_pointer (&tensor) : NULL;
}

C2gTensor *
c2g_caffe_layer_load (C2gCaffeLayer  *self,
                      guint           i,
                      GError        **error)
{
  g_autoptr (C2gFileEntry) other = NULL;
  const char *name = find_blob (self, i, &other, error);

  return name != NULL ? load_blob (self, name, other, error) : NULL;
}

/* Adds the parameter to the net's external inputs and returns its name. */
static const char *
add_parameter (C2gCaffeLayer  *self,
               const char     *what,
               C2gTensor      *tensor,
               GError        **error)
{
  const char *name = c2g_caffe_layer_new_name (self, self->name, what);
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (self->net->workspace, name, error);

  if (blob == NULL)
    return NULL;
  c2g_blob_set_object (blob, G_OBJECT (tensor));
  g_ptr_array_add (self->net->parameters, (char *) name);
  g_hash_table_add (self->net->inputs, (char *) name);
  return name;
}

const char *
c2g_caffe_layer_add (C2gCaffeLayer  *self,
                     const char     *what,
                     const float    *values,
                     gint64          n_values,
                     gsize           n_dims,
                     GError        **error)
{
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_sized (&n_values, n_dims, NULL, error);

  if (tensor == NULL || !c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, error))
    return NULL;
  if (n_values > 0)
    memcpy (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL), values, n_values * sizeof *values);
  return add_parameter (self, what, tensor, error);
}

/* Removes dimensions of 1 at the front down to n_wanted, unless that is -1: blobs of old files have
 * four dimensions, the first ones being 1. */
static gboolean
trim_dims (C2gTensor  *tensor,
           int         n_wanted,
           GError    **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);
  g_autofree gint64 *copy = g_memdup2 (dims, n_dims * sizeof *dims);
  gsize n_left_out = 0;

  if (n_wanted < 0)
    return TRUE;
  while (n_dims - n_left_out > (gsize) n_wanted && copy[n_left_out] == 1)
    n_left_out++;
  if (n_dims - n_left_out <= (gsize) n_wanted)
    return n_left_out == 0 || c2g_tensor_reshape (tensor, copy + n_left_out, n_dims - n_left_out, error);

  return c2g_fail (error, C2G_ERROR_SHAPE, _("A blob has %zu dimensions, expected %d"), n_dims,
                   n_wanted);
}

gboolean
c2g_caffe_layer_check_dim (C2gCaffeLayer  *self,
                           const char     *parameter,
                           gsize           axis,
                           const char     *field,
                           gint64          n,
                           GError        **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_caffe_net_peek_dims (self->net, parameter, &n_dims);
  const gint64 n_found = axis < n_dims ? dims[axis] : 1;

  if (n == n_found)
    return TRUE;
  return c2g_fail (error, C2G_ERROR_SHAPE, _("%s is %" PRId64 ", but the blob “%s” has %" PRId64),
                   field, n, parameter, n_found);
}

/* If only the net is wanted, the shape is enough, because reading the weights takes long. */
static C2gTensor *
load_or_measure (C2gCaffeLayer  *self,
                 const char     *name,
                 C2gFileEntry   *other,
                 GError        **error)
{
  g_autoptr (C2gFileEntry) entry = self->net->has_values ? NULL : c2g_model_file_lookup_entry (self->net->weights, name);
  g_autoptr (C2gTensor) tensor = NULL;
  const gint64 *dims;
  gsize n_dims;

  if (entry == NULL || c2g_file_entry_get_data_type (entry) == C2G_DATA_TYPE_UNDEFINED)
    return load_blob (self, name, other, error);
  dims = c2g_file_entry_get_dims (other != NULL ? other : entry, &n_dims);
  tensor = c2g_tensor_new_sized (dims, n_dims, NULL, error);
  return tensor != NULL && c2g_tensor_set_data_type (tensor, C2G_DATA_TYPE_FLOAT, error) ? g_steal_pointer (&tensor) : NULL;
}

const char *
c2g_caffe_layer_take (C2gCaffeLayer  *self,
                      guint           i,
                      int             n_dims,
                      GError        **error)
{
  g_autoptr (C2gFileEntry) other = NULL;
  const char *name = find_blob (self, i, &other, error);
  const char *known = name != NULL && other == NULL ? g_hash_table_lookup (self->net->taken, name) : NULL;
  g_autofree char *place = g_strdup_printf ("%u", i);
  g_autoptr (C2gTensor) loaded = NULL;

  if (known != NULL)
    return known;
  loaded = name != NULL ? load_or_measure (self, name, other, error) : NULL;
  if (loaded == NULL || !trim_dims (loaded, n_dims, error))
    return NULL;
  known = add_parameter (self, place, loaded, error);
  if (known != NULL && other == NULL && get_shared_name (self, i) != NULL)
    g_hash_table_insert (self->net->taken, (char *) name, (char *) known);
  return known;
}
