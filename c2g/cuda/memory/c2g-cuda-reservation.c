/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/memory/c2g-cuda-reservation-private.h>

#include <c2g/cuda/driver/c2g-cuda-driver-private.h>
#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>
#include <c2g/cuda/driver/c2g-cuda-peers-private.h>

#include <c2g/core/types/c2g-error-private.h>

/* The calls of the driver's virtual memory management. None of them needs a context. */

/* The result of a call of the driver, whose statuses have the same numbers as the runtime's. */
#define DRIVER_CALL(device, error, function, name, ...) \
  c2g_cuda_check (C2G_CUDA_RELAXED ((cudaError_t) function (__VA_ARGS__)), name, (device), (error))

static const C2gCudaMapping *
get_functions (void)
{
  const C2gCudaDriver *driver = c2g_cuda_driver_get ();

  return driver != NULL && driver->mapping.set_access != NULL ? &driver->mapping : NULL;
}

gboolean
c2g_cuda_reservation_check (int      device,
                            GError **error)
{
  const C2gCudaMapping *functions = get_functions ();
  int is_supported = 0;

  if (functions != NULL &&
      !DRIVER_CALL (device, error, functions->get_attribute, "cuDeviceGetAttribute", &is_supported,
                    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device))
    return FALSE;

  return is_supported ||
         c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("cuda:%d has no virtual memory management, which expandable segments need"),
                   device);
}

static CUmemAllocationProp
get_properties (int device)
{
  return (CUmemAllocationProp) {
    .type = CU_MEM_ALLOCATION_TYPE_PINNED,
    .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device },
  };
}

C2gCudaReservation *
c2g_cuda_reservation_new (int      device,
                          guint    epoch,
                          gsize    n_bytes,
                          GError **error)
{
  const C2gCudaMapping *functions = get_functions ();
  const CUmemAllocationProp properties = get_properties (device);
  C2gCudaReservation *self;
  CUdeviceptr address;
  gsize granularity;

  if (!DRIVER_CALL (device, error, functions->get_granularity, "cuMemGetAllocationGranularity",
                    &granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM))
    return NULL;
  granularity = c2g_cuda_round_up (C2G_CUDA_PAGE, granularity);
  n_bytes = c2g_cuda_round_up (n_bytes, granularity);
  if (!DRIVER_CALL (device, error, functions->reserve, "cuMemAddressReserve", &address, n_bytes,
                    granularity, 0, 0))
    return NULL;

  self = g_new0 (C2gCudaReservation, 1);
  self->device = device;
  self->epoch = epoch;
  self->address = (char *) (gsize) address;
  self->n_bytes = n_bytes;
  self->granularity = granularity;
  self->pieces = g_array_new (FALSE, FALSE, sizeof (C2gCudaPiece));

  return self;
}

guint
c2g_cuda_reservation_find (C2gCudaReservation *self,
                           const char         *address)
{
  guint begin = 0, end = self->pieces->len;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;
      const C2gCudaPiece *piece = c2g_cuda_reservation_get (self, middle);

      if (piece->address + piece->n_bytes <= address)
        begin = middle + 1;
      else
        end = middle;
    }

  return begin;
}

/* A device that has failed keeps the memory, which has to be given back after the reset. At the end
 * of the process it goes by itself. */
static gboolean
is_gone (cudaError_t result)
{
  return c2g_cuda_check (result, NULL, 0, NULL) || result == cudaErrorInvalidValue ||
         result == cudaErrorCudartUnloading;
}

gsize
c2g_cuda_reservation_unmap (C2gCudaReservation *self,
                            char               *address,
                            gsize               n_bytes)
{
  const C2gCudaMapping *functions = get_functions ();
  guint first = c2g_cuda_reservation_find (self, address);

  while (first < self->pieces->len &&
         c2g_cuda_reservation_get (self, first)->address < address + n_bytes)
    {
      const C2gCudaPiece piece = *c2g_cuda_reservation_get (self, first);

      if (!is_gone (C2G_CUDA_RELAXED (
            (cudaError_t) functions->unmap ((CUdeviceptr) (gsize) piece.address, piece.n_bytes))))
        return (gsize) (piece.address - address);
      g_array_remove_index (self->pieces, first);
    }

  return n_bytes;
}

