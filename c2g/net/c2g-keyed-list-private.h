/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-message-box-private.h>

G_BEGIN_DECLS

/* Values by their keys, in order: as a file has them, where a key may come again. */
typedef struct
{
  char           *key;
  gpointer        value;
  GDestroyNotify  destroy;

  /* What else was in the file, or NULL. */
  C2gMessageBox  *rest;
} C2gKeyedItem;

/* Of C2gKeyedItem. */
typedef GPtrArray C2gKeyedList;

C2gKeyedList *c2g_keyed_list_new       (void);
/* The first of several, NULL if there is none. */
gpointer      c2g_keyed_list_find      (C2gKeyedList    *self,
                                        const char      *key);
/* Takes the value, and puts it in the place of those with the same key; NULL is none. */
void          c2g_keyed_list_set       (C2gKeyedList    *self,
                                        const char      *key,
                                        gpointer         value,
                                        GDestroyNotify   destroy);
/* Takes the value and the message of which it is a part, and which has the key. */
void          c2g_keyed_list_add_take  (C2gKeyedList    *self,
                                        const char      *key,
                                        gpointer         value,
                                        GDestroyNotify   destroy,
                                        gpointer         message);
/* Each once. */
char        **c2g_keyed_list_dup_keys  (C2gKeyedList    *self);

G_END_DECLS
