/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-file-private.h>

G_BEGIN_DECLS

/* Makes sure that liblmdb, which maps the file and believes everything, can be let loose
 * on it: every page of both trees is sound and in the file, no page is used twice, and
 * the free pages are free. */
gboolean c2g_lmdb_verify (C2gLmdbFile   *file,
                          GCancellable  *cancellable,
                          GError       **error);

G_END_DECLS
