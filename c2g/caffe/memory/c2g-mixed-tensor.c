/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>
#include <c2g/caffe/memory/c2g-mixed-tensor.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/core/types/c2g-shape-private.h>
#include <c2g/core/types/c2g-type-meta-private.h>
#include <c2g/core/workspace/c2g-blob-stat.h>

/**
 * C2gMixedTensor:
 *
 * The same numbers in several element types, each converted when it is asked for.
 *
 * It is the `Tensor` of NVCaffe, on which its blobs stand. For each type that somebody asks for
 * there is a projection, which is a [class@SyncedMemory]. The projection that was written last
 * is the master: all others are converted from it, once, until it is written again. So a read
 * never costs precision: doubles that were written are the same doubles after they were read as
 * float16.
 *
 * ```c
 * g_autoptr (C2gMixedTensor) mixed =
 *   c2g_mixed_tensor_new (C2G_DATA_TYPE_FLOAT, dims, 2, NULL, &error);
 * float *weights = c2g_mixed_tensor_mutable_data (mixed, C2G_DATA_TYPE_FLOAT,
 *                                                 c2g_device_cpu (), &error);
 * ```
 *
 * ```python
 * mixed = C2g.MixedTensor.new(C2g.DataType.FLOAT, [2, 3], None)
 * weights = np.asarray(mixed.ref_mutable_tensor(C2g.DataType.FLOAT, C2g.Device.cpu()))
 * weights[:] = 1.5
 * halves = np.asarray(mixed.ref_tensor(C2g.DataType.FLOAT16, C2g.Device.cpu()))
 * ```
 *
 * ```js
 * const mixed = C2g.MixedTensor.new(C2g.DataType.FLOAT, [2, 3], null);
 * mixed.fill(1.5);
 * const halves = mixed.ref_tensor(C2g.DataType.FLOAT16, C2g.Device.cpu());
 * print(halves.to_string(6));
 * ```
 *
 * ## Numbers
 *
 * Floating-point numbers are rounded to the nearest, ties to even. In float16 finite numbers
 * stop at ±65504; infinities and NaN stay what they are. Integers lose their fraction
 * and stop at the ends of their range, and NaN is 0. Every number but 0 is true, NaN included.
 * Numbers that are on a CUDA device alone are converted and computed there, all others on the CPU. Integers of
 * 64 bits come to the CPU to be scaled or added, and go back.
 *
 * ## Readers and writers
 *
 * [method@MixedTensor.ref_tensor] gives a read-only tensor whose elements never change.
 * [method@MixedTensor.ref_mutable_tensor] gives the master itself. Writing through it, or through a
 * mapping or an array of NumPy over it, emits nothing. So, as long as any of them lives, every read
 * converts anew, and writing in another type or place is `C2G_ERROR_BUSY`. A tensor that grows, or
 * changes its type, leaves the block, and holds the master no longer.
 *
 * Memory from outside, such as an array of NumPy, may be written by its owner at any time. While it
 * is the master, every read converts anew, too, and [method@MixedTensor.ref_tensor] copies; but writing
 * in another type or place is allowed, because the tensor cannot know when the owner stops. A read never writes
 * to such memory: where it would have to, the tensor gives it back to its owner and takes memory of its own.
 *
 * ## Memory
 *
 * A projection takes memory when it is first asked for, and keeps it until
 * [method@MixedTensor.trim]. Reports show it as the name of the tensor, a slash, the type, an “@” and the
 * device: `weights/float16@cuda:0`. While a named blob holds the tensor, reports
 * have the blob’s name.
 *
 * ## Threads
 *
 * Any number of threads may read at once: one of them converts or copies, and the others wait
 * for it. While somebody holds the master, or it is memory from outside, several threads may call only
 * [method@MixedTensor.ref_tensor]: other reads overwrite memory that another thread may be reading. A thread
 * that writes, trims, or changes the shape must be the only user. No lock is held while memory is allocated,
 * but a callback that runs meanwhile gets `C2G_ERROR_BUSY` if it uses the same tensor.
 * Signals are emitted in the thread that made the change, after it.
 */

enum
{
  PROP_0,
  PROP_DATA_TYPE,
  PROP_DEVICE,
  PROP_NAME,
  N_PROPS
};

