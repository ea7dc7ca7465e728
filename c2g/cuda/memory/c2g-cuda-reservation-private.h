/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/cuda/driver/c2g-cuda-error-private.h>

G_BEGIN_DECLS

/* Devices give memory in pages of this size. */
#define C2G_CUDA_PAGE ((gsize) 2 << 20)

/* Memory for several blocks is taken in pieces of at most this size. A piece is as large as possible, for
 * each takes some calls, but small enough that much of unused memory is in pieces without a used byte. */
#define C2G_CUDA_MAX_PIECE ((gsize) 20 << 20)

static inline gsize
c2g_cuda_round_up (gsize n_bytes,
                   gsize unit)
{
  return (n_bytes + unit - 1) / unit * unit;
}

/* Addresses of a device, into which memory is mapped in pieces and unmapped again. It belongs to no
 * context, so that it survives a reset of the device.
 *
 * The caller sees to it that no two threads call these functions at once. */

typedef struct
{
  char *address;
  gsize n_bytes;
} C2gCudaPiece;

typedef struct
{
  int    device;
  /* The epoch of the device when the addresses were reserved. */
  guint  epoch;
  char  *address;
  gsize  n_bytes;
  /* All sizes are multiples of this. */
  gsize  granularity;
  /* C2gCudaPiece structs, in the order of addresses. */
  GArray *pieces;
  /* Other devices with access: 1 + their epoch when they got it; otherwise 0. */
  guint  opened[C2G_CUDA_MAX_DEVICES];
} C2gCudaReservation;

/* An error if the device, or its driver, has no virtual memory management. */
gboolean            c2g_cuda_reservation_check (int                  device,
                                                GError             **error);

/* Reserves at least n_bytes. */
C2gCudaReservation *c2g_cuda_reservation_new   (int                  device,
                                                guint                epoch,
                                                gsize                n_bytes,
                                                GError             **error);
/* Unmaps everything. FALSE means that CUDA permits no call now, or that the device has failed. */
gboolean            c2g_cuda_reservation_free  (C2gCudaReservation  *self);

/* Maps new memory into a gap. */
gboolean            c2g_cuda_reservation_map   (C2gCudaReservation  *self,
                                                char                *address,
                                                gsize                n_bytes,
                                                GError             **error);
/* Unmaps the pieces of a range, which no work uses, the first ones first. Returns how many bytes were
 * unmapped: fewer than all means the same. */
gsize               c2g_cuda_reservation_unmap (C2gCudaReservation  *self,
                                                char                *address,
                                                gsize                n_bytes);
/* Gives another device access, if it can have that. */
void                c2g_cuda_reservation_open  (C2gCudaReservation  *self,
                                                int                  device);

/* Returns the number of the first piece that ends behind the address. */
guint               c2g_cuda_reservation_find  (C2gCudaReservation  *self,
                                                const char          *address);

static inline C2gCudaPiece *
c2g_cuda_reservation_get (C2gCudaReservation *self,
                          guint               i)
{
  return &g_array_index (self->pieces, C2gCudaPiece, i);
}

G_END_DECLS
