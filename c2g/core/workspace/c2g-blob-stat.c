/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob-stat.h>

#include <c2g/core/tensor/c2g-int8-tensor.h>
#include <c2g/core/tensor/c2g-q-tensor.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-gtype-table-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

#include <string.h>

/* Computes the size of a blob's content, as Caffe2's BlobStat does, with functions that programs
 * register for their types. */

typedef struct
{
  C2gBlobStatFunc func;
  gpointer        user_data;
  GDestroyNotify  destroy;
} Stat;

/* Functions by content type. Entries are never removed, so a pointer to one stays valid. */
static GMutex registry_lock;
static GHashTable *registry;

static gsize
value_get_n_bytes (const GValue *value)
{
  if (G_VALUE_HOLDS_STRING (value))
    {
      const char *text = g_value_get_string (value);

      return text != NULL ? strlen (text) : 0;
    }

  if (G_VALUE_HOLDS (value, G_TYPE_BYTES))
    {
      GBytes *bytes = g_value_get_boxed (value);

      return bytes != NULL ? g_bytes_get_size (bytes) : 0;
    }

  return 0;
}

static gsize
tensor_get_n_bytes (C2gTensor *tensor)
{
  gsize n_bytes = c2g_tensor_get_n_bytes (tensor);
  gint64 n_elements = c2g_tensor_get_n_elements (tensor);
  GBytes *const *strings;

  if (c2g_tensor_get_data_type (tensor) != C2G_DATA_TYPE_STRING ||
      !c2g_tensor_is_allocated (tensor))
    return n_bytes;

  strings = c2g_tensor_raw_data (tensor, NULL);
  for (gint64 i = 0; strings != NULL && i < n_elements; i++)
    n_bytes += strings[i] != NULL ? g_bytes_get_size (strings[i]) : 0;

  return n_bytes;
}

static gsize
object_get_n_bytes (GObject *object)
{
  if (C2G_IS_TENSOR (object))
    return tensor_get_n_bytes (C2G_TENSOR (object));
  if (C2G_IS_Q_TENSOR (object))
    return c2g_q_tensor_get_n_bytes (C2G_Q_TENSOR (object));
  if (C2G_IS_INT8_TENSOR (object))
    return tensor_get_n_bytes (c2g_int8_tensor_get_tensor (C2G_INT8_TENSOR (object)));

  return 0;
}

/* Returns TRUE for types whose size the library computes itself. */
static gboolean
is_builtin (GType gtype)
{
  return gtype == C2G_TYPE_TENSOR || gtype == C2G_TYPE_Q_TENSOR ||
         gtype == C2G_TYPE_INT8_TENSOR || gtype == G_TYPE_STRING || gtype == G_TYPE_BYTES ||
         gtype == G_TYPE_POINTER;
}

static const Stat *
find (GType gtype)
{
  const Stat *stat = NULL;

  g_mutex_lock (&registry_lock);
  if (registry != NULL)
    stat = c2g_gtype_table_find (registry, gtype);
  g_mutex_unlock (&registry_lock);

  return stat;
}

static gboolean
insert (GType gtype,
        Stat *stat)
{
  gboolean is_new;

  g_mutex_lock (&registry_lock);
  if (registry == NULL)
    registry = g_hash_table_new (NULL, NULL);
  is_new = !g_hash_table_contains (registry, GSIZE_TO_POINTER (gtype));
  if (is_new)
    g_hash_table_insert (registry, GSIZE_TO_POINTER (gtype), stat);
  g_mutex_unlock (&registry_lock);

  return is_new;
}

gsize
c2g_blob_stat_n_bytes (C2gBlob *blob)
{
  const C2gBlobContent *content = &blob->content;
  GType gtype = c2g_blob_content_get_gtype (content);
  const Stat *stat = is_builtin (gtype) ? NULL : find (gtype);

  if (stat != NULL)
    return stat->func (blob, stat->user_data);

  switch (content->kind)
    {
    case C2G_BLOB_VALUE:
      return value_get_n_bytes (&content->value->value);
    case C2G_BLOB_OBJECT:
      return object_get_n_bytes (content->object);
    case C2G_BLOB_POINTER:
      return c2g_type_meta_get_item_size (content->pointer.meta);
    case C2G_BLOB_EMPTY:
    default:
      return 0;
    }
}

/**
 * c2g_blob_register_stat:
 * @content_type: a type of content
 * @func: (scope notified) (closure user_data) (destroy destroy): tells the size
 * @user_data: for @func
 * @destroy: (nullable): frees @user_data if @func is not taken
 * @error: return location for an error
 *
 * Registers a function that computes the size of content of a type.
 *
 * [method@Blob.get_n_bytes] calls it for @content_type and the types derived from it, unless
 * they have their own function. A function for an interface is used if no class has one. The
 * function stays registered as long as the process lives, and can be called in any thread.
 *
 * ```python
 * C2g.Blob.register_stat(Picture, lambda blob: len(blob.get_object().pixels))
 * ```
 *
 * Fails with `C2G_ERROR_EXISTS` if @content_type has a function already. Tensors of all kinds,
 * strings, bytes and bare pointers have a built-in one.
 *
 * Returns: `TRUE` if the function was registered
 */
gboolean
c2g_blob_register_stat (GType            content_type,
                        C2gBlobStatFunc  func,
                        gpointer         user_data,
                        GDestroyNotify   destroy,
                        GError         **error)
{
  Stat *stat;

  g_return_val_if_fail (g_type_name (content_type) != NULL, FALSE);
  g_return_val_if_fail (func != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  stat = g_new (Stat, 1);
  *stat = (Stat) { func, user_data, destroy };
  if (!is_builtin (content_type) && insert (content_type, stat))
    return TRUE;

  g_free (stat);
  if (destroy != NULL)
    destroy (user_data);
  return c2g_fail (error, C2G_ERROR_EXISTS, _("The size of %s is known already"),
                   g_type_name (content_type));
}
