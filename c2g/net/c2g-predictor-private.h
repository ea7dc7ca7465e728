/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-predictor.h>

G_BEGIN_DECLS

struct _C2gPredictor
{
  GObject        parent_instance;

  C2gWorkspace  *workspace;
  /* As it came; the net may be another. */
  C2gNetDef     *def;
  /* Where all operators run, wherever they say, or NULL. */
  C2gDevice     *device;
  C2gNet        *net;
  char         **inputs;
  char         **outputs;

  /* What was given for each of the inputs, or NULL; whether it has to be. */
  C2gTensor    **given;
  gboolean       are_required;
};

/* What a predictor is made from: nets that fill blobs, one after the other, and the one that
 * is run; names where they are known, or NULL. */
typedef struct
{
  C2gNetDef          *init_nets[2];
  C2gNetDef          *predict_net;
  const char * const *inputs;
  const char * const *outputs;

  C2gWorkspace       *workspace;
  /* Where all operators run, wherever they say, or NULL. */
  C2gDevice          *device;
} C2gPredictorSource;

/* One of its own, below the parent if there is one. */
C2gWorkspace *c2g_predictor_new_workspace (C2gWorkspace              *parent);

C2gPredictor *c2g_predictor_new_from      (const C2gPredictorSource  *source,
                                           GCancellable              *cancellable,
                                           GError                   **error);

/* Names of the inputs; whether somebody has to give them before the model can run. */
char        **c2g_predictor_find_inputs   (const C2gPredictorSource  *source,
                                           gboolean                  *are_required);
/* Whether the blob has a single zero, or nothing at all. */
gboolean      c2g_predictor_is_placeholder (C2gWorkspace             *workspace,
                                            const char               *name);

G_END_DECLS
