/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-tuning-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-settings-private.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Choices that were measured, and their file. It is a GKeyFile with a group for each processor and
 * version of c2g, so that machines can share a file. */

/* Limits for hostile files, and for programs that see ever new shapes. */
#define MAX_BYTES (4 << 20)
#define MAX_CHOICES 10000
#define MAX_KEY 255
#define MAX_CHOICE 32

/* Microseconds between two tries to lock a folder, and for all of them. */
#define LOCK_WAIT 2000
#define MAX_LOCK_WAIT (10 * G_TIME_SPAN_SECOND)

static GMutex lock;
/* Maps keys to interned choices; NULL until there is one. */
static GHashTable *known;
/* Accessed atomically. */
static guint n_known;

gboolean
c2g_tuning_is_wanted (void)
{
  /* A choice beyond the limit would be forgotten, and measured again in a later run. */
  return g_atomic_int_get (&c2g_settings_tune) && g_atomic_int_get (&n_known) < MAX_CHOICES;
}

gboolean
c2g_tuning_is_active (void)
{
  return c2g_tuning_is_wanted () || g_atomic_int_get (&n_known) > 0;
}

const char *
c2g_tuning_find (const char *key)
{
  const char *choice = NULL;

  g_mutex_lock (&lock);
  if (known != NULL)
    choice = g_hash_table_lookup (known, key);
  g_mutex_unlock (&lock);
  return choice;
}

static void
add_locked (const char *key,
            const char *choice)
{
  if (known == NULL)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_size (known) < MAX_CHOICES || g_hash_table_contains (known, key))
    g_hash_table_replace (known, g_strdup (key), (gpointer) g_intern_string (choice));
  g_atomic_int_set (&n_known, g_hash_table_size (known));
}

void
c2g_tuning_add (const char *key,
                const char *choice)
{
  g_mutex_lock (&lock);
  add_locked (key, choice);
  g_mutex_unlock (&lock);
}

char *
c2g_tuning_describe_processor (const char *cpuinfo)
{
  static const char *const fields[] = {
    /* x86 */
    "vendor_id", "cpu family", "model", "model name", "stepping",
    /* ARM */
    "CPU implementer", "CPU variant", "CPU part",
    /* POWER, MIPS, LoongArch */
    "cpu", "cpu model", "Model Name",
    /* RISC-V, S/390 */
    "isa", "uarch", "mvendorid", "marchid", "features", NULL
  };
  g_auto (GStrv) lines = g_strsplit (cpuinfo, "\n", 64);
  GString *name = g_string_new (NULL);

  /* An empty line ends the first processor. Some kernels have one before it, too. */
  for (gsize i = 0; lines[i] != NULL && (lines[i][0] != '\0' || name->len == 0); i++)
    {
      char *colon = strchr (lines[i], ':');

      if (colon == NULL)
        continue;
      *colon = '\0';
      if (g_strv_contains (fields, g_strchomp (lines[i])))
        g_string_append_printf (name, "%s ", g_strstrip (colon + 1));
    }
  g_string_append_printf (name, "c2g %s", PACKAGE_VERSION);
  /* The name of a group. */
  return g_strcanon (g_string_free (name, FALSE),
                     G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS " ()-.,@", '_');
}

static char *
read_processor (void)
{
  g_autofree char *text = NULL;

  g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL);
  return c2g_tuning_describe_processor (text != NULL ? text : "");
}

const char *
c2g_tuning_get_processor (void)
{
  static char *processor;

  if (g_once_init_enter (&processor))
    g_once_init_leave (&processor, read_processor ());
  return processor;
}

static gboolean
is_word (const char *text,
         gsize       max_length)
{
  const gsize n = strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-._/");

  return n > 0 && n <= max_length && text[n] == '\0';
}

