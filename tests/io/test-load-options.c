/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "tests/io/load-files.h"

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          gpointer    user_data)
{
  guint *n = user_data;

  (*n)++;
}

/* Sets, gets and notifies; only changes are notified, each once. */
static void
test_options (void)
{
  static const char *const names[] = { "a", "b", NULL };
  static const char *const properties[] = {
    "load-all",
    "allow-incomplete",
    "skip-unsupported",
    "keep-device",
    "memory-map",
  };
  static const char *const texts[] = { "strip-prefix", "add-prefix", "db-type" };
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (GFile) first = g_file_new_for_path ("/a");
  g_autoptr (GFile) second = g_file_new_for_path ("/b");
  GFile *files[] = { first, second };
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  guint n = 0;

  g_signal_connect (options, "notify", G_CALLBACK (count_cb), &n);
  for (guint i = 0; i < 2; i++)
    {
      for (gsize j = 0; j < G_N_ELEMENTS (properties); j++)
        g_object_set (options, properties[j], TRUE, NULL);
      for (gsize j = 0; j < G_N_ELEMENTS (texts); j++)
        g_object_set (options, texts[j], "text", NULL);
      g_object_set (options, "names", names, "source-names", names, "progress", progress, NULL);
      g_assert_cmpuint (n, ==, 11);
    }
  c2g_load_options_set_files (options, files, G_N_ELEMENTS (files));
  g_assert_cmpuint (n, ==, 12);

  g_assert_true (c2g_load_options_get_load_all (options));
  g_assert_true (c2g_load_options_get_allow_incomplete (options));
  g_assert_true (c2g_load_options_get_skip_unsupported (options));
  g_assert_true (c2g_load_options_get_keep_device (options));
  g_assert_true (c2g_load_options_get_memory_map (options));
  g_assert_cmpstr (c2g_load_options_get_strip_prefix (options), ==, "text");
  g_assert_cmpstr (c2g_load_options_get_add_prefix (options), ==, "text");
  g_assert_cmpstr (c2g_load_options_get_db_type (options), ==, "text");
  g_assert_cmpstr (c2g_load_options_get_names (options)[1], ==, "b");
  g_assert_cmpstr (c2g_load_options_get_source_names (options)[1], ==, "b");
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (c2g_load_options_get_files (options), i);

      g_assert_true (file == (i < 2 ? files[i] : NULL));
    }
  g_assert_true (c2g_load_options_get_progress (options) == progress);

  c2g_load_options_set_names (options, NULL);
  c2g_load_options_set_names (options, NULL);
  c2g_load_options_set_add_prefix (options, NULL);
  c2g_load_options_set_files (options, NULL, 0);
  c2g_load_options_set_files (options, NULL, 0);
  g_assert_null (c2g_load_options_get_files (options));
  g_test_expect_message ("C2g", G_LOG_LEVEL_CRITICAL, "*G_IS_FILE*");
  c2g_load_options_set_files (options, (GFile *[]) { files[0], NULL }, 2);
  g_test_assert_expected_messages ();
  g_assert_null (c2g_load_options_get_files (options));
  c2g_load_options_set_progress (options, NULL);
  g_assert_cmpuint (n, ==, 16);
  g_assert_null (c2g_load_options_get_names (options));
}

static void
test_prefixes (void)
{
  static const struct
  {
    const char *strip_prefix;
    const char *add_prefix;
    const char *name;
    gboolean    is_wanted;
  } cases[] = {
    { NULL, NULL, "gpu_0/w/3", FALSE },
    { "gpu_0/", NULL, "w/3", FALSE },
    { "gpu_0/", NULL, "w/3", TRUE },
    { "gpu_0/", "cpu/", "cpu/w/3", FALSE },
    { "gpu_0/", "cpu/", "cpu/w/3", TRUE },
    { NULL, "a/", "a/gpu_0/w/3", TRUE },
    /* The part of the name before the text is removed too; a name without the text is unchanged. */
    { "w", NULL, "/3", FALSE },
    { "none", "", "gpu_0/w/3", TRUE },
    { "", NULL, "gpu_0/w/3", FALSE },
  };
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("gpu_0/w/", 0));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const names[] = { cases[i].name, NULL };
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
      g_autofree char *name = NULL;

      g_test_message ("%s", cases[i].name);
      c2g_load_options_set_strip_prefix (options, cases[i].strip_prefix);
      c2g_load_options_set_add_prefix (options, cases[i].add_prefix);
      name = c2g_load_options_dup_name (options, "gpu_0/w/3");
      g_assert_cmpstr (name, ==, cases[i].name);
      if (cases[i].is_wanted)
        c2g_load_options_set_names (options, names);
      load_assert_loads (workspace, file, options, cases[i].is_wanted ? 1 : LOAD_N_TYPES);
      load_assert_blob (workspace, cases[i].name, 3);
    }
}

