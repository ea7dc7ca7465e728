/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/types/c2g-drop-private.h>

/* Releases references without deep recursion, for objects that can form long chains. */

/* Limit on nested calls; further ones wait in the list. */
#define MAX_DEPTH 32

typedef struct
{
  GDestroyNotify func;
  gpointer       data;
} Drop;

static __thread guint depth;
static __thread guint n_holds;
static __thread GSList *waiting;

static void
drop_now (const Drop *drop)
{
  depth++;
  drop->func (drop->data);
  depth--;
}

static void
drop_waiting (void)
{
  while (depth == 0 && n_holds == 0 && waiting != NULL)
    {
      g_autofree Drop *next = waiting->data;

      waiting = g_slist_delete_link (waiting, waiting);
      drop_now (next);
    }
}

void
c2g_drop (GDestroyNotify func,
          gpointer       data)
{
  const Drop drop = { func, data };

  if (depth >= MAX_DEPTH || n_holds > 0)
    {
      waiting = g_slist_prepend (waiting, g_memdup2 (&drop, sizeof drop));
      return;
    }

  drop_now (&drop);
  drop_waiting ();
}

void
c2g_drop_object (gpointer object)
{
  c2g_drop (g_object_unref, object);
}

void
c2g_drop_hold (void)
{
  n_holds++;
}

void
c2g_drop_let_go (void)
{
  n_holds--;
  drop_waiting ();
}
