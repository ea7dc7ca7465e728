/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-caffe-part-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

/* The blobs that use a tensor, atomic.  It is attached to the tensor, so that each of the blobs,
 * in its own thread, sees the others. */
typedef struct
{
  int n_blobs;
  int n_locks;
} Uses;

static G_DEFINE_QUARK (c2g-caffe-uses, uses);

static Uses *
ensure_uses (C2gMixedTensor *tensor)
{
  Uses *created;

  while (TRUE)
    {
      Uses *uses = g_object_get_qdata (G_OBJECT (tensor), uses_quark ());

      if (uses != NULL)
        return uses;
      created = g_new0 (Uses, 1);
      if (!g_object_replace_qdata (G_OBJECT (tensor), uses_quark (), NULL, created, g_free, NULL))
        g_free (created);
    }
}

static void
count (C2gCaffePart *self,
       int           n)
{
  Uses *uses = ensure_uses (self->tensor);

  g_atomic_int_add (&uses->n_blobs, n);
  if (self->is_locked)
    g_atomic_int_add (&uses->n_locks, n);
}

void
c2g_caffe_part_use (C2gCaffePart   *self,
                    C2gMixedTensor *tensor,
                    gboolean        is_borrowed,
                    gboolean        is_locked)
{
  C2gCaffePart old = *self;

  *self = (C2gCaffePart) { g_object_ref (tensor), is_borrowed, is_locked };
  count (self, 1);
  c2g_caffe_part_clear (&old);
}

void
c2g_caffe_part_clear (C2gCaffePart *self)
{
  if (self->tensor != NULL)
    count (self, -1);
  g_clear_object (&self->tensor);
}

gboolean
c2g_caffe_part_is_shared (C2gCaffePart *self)
{
  return g_atomic_int_get (&ensure_uses (self->tensor)->n_blobs) > 1;
}

gboolean
c2g_caffe_part_check_type (C2gMixedTensor  *tensor,
                           C2gDataType      data_type,
                           GError         **error)
{
  Uses *uses = g_object_get_qdata (G_OBJECT (tensor), uses_quark ());
  C2gDataType locked = c2g_mixed_tensor_get_data_type (tensor);

  if (uses == NULL || g_atomic_int_get (&uses->n_locks) == 0 || data_type == locked)
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
               _("A blob of type “%s” has these elements; they cannot be written as “%s”"),
               c2g_data_type_get_name (locked), c2g_data_type_get_name (data_type));
  return FALSE;
}
