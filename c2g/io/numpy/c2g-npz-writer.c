/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/numpy/c2g-numpy-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/io/numpy/c2g-npy-writer-private.h>
#include <c2g/io/numpy/c2g-zip-writer-private.h>

#include <string.h>

/* Writes tensors as a .npz archive. */

#define FORMAT "npz"
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
                 _("%s cannot hold a blob named “%s”"), FORMAT, name);
  else if (strlen (name) > C2G_ZIP_MAX_NAME - strlen (SUFFIX))
    g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
                 _("%s cannot hold a name of %zu bytes"), FORMAT, strlen (name));
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
         c2g_npy_measure (tensor, &n_bytes, error) &&
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
