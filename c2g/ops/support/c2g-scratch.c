/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-scratch-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Scratch memory of operators, kept from run to run. */

/* Label of scratch memory in memory reports. */
#define LABEL "scratch"

static C2gTensor *
new_tensor (gsize    n,
            GError **error)
{
  const gint64 dims[] = { (gint64) n };
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  C2gLabel *label = c2g_label_new (LABEL);

  c2g_tensor_set_label (tensor, label);
  c2g_label_unref (label);
  if (!c2g_tensor_resize (tensor, dims, 1, error) ||
      !c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, error))
    return NULL;
  return g_steal_pointer (&tensor);
}

static void
take_tensor (C2gScratch *self,
             C2gTensor  *tensor)
{
  self->tensor = tensor;
  self->n = tensor->n_elements;
  self->data = c2g_tensor_address (tensor);
}

gboolean
c2g_scratch_reserve (C2gScratch  *self,
                     gsize        n_rows,
                     gsize        n_columns,
                     GError     **error)
{
  C2gTensor *tensor;
  gsize n;

  if (!g_size_checked_mul (&n, n_rows, n_columns) || n > G_MAXSSIZE / sizeof (float))
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("%zu times %zu numbers to compute with are more than memory can hold"),
                     n_rows, n_columns);
  if (n <= self->n)
    return TRUE;

  c2g_scratch_clear (self);
  tensor = new_tensor (n, error);
  if (tensor == NULL)
    return FALSE;
  take_tensor (self, tensor);
  return TRUE;
}

gboolean
c2g_scratch_extend (C2gScratch  *self,
                    gsize        n_items,
                    gsize        item_size,
                    GError     **error)
{
  C2gTensor *old = self->tensor;
  C2gTensor *tensor;
  gsize n;

  if (!g_size_checked_mul (&n, n_items, item_size) || n > G_MAXSSIZE)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("%zu times %zu bytes to compute with are more than memory can hold"),
                     n_items, item_size);
  n = (n + sizeof (float) - 1) / sizeof (float);
  if (n <= self->n)
    return TRUE;

  tensor = new_tensor (MAX (n, self->n + self->n / 2), error);
  if (tensor == NULL)
    return FALSE;
  if (old != NULL)
    memcpy (c2g_tensor_address (tensor), self->data, self->n * sizeof (float));
  take_tensor (self, tensor);
  g_clear_object (&old);
  return TRUE;
}

void
c2g_scratch_clear (C2gScratch *self)
{
  g_clear_object (&self->tensor);
  self->data = NULL;
  self->n = 0;
}
