/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/tensor/c2g-tensor-private.h>

#include <c2g/core/device/c2g-device-private.h>
#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/core/types/c2g-property-private.h>
#include <c2g/core/types/c2g-shape-private.h>

/**
 * C2gTensor:
 *
 * An array of elements of one type, with any number of dimensions.
 *
 * A tensor has dimensions, an element type and a [struct@Storage], which is allocated only when
 * needed. [method@Tensor.resize] sets the shape without allocating; [method@Tensor.allocate],
 * or, in C, [method@Tensor.mutable_data] allocates. Elements are in row-major order without
 * gaps.
 *
 * ```c
 * g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
 * float *data;
 *
 * c2g_tensor_resize (tensor, (gint64[]) { 2, 3 }, 2, &error);
 * data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);
 * data[0] = 1.5f;
 * ```
 *
 * ```python
 * tensor = C2g.Tensor.new_sized([2, 3], None)
 * tensor.allocate(C2g.DataType.FLOAT)
 * tensor.set_value(0, 1.5)
 * ```
 *
 * ```js
 * const tensor = C2g.Tensor.new_sized([2, 3], null);
 * tensor.connect('reallocated', (_, before, now) => print(before, now));
 * tensor.allocate(C2g.DataType.FLOAT);
 * tensor.set_value(0, 1.5);
 * ```
 *
 * ## Shapes
 *
 * A new tensor has no shape: [method@Tensor.is_defined] returns `FALSE`. A shape of no
 * dimensions is a scalar and has one element. A tensor with a dimension of 0 has no elements;
 * its data is `NULL`, which is no error.
 *
 * ## Memory
 *
 * A resize beyond [method@Tensor.get_capacity] releases the block and its contents at once. A
 * resize within the capacity releases it only if it changes the number of elements and the
 * keep-on-shrink policy says so: [method@Tensor.set_keep_on_shrink],
 * [method@Tensor.set_max_keep_on_shrink], and [class@Settings] for all tensors.
 * [method@Tensor.extend] and [method@Tensor.reserve] keep the contents.
 *
 * Tensors share memory after [method@Tensor.share_data] and [method@Tensor.slice]: each sees
 * the writes of the others. A tensor leaves the shared block when it grows beyond its capacity,
 * shrinks and the policy releases memory, changes its element type, extends, reserves or frees,
 * and before it writes to read-only memory. The page on [memory](memory.html) has the rules one
 * by one.
 *
 * ## Signals
 *
 * [signal@Tensor::reallocated] is emitted when the elements have another address,
 * [signal@Tensor::resized] when the dimensions have changed.
 *
 * ## Threads
 *
 * References can be taken and dropped in any thread. A tensor may be read by
 * several threads at once as long as none changes it. Signals are emitted in the
 * thread that made the change.
 *
 * The behaviour is that of Caffe2's `Tensor` of 2018, but for the
 * [differences](differences.html) that were decided on.
 */

enum
{
  PROP_0,
  PROP_DATA_TYPE,
  PROP_DEVICE,
  N_PROPS
};

