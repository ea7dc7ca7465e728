/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/tensor/c2g-tensor.h>

G_BEGIN_DECLS

/* Workspace memory of an operator that is kept between runs. It is a tensor's memory, so it is
 * counted and limited like any other. An instance of zeros is empty. */
typedef struct
{
  union
  {
    float   *data;
    gpointer items;
  };
  /* Allocated size in floats. */
  gsize      n;
  C2gTensor *tensor;
} C2gScratch;

/* Makes room for n_rows × n_columns floats, aligned to 64 bytes. The old contents may be lost. */
gboolean c2g_scratch_reserve (C2gScratch  *self,
                              gsize        n_rows,
                              gsize        n_columns,
                              GError     **error);
/* Makes room for n_items items of item_size bytes. The old contents are kept. */
gboolean c2g_scratch_extend  (C2gScratch  *self,
                              gsize        n_items,
                              gsize        item_size,
                              GError     **error);
void     c2g_scratch_clear   (C2gScratch  *self);

/* Defines a function for C2gKernel.clear that clears one member of the state. */
#define C2G_SCRATCH_DEFINE_CLEAR(name, State, member)                                              \
  static void                                                                                      \
  name (gpointer state)                                                                            \
  {                                                                                                \
    c2g_scratch_clear (&((State *) state)->member);                                                \
  }

G_END_DECLS
