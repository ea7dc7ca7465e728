/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/workspace/c2g-blob-private.h>
#include <c2g/core/workspace/c2g-workspace-private.h>

#include "workspace-utils.h"

#include <string.h>

/* Repeats Caffe2's BlobAccess. */
static void
test_access (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) found = NULL;
  C2gBlob *blob;

  g_assert_false (c2g_workspace_has_blob (workspace, "nonexisting"));
  g_assert_null (get (workspace, "nonexisting"));
  g_assert_null (c2g_workspace_get_blob (workspace, "nonexisting", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“nonexisting”"));
  g_assert_null (c2g_workspace_lookup_blob (workspace, "nonexisting"));

  blob = create (workspace, "newblob");
  g_assert_true (c2g_workspace_has_blob (workspace, "newblob"));
  g_assert_true (get (workspace, "newblob") == blob);
  found = c2g_workspace_lookup_blob (workspace, "newblob");
  g_assert_true (found == blob);
  g_assert_true (create (workspace, "newblob") == blob);
  g_assert_true (create_local (workspace, "newblob") == blob);
  g_assert_null (get (workspace, "nonexisting"));

  g_assert_true (c2g_workspace_remove_blob (workspace, "newblob"));
  g_assert_false (c2g_workspace_remove_blob (workspace, "newblob"));
  g_assert_null (get (workspace, "newblob"));
}

/* Blobs that only an optimized net has are in no error, but hide those of the parent. Content of a
 * program's own makes a blob one of the program. */
static void
test_derived_names (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new_with_parent (parent);
  g_autoptr (C2gTensor) tensor = c2g_tensor_new ();
  g_autoptr (GError) error = NULL;
  C2gBlob *blob;

  create_local (workspace, "a");
  create (parent, "a_nhwc");
  blob = create_local (workspace, "a_nhwc");
  c2g_workspace_mark_derived (workspace, "a_nhwc");
  g_assert_nonnull (c2g_blob_ensure_tensor (blob, NULL, NULL));
  g_assert_null (c2g_workspace_get_blob (workspace, "c", &error));
  g_assert_cmpstr (error->message, ==, "There is no blob “c” in the workspace, but “a”");
  g_clear_error (&error);
  g_assert_true (c2g_workspace_set_tensor (workspace, "a_nhwc", tensor, NULL));
  g_assert_null (c2g_workspace_get_blob (workspace, "c", &error));
  g_assert_cmpstr (error->message, ==, "There is no blob “c” in the workspace, but “a”, “a_nhwc”");
}

/* The error about a blob lists the first names that there are, those of the parent, too. */
static void
test_names_told (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new_with_parent (parent);
  g_autoptr (GError) error = NULL;

  create_local (workspace, "a");
  create (parent, "b");
  g_assert_null (c2g_workspace_get_blob (workspace, "c", &error));
  g_assert_cmpstr (error->message, ==, "There is no blob “c” in the workspace, but “a”, “b”");
  g_clear_error (&error);
  create_local (workspace, "fc_w");
  g_assert_null (c2g_workspace_get_blob (workspace, "fc_x", &error));
  g_assert_cmpstr (error->message, ==,
                   "There is no blob “fc_x” in the workspace, but “a”, “fc_w”, “b”; did you mean “fc_w”?");
  g_clear_error (&error);
  /* A name that differs in its case alone is nearer than one with another letter. */
  create_local (workspace, "fc_b");
  g_assert_null (c2g_workspace_get_blob (workspace, "fc_B", &error));
  g_assert_true (g_str_has_suffix (error->message, "; did you mean “fc_b”?"));
  g_clear_error (&error);
  g_assert_true (c2g_workspace_remove_blob (workspace, "fc_b"));
  g_assert_true (c2g_workspace_remove_blob (workspace, "fc_w"));
  for (int i = 0; i < 23; i++)
    {
      g_autofree char *name = g_strdup_printf ("blob-%d", i);

      create_local (workspace, name);
    }
  g_assert_null (c2g_workspace_get_blob (workspace, "c", &error));
  g_assert_true (g_str_has_suffix (error->message, "“blob-17”, “blob-18”, … (25 in all)"));
}

/* Repeats Caffe2's Sharing. */
static void
test_sharing (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) child = c2g_workspace_new_with_parent (parent);
  g_autoptr (C2gWorkspace) grandchild = c2g_workspace_new_with_parent (child);
  C2gBlob *of_parent = create (parent, "a");
  C2gBlob *of_child = create (child, "b");

  g_assert_true (c2g_workspace_get_parent (child) == parent);
  g_assert_null (c2g_workspace_get_parent (parent));

  g_assert_true (get (child, "a") == of_parent);
  g_assert_true (get (grandchild, "a") == of_parent);
  g_assert_true (create (grandchild, "a") == of_parent);
  g_assert_null (get (parent, "b"));
  g_assert_true (get (grandchild, "b") == of_child);

  /* Only local blobs can be removed, and a local blob hides the parent's. */
  g_assert_false (c2g_workspace_remove_blob (child, "a"));
  g_assert_true (get (child, "a") == of_parent);
  g_assert_true (create_local (child, "a") != of_parent);
  g_assert_true (get (grandchild, "a") == get (child, "a"));
  g_assert_true (get (grandchild, "a") != of_parent);
  g_assert_true (c2g_workspace_remove_blob (child, "a"));
  g_assert_true (get (grandchild, "a") == of_parent);

  assert_names (c2g_workspace_list_blobs (grandchild), "b a");
  assert_names (c2g_workspace_list_local_blobs (grandchild), "");
  g_assert_true (c2g_workspace_remove_blob (parent, "a"));
  g_assert_null (get (grandchild, "a"));
}

