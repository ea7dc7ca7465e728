/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/save-utils.h"

/* A workspace is saved while other threads add, remove, change and load blobs. Best run under
 * ThreadSanitizer. */

#define N_SAVES 60

typedef struct
{
  C2gWorkspace *workspace;
  GBytes       *file;
  int           is_over;
} Arena;

static gpointer
create_run (gpointer data)
{
  Arena *self = data;

  for (guint i = 0; !g_atomic_int_get (&self->is_over); i++)
    {
      g_autofree char *name = g_strdup_printf ("made %u", i % 7);
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gTensor) tensor =
        c2g_workspace_create_tensor (self->workspace, name, C2G_DATA_TYPE_FLOAT,
                                     C2G_TEST_DIMS (1 + i % 9), &error);

      g_assert_no_error (error);
    }

  return NULL;
}

/* Creates blobs, fills them later, and empties some. */
static gpointer
fill_run (gpointer data)
{
  Arena *self = data;
  g_auto (GValue) text = G_VALUE_INIT;

  g_value_init (&text, G_TYPE_STRING);
  g_value_set_static_string (&text, "text");
  for (guint i = 0; !g_atomic_int_get (&self->is_over); i++)
    {
      g_autofree char *name = g_strdup_printf ("filled %u", i % 5);
      g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (self->workspace, name, NULL);

      c2g_blob_set_value (blob, &text);
      if (i % 3 == 0)
        c2g_blob_reset (blob);
    }

  return NULL;
}

static gpointer
remove_run (gpointer data)
{
  Arena *self = data;

  for (guint i = 0; !g_atomic_int_get (&self->is_over); i++)
    {
      g_autofree char *made = g_strdup_printf ("made %u", i % 7);

      c2g_workspace_remove_blob (self->workspace, made);
    }

  return NULL;
}

/* Loads into a new blob each time, because loading writes existing tensors. */
static gpointer
load_run (gpointer data)
{
  Arena *self = data;

  for (guint i = 0; !g_atomic_int_get (&self->is_over); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (self->file, "x.minidb", &error);
      g_auto (GStrv) names = NULL;

      g_assert_no_error (error);
      names = c2g_model_file_load (file, self->workspace, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (names[0], ==, "numbers");
      c2g_workspace_remove_blob (self->workspace, names[0]);
    }

  return NULL;
}

/* Checks that each file has all permanent blobs with their whole content. */
static void
assert_has_kept (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gModelFile) file = c2g_model_file_new_from_bytes (bytes, "x.minidb", &error);
  g_autoptr (C2gTensor) kept = NULL;
  g_auto (GStrv) names = NULL;

  g_assert_no_error (error);
  names = c2g_model_file_load (file, workspace, NULL, NULL, &error);
  g_assert_no_error (error);
  kept = c2g_workspace_get_tensor (workspace, "kept", &error);
  g_assert_no_error (error);
  g_assert_cmpint (c2g_tensor_get_n_elements (kept), ==, 100);
}

static void
test_others_change (void)
{
  static const GThreadFunc funcs[] = { create_run, fill_run, remove_run, load_run };
  GThread *threads[G_N_ELEMENTS (funcs)];
  g_autoptr (C2gWorkspace) single = c2g_workspace_new ();
  Arena arena = { c2g_workspace_new (), NULL, FALSE };

  save_add_numbers (single, "numbers", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (20));
  arena.file = c2g_workspace_save_checkpoint_to_bytes (single, NULL, NULL, NULL);
  save_add_numbers (arena.workspace, "kept", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (100));
  for (gsize i = 0; i < G_N_ELEMENTS (funcs); i++)
    threads[i] = g_thread_new ("changer", funcs[i], &arena);

  for (guint i = 0; i < N_SAVES; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes =
        c2g_workspace_save_checkpoint_to_bytes (arena.workspace, NULL, NULL, &error);

      g_assert_no_error (error);
      assert_has_kept (bytes);
    }

  g_atomic_int_set (&arena.is_over, TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (funcs); i++)
    g_thread_join (threads[i]);
  g_bytes_unref (arena.file);
  g_assert_finalize_object (arena.workspace);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/save-threads/others-change", test_others_change);

  return c2g_test_run ();
}
