/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/io/peak-utils.h"
#include "tests/io/save-utils.h"

/* Saving and loading a checkpoint needs little more memory than its data and one chunk for each
 * thread. */

#define N_TENSORS      4
#define N_ELEMENTS     (8 << 20)
#define N_BYTES        ((guint64) N_TENSORS * N_ELEMENTS * sizeof (float))
#define CHUNK_ELEMENTS (1 << 20)
#define CHUNK_BYTES    ((guint64) CHUNK_ELEMENTS * sizeof (float))

/* Tolerance for memory that does not grow with the data: code that runs for the first time, thread
 * stacks, and lists of liblmdb. It is less than a chunk. */
#define SLACK_BYTES    (CHUNK_BYTES * 3 / 4)

typedef struct
{
  const char *test_name;
  const char *name;
  gboolean    is_load;
  guint       n_threads;
  /* Number of chunks allowed in addition to the data. */
  guint       n_chunks;
} Case;

static const Case cases[] = {
  { "/peak-memory/save/minidb/1", "a.minidb", FALSE, 1, 1 },
  { "/peak-memory/save/minidb/2", "a.minidb", FALSE, 2, 2 },
  { "/peak-memory/save/minidb/4", "a.minidb", FALSE, 4, 4 },
  { "/peak-memory/save/safetensors", "a.safetensors", FALSE, 4, 0 },
  { "/peak-memory/save/npz", "a.npz", FALSE, 4, 0 },
  { "/peak-memory/load/minidb", "a.minidb", TRUE, 1, 0 },
  { "/peak-memory/load/safetensors", "a.safetensors", TRUE, 1, 0 },
  { "/peak-memory/load/npz", "a.npz", TRUE, 1, 0 },
  /* liblmdb copies the chunk that it writes, into memory that the C library does not always release
   * at once. */
  { "/peak-memory/save/lmdb/1", "a.lmdb", FALSE, 1, 3 },
  { "/peak-memory/save/lmdb/4", "a.lmdb", FALSE, 4, 6 },
  { "/peak-memory/load/lmdb", "a.lmdb", TRUE, 1, 0 },
};

static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  for (guint i = 0; i < N_TENSORS; i++)
    {
      g_autofree char *name = g_strdup_printf ("w%u", i);
      C2gTensor *tensor = save_add (workspace, name, C2G_DATA_TYPE_FLOAT,
                                    C2G_TEST_DIMS (N_ELEMENTS));
      float *values = c2g_tensor_mutable_data (tensor, C2G_DATA_TYPE_FLOAT, NULL);

      for (guint j = 0; j < N_ELEMENTS; j++)
        values[j] = i + j;
    }

  return workspace;
}

static void
save (C2gWorkspace *workspace,
      GFile        *file,
      guint         n_threads)
{
  g_autoptr (C2gSaveOptions) options = c2g_save_options_new ();

  c2g_save_options_set_chunk_size (options, CHUNK_ELEMENTS);
  c2g_save_options_set_n_threads (options, n_threads);
  save_to (workspace, file, options);
}

static void
run (const Case    *test,
     GFile         *file,
     C2gWorkspace  *workspace)
{
  if (test->is_load)
    {
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = c2g_workspace_load_checkpoint (workspace, file, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (g_strv_length (names), ==, N_TENSORS);
    }
  else
    save (workspace, file, test->n_threads);
}

/* Runs in a new process, so that other cases do not influence its memory. */
static void
measure (const Case *test)
{
  g_autoptr (C2gMemoryReporter) reporter = c2g_memory_reporter_get_default ();
  g_autoptr (GFile) file = save_file (g_getenv ("C2G_TEST_FOLDER"), test->name);
  g_autoptr (C2gWorkspace) workspace = test->is_load ? c2g_workspace_new () : new_workspace ();
  guint64 n_loaded = test->is_load ? N_BYTES : 0;
  guint64 n_before = c2g_memory_reporter_get_current_bytes (reporter, NULL);
  guint64 n_resident = peak_reset () ? peak_read ("VmRSS:") : 0;

  c2g_memory_reporter_reset_peak (reporter);
  run (test, file, workspace);

  /* The only tensors were those that exist at the end. */
  g_assert_cmpuint (c2g_memory_reporter_get_peak_bytes (reporter, NULL), <=,
                    n_before + n_loaded + SLACK_BYTES);
  if (n_resident > 0)
    g_assert_cmpuint (peak_read ("VmHWM:"), <=,
                      n_resident + n_loaded + test->n_chunks * CHUNK_BYTES + SLACK_BYTES);
}

static void
save_data (const Case *test,
           const char *folder)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (GFile) file = save_file (folder, test->name);

  save (workspace, file, 1);
}

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autofree char *folder = NULL;

  if (g_test_subprocess ())
    {
      measure (test);
      return;
    }

  folder = save_new_folder ();
  if (!save_can_make (folder, test->name))
    {
      g_test_skip ("this build cannot write such files");
      save_remove (folder);
      return;
    }

  g_setenv ("C2G_TEST_FOLDER", folder, TRUE);
  if (test->is_load)
    save_data (test, folder);
  if (!peak_reset ())
    g_test_message ("Only tensors are counted: the peak of the process cannot be told");
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  save_remove (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].test_name, &cases[i], test_case);

  return c2g_test_run ();
}
