/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/memory/c2g-label-private.h>
#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-settings-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>

G_BEGIN_DECLS

#define C2G_TENSOR_N_INLINE_DIMS 6

struct _C2gTensor
{
  GObject        parent_instance;

  /* c2g_tensor_swap() exchanges the members from here up to label.
   *
   * dims points to inline_dims, or to an allocated array if there are more dimensions. */
  gint64        *dims;
  gint64         inline_dims[C2G_TENSOR_N_INLINE_DIMS];
  gsize          n_dims;
  gint64         n_elements;

  C2gTypeMeta   *meta;
  C2gDevice     *device;

  /* The tensor has capacity bytes of the block, from offset on. */
  C2gStorage    *storage;
  gsize          offset;
  gsize          capacity;
  guint64        max_keep_on_shrink;

  /* Set once the tensor has a shape, which may be that of a scalar. */
  guint          is_defined : 1;
  /* Set if the tensor may have only a part of the block. */
  guint          is_slice : 1;
  /* Set if resizing to less must keep the block. */
  guint          is_reserved : 1;
  /* Set once there has been a block: the first allocation does not emit reallocated. */
  guint          had_block : 1;
  guint          has_keep_on_shrink : 1;
  guint          keep_on_shrink : 1;
  guint          has_max_keep_on_shrink : 1;

  /* Label with the name of the blob that holds this tensor, or NULL. */
  C2gLabel      *label;

  /* Variable of the call that emits signals of this tensor, or NULL. finalize() sets it. */
  gboolean      *is_freed;
};

typedef enum
{
  C2G_TENSOR_DIMS_CHANGED   = 1 << 0,
  C2G_TENSOR_TYPE_CHANGED   = 1 << 1,
  C2G_TENSOR_DEVICE_CHANGED = 1 << 2,
  C2G_TENSOR_BLOCK_CHANGED  = 1 << 3,
} C2gTensorChange;

/* Changes made by an operation. Signals are emitted at its end, when the tensor is consistent
 * again. */
typedef struct
{
  guint       what;
  gsize       old_capacity;
  C2gStorage *old_storage;
} C2gTensorChanges;

/* Releases the old block and emits the signals; both run foreign code. Returns FALSE if that dropped
 * the last reference to the tensor. */
gboolean    c2g_tensor_emit_changes   (C2gTensor               *self,
                                       C2gTensorChanges        *changes);

/* Sets the label under which the tensor's memory is reported; NULL for none. */
void        c2g_tensor_set_label      (C2gTensor               *self,
                                       C2gLabel                *label);

/* Building blocks of operations; they emit nothing. */
void        c2g_tensor_assign_dims    (C2gTensor               *self,
                                       const gint64            *dims,
                                       gsize                    n_dims,
                                       gint64                   n_elements,
                                       C2gTensorChanges        *changes);
void        c2g_tensor_assign_type    (C2gTensor               *self,
                                       C2gTypeMeta             *meta,
                                       C2gTensorChanges        *changes);
/* Takes ownership of storage, which may be NULL. */
void        c2g_tensor_assign_block   (C2gTensor               *self,
                                       C2gStorage              *storage,
                                       gsize                    offset,
                                       gsize                    capacity,
                                       C2gTensorChanges        *changes);
/* Takes a reference to storage, which may be NULL. */
void        c2g_tensor_assign_shared  (C2gTensor               *self,
                                       C2gStorage              *storage,
                                       gsize                    offset,
                                       gsize                    capacity,
                                       C2gTensorChanges        *changes);

/* Allocates a labelled block and constructs elements in it. If n_bytes is 0, it succeeds and sets
 * storage to NULL. */
gboolean    c2g_tensor_new_block      (C2gTensor               *self,
                                       C2gTypeMeta             *meta,
                                       gsize                    n_bytes,
                                       C2gContext              *context,
                                       C2gStorage             **storage,
                                       GError                 **error);
/* A reference to a tensor and a copy of its state, taken before an operation runs foreign code:
 * allocators, failure callbacks, constructors and copiers. c2g_tensor_check_pin() fails if the
 * state has changed since. */
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
/* Sets the error of a changed tensor, and returns FALSE. */
gboolean    c2g_tensor_fail_changed   (GError                 **error);

