/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/load/c2g-caffe-files-private.h>

#include <string.h>

static GPtrArray *
read_net (C2gSource  *source,
          GError    **error)
{
  g_autoptr (GHashTable) metadata = NULL;

  return c2g_caffemodel_read_entries (source, NULL, &metadata, error);
}

static GPtrArray *
read_mean (C2gSource  *source,
           GError    **error)
{
  return c2g_caffe_mean_read_entries (source, "mean", error);
}

/* A net that was read can be written with its metadata. */
static void
write_net (GBytes *bytes)
{
  g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (bytes, "x.caffemodel", NULL);
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GBytes) written = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = file != NULL ? c2g_model_file_load (file, workspace, NULL, NULL, NULL) : NULL;
  const char *net = file != NULL ? c2g_model_file_get_metadata (file, "caffe.net") : NULL;

  if (names == NULL || names[0] == NULL || net == NULL)
    return;
  c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_CAFFEMODEL);
  c2g_save_options_set_metadata (options, "caffe.net", net);
  written = c2g_workspace_save_checkpoint_to_bytes (workspace, options, NULL, &error);
  /* The error may be in another blob of the file, but not in the net, which was read. */
  if (written != NULL)
    fuzz_file (written, "x.caffemodel");
  else
    g_assert_null (strstr (error->message, "caffe.net"));
}

/* Reads the blobs of a net of Caffe, and a single one. */
void
fuzz_one (GBytes *bytes)
{
  fuzz_reader (bytes, read_net);
  fuzz_reader (bytes, read_mean);
  write_net (bytes);
}
