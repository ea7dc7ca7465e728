/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/device/c2g-device.h>
#include <c2g/core/memory/c2g-allocator-private.h>
#include <c2g/core/memory/c2g-ledger-private.h>
#include <c2g/core/memory/c2g-storage-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-settings-private.h>

#include <string.h>

/**
 * C2gPoolAllocator:
 *
 * An allocator that caches freed blocks and reuses them.
 *
 * Blocks are cached by size class. There is one class for every 64 bytes up to 512, and above
 * that eight classes for every doubling, so that a block is at most an eighth, or 63 bytes,
 * larger than requested. The storage has the requested size, and the [class@MemoryReporter]
 * counts that; the rest, and a header before each block, are counted only by the pool. While a
 * new block is being made, all of it counts towards the reporter's peak.
 *
 * Blocks are returned to the upstream only when the pool is trimmed with
 * [method@Allocator.trim], the upstream has no memory, or the pool is disposed. When the
 * upstream fails, the pool frees its cache and tries once more. Trimming starts with the
 * largest blocks, and within a class with the least recently used one.
 *
 * Memory is undefined, as that of any allocator. When [property@Settings:zero-fill]
 * is on, or [property@CpuAllocator:zero-fill] of the allocator at the bottom of the
 * stack, blocks that are used again are filled with zeros like new ones.
 *
 * ```c
 * g_autoptr (C2gAllocator) pool = c2g_pool_allocator_new (NULL);
 *
 * if (!c2g_allocator_set_default (c2g_device_cpu (), pool, &error))
 *   return FALSE;
 * ```
 *
 * The upstream must give CPU memory, because the header is written there. It must not be memory
 * that devices use by themselves, such as pinned memory, because a pool does not know when they
 * are done with a block. Otherwise every request fails with `C2G_ERROR_NOT_SUPPORTED`, and the
 * pool cannot be a default. The allocators of GPUs and of pinned memory have their own caches.
 *
 * ## Threads
 *
 * All functions can be called from any thread. A block may be freed in another thread than the
 * one that allocated it. The numbers are exact while no other thread allocates or frees.
 */

/* How it works
 *
 * A block that was just freed is most likely needed again soon, by the same thread. So every
 * class has a few slots; a block is put into and taken out of a slot with one atomic operation,
 * without a lock. There are several copies of the slots, and threads are spread over the copies,
 * so that they seldom share a cache line. Blocks that find no free slot, and large blocks, where
 * a lock does not matter, are in a list with a lock for each class, the latest first.
 *
 * A thread that finds no block in its own copy of the slots looks into the list, then into the
 * other copies, and only then asks the upstream.
 *
 * Counters would cost more than the rest of this path, so there are none: cached blocks are
 * counted on demand. Nothing limits how many are cached; c2g_pool_allocator_free_block() is where a limit would be. */
/* There are N_SMALL classes of GRANULARITY bytes each, up to 2^SMALL_BITS bytes, and then eight for each
 * doubling, up to 2^62. Classes up to 2^24 bytes (16 MiB) are hot: they have slots. */
#define GRANULARITY    64
#define N_SMALL        8
#define SMALL_BITS     9
#define N_HOT_CLASSES  (N_SMALL + 8 * (24 - SMALL_BITS))
#define N_CLASSES      (N_SMALL + 8 * (62 - SMALL_BITS))
#define N_COPIES       8
#define N_SLOTS        4

/* The highest bits of a 32-bit hash select the copy. */
#define COPY_SHIFT     29

G_STATIC_ASSERT (N_COPIES == 1 << (32 - COPY_SHIFT));

/* Stored before every block. */
typedef struct _Header Header;
struct _Header
{
  C2gStorage *upstream_storage;
  guint       class_index;
  Header     *newer;
  Header     *older;
};

G_STATIC_ASSERT (sizeof (Header) <= GRANULARITY);

typedef struct
{
  Header *slots[N_HOT_CLASSES][N_SLOTS];
} Copy;

typedef struct
{
  GMutex  lock;
  Header *newest;
  Header *oldest;
  gsize   n_blocks;
} List;

struct _C2gPoolAllocator
{
  C2gAdaptorAllocator  parent_instance;

  C2gDevice           *device;
  gsize                alignment;
  gsize                header_size;
  /* The allocator at the bottom of the stack, which the upstream keeps alive. */
  C2gAllocator        *bottom;
  /* Address of the flag of the bottom, or of the global setting. */
  const int           *zero_fill;