enum
{
  CONVERTED,
  INVALIDATED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (C2gMixedTensor, c2g_mixed_tensor, G_TYPE_OBJECT)

void
c2g_mixed_tensor_set_label (C2gMixedTensor *self,
                            C2gLabel       *label)
{
  c2g_label_set_owner (self->label, label);
}

gint64 *
c2g_mixed_dup_dims (const gint64 *dims,
                    gsize         n_dims)
{
  gint64 *copy = g_new0 (gint64, MAX (n_dims, 1));

  if (n_dims > 0)
    memcpy (copy, dims, n_dims * sizeof *dims);
  return copy;
}

void
c2g_mixed_assign_dims (C2gMixedTensor *self,
                       const gint64   *dims,
                       gsize           n_dims,
                       gint64          n_elements)
{
  gint64 *copy = c2g_mixed_dup_dims (dims, n_dims);

  g_free (self->dims);
  self->dims = copy;
  self->n_dims = n_dims;
  self->n_elements = n_elements;
}

gboolean
c2g_mixed_begin (C2gMixedTensor  *self,
                 C2gMixedChange  *change,
                 GError         **error)
{
  if (!c2g_transit_enter (&self->transit, error))
    return FALSE;

  *change = (C2gMixedChange) { .old_type = self->written, .was_held = c2g_mixed_find_held (self) };
  return TRUE;
}

/* Signal handlers are foreign code: they may use the tensor again, or drop its last reference. */
void
c2g_mixed_end (C2gMixedTensor       *self,
               const C2gMixedChange *change)
{
  const gboolean has_new_type = self->written != change->old_type;

  g_object_ref (self);
  c2g_transit_leave (&self->transit);
  if (change->converted != NULL)
    g_signal_emit (self, signals[CONVERTED], 0, change->from->data_type, change->converted->data_type);
  if (change->invalidated)
    g_signal_emit (self, signals[INVALIDATED], 0);
  if (has_new_type)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DATA_TYPE]);
  g_object_unref (self);
}

/* A property cannot report an error: a type that is not numeric causes a warning, and FLOAT is
 * used. */
static void
set_data_type (C2gMixedTensor *self,
               C2gDataType     data_type)
{
  g_autoptr (GError) error = NULL;
  C2gTypeMeta *meta = c2g_numbers_find_type (data_type, &error);

  if (meta != NULL)
    self->written = meta;
  else
    g_warning ("%s: %s", G_OBJECT_TYPE_NAME (self), error->message);
}

static void
set_device (C2gMixedTensor *self,
            C2gDevice      *device)
{
  self->device = c2g_synced_other_device (device);
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_DATA_TYPE] = {
    .get = G_CALLBACK (c2g_mixed_tensor_get_data_type),
    .set = G_CALLBACK (set_data_type),
  },
  [PROP_DEVICE] = { .set = G_CALLBACK (set_device), .offset = G_STRUCT_OFFSET (C2gMixedTensor, device) },
  [PROP_NAME] = C2G_PROPERTY_FIELD (C2gMixedTensor, name),
};

static void
c2g_mixed_tensor_constructed (GObject *object)
{
  C2gMixedTensor *self = C2G_MIXED_TENSOR (object);

  G_OBJECT_CLASS (c2g_mixed_tensor_parent_class)->constructed (object);

  self->label = c2g_label_new (self->name);
}

static void
c2g_mixed_tensor_finalize (GObject *object)
{
  C2gMixedTensor *self = C2G_MIXED_TENSOR (object);

  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    g_clear_object (&self->memories[i]);
  g_clear_pointer (&self->dims, g_free);
  g_clear_pointer (&self->label, c2g_label_unref);
  g_clear_pointer (&self->name, g_free);
  c2g_transit_clear (&self->transit);

  G_OBJECT_CLASS (c2g_mixed_tensor_parent_class)->finalize (object);
}

gsize
c2g_mixed_tensor_count (C2gMixedTensor *self)
{
  gsize n_bytes = 0;

  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    {
      C2gSyncedMemory *memory = g_atomic_pointer_get (&self->memories[i]);

      n_bytes += memory != NULL ? c2g_synced_memory_count (memory) : 0;
    }
  return n_bytes;
}

static gsize
count_in_blob (C2gBlob  *blob,
               gpointer  user_data)
{
  return c2g_mixed_tensor_count (C2G_MIXED_TENSOR (c2g_blob_get_object (blob)));
}

