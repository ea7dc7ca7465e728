/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/c2g-minidb-private.h>

#include <c2g/core/c2g-error.h>
#include <c2g/core/c2g-i18n-private.h>

#include <string.h>

/* Caffe2 takes up to this many bytes behind the last record for the end. */
#define MAX_TRAILING_BYTES 3

static gint32
get_int32 (const guint8 *data)
{
  guint32 value;

  memcpy (&value, data, sizeof value);
  return (gint32) GUINT32_FROM_LE (value);
}

static gboolean
set_damaged (gsize       offset,
             gint32      n_key_bytes,
             gint32      n_value_bytes,
             gsize       n_left,
             GError    **error)
{
  g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
               _("Damaged at offset %zu: a record with a key of %d and a value "
                 "of %d bytes, %zu are left"),
               offset, n_key_bytes, n_value_bytes, n_left);
  return FALSE;
}

gboolean
c2g_minidb_reader_next (C2gMinidbReader  *self,
                        C2gMinidbRecord  *record,
                        GError          **error)
{
  const guint8 *data = self->data + self->position;
  gsize n_left = self->n_bytes - self->position;
  gint32 n_key_bytes;
  gint32 n_value_bytes;

  if (n_left <= MAX_TRAILING_BYTES)
    return FALSE;
  if (n_left < 8)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_CORRUPT,
                   _("Damaged at offset %zu: a record needs 8 bytes for its lengths, %zu are left"),
                   self->position, n_left);
      return FALSE;
    }

  n_key_bytes = get_int32 (data);
  n_value_bytes = get_int32 (data + 4);
  n_left -= 8;
  if (n_key_bytes <= 0 || n_value_bytes <= 0 || (gsize) n_key_bytes > n_left ||
      (gsize) n_value_bytes > n_left - n_key_bytes)
    return set_damaged (self->position, n_key_bytes, n_value_bytes, n_left, error);

  record->offset = self->position;
  record->key = data + 8;
  record->n_key_bytes = n_key_bytes;
  record->value = record->key + n_key_bytes;
  record->n_value_bytes = n_value_bytes;
  record->value_offset = self->position + 8 + n_key_bytes;
  self->position = record->value_offset + n_value_bytes;
  return TRUE;
}
