/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-mixed-tensor.h>
#include <c2g/caffe/memory/c2g-mixed-tensor-private.h>

#include <c2g/caffe/memory/c2g-transit-private.h>
#include <c2g/core/c2g-convert-private.h>
#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-shape-private.h>
#include <c2g/core/c2g-type-meta-private.h>

#include <string.h>

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
 * stop at ±65504; infinities and NaN stay what they are. Integers lose what is behind the point
 * and stop at the ends of their range, and NaN is 0. Every number but 0 is true, NaN included.
 *
 * ## Readers and writers
 *
 * [method@MixedTensor.ref_tensor] gives a read-only tensor whose elements never change.
 * [method@MixedTensor.ref_mutable_tensor] gives the master itself. Writing through it, or through a
 * mapping or an array of NumPy over it, emits nothing. So, as long as any of them lives, every read
 * converts anew, and writing in another type or place is `C2G_ERROR_BUSY`. A tensor that grows, or
 * changes its type, leaves the block, and holds the master no longer.
 *
 * ## Memory
 *
 * A projection takes memory when it is first asked for, and keeps it. Reports show it as the
 * name of the tensor, a slash, the type, an “@” and the device: `weights/float16@cuda:0`.
 *
 * ## Threads
 *
 * Any number of threads may read at once: one of them converts or copies, and the others wait
 * for it. A thread that writes, or changes the shape, must be the only user. No lock is held while memory is
 * allocated; but a callback that runs then cannot use the same tensor: that is `C2G_ERROR_BUSY`.
 * Signals are emitted in the thread that made the change, after it.
 */

struct _C2gMixedTensor
{
  GObject          parent_instance;

  C2gTransit       transit;
  char            *name;
  C2gDevice       *device;

  gint64          *dims;
  gsize            n_dims;
  gint64           n_elements;

  /* Atomic.  The element type of the master, and a memory for each type that was asked for;
   * each is marked as valid while it has the numbers of the master. */
  C2gTypeMeta     *written;
  C2gSyncedMemory *memories[C2G_N_CONVERT_SLOTS];
  gsize            item_sizes[C2G_N_CONVERT_SLOTS];
  /* TRUE from when the master is lent for writing until it is known to be back. */
  gboolean         is_lent;
};

/* The effects of one operation, which are told when it is over. */
typedef struct
{
  C2gTypeMeta *from;
  C2gTypeMeta *converted;
  gboolean     invalidated;
} Change;

enum
{
  PROP_0,
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

static gboolean
begin (C2gMixedTensor  *self,
       Change          *change,
       GError         **error)
{
  *change = (Change) { NULL };

  return c2g_transit_enter (&self->transit, error);
}

/* Handlers are code of others, which may use the tensor again, or drop it. */
static void
end (C2gMixedTensor *self,
     const Change   *change)
{
  g_object_ref (self);
  c2g_transit_leave (&self->transit);
  if (change->converted != NULL)
    g_signal_emit (self, signals[CONVERTED], 0, change->from->data_type, change->converted->data_type);
  if (change->invalidated)
    g_signal_emit (self, signals[INVALIDATED], 0);
  g_object_unref (self);
}

/* The type that a number stands for, if its elements are numbers. */
static C2gTypeMeta *
find_type (C2gDataType   data_type,
           GError      **error)
{
  C2gTypeMeta *meta = c2g_type_meta_for_data_type (data_type, error);

  if (meta == NULL || meta->is_plain)
    return meta;

  g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("Elements of type “%s” are not numbers"), meta->name);
  return NULL;
}

static C2gSyncedMemory **
place_of (C2gMixedTensor *self,
          C2gTypeMeta    *meta)
{
  return &self->memories[C2G_CONVERT_SLOT (meta->data_type)];
}