static void
c2g_mixed_tensor_class_init (C2gMixedTensorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = c2g_mixed_tensor_constructed;
  object_class->finalize = c2g_mixed_tensor_finalize;

  /**
   * C2gMixedTensor:data-type: (getter get_data_type)
   *
   * The type that was written last.
   *
   * It can be given to the constructor. A type that is not numeric causes a warning, and `FLOAT` is
   * used.
   */
  props[PROP_DATA_TYPE] =
    g_param_spec_enum ("data-type", NULL, NULL, C2G_TYPE_DATA_TYPE, C2G_DATA_TYPE_FLOAT,
                       G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gMixedTensor:device: (getter get_device)
   *
   * The second device, beside the CPU; by default the first CUDA device.
   */
  props[PROP_DEVICE] =
    g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gMixedTensor:name: (getter get_name)
   *
   * The name of the memory in reports.
   */
  props[PROP_NAME] =
    g_param_spec_string ("name", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  c2g_properties_install (object_class, N_PROPS, props, rows);
  c2g_label_set_func (C2G_TYPE_MIXED_TENSOR, (C2gLabelFunc) c2g_mixed_tensor_set_label);
  c2g_blob_register_stat (C2G_TYPE_MIXED_TENSOR, count_in_blob, NULL, NULL, NULL);

  /**
   * C2gMixedTensor::converted:
   * @self: the tensor
   * @source_type: the type that was written last
   * @target_type: the type that was requested
   *
   * Emitted when a projection was converted.
   *
   * It is emitted after the call, in the thread that made it.
   */
  signals[CONVERTED] =
    g_signal_new ("converted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, C2G_TYPE_DATA_TYPE, C2G_TYPE_DATA_TYPE);

  /**
   * C2gMixedTensor::invalidated:
   * @self: the tensor
   *
   * Emitted when valid projections have become invalid.
   *
   * It is emitted after the call, in the thread that made it. Writing through a tensor from
   * [method@MixedTensor.ref_mutable_tensor] does not emit it.
   */
  signals[INVALIDATED] =
    g_signal_new ("invalidated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
}

static void
c2g_mixed_tensor_init (C2gMixedTensor *self)
{
  c2g_transit_init (&self->transit);
  self->dims = g_new0 (gint64, 1);
  self->n_dims = 1;
  /* This type stays where the property is given one that is not numeric: that is only a warning. */
  self->written = c2g_type_meta_for_data_type (C2G_DATA_TYPE_FLOAT, NULL);
}

/**
 * c2g_mixed_tensor_new:
 * @data_type: the type of the elements until another one is written
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: the number of dimensions, 0 for a scalar
 * @device: (nullable): the second device; `NULL` or the CPU means the first CUDA device
 * @error: return location for an error
 *
 * Creates a tensor of zeros, without memory.
 *
 * The bare constructor of a binding, such as `C2g.MixedTensor()`, makes a tensor of floats with one dimension of 0.
 *
 * Returns: (transfer full): a tensor, or `NULL` with `C2G_ERROR_TYPE` if elements of this type are
 *   not numbers, `C2G_ERROR_SHAPE` if a dimension is negative, or `C2G_ERROR_RANGE` if there are too
 *   many elements
 */
C2gMixedTensor *
c2g_mixed_tensor_new (C2gDataType    data_type,
                      const gint64  *dims,
                      gsize          n_dims,
                      C2gDevice     *device,
                      GError       **error)
{
  C2gMixedTensor *self;
  C2gTypeMeta *meta;
  gint64 n_elements;
  gsize n_bytes;

  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  meta = c2g_numbers_find_type (data_type, error);
  if (meta == NULL || !c2g_shape_count (dims, n_dims, &n_elements, error) ||
      !c2g_shape_bytes (n_elements, meta->item_size, &n_bytes, error))
    return NULL;

  self = g_object_new (C2G_TYPE_MIXED_TENSOR, "data-type", data_type, "device", device, NULL);
  c2g_mixed_assign_dims (self, dims, n_dims, n_elements);
  return self;
}

/**
 * c2g_mixed_tensor_get_data_type: (get-property data-type)
 * @self: a mixed tensor
 *
 * Gets the type that was written last.
 *
 * All others are converted from it.
 *
 * Returns: a data type
 */
C2gDataType
c2g_mixed_tensor_get_data_type (C2gMixedTensor *self)
{
  C2gTypeMeta *written;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), C2G_DATA_TYPE_UNDEFINED);

  written = g_atomic_pointer_get (&self->written);
  return written->data_type;
}

/**
 * c2g_mixed_tensor_get_device: (get-property device)
 * @self: a mixed tensor
 *
 * Gets the second device, beside the CPU.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_mixed_tensor_get_device (C2gMixedTensor *self)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);

  return self->device;
}

/**
 * c2g_mixed_tensor_get_name: (get-property name)
 * @self: a mixed tensor
 *
 * Gets the name of the memory in reports.
 *
 * Returns: (transfer none) (nullable): a name, or `NULL` if it has none
 */
const char *
c2g_mixed_tensor_get_name (C2gMixedTensor *self)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);

  return self->name;
}

/**
 * c2g_mixed_tensor_get_dims:
 * @self: a mixed tensor
 * @n_dims: (out): how many dimensions
 *
 * Gets the dimensions.
 *
 * Returns: (transfer none) (array length=n_dims): the dimensions
 */
const gint64 *
c2g_mixed_tensor_get_dims (C2gMixedTensor *self,
                           gsize          *n_dims)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);
  g_return_val_if_fail (n_dims != NULL, NULL);

  *n_dims = self->n_dims;
  return self->dims;
}

/**
 * c2g_mixed_tensor_get_n_elements:
 * @self: a mixed tensor
 *
 * Gets the number of elements.
 *
 * Returns: the product of the dimensions
 */
gint64
c2g_mixed_tensor_get_n_elements (C2gMixedTensor *self)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);

  return self->n_elements;
}
