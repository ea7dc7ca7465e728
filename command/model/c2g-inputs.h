/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "c2g-model.h"
#include "c2g-picture-options.h"

#include "c2g-model-form-private.h"

G_BEGIN_DECLS

/* The inputs of a model. Named tensors are used in every run. Each file without a name is one run,
 * for the first input that has no tensor. */
typedef struct
{
  C2gPredictor   *predictor;
  /* Named tensors, which are used in every run. */
  GHashTable     *named;
  char          **files;
  /* Name of the input for the files; NULL if there are no files. */
  char           *name;
  /* Content of the file of the present run. */
  C2gTensor      *tensor;
  C2gModelForm   *model_form;
  /* Form of the pictures for the files, or for the first input. */
  C2gPictureForm  form;
  gboolean        has_pictures;
} C2gInputs;

/* Separates "NAME=FILE" from "FILE" arguments, and reads the named files. */
C2gInputs *c2g_inputs_new  (C2gPredictor               *predictor,
                            C2gModel                   *model,
                            char                      **arguments,
                            const C2gPictureArguments  *options,
                            GCancellable               *cancellable,
                            GError                    **error);
/* Refuses inputs that only have a shape, like those of Caffe models: enough to draw a graph, but
 * not for a run. */
gboolean   c2g_inputs_check_data (C2gInputs            *self,
                                  GError              **error);
void       c2g_inputs_free (C2gInputs                  *self);

/* Adds to an error of a shape which options set that of pictures, and the size that the model says. */
void        c2g_inputs_explain    (C2gInputs     *self,
                                   GError       **error);
/* Prints on standard error what was guessed about pictures, and that their size is not the one that the model says. */
void        c2g_inputs_warn       (C2gInputs     *self);

/* Returns how many runs there are. */
gsize       c2g_inputs_get_n_runs (C2gInputs     *self);
/* Reads the file of a run. */
gboolean    c2g_inputs_read       (C2gInputs     *self,
                                   gsize          run,
                                   GCancellable  *cancellable,
                                   GError       **error);
/* Copies the inputs into the model. Call it before each run, because a net may change its
 * inputs. */
gboolean    c2g_inputs_apply      (C2gInputs     *self,
                                   GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (C2gInputs, c2g_inputs_free)

G_END_DECLS
