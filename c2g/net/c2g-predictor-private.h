/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-predictor.h>

G_BEGIN_DECLS

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

G_END_DECLS