static GKeyFile *
parse_keys (const char  *text,
            gsize        n_bytes,
            GError     **error)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();
  g_autoptr (GError) local_error = NULL;

  if (!g_utf8_validate (text, n_bytes, NULL))
    return c2g_fail_null (error, C2G_ERROR_CORRUPT, _("The file is not in UTF-8"));
  if (!g_key_file_load_from_data (keys, text, n_bytes, G_KEY_FILE_NONE, &local_error))
    return c2g_fail_null (error, C2G_ERROR_CORRUPT, "%s", local_error->message);
  return g_steal_pointer (&keys);
}

/* Adds the choices of the group, if the file has it. */
static gboolean
read_group (GKeyFile    *file,
            const char  *group,
            GHashTable  *choices,
            GError     **error)
{
  gsize n_keys = 0;
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, &n_keys, NULL);

  if (n_keys > MAX_CHOICES)
    return c2g_fail (error, C2G_ERROR_CORRUPT, _("There are %zu choices, the limit is %d"), n_keys,
                     MAX_CHOICES);
  for (gsize i = 0; i < n_keys; i++)
    {
      g_autofree char *choice = g_key_file_get_value (file, group, keys[i], NULL);

      if (choice == NULL || !is_word (keys[i], MAX_KEY) || !is_word (choice, MAX_CHOICE))
        return c2g_fail (error, C2G_ERROR_CORRUPT, _("“%s” is no shape with the name of a choice"),
                         keys[i]);
      g_hash_table_replace (choices, g_strdup (keys[i]), (gpointer) g_intern_string (choice));
    }
  return TRUE;
}

gboolean
c2g_tuning_parse (const char  *text,
                  gsize        n_bytes,
                  const char  *processor,
                  GHashTable  *choices,
                  GError     **error)
{
  g_autoptr (GKeyFile) keys = parse_keys (text, n_bytes, error);

  return keys != NULL && read_group (keys, processor, choices, error);
}

static GBytes *
read_file (GFile         *file,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autofree char *data = NULL;
  gsize n_bytes;

  if (stream == NULL)
    return NULL;
  data = g_malloc (MAX_BYTES + 1);
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), data, MAX_BYTES + 1, &n_bytes, cancellable,
                                error))
    return NULL;
  if (n_bytes > MAX_BYTES)
    return c2g_fail_null (error, C2G_ERROR_CORRUPT, _("The file is larger than %d bytes"), MAX_BYTES);
  return g_bytes_new (data, n_bytes);
}

static gboolean
load (GFile         *file,
      GHashTable    *choices,
      GCancellable  *cancellable,
      GError       **error)
{
  g_autoptr (GBytes) bytes = read_file (file, cancellable, error);

  return bytes != NULL && c2g_tuning_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                            c2g_tuning_get_processor (), choices, error);
}

/* Puts the name of the file before the message, once. */
static gboolean
name_file (GFile   *file,
           GError **error)
{
  g_autofree char *name = g_file_get_parse_name (file);

  if (error != NULL && (*error)->domain == C2G_ERROR)
    g_prefix_error (error, "%s: ", name);
  return FALSE;
}

/* Loads or saves. The function is also the tag of its task. */
typedef gboolean (*Work) (C2gSettings   *self,
                          GFile         *file,
                          GCancellable  *cancellable,
                          GError       **error);

