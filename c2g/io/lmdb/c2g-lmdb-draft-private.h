/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A new database that is not visible yet. If the file system supports it, this is an unnamed file,
 * which the kernel deletes when the process ends. Otherwise it is a temporary folder beside the
 * target. */
typedef struct _C2gLmdbDraft C2gLmdbDraft;

/* PATH is the folder to create; it must not exist. NAME is used in messages. */
C2gLmdbDraft *c2g_lmdb_draft_new       (const char    *path,
                                        const char    *name,
                                        GError       **error);
/* Deletes the draft unless it was published. */
void          c2g_lmdb_draft_free      (C2gLmdbDraft  *self);

/* Returns a path by which this process can open data.mdb. */
const char   *c2g_lmdb_draft_get_path  (C2gLmdbDraft  *self);
/* Flushes the database and gives it its name in one atomic step. Afterwards, also after an error,
 * the draft can only be freed. */
gboolean      c2g_lmdb_draft_publish   (C2gLmdbDraft  *self,
                                        GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gLmdbDraft, c2g_lmdb_draft_free)

G_END_DECLS
