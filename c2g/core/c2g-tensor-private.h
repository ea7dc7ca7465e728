/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-device-private.h>
#include <c2g/core/c2g-label-private.h>
#include <c2g/core/c2g-settings-private.h>
#include <c2g/core/c2g-storage-private.h>
#include <c2g/core/c2g-tensor.h>
#include <c2g/core/c2g-type-meta-private.h>

G_BEGIN_DECLS

#define C2G_TENSOR_N_INLINE_DIMS 6

struct _C2gTensor
{
  GObject        parent_instance;

  /* From here to label is what c2g_tensor_swap() exchanges.
   *
   * dims points to inline_dims, or to allocated room for more. */
  gint64        *dims;
  gint64         inline_dims[C2G_TENSOR_N_INLINE_DIMS];
  gsize          n_dims;
  gint64         n_elements;

  C2gTypeMeta   *meta;
  C2gDevice     *device;

  /* The block, from offset on; capacity bytes of it are this tensor's. */
  C2gStorage    *storage;
  gsize          offset;
  gsize          capacity;
  guint64        max_keep_on_shrink;

  guint          is_defined : 1;
  guint          is_slice : 1;
  guint          is_reserved : 1;
  guint          had_block : 1;
  guint          has_keep_on_shrink : 1;
  guint          keep_on_shrink : 1;
  guint          has_max_keep_on_shrink : 1;

  /* The name of the blob that holds this tensor, or NULL. */
  C2gLabel      *label;
};

/* What an operation has changed; told to the world at its end, when the tensor is
 * whole again. */
typedef struct
{
  gboolean    dims;
  gboolean    type;
  gboolean    device;
  gboolean    block;
  gsize       old_capacity;
  C2gStorage *old_storage;
} C2gTensorChanges;

/* Lets go of the block that was left, and emits the signals: both run code of
 * others. */
void        c2g_tensor_emit_changes   (C2gTensor               *self,
                                       C2gTensorChanges        *changes);

/* Reports the tensor's memory under label from now on, NULL for none. */
void        c2g_tensor_set_label      (C2gTensor               *self,
                                       C2gLabel                *label);

/* The parts that operations are made of; none of them emits anything. */
void        c2g_tensor_assign_dims    (C2gTensor               *self,
                                       const gint64            *dims,
                                       gsize                    n_dims,
                                       gint64                   n_elements,
                                       C2gTensorChanges        *changes);
void        c2g_tensor_assign_type    (C2gTensor               *self,
                                       C2gTypeMeta             *meta,
                                       C2gTensorChanges        *changes);
/* Takes storage, which may be NULL. */
void        c2g_tensor_assign_block   (C2gTensor               *self,
                                       C2gStorage              *storage,
                                       gsize                    offset,
                                       gsize                    capacity,
                                       C2gTensorChanges        *changes);

/* A block for elements of a type, constructed and labelled; NULL without an error
 * if n_bytes is 0. */
gboolean    c2g_tensor_new_block      (C2gTensor               *self,
                                       C2gTypeMeta             *meta,
                                       gsize                    n_bytes,
                                       C2gContext              *context,
                                       C2gStorage             **storage,
                                       GError                 **error);
/* What an operation knows of a tensor whose memory it is about to use, and holds meanwhile:
 * allocators, failure callbacks, constructors and copiers are code of others, which may
 * do anything to the tensor.  c2g_tensor_check_pin() tells whether it is as it was. */
typedef struct
{
  C2gTensor   *tensor;
  C2gStorage  *storage;
  C2gTypeMeta *meta;
  C2gDevice   *device;
  gsize        offset;
  gsize        capacity;
  gint64       n_elements;
} C2gTensorPin;

void        c2g_tensor_pin            (C2gTensor               *self,
                                       C2gTensorPin            *pin);
gboolean    c2g_tensor_check_pin      (const C2gTensorPin      *pin,
                                       GError                 **error);
void        c2g_tensor_unpin          (C2gTensorPin            *pin);
/* The error of one that is not; returns FALSE. */
gboolean    c2g_tensor_fail_changed   (GError                 **error);

/* Moves the tensor to a block of its own with room for capacity bytes, contents
 * and all. */
gboolean    c2g_tensor_move_to_block  (C2gTensor               *self,
                                       gsize                    capacity,
                                       C2gContext              *context,
                                       C2gTensorChanges        *changes,
                                       GError                 **error);
/* Lets go of a frozen block, see c2g_tensor_is_frozen(), for a copy. */
gboolean    c2g_tensor_thaw           (C2gTensor               *self,
                                       C2gTensorChanges        *changes,
                                       GError                 **error);
/* Whether elements of meta in n_bytes can live in the present block. */
gboolean    c2g_tensor_can_reuse      (C2gTensor               *self,
                                       C2gTypeMeta             *meta,
                                       gsize                    n_bytes);
/* Whether a resize to n_bytes would give the present block back. */
gboolean    c2g_tensor_would_free     (C2gTensor               *self,
                                       gsize                    n_bytes);

/* The element type of a number, or an error. */
C2gTypeMeta *c2g_tensor_meta_for      (C2gDataType              data_type,
                                       GError                 **error);
/* Whether there is something to read: an error if not, unless nothing is needed. */
gboolean    c2g_tensor_check_data     (C2gTensor               *self,
                                       GError                 **error);
/* Whether the elements are plain bytes. */
gboolean    c2g_tensor_check_plain    (C2gTensor               *self,
                                       GError                 **error);
/* Sets an error if the elements are not numbers. */
gboolean    c2g_tensor_check_numbers  (C2gTensor               *self,
                                       GError                 **error);