static void
test_parent_lives (void)
{
  C2gWorkspace *parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) child = c2g_workspace_new_with_parent (parent);
  C2gBlob *blob = create (parent, "a");

  g_object_add_weak_pointer (G_OBJECT (parent), (gpointer *) &parent);
  g_object_unref (parent);
  g_assert_true (get (child, "a") == blob);
  g_assert_finalize_object (g_steal_pointer (&child));
  g_assert_null (parent);
}

/* Records what the signals about blobs said. */
typedef struct
{
  GString *log;
} Log;

static void
log_blob (Log        *log,
          const char *what,
          C2gBlob    *blob)
{
  g_autofree char *name = c2g_blob_dup_name (blob);

  g_string_append_printf (log->log, "%s%s ", what, name);
}

static void
added_cb (C2gWorkspace *workspace,
          C2gBlob      *blob,
          Log          *log)
{
  g_autofree char *name = c2g_blob_dup_name (blob);

  g_assert_true (get (workspace, name) == blob);
  log_blob (log, "+", blob);
}

static void
removed_cb (C2gWorkspace *workspace,
            C2gBlob      *blob,
            Log          *log)
{
  g_autofree char *name = c2g_blob_dup_name (blob);

  g_assert_true (get (workspace, name) != blob);
  log_blob (log, "-", blob);
}

static void
renamed_cb (C2gWorkspace *workspace,
            C2gBlob      *blob,
            const char   *old_name,
            Log          *log)
{
  g_assert_null (get (workspace, old_name));
  log_blob (log, old_name, blob);
}

static void
log_connect (Log          *log,
             C2gWorkspace *workspace)
{
  log->log = g_string_new (NULL);
  g_signal_connect (workspace, "blob-added", G_CALLBACK (added_cb), log);
  g_signal_connect (workspace, "blob-removed", G_CALLBACK (removed_cb), log);
  g_signal_connect (workspace, "blob-renamed", G_CALLBACK (renamed_cb), log);
}

static void
assert_logged (Log        *log,
               const char *expected)
{
  g_assert_cmpstr (log->log->str, ==, expected);
  g_string_truncate (log->log, 0);
}

static void
test_signals (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  Log log;

  log_connect (&log, workspace);
  create (workspace, "a");
  create (workspace, "a");
  create_local (workspace, "b");
  assert_logged (&log, "+a +b ");
  g_assert_true (c2g_workspace_rename_blob (workspace, "a", "c", NULL));
  assert_logged (&log, "ac ");
  g_assert_true (c2g_workspace_rename_blob (workspace, "c", "c", NULL));
  c2g_workspace_remove_blob (workspace, "a");
  assert_logged (&log, "");
  c2g_workspace_remove_blob (workspace, "b");
  create (workspace, "d");
  assert_logged (&log, "-b +d ");
  c2g_workspace_clear (workspace);
  c2g_workspace_clear (workspace);
  assert_logged (&log, "-c -d ");

  /* Disposing emits no signals. */
  create (workspace, "e");
  assert_logged (&log, "+e ");
  g_object_run_dispose (G_OBJECT (workspace));
  assert_logged (&log, "");
  g_string_free (log.log, TRUE);
}

