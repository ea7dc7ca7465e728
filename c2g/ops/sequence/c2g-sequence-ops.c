/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/ops/support/c2g-ops-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/ops/support/c2g-heap-private.h>
#include <c2g/ops/support/c2g-move-private.h>

#include <math.h>

/* Sets and duplicates, by sorting.
 *
 * FindDuplicateElements: the indices (int64, ascending) of elements that equal an earlier one; of
 * float, double, int32, int64 or string.
 * Unique: the different integers in ascending order, and optionally (int32) the index of each
 * input element among them.
 * MergeIdLists: inputs lengths (int32) and ids in turn; for each sample the union of its ids from
 * all lists, ascending. Outputs: the lengths and the ids.
 * RemoveDataBlocks: X without the rows in indices.
 *
 * Nothing is in place. The rules are Caffe2's. These operators run on the CPU only. */

/* An element with its index. */
typedef struct
{
  union
  {
    double  real;
    gint64  integer;
    GBytes *bytes;
  };
  gint64 index;
} Item;

typedef int (*ItemCompare) (const Item *a,
                            const Item *b);

typedef struct
{
  C2gTensor *items;
} SequenceState;

static gboolean
sequence_set_up (C2gOperator  *op,
                 gpointer      state,
                 GError      **error)
{
  ((SequenceState *) state)->items = c2g_tensor_new ();
  return TRUE;
}

static void
sequence_clear (gpointer state)
{
  g_clear_object (&((SequenceState *) state)->items);
}

static gboolean
reserve (SequenceState  *self,
         gint64          n,
         Item          **items,
         GError        **error)
{
  const gint64 dims[] = { n, sizeof (Item) };

  *items = NULL;
  if (!c2g_tensor_resize (self->items, dims, 2, error) ||
      !c2g_tensor_allocate (self->items, C2G_DATA_TYPE_UINT8, error))
    return FALSE;
  *items = c2g_tensor_address (self->items);
  return TRUE;
}

static int
compare_indices (const Item *a,
                 const Item *b)
{
  return (a->index > b->index) - (a->index < b->index);
}

static int
compare_integers (const Item *a,
                  const Item *b)
{
  if (a->integer != b->integer)
    return a->integer > b->integer ? 1 : -1;
  return compare_indices (a, b);
}

/* NaN equals nothing and is sorted last. */
static int
compare_reals (const Item *a,
               const Item *b)
{
  if (isnan (a->real) != isnan (b->real))
    return isnan (a->real) ? 1 : -1;
  if (a->real < b->real || a->real > b->real)
    return a->real > b->real ? 1 : -1;
  return compare_indices (a, b);
}

static int
compare_strings (GBytes *a,
                 GBytes *b)
{
  gsize n_a = 0, n_b = 0;
  gconstpointer first = a != NULL ? g_bytes_get_data (a, &n_a) : NULL;
  gconstpointer second = b != NULL ? g_bytes_get_data (b, &n_b) : NULL;
  int order = n_a > 0 && n_b > 0 ? memcmp (first, second, MIN (n_a, n_b)) : 0;

  return order != 0 ? order : (n_a > n_b) - (n_a < n_b);
}

static int
compare_bytes (const Item *a,
               const Item *b)
{
  int order = compare_strings (a->bytes, b->bytes);

  return order != 0 ? order : compare_indices (a, b);
}

static gboolean
is_same (const Item  *a,
         const Item  *b,
         ItemCompare  compare)
{
  if (compare == compare_bytes)
    return compare_strings (a->bytes, b->bytes) == 0;
  return compare == compare_reals ? a->real == b->real : a->integer == b->integer;
}

