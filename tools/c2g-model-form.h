/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-model.h"
#include "c2g-picture.h"

G_BEGIN_DECLS

/* How a model wants its pictures.  The command line comes first, then model.ini beside the nets;
 * value_info.json and the init net tell shapes. */
typedef struct _C2gModelForm C2gModelForm;

C2gModelForm *c2g_model_form_new  (C2gModel                   *model,
                                   const C2gPictureArguments  *options,
                                   GCancellable               *cancellable,
                                   GError                    **error);
void          c2g_model_form_free (C2gModelForm               *self);

/* The dimensions that value_info.json tells of an input; NULL if it does not. */
const gint64 *c2g_model_form_get_dims (C2gModelForm    *self,
                                       const char      *input,
                                       gsize           *n_dims);
/* The form of pictures for an input.  Ask before the input is filled: its shape counts. */
gboolean      c2g_model_form_find     (C2gModelForm    *self,
                                       C2gPredictor    *predictor,
                                       const char      *input,
                                       C2gPictureForm  *form,
                                       GError         **error);
/* A sentence that names what the last form was guessed in; NULL if all of it is known. */
char         *c2g_model_form_describe_guess (C2gModelForm *self);
/* Writes the last form into model.ini beside the nets. */
gboolean      c2g_model_form_save     (C2gModelForm    *self,
                                       GCancellable    *cancellable,
                                       GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gModelForm, c2g_model_form_free)

G_END_DECLS
