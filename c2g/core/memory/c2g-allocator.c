/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/memory/c2g-allocator-private.h>

#include <c2g/core/device/c2g-context-private.h>
#include <c2g/core/memory/c2g-memory-reporter-private.h>
#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-settings-private.h>

/**
 * C2gAllocator:
 *
 * The base class of allocators of memory.
 *
 * An allocator returns memory as [struct@Storage]. Some make memory, such as
 * [class@CpuAllocator] and [class@PoolAllocator]. Others use an upstream allocator and add
 * something: a limit, statistics, a log, or a retry. These can be stacked in any order.
 *
 * Every device has a default allocator, which tensors use. It can be replaced at
 * any time: a block always goes back to the allocator that made it.
 *
 * ```c
 * g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (NULL);
 * g_autoptr (C2gAllocator) limited =
 *   c2g_limiting_allocator_new (pool, 64 << 20);
 *
 * c2g_allocator_set_default (c2g_device_cpu (), limited, &error);
 * ```
 *
 * ## Subclassing
 *
 * A subclass overrides [vfunc@Allocator.allocate], in any language. It gets a storage from
 * another allocator, or by chaining up, which gives CPU memory. A subclass with an upstream
 * allocator derives from [class@AdaptorAllocator] instead. The returned storage is checked: no
 * storage, too few bytes, read-only or misaligned memory, memory of another device, and memory
 * that a tensor already uses are refused with an error that names the class.
 * [vfunc@Allocator.released] is called once for each returned storage, when it is freed. The
 * page on [allocators](allocators.html) has examples in Python and C.
 *
 * ```python
 * class Counting(C2g.Allocator):
 *     live = 0
 *
 *     def do_allocate(self, n_bytes, context):
 *         self.live += 1
 *         return C2g.Allocator.do_allocate(self, n_bytes, context)
 *
 *     def do_released(self, address, n_bytes):
 *         self.live -= 1
 * ```
 *
 * ## Threads
 *
 * Allocators are used from any thread at any time, subclasses too. No lock of c2g
 * is held while a virtual function runs.
 */

typedef struct
{
  /* Atomic: twice the number of live blocks, plus the flag ORPHANED. */
  int n_out;
} C2gAllocatorPrivate;

/* Set if only live blocks keep the allocator alive; they share one reference. */
#define ORPHANED 1
#define ONE_OUT  2

enum
{
  PRESSURE,
  RETRIED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_TYPE_WITH_PRIVATE (C2gAllocator, c2g_allocator, G_TYPE_OBJECT)

/* A reference for each block would take longer than making the block. So blocks are only counted,
 * and an allocator that is disposed with live blocks takes one reference for all of them, which
 * the last block drops. So freeing must work after dispose.
 *
 * The built-in allocator is never freed, and most blocks belong to it: its blocks are not
 * counted. */
void
c2g_allocator_hold_block (C2gAllocator *self)
{
  C2gAllocatorPrivate *priv;

  if (self == g_atomic_pointer_get (&c2g_allocator_builtin))
    return;

  priv = c2g_allocator_get_instance_private (self);
  g_atomic_int_add (&priv->n_out, ONE_OUT);
}

static void
release_orphan (C2gAllocator *self)
{
  C2gAllocatorPrivate *priv = c2g_allocator_get_instance_private (self);

  if (g_atomic_int_compare_and_exchange (&priv->n_out, ORPHANED, 0))
    g_object_unref (self);
}

void
c2g_allocator_drop_block (C2gAllocator *self)
{
  C2gAllocatorPrivate *priv;

  if (self == g_atomic_pointer_get (&c2g_allocator_builtin))
    return;

  /* Unless it is an orphan, the allocator may be freed as soon as the count is decremented. */
  priv = c2g_allocator_get_instance_private (self);
  if (G_UNLIKELY (g_atomic_int_add (&priv->n_out, -ONE_OUT) == ONE_OUT + ORPHANED))
    release_orphan (self);
}

/**
 * c2g_allocator_set_no_memory: (skip)
 * @self: an allocator
 * @n_bytes: how many bytes were asked for
 * @reason: (nullable): the reason, or `NULL` if there is no more memory
 * @error: return location for an error
 *
 * Sets `C2G_ERROR_NO_MEMORY`, with the names of the blobs that hold most memory; for
 * implementations of allocators.
 */
void
c2g_allocator_set_no_memory (C2gAllocator  *self,
                             gsize          n_bytes,
                             const char    *reason,
                             GError       **error)
{
  C2gDevice *device = c2g_allocator_get_device (self);
  g_autofree char *largest = NULL;

  if (error == NULL)
    return;

  largest = c2g_memory_reporter_dup_largest (device, 5);
  g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
               _("Could not allocate %zu bytes on %s: %s; in use: %s"), n_bytes,
               c2g_device_to_string (device), reason != NULL ? reason : _("out of memory"),
               largest != NULL ? largest : _("nothing"));
}

