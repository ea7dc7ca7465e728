/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-fill-shape-private.h>
#include <c2g/ops/support/c2g-move-private.h>

#include <stdlib.h>

/* UniqueUniformFill: different random integers from min to max, both included, without those in
 * input 1.  dtype is int32 or int64. The shape is the argument shape or comes from input 0 (see
 * c2g-fill-shape-private.h); the output may be in place. The rule is Caffe2's. The operator runs
 * on the CPU only. */

typedef struct
{
  C2gFillShape shape;
  C2gDataType  data_type;
  gint64       min;
  gint64       max;
  C2gIndices   avoid;

  /* Uniform numbers from [0, 1): one per element to sample, one to shuffle.  room has the hash
   * table, followed by the integers to avoid. */
  C2gTensor   *draws;
  C2gTensor   *room;
} UniqueFill;

static gboolean
unique_set_up (C2gOperator  *op,
               gpointer      state,
               GError      **error)
{
  UniqueFill *self = state;

  self->draws = c2g_tensor_new ();
  self->room = c2g_tensor_new ();
  if (!c2g_fill_shape_set_up (op, state, error))
    return FALSE;

  if (self->data_type != C2G_DATA_TYPE_INT32 && self->data_type != C2G_DATA_TYPE_INT64)
    g_set_error (error, C2G_ERROR, C2G_ERROR_TYPE, _("No data type to fill with: %d"),
                 self->data_type);
  else if (self->max <= self->min)
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("The argument “max” is %" PRId64 ", expected more than “min”, %" PRId64),
                 self->max, self->min);
  else if (self->data_type == C2G_DATA_TYPE_INT32 &&
           (self->min < G_MININT32 || self->max > G_MAXINT32))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_RANGE,
                         _("The arguments “min” and “max” do not fit into int32"));
  else
    return TRUE;
  return FALSE;
}

static void
unique_clear (gpointer state)
{
  UniqueFill *self = state;

  g_clear_object (&self->draws);
  g_clear_object (&self->room);
}

static gboolean
draw (C2gOperator  *op,
      UniqueFill   *self,
      gint64        n,
      GError      **error)
{
  return c2g_tensor_resize (self->draws, &n, 1, error) &&
         c2g_tensor_allocate (self->draws, C2G_DATA_TYPE_DOUBLE, error) &&
         (n == 0 ||
          c2g_context_fill_uniform (c2g_operator_get_context (op), self->draws, 0, 1, error));
}

static gint64 *
get_room (UniqueFill  *self,
          gint64       n,
          GError     **error)
{
  if (!c2g_tensor_resize (self->room, &n, 1, error) ||
      !c2g_tensor_allocate (self->room, C2G_DATA_TYPE_INT64, error))
    return NULL;
  return c2g_tensor_address (self->room);
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const gint64 *first = a;
  const gint64 *second = b;

  return (*first > *second) - (*first < *second);
}

static void
put (C2gTensor *output,
     gint64     i,
     gint64     value)
{
  if (c2g_tensor_get_data_type (output) == C2G_DATA_TYPE_INT32)
    ((gint32 *) c2g_tensor_address (output))[i] = (gint32) value;
  else
    ((gint64 *) c2g_tensor_address (output))[i] = value;
}

/* Maps a rank among the allowed integers to an integer: adds the number of avoided integers before
 * it, by binary search. */
static gint64
skip_avoided (const gint64 *avoided,
              gsize         n_avoided,
              gint64        rank)
{
  gsize low = 0, high = n_avoided;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (avoided[middle] - (gint64) middle <= rank)
        low = middle + 1;
      else
        high = middle;
    }
  return rank + (gint64) low;
}

/* Adds a rank to the hash table, which uses open addressing and is at most half full. Returns
 * FALSE if it is there already. Floyd's algorithm draws sample i from 0 to n_left - n + i; if that
 * is taken, it uses this maximum instead. */
