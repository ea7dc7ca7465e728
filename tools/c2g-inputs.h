/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-model-form.h"

G_BEGIN_DECLS

/* What a model is run on.  Tensors with names are there in every run; of the files without a
 * name each is a run of its own, for the first input that has no other. */
typedef struct
{
  C2gPredictor   *predictor;
  /* Tensors by name. */
  GHashTable     *named;
  char          **files;
  /* The input that the files are for; NULL if there are none. */
  char           *name;
  /* The content of the file of the present run. */
  C2gTensor      *tensor;
  C2gModelForm   *model_form;
  /* That of the files, or of the first input. */
  C2gPictureForm  form;
  gboolean        has_pictures;
} C2gInputs;

/* Sorts "NAME=FILE" and "FILE", and reads what has a name. */
C2gInputs *c2g_inputs_new  (C2gPredictor               *predictor,
                            C2gModel                   *model,
                            char                      **arguments,
                            const C2gPictureArguments  *options,
                            GCancellable               *cancellable,
                            GError                    **error);
void       c2g_inputs_free (C2gInputs                  *self);

/* Says on standard error what was guessed of pictures, if any was. */
void        c2g_inputs_warn       (C2gInputs     *self);

/* Returns how many runs there are. */
gsize       c2g_inputs_get_n_runs (C2gInputs     *self);
/* Reads what a run needs. */
gboolean    c2g_inputs_read       (C2gInputs     *self,
                                   gsize          run,
                                   GCancellable  *cancellable,
                                   GError       **error);
/* Gives it to the model, which may change what it is given: as often as that runs. */
gboolean    c2g_inputs_apply      (C2gInputs     *self,
                                   GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gInputs, c2g_inputs_free)

G_END_DECLS
