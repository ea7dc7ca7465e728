/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-message-box-private.h>

G_BEGIN_DECLS

/* A value with its key. The list keeps the order of the file, where a key may be repeated. */
typedef struct
{
  char           *key;
  gpointer        value;
  GDestroyNotify  destroy;

  /* Unknown fields of the file, or NULL. */
  C2gMessageBox  *rest;
} C2gKeyedItem;

/* Array of C2gKeyedItem. */
typedef GPtrArray C2gKeyedList;

C2gKeyedList *c2g_keyed_list_new       (void);
/* Returns the first value of that key, or NULL. */
gpointer      c2g_keyed_list_find      (C2gKeyedList    *self,
                                        const char      *key);
/* Replaces the values of that key and takes ownership of VALUE; NULL only removes them. */
void          c2g_keyed_list_set       (C2gKeyedList    *self,
                                        const char      *key,
                                        gpointer         value,
                                        GDestroyNotify   destroy);
/* Takes ownership of the value and of its message, which holds the key. */
void          c2g_keyed_list_add_take  (C2gKeyedList    *self,
                                        const char      *key,
                                        gpointer         value,
                                        GDestroyNotify   destroy,
                                        gpointer         message);
/* Each key is listed once. */
char        **c2g_keyed_list_dup_keys  (C2gKeyedList    *self);

G_END_DECLS