enum
{
  REALLOCATED,
  RESIZED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

GTypeClass *c2g_tensor_class;

G_DEFINE_FINAL_TYPE (C2gTensor, c2g_tensor, G_TYPE_OBJECT)

static const C2gProperty rows[N_PROPS] = {
  [PROP_DATA_TYPE] = C2G_PROPERTY_READ_ONLY (c2g_tensor, data_type),
  [PROP_DEVICE] = C2G_PROPERTY_READ_ONLY (c2g_tensor, device),
};

static void
c2g_tensor_finalize (GObject *object)
{
  C2gTensor *self = (C2gTensor *) object;

  if (G_UNLIKELY (self->is_freed != NULL))
    *self->is_freed = TRUE;
  if (self->storage != NULL)
    c2g_storage_remove_tensor (self->storage);
  if (G_UNLIKELY (self->dims != self->inline_dims))
    g_free (self->dims);
  if (self->label != NULL)
    c2g_label_unref (self->label);

  G_OBJECT_CLASS (c2g_tensor_parent_class)->finalize (object);
}

static void
c2g_tensor_class_init (C2gTensorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  c2g_tensor_class = (GTypeClass *) klass;

  c2g_settings_ensure ();

  object_class->finalize = c2g_tensor_finalize;

  /**
   * C2gTensor:data-type: (getter get_data_type)
   *
   * The element type.
   *
   * It is `C2G_DATA_TYPE_UNDEFINED` while the type is not known, and for element types
   * without a number.
   */
  props[PROP_DATA_TYPE] =
    g_param_spec_enum ("data-type", NULL, NULL,
                       C2G_TYPE_DATA_TYPE, C2G_DATA_TYPE_UNDEFINED,
                       G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  /**
   * C2gTensor:device: (getter get_device)
   *
   * The device of the elements.
   */
  props[PROP_DEVICE] =
    g_param_spec_boxed ("device", NULL, NULL,
                        C2G_TYPE_DEVICE,
                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);

  c2g_properties_install (object_class, N_PROPS, props, rows);

  /**
   * C2gTensor::reallocated:
   * @self: the tensor
   * @old_capacity: the capacity before, 0 if there was no block
   * @new_capacity: the capacity now, 0 if there is no block
   *
   * The block of the tensor was freed, replaced or allocated anew.
   *
   * Addresses taken before are no longer valid for this tensor. The first allocation does not
   * emit the signal. It is emitted in the thread that made the change, after the change.
   */
  signals[REALLOCATED] = g_signal_new ("reallocated", C2G_TYPE_TENSOR, G_SIGNAL_RUN_LAST, 0, NULL,
                                       NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);

  /**
   * C2gTensor::resized:
   * @self: the tensor
   *
   * The dimensions have changed.
   *
   * Emitted in the thread that made the change, after it.
   */
  signals[RESIZED] = g_signal_new ("resized", C2G_TYPE_TENSOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
c2g_tensor_init (C2gTensor *self)
{
  self->dims = self->inline_dims;
  self->device = c2g_device_cpu ();
}

static void
tell_changes (C2gTensor              *self,
              const C2gTensorChanges *changes,
              const gboolean         *is_freed)
{
  const guint what = changes->what;
  const guint64 new_capacity = self->capacity;
  /* Signal handlers are other work: cancelling the current run must not end loops in them. */
  GCancellable *former = c2g_interrupt_set (NULL);

  if (what & C2G_TENSOR_TYPE_CHANGED)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DATA_TYPE]);
  if (G_UNLIKELY (what & C2G_TENSOR_DEVICE_CHANGED) && !*is_freed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DEVICE]);
  if ((what & C2G_TENSOR_BLOCK_CHANGED) && !*is_freed)
    g_signal_emit (self, signals[REALLOCATED], 0, (guint64) changes->old_capacity, new_capacity);
  if ((what & C2G_TENSOR_DIMS_CHANGED) && !*is_freed)
    g_signal_emit (self, signals[RESIZED], 0);
  c2g_interrupt_set (former);
}

/* A signal handler, or the destroy function of foreign memory, may drop the last reference to the
 * tensor. A reference for this time would take as long as the signals do if nobody listens. So
 * finalize() tells it. */
gboolean
c2g_tensor_emit_changes (C2gTensor        *self,
                         C2gTensorChanges *changes)
{
  C2gStorage *old = g_steal_pointer (&changes->old_storage);
  gboolean *outer = self->is_freed;
  gboolean is_freed = FALSE;

  /* Other threads may be reading a tensor that has not changed. */
  if (old == NULL && changes->what == 0)
    return TRUE;

  self->is_freed = &is_freed;
  if (old != NULL)
    c2g_storage_remove_tensor (old);
  if (G_LIKELY (!is_freed))
    tell_changes (self, changes, &is_freed);

  if (G_LIKELY (!is_freed))
    self->is_freed = outer;
  else if (outer != NULL)
    *outer = TRUE;

  return !is_freed;
}

void
c2g_tensor_set_label (C2gTensor *self,
                      C2gLabel  *label)
{
  C2gLabel *old = self->label;

  if (label == old)
    return;

  self->label = label != NULL ? c2g_label_ref (label) : NULL;
  if (self->storage != NULL && self->storage->listed)
    c2g_ledger_replace_label (self->storage, old, label);

  if (old != NULL)
    c2g_label_unref (old);
}

/**
 * c2g_tensor_new:
 *
 * Creates a tensor on the CPU, without a shape, a type or memory.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_tensor_new (void)
{
  return g_object_new (C2G_TYPE_TENSOR, NULL);
}

/**
 * c2g_tensor_new_for_device:
 * @device: where its memory will be
 *
 * Creates a tensor without a shape, a type or memory.
 *
 * The device is checked only when memory is allocated.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_tensor_new_for_device (C2gDevice *device)
{
  C2gTensor *self;

  g_return_val_if_fail (device != NULL, NULL);

  self = c2g_tensor_new ();
  self->device = device;

  return self;
}

/**
 * c2g_tensor_new_sized:
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many dimensions, 0 for a scalar
 * @device: (nullable): where its memory will be, or `NULL` for the CPU
 * @error: return location for an error
 *
 * Creates a tensor with a shape, without a type or memory.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_SHAPE` if a
 *   dimension is negative or `C2G_ERROR_RANGE` if there are too many elements
 */
C2gTensor *
c2g_tensor_new_sized (const gint64  *dims,
                      gsize          n_dims,
                      C2gDevice     *device,
                      GError       **error)
{
  C2gTensorChanges changes = { 0 };
  gint64 n_elements;
  C2gTensor *self;

  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!c2g_shape_count (dims, n_dims, &n_elements, error))
    return NULL;
  self = c2g_tensor_new_for_device (device != NULL ? device : c2g_device_cpu ());
  /* No signal is emitted: a new tensor has no handlers. */
  c2g_tensor_assign_dims (self, dims, n_dims, n_elements, &changes);

