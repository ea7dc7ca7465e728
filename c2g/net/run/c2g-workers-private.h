/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _C2gWork C2gWork;

/* Work that several threads can share, embedded in the struct that it is about. The owner sets
 * the public members; the others start as zero. */
struct _C2gWork
{
  /* Called in a helper thread. Returns when there is nothing left to do. */
  void   (*help) (C2gWork *self);
  /* Limit on helpers at the same time. */
  guint    max_helpers;

  /*< private >*/
  C2gWork *next;
  gboolean is_open;
  gboolean is_queued;
  guint    n_helpers;
};

/* The pool of helper threads of the process. A helper may never come, so the caller must be able
 * to do all the work alone. */

/* Asks for one more helper; it comes when a thread is free. */
void c2g_workers_call    (C2gWork *work);

/* Cancels helpers that have not started and waits for the others. */
void c2g_workers_dismiss (C2gWork *work);

G_END_DECLS
