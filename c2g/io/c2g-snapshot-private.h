/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/io/c2g-serializer-private.h>

G_BEGIN_DECLS

/* A blob with what another one holds at this moment, in any thread: nothing that is done to
 * that blob changes it. */
C2gBlob *c2g_snapshot_new  (C2gBlob        *blob);

/* The same for one writer of the blob, to be written from: nothing that is done to its tensors,
 * either, takes the memory away.  The numbers are not copied: whoever writes into the same memory
 * is seen.  The serializer is the one for the blob, or NULL for a format of tensors; one of others
 * gets the blob itself. */
C2gBlob *c2g_snapshot_hold (C2gBlob        *blob,
                            C2gSerializer  *serializer,
                            GError        **error);

G_END_DECLS
