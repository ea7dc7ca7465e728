/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/save-utils.h"

#include <c2g/io/serializer/c2g-serializer.h>

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

/* These tests cover the content of files, and the state after a failed save. */

static const C2gDataType caffe2_types[] = {
  C2G_DATA_TYPE_FLOAT,
  C2G_DATA_TYPE_INT32,
  C2G_DATA_TYPE_STRING,
  C2G_DATA_TYPE_BOOL,
  C2G_DATA_TYPE_UINT8,
  C2G_DATA_TYPE_INT8,
  C2G_DATA_TYPE_UINT16,
  C2G_DATA_TYPE_INT16,
  C2G_DATA_TYPE_INT64,
  C2G_DATA_TYPE_FLOAT16,
  C2G_DATA_TYPE_DOUBLE,
};

static void
add_types (C2gWorkspace *workspace,
           gboolean      with_strings)
{
  for (gsize i = 0; i < G_N_ELEMENTS (caffe2_types); i++)
    {
      C2gDataType type = caffe2_types[i];
      const char *name = c2g_data_type_get_name (type);
      g_autofree char *scalar = g_strconcat (name, "_scalar", NULL);
      g_autofree char *zero = g_strconcat (name, "_zero", NULL);

      if (type == C2G_DATA_TYPE_STRING && !with_strings)
        continue;
      save_add_numbers (workspace, name, type, C2G_TEST_DIMS (7, 5, 3));
      save_add_numbers (workspace, scalar, type, C2G_TEST_DIMS ());
      save_add_numbers (workspace, zero, type, C2G_TEST_DIMS (0, 5));
    }
}

static void
add_value (C2gWorkspace *workspace,
           const char   *name,
           gint64        number)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_set_int64 (g_value_init (&value, G_TYPE_INT64), number);
  c2g_blob_set_value (blob, &value);
}

/* Adds a tensor of a type that is not numeric: pairs of integers. */
static void
add_pairs (C2gWorkspace *workspace,
           const char   *name,
           gint64        n)
{
  g_autoptr (C2gBlob) blob = c2g_workspace_create_blob (workspace, name, NULL);
  C2gTensor *tensor = c2g_blob_ensure_tensor (blob, NULL, NULL);
  C2gTypeMeta *meta = c2g_type_meta_lookup ("test::Pair", NULL);
  gint32 *data;

  if (meta == NULL)
    meta = c2g_type_meta_register ("test::Pair", 2 * sizeof *data, NULL);
  c2g_tensor_resize (tensor, C2G_TEST_DIMS (n), NULL);
  data = c2g_tensor_raw_mutable_data (tensor, meta, NULL);
  for (gint64 i = 0; i < 2 * n; i++)
    data[i] = (gint32) (i * i);
}

static void
add_others (C2gWorkspace *workspace)
{
  g_autoptr (C2gBlob) int8_blob = c2g_workspace_create_blob (workspace, "int8_quantized", NULL);
  g_autoptr (C2gTensor) bytes = c2g_tensor_new_scalar (C2G_DATA_TYPE_UINT8, 200, NULL);
  g_autoptr (C2gInt8Tensor) int8 = c2g_int8_tensor_new (bytes, 0.25f, 3);
  g_autoptr (C2gBlob) bits_blob = c2g_workspace_create_blob (workspace, "bits", NULL);
  g_autoptr (C2gQTensor) bits = c2g_q_tensor_new (C2G_TEST_DIMS (30), 3, TRUE, NULL);

  for (gint64 i = 0; i < 30; i++)
    c2g_q_tensor_set_bit (bits, i % 3, i, TRUE, NULL);
  c2g_q_tensor_set_scale (bits, 0.5);
  c2g_blob_set_object (bits_blob, G_OBJECT (bits));
  c2g_blob_set_object (int8_blob, G_OBJECT (int8));
  add_value (workspace, "counter", G_MAXINT64);
  add_pairs (workspace, "pairs", 20);
  save_add_text (workspace, "text", "héllo");
  save_add_text (workspace, "no_text", "");
}

