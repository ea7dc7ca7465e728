/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-scanner-private.h>
#include <c2g/io/stream/c2g-source-private.h>

#include "tests/test-utils.h"

#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define N_BYTES (200u << 10)

static guint8
byte_at (gsize offset)
{
  return (guint8) (offset * 7 + offset / 251);
}

static GBytes *
make_bytes (gsize n_bytes)
{
  guint8 *data = g_malloc (n_bytes + 1);

  for (gsize i = 0; i < n_bytes; i++)
    data[i] = byte_at (i);
  return g_bytes_new_take (data, n_bytes);
}

static GFile *
make_file (gsize n_bytes)
{
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GBytes) bytes = make_bytes (n_bytes);
  g_autoptr (GError) error = NULL;
  GFile *file = g_file_new_tmp ("c2g-source-XXXXXX", &stream, &error);

  g_assert_no_error (error);
  g_file_replace_contents (file, g_bytes_get_data (bytes, NULL), n_bytes, NULL, FALSE,
                           G_FILE_CREATE_NONE, NULL, NULL, &error);
  g_assert_no_error (error);
  return file;
}

/* Makes a source of the same bytes in one of three ways. */
static C2gSource *
make_source (guint   kind,
             GFile  *file,
             gsize   n_bytes)
{
  g_autoptr (GBytes) bytes = make_bytes (n_bytes);
  g_autoptr (GError) error = NULL;
  C2gSource *source;

  if (kind == 0)
    source = c2g_source_new_for_bytes (bytes, "bytes");
  else if (kind == 1)
    source = c2g_source_new_for_file (file, NULL, &error);
  else
    source = c2g_source_new_mapped (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (c2g_source_get_n_bytes (source), ==, n_bytes);
  return source;
}

static void
assert_bytes (gsize         offset,
              const guint8 *data,
              gsize         n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    g_assert_cmpuint (data[i], ==, byte_at (offset + i));
}

static void
test_read (void)
{
  static const struct
  {
    guint64  offset;
    gsize    n_bytes;
    gboolean is_valid;
  } cases[] = {
    { 0, 0, TRUE },
    { 0, N_BYTES, TRUE },
    { 17, 4711, TRUE },
    { N_BYTES - 1, 1, TRUE },
    { N_BYTES, 0, TRUE },
    { N_BYTES, 1, FALSE },
    { N_BYTES + 1, 0, FALSE },
    { 1, N_BYTES, FALSE },
    { G_MAXUINT64, 2, FALSE },
  };
  g_autoptr (GFile) file = make_file (N_BYTES);

  for (guint kind = 0; kind < 3; kind++)
    {
      g_autoptr (C2gSource) source = make_source (kind, file, N_BYTES);

      g_assert_true ((c2g_source_peek (source) != NULL) == (kind != 1));
      for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
        {
          g_autofree guint8 *buffer = g_malloc (N_BYTES);
          g_autoptr (GError) error = NULL;
          g_autoptr (GBytes) bytes = NULL;

          if (c2g_source_read (source, cases[i].offset, buffer, cases[i].n_bytes, NULL, &error))
            assert_bytes (cases[i].offset, buffer, cases[i].n_bytes);
          g_assert_true ((error == NULL) == cases[i].is_valid);
          g_clear_error (&error);

          bytes = c2g_source_ref_bytes (source, cases[i].offset, cases[i].n_bytes, NULL, &error);
          if (cases[i].is_valid)
            assert_bytes (cases[i].offset, g_bytes_get_data (bytes, NULL), cases[i].n_bytes);
          else
            g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
        }
    }

  g_file_delete (file, NULL, NULL);
}

static void
test_empty (void)
{
  g_autoptr (GFile) file = make_file (0);

  for (guint kind = 0; kind < 3; kind++)
    {
      g_autoptr (C2gSource) source = make_source (kind, file, 0);
      g_auto (C2gScanner) scanner = { NULL };
      g_autoptr (GError) error = NULL;
      gsize n_bytes = 1;

      c2g_scanner_init (&scanner, source);
      g_assert_nonnull (c2g_scanner_look (&scanner, 0, 10, &n_bytes, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (n_bytes, ==, 0);
    }

  g_file_delete (file, NULL, NULL);
}

static void
test_scanner (void)
{
  static const guint64 offsets[] = { 0, 1, 60000, 70000, 65536, 3, 131072, N_BYTES - 5,
                                     N_BYTES, N_BYTES + 7, 9 };
  static const gsize sizes[] = { 0, 1, 10, 5000, C2G_SCANNER_WINDOW, C2G_SCANNER_WINDOW + 1 };
  g_autoptr (GFile) file = make_file (N_BYTES);

  for (guint kind = 0; kind < 3; kind++)
    {
      g_autoptr (C2gSource) source = make_source (kind, file, N_BYTES);
      g_auto (C2gScanner) scanner = { NULL };

      c2g_scanner_init (&scanner, source);
      for (gsize i = 0; i < G_N_ELEMENTS (offsets) * G_N_ELEMENTS (sizes); i++)
        {
          guint64 offset = offsets[i % G_N_ELEMENTS (offsets)];
          gsize n_wanted = sizes[i / G_N_ELEMENTS (offsets)];
          gsize n_left = N_BYTES - MIN (offset, N_BYTES);
          g_autoptr (GError) error = NULL;
          gsize n_bytes = 0;
          const guint8 *data = c2g_scanner_look (&scanner, offset, n_wanted, &n_bytes, &error);

          g_assert_no_error (error);
          g_assert_cmpuint (n_bytes, >=, MIN (MIN (n_wanted, C2G_SCANNER_WINDOW), n_left));
          g_assert_cmpuint (n_bytes, <=, n_left);
          assert_bytes (offset, data, n_bytes);
        }
    }

  g_file_delete (file, NULL, NULL);
}

/* The file is truncated while it is open. */
static void
test_shrinking (void)
{
  g_autoptr (GFile) file = make_file (N_BYTES);
  g_autoptr (C2gSource) source = make_source (1, file, N_BYTES);
  g_autofree guint8 *buffer = g_malloc (N_BYTES);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (truncate (g_file_peek_path (file), 1000), ==, 0);
  g_assert_true (c2g_source_read (source, 0, buffer, 1000, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (c2g_source_read (source, 0, buffer, 1001, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);

  g_file_delete (file, NULL, NULL);
}

static void
assert_refused (const char *path,
                GIOErrorEnum code)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_source_new_for_file (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, path));
  g_clear_error (&error);
  g_assert_null (c2g_source_new_mapped (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, (int) code);
}

/* Opening these files must not hang. */
static void
test_special_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("c2g-source-XXXXXX", NULL);
  g_autofree char *pipe_path = g_build_filename (folder, "pipe", NULL);
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);

  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  assert_refused (pipe_path, G_IO_ERROR_NOT_REGULAR_FILE);
  assert_refused ("/dev/zero", G_IO_ERROR_NOT_REGULAR_FILE);
  assert_refused (folder, G_IO_ERROR_IS_DIRECTORY);
  assert_refused (missing, G_IO_ERROR_NOT_FOUND);

  g_unlink (pipe_path);
  g_rmdir (folder);
}

/* A file that cannot be mapped. */
static void
test_not_mapped (void)
{
  static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_test_skip ("There is no such file here");
      return;
    }

  g_assert_null (c2g_source_new_mapped (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, path));
}

/* A file that is not local is read into memory. */
static void
test_resource (void)
{
  g_autoptr (GFile) file = g_file_new_for_uri ("resource:///nothing/here");
  g_autoptr (GError) error = NULL;

  g_assert_null (c2g_source_new_for_file (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static void
test_cancelled (void)
{
  g_autoptr (GFile) file = make_file (N_BYTES);
  g_autoptr (C2gSource) source = make_source (1, file, N_BYTES);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree guint8 *buffer = g_malloc (N_BYTES);
  C2gJob job = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_source_read (source, 0, buffer, N_BYTES, &job, &error));
  g_assert_no_error (error);
  g_cancellable_cancel (cancellable);
  g_assert_false (c2g_source_read (source, 0, buffer, N_BYTES, &job, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (c2g_source_ref_bytes (source, 0, 10, &job, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (c2g_source_new_for_file (file, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_file_delete (file, NULL, NULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/source/read", test_read);
  c2g_test_add_func ("/source/empty", test_empty);
  c2g_test_add_func ("/source/scanner", test_scanner);
  c2g_test_add_func ("/source/shrinking", test_shrinking);
  c2g_test_add_func ("/source/special-files", test_special_files);
  c2g_test_add_func ("/source/not-mapped", test_not_mapped);
  c2g_test_add_func ("/source/resource", test_resource);
  c2g_test_add_func ("/source/cancelled", test_cancelled);

  return c2g_test_run ();
}
