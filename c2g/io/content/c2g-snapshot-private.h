/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/serializer/c2g-serializer-private.h>

G_BEGIN_DECLS

/* Returns a new blob with the current content of another one; later changes of that blob do not
 * affect it. Thread-safe. */
C2gBlob *c2g_snapshot_new  (C2gBlob        *blob);

/* The same for writing the blob: also keeps the memory of its tensors, whatever is done to them.
 * Elements are not copied, so writes into the same memory are visible. SERIALIZER is the one for
 * the blob, or NULL for a tensor format. For a serializer of the program this is a reference to the
 * blob itself, because such a serializer may look at the blob and not only at its content. */
C2gBlob *c2g_snapshot_hold (C2gBlob        *blob,
                            C2gSerializer  *serializer,
                            GError        **error);

G_END_DECLS
