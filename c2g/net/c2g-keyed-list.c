/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/c2g-keyed-list-private.h>

#include <c2g/io/c2g-wire-private.h>
#include <c2g/net/c2g-name-list-private.h>

static void
item_free (gpointer data)
{
  C2gKeyedItem *item = data;

  g_free (item->key);
  item->destroy (item->value);
  c2g_message_box_unref (item->rest);
  g_free (item);
}

C2gKeyedList *
c2g_keyed_list_new (void)
{
  return g_ptr_array_new_with_free_func (item_free);
}

static C2gKeyedItem *
find_item (C2gKeyedList *self,
           const char   *key)
{
  for (guint i = 0; i < self->len; i++)
    {
      C2gKeyedItem *item = self->pdata[i];

      if (g_str_equal (item->key, key))
        return item;
    }

  return NULL;
}

gpointer
c2g_keyed_list_find (C2gKeyedList *self,
                     const char   *key)
{
  C2gKeyedItem *item = find_item (self, key);

  return item == NULL ? NULL : item->value;
}

/* Removes all items of that key but KEPT. */
static void
remove_others (C2gKeyedList *self,
               const char   *key,
               C2gKeyedItem *kept)
{
  for (guint i = self->len; i > 0; i--)
    {
      C2gKeyedItem *item = self->pdata[i - 1];

      if (item != kept && g_str_equal (item->key, key))
        g_ptr_array_remove_index (self, i - 1);
    }
}

static C2gKeyedItem *
add_item (C2gKeyedList *self,
          const char   *key)
{
  C2gKeyedItem *item = g_new0 (C2gKeyedItem, 1);

  item->key = c2g_name_from_message (key);
  g_ptr_array_add (self, item);
  return item;
}

void
c2g_keyed_list_set (C2gKeyedList   *self,
                    const char     *key,
                    gpointer        value,
                    GDestroyNotify  destroy)
{
  g_autofree char *own_key = g_strdup (key);
  C2gKeyedItem *item = value == NULL ? NULL : find_item (self, key);

  remove_others (self, own_key, item);
  if (value == NULL)
    return;

  if (item == NULL)
    item = add_item (self, own_key);
  else
    item->destroy (item->value);
  item->value = value;
  item->destroy = destroy;
}

void
c2g_keyed_list_add_take (C2gKeyedList   *self,
                         const char     *key,
                         gpointer        value,
                         GDestroyNotify  destroy,
                         gpointer        message)
{
  C2gKeyedItem *item = add_item (self, key);

  item->value = value;
  item->destroy = destroy;
  if (((ProtobufCMessage *) message)->n_unknown_fields > 0)
    item->rest = c2g_message_box_new (message);
  else
    c2g_wire_free (message);
}

char **
c2g_keyed_list_dup_keys (C2gKeyedList *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  char **keys = g_new0 (char *, self->len + 1);
  gsize n = 0;

  for (guint i = 0; i < self->len; i++)
    {
      C2gKeyedItem *item = self->pdata[i];

      if (g_hash_table_add (seen, item->key))
        keys[n++] = g_strdup (item->key);
    }

  return keys;
}
