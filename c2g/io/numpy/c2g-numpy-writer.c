/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-numpy-private.h>

#include <c2g/core/tensor/c2g-tensor-private.h>
#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/content/c2g-raw-tensor-private.h>
#include <c2g/io/numpy/c2g-npy-header-private.h>
#include <c2g/io/numpy/c2g-zip-writer-private.h>

#include <string.h>

/* Writes tensors as .npy files, and as .npz archives of them.
 *
 * Numbers are written in the byte order of this machine. Strings are written as numpy's
 * fixed-size bytes: padded with zeros to the longest one. numpy strips these zeros, so a string
 * that ends with a zero is refused. numpy has no bfloat16. */

/* The limit of numpy 1. */
#define MAX_DIMS 32

/* Buffer size for strings. */
#define BUFFER_SIZE (64u << 10)

/* Returns numpy's code of the number type, or NULL. */
static const char *
code_of (C2gDataType data_type)
{
  switch (data_type)
    {
    case C2G_DATA_TYPE_BOOL:
      return "b1";
    case C2G_DATA_TYPE_INT8:
      return "i1";
    case C2G_DATA_TYPE_INT16:
      return "i2";
    case C2G_DATA_TYPE_INT32:
      return "i4";
    case C2G_DATA_TYPE_INT64:
      return "i8";
    case C2G_DATA_TYPE_UINT8:
      return "u1";
    case C2G_DATA_TYPE_UINT16:
      return "u2";
    case C2G_DATA_TYPE_UINT32:
      return "u4";
    case C2G_DATA_TYPE_UINT64:
      return "u8";
    case C2G_DATA_TYPE_FLOAT16:
      return "f2";
    case C2G_DATA_TYPE_FLOAT:
      return "f4";
    case C2G_DATA_TYPE_DOUBLE:
      return "f8";
    default:
      return NULL;
    }
}

/* Size of the longest string; at least 1, since numpy has no shorter ones. */
static gboolean
measure_strings (C2gTensor   *tensor,
                 const char  *format,
                 gsize       *size,
                 GError     **error)
{
  GBytes *const *strings = c2g_tensor_address (tensor);

  *size = 1;
  for (gint64 i = 0; i < c2g_tensor_get_n_elements (tensor); i++)
    {
      gsize n_bytes = 0;
      const guint8 *data = strings[i] != NULL ? g_bytes_get_data (strings[i], &n_bytes) : NULL;

      if (n_bytes > 0 && data[n_bytes - 1] == 0)
        return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                         _("%s cannot hold string %" PRId64 ", which ends with a zero"), format, i);
      *size = MAX (*size, n_bytes);
    }

  if (*size <= G_MAXINT && (guint64) c2g_tensor_get_n_elements (tensor) <= G_MAXINT64 / *size)
    return TRUE;

  return c2g_fail (error, C2G_ERROR_RANGE, _("%s cannot hold strings of %zu bytes"), format, *size);
}

/* Returns numpy's descr of the elements and their size in the file, or NULL with an error if
 * numpy cannot hold the tensor. */
static char *
describe (C2gTensor   *tensor,
          const char  *format,
          gsize       *item_size,
          GError     **error)
{
  C2gDataType data_type = c2g_tensor_get_data_type (tensor);
  const char *code = code_of (data_type);
  char order = G_BYTE_ORDER == G_LITTLE_ENDIAN ? '<' : '>';

  if (c2g_tensor_get_n_dims (tensor) > MAX_DIMS)
    return c2g_fail_null (error, C2G_ERROR_NOT_SUPPORTED,
                          _("%s cannot hold %zu dimensions, but %d"), format,
                          c2g_tensor_get_n_dims (tensor), MAX_DIMS);
  if (!c2g_tensor_check_data (tensor, error))
    return NULL;

  if (data_type == C2G_DATA_TYPE_STRING)
    return measure_strings (tensor, format, item_size, error)
             ? g_strdup_printf ("|S%zu", *item_size)
             : NULL;
  if (code == NULL)
    {
      c2g_raw_tensor_refuse (tensor, format, error);
      return NULL;
    }

  *item_size = c2g_data_type_get_item_size (data_type);
  return g_strdup_printf ("%c%s", *item_size == 1 ? '|' : order, code);
}

gboolean
c2g_npy_check (const C2gSaveItem  *item,
               const char         *format,
               GError            **error)
{
  C2gTensor *tensor = c2g_raw_tensor_of_item (item, format, error);
  g_autofree char *descr = NULL;
  gsize size;

  if (tensor == NULL)
    return FALSE;

  descr = describe (tensor, format, &size, error);
  if (descr == NULL)
    g_prefix_error (error, _("Blob “%s”: "), item->name);
  return descr != NULL;
}

