/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-private.h"

#include <sys/mman.h>
#include <unistd.h>

/* Number of freed blocks that are remembered. */
#define N_DEAD_BLOCKS 4096
#define N_FILLED_BYTES (64 * 1024)

/* Blocks by address. They do not overlap: memory that is allocated again replaces freed blocks. */
static GTree *blocks;
static GQueue dead_blocks = G_QUEUE_INIT;
static guint64 n_blocks;

/* Mappings: whole pages with one page before and after that nobody may touch. */

static gsize
get_page_size (void)
{
  return (gsize) sysconf (_SC_PAGESIZE);
}

static gsize
round_to_pages (gsize n_bytes)
{
  gsize n_page_bytes = get_page_size ();

  return (n_bytes + n_page_bytes - 1) / n_page_bytes * n_page_bytes;
}

/* The pages are closed. */
static gpointer
reserve_pages (gsize n_bytes)
{
  gsize n_page_bytes = get_page_size ();
  guint8 *pages = mmap (NULL, n_bytes + 2 * n_page_bytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  return pages != MAP_FAILED ? pages + n_page_bytes : NULL;
}

static void
unmap_pages (guint8 *address,
             gsize   n_bytes)
{
  gsize n_page_bytes = get_page_size ();

  munmap (address - n_page_bytes, n_bytes + 2 * n_page_bytes);
}

static gpointer
map_pages (gsize n_bytes)
{
  gpointer address = reserve_pages (n_bytes);

  if (address != NULL && mprotect (address, n_bytes, PROT_READ | PROT_WRITE) != 0)
    {
      unmap_pages (address, n_bytes);
      return NULL;
    }

  return address;
}

FakeMapping *
fake_mapping_new (gsize    n_bytes,
                  gboolean is_device)
{
  gpointer address = NULL;
  FakeMapping *self;

  if (n_bytes > G_MAXSSIZE - 4 * get_page_size ())
    return NULL;
  if (is_device)
    address = fake_arena_take (round_to_pages (n_bytes));
  if (address == NULL)
    address = map_pages (round_to_pages (n_bytes));
  if (address == NULL)
    return NULL;

  self = g_new0 (FakeMapping, 1);
  self->ref_count = 1;
  self->start = self->address = address;
  self->n_bytes = n_bytes;
  self->is_device = is_device;
  self->fd = -1;
  fake_protect (self->address, round_to_pages (n_bytes), is_device);

  return self;
}

/* Takes more, so that there is an aligned address. */
FakeMapping *
fake_mapping_reserve (gsize n_bytes,
                      gsize alignment)
{
  FakeMapping *self;
  gsize n_all_bytes;
  guint8 *address;

  if (n_bytes > G_MAXSSIZE - alignment - 4 * get_page_size ())
    return NULL;
  n_all_bytes = round_to_pages (n_bytes + alignment);
  address = fake_arena_take (n_all_bytes);
  if (address == NULL)
    address = reserve_pages (n_all_bytes);
  if (address == NULL)
    return NULL;

  self = g_new0 (FakeMapping, 1);
  self->ref_count = 1;
  self->start = address;
  self->address = address + (alignment - (gsize) address % alignment) % alignment;
  self->n_bytes = n_all_bytes;
  self->is_device = self->is_reserved = TRUE;
  self->fd = -1;

  return self;
}

FakeMapping *
fake_mapping_ref (FakeMapping *self)
{
  self->ref_count++;
  return self;
}

void
fake_mapping_unref (FakeMapping *self)
{
  gsize n_bytes = round_to_pages (self->n_bytes);

  if (--self->ref_count > 0)
    return;

  if (!self->is_reserved)
    fake_protect (self->start, n_bytes, FALSE);
  if (fake_arena_has (self->start))
    fake_arena_give (self->start, n_bytes);
  else
    unmap_pages (self->start, n_bytes);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

/* Blocks */

static int
compare_addresses (gconstpointer a,
                   gconstpointer b,
                   gpointer      data)
{
  return a < b ? -1 : a > b;
}

static GTree *
get_blocks (void)
{
  if (blocks == NULL)
    blocks = g_tree_new_full (compare_addresses, NULL, NULL, (GDestroyNotify) fake_block_unref);
  return blocks;
}

FakeBlock *
fake_block_ref (FakeBlock *self)
{
  self->ref_count++;
  return self;
}

void
fake_block_unref (FakeBlock *self)
{
  if (--self->ref_count > 0)
    return;

  g_clear_pointer (&self->mapping, fake_mapping_unref);
  g_array_unref (self->accesses);
  g_clear_pointer (&self->pieces, g_array_unref);
  g_free (self);
}

/* Returns the block at the pointer, or the last one before it. */
static FakeBlock *
find_below (gconstpointer pointer)
{
  GTreeNode *node = g_tree_upper_bound (get_blocks (), pointer);

  node = node != NULL ? g_tree_node_previous (node) : g_tree_node_last (get_blocks ());
  return node != NULL ? g_tree_node_value (node) : NULL;
}

static FakeBlock *
find_any (gconstpointer pointer)
{
  FakeBlock *block = find_below (pointer);
  gsize n_bytes;

  if (block == NULL)
    return NULL;
  n_bytes = MAX (block->n_bytes, 1);

  /* Unsigned, because a number that is no pointer may be too far away for a signed difference. */
  return (gsize) pointer - (gsize) block->address < n_bytes ? block : NULL;
}

FakeBlock *
fake_block_find (gconstpointer pointer)
{
  FakeBlock *block = find_any (pointer);

  return block != NULL && block->freed_by == NULL ? block : NULL;
}

FakeBlock *
fake_block_find_dead (gconstpointer pointer)
{
  FakeBlock *block = find_any (pointer);

  return block != NULL && block->freed_by != NULL ? block : NULL;
}

static void
forget (FakeBlock *block)
{
  if (block->freed_by != NULL)
    g_queue_remove (&dead_blocks, block);
  g_tree_remove (get_blocks (), block->address);
}

/* Forgets freed blocks in a range that is allocated again. */
static void
forget_range (const guint8 *address,
              gsize         n_bytes)
{
  FakeBlock *block;

  while ((block = find_below (address + n_bytes - 1)) != NULL &&
         block->address + MAX (block->n_bytes, 1) > address)
    forget (block);
}

FakeBlock *
fake_block_add (FakeBlockKind kind,
                int           device,
                FakeMapping  *mapping,
                gpointer      address,
                gsize         n_bytes,
                const char   *call)
{
  FakeBlock *self = g_new0 (FakeBlock, 1);

  self->ref_count = 1;
  self->kind = kind;
  self->id = ++n_blocks;
  self->device = device;
  self->context = kind != FAKE_BLOCK_POOL && kind != FAKE_BLOCK_VIRTUAL ? fake_context_find (device)
                                                                        : NULL;
  self->mapping = mapping;
  self->address = address;
  self->n_bytes = n_bytes;
  self->allocated_by = call;
  self->accesses = g_array_new (FALSE, FALSE, sizeof (FakeAccess));

  forget_range (self->address, MAX (n_bytes, 1));
  g_tree_insert (get_blocks (), self->address, self);

  return self;
}

/* Returns TRUE if some of the bytes are in a block in use. */
gboolean
fake_block_overlaps (gconstpointer address,
                     gsize         n_bytes)
{
  FakeBlock *block = find_below ((const guint8 *) address + n_bytes - 1);

  return block != NULL && block->freed_by == NULL &&
         block->address + MAX (block->n_bytes, 1) > (const guint8 *) address;
}

/* The freed block is remembered for a while, to report later uses. */
void
fake_block_remove (FakeBlock  *self,
                   const char *call)
{
  self->freed_by = call;
  g_array_set_size (self->accesses, 0);
  /* Outside of the arena the addresses of a reservation are too many to be kept. */
  if (self->kind == FAKE_BLOCK_REGISTERED ||
      (self->kind == FAKE_BLOCK_VIRTUAL && !fake_arena_has (self->address)))
    {
      g_tree_remove (get_blocks (), self->address);
      return;
    }

  g_queue_push_tail (&dead_blocks, self);
  if (self->kind == FAKE_BLOCK_PINNED)
    mprotect (self->mapping->address, round_to_pages (self->n_bytes), PROT_NONE);
  if (self->kind != FAKE_BLOCK_POOL && self->kind != FAKE_BLOCK_VIRTUAL)
    {
      madvise (self->mapping->address, round_to_pages (self->n_bytes), MADV_DONTNEED);
      fake_protect (self->mapping->address, round_to_pages (self->n_bytes), TRUE);
    }

  if (dead_blocks.length > N_DEAD_BLOCKS)
    forget (dead_blocks.head->data);
}

gboolean
fake_block_is_device (const FakeBlock *self)
{
  return self->kind != FAKE_BLOCK_PINNED && self->kind != FAKE_BLOCK_REGISTERED;
}

gboolean
fake_block_can_access (const FakeBlock   *self,
                       gconstpointer      pointer,
                       gsize              n_bytes,
                       const FakeContext *context)
{
  int device = context->device;

  if (self->kind == FAKE_BLOCK_VIRTUAL)
    return fake_virtual_has (self, pointer, n_bytes, device);
  if (!fake_block_is_device (self) || self->context == context)
    return TRUE;
  if (self->kind == FAKE_BLOCK_POOL)
    return self->device == device || fake_pool_can_access (self->pool, device);

  return fake_state.devices[device].has_access[self->device];
}

char *
fake_block_describe (const FakeBlock *self)
{
  return g_strdup_printf ("block %" G_GUINT64_FORMAT " (%s, %" G_GSIZE_FORMAT " bytes, device %d)",
                          self->id, self->allocated_by, self->n_bytes, self->device);
}

static gboolean
collect (gpointer key,
         gpointer value,
         gpointer data)
{
  FakeBlock *block = value;

  if (block->freed_by == NULL)
    g_ptr_array_add (data, fake_block_ref (block));
  return FALSE;
}

/* Returns the blocks in use. */
GPtrArray *
fake_block_list (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) fake_block_unref);

  g_tree_foreach (get_blocks (), collect, list);
  return list;
}

