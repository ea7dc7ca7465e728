/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/predictor/c2g-model-text-private.h>

#ifdef C2G_COMPILATION
# include <c2g/core/types/c2g-error-private.h>
#else
# include <c2g/c2g.h>
# include <glib/gi18n-lib.h>
#endif
#include <string.h>

/* Finds and reads the files of text beside the nets of a model, such as labels.txt and model.ini. */

#define MAX_BYTES (16 << 20)

static GFile *
find_in (GFile      *folder,
         const char *name)
{
  g_autoptr (GFile) file = folder != NULL ? g_file_get_child (folder, name) : NULL;

  return file != NULL && g_file_query_file_type (file, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL) == G_FILE_TYPE_REGULAR
           ? g_steal_pointer (&file)
           : NULL;
}

/* An LMDB database is a folder, so the file may be in it as well as beside it. */
GFile *
c2g_model_text_find (GFile      *net,
                     const char *name)
{
  g_autoptr (GFile) folder = g_file_get_parent (net);
  GFile *file = find_in (net, name);

  return file != NULL ? file : find_in (folder, name);
}

GFile *
c2g_model_text_find_ending (GFile      *net,
                            const char *ending)
{
  g_autoptr (GFile) folder = g_file_get_parent (net);
  g_autofree char *base = g_file_get_basename (net);
  g_autofree char *name = g_strconcat (base, ending, NULL);
  g_autofree char *shorter = NULL;
  char *dot = strrchr (base, '.');
  GFile *file = find_in (folder, name);

  if (file != NULL || dot == NULL)
    return file;
  *dot = '\0';
  shorter = g_strconcat (base, ending, NULL);
  return find_in (folder, shorter);
}

char *
c2g_model_text_load (GFile         *file,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autofree char *name = g_file_get_parse_name (file);
  g_autofree char *text = NULL;
  gsize n_bytes;

  if (stream == NULL)
    return NULL;
  text = g_malloc (MAX_BYTES + 1);
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), text, MAX_BYTES + 1, &n_bytes, cancellable, error))
    return NULL;
  if (n_bytes > MAX_BYTES)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_RANGE, _("%s: More than %d bytes, which no such text has"), name, MAX_BYTES);
      return NULL;
    }
  text[n_bytes] = '\0';
  return g_realloc (g_steal_pointer (&text), n_bytes + 1);
}

GKeyFile *
c2g_model_text_parse_keys (const char  *text,
                           GError     **error)
{
  g_autoptr (GKeyFile) keys = g_key_file_new ();

  /* GKeyFile's errors would quote what is no text. */
  if (!g_utf8_validate (text, -1, NULL))
    g_set_error_literal (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("The file is not in UTF-8"));
  else if (g_key_file_load_from_data (keys, text, strlen (text), G_KEY_FILE_NONE, error))
    return g_steal_pointer (&keys);

  return NULL;
}

/* GKeyFile knows five escapes. */
static gboolean
has_wrong_escape (const char *value)
{
  for (const char *at = strchr (value, '\\'); at != NULL; at = strchr (at + 2, '\\'))
    if (at[1] == '\0' || strchr ("sntr\\", at[1]) == NULL)
      return TRUE;

  return FALSE;
}

char *
c2g_model_text_get_string (GKeyFile    *keys,
                           const char  *group,
                           const char  *key,
                           GError     **error)
{
  g_autofree char *value = g_key_file_get_value (keys, group, key, error);

  if (value == NULL)
    return NULL;
  /* GLib 2.74 logs a warning if a value has two of them. */
  if (!has_wrong_escape (value))
    return g_key_file_get_string (keys, group, key, error);

  g_set_error (error, C2G_ERROR, C2G_ERROR_INVALID_ARGUMENT, _("The key “%s” has a wrong escape: %s"), key, value);
  return NULL;
}

char **
c2g_model_text_split_labels (char *text)
{
  g_autofree char *taken = g_strchomp (text);
  char **labels = g_strsplit (taken, "\n", -1);

  for (char **label = labels; *label != NULL; label++)
    {
      g_autofree char *old = g_strchomp (*label);

      *label = g_utf8_make_valid (old, -1);
    }
  return labels;
}
