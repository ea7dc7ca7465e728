/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/message/c2g-tensor-record-private.h>

#include <c2g/io/message/c2g-tensor-scan-private.h>
#include <c2g/io/stream/c2g-upload-private.h>
#include <c2g/io/wire/c2g-varint-private.h>
#include <c2g/io/wire/c2g-wire-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Reads the values of a scanned TensorProto, a C2gTensorRecord, into a tensor. The values of a
 * QTensorProto are read here, too. */

/* Size of one decoding step; the job is asked between steps whether to continue. */
#define WINDOW_BYTES (256u << 10)

/* Short strings share blocks of memory, which takes less time and memory. A string that outlives
 * the others keeps only its block alive. */
#define MAX_SHARED_BYTES 1024
#define BLOCK_BYTES      (32u << 10)

/* Number of bfloat16 values that are converted at once. */
#define HALF_ITEMS 256

/* State of reading. */
typedef struct
{
  const C2gTensorRecord *record;
  C2gSource             *source;
  const C2gJob          *job;

  /* The elements, and how many of them are done. */
  guint8                *items;
  gsize                  item_size;
  gsize                  n_items;
  gsize                  n_done;

  /* Buffer for a source that is not in memory; allocated when needed. */
  guint8                *window;

  /* Block for short strings, and its free space. */
  GBytes                *block;
  guint8                *block_data;
  gsize                  block_left;
  /* Number of bytes of the current span that the job has been told of. */
  guint64                n_told;
} Values;

static void
values_clear (Values *self)
{
  g_clear_pointer (&self->window, g_free);
  g_clear_pointer (&self->block, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Values, values_clear)

static gboolean
set_no_memory (gsize    n_bytes,
               GError **error)
{
  return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to read %zu bytes"), n_bytes);
}

static gboolean
set_count (const Values  *self,
           GError       **error)
{
  const char *name = c2g_data_type_get_name (self->record->data_type);

  if (self->n_done < self->n_items)
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %zu values of type %s, got %zu"), self->n_items, name, self->n_done);
  else
    g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                 _("Expected %zu values of type %s, got more"), self->n_items, name);
  return FALSE;
}

/* Address of the next element. */
static guint8 *
next_items (const Values *self)
{
  return self->items + self->n_done * self->item_size;
}

static gboolean
read_raw (Values               *self,
          const C2gTensorSpan  *span,
          GError              **error)
{
  guint8 *items = next_items (self);

  if (!c2g_source_read (self->source, span->offset, items, span->n_bytes, self->job, error))
    return FALSE;

  c2g_wire_settle (items, span->n_items, self->record->data_type, G_BYTE_ORDER == G_BIG_ENDIAN);
  self->n_done += span->n_items;
  return TRUE;
}

/* Converts bfloat16 to float in place. The halves were read into the second half of the memory,
 * so that no value is overwritten before it is read. */
static void
widen_halves (guint8 *items,
              gsize   n_items)
{
  const guint8 *halves = items + 2 * n_items;

  for (gsize i = 0; i < n_items; i += HALF_ITEMS)
    {
      gsize n = MIN (HALF_ITEMS, n_items - i);
      guint16 taken[HALF_ITEMS];
      guint32 bits[HALF_ITEMS];

      memcpy (taken, halves + 2 * i, 2 * n);
      for (gsize j = 0; j < n; j++)
        bits[j] = (guint32) GUINT16_FROM_LE (taken[j]) << 16;
      memcpy (items + 4 * i, bits, 4 * n);
    }
}

static gboolean
read_halves (Values               *self,
             const C2gTensorSpan  *span,
             GError              **error)
{
  guint8 *items = next_items (self);

  if (!c2g_source_read (self->source, span->offset, items + span->n_bytes, span->n_bytes,
                        self->job, error))
    return FALSE;

  widen_halves (items, span->n_items);
  self->n_done += span->n_items;
  return TRUE;
}

/* Returns bytes of the source, in its memory or in the window. */
static const guint8 *
look (Values   *self,
      guint64   offset,
      gsize     n_bytes,
      GError  **error)
{
  const guint8 *data = c2g_source_peek (self->source);

  if (data != NULL)
    return data + offset;

  if (self->window == NULL)
    self->window = g_try_malloc (WINDOW_BYTES);
  if (self->window == NULL)
    {
      set_no_memory (WINDOW_BYTES, error);
      return NULL;
    }
  if (!c2g_source_read (self->source, offset, self->window, n_bytes, NULL, error))
    return NULL;
  return self->window;
}

