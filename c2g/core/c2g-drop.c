/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/core/c2g-drop-private.h>

/* Limit on nested finalizations; further objects wait in the list. */
#define MAX_DEPTH 32

static __thread guint depth;
static __thread GSList *waiting;

static void
drop_now (gpointer object)
{
  depth++;
  g_object_unref (object);
  depth--;
}

void
c2g_drop_object (gpointer object)
{
  if (depth >= MAX_DEPTH)
    {
      waiting = g_slist_prepend (waiting, object);
      return;
    }

  drop_now (object);

  while (depth == 0 && waiting != NULL)
    {
      gpointer next = waiting->data;

      waiting = g_slist_delete_link (waiting, waiting);
      drop_now (next);
    }
}
