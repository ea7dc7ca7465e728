/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#if !defined (C2G_INSIDE) && !defined (C2G_COMPILATION)
# error "Only <c2g/c2g.h> can be included directly."
#endif

#include <glib-object.h>

#include <c2g/core/types/c2g-version-macros.h>

G_BEGIN_DECLS

#define C2G_TYPE_CLASS_SCORE (c2g_class_score_get_type ())

C2G_AVAILABLE_IN_ALL
G_DECLARE_FINAL_TYPE (C2gClassScore, c2g_class_score, C2G, CLASS_SCORE, GObject)

C2G_AVAILABLE_IN_ALL
C2gClassScore *c2g_class_score_new       (gint64         index,
                                          double         score,
                                          const char    *label) G_GNUC_WARN_UNUSED_RESULT;

C2G_AVAILABLE_IN_ALL
gint64         c2g_class_score_get_index (C2gClassScore *self);
C2G_AVAILABLE_IN_ALL
double         c2g_class_score_get_score (C2gClassScore *self);
C2G_AVAILABLE_IN_ALL
const char    *c2g_class_score_get_label (C2gClassScore *self);

C2G_AVAILABLE_IN_ALL
void           c2g_class_score_list_free (C2gClassScore **list);

#ifndef __GI_SCANNER__
/**
 * C2gClassScoreList: (skip)
 *
 * A list of classes that ends with `NULL`, whose type `g_auto ()` knows.
 *
 * [method@Predictor.list_classes] and [method@Predictor.classify_batch] return one. Only C needs the
 * name: [func@ClassScore.list_free] frees the list at the end of the variable's scope.
 */
typedef C2gClassScore **C2gClassScoreList;
G_DEFINE_AUTO_CLEANUP_FREE_FUNC (C2gClassScoreList, c2g_class_score_list_free, NULL)
#endif

G_END_DECLS
