/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/content/c2g-blob-io.h>

G_BEGIN_DECLS

/* Moves the content of LOADED into SELF. If both hold a tensor on the same device, the tensor of
 * SELF stays the same object and gets the content. */
void c2g_blob_take_loaded (C2gBlob *self,
                           C2gBlob *loaded);

G_END_DECLS
