/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g-gst/c2g-gst.h>

G_BEGIN_DECLS

/* The right to write a file, which one element of all processes has: the last one to end would replace the file of the
 * others. It ends with the process. */
typedef struct _C2gGstClaim C2gGstClaim;

/* Fails with C2G_ERROR_BUSY if another element has the claim, and with a G_IO_ERROR if nothing can be written into the
 * folder of the file. */
C2gGstClaim *c2g_gst_claim_new  (const char   *path,
                                 GError      **error);
void         c2g_gst_claim_free (C2gGstClaim  *self);

G_END_DECLS
