/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-fill-shape-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-move-private.h>

/* The shape of fill operators, which all of them find by the same rule. */

const C2gKernelArgument c2g_fill_shape_arguments[] = {
  C2G_ARG_INTS (C2gFillShape, shape, n_shape, "shape"),
  C2G_ARG_INTS (C2gFillShape, extra, n_extra, "extra_shape"),
  C2G_ARG_BOOLEAN (C2gFillShape, is_input_shape, "input_as_shape", FALSE),
  C2G_ARG_BOOLEAN (C2gFillShape, run_once, "run_once", FALSE),
  { 0 },
};

gboolean
c2g_fill_shape_set_up (C2gOperator  *op,
                       gpointer      state,
                       GError      **error)
{
  C2gFillShape *self = state;
  const gboolean has_input = c2g_operator_get_n_inputs (op) > 0;

  if (!has_input && (self->n_extra > 0 || self->is_input_shape))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “%s” needs an input, and there is none"),
                 self->n_extra > 0 ? "extra_shape" : "input_as_shape");
  else if (has_input && self->n_shape > 0)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The shape comes both from input %u, “%s”, and from the argument “%s”, "
                   "expected only one of them"),
                 0, c2g_operator_input_name (op, 0), "shape");
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_input (C2gOperator  *op,
            C2gDims      *dims,
            GError      **error)
{
  C2gIndices shape;

  if (!c2g_indices_init_vector (&shape, op, 0, error) || !c2g_operator_need_values (op, 0, error))
    return FALSE;

  dims->n = 0;
  for (gsize i = 0; i < shape.n; i++)
    {
      gint64 dim = c2g_indices_get (&shape, i);

      if (!c2g_dims_append (dims, &dim, 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
get_dims (C2gFillShape  *self,
          C2gOperator   *op,
          C2gDims       *dims,
          GError       **error)
{
  C2gTensor *like;

  if (c2g_operator_get_n_inputs (op) == 0)
    return c2g_dims_set (dims, self->shape, self->n_shape, error);

  if (self->is_input_shape)
    return read_input (op, dims, error) && c2g_dims_append (dims, self->extra, self->n_extra, error);

  like = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  return like != NULL && c2g_dims_copy (dims, like, error) &&
         c2g_dims_append (dims, self->extra, self->n_extra, error);
}

/* Fills a tensor on the CPU and copies it. Waits, because a pinned source is read until the copy
 * is done. */
static gboolean
fill_and_copy (C2gFillShape  *self,
               C2gOperator   *op,
               C2gTensor     *output,
               C2gFillFunc    fill,
               GError       **error)
{
  C2gContext *context = c2g_operator_get_context (op);
  g_autoptr (C2gTensor) near = c2g_tensor_new ();

  return c2g_tensor_resize_like (near, output, error) &&
         c2g_tensor_allocate_meta (near, output->meta, error) && fill (op, self, near, error) &&
         c2g_tensor_copy_from (output, near, context, error) &&
         c2g_context_finish (context, error);
}

gboolean
c2g_fill_shape_run (C2gFillShape  *self,
                    C2gOperator   *op,
                    C2gDataType    data_type,
                    C2gFillFunc    fill,
                    GError       **error)
{
  C2gDims dims;
  C2gTensor *output;
  gboolean is_copied = c2g_operator_get_compute (op) != NULL && !self->is_for_devices;

  if (self->run_once && self->has_run)
    return TRUE;
  if (!get_dims (self, op, &dims, error))
    return FALSE;

  if (self->is_void && dims.n > 0)
    dims.dims[0] = 0;
  output = c2g_operator_output (op, 0, dims.dims, dims.n, data_type, error);
  if (output == NULL || (output->n_elements > 0 &&
                         !(is_copied ? fill_and_copy (self, op, output, fill, error)
                                     : fill (op, self, output, error))))
    return FALSE;
  self->has_run = !c2g_interrupt_is_wanted ();
  return TRUE;
}
