/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The results of the runs of a model: the best classes of outputs with class scores, and one line
 * for other outputs. */
typedef struct _C2gResults C2gResults;

/* Keeps n_classes classes of each row; labels may be NULL. */
C2gResults *c2g_results_new  (guint                n_classes,
                              char               **labels);
void        c2g_results_free (C2gResults          *self);

/* Adds the outputs of one run; call it before the next run. input is NULL if the input has no
 * name. */
gboolean    c2g_results_add      (C2gResults          *self,
                                  const char          *input,
                                  C2gPredictor        *predictor,
                                  GError             **error);
void        c2g_results_print    (C2gResults          *self,
                                  gboolean             has_colour);
/* Adds the member "results". */
void        c2g_results_add_json (C2gResults          *self,
                                  JsonBuilder         *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gResults, c2g_results_free)

G_END_DECLS
