/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/workspace/c2g-blob.h>

G_BEGIN_DECLS

/* Returns the size of the content in bytes; 0 if its type is not known. */
gsize c2g_blob_stat_n_bytes (C2gBlob *blob);

G_END_DECLS