/* Names that become equal without the prefix, and one that becomes empty. */
static void
test_bad_prefixes (void)
{
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (LoadFolder) folder = { 0 };
  GByteArray *database = g_byte_array_new ();
  GFile *file;

  io_put_record (database, "a/w#%0", load_new_message (0, "a/w"));
  io_put_record (database, "b/w#%0", load_new_message (1, "b/w"));
  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", database);

  c2g_load_options_set_strip_prefix (options, "/");
  load_assert_refuses (workspace, file, options, C2G_ERROR_EXISTS,
                       "Two blobs would be called “w”: “a/w” and “b/w”");
  c2g_load_options_set_strip_prefix (options, "/w");
  load_assert_refuses (workspace, file, options, C2G_ERROR_INVALID_ARGUMENT,
                       "Nothing is left of the name “a/w”");
}

static void
test_allow_incomplete (void)
{
  static const char *const names[] = { "3", "absent", NULL };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  c2g_load_options_set_names (options, names);
  c2g_load_options_set_allow_incomplete (options, TRUE);
  load_assert_loads (workspace, file, options, 1);
  load_assert_blob (workspace, "3", 3);
  load_assert_n_blobs (workspace, 1);
}

/* A file with an unregistered type, as a blob and as elements of a tensor. */
static const char unknown_blob[] = "\x0a\x01m\x12\x04Mine\x22\x01x";
static const char unknown_elements[] = "\x0a\x01t\x12\x06Tensor\x1a\x0f\x08\x01\x10\x00\x32\x09"
                                       "\x0a\x01y\x12\x04Mine";

/* Unsupported blobs are skipped, but missing names and damaged blobs are errors. */
static void
test_skip_unsupported (void)
{
  static const char *const names[] = { "mine", "3", NULL };
  static const char *const absent[] = { "mine", "absent", NULL };
  g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
  g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();
  g_autoptr (C2gProgress) progress = c2g_progress_new ();
  g_auto (LoadFolder) folder = { 0 };
  GByteArray *database = g_byte_array_new ();
  GByteArray *damaged = g_byte_array_new ();
  GFile *file;

  load_folder_init (&folder);
  io_put_record (database, "mine", g_bytes_new_static (unknown_blob, sizeof unknown_blob - 1));
  io_put_record (database, "0#%0", load_new_message (0, "0"));
  io_put_record (database, "elements#%0",
                 g_bytes_new_static (unknown_elements, sizeof unknown_elements - 1));
  io_put_record (database, "3#%0", load_new_message (3, "3"));
  file = load_folder_add (&folder, "db", database);
  load_assert_refuses (workspace, file, NULL, C2G_ERROR_NOT_SUPPORTED, "Blob “mine”");

  c2g_load_options_set_skip_unsupported (options, TRUE);
  c2g_load_options_set_progress (options, progress);
  load_assert_loads (workspace, file, options, 2);
  load_assert_n_blobs (workspace, 2);
  load_assert_blob (workspace, "0", 0);
  load_assert_blob (workspace, "3", 3);
  g_assert_cmpuint (c2g_progress_get_n_bytes_done (progress), ==,
                    c2g_progress_get_n_bytes_total (progress));

  c2g_load_options_set_names (options, names);
  load_assert_loads (workspace, file, options, 1);
  c2g_load_options_set_names (options, absent);
  load_assert_refuses (workspace, file, options, C2G_ERROR_NOT_FOUND, "“absent”");
  c2g_load_options_set_names (options, NULL);

  io_put_record (damaged, "x#%0", io_new_chunk ("x", 10, 0, 4));
  load_assert_refuses (workspace, load_folder_add (&folder, "damaged", damaged), options,
                       C2G_ERROR_CORRUPT, "elements are missing");
}

static void
test_bad_options (void)
{
  static const char *const names[] = { "0", "1", NULL };
  static const char *const one[] = { "0", NULL };
  static const char *const twice[] = { "0", "0", NULL };
  static const struct
  {
    const char *const *names;
    const char *const *source_names;
    const char        *strip_prefix;
    gboolean           load_all;
    const char        *message;
  } cases[] = {
    { names, one, NULL, FALSE, "Expected 2 source names, as many as names, got 1" },
    { one, names, NULL, FALSE, "Expected 1 source names" },
    { names, twice, NULL, FALSE, "“0” is given twice" },
    { one, one, "a", FALSE, "a prefix to strip" },
    { one, one, NULL, TRUE, "everything is loaded" },
  };
  g_auto (LoadFolder) folder = { 0 };
  GFile *file;

  load_folder_init (&folder);
  file = load_folder_add (&folder, "db", load_new_database ("", 0));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (C2gWorkspace) workspace = c2g_workspace_new ();
      g_autoptr (C2gLoadOptions) options = c2g_load_options_new ();

      c2g_load_options_set_names (options, cases[i].names);
      c2g_load_options_set_source_names (options, cases[i].source_names);
      c2g_load_options_set_strip_prefix (options, cases[i].strip_prefix);
      c2g_load_options_set_load_all (options, cases[i].load_all);
      load_assert_refuses (workspace, file, options, C2G_ERROR_INVALID_ARGUMENT, cases[i].message);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/load-options/options", test_options);
  c2g_test_add_func ("/load-options/prefixes", test_prefixes);
  c2g_test_add_func ("/load-options/bad-prefixes", test_bad_prefixes);
  c2g_test_add_func ("/load-options/allow-incomplete", test_allow_incomplete);
  c2g_test_add_func ("/load-options/skip-unsupported", test_skip_unsupported);
  c2g_test_add_func ("/load-options/bad-options", test_bad_options);

  return c2g_test_run ();
}
