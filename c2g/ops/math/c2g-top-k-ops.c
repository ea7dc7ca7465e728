/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-interrupt-private.h>
#include <c2g/ops/support/c2g-heap-private.h>
#include <c2g/ops/support/c2g-move-private.h>

/* TopK: the k largest elements of X along axis, in descending order; of equal elements the first
 * ones.  k is an argument or input 1. Outputs: values and indices (int64) in the shape of X with
 * k along axis, and optionally the indices into the whole of X.  Missing elements have value 0 and
 * index -1.
 *
 * FlexibleTopK: row i of X has k[i] results (1 to the row's length), one row's after the other.
 *
 * CaffeArgMax: the layer ArgMax of Caffe. Along axis: the indices, or with out_max_val the values,
 * of the top_k largest elements, in the shape of X with top_k along axis. Without axis: those of
 * each X[i] as a whole, (N, 1, top_k), or with out_max_val indices and values, (N, 2, top_k);
 * dimensions of 1 are added up to the rank of X.  Indices are floats; of equal elements the last
 * ones come first.
 *
 * X is float, nothing is in place. The rules of the others are Caffe2's. On CUDA kernels/top-k.cu
 * computes TopK without its third output; the others run on the CPU only. */

typedef struct
{
  gint64     k;
  gint64     axis;
  /* Only of CaffeArgMax. */
  gboolean   has_axis;
  gboolean   gives_values;
  /* Bytes of an array of Entry for the heap, reused between runs. */
  C2gTensor *heap;
} TopKState;

typedef struct
{
  float  value;
  gint64 index;
} Entry;

static gboolean
reserve_heap (TopKState  *self,
              gint64      n,
              GError    **error)
{
  gint64 n_bytes;

  if (__builtin_mul_overflow (n, (gint64) sizeof (Entry), &n_bytes))
    return c2g_fail (error, C2G_ERROR_RANGE, _("%" PRId64 " elements are too many"), n);

  return c2g_tensor_resize (self->heap, &n_bytes, 1, error) &&
         c2g_tensor_allocate (self->heap, C2G_DATA_TYPE_UINT8, error);
}

/* Returns TRUE if a leaves the heap before b. */
static inline gboolean
is_worse (Entry a,
          Entry b)
{
  return a.value < b.value || (a.value == b.value && a.index > b.index);
}

static inline int
compare_badness (const Entry *a,
                 const Entry *b)
{
  return is_worse (*a, *b);
}

typedef int (*EntryCompare) (const Entry *a,
                             const Entry *b);

/* The worst entry is at the top. */
C2G_DEFINE_HEAP (Entry, EntryCompare)