static void
test_types (void)
{
  static const char *const names[] = { "x.minidb", "x.safetensors", "x.npz" };
  g_autofree char *folder = save_new_folder ();
  gsize n_names = save_can_make (folder, "probe.npz") ? 3 : 2;

  for (gsize i = 0; i < n_names; i++)
    for (gint64 chunk_size = -1; chunk_size < 40; chunk_size = 2 * chunk_size + 2)
      {
        g_autoptr (GFile) file = save_file (folder, names[i]);
        g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
        g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();

        add_types (workspace, i == 0);
        if (i == 0)
          add_others (workspace);
        c2g_save_options_set_chunk_size (options, chunk_size);
        c2g_save_options_set_float16_as_bytes (options, chunk_size > 8);
        c2g_save_options_set_compress (options, chunk_size > 8);
        save_to (workspace, file, options);
        save_assert_same (workspace, file);
      }

  save_remove (folder);
}

/* Several chunks of each type, written by different numbers of threads, give the same bytes. */
static void
test_big (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (caffe2_types); i++)
    {
      g_autofree char *folder = save_new_folder ();
      g_autoptr (GFile) file = save_file (folder, "big.minidb");
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      g_autoptr (GBytes) first = NULL;

      save_add_numbers (workspace, "big", caffe2_types[i], C2G_TEST_DIMS (11, 13, 17, 9));
      save_add_numbers (workspace, "more", caffe2_types[i], C2G_TEST_DIMS (4001));
      c2g_save_options_set_chunk_size (options, 1000);
      for (guint n_threads = 1; n_threads <= 5; n_threads += c2g_test_is_quick () ? 2 : 1)
        {
          c2g_save_options_set_n_threads (options, n_threads);
          save_to (workspace, file, options);
          if (first == NULL)
            first = save_read (file);
          save_assert_bytes (file, first);
        }
      save_assert_same (workspace, file);
      save_remove (folder);
    }
}

/* Adds enough data for several threads, with different content in each chunk. */
static void
add_much (C2gWorkspace *workspace)
{
  for (int i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("much_%d", i);
      C2gTensor *tensor = save_add (workspace, name, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (300000));
      float *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);

      for (int j = 0; j < 300000; j++)
        data[j] = (float) (j * 7 + i);
    }
}

static C2gSaveOptions *
much_options (guint n_threads)
{
  C2gSaveOptions *options = c2g_save_options_new ();

  c2g_save_options_set_chunk_size (options, 20000);
  c2g_save_options_set_n_threads (options, n_threads);
  return options;
}

static void
test_threads (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "much.minidb");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (GBytes) first = NULL;

  add_much (workspace);
  for (guint n_threads = 0; n_threads <= 9; n_threads += c2g_test_is_quick () ? 3 : 1)
    {
      g_autoptr (C2gSaveOptions) options = much_options (n_threads);

      save_to (workspace, file, options);
      if (first == NULL)
        first = save_read (file);
      save_assert_bytes (file, first);
    }
  save_assert_same (workspace, file);
  save_remove (folder);
}

static void
test_golden (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "golden", "ckpt.minidb", NULL);
  g_autoptr (GFile) golden = g_file_new_for_path (path);
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "ckpt.minidb");
  g_autoptr (C2gWorkspace) workspace = save_load (golden);
  g_autoptr (GBytes) expected = save_read (golden);

  for (guint n_threads = 0; n_threads < 4; n_threads++)
    {
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();

      c2g_save_options_set_n_threads (options, n_threads);
      save_to (workspace, file, options);
      save_assert_bytes (file, expected);
    }
  save_remove (folder);
}

/* Paths at which no file can be created. */
static void
test_bad_places (void)
{
  static const char *const suffixes[] = { "minidb", "safetensors", "pb", "npy" };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  save_add_numbers (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (10));
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat ("x.", suffixes[i], NULL);
      g_autofree char *proc_name = g_strconcat ("/proc/x.", suffixes[i], NULL);
      g_autoptr (GFile) file = save_file (folder, name);
      g_autoptr (GFile) below = g_file_get_child (file, name);
      g_autoptr (GFile) proc = g_file_new_for_path (proc_name);
      g_autoptr (GError) error = NULL;

      /* The folder is missing; then a folder is at the file's path; then a file is at the folder's
       * path. */
      save_assert_fails (workspace, below, NULL, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, name);
      g_assert_cmpint (g_mkdir (g_file_peek_path (file), 0777), ==, 0);
      save_assert_fails (workspace, file, NULL, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY, name);
      g_assert_cmpuint (save_count_files (folder), ==, 1);
      g_assert_cmpuint (save_count_files (g_file_peek_path (file)), ==, 0);
      save_remove (g_file_peek_path (file));
      save_to (workspace, file, NULL);
      save_assert_fails (workspace, below, NULL, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY, name);

      /* A file system that accepts no files. */
      g_assert_false (c2g_workspace_save_checkpoint (workspace, proc, NULL, NULL, &error));
      g_assert_true (error->domain == G_IO_ERROR);
      g_test_message ("%s", error->message);
      save_remove (g_file_peek_path (file));
    }

  save_remove (folder);
}

