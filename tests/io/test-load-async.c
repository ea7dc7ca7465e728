/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/load-files.h"

/* Loading with progress, cancelling, and in the background. */

/* The progress so far, and the action at the next report. */
typedef struct
{
  guint         n_calls;
  guint64       n_bytes_done;
  guint64       n_bytes_total;
  GThread      *thread;
  GCancellable *cancellable;
} Watch;

static void
changed_cb (C2gProgress *progress,
            guint64      n_bytes_done,
            guint64      n_bytes_total,
            gpointer     user_data)
{
  Watch *watch = user_data;

  g_assert_true (g_thread_self () == watch->thread);
  g_assert_cmpuint (n_bytes_done, >=, watch->n_bytes_done);
  g_assert_cmpuint (n_bytes_done, <=, n_bytes_total);
  g_assert_true (watch->n_calls == 0 || n_bytes_total == watch->n_bytes_total);
  watch->n_calls++;
  watch->n_bytes_done = n_bytes_done;
  watch->n_bytes_total = n_bytes_total;
  g_cancellable_cancel (watch->cancellable);
}

static C2gLoadOptions *
new_watched (Watch *watch)
{
  C2gLoadOptions *options = c2g_load_options_new ();
  g_autoptr (C2gProgress) progress = c2g_progress_new ();

  watch->thread = g_thread_self ();
  g_signal_connect (progress, "changed", G_CALLBACK (changed_cb), watch);
  c2g_load_options_set_progress (options, progress);
  return options;
}

static void
test_progress (void)
{
  Watch watch = { 0 };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = new_watched (&watch);
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  for (guint i = 0; i < 2; i++)
    {
      watch.n_calls = 0;
      watch.n_bytes_done = 0;
      load_assert_loads (workspace, file, options, LOAD_N_TYPES);
      g_assert_cmpuint (watch.n_calls, >=, LOAD_N_TYPES);
      g_assert_cmpuint (watch.n_bytes_total, >, 0);
      g_assert_cmpuint (watch.n_bytes_done, ==, watch.n_bytes_total);
    }
}

/* Cancels after something has been read. */
static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch watch = { .cancellable = cancellable };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, "3", NULL);
  g_autoptr (C2gLoadOptions) options = new_watched (&watch);
  g_autoptr (GError) error = NULL;
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  g_assert_null (c2g_workspace_load_checkpoint (workspace, file, options, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (watch.n_calls, ==, 1);
  load_assert_n_blobs (workspace, 1);
  g_assert_true (c2g_blob_is_empty (blob));
}

typedef struct
{
  GMainLoop *loop;
  GThread   *thread;
  guint      n_added;
  guint      n_items;
  char     **names;
  GError    *error;
} Call;

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Call *call = user_data;

  g_assert_true (g_thread_self () == call->thread);
  call->n_items = g_list_model_get_n_items (G_LIST_MODEL (source));
  call->names = c2g_workspace_load_checkpoint_finish (C2G_WORKSPACE (source), result,
                                                      &call->error);
  g_main_loop_quit (call->loop);
}

static void
added_cb (C2gWorkspace *workspace,
          C2gBlob      *blob,
          gpointer      user_data)
{
  Call *call = user_data;

  g_assert_true (g_thread_self () == call->thread);
  call->n_added++;
}

static void
run_async (C2gWorkspace   *workspace,
           GFile          *file,
           C2gLoadOptions *options,
           GCancellable   *cancellable,
           Call           *call)
{
  gulong handler = g_signal_connect (workspace, "blob-added", G_CALLBACK (added_cb), call);

  call->loop = g_main_loop_new (g_main_context_get_thread_default (), FALSE);
  call->thread = g_thread_self ();
  c2g_workspace_load_checkpoint_async (workspace, file, options, cancellable, loaded_cb, call);
  /* Nothing happens before the main context is iterated. */
  g_assert_cmpuint (call->n_added, ==, 0);
  g_main_loop_run (call->loop);
  g_main_loop_unref (call->loop);
  g_signal_handler_disconnect (workspace, handler);
}

static void
test_async (void)
{
  Watch watch = { 0 };
  Call call = { 0 };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = new_watched (&watch);
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  run_async (workspace, file, options, NULL, &call);
  g_assert_no_error (call.error);
  g_assert_cmpuint (g_strv_length (call.names), ==, LOAD_N_TYPES);
  g_assert_cmpuint (call.n_added, ==, LOAD_N_TYPES);
  g_assert_cmpuint (call.n_items, ==, LOAD_N_TYPES);
  g_assert_cmpuint (watch.n_calls, >, 0);
  g_assert_cmpuint (watch.n_bytes_done, ==, watch.n_bytes_total);
  load_assert_blobs (workspace, 0, LOAD_N_TYPES);
  g_strfreev (call.names);
}

static gpointer
async_thread (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();

  g_main_context_push_thread_default (context);
  test_async ();
  g_main_context_pop_thread_default (context);
  return NULL;
}

/* The caller has a main context of its own. */
static void
test_async_thread (void)
{
  g_thread_join (g_thread_new ("loader", async_thread, NULL));
}

static void
test_async_fails (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (LoadFolder) folder = { 0 };
  GByteArray *database = load_new_database ("", 0);
  Call call = { 0 };
  GFile *file;
  GFile *damaged;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  database = g_byte_array_set_size (database, database->len - 1);
  damaged = load_folder_add (&folder, "damaged", database);

  run_async (workspace, damaged, NULL, NULL, &call);
  g_assert_null (call.names);
  g_assert_error (call.error, C2G_ERROR, C2G_ERROR_CORRUPT);
  g_clear_error (&call.error);

  g_cancellable_cancel (cancellable);
  run_async (workspace, file, NULL, cancellable, &call);
  g_assert_null (call.names);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&call.error);
  g_assert_cmpuint (call.n_added, ==, 0);
  load_assert_n_blobs (workspace, 0);
}

/* Cancels while the other thread reads: either everything or nothing is loaded. */
static void
test_async_cancel (void)
{
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Watch watch = { .cancellable = cancellable };
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gLoadOptions) options = new_watched (&watch);
      Call call = { 0 };

      run_async (workspace, file, options, cancellable, &call);
      g_assert_cmpint (call.names == NULL, ==, call.error != NULL);
      load_assert_n_blobs (workspace, call.names == NULL ? 0 : LOAD_N_TYPES);
      if (call.error != NULL)
        g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&call.error);
      g_strfreev (call.names);
    }
}

/* Options are read when the work begins. */
static void
test_options_are_read (void)
{
  static const char *const names[] = { "3", NULL };
  Call call = { 0 };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  c2g_load_options_set_names (options, names);
  call.loop = g_main_loop_new (NULL, FALSE);
  call.thread = g_thread_self ();
  c2g_workspace_load_checkpoint_async (workspace, file, options, NULL, loaded_cb, &call);
  c2g_load_options_set_names (options, NULL);
  g_main_loop_run (call.loop);
  g_main_loop_unref (call.loop);
  g_assert_no_error (call.error);
  g_assert_cmpuint (g_strv_length (call.names), ==, 1);
  g_strfreev (call.names);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/load-async/progress", test_progress);
  c2g_test_add_func ("/load-async/cancel", test_cancel);
  c2g_test_add_func ("/load-async/async", test_async);
  c2g_test_add_func ("/load-async/async-thread", test_async_thread);
  c2g_test_add_func ("/load-async/async-fails", test_async_fails);
  c2g_test_add_func ("/load-async/async-cancel", test_async_cancel);
  c2g_test_add_func ("/load-async/options-are-read", test_options_are_read);

  return c2g_test_run ();
}
