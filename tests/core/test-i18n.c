/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-i18n-private.h>

#include "test-utils.h"

#include <glib/gstdio.h>

#include <libintl.h>
#include <locale.h>

#define LOCALE "zh_CN.UTF-8"

/* The C locales translate nothing. In any other locale LANGUAGE selects the language. */
static const char *const locales[] = { LOCALE, "en_US.UTF-8", "en_GB.UTF-8", "de_DE.UTF-8" };

static char *locale_folder;

/* Compiles a locale, if localedef and its sources are installed. */
static gboolean
compile_locale (void)
{
  const char *argv[] = { "localedef", "--no-archive", "-i", "zh_CN", "-f", "UTF-8", NULL, NULL };
  g_autofree char *path = NULL;

  locale_folder = g_dir_make_tmp ("c2g-locale-XXXXXX", NULL);
  g_assert_nonnull (locale_folder);
  path = g_build_filename (locale_folder, LOCALE, NULL);
  argv[G_N_ELEMENTS (argv) - 2] = path;

  if (!g_spawn_sync (NULL, (char **) argv, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, NULL, NULL, NULL, NULL))
    return FALSE;

  g_setenv ("LOCPATH", locale_folder, TRUE);
  return setlocale (LC_ALL, LOCALE) != NULL;
}

static gboolean
set_locale (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (locales); i++)
    if (setlocale (LC_ALL, locales[i]) != NULL)
      return TRUE;

  return compile_locale ();
}

/* Uses the built catalogue instead of the installed one. */
static gboolean
set_catalogue (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_BUILT, "..", "po", NULL);
  g_autofree char *catalogue =
    g_build_filename (folder, "zh_CN", "LC_MESSAGES", GETTEXT_PACKAGE ".mo", NULL);

  if (!g_file_test (catalogue, G_FILE_TEST_EXISTS))
    return FALSE;

  bindtextdomain (GETTEXT_PACKAGE, folder);
  return TRUE;
}

/* The library binds its own domain to the installation folder and to UTF-8, without help of the
 * program. */
static void
test_domain (void)
{
  g_assert_cmpstr (c2g_gettext ("not a message of c2g"), ==, "not a message of c2g");

  g_assert_cmpstr (bindtextdomain (GETTEXT_PACKAGE, NULL), ==, C2G_LOCALEDIR);
  g_assert_cmpstr (bind_textdomain_codeset (GETTEXT_PACKAGE, NULL), ==, "UTF-8");
}

static void
test_messages (void)
{
  const gint64 dims[] = { 2, 3 };
  g_autoptr (C2gTensor) tensor = NULL;
  g_autoptr (GError) device_error = NULL;
  g_autoptr (GError) range_error = NULL;

  if (!set_locale ())
    {
      g_test_skip ("no locale that translates, and none could be compiled");
      return;
    }
  if (!set_catalogue ())
    {
      g_test_skip ("built without translations");
      return;
    }

  g_assert_null (c2g_device_parse ("abacus", &device_error));
  g_assert_error (device_error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (device_error->message, ==, "应为设备“cpu”、“cuda”或“cuda:INDEX”，实际为“abacus”");

  /* The format of this message differs between platforms. */
  tensor = c2g_tensor_new_sized (dims, G_N_ELEMENTS (dims), NULL, NULL);
  g_assert_true (c2g_tensor_allocate (tensor, C2G_DATA_TYPE_FLOAT, NULL));
  g_assert_false (c2g_tensor_set_value (tensor, 6, 1.0, &range_error));
  g_assert_error (range_error, C2G_ERROR, C2G_ERROR_RANGE);
  g_assert_cmpstr (range_error->message, ==, "索引应在 0 到 6 之间（不含后者），实际为 6");
}

static void
remove_locale (void)
{
  const char *const argv[] = { "rm", "-r", locale_folder, NULL };

  if (locale_folder != NULL)
    g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  g_clear_pointer (&locale_folder, g_free);
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_setenv ("LANGUAGE", "zh_CN", TRUE);
  g_test_init (&argc, &argv, NULL);

  c2g_test_add_func ("/i18n/domain", test_domain);
  c2g_test_add_func ("/i18n/messages", test_messages);

  status = c2g_test_run ();
  remove_locale ();
  return status;
}
