/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/save-utils.h"

#include <c2g/io/serializer/c2g-serializer.h>

/* Saving in the background: code of the program is called in the right thread. */

#define N_SAVES 4

/* A type of the program, whose serializer checks in which thread it runs. */

struct _Note
{
  GObject  parent_instance;
  char    *text;
};

G_DECLARE_FINAL_TYPE (Note, note, TEST, NOTE, GObject)
G_DEFINE_FINAL_TYPE (Note, note, G_TYPE_OBJECT)

static void
note_finalize (GObject *object)
{
  g_free (TEST_NOTE (object)->text);
  G_OBJECT_CLASS (note_parent_class)->finalize (object);
}

static void
note_class_init (NoteClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = note_finalize;
}

static void
note_init (Note *self)
{
}

struct _NoteSerializer
{
  C2gSerializer parent_instance;
};

G_DECLARE_FINAL_TYPE (NoteSerializer, note_serializer, TEST, NOTE_SERIALIZER, C2gSerializer)
G_DEFINE_FINAL_TYPE (NoteSerializer, note_serializer, C2G_TYPE_SERIALIZER)

/* The only thread that may call the serializer, and the number of calls. */
static GThread *note_thread;
static int n_notes;

/* Options that the serializer changes while it is called, or NULL. */
static C2gSaveOptions *note_options;

static guint
note_get_n_chunks (C2gSerializer *serializer,
                   C2gBlob       *blob,
                   gint64         chunk_size)
{
  if (note_options != NULL)
    {
      c2g_save_options_set_names (note_options, NULL);
      c2g_save_options_set_new_names (note_options, NULL);
      c2g_save_options_set_strip_prefix (note_options, NULL);
    }
  return 1;
}

static GBytes *
note_serialize (C2gSerializer  *serializer,
                C2gBlob        *blob,
                guint           chunk,
                guint           n_chunks,
                GError        **error)
{
  GObject *object = c2g_blob_get_object (blob);

  g_assert_true (g_thread_self () == note_thread);
  n_notes++;
  if (g_str_equal (TEST_NOTE (object)->text, "bad"))
    {
      g_set_error_literal (error, C2G_ERROR, C2G_ERROR_RANGE, "a bad note");
      return NULL;
    }
  return g_bytes_new (TEST_NOTE (object)->text, strlen (TEST_NOTE (object)->text));
}

static gboolean
note_deserialize (C2gSerializer  *serializer,
                  C2gBlob        *blob,
                  GBytes         *content,
                  guint           chunk,
                  guint           n_chunks,
                  GError        **error)
{
  g_autoptr (GObject) object = g_object_new (note_get_type (), NULL);

  TEST_NOTE (object)->text =
    g_strndup (g_bytes_get_data (content, NULL), g_bytes_get_size (content));
  c2g_blob_set_object (blob, object);
  return TRUE;
}

static void
note_serializer_class_init (NoteSerializerClass *klass)
{
  C2gSerializerClass *serializer_class = C2G_SERIALIZER_CLASS (klass);

  serializer_class->get_n_chunks = note_get_n_chunks;
  serializer_class->serialize_content = note_serialize;
  serializer_class->deserialize_content = note_deserialize;
}

static void
note_serializer_init (NoteSerializer *self)
{
}

static void
register_notes (void)
{
  g_autoptr (C2gSerializer) serializer = g_object_new (note_serializer_get_type (), NULL);
  g_autoptr (GError) error = NULL;

  c2g_serializer_register (note_get_type (), "test::Note", serializer, &error);
  g_assert_no_error (error);
}

static void
add_note (C2gWorkspace *workspace,
          const char   *name,
          const char   *text)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  g_autoptr (GObject) object = g_object_new (note_get_type (), NULL);

  TEST_NOTE (object)->text = g_strdup (text);
  c2g_blob_set_object (blob, object);
}

/* Makes tensors in many chunks, with notes between them. */
static C2gWorkspace *
new_workspace (gboolean with_notes)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  for (int i = 0; i < 8; i++)
    {
      g_autofree char *name = g_strdup_printf ("tensor_%d", i);
      g_autofree char *note_name = g_strdup_printf ("note_%d", i);
      C2gTensor *tensor = save_add (workspace, name, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (150000));
      float *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);

      for (int j = 0; j < 150000; j++)
        data[j] = (float) (j + i);
      if (with_notes)
        add_note (workspace, note_name, name);
    }

  return workspace;
}