/* Moves the tensor with its contents to its own block of capacity bytes. */
gboolean    c2g_tensor_move_to_block  (C2gTensor               *self,
                                       gsize                    capacity,
                                       C2gContext              *context,
                                       C2gTensorChanges        *changes,
                                       GError                 **error);
/* Moves the tensor to a copy if its block is frozen, see c2g_tensor_is_frozen(). */
gboolean    c2g_tensor_thaw           (C2gTensor               *self,
                                       C2gTensorChanges        *changes,
                                       GError                 **error);
/* Returns TRUE if the present block can hold n_bytes of elements of this type. */
gboolean    c2g_tensor_can_reuse      (C2gTensor               *self,
                                       C2gTypeMeta             *meta,
                                       gsize                    n_bytes);

/* Returns the element type, or NULL with an error if there is no such data type. */
C2gTypeMeta *c2g_tensor_meta_for      (C2gDataType              data_type,
                                       GError                 **error);
/* Sets an error if there is no data to read, unless there are no elements. */
gboolean    c2g_tensor_check_data     (C2gTensor               *self,
                                       GError                 **error);
/* Sets an error if the elements are not plain bytes. */
gboolean    c2g_tensor_check_plain    (C2gTensor               *self,
                                       GError                 **error);
/* Sets an error if the elements are not numbers. */
gboolean    c2g_tensor_check_numbers  (C2gTensor               *self,
                                       GError                 **error);
gboolean    c2g_tensor_check_same_shape (C2gTensor             *self,
                                         C2gTensor             *other,
                                         GError               **error);
/* Returns the tensor after waiting for the devices that use its memory, or a copy on the CPU. */
C2gTensor  *c2g_tensor_ref_on_cpu     (C2gTensor               *self,
                                       GError                 **error);
/* Returns another tensor over that memory, which does not change if foreign code, such as an
 * allocator, changes the first one. */
C2gTensor  *c2g_tensor_hold_on_cpu    (C2gTensor               *self,
                                       GError                 **error);
/* Sets every element to the bytes of one, where the tensor is. */
gboolean    c2g_tensor_fill_item      (C2gTensor               *self,
                                       gconstpointer            item,
                                       GError                 **error);
/* Sets the element type without allocating memory. A block with elements of another type is
 * released. */
gboolean    c2g_tensor_set_meta       (C2gTensor               *self,
                                       C2gTypeMeta             *meta,
                                       GError                 **error);
/* Makes sure that there is a block for elements of this type that can be written. The contents of
 * read-only memory are copied only if keep_contents is set. */
gboolean    c2g_tensor_allocate_or_copy (C2gTensor             *self,
                                         C2gTypeMeta           *meta,
                                         gboolean               keep_contents,
                                         GError               **error);
/* Makes the elements writable; moves them if needed. */
gboolean    c2g_tensor_make_writable  (C2gTensor               *self,
                                       GError                 **error);

/* Pins the elements on any device, as c2g_tensor_map() does: for reading, and for writing too
 * unless the memory is read-only. */
C2gMapping *c2g_tensor_pin_elements   (C2gTensor               *self,
                                       GError                 **error);

/* Returns a tensor with the present state of self that shares its memory. It is for reading only,
 * since it stays in a frozen block. */
C2gTensor  *c2g_tensor_new_sharing    (C2gTensor               *self);
/* Shares memory as c2g_tensor_share_data() does, but leaves SOURCE in a frozen block: then the first
 * of the two that is written moves to a copy. */
gboolean    c2g_tensor_share_to_read  (C2gTensor               *self,
                                       C2gTensor               *source,
                                       GError                 **error);
/* Copies the elements from begin to before end, which must exist, into a one-dimensional tensor on
 * the device. */
C2gTensor  *c2g_tensor_dup_range      (C2gTensor               *self,
                                       gint64                   begin,
                                       gint64                   end,
                                       C2gDevice               *device,
                                       GError                 **error);

/* Address of elements to copy, with their device, and their block or NULL. */
typedef struct
{
  C2gDevice  *device;
  C2gStorage *storage;
  gpointer    address;
} C2gTensorPlace;

