/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/c2g.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What came of the runs of a model: of each output that tells classes the first ones, and a
 * line of every other. */
typedef struct _C2gResults C2gResults;

/* So many classes of each row; labels may be NULL. */
C2gResults *c2g_results_new  (gsize                n_classes,
                              char               **labels);
void        c2g_results_free (C2gResults          *self);

/* The outputs of one run, before the next changes them; input is NULL if it has no name. */
gboolean    c2g_results_add      (C2gResults          *self,
                                  const char          *input,
                                  C2gPredictor        *predictor,
                                  GError             **error);
void        c2g_results_print    (C2gResults          *self,
                                  gboolean             has_colour);
/* The member is called "results". */
void        c2g_results_add_json (C2gResults          *self,
                                  JsonBuilder         *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gResults, c2g_results_free)

G_END_DECLS
