/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/caffe/memory/c2g-synced-memory-private.h>
#include <c2g/caffe/memory/c2g-synced-memory.h>

#include <c2g/core/types/c2g-property-private.h>
#include <c2g/core/workspace/c2g-blob-stat.h>

/* The object itself, and the beginning and the end of each operation. Accesses are in
 * c2g-synced-memory-access.c, copies in c2g-synced-moves.c and blocks in c2g-synced-blocks.c. */

/**
 * C2gSyncedMemory:
 *
 * Bytes that live on the CPU and on another device, and follow lazily.
 *
 * It is the `SyncedMemory` of Caffe. Its head says where the current bytes are. Writing on one
 * side makes the other one stale; reading there copies. Memory comes with the first access of
 * a side. The first read of memory that was never written gives zeros.
 *
 * ```c
 * g_autoptr (C2gSyncedMemory) memory = c2g_synced_memory_new (4096, NULL);
 * float *data = c2g_synced_memory_mutable_cpu_data (memory, FALSE, &error);
 * ```
 *
 * ```python
 * memory = C2g.SyncedMemory.new(8, None)
 * memory.set_bytes(GLib.Bytes.new(bytes(8)))
 * assert memory.get_head() == C2g.SyncedHead.AT_CPU
 * ```
 *
 * ```js
 * const memory = C2g.SyncedMemory.new(8, null);
 * memory.connect('head-changed', (_, before, now) => print(before, now));
 * memory.set_bytes(new Uint8Array(8));
 * ```
 *
 * ## Memory
 *
 * The blocks come from the allocators of the two devices. Reports show them as the name of
 * the memory, an “@” and the device. Memory of somebody else is taken by
 * [method@SyncedMemory.set_cpu_data] and [method@SyncedMemory.set_gpu_data].
 *
 * ## Streams
 *
 * Each copy is behind all that contexts were asked to do with the two blocks, and is over when
 * the call returns; only [method@SyncedMemory.push] with a context returns before. A C program that
 * uses an address on a stream of its own has to wait for that stream by itself.
 *
 * ## Threads
 *
 * Any number of threads may read at once: one of them copies, and the others wait for it.
 * A thread that writes must be the only user. While memory is allocated or copied no lock is held; but a
 * callback that runs then, such as one of an allocator, cannot use the same memory: that is
 * `C2G_ERROR_BUSY`. [signal@SyncedMemory::head-changed] is emitted in the thread that made the
 * change, after it.
 */

enum
{
  PROP_0,
  PROP_N_BYTES,
  PROP_DEVICE,
  PROP_NAME,
  N_PROPS
};

enum
{
  HEAD_CHANGED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_ENUM_TYPE (C2gSyncedHead, c2g_synced_head,
                    G_DEFINE_ENUM_VALUE (C2G_SYNCED_HEAD_UNINITIALIZED, "uninitialized"),
                    G_DEFINE_ENUM_VALUE (C2G_SYNCED_HEAD_AT_CPU, "at-cpu"),
                    G_DEFINE_ENUM_VALUE (C2G_SYNCED_HEAD_AT_GPU, "at-gpu"),
                    G_DEFINE_ENUM_VALUE (C2G_SYNCED_HEAD_SYNCED, "synced"))

G_DEFINE_FINAL_TYPE (C2gSyncedMemory, c2g_synced_memory, G_TYPE_OBJECT)

C2gDevice *
c2g_synced_other_device (C2gDevice *device)
{
  /* The device need not exist: c2g_device_new() accepts any name. The default is cuda:0. */
  return device != NULL && device != c2g_device_cpu () ? device
                                                       : c2g_device_new (C2G_DEVICE_TYPE_CUDA, 0, NULL);
}

void
c2g_synced_memory_set_label (C2gSyncedMemory *self,
                             C2gLabel        *label)
{
  c2g_label_set_owner (self->label, label);
}

gboolean
c2g_synced_begin (C2gSyncedMemory  *self,
                  C2gSyncedChange  *change,
                  GError          **error)
{
  if (!c2g_transit_enter (&self->transit, error))
    return FALSE;

  *change = (C2gSyncedChange) { .old_current = self->current, .old_n_bytes = self->n_bytes };
  return TRUE;
}

/* Signal handlers, and destroy functions of foreign memory, are foreign code: they may use the
 * memory again, or drop its last reference. So they run after the operation is over, and a
 * reference is held meanwhile. */
void
c2g_synced_end (C2gSyncedMemory *self,
                C2gSyncedChange *change)
{
  const guint current = self->current;
  const gboolean is_resized = self->n_bytes != change->old_n_bytes;

  g_object_ref (self);
  c2g_transit_leave (&self->transit);
  for (gsize i = 0; i < C2G_SYNCED_N_SIDES; i++)
    g_clear_pointer (&change->dropped[i], c2g_lent_block_unref);
  if (current != change->old_current)
    g_signal_emit (self, signals[HEAD_CHANGED], 0, change->old_current, current);
  if (is_resized)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_BYTES]);
  g_object_unref (self);
}

/* A property has no type for gsize. */
static guint64
get_n_bytes (C2gSyncedMemory *self)
{
  return c2g_synced_memory_get_n_bytes (self);
}

static void
set_n_bytes (C2gSyncedMemory *self,
             guint64          n_bytes)
{
  self->n_bytes = n_bytes;
}

static const C2gProperty rows[N_PROPS] = {
  [PROP_N_BYTES] = { .get = G_CALLBACK (get_n_bytes), .set = G_CALLBACK (set_n_bytes) },
  [PROP_DEVICE] = C2G_PROPERTY_FIELD (C2gSyncedMemory, sides[C2G_SYNCED_GPU].device),
  [PROP_NAME] = C2G_PROPERTY_FIELD (C2gSyncedMemory, name),
};