static C2gSaveOptions *
new_options (guint n_threads)
{
  C2gSaveOptions *options = c2g_save_options_new ();

  c2g_save_options_set_chunk_size (options, 10000);
  c2g_save_options_set_n_threads (options, n_threads);
  return options;
}

static void
test_notes (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (C2gWorkspace) workspace = new_workspace (TRUE);

  note_thread = g_thread_self ();
  for (guint n_threads = 1; n_threads < 6; n_threads += c2g_test_is_quick () ? 2 : 1)
    {
      g_autoptr (C2gSaveOptions) options = new_options (n_threads);

      n_notes = 0;
      save_to (workspace, file, options);
      g_assert_cmpint (n_notes, ==, 8);
      save_assert_same (workspace, file);
    }

  add_note (workspace, "worst", "bad");
  save_assert_fails (workspace, file, NULL, C2G_ERROR, C2G_ERROR_RANGE, "“worst”: ");
  save_remove (folder);
}

/* Changes of the options by a serializer have no effect on the choice of blobs. */
static void
test_options_changed (void)
{
  static const char *const names[] = { "note_0", "tensor_0", "note_1", NULL };
  static const char *const new_names[] = { "a", "b", "c", NULL };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (C2gWorkspace) workspace = new_workspace (TRUE);
  g_autoptr (C2gWorkspace) loaded = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = new_options (2);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) loaded_names = NULL;

  note_thread = g_thread_self ();
  c2g_save_options_set_names (options, names);
  c2g_save_options_set_new_names (options, new_names);
  note_options = options;
  save_to (workspace, file, options);
  note_options = NULL;

  loaded_names = c2g_workspace_load_checkpoint (loaded, file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_strv_equal ((const char *const *) loaded_names, new_names));
  save_remove (folder);
}

/* An asynchronous call and its result. */
typedef struct
{
  GMainLoop *loop;
  int       *n_pending;
  gboolean   is_saved;
  GError    *error;
  GThread   *thread;
} Call;

static void
saved_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  Call *call = user_data;

  g_assert_true (g_thread_self () == call->thread);
  call->is_saved =
    c2g_workspace_save_checkpoint_finish (C2G_WORKSPACE (object), result, &call->error);
  if (--*call->n_pending == 0)
    g_main_loop_quit (call->loop);
}

static void
changed_cb (C2gProgress *progress,
            guint64      n_done,
            guint64      n_total,
            gpointer     user_data)
{
  guint *n_told = user_data;

  g_assert_true (g_thread_self () == note_thread);
  (*n_told)++;
}

static void
run (C2gWorkspace   *workspace,
     GFile          *file,
     C2gSaveOptions *options,
     GCancellable   *cancellable,
     Call           *call)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (g_main_context_get_thread_default (), FALSE);
  int n_pending = 1;

  *call = (Call) { .loop = loop, .n_pending = &n_pending, .thread = g_thread_self () };
  c2g_workspace_save_checkpoint_async (workspace, file, options, cancellable, saved_cb, call);
  g_main_loop_run (loop);
}

static void
test_async (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (C2gWorkspace) workspace = new_workspace (TRUE);

  note_thread = g_thread_self ();
  for (guint n_threads = 1; n_threads < 6; n_threads += c2g_test_is_quick () ? 2 : 1)
    {
      g_autoptr (C2gSaveOptions) options = new_options (n_threads);
      g_autoptr (C2gProgress) progress = c2g_progress_new ();
      guint n_told = 0;
      Call call;

      g_signal_connect (progress, "changed", G_CALLBACK (changed_cb), &n_told);
      c2g_save_options_set_progress (options, progress);
      n_notes = 0;
      run (workspace, file, options, NULL, &call);
      g_assert_no_error (call.error);
      g_assert_true (call.is_saved);
      g_assert_cmpint (n_notes, ==, 8);
      g_assert_cmpuint (n_told, >, 0);
      g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==,
                        c2g_progress_get_n_bytes_total (progress));
      save_assert_same (workspace, file);
    }

  save_remove (folder);
}

/* Runs in a thread with its own main context. */
static gpointer
save_in_thread (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (C2gSaveOptions) options = new_options (2);
  g_autoptr (C2gWorkspace) workspace = new_workspace (TRUE);
  Call call;

  g_main_context_push_thread_default (context);
  note_thread = g_thread_self ();
  run (workspace, data, options, NULL, &call);
  g_assert_no_error (call.error);
  g_assert_true (call.is_saved);
  save_assert_same (workspace, data);
  g_main_context_pop_thread_default (context);
  return NULL;
}

