/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <c2g/core/types/c2g-version-macros.h>
#include <c2g/net/predictor/c2g-class-score.h>
#include <c2g/net/predictor/c2g-predictor.h>
#include <c2g/picture/c2g-picture-options.h>

G_BEGIN_DECLS

C2G_AVAILABLE_IN_ALL
C2gPictureOptions *c2g_predictor_dup_picture_options (C2gPredictor  *self,
                                                      GError       **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
C2gPictureOptions *c2g_predictor_guess_picture_options (C2gPredictor   *self,
                                                        const char     *input,
                                                        char         ***guessed,
                                                        GError        **error) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
C2gClassScore *c2g_predictor_classify_file        (C2gPredictor         *self,
                                                   GFile                *file,
                                                   GCancellable         *cancellable,
                                                   GError              **error) G_GNUC_WARN_UNUSED_RESULT;
C2G_AVAILABLE_IN_ALL
void           c2g_predictor_classify_file_async  (C2gPredictor         *self,
                                                   GFile                *file,
                                                   GCancellable         *cancellable,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
C2G_AVAILABLE_IN_ALL
C2gClassScore *c2g_predictor_classify_file_finish (C2gPredictor         *self,
                                                   GAsyncResult         *result,
                                                   GError              **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