/* The memory of a type, or NULL if nobody has asked for it; from any thread. */
static C2gSyncedMemory *
look_up_memory (C2gMixedTensor *self,
                C2gDataType     data_type)
{
  C2gTypeMeta *meta = find_type (data_type, NULL);

  return meta != NULL ? g_atomic_pointer_get (place_of (self, meta)) : NULL;
}

static C2gSyncedMemory *
ensure_memory (C2gMixedTensor  *self,
               C2gTypeMeta     *meta,
               GError         **error)
{
  C2gSyncedMemory **place = place_of (self, meta);
  g_autofree char *name = NULL;
  gsize n_bytes;

  if (*place != NULL)
    return *place;
  if (!c2g_shape_bytes (self->n_elements, meta->item_size, &n_bytes, error))
    return NULL;

  name = self->name != NULL ? g_strdup_printf ("%s/%s", self->name, meta->name) : g_strdup (meta->name);
  self->item_sizes[place - self->memories] = meta->item_size;
  g_atomic_pointer_set (place, g_object_new (C2G_TYPE_SYNCED_MEMORY, "n-bytes", (guint64) n_bytes,
                                             "device", self->device, "name", name, NULL));
  return *place;
}

/* The memory of the type that was written last, or NULL as long as it has no numbers. */
static C2gSyncedMemory *
find_master (C2gMixedTensor *self)
{
  C2gSyncedMemory *master = *place_of (self, self->written);

  return master != NULL && c2g_synced_memory_get_head (master) != C2G_SYNCED_HEAD_UNINITIALIZED ? master
                                                                                               : NULL;
}

static gboolean
find_held (C2gMixedTensor *self)
{
  if (self->is_lent && !c2g_synced_memory_is_held (*place_of (self, self->written)))
    g_atomic_int_set (&self->is_lent, FALSE);

  return self->is_lent;
}

/* While somebody holds the master, no other type can be written. */
static gboolean
check_not_held_elsewhere (C2gMixedTensor  *self,
                          C2gTypeMeta     *meta,
                          GError         **error)
{
  return !find_held (self) || meta == self->written ||
         c2g_synced_memory_check_not_held (*place_of (self, self->written), error);
}

/* The CPU converts.  Numbers on the other device are copied to it first. */
static gboolean
convert_numbers (C2gMixedTensor   *self,
                 C2gSyncedMemory  *master,
                 C2gTypeMeta      *meta,
                 C2gSyncedMemory  *memory,
                 GError          **error)
{
  gpointer source, target;

  if (!c2g_synced_memory_access (master, C2G_SYNCED_CPU, C2G_SYNCED_READ, &source, error) ||
      !c2g_synced_memory_access (memory, C2G_SYNCED_CPU, C2G_SYNCED_OVERWRITE, &target, error))
    return FALSE;

  if (self->n_elements > 0)
    c2g_convert_items (meta->data_type, target, self->written->data_type, source,
                       (gsize) self->n_elements, C2G_CONVERT_SATURATE, NULL);
  return TRUE;
}

/* The memory of a type, with the numbers of the master.  It is marked as valid by the caller. */
static C2gSyncedMemory *
bring_up (C2gMixedTensor  *self,
          C2gTypeMeta     *meta,
          Change          *change,
          GError         **error)
{
  C2gSyncedMemory *memory = ensure_memory (self, meta, error);
  C2gSyncedMemory *master = find_master (self);

  if (memory == NULL || memory == master || c2g_synced_memory_is_valid (memory))
    return memory;

  /* Nothing was ever written: the first access gives zeros. */
  if (master == NULL)
    return c2g_synced_memory_clear (memory, error) ? memory : NULL;

  if (!convert_numbers (self, master, meta, memory, error))
    return NULL;

  change->from = self->written;
  change->converted = meta;
  return memory;
}

/* A holder may write to the master at any time, also while its numbers are converted, so that no
 * other projection stays valid. */
static void
keep_as_valid (C2gMixedTensor  *self,
               C2gSyncedMemory *memory,
               gboolean         was_held)
{
  if (!was_held || memory == *place_of (self, self->written))
    c2g_synced_memory_validate (memory);
}

