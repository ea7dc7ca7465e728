/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The name under which memory is reported. A named blob makes a label for each of its tensors;
 * the tensor and the storages that it allocates refer to it. Renaming the blob renames the label,
 * and removing the tensor from the blob clears the name: neither touches the tensor, which
 * another thread may be using. Reference-counted atomically; the name, which may be NULL, is
 * protected by a global lock. */
typedef struct _C2gLabel C2gLabel;

C2gLabel *c2g_label_new      (const char *name);
/* The label of a part: its name is that of the whole and the suffix.  As long as the whole has no
 * name, neither has the part, unless the suffix begins with a slash: then that is left out. */
C2gLabel *c2g_label_new_part (C2gLabel   *whole,
                              const char *suffix);
C2gLabel *c2g_label_ref      (C2gLabel   *self);
void      c2g_label_unref    (C2gLabel   *self);
void      c2g_label_set_name (C2gLabel   *self,
                              const char *name);
/* While the owner has a name, it takes the place of the label's own one.  Owners form no circles. */
void      c2g_label_set_owner (C2gLabel  *self,
                               C2gLabel  *owner);
/* The owner of the whole that has no owner itself; for comparisons only. */
gpointer  c2g_label_get_root (C2gLabel   *self);
char     *c2g_label_dup_name (C2gLabel   *self);
gboolean  c2g_label_has_name (C2gLabel   *self);

/* Classes whose objects have memory, which is reported under the name of the blob that holds one.  The
 * same goes for their subclasses. */
typedef void (*C2gLabelFunc) (gpointer  object,
                              C2gLabel *label);

void         c2g_label_set_func  (GType         type,
                                  C2gLabelFunc  func);
C2gLabelFunc c2g_label_get_func  (GType         type);

/* Sets the label of the tensor for which this thread allocates, or NULL, and returns the previous
 * one. Allocations can be nested. */
C2gLabel *c2g_label_swap_allocating     (C2gLabel *self);
/* Returns the name of the blob for which this thread allocates, or NULL. */
char     *c2g_label_dup_allocating_name (void);

G_END_DECLS
