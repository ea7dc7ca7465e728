/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-dims-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-shape-private.h>

#include <string.h>

/* Shapes on the stack, for operators that compute the shape of their output. */

static gboolean
check_room (gsize     n,
            GError  **error)
{
  if (n <= C2G_DIMS_MAX)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("A shape of %zu dimensions, where at most %d are supported"), n, C2G_DIMS_MAX);
}

gboolean
c2g_dims_set (C2gDims       *self,
              const gint64  *dims,
              gsize          n,
              GError       **error)
{
  self->n = 0;
  return c2g_dims_append (self, dims, n, error);
}

gboolean
c2g_dims_copy (C2gDims    *self,
               C2gTensor  *tensor,
               GError    **error)
{
  return c2g_dims_set (self, tensor->dims, tensor->n_dims, error);
}

gboolean
c2g_dims_append (C2gDims       *self,
                 const gint64  *dims,
                 gsize          n,
                 GError       **error)
{
  if (!check_room (n, error) || !check_room (self->n + n, error))
    return FALSE;

  if (n > 0)
    memcpy (self->dims + self->n, dims, n * sizeof *dims);
  self->n += n;
  return TRUE;
}

gboolean
c2g_dims_insert (C2gDims  *self,
                 gsize     axis,
                 gint64    dim,
                 GError  **error)
{
  if (!check_room (self->n + 1, error))
    return FALSE;

  memmove (self->dims + axis + 1, self->dims + axis, (self->n - axis) * sizeof *self->dims);
  self->dims[axis] = dim;
  self->n++;
  return TRUE;
}

void
c2g_dims_remove (C2gDims *self,
                 gsize    axis)
{
  self->n--;
  memmove (self->dims + axis, self->dims + axis + 1, (self->n - axis) * sizeof *self->dims);
}

gboolean
c2g_dims_count (const C2gDims  *self,
                gsize           begin,
                gsize           end,
                gint64         *count,
                GError        **error)
{
  return c2g_shape_count (self->dims + begin, end - begin, count, error);
}

C2gTensor *
c2g_dims_output (const C2gDims  *self,
                 C2gOperator    *op,
                 guint           output,
                 C2gTypeMeta    *meta,
                 GError        **error)
{
  return c2g_operator_output_meta (op, output, self->dims, self->n, meta, error);
}

int
c2g_dims_axis (C2gOperator  *op,
               guint         input,
               gint64        axis,
               GError      **error)
{
  C2gTensor *tensor = c2g_operator_input (op, input, C2G_DATA_TYPE_UNDEFINED, error);
  gint64 counted;

  if (tensor == NULL)
    return -1;

  counted = axis < 0 ? axis + (gint64) tensor->n_dims : axis;
  if (counted >= 0 && counted < (gint64) tensor->n_dims && counted < C2G_DIMS_MAX)
    return (int) counted;

  c2g_operator_set_shape_error (op, input, error, _("a shape with the axis %" PRId64), axis);
  return -1;
}