static void
invalidate_all_but (C2gMixedTensor  *self,
                    C2gSyncedMemory *master,
                    Change          *change)
{
  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    {
      C2gSyncedMemory *memory = self->memories[i];

      if (memory == NULL || memory == master || !c2g_synced_memory_is_valid (memory))
        continue;
      c2g_synced_memory_invalidate (memory);
      change->invalidated = TRUE;
    }
}

static void
make_master (C2gMixedTensor  *self,
             C2gTypeMeta     *meta,
             C2gSyncedMemory *memory,
             Change          *change)
{
  g_atomic_pointer_set (&self->written, meta);
  c2g_synced_memory_validate (memory);
  invalidate_all_but (self, memory, change);
}

static gboolean
access_to_read (C2gMixedTensor  *self,
                C2gTypeMeta     *meta,
                C2gSyncedSide    side,
                gpointer        *address,
                Change          *change,
                GError         **error)
{
  const gboolean was_held = find_held (self);
  C2gSyncedMemory *memory = bring_up (self, meta, change, error);

  if (memory == NULL || !c2g_synced_memory_access (memory, side, C2G_SYNCED_READ, address, error))
    return FALSE;

  keep_as_valid (self, memory, was_held);
  return TRUE;
}

static gboolean
access_to_write (C2gMixedTensor   *self,
                 C2gTypeMeta      *meta,
                 C2gSyncedSide     side,
                 C2gSyncedAccess   access,
                 gpointer         *address,
                 Change           *change,
                 GError          **error)
{
  C2gSyncedMemory *memory;

  if (!check_not_held_elsewhere (self, meta, error))
    return FALSE;

  memory = access == C2G_SYNCED_OVERWRITE ? ensure_memory (self, meta, error)
                                          : bring_up (self, meta, change, error);
  if (memory == NULL || !c2g_synced_memory_access (memory, side, access, address, error))
    return FALSE;

  make_master (self, meta, memory, change);
  return TRUE;
}

/* Finds the side that a device is in each of the memories. */
static gboolean
find_side (C2gMixedTensor  *self,
           C2gDevice       *device,
           C2gSyncedSide   *side,
           GError         **error)
{
  *side = device == self->device ? C2G_SYNCED_GPU : C2G_SYNCED_CPU;
  if (device == self->device || device == c2g_device_cpu ())
    return TRUE;

  g_set_error (error, C2G_ERROR, C2G_ERROR_DEVICE,
               _("The memory lives on the CPU and on %s, not on %s"),
               c2g_device_to_string (self->device), c2g_device_to_string (device));
  return FALSE;
}

static gboolean
access_slowly (C2gMixedTensor   *self,
               C2gTypeMeta      *meta,
               C2gSyncedSide     side,
               C2gSyncedAccess   access,
               gpointer         *address,
               GError          **error)
{
  Change change;
  gboolean done;

  if (!begin (self, &change, error))
    return FALSE;

  done = access == C2G_SYNCED_READ
           ? access_to_read (self, meta, side, address, &change, error)
           : access_to_write (self, meta, side, access, address, &change, error);
  end (self, &change);

  return done;
}

gboolean
c2g_mixed_tensor_access (C2gMixedTensor   *self,
                         C2gDataType       data_type,
                         C2gDevice        *device,
                         C2gSyncedAccess   access,
                         gpointer         *address,
                         GError          **error)
{
  C2gTypeMeta *meta = find_type (data_type, error);
  C2gSyncedMemory *memory;
  C2gSyncedSide side;

  if (meta == NULL || !find_side (self, device, &side, error))
    return FALSE;

  /* The fast path: the numbers are here already. */
  memory = g_atomic_pointer_get (place_of (self, meta));
  if (G_LIKELY (access == C2G_SYNCED_READ && memory != NULL && c2g_synced_memory_is_valid (memory) &&
                !g_atomic_int_get (&self->is_lent)))
    return c2g_synced_memory_access (memory, side, C2G_SYNCED_READ, address, error);

  return access_slowly (self, meta, side, access, address, error);
}

