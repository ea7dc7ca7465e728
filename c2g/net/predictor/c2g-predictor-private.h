/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/predictor/c2g-predictor.h>

G_BEGIN_DECLS

typedef struct _C2gPredictorTask C2gPredictorTask;

struct _C2gPredictor
{
  GObject        parent_instance;

  C2gWorkspace  *workspace;
  /* As it came; the net may be another. */
  C2gNetDef     *def;
  /* The device on which all operators run, whichever they name; NULL keeps theirs. */
  C2gDevice     *device;
  /* Changed under the lock, by whoever has reserved the predictor. */
  C2gNet        *net;
  /* The one before, if a run has left it: another thread may have it from get_net(). */
  C2gNet        *left_net;
  /* TRUE if the net was made from an optimized definition, not from def. */
  gboolean       is_rewritten;
  char         **inputs;
  char         **outputs;

  /* The tensors that were given for the inputs, or NULL, and whether all inputs need one. */
  C2gTensor    **given;
  gboolean       are_required;
  /* For each input that the current run has changed, the tensor given before or, without one, the
   * content of its blob; NULL for the others. */
  C2gTensor    **former;
  C2gBlob      **contents;

  GMutex         lock;
  /* Under the lock: one run at a time has the predictor; runs and inputs of set_input() that
   * wait until it is free. */
  gboolean       is_reserved;
  GQueue         turns;
  /* Under the lock: for some threads, the last outputs that each got. */
  GQueue         handed_over;
};

/* A predictor is made from these: nets that fill blobs, one after the other, the net that runs, and
 * the names of inputs and outputs, which are NULL if they are not known. */
typedef struct
{
  C2gNetDef          *init_nets[2];
  C2gNetDef          *predict_net;
  const char * const *inputs;
  const char * const *outputs;

  C2gWorkspace       *workspace;
  /* The device on which all operators run, whichever they name; NULL keeps theirs. */
  C2gDevice          *device;
  /* The optimizations of the net. */
  C2gOptimizeFlags    flags;
  /* The context in which nets are made and waiting callers are told, if it is of another thread. */
  GMainContext       *home;
} C2gPredictorSource;

/* A predictor is read from a folder, a database, or a file for each net. */
typedef struct
{
  GFile            *file;
  /* NULL if the other is not a net. */
  GFile            *predict_net;
  /* As in a source. */
  C2gWorkspace     *workspace;
  C2gDevice        *device;
  C2gOptimizeFlags  flags;
  GMainContext     *home;
} C2gPredictorFiles;

/* One of its own, below the parent if there is one. */
C2gWorkspace *c2g_predictor_new_workspace (C2gWorkspace              *parent);

C2gPredictor *c2g_predictor_new_from      (const C2gPredictorSource  *source,
                                           GCancellable              *cancellable,
                                           GError                   **error);

C2gPredictor *c2g_predictor_new_from_files (const C2gPredictorFiles  *files,
                                            GCancellable             *cancellable,
                                            GError                  **error);

C2gNet       *c2g_predictor_make_net      (const C2gPredictorSource  *source,
                                           C2gNetDef                 *def,
                                           GError                   **error);

/* Makes the predictor run what the flags make of its net; after an error it runs what it ran. */
gboolean      c2g_predictor_change_net    (C2gPredictor              *self,
                                           C2gOptimizeFlags           flags,
                                           GMainContext              *home,
                                           GError                   **error);
/* Makes it run its net as it was written, where somebody gives what a faster one relies on: one of
 * the first n_inputs inputs, or one that was given before. */
gboolean      c2g_predictor_heed_inputs   (C2gPredictor              *self,
                                           guint                      n_inputs,
                                           GMainContext              *home,
                                           GError                   **error);

/* After a run that failed: where the net is not the one that was written, gives the error that that
 * one has, which names operators and blobs that somebody knows. */
void          c2g_predictor_explain       (C2gPredictor              *self,
                                           GCancellable              *cancellable,
                                           GError                   **error);

/* A run in another thread, and then its result.  It is not a GTask, because a GTask and the source
 * that calls it back in a main context hold each other: where the context is dropped before it is
 * iterated, neither would be freed, and the predictor would stay reserved.  This type releases its
 * reference to the context when the run is over. */
