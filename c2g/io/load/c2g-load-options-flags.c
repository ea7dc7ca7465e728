/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-load-options-private.h>

#include <c2g/io/stream/c2g-options-private.h>

/* Boolean options and the device; the others are in c2g-load-options.c. */

/**
 * c2g_load_options_get_load_all: (get-property load-all)
 * @self: the options
 *
 * Gets whether everything is loaded.
 *
 * Returns: true if so
 */
gboolean
c2g_load_options_get_load_all (C2gLoadOptions *self)
{
  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), FALSE);

  return self->load_all;
}

/**
 * c2g_load_options_set_load_all: (set-property load-all)
 * @self: the options
 * @load_all: true if so
 *
 * Sets whether everything is loaded.
 */
void
c2g_load_options_set_load_all (C2gLoadOptions *self,
                               gboolean        load_all)
{
  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));

  if (c2g_set_boolean (&self->load_all, load_all))
    g_object_notify (G_OBJECT (self), "load-all");
}

/**
 * c2g_load_options_get_allow_incomplete: (get-property allow-incomplete)
 * @self: the options
 *
 * Gets whether blobs may be missing.
 *
 * Returns: true if so
 */
gboolean
c2g_load_options_get_allow_incomplete (C2gLoadOptions *self)
{
  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), FALSE);

  return self->allow_incomplete;
}

/**
 * c2g_load_options_set_allow_incomplete: (set-property allow-incomplete)
 * @self: the options
 * @allow_incomplete: true if so
 *
 * Sets whether blobs may be missing.
 */
void
c2g_load_options_set_allow_incomplete (C2gLoadOptions *self,
                                       gboolean        allow_incomplete)
{
  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));

  if (c2g_set_boolean (&self->allow_incomplete, allow_incomplete))
    g_object_notify (G_OBJECT (self), "allow-incomplete");
}

/**
 * c2g_load_options_get_skip_unsupported: (get-property skip-unsupported)
 * @self: the options
 *
 * Gets whether unsupported blobs are skipped.
 *
 * Returns: true if so
 */
gboolean
c2g_load_options_get_skip_unsupported (C2gLoadOptions *self)
{
  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), FALSE);

  return self->skip_unsupported;
}

/**
 * c2g_load_options_set_skip_unsupported: (set-property skip-unsupported)
 * @self: the options
 * @skip_unsupported: true if so
 *
 * Sets whether unsupported blobs are skipped.
 */
void
c2g_load_options_set_skip_unsupported (C2gLoadOptions *self,
                                       gboolean        skip_unsupported)
{
  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));

  if (c2g_set_boolean (&self->skip_unsupported, skip_unsupported))
    g_object_notify (G_OBJECT (self), "skip-unsupported");
}

/**
 * c2g_load_options_get_caffe2_names: (get-property caffe2-names)
 * @self: the options
 *
 * Gets whether the first two blobs of Caffe's layers are called as Caffe2 does.
 *
 * Returns: true if so
 */
gboolean
c2g_load_options_get_caffe2_names (C2gLoadOptions *self)
{
  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), FALSE);

  return self->caffe2_names;
}

/**
 * c2g_load_options_set_caffe2_names: (set-property caffe2-names)
 * @self: the options
 * @caffe2_names: true if so
 *
 * Sets whether the first two blobs of Caffe's layers are called as Caffe2 does.
 */
void
c2g_load_options_set_caffe2_names (C2gLoadOptions *self,
                                       gboolean        caffe2_names)
{
  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));

  if (c2g_set_boolean (&self->caffe2_names, caffe2_names))
    g_object_notify (G_OBJECT (self), "caffe2-names");
}

/**
 * c2g_load_options_get_caffe_blobs: (get-property caffe-blobs)
 * @self: the options
 *
 * Gets whether blobs of Caffe's files become blobs of Caffe.
 *
 * Returns: true if so
 */
gboolean
c2g_load_options_get_caffe_blobs (C2gLoadOptions *self)
{
  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), FALSE);

  return self->caffe_blobs;
}

/**
 * c2g_load_options_set_caffe_blobs: (set-property caffe-blobs)
 * @self: the options
 * @caffe_blobs: true if so
 *
 * Sets whether blobs of Caffe's files become blobs of Caffe.
 */
void
c2g_load_options_set_caffe_blobs (C2gLoadOptions *self,
                                  gboolean        caffe_blobs)
{
  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));

  if (c2g_set_boolean (&self->caffe_blobs, caffe_blobs))
    g_object_notify (G_OBJECT (self), "caffe-blobs");
}

/**
 * c2g_load_options_get_keep_device: (get-property keep-device)
 * @self: the options
 *
 * Gets whether a tensor is loaded to the device that it was saved from.
 *
 * Returns: true if so
 */
gboolean
c2g_load_options_get_keep_device (C2gLoadOptions *self)
{
  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), FALSE);

  return self->keep_device;
}

/**
 * c2g_load_options_set_keep_device: (set-property keep-device)
 * @self: the options
 * @keep_device: true if so
 *
 * Sets whether a tensor is loaded to the device that it was saved from.
 */
void
c2g_load_options_set_keep_device (C2gLoadOptions *self,
                                  gboolean        keep_device)
{
  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));

  if (c2g_set_boolean (&self->keep_device, keep_device))
    g_object_notify (G_OBJECT (self), "keep-device");
}

/**
 * c2g_load_options_get_device: (get-property device)
 * @self: the options
 *
 * Gets the device that all tensors are loaded to.
 *
 * Returns: (transfer none) (nullable): a device, or `NULL` for none in particular
 */
C2gDevice *
c2g_load_options_get_device (C2gLoadOptions *self)
{
  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), NULL);

  return self->device;
}

/**
 * c2g_load_options_set_device: (set-property device)
 * @self: the options
 * @device: (nullable): a device, or `NULL` for none in particular
 *
 * Sets the device that all tensors are loaded to.
 */
void
c2g_load_options_set_device (C2gLoadOptions *self,
                             C2gDevice      *device)
{
  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));

  if (self->device == device)
    return;

  self->device = device;
  g_object_notify (G_OBJECT (self), "device");
}

/**
 * c2g_load_options_get_memory_map: (get-property memory-map)
 * @self: the options
 *
 * Gets whether files are mapped into memory.
 *
 * Returns: true if so
 */
gboolean
c2g_load_options_get_memory_map (C2gLoadOptions *self)
{
  g_return_val_if_fail (C2G_IS_LOAD_OPTIONS (self), FALSE);

  return self->memory_map;
}

/**
 * c2g_load_options_set_memory_map: (set-property memory-map)
 * @self: the options
 * @memory_map: true if so
 *
 * Sets whether files are mapped into memory.
 */
void
c2g_load_options_set_memory_map (C2gLoadOptions *self,
                                 gboolean        memory_map)
{
  g_return_if_fail (C2G_IS_LOAD_OPTIONS (self));

  if (c2g_set_boolean (&self->memory_map, memory_map))
    g_object_notify (G_OBJECT (self), "memory-map");
}
