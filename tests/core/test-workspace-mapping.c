/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "workspace-utils.h"

#include <string.h>

static void
assert_map_fails (C2gWorkspace      *workspace,
                  C2gWorkspace      *parent,
                  const char *const *names,
                  const char *const *parent_names,
                  C2gError           code,
                  const char        *text)
{
  g_autoptr (GError) error = NULL;
  gboolean done;

  done = c2g_workspace_add_blob_mapping (workspace, parent, names, parent_names, FALSE, &error);
  g_assert_false (done);
  g_assert_error (error, C2G_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, text));
  done = c2g_workspace_add_blob_mapping (workspace, parent, names, parent_names, FALSE, NULL);
  g_assert_false (done);
}

/* Repeats Caffe2's BlobMapping. */
static void
test_mapping (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) child = c2g_workspace_new ();
  C2gBlob *a = create (parent, "a");
  C2gBlob *b = create (parent, "b");

  map (child, parent, STRV ("x", "y"), STRV ("a", "b"));
  g_assert_true (get (child, "x") == a);
  g_assert_true (get (child, "y") == b);
  g_assert_null (get (child, "a"));
  g_assert_true (create (child, "x") == a);
  assert_names (c2g_workspace_list_blobs (child), "x y");
  assert_names (c2g_workspace_list_local_blobs (child), "");
  g_assert_false (c2g_workspace_remove_blob (child, "x"));
  g_assert_false (c2g_workspace_rename_blob (child, "x", "z", NULL));

  /* The same mapping again changes nothing. */
  map (child, parent, STRV ("x"), STRV ("a"));
  map (child, parent, STRV ("b"), NULL);
  g_assert_true (get (child, "b") == b);
  map (child, parent, (const char *const[]) { NULL }, NULL);

  /* A mapped name is looked up each time. */
  g_assert_true (c2g_workspace_remove_blob (parent, "a"));
  g_assert_null (get (child, "x"));
  a = create (parent, "a");
  g_assert_true (get (child, "x") == a);

  /* A local blob hides the mapped name. */
  g_assert_true (create_local (child, "x") != a);
  g_assert_true (get (child, "x") != a);
  g_assert_true (c2g_workspace_remove_blob (child, "x"));
  g_assert_true (get (child, "x") == a);
}

static void
test_mapping_errors (void)
{
  const struct
  {
    gboolean other;
    const char *names[3];
    const char *parent_names[3];
    C2gError code;
    const char *text;
  } cases[] = {
    { FALSE, { "n", "m" }, { "a", "missing" }, C2G_ERROR_NOT_FOUND, "“missing”" },
    { FALSE, { "n", "x" }, { "a", "b" }, C2G_ERROR_EXISTS, "“x”" },
    { TRUE, { "n", "x" }, { "a", "a" }, C2G_ERROR_EXISTS, "“x”" },
    { FALSE, { "n", "local" }, { "a", "b" }, C2G_ERROR_EXISTS, "“local”" },
    { FALSE, { "n", "s" }, { "a", "b" }, C2G_ERROR_EXISTS, "“s”" },
    { FALSE, { "n", "n" }, { "a", "b" }, C2G_ERROR_EXISTS, "“n”" },
    { FALSE, { "n", "" }, { "a", "b" }, C2G_ERROR_INVALID_ARGUMENT, "empty" },
    { FALSE, { "n", "\xff" }, { "a", "b" }, C2G_ERROR_INVALID_ARGUMENT, "UTF-8" },
    { FALSE, { "n", "m" }, { "a" }, C2G_ERROR_INVALID_ARGUMENT, "2, got 1" },
    { FALSE, { "n" }, { "a", "b" }, C2G_ERROR_INVALID_ARGUMENT, "1, got 2" },
  };
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) other = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) shared = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) child = c2g_workspace_new_with_parent (shared);
  g_autoptr (GError) error = NULL;

  create (parent, "a");
  create (parent, "b");
  create (other, "a");
  create (shared, "s");
  create (child, "local");
  map (child, parent, STRV ("x"), STRV ("a"));

  /* If one name is bad, none is forwarded. */
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_map_fails (child, cases[i].other ? other : parent, cases[i].names, cases[i].parent_names,
                      cases[i].code, cases[i].text);
  assert_names (c2g_workspace_list_blobs (child), "local x s");

  /* The same pair given twice is added once. */
  map (child, parent, STRV ("p", "p"), STRV ("b", "b"));
  assert_names (c2g_workspace_list_blobs (child), "local x p s");

  g_assert_true (c2g_workspace_add_blob_mapping (child, other, STRV ("x", "local", "s", "n", "n"),
                                                 STRV ("a", "a", "a", "a", "a"), TRUE, &error));
  g_assert_no_error (error);
  g_assert_true (get (child, "x") == get (parent, "a"));
  g_assert_true (get (child, "s") == get (shared, "s"));
  g_assert_true (get (child, "n") == get (other, "a"));
  assert_names (c2g_workspace_list_blobs (child), "local x p n s");
}

