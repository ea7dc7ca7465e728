/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/operator/c2g-kernel-argument-private.h>

#include <c2g/def/c2g-argument-private.h>

#include <c2g/core/types/c2g-error-private.h>

#include <string.h>

/* Looks up the arguments of Caffe2's operators in the rows of a kernel. Schemas, the manual, and
 * warnings about unknown arguments use it. */

/* Arguments that Caffe2's tools add to operators of any type. Most operators do not read them; one
 * that does has a row for the argument. */
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

/* Finds the row that has the name. *VALUE is as above. */
static const C2gKernelArgument *
find_row (const C2gKernelArgument *rows,
          const char              *name,
          const char             **value)
{
  for (const C2gKernelArgument *row = rows; row->kind != C2G_KERNEL_ARGUMENT_END; row++)
    {
      const C2gKernelArgument *found = row;

      if (row->kind == C2G_KERNEL_ARGUMENT_PART)
        found = find_row (row->rows, name, value);
      else if (find_word (row->name, name, value) == NULL)
        found = NULL;
      if (found != NULL)
        return found;
    }

  return NULL;
}

static C2gArgumentUse
get_use (const C2gKernelArgument *row)
{
  return row->kind == C2G_KERNEL_ARGUMENT_IGNORED   ? C2G_ARGUMENT_USE_IGNORED
         : row->kind == C2G_KERNEL_ARGUMENT_REFUSED ? C2G_ARGUMENT_USE_REFUSED
                                                    : C2G_ARGUMENT_USE_READ;
}

gboolean
c2g_words_contain (const char *words,
                   const char *name)
{
  const char *value;

  return find_word (words, name, &value) != NULL;
}

gboolean
c2g_kernel_arguments_reads (const C2gKernelArgument *rows,
                            const char              *name)
{
  C2gArgumentUse use;

  return c2g_kernel_arguments_find (rows, name, &use) && use == C2G_ARGUMENT_USE_READ;
}

gboolean
c2g_kernel_arguments_find (const C2gKernelArgument *rows,
                           const char              *name,
                           C2gArgumentUse          *use)
{
  const char *value;
  const C2gKernelArgument *row = find_row (rows, name, &value);

  *use = row != NULL ? get_use (row) : C2G_ARGUMENT_USE_IGNORED;
  return row != NULL || c2g_words_contain (common, name);
}

gboolean
c2g_kernel_arguments_is_news (const C2gKernelArgument *rows,
                              const char              *op_type,
                              const char              *name)
{
  g_autofree char *key = g_strconcat (op_type, "/", name, NULL);
  C2gArgumentUse use;
  gboolean is_news;

  if (c2g_kernel_arguments_find (rows, name, &use))
    return FALSE;

  G_LOCK (told);
  if (told == NULL)
    told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  is_news = g_hash_table_size (told) < MAX_TOLD && g_hash_table_add (told, g_steal_pointer (&key));
  G_UNLOCK (told);
  return is_news;
}

/* Compares an argument with the allowed value in a row, which ends at a space. */
static gboolean
has_value (C2gArgument *argument,
           const char  *value)
{
  const Caffe2__Argument *message = c2g_argument_peek (argument);
  const gsize n = strcspn (value, " ");
  char *end;

  switch (c2g_argument_get_kind (argument))
    {
    case C2G_ARGUMENT_KIND_INT:
      return message->i == g_ascii_strtoll (value, &end, 10) && n > 0 && end == value + n;
    case C2G_ARGUMENT_KIND_FLOAT:
      return message->f == (float) g_ascii_strtod (value, &end) && n > 0 && end == value + n;
    case C2G_ARGUMENT_KIND_STRING:
      return message->s.len == n && (n == 0 || memcmp (message->s.data, value, n) == 0);
    default:
      return FALSE;
    }
}

gboolean
c2g_kernel_arguments_check (const C2gKernelArgument  *rows,
                            C2gArgument              *argument,
                            GError                  **error)
{
  const char *name = c2g_argument_get_name (argument);
  const char *value;
  const C2gKernelArgument *row = find_row (rows, name, &value);
  g_autofree char *allowed = NULL;

  if (row == NULL || row->kind != C2G_KERNEL_ARGUMENT_REFUSED)
    return TRUE;
  if (value == NULL)
    return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                     _("The argument “%s” of Caffe2 is not implemented"), name);
  if (has_value (argument, value))
    return TRUE;

  allowed = g_strndup (value, strcspn (value, " "));
  return c2g_fail (error, C2G_ERROR_NOT_SUPPORTED,
                   _("The argument “%s” of Caffe2 is not implemented, and must be “%s” or left out"),
                   name, allowed);
}

static void
add_names (GPtrArray               *names,
           const C2gKernelArgument *rows,
           C2gArgumentUse           use,
           gboolean                 is_required)
{
  for (const C2gKernelArgument *row = rows; row->kind != C2G_KERNEL_ARGUMENT_END; row++)
    {
      g_auto (GStrv) words = NULL;

      if (row->kind == C2G_KERNEL_ARGUMENT_PART)
        add_names (names, row->rows, use, is_required);
      else if (get_use (row) == use && (!is_required || row->is_required))
        words = g_strsplit (row->name, " ", -1);
      for (gsize i = 0; words != NULL && words[i] != NULL; i++)
        g_ptr_array_add (names, g_strndup (words[i], strcspn (words[i], "=")));
    }
}

char **
c2g_kernel_arguments_list (const C2gKernelArgument *rows,
                           C2gArgumentUse           use)
{
  GPtrArray *names = g_ptr_array_new ();

  add_names (names, rows, use, FALSE);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

char **
c2g_kernel_arguments_list_required (const C2gKernelArgument *rows)
{
  GPtrArray *names = g_ptr_array_new ();

  add_names (names, rows, C2G_ARGUMENT_USE_READ, TRUE);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}
