/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _C2gWork C2gWork;

/* Something that more than one thread can do; part of what it is about.  What is not private
 * is set by its owner, all else starts as zero. */
struct _C2gWork
{
  /* Does what there is to do, in a thread that was called, and returns when nothing is. */
  void   (*help) (C2gWork *self);
  /* How many may be there at once. */
  guint    max_helpers;

  /*< private >*/
  C2gWork *next;
  gboolean is_open;
  gboolean is_queued;
  guint    n_helpers;
};

/* Threads of the process, that wait for such work.  They make no work dependent on them:
 * who calls must be able to do it alone. */

/* Calls one more helper, who comes when one is free. */
void c2g_workers_call    (C2gWork *work);

/* Calls off those that have not come, and waits for those that have. */
void c2g_workers_dismiss (C2gWork *work);

G_END_DECLS
