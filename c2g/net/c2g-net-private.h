/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <c2g/net/c2g-net.h>
#include <c2g/net/c2g-operator-private.h>

G_BEGIN_DECLS

/* Only the library has classes of nets. */
struct _C2gNetClass
{
  GObjectClass parent_class;

  /* Prepares what all runs need, when the operators are there; may be NULL. */
  gboolean (*set_up)        (C2gNet        *self,
                             GError       **error);
  /* Runs every operator, through c2g_net_run_operator(). */
  gboolean (*run_operators) (C2gNet        *self,
                             GCancellable  *cancellable,
                             GError       **error);
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
  C2gNetDef       *def;
  C2gOperator    **operators;
  guint            n_operators;
  /* One for each device but the CPU, whose order of work is that of the run. */
  GPtrArray       *contexts;
  C2gObserverList  observers;

  /* Atomic: whether it runs. */
  int              is_running;
  /* Atomic: the operator that the last run failed at, or -1. */
  int              failed_position;
  /* Of the present run: whether somebody wants to hear of operators, and where he is if not
   * in the thread that runs the net, or NULL. */
  gboolean         is_observed;
  GMainContext    *home;
} C2gNetPrivate;

C2gNetPrivate *c2g_net_get_private    (C2gNet              *self);

/* Runs the net in a thread that is not its caller's: signals are emitted, and what no other
 * thread may run is run, where the main context is iterated. */
gboolean       c2g_net_run_away       (C2gNet              *self,
                                       GMainContext        *home,
                                       GCancellable        *cancellable,
                                       GError             **error);

/* Runs one operator, tells who wants to hear it, notes a failure; in the thread that runs
 * the net, or in any one where nobody listens and the operator does not mind. */
gboolean       c2g_net_run_operator   (C2gNet              *self,
                                       C2gNetPrivate       *priv,
                                       guint                position,
                                       GError             **error);

/* Tells who wants to hear of operators; in the thread that runs the net. */
void           c2g_net_tell_operator  (C2gNet              *self,
                                       C2gNetPrivate       *priv,
                                       guint                position,
                                       gboolean             is_after,
                                       gboolean             is_done);

/* Where an operator of a net wants what it reads. */
C2gDevice     *c2g_net_get_operator_input_device (C2gOperator *op);

/* What a net is made with besides its definition. */
typedef struct
{
  /* Where operators run unless they say so themselves, or all of them; NULL for none. */
  C2gDevice *device;
  gboolean   is_device_forced;
} C2gNetOptions;

C2gNet        *c2g_net_new            (C2gNetDef            *def,
                                       C2gWorkspace         *workspace,
                                       const C2gNetOptions  *options,
                                       GError              **error);

/* Converters make nets without one. */
static inline const char *
c2g_net_get_def_name (C2gNetDef *def)
{
  const char *name = c2g_net_def_get_name (def);

  return name != NULL ? name : "";
}

GType          c2g_simple_net_get_type (void);
GType          c2g_dag_net_get_type    (void);

G_END_DECLS