static void
notify_cb (GObject    *object,
           GParamSpec *pspec,
           guint      *count)
{
  (*count)++;
}

static void
test_rename (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new_with_parent (parent);
  const struct
  {
    const char *old_name;
    const char *new_name;
    int code;
    const char *text;
  } cases[] = {
    { "missing", "new", C2G_ERROR_NOT_FOUND, "“missing”" },
    { "missing", "other", C2G_ERROR_NOT_FOUND, "“missing”" },
    { "missing", "missing", C2G_ERROR_NOT_FOUND, "“missing”" },
    { "of-parent", "new", C2G_ERROR_NOT_FOUND, "“of-parent”" },
    { "forwarded", "new", C2G_ERROR_NOT_FOUND, "“forwarded”" },
    { "a", "other", C2G_ERROR_EXISTS, "“other”" },
    { "a", "of-parent", C2G_ERROR_EXISTS, "“of-parent”" },
    { "a", "forwarded", C2G_ERROR_EXISTS, "“forwarded”" },
    { "a", "dangling", C2G_ERROR_EXISTS, "“dangling”" },
    { "a", "", C2G_ERROR_INVALID_ARGUMENT, "empty" },
    { "a", "\xff", C2G_ERROR_INVALID_ARGUMENT, "UTF-8" },
  };
  g_autoptr (GError) error = NULL;
  C2gBlob *blob = create (workspace, "a");
  guint n_notified = 0;

  create (workspace, "other");
  create (parent, "of-parent");
  create (parent, "gone");
  map (workspace, parent, STRV ("forwarded", "dangling"), STRV ("of-parent", "gone"));
  c2g_workspace_remove_blob (parent, "gone");
  g_signal_connect (blob, "notify::name", G_CALLBACK (notify_cb), &n_notified);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_false (c2g_workspace_rename_blob (workspace, cases[i].old_name, cases[i].new_name,
                                                 &error));
      g_assert_error (error, C2G_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].text));
      g_clear_error (&error);
      assert_names (c2g_workspace_list_local_blobs (workspace), "a other");
      g_assert_cmpuint (n_notified, ==, 0);
    }

  g_assert_true (c2g_workspace_rename_blob (workspace, "a", "new", &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_true (get (workspace, "new") == blob);
  g_assert_null (get (workspace, "a"));
  assert_names (c2g_workspace_list_local_blobs (workspace), "new other");
  g_assert_true (create (workspace, "a") != blob);
}

static void
test_names (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autofree char *long_name = g_strnfill (1 << 20, 'n');
  const char *names[] = {
    " ", "a/b", "\t", "\346\235\203\351\207\215", "%s%n", "a b", "'", long_name
  };
  const char *bad_names[] = { "", "\xff", "abc\xc3", "\xed\xa0\x80" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = NULL;
      C2gBlob *blob = create (workspace, names[i]);

      g_assert_true (get (workspace, names[i]) == blob);
      name = c2g_blob_dup_name (blob);
      g_assert_cmpstr (name, ==, names[i]);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (bad_names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) local_error = NULL;

      g_assert_null (c2g_workspace_create_blob (workspace, bad_names[i], &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_assert_null (c2g_workspace_create_local_blob (workspace, bad_names[i], &local_error));
      g_assert_error (local_error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_null (get (workspace, bad_names[i]));
    }
}

/* Creates, renames and removes so many blobs that every path of the table is used, and compares
 * with a GHashTable. */
static void
test_many_names (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GHashTable) model = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_auto (GStrv) names = NULL;

  for (guint i = c2g_test_count_rounds (30000); i > 0; i--)
    {
      g_autofree char *name = g_strdup_printf ("%u", g_rand_int_range (random, 0, 400));
      g_autofree char *other = g_strdup_printf ("%u", g_rand_int_range (random, 0, 400));

      switch (g_rand_int_range (random, 0, 4))
        {
        case 0:
          g_assert_true (c2g_workspace_remove_blob (workspace, name) ==
                         g_hash_table_remove (model, name));
          break;
        case 1:
          if (c2g_workspace_rename_blob (workspace, name, other, NULL) && strcmp (name, other) != 0)
            {
              g_hash_table_insert (model, g_strdup (other), g_hash_table_lookup (model, name));
              g_assert_true (g_hash_table_remove (model, name));
            }
          break;
        default:
          g_hash_table_insert (model, g_strdup (name), create (workspace, name));
          break;
        }
      g_assert_true (get (workspace, other) == g_hash_table_lookup (model, other));
    }

  names = c2g_workspace_list_local_blobs (workspace);
  g_assert_cmpuint (g_strv_length (names), ==, g_hash_table_size (model));
  for (gsize i = 0; names[i] != NULL; i++)
    g_assert_true (get (workspace, names[i]) == g_hash_table_lookup (model, names[i]));
}

static void
test_lifetime (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gBlob) kept = NULL;
  g_autofree char *name = NULL;
  C2gBlob *blob = create (workspace, "a");

  g_object_add_weak_pointer (G_OBJECT (blob), (gpointer *) &blob);
  c2g_workspace_remove_blob (workspace, "a");
  g_assert_null (blob);

  blob = create (workspace, "b");
  g_object_add_weak_pointer (G_OBJECT (blob), (gpointer *) &blob);
  c2g_workspace_clear (workspace);
  g_assert_null (blob);

  /* A removed blob lives with its name and content as long as there is a reference. */
  kept = c2g_workspace_create_blob (workspace, "c", &error);
  c2g_blob_ensure_tensor (kept, NULL, NULL);
  blob = create (workspace, "d");
  g_object_add_weak_pointer (G_OBJECT (blob), (gpointer *) &blob);
  g_assert_finalize_object (g_steal_pointer (&workspace));
  g_assert_null (blob);
  name = c2g_blob_dup_name (kept);
  g_assert_cmpstr (name, ==, "c");
  g_assert_true (c2g_blob_is_tensor (kept, NULL));
}

static void
test_dispose (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new_with_parent (parent);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) map_error = NULL;
  g_autofree char *report = NULL;

  create (parent, "p");
  create (workspace, "a");
  map (workspace, parent, STRV ("x"), STRV ("p"));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (workspace)), ==, 1);
  g_object_run_dispose (G_OBJECT (workspace));
  g_object_run_dispose (G_OBJECT (workspace));

  g_assert_null (c2g_workspace_get_parent (workspace));
  g_assert_null (get (workspace, "a"));
  g_assert_null (get (workspace, "x"));
  g_assert_null (get (workspace, "p"));
  g_assert_null (c2g_workspace_create_blob (workspace, "b", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_null (c2g_workspace_create_local_blob (workspace, "b", NULL));
  g_assert_false (c2g_workspace_remove_blob (workspace, "a"));
  g_assert_false (c2g_workspace_rename_blob (workspace, "a", "b", NULL));
  g_assert_false (c2g_workspace_add_blob_mapping (workspace, parent, STRV ("y"), STRV ("p"), FALSE,
                                                  &map_error));
  g_assert_error (map_error, C2G_ERROR, C2G_ERROR_FAILED);
  g_assert_true (c2g_workspace_copy_forwarded_tensors (workspace, NULL, NULL));
  c2g_workspace_clear (workspace);
  assert_names (c2g_workspace_list_blobs (workspace), "");
  assert_names (c2g_workspace_list_local_blobs (workspace), "");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (workspace)), ==, 0);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (workspace), 0));
  report = c2g_workspace_dup_report (workspace);
  g_assert_nonnull (report);
}

