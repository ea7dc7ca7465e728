/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

/* Encodings of indices and values as rows of zeros and ones.
 *
 * OneHot: indices (N), size; Y (N, size) with Y[i, indices[i]] = 1.
 * SegmentOneHot: lengths (N), indices, size; Y (N, size) has 1 for all indices of segment i.
 * BatchOneHot: X (N, D), lengths (D), values; column j has the next lengths[j] values, and Y (N,
 * values) is 1 where X equals the value. Y has the type of X, int32 or int64.
 * BatchBucketOneHot: X (N, D), lengths (D), boundaries; column j has lengths[j] + 1 buckets
 * between its boundaries, and Y (N, buckets) is 1 for the bucket that X is in.
 *
 * Y is float unless stated. Nothing is in place. The rules are Caffe2's. On CUDA
 * kernels/binary.cu compares for OneHot, and kernels/convert.cu turns that into floats; the others
 * run on the CPU only. */

/* Makes output 0, a matrix of zeros, which may have no rows. */
static gboolean
make_matrix (C2gOperator  *op,
             gint64        n_rows,
             gint64        n_columns,
             float       **items,
             GError      **error)
{
  const gint64 dims[] = { n_rows, n_columns };
  C2gTensor *output = c2g_operator_output (op, 0, dims, 2, C2G_DATA_TYPE_FLOAT, error);

  if (output == NULL)
    return FALSE;

  *items = c2g_tensor_address (output);
  return c2g_operator_clear_items (op, *items, c2g_tensor_byte_size (output), error);
}

static gboolean
read_size (C2gOperator  *op,
           guint         input,
           gint64       *size,
           GError      **error)
{
  if (!c2g_indices_scalar (op, input, size, error))
    return FALSE;
  if (*size > 0)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Input %u, “%s”, is %" PRId64 ", expected more than 0"), input,
                   c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[input], *size);
}

/* Writes 0, 1, 2 …, of the indices' type, to memory of the device. */
static gboolean
write_range (C2gOperator  *op,
             gint64        n,
             gboolean      is_wide,
             gpointer      target,
             GError      **error)
{
  const gsize n_bytes = n * (is_wide ? sizeof (gint64) : sizeof (gint32));
  g_autofree gpointer range = g_try_malloc (n_bytes);

  if (range == NULL)
    return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to write %zu bytes"), n_bytes);
  for (gint64 i = 0; i < n; i++)
    if (is_wide)
      ((gint64 *) range)[i] = i;
    else
      ((gint32 *) range)[i] = (gint32) i;
  return c2g_on_device_write (op, range, n_bytes, target, error);
}

/* Compares each index with each column number, and converts the results to 0 or 1. */
static gboolean
compare_on_device (C2gOperator       *op,
                   const C2gIndices  *indices,
                   gint64             size,
                   float             *target,
                   GError           **error)
{
  const C2gDataType type = c2g_tensor_get_data_type (indices->tensor);
  const gint64 dims[] = { (gint64) indices->n, size };
  const gint64 index_strides[] = { 1, 0 };
  const gint64 strides[] = { 0, 1 };
  gpointer range, truths;
  g_autoptr (C2gStorage) room = NULL;
  g_autoptr (C2gStorage) scratch =
    c2g_on_device_scratch (op, size, c2g_data_type_get_item_size (type), &range, error);

  room = scratch != NULL ? c2g_on_device_scratch (op, indices->n * size, 1, &truths, error) : NULL;
  return room != NULL && write_range (op, size, indices->wide != NULL, range, error) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_BINARY, .binary = C2G_COMPUTE_BINARY_EQ, .type = type,
                      .dims = dims, .n_dims = 2, .x = c2g_tensor_address (indices->tensor),
                      .x_strides = index_strides, .other = range, .other_strides = strides,
                      .y = truths) &&
         C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_CONVERT, .type = C2G_DATA_TYPE_BOOL, .x = truths,
                      .y_type = C2G_DATA_TYPE_FLOAT, .y = target, .n = indices->n * size);
}

