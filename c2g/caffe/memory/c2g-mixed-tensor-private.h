/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/memory/c2g-mixed-tensor.h>
#include <c2g/caffe/memory/c2g-synced-memory-private.h>

G_BEGIN_DECLS

/* The elements in one type and place, NULL where there are none, good until the next access. */
gboolean c2g_mixed_tensor_access (C2gMixedTensor   *self,
                                  C2gDataType       data_type,
                                  C2gDevice        *device,
                                  C2gSyncedAccess   access,
                                  gpointer         *address,
                                  GError          **error);

/* All elements of one type, on the CPU. */
typedef struct
{
  C2gDataType type;
  gsize       item_size;
  gsize       n;
  gpointer    elements;
} C2gMixedRow;

typedef gboolean (*C2gMixedFunc) (const C2gMixedRow *row,
                                  gpointer           data,
                                  GError           **error);

/* Lets a function change the elements of the type that was written last.  Other accesses wait for
 * it, and signals are emitted afterwards. */
gboolean c2g_mixed_tensor_compute (C2gMixedTensor    *self,
                                   C2gSyncedAccess    access,
                                   C2gMixedFunc       func,
                                   gpointer           data,
                                   GError           **error);

G_END_DECLS
