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
  /* Of the run that is now: what was given before, and what the blobs had of which nothing was;
   * NULL where nothing is different. */
  C2gTensor    **former;
  C2gBlob      **contents;

  /* Atomic. */
  gboolean       is_running;
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
  /* Where nets are made, and those that wait there are told, if that is in another thread. */
  GMainContext       *home;
} C2gPredictorSource;

/* What a predictor is read from: a folder, a database, or a file for each net. */
typedef struct
{
  GFile        *file;
  /* NULL if the other is not a net. */
  GFile        *predict_net;
  /* As in a source. */
  C2gWorkspace *workspace;
  C2gDevice    *device;
  GMainContext *home;
} C2gPredictorFiles;

/* One of its own, below the parent if there is one. */
C2gWorkspace *c2g_predictor_new_workspace (C2gWorkspace              *parent);

C2gPredictor *c2g_predictor_new_from      (const C2gPredictorSource  *source,
                                           GCancellable              *cancellable,
                                           GError                   **error);

C2gPredictor *c2g_predictor_new_from_files (const C2gPredictorFiles  *files,
                                            GCancellable             *cancellable,
                                            GError                  **error);

/* The parts of a run.  Whoever reserves the predictor alone may go on, until it is released. */
gboolean      c2g_predictor_reserve       (C2gPredictor              *self,
                                           GError                   **error);
/* After a run that failed, inputs are what they were before it. */
void          c2g_predictor_release       (C2gPredictor              *self,
                                           gboolean                   is_done);
gboolean      c2g_predictor_take_inputs   (C2gPredictor              *self,
                                           C2gTensor                **inputs,
                                           gsize                      n_inputs,
                                           GError                   **error);
C2gTensor   **c2g_predictor_list_outputs  (C2gPredictor              *self,
                                           gsize                     *n_outputs,
                                           GError                   **error);

/* What the net reads from outside, but for the inputs; each once. */
char        **c2g_predictor_list_parameters (C2gPredictor            *self);
/* Brings parameters that no operator reads where they are to where the net reads them. */
gboolean      c2g_predictor_place_parameters (C2gPredictor           *self,
                                              GError                **error);

/* Names of the inputs; whether somebody has to give them before the model can run. */
char        **c2g_predictor_find_inputs   (const C2gPredictorSource  *source,
                                           gboolean                  *are_required);
/* Whether the blob has a single zero, or nothing at all. */
gboolean      c2g_predictor_is_placeholder (C2gWorkspace             *workspace,
                                            const char               *name);

G_END_DECLS