  Copy                *copies;
  List                *lists;

  /* Atomic. held_bytes is the memory from the upstream that is not returned yet. */
  gsize                held_bytes;
  int                  is_disposed;
};

G_DEFINE_FINAL_TYPE (C2gPoolAllocator, c2g_pool_allocator, C2G_TYPE_ADAPTOR_ALLOCATOR)

/* n_bytes must be at least 1, and at most the size of the last class. */
static inline guint
class_of_size (gsize n_bytes)
{
  gsize last = n_bytes - 1;
  guint bits;

  if (n_bytes <= GRANULARITY * N_SMALL)
    return last / GRANULARITY;

  bits = g_bit_storage (last) - 1;

  return N_SMALL + (bits - SMALL_BITS) * 8 + ((last >> (bits - 3)) & 7);
}

static gsize
size_of_class (guint class_index)
{
  guint bits, step;

  if (class_index < N_SMALL)
    return (gsize) (class_index + 1) * GRANULARITY;

  bits = SMALL_BITS + (class_index - N_SMALL) / 8;
  step = (class_index - N_SMALL) % 8;

  return (gsize) (8 + step + 1) << (bits - 3);
}

static gsize
full_size (C2gPoolAllocator *self,
           guint             class_index)
{
  return size_of_class (class_index) + self->header_size;
}

/* Selects a copy by the address of the stack, since the stacks of threads are far apart. A
 * collision is not wrong, only slower. */
static inline Copy *
own_copy (C2gPoolAllocator *self)
{
  guint32 place = (guint32) ((guintptr) __builtin_frame_address (0) >> 20);

  return &self->copies[(place * 0x9e3779b1u) >> COPY_SHIFT];
}

static inline Header *
take_from_slots (Header **slots)
{
  guint i;

  for (i = 0; i < N_SLOTS; i++)
    {
      Header *header;

      if (g_atomic_pointer_get (&slots[i]) == NULL)
        continue;
      header = g_atomic_pointer_exchange (&slots[i], NULL);
      if (G_LIKELY (header != NULL))
        return header;
    }

  return NULL;
}

static inline gboolean
put_into_slots (Header **slots,
                Header  *header)
{
  guint i;

  for (i = 0; i < N_SLOTS; i++)
    {
      if (g_atomic_pointer_get (&slots[i]) == NULL &&
          g_atomic_pointer_compare_and_exchange (&slots[i], NULL, header))
        return TRUE;
    }

  return FALSE;
}

static Header *
take_newest (List *list)
{
  Header *header;

  g_mutex_lock (&list->lock);
  header = list->newest;
  if (header != NULL)
    {
      list->newest = header->older;
      if (list->newest != NULL)
        list->newest->newer = NULL;
      else
        list->oldest = NULL;
      list->n_blocks--;
    }
  g_mutex_unlock (&list->lock);

  return header;
}

static Header *
take_oldest (List *list)
{
  Header *header;

  g_mutex_lock (&list->lock);
  header = list->oldest;
  if (header != NULL)
    {
      list->oldest = header->newer;
      if (list->oldest != NULL)
        list->oldest->older = NULL;
      else
        list->newest = NULL;
      list->n_blocks--;
    }
  g_mutex_unlock (&list->lock);

  return header;
}

static void
put_newest (List   *list,
            Header *header)
{
  g_mutex_lock (&list->lock);
  header->newer = NULL;
  header->older = list->newest;
  if (list->newest != NULL)
    list->newest->newer = header;
  else
    list->oldest = header;
  list->newest = header;
  list->n_blocks++;
  g_mutex_unlock (&list->lock);
}

static Header *
take_from_any_copy (C2gPoolAllocator *self,
                    guint             class_index)
{
  guint i;

  if (class_index >= N_HOT_CLASSES)
    return NULL;

  for (i = 0; i < N_COPIES; i++)
    {
      Header *header = take_from_slots (self->copies[i].slots[class_index]);

      if (header != NULL)
        return header;
    }

  return NULL;
}

static void
give_back (C2gPoolAllocator *self,
           Header           *header)
{
  C2gStorage *storage = header->upstream_storage;

  g_atomic_pointer_add (&self->held_bytes, -(gssize) full_size (self, header->class_index));
  c2g_storage_unref (storage);
}