static void
test_properties (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (C2gWorkspace) property = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  guint n_notified = 0;

  workspace = g_object_new (C2G_TYPE_WORKSPACE, "parent", parent, "root-folder", "/models", NULL);
  g_object_get (workspace, "parent", &property, "root-folder", &first, NULL);
  g_assert_true (property == parent);
  g_assert_cmpstr (first, ==, "/models");

  g_signal_connect (workspace, "notify::root-folder", G_CALLBACK (notify_cb), &n_notified);
  c2g_workspace_set_root_folder (workspace, "/models");
  g_assert_cmpuint (n_notified, ==, 0);
  c2g_workspace_set_root_folder (workspace, "other");
  second = c2g_workspace_dup_root_folder (workspace);
  g_assert_cmpstr (second, ==, "other");
  g_assert_cmpuint (n_notified, ==, 1);
  c2g_workspace_set_root_folder (workspace, NULL);
  c2g_workspace_set_root_folder (workspace, ".");
  third = c2g_workspace_get_root_folder (workspace);
  g_assert_cmpstr (third, ==, ".");
  g_assert_cmpuint (n_notified, ==, 2);
}

/* Returns the names and bytes of a report, without its first and last line. */
static char *
summarize_report (C2gWorkspace *workspace)
{
  g_autofree char *report = c2g_workspace_dup_report (workspace);
  g_auto (GStrv) lines = g_strsplit (report, "\n", -1);
  GString *summary = g_string_new (NULL);

  for (gsize i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      const char *name = strrchr (lines[i], ' ') + 1;

      g_string_append_printf (summary, "%s=%" G_GUINT64_FORMAT " ", name,
                              g_ascii_strtoull (lines[i], NULL, 10));
    }

  return g_string_free (summary, FALSE);
}