static gboolean
one_hot_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  C2gIndices indices;
  gint64 size;
  float *row;

  if (!c2g_indices_init_vector (&indices, op, 0, error) || !read_size (op, 1, &size, error) ||
      !c2g_indices_check (&indices, size, FALSE, error))
    return FALSE;

  if (!make_matrix (op, indices.n, size, &row, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return indices.n == 0 || compare_on_device (op, &indices, size, row, error);

  for (gsize i = 0; i < indices.n; i++, row += size)
    row[c2g_indices_get (&indices, i)] = 1;
  return TRUE;
}

/* SegmentOneHot */
static gboolean
segment_one_hot_run (C2gOperator  *op,
                     gpointer      state,
                     GError      **error)
{
  C2gIndices lengths, indices;
  gint64 size, total;
  gsize next = 0;
  float *row;

  if (!c2g_indices_init_vector (&lengths, op, 0, error) ||
      !c2g_indices_init_vector (&indices, op, 1, error))
    return FALSE;
  total = (gint64) indices.n;
  if ((!c2g_operator_is_inferring (op) && !c2g_indices_sum (&lengths, &total, error)) ||
      !read_size (op, 2, &size, error) ||
      !c2g_indices_check (&indices, size, FALSE, error))
    return FALSE;
  if (total != (gint64) indices.n)
    return c2g_operator_set_shape_error (op, 1, error, "[%" PRId64 "]", total);

  if (!make_matrix (op, lengths.n, size, &row, error))
    return FALSE;

  for (gsize i = 0; i < lengths.n; i++, row += size)
    for (gint64 j = c2g_indices_get (&lengths, i); j > 0; j--)
      row[c2g_indices_get (&indices, next++)] = 1;
  return TRUE;
}

/* BatchOneHot and BatchBucketOneHot: columns with a number of values each */

typedef struct
{
  C2gTensor *x;
  gint64     n_rows;
  gint64     n_columns;
  C2gIndices lengths;
  gint64     total;
} Columns;

static gboolean
columns_init (Columns      *self,
              C2gOperator  *op,
              C2gDataType   data_type,
              GError      **error)
{
  self->x = c2g_operator_input (op, 0, data_type, error);
  if (self->x == NULL)
    return FALSE;
  if (self->x->n_dims == 0)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));

  self->n_rows = self->x->dims[0];
  self->n_columns = c2g_tensor_size_from_dim (self->x, 1, error);
  if (self->n_columns < 0 || !c2g_indices_init (&self->lengths, op, 1, error))
    return FALSE;
  if (!c2g_operator_is_inferring (op) && !c2g_indices_sum (&self->lengths, &self->total, error))
    return FALSE;

  return (gint64) self->lengths.n == self->n_columns ||
         c2g_operator_set_shape_error (op, 1, error, "[%" PRId64 "]", self->n_columns);
}

/* BatchOneHot */
static gboolean
batch_one_hot_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  Columns self;
  C2gIndices x, values;
  C2gTensor *output;

  if (!columns_init (&self, op, C2G_DATA_TYPE_UNDEFINED, error) ||
      !c2g_indices_init (&x, op, 0, error) ||
      c2g_operator_input (op, 2, c2g_tensor_get_data_type (self.x), error) == NULL ||
      !c2g_indices_init (&values, op, 2, error))
    return FALSE;
  if (c2g_operator_is_inferring (op))
    self.total = (gint64) values.n;
  if ((gint64) values.n != self.total)
    return c2g_operator_set_shape_error (op, 2, error, "[%" PRId64 "]", self.total);

  output = c2g_dims_output (&(C2gDims) { { self.n_rows, self.total }, 2 }, op, 0, self.x->meta, error);
  if (output == NULL)
    return FALSE;

  for (gint64 row = 0, i = 0; output->n_elements > 0 && row < self.n_rows; row++)
    for (gint64 column = 0, place = 0; column < self.n_columns; column++)
      for (gint64 end = place + c2g_indices_get (&self.lengths, column); place < end; place++, i++)
        {
          gboolean is_same = c2g_indices_get (&values, place) ==
                             c2g_indices_get (&x, row * self.n_columns + column);

          if (x.wide != NULL)
            ((gint64 *) c2g_tensor_address (output))[i] = is_same;
          else
            ((gint32 *) c2g_tensor_address (output))[i] = is_same;
        }
  return TRUE;
}

