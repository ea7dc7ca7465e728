/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include <c2g/net/run/c2g-net-private.h>

/* Runs one operator after the other, in the thread that runs the net. */

typedef struct
{
  C2gNet parent_instance;
} C2gSimpleNet;

typedef struct
{
  C2gNetClass parent_class;
} C2gSimpleNetClass;

G_DEFINE_FINAL_TYPE (C2gSimpleNet, c2g_simple_net, C2G_TYPE_NET)

static gboolean
c2g_simple_net_run_operators (C2gNet        *net,
                              GCancellable  *cancellable,
                              GError       **error)
{
  C2gNetPrivate *priv = c2g_net_get_private (net);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (c2g_net_run_again (net, priv))
    return TRUE;

  for (guint i = 0; i < priv->n_operators; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !c2g_net_run_operator (net, priv, i, error))
      return FALSE;

  return TRUE;
}

static void
c2g_simple_net_class_init (C2gSimpleNetClass *klass)
{
  C2G_NET_CLASS (klass)->run_operators = c2g_simple_net_run_operators;
  C2G_NET_CLASS (klass)->free_replay = c2g_net_replay_free;
}

static void
c2g_simple_net_init (C2gSimpleNet *self)
{
}
