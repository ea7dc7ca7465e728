/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/io/io-utils.h"

#include <c2g/io/message/c2g-blob-record-private.h>
#include <c2g/io/wire/c2g-varint-private.h>

#include <glib/gstdio.h>

#define BYTES(text) (const guint8 *) (text), sizeof (text) - 1

/* Records are read from memory and from a file, with other bytes before and after them. */
#define RECORD_MARGIN 3

typedef enum
{
  RECORD_FROM_MEMORY,
  RECORD_FROM_FILE,
  RECORD_N_WAYS,
} RecordWay;

/* The path of the file for records; set by record_run(). */
static char *record_path;

static inline C2gSource *
record_new_source (GBytes   *message,
                   RecordWay way)
{
  g_autoptr (GByteArray) around = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  C2gSource *source;

  g_byte_array_append (around, (const guint8 *) "\x0a\x0a\x0a", RECORD_MARGIN);
  g_byte_array_append (around, g_bytes_get_data (message, NULL), g_bytes_get_size (message));
  g_byte_array_append (around, (const guint8 *) "\x80\x80\x80", RECORD_MARGIN);

  if (way == RECORD_FROM_MEMORY)
    {
      g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (g_steal_pointer (&around));

      return c2g_source_new_for_bytes (bytes, "memory");
    }

  {
    g_autoptr (GFile) file = g_file_new_for_path (record_path);

    g_file_set_contents_full (record_path, (const char *) around->data, around->len,
                              G_FILE_SET_CONTENTS_NONE, 0600, &error);
    g_assert_no_error (error);
    source = c2g_source_new_for_file (file, NULL, &error);
    g_assert_no_error (error);
    return source;
  }
}

static inline gboolean
record_scan (C2gBlobRecord *record,
             C2gSource     *source,
             GBytes        *message,
             GError       **error)
{
  g_auto (C2gScanner) scanner = { NULL };

  c2g_scanner_init (&scanner, source);
  return c2g_blob_record_scan (record, &scanner, RECORD_MARGIN, g_bytes_get_size (message), error);
}

/* Returns the tensor of a message, or NULL. */
static inline C2gTensor *
record_read_message (GBytes   *message,
                     RecordWay way,
                     GError  **error)
{
  g_autoptr (C2gSource) source = record_new_source (message, way);
  g_auto (C2gBlobRecord) record = { NULL };

  if (!record_scan (&record, source, message, error))
    return NULL;

  g_assert_true (record.has_tensor);
  return c2g_tensor_record_to_tensor (&record.tensor, source, NULL, error);
}

static inline C2gTensor *
record_read_bytes (const guint8 *data,
                   gsize         n_bytes,
                   RecordWay     way,
                   GError      **error)
{
  g_autoptr (GBytes) message = g_bytes_new (data, n_bytes);

  return record_read_message (message, way, error);
}

/* Makes varints of every length, in total more than a window. */
static inline GBytes *
record_new_varints (C2gDataType data_type,
                    gsize       n,
                    guint8    **items)
{
  gsize size = c2g_data_type_get_item_size (data_type);
  g_autoptr (GByteArray) values = g_byte_array_new ();
  GByteArray *message = g_byte_array_new ();
  gsize n_written;

  *items = g_malloc (n * size);
  for (gsize i = 0; i < n; i++)
    c2g_varint_store (data_type, *items + i * size, 0,
                      (guint64) (guint32) g_test_rand_int () << 32 >> (i % 64) ^
                        (i % 3 == 0 ? G_MAXUINT64 : 0));
  if (data_type == C2G_DATA_TYPE_BOOL)
    for (gsize i = 0; i < n; i++)
      (*items)[i] &= 1;

  g_byte_array_set_size (values, n * C2G_VARINT_MAX_BYTES);
  c2g_varint_encode (data_type, *items, n, values->data, values->len, &n_written);
  c2g_wire_put_tag (message, 1, 0);
  c2g_wire_put_varint (message, n);
  c2g_wire_put_tag (message, 2, 0);
  c2g_wire_put_varint (message, data_type);
  c2g_wire_put_bytes (message, data_type == C2G_DATA_TYPE_INT64 ? 10 : 4, values->data, n_written);
  return g_byte_array_free_to_bytes (message);
}

/* Calls g_test_run() with a file for records. */
static inline int
record_run (void)
{
  g_autoptr (GError) error = NULL;
  int status;
  int fd = g_file_open_tmp ("c2g-record-XXXXXX", &record_path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  status = c2g_test_run ();
  g_unlink (record_path);
  g_free (record_path);
  return status;
}