static void
test_read_only (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  save_add_numbers (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (10));
  g_assert_cmpint (g_chmod (folder, 0500), ==, 0);
  if (g_access (folder, W_OK) == 0)
    g_test_skip ("this user may write everywhere");
  else
    save_assert_fails (workspace, file, NULL, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "x.minidb");
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
  g_assert_cmpuint (save_count_files (folder), ==, 0);
  save_remove (folder);
}

/* The disk becomes full after n bytes: the old file stays, and no other file is left. */
static void
test_full_disk (void)
{
  static const char *const names[] = { "x.minidb", "x.safetensors", "x.pb", "x.npy" };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  struct rlimit old_limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old_limit), ==, 0);
  save_add_numbers (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (100000));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    for (rlim_t n_bytes = 1; n_bytes < 400000; n_bytes = n_bytes * 7 + 1)
      {
        struct rlimit limit = old_limit;
        g_autoptr (GFile) file = save_file (folder, names[i]);
        g_autoptr (GBytes) old = g_bytes_new_static ("old", 3);
        g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
        g_autoptr (GError) error = NULL;

        g_assert_true (g_file_set_contents (g_file_peek_path (file), "old", 3, NULL));
        c2g_save_options_set_chunk_size (options, 1000);
        limit.rlim_cur = n_bytes;
        g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
        g_assert_false (c2g_workspace_save_checkpoint (workspace, file, options, NULL, &error));
        g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old_limit), ==, 0);
        g_assert_error (error, G_IO_ERROR, (int) g_io_error_from_errno (EFBIG));
        g_assert_nonnull (strstr (error->message, names[i]));
        save_assert_bytes (file, old);
        g_assert_cmpuint (save_count_files (folder), ==, i + 1);
      }

  save_remove (folder);
}

/* The reported progress. */
typedef struct
{
  guint64       n_done;
  guint64       n_total;
  guint         n_told;
  GThread      *thread;

  /* Cancel after this number of reports. */
  GCancellable *cancellable;
  guint         n_until_cancelled;
} Told;

static void
changed_cb (C2gProgress *progress,
            guint64      n_done,
            guint64      n_total,
            gpointer     user_data)
{
  Told *told = user_data;

  g_assert_true (g_thread_self () == told->thread);
  g_assert_cmpuint (n_done, >=, told->n_done);
  g_assert_cmpuint (n_done, <=, n_total);
  if (told->n_told > 0)
    g_assert_cmpuint (n_total, ==, told->n_total);
  told->n_done = n_done;
  told->n_total = n_total;
  told->n_told++;
  if (told->n_told == told->n_until_cancelled)
    g_cancellable_cancel (told->cancellable);
}

static void
test_progress (void)
{
  static const char *const names[] = { "x.minidb", "x.safetensors", "x.npz", "x.pb", "x.npy" };
  g_autofree char *folder = save_new_folder ();

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = save_file (folder, names[i]);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gSaveOptions) options = much_options (2);
      g_autoptr (C2gProgress) progress = c2g_progress_new ();
      Told told = { .thread = g_thread_self () };
      guint64 n_bytes = 6 * 300000 * sizeof (float);

      if (i == 2 && !save_can_make (folder, "probe.npz"))
        continue;
      if (i < 3)
        add_much (workspace);
      else
        save_add_numbers (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1800000));
      g_signal_connect (progress, "changed", G_CALLBACK (changed_cb), &told);
      c2g_save_options_set_progress (options, progress);
      for (int j = 0; j < 2; j++)
        {
          told.n_told = told.n_done = 0;
          save_to (workspace, file, options);
          g_assert_cmpuint (told.n_done, ==, n_bytes);
          g_assert_cmpuint (told.n_total, ==, n_bytes);
          g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==, n_bytes);
          if (i == 0)
            g_assert_cmpuint (told.n_told, >, 40);
        }
    }

  save_remove (folder);
}

