/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A database that is being made and that nobody sees yet: a file without a name, which
 * the kernel forgets with the process, where there can be such, else a folder beside the
 * place where it will be.
 */
typedef struct _C2gLmdbDraft C2gLmdbDraft;

/* For a folder of that path, which must not be there.  Messages call it by the name. */
C2gLmdbDraft *c2g_lmdb_draft_new       (const char    *path,
                                        const char    *name,
                                        GError       **error);
/* Without publish nothing is left of it. */
void          c2g_lmdb_draft_free      (C2gLmdbDraft  *self);

/* The data.mdb, as this process can open it. */
const char   *c2g_lmdb_draft_get_path  (C2gLmdbDraft  *self);
/* Puts it on the disk and under its name, which it has in one moment.  To be freed then,
 * and also after an error. */
gboolean      c2g_lmdb_draft_publish   (C2gLmdbDraft  *self,
                                        GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gLmdbDraft, c2g_lmdb_draft_free)

G_END_DECLS
