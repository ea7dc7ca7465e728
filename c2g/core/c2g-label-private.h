/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The name under which memory is reported.  A named blob makes one for each tensor that
 * comes in; the tensor and the storages that it allocates refer to it.  Renaming the blob
 * renames the label, and letting go of the tensor takes the name away: neither touches
 * the tensor, which another thread may be using.  Atomically counted; the name, which may
 * be NULL, is guarded by one lock.
 */
typedef struct _C2gLabel C2gLabel;

C2gLabel *c2g_label_new      (const char *name);
C2gLabel *c2g_label_ref      (C2gLabel   *self);
void      c2g_label_unref    (C2gLabel   *self);
void      c2g_label_set_name (C2gLabel   *self,
                              const char *name);
char     *c2g_label_dup_name (C2gLabel   *self);
gboolean  c2g_label_has_name (C2gLabel   *self);

/* Notes the label of the tensor for which this thread allocates, or NULL, and returns what was noted
 * before.  Within an allocation others may be made. */
C2gLabel *c2g_label_swap_allocating     (C2gLabel *self);
/* The name of the blob for which this thread allocates, or NULL. */
char     *c2g_label_dup_allocating_name (void);

G_END_DECLS