static void
sift_up (Entry  *heap,
         gint64  i,
         Entry   entry)
{
  while (i > 0 && is_worse (entry, heap[(i - 1) / 2]))
    {
      heap[i] = heap[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  heap[i] = entry;
}

/* Finds the k largest of n elements, step floats apart. The heap ends up sorted, the largest
 * first. */
static void
select_greatest (Entry        *heap,
                 gint64        k,
                 const float  *items,
                 gint64        n,
                 gint64        step)
{
  for (gint64 i = 0; i < n; i++)
    {
      Entry entry = { items[i * step], i };

      if (i < k)
        sift_up (heap, i, entry);
      else if (entry.value > heap[0].value)
        {
          heap[0] = entry;
          heap_sift_down (heap, k, 0, compare_badness);
        }
    }
  heap_sort (heap, k, compare_badness);
}

/* TopK */

static gboolean
top_k_set_up (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  TopKState *self = state;

  self->heap = c2g_tensor_new ();
  if (c2g_operator_get_n_inputs (op) == 2 && !c2g_operator_has_argument (op, "k"))
    self->k = 1;
  if (self->k > 0)
    return c2g_operator_get_n_outputs (op) < 3 || c2g_operator_get_compute (op) == NULL ||
           c2g_operator_fail_on_device (op, error);

  if (!c2g_operator_has_argument (op, "k"))
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The argument “%s” is missing"), "k");
  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("The argument “k” is %" PRId64 ", expected more than 0"), self->k);
}

static void
top_k_clear (gpointer state)
{
  g_clear_object (&((TopKState *) state)->heap);
}

typedef struct
{
  const float *source;
  float       *values;
  gint64      *indices;
  gint64      *flat;
  gint64       n;
  gint64       k;
  /* Distance of neighbors along the axis, in elements. */
  gint64       step;
} TopK;

/* Writes the results of one row. If there are fewer than k elements, the rest is 0 with index
 * -1. */
static void
put_row (const TopK  *self,
         const Entry *entries,
         gint64       source,
         gint64       target)
{
  for (gint64 i = 0; i < self->k; i++, target += self->step)
    {
      gboolean is_there = i < self->n;

      self->values[target] = is_there ? entries[i].value : 0;
      self->indices[target] = is_there ? entries[i].index : -1;
      if (self->flat != NULL)
        self->flat[target] = is_there ? source + entries[i].index * self->step : -1;
    }
}

static gboolean
make_outputs (C2gOperator    *op,
              const C2gDims  *dims,
              TopK           *self,
              GError        **error)
{
  C2gTensor *values = c2g_operator_output (op, 0, dims->dims, dims->n, C2G_DATA_TYPE_FLOAT, error);
  C2gTensor *indices;
  C2gTensor *flat;

  if (values == NULL)
    return FALSE;
  indices = c2g_operator_output (op, 1, dims->dims, dims->n, C2G_DATA_TYPE_INT64, error);
  if (indices == NULL)
    return FALSE;

  self->values = c2g_tensor_address (values);
  self->indices = c2g_tensor_address (indices);
  if (c2g_operator_get_n_outputs (op) < 3)
    return TRUE;

  flat = c2g_operator_output (op, 2, &values->n_elements, 1, C2G_DATA_TYPE_INT64, error);
  if (flat == NULL)
    return FALSE;
  self->flat = c2g_tensor_address (flat);
  return TRUE;
}

static gboolean
top_k_on_device (C2gOperator  *op,
                 const TopK   *self,
                 gint64        n_outer,
                 GError      **error)
{
  return C2G_COMPUTE (op, error, C2G_COMPUTE_KIND_TOP_K, .type = C2G_DATA_TYPE_FLOAT, .x = self->source,
                      .n_outer = n_outer, .n = self->n, .n_inner = self->step, .k = self->k,
                      .y = self->values, .places = self->indices);
}

static gboolean
top_k_run (C2gOperator  *op,
           gpointer      state,
           GError      **error)
{
  TopKState *self = state;
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  int axis = input != NULL ? c2g_dims_axis (op, 0, self->axis, error) : -1;
  TopK work = { .k = self->k };
  C2gDims dims;
  Entry *heap;
  gint64 n_outer, n_taken;

  if (axis < 0 || !c2g_dims_copy (&dims, input, error) ||
      (c2g_operator_get_n_inputs (op) == 2 && !c2g_indices_scalar (op, 1, &work.k, error)))
    return FALSE;
  if (work.k < 1)
    return c2g_fail (error, C2G_ERROR_RANGE,
                     _("Input %u, “%s”, is %" PRId64 ", expected more than 0"), 1,
                     c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[1], work.k);

  work.source = c2g_tensor_address (input);
  work.n = dims.dims[axis];
  if (!c2g_dims_count (&dims, 0, axis, &n_outer, error) ||
      !c2g_dims_count (&dims, axis + 1, dims.n, &work.step, error))
    return FALSE;
  dims.dims[axis] = work.k;
  n_taken = MIN (work.k, work.n);
  if (!make_outputs (op, &dims, &work, error))
    return FALSE;
  if (c2g_operator_get_compute (op) != NULL)
    return top_k_on_device (op, &work, n_outer, error);
  if (!reserve_heap (self, n_taken, error))
    return FALSE;

  heap = c2g_tensor_address (self->heap);
  for (gint64 i = 0; work.values != NULL && i < n_outer; i++)
    for (gint64 j = 0; j < work.step && !c2g_interrupt_is_wanted (); j++)
      {
        gint64 source = i * work.n * work.step + j;

        if (n_taken > 0)
          select_greatest (heap, n_taken, work.source + source, work.n, work.step);
        put_row (&work, heap, source, i * work.k * work.step + j);
      }
  return TRUE;
}

/* FlexibleTopK */

static gboolean
flexible_set_up (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  ((TopKState *) state)->heap = c2g_tensor_new ();
  return TRUE;
}

/* Checks k, which has a number for each row. Finds its sum and its largest number. */
static gboolean
measure (C2gOperator  *op,
         C2gTensor    *input,
         C2gIndices   *k,
         gint64       *total,
         gint64       *most,
         GError      **error)
{
  gint64 n = input->n_dims > 0 ? input->dims[input->n_dims - 1] : 0;
  gint64 n_rows = input->n_dims > 0 ? c2g_tensor_size_to_dim (input, (int) input->n_dims - 1, error)
                                    : 0;

  if (input->n_dims == 0)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));
  if (n_rows < 0)
    return FALSE;
  if (n_rows != (gint64) k->n)
    return c2g_operator_set_shape_error (op, 1, error, _("%" PRId64 " elements"), n_rows);
  if (!c2g_operator_need_values (op, 1, error))
    return FALSE;

  *total = *most = 0;
  for (gsize i = 0; i < k->n; i++)
    {
      gint64 wanted = c2g_indices_get (k, i);

      if (wanted < 1 || wanted > n)
        return c2g_fail (error, C2G_ERROR_RANGE,
                         _("Input %u, “%s”, is %" PRId64 " at %zu, expected 1 to %" PRId64), 1,
                         c2g_operator_def_get_inputs (c2g_operator_peek_def (op))[1], wanted, i, n);
      *total += wanted;
      *most = MAX (*most, wanted);
    }
  return TRUE;
}

