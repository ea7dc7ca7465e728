/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/ops/file-access-utils.h"

#include <c2g/io/lmdb/c2g-lmdb-store-private.h>
#include <c2g/io/stream/c2g-net-file-private.h>
#include <c2g/io/stream/c2g-sink-private.h>
#include <c2g/io/stream/c2g-source-private.h>

#include <fcntl.h>

/* Tests nets that try to use files without permission. */

/* Paths that are not below any folder, or only look so. */
static const char *const bad_paths[] = {
  "BASE/outside/secret.minidb",
  "BASE/root/in.minidb",
  "../outside/secret.minidb",
  "sub/../../outside/secret.minidb",
  "sub/../in.minidb",
  "./../outside/secret.minidb",
  "sub/..",
  "..",
  ".",
  "out/secret.minidb",
  "out-absolute/secret.minidb",
  "secret.minidb",
  "dangling.minidb",
  "loop",
  "magic/secret.minidb",
};

static void
test_root_folder (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;

  place_init (&place);
  workspace = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);

  for (gsize i = 0; i < G_N_ELEMENTS (bad_paths); i++)
    {
      run_save (workspace, &place, bad_paths[i], C2G_ERROR_DENIED);
      run_load (workspace, &place, bad_paths[i], C2G_ERROR_DENIED);
    }
  g_assert_false (is_there (&place, "outside/new.minidb"));

  run_load (workspace, &place, "in.minidb", NO_ERROR);
  run_load (workspace, &place, "sub/.././in.minidb", C2G_ERROR_DENIED);
  run_load (workspace, &place, ".//in.minidb", NO_ERROR);
  run_load (workspace, &place, "in-model.minidb", NO_ERROR);
  run_load (workspace, &place, "model/in-model.minidb", NO_ERROR);
  run_load (workspace, &place, "missing.minidb", SOME_ERROR);
  run_load (workspace, &place, "missing/missing.minidb", SOME_ERROR);
  run_save (workspace, &place, "new.minidb", NO_ERROR);
  run_save (workspace, &place, "inside/new.minidb", NO_ERROR);
  run_save (workspace, &place, "missing/new.minidb", SOME_ERROR);
  g_assert_true (is_there (&place, "root/new.minidb"));
  g_assert_true (is_there (&place, "root/sub/new.minidb"));
  g_assert_false (is_there (&place, "model/new.minidb"));

  /* A path with a zero byte is refused: the part before it must not be used. */
  run_load (workspace, &place, "in.minidb\\000/../../outside/secret.minidb", SOME_ERROR);
  run_save (workspace, &place, "sub/a\\000b", SOME_ERROR);
  g_assert_false (is_there (&place, "root/sub/a"));

  /* A URI is treated as an ordinary file name. */
  run_load (workspace, &place, "file://BASE/outside/secret.minidb", SOME_ERROR);
}

static void
test_model (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (C2gWorkspace) plain = c2g_workspace_new ();

  place_init (&place);
  workspace = new_workspace (&place, C2G_FILE_ACCESS_MODEL);

  for (gsize i = 0; i < G_N_ELEMENTS (bad_paths); i++)
    run_save (workspace, &place, bad_paths[i], C2G_ERROR_DENIED);
  run_save (workspace, &place, "new.minidb", C2G_ERROR_DENIED);
  run_load (workspace, &place, "in-model.minidb", NO_ERROR);
  /* Exporters also write the path from the folder above. */
  run_load (workspace, &place, "model/in-model.minidb", NO_ERROR);
  run_load (workspace, &place, "outside/secret.minidb", C2G_ERROR_DENIED);
  run_load (workspace, &place, "in.minidb", SOME_ERROR);
  run_load (workspace, &place, "../root/in.minidb", C2G_ERROR_DENIED);
  run_load (workspace, &place, "BASE/model/in-model.minidb", C2G_ERROR_DENIED);

  {
    g_autofree char *slash = place_path (&place, "model/");

    c2g_workspace_set_model_folder (workspace, slash);
    run_load (workspace, &place, "model/in-model.minidb", NO_ERROR);
  }

  /* Nothing is known about where these nets come from. */
  c2g_workspace_set_file_access (plain, C2G_FILE_ACCESS_MODEL);
  run_load (plain, &place, "secret.minidb", C2G_ERROR_DENIED);
}

