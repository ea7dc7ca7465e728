/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

#include <c2g/core/types/c2g-hot-private.h>

G_BEGIN_DECLS

/* The name under which memory is reported. A named blob makes a label for each of its tensors;
 * the tensor and the storages that it allocates refer to it. Renaming the blob renames the label,
 * and removing the tensor from the blob clears the name: neither touches the tensor, which
 * another thread may be using. Reference-counted atomically; the name, which may be NULL, is
 * protected by a global lock. */
typedef struct _C2gLabel C2gLabel;

C2gLabel *c2g_label_new      (const char *name);
/* Makes the label of a part of a whole. Its name is the name of the whole followed by the suffix.
 * While the whole has no name, the part has none either, with one exception: a suffix that begins
 * with a slash is then the name itself, without the slash. */
C2gLabel *c2g_label_new_part (C2gLabel   *whole,
                              const char *suffix);
C2gLabel *c2g_label_ref      (C2gLabel   *self);
void      c2g_label_unref    (C2gLabel   *self);
void      c2g_label_set_name (C2gLabel   *self,
                              const char *name);
/* While the owner has a name, it replaces the label's own name. Owners must not form a cycle. */
void      c2g_label_set_owner (C2gLabel  *self,
                               C2gLabel  *owner);
/* Returns the label at the end of the chain of wholes and owners; for comparisons only. */
gpointer  c2g_label_get_root (C2gLabel   *self);
char     *c2g_label_dup_name (C2gLabel   *self);
/* Returns TRUE if the label has a name itself; takes no lock. */
gboolean  c2g_label_has_name (C2gLabel   *self);

/* Registers a function for classes whose objects have memory of their own, and for their
 * subclasses. The function labels that memory with the name of the blob that holds the object. */
typedef void (*C2gLabelFunc) (gpointer  object,
                              C2gLabel *label);

void         c2g_label_set_func  (GType         type,
                                  C2gLabelFunc  func);
C2gLabelFunc c2g_label_get_func  (GType         type);

/* The label of the tensor whose block this thread allocates or releases, or NULL. The functions of
 * allocators are public and are not given the name of the block, which the logging allocator writes
 * into its log. */
extern C2G_HOT_THREAD C2gLabel *c2g_label_of_block;

/* Sets that label, and returns the previous one. Allocations and releases can be nested. */
static inline C2gLabel *
c2g_label_swap_of_block (C2gLabel *self)
{
  C2gLabel *former = c2g_label_of_block;

  c2g_label_of_block = self;
  return former;
}

/* Returns the name of the blob whose block this thread allocates or releases, or NULL. */
char     *c2g_label_dup_name_of_block (void);

G_END_DECLS
