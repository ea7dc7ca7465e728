/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-tensor.h>

G_BEGIN_DECLS

/* Memory for floats, or for other items, that an operator keeps from run to run.  It is
 * counted, and limited, as that of any tensor.  Zero is an empty one. */
typedef struct
{
  union
  {
    float   *data;
    gpointer items;
  };
  /* In floats. */
  gsize      n;
  C2gTensor *tensor;
} C2gScratch;

/* Room for n_rows times n_columns floats, aligned to 64 bytes; what was in it may be lost. */
gboolean c2g_scratch_reserve (C2gScratch  *self,
                              gsize        n_rows,
                              gsize        n_columns,
                              GError     **error);
/* Room for n_items of so many bytes; what was in it stays. */
gboolean c2g_scratch_extend  (C2gScratch  *self,
                              gsize        n_items,
                              gsize        item_size,
                              GError     **error);
void     c2g_scratch_clear   (C2gScratch  *self);

G_END_DECLS
