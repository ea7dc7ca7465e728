/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-float16-private.h>
#include <c2g/core/types/c2g-hot-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-elementwise-private.h>
#include <c2g/ops/support/c2g-move-private.h>
#include <c2g/ops/support/c2g-on-device-private.h>

#include <string.h>

/* Reductions of segments. Input lengths (int32 or int64) cuts the rows of X, in order, into
 * segments of lengths[i] rows; the lengths must add up to the number of rows.
 *
 * Lengths{Sum,Mean,Max}: X, lengths.  y[i] = sum, mean or maximum of the rows of segment i; 0 for
 * an empty segment.
 * LengthsWeightedSum: X, weights, lengths.  y[i] = Σ w[j] x[j].
 * SparseLengths*: the same with rows X[indices[j]]; indices come before lengths.
 * SparseLengthsWeightedMean: SparseLengthsWeightedSum divided by lengths[i].
 * LengthsToSegmentIds, LengthsToRanges, LengthsToOffsets: the segment of each row, (start, length)
 * of each segment, start of each segment. SegmentIdsToLengths is the inverse of the first.
 *
 * X is float, or float16 for some Sparse operators; the results are float. Nothing is in place.
 * The rules are Caffe2's. On CUDA kernels/segments.cu reduces; the four that only convert lengths
 * compute on the CPU, and the result is copied. */

typedef enum
{
  SUM,
  MEAN,
  MAXIMUM,
} Joining;

/* Variant of an operator: its inputs and its reduction. */
typedef struct
{
  Joining  joining;
  gboolean has_weights;
  gboolean has_indices;
} LengthsKind;

typedef struct
{
  const float   *x;
  /* The rows of X if it is float16, otherwise NULL; then x is NULL. */
  const guint16 *halves;
  gint64         n_rows;
  /* Number of elements of one row. */
  gint64         n_block;
  C2gDims        dims;
  /* One weight per row, or NULL. */
  const float   *weights;
  gboolean       has_indices;
  C2gIndices     indices;
  C2gIndices     lengths;
} LengthsInputs;

/* Tables may be float16 only for the sum and mean of the Sparse operators, as in Caffe2. */
static gboolean
takes_halves (const LengthsKind *kind)
{
  return kind->has_indices && kind->joining != MAXIMUM;
}

static gboolean
read_rows (LengthsInputs      *self,
           const LengthsKind  *kind,
           C2gOperator        *op,
           GError            **error)
{
  C2gTensor *x = c2g_operator_input (
    op, 0, takes_halves (kind) ? C2G_DATA_TYPE_UNDEFINED : C2G_DATA_TYPE_FLOAT, error);
  C2gDataType data_type;

  if (x == NULL || !c2g_dims_copy (&self->dims, x, error))
    return FALSE;
  data_type = c2g_tensor_get_data_type (x);
  if (data_type != C2G_DATA_TYPE_FLOAT && data_type != C2G_DATA_TYPE_FLOAT16)
    return c2g_operator_set_type_error (op, 0, _("float or float16"), error);
  if (x->n_dims < 1)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));
  self->x = data_type == C2G_DATA_TYPE_FLOAT ? c2g_tensor_address (x) : NULL;
  self->halves = data_type == C2G_DATA_TYPE_FLOAT16 ? c2g_tensor_address (x) : NULL;
  self->n_rows = x->dims[0];
  return c2g_dims_count (&self->dims, 1, self->dims.n, &self->n_block, error);
}

static gboolean
fail_sum (C2gOperator  *op,
          guint         input,
          gint64        total,
          gint64        n,
          GError      **error)
{
  return c2g_fail (error, C2G_ERROR_RANGE,
                   _("Input %u, “%s”, has lengths with the sum %" PRId64 ", expected %" PRId64),
                   input, c2g_operator_input_name (op, input), total, n);
}

static gboolean
read_inputs (LengthsInputs      *self,
             const LengthsKind  *kind,
             C2gOperator        *op,
             GError            **error)
{
  const guint indices_input = kind->has_weights ? 2 : 1;
  const guint lengths_input = indices_input + (kind->has_indices ? 1 : 0);
  gint64 n, total;

  if (!read_rows (self, kind, op, error))
    return FALSE;
  n = self->n_rows;
  self->has_indices = kind->has_indices;
  if (kind->has_indices)
    {
      if (!c2g_indices_init_vector (&self->indices, op, indices_input, error) ||
          !c2g_indices_check (&self->indices, n, FALSE, error))
        return FALSE;
      n = (gint64) self->indices.n;
    }

  self->weights = NULL;
  if (kind->has_weights)
    {
      C2gTensor *weights = c2g_operator_input_sized (op, 1, C2G_DATA_TYPE_FLOAT, n, error);

      if (weights == NULL)
        return FALSE;
      self->weights = c2g_tensor_address (weights);
    }

  if (!c2g_indices_init_vector (&self->lengths, op, lengths_input, error))
    return FALSE;
  if (c2g_operator_is_inferring (op))
    return TRUE;
  if (!c2g_indices_sum (&self->lengths, &total, error))
    return FALSE;
  return total == n || fail_sum (op, lengths_input, total, n, error);
}

