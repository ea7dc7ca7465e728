/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob-private.h>

#include <c2g/core/types/c2g-drop-private.h>
#include <c2g/core/types/c2g-error-private.h>

/* Copies, clears and describes the content of a blob: an object, a value or a pointer. */

/* Values are allocated from slices, which are cached: operators that count set a value in every
 * run. */
static C2gBlobValue *
blob_value_new (GType gtype)
{
  C2gBlobValue *self = g_slice_new0 (C2gBlobValue);

  g_atomic_ref_count_init (&self->ref_count);
  g_value_init (&self->value, gtype);

  return self;
}

static void
blob_value_unref (C2gBlobValue *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_value_unset (&self->value);
  g_slice_free (C2gBlobValue, self);
}

/* Every GValue that holds an object becomes C2G_BLOB_OBJECT, so that look-ups check one kind only.
 * A NULL object or pointer makes an empty content. */
void
c2g_blob_content_init_value (C2gBlobContent *self,
                             const GValue   *value)
{
  self->kind = C2G_BLOB_EMPTY;

  if (G_VALUE_HOLDS_OBJECT (value))
    {
      self->object = g_value_dup_object (value);
      if (self->object != NULL)
        self->kind = C2G_BLOB_OBJECT;
    }
  else if (G_VALUE_TYPE (value) != G_TYPE_POINTER || g_value_get_pointer (value) != NULL)
    {
      self->value = blob_value_new (G_VALUE_TYPE (value));
      g_value_copy (value, &self->value->value);
      self->kind = C2G_BLOB_VALUE;
    }
}

void
c2g_blob_content_init_copy (C2gBlobContent       *self,
                            const C2gBlobContent *other)
{
  *self = (C2gBlobContent) { .kind = other->kind };

  switch (other->kind)
    {
    case C2G_BLOB_VALUE:
      self->value = other->value;
      g_atomic_ref_count_inc (&self->value->ref_count);
      break;
    case C2G_BLOB_OBJECT:
      self->object = g_object_ref (other->object);
      break;
    case C2G_BLOB_POINTER:
      self->pointer = other->pointer;
      break;
    case C2G_BLOB_EMPTY:
    default:
      break;
    }
}

static gboolean
has_zero (GType gtype)
{
  switch (G_TYPE_FUNDAMENTAL (gtype))
    {
    case G_TYPE_CHAR:
    case G_TYPE_UCHAR:
    case G_TYPE_BOOLEAN:
    case G_TYPE_INT:
    case G_TYPE_UINT:
    case G_TYPE_LONG:
    case G_TYPE_ULONG:
    case G_TYPE_INT64:
    case G_TYPE_UINT64:
    case G_TYPE_ENUM:
    case G_TYPE_FLAGS:
    case G_TYPE_FLOAT:
    case G_TYPE_DOUBLE:
    case G_TYPE_STRING:
      return !G_TYPE_IS_VALUE_ABSTRACT (gtype);
    default:
      return FALSE;
    }
}

gboolean
c2g_blob_content_init_default (C2gBlobContent  *self,
                               GType            gtype,
                               GError         **error)
{
  if (G_TYPE_IS_OBJECT (gtype) && !G_TYPE_IS_ABSTRACT (gtype))
    {
      self->kind = C2G_BLOB_OBJECT;
      self->object = g_object_new (gtype, NULL);
      if (g_object_is_floating (self->object))
        g_object_ref_sink (self->object);
      return TRUE;
    }

  if (has_zero (gtype))
    {
      self->kind = C2G_BLOB_VALUE;
      self->value = blob_value_new (gtype);
      if (gtype == G_TYPE_STRING)
        g_value_set_static_string (&self->value->value, "");
      return TRUE;
    }

  return c2g_fail (error, C2G_ERROR_TYPE, _("Cannot make a new %s: the type has no default"),
                   g_type_name (gtype));
}

/* The caller has already taken the content out of its blob, so a destroy function cannot find it
 * there. */
void
c2g_blob_content_clear (C2gBlobContent *self)
{
  switch (self->kind)
    {
    case C2G_BLOB_VALUE:
      blob_value_unref (self->value);
      break;
    case C2G_BLOB_OBJECT:
      c2g_drop_object (self->object);
      break;
    case C2G_BLOB_POINTER:
      if (self->is_owned && self->pointer.destroy != NULL)
        self->pointer.destroy (self->pointer.address);
      break;
    case C2G_BLOB_EMPTY:
    default:
      break;
    }

  self->kind = C2G_BLOB_EMPTY;
}

GType
c2g_blob_content_get_gtype (const C2gBlobContent *self)
{
  switch (self->kind)
    {
    case C2G_BLOB_VALUE:
      return G_VALUE_TYPE (&self->value->value);
    case C2G_BLOB_OBJECT:
      return G_OBJECT_TYPE (self->object);
    case C2G_BLOB_POINTER:
      return G_TYPE_POINTER;
    case C2G_BLOB_EMPTY:
    default:
      return G_TYPE_INVALID;
    }
}

const char *
c2g_blob_content_get_type_name (const C2gBlobContent *self)
{
  if (self->kind == C2G_BLOB_POINTER)
    return c2g_type_meta_get_name (self->pointer.meta);

  return g_type_name (c2g_blob_content_get_gtype (self));
}

C2gTensor *
c2g_blob_content_get_tensor (const C2gBlobContent *self)
{
  if (self->kind == C2G_BLOB_OBJECT && C2G_IS_TENSOR (self->object))
    return C2G_TENSOR (self->object);

  return NULL;
}

gpointer
c2g_blob_content_get_raw (const C2gBlobContent *self)
{
  switch (self->kind)
    {
    case C2G_BLOB_VALUE:
      return g_value_fits_pointer (&self->value->value)
               ? g_value_peek_pointer (&self->value->value)
               : NULL;
    case C2G_BLOB_OBJECT:
      return self->object;
    case C2G_BLOB_POINTER:
      return self->pointer.address;
    case C2G_BLOB_EMPTY:
    default:
      return NULL;
    }
}

void
c2g_blob_content_get_value (const C2gBlobContent *self,
                            GValue               *value)
{
  switch (self->kind)
    {
    case C2G_BLOB_VALUE:
      g_value_init (value, G_VALUE_TYPE (&self->value->value));
      g_value_copy (&self->value->value, value);
      break;
    case C2G_BLOB_OBJECT:
      g_value_init (value, G_OBJECT_TYPE (self->object));
      g_value_set_object (value, self->object);
      break;
    case C2G_BLOB_POINTER:
      g_value_init (value, G_TYPE_POINTER);
      g_value_set_pointer (value, self->pointer.address);
      break;
    case C2G_BLOB_EMPTY:
    default:
      g_value_init (value, G_TYPE_POINTER);
      break;
    }
}
