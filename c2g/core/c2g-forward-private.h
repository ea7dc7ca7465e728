/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-workspace.h>

G_BEGIN_DECLS

/* A name that stands for a blob of another workspace. */
typedef struct
{
  char         *name;
  C2gWorkspace *parent;
  char         *parent_name;

  /* In the order of forwards being added. */
  GList         link;
} C2gForward;

/* The forwards of a workspace, which are its own; a zero-filled one is empty. */
typedef struct
{
  /* C2gForward by name, NULL while there is none. */
  GHashTable *by_name;
  GQueue      order;
} C2gForwardTable;

C2gForward *c2g_forward_new               (const char            *name,
                                           C2gWorkspace          *parent,
                                           const char            *parent_name);
/* Without a lock, for the last reference to the parent may go. */
void        c2g_forward_free              (C2gForward            *self);
/* The same for an array that may have holes. */
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
/* Empties the table; free the result without its lock. */
GList      *c2g_forward_table_steal_all   (C2gForwardTable       *self);

G_END_DECLS