C2G_HOT static void
add_row (const float *x,
         float        weight,
         float       *y,
         gint64       n)
{
  C2G_INDEPENDENT
  for (gint64 i = 0; i < n; i++)
    y[i] += weight * x[i];
}

static void
add_half_row (const guint16 *x,
              float          weight,
              float         *y,
              gint64         n)
{
  for (gint64 i = 0; i < n; i++)
    y[i] += weight * c2g_float16_to_float (x[i]);
}

C2G_HOT static void
raise_row (const float *x,
           float       *y,
           gint64       n)
{
  C2G_INDEPENDENT
  for (gint64 i = 0; i < n; i++)
    y[i] = y[i] > x[i] ? y[i] : x[i];
}

static void
join_rows (const LengthsInputs *self,
           Joining              joining,
           gint64               begin,
           gint64               length,
           float               *y,
           gsize               *n_done)
{
  const gint64 n = self->n_block;
  const float scale = joining == MEAN && length > 0 ? 1 / (float) length : 1;

  for (gint64 i = begin; i < begin + length && !c2g_interrupt_is_due (n_done, n); i++)
    {
      const gint64 row = self->has_indices ? c2g_indices_get (&self->indices, i) : i;
      const float weight = self->weights != NULL ? self->weights[i] * scale : scale;

      if (self->halves != NULL)
        add_half_row (self->halves + row * n, weight, y, n);
      else if (joining != MAXIMUM)
        add_row (self->x + row * n, weight, y, n);
      else if (i == begin)
        memcpy (y, self->x + row * n, n * sizeof (float));
      else
        raise_row (self->x + row * n, y, n);
    }
}

/* Copies the start of each segment and the end of the last one to memory of the device. */
static C2gStorage *
write_offsets (C2gOperator          *op,
               const LengthsInputs  *x,
               const gint64        **far_offsets,
               GError              **error)
{
  g_autofree gint64 *offsets = g_try_new (gint64, x->lengths.n + 1);

  if (offsets == NULL)
    return c2g_fail_null (error, C2G_ERROR_NO_MEMORY, _("Cannot allocate %zu bytes"),
                          (x->lengths.n + 1) * sizeof (gint64));
  offsets[0] = 0;
  for (gsize i = 0; i < x->lengths.n; i++)
    offsets[i + 1] = offsets[i] + c2g_indices_get (&x->lengths, i);

  return c2g_on_device_upload (op, offsets, x->lengths.n + 1, sizeof (gint64), far_offsets, error);
}

static gboolean
join_on_device (C2gOperator          *op,
                const LengthsInputs  *x,
                Joining               joining,
                float                *y,
                GError              **error)
{
  C2gComputeSegments segments = {
    .function = joining == MAXIMUM ? C2G_COMPUTE_REDUCE_MAX
                : joining == MEAN  ? C2G_COMPUTE_REDUCE_MEAN
                                   : C2G_COMPUTE_REDUCE_SUM,
    .type = x->halves != NULL ? C2G_DATA_TYPE_FLOAT16 : C2G_DATA_TYPE_FLOAT,
    .x = x->halves != NULL ? (gconstpointer) x->halves : x->x,
    .n = x->n_block,
    .weights = x->weights,
    .n_segments = x->lengths.n,
    .y = y,
  };
  g_autoptr (C2gStorage) offsets = write_offsets (op, x, &segments.offsets, error);

  if (offsets == NULL)
    return FALSE;
  if (x->has_indices)
    {
      segments.index_type = c2g_tensor_get_data_type (x->indices.tensor);
      segments.indices = c2g_tensor_address (x->indices.tensor);
    }
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_SEGMENTS, .type = segments.type, .segments = &segments);
}

static gboolean
join (C2gOperator        *op,
      const LengthsKind  *kind,
      GError            **error)
{
  LengthsInputs x;
  C2gTensor *output;
  gint64 begin = 0;
  gsize n_done = 0;

  if (!read_inputs (&x, kind, op, error))
    return FALSE;
  x.dims.dims[0] = (gint64) x.lengths.n;
  output = c2g_operator_output (op, 0, x.dims.dims, x.dims.n, C2G_DATA_TYPE_FLOAT, error);
  if (output == NULL || output->n_elements == 0)
    return output != NULL;
  if (c2g_operator_get_compute (op) != NULL)
    return join_on_device (op, &x, kind->joining, c2g_tensor_address (output), error);

  memset (c2g_tensor_address (output), 0, output->n_elements * sizeof (float));
  for (gsize i = 0; i < x.lengths.n && !c2g_interrupt_is_due (&n_done, 1); i++)
    {
      const gint64 length = c2g_indices_get (&x.lengths, i);

      join_rows (&x, kind->joining, begin, length,
                 (float *) c2g_tensor_address (output) + (gint64) i * x.n_block, &n_done);
      begin += length;
    }
  return TRUE;
}