/* A net learns nothing about files that it may not use: neither from DBExists above the model's
 * folder, nor from errors behind a link that leads out of a folder. */
static void
test_no_oracle (void)
{
  static const char *const hidden[] = {
    "out/none/x", "out/secret.minidb/x", "out/secret.lmdb/data.mdb", "out/none", "out/closed/x"
  };
  g_auto (Place) place = { 0 };
  const C2gFileAccess accesses[] = { C2G_FILE_ACCESS_MODEL, C2G_FILE_ACCESS_ROOT_FOLDER };

  place_init (&place);
  make_database (&place, "above.minidb", "minidb");
  make_folder (&place, "outside/closed");
  make_link (&place, "../outside", "model/out");
  for (gsize i = 0; i < G_N_ELEMENTS (accesses); i++)
    {
      g_autoptr (C2gWorkspace) workspace = new_workspace (&place, accesses[i]);
      static const char *const names[] = { "above.minidb", "none.minidb", "outside/secret.minidb" };

      for (gsize j = 0; j < G_N_ELEMENTS (names); j++)
        {
          g_autofree char *net = g_strdup_printf (
            "op { type: 'DBExists' output: 'y' arg { name: 'db_name' s: '%s' } " MINIDB " }", names[j]);
          g_autoptr (C2gTensor) output = NULL;

          run_net (workspace, &place, net, NO_ERROR);
          output = c2g_workspace_get_tensor (workspace, "y", NULL);
          g_assert_false (*(const guint8 *) c2g_tensor_data (output, C2G_DATA_TYPE_BOOL, NULL));
        }
      for (gsize j = 0; j < G_N_ELEMENTS (hidden); j++)
        run_load (workspace, &place, hidden[j], C2G_ERROR_DENIED);
    }
}

static void
test_none_and_all (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) none = NULL;
  g_autoptr (C2gWorkspace) all = NULL;
  g_autoptr (C2gWorkspace) plain = c2g_workspace_new ();

  place_init (&place);
  none = new_workspace (&place, C2G_FILE_ACCESS_NONE);
  all = new_workspace (&place, C2G_FILE_ACCESS_ALL);

  run_load (none, &place, "in.minidb", C2G_ERROR_DENIED);
  run_load (none, &place, "in-model.minidb", C2G_ERROR_DENIED);
  run_save (none, &place, "new.minidb", C2G_ERROR_DENIED);
  run_load (all, &place, "in.minidb", NO_ERROR);
  run_load (all, &place, "in-model.minidb", NO_ERROR);
  run_load (all, &place, "../outside/secret.minidb", NO_ERROR);
  run_save (all, &place, "BASE/outside/new.minidb", NO_ERROR);
  g_assert_true (is_there (&place, "outside/new.minidb"));
  g_assert_cmpint (c2g_workspace_get_file_access (plain), ==, C2G_FILE_ACCESS_ALL);
}