  return self;
}

/**
 * c2g_tensor_new_from_bytes:
 * @data_type: the element type
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many dimensions, 0 for a scalar
 * @bytes: the elements
 * @error: return location for an error
 *
 * Creates a tensor on the CPU over bytes, as [method@Tensor.share_bytes] does.
 *
 * The bytes are not copied, unless they are not aligned to the elements, and they are
 * never written: the tensor moves to a copy first.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_SHAPE` if a
 *   dimension is negative, `C2G_ERROR_RANGE` if there are too many elements or too
 *   few bytes, `C2G_ERROR_TYPE` if elements are not plain, or `C2G_ERROR_NO_MEMORY`
 */
C2gTensor *
c2g_tensor_new_from_bytes (C2gDataType    data_type,
                           const gint64  *dims,
                           gsize          n_dims,
                           GBytes        *bytes,
                           GError       **error)
{
  g_autoptr (C2gTensor) self = NULL;

  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = c2g_tensor_new_sized (dims, n_dims, NULL, error);
  if (self == NULL || !c2g_tensor_share_bytes (self, data_type, bytes, error))
    return NULL;

  return g_steal_pointer (&self);
}

static gboolean
check_storage_type (C2gStorage   *storage,
                    C2gTypeMeta  *meta,
                    GError      **error)
{
  if (meta->is_plain ? storage->constructed_type == NULL : storage->constructed_type == meta)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_TYPE, _("Expected a storage of “%s”, got one of “%s”"),
                   meta->name,
                   storage->constructed_type != NULL ? storage->constructed_type->name : _("plain bytes"));
}

/* Checks the range even if there are no elements yet: a resize may add them there. */
static gboolean
check_storage_range (C2gStorage   *storage,
                     C2gTypeMeta  *meta,
                     gsize         offset,
                     gsize         n_bytes,
                     GError      **error)
{
  if (offset > storage->n_bytes || n_bytes > storage->n_bytes - offset)
    g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                 _("Expected %zu bytes at offset %zu, got a storage of %zu"),
                 n_bytes, offset, storage->n_bytes);
  else if (!c2g_type_meta_is_aligned (meta, (gpointer) ((guintptr) storage->address + offset)))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("Elements of type “%s” cannot begin at offset %zu: it is not aligned"),
                 meta->name, offset);
  else
    return TRUE;

  return FALSE;
}