/* Returns TRUE if the block must be filled with zeros here. That is only on other devices: the
 * allocator that makes CPU memory fills it. */
static inline gboolean
wants_zeros (C2gStorage *storage)
{
  return G_UNLIKELY (g_atomic_int_get (&c2g_settings_zero_fill)) && storage->address != NULL &&
         storage->device != c2g_device_cpu ();
}

/* Fills in the order of the context that first uses the block. Without a context of the device,
 * waits until it is done. */
static gboolean
fill_with_zeros (C2gStorage  *storage,
                 C2gContext  *context,
                 GError     **error)
{
  const gint64 n_bytes = storage->n_bytes;
  const gboolean is_ordered =
    context != NULL && c2g_context_get_device (context) == storage->device;
  g_autoptr (C2gContext) shared = NULL;
  g_autoptr (C2gTensor) bytes =
    c2g_tensor_new_from_storage (C2G_DATA_TYPE_UINT8, &n_bytes, 1, storage, 0, error);

  if (bytes == NULL)
    return FALSE;
  if (!is_ordered)
    context = shared = c2g_context_shared (storage->device, error);

  return context != NULL && c2g_context_fill (context, bytes, 0, error) &&
         (is_ordered || c2g_context_finish (context, error));
}

static C2gStorage *
allocate_block (C2gAllocator  *self,
                C2gDevice     *device,
                gsize          n_bytes,
                C2gContext    *context,
                GError       **error)
{
  const C2gBlockFuncs *funcs = C2G_ALLOCATOR_GET_CLASS (self)->block_funcs;
  C2gStorage *storage;
  gpointer block = NULL;

  if (n_bytes > 0)
    {
      block = funcs->alloc_block (self, n_bytes, context, error);
      if (G_UNLIKELY (block == NULL))
        {
          if (error != NULL && *error == NULL)
            c2g_allocator_set_no_memory (self, n_bytes, NULL, error);
          return NULL;
        }
    }

  storage = c2g_storage_new_for_block (self, device, block, n_bytes, context, error);
  if (G_UNLIKELY (storage == NULL && block != NULL))
    funcs->free_block (self, block, n_bytes, context);
  else if (storage != NULL && wants_zeros (storage) && !fill_with_zeros (storage, context, error))
    g_clear_pointer (&storage, c2g_storage_unref);

  return storage;
}

/* A class that chains up without functions for blocks, such as one in Python, gets CPU memory. */
static C2gStorage *
c2g_allocator_real_allocate (C2gAllocator  *self,
                             gsize          n_bytes,
                             C2gContext    *context,
                             GError       **error)
{
  if (C2G_ALLOCATOR_GET_CLASS (self)->block_funcs == NULL)
    self = c2g_allocator_builtin_cpu ();

  return allocate_block (self, c2g_allocator_get_device (self), n_bytes, context, error);
}

static C2gDevice *
c2g_allocator_real_get_device (C2gAllocator *self)
{
  return c2g_device_cpu ();
}

static gsize
c2g_allocator_real_get_alignment (C2gAllocator *self)
{
  return 64;
}

static gsize
c2g_allocator_real_trim (C2gAllocator *self,
                         gsize         keep_bytes)
{
  return 0;
}

/* Keeps one reference for all live blocks. Dispose may run twice; only the first time takes it. */
static void
c2g_allocator_dispose (GObject *object)
{
  C2gAllocator *self = C2G_ALLOCATOR (object);
  C2gAllocatorPrivate *priv = c2g_allocator_get_instance_private (self);

  g_object_ref (self);
  if ((g_atomic_int_or ((guint *) &priv->n_out, ORPHANED) & ORPHANED) != 0)
    g_object_unref (self);
  else
    release_orphan (self);

  G_OBJECT_CLASS (c2g_allocator_parent_class)->dispose (object);
}

