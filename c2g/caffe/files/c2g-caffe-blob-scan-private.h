/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/caffe/files/c2g-caffemodel-private.h>
#include <c2g/io/wire/c2g-wire-scan-private.h>

G_BEGIN_DECLS

/* Makes an entry for the BlobProto in the field; a NULL field means the whole source. Does not read
 * elements. */
C2gFileEntry *c2g_caffe_blob_scan (C2gScanner         *scanner,
                                   const C2gWireItem  *item,
                                   const char         *name,
                                   GError            **error);

G_END_DECLS
