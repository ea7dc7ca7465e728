/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "tests/test-utils.h"

#include <c2g/core/types/c2g-settings-private.h>
#include <c2g/core/types/c2g-tuning-private.h>

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define OTHER "[Another processor, c2g 0.0.1]\na/b=one\n"

typedef struct
{
  const char *path;
  const char *text;
  /* The choice for the key a/n1; NULL if there is an error. */
  const char *expected;
  gssize      n_bytes;
} File;

static const File files[] = {
  { "one", "[cpu]\na/n1=fast\n", "fast", -1 },
  { "among-others", OTHER "[cpu]\na/n2=x\na/n1=slow-1\n" OTHER, "slow-1", -1 },
  { "twice", "[cpu]\na/n1=first\na/n1=second", "second", -1 },
  { "comments", "# Words\n\n[cpu]\n# More\na/n1 = fast\n", "fast", -1 },
  { "other-processor", OTHER, "", -1 },
  /* Groups of other processors are not read. */
  { "other-processor-strange", "[x]\nwhat is=this?\n", "", -1 },
  { "empty", "", "", 0 },
  { "no-group", "a/n1=fast\n", NULL, -1 },
  { "words", "What is this?\n", NULL, -1 },
  { "not-utf8", "[cpu]\na/n1=\xff\n", NULL, -1 },
  { "nul", "[cpu]\na/n1=fa\0st\n", NULL, 16 },
  { "no-choice", "[cpu]\na/n1=\n", NULL, -1 },
  { "long-choice", "[cpu]\na/n1=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", NULL, -1 },
  { "escape", "[cpu]\na/n1=a\\q\\q\n", NULL, -1 },
  /* GKeyFile drops translations. */
  { "locale", "[cpu]\na/n1[de]=fast\n", "", -1 },
  { "strange-key", "[cpu]\na n1=fast\n", NULL, -1 },
};