/* Fills fresh memory with a pattern, so that no test takes it for zeros. */
void
fake_block_fill (FakeBlock *self)
{
  memset (self->address, 0xa5, MIN (self->n_bytes, N_FILLED_BYTES));
}

/* Ends all blocks of a context; with NULL all blocks and their memory. */
void
fake_blocks_reset (const FakeContext *context)
{
  g_autoptr (GPtrArray) list = fake_block_list ();

  for (guint i = 0; i < list->len; i++)
    {
      FakeBlock *block = list->pdata[i];

      if (context != NULL && block->context != context)
        continue;
      if (block->kind == FAKE_BLOCK_DEVICE && !block->is_managed)
        fake_device_give (block->device, block->n_bytes);
      if (block->kind == FAKE_BLOCK_VIRTUAL)
        fake_virtual_clear (block);
      fake_block_remove (block, "cudaDeviceReset");
    }

  if (context != NULL)
    return;
  g_queue_clear (&dead_blocks);
  g_clear_pointer (&blocks, g_tree_unref);
}

/* Device memory is closed to the host except while work runs. */

static gboolean
is_guarded (const FakeBlock *self)
{
  return fake_block_is_device (self) ||
         (self->kind == FAKE_BLOCK_PINNED && self->freed_by != NULL);
}

static void
protect (FakeBlock *self,
         gboolean   is_closed)
{
  if (self->kind == FAKE_BLOCK_VIRTUAL)
    fake_virtual_protect (self, is_closed);
  else if (is_guarded (self))
    fake_protect (self->address, self->n_bytes, is_closed);
}

void
fake_block_open (FakeBlock *self)
{
  protect (self, FALSE);
}

void
fake_block_close (FakeBlock *self)
{
  protect (self, TRUE);
}