static void
c2g_allocator_class_init (C2gAllocatorClass *klass)
{
  c2g_settings_ensure ();

  G_OBJECT_CLASS (klass)->dispose = c2g_allocator_dispose;

  klass->allocate = c2g_allocator_real_allocate;
  klass->get_device = c2g_allocator_real_get_device;
  klass->get_alignment = c2g_allocator_real_get_alignment;
  klass->trim = c2g_allocator_real_trim;

  /**
   * C2gAllocatorClass::released:
   * @self: an allocator
   * @address: the address of the block
   * @n_bytes: how many bytes were asked for
   *
   * Called when a storage of the allocator is freed.
   *
   * It is called once for each storage that this class's [vfunc@Allocator.allocate] returned,
   * after the last reference is gone and before the block is freed, in any thread. The memory
   * must no longer be used. The default implementation does nothing.
   */

  /**
   * C2gAllocator::pressure:
   * @self: the allocator
   * @n_bytes: how many bytes were asked for
   *
   * Emitted when an allocation has failed for lack of memory.
   *
   * Each allocator of a stack that passes the error on emits it, the lowest first. It is
   * emitted in the allocating thread, which then gets `C2G_ERROR_NO_MEMORY`. To free memory
   * and retry, use a [class@FailureCallbackAllocator].
   */
  signals[PRESSURE] = g_signal_new ("pressure", C2G_TYPE_ALLOCATOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);

  /**
   * C2gAllocator::retried:
   * @self: the allocator
   * @n_bytes: how many bytes were asked for
   *
   * Emitted when the allocator had too little memory, freed its cache and tried again.
   *
   * It is emitted in the allocating thread after the last try, whether that succeeded or not.
   * Only allocators that cache blocks of a device emit it.
   */
  signals[RETRIED] = g_signal_new ("retried", C2G_TYPE_ALLOCATOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
}

static void
c2g_allocator_init (C2gAllocator *self)
{
}

/**
 * c2g_allocator_get_device:
 * @self: an allocator
 *
 * Gets the device of the allocator's memory.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_allocator_get_device (C2gAllocator *self)
{
  C2gDevice *device;

  g_return_val_if_fail (C2G_IS_ALLOCATOR (self), NULL);

  device = C2G_ALLOCATOR_GET_CLASS (self)->get_device (self);

  return device != NULL ? device : c2g_device_cpu ();
}

/**
 * c2g_allocator_get_alignment:
 * @self: an allocator
 *
 * Gets the alignment of the addresses.
 *
 * Returns: bytes, a power of two
 */
gsize
c2g_allocator_get_alignment (C2gAllocator *self)
{
  gsize alignment;

  g_return_val_if_fail (C2G_IS_ALLOCATOR (self), 1);

  alignment = C2G_ALLOCATOR_GET_CLASS (self)->get_alignment (self);

  return alignment != 0 && (alignment & (alignment - 1)) == 0 ? alignment : 1;
}

static gboolean
check_storage (C2gAllocator  *self,
               C2gStorage    *storage,
               gsize          n_bytes,
               GError       **error)
{
  const char *class_name = G_OBJECT_TYPE_NAME (self);
  C2gDevice *device = c2g_allocator_get_device (self);
  gsize alignment = c2g_allocator_get_alignment (self);

  if (storage->n_bytes < n_bytes)
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("Allocator class %s gave %zu bytes, expected %zu"),
                 class_name, storage->n_bytes, n_bytes);
  else if (storage->device != device)
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("Allocator class %s gave memory on %s, expected %s"), class_name,
                 c2g_device_to_string (storage->device), c2g_device_to_string (device));
  else if (c2g_storage_is_sealed (storage))
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("Allocator class %s gave memory that is read-only"), class_name);
  else if ((guintptr) storage->address % alignment != 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("Allocator class %s gave memory at %p, expected a multiple of %zu"),
                 class_name, storage->address, alignment);
  else if (storage->given || c2g_storage_n_tensors (storage) > 0 ||
           storage->constructed_type != NULL)
    g_set_error (error, C2G_ERROR, C2G_ERROR_FAILED,
                 _("Allocator class %s gave memory that is in use"), class_name);
  else
    return TRUE;

  return FALSE;
}

/* Nesting level of overridden allocate() methods in this thread. A storage may pass through all
 * of them, but it is marked as given only by the outermost one. */
static __thread guint n_running;

/* A deeper stack must contain itself. */
#define MAX_RUNNING 64