/* Cancels in the middle, in a handler of the progress: nothing has changed. */
static void
test_cancelled (void)
{
  static const char *const names[] = { "x.minidb", "x.safetensors", "x.npy" };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GBytes) old = g_bytes_new_static ("old", 3);

  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (GFile) file = save_file (folder, names[i % 3]);
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gSaveOptions) options = much_options (i % 5);
      g_autoptr (C2gProgress) progress = c2g_progress_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      Told told = { .thread = g_thread_self (), .cancellable = cancellable };

      if (i % 3 == 2)
        memset (c2g_tensor_mutable_data (save_add (workspace, "w", C2G_DATA_TYPE_DOUBLE,
                                                   C2G_TEST_DIMS (5000000)),
                                         C2G_DATA_TYPE_DOUBLE, NULL),
                0, 5000000 * sizeof (double));
      else
        add_much (workspace);
      told.n_until_cancelled = i % 3 == 0 ? g_random_int_range (1, 40) : 1;
      g_signal_connect (progress, "changed", G_CALLBACK (changed_cb), &told);
      c2g_save_options_set_progress (options, progress);
      g_assert_true (g_file_set_contents (g_file_peek_path (file), "old", 3, NULL));

      g_assert_false (c2g_workspace_save_checkpoint (workspace, file, options, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      save_assert_bytes (file, old);
      save_remove (g_file_peek_path (file));
      g_assert_cmpuint (save_count_files (folder), ==, 0);
    }

  save_remove (folder);
}

/* A folder appears completely or not at all, and an existing one is never replaced. */
static void
test_lmdb (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.lmdb");
  g_autoptr (GFile) below = save_file (folder, "no/x.lmdb");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = much_options (3);
  g_autofree char *long_name = g_strnfill (509, 'a');
  const char *names[] = { "float", NULL };
  const char *new_names[] = { long_name, NULL };

  if (!save_can_make (folder, "probe.lmdb"))
    {
      g_test_skip ("this build does not write LMDB");
      save_remove (folder);
      return;
    }

  add_types (workspace, TRUE);
  add_others (workspace);
  add_much (workspace);
  save_assert_fails (workspace, below, options, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "x.lmdb");

  /* The number of the chunk makes the key one byte too long. */
  c2g_save_options_set_names (options, names);
  c2g_save_options_set_new_names (options, new_names);
  save_assert_fails (workspace, file, options, C2G_ERROR, C2G_ERROR_RANGE, "aaa");
  g_assert_cmpuint (save_count_files (folder), ==, 0);
  long_name[508] = '\0';
  c2g_save_options_set_new_names (options, new_names);
  save_to (workspace, file, options);
  save_remove (g_file_peek_path (file));

  c2g_save_options_set_names (options, NULL);
  c2g_save_options_set_new_names (options, NULL);
  save_to (workspace, file, options);
  save_assert_same (workspace, file);
  save_assert_fails (workspace, file, options, C2G_ERROR, C2G_ERROR_EXISTS, "x.lmdb");
  save_assert_same (workspace, file);
  save_remove (folder);
}

static void
test_lmdb_cancelled (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.lmdb");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  if (!save_can_make (folder, "probe.lmdb"))
    {
      g_test_skip ("this build does not write LMDB");
      save_remove (folder);
      return;
    }

  add_much (workspace);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (C2gSaveOptions) options = much_options (i % 4);
      g_autoptr (C2gProgress) progress = c2g_progress_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      Told told = { .thread = g_thread_self (), .cancellable = cancellable };

      told.n_until_cancelled = g_random_int_range (1, 40);
      g_signal_connect (progress, "changed", G_CALLBACK (changed_cb), &told);
      c2g_save_options_set_progress (options, progress);
      g_assert_false (c2g_workspace_save_checkpoint (workspace, file, options, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (save_count_files (folder), ==, 0);
    }

  save_remove (folder);
}

static gpointer
cancel_in_thread (gpointer data)
{
  g_usleep (g_random_int_range (0, 6000));
  g_cancellable_cancel (data);
  return NULL;
}

/* Cancels at any moment from another thread: everything or nothing is written. */
static void
test_cancelled_anywhere (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gSaveOptions) options = much_options (3);
  g_autoptr (GBytes) old = g_bytes_new_static ("old", 3);
  g_autoptr (GBytes) new = NULL;

  add_much (workspace);
  new = save_to_bytes (workspace, options);
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      GThread *thread;
      gboolean saved;

      g_assert_true (g_file_set_contents (g_file_peek_path (file), "old", 3, NULL));
      thread = g_thread_new ("cancel", cancel_in_thread, cancellable);
      saved = c2g_workspace_save_checkpoint (workspace, file, options, cancellable, &error);
      g_thread_join (thread);
      if (!saved)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      save_assert_bytes (file, saved ? new : old);
      g_assert_cmpuint (save_count_files (folder), ==, 1);
    }

  save_remove (folder);
}

