/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-blob-io.h>

G_BEGIN_DECLS

/* Moves what a new blob holds to where it is wanted; a tensor that is there stays
 * the object it is, and gets the content. */
void c2g_blob_take_loaded (C2gBlob *self,
                           C2gBlob *loaded);

G_END_DECLS
