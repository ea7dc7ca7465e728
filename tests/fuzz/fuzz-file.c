/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* memfd_create() needs this. */
#define _GNU_SOURCE

#include "config.h"

#include "fuzz.h"

#include <sys/mman.h>

#include <unistd.h>

/* The file in memory, and its name. */
static int fd = -1;
static char *path;

static void
write_file (GBytes *bytes)
{
  gsize n_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &n_bytes);

  if (fd < 0)
    {
      fd = memfd_create ("input", MFD_CLOEXEC);
      g_assert_cmpint (fd, >=, 0);
      path = g_strdup_printf ("/proc/self/fd/%d", fd);
    }
  g_assert_cmpint (ftruncate (fd, n_bytes), ==, 0);
  if (n_bytes > 0)
    g_assert_cmpint (pwrite (fd, data, n_bytes, 0), ==, n_bytes);
}

static C2gModelFile *
open_file (gboolean   is_mapped,
           GError   **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();

  c2g_load_options_set_memory_map (options, is_mapped);
  return c2g_model_file_open (file, options, NULL, error);
}

/* Both calls succeed, or both fail with the same error. */
static gboolean
check_both (gpointer      first,
            gpointer      second,
            const GError *first_error,
            const GError *second_error)
{
  if (g_error_matches (first_error, C2G_ERROR, C2G_ERROR_NO_MEMORY) ||
      g_error_matches (second_error, C2G_ERROR, C2G_ERROR_NO_MEMORY))
    return FALSE;

  g_assert_true ((first == NULL) == (first_error != NULL));
  g_assert_true ((second == NULL) == (second_error != NULL));
  if (first_error == NULL)
    g_assert_no_error (second_error);
  else
    {
      g_assert_error (second_error, first_error->domain, first_error->code);
      g_assert_cmpstr (second_error->message, ==, first_error->message);
    }
  return first != NULL;
}

static void
check_entry (C2gModelFile *first,
             C2gModelFile *second,
             C2gFileEntry *entry)
{
  const char *name = c2g_file_entry_get_name (entry);
  g_autoptr (C2gFileEntry) other = c2g_model_file_lookup_entry (second, name);
  g_autoptr (GError) first_error = NULL;
  g_autoptr (GError) second_error = NULL;
  g_autoptr (C2gBlob) first_blob = NULL;
  g_autoptr (C2gBlob) second_blob = NULL;

  g_assert_nonnull (other);
  fuzz_check_entry (other);
  g_assert_cmpuint (c2g_file_entry_get_n_bytes (other), ==, c2g_file_entry_get_n_bytes (entry));
  g_assert_cmpuint (c2g_file_entry_get_offset (other), ==, c2g_file_entry_get_offset (entry));

  first_blob = c2g_model_file_load_blob (first, name, NULL, &first_error);
  second_blob = c2g_model_file_load_blob (second, name, NULL, &second_error);
  if (check_both (first_blob, second_blob, first_error, second_error))
    {
      fuzz_check_agrees (other, second_blob);
      fuzz_check_equal (first_blob, second_blob);
    }
}

static void
check_file (C2gModelFile *first,
            C2gModelFile *second)
{
  guint n_entries, n_other_entries;
  g_autofree C2gFileEntry **entries = c2g_model_file_list_entries (first, &n_entries);
  g_autofree C2gFileEntry **others = c2g_model_file_list_entries (second, &n_other_entries);

  g_assert_cmpint (c2g_model_file_get_kind (first), ==, c2g_model_file_get_kind (second));
  g_assert_cmpuint (n_entries, ==, n_other_entries);
  for (gsize i = 0; i < n_entries; i++)
    {
      check_entry (first, second, entries[i]);
      c2g_file_entry_unref (entries[i]);
      c2g_file_entry_unref (others[i]);
    }
}

/* A file gives the same from memory, read piece by piece, and mapped. */
void
fuzz_one (GBytes *bytes)
{
  g_autoptr (C2gModelFile) first = NULL;
  g_autoptr (GError) first_error = NULL;

  write_file (bytes);
  first = c2g_model_file_new_from_bytes (bytes, path, &first_error);
  for (guint is_mapped = 0; is_mapped < 2; is_mapped++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (C2gModelFile) second = open_file (is_mapped, &error);

      if (check_both (first, second, first_error, error))
        check_file (first, second);
    }
}