/* Reads elements of any supported type into items. Returns the function that compares them. */
static ItemCompare
read_items (C2gOperator  *op,
            C2gTensor    *tensor,
            Item         *items,
            GError      **error)
{
  gconstpointer source = c2g_tensor_address (tensor);
  C2gDataType data_type = c2g_tensor_get_data_type (tensor);

  for (gint64 i = 0; i < tensor->n_elements; i++)
    {
      items[i].index = i;
      if (data_type == C2G_DATA_TYPE_FLOAT)
        items[i].real = ((const float *) source)[i];
      else if (data_type == C2G_DATA_TYPE_DOUBLE)
        items[i].real = ((const double *) source)[i];
      else if (data_type == C2G_DATA_TYPE_INT32)
        items[i].integer = ((const gint32 *) source)[i];
      else if (data_type == C2G_DATA_TYPE_INT64)
        items[i].integer = ((const gint64 *) source)[i];
      else if (data_type == C2G_DATA_TYPE_STRING)
        items[i].bytes = ((GBytes *const *) source)[i];
      else
        {
          c2g_operator_set_type_error (op, 0, _("float, double, int32, int64 or string"), error);
          return NULL;
        }
    }

  if (data_type == C2G_DATA_TYPE_STRING)
    return compare_bytes;
  return data_type == C2G_DATA_TYPE_FLOAT || data_type == C2G_DATA_TYPE_DOUBLE ? compare_reals
                                                                              : compare_integers;
}

C2G_DEFINE_HEAP (Item, ItemCompare)

static void
sort (Item        *items,
      gint64       n,
      ItemCompare  compare)
{
  heap_make (items, n, compare);
  heap_sort (items, n, compare);
}

/* FindDuplicateElements */

/* Keeps the items that equal an earlier one, sorted by index. Returns their number. */
static gint64
keep_duplicates (Item        *items,
                 gint64       n,
                 ItemCompare  compare)
{
  gint64 n_kept = 0;
  Item first;

  for (gint64 i = 0; i < n; i++)
    {
      Item item = items[i];

      if (i > 0 && is_same (&item, &first, compare))
        items[n_kept++].index = item.index;
      else
        first = item;
    }

  for (gint64 i = 0; i < n_kept; i++)
    items[i].integer = items[i].index;
  sort (items, n_kept, compare_integers);
  return n_kept;
}

static gboolean
find_duplicates_run (C2gOperator  *op,
                     gpointer      state,
                     GError      **error)
{
  C2gTensor *input = c2g_operator_input (op, 0, C2G_DATA_TYPE_UNDEFINED, error);
  C2gTensor *output;
  ItemCompare compare;
  Item *items;
  gint64 n;

  if (input == NULL || !reserve (state, input->n_elements, &items, error))
    return FALSE;
  if (input->n_dims != 1)
    return c2g_operator_set_shape_error (op, 0, error, _("one dimension"));
  compare = read_items (op, input, items, error);
  if (compare == NULL)
    return FALSE;

  sort (items, input->n_elements, compare);
  n = keep_duplicates (items, input->n_elements, compare);
  output = c2g_operator_output (op, 0, &n, 1, C2G_DATA_TYPE_INT64, error);
  if (output == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    ((gint64 *) c2g_tensor_address (output))[i] = items[i].index;
  return TRUE;
}

/* Functions for int32 and int64 */

static void
put_integer (C2gTensor *output,
             gint64     i,
             gint64     value)
{
  if (c2g_tensor_get_data_type (output) == C2G_DATA_TYPE_INT32)
    ((gint32 *) c2g_tensor_address (output))[i] = (gint32) value;
  else
    ((gint64 *) c2g_tensor_address (output))[i] = value;
}

static void
read_integers (const C2gIndices *indices,
               gsize             begin,
               gsize             n,
               Item             *items)
{
  for (gsize i = 0; i < n; i++)
    {
      items[i].integer = c2g_indices_get (indices, begin + i);
      items[i].index = (gint64) i;
    }
}

/* Removes duplicates from sorted items. Returns the new number. */
static gint64
keep_once (Item   *items,
           gint64  n)
{
  gint64 n_once = 0;

  for (gint64 i = 0; i < n; i++)
    if (i == 0 || items[i].integer != items[n_once - 1].integer)
      items[n_once++].integer = items[i].integer;
  return n_once;
}

/* Unique */

static gboolean
put_places (C2gOperator  *op,
            const Item   *items,
            gint64        n,
            GError      **error)
{
  C2gTensor *output = c2g_operator_output (op, 1, &n, 1, C2G_DATA_TYPE_INT32, error);
  gint32 place = 0;

  if (output == NULL)
    return FALSE;

  for (gint64 i = 0; i < n; i++)
    {
      place += i > 0 && items[i].integer != items[i - 1].integer;
      ((gint32 *) c2g_tensor_address (output))[items[i].index] = place;
    }
  return TRUE;
}

static gboolean
unique_run (C2gOperator  *op,
            gpointer      state,
            GError      **error)
{
  C2gIndices input;
  C2gTensor *output;
  Item *items;
  gint64 n, n_unique;

  if (!c2g_indices_init_vector (&input, op, 0, error))
    return FALSE;
  n = (gint64) input.n;
  if (n > G_MAXINT32)
    return c2g_operator_set_shape_error (op, 0, error, _("at most %d elements"), G_MAXINT32);
  if (!reserve (state, n, &items, error))
    return FALSE;

  read_integers (&input, 0, n, items);
  sort (items, n, compare_integers);
  if (c2g_operator_get_n_outputs (op) > 1 && !put_places (op, items, n, error))
    return FALSE;

  n_unique = keep_once (items, n);
  output = c2g_operator_output (op, 0, &n_unique, 1, c2g_tensor_get_data_type (input.tensor),
                                error);
  if (output == NULL)
    return FALSE;
  for (gint64 i = 0; i < n_unique; i++)
    put_integer (output, i, items[i].integer);
  return TRUE;
}

/* MergeIdLists */

typedef struct
{
  C2gIndices lengths;
  C2gIndices values;
  gsize      offset;
} IdList;

typedef struct
{
  SequenceState sequence;
  IdList       *lists;
  guint         n_lists;
} MergeState;

static gboolean
merge_set_up (C2gOperator  *op,
              gpointer      state,
              GError      **error)
{
  MergeState *self = state;
  guint n_inputs = c2g_operator_get_n_inputs (op);

  if (n_inputs % 2 != 0)
    return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT,
                     _("Expected an even number of inputs, got %u"), n_inputs);

  self->n_lists = n_inputs / 2;
  self->lists = g_new0 (IdList, self->n_lists);
  return sequence_set_up (op, &self->sequence, error);
}

