/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/def/c2g-def-list-private.h>

#include <c2g/def/c2g-def-private.h>

#include <string.h>

/* Reads and changes the lists inside messages: of names, of definitions, and of entries with a
 * name. */

/* The beginning of Caffe2__Argument and of the entries of Caffe2__MetaNetDef's maps. */
typedef struct
{
  ProtobufCMessage  base;
  char             *key;
} KeyedMessage;

gpointer
c2g_list_reserve (gpointer items,
                  gsize    n)
{
  gpointer *reserved;

  if (n == 0)
    {
      g_free (items);
      return NULL;
    }

  reserved = g_realloc_n (items, (gsize) 1 << g_bit_storage (n), sizeof *reserved);
  reserved[n] = NULL;
  return reserved;
}

/* Takes ownership of the item. */
static void
insert (gpointer  list,
        gsize    *n,
        gsize     position,
        gpointer  item)
{
  gpointer *items = *(gpointer **) list;

  /* The items and the NULL behind them fill the memory when their number is a power of two. */
  if (*n == 0 || ((*n + 1) & *n) == 0)
    items = c2g_list_reserve (items, *n + 1);

  memmove (items + position + 1, items + position, (*n - position) * sizeof *items);
  items[position] = item;
  items[++*n] = NULL;
  *(gpointer **) list = items;
}

gpointer
c2g_def_list_get (gpointer items,
                  gsize    n,
                  gsize    position)
{
  return position < n ? c2g_def_of (((gpointer *) items)[position]) : NULL;
}

void
c2g_def_list_insert (gpointer  list,
                     gsize    *n,
                     gsize     position,
                     gpointer  def)
{
  C2gDef *self = g_object_ref (def);

  insert (list, n, position, &self->message);
}

gboolean
c2g_def_list_remove (gpointer  list,
                     gsize    *n,
                     gsize     position)
{
  gpointer *items = *(gpointer **) list;
  gpointer item;

  if (position >= *n)
    return FALSE;

  item = items[position];
  memmove (items + position, items + position + 1, (*n - position) * sizeof *items);
  (*n)--;
  c2g_def_free_message (item);
  return TRUE;
}

const char *const *
c2g_names_get (char *names[])
{
  static const char *const none[] = { NULL };

  return names == NULL ? none : (const char *const *) names;
}

void
c2g_names_add (gpointer     self,
               char      ***names,
               gsize       *n_names,
               const char  *name,
               GParamSpec  *pspec)
{
  insert (names, n_names, *n_names, g_strdup (name));
  g_object_notify_by_pspec (self, pspec);
}

void
c2g_names_set (gpointer            self,
               char             ***names,
               gsize              *n_names,
               const char *const  *value,
               GParamSpec         *pspec)
{
  g_auto (GStrv) old = *names;

  value = c2g_names_get ((char **) value);
  if (g_strv_equal (c2g_names_get (old), value))
    {
      old = NULL;
      return;
    }

  /* VALUE may point into the old list, which is freed last. */
  *n_names = g_strv_length ((char **) value);
  *names = c2g_list_reserve (NULL, *n_names);
  for (gsize i = 0; i < *n_names; i++)
    (*names)[i] = g_strdup (value[i]);
  if (pspec != NULL)
    g_object_notify_by_pspec (self, pspec);
}

static gboolean
is_called (const KeyedMessage *message,
           const char         *key)
{
  return g_str_equal (message->key == NULL ? "" : message->key, key);
}

/* Returns the position of the first message with that key, or N if there is none. */
static gsize
find_position (KeyedMessage **messages,
               gsize          n,
               const char    *key)
{
  gsize i = 0;

  while (i < n && !is_called (messages[i], key))
    i++;
  return i;
}

gpointer
c2g_keyed_list_find (gpointer    items,
                     gsize       n,
                     const char *key)
{
  KeyedMessage **messages = items;
  gsize i = find_position (messages, n, key);

  return i < n ? messages[i] : NULL;
}

/* Removes the messages of that name from the position BEGIN on. Returns how many are left. */
static gsize
remove_from (KeyedMessage **messages,
             gsize          n,
             gsize          begin,
             const char    *key)
{
  /* KEY may point into a message that is removed. */
  g_autofree char *own_key = g_strdup (key);
  gsize n_kept = begin;

  for (gsize i = begin; i < n; i++)
    if (is_called (messages[i], own_key))
      c2g_def_free_message (messages[i]);
    else
      messages[n_kept++] = messages[i];

  if (n_kept < n)
    messages[n_kept] = NULL;
  return n_kept;
}

gboolean
c2g_keyed_list_remove (gpointer    list,
                       gsize      *n,
                       const char *key)
{
  gsize n_before = *n;

  *n = remove_from (*(KeyedMessage ***) list, *n, 0, key);
  return *n < n_before;
}

gpointer *
c2g_keyed_list_ensure (gpointer    list,
                       gsize      *n,
                       const char *key)
{
  gsize i = find_position (*(KeyedMessage ***) list, *n, key);

  if (i == *n)
    insert (list, n, i, NULL);
  else
    *n = remove_from (*(KeyedMessage ***) list, *n, i + 1, key);
  return *(gpointer **) list + i;
}

char **
c2g_keyed_list_dup_keys (gpointer items,
                         gsize    n)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  KeyedMessage **messages = items;
  char **keys = g_new0 (char *, n + 1);
  gsize n_keys = 0;

  for (gsize i = 0; i < n; i++)
    if (g_hash_table_add (seen, messages[i]->key))
      keys[n_keys++] = g_strdup (messages[i]->key);

  return keys;
}
