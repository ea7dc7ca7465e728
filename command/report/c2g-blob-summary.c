/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "c2g-blob-summary.h"
#include "output/c2g-entries.h"
#include "output/c2g-values.h"

#include <math.h>
#include <string.h>

/* Computes what info shows of a blob: shape, minimum, mean and maximum. */

static void
begin_values (C2gBlobSummary *self)
{
  self->minimum = INFINITY;
  self->maximum = -INFINITY;
  self->mean = 0;
}

/* Adds one value. The mean is a sum until end_values() divides it. */
static inline void
add_value (C2gBlobSummary *self,
           double          value)
{
  if (isnan (value))
    {
      self->n_nan++;
      return;
    }

  self->minimum = MIN (self->minimum, value);
  self->maximum = MAX (self->maximum, value);
  self->mean += value;
}

static void
end_values (C2gBlobSummary *self)
{
  guint64 n_values = self->end - self->begin - self->n_nan;

  self->has_values = n_values > 0;
  if (self->has_values)
    self->mean /= n_values;
}

#define SUMMARIZE_INTEGERS(type)                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const type *items = data;                                                                      \
    type least = items[self->begin];                                                               \
    type greatest = items[self->begin];                                                            \
                                                                                                   \
    for (gint64 i = self->begin; i < self->end; i++)                                               \
      {                                                                                            \
        least = MIN (least, items[i]);                                                             \
        greatest = MAX (greatest, items[i]);                                                       \
        self->mean += items[i];                                                                    \
      }                                                                                            \
    self->is_integer = TRUE;                                                                       \
    self->minimum = least;                                                                         \
    self->maximum = greatest;                                                                      \
    self->integer_minimum = (gint64) least;                                                        \
    self->integer_maximum = (gint64) greatest;                                                     \
  }                                                                                                \
  G_STMT_END

/* Summarizes integers; returns FALSE for other types. */
static gboolean
summarize_integers (C2gBlobSummary *self,
                    C2gDataType     data_type,
                    gconstpointer   data)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
    case C2G_DATA_TYPE_UINT8:
      SUMMARIZE_INTEGERS (guint8);
      return TRUE;

    case C2G_DATA_TYPE_INT8:
      SUMMARIZE_INTEGERS (gint8);
      return TRUE;

    case C2G_DATA_TYPE_UINT16:
      SUMMARIZE_INTEGERS (guint16);
      return TRUE;

    case C2G_DATA_TYPE_INT16:
      SUMMARIZE_INTEGERS (gint16);
      return TRUE;

    case C2G_DATA_TYPE_UINT32:
      SUMMARIZE_INTEGERS (guint32);
      return TRUE;

    case C2G_DATA_TYPE_INT32:
      SUMMARIZE_INTEGERS (gint32);
      return TRUE;

    case C2G_DATA_TYPE_UINT64:
      SUMMARIZE_INTEGERS (guint64);
      self->is_unsigned = TRUE;
      return TRUE;

    case C2G_DATA_TYPE_INT64:
      SUMMARIZE_INTEGERS (gint64);
      return TRUE;

    default:
      return FALSE;
    }
}

static void
summarize_strings (C2gBlobSummary *self,
                   GBytes *const  *strings)
{
  self->has_strings = TRUE;
  self->n_strings = self->end - self->begin;
  for (gint64 i = self->begin; i < self->end; i++)
    if (strings[i] != NULL)
      self->string_bytes += g_bytes_get_size (strings[i]);
}

/* Summarizes floating-point numbers. */
static void
summarize_floats (C2gBlobSummary *self,
                  C2gDataType     data_type,
                  gconstpointer   data)
{
  double values[C2G_VALUES_BLOCK];

  begin_values (self);
  for (gint64 begin = self->begin; begin < self->end; begin += C2G_VALUES_BLOCK)
    {
      gsize n_values = MIN (self->end - begin, C2G_VALUES_BLOCK);

      c2g_values_to_doubles (data_type, data, begin, n_values, values);
      for (gsize i = 0; i < n_values; i++)
        add_value (self, values[i]);
    }
}

static void
set_shape (C2gBlobSummary *self,
           const gint64   *dims,
           gsize           n_dims,
           gint64          n_elements)
{
  g_free (self->dims);
  self->has_dims = TRUE;
  self->dims = g_memdup2 (dims, n_dims * sizeof *dims);
  self->n_dims = n_dims;
  self->n_elements = n_elements;
  if (!self->is_part)
    self->end = n_elements;
}

static gboolean
summarize_tensor (C2gBlobSummary  *self,
                  C2gTensor       *tensor,
                  GError         **error)
{
  C2gDataType data_type = c2g_tensor_get_data_type (tensor);
  gsize n_dims;
  const gint64 *dims = c2g_tensor_get_dims (tensor, &n_dims);
  gconstpointer data;

  set_shape (self, dims, n_dims, c2g_tensor_get_n_elements (tensor));
  self->data_type = c2g_data_type_get_name (data_type);
  self->n_bytes = c2g_tensor_get_n_bytes (tensor);
  if (self->begin == self->end || data_type == C2G_DATA_TYPE_UNDEFINED)
    return TRUE;

  data = c2g_tensor_data (tensor, data_type, error);
  if (data == NULL)
    return FALSE;

  if (data_type == C2G_DATA_TYPE_STRING)
    {
      summarize_strings (self, data);
      return TRUE;
    }
  if (!summarize_integers (self, data_type, data))
    summarize_floats (self, data_type, data);
  end_values (self);
  return TRUE;
}