gboolean
c2g_cuda_reservation_free (C2gCudaReservation *self)
{
  const C2gCudaMapping *functions = get_functions ();

  if (c2g_cuda_reservation_unmap (self, self->address, self->n_bytes) < self->n_bytes ||
      !is_gone (C2G_CUDA_RELAXED (
        (cudaError_t) functions->unreserve ((CUdeviceptr) (gsize) self->address, self->n_bytes))))
    return FALSE;

  g_array_unref (self->pieces);
  g_free (self);

  return TRUE;
}

/* The mapping holds the memory, so its handle is released at once. */
static gboolean
map_piece (C2gCudaReservation  *self,
           C2gCudaPiece         piece,
           GError             **error)
{
  const C2gCudaMapping *functions = get_functions ();
  const CUmemAllocationProp properties = get_properties (self->device);
  CUmemGenericAllocationHandle handle;
  gboolean is_mapped;

  if (!DRIVER_CALL (self->device, error, functions->create, "cuMemCreate", &handle, piece.n_bytes,
                    &properties, 0))
    return FALSE;

  is_mapped = DRIVER_CALL (self->device, error, functions->map, "cuMemMap",
                           (CUdeviceptr) (gsize) piece.address, piece.n_bytes, 0, handle, 0);
  DRIVER_CALL (self->device, NULL, functions->release, "cuMemRelease", handle);
  if (is_mapped)
    g_array_insert_val (self->pieces, c2g_cuda_reservation_find (self, piece.address), piece);

  return is_mapped;
}

static gboolean
set_access (C2gCudaReservation  *self,
            const char          *address,
            gsize                n_bytes,
            int                  device,
            GError             **error)
{
  const C2gCudaMapping *functions = get_functions ();
  const CUmemAccessDesc access = {
    .location = { .type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device },
    .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
  };

  return DRIVER_CALL (self->device, error, functions->set_access, "cuMemSetAccess",
                      (CUdeviceptr) (gsize) address, n_bytes, &access, 1);
}

/* Without access of another device its copies go through the host. */
static gboolean
set_all_access (C2gCudaReservation  *self,
                const char          *address,
                gsize                n_bytes,
                GError             **error)
{
  if (!set_access (self, address, n_bytes, self->device, error))
    return FALSE;

  for (int i = 0; i < C2G_CUDA_MAX_DEVICES; i++)
    if (self->opened[i] != 0 && !set_access (self, address, n_bytes, i, NULL))
      self->opened[i] = 0;

  return TRUE;
}

gboolean
c2g_cuda_reservation_map (C2gCudaReservation  *self,
                          char                *address,
                          gsize                n_bytes,
                          GError             **error)
{
  const gsize max_piece = MAX (C2G_CUDA_MAX_PIECE / self->granularity, 1) * self->granularity;
  gsize n_mapped = 0;

  while (n_mapped < n_bytes)
    {
      const C2gCudaPiece piece = { address + n_mapped, MIN (n_bytes - n_mapped, max_piece) };

      if (!map_piece (self, piece, error))
        break;
      n_mapped += piece.n_bytes;
    }
  if (n_mapped == n_bytes && set_all_access (self, address, n_bytes, error))
    return TRUE;

  c2g_cuda_reservation_unmap (self, address, n_mapped);
  return FALSE;
}

/* The mappings between two gaps get access by one call. */
void
c2g_cuda_reservation_open (C2gCudaReservation *self,
                           int                 device)
{
  guint opened = 1 + c2g_cuda_epoch_get (device);
  gboolean is_open = TRUE;
  guint n = 0;

  if (self->opened[device] == opened || !c2g_cuda_peers_open (device, self->device))
    return;

  for (guint i = 0; i < self->pieces->len; i += n)
    {
      const C2gCudaPiece *first = c2g_cuda_reservation_get (self, i);
      gsize n_bytes = first->n_bytes;

      for (n = 1; i + n < self->pieces->len &&
                  c2g_cuda_reservation_get (self, i + n)->address == first->address + n_bytes;
           n++)
        n_bytes += c2g_cuda_reservation_get (self, i + n)->n_bytes;
      is_open &= set_access (self, first->address, n_bytes, device, NULL);
    }
  self->opened[device] = is_open ? opened : 0;
}