/* Returns at least n_bytes to the upstream, if that much is cached. */
static gsize
give_back_at_least (C2gPoolAllocator *self,
                    gsize             n_bytes)
{
  gsize n_given = 0;
  guint i;

  for (i = N_CLASSES; i > 0 && n_given < n_bytes; i--)
    {
      guint class_index = i - 1;

      while (n_given < n_bytes)
        {
          Header *header = take_oldest (&self->lists[class_index]);

          if (header == NULL)
            header = take_from_any_copy (self, class_index);
          if (header == NULL)
            break;

          n_given += full_size (self, class_index);
          give_back (self, header);
        }
    }

  return n_given;
}

static gsize
count_slots (C2gPoolAllocator *self,
             guint             class_index)
{
  gsize n_blocks = 0;
  guint i, j;

  for (i = 0; i < N_COPIES; i++)
    for (j = 0; j < N_SLOTS; j++)
      n_blocks += g_atomic_pointer_get (&self->copies[i].slots[class_index][j]) != NULL;

  return n_blocks;
}

static gsize
count_cached (gpointer pool)
{
  C2gPoolAllocator *self = pool;
  gsize n_bytes = 0;
  guint i;

  for (i = 0; i < N_CLASSES; i++)
    {
      List *list = &self->lists[i];
      gsize n_blocks;

      g_mutex_lock (&list->lock);
      n_blocks = list->n_blocks;
      g_mutex_unlock (&list->lock);

      if (i < N_HOT_CLASSES)
        n_blocks += count_slots (self, i);
      n_bytes += n_blocks * full_size (self, i);
    }

  return n_bytes;
}

static C2gAllocator *
get_upstream (C2gPoolAllocator *self)
{
  return c2g_adaptor_allocator_get_upstream (C2G_ADAPTOR_ALLOCATOR (self));
}

/* If the upstream has no memory, frees the cache and tries once more. */
static C2gStorage *
ask_upstream (C2gPoolAllocator  *self,
              gsize              n_bytes,
              C2gContext        *context,
              GError           **error)
{
  C2gAllocator *upstream = get_upstream (self);
  g_autoptr (GError) local_error = NULL;
  C2gStorage *storage;

  storage = c2g_allocator_allocate (upstream, n_bytes, context, &local_error);
  if (storage == NULL &&
      g_error_matches (local_error, C2G_ERROR, C2G_ERROR_NO_MEMORY) &&
      give_back_at_least (self, G_MAXSIZE) > 0)
    {
      g_clear_error (&local_error);
      storage = c2g_allocator_allocate (upstream, n_bytes, context, &local_error);
    }

  if (storage == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));

  return storage;
}

gboolean
c2g_pool_allocator_check_upstream (C2gPoolAllocator  *self,
                                   GError           **error)
{
  const C2gBlockFuncs *funcs = C2G_ALLOCATOR_GET_CLASS (self->bottom)->block_funcs;

  if (self->device != c2g_device_cpu ())
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("Expected a pool's upstream to give memory on cpu, got %s on %s"),
                     G_OBJECT_TYPE_NAME (get_upstream (self)), c2g_device_to_string (self->device));
  /* A device may go on with a block that was freed, and only the allocator that recorded that use can wait for it. */
  if (funcs != NULL && funcs->record_use != NULL)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("Expected a pool's upstream to give memory that no device uses, got that of %s, which has a cache itself"),
                     G_OBJECT_TYPE_NAME (self->bottom));

  return TRUE;
}

static Header *
make_block (C2gPoolAllocator *self,
            gsize             n_bytes,
            C2gContext       *context,
            GError          **error)
{
  C2gStorage *storage;
  Header *header;
  guint class_index;

  if (!c2g_pool_allocator_check_upstream (self, error))
    return NULL;

  if (n_bytes > size_of_class (N_CLASSES - 1))
    {
      c2g_allocator_set_no_memory (C2G_ALLOCATOR (self), n_bytes, NULL, error);
      return NULL;
    }

  class_index = class_of_size (n_bytes);
  storage = ask_upstream (self, full_size (self, class_index), context, error);
  if (storage == NULL)
    return NULL;

  /* Live blocks are reported with their requested size, the others as cached. */
  c2g_storage_unlist (storage);
  g_atomic_pointer_add (&self->held_bytes, full_size (self, class_index));

  header = storage->address;
  header->upstream_storage = storage;
  header->class_index = class_index;

  return header;
}

static gboolean
fills_with_zeros (C2gPoolAllocator *self)
{
  return g_atomic_int_get (&c2g_settings_zero_fill) ||
         g_atomic_int_get (self->zero_fill);
}

