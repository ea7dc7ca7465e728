/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-drop-private.h>

/* Limit on nested calls; further ones wait in the list. */
#define MAX_DEPTH 32

typedef struct
{
  GDestroyNotify func;
  gpointer       data;
} Drop;

static __thread guint depth;
static __thread GSList *waiting;

static void
drop_now (const Drop *drop)
{
  depth++;
  drop->func (drop->data);
  depth--;
}

void
c2g_drop (GDestroyNotify func,
          gpointer       data)
{
  const Drop drop = { func, data };

  if (depth >= MAX_DEPTH)
    {
      waiting = g_slist_prepend (waiting, g_memdup2 (&drop, sizeof drop));
      return;
    }

  drop_now (&drop);

  while (depth == 0 && waiting != NULL)
    {
      g_autofree Drop *next = waiting->data;

      waiting = g_slist_delete_link (waiting, waiting);
      drop_now (next);
    }
}

void
c2g_drop_object (gpointer object)
{
  c2g_drop (g_object_unref, object);
}
