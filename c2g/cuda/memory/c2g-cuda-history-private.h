/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The newest events of a cache. Whoever has the history must guard it. */

/* The actions of PyTorch's snapshots, by their names there. */
typedef enum
{
  C2G_CUDA_ALLOC,
  C2G_CUDA_FREE_REQUESTED,
  C2G_CUDA_FREE_COMPLETED,
  C2G_CUDA_SEGMENT_ALLOC,
  C2G_CUDA_SEGMENT_FREE,
  C2G_CUDA_SEGMENT_MAP,
  C2G_CUDA_SEGMENT_UNMAP,
  C2G_CUDA_OOM,
  C2G_CUDA_SNAPSHOT,
} C2gCudaAction;

typedef struct
{
  C2gCudaAction action;
  /* For C2G_CUDA_OOM how many bytes of the device were free. */
  guint64       address;
  guint64       n_bytes;
  /* A handle of CUDA. */
  guint64       stream;
  /* In microseconds since 1970. */
  gint64        time;
} C2gCudaEntry;

typedef struct _C2gCudaHistory C2gCudaHistory;

/* Returns an empty history of at most max_entries; NULL if that is 0. Adds the newest entries of
 * the old one, which may be NULL. */
C2gCudaHistory *c2g_cuda_history_new      (guint           max_entries,
                                           C2gCudaHistory *old);
void            c2g_cuda_history_free     (C2gCudaHistory *self);
/* Adds an entry, with the present time. It replaces the oldest one if there is no room. */
void            c2g_cuda_history_add      (C2gCudaHistory *self,
                                           C2gCudaAction   action,
                                           guint64         address,
                                           guint64         n_bytes,
                                           guint64         stream);
guint           c2g_cuda_history_get_max  (C2gCudaHistory *self);
/* Returns a copy of the entries, the oldest first. */
C2gCudaEntry   *c2g_cuda_history_dup      (C2gCudaHistory *self,
                                           guint          *n_entries);

G_END_DECLS