#define DEFINE_JOIN(name, joining, has_weights, has_indices)                                       \
  static gboolean                                                                                  \
  name##_run (C2gOperator  *op,                                                                    \
              gpointer      state,                                                                 \
              GError      **error)                                                                 \
  {                                                                                                \
    static const LengthsKind kind = { joining, has_weights, has_indices };                         \
                                                                                                   \
    return join (op, &kind, error);                                                                \
  }

DEFINE_JOIN (lengths_sum, SUM, FALSE, FALSE)
DEFINE_JOIN (lengths_mean, MEAN, FALSE, FALSE)
DEFINE_JOIN (lengths_max, MAXIMUM, FALSE, FALSE)
DEFINE_JOIN (lengths_weighted_sum, SUM, TRUE, FALSE)
DEFINE_JOIN (sparse_sum, SUM, FALSE, TRUE)
DEFINE_JOIN (sparse_mean, MEAN, FALSE, TRUE)
DEFINE_JOIN (sparse_max, MAXIMUM, FALSE, TRUE)
DEFINE_JOIN (sparse_weighted_sum, SUM, TRUE, TRUE)
DEFINE_JOIN (sparse_weighted_mean, MEAN, TRUE, TRUE)

/* LengthsToSegmentIds, LengthsToRanges and LengthsToOffsets */

static gboolean
segment_ids_run (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  g_autoptr (C2gTensor) near = NULL;
  C2gIndices lengths;
  C2gTensor *output;
  gint32 *to;
  gint64 total;

  if (!c2g_indices_init_vector (&lengths, op, 0, error) ||
      !c2g_indices_sum (&lengths, &total, error))
    return FALSE;
  if (lengths.n > G_MAXINT32)
    return c2g_operator_set_shape_error (op, 0, error, _("at most %d elements"), G_MAXINT32);
  output = c2g_operator_output (op, 0, &total, 1, C2G_DATA_TYPE_INT32, error);
  near = output != NULL ? c2g_operator_begin_near (op, output, error) : NULL;
  if (near == NULL)
    return FALSE;

  to = c2g_tensor_address (near);
  for (gsize i = 0; i < lengths.n; i++)
    for (gint64 j = c2g_indices_get (&lengths, i); j > 0; j--)
      *to++ = (gint32) i;
  return c2g_operator_end_near (op, near, output, error);
}

/* Writes the start of each segment, followed by its length if with_lengths.  with_end adds the end
 * of the last segment. */
static gboolean
put_offsets (C2gOperator  *op,
             gboolean      with_lengths,
             gboolean      with_end,
             GError      **error)
{
  g_autoptr (C2gTensor) near = NULL;
  C2gIndices lengths;
  C2gTensor *output;
  gint64 dims[] = { 0, 2 };
  gint64 total = 0, begin = 0;
  gint32 *to;

  if (!c2g_indices_init_vector (&lengths, op, 0, error) ||
      (!c2g_operator_is_inferring (op) && !c2g_indices_sum (&lengths, &total, error)))
    return FALSE;
  if (total > G_MAXINT32)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("Input %u, “%s”, has lengths with the sum %" PRId64 ", expected at most %d"),
                     0, c2g_operator_input_name (op, 0), total, G_MAXINT32);
  dims[0] = (gint64) lengths.n + (with_end ? 1 : 0);
  output = c2g_operator_output (op, 0, dims, with_lengths ? 2 : 1, C2G_DATA_TYPE_INT32, error);
  near = output != NULL ? c2g_operator_begin_near (op, output, error) : NULL;
  if (near == NULL)
    return FALSE;

  to = c2g_tensor_address (near);
  for (gsize i = 0; i < lengths.n; i++)
    {
      const gint64 length = c2g_indices_get (&lengths, i);

      *to++ = (gint32) begin;
      if (with_lengths)
        *to++ = (gint32) length;
      begin += length;
    }
  if (with_end)
    *to = (gint32) begin;
  return c2g_operator_end_near (op, near, output, error);
}

static gboolean
ranges_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  return put_offsets (op, TRUE, FALSE, error);
}

typedef struct
{
  gboolean with_end;
} OffsetsState;

static gboolean
offsets_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  return put_offsets (op, FALSE, ((OffsetsState *) state)->with_end, error);
}

