/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-workspace.h>

G_BEGIN_DECLS

/* A name in a workspace that refers to a blob of another workspace. */
typedef struct
{
  char         *name;
  C2gWorkspace *parent;
  char         *parent_name;

  /* Link in the order in which forwards were added. */
  GList         link;
} C2gForward;

/* The forwards of a workspace; it owns them. A zero-filled table is empty. */
typedef struct
{
  /* C2gForward by name; NULL while there is none. */
  GHashTable *by_name;
  GQueue      order;
} C2gForwardTable;

C2gForward *c2g_forward_new               (const char            *name,
                                           C2gWorkspace          *parent,
                                           const char            *parent_name);
/* Call it without a lock: it may drop the last reference to the parent. */
void        c2g_forward_free              (C2gForward            *self);
/* The same for elements of an array, which may be NULL. */
void        c2g_forward_free_if_any       (gpointer               data);
gboolean    c2g_forward_is_to             (const C2gForward      *self,
                                           C2gWorkspace          *parent,
                                           const char            *parent_name);

C2gForward *c2g_forward_table_lookup      (const C2gForwardTable *self,
                                           const char            *name);
void        c2g_forward_table_insert      (C2gForwardTable       *self,
                                           C2gForward            *forward);
void        c2g_forward_table_steal       (C2gForwardTable       *self,
                                           C2gForward            *forward);
/* Empties the table. Free the result after unlocking. */
GList      *c2g_forward_table_steal_all   (C2gForwardTable       *self);

G_END_DECLS