static void
work_in_thread (GTask        *task,
                gpointer      source_object,
                gpointer      task_data,
                GCancellable *cancellable)
{
  Work work = (Work) g_task_get_source_tag (task);
  GError *error = NULL;

  if (work (source_object, task_data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
start (C2gSettings         *self,
       Work                 work,
       GFile               *file,
       GCancellable        *cancellable,
       GAsyncReadyCallback  callback,
       gpointer             user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (C2G_IS_SETTINGS (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, work);
  /* Work that ends just before it is cancelled counts as done. */
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, work_in_thread);
}

static gboolean
finish (C2gSettings   *self,
        Work           work,
        GAsyncResult  *result,
        GError       **error)
{
  g_return_val_if_fail (C2G_IS_SETTINGS (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, work), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * c2g_settings_load_tuning:
 * @self: the settings
 * @file: a file that [method@Settings.save_tuning] wrote
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Loads which implementations are the fastest.
 *
 * Operators use the choices from then on, for shapes that they have not computed before, even if
 * they do not measure others: [property@Settings:tune]. Choices of other processors and of other
 * versions of c2g or oneDNN are ignored.
 *
 * Errors: those of reading the file, and `C2G_ERROR_CORRUPT` if it is not such a file.
 *
 * Returns: `TRUE` if the file was read
 */
gboolean
c2g_settings_load_tuning (C2gSettings   *self,
                          GFile         *file,
                          GCancellable  *cancellable,
                          GError       **error)
{
  g_autoptr (GHashTable) choices = NULL;
  GHashTableIter iter;
  gpointer key, choice;

  g_return_val_if_fail (C2G_IS_SETTINGS (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!load (file, choices, cancellable, error))
    return name_file (file, error);

  g_mutex_lock (&lock);
  g_hash_table_iter_init (&iter, choices);
  while (g_hash_table_iter_next (&iter, &key, &choice))
    add_locked (key, choice);
  g_mutex_unlock (&lock);
  return TRUE;
}

/**
 * c2g_settings_load_tuning_async:
 * @self: the settings
 * @file: a file
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when it is done
 * @user_data: data for the callback
 *
 * Loads in the background which implementations are the fastest.
 *
 * [method@Settings.load_tuning] says more. @callback is called in the thread-default main context
 * of the caller. If it is cancelled before the file has been read, no choice is added; later it
 * counts as done.
 */
void
c2g_settings_load_tuning_async (C2gSettings         *self,
                                GFile               *file,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  start (self, c2g_settings_load_tuning, file, cancellable, callback, user_data);
}

/**
 * c2g_settings_load_tuning_finish:
 * @self: the settings
 * @result: the result
 * @error: return location for an error
 *
 * Finishes [method@Settings.load_tuning_async].
 *
 * Errors: those of [method@Settings.load_tuning], and `G_IO_ERROR_CANCELLED`.
 *
 * Returns: `TRUE` if the file was read
 */
gboolean
c2g_settings_load_tuning_finish (C2gSettings   *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  return finish (self, c2g_settings_load_tuning, result, error);
}

/* Returns the keys of the file, none if it is not there. Those of this processor are checked. */
static GKeyFile *
load_others (GFile         *file,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (GHashTable) choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) bytes = read_file (file, cancellable, &local_error);
  g_autoptr (GKeyFile) keys = NULL;

  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return g_key_file_new ();
  if (bytes == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  keys = parse_keys (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error);
  return keys != NULL && read_group (keys, c2g_tuning_get_processor (), choices, error)
           ? g_steal_pointer (&keys)
           : NULL;
}

/* Adds all choices, but no new ones beyond the limit that reading has. */
static void
add_known (GKeyFile *keys)
{
  const char *group = c2g_tuning_get_processor ();
  g_autoptr (GList) sorted = NULL;
  gsize n_keys = 0;

  g_strfreev (g_key_file_get_keys (keys, group, &n_keys, NULL));
  g_mutex_lock (&lock);
  if (known != NULL)
    sorted = g_list_sort (g_hash_table_get_keys (known), (GCompareFunc) strcmp);
  for (GList *link = sorted; link != NULL; link = link->next)
    {
      const gboolean is_new = !g_key_file_has_key (keys, group, link->data, NULL);

      if (is_new && n_keys == MAX_CHOICES)
        continue;
      g_key_file_set_value (keys, group, link->data, g_hash_table_lookup (known, link->data));
      n_keys += is_new;
    }
  g_mutex_unlock (&lock);
}

static gboolean
check_size (gsize    n_bytes,
            GError **error)
{
  return n_bytes <= MAX_BYTES ||
         c2g_fail (error, C2G_ERROR_RANGE, _("The file would be larger than %d bytes"), MAX_BYTES);
}

/* Locks the folder of the file, so that other savers read what this one writes, and lose nothing of it.
 * A lock of the file would not help: saving replaces the file, and the lock stays with the old one.
 * Returns a descriptor, which holds the lock until it is closed. Returns -1 where nothing can be
 * locked (files of other machines, and file systems without locks), or where another program keeps the
 * lock for too long: the file is saved all the same. When it is cancelled it returns -1, too, and
 * reading the file then fails. */
static int
lock_folder (GFile        *file,
             GCancellable *cancellable)
{
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  int fd = folder != NULL ? open (folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY) : -1;
  const gint64 end = g_get_monotonic_time () + MAX_LOCK_WAIT;

  while (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0)
    if (errno == EWOULDBLOCK && !g_cancellable_is_cancelled (cancellable) && g_get_monotonic_time () < end)
      g_usleep (LOCK_WAIT);
    else if (errno != EINTR)
      close (g_steal_fd (&fd));
  return fd;
}

/* GLib looks at a cancellable even after it has replaced the file, so it gets none. */
static gboolean
merge_and_save (GFile         *file,
                GCancellable  *cancellable,
                GError       **error)
{
  g_autoptr (GKeyFile) keys = load_others (file, cancellable, error);
  g_autofree char *text = NULL;
  gsize n_bytes;

  if (keys == NULL)
    return name_file (file, error);
  add_known (keys);
  text = g_key_file_to_data (keys, &n_bytes, NULL);
  if (!check_size (n_bytes, error))
    return name_file (file, error);
  return !g_cancellable_set_error_if_cancelled (cancellable, error) &&
         g_file_replace_contents (file, text, n_bytes, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL,
                                  error);
}

/**
 * c2g_settings_save_tuning:
 * @self: the settings
 * @file: a file, which need not be there
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Saves which implementations are the fastest, as far as they have been measured or loaded.
 *
 * What the file has for other processors and other shapes stays, and processes that save into it at
 * the same time wait for each other, up to ten seconds. It holds up to 10 000 choices for each
 * processor; new ones beyond that are left out.
 *
 * Errors: those of reading and writing the file, `C2G_ERROR_CORRUPT` if there is another file of
 * this name, and `C2G_ERROR_RANGE` if the file would be larger than 4 MiB, which is all that
 * [method@Settings.load_tuning] reads. The file then stays as it is.
 *
 * Returns: `TRUE` if the file was written
 */
gboolean
c2g_settings_save_tuning (C2gSettings   *self,
                          GFile         *file,
                          GCancellable  *cancellable,
                          GError       **error)
{
  gboolean is_saved;
  int fd;

  g_return_val_if_fail (C2G_IS_SETTINGS (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (file), FALSE);
  g_return_val_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  fd = lock_folder (file, cancellable);
  is_saved = merge_and_save (file, cancellable, error);
  if (fd >= 0)
    close (fd);
  return is_saved;
}

/**
 * c2g_settings_save_tuning_async:
 * @self: the settings
 * @file: a file
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called when it is done
 * @user_data: data for the callback
 *
 * Saves in the background which implementations are the fastest.
 *
 * [method@Settings.save_tuning] says more. @callback is called in the thread-default main context
 * of the caller. If it is cancelled before the file is replaced, the file stays as it was; later it
 * counts as done.
 */
void
c2g_settings_save_tuning_async (C2gSettings         *self,
                                GFile               *file,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  start (self, c2g_settings_save_tuning, file, cancellable, callback, user_data);
}

/**
 * c2g_settings_save_tuning_finish:
 * @self: the settings
 * @result: the result
 * @error: return location for an error
 *
 * Finishes [method@Settings.save_tuning_async].
 *
 * Errors: those of [method@Settings.save_tuning], and `G_IO_ERROR_CANCELLED`.
 *
 * Returns: `TRUE` if the file was written
 */
gboolean
c2g_settings_save_tuning_finish (C2gSettings   *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  return finish (self, c2g_settings_save_tuning, result, error);
}
