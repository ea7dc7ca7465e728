/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/io/stream/c2g-name-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Names of blobs and files: valid UTF-8, error messages and sorted lists. */

char *
c2g_name_from_bytes (const guint8  *data,
                     gsize          n_bytes,
                     GError       **error)
{
  if (n_bytes == 0 || memchr (data, 0, n_bytes) != NULL)
    return c2g_fail_null (error, C2G_ERROR_CORRUPT,
                          _("A blob's name is empty or holds a null byte"));

  return g_utf8_make_valid ((const char *) data, n_bytes);
}

void
c2g_name_prefix_error (const char  *file_name,
                       GError     **error)
{
  gsize n = strlen (file_name);

  if (n > 0 && error != NULL && *error != NULL &&
      !(g_str_has_prefix ((*error)->message, file_name) && (*error)->message[n] == ':'))
    g_prefix_error (error, "%s: ", file_name);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
c2g_names_to_sorted_strv (GPtrArray *names)
{
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

gboolean
c2g_names_check_different (const char *const  *names,
                           GError            **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    if (!g_hash_table_add (seen, (gpointer) names[i]))
      return c2g_fail (error, C2G_ERROR_INVALID_ARGUMENT, _("The name “%s” is given twice"), names[i]);

  return TRUE;
}