/* Tests every operator that names a file, also in nets of other operators and in plans. */
static void
test_operators (void)
{
  static const char *const nets[] = {
    "op { type: 'Load' output: 'y' arg { name: 'dbs' strings: 'in.minidb' "
    "  strings: 'BASE/outside/secret.minidb' } " MINIDB " }",
    "op { type: 'Load' output: 'x' arg { name: 'db' s: 'in.minidb' } "
    "  arg { name: 'absolute_path' i: 1 } " MINIDB " }",
    "op { type: 'DBExists' output: 'y' arg { name: 'db_name' s: 'out/secret.minidb' } " MINIDB " }",
    "op { type: 'DBExists' output: 'y' arg { name: 'db_name' s: 'secret.minidb' } "
    "  arg { name: 'absolute_path' i: 1 } " MINIDB " }",
    "op { type: 'CreateDB' output: 'y' arg { name: 'db' s: 'BASE/outside/secret.minidb' } " MINIDB
    " }",
    "op { type: 'CreateDB' output: 'y' arg { name: 'db' s: '../outside/secret.minidb' } " MINIDB
    " }",
    "op { type: 'Checkpoint' input: 'x' arg { name: 'db' s: 'out/secret.minidb' } "
    "  arg { name: 'every' i: 7 } " MINIDB " }",
    "op { type: 'Save' input: 'x' arg { name: 'db' s: 'precious' } "
    "  arg { name: 'absolute_path' i: 1 } " MINIDB " }",
    "op { type: 'Save' input: 'x' arg { name: 'db' s: 'out/new.lmdb' } "
    "  arg { name: 'db_type' s: 'lmdb' } }",
    "op { type: 'ConstantFill' output: 'evil' arg { name: 'shape' ints: 1 } } "
    "op { type: 'Print' input: 'evil' arg { name: 'to_file' i: 1 } }",
    "op { type: 'ConstantFill' output: 'c' arg { name: 'shape' ints: 1 } "
    "  arg { name: 'dtype' i: 5 } arg { name: 'value' i: 1 } } "
    "op { type: 'If' input: 'c' arg { name: 'then_net' n { op { type: 'Save' input: 'x' "
    "  arg { name: 'db' s: 'out/new.minidb' } " MINIDB " } } } }",
    "op { type: 'ConstantFill' output: 'n' arg { name: 'shape' } arg { name: 'dtype' i: 10 } "
    "  arg { name: 'value' i: 1 } } "
    "op { type: 'ONNXWhile' input: 'n' input: 'n' arg { name: 'has_trip_count' i: 1 } "
    "  arg { name: 'body' n { external_input: 'i' external_input: 'c' external_output: 'c' "
    "    external_input: 'x' op { type: 'Save' input: 'x' "
    "    arg { name: 'db' s: 'out/new.minidb' } " MINIDB " } } } }",
  };
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;

  place_init (&place);
  workspace = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);
  for (gsize i = 0; i < G_N_ELEMENTS (nets); i++)
    run_net (workspace, &place, nets[i], C2G_ERROR_DENIED);
  g_assert_false (is_there (&place, "outside/new.minidb"));
  g_assert_false (is_there (&place, "outside/new.lmdb"));
  g_assert_false (is_there (&place, "outside/precious"));
  g_assert_false (is_there (&place, "outside/x.log"));

  /* The folder itself is in the root folder, but its content is not. */
  run_net (workspace, &place,
           "op { type: 'Load' output: 'x' arg { name: 'db' s: 'faked.lmdb' } "
           "  arg { name: 'db_type' s: 'lmdb' } }",
           SOME_ERROR);
  run_net (workspace, &place,
           "op { type: 'CreateDB' output: 'r' arg { name: 'db' s: 'faked.lmdb' } "
           "  arg { name: 'db_type' s: 'lmdb' } }",
           SOME_ERROR);
  run_net (workspace, &place,
           "op { type: 'Save' input: 'x' arg { name: 'db' s: 'new.lmdb' } "
           "  arg { name: 'db_type' s: 'lmdb' } } "
           "op { type: 'Load' output: 'z' arg { name: 'source_blob_names' strings: 'x' } "
           "  arg { name: 'db' s: 'new.lmdb' } arg { name: 'db_type' s: 'lmdb' } } "
           "op { type: 'DBExists' output: 'e' arg { name: 'db_name' s: 'none.minidb' } " MINIDB
           " }",
           NO_ERROR);
}

static void
test_plan (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (C2gPlanDef) plan = NULL;
  g_autoptr (GError) error = NULL;

  place_init (&place);
  workspace = new_workspace (&place, C2G_FILE_ACCESS_MODEL);
  plan = c2g_plan_def_new_from_text (
    "network { name: 'n' external_input: 'x' op { type: 'Save' input: 'x' "
    "  arg { name: 'db' s: 'new.minidb' } " MINIDB " } } "
    "execution_step { substep { create_workspace: true network: 'n' } }",
    &error);
  g_assert_no_error (error);
  c2g_workspace_run_plan (workspace, plan, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DENIED);
  g_assert_false (is_there (&place, "root/new.minidb"));
}

