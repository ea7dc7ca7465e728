/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/lmdb/c2g-lmdb-file-private.h>

G_BEGIN_DECLS

/* Checks a whole file before liblmdb may write to it, because liblmdb maps the file and does not
 * check what it reads. Afterwards it is certain that every page of both trees is valid and inside
 * the file, that no page is used twice, and that no free page is in use. */
gboolean c2g_lmdb_verify (C2gLmdbFile   *file,
                          GCancellable  *cancellable,
                          GError       **error);

G_END_DECLS