static void
assert_report (C2gWorkspace *workspace,
               const char   *expected)
{
  g_autofree char *summary = summarize_report (workspace);

  g_assert_cmpstr (summary, ==, expected);
}

static void
allocate (C2gBlob *blob,
          gint64   n)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);

  g_assert_true (c2g_tensor_resize (tensor, &n, 1, &error));
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, &error));
  g_assert_no_error (error);
}

static void
test_report (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) other = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  C2gTensor *sharer;

  assert_report (workspace, "total=0 ");

  allocate (create (workspace, "small"), 4);
  allocate (create (workspace, "large"), 100);
  create (workspace, "empty");
  assert_report (workspace, "large=400 small=16 empty=0 total=416 ");

  /* A blob of the same name in another workspace is counted separately. */
  allocate (create (other, "small"), 1000);
  assert_report (workspace, "large=400 small=16 empty=0 total=416 ");
  assert_report (other, "small=4000 total=4000 ");

  /* Shared memory counts once, under the blob it was allocated for. */
  sharer = c2g_blob_ensure_tensor (create (workspace, "sharer"), NULL, NULL);
  c2g_tensor_resize (sharer, C2G_TEST_DIMS (100), &error);
  c2g_tensor_share_data (sharer, c2g_blob_get_tensor (get (workspace, "large"), NULL), &error);
  g_assert_no_error (error);
  assert_report (workspace, "large=400 small=16 empty=0 sharer=0 total=416 ");

  /* Renaming shows at once, and a removed blob is not in the report. */
  g_assert_true (c2g_workspace_rename_blob (workspace, "large", "huge", &error));
  c2g_workspace_remove_blob (workspace, "sharer");
  assert_report (workspace, "huge=400 small=16 empty=0 total=416 ");
  c2g_blob_reset (get (workspace, "huge"));
  assert_report (workspace, "small=16 empty=0 huge=0 total=16 ");
}

static void
create_in_handler_cb (C2gWorkspace *workspace,
                      C2gBlob      *blob,
                      gpointer      user_data)
{
  g_autofree char *name = c2g_blob_dup_name (blob);
  g_autofree char *longer = g_strconcat (name, "x", NULL);

  if (strlen (name) < 5)
    create (workspace, longer);
}

static void
unref_in_handler_cb (C2gWorkspace *workspace,
                     C2gBlob      *blob,
                     gpointer      user_data)
{
  g_object_unref (workspace);
}

static void
test_reentrancy (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  C2gWorkspace *dropped = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = NULL;

  g_signal_connect (workspace, "blob-added", G_CALLBACK (create_in_handler_cb), NULL);
  create (workspace, "a");
  assert_names (c2g_workspace_list_local_blobs (workspace), "a ax axx axxx axxxx");

  g_signal_connect (dropped, "blob-added", G_CALLBACK (unref_in_handler_cb), NULL);
  g_object_add_weak_pointer (G_OBJECT (dropped), (gpointer *) &dropped);
  blob = c2g_workspace_create_blob (dropped, "a", NULL);
  g_assert_null (dropped);
  g_assert_true (C2G_IS_BLOB (blob));
}

