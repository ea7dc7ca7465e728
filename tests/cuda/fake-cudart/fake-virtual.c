/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-virtual-private.h"

#include <sys/mman.h>

/* The driver's virtual memory management: a reservation of addresses is a block, into which pieces of
 * allocations are mapped. None of it belongs to a context, so it survives a reset of the device.
 *
 * Where the reference leaves open what becomes of wrong use, that is a fault, too. */

typedef struct
{
  guint64  id;
  int      device;
  gsize    n_bytes;
  gboolean is_released;
  guint    n_mappings;
} Allocation;

/* A mapping of a whole allocation. */
typedef struct
{
  guint8     *address;
  gsize       n_bytes;
  Allocation *allocation;
  int         access[FAKE_CUDA_MAX_DEVICES];
} Piece;

/* By their handles. */
static GHashTable *allocations;
static guint64 n_allocations;

static CUresult
begin (const char *name,
       int         device)
{
  cudaError_t error = fake_enter_call (name, FAKE_CALL_DRIVER);

  if (error == cudaSuccess && (device < 0 || device >= fake_state.n_devices))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess)
    error = fake_state.devices[device].lost;
  if (error == cudaSuccess && fake_state.devices[device].granularity == 0)
    error = cudaErrorNotSupported;
  if (error == cudaSuccess)
    error = fake_check_capture ();
  if (allocations == NULL)
    allocations = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);

  return (CUresult) error;
}

static CUresult
end (CUresult result)
{
  fake_unlock ();
  return result;
}

static gboolean
is_multiple (gsize n_bytes,
             int   device)
{
  return n_bytes > 0 && n_bytes % fake_state.devices[device].granularity == 0;
}

/* Pieces */

static Piece *
get_piece (const FakeBlock *block,
           guint            i)
{
  return &g_array_index (block->pieces, Piece, i);
}

/* Returns the number of the first piece that ends behind the address. */
static guint
find_piece (const FakeBlock *block,
            gconstpointer    address)
{
  guint i = 0;

  while (i < block->pieces->len &&
         get_piece (block, i)->address + get_piece (block, i)->n_bytes <= (const guint8 *) address)
    i++;

  return i;
}

gboolean
fake_virtual_has (const FakeBlock *block,
                  gconstpointer    pointer,
                  gsize            n_bytes,
                  int              device)
{
  const guint8 *address = pointer;

  for (guint i = find_piece (block, pointer); i < block->pieces->len; i++)
    {
      const Piece *piece = get_piece (block, i);

      if (piece->address > address ||
          (device >= 0 && piece->access[device] != CU_MEM_ACCESS_FLAGS_PROT_READWRITE))
        return FALSE;
      address = piece->address + piece->n_bytes;
      if (address >= (const guint8 *) pointer + n_bytes)
        return TRUE;
    }

  return FALSE;
}

void
fake_virtual_protect (const FakeBlock *block,
                      gboolean         is_closed)
{
  for (guint i = 0; i < block->pieces->len; i++)
    fake_protect (get_piece (block, i)->address, get_piece (block, i)->n_bytes, is_closed);
}

static void
free_unused (Allocation *allocation)
{
  if (!allocation->is_released || allocation->n_mappings > 0)
    return;

  fake_device_give (allocation->device, allocation->n_bytes);
  g_hash_table_remove (allocations, &allocation->id);
}

static void
remove_piece (FakeBlock *block,
              guint      i)
{
  const Piece *piece = get_piece (block, i);
  Allocation *allocation = piece->allocation;

  fake_protect (piece->address, piece->n_bytes, FALSE);
  madvise (piece->address, piece->n_bytes, MADV_DONTNEED);
  mprotect (piece->address, piece->n_bytes, PROT_NONE);
  g_array_remove_index (block->pieces, i);
  allocation->n_mappings--;
  free_unused (allocation);
}

void
fake_virtual_clear (FakeBlock *block)
{
  while (block->pieces->len > 0)
    remove_piece (block, 0);
}

