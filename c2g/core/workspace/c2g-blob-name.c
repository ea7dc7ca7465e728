/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob.h>

#include <c2g/core/workspace/c2g-blob-private.h>

#include <c2g/core/tensor/c2g-int8-tensor.h>
#include <c2g/core/tensor/c2g-q-tensor-private.h>
#include <c2g/core/tensor/c2g-tensor-private.h>

#include <string.h>

/* Keeps the names of blobs and the labels of their memory, and replaces their content atomically. */

/* Protects the names and labels of all blobs, and the replacement of their content, so that a
 * workspace can take a reference to the content while its one writer replaces it. Lock order: lock
 * of the workspace, this lock, lock of the labels. Taking a reference to an object under this lock
 * runs no foreign code: toggle references are notified when the count rises from 1 to 2, and the
 * blob's own reference makes it at least 2 before. */
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

void
c2g_blob_set_derived (C2gBlob  *self,
                      gboolean  is_derived)
{
  g_mutex_lock (&name_lock);
  self->is_derived = is_derived != FALSE;
  g_mutex_unlock (&name_lock);
}

gboolean
c2g_blob_is_derived (C2gBlob *self)
{
  gboolean is_derived;

  g_mutex_lock (&name_lock);
  is_derived = self->is_derived;
  g_mutex_unlock (&name_lock);

  return is_derived;
}

/* Returns the tensor that has the memory: the content itself, or a tensor inside it. */
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

static gboolean
has_name (C2gBlob *self)
{
  gboolean has;

  g_mutex_lock (&name_lock);
  has = self->name != NULL;
  g_mutex_unlock (&name_lock);

  return has;
}

/* Sets a new label on the tensor of the new content, or on another object that has memory. The label
 * has no name until put_locked() sets it. Returns NULL if there is nothing to report. */
static C2gLabel *
new_label (C2gBlob              *self,
           const C2gBlobContent *content)
{
  C2gTensor *tensor = find_tensor (content);
  const gboolean is_other = tensor == NULL && content->kind == C2G_BLOB_OBJECT;
  const C2gLabelFunc func = is_other ? c2g_label_get_func (G_OBJECT_TYPE (content->object)) : NULL;
  C2gLabel *label;

  if ((tensor == NULL && func == NULL) || !has_name (self))
    return NULL;

  label = c2g_label_new (NULL);
  if (func != NULL)
    func (content->object, label);
  else
    c2g_tensor_set_label (tensor, label);

  return label;
}

/* Called with the lock held. Only clears the label of the old tensor: another thread may be using
 * the tensor itself. */
static void
put_locked (C2gBlob              *self,
            const C2gBlobContent *content,
            C2gLabel             *label,
            gboolean              stays_derived)
{
  if (self->label != NULL)
    {
      c2g_label_set_name (self->label, NULL);
      c2g_label_unref (self->label);
    }
  self->label = label;
  if (label != NULL)
    c2g_label_set_name (label, self->name);
  self->content = *content;
  self->is_derived = self->is_derived && stays_derived;
}

void
c2g_blob_put (C2gBlob              *self,
              const C2gBlobContent *content,
              gboolean              stays_derived,
              C2gBlobContent       *old)
{
  C2gLabel *label = new_label (self, content);

  g_mutex_lock (&name_lock);
  *old = self->content;
  put_locked (self, content, label, stays_derived);
  g_mutex_unlock (&name_lock);
}

void
c2g_blob_put_both (C2gBlob              *self,
                   const C2gBlobContent *content,
                   C2gBlob              *other,
                   const C2gBlobContent *other_content)
{
  C2gLabel *label = new_label (self, content);
  C2gLabel *other_label = new_label (other, other_content);

  g_mutex_lock (&name_lock);
  put_locked (self, content, label, FALSE);
  put_locked (other, other_content, other_label, FALSE);
  g_mutex_unlock (&name_lock);
}

void
c2g_blob_dup_content (C2gBlob        *self,
                      C2gBlobContent *content)
{
  g_mutex_lock (&name_lock);
  c2g_blob_content_init_copy (content, &self->content);
  g_mutex_unlock (&name_lock);
}

gboolean
c2g_blob_holds_object (C2gBlob *self,
                       GObject *object)
{
  gboolean holds;

  g_mutex_lock (&name_lock);
  holds = self->content.kind == C2G_BLOB_OBJECT && self->content.object == object;
  g_mutex_unlock (&name_lock);

  return holds;
}

/**
 * c2g_blob_dup_name: (get-property name)
 * @self: a blob
 *
 * Copies the name that the workspace gave the blob; another thread can rename it.
 *
 * Returns: (transfer full) (nullable): the name, or `NULL` if it never had one
 */
char *
c2g_blob_dup_name (C2gBlob *self)
{
  char *name;

  g_return_val_if_fail (C2G_IS_BLOB (self), NULL);

  g_mutex_lock (&name_lock);
  name = g_strdup (self->name);
  g_mutex_unlock (&name_lock);

  return name;
}

/**
 * c2g_blob_get_name:
 * @self: a blob
 *
 * The same as [method@Blob.dup_name]; kept for programs that use this name.
 *
 * Returns: (transfer full) (nullable): the name, or `NULL` if it never had one
 */
char *
c2g_blob_get_name (C2gBlob *self)
{
  return c2g_blob_dup_name (self);
}
