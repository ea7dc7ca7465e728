/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* For O_TMPFILE. */
#define _GNU_SOURCE

#include "tests/io/save-utils.h"
#include "tests/io/system-calls.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A program that replaces its checkpoint again and again is killed at random moments. The file is
 * always one of the saved checkpoints, and complete. */

#define N_KILLS ((int) c2g_test_count_rounds (100))

/* Two checkpoints of different sizes, so that a mixture would be detected. */
static C2gWorkspace *
new_workspace (int which)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  for (int i = 0; i < 4 + which; i++)
    {
      g_autofree char *name = g_strdup_printf ("tensor_%d", i);
      C2gTensor *tensor =
        save_add (workspace, name, C2G_DATA_TYPE_INT32, C2G_TEST_DIMS (40000 + 1000 * which));
      gint32 *data = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_INT32, NULL);

      for (gint64 j = 0; j < c2g_tensor_get_n_elements (tensor); j++)
        data[j] = (gint32) (j * (i + 1) + which);
    }

  return workspace;
}

static C2gSaveOptions *
new_options (void)
{
  C2gSaveOptions *options = c2g_save_options_new ();

  c2g_save_options_set_chunk_size (options, 5000);
  c2g_save_options_set_n_threads (options, 3);
  return options;
}

/* The program, which never ends by itself. */
static int
save_for_ever (const char *path)
{
  g_autoptr (C2gWorkspace) first = new_workspace (0);
  g_autoptr (C2gWorkspace) second = new_workspace (1);
  g_autoptr (C2gSaveOptions) options = new_options ();
  gboolean is_lmdb = g_str_has_suffix (path, ".lmdb");

  for (int i = 0;; i++)
    {
      g_autofree char *numbered = g_strdup_printf ("%s/%d.lmdb", path, i);
      g_autoptr (GFile) file = g_file_new_for_path (is_lmdb ? numbered : path);
      g_autoptr (GError) error = NULL;

      if (!c2g_workspace_save_checkpoint (i % 2 ? second : first, file, options, NULL, &error))
        {
          fprintf (stderr, "%s\n", error->message);
          return 1;
        }
      if (i == 0)
        {
          fputs ("ready\n", stdout);
          fflush (stdout);
        }
    }
}

static void
kill_after_a_while (const char *path)
{
  const char *option = system_has_no_nameless ? "--save-by-names" : "--save-for-ever";
  const char *argv[] = { "/proc/self/exe", option, path, NULL };
  g_autoptr (GError) error = NULL;
  char line[6];
  GPid pid;
  int out;
  int status;

  g_spawn_async_with_pipes (NULL, (char **) argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                            &pid, NULL, &out, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read (out, line, sizeof line), ==, sizeof line);
  g_usleep (g_random_int_range (0, 20000));
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  close (out);
  g_spawn_close_pid (pid);
}

static void
test_file (gconstpointer data)
{
  const char *name = data;
  g_autofree char *folder = save_new_folder ();
  g_autoptr (GFile) file = save_file (folder, name);
  g_autoptr (C2gWorkspace) first = new_workspace (0);
  g_autoptr (C2gWorkspace) second = new_workspace (1);
  g_autoptr (C2gSaveOptions) options = new_options ();
  g_autoptr (GBytes) first_bytes = NULL;
  g_autoptr (GBytes) second_bytes = NULL;
  int n_second = 0;

  if (g_str_has_suffix (name, ".safetensors"))
    c2g_save_options_set_kind (options, C2G_MODEL_FILE_KIND_SAFETENSORS);
  first_bytes = save_to_bytes (first, options);
  second_bytes = save_to_bytes (second, options);

  for (int i = 0; i < N_KILLS / 2; i++)
    {
      g_autoptr (GBytes) bytes = NULL;

      kill_after_a_while (g_file_peek_path (file));
      bytes = save_read (file);
      if (!g_bytes_equal (bytes, first_bytes))
        {
          g_assert_true (g_bytes_equal (bytes, second_bytes));
          n_second++;
        }
    }

  /* Afterwards saving works as usual. */
  save_to (second, file, options);
  save_assert_same (second, file);
  g_test_message ("%d of %d times the second", n_second, N_KILLS / 2);
  g_assert_cmpuint (save_count_files (folder), ==, 1);
  save_remove (folder);
}

/* The same on file systems without unnamed files. */
static void
test_named (void)
{
  system_has_no_nameless = TRUE;
  test_file ("x.minidb");
  system_has_no_nameless = FALSE;
}

/* Every save removes what killed ones have left. */
static void
sweep_by_save (const char *path)
{
  g_autoptr (GFile) file = save_file (path, "any.minidb");
  g_autoptr (C2gWorkspace) workspace = new_workspace (0);

  save_to (workspace, file, NULL);
  g_assert_cmpuint (save_count_files (path), ==, 1);
}

/* An LMDB database is new each time, and exists completely or not at all. */
static void
test_lmdb (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autofree char *path = g_build_filename (folder, "many.lmdb", NULL);
  g_autoptr (C2gWorkspace) first = new_workspace (0);
  g_autoptr (C2gWorkspace) second = new_workspace (1);

  if (!save_can_make (folder, "probe.lmdb"))
    {
      g_test_skip ("this build does not write LMDB");
      save_remove (folder);
      return;
    }

  for (int i = 0; i < N_KILLS / 10; i++)
    {
      g_assert_cmpint (g_mkdir (path, 0777), ==, 0);
      kill_after_a_while (path);
      for (int j = 0;; j++)
        {
          g_autofree char *name = g_strdup_printf ("%d.lmdb", j);
          g_autoptr (GFile) file = save_file (path, name);

          if (!g_file_query_exists (file, NULL))
            break;
          save_assert_same (j % 2 ? second : first, file);
          save_remove (g_file_peek_path (file));
        }
      sweep_by_save (path);
      save_remove (path);
    }

  save_remove (folder);
}

static void
test_named_lmdb (void)
{
  system_has_no_nameless = TRUE;
  test_lmdb ();
  system_has_no_nameless = FALSE;
}

int
main (int   argc,
      char *argv[])
{
  system_has_no_nameless = argc == 3 && g_str_equal (argv[1], "--save-by-names");
  if (argc == 3 && g_str_has_prefix (argv[1], "--save-"))
    return save_for_ever (argv[2]);

  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/save-killed/minidb", "x.minidb", test_file);
  g_test_add_data_func ("/save-killed/safetensors", "x.safetensors", test_file);
  c2g_test_add_func ("/save-killed/lmdb", test_lmdb);
  c2g_test_add_func ("/save-killed/named", test_named);
  c2g_test_add_func ("/save-killed/named-lmdb", test_named_lmdb);

  return c2g_test_run ();
}
