/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

/* The main function of fuzz targets in a build without libFuzzer: gives the target each file of the folders, and then
 * damaged copies of them until the time is over. It takes those of libFuzzer's arguments that it knows:
 *
 *   fuzz-NAME FOLDER... -max_total_time=SECONDS -seed=N -max_len=BYTES -artifact_prefix=PREFIX
 */

#define MAX_CHANGES 8

static const guint8 zeros[128];

static gint64 max_seconds = 1;
static gint64 max_bytes = 64 << 10;
static gint64 seed = 1;
static const char *prefix = "";

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Adds the files by name, so that the same seed draws the same ones everywhere. */
static void
add_files (GPtrArray  *files,
           const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_names);
  for (guint i = 0; i < paths->len; i++)
    {
      char *data;
      gsize n_bytes;

      g_assert_true (g_file_get_contents (paths->pdata[i], &data, &n_bytes, NULL));
      g_ptr_array_add (files, g_bytes_new_take (data, n_bytes));
    }
}

static gboolean
read_number (const char *argument,
             const char *name,
             gint64     *value)
{
  if (!g_str_has_prefix (argument, name))
    return FALSE;
  *value = g_ascii_strtoll (argument + strlen (name), NULL, 10);
  return TRUE;
}

static void
read_option (const char *argument)
{
  if (g_str_has_prefix (argument, "-artifact_prefix="))
    prefix = strchr (argument, '=') + 1;
  else if (!read_number (argument, "-max_total_time=", &max_seconds) && !read_number (argument, "-seed=", &seed))
    read_number (argument, "-max_len=", &max_bytes);
}

/* Changes one byte, cuts the end off, or copies a piece to another place. */
static void
damage (GByteArray *bytes,
        GRand      *random)
{
  static const guint8 extremes[] = { 0, 1, 0x7f, 0x80, 0xff };
  guint at = g_rand_int_range (random, 0, (gint32) bytes->len);
  guint other = g_rand_int_range (random, 0, (gint32) bytes->len);

  switch (g_rand_int_range (random, 0, 8))
    {
    case 0:
      g_byte_array_set_size (bytes, MAX (at, 1));
      break;
    case 1:
      memmove (bytes->data + at, bytes->data + other, MIN (16, bytes->len - MAX (at, other)));
      break;
    case 2:
    case 3:
      bytes->data[at] = extremes[g_rand_int_range (random, 0, G_N_ELEMENTS (extremes))];
      break;
    default:
      bytes->data[at] ^= 1 << g_rand_int_range (random, 0, 8);
    }
}

static GBytes *
copy_damaged (GBytes *bytes,
              GRand  *random)
{
  GByteArray *copy = g_byte_array_new ();
  gint32 n_changes = g_rand_int_range (random, 1, MAX_CHANGES + 1);

  g_byte_array_append (copy, g_bytes_get_data (bytes, NULL), (guint) g_bytes_get_size (bytes));
  for (gint32 i = 0; i < n_changes; i++)
    damage (copy, random);
  return g_byte_array_free_to_bytes (copy);
}

/* The input lies in a file meanwhile, which stays if the target crashes. The target gets a block of exactly this size, so that
 * the sanitizer sees reads behind its end. */
static void
try_bytes (const char *path,
           GBytes     *bytes)
{
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);
  g_autofree guint8 *exact = g_memdup2 (data, n_bytes);

  g_file_set_contents_full (path, data == NULL ? "" : data, n_bytes, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
  LLVMFuzzerTestOneInput (exact, n_bytes);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GRand) random = NULL;
  g_autofree char *path = NULL;
  gint64 end;
  guint n_damaged = 0;

  LLVMFuzzerInitialize (&argc, &argv);
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-')
      read_option (argv[i]);
    else
      add_files (files, argv[i]);
  /* Some targets have no files, or large ones only; these zeros can always be damaged. */
  g_ptr_array_add (files, g_bytes_new_static (zeros, sizeof zeros));
  random = g_rand_new_with_seed ((guint32) seed);
  path = g_strconcat (prefix, "input", NULL);
  for (guint i = 0; i < files->len; i++)
    try_bytes (path, files->pdata[i]);
  for (end = g_get_monotonic_time () + max_seconds * G_TIME_SPAN_SECOND; g_get_monotonic_time () < end;)
    {
      GBytes *bytes = files->pdata[g_rand_int_range (random, 0, (gint32) files->len)];
      g_autoptr (GBytes) damaged = NULL;

      if (g_bytes_get_size (bytes) == 0 || (gint64) g_bytes_get_size (bytes) > max_bytes)
        continue;
      damaged = copy_damaged (bytes, random);
      try_bytes (path, damaged);
      n_damaged++;
    }
  g_unlink (path);
  g_print ("%u files, and %u damaged copies of them\n", files->len, n_damaged);
  return EXIT_SUCCESS;
}
