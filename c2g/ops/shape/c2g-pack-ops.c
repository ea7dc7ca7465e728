/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <math.h>

/* Padding of sequences. Input lengths has the length of each of N sequences; the data has one
 * sequence after the other along its first dimension.
 *
 * PackSegments: lengths, data (Σ lengths, …); Y (N, width, …), a row for each sequence,
 * padded with 0 or, with pad_minf, -infinity.  width is max_length or the longest length; longer
 * sequences are cut off. Output 1, with return_presence_mask, is TRUE (bool) where Y is not
 * padding.
 * PackRNNSequence: data, lengths; Y (longest, N, …), a column for each sequence.
 * UnpackSegments, UnpackRNNSequence: the inverse.
 * ReversePackedSegs: data (T, N, D), lengths; reverses each column up to its length.
 *
 * Any element type; nothing is in place. The rules are Caffe2's. On CUDA the lengths are read on
 * the CPU, and kernels/gather.cu moves the elements. */

typedef struct
{
  gboolean pads_with_minus_infinity;
  gboolean has_max_length;
  gint64   max_length;
  gboolean has_mask;
} PackState;

/* The input and its lengths. */
typedef struct
{
  C2gTensor  *tensor;
  C2gIndices  lengths;
  gint64      total;
  gint64      longest;
  /* Number of items of one element of a sequence. */
  gint64      n_block;
  C2gDims     dims;
} Sequences;

static gboolean
pack_set_up (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  PackState *self = state;

  self->has_max_length = self->max_length >= 0;
  if (!self->has_mask || c2g_operator_get_n_outputs (op) == 2)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("There is no second output for the mask"));
}

/* Reads the lengths. During shape inference they are read only if the shape depends on them. */
static gboolean
read_lengths (Sequences    *self,
              C2gOperator  *op,
              gboolean      are_needed,
              GError      **error)
{
  self->total = self->dims.dims[0];
  self->longest = 0;
  if (!are_needed && c2g_operator_is_inferring (op))
    return TRUE;
  if (!c2g_indices_sum (&self->lengths, &self->total, error))
    return FALSE;
  for (gsize i = 0; i < self->lengths.n; i++)
    self->longest = MAX (self->longest, c2g_indices_get (&self->lengths, i));
  return TRUE;
}

/* Reads the data and the lengths. The first n_outer dimensions of the data count sequences and
 * steps. */
static gboolean
read_sequences (Sequences    *self,
                C2gOperator  *op,
                guint         data_input,
                guint         lengths_input,
                gsize         n_outer,
                GError      **error)
{
  self->tensor = c2g_move_input (op, data_input, error);
  if (self->tensor == NULL || !c2g_dims_copy (&self->dims, self->tensor, error) ||
      !c2g_indices_init_vector (&self->lengths, op, lengths_input, error))
    return FALSE;
  if (self->dims.n < n_outer)
    return c2g_operator_set_shape_error (op, data_input, error, _("at least %d dimensions"),
                                         (int) n_outer);
  return c2g_dims_count (&self->dims, n_outer, self->dims.n, &self->n_block, error);
}

static gboolean
check_total (const Sequences  *self,
             C2gOperator      *op,
             guint             input,
             GError          **error)
{
  return self->dims.dims[0] == self->total ||
         c2g_operator_set_shape_error (op, input, error, _("%" PRId64 " rows"), self->total);
}

/* Fills the output, which has elements, with padding. */
static gboolean
clear_output (C2gOperator  *op,
              C2gTensor    *output,
              gboolean      with_minus_infinity,
              GError      **error)
{
  static const float minus_infinity = -INFINITY;
  const gsize n = output->n_elements;
  float *floats = c2g_tensor_address (output);

  if (!output->meta->is_plain)
    {
      c2g_type_meta_destroy (output->meta, floats, n);
      c2g_type_meta_construct (output->meta, floats, n);
      return TRUE;
    }
  if (!with_minus_infinity || c2g_tensor_get_data_type (output) != C2G_DATA_TYPE_FLOAT)
    return c2g_operator_clear_items (op, floats, n * output->meta->item_size, error);
  if (c2g_operator_get_compute (op) != NULL)
    return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_FILL, .item = &minus_infinity,
                        .item_size = sizeof (float), .y = floats, .n = n);
  for (gsize i = 0; i < n; i++)
    floats[i] = minus_infinity;
  return TRUE;
}

/* Replaces the first n_outer dimensions by first and, if it is not negative, second. */
static gboolean
set_outer (Sequences    *self,
           gsize         n_outer,
           gint64        first,
           gint64        second,
           GError      **error)
{
  if (n_outer == 2 && second < 0)
    c2g_dims_remove (&self->dims, 1);
  else if (n_outer == 1 && second >= 0 && !c2g_dims_insert (&self->dims, 1, second, error))
    return FALSE;
  self->dims.dims[0] = first;
  return TRUE;
}

