/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/save/c2g-save-options-private.h>

#include <c2g/io/content/c2g-serializer.h>
#include <c2g/io/stream/c2g-options-private.h>

/* Options of how blobs are written; the others are in c2g-save-options.c. */

/**
 * c2g_save_options_get_chunk_size: (get-property chunk-size)
 * @self: the options
 *
 * Gets the maximum number of elements in a record.
 *
 * Returns: the number of elements, [const@DEFAULT_CHUNK_SIZE] or [const@NO_CHUNKING]
 */
gint64
c2g_save_options_get_chunk_size (C2gSaveOptions *self)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), C2G_DEFAULT_CHUNK_SIZE);

  return self->chunk_size;
}

/**
 * c2g_save_options_set_chunk_size: (set-property chunk-size)
 * @self: the options
 * @chunk_size: the number of elements, [const@DEFAULT_CHUNK_SIZE] or [const@NO_CHUNKING]
 *
 * Sets the maximum number of elements in a record.
 */
void
c2g_save_options_set_chunk_size (C2gSaveOptions *self,
                                 gint64          chunk_size)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));
  g_return_if_fail (chunk_size >= C2G_DEFAULT_CHUNK_SIZE);

  if (self->chunk_size == chunk_size)
    return;

  self->chunk_size = chunk_size;
  g_object_notify (G_OBJECT (self), "chunk-size");
}

/**
 * c2g_save_options_get_float16_as_bytes: (get-property float16-as-bytes)
 * @self: the options
 *
 * Gets whether float16 is written as two bytes each.
 *
 * Returns: true if so
 */
gboolean
c2g_save_options_get_float16_as_bytes (C2gSaveOptions *self)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), FALSE);

  return self->float16_as_bytes;
}

/**
 * c2g_save_options_set_float16_as_bytes: (set-property float16-as-bytes)
 * @self: the options
 * @float16_as_bytes: true if so
 *
 * Sets whether float16 is written as two bytes each.
 */
void
c2g_save_options_set_float16_as_bytes (C2gSaveOptions *self,
                                       gboolean        float16_as_bytes)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));

  if (c2g_set_boolean (&self->float16_as_bytes, float16_as_bytes))
    g_object_notify (G_OBJECT (self), "float16-as-bytes");
}

/**
 * c2g_save_options_get_keep_device: (get-property keep-device)
 * @self: the options
 *
 * Gets whether the file names the device of a tensor.
 *
 * Returns: true if so
 */
gboolean
c2g_save_options_get_keep_device (C2gSaveOptions *self)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), TRUE);

  return self->keep_device;
}

/**
 * c2g_save_options_set_keep_device: (set-property keep-device)
 * @self: the options
 * @keep_device: true if so
 *
 * Sets whether the file names the device of a tensor.
 */
void
c2g_save_options_set_keep_device (C2gSaveOptions *self,
                                  gboolean        keep_device)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));

  if (c2g_set_boolean (&self->keep_device, keep_device))
    g_object_notify (G_OBJECT (self), "keep-device");
}

/**
 * c2g_save_options_get_compress: (get-property compress)
 * @self: the options
 *
 * Gets whether the arrays of an `.npz` are compressed.
 *
 * Returns: true if so
 */
gboolean
c2g_save_options_get_compress (C2gSaveOptions *self)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), FALSE);

  return self->compress;
}

/**
 * c2g_save_options_set_compress: (set-property compress)
 * @self: the options
 * @compress: true if so
 *
 * Sets whether the arrays of an `.npz` are compressed.
 */
void
c2g_save_options_set_compress (C2gSaveOptions *self,
                               gboolean        compress)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));

  if (c2g_set_boolean (&self->compress, compress))
    g_object_notify (G_OBJECT (self), "compress");
}

/**
 * c2g_save_options_get_caffe_diff: (get-property caffe-diff)
 * @self: the options
 *
 * Gets whether the diffs of Caffe's blobs are written, too.
 *
 * Returns: true if so
 */
gboolean
c2g_save_options_get_caffe_diff (C2gSaveOptions *self)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), FALSE);

  return self->caffe_diff;
}

/**
 * c2g_save_options_set_caffe_diff: (set-property caffe-diff)
 * @self: the options
 * @caffe_diff: true if so
 *
 * Sets whether the diffs of Caffe's blobs are written, too.
 */
void
c2g_save_options_set_caffe_diff (C2gSaveOptions *self,
                                 gboolean        caffe_diff)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));

  if (c2g_set_boolean (&self->caffe_diff, caffe_diff))
    g_object_notify (G_OBJECT (self), "caffe-diff");
}

/**
 * c2g_save_options_get_skip_unsupported: (get-property skip-unsupported)
 * @self: the options
 *
 * Gets whether blobs that cannot be saved are left out.
 *
 * Returns: true if so
 */
gboolean
c2g_save_options_get_skip_unsupported (C2gSaveOptions *self)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), FALSE);

  return self->skip_unsupported;
}

/**
 * c2g_save_options_set_skip_unsupported: (set-property skip-unsupported)
 * @self: the options
 * @skip_unsupported: true if so
 *
 * Sets whether blobs that cannot be saved are left out.
 */
void
c2g_save_options_set_skip_unsupported (C2gSaveOptions *self,
                                       gboolean        skip_unsupported)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));

  if (c2g_set_boolean (&self->skip_unsupported, skip_unsupported))
    g_object_notify (G_OBJECT (self), "skip-unsupported");
}

/**
 * c2g_save_options_get_n_threads: (get-property n-threads)
 * @self: the options
 *
 * Gets the maximum number of threads for a database.
 *
 * Returns: the number of threads, or 0 for that of processors
 */
guint
c2g_save_options_get_n_threads (C2gSaveOptions *self)
{
  g_return_val_if_fail (C2G_IS_SAVE_OPTIONS (self), 0);

  return self->n_threads;
}

/**
 * c2g_save_options_set_n_threads: (set-property n-threads)
 * @self: the options
 * @n_threads: the number of threads, or 0 for that of processors
 *
 * Sets the maximum number of threads for a database.
 */
void
c2g_save_options_set_n_threads (C2gSaveOptions *self,
                                guint           n_threads)
{
  g_return_if_fail (C2G_IS_SAVE_OPTIONS (self));
  g_return_if_fail (n_threads <= C2G_SAVE_MAX_THREADS);

  if (self->n_threads == n_threads)
    return;

  self->n_threads = n_threads;
  g_object_notify (G_OBJECT (self), "n-threads");
}