static void
test_mapping_chain (void)
{
  g_autoptr (C2gWorkspace) first = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) second = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) third = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) child = c2g_workspace_new_with_parent (third);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) create_error = NULL;
  C2gBlob *blob = create (first, "a");

  map (second, first, STRV ("b"), STRV ("a"));
  map (third, second, STRV ("c"), STRV ("b"));
  g_assert_true (get (third, "c") == blob);
  g_assert_true (get (child, "c") == blob);

  /* The error has the name and its target. */
  g_assert_true (c2g_workspace_remove_blob (first, "a"));
  g_assert_false (c2g_workspace_has_blob (third, "c"));
  g_assert_null (c2g_workspace_get_blob (third, "c", &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "“c”"));
  g_assert_nonnull (strstr (error->message, "“a”"));
  g_assert_null (c2g_workspace_create_blob (third, "c", &create_error));
  g_assert_error (create_error, C2G_ERROR, C2G_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (create_error->message, "“a”"));
  assert_names (c2g_workspace_list_blobs (third), "");

  /* A forward whose target is missing does not stop a child from creating the blob, as in
   * Caffe2. */
  g_assert_nonnull (create (child, "c"));
  assert_names (c2g_workspace_list_local_blobs (child), "c");
  g_assert_true (create_local (third, "c") == get (third, "c"));
}

static void
test_cycles (void)
{
  g_autoptr (C2gWorkspace) a = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) b = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) c = c2g_workspace_new_with_parent (b);
  g_autoptr (C2gWorkspace) d = c2g_workspace_new ();
  const char *const *names = STRV ("z");

  create (a, "of-a");
  create (b, "of-b");
  create (c, "of-c");
  create (d, "of-d");

  assert_map_fails (a, a, names, STRV ("of-a"), C2G_ERROR_INVALID_ARGUMENT, "ancestor");
  map (b, a, STRV ("x"), STRV ("of-a"));
  assert_map_fails (a, b, names, STRV ("of-b"), C2G_ERROR_INVALID_ARGUMENT, "ancestor");
  /* The parent of c is b, which forwards to a. */
  assert_map_fails (a, c, names, STRV ("of-c"), C2G_ERROR_INVALID_ARGUMENT, "ancestor");
  map (d, c, STRV ("x"), STRV ("of-c"));
  assert_map_fails (a, d, names, STRV ("of-d"), C2G_ERROR_INVALID_ARGUMENT, "ancestor");
  assert_map_fails (b, d, names, STRV ("of-d"), C2G_ERROR_INVALID_ARGUMENT, "ancestor");
  assert_names (c2g_workspace_list_blobs (a), "of-a");

  /* Several paths to one workspace are not a cycle. */
  map (d, b, STRV ("y"), STRV ("of-b"));
  map (d, a, STRV ("w"), STRV ("of-a"));
  map (c, a, STRV ("w"), STRV ("of-a"));

  /* Without forwards there is no cycle any more. */
  c2g_workspace_clear (b);
  create (b, "of-e");
  map (a, b, STRV ("of-e"), STRV ("of-e"));
}

static void
test_forward_keeps_parent (void)
{
  C2gWorkspace *parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) child = c2g_workspace_new ();
  C2gBlob *blob = create (parent, "a");

  g_object_add_weak_pointer (G_OBJECT (parent), (gpointer *) &parent);
  map (child, parent, STRV ("x"), STRV ("a"));
  g_object_unref (parent);
  g_assert_true (get (child, "x") == blob);
  c2g_workspace_clear (child);
  g_assert_null (parent);
  g_assert_null (get (child, "x"));
}