static Header *
find_block (C2gPoolAllocator *self,
            gsize             n_bytes)
{
  Header *header = NULL;
  guint class_index;

  if (G_UNLIKELY (n_bytes > size_of_class (N_CLASSES - 1)))
    return NULL;

  class_index = class_of_size (n_bytes);
  if (G_LIKELY (class_index < N_HOT_CLASSES))
    header = take_from_slots (own_copy (self)->slots[class_index]);
  if (G_UNLIKELY (header == NULL))
    header = take_newest (&self->lists[class_index]);
  if (G_UNLIKELY (header == NULL))
    header = take_from_any_copy (self, class_index);

  return header;
}

/* The two functions below are hot, and called for pools only. They avoid the checked casts of
 * GObject, which would take much of their time. */
static gpointer
c2g_pool_allocator_alloc_block (C2gAllocator *allocator,
                                gsize         n_bytes,
                                C2gContext   *context,
                                GError      **error)
{
  C2gPoolAllocator *self = (C2gPoolAllocator *) allocator;
  Header *header;
  char *block;

  header = find_block (self, n_bytes);
  if (G_LIKELY (header != NULL))
    {
      block = (char *) header + self->header_size;
      if (G_UNLIKELY (fills_with_zeros (self)))
        memset (block, 0, n_bytes);

      return block;
    }

  header = make_block (self, n_bytes, context, error);

  return header != NULL ? (char *) header + self->header_size : NULL;
}

static void
c2g_pool_allocator_free_block (C2gAllocator *allocator,
                               gpointer      block,
                               gsize         n_bytes,
                               C2gContext   *context)
{
  C2gPoolAllocator *self = (C2gPoolAllocator *) allocator;
  Header *header = (Header *) (gpointer) ((char *) block - self->header_size);
  guint class_index = header->class_index;

  /* After dispose only live blocks keep the pool alive, so the block would never be reused. */
  if (G_UNLIKELY (g_atomic_int_get (&self->is_disposed)))
    {
      give_back (self, header);
      return;
    }

  if (G_UNLIKELY (class_index >= N_HOT_CLASSES ||
                  !put_into_slots (own_copy (self)->slots[class_index], header)))
    put_newest (&self->lists[class_index], header);
}

static const C2gBlockFuncs block_funcs = {
  .alloc_block = c2g_pool_allocator_alloc_block,
  .free_block = c2g_pool_allocator_free_block,
};

static C2gDevice *
c2g_pool_allocator_get_device (C2gAllocator *allocator)
{
  return ((C2gPoolAllocator *) allocator)->device;
}

static gsize
c2g_pool_allocator_get_alignment (C2gAllocator *allocator)
{
  return ((C2gPoolAllocator *) allocator)->alignment;
}

static gsize
c2g_pool_allocator_trim (C2gAllocator *allocator,
                         gsize         keep_bytes)
{
  C2gPoolAllocator *self = C2G_POOL_ALLOCATOR (allocator);
  C2gAllocatorClass *parent_class = C2G_ALLOCATOR_CLASS (c2g_pool_allocator_parent_class);
  gsize cached, n_given, n_given_upstream;

  cached = count_cached (self);
  n_given = cached > keep_bytes ? give_back_at_least (self, cached - keep_bytes) : 0;

  /* The upstream may cache what it gets; then the bytes that leave the upstream count. */
  cached -= MIN (cached, n_given);
  n_given_upstream = parent_class->trim (allocator, keep_bytes - MIN (keep_bytes, cached));

  return MAX (n_given, n_given_upstream);
}

/* Each adaptor keeps its upstream alive, so the bottom is valid as long as the pool. */
static C2gAllocator *
find_bottom (C2gAllocator *allocator)
{
  while (C2G_IS_ADAPTOR_ALLOCATOR (allocator))
    allocator = c2g_adaptor_allocator_get_upstream (C2G_ADAPTOR_ALLOCATOR (allocator));

  return allocator;
}

static void
c2g_pool_allocator_constructed (GObject *object)
{
  C2gPoolAllocator *self = C2G_POOL_ALLOCATOR (object);
  C2gAllocator *upstream = get_upstream (self);

  G_OBJECT_CLASS (c2g_pool_allocator_parent_class)->constructed (object);

  self->device = c2g_allocator_get_device (upstream);
  self->alignment = c2g_allocator_get_alignment (upstream);
  self->header_size = MAX (GRANULARITY, self->alignment);
  self->bottom = find_bottom (upstream);
  self->zero_fill = C2G_IS_CPU_ALLOCATOR (self->bottom)
                      ? c2g_cpu_allocator_peek_zero_fill (C2G_CPU_ALLOCATOR (self->bottom))
                      : &c2g_settings_zero_fill;

  c2g_ledger_add_pool (self->device, count_cached, self, NULL);
}