/* Creates and gets tensors by the name of their blob. */
static void
test_tensors (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = NULL;
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (C2gTensor) again = NULL;
  g_autoptr (C2gTensor) scalar = NULL;
  g_autoptr (GError) error = NULL;

  tensor = c2g_workspace_create_tensor (workspace, "x", C2G_DATA_TYPE_FLOAT,
                                        C2G_TEST_DIMS (2, 3), &error);
  g_assert_no_error (error);
  g_assert_true (c2g_tensor_is_allocated (tensor));
  g_assert_cmpuint (c2g_tensor_get_n_bytes (tensor), ==, 24);
  g_assert_true (c2g_tensor_set_value (tensor, 0, 5, &error));

  /* A second call replaces the tensor and does not change the first one. */
  again = c2g_workspace_create_tensor (workspace, "x", C2G_DATA_TYPE_INT8, C2G_TEST_DIMS (7),
                                       &error);
  g_assert_no_error (error);
  g_assert_true (again != tensor);
  g_assert_cmpfloat (c2g_tensor_get_value (tensor, 0, &error), ==, 5);
  g_clear_object (&tensor);
  tensor = c2g_workspace_get_tensor (workspace, "x", &error);
  g_assert_true (again == tensor);
  g_assert_cmpint (c2g_tensor_get_data_type (tensor), ==, C2G_DATA_TYPE_INT8);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 7);

  /* A tensor that exists already, in a new blob and in place of another one. */
  g_assert_true (c2g_workspace_set_tensor (workspace, "other", tensor, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_workspace_set_tensor (workspace, "other", again, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_workspace_remove_blob (workspace, "other"));
  g_assert_false (c2g_workspace_set_tensor (workspace, "", tensor, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  scalar = c2g_workspace_create_tensor (workspace, "scalar", C2G_DATA_TYPE_DOUBLE, NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (scalar), ==, 1);

  /* A failure creates no blob, and does not change an existing one. */
  g_assert_null (c2g_workspace_create_tensor (workspace, "y", C2G_DATA_TYPE_FLOAT,
                                              C2G_TEST_DIMS (-1), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (c2g_workspace_has_blob (workspace, "y"));
  g_assert_null (c2g_workspace_create_tensor (workspace, "x", C2G_DATA_TYPE_FLOAT,
                                              C2G_TEST_DIMS (G_MAXINT64 / 8), &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_cmpint (c2g_tensor_get_n_elements (tensor), ==, 7);
  g_assert_null (c2g_workspace_create_tensor (workspace, "", C2G_DATA_TYPE_FLOAT,
                                              C2G_TEST_DIMS (1), &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  g_assert_null (c2g_workspace_get_tensor (workspace, "y", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_clear_error (&error);
  blob = c2g_workspace_create_blob (workspace, "z", &error);
  g_assert_null (c2g_workspace_get_tensor (workspace, "z", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_TYPE);
}

/* So many nested parents and forwards that recursion would overflow the stack. */
static void
test_nested (void)
{
  static const char *const names[] = { "x", NULL };
  C2gWorkspace *first = c2g_workspace_new ();
  C2gWorkspace *last = first;
  C2gBlob *blob = c2g_workspace_create_blob (first, "x", NULL);
  C2gBlob *found;
  g_auto (GStrv) list = NULL;

  g_object_add_weak_pointer (G_OBJECT (first), (gpointer *) &first);
  for (guint i = c2g_test_is_quick () ? 5000 : 100000; i > 0; i--)
    {
      C2gWorkspace *parent = last;

      last = c2g_workspace_new_with_parent (parent);
      g_object_unref (parent);
    }

  found = c2g_workspace_get_blob (last, "x", NULL);
  g_assert_true (found == blob);
  g_object_unref (found);
  list = c2g_workspace_list_blobs (last);
  g_assert_cmpuint (g_strv_length (list), ==, 1);

  for (guint i = 0; i < 100; i++)
    {
      C2gWorkspace *child = c2g_workspace_new ();

      g_assert_true (c2g_workspace_add_blob_mapping (child, last, names, NULL, FALSE, NULL));
      g_object_unref (last);
      last = child;
    }
  g_assert_finalize_object (last);
  g_assert_null (first);
  g_assert_finalize_object (blob);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/workspace/access", test_access);
  c2g_test_add_func ("/workspace/names-told", test_names_told);
  c2g_test_add_func ("/workspace/derived-names", test_derived_names);
  c2g_test_add_func ("/workspace/sharing", test_sharing);
  c2g_test_add_func ("/workspace/parent-lives", test_parent_lives);
  c2g_test_add_func ("/workspace/signals", test_signals);
  c2g_test_add_func ("/workspace/tensors", test_tensors);
  c2g_test_add_func ("/workspace/rename", test_rename);
  c2g_test_add_func ("/workspace/names", test_names);
  c2g_test_add_func ("/workspace/many-names", test_many_names);
  c2g_test_add_func ("/workspace/lifetime", test_lifetime);
  c2g_test_add_func ("/workspace/nested", test_nested);
  c2g_test_add_func ("/workspace/dispose", test_dispose);
  c2g_test_add_func ("/workspace/properties", test_properties);
  c2g_test_add_func ("/workspace/report", test_report);
  c2g_test_add_func ("/workspace/reentrancy", test_reentrancy);

  return c2g_test_run ();
}
