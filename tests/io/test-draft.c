/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* For O_TMPFILE. */
#define _GNU_SOURCE

#include "tests/io/save-utils.h"
#include "tests/io/system-calls.h"

#include <c2g/io/lmdb/c2g-lmdb-draft-private.h>
#include <c2g/io/stream/c2g-draft-private.h>
#include <c2g/io/stream/c2g-sink-private.h>
#include <c2g/io/stream/c2g-size-signal-private.h>

#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

/* These tests cover drafts, the temporary files beside a target, and which attributes of the old
 * file the new one keeps. */

static C2gWorkspace *
new_workspace (void)
{
  C2gWorkspace *workspace = c2g_workspace_new ();

  save_add_numbers (workspace, "w", C2G_DATA_TYPE_FLOAT, C2G_TEST_DIMS (1000));
  return workspace;
}

static char *
put_file (const char *folder,
          const char *name)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "left over", -1, NULL));
  return path;
}

/* The next save removes the drafts of killed processes, and keeps files of users with similar
 * names. */
static void
test_sweep (void)
{
  static const char *const drafts[] = { ".c2g-unfinished-save-abcDEF", ".c2g-unfinished-save-0123abcd" };
  static const char *const others[] = { ".c2g-config", ".c2g-abcDEF", ".c2g-0123abcd", ".c2g-unfinished-save-", ".c2g-unfinished-save-abc", ".c2g-unfinished-save-abc.ef", "c2g-abcdef", "x" };
  g_autofree char *folder = save_new_folder ();
  g_autofree char *database = g_build_filename (folder, ".c2g-unfinished-save-xyzXYZ", NULL);
  g_autofree char *full = g_build_filename (folder, ".c2g-unfinished-save-000000", NULL);
  g_autofree char *link = g_build_filename (folder, ".c2g-unfinished-save-111111", NULL);
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");
  g_autoptr (GFile) lmdb = save_file (folder, "x.lmdb");
  guint n_stay = G_N_ELEMENTS (others) + 2;

  for (guint round = 0; round < 2; round++)
    {
      if (round == 1 && !save_can_make (folder, "x.lmdb"))
        break;
      g_assert_cmpint (g_mkdir (database, 0777), ==, 0);
      g_assert_cmpint (g_mkdir_with_parents (full, 0777), ==, 0);
      g_free (put_file (database, "data.mdb"));
      g_free (put_file (full, "mine"));
      for (gsize i = 0; i < G_N_ELEMENTS (drafts); i++)
        g_free (put_file (folder, drafts[i]));
      for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
        g_free (put_file (folder, others[i]));
      if (round == 0)
        g_assert_cmpint (symlink ("x", link), ==, 0);

      save_to (workspace, round == 0 ? file : lmdb, NULL);
      g_assert_cmpuint (save_count_files (folder), ==, n_stay + 1 + round);
      g_assert_false (g_file_test (database, G_FILE_TEST_EXISTS));
      g_assert_true (g_file_test (full, G_FILE_TEST_EXISTS));
      g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
    }

  save_remove (folder);
}