gboolean
c2g_mixed_tensor_compute (C2gMixedTensor    *self,
                          C2gSyncedAccess    access,
                          C2gMixedFunc       func,
                          gpointer           data,
                          GError           **error)
{
  C2gMixedRow row;
  Change change;
  gboolean done;

  if (!begin (self, &change, error))
    return FALSE;

  row.type = self->written->data_type;
  row.item_size = self->written->item_size;
  row.n = (gsize) self->n_elements;
  done = access_to_write (self, self->written, C2G_SYNCED_CPU, access, &row.elements, &change, error) &&
         func (&row, data, error);
  end (self, &change);
  return done;
}

/* The object */

static void
c2g_mixed_tensor_get_property (GObject    *object,
                               guint       prop_id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  C2gMixedTensor *self = C2G_MIXED_TENSOR (object);

  switch (prop_id)
    {
    case PROP_DEVICE:
      g_value_set_boxed (value, self->device);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
c2g_mixed_tensor_set_property (GObject      *object,
                               guint         prop_id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  C2gMixedTensor *self = C2G_MIXED_TENSOR (object);

  switch (prop_id)
    {
    case PROP_DEVICE:
      self->device = g_value_get_boxed (value);
      break;
    case PROP_NAME:
      self->name = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
c2g_mixed_tensor_constructed (GObject *object)
{
  C2gMixedTensor *self = C2G_MIXED_TENSOR (object);

  G_OBJECT_CLASS (c2g_mixed_tensor_parent_class)->constructed (object);

  /* Devices are known by name, whether there is one or not. */
  if (self->device == NULL || self->device == c2g_device_cpu ())
    self->device = c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
}

static void
c2g_mixed_tensor_finalize (GObject *object)
{
  C2gMixedTensor *self = C2G_MIXED_TENSOR (object);

  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    g_clear_object (&self->memories[i]);
  g_clear_pointer (&self->dims, g_free);
  g_clear_pointer (&self->name, g_free);
  c2g_transit_clear (&self->transit);

  G_OBJECT_CLASS (c2g_mixed_tensor_parent_class)->finalize (object);
}

static void
c2g_mixed_tensor_class_init (C2gMixedTensorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = c2g_mixed_tensor_get_property;
  object_class->set_property = c2g_mixed_tensor_set_property;
  object_class->constructed = c2g_mixed_tensor_constructed;
  object_class->finalize = c2g_mixed_tensor_finalize;

  /**
   * C2gMixedTensor:device: (getter get_device)
   *
   * The place beside the CPU; the first CUDA device where none is given.
   */
  props[PROP_DEVICE] =
    g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gMixedTensor:name: (getter get_name)
   *
   * What the memory is called in reports.
   */
  props[PROP_NAME] =
    g_param_spec_string ("name", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, N_PROPS, props);

  /**
   * C2gMixedTensor::converted:
   * @self: the tensor
   * @source_type: the type that was written last
   * @target_type: the type that somebody asked for
   *
   * A projection was converted.
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
   * Projections that were valid are so no longer.
   *
   * It is emitted after the call, in the thread that made it. Writing through what
   * [method@MixedTensor.ref_mutable_tensor] gave does not emit it.
   */
  signals[INVALIDATED] =
    g_signal_new ("invalidated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
}

static void
c2g_mixed_tensor_init (C2gMixedTensor *self)
{
  c2g_transit_init (&self->transit);
  self->written = c2g_type_meta_for_data_type (C2G_DATA_TYPE_FLOAT, NULL);
  self->dims = g_new0 (gint64, 1);
  self->n_dims = 1;
}

/**
 * c2g_mixed_tensor_new:
 * @data_type: the type of the elements as long as nobody has written another
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many dimensions, 0 for a scalar
 * @device: (nullable): the place beside the CPU; `NULL`, or the CPU itself, stands for the first CUDA
 *   device
 * @error: return location for an error
 *
 * Creates a tensor of zeros, without memory.
 *
 * A bare constructor makes one of floats, with one dimension of 0.
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
  g_autoptr (C2gMixedTensor) self = NULL;
  C2gTypeMeta *meta;

  g_return_val_if_fail (dims != NULL || n_dims == 0, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  meta = find_type (data_type, error);
  if (meta == NULL)
    return NULL;

  self = g_object_new (C2G_TYPE_MIXED_TENSOR, "device", device, NULL);
  self->written = meta;
  if (!c2g_mixed_tensor_reshape (self, dims, n_dims, error))
    return NULL;

  return g_steal_pointer (&self);
}

/**
 * c2g_mixed_tensor_get_data_type:
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
 * Gets the place beside the CPU.
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
 * Gets what the memory is called in reports.
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
 * Gets how many elements there are.
 *
 * Returns: the product of the dimensions
 */
gint64
c2g_mixed_tensor_get_n_elements (C2gMixedTensor *self)
{
  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);

  return self->n_elements;
}

/**
 * c2g_mixed_tensor_is_valid:
 * @self: a mixed tensor
 * @data_type: a type
 *
 * Tells whether a read in this type needs no conversion.
 *
 * Returns: whether the projection is valid
 */
gboolean
c2g_mixed_tensor_is_valid (C2gMixedTensor *self,
                           C2gDataType     data_type)
{
  C2gSyncedMemory *memory;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);

  memory = look_up_memory (self, data_type);
  return memory != NULL && c2g_synced_memory_is_valid (memory);
}

/**
 * c2g_mixed_tensor_is_held:
 * @self: a mixed tensor
 *
 * Tells whether somebody holds what [method@MixedTensor.ref_mutable_tensor] gave.
 *
 * That may be the tensor, a mapping of it, or whatever else stands on its memory.
 *
 * Returns: whether the elements may be written by somebody
 */
gboolean
c2g_mixed_tensor_is_held (C2gMixedTensor *self)
{
  C2gSyncedMemory *memory;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);

  memory = look_up_memory (self, c2g_mixed_tensor_get_data_type (self));
  return memory != NULL && c2g_synced_memory_is_held (memory);
}

/**
 * c2g_mixed_tensor_get_head:
 * @self: a mixed tensor
 * @data_type: a type
 *
 * Gets where the bytes of a projection are.
 *
 * Returns: a head; `UNINITIALIZED` if nobody has asked for the type
 */
C2gSyncedHead
c2g_mixed_tensor_get_head (C2gMixedTensor *self,
                           C2gDataType     data_type)
{
  C2gSyncedMemory *memory;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), C2G_SYNCED_HEAD_UNINITIALIZED);

  memory = look_up_memory (self, data_type);
  return memory != NULL ? c2g_synced_memory_get_head (memory) : C2G_SYNCED_HEAD_UNINITIALIZED;
}

