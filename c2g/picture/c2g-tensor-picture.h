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
#include <c2g/picture/c2g-picture-options.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_picture (GFile              *file,
                                        C2gPictureOptions  *options,
                                        GCancellable       *cancellable,
                                        GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_pictures (GFile             **files,
                                         guint               n_files,
                                         C2gPictureOptions  *options,
                                         GCancellable       *cancellable,
                                         GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void       c2g_tensor_new_from_picture_async  (GFile                *file,
                                               C2gPictureOptions    *options,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_picture_finish (GAsyncResult         *result,
                                               GError              **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void       c2g_tensor_new_from_pictures_async  (GFile               **files,
                                                guint                 n_files,
                                                C2gPictureOptions    *options,
                                                GCancellable         *cancellable,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_pictures_finish (GAsyncResult         *result,
                                                GError              **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_pixels  (GBytes             *pixels,
                                        guint               width,
                                        guint               height,
                                        gsize               row_stride,
                                        guint               n_channels,
                                        C2gPictureOptions  *options,
                                        GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gTensor *c2g_tensor_new_from_pixbuf  (GObject            *pixbuf,
                                        C2gPictureOptions  *options,
                                        GError            **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
GBytes    *c2g_tensor_dup_pixels       (C2gTensor          *self,
                                        C2gPictureOptions  *options,
                                        guint              *width,
                                        guint              *height,
                                        guint              *n_channels,
                                        GError            **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
gboolean   c2g_tensor_save_picture     (C2gTensor          *self,
                                        GFile              *file,
                                        C2gPictureOptions  *options,
                                        GCancellable       *cancellable,
                                        GError            **error);

G_END_DECLS
