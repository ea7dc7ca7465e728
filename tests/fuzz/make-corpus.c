/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/lmdb-utils.h"

#include <string.h>

#include <glib/gstdio.h>

/* Small files of every kind, for the fuzzer to begin with:
 *
 *   make-corpus FOLDER
 *
 * makes a folder for each target.
 */

static char *folder;

static void
put_file (const char *target,
          const char *name,
          GBytes     *bytes)
{
  g_autofree char *path = g_build_filename (folder, target, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0777), ==, 0);
  g_assert_true (g_file_set_contents (path, data == NULL ? "" : data, n_bytes, NULL));
}

static void
put_text (const char *target,
          const char *name,
          const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  put_file (target, name, bytes);
}

/* Blobs of every type that a number or a text can be. */
static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  for (int data_type = C2G_DATA_TYPE_FLOAT; data_type <= C2G_DATA_TYPE_UINT64; data_type++)
    {
      g_autoptr (C2gBlob) blob = NULL;
      C2gTensor *tensor;

      if (c2g_type_meta_for_data_type (data_type, NULL) == NULL ||
          data_type == C2G_DATA_TYPE_BYTE)
        continue;
      blob = c2g_workspace_create_blob (workspace, c2g_data_type_get_name (data_type), NULL);
      tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
      g_assert_true (c2g_tensor_resize (tensor, (gint64[]) { 2, 3 }, 2, NULL));
      g_assert_true (c2g_tensor_allocate (tensor, data_type, NULL));
      for (gint64 i = 0; i < 6 && data_type != C2G_DATA_TYPE_STRING; i++)
        g_assert_true (c2g_tensor_set_value (tensor, i, i % 2 == 0 ? i : 100 - i, NULL));
    }

  return workspace;
}

static void
put_blobs (C2gWorkspace *workspace)
{
  g_auto (GStrv) names = c2g_workspace_list_blobs (workspace);

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, *name, NULL);
      g_autoptr (GBytes) bytes = c2g_blob_serialize (blob, *name, NULL);

      put_file ("blob", *name, bytes);
      put_file ("model-file", *name, bytes);
    }
}

static void
put_nets (void)
{
  static const char net[] = "name: \"net\"\n"
                            "op {\n"
                            "  output: \"x\" type: \"ConstantFill\"\n"
                            "  arg { name: \"shape\" ints: 2 ints: 3 }\n"
                            "  arg { name: \"value\" f: 1.5 }\n"
                            "}\n"
                            "op {\n"
                            "  output: \"w\" type: \"GivenTensorFill\"\n"
                            "  arg { name: \"shape\" ints: 2 }\n"
                            "  arg { name: \"values\" floats: -1e3 floats: 0x10 }\n"
                            "}\n"
                            "external_input: \"data\" external_output: \"x\"\n";

  put_text ("text", "net", net);
  put_text ("model-file", "net", net);
}

/* With pages as small as there are, so that there is a lot in a few bytes. */
static void
put_databases (void)
{
  static const guint n_records[] = { 0, 1, 8, 24, 80 };

  for (guint i = 0; i < G_N_ELEMENTS (n_records); i++)
    {
      g_autofree char *name = g_strdup_printf ("records-%u", n_records[i]);
      g_autoptr (GBytes) bytes = lmdb_build (512, n_records[i]);

      put_file ("lmdb", name, bytes);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace ();

  g_assert_cmpint (argc, ==, 2);
  folder = argv[1];
  put_blobs (workspace);
  put_nets ();
  put_databases ();
  return 0;
}