/* The error has the operator, the path, and the setting that would permit it. */
static void
test_message (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (C2gOperatorDef) def = NULL;
  g_autoptr (GError) error = NULL;

  place_init (&place);
  workspace = new_workspace (&place, C2G_FILE_ACCESS_MODEL);
  def = c2g_operator_def_new_from_text ("type: 'Save' input: 'x' " MINIDB
                                        "arg { name: 'db' s: 'new.minidb' }",
                                        &error);
  g_assert_no_error (error);
  c2g_workspace_run_operator_once (workspace, def, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, "Save"));
  g_assert_nonnull (strstr (error->message, "“new.minidb”"));
  g_assert_nonnull (strstr (error->message, "“root-folder”"));
  g_clear_error (&error);
  g_clear_object (&def);

  /* A file that is only read may be beside the model. */
  c2g_workspace_set_file_access (workspace, C2G_FILE_ACCESS_NONE);
  def = c2g_operator_def_new_from_text ("type: 'Load' output: 'y' " MINIDB
                                        "arg { name: 'db' s: 'in-model.minidb' }",
                                        &error);
  g_assert_no_error (error);
  c2g_workspace_run_operator_once (workspace, def, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DENIED);
  g_assert_nonnull (strstr (error->message, "“model”"));
  g_assert_null (strstr (error->message, "“root-folder”"));
}

/* A serialized reader in a file could name any file. */
static void
test_readers (void)
{
  static const char load[] =
    "op { type: 'Load' output: 'r' arg { name: 'db' s: 'trap.minidb' } " MINIDB " }";
  static const char *const sources[] = { "outside/secret.minidb", "root/in.minidb" };
  g_auto (Place) place = { 0 };

  place_init (&place);
  for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autoptr (C2gWorkspace) all = new_workspace (&place, C2G_FILE_ACCESS_ALL);
      g_autoptr (C2gWorkspace) model = new_workspace (&place, C2G_FILE_ACCESS_MODEL);
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;
      g_autofree char *path = place_path (&place, "model/trap.minidb");
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autofree char *net = g_strdup_printf (
        "op { type: 'CreateDB' output: 'r' arg { name: 'db' s: 'BASE/%s' } " MINIDB " } "
        "op { type: 'Save' input: 'r' arg { name: 'db' s: 'BASE/model/trap.minidb' } " MINIDB " }",
        sources[i]);

      run_net (all, &place, net, NO_ERROR);
      run_net (all, &place, load, NO_ERROR);
      run_net (model, &place, load, C2G_ERROR_DENIED);
      names = c2g_workspace_load_checkpoint (model, file, NULL, NULL, &error);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DENIED);
      g_clear_error (&error);
      names = c2g_workspace_load_checkpoint (model, file, NULL, NULL, &error);
      g_assert_error (error, C2G_ERROR, C2G_ERROR_DENIED);
    }
}

/* The limit can be set here or in an ancestor; the nearest one counts. */
static void
test_children (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) parent = NULL;
  g_autoptr (C2gWorkspace) child = NULL;
  g_autoptr (C2gWorkspace) grandchild = NULL;
  g_autofree char *root = NULL;
  g_autofree char *model = NULL;

  place_init (&place);
  parent = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);
  child = c2g_workspace_new_with_parent (parent);
  grandchild = c2g_workspace_new_with_parent (child);
  g_assert_cmpint (c2g_workspace_get_file_access (grandchild), ==, C2G_FILE_ACCESS_ROOT_FOLDER);
  root = c2g_workspace_dup_root_folder (grandchild);
  model = c2g_workspace_dup_model_folder (grandchild);
  g_assert_true (g_str_has_suffix (root, "/root"));
  g_assert_true (g_str_has_suffix (model, "/model"));
  run_save (grandchild, &place, "new.minidb", NO_ERROR);
  g_assert_true (is_there (&place, "root/new.minidb"));
  run_load (grandchild, &place, "secret.minidb", C2G_ERROR_DENIED);

  c2g_workspace_set_file_access (child, C2G_FILE_ACCESS_NONE);
  run_load (grandchild, &place, "in.minidb", C2G_ERROR_DENIED);
  c2g_workspace_set_file_access (parent, C2G_FILE_ACCESS_ALL);
  run_load (grandchild, &place, "in.minidb", C2G_ERROR_DENIED);

  /* The workspace refuses all files if it has lost its parent, because the parent had the limit. */
  g_object_run_dispose (G_OBJECT (child));
  g_object_run_dispose (G_OBJECT (grandchild));
  g_assert_cmpint (c2g_workspace_get_file_access (grandchild), ==, C2G_FILE_ACCESS_NONE);
}

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          gpointer    data)
{
  (*(guint *) data)++;
}