static void
test_parse (gconstpointer data)
{
  const File *file = data;
  g_autoptr (GHashTable) choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  const gsize n_bytes = file->n_bytes < 0 ? strlen (file->text) : (gsize) file->n_bytes;
  const char *choice;

  if (file->expected == NULL)
    {
      g_assert_false (c2g_tuning_parse (file->text, n_bytes, "cpu", choices, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      return;
    }
  g_assert_true (c2g_tuning_parse (file->text, n_bytes, "cpu", choices, &error));
  g_assert_no_error (error);
  choice = g_hash_table_lookup (choices, "a/n1");
  g_assert_cmpstr (choice != NULL ? choice : "", ==, file->expected);
}

typedef struct
{
  char  *folder;
  char  *path;
  GFile *file;
} Fixture;

static void
fixture_set_up (Fixture       *self,
                gconstpointer  data)
{
  self->folder = g_dir_make_tmp ("c2g-XXXXXX", NULL);
  self->path = g_build_filename (self->folder, "tuning", NULL);
  self->file = g_file_new_for_path (self->path);
}

static void
fixture_tear_down (Fixture       *self,
                   gconstpointer  data)
{
  g_unlink (self->path);
  g_rmdir (self->folder);
  g_object_unref (self->file);
  g_free (self->path);
  g_free (self->folder);
}

/* A file keeps what others wrote into it, and what is loaded takes the place of what was known. */
static void
test_save (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *expected = g_strdup_printf (OTHER "\n[%s]\na/n0=old\na/n1=fast\na/n2=slow\n",
                                               c2g_tuning_get_processor ());
  g_autofree char *before = g_strdup_printf (OTHER "[%s]\na/n0=old\na/n1=older\n",
                                             c2g_tuning_get_processor ());

  g_assert_false (c2g_tuning_is_active ());
  c2g_tuning_add ("a/n1", "fast");
  c2g_tuning_add ("a/n2", "slow");
  g_assert_true (c2g_tuning_is_active ());
  g_assert_false (c2g_tuning_is_wanted ());

  g_file_set_contents (fixture->path, before, -1, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_settings_save_tuning (settings, fixture->file, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);

  g_assert_null (c2g_tuning_find ("a/n0"));
  g_file_set_contents (fixture->path, before, -1, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_settings_load_tuning (settings, fixture->file, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_tuning_find ("a/n0"), ==, "old");
  g_assert_cmpstr (c2g_tuning_find ("a/n1"), ==, "older");
  g_assert_cmpstr (c2g_tuning_find ("a/n2"), ==, "slow");
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

/* The background gives the same results, and the same errors. */
static void
test_async (Fixture       *fixture,
            gconstpointer  data)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (GFile) beyond = g_file_get_child (fixture->file, "beyond");
  g_autoptr (GError) error = NULL;
  GAsyncResult *results[3] = { NULL };

  c2g_tuning_add ("async/n1", "fast");
  c2g_settings_save_tuning_async (settings, fixture->file, NULL, done_cb, &results[0]);
  g_assert_true (c2g_settings_save_tuning_finish (settings, wait_for (&results[0]), &error));
  g_assert_no_error (error);
  c2g_tuning_add ("async/n1", "slow");
  c2g_settings_load_tuning_async (settings, fixture->file, NULL, done_cb, &results[1]);
  g_assert_true (c2g_settings_load_tuning_finish (settings, wait_for (&results[1]), &error));
  g_assert_no_error (error);
  g_assert_cmpstr (c2g_tuning_find ("async/n1"), ==, "fast");

  c2g_settings_load_tuning_async (settings, beyond, NULL, done_cb, &results[2]);
  g_assert_false (c2g_settings_load_tuning_finish (settings, wait_for (&results[2]), &error));
  g_assert_nonnull (error);
  for (gsize i = 0; i < G_N_ELEMENTS (results); i++)
    g_object_unref (results[i]);
}

/* Something else of that name stays as it is, and errors name the file. */
static void
test_other_file (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (GFile) beyond = g_file_get_child (fixture->file, "beyond");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *large = g_strnfill ((4 << 20) + 1, '\n');

  g_assert_false (c2g_settings_load_tuning (settings, fixture->file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  for (int i = 0; i < 2; i++)
    {
      g_file_set_contents (fixture->path, i == 0 ? "A letter." : large, -1, &error);
      g_assert_no_error (error);
      g_assert_false (c2g_settings_load_tuning (settings, fixture->file, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_assert_true (g_str_has_prefix (error->message, fixture->path));
      g_clear_error (&error);
      g_assert_false (c2g_settings_save_tuning (settings, fixture->file, NULL, &error));
      g_assert_error (error, C2G_ERROR, C2G_ERROR_CORRUPT);
      g_clear_error (&error);
    }
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, large);

  g_assert_false (c2g_settings_save_tuning (settings, beyond, NULL, &error));
  g_assert_nonnull (error);
}

typedef struct
{
  GFile        *file;
  GCancellable *cancellable;
  GError       *error;
} Save;

static gpointer
save_in_thread (gpointer data)
{
  Save *save = data;
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  return GINT_TO_POINTER (c2g_settings_save_tuning (settings, save->file, save->cancellable,
                                                    &save->error));
}

/* A save waits for another one into the same folder, and reads what it wrote. */
static void
test_together (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *others = g_strdup_printf ("[%s]\no/ther=fast\n", c2g_tuning_get_processor ());

  c2g_tuning_add ("o/wn", "slow");
  for (int is_cancelled = 0; is_cancelled < 2; is_cancelled++)
    {
      g_autofree char *text = NULL;
      Save save = { fixture->file, cancellable, NULL };
      int fd = open (fixture->folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
      GThread *thread;

      g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
      thread = g_thread_new ("save", save_in_thread, &save);
      g_usleep (50000);
      g_file_set_contents (fixture->path, others, -1, &error);
      g_assert_no_error (error);
      if (is_cancelled)
        g_cancellable_cancel (cancellable);
      else
        close (fd);
      g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, !is_cancelled);
      g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
      if (is_cancelled)
        {
          g_assert_error (save.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
          g_assert_cmpstr (text, ==, others);
          g_clear_error (&save.error);
          close (fd);
          continue;
        }
      g_assert_no_error (save.error);
      g_assert_nonnull (strstr (text, "\no/ther=fast\n"));
      g_assert_nonnull (strstr (text, "\no/wn=slow\n"));
    }
}

typedef struct
{
  const char   *path;
  GCancellable *cancellable;
  int is_done;
} LateCancel;

static gpointer
cancel_saved (gpointer data)
{
  LateCancel *self = data;

  while (!g_file_test (self->path, G_FILE_TEST_EXISTS) && !g_atomic_int_get (&self->is_done))
    g_thread_yield ();
  g_cancellable_cancel (self->cancellable);
  return NULL;
}

/* Once the file is there, it is too late to cancel. */
static void
test_cancelled_late (Fixture       *fixture,
                     gconstpointer  data)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();

  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      LateCancel late = { fixture->path, cancellable };
      GThread *thread;

      g_unlink (fixture->path);
      thread = g_thread_new ("cancel", cancel_saved, &late);
      c2g_settings_save_tuning (settings, fixture->file, cancellable, &error);
      g_atomic_int_set (&late.is_done, TRUE);
      g_thread_join (thread);
      g_assert_no_error (error);
    }
}

static char *
make_group (const char *name,
            const char *prefix,
            guint       n_keys)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "[%s]\n", name);
  for (guint i = 0; i < n_keys; i++)
    g_string_append_printf (text, "%s/%u=fast\n", prefix, i);
  return g_string_free (text, FALSE);
}

/* A saved file can be loaded again, even if the process and the file both hold as many choices as are
 * allowed. */
static void
test_limits (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (C2gSettings) settings = c2g_settings_get_default ();
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *many = make_group (c2g_tuning_get_processor (), "a", 9999);
  g_autofree char *large = make_group ("Another processor", "b", 307000);
  g_autofree char *text = NULL;
  gsize n_keys;

  c2g_settings_set_tune (settings, TRUE);
  g_assert_true (c2g_tuning_is_wanted ());
  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *key = g_strdup_printf ("c/%u", i);

      c2g_tuning_add (key, "fast");
    }
  c2g_tuning_add ("a/0", "slow");
  g_file_set_contents (fixture->path, many, -1, &error);
  g_assert_no_error (error);
  g_assert_true (c2g_settings_save_tuning (settings, fixture->file, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (c2g_settings_load_tuning (settings, fixture->file, NULL, &error));
  g_assert_no_error (error);
  /* Nothing is measured that would be forgotten, but what is known is used. */
  g_assert_false (c2g_tuning_is_wanted ());
  g_assert_true (c2g_tuning_is_active ());
  c2g_settings_set_tune (settings, FALSE);
  g_assert_true (g_key_file_load_from_file (keys, fixture->path, G_KEY_FILE_NONE, NULL));
  g_strfreev (g_key_file_get_keys (keys, c2g_tuning_get_processor (), &n_keys, NULL));
  g_assert_cmpuint (n_keys, ==, 10000);
  text = g_key_file_get_value (keys, c2g_tuning_get_processor (), "a/0", NULL);
  g_assert_cmpstr (text, ==, "slow");
  g_clear_pointer (&text, g_free);

  g_assert_cmpuint (strlen (large), <=, 4 << 20);
  g_file_set_contents (fixture->path, large, -1, &error);
  g_assert_no_error (error);
  g_assert_false (c2g_settings_save_tuning (settings, fixture->file, NULL, &error));
  g_assert_error (error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_true (g_str_has_prefix (error->message, fixture->path));
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, large);
}

/* The name of this processor is the name of a group, which has no brackets. */
static void
test_processor (void)
{
  const char *processor = c2g_tuning_get_processor ();

  g_assert_null (strpbrk (processor, "[]\n"));
  g_assert_true (g_str_has_suffix (processor, "c2g " PACKAGE_VERSION));
  g_assert_true (processor == c2g_tuning_get_processor ());
}

/* Files are shared by machines with different processors, whatever the kernel calls them. */
static void
test_processors (void)
{
  static const char *const texts[][2] = {
    { "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\ncpu MHz\t\t: 2000.1\n\nprocessor\t: 1\nmodel\t\t: 7\n",
      "GenuineIntel 6 " },
    { "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "0x41 0xd0c " },
    { "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 2200.0MHz\n", "POWER9, altivec supported " },
    { "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nuarch\t\t: sifive,u74-mc\n", "rv64imafdc sifive,u74-mc " },
    { "vendor_id       : IBM/S390\n# processors    : 4\nfeatures\t: esan3 zarch\n", "IBM_S390 esan3 zarch " },
    { "system type\t: machine\n\nprocessor\t: 0\nModel Name\t: LA464\n\nModel Name\t: LA464\n", "LA464 " },
    { "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *processor = c2g_tuning_describe_processor (texts[i][0]);
      g_autofree char *expected = g_strconcat (texts[i][1], "c2g " PACKAGE_VERSION, NULL);

      g_assert_cmpstr (processor, ==, expected);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strconcat ("/tuning/parse/", files[i].path, NULL);

      g_test_add_data_func (path, &files[i], test_parse);
    }
  g_test_add ("/tuning/save", Fixture, NULL, fixture_set_up, test_save, fixture_tear_down);
  g_test_add ("/tuning/other-file", Fixture, NULL, fixture_set_up, test_other_file,
              fixture_tear_down);
  g_test_add ("/tuning/async", Fixture, NULL, fixture_set_up, test_async, fixture_tear_down);
  g_test_add ("/tuning/together", Fixture, NULL, fixture_set_up, test_together, fixture_tear_down);
  g_test_add ("/tuning/cancelled-late", Fixture, NULL, fixture_set_up, test_cancelled_late, fixture_tear_down);
  g_test_add ("/tuning/limits", Fixture, NULL, fixture_set_up, test_limits, fixture_tear_down);
  c2g_test_add_func ("/tuning/processor", test_processor);
  c2g_test_add_func ("/tuning/processors", test_processors);

  return c2g_test_run ();
}
