/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-picture-private.h"

#include <c2g/net/predictor/c2g-model-text-private.h>

G_BEGIN_DECLS

/* The form of pictures that a model needs. Options are used first, then model.ini next to the net
 * or the database; .modelinfo, value_info.json and the init net give shapes. */
typedef struct _C2gModelForm C2gModelForm;

C2gModelForm *c2g_model_form_new  (GFile                      *net,
                                   const C2gPictureArguments  *options,
                                   GCancellable               *cancellable,
                                   GError                    **error);
void          c2g_model_form_free (C2gModelForm               *self);

/* Returns the dimensions of an input in value_info.json, or NULL. */
const gint64 *c2g_model_form_get_dims (C2gModelForm    *self,
                                       const char      *input,
                                       gsize           *n_dims);
/* Finds the form of pictures for an input. TENSOR is that of the init net, before the input is
 * filled, or NULL: its shape is used. */
gboolean      c2g_model_form_find     (C2gModelForm    *self,
                                       const char      *input,
                                       C2gTensor       *tensor,
                                       C2gPictureForm  *form,
                                       GError         **error);
/* Returns the options of the last form, those of a preset not included. */
const C2gPictureArguments *c2g_model_form_get_arguments (C2gModelForm *self);
/* Returns TRUE if a file says what the last form is, or nothing was guessed. */
gboolean      c2g_model_form_is_said  (C2gModelForm    *self);
/* Returns the names of the options that were guessed. */
char        **c2g_model_form_dup_guesses (C2gModelForm *self);
/* Returns TRUE if this option was guessed in the last form. */
gboolean      c2g_model_form_is_guessed (C2gModelForm *self,
                                         const char   *option);
/* Returns a sentence about what was guessed in the last form; NULL if nothing was guessed. It speaks
 * of options of the command, or of properties of an element. */
char         *c2g_model_form_describe_guess (C2gModelForm *self,
                                             gboolean      is_command);
/* Returns a sentence if the options ask for another size in the last form than a file or the net says, or NULL. */
const char   *c2g_model_form_get_conflict (C2gModelForm *self);
/* Writes the last form to model.ini next to the nets. */
gboolean      c2g_model_form_save     (C2gModelForm    *self,
                                       GCancellable    *cancellable,
                                       GError         **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gModelForm, c2g_model_form_free)

G_END_DECLS