struct _C2gPredictorTask
{
  GObject              parent_instance;

  C2gPredictor        *predictor;
  GCancellable        *cancellable;
  GAsyncReadyCallback  callback;
  gpointer             user_data;
  /* The context of the callback; NULL when the run is over. */
  GMainContext        *home;

  C2gTensor          **inputs;
  guint                n_inputs;
  /* NULL after an error, and when they have been taken. */
  C2gTensor          **outputs;
  guint                n_outputs;
  GError              *error;
  /* Atomic. TRUE while the run has the predictor, until it fails or its result is taken. */
  gboolean             is_reserved;
};

G_DECLARE_FINAL_TYPE (C2gPredictorTask, c2g_predictor_task, C2G, PREDICTOR_TASK, GObject)

/* Runs the task in another thread. */
void          c2g_predictor_task_begin    (C2gPredictorTask          *self);
/* Ends the task without a run; takes ownership of the error. */
void          c2g_predictor_task_fail     (C2gPredictorTask          *self,
                                           GError                    *error);

/* The turns of a predictor.  Whoever has reserved it alone may go on, until it is released: then
 * it is the turn of who has waited longest. */
gboolean      c2g_predictor_reserve       (C2gPredictor              *self,
                                           GError                   **error);
/* Reserves it for the task, now or when it is its turn, which then begins.  One that is cancelled
 * while it waits fails. */
void          c2g_predictor_queue_run     (C2gPredictor              *self,
                                           C2gPredictorTask          *task);
/* Gives an input, which is used by the runs that are asked for from now on. */
void          c2g_predictor_queue_input   (C2gPredictor              *self,
                                           gsize                      input,
                                           C2gTensor                 *tensor);
void          c2g_predictor_release       (C2gPredictor              *self);

/* The parts of a run. */
gboolean      c2g_predictor_check_tensors (C2gPredictor              *self,
                                           C2gTensor                **inputs,
                                           guint                      n_inputs,
                                           GError                   **error);
C2gTensor   **c2g_predictor_run_reserved  (C2gPredictor              *self,
                                           C2gTensor                **inputs,
                                           guint                      n_inputs,
                                           GMainContext              *home,
                                           guint                     *n_outputs,
                                           GCancellable              *cancellable,
                                           GError                   **error);
/* Tensors that were given may have got other memory, or another shape, since the last run of the
 * net. */
gboolean      c2g_predictor_prepare_inputs (C2gPredictor             *self,
                                            C2gNet                   *net,
                                            GError                  **error);
/* After a run that failed, inputs are what they were before it. */
void          c2g_predictor_end_run       (C2gPredictor              *self,
                                           gboolean                   is_done);
void          c2g_predictor_free_tensors  (C2gTensor                **tensors);
/* Takes the outputs of a run, and gives the array that its caller gets: this thread may use them
 * without a reference until it gets those of another run. */
C2gTensor   **c2g_predictor_hand_over     (C2gPredictor              *self,
                                           C2gTensor                **outputs,
                                           guint                      n_outputs);
/* Releases the outputs of all threads. */
void          c2g_predictor_clear_handed_over (C2gPredictor          *self);

/* Lists the blobs that the net reads from outside and that are no inputs; each once. */
char        **c2g_predictor_list_parameters (C2gPredictor            *self);
/* Brings parameters that no operator reads where they are to where the net reads them. */
gboolean      c2g_predictor_place_parameters (C2gPredictor           *self,
                                              GError                **error);

/* Names of the inputs; whether somebody has to give them before the model can run. */
char        **c2g_predictor_find_inputs   (const C2gPredictorSource  *source,
                                           gboolean                  *are_required);
/* Returns TRUE if the input is a learned blob. A model that does not declare its inputs lets all of
 * them be given. */
gboolean      c2g_predictor_is_learned    (C2gPredictor              *self,
                                           gsize                      input);
/* Returns TRUE if the blob has a single zero, or is empty. */
gboolean      c2g_predictor_is_placeholder (C2gWorkspace             *workspace,
                                            const char               *name);

G_END_DECLS
