/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/load/c2g-load-options.h>
#include <c2g/io/load/c2g-model-file.h>
#include <c2g/io/stream/c2g-job-private.h>

G_BEGIN_DECLS

/* A load in three steps: select the blobs, read them, put them into the workspace. The workspace
 * does not change before the last step, which cannot fail because of the files. */
typedef struct _C2gLoader C2gLoader;

/* Opens the file and those in the options. The loader keeps a reference to the options, which
 * must not change. */
C2gLoader *c2g_loader_new_for_file  (GFile           *file,
                                     C2gLoadOptions  *options,
                                     GCancellable    *cancellable,
                                     GError         **error);
/* The same for a file that is open. NULL options load everything. */
C2gLoader *c2g_loader_new           (C2gModelFile    *file,
                                     C2gLoadOptions  *options,
                                     GCancellable    *cancellable,
                                     GError         **error);
/* A loader that reads everything and keeps nothing. */
C2gLoader *c2g_loader_new_for_check (C2gModelFile    *file);
void       c2g_loader_free          (C2gLoader       *self);

/* Reads the blobs that can be read in any thread. */
gboolean   c2g_loader_read          (C2gLoader       *self,
                                     const C2gJob    *job,
                                     GError         **error);
/* Reads the other blobs, which need serializers of the program, in the thread that the program
 * chose. */
gboolean   c2g_loader_read_foreign  (C2gLoader       *self,
                                     const C2gJob    *job,
                                     GError         **error);
/* Returns the names of the loaded blobs, in the order of the files. */
char     **c2g_loader_commit        (C2gLoader       *self,
                                     C2gWorkspace    *workspace,
                                     GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gLoader, c2g_loader_free)

G_END_DECLS