/**
 * c2g_mixed_tensor_get_cpu_memory_use:
 * @self: a mixed tensor
 * @data_type: a type
 *
 * Gets how many bytes a projection takes on the CPU.
 *
 * Returns: bytes, 0 if it has no block
 */
gsize
c2g_mixed_tensor_get_cpu_memory_use (C2gMixedTensor *self,
                                     C2gDataType     data_type)
{
  C2gSyncedMemory *memory;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);

  memory = look_up_memory (self, data_type);
  return memory != NULL ? c2g_synced_memory_get_cpu_memory_use (memory, FALSE) : 0;
}

/**
 * c2g_mixed_tensor_get_gpu_memory_use:
 * @self: a mixed tensor
 * @data_type: a type
 *
 * Gets how many bytes a projection takes on the other device.
 *
 * Returns: bytes, 0 if it has no block
 */
gsize
c2g_mixed_tensor_get_gpu_memory_use (C2gMixedTensor *self,
                                     C2gDataType     data_type)
{
  C2gSyncedMemory *memory;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), 0);

  memory = look_up_memory (self, data_type);
  return memory != NULL ? c2g_synced_memory_get_gpu_memory_use (memory, FALSE) : 0;
}

/**
 * c2g_mixed_tensor_to_string:
 * @self: a mixed tensor
 *
 * Describes the tensor and its projections, for people.
 *
 * Returns: (transfer full): text such as “[2, 3] of float”, and a line for each projection
 */