static void
test_properties (void)
{
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autofree char *folder = NULL;
  C2gFileAccess access;
  guint n_notified = 0;

  workspace = g_object_new (C2G_TYPE_WORKSPACE, "file-access", C2G_FILE_ACCESS_MODEL,
                            "model-folder", "/models", NULL);
  g_object_get (workspace, "file-access", &access, "model-folder", &folder, NULL);
  g_assert_cmpint (access, ==, C2G_FILE_ACCESS_MODEL);
  g_assert_cmpstr (folder, ==, "/models");
  g_signal_connect (workspace, "notify::file-access", G_CALLBACK (count_cb), &n_notified);
  g_signal_connect (workspace, "notify::model-folder", G_CALLBACK (count_cb), &n_notified);
  c2g_workspace_set_file_access (workspace, C2G_FILE_ACCESS_MODEL);
  c2g_workspace_set_model_folder (workspace, "/models");
  g_assert_cmpuint (n_notified, ==, 0);
  c2g_workspace_set_file_access (workspace, C2G_FILE_ACCESS_NONE);
  c2g_workspace_set_model_folder (workspace, NULL);
  g_assert_cmpuint (n_notified, ==, 2);
}

/* The root folder may be a symbolic link, which may point to another folder later. */
static void
test_changed_root (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (C2gOperatorDef) def = NULL;
  g_autoptr (C2gOperator) op = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *link = NULL;
  g_autofree char *sub = NULL;

  place_init (&place);
  link = place_path (&place, "root-link");
  sub = place_path (&place, "root/sub");
  workspace = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);
  c2g_workspace_set_root_folder (workspace, link);
  run_load (workspace, &place, "in.minidb", NO_ERROR);
  run_save (workspace, &place, "new.minidb", NO_ERROR);
  run_load (workspace, &place, "out/secret.minidb", C2G_ERROR_DENIED);

  def = c2g_operator_def_new_from_text ("type: 'Print' input: 'x' arg { name: 'to_file' i: 1 }",
                                        &error);
  g_assert_no_error (error);
  op = c2g_operator_create (def, workspace, &error);
  g_assert_no_error (error);
  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  g_assert_true (is_there (&place, "root/x.log"));
  c2g_workspace_set_root_folder (workspace, sub);
  c2g_operator_run (op, &error);
  g_assert_no_error (error);
  g_assert_true (is_there (&place, "root/sub/x.log"));
  c2g_workspace_set_file_access (workspace, C2G_FILE_ACCESS_MODEL);
  c2g_operator_run (op, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DENIED);
}

static GFile *
find (C2gWorkspace *workspace,
      const char   *path,
      C2gFileUse    use)
{
  g_auto (C2gFileRules) rules = { 0 };
  g_autoptr (GError) error = NULL;
  GFile *file;

  c2g_workspace_get_file_rules (workspace, &rules);
  file = c2g_net_file_find (&rules, "Test", path, FALSE, use, &error);
  g_assert_no_error (error);
  return file;
}