/* SegmentIdsToLengths */

static gboolean
check_ids (const C2gIndices  *ids,
           C2gOperator       *op,
           GError           **error)
{
  gint64 last = 0;

  if (!c2g_operator_need_values (op, 0, error))
    return FALSE;
  for (gsize i = 0; i < ids->n; i++)
    {
      const gint64 id = c2g_indices_get (ids, i);

      if (id < last)
        return c2g_fail (error, C2G_ERROR_RANGE,
                         _("Input %u, “%s”, has the segment %" PRId64
                           " at %zu, expected none below %" PRId64),
                         0,
                         c2g_operator_input_name (op, 0), id, i, last);
      last = id;
    }
  return TRUE;
}

static gboolean
segment_lengths_run (C2gOperator  *op,
                     gpointer      state,
                     GError      **error)
{
  g_autoptr (C2gTensor) near = NULL;
  C2gIndices ids;
  C2gTensor *output;
  gint64 n = 0;
  gint32 *to;

  if (!c2g_indices_init_vector (&ids, op, 0, error) || !check_ids (&ids, op, error))
    return FALSE;
  if (ids.n > 0)
    n = MIN (c2g_indices_get (&ids, ids.n - 1), G_MAXINT64 - 1) + 1;
  if (c2g_operator_get_n_inputs (op) > 1)
    {
      C2gTensor *data = c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error);

      if (data == NULL)
        return FALSE;
      if (data->n_dims < 1 || data->dims[0] < n)
        return c2g_operator_set_shape_error (op, 1, error, _("at least %" PRId64 " rows"), n);
      n = data->dims[0];
    }
  output = c2g_operator_output (op, 0, &n, 1, C2G_DATA_TYPE_INT32, error);
  if (output == NULL || n == 0)
    return output != NULL;
  near = c2g_operator_begin_near (op, output, error);
  if (near == NULL)
    return FALSE;

  to = c2g_tensor_address (near);
  memset (to, 0, n * sizeof (gint32));
  for (gsize i = 0; i < ids.n; i++)
    to[c2g_indices_get (&ids, i)]++;
  return c2g_operator_end_near (op, near, output, error);
}

#define LENGTHS(name, n_inputs, function, text, ...)                                               \
  {                                                                                                \
    .type = name, .min_inputs = n_inputs, .max_inputs = n_inputs, .min_outputs = 1,                \
    .max_outputs = 1, .run = function, .infer = function, .is_for_devices = TRUE,                  \
    .summary = text, __VA_ARGS__                                                                   \
  }

static const C2gKernel kernels[] = {
  LENGTHS ("LengthsSum", 2, lengths_sum_run, "The sum of the rows of each segment"),
  LENGTHS ("LengthsMean", 2, lengths_mean_run, "The mean of the rows of each segment"),
  LENGTHS ("LengthsMax", 2, lengths_max_run, "The largest row of each segment"),
  LENGTHS ("LengthsWeightedSum", 3, lengths_weighted_sum_run,
           "The weighted sum of the rows of each segment",
           .arguments = C2G_ARGS (C2G_ARG_IGNORED ("grad_on_weights"))),
  LENGTHS ("SparseLengthsSum", 3, sparse_sum_run, "The sum of indexed rows, segment by segment"),
  LENGTHS ("SparseLengthsMean", 3, sparse_mean_run, "The mean of indexed rows, segment by segment"),
  LENGTHS ("SparseLengthsMax", 3, sparse_max_run, "The largest of indexed rows, segment by segment"),
  LENGTHS ("SparseLengthsWeightedSum", 4, sparse_weighted_sum_run,
           "The weighted sum of indexed rows, segment by segment",
           .arguments = C2G_ARGS (C2G_ARG_IGNORED ("grad_on_weights"))),
  LENGTHS ("SparseLengthsWeightedMean", 4, sparse_weighted_mean_run,
           "The weighted mean of indexed rows, segment by segment"),
  LENGTHS ("LengthsToSegmentIds", 1, segment_ids_run, "The segment of each row"),
  LENGTHS ("LengthsToRanges", 1, ranges_run, "The first row and the length of each segment"),
  LENGTHS ("LengthsToOffsets", 1, offsets_run, "The first row of each segment",
           .arguments = C2G_ARGS (C2G_ARG_BOOLEAN (OffsetsState, with_end, "include_last_offset", FALSE)),
           .state_size = sizeof (OffsetsState)),
  {
    .type = "SegmentIdsToLengths",
    .min_inputs = 1,
    .max_inputs = 2,
    .min_outputs = 1,
    .max_outputs = 1,
    .run = segment_lengths_run,
    .infer = segment_lengths_run,
    .is_for_devices = TRUE,
    .summary = "The length of each segment",
  },
};

C2G_OPS_FAMILY (lengths);
