/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/predictor/c2g-class-score.h>
#include <c2g/net/predictor/c2g-predictor.h>

G_BEGIN_DECLS

typedef struct _C2gPredictorTask C2gPredictorTask;

struct _C2gPredictor
{
  GObject        parent_instance;

  C2gWorkspace  *workspace;
  /* The net as it was given; NET below may be an optimized version. NULL without a model. */
  C2gNetDef     *def;
  /* Forces all operators to this device; NULL keeps the devices in the definitions. */
  C2gDevice     *device;
  /* Changed under the lock, by the thread that has reserved the predictor. */
  C2gNet        *net;
  /* TRUE if the net was made from an optimized definition, not from def. Then sources are the
   * parameters that it depends on, see c2g_graph_sources_new(), and flags what was allowed. */
  gboolean         is_rewritten;
  GPtrArray       *sources;
  C2gOptimizeFlags flags;
  char         **inputs;
  char         **outputs;
  /* The file of the net, or the database; NULL if the nets were no files. */
  GFile         *file;
  /* For each input the shape and the type that the init net gave it, without data, or NULL. */
  C2gTensor    **patterns;
  /* The names of the classes, or NULL; and 1 if they were looked for. */
  char         **labels;
  gsize          are_labels_read;

  /* The tensor given for each input, or NULL; and TRUE if every input needs one. */
  C2gTensor    **given;
  gboolean       are_required;
  /* Used to undo a failed run. For each input that the run has changed: the tensor that was given
   * before or, if there was none, the old content of its blob. NULL for unchanged inputs. */
  C2gTensor    **former;
  C2gBlob      **contents;

  GMutex         lock;
  /* Under the lock. TRUE while a run uses the predictor; and the queue of later runs and inputs of
   * c2g_predictor_set_input(). */
  gboolean       is_reserved;
  GQueue         turns;
  /* Under the lock. The last outputs that each thread got from a run, oldest first; those of a
   * limited number of threads that have ended. */
  GQueue         handed_over;
  /* Under the lock. The net that each thread got from c2g_predictor_get_net(), oldest first. */
  GQueue         got_nets;
};

/* The parts of a predictor: the nets that fill blobs, in order, the net to run, and the names of
 * inputs and outputs, or NULL if they are not declared. */
typedef struct
{
  C2gNetDef          *init_nets[2];
  C2gNetDef          *predict_net;
  const char * const *inputs;
  const char * const *outputs;

  C2gWorkspace       *workspace;
  /* Forces all operators to this device; NULL keeps the devices in the definitions. */
  C2gDevice          *device;
  /* The optimizations to apply to the net. */
  C2gOptimizeFlags    flags;
  /* The main context for making nets and calling back, if another thread does the loading; else
   * NULL. */
  GMainContext       *home;
} C2gPredictorSource;

/* The files of a predictor: a folder, a database, or a file for each net. */
typedef struct
{
  GFile            *file;
  /* NULL if the first file is not a net. */
  GFile            *predict_net;
  /* The members below are as in C2gPredictorSource. */
  C2gWorkspace     *workspace;
  C2gDevice        *device;
  C2gOptimizeFlags  flags;
  GMainContext     *home;
} C2gPredictorFiles;

/* Returns the file of the net, beside which its labels lie and how it wants pictures. If the nets
 * were no files it is one in the folder of the model; without a folder NULL. */
GFile        *c2g_predictor_dup_net_file  (C2gPredictor              *self);
/* Finds the best class in the first output. */
C2gClassScore *c2g_predictor_find_best    (C2gPredictor              *self,
                                           C2gTensor                **outputs,
                                           guint                      n_outputs,
                                           GError                   **error);

/* Fails for a predictor that was made by g_object_new(), without a model. */
gboolean      c2g_predictor_check_model   (C2gPredictor              *self,
                                           GError                   **error);
/* Creates a private workspace, a child of PARENT unless that is NULL. */
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

/* Replaces the net by one optimized with these flags. After an error the predictor keeps its
 * present net. */
gboolean      c2g_predictor_change_net    (C2gPredictor              *self,
                                           C2gOptimizeFlags           flags,
                                           GMainContext              *home,
                                           GError                   **error);
/* Makes the optimized net anew if parameters have changed that it was made from. Goes back to the
 * net as written if a given input makes the optimized one invalid: one of the first n_inputs
 * inputs, or one that was given before. */
gboolean      c2g_predictor_heed_changes  (C2gPredictor              *self,
                                           guint                      n_inputs,
                                           GMainContext              *home,
                                           GError                   **error);

/* After a failed run of an optimized net: replaces the error by that of the net as written, because
 * its operators and blobs have the names that the user knows. Returns TRUE if the predictor uses that
 * net from now on, because only float16 made the run fail. */
gboolean      c2g_predictor_explain       (C2gPredictor              *self,
                                           GMainContext              *home,
                                           GCancellable              *cancellable,
                                           GError                   **error);