/* Replaces a folder, or the file, by a link after the check of the path (a race). */
static void
test_race (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (GFile) read = NULL;
  g_autoptr (GFile) new = NULL;
  g_autoptr (GFile) new_lmdb = NULL;
  g_autoptr (GFile) lmdb = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (C2gSource) source = NULL;
  g_autoptr (C2gSink) sink = NULL;
  g_autoptr (C2gLmdbStore) store = NULL;
  g_autofree char *sub = NULL;
  g_autofree char *in = NULL;
  g_autofree char *other = NULL;
  g_autoptr (GError) error = NULL;

  place_init (&place);
  workspace = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);
  make_database (&place, "root/sub/secret.minidb", "minidb");
  make_database (&place, "root/old.lmdb", "lmdb");
  lmdb = find (workspace, "old.lmdb", C2G_FILE_USE_WRITE);
  read = find (workspace, "sub/secret.minidb", C2G_FILE_USE_READ);
  new = find (workspace, "sub/new.minidb", C2G_FILE_USE_WRITE);
  new_lmdb = find (workspace, "sub/new.lmdb", C2G_FILE_USE_WRITE);
  file = find (workspace, "in.minidb", C2G_FILE_USE_READ);

  sub = place_path (&place, "root/sub");
  other = place_path (&place, "root/moved");
  in = place_path (&place, "root/in.minidb");
  g_assert_cmpint (g_rename (sub, other), ==, 0);
  make_link (&place, "../outside", "root/sub");
  g_assert_cmpint (g_unlink (in), ==, 0);
  make_link (&place, "../outside/secret.minidb", "root/in.minidb");

  source = c2g_source_new_for_file (read, NULL, &error);
  g_assert_null (source);
  g_clear_error (&error);
  source = c2g_source_new_mapped (file, NULL, &error);
  g_assert_null (source);
  g_clear_error (&error);
  sink = c2g_sink_new_for_file (new, NULL, &error);
  g_assert_null (sink);
  g_clear_error (&error);
  store = c2g_lmdb_store_new (new_lmdb, &error);
  g_assert_null (store);
  g_clear_error (&error);
  store = c2g_lmdb_store_open (lmdb, lmdb, NULL, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_null (store);
  g_assert_cmpint (c2g_net_file_open (new, O_WRONLY | O_CREAT, 0666), ==, -1);
  g_assert_false (is_there (&place, "outside/new.minidb"));
}

static void
write_text (Place      *place,
            const char *name,
            const char *text)
{
  g_autofree char *path = place_path (place, name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

/* A model may read the files in its own folder, and needs permission for others. */
static void
test_predictor (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) parent = NULL;
  g_autoptr (C2gPredictor) predictor = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GFile) folder = NULL;
  g_autoptr (GError) error = NULL;

  place_init (&place);
  path = place_path (&place, "model");
  folder = g_file_new_for_path (path);
  write_text (&place, "model/predict_net.pbtxt",
              "external_input: 'data' external_input: 'x' external_output: 'y' "
              "op { type: 'Add' input: 'data' input: 'x' output: 'y' }");
  write_text (&place, "model/init_net.pbtxt",
              "op { type: 'Load' output: 'x' arg { name: 'db' s: 'in-model.minidb' } " MINIDB "}");
  predictor = c2g_predictor_load (folder, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_workspace_get_file_access (c2g_predictor_get_workspace (predictor)), ==,
                   C2G_FILE_ACCESS_MODEL);
  g_clear_object (&predictor);

  write_text (&place, "model/init_net.pbtxt",
              "op { type: 'ConstantFill' output: 'x' arg { name: 'shape' ints: 2 } } "
              "op { type: 'Save' input: 'x' arg { name: 'db' s: 'new.minidb' } " MINIDB "}");
  predictor = c2g_predictor_load (folder, NULL, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_error (error, C2G_ERROR, C2G_ERROR_DENIED);
  g_clear_error (&error);
  g_assert_false (is_there (&place, "outside/new.minidb"));

  parent = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);
  predictor = c2g_predictor_load (folder, parent, NULL, C2G_OPTIMIZE_ALL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (is_there (&place, "root/new.minidb"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/file-access/root-folder", test_root_folder);
  c2g_test_add_func ("/file-access/model", test_model);
  c2g_test_add_func ("/file-access/no-oracle", test_no_oracle);
  c2g_test_add_func ("/file-access/none-and-all", test_none_and_all);
  c2g_test_add_func ("/file-access/operators", test_operators);
  c2g_test_add_func ("/file-access/plan", test_plan);
  c2g_test_add_func ("/file-access/message", test_message);
  c2g_test_add_func ("/file-access/readers", test_readers);
  c2g_test_add_func ("/file-access/children", test_children);
  c2g_test_add_func ("/file-access/properties", test_properties);
  c2g_test_add_func ("/file-access/changed-root", test_changed_root);
  c2g_test_add_func ("/file-access/race", test_race);
  c2g_test_add_func ("/file-access/predictor", test_predictor);

  return c2g_test_run ();
}
