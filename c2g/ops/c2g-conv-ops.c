/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/c2g-ops-private.h>

#include <c2g/core/c2g-i18n-private.h>
#include <c2g/core/c2g-shape-private.h>
#include <c2g/core/c2g-tensor-private.h>
#include <c2g/ops/c2g-conv-private.h>
#include <c2g/ops/c2g-group-private.h>

/* Conv: X, filters, and perhaps a bias for each of them. */

typedef struct
{
  C2gWindow  window;
  int        n_groups;
  C2gScratch scratch;
  double     n_flops;
} ConvState;

static gboolean
conv_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  ConvState *self = state;
  C2gArguments arguments = C2G_ARGUMENTS_INIT (op);

  c2g_window_read (&self->window, &arguments, C2G_WINDOW_DEFAULT);
  self->n_groups = c2g_arguments_groups (&arguments);
  return c2g_arguments_finish (&arguments, error);
}

static gboolean
check_filters (C2gOperator  *op,
               C2gConv      *conv,
               C2gTensor    *filters,
               GError      **error)
{
  const C2gWindowPlace *place = &conv->place;
  C2gWindowPlace shape = *place;
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  g_autofree char *text = NULL;
  gsize n_dims;

  /* A filter is like an image of the size of the kernel. */
  shape.n_images = filters->n_dims > 0 ? filters->dims[0] : 0;
  n_dims =
    c2g_window_place_dims (&shape, place->kernel, place->n_channels / conv->n_groups, dims);
  if (shape.n_images > 0 && shape.n_images % conv->n_groups == 0 &&
      c2g_shape_equal (dims, n_dims, filters->dims, filters->n_dims))
    return TRUE;

  dims[0] = MAX (shape.n_images - shape.n_images % conv->n_groups, conv->n_groups);
  text = c2g_shape_to_string (dims, n_dims);
  return c2g_operator_set_shape_error (op, 1, error,
                                       _("one like %s, with a multiple of %" PRId64 " filters"),
                                       text, conv->n_groups);
}

/* Everything but the output. */
static gboolean
prepare (C2gOperator  *op,
         ConvState    *self,
         C2gConv      *conv,
         C2gTensor   **inputs,
         GError      **error)
{
  const guint n_inputs = c2g_operator_get_n_inputs (op);

  for (guint i = 0; i < n_inputs; i++)
    {
      inputs[i] = c2g_operator_input (op, i, C2G_DATA_TYPE_FLOAT, error);
      if (inputs[i] == NULL)
        return FALSE;
    }

  conv->n_groups = self->n_groups;
  if (!c2g_window_place (&self->window, op, 0, inputs[0], &conv->place, error) ||
      !c2g_operator_check_groups (op, conv->place.n_channels, conv->n_groups, error) ||
      !check_filters (op, conv, inputs[1], error))
    return FALSE;
  conv->n_channels = inputs[1]->dims[0];
  return n_inputs < 3 || c2g_operator_check_bias (op, inputs[2], conv->n_channels, 1, error);
}

static gboolean
compute (const C2gConv  *conv,
         ConvState      *self,
         GError        **error)
{
  if (conv->n_groups > 1 && conv->n_groups == conv->place.n_channels)
    return c2g_conv_depthwise (conv, &self->scratch, error);
  return c2g_conv_by_columns (conv, &self->scratch, error);
}

static gboolean
conv_run (C2gOperator  *op,
          gpointer      state,
          GError      **error)
{
  ConvState *self = state;
  C2gTensor *inputs[3] = { NULL };
  C2gTensor *output;
  C2gConv conv;
  gint64 dims[C2G_WINDOW_MAX_DIMS + 2];
  gsize n_dims;

  self->n_flops = 0;
  if (!prepare (op, self, &conv, inputs, error))
    return FALSE;
  n_dims = c2g_window_place_dims (&conv.place, conv.place.out, conv.n_channels, dims);
  output = c2g_operator_output (op, 0, dims, n_dims, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL)
    return FALSE;
  if (output->n_elements == 0)
    return TRUE;

  conv.x = c2g_tensor_address (inputs[0]);
  conv.filters = c2g_tensor_address (inputs[1]);
  conv.bias = inputs[2] != NULL ? c2g_tensor_address (inputs[2]) : NULL;
  conv.y = c2g_tensor_address (output);
  self->n_flops = (double) output->n_elements *
                  (2.0 * (double) (inputs[1]->n_elements / conv.n_channels) +
                   (inputs[2] != NULL));
  return compute (&conv, self, error);
}

static void
conv_clear (gpointer state)
{
  ConvState *self = state;

  c2g_scratch_clear (&self->scratch);
}

static double
conv_count_flops (C2gOperator *op,
                  gpointer     state)
{
  const ConvState *self = state;

  return self->n_flops;
}

static const C2gKernel kernels[] = {
  {
    .type = "Conv",
    .min_inputs = 2,
    .max_inputs = 3,
    .min_outputs = 1,
    .max_outputs = 1,
    .state_size = sizeof (ConvState),
    .set_up = conv_set_up,
    .run = conv_run,
    .clear = conv_clear,
    .count_flops = conv_count_flops,
    .summary = "Convolution of images of one, two or three dimensions with filters",
  },
};

void
c2g_ops_register_conv (void)
{
  c2g_kernels_register (kernels, G_N_ELEMENTS (kernels));
}