static gboolean
insert (gint64 *table,
        guint64 mask,
        gint64  rank)
{
  guint64 place = ((guint64) rank * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 20;

  for (;; place++)
    {
      gint64 *entry = &table[place & mask];

      if (*entry == rank)
        return FALSE;
      if (*entry < 0)
        {
          *entry = rank;
          return TRUE;
        }
    }
}

static guint64
get_table_size (gint64 n)
{
  guint64 size = 4;

  while (size < 2 * (guint64) n)
    size *= 2;
  return size;
}

/* Reads the integers to avoid, less min, sorted. Fails if one occurs twice. */
static gboolean
read_avoided (C2gOperator  *op,
              UniqueFill   *self,
              gint64       *avoided,
              GError      **error)
{
  gsize n = self->avoid.n;

  for (gsize i = 0; i < n; i++)
    {
      gint64 value = c2g_indices_get (&self->avoid, i);

      if (value < self->min || value > self->max)
        return c2g_fail (error, C2G_ERROR_RANGE,
                         _("%" PRId64 " is avoided, but it is not between “min” and “max”"), value);
      avoided[i] = value - self->min;
    }

  if (n > 1)
    qsort (avoided, n, sizeof *avoided, compare);
  for (gsize i = 1; i < n; i++)
    if (avoided[i] == avoided[i - 1])
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("%" PRId64 " is avoided twice"),
                       avoided[i] + self->min);
  return TRUE;
}

static gboolean
count_left (UniqueFill  *self,
            gint64       n,
            gint64      *n_left,
            GError     **error)
{
  gint64 n_all;

  if (__builtin_sub_overflow (self->max, self->min, &n_all) || n_all == G_MAXINT64)
    return c2g_fail (error, C2G_ERROR_RANGE, _("There are too many integers from “min” to “max”"));

  *n_left = n_all + 1 - (gint64) self->avoid.n;
  if (*n_left >= n)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                   _("%" PRId64 " different integers cannot be taken from %" PRId64), n,
                   MAX (*n_left, 0));
}

static void
sample (UniqueFill   *self,
        C2gTensor    *output,
        gint64        n_left,
        const gint64 *avoided,
        gint64       *table,
        guint64       size)
{
  const double *draws = c2g_tensor_address (self->draws);
  gint64 n = output->n_elements;

  memset (table, 0xff, size * sizeof *table);
  for (gint64 i = 0; i < n; i++)
    {
      gint64 last = n_left - n + i;
      gint64 rank = MIN ((gint64) (draws[i] * ((double) last + 1)), last);

      if (!insert (table, size - 1, rank))
        {
          rank = last;
          insert (table, size - 1, rank);
        }
      put (output, i, self->min + skip_avoided (avoided, self->avoid.n, rank));
    }

  /* Shuffles, because Floyd's algorithm puts large values last. */
  for (gint64 i = n - 1; i > 0; i--)
    {
      gint64 other = MIN ((gint64) (draws[n + i] * (double) (i + 1)), i);
      gint64 value = c2g_tensor_get_int64 (output, i, NULL);

      put (output, i, c2g_tensor_get_int64 (output, other, NULL));
      put (output, other, value);
    }
}

static gboolean
fill_unique (C2gOperator   *op,
             C2gFillShape  *shape,
             C2gTensor     *output,
             GError       **error)
{
  UniqueFill *self = (UniqueFill *) shape;
  guint64 size = get_table_size (output->n_elements);
  gint64 n_left;
  gint64 *room;

  if (!count_left (self, output->n_elements, &n_left, error) ||
      !draw (op, self, 2 * output->n_elements, error))
    return FALSE;

  room = get_room (self, (gint64) (size + self->avoid.n), error);
  if (room == NULL || !read_avoided (op, self, room + size, error))
    return FALSE;

  sample (self, output, n_left, room + size, room, size);
  return TRUE;
}

static gboolean
unique_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  UniqueFill *self = state;

  self->avoid.n = 0;
  if (c2g_operator_get_n_inputs (op) == 2 &&
      (c2g_operator_input (op, 1, self->data_type, error) == NULL ||
       !c2g_indices_init (&self->avoid, op, 1, error)))
    return FALSE;

  return c2g_fill_shape_run (&self->shape, op, self->data_type, fill_unique, error);
}

static const C2gKernel kernels[] = {
  { "UniqueUniformFill", NULL, 0, 2, 1, 1, "0>0",
    C2G_ARGS (C2G_ARG_BASE (c2g_fill_shape_arguments),
              C2G_ARG_DATA_TYPE (UniqueFill, data_type, "dtype", C2G_DATA_TYPE_INT32),
              C2G_ARG_INT (UniqueFill, min, "min", 0), C2G_ARG_INT (UniqueFill, max, "max", 1)),
    sizeof (UniqueFill), unique_set_up, unique_run, unique_clear, NULL,
    "Different random integers",
    .infer = unique_run },
};

C2G_OPS_FAMILY (unique_fill);
