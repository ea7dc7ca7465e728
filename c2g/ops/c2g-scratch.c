/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-scratch-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

#include <stdlib.h>

#define ALIGNMENT 64

gboolean
c2g_scratch_reserve (C2gScratch  *self,
                     gsize        n_rows,
                     gsize        n_columns,
                     GError     **error)
{
  gsize n;
  gsize n_bytes;
  void *data = NULL;

  if (!g_size_checked_mul (&n, n_rows, n_columns) ||
      !g_size_checked_mul (&n_bytes, n, sizeof (float)) || n_bytes > G_MAXSSIZE)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE,
                   _("%zu times %zu numbers to compute with are more than memory can hold"),
                   n_rows, n_columns);
      return FALSE;
    }
  if (n <= self->n)
    return TRUE;

  c2g_scratch_clear (self);
  if (posix_memalign (&data, ALIGNMENT, n_bytes) != 0)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NO_MEMORY,
                   _("Not enough memory for %zu bytes to compute with"), n_bytes);
      return FALSE;
    }

  self->data = data;
  self->n = n;
  return TRUE;
}

void
c2g_scratch_clear (C2gScratch *self)
{
  free (self->data);
  self->data = NULL;
  self->n = 0;
}
