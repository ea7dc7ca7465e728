/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "tests/io/io-utils.h"

#include <string.h>

static inline char *
def_golden_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "golden", name, NULL);
}

/* Returns the path of a file in the shared folder next to the repository. If it is not there, skips
 * the test and returns NULL. */
static inline char *
def_shared_path (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "shared", name, NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);

  g_test_skip_printf ("../shared/%s is not there", name);
  return NULL;
}

static inline GBytes *
def_read (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *data;
  gsize n_bytes;

  g_file_get_contents (path, &data, &n_bytes, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (data, n_bytes);
}

static inline GBytes *
def_bytes_of_text (const char *text)
{
  return g_bytes_new (text, strlen (text));
}

/* Returns a file with this name in a new folder; it is not created. */
static inline GFile *
def_new_file (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("c2g-def-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_no_error (error);
  return g_file_new_for_path (path);
}

static inline void
def_remove_file (GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);

  g_file_delete (file, NULL, NULL);
  g_assert_true (g_file_delete (folder, NULL, NULL));
}

static inline void
def_count_cb (GObject    *object,
              GParamSpec *pspec,
              int        *count)
{
  (*count)++;
}

#define def_assert_names(names, ...)                                                               \
  G_STMT_START                                                                                     \
    {                                                                                              \
      const char *const expected_names[] = { __VA_ARGS__, NULL };                                  \
                                                                                                   \
      g_assert_cmpstrv (names, expected_names);                                                    \
    }                                                                                              \
  G_STMT_END