/* PackSegments and UnpackSegments */

static gboolean
put_mask (C2gOperator      *op,
          const Sequences  *x,
          gint64            width,
          GError          **error)
{
  const gint64 dims[] = { (gint64) x->lengths.n, width };
  C2gTensor *mask = c2g_operator_output (op, 1, dims, 2, C2G_DATA_TYPE_BOOL, error);
  g_autoptr (C2gTensor) near = mask != NULL ? c2g_operator_begin_near (op, mask, error) : NULL;
  guint8 *to;

  if (near == NULL)
    return FALSE;
  to = c2g_tensor_address (near);
  for (gsize i = 0; i < x->lengths.n; i++)
    for (gint64 j = 0; j < width; j++)
      *to++ = j < c2g_indices_get (&x->lengths, i);
  return c2g_operator_end_near (op, near, mask, error);
}

static gboolean
pack_segments_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  PackState *self = state;
  Sequences x;
  C2gRowRuns runs;
  C2gTensor *output;
  gint64 width, from = 0, n_rows = 0;

  if (!read_sequences (&x, op, 1, 0, 1, error) ||
      !read_lengths (&x, op, !self->has_max_length, error) || !check_total (&x, op, 1, error))
    return FALSE;
  width = self->has_max_length ? self->max_length : x.longest;
  if (!set_outer (&x, 1, x.lengths.n, width, error))
    return FALSE;
  output = c2g_dims_output (&x.dims, op, 0, x.tensor->meta, error);
  if (output == NULL || (self->has_mask && !put_mask (op, &x, width, error)))
    return FALSE;
  if (c2g_operator_is_inferring (op) || output->n_elements == 0)
    return TRUE;

  /* Rows behind the last element of the last sequence are only padding. */
  for (gsize i = 0; i < x.lengths.n; i++)
    if (c2g_indices_get (&x.lengths, i) > 0)
      n_rows = (gint64) i * width + MIN (c2g_indices_get (&x.lengths, i), width);
  runs = (C2gRowRuns) { op, x.tensor, output, x.n_block, n_rows };
  if (!clear_output (op, output, self->pads_with_minus_infinity, error) ||
      !c2g_row_runs_begin (&runs, error))
    return FALSE;

  for (gsize i = 0; i < x.lengths.n; i++)
    {
      const gint64 length = c2g_indices_get (&x.lengths, i);

      c2g_row_runs_add (&runs, from, (gint64) i * width, MIN (length, width));
      from += length;
    }
  return c2g_row_runs_end (&runs, error);
}

static gboolean
unpack_segments_run (C2gOperator  *op,
                     gpointer      state,
                     GError      **error)
{
  PackState *self = state;
  Sequences x;
  C2gRowRuns runs;
  C2gTensor *output;
  gint64 width, total = 0, to = 0;

  if (!read_sequences (&x, op, 1, 0, 2, error) || !read_lengths (&x, op, TRUE, error))
    return FALSE;
  width = x.dims.dims[1];
  if (x.dims.dims[0] != (gint64) x.lengths.n ||
      (self->has_max_length ? width != self->max_length : width < x.longest))
    return c2g_operator_set_shape_error (op, 1, error, _("%zu rows of %" PRId64), x.lengths.n,
                                         self->has_max_length ? self->max_length : x.longest);

  for (gsize i = 0; i < x.lengths.n; i++)
    total += MIN (width, c2g_indices_get (&x.lengths, i));
  if (!set_outer (&x, 2, total, -1, error))
    return FALSE;
  output = c2g_dims_output (&x.dims, op, 0, x.tensor->meta, error);
  if (output == NULL || output->n_elements == 0)
    return output != NULL;
  runs = (C2gRowRuns) { op, x.tensor, output, x.n_block, total };
  if (!c2g_row_runs_begin (&runs, error))
    return FALSE;

  for (gsize i = 0; i < x.lengths.n; i++)
    {
      const gint64 length = MIN (width, c2g_indices_get (&x.lengths, i));

      c2g_row_runs_add (&runs, (gint64) i * width, to, length);
      to += length;
    }
  return c2g_row_runs_end (&runs, error);
}

/* PackRNNSequence and UnpackRNNSequence */

