/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/load/c2g-folder-private.h>

#include <c2g/core/types/c2g-error-private.h>
#include <c2g/core/types/c2g-names-private.h>

#include <string.h>

/* Finds files in a folder by the ends of their names. */

static gboolean
has_ending (const char        *name,
            const char        *part,
            const char *const *endings)
{
  for (; *endings != NULL; endings++)
    {
      g_autofree char *ending = g_strconcat (part, *endings, NULL);

      if (g_str_has_suffix (name, ending))
        return TRUE;
    }
  return FALSE;
}

/* Shorter names come first: init_net.pb before quant_init_net.pb. Names of equal length are sorted. */
static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  const char *first = *(const char *const *) a;
  const char *second = *(const char *const *) b;
  const gsize n_first = strlen (first);
  const gsize n_second = strlen (second);

  return n_first != n_second ? (n_first > n_second) - (n_first < n_second) : strcmp (first, second);
}

GPtrArray *
c2g_folder_list_files (GFile              *folder,
                       const char         *part,
                       const char *const  *endings,
                       GCancellable       *cancellable,
                       GError            **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GFileEnumerator) files = NULL;
  GFileInfo *info = NULL;

  files = g_file_enumerate_children (
    folder, G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_TYPE, 0, cancellable, error);
  if (files == NULL)
    return NULL;
  do
    {
      const char *name;

      if (!g_file_enumerator_iterate (files, &info, NULL, cancellable, error))
        return NULL;
      name = info != NULL ? g_file_info_get_name (info) : NULL;
      /* Archives of macOS have a hidden file beside each other one. */
      if (name != NULL && *name != '.' && has_ending (name, part, endings) &&
          g_file_info_get_file_type (info) != G_FILE_TYPE_DIRECTORY)
        g_ptr_array_add (names, g_strdup (name));
    }
  while (info != NULL);

  g_ptr_array_sort (names, compare_names);
  return g_steal_pointer (&names);
}

/* File names are any bytes, messages are UTF-8. */
static char *
show_names (GPtrArray *names)
{
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (shown, g_filename_display_name (names->pdata[i]));
  return c2g_names_join ((const char *const *) shown->pdata, shown->len);
}

void
c2g_folder_refuse (GFile       *folder,
                   GPtrArray   *names,
                   const char  *example,
                   GError     **error)
{
  g_autoptr (GFile) first = g_file_get_child (folder, names->pdata[0]);
  g_autofree char *first_path = g_file_get_parse_name (first);
  g_autofree char *path = g_file_get_parse_name (folder);
  g_autofree char *list = show_names (names);

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT,
               _("Folder “%s” has several files to choose from, %s: name one, as in %s"), path, list,
               example != NULL ? example : first_path);
}

/* Adds to an error which files are in the folder. */
static void
explain (GFile         *folder,
         GCancellable  *cancellable,
         GError       **error)
{
  static const char *const any[] = { "", NULL };
  g_autoptr (GPtrArray) names = c2g_folder_list_files (folder, "", any, cancellable, NULL);
  g_autofree char *list = names != NULL ? show_names (names) : NULL;
  g_autofree char *message = NULL;

  if (error == NULL || list == NULL || *list == '\0')
    return;
  message = g_steal_pointer (&(*error)->message);
  (*error)->message = g_strdup_printf (_("%s; its files are %s"), message, list);
}

GFile *
c2g_folder_find_instead (GFile              *folder,
                         const char *const  *endings,
                         GCancellable       *cancellable,
                         GError            **error)
{
  GError *local_error = NULL;
  g_autoptr (GPtrArray) names = c2g_folder_list_files (folder, "", endings, cancellable, &local_error);

  if (names != NULL && names->len == 0)
    {
      explain (folder, cancellable, error);
      return NULL;
    }
  g_clear_error (error);
  if (names == NULL)
    g_propagate_error (error, local_error);
  else if (names->len == 1)
    return g_file_get_child (folder, names->pdata[0]);
  else
    c2g_folder_refuse (folder, names, NULL, error);
  return NULL;
}
