/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Memory for floats that an operator keeps from run to run.  Zero is an empty one. */
typedef struct
{
  float *data;
  gsize  n;
} C2gScratch;

/* Room for n_rows times n_columns floats, aligned to 64 bytes; what was in it may be lost. */
gboolean c2g_scratch_reserve (C2gScratch  *self,
                              gsize        n_rows,
                              gsize        n_columns,
                              GError     **error);
void     c2g_scratch_clear   (C2gScratch  *self);

G_END_DECLS
