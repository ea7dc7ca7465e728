/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-gst-join.h"

#include "c2g-gst-append.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* Joins tensors along the first dimension. All other dimensions and the types must be equal. */

/* Changes the shape [2, 3] to [1, 2, 3]. */
static gboolean
add_dimension (C2gTensor  *tensor,
               GError    **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);
  g_autofree gint64 *all = g_new (gint64, n_dims + 1);

  all[0] = 1;
  if (n_dims > 0)
    memcpy (all + 1, dims, n_dims * sizeof *dims);

  return c2g_tensor_reshape (tensor, all, n_dims + 1, error);
}

/* Returns the tensors of that name, one from each buffer. */
static GPtrArray *
list_parts (GPtrArray   *sources,
            const char  *name,
            gboolean     stacks,
            GError     **error)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < sources->len; i++)
    {
      C2gTensor *part = c2g_gst_buffer_get_tensor (g_ptr_array_index (sources, i), name, error);

      if (part == NULL)
        return NULL;
      g_ptr_array_add (parts, part);
      if (stacks && !add_dimension (part, error))
        return NULL;
    }

  return g_steal_pointer (&parts);
}

/* Returns TRUE if the rows of the two tensors have the same type and shape. */
static gboolean
fit (C2gTensor *a,
     C2gTensor *b)
{
  gsize n, m;
  const gint64 *first = c2g_tensor_get_dims (a, &n);
  const gint64 *second = c2g_tensor_get_dims (b, &m);

  return n > 0 && n == m && memcmp (first + 1, second + 1, (n - 1) * sizeof *first) == 0 &&
         c2g_tensor_get_data_type (a) == c2g_tensor_get_data_type (b) &&
         c2g_device_equal (c2g_tensor_get_device (a), c2g_tensor_get_device (b));
}

static gboolean
check_parts (GPtrArray   *parts,
             const char  *name,
             GError     **error)
{
  C2gTensor *first = g_ptr_array_index (parts, 0);

  for (guint i = 0; i < parts->len; i++)
    if (!fit (first, g_ptr_array_index (parts, i)))
      {
        g_autofree char *expected = c2g_tensor_to_string (first, 0);
        g_autofree char *got = c2g_tensor_to_string (g_ptr_array_index (parts, i), 0);

        g_set_error (error, C2G_ERROR, C2G_ERROR_SHAPE,
                     _("The tensors “%s” of a batch have no rows of one kind: %s and %s"), name, expected, got);
        return FALSE;
      }

  return TRUE;
}

static gint64
count_rows (C2gTensor *tensor)
{
  gsize n_dims;

  return c2g_tensor_get_dims (tensor, &n_dims)[0];
}

/* Creates a tensor with room for the rows of all parts. */
static C2gTensor *
new_like (GPtrArray  *parts,
          GError    **error)
{
  C2gTensor *first = g_ptr_array_index (parts, 0);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new_for_device (c2g_tensor_get_device (first));
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (first, &n_dims);
  g_autofree gint64 *all = g_memdup2 (dims, n_dims * sizeof *dims);

  for (guint i = 1; i < parts->len; i++)
    {
      const gint64 n_rows = count_rows (g_ptr_array_index (parts, i));

      /* A tensor without elements may have any first dimension, so the sum could overflow. */
      if (n_rows > G_MAXINT64 - all[0])
        {
          g_set_error_literal (error, C2G_ERROR, C2G_ERROR_RANGE, _("The tensors of a batch have too many rows"));
          return NULL;
        }
      all[0] += n_rows;
    }
  if (!c2g_tensor_resize (tensor, all, n_dims, error) ||
      !c2g_tensor_allocate (tensor, c2g_tensor_get_data_type (first), error))
    return NULL;

  return g_steal_pointer (&tensor);
}

static C2gTensor *
join (GPtrArray  *parts,
      GError    **error)
{
  g_autoptr (C2gTensor) tensor = new_like (parts, error);
  gint64 row = 0;

  for (guint i = 0; tensor != NULL && i < parts->len; i++)
    {
      C2gTensor *part = g_ptr_array_index (parts, i);
      const gint64 next = row + count_rows (part);
      g_autoptr (C2gTensor) rows = c2g_tensor_slice (tensor, row, next, error);

      if (rows == NULL || !c2g_tensor_copy_from (rows, part, NULL, error))
        return NULL;
      row = next;
    }

  return g_steal_pointer (&tensor);
}

/* Frames of one stream have a common geometry; those of several streams have none. */
static C2gGstGeometry *
find_geometry (GPtrArray  *sources,
               const char *name)
{
  C2gGstGeometry *geometry = c2g_gst_buffer_get_geometry (g_ptr_array_index (sources, 0), name);

  for (guint i = 1; i < sources->len; i++)
    if (c2g_gst_buffer_get_geometry (g_ptr_array_index (sources, i), name) != geometry)
      return NULL;

  return geometry;
}

static gboolean
join_tensors (GPtrArray   *sources,
              const char  *name,
              gboolean     stacks,
              GstBuffer   *buffer,
              GError     **error)
{
  g_autoptr (GPtrArray) parts = list_parts (sources, name, stacks, error);
  g_autoptr (C2gTensor) tensor = NULL;

  if (parts == NULL || !check_parts (parts, name, error))
    return FALSE;
  tensor = parts->len == 1 ? g_object_ref (g_ptr_array_index (parts, 0)) : join (parts, error);

  return tensor != NULL &&
         c2g_gst_append_tensor (buffer, name, tensor, find_geometry (sources, name), error);
}

static gboolean
check_names (GPtrArray  *sources,
             guint       n_names,
             GError    **error)
{
  for (guint i = 1; i < sources->len; i++)
    {
      g_auto (GStrv) names = c2g_gst_buffer_list_tensors (g_ptr_array_index (sources, i));

      if (g_strv_length (names) != n_names)
        {
          g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                       _("The buffers of a batch have different numbers of tensors: %u and %u"), n_names,
                       g_strv_length (names));
          return FALSE;
        }
    }

  return TRUE;
}

gboolean
c2g_gst_join_buffers (GPtrArray  *sources,
                      gboolean    stacks,
                      GstBuffer  *buffer,
                      GError    **error)
{
  g_auto (GStrv) names = c2g_gst_buffer_list_tensors (g_ptr_array_index (sources, 0));

  if (!check_names (sources, g_strv_length (names), error))
    return FALSE;
  for (char **name = names; *name != NULL; name++)
    if (!join_tensors (sources, *name, stacks, buffer, error))
      return FALSE;

  return TRUE;
}
