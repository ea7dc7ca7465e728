/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-model-form.h"

G_BEGIN_DECLS

/* The properties of c2ginference that describe the model. */
typedef struct
{
  char             *model;
  char             *labels;
  char             *device;
  /* Put before the names of the outputs. */
  char             *prefix;
  C2gOptimizeFlags  optimize;
  C2gFileAccess     file_access;

  C2gPictureArguments picture;
} C2gGstModelOptions;

/* A model that is ready to be run, its labels, which may be NULL, the names that its outputs get, and
 * how it wants pictures. */
typedef struct
{
  C2gPredictor    *predictor;
  char           **labels;
  char           **names;
  C2gPictureForm   form;
  /* A sentence about what nobody said of pictures; NULL if all is known. */
  char            *guess;
} C2gGstModel;

C2gGstModel *c2g_gst_model_new  (const C2gGstModelOptions  *options,
                                 GCancellable              *cancellable,
                                 GError                   **error);
void         c2g_gst_model_free (C2gGstModel               *self);

/* Tells if the only input of the model is a picture of a known size. */
gboolean     c2g_gst_model_has_form (const C2gGstModel      *self);

/* Runs the model on zeros if it takes nothing but pictures of a known size.  So a model that does not fit fails
 * before the first frame.  Gives the microseconds of a run, or 0 if there was none. */
gboolean     c2g_gst_model_try       (C2gGstModel           *self,
                                      gint64                *duration,
                                      GCancellable          *cancellable,
                                      GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gGstModel, c2g_gst_model_free)

G_END_DECLS