char *
c2g_mixed_tensor_to_string (C2gMixedTensor *self)
{
  g_autofree char *shape = NULL;
  GString *text;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);

  shape = c2g_shape_to_string (self->dims, self->n_dims);
  text = g_string_new (NULL);
  g_string_append_printf (text, "%s of %s", shape,
                          c2g_data_type_get_name (c2g_mixed_tensor_get_data_type (self)));
  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    {
      C2gSyncedMemory *memory = g_atomic_pointer_get (&self->memories[i]);
      g_autofree char *line = memory != NULL ? c2g_synced_memory_to_string (memory) : NULL;

      if (line != NULL)
        g_string_append_printf (text, "\n  %s", line);
    }

  return g_string_free (text, FALSE);
}

/* Takes storage, which may be NULL with an error. */
static C2gTensor *
tensor_over (C2gMixedTensor  *self,
             C2gTypeMeta     *meta,
             C2gStorage      *storage,
             GError         **error)
{
  g_autoptr (C2gStorage) held = storage;

  return held != NULL
           ? c2g_tensor_new_from_storage (meta->data_type, self->dims, self->n_dims, held, 0, error)
           : NULL;
}

/**
 * c2g_mixed_tensor_ref_tensor:
 * @self: a mixed tensor
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the elements in a type and place, for reading.
 *
 * They never change: what is written later is written elsewhere. Nothing is copied if the
 * projection is valid, unless somebody holds the elements for writing; then this is a copy of what
 * they are now. The tensor is read-only, and moves to a copy when it is written.
 *
 * Fails with `C2G_ERROR_TYPE` if elements of this type are not numbers, `C2G_ERROR_DEVICE` if
 * @device is neither the CPU nor that of the tensor, or does not exist, `C2G_ERROR_RANGE` if there
 * would be too many bytes, `C2G_ERROR_NO_MEMORY`, and `C2G_ERROR_BUSY` within an allocation for
 * the same tensor.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_mixed_tensor_ref_tensor (C2gMixedTensor  *self,
                             C2gDataType      data_type,
                             C2gDevice       *device,
                             GError         **error)
{
  C2gTensor *tensor = NULL;
  C2gSyncedMemory *memory;
  C2gTypeMeta *meta;
  C2gSyncedSide side;
  gboolean was_held;
  Change change;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  meta = find_type (data_type, error);
  if (meta == NULL ||
      !find_side (self, device != NULL ? device : c2g_device_cpu (), &side, error) ||
      !begin (self, &change, error))
    return NULL;

  was_held = find_held (self);
  memory = bring_up (self, meta, &change, error);
  if (memory != NULL)
    tensor = tensor_over (self, meta, c2g_synced_memory_ref_reader (memory, side, error), error);
  if (tensor != NULL)
    keep_as_valid (self, memory, was_held);
  end (self, &change);

  return tensor;
}

/**
 * c2g_mixed_tensor_ref_mutable_tensor:
 * @self: a mixed tensor
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the elements in a type and place, for writing.
 *
 * The type counts as written from now on, and as long as anybody has the tensor or its memory. All
 * other projections are converted at each read until then.
 *
 * Fails as [method@MixedTensor.ref_tensor] does, and with `C2G_ERROR_BUSY` if somebody holds the
 * elements for writing in another type or place.
 *
 * Returns: (transfer full): a tensor
 */
