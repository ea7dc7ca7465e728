/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* RTLD_NEXT needs this. */
#define _GNU_SOURCE

#include "tests/ops/file-access-utils.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* Tests logs that nets write to files which cannot be written. */

/* A log is not written if its name is a hard link of a file elsewhere, or a pipe. */
static void
test_log_elsewhere (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;
  g_autofree char *log = NULL;
  g_autofree char *secret = NULL;
  struct stat before, after;

  place_init (&place);
  log = place_path (&place, "root/x.log");
  secret = place_path (&place, "outside/secret.minidb");
  workspace = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);
  g_assert_cmpint (stat (secret, &before), ==, 0);
  g_assert_cmpint (link (secret, log), ==, 0);
  run_net (workspace, &place, "op { type: 'Print' input: 'x' arg { name: 'to_file' i: 1 } }",
           SOME_ERROR);
  g_assert_cmpint (stat (secret, &after), ==, 0);
  g_assert_cmpint (before.st_size, ==, after.st_size);
  g_assert_cmpint (g_unlink (log), ==, 0);
  g_assert_cmpint (mkfifo (log, 0600), ==, 0);
  run_net (workspace, &place, "op { type: 'Print' input: 'x' arg { name: 'to_file' i: 1 } }",
           SOME_ERROR);
}

/* Makes the system refuse to truncate files, and fail to allocate streams. */
static gboolean fails_truncate;
static gboolean fails_stream;

int
ftruncate (int   fd,
           off_t length)
{
  if (fails_truncate)
    {
      errno = EIO;
      return -1;
    }
  return (int) syscall (SYS_ftruncate, fd, length);
}

FILE *
fdopen (int         fd,
        const char *mode)
{
  FILE *(*real) (int, const char *) = NULL;

  if (fails_stream)
    {
      errno = ENOMEM;
      return NULL;
    }
  *(void **) &real = dlsym (RTLD_NEXT, "fdopen");
  return real (fd, mode);
}

static void
run_print (C2gWorkspace *workspace,
           int           code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (C2gOperatorDef) def =
    c2g_operator_def_new_from_text ("type: 'Print' input: 'x' arg { name: 'to_file' i: 1 }", &error);
  g_autoptr (C2gOperator) op = NULL;

  g_assert_no_error (error);
  op = c2g_operator_create (def, workspace, &error);
  g_assert_no_error (error);
  g_assert_false (c2g_operator_run (op, &error));
  g_assert_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (code));
}

/* Returns the lowest file descriptor that is free. */
static int
next_descriptor (void)
{
  int fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);

  close (fd);
  return fd;
}

/* A log that cannot be opened fails with the error of the system, and no file descriptor is
 * leaked. */
static void
test_log_fails (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;
  int fd;

  place_init (&place);
  workspace = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);
  run_load (workspace, &place, "in.minidb", NO_ERROR);
  fd = next_descriptor ();

  fails_truncate = TRUE;
  run_print (workspace, EIO);
  fails_truncate = FALSE;
  g_assert_cmpint (next_descriptor (), ==, fd);

  fails_stream = TRUE;
  run_print (workspace, ENOMEM);
  fails_stream = FALSE;
  g_assert_cmpint (next_descriptor (), ==, fd);
}

static void
write_beyond_limit (void)
{
  g_auto (Place) place = { 0 };
  g_autoptr (C2gWorkspace) workspace = NULL;
  const struct rlimit limit = { 0, 0 };

  place_init (&place);
  workspace = new_workspace (&place, C2G_FILE_ACCESS_ROOT_FOLDER);
  run_load (workspace, &place, "in.minidb", NO_ERROR);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  run_print (workspace, EFBIG);
}

/* A log that exceeds the limit on file sizes fails, and the process goes on. */
static void
test_log_limit (void)
{
  if (g_test_subprocess ())
    {
      write_beyond_limit ();
      return;
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/file-access-log/elsewhere", test_log_elsewhere);
  c2g_test_add_func ("/file-access-log/fails", test_log_fails);
  c2g_test_add_func ("/file-access-log/limit", test_log_limit);

  return c2g_test_run ();
}