void
fake_virtual_reset (void)
{
  g_clear_pointer (&allocations, g_hash_table_unref);
}

guint
fake_virtual_check_leaks (void)
{
  GHashTableIter iter;
  Allocation *allocation;

  if (allocations == NULL)
    return 0;

  g_hash_table_iter_init (&iter, allocations);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &allocation))
    fake_fault ("leak: %" G_GSIZE_FORMAT " bytes of cuMemCreate on device %d were never %s",
                allocation->n_bytes, allocation->device,
                allocation->is_released ? "unmapped" : "released");

  return g_hash_table_size (allocations);
}

/* Addresses */

CUresult
fake_mem_address_reserve (CUdeviceptr       *pointer,
                          size_t             n_bytes,
                          size_t             alignment,
                          CUdeviceptr        hint,
                          unsigned long long flags)
{
  CUresult result = begin ("cuMemAddressReserve", 0);
  FakeMapping *mapping = NULL;
  FakeBlock *block;

  if (result == CUDA_SUCCESS && (pointer == NULL || n_bytes == 0 || n_bytes % 4096 != 0 || flags != 0 ||
                                 (alignment & (alignment - 1)) != 0))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    {
      mapping = fake_mapping_reserve (n_bytes, MAX (alignment, fake_state.devices[0].granularity));
      result = mapping != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    }
  if (result == CUDA_SUCCESS)
    {
      block = fake_block_add (FAKE_BLOCK_VIRTUAL, 0, mapping, mapping->address, n_bytes,
                              "cuMemAddressReserve");
      block->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
      *pointer = (CUdeviceptr) (gsize) block->address;
    }

  return end (result);
}

CUresult
fake_mem_address_free (CUdeviceptr pointer,
                       size_t      n_bytes)
{
  CUresult result = begin ("cuMemAddressFree", 0);
  FakeBlock *block = NULL;
  g_autofree char *name = NULL;

  if (result == CUDA_SUCCESS)
    {
      block = fake_block_find_start ((gpointer) (gsize) pointer, FAKE_BLOCK_VIRTUAL,
                                     FAKE_BLOCK_VIRTUAL);
      if (block == NULL || block->n_bytes != n_bytes)
        result = CUDA_ERROR_INVALID_VALUE;
    }
  if (result == CUDA_SUCCESS && block->pieces->len > 0)
    {
      name = fake_block_describe (block);
      fake_fault ("free: cuMemAddressFree ends %s, into which memory is mapped", name);
      result = CUDA_ERROR_INVALID_VALUE;
    }
  if (result == CUDA_SUCCESS)
    fake_block_remove (block, "cuMemAddressFree");

  return end (result);
}

/* Memory */

