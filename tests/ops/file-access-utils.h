/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/test-utils.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder has `root`, `model` and `outside`. No net with a limit may reach the files in `outside`,
 * by any path. */

#define NO_ERROR   -1
/* The access is permitted but fails: the file is not there, or a link is not followed. */
#define SOME_ERROR -2

typedef struct
{
  char *path;
  char *cwd;
} Place;

static inline char *
place_path (Place      *place,
            const char *name)
{
  return g_build_filename (place->path, name, NULL);
}

static inline void
make_folder (Place      *place,
             const char *name)
{
  g_autofree char *path = place_path (place, name);

  g_assert_cmpint (g_mkdir (path, 0777), ==, 0);
}

static inline void
make_link (Place      *place,
           const char *target,
           const char *name)
{
  g_autofree char *path = place_path (place, name);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static inline gboolean
is_there (Place      *place,
          const char *name)
{
  g_autofree char *path = place_path (place, name);
  struct stat status;

  return lstat (path, &status) == 0;
}

/* A database with the blob "x". */
static inline void
make_database (Place      *place,
               const char *name,
               const char *db_type)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = place_path (place, name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gTensor) tensor = c2g_workspace_create_tensor (workspace, "x", C2G_DATA_TYPE_FLOAT,
                                                   C2G_TEST_DIMS (2), &error);

  g_assert_no_error (error);
  memset (c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL), 0, 8);
  c2g_save_options_set_db_type (options, db_type);
  c2g_workspace_save_checkpoint (workspace, file, options, NULL, &error);
  g_assert_no_error (error);
}

static inline void
place_init (Place *place)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *made = g_dir_make_tmp ("c2g-access-XXXXXX", &error);
  g_autofree char *root = NULL;
  g_autofree char *outside = NULL;

  g_assert_no_error (error);
  place->path = g_steal_pointer (&made);
  place->cwd = g_get_current_dir ();
  make_folder (place, "root");
  make_folder (place, "root/sub");
  make_folder (place, "model");
  make_folder (place, "outside");
  make_folder (place, "root/faked.lmdb");
  make_database (place, "root/in.minidb", "minidb");
  make_database (place, "model/in-model.minidb", "minidb");
  make_database (place, "outside/secret.minidb", "minidb");
  make_database (place, "outside/secret.lmdb", "lmdb");

  root = place_path (place, "root");
  outside = place_path (place, "outside");
  make_link (place, "../outside", "root/out");
  make_link (place, outside, "root/out-absolute");
  make_link (place, "../outside/secret.minidb", "root/secret.minidb");
  make_link (place, "../outside/new.minidb", "root/dangling.minidb");
  make_link (place, "../../outside/secret.lmdb/data.mdb", "root/faked.lmdb/data.mdb");
  make_link (place, "sub", "root/inside");
  make_link (place, "loop", "root/loop");
  make_link (place, "/proc/self/cwd", "root/magic");
  make_link (place, "root", "root-link");
  make_link (place, "../outside/x.log", "root/evil.log");
  g_assert_cmpint (g_chdir (outside), ==, 0);
}

static inline void
remove_tree (const char *path)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    folder = g_dir_open (path, 0, NULL);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_assert_cmpint (g_remove (path), ==, 0);
}

static inline void
place_clear (Place *place)
{
  g_assert_cmpint (g_chdir (place->cwd), ==, 0);
  remove_tree (place->path);
  g_free (place->path);
  g_free (place->cwd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static inline C2gWorkspace *
new_workspace (Place         *place,
               C2gFileAccess  access)
{
  C2gWorkspace *workspace = c2g_workspace_new ();
  g_autofree char *root = place_path (place, "root");
  g_autofree char *model = place_path (place, "model");
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gTensor) tensor = c2g_workspace_create_tensor (workspace, "x", C2G_DATA_TYPE_INT64,
                                                   C2G_TEST_DIMS (1), &error);

  g_assert_no_error (error);
  *(gint64 *) c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_INT64, NULL) = 7;
  c2g_workspace_set_root_folder (workspace, root);
  c2g_workspace_set_model_folder (workspace, model);
  c2g_workspace_set_file_access (workspace, access);
  return workspace;
}

static inline void
check_error (const GError *error,
             int           code)
{
  if (code == NO_ERROR)
    g_assert_no_error (error);
  else if (code == SOME_ERROR)
    {
      g_assert_nonnull (error);
      g_assert_false (g_error_matches (error, C2G_ERROR, C2G_ERROR_DENIED));
    }
  else
    g_assert_error (error, C2G_ERROR, code);
}

/* BASE in a text is replaced by the folder of the test. */
static inline void
run_net (C2gWorkspace *workspace,
         Place        *place,
         const char   *text,
         int           code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) net = g_string_new (text);
  g_autoptr (C2gNetDef) def = NULL;

  g_string_replace (net, "BASE", place->path, 0);
  g_test_message ("%s", net->str);
  def = c2g_net_def_new_from_text (net->str, &error);
  g_assert_no_error (error);
  c2g_workspace_run_net_once (workspace, def, NULL, &error);
  check_error (error, code);
}

#define MINIDB " arg { name: 'db_type' s: 'minidb' } "

static inline void
run_save (C2gWorkspace *workspace,
          Place        *place,
          const char   *db,
          int           code)
{
  g_autofree char *text = g_strdup_printf ("op { type: 'Save' input: 'x' " MINIDB
                                           "arg { name: 'db' s: '%s' } }",
                                           db);

  run_net (workspace, place, text, code);
}

static inline void
run_load (C2gWorkspace *workspace,
          Place        *place,
          const char   *db,
          int           code)
{
  g_autofree char *text = g_strdup_printf ("op { type: 'Load' output: 'y' " MINIDB
                                           "arg { name: 'source_blob_names' strings: 'x' } "
                                           "arg { name: 'db' s: '%s' } }",
                                           db);

  run_net (workspace, place, text, code);
}
