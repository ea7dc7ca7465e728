/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-blob.h>

#include <c2g/core/c2g-blob-private.h>

#include <c2g/core/c2g-int8-tensor.h>
#include <c2g/core/c2g-q-tensor-private.h>
#include <c2g/core/c2g-tensor-private.h>

#include <string.h>

/* Guards the names and labels of all blobs. Taken inside the lock of a workspace;
 * inside it, only that of the labels is.
 */
static GMutex name_lock;

static void
free_name (C2gBlob *self,
           char    *name)
{
  if (name != self->inline_name)
    g_free (name);
}

C2gBlob *
c2g_blob_new_named (const char *name)
{
  C2gBlob *self = g_object_new (C2G_TYPE_BLOB, NULL);
  gsize size = strlen (name) + 1;

  self->name = size <= sizeof self->inline_name ? self->inline_name : g_malloc (size);
  memcpy (self->name, name, size);

  return self;
}

void
c2g_blob_set_name (C2gBlob    *self,
                   const char *name)
{
  gsize size = strlen (name) + 1;
  char *copy = size <= sizeof self->inline_name ? self->inline_name : g_malloc (size);
  char *old;

  g_mutex_lock (&name_lock);
  old = self->name;
  memmove (copy, name, size);
  self->name = copy;
  if (self->label != NULL)
    c2g_label_set_name (self->label, self->name);
  g_mutex_unlock (&name_lock);

  if (old != copy)
    free_name (self, old);
}

C2gLabel *
c2g_blob_dup_label (C2gBlob *self)
{
  C2gLabel *label;

  g_mutex_lock (&name_lock);
  label = self->label != NULL ? c2g_label_ref (self->label) : NULL;
  g_mutex_unlock (&name_lock);

  return label;
}

void
c2g_blob_clear_name (C2gBlob *self)
{
  g_clear_pointer (&self->label, c2g_label_unref);
  free_name (self, self->name);
}

static C2gLabel *
ref_label (C2gBlob *self)
{
  C2gLabel *label = NULL;

  g_mutex_lock (&name_lock);
  if (self->label == NULL && self->name != NULL)
    self->label = c2g_label_new (self->name);
  if (self->label != NULL)
    label = c2g_label_ref (self->label);
  g_mutex_unlock (&name_lock);

  return label;
}

/* What has the memory: the content, or a tensor within it. */
static C2gTensor *
find_tensor (const C2gBlobContent *content)
{
  C2gTensor *tensor = c2g_blob_content_get_tensor (content);

  if (tensor != NULL || content->kind != C2G_BLOB_OBJECT)
    return tensor;
  if (C2G_IS_Q_TENSOR (content->object))
    return c2g_q_tensor_get_planes (C2G_Q_TENSOR (content->object));
  if (C2G_IS_INT8_TENSOR (content->object))
    return c2g_int8_tensor_get_tensor (C2G_INT8_TENSOR (content->object));

  return NULL;
}

void
c2g_blob_attach_label (C2gBlob *self)
{
  C2gTensor *tensor = find_tensor (&self->content);
  C2gLabel *label = tensor != NULL ? ref_label (self) : NULL;

  if (label == NULL)
    return;

  c2g_tensor_set_label (tensor, label);
  c2g_label_unref (label);
}

void
c2g_blob_detach_label (C2gBlob *self)
{
  C2gTensor *tensor = find_tensor (&self->content);

  if (tensor != NULL && tensor->label != NULL && tensor->label == self->label)
    c2g_tensor_set_label (tensor, NULL);
}

/**
 * c2g_blob_get_name: (get-property name)
 * @self: a blob
 *
 * Gets the name that the workspace gave the blob.
 *
 * Returns: (transfer full) (nullable): the name, or `NULL` if it never had one
 */
char *
c2g_blob_get_name (C2gBlob *self)
{
  char *name;

  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);

  g_mutex_lock (&name_lock);
  name = g_strdup (self->name);
  g_mutex_unlock (&name_lock);

  return name;
}