/* A draft that is in use is kept, in this process and in others. */
static void
test_alive (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (GFile) first = save_file (folder, "first");
  g_autoptr (GFile) second = save_file (folder, "second.minidb");
  g_autofree char *lmdb = g_build_filename (folder, "third.lmdb", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gSink) sink = NULL;
  g_autoptr (C2gLmdbDraft) draft = NULL;

  system_has_no_nameless = TRUE;
  sink = c2g_sink_new_for_file (first, NULL, &error);
  g_assert_no_error (error);
  draft = c2g_lmdb_draft_new (lmdb, lmdb, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (save_count_files (folder), ==, 2);
  save_to (workspace, second, NULL);
  g_assert_cmpuint (save_count_files (folder), ==, 3);

  g_assert_true (c2g_sink_write (sink, "text", 4, NULL, &error));
  g_assert_true (c2g_sink_commit (sink, NULL, &error));
  g_assert_no_error (error);
  g_clear_pointer (&draft, c2g_lmdb_draft_free);
  g_clear_pointer (&sink, c2g_sink_free);
  g_assert_cmpuint (save_count_files (folder), ==, 2);
  system_has_no_nameless = FALSE;
  save_remove (folder);
}

/* An unnamed file keeps its lock when it gets a name. */
static void
test_link (void)
{
  g_autofree char *folder = save_new_folder ();
  int fd = c2g_draft_open_nameless (folder);
  g_autofree char *path = NULL;

  if (fd < 0)
    {
      g_test_skip ("this file system has no files without a name");
      save_remove (folder);
      return;
    }

  path = c2g_draft_link_file (folder, fd);
  g_assert_nonnull (path);
  c2g_draft_sweep (folder);
  g_assert_cmpuint (save_count_files (folder), ==, 1);
  close (fd);
  c2g_draft_sweep (folder);
  g_assert_cmpuint (save_count_files (folder), ==, 0);
  save_remove (folder);
}

/* If flushing the folder fails, the new file exists, and the error says so. */
static void
test_folder_sync (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (GFile) file = save_file (folder, "x.minidb");

  g_free (put_file (folder, "x.minidb"));
  system_fails_folders = TRUE;
  save_assert_fails (workspace, file, NULL, G_IO_ERROR, (int) g_io_error_from_errno (EIO),
                     "The new file is in its place");
  system_fails_folders = FALSE;
  save_assert_same (workspace, file);
  g_assert_cmpuint (save_count_files (folder), ==, 1);
  save_remove (folder);
}

/* If the folder cannot be opened, it is removed, and the error is that of open(). */
static void
test_no_folder (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autofree char *path = NULL;
  int fd = -1;

  system_opens_no_folders = TRUE;
  path = c2g_draft_make_folder (folder, &fd);
  g_assert_cmpint (errno, ==, EMFILE);
  system_opens_no_folders = FALSE;
  g_assert_null (path);
  g_assert_cmpint (fd, ==, -1);
  g_assert_cmpuint (save_count_files (folder), ==, 0);
  save_remove (folder);
}

static void
save_with_mode (const char *folder,
                guint       mode,
                guint       expected,
                gboolean    is_given)
{
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autofree char *path = put_file (folder, "x.minidb");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  struct stat status;

  if (is_given)
    g_assert_cmpint (chown (path, 1234, 4321), ==, 0);
  g_assert_cmpint (g_chmod (path, (int) mode), ==, 0);
  save_to (workspace, file, NULL);
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpuint (status.st_mode & 07777, ==, expected);
  g_assert_cmpuint (status.st_uid, ==, is_given && !system_fails_owners ? 1234 : geteuid ());
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* The new file has the access rights of the old one. */
static void
test_access (void)
{
  g_autofree char *folder = save_new_folder ();

  save_with_mode (folder, 0640, 0640, FALSE);
  save_with_mode (folder, 0604, 0604, FALSE);
  save_with_mode (folder, 06755, 0755, FALSE);
  save_with_mode (folder, 01600, 0600, FALSE);
  if (geteuid () == 0)
    {
      save_with_mode (folder, 0660, 0660, TRUE);
      system_fails_owners = TRUE;
      save_with_mode (folder, 0660, 0600, TRUE);
      save_with_mode (folder, 0664, 0644, TRUE);
      system_fails_owners = FALSE;
    }
  save_remove (folder);
}

/* Other hard links of the old file keep the old content. */
static void
test_hard_link (void)
{
  g_autofree char *folder = save_new_folder ();
  g_autofree char *path = put_file (folder, "x.minidb");
  g_autofree char *other_path = g_build_filename (folder, "other", NULL);
  g_autoptr (C2gWorkspace) workspace = new_workspace ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *text = NULL;

  g_assert_cmpint (link (path, other_path), ==, 0);
  save_to (workspace, file, NULL);
  save_assert_same (workspace, file);
  g_assert_true (g_file_get_contents (other_path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "left over");
  save_remove (folder);
}

static int n_signals;

static void
count_signal (int number)
{
  n_signals++;
}

/* The signal that the write caused is removed. An earlier one stays pending, and the program's
 * handler is unchanged. */
static void
test_size_signal (void)
{
  C2gSizeSignal size_signal;
  struct sigaction action = { .sa_handler = count_signal };
  struct sigaction after;
  sigset_t set, pending;

  g_assert_cmpint (sigaction (SIGXFSZ, &action, NULL), ==, 0);
  c2g_size_signal_block (&size_signal);
  raise (SIGXFSZ);
  errno = EFBIG;
  c2g_size_signal_unblock (&size_signal);
  g_assert_cmpint (errno, ==, EFBIG);
  g_assert_cmpint (n_signals, ==, 0);
  g_assert_cmpint (sigaction (SIGXFSZ, NULL, &after), ==, 0);
  g_assert_true (after.sa_handler == count_signal);
  raise (SIGXFSZ);
  g_assert_cmpint (n_signals, ==, 1);

  sigemptyset (&set);
  sigaddset (&set, SIGXFSZ);
  g_assert_cmpint (pthread_sigmask (SIG_BLOCK, &set, NULL), ==, 0);
  raise (SIGXFSZ);
  c2g_size_signal_block (&size_signal);
  c2g_size_signal_unblock (&size_signal);
  g_assert_cmpint (sigpending (&pending), ==, 0);
  g_assert_cmpint (sigismember (&pending, SIGXFSZ), ==, 1);
  g_assert_cmpint (pthread_sigmask (SIG_UNBLOCK, &set, NULL), ==, 0);
  g_assert_cmpint (n_signals, ==, 2);
  signal (SIGXFSZ, SIG_DFL);
}

/* Does not wait for a signal that another thread has taken. */
static void
test_size_signal_lost (void)
{
  C2gSizeSignal size_signal;

  c2g_size_signal_block (&size_signal);
  system_loses_signals = TRUE;
  errno = EFBIG;
  c2g_size_signal_unblock (&size_signal);
  system_loses_signals = FALSE;
  g_assert_cmpint (errno, ==, EFBIG);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/draft/sweep", test_sweep);
  c2g_test_add_func ("/draft/alive", test_alive);
  c2g_test_add_func ("/draft/link", test_link);
  c2g_test_add_func ("/draft/folder-sync", test_folder_sync);
  c2g_test_add_func ("/draft/no-folder", test_no_folder);
  c2g_test_add_func ("/draft/access", test_access);
  c2g_test_add_func ("/draft/hard-link", test_hard_link);
  c2g_test_add_func ("/draft/size-signal", test_size_signal);
  c2g_test_add_func ("/draft/size-signal-lost", test_size_signal_lost);

  return c2g_test_run ();
}