static void
c2g_pool_allocator_dispose (GObject *object)
{
  C2gPoolAllocator *self = C2G_POOL_ALLOCATOR (object);

  g_atomic_int_set (&self->is_disposed, TRUE);
  give_back_at_least (self, G_MAXSIZE);

  G_OBJECT_CLASS (c2g_pool_allocator_parent_class)->dispose (object);
}

static void
c2g_pool_allocator_finalize (GObject *object)
{
  C2gPoolAllocator *self = C2G_POOL_ALLOCATOR (object);
  guint i;

  /* Blocks that another thread cached while the pool was disposed. */
  give_back_at_least (self, G_MAXSIZE);
  c2g_ledger_remove_pool (self);

  for (i = 0; i < N_CLASSES; i++)
    g_mutex_clear (&self->lists[i].lock);
  g_free (self->lists);
  g_aligned_free (self->copies);

  G_OBJECT_CLASS (c2g_pool_allocator_parent_class)->finalize (object);
}

static void
c2g_pool_allocator_class_init (C2gPoolAllocatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  C2gAllocatorClass *allocator_class = C2G_ALLOCATOR_CLASS (klass);
  C2gAllocatorClass *base_class = g_type_class_peek (C2G_TYPE_ALLOCATOR);

  object_class->constructed = c2g_pool_allocator_constructed;
  object_class->dispose = c2g_pool_allocator_dispose;
  object_class->finalize = c2g_pool_allocator_finalize;

  /* A pool makes its own blocks: use the base class's allocate(), not that of the adaptor. */
  allocator_class->allocate = base_class->allocate;
  allocator_class->get_device = c2g_pool_allocator_get_device;
  allocator_class->get_alignment = c2g_pool_allocator_get_alignment;
  allocator_class->trim = c2g_pool_allocator_trim;
  allocator_class->block_funcs = &block_funcs;
}

static void
c2g_pool_allocator_init (C2gPoolAllocator *self)
{
  guint i;

  self->copies = g_aligned_alloc0 (N_COPIES, sizeof (Copy), GRANULARITY);
  self->lists = g_new0 (List, N_CLASSES);
  for (i = 0; i < N_CLASSES; i++)
    g_mutex_init (&self->lists[i].lock);
}

/**
 * c2g_pool_allocator_new:
 * @upstream: (nullable): where the memory comes from, or `NULL` for the built-in
 *   allocator of the CPU
 *
 * Makes a pool, which is empty at first.
 *
 * Returns: (transfer full): a new pool
 */
C2gAllocator *
c2g_pool_allocator_new (C2gAllocator *upstream)
{
  g_return_val_if_fail (upstream == NULL || C2G_IS_ALLOCATOR (upstream), NULL);

  return g_object_new (C2G_TYPE_POOL_ALLOCATOR,
                       "upstream", upstream,
                       NULL);
}

/**
 * c2g_pool_allocator_get_cached_bytes:
 * @self: a pool
 *
 * Gets how many bytes of the upstream the pool caches.
 *
 * This counts the cached blocks, which takes some microseconds.
 *
 * Returns: the bytes of all cached blocks, with their headers
 */
guint64
c2g_pool_allocator_get_cached_bytes (C2gPoolAllocator *self)
{
  g_return_val_if_fail (C2G_IS_POOL_ALLOCATOR (self), 0);

  return count_cached (self);
}

/**
 * c2g_pool_allocator_get_used_bytes:
 * @self: a pool
 *
 * Gets how many bytes of the upstream are in live blocks.
 *
 * Because of rounding and headers this is more than requested. Together with
 * [method@PoolAllocator.get_cached_bytes] it is all memory of the pool.
 *
 * Returns: the bytes of all live blocks, with their headers
 */
guint64
c2g_pool_allocator_get_used_bytes (C2gPoolAllocator *self)
{
  gsize held, cached;

  g_return_val_if_fail (C2G_IS_POOL_ALLOCATOR (self), 0);

  held = (gsize) g_atomic_pointer_get (&self->held_bytes);
  cached = count_cached (self);

  /* Other threads may have changed the pool between the two reads. */
  return held - MIN (held, cached);
}