static void
merge_clear (gpointer state)
{
  MergeState *self = state;

  g_clear_pointer (&self->lists, g_free);
  sequence_clear (&self->sequence);
}

static gboolean
read_list (C2gOperator  *op,
           guint         input,
           C2gTensor    *first,
           C2gDataType   data_type,
           IdList       *list,
           GError      **error)
{
  gint64 total;

  if (c2g_operator_input (op, input, C2G_DATA_TYPE_INT32, error) == NULL ||
      !c2g_indices_init_vector (&list->lengths, op, input, error) ||
      !c2g_indices_sum (&list->lengths, &total, error) ||
      c2g_operator_input (op, input + 1, data_type, error) == NULL ||
      !c2g_indices_init_vector (&list->values, op, input + 1, error))
    return FALSE;

  list->offset = 0;
  if (list->lengths.tensor->dims[0] != first->dims[0])
    return c2g_operator_set_shape_error (op, input, error, "[%" PRId64 "]", first->dims[0]);
  return total == (gint64) list->values.n ||
         c2g_operator_set_shape_error (op, input + 1, error, "[%" PRId64 "]", total);
}

/* Collects the ids of one sample from all lists. */
static gint64
collect (IdList *lists,
         guint   n_lists,
         gsize   sample,
         Item   *items)
{
  gint64 n = 0;

  for (guint i = 0; i < n_lists; i++)
    {
      gsize length = c2g_indices_get (&lists[i].lengths, sample);

      read_integers (&lists[i].values, lists[i].offset, length, items + n);
      lists[i].offset += length;
      n += (gint64) length;
    }
  return n;
}

static gboolean
merge (C2gOperator  *op,
       IdList       *lists,
       guint         n_lists,
       gint64        n_ids,
       Item         *items,
       GError      **error)
{
  const C2gIndices *first = &lists[0].lengths;
  C2gTensor *lengths =
      c2g_operator_output (op, 0, first->tensor->dims, 1, C2G_DATA_TYPE_INT32, error);
  C2gTensor *values;
  gint64 n_put = 0;

  if (lengths == NULL)
    return FALSE;
  values = c2g_operator_output (op, 1, &n_ids, 1,
                                c2g_tensor_get_data_type (lists[0].values.tensor), error);
  if (values == NULL)
    return FALSE;

  for (gsize sample = 0; sample < first->n; sample++)
    {
      gint64 n = collect (lists, n_lists, sample, items);
      gint64 begin = n_put;

      sort (items, n, compare_integers);
      n = keep_once (items, n);
      for (gint64 i = 0; i < n; i++)
        put_integer (values, n_put++, items[i].integer);
      put_integer (lengths, sample, n_put - begin);
    }
  return c2g_tensor_shrink (values, n_put, error);
}

