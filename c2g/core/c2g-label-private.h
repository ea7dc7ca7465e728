/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The name under which memory is reported. A named blob makes a label for each of its tensors;
 * the tensor and the storages that it allocates refer to it. Renaming the blob renames the label,
 * and removing the tensor from the blob clears the name: neither touches the tensor, which
 * another thread may be using. Reference-counted atomically; the name, which may be NULL, is
 * protected by a global lock. */
typedef struct _C2gLabel C2gLabel;

C2gLabel *c2g_label_new      (const char *name);
C2gLabel *c2g_label_ref      (C2gLabel   *self);
void      c2g_label_unref    (C2gLabel   *self);
void      c2g_label_set_name (C2gLabel   *self,
                              const char *name);
char     *c2g_label_dup_name (C2gLabel   *self);
gboolean  c2g_label_has_name (C2gLabel   *self);

/* Sets the label of the tensor for which this thread allocates, or NULL, and returns the previous
 * one. Allocations can be nested. */
C2gLabel *c2g_label_swap_allocating     (C2gLabel *self);
/* Returns the name of the blob for which this thread allocates, or NULL. */
char     *c2g_label_dup_allocating_name (void);

G_END_DECLS