gboolean    c2g_tensor_check_same_shape (C2gTensor             *self,
                                         C2gTensor             *other,
                                         GError               **error);
/* The tensor once nobody uses its memory, or a copy of it on the CPU. */
C2gTensor  *c2g_tensor_ref_on_cpu     (C2gTensor               *self,
                                       GError                 **error);
/* The same as a tensor of the caller's own.  It stays as it is while an allocator, which is code of
 * others, changes the first one. */
C2gTensor  *c2g_tensor_hold_on_cpu    (C2gTensor               *self,
                                       GError                 **error);
/* Makes meta the type of elements that need not have memory: a block that has others is let
 * go of. */
gboolean    c2g_tensor_set_meta       (C2gTensor               *self,
                                       C2gTypeMeta             *meta,
                                       GError                 **error);
/* A block for elements of meta that may be written; where read-only memory has such
 * elements, with its contents only if those are to be kept. */
gboolean    c2g_tensor_allocate_or_copy (C2gTensor             *self,
                                         C2gTypeMeta           *meta,
                                         gboolean               keep_contents,
                                         GError               **error);
/* Makes the elements the tensor has writable, moving them if need be. */
gboolean    c2g_tensor_make_writable  (C2gTensor               *self,
                                       GError                 **error);

/* Pins the elements as c2g_tensor_map() does, on any device, for reading and, unless the memory
 * is read-only, for writing. */
C2gMapping *c2g_tensor_pin_elements   (C2gTensor               *self,
                                       GError                 **error);

/* A tensor that is for now what self is, with the same memory, which it holds.  It is for
 * reading only: a frozen block stays where it is. */
C2gTensor  *c2g_tensor_new_sharing    (C2gTensor               *self);
/* A copy of the elements from begin up to end, in a row, on a device. */
C2gTensor  *c2g_tensor_dup_range      (C2gTensor               *self,
                                       gint64                   begin,
                                       gint64                   end,
                                       C2gDevice               *device,
                                       GError                 **error);

/* Where elements are that are copied, and whose block that is, or NULL. */
typedef struct
{
  C2gDevice  *device;
  C2gStorage *storage;
  gpointer    address;
} C2gTensorPlace;

/* Copies elements, which may overlap: without a context at once, behind all that uses the two
 * blocks; in one whenever its turn comes, before which neither is given to anybody else. */
gboolean    c2g_tensor_copy_items     (C2gContext              *context,
                                       C2gTypeMeta             *meta,
                                       gsize                    n_items,
                                       const C2gTensorPlace    *source,
                                       const C2gTensorPlace    *destination,
                                       GError                 **error);
/* All elements of source to those of self, on the same device, from the first one on. */
gboolean    c2g_tensor_put_items      (C2gTensor               *self,
                                       gint64                   first,
                                       C2gTensor               *source,
                                       C2gContext              *context,
                                       GError                 **error);
/* All elements of source to a block that self is to have. */
gboolean    c2g_tensor_copy_to_block  (C2gTensor               *self,
                                       C2gTensor               *source,
                                       C2gStorage              *storage,
                                       C2gContext              *context,
                                       GError                 **error);

/* Set by the class.  In the library a comparison takes the place of a call, for tensors
 * are asked for their data all the time. */
extern GType c2g_tensor_type;

static inline gboolean
c2g_is_tensor (gconstpointer object)
{
  const GTypeInstance *instance = object;

  return G_LIKELY (instance != NULL && instance->g_class != NULL &&
                   instance->g_class->g_type == c2g_tensor_type);
}

#define C2G_IS_TENSOR(object) c2g_is_tensor (object)

static inline gpointer
c2g_tensor_address (C2gTensor *self)
{
  if (self->storage == NULL || self->n_elements == 0)
    return NULL;

  return (char *) self->storage->address + self->offset;
}

static inline gsize
c2g_tensor_byte_size (C2gTensor *self)
{
  return self->meta != NULL ? (gsize) self->n_elements * self->meta->item_size : 0;
}

/* Whether a new block can be had without that code of others runs, but for a failure. */
static inline gboolean
c2g_tensor_allocates_alone (C2gTensor   *self,
                            C2gTypeMeta *meta)
{
  return meta->is_plain && self->device == c2g_device_cpu () &&
         g_atomic_pointer_get (&self->device->default_allocator) == NULL;
}

/* The policy for smaller shapes: the tensor's own, or that of all. */
static inline gboolean
c2g_tensor_keeps_on_shrink (C2gTensor *self)
{
  return self->has_keep_on_shrink ? self->keep_on_shrink
                                  : g_atomic_int_get (&c2g_settings_keep_on_shrink);
}

static inline guint64
c2g_tensor_max_unused (C2gTensor *self)
{
  return self->has_max_keep_on_shrink
           ? self->max_keep_on_shrink
           : __atomic_load_n (&c2g_settings_max_keep_on_shrink, __ATOMIC_RELAXED);
}

/* Whether nobody else, view or holder, has the block. */
static inline gboolean
c2g_tensor_is_alone (C2gTensor *self)
{
  return g_atomic_int_get (&self->storage->ref_count) == 1;
}

/* Whether the block must be left before it is written. */
static inline gboolean
c2g_tensor_is_immutable (C2gTensor *self)
{
  return c2g_storage_is_sealed (self->storage) || c2g_storage_is_frozen (self->storage);
}

/* Whether the block must be left before it is shared or mapped: somebody holds it as
 * bytes that never change, and it could be written. */
static inline gboolean
c2g_tensor_is_frozen (C2gTensor *self)
{
  return self->storage != NULL && !c2g_storage_is_sealed (self->storage) &&
         c2g_storage_is_frozen (self->storage);
}

G_END_DECLS
