/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* Gives a device access to the memory of another one, so that copies between them go straight and
 * not through the memory of the host. It is given when it is first asked for, and again after a
 * reset of one of the two. Returns FALSE if it cannot be had. */
gboolean c2g_cuda_peers_open      (int           device,
                                   int           peer);

/* The same for the memory of a pool, which has access rights of its own. Returns FALSE if CUDA
 * refused it, and may grant it later; TRUE if it is given or cannot be had. */
gboolean c2g_cuda_peers_open_pool (cudaMemPool_t pool,
                                   int           pool_device,
                                   int           device);

G_END_DECLS
