/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/core/memory/c2g-mapping.h>

G_BEGIN_DECLS

/* Maps a part of a storage. The mapping pins the storage and is counted in it. Returns NULL if the
 * mapping is for writing and the storage must not be written. */
C2gMapping *c2g_mapping_new (C2gStorage  *storage,
                             gsize        offset,
                             gsize        n_bytes,
                             C2gMapFlags  flags);

G_END_DECLS