/* Copies elements; the ranges may overlap. Without a context it waits for all uses of the two
 * blocks and copies synchronously. With one the copy is queued, and the blocks are not reused
 * before it is done. */
gboolean    c2g_tensor_copy_items     (C2gContext              *context,
                                       C2gTypeMeta             *meta,
                                       gsize                    n_items,
                                       const C2gTensorPlace    *source,
                                       const C2gTensorPlace    *destination,
                                       GError                 **error);
/* Copies all elements of source to self from the element first on, on the same device. */
gboolean    c2g_tensor_put_items      (C2gTensor               *self,
                                       gint64                   first,
                                       C2gTensor               *source,
                                       C2gContext              *context,
                                       GError                 **error);
/* Copies all elements of source to a block that self will have. */
gboolean    c2g_tensor_copy_to_block  (C2gTensor               *self,
                                       C2gTensor               *source,
                                       C2gStorage              *storage,
                                       C2gContext              *context,
                                       GError                 **error);

/* The class, set by its initializer. Inside the library type checks compare with it, because a call
 * would be too slow in hot paths. The type is final, so that all tensors have this class. */
G_GNUC_INTERNAL extern GTypeClass *c2g_tensor_class;

static inline gboolean
c2g_is_tensor (gconstpointer object)
{
  const GTypeInstance *instance = object;

  return G_LIKELY (instance != NULL && instance->g_class == c2g_tensor_class);
}

#define C2G_IS_TENSOR(object) c2g_is_tensor (object)

/* Returns the address of the first element, or NULL if there are none. The storage must be that of
 * the tensor. */
static inline gpointer
c2g_tensor_address_in (C2gTensor  *self,
                       C2gStorage *storage)
{
  return self->n_elements > 0 ? (char *) storage->address + self->offset : NULL;
}

static inline gpointer
c2g_tensor_address (C2gTensor *self)
{
  return self->storage != NULL ? c2g_tensor_address_in (self, self->storage) : NULL;
}

static inline gsize
c2g_tensor_byte_size (C2gTensor *self)
{
  return self->meta != NULL ? (gsize) self->n_elements * self->meta->item_size : 0;
}

/* Returns TRUE if allocating a block runs no foreign code, except failure callbacks. */
static inline gboolean
c2g_tensor_allocates_alone (C2gTensor   *self,
                            C2gTypeMeta *meta)
{
  return meta->is_plain && self->device == c2g_device_cpu () &&
         g_atomic_pointer_get (&self->device->default_allocator) == NULL;
}

/* Return the keep-on-shrink policy: the tensor's own, or the global setting. */
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

/* Returns TRUE if a resize to n_bytes would release the present block. */
static inline gboolean
c2g_tensor_would_free (C2gTensor *self,
                       gsize      n_bytes)
{
  if (self->storage == NULL)
    return FALSE;
  if (n_bytes > self->capacity)
    return TRUE;
  if (self->is_reserved)
    return FALSE;

  return !c2g_tensor_keeps_on_shrink (self) ||
         self->capacity - n_bytes > c2g_tensor_max_unused (self);
}

/* Returns TRUE if the tensor is the only holder of the block. */
static inline gboolean
c2g_tensor_is_alone (C2gTensor *self)
{
  return c2g_storage_n_refs (self->storage) == 1;
}

/* Returns TRUE if the tensor has memory to which it must not write, although others may. */
static inline gboolean
c2g_tensor_is_read_only (C2gTensor *self)
{
  return self->storage != NULL && c2g_storage_is_sealed (self->storage);
}

/* Returns FALSE if the tensor must move to another block before a write. Otherwise the caller may
 * write, so a watch of the block ends. */
static inline gboolean
c2g_tensor_begin_write (C2gTensor *self)
{
  return c2g_storage_begin_write (self->storage);
}

/* Returns TRUE if the tensor must move before its block is shared or mapped: the block is held as
 * GBytes that must never change, but could be written. */
static inline gboolean
c2g_tensor_is_frozen (C2gTensor *self)
{
  return self->storage != NULL && !c2g_tensor_is_read_only (self) &&
         c2g_storage_is_frozen (self->storage);
}

G_END_DECLS
