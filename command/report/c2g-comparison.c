/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-comparison.h"
#include "output/c2g-values.h"

#include <math.h>
#include <string.h>

/* Compares the values of two blobs, for diff. */

static void
add_different (C2gComparison *self,
               gint64         index)
{
  if (self->n_different == 0)
    self->first = index;
  self->n_different++;
}

/* Adds a pair of numbers that are not equal. Pairs within the tolerance are not counted. */
static void
add_numbers (C2gComparison      *self,
             gint64              index,
             double              absolute,
             double              magnitude,
             const C2gTolerance *tolerance)
{
  double relative = isinf (absolute) ? INFINITY : absolute / magnitude;

  if (absolute <= tolerance->absolute || relative <= tolerance->relative)
    return;

  add_different (self, index);
  if (isnan (absolute))
    self->n_nan++;
  else
    {
      self->absolute = MAX (self->absolute, absolute);
      self->relative = MAX (self->relative, relative);
    }
}

static void
compare_reals (C2gComparison      *self,
               C2gDataType         data_type,
               gconstpointer       a,
               gconstpointer       b,
               gint64              n_elements,
               const C2gTolerance *tolerance)
{
  double values_a[C2G_VALUES_BLOCK];
  double values_b[C2G_VALUES_BLOCK];

  for (gint64 begin = 0; begin < n_elements; begin += C2G_VALUES_BLOCK)
    {
      gsize n = MIN (n_elements - begin, C2G_VALUES_BLOCK);

      c2g_values_to_doubles (data_type, a, begin, n, values_a);
      c2g_values_to_doubles (data_type, b, begin, n, values_b);
      for (gsize i = 0; i < n; i++)
        if (!(values_a[i] == values_b[i] || (isnan (values_a[i]) && isnan (values_b[i]))))
          add_numbers (self, begin + i, fabs (values_a[i] - values_b[i]),
                       MAX (fabs (values_a[i]), fabs (values_b[i])), tolerance);
    }
}

/* Compares 64-bit integers as integers, because neighbouring large ones are the same as doubles.
 * Their difference is converted to double. */
static void
compare_uint64s (C2gComparison      *self,
                 const guint64      *a,
                 const guint64      *b,
                 gint64              n_elements,
                 const C2gTolerance *tolerance)
{
  for (gint64 i = 0; i < n_elements; i++)
    if (a[i] != b[i])
      add_numbers (self, i, MAX (a[i], b[i]) - MIN (a[i], b[i]), MAX (a[i], b[i]), tolerance);
}

static void
compare_int64s (C2gComparison      *self,
                const gint64       *a,
                const gint64       *b,
                gint64              n_elements,
                const C2gTolerance *tolerance)
{
  for (gint64 i = 0; i < n_elements; i++)
    if (a[i] != b[i])
      add_numbers (self, i, (guint64) MAX (a[i], b[i]) - (guint64) MIN (a[i], b[i]),
                   MAX (fabs ((double) a[i]), fabs ((double) b[i])), tolerance);
}

static gboolean
are_equal (GBytes *a,
           GBytes *b)
{
  gboolean is_a_empty = a == NULL || g_bytes_get_size (a) == 0;
  gboolean is_b_empty = b == NULL || g_bytes_get_size (b) == 0;

  if (is_a_empty || is_b_empty)
    return is_a_empty == is_b_empty;
  return g_bytes_equal (a, b);
}

static void
compare_strings (C2gComparison *self,
                 GBytes *const *a,
                 GBytes *const *b,
                 gint64         n_elements)
{
  for (gint64 i = 0; i < n_elements; i++)
    if (!are_equal (a[i], b[i]))
      add_different (self, i);
}

static gboolean
compare_tensors (C2gComparison       *self,
                 C2gTensor           *a,
                 C2gTensor           *b,
                 const C2gTolerance  *tolerance,
                 GError             **error)
{
  C2gDataType data_type = c2g_tensor_get_data_type (a);
  gint64 n_elements = c2g_tensor_get_n_elements (a);
  gconstpointer data_a = n_elements == 0 ? NULL : c2g_tensor_data (a, data_type, error);
  gconstpointer data_b = data_a == NULL ? NULL : c2g_tensor_data (b, data_type, error);

  if (n_elements == 0)
    return TRUE;
  if (data_b == NULL)
    return FALSE;

  self->has_numbers = data_type != C2G_DATA_TYPE_STRING;
  if (data_type == C2G_DATA_TYPE_STRING)
    compare_strings (self, data_a, data_b, n_elements);
  else if (memcmp (data_a, data_b, c2g_tensor_get_n_bytes (a)) == 0)
    return TRUE;
  else if (data_type == C2G_DATA_TYPE_INT64)
    compare_int64s (self, data_a, data_b, n_elements, tolerance);
  else if (data_type == C2G_DATA_TYPE_UINT64)
    compare_uint64s (self, data_a, data_b, n_elements, tolerance);
  else
    compare_reals (self, data_type, data_a, data_b, n_elements, tolerance);
  if (self->n_nan > 0 && self->n_nan == self->n_different)
    self->absolute = self->relative = NAN;
  return TRUE;
}

static GBytes *
bytes_of (C2gBlob  *blob,
          GError  **error)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  if (!c2g_blob_serialize_to_stream (blob, "blob", C2G_SERIALIZE_WITHOUT_DEVICE, stream, NULL,
                                     error) ||
      !g_output_stream_close (stream, NULL, error))
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

/* Compares any other content by its bytes in a file. */
static gboolean
compare_content (C2gComparison  *self,
                 C2gBlob        *a,
                 C2gBlob        *b,
                 GError        **error)
{
  g_autoptr (GBytes) bytes_a = NULL;
  g_autoptr (GBytes) bytes_b = NULL;

  if (c2g_blob_is_empty (a) || c2g_blob_is_empty (b))
    {
      self->n_different = c2g_blob_is_empty (a) != c2g_blob_is_empty (b);
      return TRUE;
    }

  bytes_a = bytes_of (a, error);
  if (bytes_a != NULL)
    bytes_b = bytes_of (b, error);
  if (bytes_b == NULL)
    return FALSE;
  self->n_different = !g_bytes_equal (bytes_a, bytes_b);
  return TRUE;
}

/* Returns TRUE for a tensor of a built-in element type. */
static gboolean
has_elements (C2gBlob *blob)
{
  GObject *object = c2g_blob_get_object (blob);

  return C2G_IS_TENSOR (object) &&
         c2g_tensor_get_data_type (C2G_TENSOR (object)) != C2G_DATA_TYPE_UNDEFINED;
}

gboolean
c2g_comparison_of_blobs (C2gComparison       *self,
                         C2gBlob             *a,
                         C2gBlob             *b,
                         const C2gTolerance  *tolerance,
                         GError             **error)
{
  *self = (C2gComparison){ 0 };
  if (has_elements (a) && has_elements (b))
    return compare_tensors (self, c2g_blob_get_tensor (a, NULL), c2g_blob_get_tensor (b, NULL),
                            tolerance, error);
  return compare_content (self, a, b, error);
}
