/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/graph/c2g-graph-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/workspace/c2g-blob-private.h>

#include <string.h>

/* The parameters that a faster net was made from, to find out before a run if they are still the
 * same. A parameter can change in two ways: its blob gets another tensor, shape or block, which is
 * compared; or its block is written, which ends the watch of it. Nobody notices writes to a block
 * that is foreign or mapped for writing, such as that of an array of NumPy, so a checksum of its
 * elements is compared instead while the block is foreign or mapped. Such a block of a device is
 * refused. */

typedef struct
{
  C2gBlob *blob;
  /* The number of the watch of the block; 0 if there is only the sum. */
  guint    watch;
  guint64  sum;
  gsize    offset;
  gsize    n_dims;
  gint64   dims[];
} Source;

static void
source_free (gpointer data)
{
  Source *self = data;

  g_object_unref (self->blob);
  g_free (self);
}

GPtrArray *
c2g_graph_sources_new (void)
{
  return g_ptr_array_new_with_free_func (source_free);
}

/* Computes a checksum that differs if a single word does: each step can be undone. Four sums at
 * once are as fast as memory is. */
static guint64
sum_up (C2gTensor *tensor)
{
  const gsize n_bytes = c2g_tensor_byte_size (tensor);
  const guint8 *bytes = c2g_tensor_address (tensor);
  guint64 sums[4] = { 1, 2, 3, 4 };
  gsize position = 0;

  for (; n_bytes - position >= sizeof sums; position += sizeof sums)
    for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
      {
        guint64 word;

        memcpy (&word, bytes + position + i * sizeof word, sizeof word);
        sums[i] = (sums[i] ^ word) * G_GUINT64_CONSTANT (0x100000001b3);
        sums[i] ^= sums[i] >> 32;
      }
  for (; position < n_bytes; position++)
    sums[0] = (sums[0] ^ bytes[position]) * G_GUINT64_CONSTANT (0x100000001b3);
  for (guint i = 1; i < G_N_ELEMENTS (sums); i++)
    sums[0] = (sums[0] ^ sums[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return sums[0];
}

/* Begins a watch before the elements are read, so that no later write goes unnoticed. */
static gboolean
watch (Source    *self,
       C2gTensor *tensor)
{
  self->watch = c2g_storage_watch (tensor->storage);
  if (self->watch == 0 && tensor->device != c2g_device_cpu ())
    return FALSE;

  if (self->watch == 0)
    self->sum = sum_up (tensor);
  return TRUE;
}

gboolean
c2g_graph_sources_add (GPtrArray *self,
                       C2gBlob   *blob)
{
  C2gTensor *tensor = c2g_blob_content_get_tensor (&blob->content);
  const gsize n_bytes = tensor->n_dims * sizeof (gint64);
  Source *source = g_malloc (sizeof *source + n_bytes);

  source->blob = g_object_ref (blob);
  source->offset = tensor->offset;
  source->n_dims = tensor->n_dims;
  memcpy (source->dims, tensor->dims, n_bytes);
  if (watch (source, tensor))
    {
      g_ptr_array_add (self, source);
      return TRUE;
    }

  source_free (source);
  return FALSE;
}

/* The block can be another one after a change that did not reach the elements. If it did, the source
 * stays as it is: the next run must see the change, too, if this one cannot make another net. */
static gboolean
has_same_sum (Source    *self,
              C2gTensor *tensor)
{
  guint number;

  if (self->watch != 0 || tensor->device != c2g_device_cpu ())
    return FALSE;

  number = c2g_storage_watch (tensor->storage);
  if (self->sum != sum_up (tensor))
    return FALSE;
  self->watch = number;
  self->offset = tensor->offset;
  return TRUE;
}

static gboolean
is_same (Source *self)
{
  C2gTensor *tensor = c2g_blob_content_get_tensor (&self->blob->content);

  if (tensor == NULL || tensor->storage == NULL || tensor->n_dims != self->n_dims ||
      c2g_tensor_get_data_type (tensor) != C2G_DATA_TYPE_FLOAT)
    return FALSE;
  for (gsize i = 0; i < self->n_dims; i++)
    if (tensor->dims[i] != self->dims[i])
      return FALSE;
  return (self->watch != 0 && (guint) g_atomic_int_get (&tensor->storage->watch) == self->watch &&
          tensor->offset == self->offset) ||
         has_same_sum (self, tensor);
}

gboolean
c2g_graph_sources_are_same (GPtrArray *self)
{
  for (guint i = 0; i < self->len; i++)
    if (!is_same (g_ptr_array_index (self, i)))
      return FALSE;
  return TRUE;
}
