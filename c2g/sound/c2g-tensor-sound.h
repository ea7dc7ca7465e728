/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <gio/gio.h>

#include <c2g/core/tensor/c2g-tensor.h>
#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/sound/c2g-sound-options.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_sound (GFile            *file,
                                      C2gSoundOptions  *options,
                                      guint            *sample_rate,
                                      GCancellable     *cancellable,
                                      GError          **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void       c2g_tensor_new_from_sound_async  (GFile                *file,
                                             C2gSoundOptions      *options,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_sound_finish (GAsyncResult         *result,
                                             guint                *sample_rate,
                                             GError              **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_save_sound     (C2gTensor        *self,
                                      GFile            *file,
                                      guint             sample_rate,
                                      C2gSoundOptions  *options,
                                      GCancellable     *cancellable,
                                      GError          **error);

G_END_DECLS
