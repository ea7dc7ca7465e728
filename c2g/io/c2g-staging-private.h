/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/c2g-workspace.h>

G_BEGIN_DECLS

/* What a file holds, before any of it is in a workspace: named blobs in order. */
typedef struct _C2gStaging C2gStaging;

C2gStaging *c2g_staging_new    (void);
void        c2g_staging_free   (C2gStaging    *self);

/* The blob of a name, NULL if there is none yet. */
gboolean    c2g_staging_has    (C2gStaging    *self,
                                const char    *name);
/* Takes the blob; another one of that name loses its content, not its place. */
void        c2g_staging_put    (C2gStaging    *self,
                                const char    *name,
                                C2gBlob       *blob);
/* What is there of a name goes, with its place. */
void        c2g_staging_remove (C2gStaging    *self,
                                const char    *name);
/* All of it into the workspace, or nothing.  The names, in order. */
char      **c2g_staging_commit (C2gStaging    *self,
                                C2gWorkspace  *workspace,
                                GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gStaging, c2g_staging_free)

G_END_DECLS