/* Counts the boundaries below value by binary search. They must be in ascending order. */
static gint64
find_bucket (const float *boundaries,
             gint64       n,
             float        value)
{
  gint64 low = 0, high = n;

  while (low < high)
    {
      gint64 middle = low + (high - low) / 2;

      if (boundaries[middle] < value)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
put_buckets (const Columns *self,
             const float   *boundaries,
             float         *row,
             gint64         n_buckets)
{
  const float *x = c2g_tensor_address (self->x);

  for (gint64 i = 0; row != NULL && i < self->n_rows; i++, row += n_buckets)
    for (gint64 column = 0, first = 0; column < self->n_columns; column++)
      {
        gint64 n = c2g_indices_get (&self->lengths, column);

        /* Each column before this one has one bucket more than boundaries. */
        row[first + column + find_bucket (boundaries + first, n, *x++)] = 1;
        first += n;
      }
}

static gboolean
batch_bucket_run (C2gOperator  *op,
                  gpointer      state,
                  GError      **error)
{
  Columns self;
  C2gTensor *boundaries;
  gint64 n_buckets;
  float *row;

  if (!columns_init (&self, op, C2G_DATA_TYPE_FLOAT, error))
    return FALSE;
  boundaries = c2g_operator_input (op, 2, C2G_DATA_TYPE_FLOAT, error);
  if (boundaries == NULL)
    return FALSE;
  if (c2g_operator_is_inferring (op))
    self.total = boundaries->n_elements;
  if (boundaries->n_elements != self.total)
    return c2g_operator_set_shape_error (op, 2, error, "[%" PRId64 "]", self.total);
  for (gsize i = 0; !c2g_operator_is_inferring (op) && i < self.lengths.n; i++)
    if (c2g_indices_get (&self.lengths, i) == 0)
      return c2g_operator_set_shape_error (op, 2, error,
                                           _("boundaries for every column, not none for %zu"), i);

  n_buckets = self.total + self.n_columns;
  if (!make_matrix (op, self.n_rows, n_buckets, &row, error))
    return FALSE;

  put_buckets (&self, c2g_tensor_address (boundaries), row, n_buckets);
  return TRUE;
}

static const C2gKernel kernels[] = {
  { "OneHot", NULL, 2, 2, 1, 1, NULL, NULL, 0, NULL, one_hot_run, NULL, NULL,
    "One-hot encoding of indices", .infer = one_hot_run,
    .is_for_devices = TRUE },
  { "SegmentOneHot", NULL, 3, 3, 1, 1, NULL, NULL, 0, NULL, segment_one_hot_run, NULL, NULL,
    "Encodes the indices of each segment as zeros and ones", .infer = segment_one_hot_run },
  { "BatchOneHot", NULL, 3, 3, 1, 1, NULL, NULL, 0, NULL, batch_one_hot_run, NULL, NULL,
    "One-hot encoding of the value that an element has, column by column",
    .infer = batch_one_hot_run },
  { "BatchBucketOneHot", NULL, 3, 3, 1, 1, NULL, NULL, 0, NULL, batch_bucket_run, NULL, NULL,
    "One-hot encoding of the interval that an element is in, column by column",
    .infer = batch_bucket_run },
};

C2G_OPS_FAMILY (one_hot);