static gboolean
read_packed_varints (Values               *self,
                     const C2gTensorSpan  *span,
                     GError              **error)
{
  C2gDataType data_type = self->record->data_type;
  guint64 position = 0;

  while (position < span->n_bytes)
    {
      gsize n_window = MIN (span->n_bytes - position, WINDOW_BYTES);
      const guint8 *data = look (self, span->offset + position, n_window, error);
      gsize n_used = 0;
      gsize n_done = 0;

      if (data == NULL)
        return FALSE;
      if (!c2g_varint_decode (data_type, data, n_window, &n_used, next_items (self),
                              self->n_items - self->n_done, &n_done))
        return c2g_wire_set_damaged (span->offset + position + n_used,
                                     _("a packed number does not end"), error);

      self->n_done += n_done;
      if (self->n_done == self->n_items && n_used < n_window)
        return set_count (self, error);
      if (n_used == 0)
        return c2g_wire_set_damaged (span->offset + position,
                                     _("a packed number does not end"), error);
      if (!c2g_job_advance (self->job, n_used, error))
        return FALSE;
      position += n_used;
    }

  return TRUE;
}

/* Stores a single value. Its size depends on the field, not on the file, which may have changed. */
static void
put_number (Values            *self,
            guint32            field,
            const C2gWireItem *item)
{
  guint8 *place = next_items (self);
  guint32 word = (guint32) item->value;

  if (field == C2G_TENSOR_FIELD_FLOATS)
    memcpy (place, &word, sizeof word);
  else if (field == C2G_TENSOR_FIELD_DOUBLES)
    memcpy (place, &item->value, sizeof item->value);
  else
    c2g_varint_store (self->record->data_type, place, 0, item->value);
}

/* Reports progress, one window at a time. */
static gboolean
tell (Values   *self,
      guint64   n_read,
      gboolean  is_last,
      GError  **error)
{
  guint64 n_new = n_read - self->n_told;

  if (n_new < WINDOW_BYTES && !is_last)
    return TRUE;

  self->n_told = is_last ? 0 : n_read;
  return c2g_job_advance (self->job, n_new, error);
}

static GBytes *
copy_string (Values             *self,
             const C2gWireItem  *item,
             GError            **error)
{
  guint8 *data = g_try_malloc (item->n_bytes);

  if (data == NULL)
    {
      set_no_memory (item->n_bytes, error);
      return NULL;
    }
  if (!c2g_source_read (self->source, item->value_offset, data, item->n_bytes, NULL, error))
    {
      g_free (data);
      return NULL;
    }

  return g_bytes_new_take (data, item->n_bytes);
}

/* Makes room in a block for a string and for those that may follow in the span. */
static gboolean
reserve_block (Values             *self,
               const C2gWireScan  *fields,
               gsize               n_bytes,
               GError            **error)
{
  gsize n_block = MIN (n_bytes + (fields->end - fields->position), BLOCK_BYTES);

  if (n_bytes <= self->block_left)
    return TRUE;

  g_clear_pointer (&self->block, g_bytes_unref);
  self->block_data = g_try_malloc (n_block);
  if (self->block_data == NULL)
    return set_no_memory (n_block, error);
  self->block = g_bytes_new_take (self->block_data, n_block);
  self->block_left = n_block;
  return TRUE;
}

static GBytes *
share_string (Values             *self,
              C2gWireScan        *fields,
              const C2gWireItem  *item,
              GError            **error)
{
  const guint8 *data;
  gsize n_there;
  gsize offset;

  data = c2g_scanner_look (fields->scanner, item->value_offset, item->n_bytes, &n_there, error);
  if (data == NULL || !reserve_block (self, fields, item->n_bytes, error))
    return NULL;

  offset = g_bytes_get_size (self->block) - self->block_left;
  memcpy (self->block_data + offset, data, item->n_bytes);
  self->block_left -= item->n_bytes;
  return g_bytes_new_from_bytes (self->block, offset, item->n_bytes);
}

static gboolean
put_string (Values             *self,
            C2gWireScan        *fields,
            const C2gWireItem  *item,
            GError            **error)
{
  GBytes **place = (gpointer) next_items (self);
  GBytes *string = NULL;

  if (item->n_bytes > MAX_SHARED_BYTES)
    string = copy_string (self, item, error);
  else if (item->n_bytes > 0)
    string = share_string (self, fields, item, error);
  if (string == NULL && item->n_bytes > 0)
    return FALSE;

  g_clear_pointer (place, g_bytes_unref);
  *place = string;
  return TRUE;
}