static gboolean
write_strings (C2gTensor     *tensor,
               gsize          item_size,
               C2gSink       *sink,
               const C2gJob  *job,
               GError       **error)
{
  GBytes *const *strings = c2g_tensor_address (tensor);
  gint64 n_in_buffer = MAX (BUFFER_SIZE / item_size, 1);
  gint64 n_left = c2g_tensor_get_n_elements (tensor);
  g_autofree guint8 *buffer = g_try_malloc (n_in_buffer * item_size);
  gboolean done = TRUE;

  if (buffer == NULL)
    return c2g_fail (error, C2G_ERROR_NO_MEMORY, _("No memory to write %zu bytes"), item_size);

  while (done && n_left > 0)
    {
      gint64 n = MIN (n_left, n_in_buffer);

      memset (buffer, 0, n * item_size);
      for (gint64 i = 0; i < n; i++)
        {
          gsize n_bytes = 0;
          gconstpointer data = strings[i] != NULL ? g_bytes_get_data (strings[i], &n_bytes) : NULL;

          if (n_bytes > 0)
            memcpy (buffer + i * item_size, data, n_bytes);
        }
      done = c2g_sink_write (sink, buffer, n * item_size, NULL, error) &&
             c2g_job_advance (job, n * sizeof *strings, error);
      strings += n;
      n_left -= n;
    }

  return done;
}

static GBytes *
new_header (C2gTensor  *tensor,
            gsize      *item_size,
            GError    **error)
{
  g_autofree char *descr = describe (tensor, "npy", item_size, error);
  const gint64 *dims;
  gsize n_dims;

  if (descr == NULL)
    return NULL;

  dims = c2g_tensor_get_dims (tensor, &n_dims);
  return c2g_npy_header_new (descr, dims, n_dims);
}

/* Computes the size that c2g_npy_write() will write. The tensor must have passed
 * c2g_npy_check(). */
static gboolean
measure (C2gTensor  *tensor,
         guint64    *n_bytes,
         GError    **error)
{
  gsize item_size;
  g_autoptr (GBytes) header = new_header (tensor, &item_size, error);

  if (header == NULL)
    return FALSE;

  *n_bytes = g_bytes_get_size (header) + c2g_tensor_get_n_elements (tensor) * item_size;
  return TRUE;
}

gboolean
c2g_npy_write (C2gTensor     *tensor,
               C2gSink       *sink,
               const C2gJob  *job,
               GError       **error)
{
  gsize item_size;
  g_autoptr (GBytes) header = new_header (tensor, &item_size, error);

  if (header == NULL ||
      !c2g_sink_write (sink, g_bytes_get_data (header, NULL), g_bytes_get_size (header), NULL,
                       error))
    return FALSE;

  return c2g_tensor_get_data_type (tensor) == C2G_DATA_TYPE_STRING
           ? write_strings (tensor, item_size, sink, job, error)
           : c2g_raw_tensor_write (tensor, FALSE, sink, job, error);
}

/* The rest of the file writes archives. */

#define SUFFIX ".npy"

static gboolean
fill (gpointer       data,
      C2gSink       *sink,
      const C2gJob  *job,
      GError       **error)
{
  return c2g_npy_write (data, sink, job, error);
}

static gboolean
check_name (const char  *name,
            GError     **error)
{
  if (*name == '\0' || !g_utf8_validate (name, -1, NULL))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("%s cannot hold a blob named “%s”"), "npz", name);
  else if (strlen (name) > C2G_ZIP_MAX_NAME - strlen (SUFFIX))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("%s cannot hold a name of %zu bytes"), "npz", strlen (name));
  else
    return TRUE;

  return FALSE;
}

gboolean
c2g_npz_check (const C2gSaveItem  *item,
               GError            **error)
{
  return c2g_npy_check (item, "npz", error) && check_name (item->name, error);
}

/* Checks all items before anything is written. */
static gboolean
check_items (GPtrArray  *items,
             GError    **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < items->len; i++)
    {
      const C2gSaveItem *item = items->pdata[i];

      if (!c2g_npz_check (item, error))
        return FALSE;
      if (!g_hash_table_add (names, item->name))
        return c2g_fail (error, C2G_ERROR_EXISTS, _("There are two blobs named “%s”"), item->name);
    }

  return TRUE;
}

static gboolean
write_item (const C2gSaveItem  *item,
            gboolean            compress,
            C2gZipWriter       *writer,
            const C2gJob       *job,
            GError            **error)
{
  g_autofree char *name = g_strconcat (item->name, SUFFIX, NULL);
  C2gTensor *tensor = c2g_blob_get_tensor (item->blob, error);
  guint64 n_bytes;

  return tensor != NULL &&
         measure (tensor, &n_bytes, error) &&
         c2g_zip_writer_add (writer, name, n_bytes, compress, fill, tensor, job, error);
}

gboolean
c2g_npz_write (GPtrArray     *items,
               gboolean       compress,
               C2gSink       *sink,
               const C2gJob  *job,
               GError       **error)
{
  g_autoptr (C2gZipWriter) writer = NULL;

  if (!check_items (items, error))
    return FALSE;

  writer = c2g_zip_writer_new (sink);
  for (guint i = 0; i < items->len; i++)
    {
      const C2gSaveItem *item = items->pdata[i];

      if (!write_item (item, compress, writer, job, error))
        {
          g_prefix_error (error, _("Blob “%s”: "), item->name);
          return FALSE;
        }
    }

  return c2g_zip_writer_finish (writer, error);
}