static void
fill (C2gBlob *blob,
      float    first)
{
  g_autoptr (GError) error = NULL;
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, &error);
  float *data;

  g_assert_true (c2g_tensor_resize (tensor, C2G_TEST_DIMS (4), &error));
  data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, &error);
  g_assert_no_error (error);
  for (int i = 0; i < 4; i++)
    data[i] = first + (float) i;
}

static double
value_of (C2gBlob *blob)
{
  return c2g_tensor_get_value (c2g_blob_get_tensor (blob, NULL), 0, NULL);
}

static void
count_cb (C2gWorkspace *workspace,
          C2gBlob      *blob,
          guint        *count)
{
  (*count)++;
}

static void
test_copy_forwarded (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) child = c2g_workspace_new ();
  g_autoptr (GError) error = NULL;
  guint n_added = 0;

  fill (create (parent, "a"), 1);
  fill (create (parent, "b"), 2);
  fill (create (parent, "c"), 3);
  map (child, parent, STRV ("x", "y", "z"), STRV ("a", "b", "c"));
  g_signal_connect (child, "blob-added", G_CALLBACK (count_cb), &n_added);

  g_assert_true (c2g_workspace_copy_forwarded_tensors (child, STRV ("y", "unknown", "y"), &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_added, ==, 1);
  assert_names (c2g_workspace_list_local_blobs (child), "y");
  assert_names (c2g_workspace_list_blobs (child), "y x z");
  g_assert_true (get (child, "y") != get (parent, "b"));
  g_assert_cmpfloat (value_of (get (child, "y")), ==, 2);

  /* Each workspace has its own tensor now. */
  fill (get (child, "y"), 20);
  g_assert_cmpfloat (value_of (get (parent, "b")), ==, 2);

  /* A local blob that hides the forwarded one gets the tensor. */
  create_local (child, "z");
  g_assert_true (c2g_workspace_copy_forwarded_tensors (child, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_added, ==, 3);
  assert_names (c2g_workspace_list_local_blobs (child), "y z x");
  g_assert_cmpfloat (value_of (get (child, "z")), ==, 3);
  g_assert_cmpfloat (value_of (get (child, "x")), ==, 1);
  g_assert_cmpfloat (value_of (get (child, "y")), ==, 20);
  g_assert_true (c2g_workspace_copy_forwarded_tensors (child, NULL, &error));
  g_assert_cmpuint (n_added, ==, 3);
}

static void
test_copy_forwarded_errors (void)
{
  g_autoptr (C2gWorkspace) parent = c2g_workspace_new ();
  g_autoptr (C2gWorkspace) child = c2g_workspace_new ();
  const struct
  {
    const char *name;
    C2gError code;
    const char *text;
  } cases[] = {
    { "removed", C2G_ERROR_NOT_FOUND, "“removed”" },
    { "empty", C2G_ERROR_TYPE, "“empty”" },
  };

  fill (create (parent, "good"), 1);
  create (parent, "removed");
  create (parent, "empty");
  map (child, parent, STRV ("good", "removed", "empty"), NULL);
  c2g_workspace_remove_blob (parent, "removed");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *names[] = { "good", cases[i].name, NULL };

      g_assert_false (c2g_workspace_copy_forwarded_tensors (child, names, &error));
      g_assert_error (error, C2G_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].text));
      assert_names (c2g_workspace_list_local_blobs (child), "");
      g_assert_true (get (child, "good") == get (parent, "good"));
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/workspace/mapping/basic", test_mapping);
  c2g_test_add_func ("/workspace/mapping/errors", test_mapping_errors);
  c2g_test_add_func ("/workspace/mapping/chain", test_mapping_chain);
  c2g_test_add_func ("/workspace/mapping/cycles", test_cycles);
  c2g_test_add_func ("/workspace/mapping/keeps-parent", test_forward_keeps_parent);
  c2g_test_add_func ("/workspace/copy-forwarded/basic", test_copy_forwarded);
  c2g_test_add_func ("/workspace/copy-forwarded/errors", test_copy_forwarded_errors);

  return c2g_test_run ();
}