static void
c2g_synced_memory_constructed (GObject *object)
{
  C2gSyncedMemory *self = C2G_SYNCED_MEMORY (object);

  G_OBJECT_CLASS (c2g_synced_memory_parent_class)->constructed (object);

  self->sides[C2G_SYNCED_CPU].device = c2g_device_cpu ();
  self->sides[C2G_SYNCED_GPU].device = c2g_synced_other_device (self->sides[C2G_SYNCED_GPU].device);
  self->label = c2g_label_new (self->name);
  for (gsize i = 0; i < C2G_SYNCED_N_SIDES; i++)
    {
      C2gSyncedPlace *place = &self->sides[i];
      g_autofree char *suffix = g_strconcat ("@", c2g_device_to_string (place->device), NULL);

      place->label = c2g_label_new_part (self->label, suffix);
    }
}

static void
c2g_synced_memory_finalize (GObject *object)
{
  C2gSyncedMemory *self = C2G_SYNCED_MEMORY (object);

  for (gsize i = 0; i < C2G_SYNCED_N_SIDES; i++)
    {
      g_clear_pointer (&self->sides[i].block, c2g_lent_block_unref);
      g_clear_pointer (&self->sides[i].label, c2g_label_unref);
    }
  g_clear_pointer (&self->label, c2g_label_unref);
  g_clear_pointer (&self->name, g_free);
  c2g_transit_clear (&self->transit);

  G_OBJECT_CLASS (c2g_synced_memory_parent_class)->finalize (object);
}

static gsize
count_in_blob (C2gBlob  *blob,
               gpointer  user_data)
{
  return c2g_synced_memory_count (C2G_SYNCED_MEMORY (c2g_blob_get_object (blob)));
}

static void
c2g_synced_memory_class_init (C2gSyncedMemoryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = c2g_synced_memory_constructed;
  object_class->finalize = c2g_synced_memory_finalize;

  /**
   * C2gSyncedMemory:n-bytes: (getter get_n_bytes)
   *
   * The number of bytes.
   */
  props[PROP_N_BYTES] =
    g_param_spec_uint64 ("n-bytes", NULL, NULL, 0, G_MAXSIZE, 0,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gSyncedMemory:device: (getter get_device)
   *
   * The device of the second side; by default the first CUDA device.
   */
  props[PROP_DEVICE] =
    g_param_spec_boxed ("device", NULL, NULL, C2G_TYPE_DEVICE,
                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  /**
   * C2gSyncedMemory:name: (getter get_name)
   *
   * The name of the blocks in memory reports.
   */
  props[PROP_NAME] =
    g_param_spec_string ("name", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);

  c2g_properties_install (object_class, N_PROPS, props, rows);
  c2g_label_set_func (C2G_TYPE_SYNCED_MEMORY, (C2gLabelFunc) c2g_synced_memory_set_label);
  c2g_blob_register_stat (C2G_TYPE_SYNCED_MEMORY, count_in_blob, NULL, NULL, NULL);

  /**
   * C2gSyncedMemory::head-changed:
   * @self: the memory
   * @old_head: where the current bytes were
   * @new_head: where they are now
   *
   * Emitted when the current bytes are in another place.
   *
   * It is emitted after an access or a change, in the thread that made it. If several threads read at
   * once, another one may have moved the bytes again.
   */
  signals[HEAD_CHANGED] =
    g_signal_new ("head-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, C2G_TYPE_SYNCED_HEAD, C2G_TYPE_SYNCED_HEAD);
}

static void
c2g_synced_memory_init (C2gSyncedMemory *self)
{
  c2g_transit_init (&self->transit);
  self->holder = C2G_SYNCED_NO_SIDE;
}

/**
 * c2g_synced_memory_new:
 * @n_bytes: the number of bytes
 * @device: (nullable): the device of the second side; `NULL` or the CPU means the first CUDA device
 *
 * Creates a memory without allocating any side.
 *
 * The first access fails if there is not enough memory, or if the device does not exist.
 *
 * Returns: (transfer full): a memory
 */
C2gSyncedMemory *
c2g_synced_memory_new (gsize      n_bytes,
                       C2gDevice *device)
{
  return g_object_new (C2G_TYPE_SYNCED_MEMORY, "n-bytes", (guint64) n_bytes, "device", device, NULL);
}

/**
 * c2g_synced_memory_get_n_bytes: (get-property n-bytes)
 * @self: a memory
 *
 * Gets the number of bytes.
 *
 * Returns: bytes
 */
gsize
c2g_synced_memory_get_n_bytes (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), 0);

  return (gsize) g_atomic_pointer_get (&self->n_bytes);
}

/**
 * c2g_synced_memory_get_device: (get-property device)
 * @self: a memory
 *
 * Gets the device of the second side.
 *
 * Returns: (transfer none): a device
 */
C2gDevice *
c2g_synced_memory_get_device (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);

  return self->sides[C2G_SYNCED_GPU].device;
}

/**
 * c2g_synced_memory_get_name: (get-property name)
 * @self: a memory
 *
 * Gets the name of the blocks in memory reports.
 *
 * Returns: (transfer none) (nullable): a name, or `NULL` if it has none
 */
const char *
c2g_synced_memory_get_name (C2gSyncedMemory *self)
{
  g_return_val_if_fail (C2G_IS_SYNCED_MEMORY (self), NULL);

  return self->name;
}
