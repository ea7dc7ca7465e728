/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <c2g/io/db/c2g-db-reader-private.h>

#include <glib/gstdio.h>

/* Makes databases that the messages can name, in the current folder. */
static void
make_databases (void)
{
  g_auto (GStrv) types = c2g_db_list_types ();

  g_assert_cmpint (g_chdir (fuzz_get_folder ()), ==, 0);
  for (char **type = types; *type != NULL; type++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (GFile) file = g_file_new_for_path (*type);
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();

      for (char name[] = "a"; *name < 'f'; ++*name)
        {
          g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
          g_autoptr (C2gBlob) content = fuzz_new_blob ();

          c2g_blob_move_from (blob, content);
        }
      c2g_save_options_set_db_type (options, *type);
      /* Without liblmdb there is no LMDB database, and a protodb cannot be written to. */
      c2g_workspace_save_checkpoint (workspace, file, options, NULL, NULL);
    }
}

/* Reads beyond the end, where the reader begins again. */
static void
check_reading (C2gDbReader *reader)
{
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (GBytes) key = NULL;
      g_autoptr (GBytes) value = NULL;
      g_autoptr (GError) error = NULL;

      if (!c2g_db_reader_read (reader, &key, &value, &error))
        {
          fuzz_check_error (error);
          g_assert_true (key == NULL && value == NULL);
          break;
        }
      g_assert_no_error (error);
      g_assert_true (key != NULL && value != NULL);
    }
}

static GBytes *
write_message (C2gDbReader *reader)
{
  g_autoptr (GError) error = NULL;
  GBytes *message = c2g_db_reader_to_message (reader, "reader", &error);

  if (message == NULL)
    fuzz_check_error (error);
  return message;
}

/* The reader is saved, and keeps its position when it is loaded. */
static void
check_message (C2gDbReader *reader)
{
  g_autoptr (GBytes) first = write_message (reader);
  g_autoptr (GBytes) second = NULL;
  g_autoptr (C2gDbReader) copy = NULL;
  g_autoptr (GError) error = NULL;

  if (first == NULL)
    return;

  copy = c2g_db_reader_from_message (first, NULL, &error);
  g_assert_no_error (error);
  second = write_message (copy);
  g_assert_nonnull (second);
  g_assert_true (g_bytes_equal (first, second));
}

/* Reads the saved state of a reader of a database, as Caffe2 writes it. */
void
fuzz_one (GBytes *bytes)
{
  static gboolean has_databases;
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gDbReader) reader = NULL;

  if (!has_databases)
    make_databases ();
  has_databases = TRUE;

  reader = c2g_db_reader_from_message (bytes, NULL, &error);
  if (reader == NULL)
    {
      fuzz_check_error (error);
      return;
    }

  check_message (reader);
  check_reading (reader);
  check_message (reader);
}
