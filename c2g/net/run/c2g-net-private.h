/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/operator/c2g-operator-private.h>
#include <c2g/net/run/c2g-net.h>

G_BEGIN_DECLS

/* The earlier runs of a net, which a device may be able to repeat. */
typedef struct _C2gNetReplay C2gNetReplay;

/* Programs cannot derive from C2gNet: the class is private. */
struct _C2gNetClass
{
  GObjectClass parent_class;

  /* Prepares runs after the operators were made; may be NULL. */
  gboolean (*set_up)        (C2gNet        *self,
                             GError       **error);
  /* Runs every operator with c2g_net_run_operator(). */
  gboolean (*run_operators) (C2gNet        *self,
                             GCancellable  *cancellable,
                             GError       **error);
  /* NULL if it never repeats runs. */
  void     (*free_replay)   (C2gNetReplay  *replay);
};

enum
{
  C2G_NET_SIGNAL_BEFORE_RUN,
  C2G_NET_SIGNAL_AFTER_RUN,
  C2G_NET_SIGNAL_BEFORE_OPERATOR,
  C2G_NET_SIGNAL_AFTER_OPERATOR,
  C2G_NET_N_SIGNALS
};

extern guint c2g_net_signals[C2G_NET_N_SIGNALS];

typedef struct
{
  /* Private, and never changed. Programs get the copy SHOWN, which is made when first asked for. */
  C2gNetDef       *def;
  C2gNetDef       *shown;
  C2gOperator    **operators;
  guint            n_operators;
  /* One context for each device but the CPU; the operators' work is queued in its order. */
  GPtrArray       *contexts;
  C2gObserverList  observers;

  /* Atomic. TRUE while the net runs. */
  int              is_running;
  /* Atomic. Number of the operator that failed in the last run, or -1. */
  int              failed_position;
  /* State of the run: TRUE if operators are observed, and the main context for callbacks, or NULL
   * if they run in the thread that runs the net. */
  gboolean         is_observed;
  GMainContext    *home;

  /* Atomic. TRUE if a device may repeat runs. */
  int              has_device_graph;
  /* The replay that the current run uses, in its thread only. NULL between runs, and if no device may
   * repeat them. */
  C2gNetReplay    *replay;
  /* Atomic. The replay between runs: a run takes it out, and puts it back at its end. */
  C2gNetReplay    *kept_replay;
} C2gNetPrivate;

C2gNetPrivate *c2g_net_get_private    (C2gNet              *self);

/* Runs the net in this thread for a caller in another thread. Signals and operators that are
 * bound to the caller's thread run where its main context HOME is iterated; if HOME is NULL, this
 * is the caller's thread, and they run here. Fails with C2G_ERROR_BUSY if the net is running. */
gboolean       c2g_net_run_away       (C2gNet              *self,
                                       GMainContext        *home,
                                       GCancellable        *cancellable,
                                       GError             **error);

/* Runs the net like c2g_net_run_away(). When all operators were started, and before the run waits
 * for their devices, it calls func, which can queue more work there. It does not call func if
 * there are no such devices, or if somebody is notified of the end of the run, who may still
 * change the outputs. */
gboolean       c2g_net_run_with       (C2gNet              *self,
                                       GMainContext        *home,
                                       void               (*func) (gpointer data),
                                       gpointer             data,
                                       GCancellable        *cancellable,
                                       GError             **error);

/* Returns the context of the net's work on the device; NULL if the net has none there. */
C2gContext    *c2g_net_find_context   (C2gNet              *self,
                                       C2gDevice           *device);

/* Runs one operator, notifies its observers and notes a failure. To be called in the thread that
 * runs the net, or in any thread if nothing observes the operator and it is not bound to the
 * calling thread. */
gboolean       c2g_net_run_operator   (C2gNet              *self,
                                       C2gNetPrivate       *priv,
                                       guint                position,
                                       GError             **error);

/* Notifies observers of operators. To be called in the thread that runs the net. */
void           c2g_net_tell_operator  (C2gNet              *self,
                                       C2gNetPrivate       *priv,
                                       guint                position,
                                       gboolean             is_after,
                                       gboolean             is_done);

/* Lets the device repeat the work of earlier runs; FALSE if the operators have to run. */
gboolean       c2g_net_run_again       (C2gNet             *self,
                                        C2gNetPrivate      *priv);
void           c2g_net_replay_free     (C2gNetReplay       *self);
/* Keeps the graph for the next run, once the device is done with this one. */
void           c2g_net_keep_run        (C2gNet             *self,
                                        C2gNetPrivate      *priv);

/* Returns the device on which the operator reads its inputs. Operators that copy from the CPU
 * read there. */
C2gDevice     *c2g_net_get_operator_input_device (C2gOperator *op);

/* Options of a net that are not in its definition. */
typedef struct
{
  /* Device of operators that name none, or of all operators if it is forced. May be NULL. */
  C2gDevice *device;
  gboolean   is_device_forced;
} C2gNetOptions;

C2gNet        *c2g_net_new            (C2gNetDef            *def,
                                       C2gWorkspace         *workspace,
                                       const C2gNetOptions  *options,
                                       GError              **error);

/* Returns the name, or "" if there is none: nets of converters often have no name. */
static inline const char *
c2g_net_get_def_name (C2gNetDef *def)
{
  const char *name = c2g_net_def_get_name (def);

  return name != NULL ? name : "";
}

GType          c2g_simple_net_get_type (void);
GType          c2g_dag_net_get_type    (void);

G_END_DECLS