static void
test_context (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");

  g_thread_join (g_thread_new ("saver", save_in_thread, file));
  save_remove (folder);
}

static void
test_errors (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (GFile) unknown = save_file (folder, "x");
  g_autoptr (GFile) nowhere = save_file (folder, "no/x.minidb");
  g_autoptr (C2gWorkspace) workspace = new_workspace (FALSE);
  Call call;

  run (workspace, unknown, NULL, NULL, &call);
  g_assert_error (call.error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_false (call.is_saved);
  g_clear_error (&call.error);

  run (workspace, nowhere, NULL, NULL, &call);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_false (call.is_saved);
  g_clear_error (&call.error);

  note_thread = g_thread_self ();
  add_note (workspace, "worst", "bad");
  run (workspace, file, NULL, NULL, &call);
  g_assert_error (call.error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_nonnull (strstr (call.error->message, "worst"));
  g_clear_error (&call.error);
  g_assert_cmpuint (save_count_files (folder), ==, 0);
  save_remove (folder);
}

static gpointer
cancel_in_thread (gpointer data)
{
  g_usleep (g_random_int_range (0, 8000));
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancelled (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (C2gWorkspace) workspace = new_workspace (TRUE);

  note_thread = g_thread_self ();
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (C2gSaveOptions) options = new_options (i % 4);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      GThread *thread = NULL;
      Call call;

      if (i == 0)
        g_cancellable_cancel (cancellable);
      else
        thread = g_thread_new ("cancel", cancel_in_thread, cancellable);
      run (workspace, file, options, cancellable, &call);
      if (thread != NULL)
        g_thread_join (thread);

      g_assert_cmpint (call.is_saved, ==, g_file_query_exists (file, NULL));
      if (call.is_saved)
        save_assert_same (workspace, file);
      else
        g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_clear_error (&call.error);
      g_file_delete (file, NULL, NULL);
      g_assert_cmpuint (save_count_files (folder), ==, 0);
    }

  save_remove (folder);
}

/* A save writes the content at the time of the call, whatever happens to the blobs. Several saves
 * run at once. */
static void
test_removed (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (C2gWorkspace) workspace = new_workspace (FALSE);
  g_autoptr (C2gWorkspace) reference = new_workspace (FALSE);
  g_autoptr (C2gBlob) blob = c2g_workspace_get_blob (workspace, "tensor_0", NULL);
  g_autoptr (C2gTensor) other = c2g_tensor_new_scalar (C2G_DATA_TYPE_INT32, 1, NULL);
  GFile *files[N_SAVES];
  Call calls[N_SAVES];
  int n_pending = N_SAVES;

  /* ThreadSanitizer does not see that GLib makes classes in one thread at a time. */
  files[0] = save_file (folder, "first.minidb");
  save_to (reference, files[0], NULL);
  g_object_unref (files[0]);

  for (int i = 0; i < N_SAVES; i++)
    {
      g_autofree char *name = g_strdup_printf ("%d.minidb", i);
      g_autoptr (C2gSaveOptions) options = new_options (2);

      files[i] = save_file (folder, name);
      calls[i] = (Call) { .loop = loop, .n_pending = &n_pending, .thread = g_thread_self () };
      c2g_workspace_save_checkpoint_async (workspace, files[i], options, NULL, saved_cb, &calls[i]);
      c2g_save_options_set_chunk_size (options, 1);
    }

  c2g_blob_set_object (blob, G_OBJECT (other));
  c2g_workspace_remove_blob (workspace, "tensor_1");
  c2g_workspace_rename_blob (workspace, "tensor_2", "tensor_1", NULL);
  c2g_workspace_clear (workspace);
  g_clear_object (&workspace);
  g_clear_object (&blob);

  g_main_loop_run (loop);
  for (int i = 0; i < N_SAVES; i++)
    {
      g_assert_no_error (calls[i].error);
      save_assert_same (reference, files[i]);
      g_object_unref (files[i]);
    }
  save_remove (folder);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  register_notes ();

  c2g_test_add_func ("/save-async/notes", test_notes);
  c2g_test_add_func ("/save-async/options-changed", test_options_changed);
  c2g_test_add_func ("/save-async/async", test_async);
  c2g_test_add_func ("/save-async/context", test_context);
  c2g_test_add_func ("/save-async/errors", test_errors);
  c2g_test_add_func ("/save-async/cancelled", test_cancelled);
  c2g_test_add_func ("/save-async/removed", test_removed);

  return c2g_test_run ();
}