/**
 * c2g_tensor_new_from_storage:
 * @data_type: the element type
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many dimensions, 0 for a scalar
 * @storage: the memory
 * @offset: where in @storage the elements begin, in bytes
 * @error: return location for an error
 *
 * Creates a tensor over a storage, sharing it.
 *
 * The capacity is all of the storage from @offset on. The elements are the present bytes of the
 * storage; they are not initialized.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_RANGE` if the
 *   storage is too small, `C2G_ERROR_TYPE` if it holds elements of another type,
 *   `C2G_ERROR_INVALID_ARGUMENT` if @offset is not aligned to the elements, or an
 *   error about the shape
 */
C2gTensor *
c2g_tensor_new_from_storage (C2gDataType    data_type,
                             const gint64  *dims,
                             gsize          n_dims,
                             C2gStorage    *storage,
                             gsize          offset,
                             GError       **error)
{
  g_autoptr (C2gTensor) self = NULL;
  C2gTensorChanges changes = { 0 };
  C2gTypeMeta *meta;
  gsize n_bytes;

  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (storage != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  meta = c2g_tensor_meta_for (data_type, error);
  if (meta == NULL)
    return NULL;

  self = c2g_tensor_new_sized (dims, n_dims, storage->device, error);
  if (self == NULL ||
      !c2g_shape_bytes (self->n_elements, meta->item_size, &n_bytes, error) ||
      !check_storage_type (storage, meta, error) ||
      !check_storage_range (storage, meta, offset, n_bytes, error))
    return NULL;

  c2g_tensor_assign_type (self, meta, &changes);
  c2g_tensor_assign_shared (self, storage, offset, storage->n_bytes - offset, &changes);
  self->is_slice = offset > 0;

  return g_steal_pointer (&self);
}

/**
 * c2g_tensor_new_scalar:
 * @data_type: the element type, a number
 * @value: the value, converted as by [method@Tensor.set_value]
 * @error: return location for an error
 *
 * Creates a tensor of no dimensions and one element, on the CPU.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_TYPE` if elements of
 *   this type are not numbers, `C2G_ERROR_RANGE` if they cannot hold @value, or
 *   `C2G_ERROR_NO_MEMORY`
 */
C2gTensor *
c2g_tensor_new_scalar (C2gDataType   data_type,
                       double        value,
                       GError      **error)
{
  g_autoptr (C2gTensor) self = NULL;

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self = c2g_tensor_new_sized (NULL, 0, NULL, error);
  if (self == NULL ||
      !c2g_tensor_allocate (self, data_type, error) ||
      !c2g_tensor_set_value (self, 0, value, error))
    return NULL;

  return g_steal_pointer (&self);
}

/**
 * c2g_tensor_get_data_type: (get-property data-type)
 * @self: a tensor
 *
 * Gets the number of the element type.
 *
 * Returns: a data type; `C2G_DATA_TYPE_UNDEFINED` while the type is not known, and
 *   for types without a number, which [method@Tensor.get_type_meta] tells
 */
C2gDataType
c2g_tensor_get_data_type (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), C2G_DATA_TYPE_UNDEFINED);

  return self->meta != NULL ? self->meta->data_type : C2G_DATA_TYPE_UNDEFINED;
}

/**
 * c2g_tensor_get_type_meta:
 * @self: a tensor
 *
 * Gets the element type.
 *
 * Returns: (transfer none) (nullable): an element type, or `NULL` while it is not
 *   known
 */
C2gTypeMeta *
c2g_tensor_get_type_meta (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);

  return self->meta;
}

/**
 * c2g_tensor_get_device: (get-property device)
 * @self: a tensor
 *
 * Gets the device of the elements.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_tensor_get_device (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);

  return self->device;
}

/**
 * c2g_tensor_get_storage:
 * @self: a tensor
 *
 * Gets the memory of the tensor.
 *
 * A reference to the storage counts as a holder, so the memory is shared then; see
 * [method@Tensor.shares_data].
 *
 * Returns: (transfer none) (nullable): a storage, or `NULL` if there is no memory
 */
C2gStorage *
c2g_tensor_get_storage (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), NULL);

  return self->storage;
}