C2gTensor *
c2g_mixed_tensor_ref_mutable_tensor (C2gMixedTensor  *self,
                                     C2gDataType      data_type,
                                     C2gDevice       *device,
                                     GError         **error)
{
  C2gTensor *tensor = NULL;
  C2gSyncedMemory *memory = NULL;
  C2gTypeMeta *meta;
  C2gSyncedSide side;
  Change change;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  meta = find_type (data_type, error);
  if (meta == NULL ||
      !find_side (self, device != NULL ? device : c2g_device_cpu (), &side, error) ||
      !begin (self, &change, error))
    return NULL;

  if (check_not_held_elsewhere (self, meta, error))
    memory = bring_up (self, meta, &change, error);
  if (memory != NULL)
    tensor = tensor_over (self, meta, c2g_synced_memory_ref_writer (memory, side, error), error);
  if (tensor != NULL)
    {
      g_atomic_int_set (&self->is_lent, TRUE);
      make_master (self, meta, memory, &change);
    }
  end (self, &change);

  return tensor;
}

/**
 * c2g_mixed_tensor_convert:
 * @self: a mixed tensor
 * @data_type: a type
 * @error: return location for an error
 *
 * Makes the elements those of another type, as if they had been written in it.
 *
 * From then on all types are converted from this one: unlike a read, this costs precision.
 *
 * Fails as [method@MixedTensor.ref_mutable_tensor] does.
 *
 * Returns: whether the type is the one that was written last
 */
gboolean
c2g_mixed_tensor_convert (C2gMixedTensor  *self,
                          C2gDataType      data_type,
                          GError         **error)
{
  C2gSyncedMemory *memory = NULL;
  C2gTypeMeta *meta;
  Change change;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  meta = find_type (data_type, error);
  if (meta == NULL || !begin (self, &change, error))
    return FALSE;

  if (check_not_held_elsewhere (self, meta, error))
    memory = bring_up (self, meta, &change, error);
  if (memory != NULL)
    make_master (self, meta, memory, &change);
  end (self, &change);

  return memory != NULL;
}

/**
 * c2g_mixed_tensor_invalidate_others:
 * @self: a mixed tensor
 * @error: return location for an error
 *
 * Makes every type but the one that was written last be converted anew when it is next read.
 *
 * It is for C programs that have written through an address of
 * [method@MixedTensor.mutable_data] after another access.
 *
 * Fails with `C2G_ERROR_BUSY` within an allocation for the same tensor.
 *
 * Returns: whether that is so
 */
gboolean
c2g_mixed_tensor_invalidate_others (C2gMixedTensor  *self,
                                    GError         **error)
{
  Change change;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!begin (self, &change, error))
    return FALSE;

  invalidate_all_but (self, *place_of (self, self->written), &change);
  end (self, &change);

  return TRUE;
}

/* The sizes that the memories get; the type that was written last has to have a size in any case. */
static gboolean
find_sizes (C2gMixedTensor  *self,
            gint64           n_elements,
            gsize           *sizes,
            GError         **error)
{
  gsize n_bytes;

  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    if (self->memories[i] != NULL &&
        !c2g_shape_bytes (n_elements, self->item_sizes[i], &sizes[i], error))
      return FALSE;

  return c2g_shape_bytes (n_elements, self->written->item_size, &n_bytes, error);
}

static gboolean
resize_memories (C2gMixedTensor  *self,
                 gint64           n_elements,
                 Change          *change,
                 GError         **error)
{
  gsize sizes[C2G_N_CONVERT_SLOTS] = { 0 };

  if (!find_sizes (self, n_elements, sizes, error))
    return FALSE;

  /* The elements that are added were never converted. */
  if (n_elements > self->n_elements)
    invalidate_all_but (self, *place_of (self, self->written), change);
  /* This cannot fail: the sizes are possible, and nobody else has the memories. */
  for (gsize i = 0; i < C2G_N_CONVERT_SLOTS; i++)
    if (self->memories[i] != NULL)
      c2g_synced_memory_resize (self->memories[i], sizes[i], NULL);

  return TRUE;
}

