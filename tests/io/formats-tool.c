/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/c2g.h>
#include <c2g/io/numpy/c2g-numpy-private.h>
#include <c2g/io/safetensors/c2g-safetensors-private.h>

#include <string.h>

/* For check-formats: reads a file of one format and writes all of it in another.
 *
 *   formats-tool READ FILE WRITE FILE
 *
 * READ is safetensors, npy, npz, or one of them with "-mapped"; WRITE is safetensors,
 * npy, npz or npz-deflated.
 */

static void
free_item (gpointer data)
{
  C2gSaveItem *item = data;

  g_free (item->name);
  g_object_unref (item->blob);
  g_free (item);
}

static GPtrArray *
read_entries (const char   *format,
              GFile        *file,
              GHashTable  **metadata,
              GError      **error)
{
  g_autoptr (C2gSource) source = g_str_has_suffix (format, "-mapped")
                                   ? c2g_source_new_mapped (file, NULL, error)
                                   : c2g_source_new_for_file (file, NULL, error);

  if (source == NULL)
    return NULL;
  if (g_str_has_prefix (format, "safetensors"))
    return c2g_safetensors_read_entries (source, metadata, error);
  return g_str_has_prefix (format, "npz") ? c2g_npz_read_entries (source, error)
                                          : c2g_npy_read_entries (source, "array", error);
}

static GPtrArray *
load (GPtrArray  *entries,
      GError    **error)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (free_item);

  for (guint i = 0; i < entries->len; i++)
    {
      C2gBlob *blob = c2g_file_entry_load (entries->pdata[i], NULL, error);
      C2gSaveItem *item;

      if (blob == NULL)
        return NULL;
      item = g_new (C2gSaveItem, 1);
      item->name = g_strdup (c2g_file_entry_get_name (entries->pdata[i]));
      item->blob = blob;
      g_ptr_array_add (items, item);
    }

  return g_steal_pointer (&items);
}

static gboolean
write_items (const char  *format,
             GFile       *file,
             GPtrArray   *items,
             GHashTable  *metadata,
             GError     **error)
{
  g_autoptr (C2gSink) sink = c2g_sink_new_for_file (file, NULL, error);
  gboolean done;

  if (sink == NULL)
    return FALSE;
  if (g_str_equal (format, "safetensors"))
    done = c2g_safetensors_write (items, metadata, sink, NULL, error);
  else if (g_str_equal (format, "npy"))
    done = c2g_npy_write (c2g_blob_get_tensor (((C2gSaveItem *) items->pdata[0])->blob, NULL),
                          sink, NULL, error);
  else
    done = c2g_npz_write (items, g_str_equal (format, "npz-deflated"), sink, NULL, error);
  return done && c2g_sink_commit (sink, NULL, error);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GFile) in = NULL;
  g_autoptr (GFile) out = NULL;
  g_autoptr (GHashTable) metadata = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GPtrArray) items = NULL;
  g_autoptr (GError) error = NULL;

  if (argc != 5)
    return 2;

  in = g_file_new_for_commandline_arg (argv[2]);
  out = g_file_new_for_commandline_arg (argv[4]);
  entries = read_entries (argv[1], in, &metadata, &error);
  if (entries != NULL)
    items = load (entries, &error);
  if (items != NULL && write_items (argv[3], out, items, metadata, &error))
    return 0;

  g_printerr ("%s\n", error->message);
  return 1;
}
