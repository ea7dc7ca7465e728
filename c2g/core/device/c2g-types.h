/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-device.h>

G_BEGIN_DECLS

typedef struct _C2gAllocator C2gAllocator;
typedef struct _C2gBlob      C2gBlob;
typedef struct _C2gContext   C2gContext;
typedef struct _C2gEvent     C2gEvent;
typedef struct _C2gMapping   C2gMapping;
typedef struct _C2gStorage   C2gStorage;
typedef struct _C2gTensor    C2gTensor;

/* The function table of a device library, see <c2g/c2g-backend.h>. It is for C only. */
#ifndef __GI_SCANNER__
typedef struct _C2gDeviceBackend C2gDeviceBackend;
#endif

G_END_DECLS