static gboolean
summarize_q_tensor (C2gBlobSummary  *self,
                    C2gQTensor      *tensor,
                    GError         **error)
{
  gsize n_dims;
  const gint64 *dims = c2g_q_tensor_get_dims (tensor, &n_dims);
  g_autoptr (GError) local_error = NULL;

  set_shape (self, dims, n_dims, c2g_q_tensor_get_n_elements (tensor));
  self->n_bytes = c2g_q_tensor_get_n_bytes (tensor);
  begin_values (self);
  for (gint64 i = self->begin; i < self->end && local_error == NULL; i++)
    add_value (self, c2g_q_tensor_get_value (tensor, i, &local_error));
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  end_values (self);
  return TRUE;
}

/* Summarizes the numbers that the integers stand for. */
static gboolean
summarize_int8_tensor (C2gBlobSummary  *self,
                       C2gInt8Tensor   *tensor,
                       GError         **error)
{
  double scale = c2g_int8_tensor_get_scale (tensor);
  double zero_point = c2g_int8_tensor_get_zero_point (tensor);

  if (!summarize_tensor (self, c2g_int8_tensor_get_tensor (tensor), error))
    return FALSE;

  self->is_quantized = TRUE;
  self->scale = scale;
  self->zero_point = (int) zero_point;
  self->is_integer = FALSE;
  if (self->has_values)
    {
      double least = (self->minimum - zero_point) * scale;
      double greatest = (self->maximum - zero_point) * scale;

      self->minimum = MIN (least, greatest);
      self->maximum = MAX (least, greatest);
      self->mean = (self->mean - zero_point) * scale;
    }
  return TRUE;
}

static void
summarize_value (C2gBlobSummary *self,
                 C2gBlob        *blob)
{
  g_auto (GValue) value = G_VALUE_INIT;

  c2g_blob_get_value (blob, &value);
  if (G_VALUE_HOLDS (&value, G_TYPE_BYTES) && g_value_get_boxed (&value) != NULL)
    {
      self->has_strings = TRUE;
      self->n_strings = 1;
      self->string_bytes = g_bytes_get_size (g_value_get_boxed (&value));
      self->n_bytes = self->string_bytes;
    }
  else if (G_VALUE_HOLDS_INT64 (&value))
    {
      self->is_counter = TRUE;
      self->count = g_value_get_int64 (&value);
      self->n_bytes = sizeof self->count;
    }
}

C2gBlobSummary *
c2g_blob_summary_new (C2gFileEntry *entry)
{
  C2gBlobSummary *self = g_new0 (C2gBlobSummary, 1);
  gsize n_dims;
  const gint64 *dims = c2g_file_entry_get_dims (entry, &n_dims);
  C2gDevice *device = c2g_file_entry_get_device (entry);

  self->name = g_strdup (c2g_file_entry_get_name (entry));
  self->type = g_strdup (c2g_entry_get_type (entry));
  self->n_bytes = c2g_file_entry_get_n_bytes (entry);
  self->offset = c2g_file_entry_get_offset (entry);
  self->device = device != c2g_device_cpu () ? device : NULL;
  if (c2g_entry_is_tensor (entry))
    {
      self->part = c2g_entry_describe_part (entry);
      self->data_type = c2g_data_type_get_name (c2g_file_entry_get_data_type (entry));
      self->is_part = c2g_file_entry_get_segment (entry, &self->begin, &self->end);
      set_shape (self, dims, n_dims, c2g_file_entry_get_n_elements (entry));
    }
  return self;
}

gboolean
c2g_blob_summary_add_values (C2gBlobSummary  *self,
                             C2gBlob         *blob,
                             GError         **error)
{
  GObject *object = c2g_blob_get_object (blob);

  if (C2G_IS_TENSOR (object))
    return summarize_tensor (self, C2G_TENSOR (object), error);
  if (C2G_IS_Q_TENSOR (object))
    return summarize_q_tensor (self, C2G_Q_TENSOR (object), error);
  if (C2G_IS_INT8_TENSOR (object))
    return summarize_int8_tensor (self, C2G_INT8_TENSOR (object), error);
  if (!c2g_blob_is_empty (blob))
    summarize_value (self, blob);
  return TRUE;
}

gboolean
c2g_blob_summary_add_constant (C2gBlobSummary  *self,
                               C2gTensor       *sample,
                               GError         **error)
{
  /* The shape and size of the whole tensor are kept, while the sample is summarized. */
  const C2gBlobSummary whole = *self;

  self->is_constant = TRUE;
  self->dims = NULL;
  if (!summarize_tensor (self, sample, error))
    {
      g_free (whole.dims);
      return FALSE;
    }

  g_free (self->dims);
  self->dims = whole.dims;
  self->n_dims = whole.n_dims;
  self->n_elements = whole.n_elements;
  self->n_bytes = whole.n_bytes;
  self->end = whole.end;
  self->n_nan *= (guint64) whole.n_elements;
  self->n_strings *= whole.n_elements;
  self->string_bytes *= (guint64) whole.n_elements;
  return TRUE;
}

void
c2g_blob_summary_free (C2gBlobSummary *self)
{
  g_free (self->name);
  g_free (self->type);
  g_free (self->dims);
  g_free (self->part);
  g_free (self);
}