static CUresult
check_properties (const CUmemAllocationProp *properties)
{
  if (properties == NULL || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;

  return properties->location.id >= 0 && properties->location.id < fake_state.n_devices
           ? CUDA_SUCCESS
           : CUDA_ERROR_INVALID_DEVICE;
}

CUresult
fake_mem_get_granularity (size_t                         *granularity,
                          const CUmemAllocationProp      *properties,
                          CUmemAllocationGranularity_flags option)
{
  CUresult result =
    begin ("cuMemGetAllocationGranularity", properties != NULL ? properties->location.id : 0);

  if (result == CUDA_SUCCESS)
    result = check_properties (properties);
  if (result == CUDA_SUCCESS)
    *granularity = fake_state.devices[properties->location.id].granularity;

  return end (result);
}

CUresult
fake_mem_create (CUmemGenericAllocationHandle *handle,
                 size_t                        n_bytes,
                 const CUmemAllocationProp    *properties,
                 unsigned long long            flags)
{
  CUresult result = begin ("cuMemCreate", properties != NULL ? properties->location.id : 0);

  if (result == CUDA_SUCCESS)
    result = check_properties (properties);
  if (result == CUDA_SUCCESS && (handle == NULL || flags != 0 ||
                                 !is_multiple (n_bytes, properties->location.id)))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    result = (CUresult) fake_device_take (properties->location.id, n_bytes);
  if (result == CUDA_SUCCESS)
    {
      Allocation *allocation = g_new0 (Allocation, 1);

      allocation->id = ++n_allocations;
      allocation->device = properties->location.id;
      allocation->n_bytes = n_bytes;
      g_hash_table_insert (allocations, &allocation->id, allocation);
      *handle = allocation->id;
    }

  return end (result);
}

static Allocation *
find_allocation (CUmemGenericAllocationHandle handle)
{
  guint64 id = handle;
  Allocation *allocation = g_hash_table_lookup (allocations, &id);

  if (allocation != NULL && !allocation->is_released)
    return allocation;

  fake_fault ("handle: %s is given something that is no memory, or was released", fake_state.call);
  return NULL;
}

CUresult
fake_mem_release (CUmemGenericAllocationHandle handle)
{
  CUresult result = begin ("cuMemRelease", 0);
  Allocation *allocation = NULL;

  if (result == CUDA_SUCCESS)
    {
      allocation = find_allocation (handle);
      result = allocation != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
  if (result == CUDA_SUCCESS)
    {
      allocation->is_released = TRUE;
      free_unused (allocation);
    }

  return end (result);
}

/* Mappings */

static FakeBlock *
find_reservation (CUdeviceptr pointer,
                  gsize       n_bytes)
{
  FakeBlock *block = fake_block_find ((gconstpointer) (gsize) pointer);

  return block != NULL && block->kind == FAKE_BLOCK_VIRTUAL &&
             n_bytes <= block->n_bytes - ((gsize) pointer - (gsize) block->address)
           ? block
           : NULL;
}

static gboolean
is_unmapped (const FakeBlock *block,
             guint8          *address,
             gsize            n_bytes)
{
  guint i = find_piece (block, address);

  return i == block->pieces->len || get_piece (block, i)->address >= address + n_bytes;
}

static void
add_piece (FakeBlock  *block,
           guint8     *address,
           Allocation *allocation)
{
  Piece piece = { .address = address, .n_bytes = allocation->n_bytes, .allocation = allocation };

  allocation->n_mappings++;
  block->device = allocation->device;
  mprotect (address, piece.n_bytes, PROT_READ | PROT_WRITE);
  memset (address, 0xa5, MIN (piece.n_bytes, 64 * 1024));
  fake_protect (address, piece.n_bytes, TRUE);
  g_array_insert_val (block->pieces, find_piece (block, address), piece);
}

/* CUDA can map whole allocations only, so far. */
CUresult
fake_mem_map (CUdeviceptr                  pointer,
              size_t                       n_bytes,
              size_t                       offset,
              CUmemGenericAllocationHandle handle,
              unsigned long long           flags)
{
  CUresult result = begin ("cuMemMap", 0);
  guint8 *address = (guint8 *) (gsize) pointer;
  Allocation *allocation = NULL;
  FakeBlock *block = NULL;

  if (result == CUDA_SUCCESS)
    {
      block = find_reservation (pointer, n_bytes);
      allocation = find_allocation (handle);
    }
  if (result == CUDA_SUCCESS &&
      (block == NULL || allocation == NULL || offset != 0 || flags != 0 ||
       n_bytes != allocation->n_bytes || !is_multiple ((gsize) pointer, allocation->device) ||
       !is_unmapped (block, address, n_bytes)))
    result = CUDA_ERROR_INVALID_VALUE;
  if (result == CUDA_SUCCESS)
    add_piece (block, address, allocation);

  return end (result);
}

/* Reports work that may still use bytes of the block, and forgets all work on them. */
static void
check_unmap (FakeBlock *block,
             gsize      first,
             gsize      last)
{
  gboolean is_reported = FALSE;

  for (guint i = 0; i < block->accesses->len; i++)
    {
      FakeAccess *access = &g_array_index (block->accesses, FakeAccess, i);

      if (access->begin >= last || access->end <= first)
        continue;
      if (access->count > fake_clock_get (&fake_state.host, access->timeline) && !is_reported)
        {
          g_autofree char *name = fake_block_describe (block);

          fake_fault ("free: cuMemUnmap ends bytes of %s, which %s on stream %" G_GUINT64_FORMAT
                      " may still use",
                      name, access->call, access->stream);
          is_reported = TRUE;
        }
      g_array_remove_index_fast (block->accesses, i--);
    }
}

/* Only a whole mapping can be ended. */
CUresult
fake_mem_unmap (CUdeviceptr pointer,
                size_t      n_bytes)
{
  CUresult result = begin ("cuMemUnmap", 0);
  guint8 *address = (guint8 *) (gsize) pointer;
  FakeBlock *block = NULL;
  guint i = 0;

  if (result == CUDA_SUCCESS)
    {
      block = find_reservation (pointer, n_bytes);
      i = block != NULL ? find_piece (block, address) : 0;
    }
  if (result == CUDA_SUCCESS &&
      (block == NULL || i == block->pieces->len || get_piece (block, i)->address != address ||
       get_piece (block, i)->n_bytes != n_bytes))
    {
      fake_fault ("unmap: cuMemUnmap is given what is not one mapping");
      result = CUDA_ERROR_INVALID_VALUE;
    }
  if (result == CUDA_SUCCESS)
    {
      check_unmap (block, address - block->address, address - block->address + n_bytes);
      remove_piece (block, i);
    }

  return end (result);
}

static CUresult
set_access (FakeBlock             *block,
            guint                  first,
            guint                  last,
            const CUmemAccessDesc *access)
{
  int device = access->location.id;

  if (access->location.type != CU_MEM_LOCATION_TYPE_DEVICE || device < 0 ||
      device >= fake_state.n_devices)
    return CUDA_ERROR_INVALID_DEVICE;

  for (guint i = first; i < last; i++)
    {
      int own = get_piece (block, i)->allocation->device;

      if (device != own && !fake_state.devices[device].can_access[own])
        return CUDA_ERROR_INVALID_DEVICE;
      get_piece (block, i)->access[device] = access->flags;
    }

  return CUDA_SUCCESS;
}

/* The range must consist of whole mappings without gaps. */
CUresult
fake_mem_set_access (CUdeviceptr            pointer,
                     size_t                 n_bytes,
                     const CUmemAccessDesc *accesses,
                     size_t                 n_accesses)
{
  CUresult result = begin ("cuMemSetAccess", 0);
  guint8 *address = (guint8 *) (gsize) pointer;
  FakeBlock *block = NULL;
  guint first = 0, last = 0;

  if (result == CUDA_SUCCESS)
    {
      block = find_reservation (pointer, n_bytes);
      result = block != NULL && n_bytes > 0 && n_accesses > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
  if (result == CUDA_SUCCESS)
    {
      first = find_piece (block, address);
      last = find_piece (block, address + n_bytes);
      if (!fake_virtual_has (block, address, n_bytes, -1) ||
          get_piece (block, first)->address != address ||
          get_piece (block, last - 1)->address + get_piece (block, last - 1)->n_bytes != address + n_bytes)
        result = CUDA_ERROR_INVALID_VALUE;
    }
  for (gsize i = 0; i < n_accesses && result == CUDA_SUCCESS; i++)
    result = set_access (block, first, last, &accesses[i]);

  return end (result);
}

CUresult
fake_device_get_attribute (int               *value,
                           CUdevice_attribute attribute,
                           CUdevice           device)
{
  CUresult result = (CUresult) cudaDeviceGetAttribute (value, (enum cudaDeviceAttr) attribute, device);

  if (result == CUDA_SUCCESS && attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)
    {
      fake_lock ();
      *value = fake_state.devices[device].granularity > 0;
      fake_unlock ();
    }

  return result;
}

void
fake_cuda_set_granularity (int    device,
                           size_t n_bytes)
{
  g_return_if_fail (device >= 0 && device < FAKE_CUDA_MAX_DEVICES);

  fake_lock ();
  fake_state.devices[device].granularity = n_bytes;
  fake_unlock ();
}
