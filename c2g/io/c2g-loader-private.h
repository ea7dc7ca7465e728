/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-job-private.h>
#include <c2g/io/c2g-load-options.h>
#include <c2g/io/c2g-model-file.h>

G_BEGIN_DECLS

/* A load in its steps: what is wanted is found, read, and put into a workspace.  Nothing
 * is in the workspace before the last step, which does not fail for the files' sake.
 */
typedef struct _C2gLoader C2gLoader;

/* Opens file, and those that the options name.  Options are looked at again later, but
 * not changed; the loader keeps them. */
C2gLoader *c2g_loader_new_for_file  (GFile           *file,
                                     C2gLoadOptions  *options,
                                     GCancellable    *cancellable,
                                     GError         **error);
/* The same with the first file open.  Without options all of it is wanted. */
C2gLoader *c2g_loader_new           (C2gModelFile    *file,
                                     C2gLoadOptions  *options,
                                     GCancellable    *cancellable,
                                     GError         **error);
/* One that reads all of a file and keeps nothing. */
C2gLoader *c2g_loader_new_for_check (C2gModelFile    *file);
void       c2g_loader_free          (C2gLoader       *self);

/* Reads what can be read in any thread. */
gboolean   c2g_loader_read          (C2gLoader       *self,
                                     const C2gJob    *job,
                                     GError         **error);
/* Reads the rest, for which code of the program's own is needed, in the thread that the
 * program chose. */
gboolean   c2g_loader_read_foreign  (C2gLoader       *self,
                                     const C2gJob    *job,
                                     GError         **error);
/* The names of what is in the workspace now, in the order of the files. */
char     **c2g_loader_commit        (C2gLoader       *self,
                                     C2gWorkspace    *workspace,
                                     GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gLoader, c2g_loader_free)

G_END_DECLS