/* Calls an overridden allocate() and checks its result. */
static C2gStorage *
allocate_checked (C2gAllocator  *self,
                  gsize          n_bytes,
                  C2gContext    *context,
                  GError       **error)
{
  C2gAllocatorClass *klass = C2G_ALLOCATOR_GET_CLASS (self);
  g_autoptr (GError) own_error = NULL;
  g_autoptr (C2gStorage) storage = NULL;

  if (n_running >= MAX_RUNNING)
    return c2g_fail_null (error, C2G_ERROR_FAILED, _("Allocator class %s stands on itself"),
                          G_OBJECT_TYPE_NAME (self));

  n_running++;
  storage = klass->allocate (self, n_bytes, context, &own_error);
  n_running--;

  if (storage == NULL)
    {
      if (own_error == NULL)
        g_set_error (&own_error, C2G_ERROR, C2G_ERROR_FAILED,
                     _("Allocator class %s gave no memory and no reason"), G_OBJECT_TYPE_NAME (self));
      g_propagate_error (error, g_steal_pointer (&own_error));
      return NULL;
    }

  /* An error together with a storage is a mistake of the override, and is ignored. */
  if (!check_storage (self, storage, n_bytes, error))
    return NULL;
  if (klass->released != NULL && !c2g_storage_push_release (storage, self, n_bytes, error))
    {
      klass->released (self, c2g_storage_get_address (storage), n_bytes);
      return NULL;
    }
  if (n_running == 0)
    {
      storage->given = TRUE;
      storage->is_foreign = FALSE;
    }

  return g_steal_pointer (&storage);
}

/* C2G_IS_ALLOCATOR() of a derived class takes a tenth of the time of an allocation. So the last
 * class that passed is cached. */
static inline gboolean
is_allocator (C2gAllocator *self)
{
  static gsize last_type;
  GType type;

  if (G_UNLIKELY (self == NULL))
    return FALSE;

  type = G_TYPE_FROM_INSTANCE (self);
  if (G_LIKELY (type == (GType) g_atomic_pointer_get (&last_type)))
    return TRUE;
  if (!C2G_IS_ALLOCATOR (self))
    return FALSE;

  g_atomic_pointer_set (&last_type, type);

  return TRUE;
}

/**
 * c2g_allocator_allocate: (virtual allocate)
 * @self: an allocator
 * @n_bytes: how many bytes; 0 gives a storage without a block
 * @context: (nullable): the context that uses the block first
 * @error: return location for an error
 *
 * Allocates memory.
 *
 * The bytes are undefined, unless the allocator documents otherwise. The storage may be larger
 * than requested, if a subclass returned more. Any thread.
 *
 * Fails with `C2G_ERROR_NO_MEMORY`, in a message that names the blobs that hold most memory;
 * with `C2G_ERROR_FAILED` if a subclass returned an unusable storage; or with the subclass's
 * own error.
 *
 * Returns: (transfer full): a storage
 */
C2gStorage *
c2g_allocator_allocate (C2gAllocator  *self,
                        gsize          n_bytes,
                        C2gContext    *context,
                        GError       **error)
{
  C2gAllocatorClass *klass;
  g_autoptr (GError) own_error = NULL;
  C2gStorage *storage;

  g_return_val_if_fail (is_allocator (self), NULL);
  g_return_val_if_fail (context == NULL || C2G_IS_CONTEXT (context), NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  klass = C2G_ALLOCATOR_GET_CLASS (self);
  if (G_LIKELY (klass->allocate == c2g_allocator_real_allocate && klass->released == NULL &&
                klass->block_funcs != NULL))
    storage = allocate_block (self, klass->get_device (self), n_bytes, context, &own_error);
  else
    storage = allocate_checked (self, n_bytes, context, &own_error);

  if (G_LIKELY (storage != NULL))
    return storage;

  if (g_error_matches (own_error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    g_signal_emit (self, signals[PRESSURE], 0, (guint64) n_bytes);
  g_propagate_error (error, g_steal_pointer (&own_error));

  return NULL;
}

/**
 * c2g_allocator_trim: (virtual trim)
 * @self: an allocator
 * @keep_bytes: how many bytes may stay cached
 *
 * Frees cached memory. Live blocks are not touched. Any thread.
 *
 * Returns: how many bytes were freed
 */
gsize
c2g_allocator_trim (C2gAllocator *self,
                    gsize         keep_bytes)
{
  g_return_val_if_fail (C2G_IS_ALLOCATOR (self), 0);

  return C2G_ALLOCATOR_GET_CLASS (self)->trim (self, keep_bytes);
}
