/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/cuda/driver/c2g-cuda-peers-private.h>

#include <c2g/cuda/driver/c2g-cuda-epoch-private.h>
#include <c2g/cuda/driver/c2g-cuda-guard-private.h>

#include <string.h>

/* The access of devices to each other's memory. CUDA permits eight peers for each device. Caffe2
 * gives access within groups of eight devices when it starts; here a device gets the first eight
 * that it copies from or to. The driver makes all other copies go through the host. */

/* The access of a pair of devices, found in the epochs that both had then. */
typedef struct
{
  guint    epochs[2];
  gboolean is_open;
} Pair;

/* Guards pairs, a table of Pair by the two device numbers. No lock is held while CUDA is called. */
static GMutex lock;
static GHashTable *pairs;

static gpointer
pair_key (int device,
          int peer)
{
  return GINT_TO_POINTER (device * C2G_CUDA_MAX_DEVICES + peer);
}

static gboolean
look_up (int   device,
         int   peer,
         Pair *pair)
{
  const Pair *found;

  g_mutex_lock (&lock);
  found = pairs != NULL ? g_hash_table_lookup (pairs, pair_key (device, peer)) : NULL;
  if (found != NULL)
    *pair = *found;
  g_mutex_unlock (&lock);

  return found != NULL;
}

static void
store (int         device,
       int         peer,
       const Pair *pair)
{
  g_mutex_lock (&lock);
  if (pairs == NULL)
    pairs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_replace (pairs, pair_key (device, peer), g_memdup2 (pair, sizeof *pair));
  g_mutex_unlock (&lock);
}

/* Returns FALSE if CUDA refused to answer, so that it must be asked again. Another library of the
 * process, or another thread, may have given the access before. */
static gboolean
enable (int       device,
        int       peer,
        gboolean *is_open)
{
  int can_access = 0;
  cudaError_t result;

  *is_open = FALSE;
  if (!C2G_CUDA_STREAM_CALL (device, NULL, cudaDeviceCanAccessPeer, &can_access, device, peer))
    return FALSE;
  if (!can_access)
    return TRUE;

  result = C2G_CUDA_ON_DEVICE (device, C2G_CUDA_RELAXED (cudaDeviceEnablePeerAccess (peer, 0)));
  *is_open = c2g_cuda_check (result, "cudaDeviceEnablePeerAccess", device, NULL) ||
             result == cudaErrorPeerAccessAlreadyEnabled;

  return *is_open || result == cudaErrorTooManyPeers || result == cudaErrorPeerAccessUnsupported;
}

gboolean
c2g_cuda_peers_open (int device,
                     int peer)
{
  Pair now = { .epochs = { c2g_cuda_epoch_get (device), c2g_cuda_epoch_get (peer) } };
  Pair old;

  if (device < 0 || peer < 0)
    return FALSE;
  if (look_up (device, peer, &old) && memcmp (old.epochs, now.epochs, sizeof now.epochs) == 0)
    return old.is_open;

  if (enable (device, peer, &now.is_open))
    store (device, peer, &now);

  return now.is_open;
}

gboolean
c2g_cuda_peers_open_pool (cudaMemPool_t pool,
                          int           pool_device,
                          int           device)
{
  const struct cudaMemAccessDesc access = {
    .location = { .type = cudaMemLocationTypeDevice, .id = device },
    .flags = cudaMemAccessFlagsProtReadWrite,
  };

  return !c2g_cuda_peers_open (device, pool_device) ||
         C2G_CUDA_RELAXED_CALL (pool_device, NULL, cudaMemPoolSetAccess, pool, &access, 1);
}