/* Reads consecutive single fields. */
static gboolean
read_unpacked (Values               *self,
               const C2gTensorSpan  *span,
               GError              **error)
{
  g_auto (C2gScanner) scanner = { NULL };
  C2gWireScan fields;
  C2gWireItem item;

  c2g_scanner_init (&scanner, self->source);
  if (!c2g_wire_scan_init (&fields, &scanner, span->offset, span->n_bytes, error))
    return FALSE;

  while (c2g_wire_scan_next (&fields, &item, error))
    {
      if (item.wire_type != c2g_tensor_wire_type (span->field))
        return c2g_wire_set_damaged (item.offset, _("the file has changed"), error);
      if (self->n_done == self->n_items)
        return set_count (self, error);
      if (span->field != C2G_TENSOR_FIELD_STRINGS)
        put_number (self, span->field, &item);
      else if (!put_string (self, &fields, &item, error))
        return FALSE;
      self->n_done++;
      if (!tell (self, fields.position - span->offset, FALSE, error))
        return FALSE;
    }

  return !fields.has_failed && tell (self, span->n_bytes, TRUE, error);
}

static gboolean
read_span (Values               *self,
           const C2gTensorSpan  *span,
           GError              **error)
{
  if (!span->is_packed)
    return read_unpacked (self, span, error);
  if (span->field == C2G_TENSOR_FIELD_INT32S || span->field == C2G_TENSOR_FIELD_INT64S)
    return read_packed_varints (self, span, error);
  if (c2g_tensor_record_is_bfloat16 (self->record))
    return read_halves (self, span, error);

  return read_raw (self, span, error);
}

gboolean
c2g_tensor_record_read_items (const C2gTensorRecord  *self,
                              C2gSource              *source,
                              guint8                 *items,
                              const C2gJob           *job,
                              GError                **error)
{
  g_auto (Values) values = { .record = self, .source = source, .job = job };

  values.items = items;
  values.item_size = c2g_data_type_get_item_size (self->data_type);
  values.n_items = self->end - self->begin;
  for (guint i = 0; self->spans != NULL && i < self->spans->len; i++)
    if (!read_span (&values, &g_array_index (self->spans, C2gTensorSpan, i), error))
      return FALSE;

  return values.n_done == values.n_items || set_count (&values, error);
}

static gboolean
read_far (const C2gTensorRecord  *self,
          C2gSource              *source,
          C2gTensor              *tensor,
          const C2gJob           *job,
          GError                **error)
{
  gsize item_size = c2g_data_type_get_item_size (self->data_type);
  gsize n_items = self->end - self->begin;
  g_auto (C2gUpload) upload;
  guint8 *items;

  if (!c2g_upload_init (&upload, tensor, error))
    return FALSE;
  if (n_items == 0)
    return c2g_tensor_record_read_items (self, source, NULL, job, error);

  items = c2g_upload_begin (&upload, n_items * item_size, error);
  return items != NULL && c2g_tensor_record_read_items (self, source, items, job, error) &&
         c2g_upload_send (&upload, self->begin * item_size, error);
}

gboolean
c2g_tensor_record_read (const C2gTensorRecord  *self,
                        C2gSource              *source,
                        C2gTensor              *tensor,
                        const C2gJob           *job,
                        GError                **error)
{
  guint8 *items;

  g_return_val_if_fail (self->data_type != C2G_DATA_TYPE_UNDEFINED, FALSE);
  g_return_val_if_fail (c2g_tensor_get_n_elements (tensor) == self->n_elements, FALSE);

  if (self->n_elements == 0)
    return c2g_tensor_allocate (tensor, self->data_type, error);
  items = c2g_tensor_mutable_data (tensor, self->data_type, error);
  if (items == NULL)
    return FALSE;

  if (c2g_tensor_get_device (tensor) != c2g_device_cpu ())
    return read_far (self, source, tensor, job, error);

  items += self->begin * c2g_data_type_get_item_size (self->data_type);
  return c2g_tensor_record_read_items (self, source, items, job, error);
}

gboolean
c2g_tensor_record_foreach (const C2gTensorRecord  *self,
                           C2gSource              *source,
                           C2gTensorItemFunc       func,
                           gpointer                user_data,
                           GError                **error)
{
  g_auto (C2gScanner) scanner = { NULL };
  gint64 element = self->begin;
  C2gWireScan fields;
  C2gWireItem item;

  g_return_val_if_fail (self->data_type == C2G_DATA_TYPE_UNDEFINED, FALSE);

  c2g_scanner_init (&scanner, source);
  for (guint i = 0; self->spans != NULL && i < self->spans->len; i++)
    {
      const C2gTensorSpan *span = &g_array_index (self->spans, C2gTensorSpan, i);

      if (!c2g_wire_scan_init (&fields, &scanner, span->offset, span->n_bytes, error))
        return FALSE;
      while (element < self->end && c2g_wire_scan_next (&fields, &item, error))
        if (!func (element++, item.value_offset, item.n_bytes, user_data, error))
          return FALSE;
      if (fields.has_failed)
        return FALSE;
    }

  return TRUE;
}