static gboolean
pack_rnn_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  Sequences x;
  C2gRowRuns runs;
  C2gTensor *output;
  gint64 from = 0;

  if (!read_sequences (&x, op, 0, 1, 1, error) || !read_lengths (&x, op, TRUE, error) ||
      !check_total (&x, op, 0, error) ||
      !set_outer (&x, 1, x.longest, x.lengths.n, error))
    return FALSE;
  output = c2g_dims_output (&x.dims, op, 0, x.tensor->meta, error);
  if (output == NULL || output->n_elements == 0)
    return output != NULL;
  runs = (C2gRowRuns) { op, x.tensor, output, x.n_block, x.longest * (gint64) x.lengths.n };
  if (!clear_output (op, output, FALSE, error) || !c2g_row_runs_begin (&runs, error))
    return FALSE;

  for (gsize i = 0; i < x.lengths.n; i++)
    for (gint64 j = 0; j < c2g_indices_get (&x.lengths, i); j++)
      c2g_row_runs_add (&runs, from++, j * (gint64) x.lengths.n + (gint64) i, 1);
  return c2g_row_runs_end (&runs, error);
}

static gboolean
unpack_rnn_run (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  Sequences x;
  C2gRowRuns runs;
  C2gTensor *output;
  gint64 to = 0;

  if (!read_sequences (&x, op, 0, 1, 2, error) || !read_lengths (&x, op, TRUE, error))
    return FALSE;
  if (x.dims.dims[0] < x.longest || x.dims.dims[1] != (gint64) x.lengths.n)
    return c2g_operator_set_shape_error (op, 0, error, _("%" PRId64 " rows of %zu"), x.longest,
                                         x.lengths.n);
  if (!set_outer (&x, 2, x.total, -1, error))
    return FALSE;
  output = c2g_dims_output (&x.dims, op, 0, x.tensor->meta, error);
  if (output == NULL || output->n_elements == 0)
    return output != NULL;
  runs = (C2gRowRuns) { op, x.tensor, output, x.n_block, x.total };
  if (!c2g_row_runs_begin (&runs, error))
    return FALSE;

  for (gsize i = 0; i < x.lengths.n; i++)
    for (gint64 j = 0; j < c2g_indices_get (&x.lengths, i); j++)
      c2g_row_runs_add (&runs, j * (gint64) x.lengths.n + (gint64) i, to++, 1);
  return c2g_row_runs_end (&runs, error);
}

/* ReversePackedSegs */

static gboolean
reverse_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  Sequences x;
  C2gRowRuns runs;
  C2gTensor *output;

  if (!read_sequences (&x, op, 0, 1, 2, error) || !read_lengths (&x, op, FALSE, error))
    return FALSE;
  if (x.dims.n != 3 || x.dims.dims[0] < x.longest || x.dims.dims[1] != (gint64) x.lengths.n)
    return c2g_operator_set_shape_error (op, 0, error,
                                         _("three dimensions, with %" PRId64 " rows of %zu"),
                                         x.longest, x.lengths.n);
  output = c2g_dims_output (&x.dims, op, 0, x.tensor->meta, error);
  if (output == NULL || output->n_elements == 0)
    return output != NULL;
  runs = (C2gRowRuns) { op, x.tensor, output, x.n_block, x.dims.dims[0] * x.dims.dims[1] };
  if (!c2g_row_runs_begin (&runs, error))
    return FALSE;

  for (gint64 row = 0; row < x.dims.dims[0]; row++)
    for (gint64 i = 0; i < (gint64) x.lengths.n; i++)
      {
        const gint64 length = c2g_indices_get (&x.lengths, i);
        const gint64 from = row < length ? length - 1 - row : row;

        c2g_row_runs_add (&runs, from * (gint64) x.lengths.n + i,
                          row * (gint64) x.lengths.n + i, 1);
      }
  return c2g_row_runs_end (&runs, error);
}

#define PACK(type, max_outputs, rows, size, set_up, run, summary)                                  \
  {                                                                                                \
    type, NULL, 2, 2, 1, max_outputs, NULL, rows, size, set_up, run, NULL, NULL, summary,          \
      .infer = run, .is_for_devices = TRUE                                                         \
  }

static const C2gKernelArgument arguments[] = {
  C2G_ARG_INT (PackState, max_length, "max_length", -1),
  C2G_ARG_BOOLEAN (PackState, pads_with_minus_infinity, "pad_minf", FALSE),
  C2G_ARG_BOOLEAN (PackState, has_mask, "return_presence_mask", FALSE),
  { 0 },
};

static const C2gKernel kernels[] = {
  PACK ("PackSegments", 2, arguments, sizeof (PackState), pack_set_up, pack_segments_run,
        "Packs sequences into padded rows"),
  PACK ("UnpackSegments", 1, arguments, sizeof (PackState), pack_set_up, unpack_segments_run,
        "Unpacks sequences from padded rows"),
  PACK ("PackRNNSequence", 1, NULL, 0, NULL, pack_rnn_run,
        "Packs sequences into padded columns"),
  PACK ("UnpackRNNSequence", 1, NULL, 0, NULL, unpack_rnn_run,
        "Unpacks sequences from padded columns"),
  PACK ("ReversePackedSegs", 1, NULL, 0, NULL, reverse_run,
        "Reverses padded columns, except their padding"),
};

C2G_OPS_FAMILY (pack);