static gboolean
merge_id_lists_run (C2gOperator  *op,
                    gpointer      state,
                    GError      **error)
{
  MergeState *self = state;
  C2gTensor *lengths = c2g_operator_input (op, 0, C2G_DATA_TYPE_INT32, error);
  C2gTensor *values;
  gint64 n_ids = 0;
  Item *items;

  if (lengths == NULL)
    return FALSE;
  values = c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error);
  if (values == NULL)
    return FALSE;
  if (lengths->n_dims != 1)
    return c2g_operator_set_shape_error (op, 0, error, _("one dimension"));

  for (guint i = 0; i < self->n_lists; i++)
    {
      if (!read_list (op, 2 * i, lengths, c2g_tensor_get_data_type (values), &self->lists[i],
                      error))
        return FALSE;
      n_ids += (gint64) self->lists[i].values.n;
    }

  return reserve (&self->sequence, n_ids, &items, error) &&
         merge (op, self->lists, self->n_lists, n_ids, items, error);
}

/* RemoveDataBlocks */

static void
copy_rest (C2gTensor  *input,
           C2gTensor  *output,
           const Item *removed,
           gint64      n_removed,
           gint64      n_row)
{
  gsize item_size = input->meta->item_size;
  char *target = c2g_tensor_address (output);
  gint64 begin = 0;

  for (gint64 i = 0; i <= n_removed; i++)
    {
      gint64 end = i < n_removed ? removed[i].integer : input->dims[0];
      gint64 n_items = (end - begin) * n_row;

      c2g_move_items (input->meta, n_items,
                      (const char *) c2g_tensor_address (input) + begin * n_row * item_size,
                      target);
      target += n_items * item_size;
      begin = end + 1;
    }
}

static gboolean
remove_blocks_run (C2gOperator  *op,
                   gpointer      state,
                   GError      **error)
{
  C2gTensor *input = c2g_move_input (op, 0, error);
  C2gTensor *places;
  C2gTensor *output;
  C2gIndices indices;
  C2gDims dims;
  Item *items;
  gint64 n, n_row;

  if (input == NULL || !c2g_dims_copy (&dims, input, error))
    return FALSE;
  places = c2g_operator_input (op, 1, C2G_DATA_TYPE_UNDEFINED, error);
  if (places == NULL)
    return FALSE;
  /* An empty input 1 may have any type. */
  if (places->n_elements == 0)
    return c2g_move_reshape (op, input, &dims, error);

  if (dims.n == 0)
    return c2g_operator_set_shape_error (op, 0, error, _("at least one dimension"));
  if (!c2g_indices_init_vector (&indices, op, 1, error) ||
      !c2g_indices_check (&indices, dims.dims[0], FALSE, error) ||
      !c2g_dims_count (&dims, 1, dims.n, &n_row, error) ||
      !reserve (state, indices.n, &items, error))
    return FALSE;

  read_integers (&indices, 0, indices.n, items);
  sort (items, indices.n, compare_integers);
  n = keep_once (items, indices.n);
  dims.dims[0] -= n;
  output = c2g_dims_output (&dims, op, 0, input->meta, error);
  if (output == NULL)
    return FALSE;
  if (output->n_elements > 0)
    copy_rest (input, output, items, n, n_row);
  return TRUE;
}

#define SEQUENCE(type, n_inputs, max_outputs, run, summary)                                        \
  {                                                                                                \
    type, NULL, n_inputs, n_inputs, 1, max_outputs, NULL, NULL, sizeof (SequenceState),            \
        sequence_set_up, run, sequence_clear, NULL, summary                                        \
  }

static const C2gKernel kernels[] = {
  SEQUENCE ("FindDuplicateElements", 1, 1, find_duplicates_run,
            "The indices of elements that occurred before"),
  SEQUENCE ("Unique", 1, 2, unique_run, "The different elements, in ascending order"),
  SEQUENCE ("RemoveDataBlocks", 2, 1, remove_blocks_run,
            "Removes rows by their indices"),
  { "MergeIdLists", NULL, 2, C2G_MANY, 2, 2, NULL, NULL, sizeof (MergeState), merge_set_up,
    merge_id_lists_run, merge_clear, NULL, "The union of the lists of each sample" },
};

C2G_OPS_FAMILY (sequence);
