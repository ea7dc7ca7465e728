/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-gst-shape.h"

#include "model/c2g-model.h"
#include "model/c2g-picture-options.h"

#include "c2g-model-form-private.h"

G_BEGIN_DECLS

/* The properties of c2ginference that describe the model. */
typedef struct
{
  char             *model;
  char             *labels;
  char             *device;
  /* Prefix for the names of the outputs. */
  char             *prefix;
  C2gOptimizeFlags  optimize;
  C2gFileAccess     file_access;

  C2gPictureArguments picture;
} C2gGstModelOptions;

/* A loaded model, its labels or NULL, the names for its outputs, and the form of its pictures. */
typedef struct
{
  C2gPredictor    *predictor;
  char           **labels;
  char           **names;
  C2gPictureForm   form;
  /* The parts of the form that were not guessed. */
  C2gGstShapeFlags known;
  /* A sentence that says which properties of pictures were guessed; NULL if everything is known. */
  char            *guess;
  /* A sentence about properties that contradict the model's own file; NULL if none do. */
  char            *conflict;
} C2gGstModel;

/* Loads the class names of a file, or of the one beside the model. An error names the property. */
gboolean     c2g_gst_model_load_labels (C2gModel      *model,
                                        const char    *file_name,
                                        char        ***labels,
                                        GCancellable  *cancellable,
                                        GError       **error);

C2gGstModel *c2g_gst_model_new  (const C2gGstModelOptions  *options,
                                 GCancellable              *cancellable,
                                 GError                   **error);
void         c2g_gst_model_free (C2gGstModel               *self);

/* Returns TRUE if the only input of the model is known to be a picture, whose size may be any. */
gboolean     c2g_gst_model_takes_picture (const C2gGstModel *self);

/* Runs the model on zeros if its only input is a picture of known size. So an unsuitable model
 * fails before the first frame. *duration is the time of a run in microseconds, 0 without a run. */
gboolean     c2g_gst_model_try       (C2gGstModel           *self,
                                      gint64                *duration,
                                      GCancellable          *cancellable,
                                      GError               **error);

/* If the error is that pictures have a wrong shape or type for the model, puts before it which properties made them so. An
 * operator alone would blame the model's weights. */
void         c2g_gst_model_explain (const C2gGstModel         *self,
                                    const C2gGstModelOptions  *options,
                                    GError                   **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gGstModel, c2g_gst_model_free)

G_END_DECLS