static gboolean
flexible_run (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  TopKState *self = state;
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  TopK work = { .step = 1 };
  C2gIndices k;
  C2gDims dims = { .n = 1 };
  gint64 most = 0, target = 0;

  if (input == NULL || !c2g_indices_init (&k, op, 1, error) ||
      !measure (op, input, &k, &dims.dims[0], &most, error) ||
      !make_outputs (op, &dims, &work, error) || !reserve_heap (self, most, error))
    return FALSE;

  work.n = input->dims[input->n_dims - 1];
  for (gsize i = 0; i < k.n; i++)
    {
      work.k = c2g_indices_get (&k, i);
      select_greatest (c2g_tensor_address (self->heap), work.k,
                       (const float *) c2g_tensor_address (input) + i * work.n, work.n, 1);
      put_row (&work, c2g_tensor_address (self->heap), i * work.n, target);
      target += work.k;
    }
  return TRUE;
}

/* CaffeArgMax */

static gboolean
arg_max_set_up (C2gOperator  *op,
                gpointer      state,
                GError      **error)
{
  TopKState *self = state;

  self->heap = c2g_tensor_new ();
  self->has_axis = c2g_operator_has_argument (op, "axis");
  return TRUE;
}

/* Finds n, the elements to choose from, and their step; turns dims into those of the output. */
static gboolean
place_arg_max (const TopKState  *self,
               int               axis,
               C2gDims          *dims,
               TopK             *work,
               GError          **error)
{
  static const gint64 one = 1;

  if (self->has_axis)
    {
      work->n = dims->dims[axis];
      dims->dims[axis] = self->k;
      return c2g_dims_count (dims, axis + 1, dims->n, &work->step, error);
    }

  work->step = 1;
  if (!c2g_dims_count (dims, 1, dims->n, &work->n, error))
    return FALSE;
  while (dims->n < 3)
    if (!c2g_dims_append (dims, &one, 1, error))
      return FALSE;
  for (gsize i = 1; i < dims->n; i++)
    dims->dims[i] = 1;
  dims->dims[1] = self->gives_values ? 2 : 1;
  dims->dims[2] = self->k;
  return TRUE;
}