/* A run in another thread, and its result. It is not a GTask: a GTask and the source that calls it
 * back hold references to each other, so if the context is freed without being iterated, neither
 * would be freed and the predictor would stay reserved. This type drops its reference to the
 * context when the run is over. */
struct _C2gPredictorTask
{
  GObject              parent_instance;

  C2gPredictor        *predictor;
  GCancellable        *cancellable;
  GAsyncReadyCallback  callback;
  gpointer             user_data;
  /* The context for the callback; NULL when the run is over. */
  GMainContext        *home;

  C2gTensor          **inputs;
  guint                n_inputs;
  /* NULL after an error, and after they were taken. */
  C2gTensor          **outputs;
  guint                n_outputs;
  GError              *error;
  /* Atomic. TRUE while the run has reserved the predictor: until it fails or its result is taken. */
  gboolean             is_reserved;
};

G_DECLARE_FINAL_TYPE (C2gPredictorTask, c2g_predictor_task, C2G, PREDICTOR_TASK, GObject)

/* Runs the task in another thread. */
void          c2g_predictor_task_begin    (C2gPredictorTask          *self);
/* Ends the task without a run; takes ownership of the error. */
void          c2g_predictor_task_fail     (C2gPredictorTask          *self,
                                           GError                    *error);

/* The queue for the predictor. Whoever has reserved it is its only user until it is released; then
 * the first in the queue follows. */
gboolean      c2g_predictor_reserve       (C2gPredictor              *self,
                                           GError                   **error);
/* Reserves the predictor for the task and begins it, now or when its turn comes. A task that is
 * cancelled while waiting fails. */
void          c2g_predictor_queue_run     (C2gPredictor              *self,
                                           C2gPredictorTask          *task);
/* Gives an input to all runs that are requested from now on. */
void          c2g_predictor_queue_input   (C2gPredictor              *self,
                                           gsize                      input,
                                           C2gTensor                 *tensor);
void          c2g_predictor_release       (C2gPredictor              *self);

/* The steps of a run. */
gboolean      c2g_predictor_check_tensors (C2gPredictor              *self,
                                           C2gTensor                **inputs,
                                           guint                      n_inputs,
                                           GError                   **error);
/* Runs the model. The caller has reserved the predictor, and calls c2g_predictor_end_run()
 * afterwards, also after a failure. HOME is the main context of the thread that asked for the run,
 * or NULL if this is that thread. Returns an array for c2g_predictor_free_tensors() or
 * c2g_predictor_hand_over(). */
C2gTensor   **c2g_predictor_run_reserved  (C2gPredictor              *self,
                                           C2gTensor                **inputs,
                                           guint                      n_inputs,
                                           GMainContext              *home,
                                           guint                     *n_outputs,
                                           GCancellable              *cancellable,
                                           GError                   **error);
/* Prepares the blobs of given inputs again, because a given tensor may have changed its memory or
 * shape since the last run. */
gboolean      c2g_predictor_prepare_inputs (C2gPredictor             *self,
                                            C2gNet                   *net,
                                            GError                  **error);
/* Ends a run. If it failed, restores the inputs. The predictor stays reserved. */
void          c2g_predictor_end_run       (C2gPredictor              *self,
                                           gboolean                   is_done);
void          c2g_predictor_free_tensors  (C2gTensor                **tensors);
/* Takes ownership of the outputs of a run, and returns a copy of the array for its caller, who
 * frees only the array. The calling thread may use the outputs without references until its next
 * run. */
C2gTensor   **c2g_predictor_hand_over     (C2gPredictor              *self,
                                           C2gTensor                **outputs,
                                           guint                      n_outputs);
/* Takes ownership of a value and keeps it in the list, for the calling thread to use without a
 * reference, until the same thread has another one or the predictor is released; or until more than
 * MAX_ENDED threads have values and have ended. */
void          c2g_predictor_hold          (C2gPredictor              *self,
                                           GQueue                    *list,
                                           gpointer                   value,
                                           GDestroyNotify             free_value,
                                           guint                      max_ended);
void          c2g_predictor_clear_held    (GQueue                    *list);

/* Moves each parameter to the device of the operators that read it. */
gboolean      c2g_predictor_place_parameters (C2gPredictor           *self,
                                              GError                **error);

/* Returns the names of the inputs. *are_required is TRUE if the model cannot run without values for
 * them. */
char        **c2g_predictor_find_inputs   (const C2gPredictorSource  *source,
                                           gboolean                  *are_required);
/* Returns TRUE if the input is a parameter of the model. A model that declares no inputs accepts a
 * value for every blob that it reads, parameters included. */
gboolean      c2g_predictor_is_learned    (C2gPredictor              *self,
                                           gsize                      input);
/* Returns TRUE if the blob is empty or holds a single zero. Exported models use that as a
 * placeholder for an input. */
gboolean      c2g_predictor_is_placeholder (C2gWorkspace             *workspace,
                                            const char               *name);

G_END_DECLS