/* There is room for one dimension at least, so that there is an address. */
static void
assign_dims (C2gMixedTensor *self,
             const gint64   *dims,
             gsize           n_dims)
{
  gint64 *copy = g_new0 (gint64, MAX (n_dims, 1));

  if (n_dims > 0)
    memcpy (copy, dims, n_dims * sizeof *dims);
  g_free (self->dims);
  self->dims = copy;
  self->n_dims = n_dims;
}

/**
 * c2g_mixed_tensor_reshape:
 * @self: a mixed tensor
 * @dims: (array length=n_dims): the dimensions
 * @n_dims: how many dimensions, 0 for a scalar
 * @error: return location for an error
 *
 * Gives the tensor a shape.
 *
 * If the block of the type that was written last has room for the shape, the elements stay, and
 * added ones are undefined. Otherwise the elements are lost: the next read gives zeros, and a tensor
 * that holds the block keeps it. Other projections are converted anew if there are more elements
 * than before.
 *
 * Fails with `C2G_ERROR_SHAPE` if a dimension is negative, `C2G_ERROR_RANGE` if there would be too
 * many elements or bytes, and `C2G_ERROR_BUSY` within an allocation for the same tensor; nothing
 * changes then.
 *
 * Returns: whether the tensor has the shape
 */
gboolean
c2g_mixed_tensor_reshape (C2gMixedTensor  *self,
                          const gint64    *dims,
                          gsize            n_dims,
                          GError         **error)
{
  gint64 n_elements;
  Change change;
  gboolean done;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), FALSE);
  g_return_val_if_fail (dims != NULL || n_dims == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!c2g_shape_count (dims, n_dims, &n_elements, error) || !begin (self, &change, error))
    return FALSE;

  done = n_elements == self->n_elements || resize_memories (self, n_elements, &change, error);
  if (done)
    {
      assign_dims (self, dims, n_dims);
      self->n_elements = n_elements;
    }
  end (self, &change);

  return done;
}

/**
 * c2g_mixed_tensor_data: (skip)
 * @self: a mixed tensor
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the elements in a type and place, for reading.
 *
 * The address is good until the next access of the tensor. Fails as
 * [method@MixedTensor.ref_tensor] does.
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gconstpointer
c2g_mixed_tensor_data (C2gMixedTensor  *self,
                       C2gDataType      data_type,
                       C2gDevice       *device,
                       GError         **error)
{
  gpointer address = NULL;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  c2g_mixed_tensor_access (self, data_type, device != NULL ? device : c2g_device_cpu (),
                           C2G_SYNCED_READ, &address, error);
  return address;
}

/**
 * c2g_mixed_tensor_mutable_data: (skip)
 * @self: a mixed tensor
 * @data_type: the type that is wanted
 * @device: (nullable): where the elements are wanted, `NULL` for the CPU
 * @error: return location for an error
 *
 * Gets the elements in a type and place, for writing.
 *
 * The type counts as written from now on. The address is good until the next access of the
 * tensor. Fails as [method@MixedTensor.ref_mutable_tensor] does.
 *
 * Returns: the elements; `NULL` without an error if there are none
 */
gpointer
c2g_mixed_tensor_mutable_data (C2gMixedTensor  *self,
                               C2gDataType      data_type,
                               C2gDevice       *device,
                               GError         **error)
{
  gpointer address = NULL;

  g_return_val_if_fail (C2G_IS_MIXED_TENSOR (self), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  c2g_mixed_tensor_access (self, data_type, device != NULL ? device : c2g_device_cpu (),
                           C2G_SYNCED_WRITE, &address, error);
  return address;
}