#ifndef C2G_SANITIZED
static rlim_t
get_address_space (void)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  return g_ascii_strtoull (text, NULL, 10) * sysconf (_SC_PAGESIZE);
}
#endif

/* Less memory than a chunk needs. */
static void
test_no_memory (void)
{
#ifdef C2G_SANITIZED
  g_test_skip ("a sanitizer needs all the address space");
#else
  g_autofree char *folder = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autoptr (C2gSaveOptions) options = NULL;
  struct rlimit limit;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }

  folder = save_new_folder ();
  file = save_file (folder, "x.minidb");
  workspace = c2g_workspace_new ();
  options = c2g_save_options_new ();
  for (int i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("w%d", i);

      /* The memory is never touched, so it takes no space. */
      save_add (workspace, name, C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1 << 26));
    }
  g_assert_true (g_file_set_contents (g_file_peek_path (file), "old", 3, NULL));

  g_assert_cmpint (getrlimit (RLIMIT_AS, &limit), ==, 0);
  limit.rlim_cur = get_address_space () + (100 << 20);
  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
  c2g_save_options_set_chunk_size (options, 0);
  for (guint n_threads = 1; n_threads < 4; n_threads++)
    {
      g_autoptr (GBytes) old = g_bytes_new_static ("old", 3);

      c2g_save_options_set_n_threads (options, n_threads);
      save_assert_fails (workspace, file, options, C2G_ERROR, C2G_ERROR_NO_MEMORY, "w0");
      save_assert_bytes (file, old);
      g_assert_cmpuint (save_count_files (folder), ==, 1);
    }
  save_remove (folder);
#endif
}

/* Options for other kinds of files have no effect. */
static void
test_options_of_other_kinds (void)
{
  static const char *const names[] = { "x.minidb", "x.safetensors", "x.npy", "x.npz" };
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();

  save_add_numbers (workspace, "x", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (5000));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = save_file (folder, names[i]);
      g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();
      gboolean is_npz = g_str_has_suffix (names[i], ".npz");
      g_autoptr (GBytes) plain = NULL;

      if (is_npz && !save_can_make (folder, "probe.npz"))
        continue;
      save_to (workspace, file, NULL);
      plain = save_read (file);
      c2g_save_options_set_compress (options, !is_npz);
      if (i > 0)
        {
          c2g_save_options_set_chunk_size (options, 10);
          c2g_save_options_set_float16_as_bytes (options, TRUE);
          c2g_save_options_set_n_threads (options, 4);
        }
      save_to (workspace, file, options);
      save_assert_bytes (file, plain);
    }

  save_remove (folder);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/save-file/types", test_types);
  c2g_test_add_func ("/save-file/options-of-other-kinds", test_options_of_other_kinds);
  c2g_test_add_func ("/save-file/big", test_big);
  c2g_test_add_func ("/save-file/threads", test_threads);
  c2g_test_add_func ("/save-file/golden", test_golden);
  c2g_test_add_func ("/save-file/bad-places", test_bad_places);
  c2g_test_add_func ("/save-file/read-only", test_read_only);
  c2g_test_add_func ("/save-file/full-disk", test_full_disk);
  c2g_test_add_func ("/save-file/progress", test_progress);
  c2g_test_add_func ("/save-file/cancelled", test_cancelled);
  c2g_test_add_func ("/save-file/cancelled-anywhere", test_cancelled_anywhere);
  c2g_test_add_func ("/save-file/lmdb", test_lmdb);
  c2g_test_add_func ("/save-file/lmdb-cancelled", test_lmdb_cancelled);
  c2g_test_add_func ("/save-file/no-memory", test_no_memory);

  return c2g_test_run ();
}
