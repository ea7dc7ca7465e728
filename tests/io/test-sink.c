/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-sink-private.h>

#include "tests/test-utils.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gstdio.h>

#include <string.h>

/* A temporary folder that must contain only the named file at the end. */
typedef struct
{
  char  *folder;
  char  *path;
  GFile *file;
} Place;

static void
place_init (Place *self)
{
  self->folder = g_dir_make_tmp ("c2g-sink-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "target", NULL);
  self->file = g_file_new_for_path (self->path);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
place_clear (Place *self)
{
  g_assert_cmpuint (count_files (self->folder), <=, 1);
  g_unlink (self->path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
  g_object_unref (self->file);
}

static void
assert_content (Place      *place,
                const char *expected)
{
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (place->path, &content, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (content, ==, expected);
}

static void
write_text (C2gSink    *sink,
            const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (c2g_sink_write (sink, text, strlen (text), NULL, &error));
  g_assert_no_error (error);
}

static void
test_commit (void)
{
  g_autoptr (GError) error = NULL;
  Place place;

  place_init (&place);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (C2gSink) sink = c2g_sink_new_for_file (place.file, NULL, &error);

      g_assert_no_error (error);
      write_text (sink, i == 0 ? "first" : "second");
      g_assert_cmpuint (c2g_sink_get_position (sink), ==, 5 + i);
      /* The file appears when it is complete. */
      if (i == 0)
        g_assert_false (g_file_test (place.path, G_FILE_TEST_EXISTS));
      else
        assert_content (&place, "first");

      g_assert_true (c2g_sink_commit (sink, NULL, &error));
      g_assert_no_error (error);
      assert_content (&place, i == 0 ? "first" : "second");
    }
  place_clear (&place);
}

static void
test_give_up (void)
{
  g_autoptr (GError) error = NULL;
  Place place;

  place_init (&place);
  g_file_set_contents (place.path, "old", -1, &error);
  g_assert_no_error (error);

  c2g_sink_free (c2g_sink_new_for_file (place.file, NULL, &error));
  g_assert_no_error (error);
  assert_content (&place, "old");

  {
    g_autoptr (C2gSink) sink = c2g_sink_new_for_file (place.file, NULL, &error);
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();

    write_text (sink, "new");
    g_cancellable_cancel (cancellable);
    g_assert_false (c2g_sink_commit (sink, cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  }
  assert_content (&place, "old");
  g_assert_cmpuint (count_files (place.folder), ==, 1);
  place_clear (&place);
}

/* The mode is kept, and a link stays a link. */
static void
test_replace (void)
{
  g_autofree char *link_path = NULL;
  g_autoptr (GFile) link_file = NULL;
  g_autoptr (GError) error = NULL;
  struct stat status;
  Place place;

  place_init (&place);
  g_file_set_contents (place.path, "old", -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (place.path, 0640), ==, 0);
  link_path = g_build_filename (place.folder, "link", NULL);
  g_assert_cmpint (symlink ("target", link_path), ==, 0);
  link_file = g_file_new_for_path (link_path);

  {
    g_autoptr (C2gSink) sink = c2g_sink_new_for_file (link_file, NULL, &error);

    g_assert_no_error (error);
    write_text (sink, "new");
    g_assert_true (c2g_sink_commit (sink, NULL, &error));
  }
  assert_content (&place, "new");
  g_assert_true (g_file_test (link_path, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (g_stat (place.path, &status), ==, 0);
  g_assert_cmphex (status.st_mode & 07777, ==, 0640);

  g_unlink (link_path);
  place_clear (&place);
}

/* A dangling link is followed too, also through another link. */
static void
test_dangling_link (void)
{
  const char *const links[][2] = {
    { "first", "second" },
    { "second", NULL },
    { "loop", "loop" },
    { "far", "missing/target" },
  };
  g_autoptr (GError) error = NULL;
  Place place;

  place_init (&place);
  for (gsize i = 0; i < G_N_ELEMENTS (links); i++)
    {
      g_autofree char *path = g_build_filename (place.folder, links[i][0], NULL);
      const char *target = links[i][1] == NULL ? place.path : links[i][1];

      g_assert_cmpint (symlink (target, path), ==, 0);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (links); i++)
    {
      g_autofree char *path = g_build_filename (place.folder, links[i][0], NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (C2gSink) sink = c2g_sink_new_for_file (file, NULL, &error);

      if (i < 2)
        {
          g_assert_no_error (error);
          write_text (sink, "new");
          g_assert_true (c2g_sink_commit (sink, NULL, &error));
          assert_content (&place, "new");
          g_assert_cmpint (g_unlink (place.path), ==, 0);
        }
      else
        {
          int code = i == 2 ? G_IO_ERROR_TOO_MANY_LINKS : G_IO_ERROR_NOT_FOUND;

          g_assert_error (error, G_IO_ERROR, code);
          g_clear_error (&error);
        }
      g_assert_true (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
    }

  for (gsize i = 0; i < G_N_ELEMENTS (links); i++)
    {
      g_autofree char *path = g_build_filename (place.folder, links[i][0], NULL);

      g_unlink (path);
    }
  place_clear (&place);
}

static void
test_bad_places (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = NULL;
  g_autoptr (GFile) nowhere = NULL;
  g_autoptr (GFile) device = g_file_new_for_path ("/dev/null");
  Place place;

  place_init (&place);
  folder = g_file_new_for_path (place.folder);
  nowhere = g_file_resolve_relative_path (folder, "missing/target");

  g_assert_null (c2g_sink_new_for_file (folder, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&error);
  g_assert_null (c2g_sink_new_for_file (nowhere, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (c2g_sink_new_for_file (device, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_assert_cmpstr (error->message, ==,
                   "/dev/null: This is a pipe or a device, and only a file can be replaced");
  place_clear (&place);
}

/* A link in /proc leads to a pipe, which has no path. */
static void
test_pipe_without_path (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  g_autofree char *message = NULL;
  int fds[2];

  g_assert_true (g_unix_open_pipe (fds, FD_CLOEXEC, &error));
  path = g_strdup_printf ("/proc/self/fd/%d", fds[1]);
  message = g_strconcat (path, ": This is a pipe or a device, and only a file can be replaced", NULL);
  file = g_file_new_for_path (path);

  g_assert_null (c2g_sink_new_for_file (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE);
  g_assert_cmpstr (error->message, ==, message);
  close (fds[0]);
  close (fds[1]);
}

/* A file size limit of the process stands for a full disk. */
static void
test_full_disk (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *large = g_malloc0 (1 << 20);
  struct rlimit old_limit;
  struct rlimit limit;
  Place place;

  place_init (&place);
  g_file_set_contents (place.path, "old", -1, &error);
  g_assert_no_error (error);
  getrlimit (RLIMIT_FSIZE, &old_limit);
  limit = old_limit;
  limit.rlim_cur = 100000;
  setrlimit (RLIMIT_FSIZE, &limit);

  {
    g_autoptr (C2gSink) sink = c2g_sink_new_for_file (place.file, NULL, &error);

    g_assert_no_error (error);
    g_assert_false (c2g_sink_write (sink, large, 1 << 20, NULL, &error));
    g_assert_nonnull (error);
    g_assert_nonnull (strstr (error->message, place.path));
  }

  setrlimit (RLIMIT_FSIZE, &old_limit);
  assert_content (&place, "old");
  g_assert_cmpuint (count_files (place.folder), ==, 1);
  place_clear (&place);
}

/* Pieces of all sizes are written unchanged by every kind of sink. */
static void
test_pieces (void)
{
  static const gsize sizes[] = { 1, 0, 100, 65535, 65536, 65537, 3, 200000, 7 };
  g_autofree guint8 *data = g_malloc (1 << 20);
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (GBytes) of_memory = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *of_file = NULL;
  gsize n_bytes = 0;
  gsize n_file;
  C2gSink *sinks[3];
  Place place;

  for (gsize i = 0; i < 1 << 20; i++)
    data[i] = (guint8) (i * 31 + i / 257);
  place_init (&place);
  sinks[0] = c2g_sink_new_for_memory (10);
  sinks[1] = c2g_sink_new_for_stream (stream);
  sinks[2] = c2g_sink_new_for_file (place.file, NULL, &error);
  g_assert_no_error (error);

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      for (guint k = 0; k < 3; k++)
        {
          g_assert_true (c2g_sink_write (sinks[k], data + n_bytes, sizes[i], NULL, &error));
          g_assert_cmpuint (c2g_sink_get_position (sinks[k]), ==, n_bytes + sizes[i]);
        }
      n_bytes += sizes[i];
    }
  for (guint k = 0; k < 3; k++)
    {
      g_assert_true (c2g_sink_commit (sinks[k], NULL, &error));
      g_assert_no_error (error);
    }

  of_memory = c2g_sink_steal_bytes (sinks[0]);
  g_assert_cmpmem (g_bytes_get_data (of_memory, NULL), g_bytes_get_size (of_memory),
                   data, n_bytes);
  g_assert_cmpmem (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (stream)),
                   g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (stream)),
                   data, n_bytes);
  g_assert_true (g_file_get_contents (place.path, &of_file, &n_file, &error));
  g_assert_cmpmem (of_file, n_file, data, n_bytes);

  for (guint k = 0; k < 3; k++)
    c2g_sink_free (sinks[k]);
  place_clear (&place);
}

static void
test_extend (void)
{
  g_autoptr (C2gSink) sink = c2g_sink_new_for_memory (0);
  g_autoptr (GBytes) bytes = NULL;

  memcpy (c2g_sink_extend (sink, 4), "abcd", 4);
  write_text (sink, "ef");
  memcpy (c2g_sink_extend (sink, 1), "g", 1);
  g_assert_cmpuint (c2g_sink_get_position (sink), ==, 7);
  g_assert_null (c2g_sink_extend (sink, G_MAXSIZE - 3));
  bytes = c2g_sink_steal_bytes (sink);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "abcdefg", 7);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/sink/commit", test_commit);
  c2g_test_add_func ("/sink/give-up", test_give_up);
  c2g_test_add_func ("/sink/replace", test_replace);
  c2g_test_add_func ("/sink/dangling-link", test_dangling_link);
  c2g_test_add_func ("/sink/bad-places", test_bad_places);
  c2g_test_add_func ("/sink/pipe-without-path", test_pipe_without_path);
  c2g_test_add_func ("/sink/full-disk", test_full_disk);
  c2g_test_add_func ("/sink/pieces", test_pieces);
  c2g_test_add_func ("/sink/extend", test_extend);

  return c2g_test_run ();
}
