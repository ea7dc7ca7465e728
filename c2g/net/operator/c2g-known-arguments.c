/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-known-arguments-private.h>

#include <c2g/def/c2g-argument-private.h>

#include <c2g/core/types/c2g-error.h>
#include <c2g/core/types/c2g-i18n-private.h>

#include <string.h>

/* Caffe2's tools give these to operators of any type, most of which do not read them.  An
 * operator that does read one has it in its own row. */
static const char common[] =
  "order is_test use_cudnn cudnn_exhaustive_search exhaustive_search ws_nbytes_limit init_params "
  "net_name net_pos";

/* Limit on the number of warnings about unknown arguments. */
#define MAX_TOLD 100

/* Set of "type/name" strings that were warned about. */
G_LOCK_DEFINE_STATIC (told);
static GHashTable *told;

/* Finds the word of TEXT that matches the name; NULL if there is none. *VALUE is set to the text
 * behind its "=", or to NULL. */
static const char *
find_word (const char  *text,
           const char  *name,
           const char **value)
{
  const gsize n_name = strlen (name);

  for (const char *word = text; word != NULL && *word != '\0';)
    {
      const gsize n = strcspn (word, " =");
      const gboolean is_open = n > 0 && word[n - 1] == '*';
      const gboolean is_found = is_open ? n_name >= n - 1 && strncmp (word, name, n - 1) == 0
                                        : n_name == n && strncmp (word, name, n) == 0;

      if (is_found)
        {
          *value = word[n] == '=' ? word + n + 1 : NULL;
          return word;
        }
      word += strcspn (word, " ");
      word += strspn (word, " ");
    }

  return NULL;
}

gboolean
c2g_known_arguments_reads (const C2gKnownArguments *self,
                           const char              *name)
{
  const char *value;

  return find_word (self->read, name, &value) != NULL;
}

gboolean
c2g_known_arguments_find (const C2gKnownArguments *self,
                          const char              *name,
                          C2gArgumentUse          *use)
{
  const char *value;

  if (find_word (self->read, name, &value) != NULL)
    *use = C2G_ARGUMENT_USE_READ;
  else if (find_word (self->refused, name, &value) != NULL)
    *use = C2G_ARGUMENT_USE_REFUSED;
  else if (find_word (self->ignored, name, &value) != NULL ||
           find_word (common, name, &value) != NULL)
    *use = C2G_ARGUMENT_USE_IGNORED;
  else
    return FALSE;
  return TRUE;
}

gboolean
c2g_known_arguments_is_news (const C2gKnownArguments *self,
                             const char              *op_type,
                             const char              *name)
{
  g_autofree char *key = g_strconcat (op_type, "/", name, NULL);
  C2gArgumentUse use;
  gboolean is_news;

  if (c2g_known_arguments_find (self, name, &use))
    return FALSE;

  G_LOCK (told);
  if (told == NULL)
    told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  is_news = g_hash_table_size (told) < MAX_TOLD && g_hash_table_add (told, g_strdup (key));
  G_UNLOCK (told);
  return is_news;
}

/* Compares an argument with a value in the text of the table; the value ends at a space. */
static gboolean
has_value (C2gArgument *argument,
           const char  *value)
{
  const Caffe2__Argument *message = c2g_argument_peek (argument);
  const gsize n = strcspn (value, " ");

  switch (c2g_argument_get_kind (argument))
    {
    case C2G_ARGUMENT_KIND_INT:
      return message->i == g_ascii_strtoll (value, NULL, 10);
    case C2G_ARGUMENT_KIND_FLOAT:
      return message->f == (float) g_ascii_strtod (value, NULL);
    case C2G_ARGUMENT_KIND_STRING:
      return message->s.len == n && (n == 0 || memcmp (message->s.data, value, n) == 0);
    default:
      return FALSE;
    }
}

gboolean
c2g_known_arguments_check (const C2gKnownArguments  *self,
                           C2gArgument              *argument,
                           GError                  **error)
{
  const char *name = c2g_argument_get_name (argument);
  const char *value;
  g_autofree char *allowed = NULL;

  if (find_word (self->refused, name, &value) == NULL)
    return TRUE;
  if (value == NULL)
    {
      g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
                   _("The argument “%s” of Caffe2 is not implemented"), name);
      return FALSE;
    }
  if (has_value (argument, value))
    return TRUE;

  allowed = g_strndup (value, strcspn (value, " "));
  g_set_error (error, C2G_ERROR, C2G_ERROR_NOT_SUPPORTED,
               _("The argument “%s” of Caffe2 is not implemented, and must be “%s” or left out"),
               name, allowed);
  return FALSE;
}

char **
c2g_known_arguments_list (const C2gKnownArguments *self,
                          C2gArgumentUse           use)
{
  const char *text = use == C2G_ARGUMENT_USE_READ      ? self->read
                     : use == C2G_ARGUMENT_USE_IGNORED ? self->ignored
                                                       : self->refused;
  char **names = g_strsplit (text != NULL ? text : "", " ", -1);

  for (gsize i = 0; names[i] != NULL; i++)
    names[i][strcspn (names[i], "=")] = '\0';
  return names;
}
