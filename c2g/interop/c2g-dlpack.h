/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/device/c2g-context.h>
#include <c2g/core/device/c2g-device.h>
#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_DLPACK_FLAGS (c2g_dlpack_flags_get_type ())

/**
 * C2gDlpackFlags:
 * @C2G_DLPACK_VERSIONED: the structure is a `DLManagedTensorVersioned` of DLPack 1,
 *   not a `DLManagedTensor`
 * @C2G_DLPACK_COPY: the memory must be a copy, never shared
 * @C2G_DLPACK_NO_COPY: the memory must be shared; it is an error if it cannot be
 *
 * Options for exporting and importing tensors by DLPack.
 */
typedef enum
{
  C2G_DLPACK_VERSIONED = 1 << 0,
  C2G_DLPACK_COPY = 1 << 1,
  C2G_DLPACK_NO_COPY = 1 << 2,
} C2gDlpackFlags;

C2G_AVAILABLE_IN_ALL
GType      c2g_dlpack_flags_get_type            (void);

C2G_AVAILABLE_IN_ALL
guint64    c2g_tensor_to_dlpack                 (C2gTensor       *self,
                                                 C2gDlpackFlags   flags,
                                                 C2gDevice       *device,
                                                 gint64           stream,
                                                 GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_dlpack           (guint64          managed,
                                                 C2gDlpackFlags   flags,
                                                 C2gContext      *context,
                                                 GError         **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_lend_to_stream            (C2gTensor       *self,
                                                 gint64           stream,
                                                 GError         **error);

C2G_AVAILABLE_IN_ALL
void       c2g_dlpack_release                   (guint64          managed,
                                                 C2gDlpackFlags   flags);
C2G_AVAILABLE_IN_ALL
gint64     c2g_dlpack_get_stream                (C2gDevice       *device,
                                                 C2gContext      *context,
                                                 GError         **error);
C2G_AVAILABLE_IN_ALL
guint64    c2g_dlpack_get_capsule_destructor    (guint64          is_valid,
                                                 guint64          get_pointer);

G_END_DECLS