/**
 * c2g_tensor_get_capacity:
 * @self: a tensor
 *
 * Gets how many bytes the tensor has room for without another block.
 *
 * Returns: bytes, 0 if there is no memory
 */
gsize
c2g_tensor_get_capacity (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);

  return self->capacity;
}

/**
 * c2g_tensor_get_keep_on_shrink:
 * @self: a tensor
 *
 * Tells whether a resize keeps a block that is large enough.
 *
 * Returns: the tensor's own choice, or that of [class@Settings]
 */
gboolean
c2g_tensor_get_keep_on_shrink (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);

  return c2g_tensor_keeps_on_shrink (self);
}

/**
 * c2g_tensor_set_keep_on_shrink:
 * @self: a tensor
 * @keep_on_shrink: whether to keep the block
 *
 * Chooses for this tensor whether a resize keeps a block that is large enough.
 *
 * If not, every [method@Tensor.resize] that changes the number of elements releases the block,
 * even one that grows within the capacity. A reserved block is kept all the same; see
 * [method@Tensor.reserve].
 */
void
c2g_tensor_set_keep_on_shrink (C2gTensor *self,
                               gboolean   keep_on_shrink)
{
  g_return_if_fail (C2G_IS_TENSOR (self));

  self->has_keep_on_shrink = TRUE;
  self->keep_on_shrink = keep_on_shrink != FALSE;
}

/**
 * c2g_tensor_get_max_keep_on_shrink:
 * @self: a tensor
 *
 * Gets how many unused bytes a resize may leave in the block.
 *
 * Returns: the tensor's own choice, or that of [class@Settings]
 */
guint64
c2g_tensor_get_max_keep_on_shrink (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), 0);

  return c2g_tensor_max_unused (self);
}

/**
 * c2g_tensor_set_max_keep_on_shrink:
 * @self: a tensor
 * @n_bytes: unused bytes
 *
 * Chooses for this tensor how many unused bytes a resize may leave in the block.
 *
 * A [method@Tensor.resize] that changes the number of elements and would leave more unused
 * bytes releases the block. A reserved block is kept all the same.
 */
void
c2g_tensor_set_max_keep_on_shrink (C2gTensor *self,
                                   guint64    n_bytes)
{
  g_return_if_fail (C2G_IS_TENSOR (self));

  self->has_max_keep_on_shrink = TRUE;
  self->max_keep_on_shrink = n_bytes;
}

/**
 * c2g_tensor_is_allocated:
 * @self: a tensor
 *
 * Tells whether the tensor has memory.
 *
 * Returns: whether there is a block
 */
gboolean
c2g_tensor_is_allocated (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);

  return self->storage != NULL;
}

/**
 * c2g_tensor_shares_data:
 * @self: a tensor
 *
 * Tells whether others have the same block.
 *
 * Holders are tensors and other references to the storage. Mappings and bytes do not count.
 *
 * Returns: whether the memory is shared
 */
gboolean
c2g_tensor_shares_data (C2gTensor *self)
{
  g_return_val_if_fail (C2G_IS_TENSOR (self), FALSE);

  return self->storage != NULL && !c2g_storage_is_unique (self->storage);
}

C2gTypeMeta *
c2g_tensor_meta_for (C2gDataType   data_type,
                     GError      **error)
{
  return c2g_type_meta_for_data_type (data_type, error);
}

gboolean
c2g_tensor_check_data (C2gTensor  *self,
                       GError    **error)
{
  if (G_LIKELY (self->storage != NULL || (self->is_defined && self->n_elements == 0)))
    return TRUE;

  if (!self->is_defined)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_SHAPE, _("The tensor has no shape yet"));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("The tensor has no data yet: %" PRId64 " elements of type “%s” "
                   "were not allocated"),
                 self->n_elements, self->meta != NULL ? self->meta->name : "undefined");
  return FALSE;
}

gboolean
c2g_tensor_check_plain (C2gTensor  *self,
                        GError    **error)
{
  if (self->meta != NULL && self->meta->is_plain)
    return TRUE;

  if (self->meta == NULL)
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_TYPE, _("The tensor has no element type yet"));
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE,
                 _("Elements of type “%s” are not plain bytes"), self->meta->name);
  return FALSE;
}