/* The entries count from the last element on. */
static void
put_arg_max (const TopKState *self,
             const TopK      *work,
             const Entry     *entries,
             float           *y)
{
  for (gint64 i = 0; i < work->k; i++)
    {
      const float index = (float) (work->n - 1 - entries[i].index);

      y[i * work->step] = self->has_axis && self->gives_values ? entries[i].value : index;
      if (!self->has_axis && self->gives_values)
        y[work->k + i] = entries[i].value;
    }
}

static gboolean
arg_max_run (C2gOperator  *op,
             gpointer      state,
             GError      **error)
{
  TopKState *self = state;
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_FLOAT, error);
  const int axis = input != NULL ? c2g_dims_axis (op, 0, self->axis, error) : -1;
  const gint64 n_parts = !self->has_axis && self->gives_values ? 2 : 1;
  TopK work = { .k = self->k };
  C2gDims dims;
  C2gTensor *y;

  if (axis < 0 || !c2g_dims_copy (&dims, input, error) ||
      !place_arg_max (self, axis, &dims, &work, error))
    return FALSE;
  if (work.k > work.n)
    return c2g_operator_set_shape_error (op, 0, error,
                                         _("at least %" PRId64 " elements to choose from"), work.k);
  y = c2g_operator_output (op, 0, dims.dims, dims.n, C2G_DATA_TYPE_FLOAT, error);
  if (y == NULL || y->n_elements == 0)
    return y != NULL;
  if (!reserve_heap (self, work.k, error))
    return FALSE;

  for (gint64 i = 0; i < input->n_elements / work.n && !c2g_interrupt_is_wanted (); i++)
    {
      const gint64 outer = i / work.step, inner = i % work.step;
      const float *source =
        (const float *) c2g_tensor_address (input) + outer * work.n * work.step + inner;

      /* Backwards, so that of equal elements the last one is found first. */
      select_greatest (c2g_tensor_address (self->heap), work.k, source + (work.n - 1) * work.step,
                       work.n, -work.step);
      put_arg_max (self, &work, c2g_tensor_address (self->heap),
                   (float *) c2g_tensor_address (y) + outer * n_parts * work.k * work.step + inner);
    }
  return TRUE;
}

static const C2gKernel kernels[] = {
  { "TopK", NULL, 1, 2, 2, 3, NULL,
    C2G_ARGS (C2G_ARG_INT (TopKState, k, "k", C2G_SET_LATER),
              C2G_ARG_INT (TopKState, axis, "axis", -1)),
    sizeof (TopKState), top_k_set_up, top_k_run, top_k_clear, NULL,
    "The k largest elements along an axis, and their indices", .infer = top_k_run,
    .is_for_devices = TRUE, .traits = C2G_TRAIT_PURE },
  { "FlexibleTopK", NULL, 2, 2, 2, 2, NULL, NULL, sizeof (TopKState), flexible_set_up, flexible_run,
    top_k_clear, NULL,
    "The largest elements of each row, and their indices, with a number for each row",
    .infer = flexible_run },
  { "CaffeArgMax", NULL, 1, 1, 1, 1, NULL,
    C2G_ARGS (C2G_ARG_INT (TopKState, k, "top_k", 1, C2G_AT_LEAST (1)),
              C2G_ARG_INT (TopKState, axis, "axis", 0),
              C2G_ARG_BOOLEAN (TopKState, gives_values, "out_max_val", FALSE)),
    sizeof (TopKState), arg_max_set_up, arg_max_run, top_k_clear, NULL,
    "The indices or values of the largest elements, as Caffe's ArgMax",
    .infer = arg_max_run },
};

C2G_OPS_FAMILY (top_k);
